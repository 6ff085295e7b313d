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
	x        [3]int64 // the current cell
	left     int64    // borders still to cross
	eu, ev   int64    // time from the next border on the long axis to the next on another: negative where that comes first
	den      int64
	sec      *section
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
	s.left = sided((s.from[0]+d[0]+s.sign[0])>>8-s.x[0], s.sign[0]) +
		sided((s.from[1]+d[1]+s.sign[1])>>8-s.x[1], s.sign[1]) +
		sided((s.from[2]+d[2]+s.sign[2])>>8-s.x[2], s.sign[2])
	switch {
	case a >= b && a >= c:
		s.m, s.u, s.v = 0, 1, 2
	case c >= b:
		s.m, s.u, s.v = 2, 0, 1
	default:
		s.m, s.u, s.v = 1, 0, 2
	}
	long := s.leaving(s.m)
	s.eu, s.ev = s.leaving(s.u)-long, s.leaving(s.v)-long
	s.pm, s.pu, s.pv = s.time[s.m]*Unit, s.time[s.u]*Unit, s.time[s.v]*Unit
	s.wm, s.wu, s.wv = s.word(s.m), s.word(s.u), s.word(s.v)
	s.g, s.want = g, want
	return true
}

// leaving returns the time at which the ray leaves the current cell over a border of one axis.
func (s *sprint) leaving(i int) int64 {
	return sided((s.x[i]+1+s.sign[i])*Unit-s.from[i], s.sign[i]) * s.time[i]
}

// word returns what crossing a border of an axis adds to the word in which run counts; see Ray.walk.
func (s *sprint) word(i int) int64 {
	spot := [3]int64{1 << 4, 1, 1 << 8}[i]
	return sided(spot, s.sign[i]) - 1<<(leftX+8*i) - 1<<borders
}

// find goes to the first hit; false if there is none before the end, or if the sprint stumbled.
func (s *sprint) find() bool {
	s.enter()
	if s.stops() {
		return true
	}
	w := s.count()
	for {
		some := s.sec.some
		if some == nil {
			some = &nothing
		}
		w, s.eu, s.ev = s.run(some, w, s.eu, s.ev)
		mu, mv := s.eu>>63, s.ev>>63
		across := w + s.wu&mu + s.wv&mv
		if s.eu == 0 || s.ev == 0 || mu&mv != 0 || across&watched != guards || some[uint32(across)>>6&63]>>(across&63)&1 != 0 {
			s.at(w)
			if hit, ended := s.slab(); hit || ended {
				return hit
			}
			w = s.count()
			continue
		}
		// Nothing happens before the border on the long axis.
		on := across + s.wm
		if on < 0 {
			return false
		}
		s.eu += s.pu&mu - s.pm
		s.ev += s.pv&mv - s.pm
		s.at(across)
		s.left--
		s.x[s.m] += s.sign[s.m] | 1
		if w = on; on&watched != guards {
			s.enter()
			w = s.count()
		}
		if i := uint32(w); s.sec.some != nil && s.sec.some[i>>6&63]>>(i&63)&1 != 0 && s.stops() {
			return true
		}
	}
}

// at takes the current cell from the word in which run counts. It lies in the section that the ray was in.
func (s *sprint) at(w int64) {
	s.x = [3]int64{s.x[0]&^15 | w>>4&15, s.x[1]&^15 | w&15, s.x[2]&^15 | w>>8&15}
	s.left = w >> borders
}

// count returns the word in which run counts.
func (s *sprint) count() int64 {
	return int64(spot(int32(s.x[0]), int32(s.x[1]), int32(s.x[2]))) | guards | s.left<<borders |
		((s.x[0]^^s.sign[0])&15)<<leftX | ((s.x[1]^^s.sign[1])&15)<<leftY | ((s.x[2]^^s.sign[2])&15)<<leftZ
}

// enter looks the section of the current cell up.
func (s *sprint) enter() { s.sec = s.g.sectionAt(int32(s.x[0]), int32(s.x[1]), int32(s.x[2])) }

// slab crosses one slab border by border.
func (s *sprint) slab() (hit, ended bool) {
	if s.eu == 0 || s.ev == 0 || s.eu == s.ev && s.eu < 0 {
		// Borders that meet, unless the way ends before.
		s.stumbled = true
		return false, true
	}
	first, second := s.u, s.v
	eu, ev := s.eu, s.ev
	if ev < eu {
		first, second, eu, ev = second, first, ev, eu
	}
	if eu < 0 {
		if hit, ended = s.cross(first); hit || ended {
			return hit, ended
		}
	}
	if ev < 0 {
		if hit, ended = s.cross(second); hit || ended {
			return hit, ended
		}
	}
	s.eu += s.pu&(s.eu>>63) - s.pm
	s.ev += s.pv&(s.ev>>63) - s.pm
	return s.cross(s.m)
}

func (s *sprint) cross(i int) (hit, ended bool) {
	if s.left--; s.left < 0 {
		return false, true
	}
	was := s.x[i]
	s.x[i] += s.sign[i] | 1
	if (was^s.x[i])&^15 != 0 {
		s.enter()
	}
	return s.stops(), false
}

// stops says whether the ray hits something in the current cell.
func (s *sprint) stops() bool {
	i := spot(int32(s.x[0]), int32(s.x[1]), int32(s.x[2]))
	if !s.sec.at(i) {
		return false
	}
	id := s.sec.id(cellOf(i))
	shape := &s.g.shapes[id]
	if shape.flags&s.want == 0 {
		return false
	}
	h := Hit{At: Pos{int32(s.x[0]), int32(s.x[1]), int32(s.x[2])}, Block: &s.g.blocks[id], Den: s.den}
	if shape.full {
		for k := range 3 {
			h.Num = max(h.Num, sided((s.x[k]-s.sign[k])*Unit-s.from[k], s.sign[k])*s.time[k])
		}
	} else {
		r := Ray{from: [3]int32{int32(s.from[0]), int32(s.from[1]), int32(s.from[2])}, den: s.den, per: s.time,
			dir: [3]int32{int32(s.sign[0] | 1), int32(s.sign[1] | 1), int32(s.sign[2] | 1)}}
		t, ok := r.enter([3]int32{h.At.X, h.At.Y, h.At.Z}, shape)
		if !ok {
			return false
		}
		h.Num = t
	}
	s.hit = h
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
