package voxel

import (
	"math"
)

// MaxRay is the longest extent of a ray on one axis, in blocks. A longer one is stopped where it begins: nothing that far
// away is seen. With this limit every time of a ray below fits in 64 bits.
const MaxRay = 4096

// Filter says which blocks stop a ray; the values add up.
type Filter uint8

// What may stop a ray.
const (
	Bullets Filter = Filter(stopBullet) // blocks that stop bullets
	Views   Filter = Filter(stopSight)  // opaque blocks
	Haze    Filter = Filter(stopDim)    // blocks that are seen through badly
	Bodies  Filter = Filter(stopSolid)  // blocks with a box
)

// Hit is where a ray first touches a block. The way from start to hit is the Num/Den part of the whole, 0 ≤ Num ≤ Den.
type Hit struct {
	At       Pos
	Block    *Block
	Num, Den int64
}

// FirstHit returns the first block that the way from one point to another touches, both ends included, and that the
// filter names. Boxes are closed: touching a face, an edge or a corner counts, from either side, so that nothing passes
// between two blocks that meet at an edge. Of blocks first touched at the same point the one that the ray enters without
// leaving a side comes last. It allocates nothing.
func FirstHit(w World, from, to Point, f Filter) (Hit, bool) {
	g := w.view()
	var s sprint
	if s.start(g, from, to, uint8(f)) {
		if s.find() {
			return s.hit, true
		}
		if !s.stumbled {
			return Hit{}, false
		}
	}
	var r Ray
	r.start(g, from, to, uint8(f))
	if !r.Next() {
		return Hit{}, false
	}
	return r.Hit(), true
}

// Ray walks over the blocks that the way from one point to another touches, in the order in which it touches them. The
// zero Ray has nothing to walk. It is used as
//
//	var r voxel.Ray
//	for r.Start(w, from, to, voxel.Views); r.Next(); {
//		use(r.Hit())
//	}
//
// and allocates nothing.
type Ray struct {
	g      *grid
	want   uint8
	from   [3]int32
	dir    [3]int32 // +1, 0, -1
	den    int64    // the end of the way in the common scale of times: |dx|·|dy|·|dz|, a zero counting as 1
	per    [3]int64 // the same without the own axis: one unit along an axis takes this long
	next   [3]int64 // time at which the ray crosses into the next cell on an axis
	left   int64    // borders still to cross
	x      [3]int32 // the current cell
	glides uint8    // axes along which the ray lies exactly in a border: it touches the cells on both sides

	sec     *section // the section of the current cell
	state   rayState
	queue   [8]touch // touched at once, in order
	q, n    int8
	current touch
}

type rayState uint8

const (
	rayDone  rayState = iota
	rayBegin          // the first cell is not looked at yet
	rayWalks
)

// touch is a cell with the time at which the ray touches a box in it.
type touch struct {
	x    [3]int32
	kind uint16
	time int64
}

// Start makes r the way between two points.
func (r *Ray) Start(w World, from, to Point, f Filter) { r.start(w.view(), from, to, uint8(f)) }

func (r *Ray) start(g *grid, from, to Point, want uint8) {
	r.g, r.want = g, want
	r.q, r.n = 0, 0
	if !r.aim(from, to) {
		// Stopped at once, by what lies outside.
		r.state, r.n, r.den = rayDone, 1, 1
		r.queue[0] = touch{x: [3]int32{from.X >> 8, from.Y >> 8, from.Z >> 8}, kind: 1}
		return
	}
	r.state = rayBegin
	r.sec = g.sectionAt(r.x[0], r.x[1], r.x[2])
}

// aim sets the numbers of the way between two points; false if it is too long.
func (r *Ray) aim(from, to Point) bool {
	a, b := [3]int32{from.X, from.Y, from.Z}, [3]int32{to.X, to.Y, to.Z}
	r.from, r.glides, r.left = a, 0, 0
	var size [3]int64
	for i := range 3 {
		size[i] = 1
		r.x[i] = a[i] >> 8
		switch d := int64(b[i]) - int64(a[i]); {
		case d > 0:
			r.dir[i], size[i] = 1, d
			r.left += int64(b[i]>>8 - r.x[i])
		case d < 0:
			r.dir[i], size[i] = -1, -d
			r.x[i] = (a[i] - 1) >> 8
			r.left += int64(r.x[i] - (b[i]-1)>>8)
		default:
			if r.dir[i] = 0; a[i]&(Unit-1) == 0 {
				r.glides |= 1 << i
			}
		}
		if size[i] > MaxRay*Unit {
			return false
		}
	}
	r.per = [3]int64{size[1] * size[2], size[0] * size[2], size[0] * size[1]}
	r.den = r.per[0] * size[0]
	r.locate(r.x[0], r.x[1], r.x[2])
	return true
}

