package voxel

import (
	"fmt"
	"slices"
)

// Costs are counted in parts of a point, so that sums of √2 stay exact enough to round down right: for paths of up to 400
// diagonal steps ⌊sum⌋ is the floor of the true sum (KM-MOVE-14).
const (
	costUnit     = 1 << 20
	costDiagonal = 1482910 // ⌊√2 · 2²⁰⌋
)

// MaxAllowance is the largest allowance of a Budget, in points.
const MaxAllowance = 256

// Metric is how steps are counted (cfg.path_metric). The zero value is Euclidean.
type Metric uint8

// The metrics: a diagonal step costs √2, 1 or 2 points.
const (
	Euclidean Metric = iota
	DiagonalOne
	DiagonalTwo
)

func (m Metric) diagonal() int32 {
	switch m {
	case DiagonalOne:
		return costUnit
	case DiagonalTwo:
		return 2 * costUnit
	}
	return costDiagonal
}

// Budget is how far somebody may walk.
type Budget struct {
	// Points is the allowance for a path whose slowest ground is of each kind, 0 to MaxAllowance. 0: that ground may not
	// be entered, nor left by who stands on it. An allowance above that of easier ground counts as that one.
	Points [Grounds]int32
	Metric Metric
}

// Evenly returns a budget of the same number of points on every kind of ground but Climb, which needs a climb.
func Evenly(points int32) Budget {
	var b Budget
	for k := range Grounds {
		b.Points[k] = points
	}
	b.Points[Climb] = 0
	return b
}

// Refused is why a step cannot be walked. The zero value is Allowed.
type Refused uint8

// The reasons.
const (
	Allowed   Refused = iota
	NotNext           // the cell does not touch the one before
	Outside           // beyond the arena
	Blocked           // a block is in the way, or there is no headroom
	Occupied          // somebody stands there
	NoFloor           // nothing to stand on: a fall or a jump
	TooHigh           // more than one block up: a climb
	TooDeep           // more than one block down: a fall, jump or descent
	Corner            // a diagonal step past a block
	TooFar            // beyond the allowance
	TooSlow           // ground for which the allowance has no points
	refusings         // how many there are
)

// String returns the reason in lower-case words.
func (r Refused) String() string {
	if r >= refusings {
		return fmt.Sprintf("refused(%d)", uint8(r))
	}
	return [...]string{"allowed", "not next to the cell before", "outside the arena", "blocked by a block", "occupied by somebody",
		"no floor: it needs a jump or is a fall", "more than one block up: it needs a climb", "more than one block down: it is a fall",
		"cuts the corner of a block", "beyond the allowance", "ground that the allowance does not cover"}[r]
}

// PathError names the first step of a path that cannot be walked.
type PathError struct {
	Step int // index in the path
	Cell Pos
	Why  Refused
}

// Error returns the step, the cell and the reason.
func (e *PathError) Error() string {
	return fmt.Sprintf("step %d of the path, to %v: %v", e.Step+1, e.Cell, e.Why)
}

// Walk is the cost of a path.
type Walk struct {
	Points int32  // rounded down
	Ground Ground // the slowest kind on the path, the start included
	End    Point  // where the feet come to stand
}

// CheckPath says what it costs to walk the cells of path one after another, from the cell of the figure, which is not part of the
// path. It refuses, as *PathError, the first step that is not to one of the eight neighbours on the level, one block up
// or one block down; that needs a fall, a jump or a climb; for which the body has no room; or with which the allowance is
// used up. Nobody walks who stands outside the arena. blocked says where others stand; nil: nowhere.
func CheckPath(w World, from Figure, path []Pos, b Budget, blocked func(Pos) bool) (Walk, error) {
	m := newMover(w, from, b, blocked)
	if len(path) > 0 && !m.g.bounds.Contains(m.start.cell) {
		return Walk{}, &PathError{Cell: path[0], Why: Outside}
	}
	at := m.start
	walk := Walk{End: from.At}
	cost := int32(0)
	for i, p := range path {
		bad := func(why Refused) (Walk, error) { return Walk{}, &PathError{Step: i, Cell: p, Why: why} }
		dx, dz := p.X-at.cell.X, p.Z-at.cell.Z
		if abs(dx) > 1 || abs(dz) > 1 || dx == 0 && dz == 0 && abs(p.Y-at.cell.Y) != 1 {
			return bad(NotNext)
		}
		f := m.g.footing(p, m.width, m.height)
		to := place{p, p.Y*16 + f.height}
		if why := m.step(at, to, f); why != Allowed {
			return bad(why)
		}
		walk.Ground = max(walk.Ground, f.ground)
		if i == 0 {
			walk.Ground = max(walk.Ground, m.ground)
		}
		cost += m.cost(dx, dz)
		switch limit := m.budget.Points[walk.Ground]; {
		case f.ground > Normal && m.budget.Points[f.ground] == 0, m.ground > Normal && m.budget.Points[m.ground] == 0:
			return bad(TooSlow)
		case cost >= (limit+1)*costUnit:
			return bad(TooFar)
		}
		at = to
		walk.End = to.point()
	}
	walk.Points = cost / costUnit
	return walk, nil
}

