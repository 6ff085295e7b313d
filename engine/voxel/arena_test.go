package voxel

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestArenaSurvivesItsSections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawArena(t, 8)
		s := a.Sections()
		slices.Reverse(s)
		b, err := NewArena(a.Bounds(), s, a.Bounds().Volume())
		if err != nil {
			t.Fatal(err)
		}
		if a.Hash() != b.Hash() {
			t.Fatal("the hash has changed")
		}
		forEach(a.Bounds(), func(p Pos) {
			if !a.Block(p).Equal(b.Block(p)) || a.Light(p) != b.Light(p) {
				t.Fatalf("%v differs", p)
			}
		})
	})
}

func forEach(b Bounds, do func(Pos)) {
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for z := b.Min.Z; z < b.Max.Z; z++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				do(Pos{x, y, z})
			}
		}
	}
}

// Equal content has one hash, however the palette is written; any change of a block has another.
func TestHashIsOfTheContent(t *testing.T) {
	bounds := Bounds{Max: Pos{16, 16, 16}}
	indices := make([]byte, 4096/8*2)
	indices[0] = 0b0001 // cell 0 is stone, written once as entry 1 and once as entry 2
	stone := FullCube("stone")
	one, err := NewArena(bounds, []Section{{Palette: []Block{NoBlock(), stone, Glass()}, Indices: indices}}, 4096)
	if err != nil {
		t.Fatal(err)
	}
	two := bytes.Clone(indices)
	two[0] = 0b0010
	other, err := NewArena(bounds, []Section{{Palette: []Block{NoBlock(), Glass(), stone}, Indices: two}}, 4096)
	if err != nil {
		t.Fatal(err)
	}
	if one.Hash() != other.Hash() {
		t.Error("the order of a palette changes the hash")
	}
	seen := []Hash{one.Hash()}
	for _, change := range []func(*Block){
		func(b *Block) { b.Name = "rock" }, func(b *Block) { b.Sight = Dim }, func(b *Block) { b.BulletProof = false },
		func(b *Block) { b.Durability = 3 }, func(b *Block) { b.Medium = HardGoing }, func(b *Block) { b.Emits = 1 },
		func(b *Block) { b.Passes = 1 }, func(b *Block) { b.Boxes = nil }, func(b *Block) { b.Boxes = []Box{{X1: 16, Y1: 15, Z1: 16}} },
	} {
		b := FullCube("stone")
		change(&b)
		a, err := NewArena(bounds, []Section{{Palette: []Block{NoBlock(), b, Glass()}, Indices: indices}}, 4096)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(seen, a.Hash()) {
			t.Errorf("%+v has the hash of another block", b)
		}
		seen = append(seen, a.Hash())
	}
	moved, err := NewArena(Bounds{Min: Pos{16, 0, 0}, Max: Pos{32, 16, 16}},
		[]Section{{At: Pos{16, 0, 0}, Palette: []Block{NoBlock(), stone, Glass()}, Indices: indices}}, 4096)
	if err != nil || slices.Contains(seen, moved.Hash()) {
		t.Errorf("another place has the same hash (%v)", err)
	}
}

