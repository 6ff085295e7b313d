package voxel

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// A side view: rows from top to bottom, the lowest at y = 0, along x from 0 on, three blocks wide along z. # is rock, - a slab, ~
// water, l a ladder, s where he stands, . air.
func cliff(t testing.TB, rows ...string) (*Arena, Figure) {
	t.Helper()
	b := NewBuilder(Pos{-16, -16, -16}, Pos{3, 3, 3})
	var f Figure
	for i, row := range rows {
		y := int32(len(rows) - 1 - i)
		for x, c := range row {
			p, q := Pos{int32(x), y, -1}, Pos{int32(x), y, 1}
			switch c {
			case '#':
				b.Fill(p, q, FullCube("rock"))
			case '-':
				b.Fill(p, q, Slab("slab"))
			case '~':
				b.Fill(p, q, Water())
			case 'l':
				b.Fill(p, q, Ladder())
			case 's':
				f = figureAt(int32(x), y, 0)
			case '.':
			default:
				t.Fatalf("what is %q?", c)
			}
		}
	}
	return mustBuild(t, b), f
}

func TestLeaps(t *testing.T) {
	athlete := Budget{Points: Evenly(20).Points, Jump: 3, Climb: 3, Drop: 5}
	athlete.Points[Climb] = 9
	for name, v := range map[string]struct {
		rows   []string
		path   []Pos
		budget Budget
		why    Refused
		steps  string // kinds with their measures
		points int32
	}{
		"jump over a gap of two":    {[]string{"s....", "#..##"}, []Pos{{3, 1, 0}}, athlete, Allowed, "jump 2", 3},
		"the gap is too wide":       {[]string{"s......", "#....##"}, []Pos{{5, 1, 0}}, athlete, TooFar, "", 0},
		"no jump allowed":           {[]string{"s....", "#..##"}, []Pos{{3, 1, 0}}, Evenly(20), NotNext, "", 0},
		"not like a knight":         {[]string{"s....", "#####"}, []Pos{{2, 1, 1}}, athlete, NotNext, "", 0},
		"jump up by one":            {[]string{"s..#.", "#..##"}, []Pos{{3, 2, 0}}, athlete, Allowed, "jump 2", 3},
		"not up by two":             {[]string{"...#.", "s..#.", "#..##"}, []Pos{{3, 3, 0}}, athlete, TooHigh, "", 0},
		"jump and fall":             {[]string{"s....", "#....", "#....", "#...#"}, []Pos{{4, 1, 0}}, athlete, Allowed, "jump 3 fall 2", 4},
		"jump into what is deeper":  {[]string{"s....", "#....", "#....", "#....", "#....", "#....", "#....", "#..##"}, []Pos{{3, 1, 0}}, athlete, TooDeep, "", 0},
		"a beam over the gap":       {[]string{"..#..", "s....", "#..##"}, []Pos{{3, 1, 0}}, athlete, Blocked, "", 0},
		"a bar above the head":      {[]string{"..#..", ".....", "s....", "#..##"}, []Pos{{3, 1, 0}}, athlete, Allowed, "jump 2", 3},
		"pull up by two":            {[]string{".#", ".#", "s#", "##"}, []Pos{{1, 4, 0}}, athlete, Allowed, "climb 3", 1},
		"onto a slab counts up":     {[]string{".-", ".#", "s#", "##"}, []Pos{{1, 3, 0}}, athlete, Allowed, "climb 3", 1},
		"too high":                  {[]string{".#", ".#", ".#", "s#", "##"}, []Pos{{1, 5, 0}}, athlete, TooHigh, "", 0},
		"no climb allowed":          {[]string{".#", "s#", "##"}, []Pos{{1, 3, 0}}, Evenly(20), TooHigh, "", 0},
		"a roof over the climber":   {[]string{"#..", "...", ".#.", "s#.", "##."}, []Pos{{1, 3, 0}}, athlete, Blocked, "", 0},
		"drop by four":              {[]string{"s.", "#.", "#.", "#.", "#.", "##"}, []Pos{{1, 1, 0}}, athlete, Allowed, "fall 4", 1},
		"drop onto a slab":          {[]string{"s.", "#.", "#.", "#.", "#-", "##"}, []Pos{{1, 1, 0}}, athlete, Allowed, "fall 4", 1},
		"no drop allowed":           {[]string{"s.", "#.", "#.", "##"}, []Pos{{1, 1, 0}}, Evenly(20), TooDeep, "", 0},
		"a ledge in the way":        {[]string{"s.", "#.", "#.", "##", "#.", "#.", "##"}, []Pos{{1, 1, 0}}, athlete, Blocked, "", 0},
		"drop into water":           {[]string{"s..", "#..", "#..", "#~~", "#~~", "###"}, []Pos{{1, 2, 0}, {2, 2, 0}}, athlete, Allowed, "fall 3, swim", 2},
		"up and down steps":         {[]string{"..#..", "s.#.-", "#####"}, []Pos{{1, 1, 0}}, athlete, Allowed, "walk", 1},
		"step up, walk, step down":  {[]string{"s.##.", "#####"}, []Pos{{1, 1, 0}, {2, 2, 0}, {3, 2, 0}, {4, 1, 0}}, athlete, Allowed, "walk, step up, walk, step down", 4},
		"slabs are walked":          {[]string{"s-#-.", "#####"}, []Pos{{1, 1, 0}, {2, 2, 0}, {3, 1, 0}, {4, 1, 0}}, athlete, Allowed, "walk, walk, walk, walk", 4},
		"up a ladder":               {[]string{".l", ".l", "sl", "##"}, []Pos{{1, 1, 0}, {1, 2, 0}, {1, 3, 0}}, athlete, Allowed, "walk, ladder, ladder", 3},
		"no jump out of the water":  {[]string{"s~~..#", "#~~..#", "###..#"}, []Pos{{1, 1, 0}, {2, 1, 0}, {5, 3, 0}}, athlete, TooHigh, "", 0},
		"diving":                    {[]string{"s~", "#~", "#~", "##"}, []Pos{{1, 3, 0}, {1, 2, 0}, {1, 1, 0}}, athlete, Allowed, "swim, swim, swim", 3},
		"the first bad step counts": {[]string{"s...#.", "####..", "######"}, []Pos{{1, 2, 0}, {2, 2, 0}, {3, 2, 0}, {4, 4, 0}, {5, 1, 0}}, Evenly(20), TooHigh, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			a, f := cliff(t, v.rows...)
			walk, err := CheckPath(a, f, v.path, v.budget, nil)
			if v.why != Allowed {
				var bad *PathError
				if !errors.As(err, &bad) || bad.Why != v.why {
					t.Fatalf("%v, should be refused: %v", err, v.why)
				}
				if bad.Cell != v.path[bad.Step] {
					t.Fatalf("step %d names %v", bad.Step, bad.Cell)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for i, s := range walk.Steps {
				if i > 0 {
					got += ", "
				}
				got += s.Kind.String()
				if s.Blocks > 0 {
					got += fmt.Sprintf(" %d", s.Blocks)
				}
				if s.Fall > 0 {
					got += fmt.Sprintf(" fall %d", s.Fall)
				}
				if s.To != v.path[i] {
					t.Errorf("step %d leads to %v", i, s.To)
				}
			}
			if got != v.steps || walk.Points != v.points {
				t.Errorf("%q for %d, should be %q for %d", got, walk.Points, v.steps, v.points)
			}
			last := v.path[len(v.path)-1]
			r := Reach(a, f, v.budget, nil)
			if c, ok := r.Find(last); !ok || c.Points > v.points {
				t.Errorf("the region says %+v %v", c, ok)
			}
		})
	}
}

// Nobody is jumped over whose body is in the way, and nobody is landed on.
func TestJumpOverBodies(t *testing.T) {
	a, f := cliff(t, "s....", "#..##")
	b := Budget{Points: Evenly(20).Points, Jump: 3}
	for name, v := range map[string]struct {
		at   Pos
		free bool
	}{
		"standing in the gap, head above the edge": {Pos{1, 0, 0}, false},
		"far down in the gap":                      {Pos{1, -2, 0}, true},
		"where he lands":                           {Pos{3, 1, 0}, false},
		"beside the way":                           {Pos{2, 1, 1}, true},
	} {
		_, err := CheckPath(a, f, []Pos{{3, 1, 0}}, b, func(p Pos) bool { return p == v.at })
		if (err == nil) != v.free {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A door that stands open lets a man past, shut it does not, and a gap of half a block lets nobody through.
func TestDoorsAndNarrowGaps(t *testing.T) {
	leaf := func(box Box) Block {
		d := FullCube("door")
		d.Boxes = []Box{box}
		return d
	}
	across, along := Box{X1: 3, Y1: 16, Z1: 16}, Box{X1: 16, Y1: 16, Z1: 3}
	half := leaf(Box{X1: 16, Y1: 16, Z1: 8})
	for name, v := range map[string]struct {
		block Block
		free  bool
	}{
		"shut":           {leaf(across), false},
		"open":           {leaf(along), true},
		"half a block":   {half, false},
		"a post":         {Fence("post"), false},
		"nothing at all": {NoBlock(), true},
		"a thin carpet":  {leaf(Box{X1: 16, Y1: 1, Z1: 16}), true},
	} {
		b := ground().Fill(Pos{2, 1, -9}, Pos{2, 4, 9}, FullCube("wall")).Fill(Pos{2, 1, 0}, Pos{2, 2, 0}, NoBlock())
		b.Set(Pos{2, 1, 0}, v.block)
		if v.block.Top() > 8 {
			b.Set(Pos{2, 2, 0}, v.block)
		}
		a := mustBuild(t, b)
		_, err := CheckPath(a, figureAt(0, 1, 0), []Pos{{1, 1, 0}, {2, 1, 0}, {3, 1, 0}}, Evenly(9), nil)
		if (err == nil) != v.free {
			t.Errorf("%s: %v", name, err)
		}
		r := Reach(a, figureAt(0, 1, 0), Evenly(9), nil)
		if _, ok := r.Find(Pos{3, 1, 0}); ok != v.free {
			t.Errorf("%s: in the region %v", name, ok)
		}
	}
}

// A region with leaps holds the region without them, at no higher cost.
func TestLeapsOnlyAdd(t *testing.T) {
	a := hills(t)
	f := figureAt(64, hillHeight(64, 64)+1, 64)
	plain := Reach(a, f, Evenly(12), nil)
	b := Evenly(12)
	b.Jump, b.Climb, b.Drop = 3, 3, 6
	with := Reach(a, f, b, nil)
	if len(with.Cells) <= len(plain.Cells) {
		t.Errorf("%d cells with leaps, %d without", len(with.Cells), len(plain.Cells))
	}
	for _, c := range plain.Cells {
		if d, ok := with.Find(c.Cell); !ok || d.Points > c.Points {
			t.Fatalf("%+v without, %+v %v with", c, d, ok)
		}
	}
	for _, c := range with.Cells {
		if path := with.Path(c.Cell); path != nil && slices.Contains(path, c.Cell) {
			if w, err := CheckPath(a, f, path, b, nil); err != nil || w.Points != c.Points {
				t.Fatalf("%+v: %+v %v", c, w, err)
			}
		}
	}
}
