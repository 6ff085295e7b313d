package voxel

import "fmt"

// InvalidError is a value from outside that cannot be used. Field names it as the schema does.
type InvalidError struct {
	Field string
	Why   string
}

// Error returns the field and the reason.
func (e *InvalidError) Error() string { return e.Field + " " + e.Why }

// Box is a part of a block in 1/16 block from its smallest corner, each value 0 to 16, From below To on every axis.
type Box struct{ X0, Y0, Z0, X1, Y1, Z1 uint8 }

// Whole returns the box that fills a block.
func Whole() Box { return Box{X1: 16, Y1: 16, Z1: 16} }

// Sight is what a block does to a line of sight. The zero value is Clear.
type Sight uint8

// The three kinds of sight. A dim block (leaves, smoke, water) lets see, badly.
const (
	Clear Sight = iota
	Dim
	Opaque
)

// Medium is what a body meets inside a block, or walking on top of it. The zero value is Air: nothing.
type Medium uint8

// The media of KM-MOVE-11 to KM-MOVE-13.
const (
	Air Medium = iota
	Liquid
	Climbable
	HardGoing
	VeryHardGoing
)

// MaxLight is the brightest light level.
const MaxLight = 15

// MaxBoxes is the largest number of boxes a block may have.
const MaxBoxes = 32

// Block is one kind of block: an entry of a palette. The zero Block is air that passes no light; use NoBlock for air.
type Block struct {
	Name        string
	Boxes       []Box // what bodies collide with; the same boxes stop sight and bullets. None: bodies pass
	Sight       Sight // of the boxes; without boxes, of the whole cell
	BulletProof bool  // the boxes stop bullets; without boxes, the whole cell
	Durability  int32 // damage it takes before it breaks; 0: it is not broken by damage
	Medium      Medium
	Emits       uint8 // light given off, 0 to 15
	Passes      uint8 // light let through: light that enters loses 15 - Passes, but at least 1; 0: none passes
}

// Validate refuses a block without a name, with a box out of 0 to 16 or without volume, too many boxes, an unknown
// sight or medium, light above 15, or negative durability. The error names the field.
func (b *Block) Validate() error {
	bad := func(field, format string, args ...any) error {
		return &InvalidError{Field: field, Why: fmt.Sprintf("of block %q ", b.Name) + fmt.Sprintf(format, args...)}
	}
	switch {
	case b.Name == "":
		return &InvalidError{Field: "name", Why: "of a block is empty"}
	case len(b.Name) > 256:
		return &InvalidError{Field: "name", Why: fmt.Sprintf("of a block has %d bytes; at most 256 are allowed", len(b.Name))}
	case b.Sight > Opaque:
		return bad("sight", "is %d; it must be 0 (clear), 1 (dim) or 2 (opaque)", b.Sight)
	case b.Medium > VeryHardGoing:
		return bad("medium", "is %d; the last known is %d", b.Medium, VeryHardGoing)
	case b.Emits > MaxLight:
		return bad("emits", "is %d; light goes from 0 to 15", b.Emits)
	case b.Passes > MaxLight:
		return bad("passes", "is %d; light goes from 0 to 15", b.Passes)
	case b.Durability < 0:
		return bad("durability", "is %d; it cannot be negative", b.Durability)
	case len(b.Boxes) > MaxBoxes:
		return bad("boxes", "are %d; at most %d are allowed", len(b.Boxes), MaxBoxes)
	}
	for i, x := range b.Boxes {
		if x.X1 > 16 || x.Y1 > 16 || x.Z1 > 16 || x.X0 >= x.X1 || x.Y0 >= x.Y1 || x.Z0 >= x.Z1 {
			return bad(fmt.Sprintf("boxes[%d]", i), "is %d %d %d to %d %d %d; each side must go up within 0 to 16",
				x.X0, x.Y0, x.Z0, x.X1, x.Y1, x.Z1)
		}
	}
	return nil
}

// Equal says whether a and b are the same kind of block in every field.
func (b *Block) Equal(o *Block) bool {
	if b.Name != o.Name || b.Sight != o.Sight || b.BulletProof != o.BulletProof || b.Durability != o.Durability ||
		b.Medium != o.Medium || b.Emits != o.Emits || b.Passes != o.Passes || len(b.Boxes) != len(o.Boxes) {
		return false
	}
	for i := range b.Boxes {
		if b.Boxes[i] != o.Boxes[i] {
			return false
		}
	}
	return true
}

