package voxel

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestStrike(t *testing.T) {
	east := Look{X: 1}
	for name, v := range map[string]struct {
		plan string // bodies are o, from 0 in reading order
		look Look
		fan  Fan
		up   int32 // blocks that every body is raised
		want []int32
	}{
		"a sweep takes all in front, the nearest first": {"..o.\nso.o\n..o.", east, Fan{Sector135, 0, 2, Bodies}, 0, []int32{1, 0, 3}},
		"nobody behind":                    {"os.", east, Fan{Sector135, 0, 2, Bodies}, 0, nil},
		"nobody beside":                    {"o\ns\no", east, Fan{Sector135, 0, 2, Bodies}, 0, nil},
		"a thrust takes a row":             {"s.ooo", east, Fan{Sector20, 0, 3, Bodies}, 0, []int32{0, 1}},
		"and not those at an angle":        {"..o\ns..\n..o", east, Fan{Sector20, 0, 3, Bodies}, 0, nil},
		"a wall stops a weapon":            {"s#o", east, Fan{Sector135, 0, 3, Bodies}, 0, nil},
		"glass stops a weapon":             {"sGo", east, Fan{Sector135, 0, 3, Bodies}, 0, nil},
		"leaves stop a weapon but no shot": {"sLo", east, Fan{Sector135, 0, 3, Bodies}, 0, nil},
		"leaves stop no shot":              {"sLo", east, Fan{Sector20, 0, 9, Bullets}, 0, []int32{0}},
		"over a low wall it reaches":       {"s=o", east, Fan{Sector135, 0, 3, Bodies}, 0, []int32{0}},
		"not too near for a long one":      {"so.o", east, Fan{Sector135, 2, 3, Bodies}, 0, []int32{1}},
		"height counts":                    {"s.o", east, Fan{Sector135, 0, 3, Bodies}, 4, nil},
		"within the reach of height":       {"s.o", east, Fan{Sector135, 0, 3, Bodies}, 3, []int32{0}},
		"straight above needs no sector":   {"s", east, Fan{NoSector, 0, 3, Bodies}, 3, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(t, v.plan)
			p.seer.Look = v.look
			for i := range p.others {
				p.others[i].At.Y += v.up * Unit
			}
			var got []int32
			for _, s := range Strike(p.arena, p.seer, v.fan, p.others) {
				got = append(got, s.Index)
			}
			if !slices.Equal(got, v.want) {
				t.Errorf("hits %v, should be %v", got, v.want)
			}
		})
	}
	p := read(t, "s")
	above := p.seer
	above.At.Y += 3 * Unit
	if got := Strike(p.arena, p.seer, Fan{NoSector, 0, 3, Bodies}, []Figure{above}); len(got) != 1 || got[0].Open != Samples {
		t.Errorf("straight above: %+v", got)
	}
}

// Standing on a border decides against whoever stands there: he strikes worse and is struck sooner.
func TestStrikeOnBorders(t *testing.T) {
	p := read(t, "..o\ns..")
	fan := Fan{Sector45, 0, 3, Bodies}
	p.seer.Look = Look{X: 1}
	if got := Strike(p.arena, p.seer, fan, p.others); got != nil {
		t.Errorf("26° to the side: %+v", got)
	}
	p.others[0].At.Z += 128 // half on the row of the one who strikes
	if got := Strike(p.arena, p.seer, fan, p.others); len(got) != 1 {
		t.Errorf("on the border: %+v", got)
	}
	p.seer.At.Z += 128 // now he too stands on a border, and from his other block it is too far to the side
	if got := Strike(p.arena, p.seer, fan, p.others); got != nil {
		t.Errorf("both on borders: %+v", got)
	}
}

func TestReaches(t *testing.T) {
	p := read(t, "s.t")
	if !Reaches(p.arena, p.seer, p.target, 2) || Reaches(p.arena, p.seer, p.target, 1) {
		t.Error("a weapon of two blocks reaches two blocks, one of one does not")
	}
	wall := read(t, "s#t")
	if Reaches(wall.arena, wall.seer, wall.target, 2) {
		t.Error("it reaches through a wall")
	}
}

