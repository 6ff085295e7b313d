// Package voxel answers what people used to judge by eye in a world of blocks: distance, sight, cover, light, sectors
// and where a body can walk.
//
// Everything is integer arithmetic and gives the same answer on every processor. Blocks are counted in block
// coordinates (Pos), places in 1/256 block (Point), boxes inside a block in 1/16 block (Box), and directions are
// integer vectors (Look). East is +x, south is +z, up is +y; a block covers the half-open range from its coordinate to
// the next.
//
// Touching counts: a ray that only grazes a box, runs along its face or passes exactly through an edge is stopped by
// it, so whoever aims along an edge is decided against. A body that only touches a box, on the other hand, fits.
package voxel

import (
	"cmp"
	"fmt"
	"math/bits"
)

// Unit is the number of Point units in one block.
const Unit = 256

// MaxCoord is the largest absolute block coordinate that an arena, a pose or a query may have. A host whose world is
// larger sends coordinates relative to a corner of its own choice.
const MaxCoord = 1 << 22

// MaxLook is the largest absolute component of a Look.
const MaxLook = 1 << 15

// Pos is a block, by its smallest corner in block coordinates, each within ±MaxCoord.
type Pos struct{ X, Y, Z int32 }

// Add returns p moved by q.
func (p Pos) Add(q Pos) Pos { return Pos{p.X + q.X, p.Y + q.Y, p.Z + q.Z} }

// Up returns the block n blocks above p; n may be negative.
func (p Pos) Up(n int32) Pos { return Pos{p.X, p.Y + n, p.Z} }

// Compare orders blocks by X, then Y, then Z: -1 before q, 0 equal, 1 after.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.Z, q.Z))
}

// Floor returns the middle of the bottom face of p: where the feet of a body stand that is snapped to the centre of its
// block (KM-POS-01).
func (p Pos) Floor() Point { return Point{p.X*Unit + Unit/2, p.Y * Unit, p.Z*Unit + Unit/2} }

// Centre returns the middle of p.
func (p Pos) Centre() Point { return Point{p.X*Unit + Unit/2, p.Y*Unit + Unit/2, p.Z*Unit + Unit/2} }

// String returns "x y z".
func (p Pos) String() string { return fmt.Sprintf("%d %d %d", p.X, p.Y, p.Z) }

// Point is a place in 1/256 block, each component within ±MaxCoord·Unit. Of a body it is the centre of the feet.
type Point struct{ X, Y, Z int32 }

// Add returns p moved by q.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y, p.Z + q.Z} }

// Block returns the block that contains p. On a border this is the block on the greater side; where the border must
// decide against somebody, use Blocks.
func (p Point) Block() Pos { return Pos{p.X >> 8, p.Y >> 8, p.Z >> 8} }

// Blocks returns the one, two or four blocks that a body with its feet at p stands on: more than one where p lies
// exactly on a border of columns. Only the first n are meant, the one of Block first.
func (p Point) Blocks() (blocks [4]Pos, n int) {
	b := p.Block()
	blocks[0], n = b, 1
	if p.X&(Unit-1) == 0 {
		blocks[n] = Pos{b.X - 1, b.Y, b.Z}
		n++
	}
	if p.Z&(Unit-1) == 0 {
		for _, q := range blocks[:n] {
			blocks[n] = Pos{q.X, q.Y, q.Z - 1}
			n++
		}
	}
	return blocks, n
}

// Snap returns p moved sideways to the middle of its column (KM-POS-01). The height stays.
func (p Point) Snap() Point {
	b := p.Block()
	return Point{b.X*Unit + Unit/2, p.Y, b.Z*Unit + Unit/2}
}

// Look is a direction as an integer vector of any length but zero, each component within ±MaxLook. The zero Look
// means "not given" and lies in no sector.
type Look struct{ X, Y, Z int32 }

// Opposite returns the direction to the back of l.
func (l Look) Opposite() Look { return Look{-l.X, -l.Y, -l.Z} }

// Validate refuses the zero look and components beyond ±MaxLook.
func (l Look) Validate() error {
	switch {
	case l == Look{}:
		return &InvalidError{Field: "look", Why: "is the zero vector; a direction is needed"}
	case outside(l.X, MaxLook), outside(l.Y, MaxLook), outside(l.Z, MaxLook):
		return &InvalidError{Field: "look", Why: fmt.Sprintf("has a component beyond ±%d: %d %d %d", MaxLook, l.X, l.Y, l.Z)}
	}
	return nil
}

// Posture is how a body holds itself. The zero value is Standing.
type Posture uint8

// The postures of KM-MOVE-08 and KM-MOVE-10.
const (
	Standing Posture = iota
	Crouching
	Prone
	Postures // how many there are
)

// String returns the posture in one lower-case word.
func (p Posture) String() string {
	switch p {
	case Standing:
		return "standing"
	case Crouching:
		return "crouching"
	case Prone:
		return "prone"
	}
	return fmt.Sprintf("posture(%d)", uint8(p))
}

// Pose is where a body is, where it looks and how it holds itself.
type Pose struct {
	At      Point // centre of the feet
	Look    Look
	Posture Posture
}

// Validate refuses a place beyond MaxCoord, a bad look and an unknown posture.
func (p Pose) Validate() error {
	if outside(p.At.X, MaxCoord*Unit) || outside(p.At.Y, MaxCoord*Unit) || outside(p.At.Z, MaxCoord*Unit) {
		return &InvalidError{Field: "at", Why: fmt.Sprintf("has a component beyond ±%d blocks: %d %d %d in 1/256 block", MaxCoord, p.At.X, p.At.Y, p.At.Z)}
	}
	if p.Posture >= Postures {
		return &InvalidError{Field: "posture", Why: fmt.Sprintf("is %d; the last known is %d (%s)", uint8(p.Posture), uint8(Postures-1), Postures-1)}
	}
	return p.Look.Validate()
}

