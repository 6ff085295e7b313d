package voxel

// Light follows two rules. A lamp lights its own cell with what it emits. Light that enters a cell loses
// 15 - Passes of that cell, but at least 1; only full sky light that falls straight down through cells that pass all
// loses nothing. The sky shines into the top layer of the box; nothing comes in from the sides or from below. The light of a
// cell is the most that any path gives it.

// entering is what is left of a level that enters a cell.
func (s *shape) entering(level uint8) uint8 {
	if level <= s.decay {
		return 0
	}
	return level - s.decay
}

// falling is what is left of sky light that enters a cell from above.
func (s *shape) falling(level uint8) uint8 {
	if level == MaxLight {
		return MaxLight - s.pass
	}
	return s.entering(level)
}

// lightField is a box of light levels with a border of one cell that no light enters.
type lightField struct {
	nx, ny, nz int // with the border
	kind       []uint16
	level      []uint8
	at         [MaxLight + 1][]int32 // cells to spread from, by level
}

// flood computes the light of every section anew.
func (g *grid) flood() {
	f := &lightField{nx: int(g.nx)*sectionSize + 2, ny: int(g.ny)*sectionSize + 2, nz: int(g.nz)*sectionSize + 2}
	n := f.nx * f.ny * f.nz
	f.kind = make([]uint16, n)
	for i := range f.kind {
		f.kind[i] = 1 // what lies outside passes no light
	}
	for i, s := range g.sections {
		f.copyKinds(g.local(i), s)
	}
	f.level = make([]uint8, n)
	for i, id := range f.kind {
		if e := g.shapes[id].emits; e > 0 {
			f.level[i] = e
			f.at[e] = append(f.at[e], int32(i))
		}
	}
	f.spread(g.shapes)
	lamps := f.level

	f.level = make([]uint8, n)
	f.shine(g.shapes)
	f.spread(g.shapes)
	for i, s := range g.sections {
		f.store(g.local(i), s, lamps)
	}
}

// local returns where section i begins, counted from the corner of the box.
func (g *grid) local(i int) Pos {
	c, m := g.corner(i), g.bounds.Min
	return Pos{c.X - m.X, c.Y - m.Y, c.Z - m.Z}
}

// row returns the index of the cell at x, y, z, counted from the corner of the box.
func (f *lightField) row(x, y, z int) int { return ((y+1)*f.nz+z+1)*f.nx + x + 1 }

func (f *lightField) copyKinds(at Pos, s *section) {
	for y := range sectionSize {
		for z := range sectionSize {
			row := f.kind[f.row(int(at.X), int(at.Y)+y, int(at.Z)+z):][:sectionSize]
			for x := range row {
				row[x] = s.id(uint32(y<<8 | z<<4 | x))
			}
		}
	}
}

// shine lets the sky fall down every column and notes the cells that could light a neighbour.
func (f *lightField) shine(shapes []shape) {
	plane := f.nx * f.nz
	for z := 1; z < f.nz-1; z++ {
		for x := 1; x < f.nx-1; x++ {
			level := uint8(MaxLight)
			for i := (f.ny-2)*plane + z*f.nx + x; i >= plane && level > 0; i -= plane {
				level = shapes[f.kind[i]].falling(level)
				f.level[i] = level
			}
		}
	}
	sides := [...]int{1, -1, f.nx, -f.nx, plane}
	for y := 1; y < f.ny-1; y++ {
		for z := 1; z < f.nz-1; z++ {
			for i, end := y*plane+z*f.nx+1, y*plane+z*f.nx+f.nx-1; i < end; i++ {
				level := f.level[i]
				if level < 2 {
					continue
				}
				for _, d := range sides {
					if level > f.level[i+d]+1 && shapes[f.kind[i+d]].entering(level) > f.level[i+d] {
						f.at[level] = append(f.at[level], int32(i))
						break
					}
				}
			}
		}
	}
}

// spread carries the light of the noted cells on, the brightest first, so that each cell is settled once.
func (f *lightField) spread(shapes []shape) {
	plane := f.nx * f.nz
	sides := [...]int{1, -1, f.nx, -f.nx, plane, -plane}
	for level := uint8(MaxLight); level > 0; level-- {
		for _, i := range f.at[level] {
			if f.level[i] != level {
				continue
			}
			for _, d := range sides {
				n := int(i) + d
				if level <= f.level[n]+1 {
					continue
				}
				if to := shapes[f.kind[n]].entering(level); to > f.level[n] {
					f.level[n] = to
					f.at[to] = append(f.at[to], int32(n))
				}
			}
		}
		f.at[level] = f.at[level][:0]
	}
}

// store writes the light of a section, lamps and sky, evenly lit sections as one number.
func (f *lightField) store(at Pos, s *section, lamps []uint8) {
	out := make([]uint8, sectionCells)
	same := true
	for y := range sectionSize {
		for z := range sectionSize {
			from := f.row(int(at.X), int(at.Y)+y, int(at.Z)+z)
			for x := range sectionSize {
				v := lamps[from+x]<<4 | f.level[from+x]
				out[y<<8|z<<4|x] = v
				same = same && v == out[0]
			}
		}
	}
	if s.even = out[0]; same {
		out = nil
	}
	s.light = out
}

// Shine returns how much of a light of a level, held or flashing in one cell, reaches another: what a lamp of that level there would
// give by itself. It is what a torch in a hand, a burning man or the flash of a shot adds without a change of blocks.
func Shine(w World, at Pos, level uint8, to Pos) uint8 {
	level = min(level, MaxLight)
	distance := func(p Pos) int32 { return abs(p.X-to.X) + abs(p.Y-to.Y) + abs(p.Z-to.Z) }
	g := w.view()
	if distance(at) >= int32(level) && at != to || !g.bounds.Contains(at) {
		return 0
	}
	const far, side = MaxLight, 2*MaxLight + 1
	best := make([]uint8, side*side*side)
	index := func(p Pos) int { return (int(p.Y-at.Y+far)*side+int(p.Z-at.Z+far))*side + int(p.X-at.X+far) }
	var open [MaxLight + 1][]Pos
	best[index(at)], open[level] = level, []Pos{at}
	for l := level; l > 0; l-- {
		for i := 0; i < len(open[l]); i++ {
			p := open[l][i]
			if p == to {
				return l
			}
			if best[index(p)] != l {
				continue
			}
			for _, d := range sixWays {
				n := p.Add(d)
				if !g.bounds.Contains(n) {
					continue
				}
				// Nothing that cannot reach the other cell any more is followed.
				if left := g.shapeAt(n.X, n.Y, n.Z).entering(l); int32(left) > distance(n) && left > best[index(n)] {
					best[index(n)] = left
					open[left] = append(open[left], n)
				}
			}
		}
	}
	return 0
}