// Open is what single rays say.
func TestOpenAgainstSingleRays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 4
		a := drawArena(t, size)
		to := figureAt(0, 0, 0)
		to.At = drawPoint(t, size, "to")
		from := drawPoint(t, size, "from")
		f := Filter(rapid.Uint8Range(1, 15).Draw(t, "filter"))
		want := int32(0)
		for _, p := range samplesOf(from, to).at {
			if len(touched(a, from, p, f)) == 0 {
				want++
			}
		}
		if got := Open(a, from, to, f); got != want {
			t.Fatalf("%d open, should be %d", got, want)
		}
	})
}

func brittle(name string, durability int32) Block {
	b := FullCube(name)
	b.Durability = durability
	return b
}

func TestBlast(t *testing.T) {
	build := func(set func(*Builder)) *Arena {
		b := ground()
		if set != nil {
			set(b)
		}
		return mustBuild(t, b)
	}
	wall := func(durability int32) *Arena {
		return build(func(b *Builder) { b.Fill(Pos{2, 1, -3}, Pos{2, 4, 3}, brittle("planks", durability)) })
	}
	at := Pos{0, 1, 0}
	hit := func(a World, f Figure) (Blasted, bool) {
		e := Explode(a, Blast{At: at, Power: 8, Fade: 1}, []Figure{f})
		if len(e.Bodies) == 0 {
			return Blasted{}, false
		}
		return e.Bodies[0], true
	}
	open := build(nil)
	for name, v := range map[string]struct {
		w      World
		f      Figure
		damage int32 // 0: none
		shield int32
	}{
		"in the middle":                 {open, figureAt(0, 1, 0), 8, 0},
		"three blocks away":             {open, figureAt(3, 1, 0), 5, 0},
		"a diagonal counts as one":      {open, figureAt(3, 1, 3), 5, 0},
		"two blocks up":                 {open, figureAt(0, 3, 0), 6, 0},
		"at the end of it":              {open, figureAt(7, 1, 0), 1, 0},
		"beyond":                        {open, figureAt(8, 1, 0), 0, 0},
		"below, the head counts":        {build(func(b *Builder) { b.Fill(Pos{3, -3, 0}, Pos{3, 0, 0}, NoBlock()) }), figureAt(3, 0, 0), 5, 0},
		"behind planks":                 {wall(2), figureAt(4, 1, 0), 2, 2},
		"behind planks that hold":       {wall(4), figureAt(4, 1, 0), 0, 0},
		"behind what cannot break":      {build(func(b *Builder) { b.Fill(Pos{2, 1, -3}, Pos{2, 4, 3}, FullCube("wall")) }), figureAt(4, 1, 0), 0, 0},
		"over a low wall":               {build(func(b *Builder) { b.Fill(Pos{2, 1, -3}, Pos{2, 1, 3}, FullCube("wall")) }), figureAt(3, 1, 0), 5, 0},
		"leaves shield by their worth":  {build(func(b *Builder) { l := Leaves(); l.Durability = 1; b.Fill(Pos{2, 1, -3}, Pos{2, 4, 3}, l) }), figureAt(4, 1, 0), 3, 1},
		"leaves without worth are none": {build(func(b *Builder) { b.Fill(Pos{2, 1, -3}, Pos{2, 4, 3}, Leaves()) }), figureAt(4, 1, 0), 4, 0},
	} {
		got, ok := hit(v.w, v.f)
		if ok != (v.damage > 0) || got.Damage != v.damage || got.Shielded != v.shield {
			t.Errorf("%s: %+v, should be %d with %d shielded", name, got, v.damage, v.shield)
		}
	}
	border := figureAt(3, 1, 0)
	border.At.X = 3 * Unit
	if got, _ := hit(open, border); got.Distance != 2 {
		t.Errorf("on the border of blocks 2 and 3 he is %d away", got.Distance)
	}
}