// outside says whether v is beyond ±limit.
func outside(v, limit int32) bool { return v > limit || v < -limit }

// Body is the size of somebody, in 1/256 block, with one height and one eye height for each posture. The body is a
// square column around the feet that does not turn with the look.
type Body struct {
	Width  int32
	Height [Postures]int32
	Eye    [Postures]int32 // above the feet
}

// Human returns the usual body: 0.6 wide; 1.8, 1.5 and 0.6 high; eyes at 1.62, 1.27 and 0.40 (Part 4 of the KMRP
// catalogue). Each is rounded to the nearest 1/256: 154, 461, 384, 154, 415, 325, 102.
func Human() Body {
	return Body{Width: 154, Height: [Postures]int32{461, 384, 154}, Eye: [Postures]int32{415, 325, 102}}
}

// Largest width or height of a body, in 1/256 block.
const maxBody = 16 * Unit

// Validate refuses sizes that are not positive or beyond 16 blocks, and eyes above the head.
func (b Body) Validate() error {
	if b.Width <= 0 || b.Width > maxBody {
		return &InvalidError{Field: "body.width", Why: fmt.Sprintf("is %d; it must be 1 to %d (1/256 block)", b.Width, maxBody)}
	}
	for p := range Postures {
		switch h, e := b.Height[p], b.Eye[p]; {
		case h <= 0 || h > maxBody:
			return &InvalidError{Field: "body.height." + p.String(), Why: fmt.Sprintf("is %d; it must be 1 to %d (1/256 block)", h, maxBody)}
		case e < 0 || e > h:
			return &InvalidError{Field: "body.eye." + p.String(), Why: fmt.Sprintf("is %d; it must be 0 to the height, %d", e, h)}
		}
	}
	return nil
}

// Figure is a body in a pose.
type Figure struct {
	Pose
	Body Body
}

// Eye returns where the figure sees from.
func (f Figure) Eye() Point { return f.At.Add(Point{Y: f.Body.Eye[f.Posture]}) }

// Height returns how tall the figure is in its posture, in 1/256 block.
func (f Figure) Height() int32 { return f.Body.Height[f.Posture] }

// Head returns the block of the eyes: the one whose light counts (Part 4, KM-DARK-01).
func (f Figure) Head() Pos { return f.Eye().Block() }

// Distance returns how far a and b are apart in blocks: ⌊√(dx² + dy² + dz²) + ½⌋ on the coordinates of their blocks
// (Part 4). A body counts as every block from its feet to its eyes, and dy is taken between the nearest two. Of somebody
// on a border the block that is worse for him counts: for a, who measures, the farther one; for b the nearer one.
func Distance(a, b Figure) int32 {
	ca, na := a.At.Blocks()
	cb, nb := b.At.Blocks()
	dy := gap(a.At.Y>>8, a.Head().Y, b.At.Y>>8, b.Head().Y)
	best := int64(-1)
	for _, q := range cb[:nb] {
		worst := int64(0)
		for _, p := range ca[:na] {
			worst = max(worst, square(p.X, q.X)+square(p.Z, q.Z))
		}
		if best < 0 || worst < best {
			best = worst
		}
	}
	return rounded(best + dy*dy)
}

// DistanceTo returns how far the block to is from the body a, measured as Distance does.
func DistanceTo(a Figure, to Pos) int32 {
	ca, na := a.At.Blocks()
	dy := gap(a.At.Y>>8, a.Head().Y, to.Y, to.Y)
	worst := int64(0)
	for _, p := range ca[:na] {
		worst = max(worst, square(p.X, to.X)+square(p.Z, to.Z))
	}
	return rounded(worst + dy*dy)
}

// Between returns ⌊√(dx² + dy² + dz²) + ½⌋ for two blocks.
func Between(a, b Pos) int32 { return rounded(square(a.X, b.X) + square(a.Y, b.Y) + square(a.Z, b.Z)) }

// Chebyshev returns the number of blocks between a and b where a diagonal counts one: the distance of a blast
// (annex A of the KMRP catalogue).
func Chebyshev(a, b Pos) int32 {
	return max(abs(a.X-b.X), abs(a.Y-b.Y), abs(a.Z-b.Z))
}

// gap returns how many blocks lie from the range a0…a1 to the range b0…b1: 0 where they meet.
func gap(a0, a1, b0, b1 int32) int64 {
	return int64(max(0, b0-a1, a0-b1))
}

func square(a, b int32) int64 {
	d := int64(a) - int64(b)
	return d * d
}

func abs[T int32 | int64](v T) T {
	if v < 0 {
		return -v
	}
	return v
}

// rounded returns √n rounded to the nearest integer: with r = ⌊√n⌋ it is r+1 from n = r² + r + 1 on, since
// (r+½)² = r² + r + ¼.
func rounded(n int64) int32 {
	r := root(uint64(n))
	if uint64(n) > r*r+r {
		r++
	}
	return int32(r)
}

// root returns ⌊√n⌋ by Newton's steps from above.
func root(n uint64) uint64 {
	if n < 2 {
		return n
	}
	x := uint64(1) << ((bits.Len64(n) + 1) / 2)
	for {
		y := (x + n/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}
