package voxel

import (
	"math/bits"
	"slices"
)

// Names of the blocks beyond the box.
const outsideName = "outside"

// sectionSize is the edge of a section; sectionCells its volume.
const (
	sectionSize  = 16
	sectionCells = sectionSize * sectionSize * sectionSize
)

// section is 16³ cells in the order y, z, x: cell (x, y, z) of a section has the index y<<8 | z<<4 | x.
type section struct {
	palette []uint16                   // indices into grid.blocks
	width   uint8                      // bits of an index into palette: 0, 1, 2, 4, 8 or 16
	data    []uint64                   // sectionCells indices, low bits first; nil when width is 0
	some    *[sectionCells / 64]uint64 // one bit, by spot, for each cell that rays or bodies may care about; nil when there is none
	full    *[sectionCells / 64]uint64 // of these, the cells that a box fills on and in which nothing hinders a body; nil when some is
	light   []uint8                    // block light << 4 | sky light of each cell; nil when all cells have the light even
	even    uint8
}

// id returns the index into grid.blocks of cell i.
func (s *section) id(i uint32) uint16 {
	if s.width == 0 {
		return s.palette[0]
	}
	return s.palette[s.index(i)]
}

// index returns the index into the palette of cell i.
func (s *section) index(i uint32) uint64 {
	if s.width == 0 {
		return 0
	}
	at := i * uint32(s.width)
	return s.data[at>>6] >> (at & 63) & (1<<s.width - 1)
}

func (s *section) lit(i uint32) uint8 {
	if s.light == nil {
		return s.even
	}
	return s.light[i]
}

// widthOf returns the bits of an index into a palette of n entries.
func widthOf(n int) uint8 {
	switch w := bits.Len(uint(n - 1)); {
	case w <= 2:
		return uint8(w)
	case w <= 4:
		return 4
	case w <= 8:
		return 8
	default:
		return 16
	}
}

// pack returns a section of the given cells, each an index into blocks.
func pack(cells *[sectionCells]uint16, shapes []shape) *section {
	s := &section{}
	const none = 0xffff
	local := make([]uint16, len(shapes))
	for i := range local {
		local[i] = none
	}
	for _, id := range cells {
		if local[id] == none {
			local[id] = uint16(len(s.palette))
			s.palette = append(s.palette, id)
		}
	}
	s.width = widthOf(len(s.palette))
	if s.width > 0 {
		s.data = make([]uint64, sectionCells/64*int(s.width))
		for i, id := range cells {
			at := uint32(i) * uint32(s.width)
			s.data[at>>6] |= uint64(local[id]) << (at & 63)
		}
	}
	s.mark(shapes)
	return s
}

// mark sets the bits of a section of which the cells are known.
func (s *section) mark(shapes []shape) {
	s.some, s.full = nil, nil
	for _, id := range s.palette {
		if shapes[id].matters {
			s.some, s.full = new([sectionCells / 64]uint64), new([sectionCells / 64]uint64)
			break
		}
	}
	if s.some == nil {
		return
	}
	for i := range uint32(sectionCells) {
		s.markCell(i, &shapes[s.id(i)])
	}
}

// markCell sets the bits of one cell.
func (s *section) markCell(i uint32, shape *shape) {
	at := i&15<<4 | i>>4&15<<8 | i>>8
	bit := uint64(1) << (at & 63)
	s.some[at>>6] &^= bit
	s.full[at>>6] &^= bit
	if shape.matters {
		s.some[at>>6] |= bit
	}
	if shape.full && shape.flags&stopSolid != 0 && shape.medium == Air {
		s.full[at>>6] |= bit
	}
}

// at says whether the bit of a spot is set in some.
func (s *section) at(spot uint32) bool {
	return s.some != nil && s.some[spot>>6]>>(spot&63)&1 != 0
}

// copy returns a section of its own to put other blocks into. It shares the light, and the palette as long as that is.
func (s *section) copy() *section {
	c := *s
	c.palette, c.data = slices.Clip(s.palette), slices.Clone(s.data)
	if s.some != nil {
		some, full := *s.some, *s.full
		c.some, c.full = &some, &full
	}
	return &c
}

