package voxel

import "math/bits"

// A beam is all the ways from one place to the samples of a body. It is cut into slabs one block thick across the axis along
// which it is longest. Every way meets the slabs one after another, and within a slab the cells by how far they are from its
// start sideways. So all samples are followed at once: each is one bit of a word.
type beam struct {
	eye         [3]int32
	axis        int
	dir         int32
	last        int32    // the last slab that any way touches
	near, far   int64    // least and greatest extent along the axis
	least, most [3]int64 // slopes of the other axes against the axis, in 1/2²⁰, rounded outwards

	columns [8]column
	rise    [8]int64 // of the rows
}

// column is the way to one column of samples, seen from above.
type column struct {
	d, size [2]int64 // extent along x and z; its absolute value, 1 for 0
	scale   int64    // product of the sizes: times on the way are counted in 1/scale
}

const slopeBits = 20

// aim measures the beam; false where it cannot be cut: the body is too near or around the eye, or too far; or the eye is on a border
// beside the axis, where blocks on both sides of it are met at once, and not in the order of the cells.
func (b *beam) aim(eye Point, points *samples) bool {
	b.eye = [3]int32{eye.X, eye.Y, eye.Z}
	var lo, hi [3]int64
	for i := range 8 {
		p, q := &points.at[i], &points.at[8*i]
		x, y, z := int64(p.X)-int64(eye.X), int64(q.Y)-int64(eye.Y), int64(p.Z)-int64(eye.Z)
		c := column{d: [2]int64{x, z}, size: [2]int64{max(abs(x), 1), max(abs(z), 1)}}
		c.scale = c.size[0] * c.size[1]
		b.columns[i], b.rise[i] = c, y
		if i == 0 {
			lo, hi = [3]int64{x, y, z}, [3]int64{x, y, z}
			continue
		}
		lo = [3]int64{min(lo[0], x), min(lo[1], y), min(lo[2], z)}
		hi = [3]int64{max(hi[0], x), max(hi[1], y), max(hi[2], z)}
	}
	b.near = 0
	for k := range 3 {
		if max(-lo[k], hi[k]) > MaxRay*Unit {
			return false
		}
		if lo[k] > b.near {
			b.axis, b.dir, b.near, b.far = k, 1, lo[k], hi[k]
		}
		if -hi[k] > b.near {
			b.axis, b.dir, b.near, b.far = k, -1, -hi[k], -lo[k]
		}
	}
	if b.near < Unit/2 {
		return false
	}
	if b.dir > 0 {
		b.last = int32((int64(b.eye[b.axis]) + b.far) >> 8)
	} else {
		b.last = int32((int64(b.eye[b.axis]) - b.far - 1) >> 8)
	}
	for k := range 3 {
		if k == b.axis {
			continue
		}
		if b.eye[k]&(Unit-1) == 0 {
			return false
		}
		least, most := b.far, b.far
		if lo[k] < 0 {
			least = b.near
		}
		if hi[k] > 0 {
			most = b.near
		}
		b.least[k] = lo[k]<<slopeBits/least - 1
		b.most[k] = hi[k]<<slopeBits/most + 1
	}
	return true
}

// across returns the cells on another axis that any way touches between two distances along the beam's own.
func (b *beam) across(axis int, d0, d1 int64) (from, to int32) {
	lo := min(b.least[axis]*d0, b.least[axis]*d1) >> slopeBits
	hi := max(b.most[axis]*d0, b.most[axis]*d1)>>slopeBits + 1
	at := int64(b.eye[axis])
	return int32((at + lo - 1) >> 8), int32((at + hi) >> 8)
}

// aside returns how many cells x is away from the start on an axis.
func (b *beam) aside(axis int, x int32) int32 { return abs(x - b.eye[axis]>>8) }

// met is a cell of a slab with a block that may matter.
type met struct {
	at    [3]int32
	kind  uint16
	aside int32
}

// maxSpots is how many cells of one slab are put into order. Where a slab has more, which takes a giant close by, the single rays
// are walked.
const maxSpots = 64

