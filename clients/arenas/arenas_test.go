package arenas

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/proto"

	"autobattle/clients/arenas/blocks"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
)

func table(t testing.TB) *blocks.Table {
	t.Helper()
	tab, err := blocks.Load()
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// build does with an upload what the server does.
func build(t testing.TB, m *pb.PutWholeArenaRequest) *voxel.Arena {
	t.Helper()
	parts := Stream(m, 100)
	u, err := wire.NewUpload(parts[0].GetHeader(), 1<<28)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts[1:] {
		if n := len(p.GetSections().Sections); n == 0 || n > 100 {
			t.Fatalf("%d sections in a message", n)
		}
		if err := u.Add(p.GetSections().Sections); err != nil {
			t.Fatal(err)
		}
	}
	a, err := u.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// writer writes named binary tags.
type writer struct{ bytes.Buffer }

func (w *writer) num(size int, v int64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(v))
	w.Write(b[8-size:])
}

func (w *writer) str(s string) { w.num(2, int64(len(s))); w.WriteString(s) }

func (w *writer) value(v tag) {
	switch v := v.(type) {
	case int64:
		w.num(4, v)
	case string:
		w.str(v)
	case []byte:
		w.num(4, int64(len(v)))
		w.Write(v)
	case []int64:
		w.num(4, int64(len(v)))
		for _, x := range v {
			w.num(8, x)
		}
	case []tag:
		w.WriteByte(10)
		w.num(4, int64(len(v)))
		for _, x := range v {
			w.value(x)
		}
	case compound:
		for name, x := range v {
			kind := byte(3)
			switch x.(type) {
			case string:
				kind = 8
			case []byte:
				kind = 7
			case []int64:
				kind = 12
			case []tag:
				kind = 9
			case compound:
				kind = 10
			}
			w.WriteByte(kind)
			w.str(name)
			w.value(x)
		}
		w.WriteByte(0)
	}
}

func encode(c compound) []byte {
	var w writer
	w.WriteByte(10)
	w.str("")
	w.value(c)
	return w.Bytes()
}

// regionOf returns a region file with one chunk.
func regionOf(t testing.TB, c compound) []byte {
	t.Helper()
	var z bytes.Buffer
	zw := zlib.NewWriter(&z)
	zw.Write(encode(c))
	zw.Close()
	out := make([]byte, 3*4096, 4*4096)
	binary.BigEndian.PutUint32(out, 2<<8|1)
	binary.BigEndian.PutUint32(out[2*4096:], uint32(z.Len()+1))
	out[2*4096+4] = 2
	return slices.Concat(out[:2*4096+5], z.Bytes(), make([]byte, 4096))
}

// words packs indices as the versions do.
func words(index []int, width int, tight bool) []int64 {
	var out []int64
	at := 0
	for _, v := range index {
		if !tight && at%64+width > 64 {
			at += 64 - at%64
		}
		for b := range width {
			if at/64 >= len(out) {
				out = append(out, 0)
			}
			out[at/64] |= int64(v>>b&1) << (at % 64)
			at++
		}
	}
	return out
}

// The same world in the four ways in which the versions store it.
func TestRegionOfEveryVersion(t *testing.T) {
	names := []string{"minecraft:air", "minecraft:stone", "minecraft:glass", "minecraft:oak_planks"}
	// With more than 16 names an index takes 5 bits, which do not divide 64.
	for i := range 14 {
		names = append(names, []string{"minecraft:dirt", "minecraft:sand"}[i%2])
	}
	palette := make([]tag, len(names))
	for i, n := range names {
		palette[i] = compound{"Name": n}
	}
	index := make([]int, cells)
	ids, meta := make([]byte, cells), make([]byte, cells/2)
	for i := range index {
		index[i] = (i*7 + i>>8) % 4
		ids[i] = []byte{0, 1, 20, 5}[index[i]]
	}
	for name, c := range map[string]compound{
		"1.8": {"Level": compound{"xPos": int64(0), "zPos": int64(0), "Sections": []tag{compound{"Y": int64(1), "Blocks": ids, "Data": meta}}}},
		"1.13": {"DataVersion": int64(1519), "Level": compound{"xPos": int64(0), "zPos": int64(0),
			"Sections": []tag{compound{"Y": int64(1), "Palette": palette, "BlockStates": words(index, 5, true)}}}},
		"1.16": {"DataVersion": int64(2586), "Level": compound{"xPos": int64(0), "zPos": int64(0),
			"Sections": []tag{compound{"Y": int64(1), "Palette": palette, "BlockStates": words(index, 5, false)}}}},
		"1.18": {"DataVersion": int64(2975), "xPos": int64(0), "zPos": int64(0),
			"sections": []tag{compound{"Y": int64(1), "block_states": compound{"palette": palette, "data": words(index, 5, false)}}}},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := Open(fstest.MapFS{"world/region/r.0.0.mca": {Data: regionOf(t, c)}}, "world", table(t))
			if err != nil {
				t.Fatal(err)
			}
			want := []string{"air", "minecraft:stone", "minecraft:glass", "planks"}
			for i := range index {
				p := Pos{int32(i & 15), 16 + int32(i>>8), int32(i >> 4 & 15)}
				if got := m.Block(p).Name; !strings.HasSuffix(got, want[index[i]]) {
					t.Fatalf("%v is %s, should be %s", p, got, want[index[i]])
				}
			}
			if len(m.Unknown()) != 0 || m.Bounds() != (Box{Pos{0, 16, 0}, Pos{16, 32, 16}}) {
				t.Errorf("unknown %v, bounds %v", m.Unknown(), m.Bounds())
			}
			// Beyond the chunk nothing was loaded.
			req, err := m.Arena(Box{Pos{0, 16, 0}, Pos{20, 32, 16}}, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			a := build(t, req)
			if b := a.Block(voxel.Pos{X: 17, Y: 20, Z: 3}); b.Name != Unloaded || !b.BulletProof || b.Sight != voxel.Opaque {
				t.Errorf("beyond the chunk: %+v", b)
			}
			if b := a.Block(voxel.Pos{X: 0, Y: 16, Z: 1}); b.Name != m.Block(Pos{0, 16, 1}).Name {
				t.Errorf("in the arena %s, in the model %s", b.Name, m.Block(Pos{0, 16, 1}).Name)
			}
		})
	}
}

