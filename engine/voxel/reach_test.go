package voxel

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ground is a floor at y = 0 of two by two sections, for walking on at y = 1.
func ground() *Builder {
	return NewBuilder(Pos{-16, -16, -16}, Pos{2, 2, 2}).Fill(Pos{-16, -16, -16}, Pos{15, 0, 15}, FullCube("ground"))
}

func TestPaths(t *testing.T) {
	soft := Block{Name: "scrub", Medium: HardGoing, Passes: 15}
	swamp := Block{Name: "swamp", Medium: VeryHardGoing, Passes: 15}
	door := FullCube("door")
	door.Boxes = []Box{{X1: 3, Y1: 16, Z1: 16}}
	stone := FullCube("stone")
	at := func(x, y, z int32) Pos { return Pos{x, y, z} }
	enemy := func(p Pos) bool { return p == Pos{1, 1, 0} }
	for name, v := range map[string]struct {
		build   func(*Builder)
		path    []Pos
		points  int32
		blocked func(Pos) bool
		posture Posture
		why     Refused
		step    int
		cost    int32
		ground  Ground
	}{
		"straight":               {path: []Pos{at(1, 1, 0), at(2, 1, 0), at(3, 1, 0)}, points: 3, cost: 3},
		"one too far":            {path: []Pos{at(1, 1, 0), at(2, 1, 0), at(3, 1, 0)}, points: 2, why: TooFar, step: 2},
		"no allowance":           {path: []Pos{at(1, 1, 0)}, why: TooFar},
		"two diagonals cost two": {path: []Pos{at(1, 1, 1), at(2, 1, 2)}, points: 2, cost: 2},
		"five cost seven":        {path: []Pos{at(1, 1, 1), at(2, 1, 2), at(3, 1, 3), at(4, 1, 4), at(5, 1, 5)}, points: 7, cost: 7},
		"five exceed six":        {path: []Pos{at(1, 1, 1), at(2, 1, 2), at(3, 1, 3), at(4, 1, 4), at(5, 1, 5)}, points: 6, why: TooFar, step: 4},
		"gap in the path":        {path: []Pos{at(2, 1, 0)}, points: 9, why: NotNext},
		"on the spot":            {path: []Pos{at(0, 1, 0)}, points: 9, why: NotNext},
		"into a wall":            {build: func(b *Builder) { b.Fill(at(1, 1, 0), at(1, 2, 0), stone) }, path: []Pos{at(1, 1, 0)}, points: 9, why: Blocked},
		"onto a block":           {build: func(b *Builder) { b.Set(at(1, 1, 0), stone) }, path: []Pos{at(1, 2, 0), at(2, 1, 0)}, points: 2, cost: 2},
		"onto two blocks":        {build: func(b *Builder) { b.Fill(at(1, 1, 0), at(1, 2, 0), stone) }, path: []Pos{at(1, 3, 0)}, points: 9, why: TooHigh},
		"onto a slab":            {build: func(b *Builder) { b.Set(at(1, 1, 0), Slab("slab")) }, path: []Pos{at(1, 1, 0), at(2, 1, 0)}, points: 2, cost: 2},
		"onto a block with slab": {build: func(b *Builder) { b.Set(at(1, 1, 0), stone).Set(at(1, 2, 0), Slab("slab")) }, path: []Pos{at(1, 2, 0)}, points: 9, why: TooHigh},
		"up the stairs": {build: func(b *Builder) {
			b.Set(at(1, 1, 0), Stairs("stairs", Look{X: 1})).Fill(at(2, 1, 0), at(2, 2, 0), stone)
		}, path: []Pos{at(1, 2, 0), at(2, 3, 0)}, points: 2, cost: 2},
		"no headroom to step up": {build: func(b *Builder) { b.Set(at(1, 1, 0), stone).Set(at(0, 3, 0), stone) }, path: []Pos{at(1, 2, 0)}, points: 9, why: Blocked},
		"low passage standing":   {build: func(b *Builder) { b.Set(at(1, 2, 0), stone) }, path: []Pos{at(1, 1, 0)}, points: 9, why: Blocked},
		"low passage crawling":   {build: func(b *Builder) { b.Set(at(1, 2, 0), stone) }, path: []Pos{at(1, 1, 0)}, points: 9, cost: 1, posture: Prone},
		"past a corner":          {build: func(b *Builder) { b.Set(at(1, 1, 0), stone) }, path: []Pos{at(1, 1, 1)}, points: 9, why: Corner},
		"through a shut door":    {build: func(b *Builder) { b.Fill(at(1, 1, 0), at(1, 2, 0), door) }, path: []Pos{at(1, 1, 0)}, points: 9, why: Blocked},
		"into an enemy":          {path: []Pos{at(1, 1, 0)}, points: 9, blocked: enemy, why: Occupied},
		"into a pit":             {build: func(b *Builder) { b.Fill(at(1, -3, 0), at(1, 0, 0), NoBlock()) }, path: []Pos{at(1, 1, 0)}, points: 9, why: NoFloor},
		"down one block":         {build: func(b *Builder) { b.Set(at(1, 0, 0), NoBlock()) }, path: []Pos{at(1, 0, 0)}, points: 9, cost: 1},
		"down two blocks":        {build: func(b *Builder) { b.Fill(at(1, -1, 0), at(1, 0, 0), NoBlock()) }, path: []Pos{at(1, -1, 0)}, points: 9, why: TooDeep},
		"out of the arena":       {path: []Pos{at(0, 1, -1), at(0, 1, -17)}, points: 9, why: NotNext, step: 1},
		"scrub":                  {build: func(b *Builder) { b.Set(at(1, 1, 0), soft) }, path: []Pos{at(1, 1, 0), at(2, 1, 0)}, points: 9, cost: 2, ground: Hard},
		"swamp below":            {build: func(b *Builder) { s := swamp; s.Boxes = []Box{Whole()}; b.Set(at(1, 0, 0), s) }, path: []Pos{at(1, 1, 0)}, points: 9, cost: 1, ground: VeryHard},
		"knee-deep water":        {build: func(b *Builder) { b.Set(at(1, 1, 0), Water()) }, path: []Pos{at(1, 1, 0)}, points: 9, cost: 1, ground: Hard},
		"neck-deep water":        {build: func(b *Builder) { b.Fill(at(1, 1, 0), at(1, 2, 0), Water()) }, path: []Pos{at(1, 1, 0)}, points: 9, cost: 1, ground: VeryHard},
		"swimming":               {build: func(b *Builder) { b.Fill(at(1, -5, 0), at(1, 0, 0), Water()) }, path: []Pos{at(1, 0, 0), at(1, -1, 0)}, points: 9, cost: 2, ground: Swim},
		"up a ladder":            {build: func(b *Builder) { b.Fill(at(1, 1, 0), at(1, 4, 0), Ladder()) }, path: []Pos{at(1, 1, 0), at(1, 2, 0)}, points: 9, why: TooSlow, step: 1},
		"floating up":            {path: []Pos{at(0, 2, 0)}, points: 9, why: NoFloor},
	} {
		t.Run(name, func(t *testing.T) {
			b := ground()
			if v.build != nil {
				v.build(b)
			}
			f := figureAt(0, 1, 0)
			f.Posture = v.posture
			a := mustBuild(t, b)
			walk, err := CheckPath(a, f, v.path, Evenly(v.points), v.blocked)
			var bad *PathError
			switch {
			case v.why == Allowed && err != nil:
				t.Fatal(err)
			case v.why == Allowed:
				if walk.Points != v.cost || walk.Ground != v.ground {
					t.Errorf("cost %d on %v, should be %d on %v", walk.Points, walk.Ground, v.cost, v.ground)
				}
				if end := walk.End.Block(); end != v.path[len(v.path)-1] {
					t.Errorf("ends in %v", end)
				}
			case !errors.As(err, &bad):
				t.Errorf("allowed, should be refused: %v", v.why)
			case bad.Why != v.why || bad.Step != v.step || bad.Cell != v.path[v.step]:
				t.Errorf("got %v, should be %v at step %d", err, v.why, v.step+1)
			}
			r := Reach(a, f, Evenly(v.points), v.blocked)
			if _, ok := r.Find(v.path[len(v.path)-1]); v.why == Allowed && !ok {
				t.Error("the region lacks the end of the path")
			}
		})
	}
}

