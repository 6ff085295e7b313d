package voxel

import (
	"math/bits"
	"slices"
)

// Reached is one cell of a region.
type Reached struct {
	Cell   Pos
	Feet   Point  // where the feet come to stand
	Points int32  // of the cheapest path on the easiest ground that leads here, rounded down
	Ground Ground // slowest kind on that path
}

// Region is what somebody may reach by walking.
type Region struct {
	Cells []Reached // sorted by Cell; the start is one of them, at 0 points
	nodes []node    // in the order in which they were settled, ground after ground
	last  []int32   // of each of Cells its node
}

type node struct {
	at     place
	cost   int32
	ground Ground
	from   int32 // index of the node before; -1 at the start
}

// Find returns what is known of the cell p; false if it cannot be reached.
func (r *Region) Find(p Pos) (Reached, bool) {
	if i, ok := r.find(p); ok {
		return r.Cells[i], true
	}
	return Reached{}, false
}

func (r *Region) find(p Pos) (int, bool) {
	return slices.BinarySearchFunc(r.Cells, p, func(c Reached, p Pos) int { return c.Cell.Compare(p) })
}

// Path returns the cells of the cheapest path to p, p the last and the start left out; nil for the start itself
// and for what cannot be reached.
func (r *Region) Path(p Pos) []Pos {
	i, ok := r.find(p)
	if !ok {
		return nil
	}
	var path []Pos
	for n := &r.nodes[r.last[i]]; n.from >= 0; n = &r.nodes[n.from] {
		path = append(path, n.at.cell)
	}
	slices.Reverse(path)
	return path
}

// The eight neighbours, those without a diagonal first.
var eightSides = [...]Pos{{X: -1}, {Z: -1}, {Z: 1}, {X: 1}, {X: -1, Z: -1}, {X: -1, Z: 1}, {X: 1, Z: -1}, {X: 1, Z: 1}}

// Reach returns every cell to which CheckPath allows a path within the allowance, with the cost of the cheapest. A path over
// easier ground is preferred to a cheaper one over slower ground, since the slowest ground decides the allowance.
// Of equal paths the same one is found every time.
func Reach(w World, from Figure, b Budget, blocked func(Pos) bool) Region {
	m := newMover(w, from, b, blocked)
	f := newFlood(m)
	var r Region
	var keys []uint64
	for k := m.ground; k < Grounds; k++ {
		// Slower ground adds nothing where none of it was met.
		if k == m.ground || f.met[k] && m.budget.Points[k] > 0 && m.budget.Points[m.ground] > 0 {
			f.run(k)
			keys = r.take(f, keys)
		}
	}
	slices.Sort(keys)
	r.Cells, r.last = make([]Reached, len(keys)), make([]int32, len(keys))
	for i, k := range keys {
		at := int32(k & (1<<nodeBits - 1))
		n := &r.nodes[at]
		r.last[i] = at
		r.Cells[i] = Reached{Cell: n.at.cell, Feet: n.at.point(), Points: n.cost / costUnit, Ground: max(n.ground, m.ground)}
	}
	return r
}

// Cells are put into order by one number each: the place in the window, and the node that settled it.
const nodeBits = 26

// take adds the nodes of a flood, and the keys of the cells that none of the earlier floods reached.
func (r *Region) take(f *flood, keys []uint64) []uint64 {
	base := int32(len(r.nodes))
	if base == 0 {
		r.nodes, f.nodes = f.nodes, nil
	} else {
		for _, n := range f.nodes {
			if n.from >= 0 {
				n.from += base
			}
			r.nodes = append(r.nodes, n)
		}
	}
	keys = slices.Grow(keys, len(f.of))
	for i, of := range f.of {
		if c := &f.cells[of]; !c.taken {
			c.taken = true
			p := r.nodes[base+int32(i)].at.cell
			x, y, z := int64(p.X-f.min.X), int64(p.Y-f.min.Y), int64(p.Z-f.min.Z)
			keys = append(keys, uint64((x*int64(f.size.Y)+y)*int64(f.size.Z)+z)<<nodeBits|uint64(base+int32(i)))
		}
	}
	return keys
}

// flood finds the cheapest paths inside a window of columns around the start.
type flood struct {
	m       *mover
	min     Pos
	size    Pos
	columns []column64
	cells   []floodCell
	nodes   []node
	of      []int32       // of each node its cell
	met     [Grounds]bool // kinds of ground too slow for a flood so far

	// Open paths lie in rows by whole points. No step costs less than a point, so what is put into a row while it is gone
	// through belongs to a later one, and all paths to a cell are known before its row begins.
	open []open
	rows []row
}

