package arenas

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"path"
	"slices"
	"strings"

	"autobattle/clients/arenas/blocks"
)

// maxInflated is how large a compressed part may become.
const maxInflated = 64 << 20

// Region reads all region files (.mca) of a folder. What lies in chunks that the files do not hold counts as unloaded. The files of
// versions before 1.13 hold numbers instead of names; the arms of fences, panes and walls, and the halves of doors, which those
// versions work out from the neighbours, are worked out here too. Errors name the file and the chunk.
func Region(files fs.FS, dir string, t *blocks.Table) (*Model, error) {
	names, err := fs.Glob(files, path.Join(dir, "*.mca"))
	if err != nil {
		return nil, fmt.Errorf("read region files: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("read region files: %s holds none; their names end in .mca", dir)
	}
	slices.Sort(names)
	m := newModel()
	m.columns = map[[2]int32]bool{}
	old := newLegacy()
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read region file: %w", err)
		}
		if err := m.region(data, t, old); err != nil {
			return nil, fmt.Errorf("read region file %s: %w", name, err)
		}
	}
	old.finish(m, t)
	m.measure()
	return m, nil
}

func (m *Model) region(data []byte, t *blocks.Table, old *legacy) error {
	const page = 4096
	if len(data) == 0 {
		return nil // never written to
	}
	if len(data) < 2*page {
		return fmt.Errorf("has %d bytes; its two tables alone take %d", len(data), 2*page)
	}
	for i := range 1024 {
		entry := binary.BigEndian.Uint32(data[4*i:])
		if entry == 0 {
			continue
		}
		bad := func(err error) error { return fmt.Errorf("chunk %d,%d: %w", i%32, i/32, err) }
		at := int(entry>>8) * page
		if at < 2*page || at+5 > len(data) {
			return bad(fmt.Errorf("lies at byte %d of %d", at, len(data)))
		}
		n := int(binary.BigEndian.Uint32(data[at:]))
		if n < 1 || n > len(data)-at-4 {
			return bad(fmt.Errorf("has a length of %d, beyond the end of the file", n))
		}
		raw, err := inflate(data[at+4], data[at+5:at+4+n])
		if err != nil {
			return bad(err)
		}
		root, err := readNBT(raw)
		if err != nil {
			return bad(err)
		}
		if err := m.chunk(root, t, old); err != nil {
			return bad(err)
		}
	}
	return nil
}

func inflate(how byte, data []byte) ([]byte, error) {
	var r io.Reader
	var err error
	switch how {
	case 1:
		r, err = gzip.NewReader(bytes.NewReader(data))
	case 2:
		r, err = zlib.NewReader(bytes.NewReader(data))
	case 3:
		r = bytes.NewReader(data)
	default:
		return nil, fmt.Errorf("is packed in the way %d; known are 1 (gzip), 2 (zlib) and 3 (not at all)", how)
	}
	if err != nil {
		return nil, err
	}
	return limited(r)
}

func limited(r io.Reader) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(r, maxInflated+1))
	if err == nil && len(out) > maxInflated {
		err = fmt.Errorf("unpacks to more than %d bytes", maxInflated)
	}
	return out, err
}

// chunk reads a column of sections, of any version.
func (m *Model) chunk(root compound, t *blocks.Table, old *legacy) error {
	body := root
	if root.has("Level") {
		body = root.in("Level")
	}
	x, z := int32(body.number("xPos")), int32(body.number("zPos"))
	list := body.list("Sections")
	if list == nil {
		list = body.list("sections")
	}
	if limit := int32(1 << 18); x < -limit || x > limit || z < -limit || z > limit {
		return fmt.Errorf("says that it is at %d,%d, out of any world", x, z)
	}
	switch strings.TrimPrefix(body.text("Status"), "minecraft:") {
	case "empty", "structure_starts", "structure_references", "biomes":
		return nil // begun, but nothing is built yet
	}
	m.columns[[2]int32{x, z}] = true
	for _, v := range list {
		s, _ := v.(compound)
		y := s.number("Y")
		if s == nil || y < -128 || y > 127 {
			continue
		}
		at := Pos{x, int32(y), z}
		var err error
		switch {
		case s.has("block_states"): // since 1.18
			err = m.palette(at, s.in("block_states").list("palette"), s.in("block_states").longs("data"), false, t)
		case s.has("Palette"): // since 1.13; until 1.15 an index may lie in two words
			err = m.palette(at, s.list("Palette"), s.longs("BlockStates"), root.number("DataVersion") < 2529, t)
		case s.has("Blocks"):
			err = old.section(at, s)
		}
		if err != nil {
			return fmt.Errorf("section %d: %w", y, err)
		}
	}
	return nil
}

