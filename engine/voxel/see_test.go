package voxel

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A plan is a map seen from above, north up, of columns on a floor at y = 0: s the one who sees, t the target, o another body,
// # a wall of four blocks, = a wall of one block, - a slab, G a pane of glass of four blocks, L leaves of four blocks,
// f a post of a fence, ~ water two blocks deep, l a ladder, T a torch, 2 a wall of two blocks, . nothing. Both look at each other's row.
type plan struct {
	seer, target Figure
	others       []Figure
	arena        *Arena
}

func read(t testing.TB, text string) plan {
	t.Helper()
	b := NewBuilder(Pos{-16, -16, -16}, Pos{3, 2, 3})
	b.Fill(Pos{-16, -1, -16}, Pos{31, -1, 31}, FullCube("ground"))
	var p plan
	for z, row := range strings.Split(strings.TrimSpace(text), "\n") {
		for x, c := range strings.TrimSpace(row) {
			at := Pos{int32(x), 0, int32(z)}
			switch c {
			case 's':
				p.seer = figureAt(at.X, 0, at.Z)
			case 't':
				p.target = figureAt(at.X, 0, at.Z)
			case 'o':
				p.others = append(p.others, figureAt(at.X, 0, at.Z))
			case '#':
				b.Fill(at, at.Up(3), FullCube("wall"))
			case '2':
				b.Fill(at, at.Up(1), FullCube("wall"))
			case '=':
				b.Set(at, FullCube("low wall"))
			case '-':
				b.Set(at, Slab("slab"))
			case 'G':
				b.Fill(at, at.Up(3), Glass())
			case 'L':
				b.Fill(at, at.Up(3), Leaves())
			case 'f':
				b.Fill(at, at.Up(1), Fence("fence"))
			case '~':
				b.Fill(at, at.Up(1), Water())
			case 'l':
				b.Set(at, Ladder())
			case 'T':
				b.Set(at, Torch())
			case '.':
			default:
				t.Fatalf("what is %q?", c)
			}
		}
	}
	p.arena = mustBuild(t, b)
	return p
}

func TestSituations(t *testing.T) {
	crouch := func(p *plan) { p.target.Posture = Crouching }
	prone := func(p *plan) { p.target.Posture = Prone }
	for name, v := range map[string]struct {
		plan   string
		change func(*plan)
		cover  bool
		see    bool
		shoot  bool
		clear  bool // not one sample hidden, unseen or dim
	}{
		"open ground":                           {"s.......t", nil, false, true, true, true},
		"wall beside the target":                {"........#\ns.......t\n........#", nil, false, true, true, true},
		"wall behind the target":                {"s.......t#", nil, false, true, true, true},
		"wall between":                          {"...#\ns..#...t\n...#", nil, true, false, false, false},
		"waist-high slab of one block":          {"s......=t", nil, true, true, true, false},
		"half slab is a quarter":                {"s......-t", nil, false, true, true, false},
		"low wall in the middle":                {"s...=...t", nil, false, true, true, false},
		"crouched behind a low wall":            {"s......=t", crouch, true, true, true, false},
		"prone behind a low wall":               {"s......=t", prone, true, false, false, false},
		"prone behind a kerb":                   {"s......-t", prone, true, true, true, false},
		"glass shows but stops":                 {"...G\n...G\ns..G....t\n...G", nil, true, true, false, false},
		"leaves are dim and stop nothing":       {"...L\n...L\ns..L....t\n...L", nil, false, true, true, false},
		"water is dim and stops nothing":        {"...~\n...~\ns..~....t\n...~", nil, false, true, true, false},
		"a post close by hides half a man":      {"s.....f.t", nil, true, true, true, false},
		"ladder is nothing":                     {"s...l...t", nil, false, true, true, true},
		"corner hides half":                     {"s.......t\n.......#.", func(p *plan) { p.target.At.Z += 128 }, true, true, true, false},
		"corner hides less than half":           {"s.......t\n.......#.", func(p *plan) { p.target.At.Z += 102 }, false, true, true, false},
		"his own low wall does not hide":        {"s=......t", nil, false, true, true, true},
		"he leans round his own corner":         {"s#......t\n.........", nil, false, true, true, true},
		"but not where both sides are walls":    {".#\ns#......t\n.#", nil, true, false, false, false},
		"and not through a wall beside him":     {"#.\ns#......t\n##", nil, true, false, false, false},
		"prone, he looks over his own kerb":     {"s-......t", func(p *plan) { p.seer.Posture = Prone }, false, true, true, true},
		"prone, he does not look over a wall":   {".=\ns=......t\n.=", func(p *plan) { p.seer.Posture = Prone }, true, false, false, false},
		"gap between two walls meeting at edge": {"s#\n#t", nil, true, false, false, false},
		"from a tower over a parapet":           {"s=......t", func(p *plan) { p.seer.At.Y += 5 * Unit }, false, true, true, true},
		"target on the tower":                   {"s.......t", func(p *plan) { p.target.At.Y += 5 * Unit }, false, true, true, true},
		"two blocks hide a man":                 {"s......2t\n.......2", nil, true, false, false, false},
		"a giant behind two blocks":             {"s......2t\n.......2", func(p *plan) { p.target.Body.Height[Standing] = 6 * Unit }, false, true, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(t, v.plan)
			if v.change != nil {
				v.change(&p)
			}
			s := See(p.arena, p.seer, p.target, SightOptions{})
			if s.Covered() != v.cover || s.Visible() != v.see || s.Open() != v.shoot || (s.Hidden+s.Unseen+s.Dim == 0) != v.clear {
				t.Errorf("cover %v see %v shoot %v, should be %v %v %v (clear %v): %+v", s.Covered(), s.Visible(), s.Open(), v.cover, v.see, v.shoot, v.clear, s)
			}
		})
	}
}

