package voxel

import "slices"

// relight repairs one kind of light after cells changed: it darkens all that the old light of these cells may have lit,
// then lets light in again from what is left.
type relight struct {
	g     *grid
	lit   []bool // sections whose light no other world shares
	shift uint8  // of the kind of light in a byte: 4 lamps, 0 sky
	dark  []darkened
	at    [MaxLight + 1][]spotRef
}

// spotRef is a cell of the box: the index of its section and its own in it.
type spotRef uint64

func (r spotRef) section() int { return int(r >> 12) }
func (r spotRef) cell() uint32 { return uint32(r) & (sectionCells - 1) }

type darkened struct {
	at  spotRef
	was uint8
}

// The sides of a cell: the one below first, its opposite next to it, and so on.
const (
	below = iota
	above
	west
	east
	north
	south
	sides
)

// neighbour returns the neighbour of a cell; false beyond the box.
func (g *grid) neighbour(at spotRef, side int) (spotRef, bool) {
	c := at.cell()
	n := int64(g.nx)
	var step, mask, edge, over int64
	switch side {
	case below:
		step, mask, edge, over = -1<<8, 15<<8, 0, -n*int64(g.nz)
	case above:
		step, mask, edge, over = 1<<8, 15<<8, 15<<8, n*int64(g.nz)
	case west:
		step, mask, edge, over = -1, 15, 0, -1
	case east:
		step, mask, edge, over = 1, 15, 15, 1
	case north:
		step, mask, edge, over = -1<<4, 15<<4, 0, -n
	case south:
		step, mask, edge, over = 1<<4, 15<<4, 15<<4, n
	}
	if int64(c)&mask != edge {
		return spotRef(int64(at) + step), true
	}
	s := int64(at.section())
	switch side {
	case below:
		if s+over < 0 {
			return 0, false
		}
	case above:
		if s+over >= int64(len(g.sections)) {
			return 0, false
		}
	case west:
		if s%n == 0 {
			return 0, false
		}
	case east:
		if s%n == n-1 {
			return 0, false
		}
	case north:
		if s/n%int64(g.nz) == 0 {
			return 0, false
		}
	case south:
		if s/n%int64(g.nz) == int64(g.nz)-1 {
			return 0, false
		}
	}
	return spotRef((s+over)<<12 | int64(c)&^mask | (mask - edge)), true
}

func (r *relight) run(changed []Pos) {
	r.dark = r.dark[:0]
	for _, p := range changed {
		at := spotRef(r.g.indexOf(p))<<12 | spotRef(cell(p.X, p.Y, p.Z))
		r.dark = append(r.dark, darkened{at, r.get(at)})
		r.set(at, 0)
	}
	for i := 0; i < len(r.dark); i++ {
		from := r.dark[i]
		if from.was == 0 {
			continue
		}
		for side := range sides {
			n, ok := r.g.neighbour(from.at, side)
			if !ok {
				continue
			}
			if level := r.get(n); level > 0 && level <= r.most(from.was, side) && level <= r.into(from.was, n, side) {
				r.dark = append(r.dark, darkened{n, level})
				r.set(n, 0)
			}
		}
	}
	for _, c := range r.dark {
		best := r.source(c.at)
		for side := range sides {
			n, ok := r.g.neighbour(c.at, side)
			switch {
			case ok:
				// Seen from there, c is on the opposite side.
				if level := r.get(n); r.most(level, side^1) > best {
					best = max(best, r.into(level, c.at, side^1))
				}
			case side == above && r.shift == 0:
				best = max(best, r.into(MaxLight, c.at, below)) // from the sky above the box
			}
		}
		r.raise(c.at, best)
	}
	for level := uint8(MaxLight); level > 0; level-- {
		for i := 0; i < len(r.at[level]); i++ {
			at := r.at[level][i]
			if r.get(at) != level {
				continue
			}
			for side := range sides {
				n, ok := r.g.neighbour(at, side)
				if ok && r.get(n) < r.most(level, side) {
					r.raise(n, r.into(level, n, side))
				}
			}
		}
		r.at[level] = r.at[level][:0]
	}
}

// source is the light that a cell gives by itself.
func (r *relight) source(at spotRef) uint8 {
	if r.shift == 0 {
		return 0
	}
	return r.shape(at).emits
}

func (r *relight) shape(at spotRef) *shape {
	return &r.g.shapes[r.g.sections[at.section()].id(at.cell())]
}

// into is what is left of a level that enters a cell from its neighbour, of which the cell is on the given side.
func (r *relight) into(level uint8, at spotRef, side int) uint8 {
	s := r.shape(at)
	if side == below && r.shift == 0 {
		return s.falling(level)
	}
	return s.entering(level)
}

// most is the most that into may return.
func (r *relight) most(level uint8, side int) uint8 {
	if level == 0 || level == MaxLight && side == below && r.shift == 0 {
		return level
	}
	return level - 1
}

func (r *relight) raise(at spotRef, level uint8) {
	if level > r.get(at) {
		r.set(at, level)
		r.at[level] = append(r.at[level], at)
	}
}

func (r *relight) get(at spotRef) uint8 {
	return r.g.sections[at.section()].lit(at.cell()) >> r.shift & 15
}

func (r *relight) set(at spotRef, level uint8) {
	s := r.g.sections[at.section()]
	i := at.cell()
	was := s.lit(i)
	now := was&^(15<<r.shift) | level<<r.shift
	if was == now {
		return
	}
	if !r.lit[at.section()] {
		c := *s
		if c.light = slices.Clone(s.light); c.light == nil {
			c.light = make([]uint8, sectionCells)
			for j := range c.light {
				c.light[j] = c.even
			}
		}
		s = &c
		r.g.sections[at.section()], r.lit[at.section()] = s, true
	}
	s.light[i] = now
}
