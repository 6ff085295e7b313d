package voxel

// sided returns v where the sign is 0 and -v where it is -1.
func sided(v, sign int64) int64 { return (v ^ sign) - sign }

// sprint is FirstHit for the usual way, one that begins inside of a cell, goes along all three axes and comes through no edge of a
// cell. It cuts the way into slabs, one cell thick across the axis along which it is longest: in a slab it crosses each of the other
// axes at most once. Slabs with nothing in them are passed in a few instructions.
type sprint struct {
	course
	m, u, v  int // the long axis, and the others
	from     [3]int64
	sign     [3]int64 // of the directions: 0 or -1
	time     [3]int64 // how long one unit takes, as Ray.per
	x        [3]int64 // the first cell
	eu, ev   int64    // time from the next border on the long axis to the next on another: negative where that comes first
	den      int64
	w        int64                      // spot, cells left in the section, and borders left: see Ray.walk
	step     [3]int64                   // what crossing a border adds to w
	own      [3]int64                   // the bits of w that belong to an axis
	fresh    [3]int64                   // these bits where a section is entered
	at       [3]int64                   // of the section, counted in sections from the corner of the box
	some     *[sectionCells / 64]uint64 // the bits of the section
	g        *grid
	want     uint8
	hit      Hit
	stumbled bool // the way came through an edge
}

// start prepares the way; false if it is not a usual one.
func (s *sprint) start(g *grid, from, to Point, want uint8) bool {
	const inside = Unit - 1
	s.from = [3]int64{int64(from.X), int64(from.Y), int64(from.Z)}
	d := [3]int64{int64(to.X) - s.from[0], int64(to.Y) - s.from[1], int64(to.Z) - s.from[2]}
	if d[0] == 0 || d[1] == 0 || d[2] == 0 || s.from[0]&inside == 0 || s.from[1]&inside == 0 || s.from[2]&inside == 0 {
		return false
	}
	s.sign = [3]int64{d[0] >> 63, d[1] >> 63, d[2] >> 63}
	a, b, c := sided(d[0], s.sign[0]), sided(d[1], s.sign[1]), sided(d[2], s.sign[2])
	if max(a, b, c) > MaxRay*Unit {
		return false
	}
	s.time = [3]int64{b * c, a * c, a * b}
	s.den = a * s.time[0]
	s.x = [3]int64{s.from[0] >> 8, s.from[1] >> 8, s.from[2] >> 8}
	left := sided((s.from[0]+d[0]+s.sign[0])>>8-s.x[0], s.sign[0]) +
		sided((s.from[1]+d[1]+s.sign[1])>>8-s.x[1], s.sign[1]) +
		sided((s.from[2]+d[2]+s.sign[2])>>8-s.x[2], s.sign[2])
	sx, sy, sz := s.sign[0], s.sign[1], s.sign[2]
	s.w = int64(spot(int32(s.x[0]), int32(s.x[1]), int32(s.x[2]))) | guards | left<<borders |
		((s.x[0]^^sx)&15)<<leftX | ((s.x[1]^^sy)&15)<<leftY | ((s.x[2]^^sz)&15)<<leftZ
	s.step = [3]int64{sided(1<<4, sx) - 1<<leftX - 1<<borders, sided(1, sy) - 1<<leftY - 1<<borders, sided(1<<8, sz) - 1<<leftZ - 1<<borders}
	s.own = [3]int64{0xf<<4 | 0xff<<leftX, 0xf | 0xff<<leftY, 0xf<<8 | 0xff<<leftZ}
	s.fresh = [3]int64{0x8f<<leftX | sx&0xf<<4, 0x8f<<leftY | sy&0xf, 0x8f<<leftZ | sz&0xf<<8}
	s.at = [3]int64{(s.x[0] - int64(g.bounds.Min.X)) >> 4, (s.x[1] - int64(g.bounds.Min.Y)) >> 4, (s.x[2] - int64(g.bounds.Min.Z)) >> 4}
	if b > max(a, c) {
		s.m, s.u, s.v = 1, 0, 2
	} else {
		s.m = int((a - c) >> 63 & 2) // x or z, without a branch
		s.u, s.v = 2-s.m, 1
	}
	long := s.leaving(s.m)
	s.eu, s.ev = s.leaving(s.u)-long, s.leaving(s.v)-long
	s.pm, s.pu, s.pv = s.time[s.m]*Unit, s.time[s.u]*Unit, s.time[s.v]*Unit
	s.wm, s.wu, s.wv = s.step[s.m], s.step[s.u], s.step[s.v]
	s.g, s.want = g, want
	return true
}

// leaving returns the time at which the ray leaves the current cell over a border of one axis.
func (s *sprint) leaving(i int) int64 {
	return sided((s.x[i]+1+s.sign[i])*Unit-s.from[i], s.sign[i]) * s.time[i]
}

