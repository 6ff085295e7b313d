package voxel

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// kindsForTests are blocks of every sort that rays and bodies meet.
func kindsForTests() []Block {
	leaning := FullCube("corner")
	leaning.Boxes = []Box{{X0: 3, Y0: 0, Z0: 5, X1: 7, Y1: 16, Z1: 16}, {X0: 0, Y0: 4, Z0: 0, X1: 16, Y1: 5, Z1: 1}}
	smoke := Block{Name: "smoke", Sight: Dim, Passes: 12}
	return []Block{NoBlock(), FullCube("stone"), Slab("slab"), Stairs("stairs", Look{Z: -1}), Glass(), Leaves(), Water(), Fence("fence"),
		Lamp(), Torch(), Ladder(), leaning, smoke}
}

// mustBuild returns the arena of b.
func mustBuild(t testing.TB, b *Builder) *Arena {
	t.Helper()
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// drawArena returns a box of 2 × 1 × 2 sections around the origin with blocks in the middle of it.
func drawArena(t *rapid.T, size int32) *Arena {
	b := NewBuilder(Pos{-16, 0, -16}, Pos{2, 1, 2})
	kinds := kindsForTests()
	n := rapid.IntRange(0, 60).Draw(t, "blocks")
	for range n {
		c := func(name string) int32 { return rapid.Int32Range(-size, size-1).Draw(t, name) }
		p := Pos{c("x"), rapid.Int32Range(0, 2*size-1).Draw(t, "y"), c("z")}
		b.Set(p, kinds[rapid.IntRange(1, len(kinds)-1).Draw(t, "kind")])
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// drawPoint returns a place in the middle of drawArena, often on borders of blocks and of boxes.
func drawPoint(t *rapid.T, size int32, name string) Point {
	grain := rapid.SampledFrom([]int32{1, 16, 128, 256, 256}).Draw(t, "grain")
	c := func(lo, hi int32) int32 { return rapid.Int32Range(lo*Unit/grain, hi*Unit/grain).Draw(t, name) * grain }
	return Point{c(-size, size), c(0, 2*size), c(-size, size)}
}

// touched is the slow answer: every cell with a box that the closed way from a to b touches, with the time.
func touched(w World, from, to Point, f Filter) map[Pos]*big.Rat {
	out := map[Pos]*big.Rat{}
	lo := Point{min(from.X, to.X), min(from.Y, to.Y), min(from.Z, to.Z)}.Block()
	hi := Point{max(from.X, to.X), max(from.Y, to.Y), max(from.Z, to.Z)}.Block()
	for x := lo.X - 1; x <= hi.X+1; x++ {
		for y := lo.Y - 1; y <= hi.Y+1; y++ {
			for z := lo.Z - 1; z <= hi.Z+1; z++ {
				p := Pos{x, y, z}
				b := w.Block(p)
				stops := f&Bullets != 0 && b.BulletProof || f&Views != 0 && b.Sight == Opaque ||
					f&Haze != 0 && b.Sight == Dim || f&Bodies != 0 && len(b.Boxes) > 0
				if !stops {
					continue
				}
				boxes := b.Boxes
				if len(boxes) == 0 {
					boxes = []Box{Whole()}
				}
				for _, box := range boxes {
					if t := entryTime(from, to, p, box); t != nil && (out[p] == nil || t.Cmp(out[p]) < 0) {
						out[p] = t
					}
				}
			}
		}
	}
	return out
}

// entryTime returns when the way from a to b first touches a closed box, as a part of the way; nil if never.
func entryTime(a, b Point, p Pos, box Box) *big.Rat {
	in, out := big.NewRat(0, 1), big.NewRat(1, 1)
	axes := [3][4]int64{
		{int64(a.X), int64(b.X), int64(p.X)*Unit + int64(box.X0)*16, int64(p.X)*Unit + int64(box.X1)*16},
		{int64(a.Y), int64(b.Y), int64(p.Y)*Unit + int64(box.Y0)*16, int64(p.Y)*Unit + int64(box.Y1)*16},
		{int64(a.Z), int64(b.Z), int64(p.Z)*Unit + int64(box.Z0)*16, int64(p.Z)*Unit + int64(box.Z1)*16},
	}
	for _, x := range axes {
		d := x[1] - x[0]
		if d == 0 {
			if x[0] < x[2] || x[0] > x[3] {
				return nil
			}
			continue
		}
		t0, t1 := big.NewRat(x[2]-x[0], d), big.NewRat(x[3]-x[0], d)
		if d < 0 {
			t0, t1 = t1, t0
		}
		if t0.Cmp(in) > 0 {
			in = t0
		}
		if t1.Cmp(out) < 0 {
			out = t1
		}
	}
	if in.Cmp(out) > 0 {
		return nil
	}
	return in
}

func TestRayTouchesWhatExactArithmeticSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 4
		a := drawArena(t, size)
		filter := Filter(rapid.Uint8Range(1, 15).Draw(t, "filter"))
		for range 8 {
			from, to := drawPoint(t, size, "from"), drawPoint(t, size, "to")
			checkRay(t, a, from, to, filter)
		}
	})
}