// Names that are not known become full cubes and are counted.
func TestUnknownNames(t *testing.T) {
	c := compound{"DataVersion": int64(2975), "xPos": int64(0), "zPos": int64(0), "sections": []tag{compound{"Y": int64(0), "block_states": compound{
		"palette": []tag{compound{"Name": "minecraft:air"}, compound{"Name": "mod:engine"}}, "data": words(append([]int{1, 0, 1}, make([]int, cells-3)...), 4, false)}}}}
	m, err := Region(fstest.MapFS{"r.0.0.mca": {Data: regionOf(t, c)}}, ".", table(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Unknown(); len(got) != 1 || got[0] != (Unknown{"mod:engine", 2}) {
		t.Errorf("unknown: %v", got)
	}
	if b := m.Block(Pos{2, 0, 0}); b.Name != "mod:engine" || len(b.Boxes) != 1 || !b.BulletProof {
		t.Errorf("it is %v", b)
	}
}

// What old versions work out from the neighbours: arms of fences and panes, halves of doors.
func TestOldNeighbours(t *testing.T) {
	l := newLegacy()
	for p, id := range map[Pos]uint16{
		{5, 5, 5}: 85, {6, 5, 5}: 85, {5, 5, 6}: 1, // a fence beside a fence and a stone
		{5, 8, 5}: 102, {6, 8, 5}: 102, {4, 8, 5}: 20, // a pane between a pane and glass
		{1, 1, 1}: 64, {1, 2, 1}: 64,
	} {
		v := id << 4
		if (p == Pos{1, 1, 1}) {
			v |= 1 | 4 // faces south, open
		}
		if (p == Pos{1, 2, 1}) {
			v |= 8 | 1 // upper half, hinge on the right
		}
		l.put(p, v)
	}
	m := newModel()
	tab := table(t)
	l.finish(m, tab)
	for p, want := range map[Pos]string{
		{5, 5, 5}: "minecraft:oak_fence[east=true,south=true,north=false,west=false]",
		{6, 5, 5}: "minecraft:oak_fence[east=false,south=false,north=false,west=true]",
		{5, 8, 5}: "minecraft:glass_pane[east=true,west=true,north=false,south=false]",
		{1, 1, 1}: "minecraft:oak_door[half=lower,facing=south,open=true,hinge=right]",
		{1, 2, 1}: "minecraft:oak_door[half=upper,facing=south,open=true,hinge=right]",
	} {
		name, props := blocks.Named(want)
		b, _ := tab.Java(name, props)
		if !proto.Equal(m.Block(p), b) {
			t.Errorf("%v is %v, should be %s: %v", p, m.Block(p), want, b)
		}
	}
}

func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func TestSchematics(t *testing.T) {
	// 3 wide, 2 high, 2 long: x runs fastest, then z, then y.
	index := []byte{0, 1, 2, 1, 0, 0, 2, 2, 0, 0, 0, 1}
	palette := compound{"minecraft:air": int64(0), "minecraft:stone": int64(1), "minecraft:oak_slab[type=top]": int64(2)}
	size := func(c compound) compound {
		c["Width"], c["Height"], c["Length"] = int64(3), int64(2), int64(2)
		return c
	}
	ids, meta := make([]byte, 12), make([]byte, 12)
	for i, v := range index {
		ids[i], meta[i] = []byte{0, 1, 126}[v], []byte{0, 0, 8}[v]
	}
	for name, c := range map[string]compound{
		"a.schem":     size(compound{"Palette": palette, "BlockData": index}),
		"b.schem":     {"Schematic": size(compound{"Blocks": compound{"Palette": palette, "Data": index}})},
		"c.schematic": size(compound{"Blocks": ids, "Data": meta}),
	} {
		m, err := Open(fstest.MapFS{name: {Data: gz(encode(c))}}, name, table(t))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, v := range index {
			b := m.Block(Pos{int32(i % 3), int32(i / 6), int32(i / 3 % 2)})
			switch {
			case v == 0 && b.Name != "air", v == 1 && b.Name != "minecraft:stone", v == 2 && (len(b.Boxes) != 1 || b.Boxes[0].Y0 != 8):
				t.Errorf("%s: block %d is %v", name, i, b)
			}
		}
		if m.Bounds() != (Box{Pos{}, Pos{3, 2, 2}}) {
			t.Errorf("%s: bounds %v", name, m.Bounds())
		}
	}
}

func TestBadFilesAreNamed(t *testing.T) {
	tab := table(t)
	stone := compound{"minecraft:stone": int64(0)}
	for name, v := range map[string]struct {
		data []byte
		want string
	}{
		"nothing.schem":  {nil, "middle of a value"},
		"wrong.schem":    {[]byte{8, 0, 0}, "must be a compound"},
		"short.schem":    {encode(compound{"Palette": stone})[:20], "middle of a value"},
		"size.schem":     {encode(compound{"Palette": stone, "Width": int64(0)}), "each side must be 1 to"},
		"few.schem":      {encode(compound{"Palette": stone, "Width": int64(2), "Height": int64(1), "Length": int64(1), "BlockData": []byte{0}}), "block 1 of 2"},
		"index.schem":    {encode(compound{"Palette": stone, "Width": int64(1), "Height": int64(1), "Length": int64(1), "BlockData": []byte{7}}), "no index below 1"},
		"palette.schem":  {encode(compound{"Palette": compound{"a": int64(9)}, "Width": int64(1), "Height": int64(1), "Length": int64(1), "BlockData": []byte{0}}), "palette entry"},
		"few.schematic":  {encode(compound{"Blocks": []byte{1}, "Data": []byte{}, "Width": int64(1), "Height": int64(1), "Length": int64(1)}), "takes 1"},
		"none.schematic": {encode(compound{"x": int64(1)}), "neither"},
		"list.schem":     {[]byte{10, 0, 0, 9, 0, 1, 'a', 1, 0x7f, 0xff, 0xff, 0xff}, "middle of a value"},
		"note.txt":       {[]byte("x"), "known are"},
	} {
		if _, err := Open(fstest.MapFS{name: {Data: v.data}}, name, tab); err == nil || !strings.Contains(err.Error(), v.want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, should say %q", name, err, v.want)
		}
	}
	good := regionOf(t, compound{"xPos": int64(0)})
	for want, data := range map[string][]byte{
		"two tables":     good[:100],
		"beyond the end": good[:2*4096+9],
		"lies at":        append([]byte{0, 0, 1, 1}, make([]byte, 2*4096)...),
		"packed in":      append(slices.Clone(good[:2*4096+4]), append([]byte{9}, good[2*4096+5:]...)...),
	} {
		if _, err := Region(fstest.MapFS{"d/r.0.0.mca": {Data: data}}, "d", tab); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, should say %q", err, want)
		}
	}
	if _, err := Region(fstest.MapFS{"d/x": {}}, "d", tab); err == nil || !strings.Contains(err.Error(), ".mca") {
		t.Errorf("an empty folder: %v", err)
	}
	m := newModel()
	if _, err := m.Arena(Box{}, 1); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("an empty box: %v", err)
	}
	if _, err := m.Arena(Box{Pos{}, Pos{17, 1, 1}}, 4096); err == nil || !strings.Contains(err.Error(), "8192 cells") {
		t.Errorf("a box too large: %v", err)
	}
}

