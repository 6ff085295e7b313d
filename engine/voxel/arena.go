package voxel

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Hash is the SHA-256 of an arena's content. Equal content has an equal hash, however it was packed.
type Hash [sha256.Size]byte

// String returns the hash in hexadecimal.
func (h Hash) String() string { return fmt.Sprintf("%x", h[:]) }

// Arena is a box of blocks with its light. It is immutable and safe for concurrent use.
type Arena struct {
	grid
	hash Hash
}

var _ World = (*Arena)(nil)

// Hash returns the SHA-256 of the bounds and the blocks.
func (a *Arena) Hash() Hash { return a.hash }

// Section is 16³ blocks as they travel: a palette and one index for each cell.
type Section struct {
	At      Pos // smallest corner, each a multiple of 16
	Palette []Block
	// Indices holds 4096 indices into Palette in the order y, z, x (x fastest), each 1, 2, 4, 8 or 16 bits wide, the
	// narrowest that holds len(Palette)-1, low bits first, little endian. With one palette entry it is empty.
	Indices []byte
}

// NewArena makes an arena from its sections, in any order. The corners of bounds are multiples of 16. Refused, as
// *InvalidError: bounds that are empty, misaligned, beyond MaxCoord or of more than maxCells cells; a section that is
// missing, given twice or outside; an empty palette or one of more than 4096; an invalid block; indices of the wrong
// length; an index beyond the palette.
func NewArena(bounds Bounds, sections []Section, maxCells int64) (*Arena, error) {
	g, err := newGrid(bounds, maxCells)
	if err != nil {
		return nil, err
	}
	if n := len(g.sections); len(sections) > n {
		return nil, &InvalidError{Field: "sections", Why: fmt.Sprintf("are %d; the bounds have room for %d", len(sections), n)}
	}
	k := newKinds()
	cells := make([][sectionCells]uint16, 0, 1)
	decoded := make([]int, len(g.sections)) // 1 + index into cells
	for i := range sections {
		s := &sections[i]
		at, err := g.slot(i, s.At)
		if err != nil {
			return nil, err
		}
		if decoded[at] != 0 {
			return nil, sectionError(i, s.At, "at", "is given twice")
		}
		var c [sectionCells]uint16
		if err := s.decode(i, k, &c); err != nil {
			return nil, err
		}
		cells = append(cells, c)
		decoded[at] = len(cells)
	}
	g.use(k)
	for i, d := range decoded {
		if d == 0 {
			return nil, &InvalidError{Field: "sections", Why: fmt.Sprintf("lack the one at %v", g.corner(i))}
		}
		g.sections[i] = pack(&cells[d-1], g.shapes)
	}
	return finish(g), nil
}

// finish floods the light of g and hashes it.
func finish(g *grid) *Arena {
	g.flood()
	g.index()
	a := &Arena{grid: *g}
	a.hash = a.sum()
	return a
}

// newGrid returns a grid without sections.
func newGrid(b Bounds, maxCells int64) (*grid, error) {
	bad := func(format string, args ...any) error {
		return &InvalidError{Field: "bounds", Why: fmt.Sprintf(format, args...)}
	}
	for _, v := range [...]int32{b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z} {
		if outside(v, MaxCoord) {
			return nil, bad("reach %d; block coordinates go to ±%d", v, MaxCoord)
		}
		if v%sectionSize != 0 {
			return nil, bad("have a side at %d; each must be a multiple of 16", v)
		}
	}
	if b.Min.X >= b.Max.X || b.Min.Y >= b.Max.Y || b.Min.Z >= b.Max.Z {
		return nil, bad("go from %v to %v; each side must go up", b.Min, b.Max)
	}
	g := &grid{
		bounds: b,
		nx:     (b.Max.X - b.Min.X) / sectionSize,
		ny:     (b.Max.Y - b.Min.Y) / sectionSize,
		nz:     (b.Max.Z - b.Min.Z) / sectionSize,
	}
	// Sides are at most 2²³, so two of them multiply safely and the third may be compared by division.
	if flat := int64(g.nx) * int64(g.nz) * sectionCells; flat > maxCells || int64(g.ny) > maxCells/flat {
		return nil, bad("go from %v to %v, which is more than the %d cells allowed", b.Min, b.Max, maxCells)
	}
	g.sections = make([]*section, int(g.nx)*int(g.ny)*int(g.nz))
	g.above = &section{palette: []uint16{0}, even: MaxLight}
	g.beside = &section{palette: []uint16{1}, some: new([sectionCells / 64]uint64)}
	for i := range g.beside.some {
		g.beside.some[i] = ^uint64(0)
	}
	g.beside.full = g.beside.some
	return g, nil
}