// Rays that begin or end beyond the box meet what lies outside.
func TestRayAcrossTheBorder(t *testing.T) {
	a := mustBuild(t, NewBuilder(Pos{}, Pos{1, 1, 1}))
	rapid.Check(t, func(t *rapid.T) {
		c := func(n string) int32 {
			return rapid.Int32Range(-2, 18).Draw(t, n) * 256 / rapid.SampledFrom([]int32{1, 2, 3}).Draw(t, "d")
		}
		checkRay(t, a, Point{c("x"), c("y"), c("z")}, Point{c("x"), c("y"), c("z")}, Views)
	})
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

func checkRay(t fataler, w World, from, to Point, filter Filter) {
	t.Helper()
	want := touched(w, from, to, filter)
	var last *big.Rat
	seen := map[Pos]bool{}
	var r Ray
	for r.Start(w, from, to, filter); r.Next(); {
		h := r.Hit()
		at := big.NewRat(h.Num, h.Den)
		switch {
		case seen[h.At]:
			t.Fatalf("%v -> %v: %v comes twice", from, to, h.At)
		case want[h.At] == nil:
			t.Fatalf("%v -> %v: %v (%s) is not touched", from, to, h.At, h.Block.Name)
		case want[h.At].Cmp(at) != 0:
			t.Fatalf("%v -> %v: %v at %v, should be %v", from, to, h.At, at, want[h.At])
		case last != nil && last.Cmp(at) > 0:
			t.Fatalf("%v -> %v: %v at %v comes after %v", from, to, h.At, at, last)
		case h.Block != w.Block(h.At):
			t.Fatalf("%v -> %v: %v is given as %s, is %s", from, to, h.At, h.Block.Name, w.Block(h.At).Name)
		}
		seen[h.At], last = true, at
	}
	for p, at := range want {
		if !seen[p] {
			t.Fatalf("%v -> %v: %v (%s) at %v is missed", from, to, p, w.Block(p).Name, at)
		}
	}
	first, ok := FirstHit(w, from, to, filter)
	if _, back := FirstHit(w, to, from, filter); ok != back || ok != (len(want) > 0) {
		t.Fatalf("%v -> %v: blocked %v, backwards %v, should be %v", from, to, ok, back, len(want) > 0)
	}
	if ok {
		for _, at := range want {
			if at.Cmp(big.NewRat(first.Num, first.Den)) < 0 {
				t.Fatalf("%v -> %v: first hit %v is not the first", from, to, first.At)
			}
		}
	}
}

// Two blocks that meet only at an edge leave no gap, whichever way and whatever the height.
func TestNoGapBetweenBlocksThatMeetAtAnEdge(t *testing.T) {
	for _, ends := range [][2]Pos{{{3, 1, 3}, {4, 1, 4}}, {{3, 1, 4}, {4, 1, 3}}} {
		a := mustBuild(t, NewBuilder(Pos{}, Pos{1, 1, 1}).Set(ends[0], FullCube("stone")).Set(ends[1], FullCube("stone")))
		corner := Point{4 * Unit, 1*Unit + 128, 4 * Unit}
		away := int32(2 * Unit)
		side := int32(1)
		if ends[0].Z == ends[1].Z-1 {
			side = -1
		}
		from, to := corner.Add(Point{away, 0, side * away}), corner.Add(Point{-away, 0, -side * away})
		if _, ok := FirstHit(a, from, to, Views); !ok {
			t.Errorf("blocks %v: the way through the edge from %v to %v is open", ends, from, to)
		}
		if _, ok := FirstHit(a, from.Add(Point{Y: 2 * Unit}), to.Add(Point{Y: 2 * Unit}), Views); ok {
			t.Errorf("blocks %v: the way above is closed", ends)
		}
	}
}

// A ray along the face of a wall is stopped by it, one a hair beside is not.
func TestRayAlongAFace(t *testing.T) {
	a := mustBuild(t, NewBuilder(Pos{}, Pos{1, 1, 1}).Fill(Pos{5, 0, 5}, Pos{5, 3, 9}, FullCube("wall")))
	for x, want := range map[int32]bool{5*Unit - 1: false, 5 * Unit: true, 6 * Unit: true, 6*Unit + 1: false} {
		from, to := Point{x, 300, 100}, Point{x, 300, 15 * Unit}
		if _, got := FirstHit(a, from, to, Bullets); got != want {
			t.Errorf("along x = %d/256: stopped %v, should be %v", x, got, want)
		}
	}
}

func TestRayBeyondItsLimitIsStoppedAtOnce(t *testing.T) {
	a := mustBuild(t, NewBuilder(Pos{}, Pos{1, 1, 1}))
	h, ok := FirstHit(a, Point{Y: 300}, Point{Y: 300, X: (MaxRay + 1) * Unit}, Views)
	if !ok || h.Num != 0 {
		t.Fatalf("got %+v %v", h, ok)
	}
	// The longest ray allowed, from corner to corner in the air above, is computed without overflow.
	const m = MaxRay * Unit
	b := mustBuild(t, NewBuilder(Pos{}, Pos{1, 1, 1}).Set(Pos{8, 8, 8}, FullCube("stone")))
	from, to := Point{8*Unit + 128 - m/2, 8*Unit + 128 - m/2, 8*Unit + 128 - m/2}, Point{8*Unit + 128 + m/2, 8*Unit + 128 + m/2, 8*Unit + 128 + m/2}
	var r Ray
	found := false
	for r.Start(b, from, to, Views); r.Next(); {
		h := r.Hit()
		if h.At == (Pos{8, 8, 8}) {
			found = true
			if want := big.NewRat(m/2-128, m); big.NewRat(h.Num, h.Den).Cmp(want) != 0 {
				t.Errorf("hit at %d/%d, should be %v", h.Num, h.Den, want)
			}
		}
	}
	if !found {
		t.Error("the block in the middle is missed")
	}
}

func TestRaysAllocateNothing(t *testing.T) {
	a := hills(t)
	from, to := Point{300, 40 * Unit, 300}, Point{60*Unit + 77, 8 * Unit, 40*Unit + 5}
	if n := testing.AllocsPerRun(100, func() { FirstHit(a, from, to, Views) }); n != 0 {
		t.Errorf("FirstHit makes %v allocations", n)
	}
	open := mustBuild(t, NewBuilder(Pos{}, Pos{2, 1, 2}))
	f, g := figureAt(3, 0, 3), figureAt(20, 0, 20)
	if n := testing.AllocsPerRun(100, func() { See(open, f, g, SightOptions{}) }); n != 0 {
		t.Errorf("See over open ground makes %v allocations", n)
	}
}

func figureAt(x, y, z int32) Figure {
	return Figure{Pose: Pose{At: Pos{x, y, z}.Floor(), Look: Look{Z: -1}}, Body: Human()}
}

// hills is a box of 128 × 64 × 128 with rolling ground, made by integer waves.
func hills(t testing.TB) *Arena {
	b := NewBuilder(Pos{}, Pos{8, 4, 8})
	stone, grass := FullCube("stone"), FullCube("grass")
	for x := range int32(128) {
		for z := range int32(128) {
			h := hillHeight(x, z)
			b.Fill(Pos{x, 0, z}, Pos{x, h - 1, z}, stone)
			b.Set(Pos{x, h, z}, grass)
		}
	}
	return mustBuild(t, b)
}

func hillHeight(x, z int32) int32 {
	wave := func(v, period int32) int32 { // a triangle of 0 to period/2
		v %= period
		return min(v, period-v)
	}
	return 8 + wave(x, 34)/2 + wave(z+9, 46)/3 + wave(x+2*z, 22)/3
}

func BenchmarkRay64(b *testing.B) {
	a := hills(b)
	// Rays of 64 blocks from above the ground in many directions, as a look around gives them.
	type way struct{ from, to Point }
	var ways []way
	s := uint32(1)
	next := func(n int32) int32 { s = s*1664525 + 1013904223; return int32(s>>8) % n }
	for len(ways) < 1024 {
		const x, z = 64, 64
		from := Point{x*Unit + next(256), (hillHeight(x, z)+2)*Unit + next(256), z*Unit + next(256)}
		d := Point{next(2001) - 1000, next(601) - 300, next(2001) - 1000}
		n := int32(root(uint64(int64(d.X)*int64(d.X) + int64(d.Y)*int64(d.Y) + int64(d.Z)*int64(d.Z))))
		if n < 500 {
			continue
		}
		const far = 63 * Unit
		ways = append(ways, way{from, from.Add(Point{d.X * far / n, d.Y * far / n, d.Z * far / n})})
	}
	b.ReportAllocs()
	hits := 0
	i := 0
	for b.Loop() {
		w := &ways[i&1023]
		if _, ok := FirstHit(a, w.from, w.to, Views); ok {
			hits++
		}
		i++
	}
	b.ReportMetric(float64(hits)/float64(i), "hit/op")
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "rays/s")
}