// put makes cell i the block id.
func (s *section) put(i uint32, id uint16, shapes []shape) {
	at := slices.Index(s.palette, id)
	if at < 0 {
		at = len(s.palette)
		s.palette = append(s.palette, id)
		if width := widthOf(len(s.palette)); width != s.width {
			data := make([]uint64, sectionCells/64*int(width))
			for j := range uint32(sectionCells) {
				to := j * uint32(width)
				data[to>>6] |= uint64(s.index(j)) << (to & 63)
			}
			s.width, s.data = width, data
		}
	}
	if s.width > 0 {
		bit := i * uint32(s.width)
		s.data[bit>>6] = s.data[bit>>6]&^((1<<s.width-1)<<(bit&63)) | uint64(at)<<(bit&63)
	}
	if s.some == nil && shapes[id].matters {
		s.some, s.full = new([sectionCells / 64]uint64), new([sectionCells / 64]uint64)
	}
	if s.some != nil {
		s.markCell(i, &shapes[id])
	}
}

// grid is a box of sections with the blocks they name: what Arena and Overlay have in common.
type grid struct {
	bounds     Bounds
	nx, ny, nz int32 // size in sections
	sections   []*section
	bits       []*[sectionCells / 64]uint64 // of each section its some, or nothing
	kinds      *kinds
	blocks     []Block // of kinds: blocks[0] is air, blocks[1] what lies outside
	shapes     []shape // of blocks
	above      *section
	beside     *section
}

func (g *grid) view() *grid { return g }

// index fills bits, when all sections are as they stay.
func (g *grid) index() {
	g.bits = make([]*[sectionCells / 64]uint64, len(g.sections))
	for i, s := range g.sections {
		if g.bits[i] = s.some; s.some == nil {
			g.bits[i] = &nothing
		}
	}
}

// Bounds returns the box of the world.
func (g *grid) Bounds() Bounds { return g.bounds }

// sectionAt returns the section that holds p, or one that stands for what lies outside.
func (g *grid) sectionAt(x, y, z int32) *section {
	x, y, z = x-g.bounds.Min.X, y-g.bounds.Min.Y, z-g.bounds.Min.Z
	if uint32(x) >= uint32(g.nx<<4) || uint32(z) >= uint32(g.nz<<4) || y < 0 {
		return g.beside
	}
	if y >= g.ny<<4 {
		return g.above
	}
	return g.sections[((y>>4)*g.nz+(z>>4))*g.nx+(x>>4)]
}

// cell returns the index of a block inside its section. Origins are multiples of 16, so the low bits do.
func cell(x, y, z int32) uint32 { return uint32(y&15)<<8 | uint32(z&15)<<4 | uint32(x&15) }

// spot returns the index of a block in the bits of its section, in the order z, x, y (y fastest): those of a column lie together.
func spot(x, y, z int32) uint32 { return uint32(z&15)<<8 | uint32(x&15)<<4 | uint32(y&15) }

// cellOf returns the index of a cell by its spot.
func cellOf(spot uint32) uint32 { return spot&15<<8 | spot>>4&0xf0 | spot>>4&15 }

// column returns the bits of 64 cells of a column, the lowest at y: section.some, and section.full.
func (g *grid) column(x, y, z int32) (some, full uint64) {
	at := spot(x, 0, z)
	for low := y &^ 15; low < y+64; low += sectionSize {
		s := g.sectionAt(x, low, z)
		if s.some == nil {
			continue
		}
		a, b := s.some[at>>6]>>(at&63)&0xffff, s.full[at>>6]>>(at&63)&0xffff
		if by := low - y; by >= 0 {
			some, full = some|a<<by, full|b<<by
		} else {
			some, full = some|a>>-by, full|b>>-by
		}
	}
	return some, full
}

func (g *grid) shapeAt(x, y, z int32) *shape {
	return &g.shapes[g.sectionAt(x, y, z).id(cell(x, y, z))]
}

// Block returns what is at p: see World.
func (g *grid) Block(p Pos) *Block {
	return &g.blocks[g.sectionAt(p.X, p.Y, p.Z).id(cell(p.X, p.Y, p.Z))]
}

// Light returns the light at p: see World.
func (g *grid) Light(p Pos) Light {
	l := g.sectionAt(p.X, p.Y, p.Z).lit(cell(p.X, p.Y, p.Z))
	return Light{Block: l >> 4, Sky: l & 15}
}