// palette reads a section of names and indices.
func (m *Model) palette(at Pos, palette []tag, data []int64, tight bool, t *blocks.Table) error {
	if len(palette) == 0 {
		return nil
	}
	kinds := make([]uint16, len(palette))
	lost := make([]string, len(palette))
	for i, v := range palette {
		p, _ := v.(compound)
		name := p.text("Name")
		var props []blocks.Prop
		for k, v := range p.in("Properties") {
			if s, ok := v.(string); ok {
				props = append(props, blocks.Prop{Name: k, Value: s})
			}
		}
		known := false
		if kinds[i], known = m.named(t, name, props); !known {
			lost[i] = name
		}
	}
	var out [cells]uint16
	width := max(4, bits.Len(uint(len(palette)-1)))
	per := 64 / width
	need := (cells + per - 1) / per
	if tight {
		need = cells * width / 64
	}
	if len(palette) > 1 && len(data) < need {
		return fmt.Errorf("has %d words of indices; a palette of %d takes %d", len(data), len(palette), need)
	}
	for i := range out {
		index := uint64(0)
		switch {
		case len(palette) == 1:
		case tight:
			bit := i * width
			index = uint64(data[bit/64]) >> (bit % 64)
			if over := bit%64 + width - 64; over > 0 {
				index |= uint64(data[bit/64+1]) << (width - over)
			}
			index &= 1<<width - 1
		default:
			index = uint64(data[i/per]) >> (i % per * width) & (1<<width - 1)
		}
		if index >= uint64(len(kinds)) {
			return fmt.Errorf("cell %d has the index %d; the palette has %d entries", i, index, len(kinds))
		}
		out[i] = kinds[index]
		if lost[index] != "" {
			m.unknown[lost[index]]++
		}
	}
	if out != ([cells]uint16{}) {
		m.sections[at] = &out
	}
	return nil
}

// File reads one .schem or .schematic file, by what is in it.
func File(name string, data []byte, t *blocks.Table) (*Model, error) {
	raw := data
	if len(data) > 2 && data[0] == 0x1f && data[1] == 0x8b {
		var err error
		if raw, err = inflate(1, data); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	root, err := readNBT(raw)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	m := newModel()
	if root.has("Schematic") { // version 3 has a root of its own
		root = root.in("Schematic")
	}
	switch {
	case root.has("Palette") || root.in("Blocks") != nil:
		err = m.schem(root, t)
	case root.bytes("Blocks") != nil:
		err = m.schematic(root, t)
	default:
		err = fmt.Errorf("holds neither a palette nor blocks; known are .schem (1 to 3) and .schematic")
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	m.measure()
	return m, nil
}

// maxSide is the longest side of a schematic.
const maxSide = 4096

func sizeOf(root compound) (w, h, l int, err error) {
	// Sides are unsigned 16-bit numbers.
	w, h, l = int(root.number("Width")&0xffff), int(root.number("Height")&0xffff), int(root.number("Length")&0xffff)
	if w < 1 || h < 1 || l < 1 || w > maxSide || h > maxSide || l > maxSide || w*h*l > 1<<27 {
		return 0, 0, 0, fmt.Errorf("is %d × %d × %d; each side must be 1 to %d, and the volume at most %d", w, h, l, maxSide, 1<<27)
	}
	return w, h, l, nil
}

func (m *Model) schem(root compound, t *blocks.Table) error {
	w, h, l, err := sizeOf(root)
	if err != nil {
		return err
	}
	palette, data := root.in("Palette"), root.bytes("BlockData")
	if b := root.in("Blocks"); b != nil {
		palette, data = b.in("Palette"), b.bytes("Data")
	}
	kinds := make([]uint16, len(palette))
	lost := make([]string, len(palette))
	for text, v := range palette {
		i, ok := v.(int64)
		if !ok || i < 0 || i >= int64(len(kinds)) {
			return fmt.Errorf("palette entry %q has no number from 0 to %d", trim(text), len(kinds)-1)
		}
		name, props := blocks.Named(text)
		known := false
		if kinds[i], known = m.named(t, name, props); !known {
			lost[i] = name
		}
	}
	for i := range w * h * l {
		index, n := binary.Uvarint(data)
		if n <= 0 || index >= uint64(len(kinds)) {
			return fmt.Errorf("block %d of %d has no index below %d", i, w*h*l, len(kinds))
		}
		data = data[n:]
		m.set(Pos{int32(i % w), int32(i / w / l), int32(i / w % l)}, kinds[index])
		if lost[index] != "" {
			m.unknown[lost[index]]++
		}
	}
	return nil
}

func (m *Model) schematic(root compound, t *blocks.Table) error {
	w, h, l, err := sizeOf(root)
	if err != nil {
		return err
	}
	ids, meta, more := root.bytes("Blocks"), root.bytes("Data"), root.bytes("AddBlocks")
	if len(ids) != w*h*l || len(meta) != w*h*l {
		return fmt.Errorf("has %d blocks and %d data; %d × %d × %d takes %d", len(ids), len(meta), w, h, l, w*h*l)
	}
	old := newLegacy()
	for i, id := range ids {
		n := int(id)
		if i/2 < len(more) {
			n |= int(more[i/2]>>(4*(i&1))&15) << 8
		}
		old.put(Pos{int32(i % w), int32(i / w / l), int32(i / w % l)}, uint16(n<<4|int(meta[i])&15))
	}
	old.finish(m, t)
	return nil
}

// ext says what kind of file a name is: "schem", "schematic", "mca" or something else.
func ext(name string) string { return strings.TrimPrefix(path.Ext(name), ".") }

// Open reads what a path of a file system holds: a .schem or .schematic file, a folder of region files, or a world with a folder
// "region" in it.
func Open(files fs.FS, name string, t *blocks.Table) (*Model, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, fmt.Errorf("read arena: %w", err)
	}
	if !info.IsDir() {
		if e := ext(name); e != "schem" && e != "schematic" {
			return nil, fmt.Errorf("read arena %s: known are .schem, .schematic, and folders of .mca files", name)
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read arena: %w", err)
		}
		return File(name, data, t)
	}
	if sub, err := fs.Stat(files, path.Join(name, "region")); err == nil && sub.IsDir() {
		name = path.Join(name, "region")
	}
	return Region(files, name, t)
}