// use makes the blocks of k those of g. k is not to be changed any more.
func (g *grid) use(k *kinds) {
	g.kinds, g.blocks, g.shapes = k, k.blocks, shapesOf(k.blocks)
}

// slot returns the index of the i-th section given, which begins at p.
func (g *grid) slot(i int, p Pos) (int, error) {
	if p.X%sectionSize != 0 || p.Y%sectionSize != 0 || p.Z%sectionSize != 0 {
		return 0, sectionError(i, p, "at", "is not aligned; each coordinate must be a multiple of 16")
	}
	if !g.bounds.Contains(p) {
		return 0, sectionError(i, p, "at", fmt.Sprintf("is outside the bounds %v to %v", g.bounds.Min, g.bounds.Max))
	}
	return g.indexOf(p), nil
}

// indexOf returns the index of the section that holds p, which is inside.
func (g *grid) indexOf(p Pos) int {
	x, y, z := (p.X-g.bounds.Min.X)>>4, (p.Y-g.bounds.Min.Y)>>4, (p.Z-g.bounds.Min.Z)>>4
	return int((y*g.nz+z)*g.nx + x)
}

// corner returns where section i begins.
func (g *grid) corner(i int) Pos {
	n := int32(i)
	x, z, y := n%g.nx, n/g.nx%g.nz, n/g.nx/g.nz
	return g.bounds.Min.Add(Pos{x * sectionSize, y * sectionSize, z * sectionSize})
}

func sectionError(i int, at Pos, field, why string) error {
	return &InvalidError{Field: fmt.Sprintf("sections[%d].%s", i, field), Why: fmt.Sprintf("(the section at %v) %s", at, why)}
}

// decode writes the blocks of s into cells as numbers of k.
func (s *Section) decode(n int, k *kinds, cells *[sectionCells]uint16) error {
	switch {
	case len(s.Palette) == 0:
		return sectionError(n, s.At, "palette", "is empty; at least one block is needed")
	case len(s.Palette) > sectionCells:
		return sectionError(n, s.At, "palette", fmt.Sprintf("has %d entries; a section has only %d cells", len(s.Palette), sectionCells))
	}
	width := int(widthOf(len(s.Palette)))
	if want := sectionCells / 8 * width; len(s.Indices) != want {
		return sectionError(n, s.At, "indices", fmt.Sprintf("have %d bytes; a palette of %d takes %d bits a cell, %d bytes",
			len(s.Indices), len(s.Palette), width, want))
	}
	ids := make([]uint16, len(s.Palette))
	for i := range s.Palette {
		if err := s.Palette[i].Validate(); err != nil {
			bad := err.(*InvalidError)
			return sectionError(n, s.At, fmt.Sprintf("palette[%d].%s", i, bad.Field), bad.Why)
		}
		id, ok := k.id(&s.Palette[i])
		if !ok {
			return &InvalidError{Field: "sections", Why: fmt.Sprintf("have more than %d different blocks together", maxKinds)}
		}
		ids[i] = id
	}
	for i := range cells {
		index := 0
		switch bit := i * width; width {
		case 0:
		case 16:
			index = int(binary.LittleEndian.Uint16(s.Indices[bit/8:]))
		default:
			index = int(s.Indices[bit/8]) >> (bit % 8) & (1<<width - 1)
		}
		if index >= len(ids) {
			return sectionError(n, s.At, fmt.Sprintf("indices[%d]", i), fmt.Sprintf("is %d; the palette has %d entries", index, len(ids)))
		}
		cells[i] = ids[index]
	}
	return nil
}

