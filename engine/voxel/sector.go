package voxel

import (
	"fmt"
	"math/bits"
)

// Sector is a horizontal angle around a direction, half of it to each side, edges included. The zero value is
// NoSector, which contains nothing.
type Sector uint8

// The sectors of the rules (Part 4), by their whole angle in degrees.
const (
	NoSector Sector = iota
	Sector20
	Sector40
	Sector45
	Sector90
	Sector135
	Sector180
)

// String returns the angle, as "135°".
func (s Sector) String() string {
	if s > Sector180 {
		return fmt.Sprintf("sector(%d)", uint8(s))
	}
	return [...]string{"none", "20°", "40°", "45°", "90°", "135°", "180°"}[s]
}

// InSector says whether target lies in the sector around look as seen from apex, all by their horizontal parts. Straight
// above or below the apex, or with a look that is vertical or zero, nothing is in any sector. For a rear sector turn
// the look with Opposite. The rules measure between the middles of blocks: see Point.Snap.
func InSector(apex Point, look Look, target Point, s Sector) bool {
	return within(int64(target.X)-int64(apex.X), int64(target.Z)-int64(apex.Z), look, s)
}

// Tangents of 10° and 20° as 128-bit fractions, rounded down. No fraction of integers below 2⁵⁰ lies between one of them and
// the true value, so that comparing with them is exact.
const (
	tan10hi, tan10lo = 0x2d23c3d78b9777dc, 0x697adcb5d3105e92
	tan20hi, tan20lo = 0x5d2d273ce40b516d, 0x5edb017d831e4a36
)

// within compares the angle a between two horizontal vectors with half a sector, by the tangent of a: with
// d = |u||v| cos a and x = |u||v| |sin a| the vector is inside iff d > 0 and x ≤ d·tan(half). Components are below 2³³ and
// 2¹⁶, so d and x stay below 2⁵⁰.
func within(vx, vz int64, look Look, s Sector) bool {
	lx, lz := int64(look.X), int64(look.Z)
	d := vx*lx + vz*lz
	x := abs(vx*lz - vz*lx)
	if d < 0 || d == 0 && x == 0 {
		return false
	}
	switch s {
	case Sector180:
		return true
	case Sector135: // tan 67.5° = √2 + 1
		return x <= d || squared(x-d, d)
	case Sector90:
		return x <= d
	case Sector45: // tan 22.5° = √2 - 1
		return squared(x+d, d)
	case Sector40:
		return x <= scaled(d, tan20hi, tan20lo)
	case Sector20:
		return x <= scaled(d, tan10hi, tan10lo)
	}
	return false
}

// squared says whether a ≤ √2·b for a, b ≥ 0 below 2⁵¹.
func squared(a, b int64) bool {
	ah, al := bits.Mul64(uint64(a), uint64(a))
	bh, bl := bits.Mul64(uint64(b), uint64(b))
	bh, bl = bh<<1|bl>>63, bl<<1
	return ah < bh || ah == bh && al <= bl
}

// scaled returns ⌊d · (hi, lo) / 2¹²⁸⌋.
func scaled(d int64, hi, lo uint64) int64 {
	carry, _ := bits.Mul64(uint64(d), lo)
	top, mid := bits.Mul64(uint64(d), hi)
	_, over := bits.Add64(mid, carry, 0)
	return int64(top + over)
}

// flank returns the side of a body at the given place and with the given look on which other is, in the front and rear sectors
// of 135°. Both may stand on borders. The block of the one at the centre that is worse for him counts, then
// the block of other that is worse for other: behind somebody is whoever is so from all of his blocks, seen from any
// of the body's.
func flank(at Point, look Look, other Point) Flank {
	ca, na := at.Blocks()
	co, no := other.Blocks()
	best := NoFlank
	for _, c := range ca[:na] {
		worst := Rear
		for _, o := range co[:no] {
			worst = min(worst, side(int64(o.X)-int64(c.X), int64(o.Z)-int64(c.Z), look))
		}
		best = max(best, worst)
	}
	return best
}

func side(vx, vz int64, look Look) Flank {
	switch {
	case vx == 0 && vz == 0 || look.X == 0 && look.Z == 0:
		return NoFlank
	case within(vx, vz, look, Sector135):
		return Front
	case within(vx, vz, look.Opposite(), Sector135):
		return Rear
	}
	return Side
}
