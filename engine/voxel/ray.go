package voxel

import (
	"cmp"
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
	var r Ray
	r.Start(w, from, to, f)
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
	from   Point
	dir    [3]int32 // +1, 0, -1
	den    int64    // the end of the way in the common scale of times: |dx|·|dy|·|dz|, a zero counting as 1
	per    [3]int64 // the same without the own axis: one unit along an axis takes this long
	next   [3]int64 // time at which the ray crosses into the next cell on an axis
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
	r.from = from
	r.glides = 0
	a := [3]int32{from.X, from.Y, from.Z}
	b := [3]int32{to.X, to.Y, to.Z}
	var size [3]int64
	for i := range 3 {
		d := int64(b[i]) - int64(a[i])
		size[i] = max(abs(d), 1)
		if size[i] > MaxRay*Unit {
			return false
		}
		r.dir[i] = int32(cmp.Compare(d, 0))
	}
	r.per = [3]int64{size[1] * size[2], size[0] * size[2], size[0] * size[1]}
	r.den = r.per[0] * size[0]
	for i := range 3 {
		r.x[i] = a[i] >> 8
		inside := int64(a[i] & (Unit - 1))
		switch {
		case r.dir[i] > 0:
			r.next[i] = (Unit - inside) * r.per[i]
		case r.dir[i] < 0:
			if inside == 0 {
				r.x[i]--
				inside = Unit
			}
			r.next[i] = inside * r.per[i]
		default:
			r.next[i] = math.MaxInt64
			if inside == 0 {
				r.glides |= 1 << i
			}
		}
	}
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
	var back [3]int32 // the other side of the border on each axis
	borders := r.glides
	a := [3]int32{r.from.X, r.from.Y, r.from.Z}
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

// walk steps on until a cell puts something into the queue, or to the end.
func (r *Ray) walk() {
	nx, ny, nz := r.next[0], r.next[1], r.next[2]
	x, y, z := r.x[0], r.x[1], r.x[2]
	dx, dy, dz := r.dir[0], r.dir[1], r.dir[2]
	px, py, pz := r.per[0]*Unit, r.per[1]*Unit, r.per[2]*Unit
	// Along an axis that goes up the cells left before an edge are those of the inverted coordinate.
	fx, fy, fz := ^(dx >> 31), ^(dy >> 31), ^(dz >> 31)
	end := r.den
	sec := r.sec
	glides := r.glides != 0
	for {
		t := min(nx, ny, nz)
		if t > end {
			r.state = rayDone
			break
		}
		var cross uint8
		ox, oy, oz := x, y, z
		if nx == t {
			x, nx, cross = x+dx, nx+px, 1
		}
		if ny == t {
			y, ny, cross = y+dy, ny+py, cross|2
		}
		if nz == t {
			z, nz, cross = z+dz, nz+pz, cross|4
		}
		if ((ox^x)|(oy^y)|(oz^z))&^15 != 0 {
			sec = r.g.sectionAt(x, y, z)
		}
		if cross&(cross-1) != 0 || glides {
			r.x = [3]int32{ox, oy, oz}
			r.corner(cross)
			r.x = [3]int32{x, y, z}
			r.beside()
			if r.n > 0 {
				break
			}
			continue
		}
		i := cell(x, y, z)
		if sec.bricks>>(i>>10<<4|i>>6&3<<2|i>>2&3)&1 == 0 {
			// Nothing in the cube of 4³ cells, or in the whole section: go to the last cell in it.
			edge := int32(3)
			if sec.bricks == 0 {
				edge = 15
			}
			ex, ey, ez := nx+px*int64((x^fx)&edge), ny+py*int64((y^fy)&edge), nz+pz*int64((z^fz)&edge)
			if dx == 0 {
				ex = math.MaxInt64
			}
			if dy == 0 {
				ey = math.MaxInt64
			}
			if dz == 0 {
				ez = math.MaxInt64
			}
			leave := min(ex, ey, ez)
			if leave > end {
				r.state = rayDone
				break
			}
			for nx < leave {
				x, nx = x+dx, nx+px
			}
			for ny < leave {
				y, ny = y+dy, ny+py
			}
			for nz < leave {
				z, nz = z+dz, nz+pz
			}
			continue
		}
		if sec.solid[i>>6]>>(i&63)&1 == 0 {
			continue
		}
		id := sec.id(i)
		s := &r.g.shapes[id]
		if s.flags&r.want == 0 {
			continue
		}
		r.x = [3]int32{x, y, z}
		if s.full {
			r.queue[0] = touch{r.x, id, t}
			r.n = 1
			break
		}
		if at, ok := r.enter(r.x, s); ok {
			r.queue[0] = touch{r.x, id, at}
			r.n = 1
			break
		}
	}
	r.next = [3]int64{nx, ny, nz}
	r.x = [3]int32{x, y, z}
	r.sec = sec
}

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
	ax := int64(x[0])*Unit - int64(r.from.X)
	ay := int64(x[1])*Unit - int64(r.from.Y)
	az := int64(x[2])*Unit - int64(r.from.Z)
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