// find goes to the first hit; false if there is none before the end, or if the sprint stumbled.
func (s *sprint) find() bool {
	if s.enter(); s.some[uint32(s.w)>>6&63]>>(s.w&63)&1 != 0 && s.stops() {
		return true
	}
	for {
		s.w, s.eu, s.ev = s.run(s.some, s.w, s.eu, s.ev)
		eu, ev := s.eu, s.ev
		if eu == 0 || ev == 0 || eu == ev && eu < 0 {
			// Borders that meet, unless the way ends before.
			s.stumbled = true
			return false
		}
		first, second := s.u, s.v
		if ev < eu {
			first, second, eu, ev = second, first, ev, eu
		}
		if eu < 0 {
			if hit, ended := s.cross(first); hit || ended {
				return hit
			}
			if ev < 0 {
				if hit, ended := s.cross(second); hit || ended {
					return hit
				}
			}
		}
		s.eu += s.pu&(s.eu>>63) - s.pm
		s.ev += s.pv&(s.ev>>63) - s.pm
		if hit, ended := s.cross(s.m); hit || ended {
			return hit
		}
	}
}

// enter looks the bits of the current section up.
func (s *sprint) enter() {
	if i := s.index(); i >= 0 {
		s.some = s.g.bits[i]
	} else if s.some = s.section().some; s.some == nil {
		s.some = &nothing
	}
}

// index returns the place of the current section; -1 beyond the box.
func (s *sprint) index() int64 {
	g := s.g
	x, y, z := s.at[0], s.at[1], s.at[2]
	if uint64(x) >= uint64(g.nx) || uint64(y) >= uint64(g.ny) || uint64(z) >= uint64(g.nz) {
		return -1
	}
	return (y*int64(g.nz)+z)*int64(g.nx) + x
}

// section returns the current section.
func (s *sprint) section() *section {
	g := s.g
	switch i := s.index(); {
	case i >= 0:
		return g.sections[i]
	case s.at[1] < 0 || uint64(s.at[0]) >= uint64(g.nx) || uint64(s.at[2]) >= uint64(g.nz):
		return g.beside
	}
	return g.above
}

// cross goes over one border.
func (s *sprint) cross(i int) (hit, ended bool) {
	w := s.w + s.step[i]
	if w < 0 {
		return false, true
	}
	if w&watched != guards {
		w = s.w&^s.own[i] | s.fresh[i] - 1<<borders
		s.at[i] += s.sign[i] | 1
		s.enter()
	}
	s.w = w
	return s.some[uint32(w)>>6&63]>>(w&63)&1 != 0 && s.stops(), false
}

// stops says whether the ray hits the block in the current cell, where there is something.
func (s *sprint) stops() bool {
	i := uint32(s.w) & (sectionCells - 1)
	id := s.section().id(cellOf(i))
	shape := &s.g.shapes[id]
	if shape.flags&s.want == 0 {
		return false
	}
	m := &s.g.bounds.Min
	x := [3]int64{s.at[0]<<4 + int64(m.X) + int64(i>>4&15), s.at[1]<<4 + int64(m.Y) + int64(i&15), s.at[2]<<4 + int64(m.Z) + int64(i>>8)}
	at := [3]int32{int32(x[0]), int32(x[1]), int32(x[2])}
	time := int64(0)
	if shape.full {
		for k := range 3 {
			time = max(time, sided((x[k]-s.sign[k])*Unit-s.from[k], s.sign[k])*s.time[k])
		}
	} else {
		r := Ray{from: [3]int32{int32(s.from[0]), int32(s.from[1]), int32(s.from[2])}, den: s.den, per: s.time,
			dir: [3]int32{int32(s.sign[0] | 1), int32(s.sign[1] | 1), int32(s.sign[2] | 1)}}
		ok := false
		if time, ok = r.enter(at, shape); !ok {
			return false
		}
	}
	s.hit = Hit{At: Pos{at[0], at[1], at[2]}, Block: &s.g.blocks[id], Num: time, Den: s.den}
	return true
}

// course is what crossing a border of each axis adds to the differences of times, and to the word that counts.
type course struct{ pm, pu, pv, wm, wu, wv int64 }

// run passes slabs within a section as long as there is nothing in them, and stops before one in which there is, in which a border of
// another axis meets the one on the long axis, over the border of the section, or before the end of the way.
func (c *course) run(some *[sectionCells / 64]uint64, w, eu, ev int64) (int64, int64, int64) {
	for {
		mu, mv := eu>>63, ev>>63
		across := w + c.wu&mu + c.wv&mv
		on := across + c.wm
		if eu == 0 || ev == 0 || on&watched != guards {
			return w, eu, ev
		}
		if some[uint32(across)>>6&63]>>(across&63)&1 != 0 || some[uint32(on)>>6&63]>>(on&63)&1 != 0 {
			return w, eu, ev
		}
		if mu&mv != 0 {
			// Whichever axis is crossed first, or both at once, there is nothing.
			if a, b := w+c.wu, w+c.wv; some[uint32(a)>>6&63]>>(a&63)&1 != 0 || some[uint32(b)>>6&63]>>(b&63)&1 != 0 {
				return w, eu, ev
			}
		}
		w = on
		eu += c.pu&mu - c.pm
		ev += c.pv&mv - c.pm
	}
}