func TestPathErrorNamesTheStep(t *testing.T) {
	err := &PathError{Step: 2, Cell: Pos{4, 5, 6}, Why: TooHigh}
	if got := err.Error(); !strings.Contains(got, "step 3") || !strings.Contains(got, "4 5 6") || !strings.Contains(got, "climb") {
		t.Error(got)
	}
}

// Every cell of a region has a path that CheckPath prices the same, and every walk that CheckPath allows ends in the region, which
// knows a path at least as good.
func TestRegionAgreesWithPaths(t *testing.T) {
	kinds := append(kindsForTests(), Block{Name: "scrub", Medium: HardGoing, Passes: 15}, Block{Name: "swamp", Medium: VeryHardGoing, Passes: 15})
	rapid.Check(t, func(t *rapid.T) {
		b := ground()
		c := func(n string) int32 { return rapid.Int32Range(-4, 4).Draw(t, n) }
		for range rapid.IntRange(0, 50).Draw(t, "blocks") {
			b.Set(Pos{c("x"), rapid.Int32Range(-1, 3).Draw(t, "y"), c("z")}, kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")])
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		f := figureAt(0, rapid.Int32Range(1, 3).Draw(t, "height"), 0)
		f.Posture = Posture(rapid.Uint8Range(0, 2).Draw(t, "posture"))
		var budget Budget
		for k := range budget.Points {
			budget.Points[k] = rapid.Int32Range(0, 6).Draw(t, "points")
		}
		budget.Metric = Metric(rapid.Uint8Range(0, 2).Draw(t, "metric"))
		far := int32(1)
		if rapid.Bool().Draw(t, "athletic") {
			budget.Jump, budget.Climb, budget.Drop = rapid.Int32Range(0, 2).Draw(t, "jump"), rapid.Int32Range(0, 3).Draw(t, "climb"), rapid.Int32Range(0, 12).Draw(t, "drop")
			far = 3
		}
		others := []Pos{{c("x"), 1, c("z")}, {c("x"), 1, c("z")}}
		blocked := func(p Pos) bool { return p == others[0] || p == others[1] }

		r := Reach(a, f, budget, blocked)
		start := f.At.Block()
		for i, cell := range r.Cells {
			if i > 0 && r.Cells[i-1].Cell.Compare(cell.Cell) >= 0 {
				t.Fatal("cells are not sorted")
			}
			path := r.Path(cell.Cell)
			if cell.Cell == start {
				if path != nil || cell.Points != 0 {
					t.Fatalf("the start costs %d by %v", cell.Points, path)
				}
				continue
			}
			walk, err := CheckPath(a, f, path, budget, blocked)
			if err != nil || walk.Points != cell.Points || walk.Ground != cell.Ground || walk.End != cell.Feet {
				t.Fatalf("%+v by %v: %+v, %v", cell, path, walk, err)
			}
		}

		at, path := start, []Pos(nil)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			next := at.Add(Pos{rapid.Int32Range(-far, far).Draw(t, "dx"), rapid.Int32Range(-far, far).Draw(t, "dy"), rapid.Int32Range(-far, far).Draw(t, "dz")})
			walk, err := CheckPath(a, f, append(path, next), budget, blocked)
			if err != nil {
				continue
			}
			path, at = append(path, next), next
			cell, ok := r.Find(at)
			if !ok {
				t.Fatalf("%v is allowed to %v but not in the region", path, at)
			}
			if cell.Ground > walk.Ground || cell.Ground == walk.Ground && cell.Points > walk.Points {
				t.Fatalf("%v costs %+v, the region says %+v", path, walk, cell)
			}
		}
	})
}

// The fixed-point √2 never changes a rounded-down sum within the largest allowance.
func TestDiagonalSumsRoundDownRight(t *testing.T) {
	for n := int64(0); n*costDiagonal <= (MaxAllowance+1)*costUnit; n++ {
		got := n * costDiagonal / costUnit
		if want := new(big.Int).Sqrt(big.NewInt(2 * n * n)).Int64(); got != want {
			t.Errorf("%d diagonals: %d, should be %d", n, got, want)
		}
	}
}

func TestSolid(t *testing.T) {
	b := ground().Set(Pos{1, 1, 0}, Slab("slab")).Set(Pos{3, 2, 0}, FullCube("beam"))
	a := mustBuild(t, b)
	for name, v := range map[string]struct {
		at      Point
		posture Posture
		want    string
	}{
		"standing on the floor":          {Pos{0, 1, 0}.Floor(), Standing, ""},
		"a hair inside the floor":        {Pos{0, 1, 0}.Floor().Add(Point{Y: -1}), Standing, ""},
		"half inside the floor":          {Pos{0, 1, 0}.Floor().Add(Point{Y: -128}), Standing, "ground"},
		"in the slab":                    {Pos{1, 1, 0}.Floor(), Standing, "slab"},
		"on the slab":                    {Pos{1, 1, 0}.Floor().Add(Point{Y: 128}), Standing, ""},
		"touching the slab":              {Point{Unit - 77, Unit, 128}, Standing, ""},
		"reaching into the slab":         {Point{Unit - 70, Unit, 128}, Standing, "slab"},
		"head in the beam":               {Pos{3, 1, 0}.Floor(), Standing, "beam"},
		"lying under the beam":           {Pos{3, 1, 0}.Floor(), Prone, ""},
		"beyond the side of the arena":   {Pos{40, 1, 0}.Floor(), Standing, "outside"},
		"floating above the whole of it": {Pos{0, 99, 0}.Floor(), Standing, ""},
	} {
		f := Figure{Pose: Pose{At: v.at, Look: Look{X: 1}, Posture: v.posture}, Body: Human()}
		p, block, ok := Solid(a, f)
		if ok != (v.want != "") || ok && (block.Name != v.want || a.Block(p) != block) {
			t.Errorf("%s: %v at %v, should be %q", name, ok, p, v.want)
		}
	}
}

func BenchmarkReach20(b *testing.B) {
	a := hills(b)
	f := figureAt(64, hillHeight(64, 64)+1, 64)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		r := Reach(a, f, Evenly(20), nil)
		n = len(r.Cells)
	}
	b.ReportMetric(float64(n), "cells")
}