// Top returns the height of the highest box in 1/16 block; 0 without boxes.
func (b *Block) Top() int32 {
	top := uint8(0)
	for _, x := range b.Boxes {
		top = max(top, x.Y1)
	}
	return int32(top)
}

// NoBlock returns air.
func NoBlock() Block { return Block{Name: "air", Passes: MaxLight} }

// FullCube returns an opaque, bullet-proof, unbreakable cube: what an unknown block counts as.
func FullCube(name string) Block {
	return Block{Name: name, Boxes: []Box{Whole()}, Sight: Opaque, BulletProof: true}
}

// Slab returns the lower half of a full cube.
func Slab(name string) Block {
	b := FullCube(name)
	b.Boxes = []Box{{X1: 16, Y1: 8, Z1: 16}}
	b.Passes = MaxLight
	return b
}

// Stairs returns the lower half of a cube and the upper quarter on the side that the look points to, the longer
// horizontal component deciding and x on a tie.
func Stairs(name string, towards Look) Block {
	b := Slab(name)
	up := Box{Y0: 8, X1: 16, Y1: 16, Z1: 16}
	switch x, z := abs(towards.X), abs(towards.Z); {
	case x >= z && towards.X >= 0:
		up.X0 = 8
	case x >= z:
		up.X1 = 8
	case towards.Z >= 0:
		up.Z0 = 8
	default:
		up.Z1 = 8
	}
	b.Boxes = append(b.Boxes, up)
	return b
}

// Glass returns a full cube that is seen through, lets all light pass and stops bullets.
func Glass() Block {
	return Block{Name: "glass", Boxes: []Box{Whole()}, BulletProof: true, Passes: MaxLight}
}

// Leaves returns a full cube that is seen through badly and lets bullets pass.
func Leaves() Block {
	return Block{Name: "leaves", Boxes: []Box{Whole()}, Sight: Dim, Passes: 14}
}

// Water returns a block of still water: no boxes, seen through badly, and light loses one level more in it than in air
// only from straight above.
func Water() Block { return Block{Name: "water", Sight: Dim, Medium: Liquid, Passes: 14} }

// Lamp returns a full cube that is opaque and gives light of level 15.
func Lamp() Block {
	b := FullCube("lamp")
	b.Emits = MaxLight
	return b
}

// Torch returns a block without boxes that gives light of level 14.
func Torch() Block { return Block{Name: "torch", Emits: 14, Passes: MaxLight} }

// Ladder returns a climbable block without boxes.
func Ladder() Block { return Block{Name: "ladder", Medium: Climbable, Passes: MaxLight} }

// Fence returns a post in the middle of a block, 4/16 wide.
func Fence(name string) Block {
	b := FullCube(name)
	b.Boxes = []Box{{X0: 6, Z0: 6, X1: 10, Y1: 16, Z1: 10}}
	b.Passes = MaxLight
	return b
}

// Kinds of rays that a block concerns. Solid is any box; the others need the matching flag of the block.
const (
	stopBullet uint8 = 1 << iota
	stopSight
	stopDim
	stopSolid
)

// shape is a block as a ray sees it, made once for each palette entry.
type shape struct {
	flags   uint8
	full    bool // one box that fills the cell
	matters bool // to rays or bodies; only air and the like does not
	medium  Medium
	boxes   []Box // what rays hit
	decay   uint8 // light lost by entering
	pass    uint8 // light lost straight down from level 15
	emits   uint8
}

func shapeOf(b *Block) shape {
	s := shape{boxes: b.Boxes, decay: max(1, MaxLight-b.Passes), pass: MaxLight - b.Passes, emits: b.Emits, medium: b.Medium}
	if len(b.Boxes) > 0 {
		s.flags |= stopSolid
	}
	if b.BulletProof {
		s.flags |= stopBullet
	}
	switch b.Sight {
	case Opaque:
		s.flags |= stopSight
	case Dim:
		s.flags |= stopDim
	}
	if s.flags != 0 && len(s.boxes) == 0 {
		s.boxes = []Box{Whole()}
	}
	s.matters = s.flags != 0 || s.medium != Air
	s.full = len(s.boxes) == 1 && s.boxes[0] == Whole()
	return s
}