// Hit returns what the last Next found.
func (r *Ray) Hit() Hit {
	c := &r.current
	return Hit{At: Pos{c.x[0], c.x[1], c.x[2]}, Block: &r.g.blocks[c.kind], Num: c.time, Den: r.den}
}

// Next goes on to the next block that the filter names; false when the way ends before.
func (r *Ray) Next() bool {
	for {
		if r.q < r.n {
			r.current = r.queue[r.q]
			r.q++
			return true
		}
		r.q, r.n = 0, 0
		switch r.state {
		case rayDone:
			return false
		case rayBegin:
			r.begin()
		case rayWalks:
			r.walk()
		}
	}
}

// begin looks at the cells that the start touches: the first, those behind it where the start lies on a border that the
// ray leaves, and those beside a ray that glides.
func (r *Ray) begin() {
	r.state = rayWalks
	a := r.from
	if r.glides == 0 && a[0]&(Unit-1) != 0 && a[1]&(Unit-1) != 0 && a[2]&(Unit-1) != 0 {
		if r.sec.at(spot(r.x[0], r.x[1], r.x[2])) {
			r.look(r.x)
		}
		return
	}
	var back [3]int32 // the other side of the border on each axis
	borders := r.glides
	for i := range 3 {
		if a[i]&(Unit-1) != 0 {
			continue
		}
		borders |= 1 << i
		if back[i] = -1; r.dir[i] < 0 {
			back[i] = 1
		}
	}
	for mask := borders; ; mask = (mask - 1) & borders {
		r.look([3]int32{
			r.x[0] + back[0]*int32(mask&1),
			r.x[1] + back[1]*int32(mask>>1&1),
			r.x[2] + back[2]*int32(mask>>2&1),
		})
		if mask == 0 {
			break
		}
	}
}

// Fields of the word in which walk counts: the spot of the cell in its section, above it for each axis 0x80 and the cells that
// are left before the border, and the borders still to cross. An axis that runs out loses its highest bit; when no border is left,
// the word turns negative.
const (
	leftX   = 16
	leftY   = 24
	leftZ   = 32
	borders = 48
	guards  = 0x80<<leftX | 0x80<<leftY | 0x80<<leftZ
	watched = -1<<63 | guards
)

