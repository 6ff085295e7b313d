package voxel

import (
	"encoding/binary"
	"slices"
)

// maxKinds is the largest number of different blocks in one world; indices are 16 bits and one value means none.
const maxKinds = 0xffff

// appendBlock appends the canonical form of b: every field in a fixed order, lengths before lists, little endian.
func appendBlock(to []byte, b *Block) []byte {
	to = binary.LittleEndian.AppendUint16(to, uint16(len(b.Name)))
	to = append(to, b.Name...)
	to = append(to, uint8(b.Sight), 0, uint8(b.Medium), b.Emits, b.Passes, uint8(len(b.Boxes)))
	if b.BulletProof {
		to[len(to)-5] = 1
	}
	to = binary.LittleEndian.AppendUint32(to, uint32(b.Durability))
	for _, x := range b.Boxes {
		to = append(to, x.X0, x.Y0, x.Z0, x.X1, x.Y1, x.Z1)
	}
	return to
}

// kinds collects the different blocks of a world.
type kinds struct {
	blocks []Block
	keys   []string // canonical forms, sorted
	at     []uint16 // keys[i] is the form of blocks[at[i]]
	of     *kinds   // what the lists belong to and must not be changed; nil: they are its own
}

// newKinds returns the two blocks that every world has: air, and what lies outside.
func newKinds() *kinds {
	k := &kinds{}
	air, out := NoBlock(), FullCube(outsideName)
	k.id(&air)
	k.id(&out)
	return k
}

// copy returns a collection that begins like k. The blocks share their boxes.
func (k *kinds) copy() *kinds {
	return &kinds{blocks: slices.Clone(k.blocks), keys: slices.Clone(k.keys), at: slices.Clone(k.at)}
}

// fork returns k itself as long as nothing new is added to it, and then a copy.
func (k *kinds) fork() *kinds { return &kinds{blocks: k.blocks, keys: k.keys, at: k.at, of: k} }

// id returns the number of b, which is added when it is new. The block is copied with its boxes. ok is false when there
// are too many.
func (k *kinds) id(b *Block) (id uint16, ok bool) {
	key := string(appendBlock(nil, b))
	i, found := slices.BinarySearch(k.keys, key)
	if found {
		return k.at[i], true
	}
	if len(k.blocks) >= maxKinds {
		return 0, false
	}
	if k.of != nil {
		*k = *k.copy()
	}
	id = uint16(len(k.blocks))
	c := *b
	c.Boxes = slices.Clone(b.Boxes)
	k.blocks = append(k.blocks, c)
	k.keys = slices.Insert(k.keys, i, key)
	k.at = slices.Insert(k.at, i, id)
	return id, true
}

func shapesOf(blocks []Block) []shape {
	s := make([]shape, len(blocks))
	for i := range blocks {
		s[i] = shapeOf(&blocks[i])
	}
	return s
}