// Blocks wear, break, and shield those behind them; wear adds up over blasts.
func TestBlastBreaksBlocks(t *testing.T) {
	b := ground().Set(Pos{2, 1, 0}, brittle("crate", 5)).Set(Pos{3, 1, 0}, brittle("crate", 5)).Set(Pos{0, 1, 3}, brittle("chest", 20))
	var w World = mustBuild(t, b)
	blast := Blast{At: Pos{0, 1, 0}, Power: 8, Fade: 1}
	e := Explode(w, blast, nil)
	// The first crate gets 8-2 = 6, more than its 5. The second gets 8-3-5 = 0. The chest gets 5 of its 20.
	if len(e.Edits) != 2 || e.Edits[1].At != (Pos{2, 1, 0}) || e.Edits[1].Block.Name != "air" || e.Edits[0].At != (Pos{0, 1, 3}) || e.Edits[0].Wear != 5 {
		t.Fatalf("got %+v", e.Edits)
	}
	for n, want := range []int32{10, 15, 20} {
		o, err := w.(interface {
			With([]Edit) (*Overlay, error)
		}).With(e.Edits)
		if err != nil {
			t.Fatal(err)
		}
		w = o
		e = Explode(w, blast, nil)
		if i := slices.IndexFunc(e.Edits, func(x Edit) bool { return x.At == Pos{0, 1, 3} }); i < 0 || e.Edits[i].Wear != want {
			t.Fatalf("blast %d: %+v, the chest should have %d", n+2, e.Edits, want)
		}
	}
	o, err := w.(*Overlay).With(e.Edits)
	if err != nil {
		t.Fatal(err)
	}
	e = Explode(o, blast, nil)
	if i := slices.IndexFunc(e.Edits, func(x Edit) bool { return x.At == Pos{0, 1, 3} }); i < 0 || e.Edits[i].Block.Name != "air" {
		t.Errorf("after 25 damage the chest of 20 stands: %+v", e.Edits)
	}
}

func TestDamage(t *testing.T) {
	a := mustBuild(t, ground().Set(Pos{1, 1, 0}, brittle("door", 6)))
	e, broken, ok := Damage(a, Pos{1, 1, 0}, 6)
	if !ok || broken || e.Wear != 6 {
		t.Errorf("6 of 6: %+v %v %v", e, broken, ok)
	}
	o, err := a.With([]Edit{e})
	if err != nil {
		t.Fatal(err)
	}
	if e, broken, _ := Damage(o, Pos{1, 1, 0}, 1); !broken || e.Block.Name != "air" {
		t.Errorf("one more: %+v %v", e, broken)
	}
	if _, _, ok := Damage(a, Pos{0, 0, 0}, 100); ok {
		t.Error("the ground takes damage")
	}
}

