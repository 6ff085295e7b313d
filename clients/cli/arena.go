package main

import (
	pb "autobattle/proto/autobattle/v1"
)

// The demonstration arena: a walled court in the evening, a porch with a lamp and a breastwork, a chest-high wall to take cover
// behind, low slabs, a glass screen, and a dark corner. 48 × 16 × 32 blocks; floors at y 0, feet at y 1.
const (
	arenaX, arenaY, arenaZ = 48, 16, 32
	section                = 16
)

// Entries of the palette.
const (
	air = iota
	stone
	slab
	glass
	lamp
)

// lampAt is where the lamp hangs; the demonstration breaks it.
var lampAt = [3]int32{10, 3, 12}

func whole() *pb.Box { return &pb.Box{X1: 16, Y1: 16, Z1: 16} }

func airBlock() *pb.Block {
	return &pb.Block{Name: "air", Sight: pb.Sight_SIGHT_CLEAR, Medium: pb.Medium_MEDIUM_AIR, Passes: 15}
}

func palette() []*pb.Block {
	return []*pb.Block{
		air:   airBlock(),
		stone: {Name: "stone", Boxes: []*pb.Box{whole()}, Sight: pb.Sight_SIGHT_OPAQUE, BulletProof: true, Durability: 12, Medium: pb.Medium_MEDIUM_AIR},
		slab:  {Name: "stone_slab", Boxes: []*pb.Box{{X1: 16, Y1: 8, Z1: 16}}, Sight: pb.Sight_SIGHT_OPAQUE, BulletProof: true, Durability: 8, Medium: pb.Medium_MEDIUM_AIR},
		glass: {Name: "glass", Boxes: []*pb.Box{whole()}, Sight: pb.Sight_SIGHT_CLEAR, BulletProof: true, Durability: 1, Medium: pb.Medium_MEDIUM_AIR, Passes: 15},
		lamp:  {Name: "lamp", Boxes: []*pb.Box{whole()}, Sight: pb.Sight_SIGHT_OPAQUE, BulletProof: true, Durability: 1, Medium: pb.Medium_MEDIUM_AIR, Emits: 15},
	}
}

// cells is the arena as palette entries, x fastest, then z, then y.
type cells [arenaX * arenaY * arenaZ]byte

func (c *cells) fill(x0, y0, z0, x1, y1, z1 int, block byte) {
	for y := y0; y <= y1; y++ {
		for z := z0; z <= z1; z++ {
			for x := x0; x <= x1; x++ {
				c[(y*arenaZ+z)*arenaX+x] = block
			}
		}
	}
}

func demoCells() *cells {
	c := &cells{}
	c.fill(0, 0, 0, arenaX-1, 0, arenaZ-1, stone)
	// A wall round everything.
	c.fill(0, 1, 0, arenaX-1, 3, 0, stone)
	c.fill(0, 1, arenaZ-1, arenaX-1, 3, arenaZ-1, stone)
	c.fill(0, 1, 0, 0, 3, arenaZ-1, stone)
	c.fill(arenaX-1, 1, 0, arenaX-1, 3, arenaZ-1, stone)
	// A breastwork of a block and a slab, with a gap.
	c.fill(14, 1, 6, 14, 1, 12, stone)
	c.fill(14, 2, 6, 14, 2, 8, slab)
	// A glass screen, and low slabs.
	c.fill(22, 1, 18, 22, 2, 22, glass)
	c.fill(26, 1, 8, 28, 1, 8, slab)
	// The chest-high wall: a block and a slab.
	c.fill(24, 1, 13, 24, 1, 16, stone)
	c.fill(24, 2, 13, 24, 2, 16, slab)
	// The porch, and the roof of the dark corner with a wall beside it.
	c.fill(5, 4, 5, 14, 4, 15, stone)
	c.fill(30, 4, 18, arenaX-2, 4, arenaZ-2, stone)
	c.fill(30, 1, 18, 30, 3, 22, stone)
	c.fill(int(lampAt[0]), int(lampAt[1]), int(lampAt[2]), int(lampAt[0]), int(lampAt[1]), int(lampAt[2]), lamp)
	return c
}

// demoArena is the arena as PutArena takes it.
func demoArena() []*pb.PutArenaRequest {
	c := demoCells()
	var sections []*pb.ArenaSection
	for y := 0; y < arenaY; y += section {
		for z := 0; z < arenaZ; z += section {
			for x := 0; x < arenaX; x += section {
				sections = append(sections, c.section(x, y, z))
			}
		}
	}
	return []*pb.PutArenaRequest{
		{Part: &pb.PutArenaRequest_Header{Header: &pb.ArenaHeader{Min: &pb.Cell{}, Max: &pb.Cell{X: arenaX, Y: arenaY, Z: arenaZ}, Palette: palette()}}},
		{Part: &pb.PutArenaRequest_Sections{Sections: &pb.ArenaSections{Sections: sections}}},
	}
}

// section is 16³ blocks as runs of equal blocks.
func (c *cells) section(x0, y0, z0 int) *pb.ArenaSection {
	s := &pb.ArenaSection{At: &pb.Cell{X: int32(x0), Y: int32(y0), Z: int32(z0)}, Palette: []uint32{air, stone, slab, glass, lamp}}
	last, n := byte(0), uint32(0)
	for y := y0; y < y0+section; y++ {
		for z := z0; z < z0+section; z++ {
			for x := x0; x < x0+section; x++ {
				b := c[(y*arenaZ+z)*arenaX+x]
				if n > 0 && b != last {
					s.Runs = append(s.Runs, n, uint32(last))
					n = 0
				}
				last = b
				n++
			}
		}
	}
	s.Runs = append(s.Runs, n, uint32(last))
	return s
}