// The four worlds that other people built.
func TestRealArenas(t *testing.T) {
	shared := filepath.Join("..", "..", "..", "shared", "arenas")
	if _, err := os.Stat(shared); err != nil {
		t.Logf("left out: there is no folder %s", filepath.Join("..", "shared", "arenas"))
		return
	}
	tab := table(t)
	for name, v := range map[string]struct {
		path  string
		size  Pos // of all that is not air; zero: whatever it is
		solid int // blocks that are not air; 0: whatever it is
		has   []string
	}{
		"earthborn":  {"earthborn", Pos{122, 41, 80}, 68324, []string{"minecraft:stone"}},
		"fun_house":  {"fun_house", Pos{82, 28, 57}, 0, []string{"minecraft:white_stained_glass", "minecraft:quartz_block"}},
		"smallhouse": {filepath.Join("smallhouse", "smallhouse1.schem"), Pos{}, 0, []string{"minecraft:white_stained_glass_pane"}},
		"terrain":    {"terrain-1.18.2", Pos{}, 0, []string{"minecraft:stone", "minecraft:kelp"}},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := Open(os.DirFS(shared), filepath.ToSlash(v.path), tab)
			if err != nil {
				t.Fatal(err)
			}
			b := m.Bounds()
			size := Pos{b.Max.X - b.Min.X, b.Max.Y - b.Min.Y, b.Max.Z - b.Min.Z}
			if v.size != (Pos{}) && size != v.size {
				t.Errorf("it is %v large, should be %v", size, v.size)
			}
			req, err := m.Arena(b, 1<<24)
			if err != nil {
				t.Fatal(err)
			}
			a := build(t, req)
			names := map[string]int{}
			solid, differ := 0, 0
			for x := b.Min.X; x < b.Max.X; x++ {
				for y := b.Min.Y; y < b.Max.Y; y++ {
					for z := b.Min.Z; z < b.Max.Z; z++ {
						n := a.Block(voxel.Pos{X: x, Y: y, Z: z}).Name
						names[n]++
						if n != "air" && n != Unloaded {
							solid++
						}
						if n != m.Block(Pos{x, y, z}).Name && n != Unloaded {
							differ++
						}
					}
				}
			}
			if v.solid != 0 && solid != v.solid || solid == 0 || differ > 0 {
				t.Errorf("%d blocks are not air, should be %d; %d differ", solid, v.solid, differ)
			}
			for _, n := range v.has {
				if names[n] == 0 {
					t.Errorf("there is no %s", n)
				}
			}
			if u := m.Unknown(); len(u) > 0 {
				t.Errorf("unknown: %v", u)
			}
			wireSize := gz(must(proto.Marshal(req)))
			t.Logf("%v, %d kinds, %d bytes on the wire, %d packed, hash %s", size, len(req.Header.Palette), proto.Size(req), len(wireSize), a.Hash())
		})
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// No file makes the reader panic or grow without bound.
func FuzzFile(f *testing.F) {
	tab, err := blocks.Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encode(compound{"Palette": compound{"minecraft:stone": int64(0)}, "Width": int64(1), "Height": int64(1), "Length": int64(1), "BlockData": []byte{0}}))
	f.Add(encode(compound{"Blocks": []byte{1}, "Data": []byte{0}, "Width": int64(1), "Height": int64(1), "Length": int64(1)}))
	f.Add([]byte{10, 0, 0, 9, 0, 1, 'a', 9, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := File("x.schem", data, tab)
		if err == nil && m.Bounds().Cells() < 1<<16 && !m.Bounds().Empty() {
			if _, err := m.Arena(m.Bounds(), 1<<20); err != nil {
				t.Fatal(err)
			}
		}
		c := newModel()
		c.columns = map[[2]int32]bool{}
		if root, err := readNBT(data); err == nil {
			_ = c.chunk(root, tab, newLegacy())
		}
	})
}
