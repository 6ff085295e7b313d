package voxel

import (
	"cmp"
	"slices"
)

// Fan is where a blow or a burst goes: a sector around the look, between two distances, both included. A sweep is a fan of 135°, a
// thrust through several a fan of 20° (KM-ATK-SWEEP-01, KM-ATK-PIERCE-01), a burst a long and narrow one (KM-RNG-MOW-01).
type Fan struct {
	Sector    Sector
	Near, Far int32  // distances in blocks, as the function Distance; 0 to 0 is touching distance
	Stop      Filter // blocks that stop it: Bodies for an arm and its weapon, Bullets for shots
}

// Struck is a body in a fan.
type Struck struct {
	Index    int32 // in the list given
	Distance int32
	Open     int32 // samples of the body, of Samples, to which no block stops the way
}

// Strike returns which of the bodies a fan from somebody's eyes hits, from the nearest to the farthest, of equally near ones in the
// order given: all that are within its distances and its sector and of which at least one sample is open. The sector is taken
// between the middles of blocks. Of him who strikes on a border the block counts that is worse for him, of those struck the one
// that is worse for them. A sector of 0 (NoSector) asks for no direction: all around, straight up and down included.
func Strike(w World, from Figure, fan Fan, bodies []Figure) []Struck {
	var out []Struck
	for i := range bodies {
		b := &bodies[i]
		d := Distance(from, *b)
		if d < fan.Near || d > fan.Far || fan.Sector != NoSector && !facing(from.At, from.Look, b.At, fan.Sector) {
			continue
		}
		if open := Open(w, from.Eye(), *b, fan.Stop); open > 0 {
			out = append(out, Struck{Index: int32(i), Distance: d, Open: open})
		}
	}
	slices.SortStableFunc(out, func(a, b Struck) int { return cmp.Compare(a.Distance, b.Distance) })
	return out
}

// Reaches says whether an arm or a weapon that is so many blocks long reaches a body: within the distance, in all three dimensions,
// and not through blocks with a box.
func Reaches(w World, from, target Figure, blocks int32) bool {
	return Distance(from, target) <= blocks && Open(w, from.Eye(), target, Bodies) > 0
}

// Open returns to how many samples of a body, of Samples, no block that the filter names stops the way.
func Open(w World, from Point, target Figure, f Filter) int32 {
	v := view{stop: true}
	points := samplesOf(from, target)
	g := w.view()
	var b beam
	if !b.aim(from, &points) || !b.pass(g, uint8(f), &v) {
		v.bullets = 0
		for i := range points.at {
			var r Ray
			if r.start(g, from, points.at[i], uint8(f)); r.Next() {
				v.bullets |= 1 << i
			}
		}
	}
	return Samples - count(v.bullets)
}

// facing says whether something is in a sector: from every block that the one at the centre stands on, for at least one block of
// the other.
func facing(at Point, look Look, other Point, s Sector) bool {
	ca, na := at.Blocks()
	co, no := other.Blocks()
	for _, c := range ca[:na] {
		any := false
		for _, o := range co[:no] {
			any = any || within(int64(o.X)-int64(c.X), int64(o.Z)-int64(c.Z), look, s)
		}
		if !any {
			return false
		}
	}
	return true
}