func TestSpread(t *testing.T) {
	// A room of 3 × 3 × 2 cells in solid rock, with a way out of one cell.
	room := func() *Builder {
		b := NewBuilder(Pos{}, Pos{1, 1, 1})
		b.Fill(Pos{}, Pos{15, 15, 15}, FullCube("rock"))
		return b.Fill(Pos{4, 4, 4}, Pos{6, 5, 6}, NoBlock()).Fill(Pos{7, 4, 5}, Pos{12, 4, 5}, NoBlock())
	}
	door := FullCube("door")
	door.Boxes = []Box{{X1: 3, Y1: 16, Z1: 16}}
	pane := FullCube("pane")
	pane.Boxes = []Box{{X0: 7, Y0: 0, Z0: 0, X1: 9, Y1: 16, Z1: 16}}
	for name, v := range map[string]struct {
		at     Pos
		change func(*Builder)
		volume int32
		want   int
		holds  []Pos
		lacks  []Pos
	}{
		"all of it":               {Pos{5, 4, 5}, nil, 100, 18 + 6, []Pos{{12, 4, 5}}, nil},
		"as much as there is":     {Pos{5, 4, 5}, nil, 7, 7, []Pos{{5, 5, 5}, {4, 4, 5}, {6, 4, 5}, {5, 4, 4}, {5, 4, 6}}, []Pos{{5, 3, 5}}},
		"a door keeps it in":      {Pos{5, 4, 5}, func(b *Builder) { b.Set(Pos{7, 4, 5}, door) }, 100, 18, nil, []Pos{{7, 4, 5}}},
		"a door keeps it out":     {Pos{9, 4, 5}, func(b *Builder) { b.Set(Pos{7, 4, 5}, door) }, 100, 6, []Pos{{7, 4, 5}}, []Pos{{6, 4, 5}}},
		"a pane divides its cell": {Pos{5, 4, 5}, func(b *Builder) { b.Set(Pos{7, 4, 5}, pane) }, 100, 19, []Pos{{7, 4, 5}}, []Pos{{8, 4, 5}}},
		"a slab lets it pass":     {Pos{5, 4, 5}, func(b *Builder) { b.Set(Pos{7, 4, 5}, Slab("slab")) }, 100, 24, nil, nil},
		"a fence lets it pass":    {Pos{5, 4, 5}, func(b *Builder) { b.Set(Pos{7, 4, 5}, Fence("fence")) }, 100, 24, nil, nil},
		"stairs let it pass":      {Pos{5, 4, 5}, func(b *Builder) { b.Set(Pos{7, 4, 5}, Stairs("stairs", Look{Z: 1})) }, 100, 24, nil, nil},
		"stairs across do not":    {Pos{5, 4, 5}, func(b *Builder) { b.Set(Pos{7, 4, 5}, Stairs("stairs", Look{X: 1})) }, 100, 19, nil, nil},
		"water stops it":          {Pos{5, 4, 5}, func(b *Builder) { b.Set(Pos{7, 4, 5}, Water()) }, 100, 18, nil, nil},
		"nothing in rock":         {Pos{2, 2, 2}, nil, 100, 0, nil, nil},
		"nothing outside":         {Pos{-2, 2, 2}, nil, 100, 0, nil, nil},
	} {
		b := room()
		if v.change != nil {
			v.change(b)
		}
		got := Spread(mustBuild(t, b), v.at, v.volume)
		if len(got) != v.want || !slices.IsSortedFunc(got, Pos.Compare) {
			t.Errorf("%s: %d cells, should be %d: %v", name, len(got), v.want, got)
		}
		for _, p := range v.holds {
			if !slices.Contains(got, p) {
				t.Errorf("%s: lacks %v", name, p)
			}
		}
		for _, p := range v.lacks {
			if slices.Contains(got, p) {
				t.Errorf("%s: holds %v", name, p)
			}
		}
	}
}

// Gas fills exactly what it can, each cell once, and of a smaller volume nothing that a larger one does not fill.
func TestSpreadGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawArena(t, 3)
		at := Pos{rapid.Int32Range(-3, 2).Draw(t, "x"), rapid.Int32Range(0, 5).Draw(t, "y"), rapid.Int32Range(-3, 2).Draw(t, "z")}
		n := rapid.Int32Range(1, 200).Draw(t, "n")
		small, large := Spread(a, at, n), Spread(a, at, n+rapid.Int32Range(0, 50).Draw(t, "more"))
		if len(small) > int(n) {
			t.Fatalf("%d cells of %d", len(small), n)
		}
		for i, p := range small {
			if i > 0 && small[i-1].Compare(p) >= 0 {
				t.Fatal("not sorted")
			}
			if _, ok := slices.BinarySearchFunc(large, p, Pos.Compare); !ok {
				t.Fatalf("the larger volume lacks %v", p)
			}
			if full := a.Block(p); len(full.Boxes) == 1 && full.Boxes[0] == Whole() || full.Medium == Liquid {
				t.Fatalf("gas inside of %s", full.Name)
			}
		}
	})
}