// walk steps on until a cell puts something into the queue, or to the end. Which axis is crossed next follows from the signs of the
// differences between the times at which each would be, without a branch that no processor could foresee.
func (r *Ray) walk() {
	if r.glides != 0 {
		r.glide()
		return
	}
	x, y, z := r.x[0], r.x[1], r.x[2]
	dx, dy, dz := r.dir[0], r.dir[1], r.dir[2]
	px, py, pz := r.per[0]*Unit, r.per[1]*Unit, r.per[2]*Unit
	wx, wy, wz := int64(dx)<<4-1<<leftX-1<<borders, int64(dy)-1<<leftY-1<<borders, int64(dz)<<8-1<<leftZ-1<<borders
	// Along an axis that goes up the cells left before an edge are those of the inverted coordinate.
	fx, fy, fz := ^(dx >> 31), ^(dy >> 31), ^(dz >> 31)
	sec := r.sec
	for {
		some := sec.some
		if some == nil {
			if !r.leave() {
				r.state = rayDone
				return
			}
			x, y, z = r.x[0], r.x[1], r.x[2]
			some = &nothing
		}
		w := int64(spot(x, y, z)) | guards | r.left<<borders |
			int64((x^fx)&15)<<leftX | int64((y^fy)&15)<<leftY | int64((z^fz)&15)<<leftZ
		xy, xz := r.next[0]-r.next[1], r.next[0]-r.next[2]
		for {
			yz := xz - xy
			// All ones where the axis is crossed now, and alone.
			mx, my, mz := xy&xz>>63, -xy&yz>>63, -xz&-yz>>63
			if mx|my|mz == 0 {
				x, y, z = x&^15|int32(w)>>4&15, y&^15|int32(w)&15, z&^15|int32(w)>>8&15
				r.left = w >> borders
				r.locate(x, y, z)
				if !r.cross() {
					r.state = rayDone
					return
				}
				if r.n > 0 {
					return
				}
				x, y, z = r.x[0], r.x[1], r.x[2]
				sec = r.sec
				break
			}
			step := px & mx
			xy += step - py&my
			xz += step - pz&mz
			old := int32(w)
			w += wx&mx + wy&my + wz&mz
			if w&watched != guards {
				if w < 0 {
					r.state = rayDone
					return
				}
				x, y, z = x&^15|old>>4&15+dx&int32(mx), y&^15|old&15+dy&int32(my), z&^15|old>>8&15+dz&int32(mz)
				sec = r.g.sectionAt(x, y, z)
				r.left = w >> borders
				r.locate(x, y, z)
				r.sec = sec
				if i := spot(x, y, z); sec.at(i) && r.meet(sec.id(cellOf(i))) {
					return
				}
				break
			}
			if i := uint32(w) & (sectionCells - 1); some[i>>6]>>(i&63)&1 != 0 {
				x, y, z = x&^15|int32(i)>>4&15, y&^15|int32(i)&15, z&^15|int32(i)>>8&15
				r.left = w >> borders
				r.locate(x, y, z)
				if r.meet(sec.id(cellOf(i))) {
					return
				}
			}
		}
	}
}

// locate sets the cell of the ray, and the times at which it leaves it.
func (r *Ray) locate(x, y, z int32) {
	r.x = [3]int32{x, y, z}
	r.next[0] = r.leaving(0, x)
	r.next[1] = r.leaving(1, y)
	r.next[2] = r.leaving(2, z)
}

// leaving returns the time at which the ray crosses out of a cell over a border of one axis.
func (r *Ray) leaving(axis int, x int32) int64 {
	switch r.dir[axis] {
	case 1:
		return (int64(x+1)*Unit - int64(r.from[axis])) * r.per[axis]
	case -1:
		return (int64(r.from[axis]) - int64(x)*Unit) * r.per[axis]
	}
	return math.MaxInt64
}

// leave goes to the last cell in the section of the current one; false when the way ends before.
func (r *Ray) leave() bool {
	cx, lx := r.last(0)
	cy, ly := r.last(1)
	cz, lz := r.last(2)
	t := min(lx, ly, lz)
	if lx != t {
		cx = r.before(0, t)
	}
	if ly != t {
		cy = r.before(1, t)
	}
	if lz != t {
		cz = r.before(2, t)
	}
	if r.left -= cx + cy + cz; r.left <= 0 {
		return false
	}
	r.locate(r.x[0]+r.dir[0]*int32(cx), r.x[1]+r.dir[1]*int32(cy), r.x[2]+r.dir[2]*int32(cz))
	return true
}

// last returns how many cells lie between the current one and the border of its section, and when the ray crosses that.
func (r *Ray) last(axis int) (n, time int64) {
	switch r.dir[axis] {
	case 1:
		n = int64(^r.x[axis] & 15)
	case -1:
		n = int64(r.x[axis] & 15)
	default:
		return 0, math.MaxInt64
	}
	return n, r.next[axis] + r.per[axis]*Unit*n
}

// before returns how many borders of an axis the ray crosses before a time.
func (r *Ray) before(axis int, time int64) int64 {
	if r.next[axis] >= time {
		return 0
	}
	return (time-r.next[axis]-1)/(r.per[axis]*Unit) + 1
}

// cross goes over the next border, or over several that meet, and looks at all cells that the ray touches there; false when the
// way ends before.
func (r *Ray) cross() bool {
	if r.left <= 0 {
		return false
	}
	t := min(r.next[0], r.next[1], r.next[2])
	to := r.x
	var over uint8
	for i := range 3 {
		if r.next[i] == t {
			to[i] += r.dir[i]
			over |= 1 << i
			r.left--
		}
	}
	r.corner(over)
	r.locate(to[0], to[1], to[2])
	r.sec = r.g.sectionAt(to[0], to[1], to[2])
	r.beside()
	return true
}

