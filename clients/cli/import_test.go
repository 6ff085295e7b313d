package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"os"
	"strings"
	"testing"

	pb "autobattle/proto/autobattle/v1"
)

// hut is a file of 20 × 3 × 2 blocks: a floor of stone, air, and a block of number 254, which nobody knows.
func hut() []byte {
	var raw bytes.Buffer
	name := func(kind byte, s string) {
		raw.WriteByte(kind)
		_ = binary.Write(&raw, binary.BigEndian, uint16(len(s)))
		raw.WriteString(s)
	}
	name(10, "Schematic")
	for _, side := range []struct {
		name string
		n    int16
	}{{"Width", 20}, {"Height", 3}, {"Length", 2}} {
		name(2, side.name)
		_ = binary.Write(&raw, binary.BigEndian, side.n)
	}
	ids := make([]byte, 120)
	for i := range 40 {
		ids[i] = 1
	}
	ids[45] = 254
	for _, field := range []string{"Blocks", "Data"} {
		name(7, field)
		_ = binary.Write(&raw, binary.BigEndian, int32(len(ids)))
		raw.Write(ids)
		ids = make([]byte, 120)
	}
	raw.WriteByte(0)
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(raw.Bytes())
	_ = z.Close()
	return out.Bytes()
}

// A world is read without a server, cut, and uploaded; the same cut has the same hash.
func TestImport(t *testing.T) {
	s := serve(t, "memory:")
	file := s.file("hut.schematic")
	if err := os.WriteFile(file, hut(), 0o600); err != nil {
		t.Fatal(err)
	}
	out := s.must("arena", "import", file)
	if !strings.HasPrefix(out, "32 × 16 × 16 cells from 0,0,0: 41 blocks of 3 kinds\n") || strings.Count(out, "unknown, counts as a full cube: ") != 1 || strings.Contains(out, "arena ") {
		t.Errorf("import: %q", out)
	}
	out = s.must("arena", "import", file, "--box", "17,1,0,20,2,2", "--put")
	if !strings.HasPrefix(out, "16 × 16 × 16 cells from 16,0,0: 8 blocks of 2 kinds\n") {
		t.Errorf("import of a box: %q", out)
	}
	hash := strings.TrimPrefix(lastLine(out), "arena ")
	var got imported
	if err := json.Unmarshal([]byte(s.must("--json", "arena", "import", file, "--box", "16,0,0,32,16,16", "--put")), &got); err != nil {
		t.Fatal(err)
	}
	if len(hash) != 64 || got.Arena != hash || !got.Known || got.Cells != 4096 || got.Blocks != 8 || got.Min != [3]int32{16, 0, 0} || len(got.Unknown) != 1 || got.Unknown[0].Count != 1 {
		t.Errorf("import as JSON: %+v; want the hash %q", got, hash)
	}
	for want, args := range map[string][]string{
		"want x0,y0,z0,x1,y1,z1":                 {"--box", "1,2,3"},
		"is no whole number":                     {"--box", "1,2,3,4,5,x"},
		"must be above":                          {"--box", "1,2,3,1,4,5"},
		"choose a box with --box, the world has": {"--box=-4000,0,-4000,4000,256,4000"},
	} {
		if _, errs, code := s.run(append([]string{"arena", "import", file}, args...)...); code == 0 || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, %q; want %q", args, code, errs, want)
		}
	}
}

// Sections are the same blocks in every form, and bad ones are refused with what would be right.
func TestSections(t *testing.T) {
	kinds := make([]*pb.Block, 300)
	for i := range kinds {
		kinds[i] = &pb.Block{Name: string(rune('a' + i))}
	}
	for _, n := range []int{2, 3, 16, 17, 256, 257} {
		width := 1
		for 1<<width < n {
			width *= 2
		}
		packed, runs, palette := make([]byte, 512*width), []uint32{}, []uint32{}
		for i := range n {
			palette = append(palette, uint32(len(kinds)-1-i))
		}
		for i := range 4096 {
			k := i * 7 % n
			for b := range width {
				packed[(i*width+b)/8] |= byte(k>>b&1) << ((i*width + b) % 8)
			}
			runs = append(runs, 1, uint32(k))
		}
		for _, s := range []*pb.ArenaSection{
			{At: &pb.Cell{X: -16, Y: 32}, Palette: palette, Indices: packed},
			{At: &pb.Cell{X: -16, Y: 32}, Palette: palette, Runs: runs},
		} {
			w := &world{palette: kinds, sections: map[place]*[4096]uint16{}}
			if err := w.add(s); err != nil {
				t.Fatalf("%d kinds: %v", n, err)
			}
			for i := range 4096 {
				at := place{int32(i&15) - 16, int32(i>>8) + 32, int32(i >> 4 & 15)}
				if want := kinds[len(kinds)-1-i*7%n]; w.block(at) != want {
					t.Fatalf("%d kinds: block %v is %v, want %v", n, at, w.block(at), want)
				}
			}
			if w.block(place{0, 32, 0}) != nil {
				t.Error("a block outside the arena")
			}
		}
	}
	for want, s := range map[string]*pb.ArenaSection{
		"no palette":           {},
		"kind 300":             {Palette: []uint32{300}},
		"runs of 5 cells":      {Palette: []uint32{1, 2}, Runs: []uint32{5, 1}},
		"a run of 5000":        {Palette: []uint32{1, 2}, Runs: []uint32{5000, 1}},
		"want 512":             {Palette: []uint32{1, 2}, Indices: make([]byte, 511)},
		"index 3 of a palette": {Palette: []uint32{1, 2, 3}, Indices: bytes.Repeat([]byte{255}, 1024)},
	} {
		w := &world{palette: kinds, sections: map[place]*[4096]uint16{}}
		if err := w.add(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