// pass lets the beam go through the world, slab by slab, and tells v of each cell that any sample's way touches, in order;
// false if it gave up.
func (b *beam) pass(g *grid, want uint8, v *view) bool {
	a, d := b.axis, b.dir
	first := b.eye[a] >> 8
	if b.eye[a]&(Unit-1) == 0 {
		first = (b.eye[a] - max(d, 0)) >> 8 // touched from the border
	}
	u, w := (a+1)%3, (a+2)%3
	var sec *section
	at := [3]int32{1 << 30, 0, 0} // no section yet
	var x [3]int32
	var spots [maxSpots]met
	for s := first; (b.last-s)*d >= 0; s += d {
		// How far from the eye the slab begins and ends.
		d0, d1 := int64(s)*Unit-int64(b.eye[a]), int64(s+1)*Unit-int64(b.eye[a])
		if d < 0 {
			d0, d1 = -d1, -d0
		}
		d0, d1 = max(d0, 0), max(0, min(d1, b.far))
		u0, u1 := b.across(u, d0, d1)
		w0, w1 := b.across(w, d0, d1)
		n := 0
		x[a] = s
		for x[u] = u0; x[u] <= u1; x[u]++ {
			for x[w] = w0; x[w] <= w1; x[w]++ {
				if ((x[0]^at[0])|(x[1]^at[1])|(x[2]^at[2]))&^15 != 0 {
					sec, at = g.sectionAt(x[0], x[1], x[2]), x
				}
				if sec.some == nil {
					continue
				}
				i := spot(x[0], x[1], x[2])
				if sec.some[i>>6]>>(i&63)&1 == 0 {
					continue
				}
				kind := sec.id(cellOf(i))
				if g.shapes[kind].flags&want == 0 {
					continue
				}
				if n == maxSpots {
					return false
				}
				p := met{x, kind, b.aside(u, x[u]) + b.aside(w, x[w])}
				j := n
				for ; j > 0 && spots[j-1].aside > p.aside; j-- {
					spots[j] = spots[j-1]
				}
				spots[j] = p
				n++
			}
		}
		for i := range spots[:n] {
			p := &spots[i]
			shape := &g.shapes[p.kind]
			if !v.cares(shape.flags) {
				continue
			}
			if mask := b.touch(p.at, shape); mask != 0 {
				v.meet(p.at, p.kind, shape.flags, mask)
			}
		}
		if v.bullets&v.sight == all {
			break
		}
	}
	return true
}

// touch returns the samples to which the way touches a box of cell x.
func (b *beam) touch(x [3]int32, s *shape) (mask uint64) {
	ax := int64(x[0])*Unit - int64(b.eye[0])
	ay := int64(x[1])*Unit - int64(b.eye[1])
	az := int64(x[2])*Unit - int64(b.eye[2])
	for i := range s.boxes {
		box := &s.boxes[i]
		y0, y1 := ay+int64(box.Y0)*(Unit/16), ay+int64(box.Y1)*(Unit/16)
		for j := range b.columns {
			c := &b.columns[j]
			in, out := int64(0), c.scale
			if !c.clip(0, ax+int64(box.X0)*(Unit/16), ax+int64(box.X1)*(Unit/16), &in, &out) ||
				!c.clip(1, az+int64(box.Z0)*(Unit/16), az+int64(box.Z1)*(Unit/16), &in, &out) {
				continue
			}
			// Between these times the way to a row is between in and out of its rise.
			low, high := y0*c.scale, y1*c.scale
			for k, rise := range b.rise {
				p, q := in*rise, out*rise
				if max(p, q) >= low && min(p, q) <= high {
					mask |= 1 << (8*k + j)
				}
			}
		}
	}
	return mask
}

// clip narrows the times in…out to those at which the way is between lo and hi on an axis.
func (c *column) clip(axis int, lo, hi int64, in, out *int64) bool {
	by := c.size[1-axis]
	switch d := c.d[axis]; {
	case d > 0:
		*in = max(*in, lo*by)
		*out = min(*out, hi*by)
	case d < 0:
		*in = max(*in, -hi*by)
		*out = min(*out, -lo*by)
	default:
		return lo <= 0 && hi >= 0
	}
	return *in <= *out
}

// count returns how many samples a word holds.
func count(mask uint64) int32 { return int32(bits.OnesCount64(mask)) }