// meet puts the current cell, which the ray entered over one border, into the queue if the ray touches a box in it.
func (r *Ray) meet(id uint16) bool {
	s := &r.g.shapes[id]
	if s.flags&r.want == 0 {
		return false
	}
	var t int64
	if s.full {
		for i := range 3 {
			if r.dir[i] != 0 {
				t = max(t, r.next[i]-r.per[i]*Unit)
			}
		}
	} else {
		at, ok := r.enter(r.x, s)
		if !ok {
			return false
		}
		t = at
	}
	r.queue[0] = touch{r.x, id, t}
	r.n = 1
	return true
}

// glide is walk for a ray that lies exactly in a border.
func (r *Ray) glide() {
	for r.n == 0 {
		if !r.cross() {
			r.state = rayDone
			return
		}
	}
}

// nothing is a section without blocks that concern a ray. It is never written to.
var nothing [sectionCells / 64]uint64

// corner looks at the cells that a ray touches that leaves r.x over several axes at once: all between the old cell and
// the new one, with their neighbours where it glides.
func (r *Ray) corner(cross uint8) {
	old := r.x
	for mask := (cross - 1) & cross; mask != 0; mask = (mask - 1) & cross {
		for i := range 3 {
			r.x[i] = old[i] + r.dir[i]*int32(mask>>i&1)
		}
		r.beside()
	}
}

// beside looks at r.x and, where the ray glides, at the cells on the other side of the border.
func (r *Ray) beside() {
	for mask := r.glides; ; mask = (mask - 1) & r.glides {
		r.look([3]int32{
			r.x[0] - int32(mask&1),
			r.x[1] - int32(mask>>1&1),
			r.x[2] - int32(mask>>2&1),
		})
		if mask == 0 {
			return
		}
	}
}

// look puts cell x into the queue, by time, if the ray touches a box in it.
func (r *Ray) look(x [3]int32) {
	id := r.g.sectionAt(x[0], x[1], x[2]).id(cell(x[0], x[1], x[2]))
	s := &r.g.shapes[id]
	if s.flags&r.want == 0 {
		return
	}
	t, ok := r.enter(x, s)
	if !ok {
		return
	}
	i := r.n
	for ; i > 0 && r.queue[i-1].time > t; i-- {
		r.queue[i] = r.queue[i-1]
	}
	r.queue[i] = touch{x, id, t}
	r.n++
}

// enter returns the time at which the ray first touches a box of cell x.
func (r *Ray) enter(x [3]int32, s *shape) (int64, bool) {
	best := int64(math.MaxInt64)
	ax := int64(x[0])*Unit - int64(r.from[0])
	ay := int64(x[1])*Unit - int64(r.from[1])
	az := int64(x[2])*Unit - int64(r.from[2])
	for i := range s.boxes {
		b := &s.boxes[i]
		in, out := int64(0), r.den
		if !r.clip(0, ax+int64(b.X0)*(Unit/16), ax+int64(b.X1)*(Unit/16), &in, &out) ||
			!r.clip(1, ay+int64(b.Y0)*(Unit/16), ay+int64(b.Y1)*(Unit/16), &in, &out) ||
			!r.clip(2, az+int64(b.Z0)*(Unit/16), az+int64(b.Z1)*(Unit/16), &in, &out) {
			continue
		}
		best = min(best, in)
	}
	return best, best != math.MaxInt64
}

// clip narrows the times in…out to those at which the ray is between lo and hi on an axis, both counted from its start.
func (r *Ray) clip(axis int, lo, hi int64, in, out *int64) bool {
	switch {
	case r.dir[axis] > 0:
		*in = max(*in, lo*r.per[axis])
		*out = min(*out, hi*r.per[axis])
	case r.dir[axis] < 0:
		*in = max(*in, -hi*r.per[axis])
		*out = min(*out, -lo*r.per[axis])
	default:
		return lo <= 0 && hi >= 0
	}
	return *in <= *out
}