// place is a cell with the height of the feet in it, absolute, in 1/16 block.
type place struct {
	cell Pos
	feet int32
}

func (p place) point() Point {
	return Point{p.cell.X*Unit + Unit/2, p.feet * 16, p.cell.Z*Unit + Unit/2}
}

// mover is somebody on his way.
type mover struct {
	g             *grid
	width, height int32
	budget        Budget
	diagonal      int32
	blocked       func(Pos) bool
	start         place
	ground        Ground // at the start
}

func newMover(w World, from Figure, b Budget, blocked func(Pos) bool) *mover {
	m := &mover{g: w.view(), width: from.Body.Width, height: from.Height(), budget: b, diagonal: b.Metric.diagonal(), blocked: blocked}
	least := int32(MaxAllowance)
	for k, p := range m.budget.Points {
		p = min(max(p, 0), least)
		if m.budget.Points[k] = p; p > 0 || k == int(Normal) {
			least = p
		}
	}
	// The feet are where they are, on a floor or not.
	at := from.At.Add(Point{Y: slack})
	m.start = place{at.Block(), at.Y >> 4}
	if f := m.g.footing(m.start.cell, m.width, m.height); f.why == Allowed {
		m.ground = f.ground
	}
	return m
}

func (m *mover) cost(dx, dz int32) int32 {
	if dx != 0 && dz != 0 {
		return m.diagonal
	}
	return costUnit
}

// step says whether one may go from a place to a neighbour of which the footing is known.
func (m *mover) step(at, to place, f footing) Refused {
	switch {
	case f.why == NoFloor && to.cell.Y*16 > at.feet+16:
		return TooHigh
	case f.why != Allowed:
		return f.why
	case to.feet > at.feet+16:
		return TooHigh
	case to.feet < at.feet-16:
		return TooDeep
	}
	dx, dz := to.cell.X-at.cell.X, to.cell.Z-at.cell.Z
	if dx == 0 && dz == 0 && !m.floats(at.cell) && !m.floats(to.cell) {
		return NotNext // straight up or down only in water and on ladders
	}
	// The body is lifted to the higher of the two levels, moved, and set down. It needs room for all of that; past a
	// corner it needs the whole rectangle around both places.
	top := max(at.feet, to.feet) * 16
	half := m.width / 2
	x0, x1 := min(at.cell.X, to.cell.X)*Unit+Unit/2-half, max(at.cell.X, to.cell.X)*Unit+Unit/2+half
	z0, z1 := min(at.cell.Z, to.cell.Z)*Unit+Unit/2-half, max(at.cell.Z, to.cell.Z)*Unit+Unit/2+half
	if _, hit := m.g.collides(x0, top, z0, x1, top+m.height, z1); hit {
		if dx != 0 && dz != 0 {
			return Corner
		}
		return Blocked
	}
	if m.blocked != nil && m.blocked(to.cell) {
		return Occupied
	}
	return Allowed
}

// floats says whether a body in the cell is carried by water or a ladder.
func (m *mover) floats(p Pos) bool {
	medium := m.g.medium(p.X, p.Y, p.Z)
	return medium == Liquid || medium == Climbable
}

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
	for k := m.ground; k < Grounds; k++ {
		// Slower ground adds nothing where none of it was met.
		if k == m.ground || f.met[k] && m.budget.Points[k] > 0 && m.budget.Points[m.ground] > 0 {
			f.run(k)
			r.take(f, k)
		}
	}
	order := make([]int32, len(r.Cells))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return r.Cells[i].Cell.Compare(r.Cells[j].Cell) })
	cells, last := make([]Reached, len(order)), make([]int32, len(order))
	for i, j := range order {
		cells[i], last[i] = r.Cells[j], r.last[j]
	}
	r.Cells, r.last = cells, last
	return r
}

// take adds the nodes of the flood over ground up to k, and the cells that none of the earlier floods reached.
func (r *Region) take(f *flood, k Ground) {
	base := int32(len(r.nodes))
	for i, n := range f.nodes {
		if n.from >= 0 {
			n.from += base
		}
		r.nodes = append(r.nodes, n)
		c := f.cell(n.at.cell)
		if c.taken {
			continue
		}
		c.taken = true
		r.last = append(r.last, base+int32(i))
		r.Cells = append(r.Cells, Reached{Cell: n.at.cell, Feet: n.at.point(), Points: n.cost / costUnit, Ground: max(n.ground, f.m.ground)})
	}
}

// flood finds the cheapest paths inside a window of cells around the start. What it knows of a cell is kept in chunks of
// 8 × 4 × 8 cells, made when they are first needed.
type flood struct {
	m          *mover
	min        Pos
	size       Pos
	nx, ny, nz int32 // chunks
	chunks     []*[256]floodCell
	nodes      []node
	heap       []open
	met        [Grounds]bool // kinds of ground too slow for a flood so far
}