// Sections returns the content of the arena in its canonical form: sections in the order y, z, x, each palette in the
// order in which its blocks first occur. The blocks share their boxes with the arena.
func (a *Arena) Sections() []Section {
	out := make([]Section, len(a.sections))
	for i, s := range a.sections {
		out[i] = Section{At: a.corner(i), Palette: make([]Block, len(s.palette)), Indices: make([]byte, 0, len(s.data)*8)}
		for j, id := range s.palette {
			out[i].Palette[j] = a.blocks[id]
		}
		for _, w := range s.data {
			out[i].Indices = binary.LittleEndian.AppendUint64(out[i].Indices, w)
		}
	}
	return out
}

// sum returns the hash of the canonical form.
func (a *Arena) sum() Hash {
	h := sha256.New()
	buf := []byte("autobattle arena 1\n")
	for _, p := range [...]Pos{a.bounds.Min, a.bounds.Max} {
		for _, v := range [...]int32{p.X, p.Y, p.Z} {
			buf = binary.LittleEndian.AppendUint32(buf, uint32(v))
		}
	}
	for _, s := range a.Sections() {
		buf = binary.LittleEndian.AppendUint16(buf, uint16(len(s.Palette)))
		for i := range s.Palette {
			buf = appendBlock(buf, &s.Palette[i])
		}
		buf = append(buf, s.Indices...)
		h.Write(buf)
		buf = buf[:0]
	}
	return Hash(h.Sum(nil))
}

// Builder makes an arena block by block. Blocks not set are air. The first error stays and is returned by Build.
type Builder struct {
	g     *grid
	kinds *kinds
	cells [][sectionCells]uint16
	err   error
}

// NewBuilder returns a builder for a box of size sections on each axis that begins at origin, whose coordinates are
// multiples of 16.
func NewBuilder(origin, size Pos) *Builder {
	const limit = 1 << 28
	for _, v := range [...]int32{size.X, size.Y, size.Z} {
		if v < 1 || v > MaxCoord/sectionSize {
			return &Builder{err: &InvalidError{Field: "size", Why: fmt.Sprintf("is %v sections; each side must be 1 to %d", size, MaxCoord/sectionSize)}}
		}
	}
	end := origin.Add(Pos{size.X * sectionSize, size.Y * sectionSize, size.Z * sectionSize})
	g, err := newGrid(Bounds{origin, end}, limit)
	if err != nil {
		return &Builder{err: err}
	}
	return &Builder{g: g, kinds: newKinds(), cells: make([][sectionCells]uint16, len(g.sections))}
}

// Set puts b at p.
func (b *Builder) Set(p Pos, block Block) *Builder { return b.Fill(p, p, block) }

// Fill puts block into every cell of the box between two corners, both included.
func (b *Builder) Fill(p, q Pos, block Block) *Builder {
	if b.err != nil {
		return b
	}
	lo := Pos{min(p.X, q.X), min(p.Y, q.Y), min(p.Z, q.Z)}
	hi := Pos{max(p.X, q.X), max(p.Y, q.Y), max(p.Z, q.Z)}
	if !b.g.bounds.Contains(lo) || !b.g.bounds.Contains(hi) {
		b.err = &InvalidError{Field: "at", Why: fmt.Sprintf("%v to %v is outside the bounds %v to %v", lo, hi, b.g.bounds.Min, b.g.bounds.Max)}
		return b
	}
	if err := block.Validate(); err != nil {
		b.err = err
		return b
	}
	id, ok := b.kinds.id(&block)
	if !ok {
		b.err = &InvalidError{Field: "block", Why: fmt.Sprintf("%q is one kind too many; at most %d are allowed", block.Name, maxKinds)}
		return b
	}
	for y := lo.Y; y <= hi.Y; y++ {
		for z := lo.Z; z <= hi.Z; z++ {
			for x := lo.X; x <= hi.X; x++ {
				b.cells[b.g.indexOf(Pos{x, y, z})][cell(x, y, z)] = id
			}
		}
	}
	return b
}

// Build returns the arena. The builder may be used on and built again.
func (b *Builder) Build() (*Arena, error) {
	if b.err != nil {
		return nil, fmt.Errorf("build arena: %w", b.err)
	}
	g := *b.g
	g.sections = make([]*section, len(b.cells))
	g.use(b.kinds.copy())
	for i := range b.cells {
		g.sections[i] = pack(&b.cells[i], g.shapes)
	}
	return finish(&g), nil
}
