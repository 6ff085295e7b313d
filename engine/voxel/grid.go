package voxel

import "math/bits"

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
	solid   *[sectionCells / 64]uint64 // one bit for each cell that any ray may care about; nil when there is none
	light   []uint8                    // block light << 4 | sky light of each cell; nil when all cells have the light even
	even    uint8
}

// id returns the index into grid.blocks of cell i.
func (s *section) id(i uint32) uint16 {
	if s.width == 0 {
		return s.palette[0]
	}
	at := i * uint32(s.width)
	return s.palette[s.data[at>>6]>>(at&63)&(1<<s.width-1)]
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
	for _, id := range s.palette {
		if shapes[id].flags != 0 {
			s.solid = new([sectionCells / 64]uint64)
			break
		}
	}
	if s.solid != nil {
		for i, id := range cells {
			if shapes[id].flags != 0 {
				s.solid[i>>6] |= 1 << (i & 63)
			}
		}
	}
	return s
}

// unpack writes the cells of s as indices into blocks.
func (s *section) unpack(cells *[sectionCells]uint16) {
	for i := range cells {
		cells[i] = s.id(uint32(i))
	}
}

// grid is a box of sections with the blocks they name: what Arena and Overlay have in common.
type grid struct {
	bounds     Bounds
	nx, ny, nz int32 // size in sections
	sections   []*section
	blocks     []Block // blocks[0] is air, blocks[1] what lies outside
	shapes     []shape // of blocks
	above      *section
	beside     *section
}

func (g *grid) view() *grid { return g }

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