// The cost grows with the way and not with the arena.
func BenchmarkOpenRay(b *testing.B) {
	a := hills(b)
	for _, n := range []int32{16, 32, 64, 128} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			from := Point{100, 60 * Unit, 90}
			to := from.Add(Point{n * 4 * Unit / 5, -n * Unit / 20, n * 3 * Unit / 5})
			b.ReportAllocs()
			for b.Loop() {
				FirstHit(a, from, to, Views)
			}
		})
	}
}

func TestTouchedSorted(t *testing.T) {
	// Of several blocks touched at once the order is always the same.
	a := mustBuild(t, NewBuilder(Pos{}, Pos{1, 1, 1}).Fill(Pos{0, 0, 0}, Pos{15, 15, 15}, Glass()).Fill(Pos{1, 1, 1}, Pos{2, 2, 2}, NoBlock()))
	list := func() (out []Pos) {
		var r Ray
		for r.Start(a, Point{Unit + 128, Unit + 128, Unit + 128}, Point{4*Unit + 128, 4*Unit + 128, 4*Unit + 128}, Bullets); r.Next(); {
			out = append(out, r.Hit().At)
		}
		return out
	}
	one := list()
	if !slices.Equal(one, list()) || len(one) != 6+1+7 {
		t.Errorf("got %v", one)
	}
}