// floodCell remembers the footing of a cell, and how it was reached in the flood over ground up to round-1.
type floodCell struct {
	best    int32 // cost, while not settled
	height  uint8
	ground  Ground
	why     Refused
	known   bool
	round   Ground // 0: in none yet
	settled bool
	taken   bool
}

// open is a path that ends in a cell not settled yet.
type open struct {
	cost   int32
	serial int32 // earlier found first, among equal costs
	from   int32
	to     place
	ground Ground
}

func newFlood(m *mover) *flood {
	far := int32(0)
	for _, p := range m.budget.Points {
		far = max(far, p)
	}
	c, b := m.start.cell, m.g.bounds
	lo := Pos{max(c.X-far, b.Min.X), max(c.Y-far-1, b.Min.Y), max(c.Z-far, b.Min.Z)}
	hi := Pos{min(c.X+far, b.Max.X-1), min(c.Y+far+1, b.Max.Y-1), min(c.Z+far, b.Max.Z-1)}
	if !b.Contains(c) {
		lo, hi = c, c // from outside there is no way
	}
	f := &flood{m: m, min: lo, size: Pos{hi.X - lo.X + 1, hi.Y - lo.Y + 1, hi.Z - lo.Z + 1}}
	f.nx, f.ny, f.nz = (f.size.X+7)/8, (f.size.Y+3)/4, (f.size.Z+7)/8
	f.chunks = make([]*[256]floodCell, int(f.nx)*int(f.ny)*int(f.nz))
	return f
}

// cell returns what is known of p; nil outside of the window.
func (f *flood) cell(p Pos) *floodCell {
	x, y, z := p.X-f.min.X, p.Y-f.min.Y, p.Z-f.min.Z
	if uint32(x) >= uint32(f.size.X) || uint32(y) >= uint32(f.size.Y) || uint32(z) >= uint32(f.size.Z) {
		return nil
	}
	c := &f.chunks[((y>>2)*f.nz+(z>>3))*f.nx+(x>>3)]
	if *c == nil {
		*c = new([256]floodCell)
	}
	return &(*c)[(y&3)<<6|(z&7)<<3|x&7]
}

// run settles every cell that can be reached over ground up to k.
func (f *flood) run(k Ground) {
	limit := (f.m.budget.Points[k] + 1) * costUnit
	f.nodes, f.heap = f.nodes[:0], f.heap[:0]
	serial := int32(0)
	f.push(open{from: -1, to: f.m.start})
	for len(f.heap) > 0 {
		o := f.pop()
		c := f.cell(o.to.cell)
		if c.settled && c.round == k+1 {
			continue
		}
		c.settled, c.round = true, k+1
		here := int32(len(f.nodes))
		f.nodes = append(f.nodes, node{o.to, o.cost, o.ground, o.from})
		for i := range len(eightSides) + 2 {
			side := eightOrUp(i)
			cost := o.cost + f.m.cost(side.X, side.Z)
			if cost >= limit {
				continue
			}
			for dy := int32(1); dy >= -1; dy-- {
				if i >= len(eightSides) && dy != 0 {
					continue
				}
				p := o.to.cell.Add(Pos{side.X, side.Y + dy, side.Z})
				n := f.cell(p)
				if n == nil {
					continue
				}
				if n.round == k+1 && (n.settled || n.best <= cost) {
					continue
				}
				if !n.known {
					feet := f.m.g.footing(p, f.m.width, f.m.height)
					n.height, n.ground, n.why, n.known = uint8(feet.height), feet.ground, feet.why, true
				}
				if n.ground > k {
					f.met[n.ground] = true
				}
				if n.why != Allowed || n.ground > k || f.m.budget.Points[n.ground] == 0 {
					continue
				}
				feet := footing{int32(n.height), n.ground, n.why}
				to := place{p, p.Y*16 + feet.height}
				if f.m.step(o.to, to, feet) != Allowed {
					continue
				}
				n.settled, n.round, n.best = false, k+1, cost
				serial++
				f.push(open{cost, serial, here, to, max(o.ground, feet.ground)})
			}
		}
	}
}

// eightOrUp returns the i-th neighbour: the eight, then the cell above and the cell below.
func eightOrUp(i int) Pos {
	if i < len(eightSides) {
		return eightSides[i]
	}
	return Pos{Y: int32(1 - 2*(i-len(eightSides)))}
}

func (o *open) before(p *open) bool {
	return o.cost < p.cost || o.cost == p.cost && o.serial < p.serial
}

func (f *flood) push(o open) {
	h := append(f.heap, o)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !o.before(&h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = o
	f.heap = h
}

func (f *flood) pop() open {
	h := f.heap
	top, o := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && h[down+1].before(&h[down]) {
			down++
		}
		if !h[down].before(&o) {
			break
		}
		h[i] = h[down]
		i = down
	}
	if len(h) > 0 {
		h[i] = o
	}
	f.heap = h
	return top
}