func TestBadArenasAreNamed(t *testing.T) {
	air := []Block{NoBlock()}
	pair := []Block{NoBlock(), FullCube("stone")}
	at := func(x int32, s Section) Section { s.At = Pos{x, 0, 0}; return s }
	box := Bounds{Max: Pos{32, 16, 16}}
	bits := func(n int) []byte { return make([]byte, n*512) }
	three := append(slices.Clone(pair), Glass())
	wrong := bits(2)
	wrong[512] = 0b1100_0000 // cell 2051
	bad := func(change func(*Block)) Section {
		b := FullCube("stone")
		change(&b)
		return Section{Palette: []Block{NoBlock(), b}, Indices: bits(1)}
	}
	for _, v := range []struct {
		want     string // begins with the field
		bounds   Bounds
		sections []Section
	}{
		{"bounds have a side at 8", Bounds{Max: Pos{16, 8, 16}}, nil},
		{"bounds go from 0 0 0 to 0 16 16; each", Bounds{Max: Pos{0, 16, 16}}, nil},
		{"bounds go from 0 0 0 to 16 -16 16; each", Bounds{Max: Pos{16, -16, 16}}, nil},
		{"bounds go from 0 0 0 to 160 160 160, which is more", Bounds{Max: Pos{160, 160, 160}}, nil},
		{"bounds go from -4194304 ", Bounds{Pos{-MaxCoord, -MaxCoord, -MaxCoord}, Pos{MaxCoord, MaxCoord, MaxCoord}}, nil},
		{"bounds reach 4194320", Bounds{Max: Pos{MaxCoord + 16, 16, 16}}, nil},
		{"sections lack the one at 16 0 0", box, []Section{{Palette: air}}},
		{"sections[1].at (the section at 0 0 0) is given twice", box, []Section{{Palette: air}, {Palette: air}}},
		{"sections[0].at (the section at 32 0 0) is outside", box, []Section{at(32, Section{Palette: air})}},
		{"sections[0].at (the section at 3 0 0) is not aligned", box, []Section{at(3, Section{Palette: air})}},
		{"sections are 3; the bounds have room for 2", box, make([]Section, 3)},
		{"sections[0].palette (the section at 0 0 0) is empty", box, []Section{{}}},
		{"sections[0].palette (the section at 0 0 0) has 70000 entries", box, []Section{{Palette: make([]Block, 70000)}}},
		{"sections[0].indices (the section at 0 0 0) have 511 bytes", box, []Section{{Palette: pair, Indices: bits(1)[1:]}}},
		{"sections[0].indices (the section at 0 0 0) have 512 bytes", box, []Section{{Palette: air, Indices: bits(1)}}},
		{"sections[1].indices[2051] (the section at 16 0 0) is 3; the palette has 3 entries", box,
			[]Section{{Palette: air}, at(16, Section{Palette: three, Indices: wrong})}},
		{"sections[0].palette[1].name", box, []Section{bad(func(b *Block) { b.Name = "" })}},
		{"sections[0].palette[1].boxes[1] (the section at 0 0 0) of block \"stone\" is 0 0 0 to 17", box,
			[]Section{bad(func(b *Block) { b.Boxes = append(b.Boxes, Box{X1: 17, Y1: 1, Z1: 1}) })}},
		{"sections[0].palette[1].boxes[0]", box, []Section{bad(func(b *Block) { b.Boxes[0].Y0 = 16 })}},
		{"sections[0].palette[1].boxes (", box, []Section{bad(func(b *Block) { b.Boxes = make([]Box, MaxBoxes+1) })}},
		{"sections[0].palette[1].emits", box, []Section{bad(func(b *Block) { b.Emits = 16 })}},
		{"sections[0].palette[1].passes", box, []Section{bad(func(b *Block) { b.Passes = 16 })}},
		{"sections[0].palette[1].sight", box, []Section{bad(func(b *Block) { b.Sight = 3 })}},
		{"sections[0].palette[1].medium", box, []Section{bad(func(b *Block) { b.Medium = 5 })}},
		{"sections[0].palette[1].durability", box, []Section{bad(func(b *Block) { b.Durability = -1 })}},
	} {
		_, err := NewArena(v.bounds, v.sections, 1<<20)
		var invalid *InvalidError
		if !errors.As(err, &invalid) || !strings.HasPrefix(err.Error(), v.want) {
			t.Errorf("got  %v\nwant %s…", err, v.want)
		}
	}
}

func TestBuilderKeepsItsFirstError(t *testing.T) {
	_, err := NewBuilder(Pos{}, Pos{1, 1, 1}).Set(Pos{16, 0, 0}, NoBlock()).Set(Pos{}, Block{}).Build()
	if err == nil || !strings.Contains(err.Error(), "16 0 0") {
		t.Errorf("got %v", err)
	}
	if _, err := NewBuilder(Pos{}, Pos{0, 1, 1}).Set(Pos{}, NoBlock()).Build(); err == nil {
		t.Error("a size of zero is accepted")
	}
	if _, err := NewBuilder(Pos{1, 0, 0}, Pos{1, 1, 1}).Build(); err == nil {
		t.Error("an origin between sections is accepted")
	}
}

func TestOutsideOfTheBox(t *testing.T) {
	a := mustBuild(t, NewBuilder(Pos{}, Pos{1, 1, 1}))
	for p, want := range map[Pos]string{{5, 16, 5}: "air", {5, 4000, 5}: "air", {5, -1, 5}: "outside", {-1, 5, 5}: "outside",
		{16, 5, 5}: "outside", {5, 5, -1}: "outside", {16, 20, 5}: "outside", {0, 0, 0}: "air"} {
		if got := a.Block(p).Name; got != want {
			t.Errorf("%v is %s, should be %s", p, got, want)
		}
	}
	if got := a.Light(Pos{5, 16, 5}); got != (Light{Sky: 15}) {
		t.Errorf("above: %+v", got)
	}
	if got := a.Light(Pos{5, -1, 5}); got != (Light{}) {
		t.Errorf("below: %+v", got)
	}
}