func TestFall(t *testing.T) {
	for name, v := range map[string]struct {
		build func(*Builder)
		at    Point
		y     int32 // of the feet in the end, 1/256
		n     int32
		into  Medium
	}{
		"stands":              {nil, Pos{0, 1, 0}.Floor(), Unit, 0, Air},
		"a hair above":        {nil, Pos{0, 1, 0}.Floor().Add(Point{Y: 1}), Unit + 1, 0, Air},
		"five blocks":         {nil, Pos{0, 6, 0}.Floor(), Unit, 5, Air},
		"four and a half":     {func(b *Builder) { b.Set(Pos{0, 1, 0}, Slab("slab")) }, Pos{0, 6, 0}.Floor(), Unit + 128, 5, Air},
		"caught by an edge":   {func(b *Builder) { b.Set(Pos{1, 3, 0}, FullCube("ledge")) }, Pos{0, 6, 0}.Floor().Add(Point{X: 60}), 4 * Unit, 2, Air},
		"past an edge":        {func(b *Builder) { b.Set(Pos{1, 3, 0}, FullCube("ledge")) }, Pos{0, 6, 0}.Floor(), Unit, 5, Air},
		"into water":          {func(b *Builder) { b.Fill(Pos{0, 1, 0}, Pos{0, 2, 0}, Water()) }, Pos{0, 6, 0}.Floor(), 2 * Unit, 4, Liquid},
		"in water":            {func(b *Builder) { b.Fill(Pos{0, 1, 0}, Pos{0, 3, 0}, Water()) }, Pos{0, 2, 0}.Floor().Add(Point{Y: 50}), 2*Unit + 50, 0, Liquid},
		"on the ground in it": {func(b *Builder) { b.Fill(Pos{0, 1, 0}, Pos{0, 3, 0}, Water()) }, Pos{0, 1, 0}.Floor(), Unit, 0, Liquid},
		"out of the world":    {func(b *Builder) { b.Fill(Pos{0, -16, 0}, Pos{0, 0, 0}, NoBlock()) }, Pos{0, 1, 0}.Floor(), -16 * Unit, 17, Air},
		"inside of a block":   {nil, Pos{0, -3, 0}.Floor(), -3 * Unit, 0, Air},
	} {
		b := ground()
		if v.build != nil {
			v.build(b)
		}
		f := figureAt(0, 0, 0)
		f.At = v.at
		got := Fall(mustBuild(t, b), f)
		if got.At != (Point{v.at.X, v.y, v.at.Z}) || got.Blocks != v.n || got.Into != v.into {
			t.Errorf("%s: %+v, should come to %d by %d blocks into %d", name, got, v.y, v.n, v.into)
		}
	}
}

// Whoever has fallen does not fall again, and is in no block.
func TestFallEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawArena(t, 4)
		f := figureAt(0, 0, 0)
		f.At = drawPoint(t, 4, "at")
		f.At.Y += 4 * Unit
		if _, _, in := Solid(a, f); in {
			return
		}
		land := Fall(a, f)
		if land.At.Y > f.At.Y || land.Blocks != (f.At.Y-land.At.Y+Unit-1)/Unit {
			t.Fatalf("from %v to %+v", f.At, land)
		}
		g := f
		g.At = land.At
		if again := Fall(a, g); again.At != land.At {
			t.Fatalf("falls to %v, then to %v", land.At, again.At)
		}
		// Nothing was in the way: the whole column between is free.
		half := f.Body.Width / 2
		if p, hit := a.collides(f.At.X-half, land.At.Y+slack, f.At.Z-half, f.At.X+half, f.At.Y+slack, f.At.Z+half); hit && land.Blocks > 0 {
			t.Fatalf("fell from %v to %v through %v", f.At, land.At, p)
		}
	})
}