// The short way to the first hit finds what the walk finds, over many sections and beyond the box.
func TestFirstHitIsTheFirstOfTheWalk(t *testing.T) {
	w := scatter(t)
	d := drawer(11)
	short := 0
	for i := range 60_000 {
		far := [...]int32{3, 20, 70}[d.n(3)]
		grain := [...]int32{1, 1, 1, 16, 128}[d.n(5)]
		point := func() Point {
			c := func(lo, hi int32) int32 { return d.within(lo*Unit/grain, hi*Unit/grain)*grain + grain/2 }
			return Point{c(-far, far), c(-far/4, far/3), c(-far, far)}
		}
		from, to, f := point(), point(), Filter(1+d.n(15))
		h, ok := FirstHit(w, from, to, f)
		var r Ray
		r.Start(w, from, to, f)
		if found := r.Next(); ok != found || ok && (h.Num != r.Hit().Num || h.Den != r.Hit().Den) {
			t.Fatalf("way %d, %v -> %v with %d: %+v %v, the walk says %+v %v", i, from, to, f, h, ok, r.Hit(), found)
		}
		var s sprint
		if s.start(&w.grid, from, to, uint8(f)) {
			if hit := s.find(); !s.stumbled {
				short++
				if hit != ok || hit && s.hit.At != r.Hit().At {
					t.Fatalf("way %d, %v -> %v: %v, the walk says %v", i, from, to, s.hit.At, r.Hit().At)
				}
			}
		}
	}
	if short < 30_000 {
		t.Errorf("only %d ways went the short way", short)
	}
}
