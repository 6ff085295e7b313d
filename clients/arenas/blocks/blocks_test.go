package blocks

import (
	"strings"
	"testing"

	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
)

func load(t testing.TB) *Table {
	t.Helper()
	tab, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// describe tells a block in one line: boxes, sight, bullets, medium, light.
func describe(b *pb.Block) string {
	var s strings.Builder
	for _, x := range b.Boxes {
		for _, v := range [...]uint32{x.X0, x.Y0, x.Z0, x.X1, x.Y1, x.Z1} {
			s.WriteByte("0123456789abcdefg"[v])
		}
		s.WriteByte(' ')
	}
	s.WriteString(strings.ToLower(strings.TrimPrefix(b.Sight.String(), "SIGHT_")))
	if b.BulletProof {
		s.WriteString(" proof")
	}
	if m := strings.ToLower(strings.TrimPrefix(b.Medium.String(), "MEDIUM_")); m != "air" && m != "unspecified" {
		s.WriteString(" " + m)
	}
	if b.Emits > 0 {
		s.WriteString(" light")
	}
	return s.String()
}

func TestJavaBlocks(t *testing.T) {
	tab := load(t)
	for text, want := range map[string]string{
		"minecraft:stone": "000ggg opaque proof",
		"stone":           "000ggg opaque proof",
		"minecraft:oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]": "000g8g 880ggg opaque proof",
		"minecraft:oak_stairs[facing=north,half=top,shape=straight,waterlogged=true]":    "",
		"minecraft:oak_slab[type=top]":                                                    "080ggg opaque proof",
		"minecraft:oak_slab[type=bottom]":                                                 "000g8g opaque proof",
		"minecraft:oak_slab[type=double]":                                                 "000ggg opaque proof",
		"minecraft:oak_slab[type=bottom,waterlogged=true]":                                "000g8g opaque proof liquid",
		"minecraft:glass":                                                                 "000ggg clear proof",
		"minecraft:glass_pane[east=true,west=true,north=false,south=false]":               "007gg9 clear proof",
		"minecraft:glass_pane[east=false,west=false,north=false,south=false]":             "7079g9 clear proof",
		"minecraft:oak_leaves[persistent=true]":                                           "000ggg dim",
		"minecraft:water[level=0]":                                                        "dim liquid",
		"minecraft:ladder[facing=north]":                                                  "00dggg clear climbable",
		"minecraft:oak_door[facing=east,half=lower,hinge=left,open=false]":                "0003gg opaque proof",
		"minecraft:oak_door[facing=east,half=lower,hinge=left,open=true]":                 "",
		"minecraft:white_carpet":                                                          "000g1g opaque",
		"minecraft:scaffolding":                                                           "",
		"minecraft:redstone_lamp[lit=true]":                                               "000ggg opaque proof light",
		"minecraft:redstone_lamp[lit=false]":                                              "000ggg opaque proof",
		"minecraft:torch":                                                                 "clear light",
		"minecraft:snow[layers=1]":                                                        "opaque",
		"minecraft:cobweb":                                                                "dim very_hard_going",
		"minecraft:cobblestone_wall[up=true,north=true,south=true,east=false,west=false]": "",
		"minecraft:air":                                                                   "unspecified",
		"minecraft:short_grass":                                                           "",
	} {
		name, props := Named(text)
		b, ok := tab.Java(name, props)
		if got := describe(b); !ok || want != "" && got != want {
			t.Errorf("%s: %q %v, should be %q", text, got, ok, want)
		}
	}
	closed, _ := tab.Java("oak_door", []Prop{{"facing", "east"}, {"hinge", "left"}, {"open", "false"}})
	open, _ := tab.Java("oak_door", []Prop{{"facing", "east"}, {"hinge", "left"}, {"open", "true"}})
	if describe(closed) == describe(open) {
		t.Error("an open door is like a shut one")
	}
}

// A block that is not known is a full cube that nothing passes, and is reported.
func TestUnknownBlocks(t *testing.T) {
	tab := load(t)
	for name, find := range map[string]func() (*pb.Block, bool){
		"modded:machine": func() (*pb.Block, bool) { return tab.Java("modded:machine", nil) },
		"minecraft:gone": func() (*pb.Block, bool) { return tab.Bedrock("minecraft:gone", []Prop{{"a", "b"}}) },
		"block 999:3":    func() (*pb.Block, bool) { return tab.Numeric(999, 3) },
		"unnamed":        func() (*pb.Block, bool) { return tab.Java("", nil) },
	} {
		b, ok := find()
		if ok || b.Name != name || describe(b) != "000ggg opaque proof" || b.Durability != 0 || b.Passes != 0 {
			t.Errorf("%s: %v %v", name, b, ok)
		}
	}
}

func TestNumericBlocks(t *testing.T) {
	tab := load(t)
	for name, v := range map[string]struct {
		id, meta int
		want     string
	}{
		"stone":         {1, 0, "000ggg opaque proof"},
		"oak stairs":    {53, 0, "000g8g 880ggg opaque proof"},
		"bottom slab":   {44, 0, "000g8g opaque proof"},
		"top slab":      {44, 8, "080ggg opaque proof"},
		"water":         {9, 0, "dim liquid"},
		"leaves":        {18, 3, "000ggg dim"},
		"torch":         {50, 5, "clear light"},
		"two layers":    {78, 1, "000g2g opaque hard_going"},
		"ladder":        {65, 2, "00dggg clear climbable"},
		"air":           {0, 0, "unspecified"},
		"redstone lamp": {124, 0, "000ggg opaque proof light"},
	} {
		b, ok := tab.Numeric(v.id, v.meta)
		if got := describe(b); !ok || got != v.want {
			t.Errorf("%s: %q %v, should be %q", name, got, ok, v.want)
		}
	}
}

func TestBedrockBlocks(t *testing.T) {
	tab := load(t)
	for text, want := range map[string]string{
		"minecraft:stone": "000ggg opaque proof",
		"minecraft:oak_stairs[upside_down_bit=0,weirdo_direction=0]": "000g8g 880ggg opaque proof",
		"minecraft:oak_stairs[upside_down_bit=1,weirdo_direction=0]": "080ggg 800g8g opaque proof",
		"minecraft:glass": "000ggg clear proof",
		"minecraft:water": "dim liquid",
	} {
		name, props := Named(text)
		b, ok := tab.Bedrock(name, props)
		if got := describe(b); !ok || got != want {
			t.Errorf("%s: %q %v, should be %q", text, got, ok, want)
		}
	}
}

// Every block in every state is one that the engine accepts, and the tables are as large as the editions.
func TestEveryState(t *testing.T) {
	tab := load(t)
	java, numeric, bedrock := tab.Names()
	if java < 1100 || numeric < 250 || bedrock < 1200 {
		t.Errorf("%d names, %d numbers, %d names", java, numeric, bedrock)
	}
	var palette []*pb.Block
	check := func(e *entry) {
		for at := range e.layout.shapes {
			props, n := make([]Prop, len(e.layout.props)), at
			for i := len(props) - 1; i >= 0; i-- {
				p := &e.layout.props[i]
				props[i] = Prop{p.name, p.list[n%len(p.list)]}
				n /= len(p.list)
			}
			palette = append(palette, e.state(props))
		}
	}
	for i := range tab.java {
		check(&tab.java[i])
	}
	for i := range tab.bedrock {
		check(&tab.bedrock[i])
	}
	for _, e := range tab.numeric {
		if e != nil {
			check(e)
		}
	}
	header := &pb.ArenaHeader{Min: &pb.Cell{}, Max: &pb.Cell{X: 16, Y: 16, Z: 16}, Palette: palette}
	if _, err := wire.NewUpload(header, 4096); err != nil {
		t.Error(err)
	}
	t.Logf("%d names of Java edition, %d numbers, %d names of Bedrock edition, %d shapes of states", java, numeric, bedrock, len(palette))
}

func TestBadTablesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"shape 1 0,0,0,16,16,16":                               "next is 0",
		"shape 0 0,0,0,17,16,16":                               "six numbers",
		"shape 0 0,0":                                          "six numbers",
		"layout 0 |0":                                          "no shape",
		"shape 0\nlayout 0 a=b,c|0":                            "2 combinations",
		"shape 0\nlayout 0 0":                                  "no |",
		"shape 0\nlayout 0 |0*9":                               "no shape",
		"shape 0\nlayout 0 |0\nblock x clear soft":             "fields",
		"shape 0\nlayout 0 |0\nblock x odd soft air 0 0 0 0":   "word",
		"shape 0\nlayout 0 |0\nblock x clear soft air 0 0 0 1": "number from 0 to 0",
		"thing": "neither",
	} {
		if _, err := read("t", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, should say %q", text, err, want)
		}
	}
}