func TestPush(t *testing.T) {
	enemy := func(p Pos) bool { return p == Pos{3, 1, 0} }
	for name, v := range map[string]struct {
		build   func(*Builder)
		dx, dz  int32
		n       int32
		blocked func(Pos) bool
		end     Point
		moved   int32
		impact  Impact
		at      Pos
		fall    int32
	}{
		"over open ground":   {nil, 1, 0, 3, nil, Pos{3, 1, 0}.Floor(), 3, NoImpact, Pos{}, 0},
		"diagonally":         {nil, -1, 1, 2, nil, Pos{-2, 1, 2}.Floor(), 2, NoImpact, Pos{}, 0},
		"into a wall":        {func(b *Builder) { b.Set(Pos{2, 2, 0}, FullCube("wall")) }, 1, 0, 3, nil, Pos{1, 1, 0}.Floor(), 1, HitBlock, Pos{2, 2, 0}, 0},
		"against a slab":     {func(b *Builder) { b.Set(Pos{1, 1, 0}, Slab("slab")) }, 1, 0, 3, nil, Pos{0, 1, 0}.Floor(), 0, HitBlock, Pos{1, 1, 0}, 0},
		"into somebody":      {nil, 1, 0, 4, enemy, Pos{2, 1, 0}.Floor(), 2, HitBody, Pos{3, 1, 0}, 0},
		"over an edge":       {func(b *Builder) { b.Fill(Pos{2, -5, -9}, Pos{9, 0, 9}, NoBlock()) }, 1, 0, 4, nil, Pos{2, -5, 0}.Floor(), 2, WentOver, Pos{}, 6},
		"down a step":        {func(b *Builder) { b.Fill(Pos{2, 0, -9}, Pos{9, 0, 9}, NoBlock()) }, 1, 0, 4, nil, Pos{4, 0, 0}.Floor(), 4, NoImpact, Pos{}, 0},
		"to the arena's end": {nil, 0, 1, 99, nil, Pos{0, 1, 15}.Floor(), 15, HitBlock, Pos{0, 1, 16}, 0},
		"nowhere":            {nil, 0, 0, 3, nil, Pos{0, 1, 0}.Floor(), 0, NoImpact, Pos{}, 0},
	} {
		b := ground()
		if v.build != nil {
			v.build(b)
		}
		got := Push(mustBuild(t, b), figureAt(0, 1, 0), v.dx, v.dz, v.n, v.blocked)
		if got.End != v.end || got.Moved != v.moved || got.Impact != v.impact || got.At != v.at || got.Land.Blocks != v.fall {
			t.Errorf("%s: %+v", name, got)
		}
	}
	pit := mustBuild(t, ground().Fill(Pos{1, -2, 0}, Pos{1, 0, 0}, NoBlock()))
	if f := figureAt(0, 1, 0); !Ledge(pit, f, 1, 0, 2) || !Ledge(pit, f, 1, 0, 3) || Ledge(pit, f, 1, 0, 4) || Ledge(pit, f, -1, 0, 2) {
		t.Error("a pit three deep is a ledge of 2 and 3 to the east, of no other")
	}
}

// A body is hit in a fan no farther away than its nearest block is, whatever the sector.
func TestStrikeNeverBeyondItsReach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawArena(t, 4)
		from, to := figureAt(0, 0, 0), figureAt(0, 0, 0)
		from.At, to.At = drawPoint(t, 4, "from"), drawPoint(t, 4, "to")
		from.Look = Look{rapid.Int32Range(-9, 9).Draw(t, "lx"), 0, rapid.Int32Range(-9, 9).Draw(t, "lz")}
		fan := Fan{Sector: Sector(rapid.Uint8Range(0, 6).Draw(t, "sector")), Far: rapid.Int32Range(0, 6).Draw(t, "far"), Stop: Bodies}
		for _, s := range Strike(a, from, fan, []Figure{to}) {
			dx, dz := int64(to.At.X-from.At.X), int64(to.At.Z-from.At.Z)
			if far := big.NewInt(dx*dx + dz*dz).Sqrt(big.NewInt(dx*dx + dz*dz)).Int64(); s.Distance > fan.Far || far > int64(fan.Far+2)*Unit {
				t.Fatalf("hit at %d, %d/256 away, by a fan of %d", s.Distance, far, fan.Far)
			}
			if fan.Sector != NoSector && from.Look == (Look{}) {
				t.Fatal("hit without a look")
			}
		}
	})
}