func TestLightUnderTheSky(t *testing.T) {
	for _, v := range []struct {
		l    Light
		sky  uint8
		want uint8
	}{{Light{0, 15}, 15, 15}, {Light{0, 15}, 4, 4}, {Light{0, 10}, 4, 0}, {Light{7, 10}, 12, 7}, {Light{7, 10}, 15, 10}, {Light{7, 15}, 0, 7}, {Light{0, 15}, 99, 15}} {
		if got := v.l.At(v.sky); got != v.want {
			t.Errorf("%+v at sky %d is %d, should be %d", v.l, v.sky, got, v.want)
		}
	}
}

// slowLight computes light by repeating the rule on every cell until nothing changes, from the top down and back.
func slowLight(w World) map[Pos]Light {
	b := w.Bounds()
	nx, ny, nz := int(b.Max.X-b.Min.X)+2, int(b.Max.Y-b.Min.Y)+2, int(b.Max.Z-b.Min.Z)+2
	level := make([]Light, nx*ny*nz)
	blocks := make([]*Block, len(level))
	at := func(p Pos) int {
		return (int(p.Y-b.Min.Y+1)*nz+int(p.Z-b.Min.Z+1))*nx + int(p.X-b.Min.X+1)
	}
	forEach(Bounds{b.Min.Add(Pos{-1, -1, -1}), b.Max.Add(Pos{1, 1, 1})}, func(p Pos) {
		blocks[at(p)] = w.Block(p)
		if b.Contains(p.Up(-1)) && p.Y == b.Max.Y {
			level[at(p)].Sky = 15
		}
	})
	var cells []int
	forEach(b, func(p Pos) { cells = append(cells, at(p)) })
	enter := func(b *Block, level uint8) uint8 {
		loss := max(1, 15-b.Passes)
		if level < loss {
			return 0
		}
		return level - loss
	}
	for changed := true; changed; {
		changed = false
		slices.Reverse(cells)
		for _, i := range cells {
			b, l := blocks[i], level[i]
			l.Block = max(l.Block, b.Emits)
			up := i + nx*nz
			for _, n := range [...]int{i + 1, i - 1, i + nx, i - nx, up, i - nx*nz} {
				l.Block = max(l.Block, enter(b, level[n].Block))
				l.Sky = max(l.Sky, enter(b, level[n].Sky))
			}
			if level[up].Sky == 15 {
				l.Sky = max(l.Sky, b.Passes)
			}
			if l != level[i] {
				level[i], changed = l, true
			}
		}
	}
	out := map[Pos]Light{}
	forEach(b, func(p Pos) { out[p] = level[at(p)] })
	return out
}

func checkLight(t fataler, w World) {
	t.Helper()
	want := slowLight(w)
	forEach(w.Bounds(), func(p Pos) {
		if got := w.Light(p); got != want[p] {
			t.Fatalf("light at %v (%s) is %+v, should be %+v", p, w.Block(p).Name, got, want[p])
		}
	})
}

// roofed returns an arena whose middle lies in the dark under a roof with holes, so that lamps and sky both matter.
func roofed(t *rapid.T) *Arena {
	b := NewBuilder(Pos{-16, 0, -16}, Pos{2, 1, 2})
	kinds := kindsForTests()
	b.Fill(Pos{-16, 9, -16}, Pos{15, 9, 15}, FullCube("roof"))
	for range rapid.IntRange(0, 40).Draw(t, "blocks") {
		b.Set(drawPos(t), kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")])
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func drawPos(t *rapid.T) Pos {
	c := func(n string) int32 { return rapid.Int32Range(-5, 5).Draw(t, n) }
	return Pos{c("x"), rapid.SampledFrom([]int32{0, 3, 5, 6, 7, 8, 9, 9, 9, 9, 15}).Draw(t, "y"), c("z")}
}

func TestLightIsTheFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkLight(t, roofed(t)) })
}