// The blocks that hide are named, in order, and their counts add up.
func TestHidingBlocks(t *testing.T) {
	p := read(t, "s.....=t\n......G.")
	p.target.At.Z += 100
	s := See(p.arena, p.seer, p.target, SightOptions{})
	if len(s.Hiding) != 3 || s.Hiding[0].Name != "low wall" || s.Hiding[0].At != (Pos{6, 0, 0}) ||
		s.Hiding[1].Name != "glass" || s.Hiding[1].At != (Pos{6, 0, 1}) || s.Hiding[2].At != (Pos{6, 1, 1}) {
		t.Fatalf("got %+v", s.Hiding)
	}
	if s.Hiding[0].Stops != StopsBullets|StopsSight || s.Hiding[1].Stops != StopsBullets {
		t.Errorf("stops are %d and %d", s.Hiding[0].Stops, s.Hiding[1].Stops)
	}
	total := int32(0)
	for _, h := range s.Hiding {
		total += h.Count
	}
	if total != s.Hidden || s.Unseen >= s.Hidden || s.Unseen == 0 {
		t.Errorf("%d counted, %d hidden, %d unseen", total, s.Hidden, s.Unseen)
	}
}

func TestBodiesOnTheLine(t *testing.T) {
	p := read(t, "s...o...t\n.....o...")
	s := See(p.arena, p.seer, p.target, SightOptions{Others: p.others})
	if len(s.Bodies) != 1 || s.Bodies[0].Index != 0 || s.Bodies[0].Count < 32 || s.Hidden != 0 {
		t.Errorf("got %+v, %d hidden", s.Bodies, s.Hidden)
	}
	behind := figureAt(9, 0, 0)
	if s := See(p.arena, p.seer, p.target, SightOptions{Others: []Figure{behind}}); s.Bodies != nil {
		t.Errorf("a body behind the target is on the line: %+v", s.Bodies)
	}
}

func TestSightingTellsSidesHeightAndLight(t *testing.T) {
	p := read(t, "s....t..T")
	p.seer.Look, p.target.Look = Look{X: 10, Z: 1}, Look{X: 7}
	p.target.At.Y += 3 * Unit
	s := See(p.arena, p.seer, p.target, SightOptions{})
	if s.Facing != Front || s.Exposed != Rear || s.Rise != 3*Unit || s.Distance != 5 || s.Samples != 64 {
		t.Errorf("got %+v", s)
	}
	if s.Light.Sky != 15 || s.Light.Block != 14-3-4 {
		t.Errorf("light %+v", s.Light)
	}
}

// Leaning says how, and can be forbidden.
func TestLeaning(t *testing.T) {
	p := read(t, "......\ns#...t\n.#....")
	s := See(p.arena, p.seer, p.target, SightOptions{})
	if s.Lean != LeanLeft {
		t.Errorf("leans %d, should lean to the left, where the wall ends", s.Lean)
	}
	if s := See(p.arena, p.seer, p.target, SightOptions{Rigid: true}); s.Visible() || s.Lean != NoLean {
		t.Errorf("sees without leaning: %+v", s)
	}
}