// column64 is what is known of a column of the window.
type column64 struct {
	some, full uint64 // bits of 64 cells, the lowest at base; see grid.column
	done       uint64 // bits of cells settled in this flood; some may be missing
	base       int32
	known      bool
	first      int32 // 1 + the place in flood.cells of the first cell met; 0: none
}

// row is a list of open paths, by their places in flood.open; -1 ends it.
type row struct{ first, last int32 }

// floodCell remembers the footing of a cell, and how it was reached in the flood over ground up to round-1.
type floodCell struct {
	y, next int32 // next in its column, as column64.first
	best    int32 // cost, while not settled
	foot    footing
	round   Ground // 0: in none yet
	settled bool
	taken   bool
}

// open is a path that ends in a cell not settled yet.
type open struct {
	to     place
	cell   int32
	cost   int32
	from   int32
	next   int32
	ground Ground
}

func newFlood(m *mover) *flood {
	far := int32(0)
	for _, p := range m.budget.Points {
		far = max(far, p)
	}
	c, b := m.start.cell, m.g.bounds
	lo := Pos{max(c.X-far, b.Min.X), b.Min.Y, max(c.Z-far, b.Min.Z)}
	hi := Pos{min(c.X+far, b.Max.X-1), b.Max.Y - 1, min(c.Z+far, b.Max.Z-1)}
	if !b.Contains(c) {
		lo, hi = c, c // from outside there is no way
	}
	f := &flood{m: m, min: lo, size: Pos{hi.X - lo.X + 1, hi.Y - lo.Y + 1, hi.Z - lo.Z + 1}}
	n := int(f.size.X) * int(f.size.Z)
	f.columns = make([]column64, n)
	n = min(n, 4096)
	f.cells = make([]floodCell, 0, n)
	f.nodes, f.of = make([]node, 0, n), make([]int32, 0, n)
	f.open = make([]open, 0, n)
	return f
}

// column returns the column at x, z, with its bits for the cells from y-8 to y+8; nil outside of the window.
func (f *flood) column(x, y, z int32) *column64 {
	dx, dz := uint32(x-f.min.X), uint32(z-f.min.Z)
	if dx >= uint32(f.size.X) || dz >= uint32(f.size.Z) {
		return nil
	}
	c := &f.columns[int32(dx)*f.size.Z+int32(dz)]
	if by := y - c.base; !c.known || by < 8 || by > 55 {
		c.base, c.known, c.done = y-28, true, 0
		c.some, c.full = f.m.g.column(x, c.base, z)
	}
	return c
}

// cell returns the place in f.cells of the cell p of a column.
func (f *flood) cell(col *column64, p Pos) int32 {
	i := col.first
	for ; i > 0; i = f.cells[i-1].next {
		if f.cells[i-1].y == p.Y {
			return i - 1
		}
	}
	foot, ok := f.simple(col, p)
	if !ok {
		foot = f.m.g.footing(p, f.m.width, f.m.height)
	}
	f.cells = append(f.cells, floodCell{y: p.Y, next: col.first, foot: foot})
	col.first = int32(len(f.cells))
	return col.first - 1
}

// rowsOf returns the bits of the cells that a body with its feet at a height, in 1/16, reaches into.
func (f *flood) rowsOf(col *column64, feet int32) uint64 {
	low, high := feet>>4, (feet*16+f.m.height-1)>>8
	if low < col.base || high-col.base > 63 {
		return ^uint64(0) // not known: ask the blocks
	}
	return (2<<(high-low) - 1) << (low - col.base)
}

// simple is footing for the usual case of plain air above a full block; false where it does not apply.
func (f *flood) simple(col *column64, p Pos) (footing, bool) {
	if f.m.width > Unit || col.some&f.rowsOf(col, p.Y*16) != 0 || !f.m.g.bounds.Contains(p) {
		return footing{}, false
	}
	return footing{}, col.full>>(p.Y-1-col.base)&1 != 0
}

// mayStand says of the cells of a column from low to high in which somebody might come to stand: those in which there is something
// that does not fill them, and those above such or above a full block. Nobody stands on or in plain air. Cells that are settled are
// left out.
func (c *column64) mayStand(low, high int32) uint64 {
	may := (c.some | c.some<<1) &^ c.full &^ c.done
	return may >> (low - c.base) & (2<<(high-low) - 1)
}