// An overlay is in every cell what building the arena with its edits would give, after one batch and after several.
func TestOverlayEqualsRebuilding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := roofed(t)
		before := a.Hash()
		kinds := kindsForTests()
		o, err := a.With(nil)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 3).Draw(t, "batches") {
			var edits []Edit
			for range rapid.IntRange(0, 12).Draw(t, "edits") {
				edits = append(edits, Edit{At: drawPos(t), Block: kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")], Wear: rapid.Int32Range(0, 9).Draw(t, "wear")})
			}
			earlier, light := *o, o.Light(Pos{0, 5, 0})
			if o, err = o.With(edits); err != nil {
				t.Fatal(err)
			}
			if earlier.Light(Pos{0, 5, 0}) != light {
				t.Fatal("a later overlay has changed an earlier one")
			}
		}
		b := NewBuilder(Pos{-16, 0, -16}, Pos{2, 1, 2})
		forEach(a.Bounds(), func(p Pos) { b.Set(p, *a.Block(p)) })
		for _, e := range o.Edits() {
			b.Set(e.At, e.Block)
			if o.Wear(e.At) != e.Wear {
				t.Fatalf("wear at %v is %d, should be %d", e.At, o.Wear(e.At), e.Wear)
			}
		}
		want, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		forEach(a.Bounds(), func(p Pos) {
			if !o.Block(p).Equal(want.Block(p)) {
				t.Fatalf("%v is %s, should be %s", p, o.Block(p).Name, want.Block(p).Name)
			}
			if o.Light(p) != want.Light(p) {
				t.Fatalf("light at %v is %+v, should be %+v", p, o.Light(p), want.Light(p))
			}
		})
		if a.sum() != before {
			t.Fatal("the arena below has changed")
		}
	})
}

func TestBadEditsAreNamed(t *testing.T) {
	a := mustBuild(t, NewBuilder(Pos{}, Pos{1, 1, 1}))
	for want, e := range map[string]Edit{
		"edits[1].at":         {At: Pos{0, 16, 0}, Block: NoBlock()},
		"edits[1].block.name": {},
		"edits[1].wear":       {Block: NoBlock(), Wear: -1},
	} {
		if _, err := a.With([]Edit{{Block: Lamp()}, e}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestHelpersAreValid(t *testing.T) {
	for _, b := range kindsForTests() {
		if err := b.Validate(); err != nil {
			t.Error(err)
		}
	}
	if s := Stairs("s", Look{X: -3, Z: 2}); s.Boxes[1] != (Box{Y0: 8, X1: 8, Y1: 16, Z1: 16}) || s.Top() != 16 {
		t.Errorf("stairs to the west are %+v", s)
	}
}

func FuzzNewArena(f *testing.F) {
	f.Add(byte(3), []byte{1, 2, 3}, int32(0), int32(16))
	f.Add(byte(1), []byte{}, int32(-16), int32(16))
	f.Fuzz(func(t *testing.T, palette byte, indices []byte, from, to int32) {
		kinds := kindsForTests()
		if int(palette) > len(kinds) {
			palette %= byte(len(kinds))
		}
		if len(indices) > 0 && palette > 0 { // stretch to the right length, so that contents are reached
			want := int(widthOf(int(palette))) * 512
			for len(indices) < want {
				indices = append(indices, indices[:min(len(indices), want-len(indices))]...)
			}
			indices = indices[:want]
		}
		b := Bounds{Pos{from, 0, 0}, Pos{to, 16, 16}}
		s := Section{At: Pos{from, 0, 0}, Palette: kinds[:palette], Indices: indices}
		a, err := NewArena(b, []Section{s}, 1<<16)
		if err != nil {
			if a != nil || err.Error() == "" {
				t.Fatalf("got %v and %v", a, err)
			}
			return
		}
		again, err := NewArena(b, a.Sections(), 1<<16)
		if err != nil || again.Hash() != a.Hash() {
			t.Fatalf("does not survive its sections: %v", err)
		}
	})
}

func BenchmarkFlood(b *testing.B) {
	a := hills(b)
	for b.Loop() {
		a.flood()
	}
}

func BenchmarkRelight(b *testing.B) {
	a := hills(b)
	p := Pos{64, hillHeight(64, 64) + 1, 64}
	lamp := []Edit{{At: p, Block: Lamp()}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.With(lamp); err != nil {
			b.Fatal(err)
		}
	}
}

// What a lamp shines is what the flood says of a world with that lamp.
func TestShineIsALamp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := roofed(t)
		at, to := drawPos(t), drawPos(t)
		level := rapid.Uint8Range(0, 15).Draw(t, "level")
		lamp := *a.Block(at)
		without := lamp
		lamp.Name, lamp.Emits, without.Name, without.Emits = "lamp", level, "dark", 0
		var edits []Edit
		forEach(a.Bounds(), func(p Pos) {
			if b := *a.Block(p); b.Emits > 0 {
				b.Emits = 0
				edits = append(edits, Edit{At: p, Block: b})
			}
		})
		dark, err := a.With(append(edits, Edit{At: at, Block: without}))
		if err != nil {
			t.Fatal(err)
		}
		lit, err := dark.With([]Edit{{At: at, Block: lamp}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Shine(dark, at, level, to), lit.Light(to).Block; got != want {
			t.Fatalf("%d shines from %v to %v as %d, a lamp as %d", level, at, to, got, want)
		}
	})
}