// The hidden share is what counting every sample alone gives, and more blocks never hide less.
func TestSeeAgainstSingleRays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 4
		a := drawArena(t, size)
		from := Figure{Pose: Pose{At: drawPoint(t, size, "from"), Look: Look{X: 1}, Posture: Posture(rapid.Uint8Range(0, 2).Draw(t, "p"))}, Body: Human()}
		to := from
		to.At = drawPoint(t, size, "to")
		to.Posture = Posture(rapid.Uint8Range(0, 2).Draw(t, "q"))
		s := See(a, from, to, SightOptions{Rigid: true})
		eye := from.Eye()
		points := samplesOf(eye, to)
		var hidden, unseen, dim int32
		for _, p := range points.at {
			if len(touched(a, eye, p, Bullets)) > 0 {
				hidden++
			}
			if len(touched(a, eye, p, Views)) > 0 {
				unseen++
			} else if len(touched(a, eye, p, Haze)) > 0 {
				dim++
			}
			half := to.Body.Width / 2
			if d := p.Add(Point{-to.At.X, -to.At.Y, -to.At.Z}); max(abs(d.X), abs(d.Z)) > half || d.Y <= 0 || d.Y >= to.Height() {
				t.Fatalf("the sample %v is not inside the body", d)
			}
		}
		if s.Hidden != hidden || s.Unseen != unseen || s.Dim != dim {
			t.Fatalf("got %d %d %d, should be %d %d %d", s.Hidden, s.Unseen, s.Dim, hidden, unseen, dim)
		}
		if !slices.IsSortedFunc(s.Hiding, func(a, b HidingCell) int { return a.At.Compare(b.At) }) {
			t.Fatal("the hiding blocks are not sorted")
		}
		if l := See(a, from, to, SightOptions{}); l.Hidden > s.Hidden {
			t.Fatalf("leaning hides more: %d, was %d", l.Hidden, s.Hidden)
		}
	})
}

func BenchmarkSee32(b *testing.B) {
	a := hills(b)
	from, to := figureAt(40, hillHeight(40, 40)+1, 40), figureAt(65, hillHeight(65, 60)+1, 60)
	b.ReportAllocs()
	for b.Loop() {
		See(a, from, to, SightOptions{})
	}
}

// All samples followed at once see what 64 single rays see, and each block that hides is the first on the way of as many samples
// as it is said to stop.
func TestBeamFollowsEveryRay(t *testing.T) {
	const want = stopBullet | stopSight | stopDim
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int32{2, 4, 8}).Draw(t, "size")
		a := drawArena(t, size)
		draw := func(name string) Figure {
			f := Figure{Pose: Pose{At: drawPoint(t, size, name), Look: Look{X: 1}, Posture: Posture(rapid.Uint8Range(0, 2).Draw(t, "p"))}, Body: Human()}
			if rapid.IntRange(0, 9).Draw(t, "giant") == 0 {
				f.Body.Width, f.Body.Height[Standing] = 900, 1200
			}
			return f
		}
		from, to := draw("from"), draw("to")
		var own *Figure
		if rapid.Bool().Draw(t, "own") {
			own = &from
		}
		points := samplesOf(from.Eye(), to)
		var got, slow view
		past := got.look(&a.grid, from.Eye(), &points, own)
		slow.reset(own)
		strict, tied := map[Pos]int32{}, map[Pos]int32{}
		for i := range points.at {
			var r Ray
			at := [2]int64{-1, -1} // when bullets and sight are first stopped
			var first [2][]Pos
			for r.start(&a.grid, from.Eye(), points.at[i], want); r.Next(); {
				h, flags := r.Hit(), a.shapes[r.current.kind].flags
				slow.meet(r.current.x, r.current.kind, flags, 1<<i)
				if slow.own && slow.near.Contains(h.At) {
					continue
				}
				for k, flag := range [...]uint8{stopBullet, stopSight} {
					if flags&flag != 0 && (at[k] < 0 || at[k] == h.Num) {
						at[k] = h.Num
						first[k] = append(first[k], h.At)
					}
				}
			}
			seen := map[Pos]bool{}
			for k := range first {
				for _, p := range first[k] {
					if !seen[p] {
						tied[p]++
					}
					if len(first[k]) == 1 && !seen[p] {
						strict[p]++
					}
					seen[p] = true
				}
			}
		}
		if got.bullets != slow.bullets || got.sight != slow.sight || got.dim&^got.sight != slow.dim&^slow.sight || past != count(slow.past) {
			t.Fatalf("beam %x %x %x past %d, rays %x %x %x past %d", got.bullets, got.sight, got.dim, past, slow.bullets, slow.sight, slow.dim, count(slow.past))
		}
		for _, c := range got.cells(&a.grid) {
			if c.Count > tied[c.At] {
				t.Fatalf("%v stops %d samples, but is the first of %d at most", c.At, c.Count, tied[c.At])
			}
			delete(tied, c.At)
			if c.Count < strict[c.At] {
				t.Fatalf("%v stops %d samples, but is the first of %d", c.At, c.Count, strict[c.At])
			}
			delete(strict, c.At)
		}
		for p, n := range strict {
			if n > 0 {
				t.Fatalf("%v is the first of %d samples, but stops none", p, n)
			}
		}
	})
}