// plain says whether a step needs no closer look: by one block at most, and all cells that the body comes through are free of
// anything.
func (f *flood) plain(at, to place, here, there *column64) bool {
	dx, dz := to.cell.X-at.cell.X, to.cell.Z-at.cell.Z
	if f.m.width > Unit || dx == 0 && dz == 0 || max(abs(dx), abs(dz)) > 1 || abs(to.feet-at.feet) > 16 {
		return false
	}
	top := max(at.feet, to.feet)
	if here.some&f.rowsOf(here, top) != 0 || there.some&f.rowsOf(there, top) != 0 {
		return false
	}
	if dx == 0 || dz == 0 {
		return true
	}
	a, b := f.column(at.cell.X, at.cell.Y, to.cell.Z), f.column(to.cell.X, at.cell.Y, at.cell.Z)
	return a != nil && b != nil && a.some&f.rowsOf(a, top) == 0 && b.some&f.rowsOf(b, top) == 0
}

// run settles every cell that can be reached over ground up to k.
func (f *flood) run(k Ground) {
	f.nodes, f.of, f.open = f.nodes[:0], f.of[:0], f.open[:0]
	f.rows = make([]row, f.m.budget.Points[k]+1)
	for i := range f.rows {
		f.rows[i] = row{-1, -1}
	}
	for i := range f.columns {
		f.columns[i].done = 0
	}
	start := f.m.start
	f.push(open{from: -1, to: start, cell: f.cell(f.column(start.cell.X, start.cell.Y, start.cell.Z), start.cell)})
	for i := range f.rows {
		for at := f.rows[i].first; at >= 0; at = f.open[at].next {
			o := f.open[at]
			c := &f.cells[o.cell]
			if c.round == k+1 && (c.settled || o.cost > c.best) {
				continue
			}
			c.round, c.settled = k+1, true
			f.nodes, f.of = append(f.nodes, node{o.to, o.cost, o.ground, o.from}), append(f.of, o.cell)
			f.expand(&o, k)
		}
	}
}

// expand opens the paths that go on from a cell just settled.
func (f *flood) expand(o *open, k Ground) {
	b := &f.m.budget
	at := o.to.cell
	here := f.column(at.X, at.Y, at.Z)
	here.done |= 1 << (at.Y - here.base)
	for _, side := range eightSides {
		for far := int32(1); far <= b.Jump+1; far++ {
			cost := o.cost + f.m.cost(side.X*far, side.Z*far)
			if cost>>20 >= int32(len(f.rows)) {
				break
			}
			high, low := at.Y+1, at.Y-max(b.Drop, 1)
			if far == 1 {
				high = at.Y + max(b.Climb, 1)
			}
			// The bits of a column reach 8 cells up and down.
			for ; high >= low; high -= 8 {
				least := max(low, high-7)
				col := f.column(at.X+side.X*far, high, at.Z+side.Z*far)
				if col == nil {
					break
				}
				for may := col.mayStand(least, high); may != 0; {
					bit := int32(bits.Len64(may)) - 1
					may &^= 1 << bit
					f.try(o, here, col, Pos{at.X + side.X*far, least + bit, at.Z + side.Z*far}, cost, k)
				}
			}
		}
	}
	if cost := o.cost + costUnit; cost>>20 < int32(len(f.rows)) && (here.some&^here.full)>>(at.Y-1-here.base)&7 != 0 {
		for dy := int32(1); dy >= -1; dy -= 2 {
			if f.m.floats(at) || f.m.floats(at.Up(dy)) {
				f.try(o, here, here, at.Up(dy), cost, k)
			}
		}
	}
}

// try opens the path from a settled cell to p, unless there is none or a better one is known.
func (f *flood) try(o *open, here, there *column64, p Pos, cost int32, k Ground) {
	i := f.cell(there, p)
	n := &f.cells[i]
	if n.round == k+1 && (n.settled || n.best <= cost) {
		return
	}
	ground := n.foot.ground
	if ground > k {
		f.met[ground] = true
	}
	if n.foot.why != Allowed || ground > k || f.m.budget.Points[ground] == 0 {
		return
	}
	to := place{p, p.Y*16 + n.foot.height}
	if f.plain(o.to, to, here, there) {
		if f.m.blocked != nil && f.m.blocked(p) {
			return
		}
	} else {
		kind, blocks := f.m.kind(o.to, to)
		if f.m.step(o.to, to, n.foot, kind, blocks) != Allowed {
			return
		}
	}
	n.round, n.best, n.settled = k+1, cost, false
	f.push(open{to: to, cell: i, cost: cost, from: int32(len(f.nodes)) - 1, ground: max(o.ground, ground)})
}

func (f *flood) push(o open) {
	o.next = -1
	at := int32(len(f.open))
	f.open = append(f.open, o)
	r := &f.rows[o.cost>>20]
	if r.last < 0 {
		r.first = at
	} else {
		f.open[r.last].next = at
	}
	r.last = at
}
