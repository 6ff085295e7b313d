package voxel

import "fmt"

// Costs are counted in parts of a point, so that sums of √2 stay exact enough to round down right: for paths of up to 400
// diagonal steps ⌊sum⌋ is the floor of the true sum (KM-MOVE-14).
const (
	costUnit     = 1 << 20
	costDiagonal = 1482910 // ⌊√2 · 2²⁰⌋
)

// MaxAllowance is the largest allowance of a Budget, in points.
const MaxAllowance = 256

// MaxLeap is the widest jump and the highest climb that a Budget may have, in blocks; deeper values of a drop count as they are,
// up to MaxAllowance.
const MaxLeap = 16

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

// Budget is how far somebody may walk, and over what. The zero values of Jump, Climb and Drop leave plain walking: on the level and
// up or down by one block at a step.
type Budget struct {
	// Points is the allowance for a path whose slowest ground is of each kind, 0 to MaxAllowance. 0: that ground may not
	// be entered, nor left by who stands on it. An allowance above that of easier ground counts as that one.
	Points [Grounds]int32
	Metric Metric
	Jump   int32 // how many blocks a step may leap over, straight or diagonally (KM-JUMP-02), 0 to MaxLeap
	Climb  int32 // how many blocks a step may pull itself up, 0 to MaxLeap; 0 and 1: one, as everybody
	Drop   int32 // how many blocks a step may go down, 0 to MaxAllowance; 0 and 1: one, as everybody
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
	NotNext           // the cell does not touch the one before, and no jump, climb or drop leads there
	Outside           // beyond the arena
	Blocked           // a block is in the way, or there is no headroom
	Occupied          // somebody stands there
	NoFloor           // nothing to stand on: a fall or a jump
	TooHigh           // more than one block up: a climb
	TooDeep           // more than one block down: a fall, jump or descent
	Corner            // a diagonal step past a block
	TooFar            // beyond the allowance, or that of a jump
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

// StepKind is how a step is done. The zero value is Walk.
type StepKind uint8

// The kinds of steps. The measure of a step is in blocks; it is 0 where none is named.
const (
	StepWalk   StepKind = iota // on the level, or up or down by less than a whole block, as on slabs and stairs
	StepUp                     // one block up
	StepDown                   // one block down
	StepSwim                   // from or to water without a floor
	StepLadder                 // from or to a ladder or the like, without a floor
	StepJump                   // over a gap; the measure is the blocks leapt over (KM-JUMP-02)
	StepClimb                  // pulled up; the measure is the blocks that the feet rise, rounded up
	StepFall                   // dropped; the measure is the blocks below the feet, rounded up (KM-JUMP-04, KM-FALL-01)
	StepKinds                  // how many there are
)

// String returns the kind in lower-case words.
func (k StepKind) String() string {
	if k >= StepKinds {
		return fmt.Sprintf("step(%d)", uint8(k))
	}
	return [...]string{"walk", "step up", "step down", "swim", "ladder", "jump", "climb", "fall"}[k]
}

// Step is one step of a path.
type Step struct {
	To     Pos
	Kind   StepKind
	Blocks int32  // the measure of a jump, a climb or a fall; 0 otherwise
	Fall   int32  // blocks that a jump ends below its start, rounded up; 0 for none or one
	Points int32  // of the path up to here, rounded down
	Ground Ground // that it leads to
}

// PathError names the first step of a path that cannot be walked.
type PathError struct {
	Step   int // index in the path
	Cell   Pos
	Why    Refused
	Kind   StepKind // what the step would be
	Blocks int32    // and its measure; 0: none
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
	Steps  []Step // one for each cell of the path
}

// CheckPath says what it costs to walk the cells of path one after another, from the cell of the figure, which is not part of the
// path, and how each step is done. It refuses, as *PathError, the first step that is not to one of the eight neighbours on the
// level, one block up or one block down, nor a jump, climb or drop that the budget allows; for which the body has no room; or with
// which the allowance is used up. A step costs what its way costs seen from above; what jumps, climbs and falls cost or do beyond
// that is the rules' to say. Nobody walks who stands outside the arena. blocked says where others stand; nil: nowhere.
func CheckPath(w World, from Figure, path []Pos, b Budget, blocked func(Pos) bool) (Walk, error) {
	m := newMover(w, from, b, blocked)
	if len(path) > 0 && !m.g.bounds.Contains(m.start.cell) {
		return Walk{}, &PathError{Cell: path[0], Why: Outside}
	}
	at := m.start
	walk := Walk{End: from.At, Steps: make([]Step, 0, len(path))}
	cost := int32(0)
	for i, p := range path {
		f := m.g.footing(p, m.width, m.height)
		to := place{p, p.Y*16 + f.height}
		kind, blocks := m.kind(at, to)
		bad := func(why Refused) (Walk, error) {
			return Walk{}, &PathError{Step: i, Cell: p, Why: why, Kind: kind, Blocks: blocks}
		}
		if why := m.step(at, to, f, kind, blocks); why != Allowed {
			return bad(why)
		}
		walk.Ground = max(walk.Ground, f.ground)
		if i == 0 {
			walk.Ground = max(walk.Ground, m.ground)
		}
		cost += m.cost(p.X-at.cell.X, p.Z-at.cell.Z)
		switch limit := m.budget.Points[walk.Ground]; {
		case f.ground > Normal && m.budget.Points[f.ground] == 0, m.ground > Normal && m.budget.Points[m.ground] == 0:
			return bad(TooSlow)
		case cost >= (limit+1)*costUnit:
			return bad(TooFar)
		}
		s := Step{To: p, Kind: kind, Blocks: blocks, Points: cost / costUnit, Ground: f.ground}
		if down := blocksUp(at.feet - to.feet); kind == StepJump && down > 1 {
			s.Fall = down
		}
		walk.Steps = append(walk.Steps, s)
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
	m.budget.Jump = min(max(m.budget.Jump, 0), MaxLeap)
	m.budget.Climb = min(max(m.budget.Climb, 0), MaxLeap)
	m.budget.Drop = min(max(m.budget.Drop, 0), MaxAllowance)
	// The feet are where they are, on a floor or not.
	at := from.At.Add(Point{Y: slack})
	m.start = place{at.Block(), at.Y >> 4}
	if f := m.g.footing(m.start.cell, m.width, m.height); f.why == Allowed {
		m.ground = f.ground
	}
	return m
}

// cost returns what a step costs that goes so far, straight or diagonally.
func (m *mover) cost(dx, dz int32) int32 {
	n := max(abs(dx), abs(dz))
	if dx != 0 && dz != 0 {
		return n * m.diagonal
	}
	return max(n, 1) * costUnit
}

// blocksUp returns a difference of feet in whole blocks, rounded up; 0 for none.
func blocksUp(sixteenths int32) int32 { return max(0, (sixteenths+15)>>4) }

// kind returns how the step between two places would be done. Of what is no step at all it returns StepWalk.
func (m *mover) kind(at, to place) (StepKind, int32) {
	dx, dz := abs(to.cell.X-at.cell.X), abs(to.cell.Z-at.cell.Z)
	if far := max(dx, dz); far > 1 {
		if dx != dz && dx != 0 && dz != 0 {
			return StepWalk, 0
		}
		return StepJump, far - 1
	}
	rise := to.feet - at.feet
	here, there := m.g.medium(at.cell.X, at.cell.Y, at.cell.Z), m.g.medium(to.cell.X, to.cell.Y, to.cell.Z)
	switch {
	case dx == 0 && dz == 0 && (here == Climbable || there == Climbable):
		return StepLadder, 0
	case dx == 0 && dz == 0:
		return StepSwim, 0
	case rise > 16:
		return StepClimb, blocksUp(rise)
	case rise < -16:
		return StepFall, blocksUp(-rise)
	case (here == Liquid || there == Liquid) && (m.loose(at.cell, here) || m.loose(to.cell, there)):
		return StepSwim, 0
	case (here == Climbable || there == Climbable) && (m.loose(at.cell, here) || m.loose(to.cell, there)):
		return StepLadder, 0
	case rise == 16:
		return StepUp, 0
	case rise == -16:
		return StepDown, 0
	}
	return StepWalk, 0
}

// loose says whether a body in a cell of water or with a ladder has no floor.
func (m *mover) loose(p Pos, medium Medium) bool {
	return (medium == Liquid || medium == Climbable) && m.g.topUnder(p.X, p.Y, p.Z, m.width) == 0 && m.g.topUnder(p.X, p.Y-1, p.Z, m.width) < 16
}

// step says whether one may go from a place to another of which the footing is known.
func (m *mover) step(at, to place, f footing, kind StepKind, blocks int32) Refused {
	dx, dz := to.cell.X-at.cell.X, to.cell.Z-at.cell.Z
	switch {
	case kind != StepJump && max(abs(dx), abs(dz)) > 1, dx == 0 && dz == 0 && abs(to.cell.Y-at.cell.Y) != 1:
		return NotNext
	case kind == StepJump && m.budget.Jump == 0:
		return NotNext
	case kind == StepJump && blocks > m.budget.Jump:
		return TooFar
	case f.why == NoFloor && to.cell.Y*16 > at.feet+16:
		return TooHigh
	case f.why != Allowed:
		return f.why
	case to.feet > at.feet+16 && (kind == StepJump || blocks > m.budget.Climb):
		return TooHigh
	case to.feet < at.feet-16 && blocksUp(at.feet-to.feet) > m.budget.Drop:
		return TooDeep
	case dx == 0 && dz == 0 && !m.floats(at.cell) && !m.floats(to.cell):
		return NotNext // straight up or down only in water and on ladders
	case kind == StepJump && m.loose(at.cell, m.g.medium(at.cell.X, at.cell.Y, at.cell.Z)):
		return NoFloor // nothing to jump from
	}
	// The body is lifted to the higher of the two levels, moved, and set down. It needs room for all of that; past a
	// corner it needs the whole rectangle around both places.
	top := max(at.feet, to.feet)
	if why := m.sweep(at.cell, dx, dz, top); why != Allowed {
		return why
	}
	if abs(to.feet-at.feet) > 16 {
		up := at.cell
		if to.feet < at.feet {
			up = to.cell
		}
		low := min(at.feet, to.feet)
		if !m.g.fits(up.X, low*16, up.Z, m.width, (top-low)*16+m.height) {
			return Blocked
		}
	}
	if m.blocked != nil {
		if kind == StepJump && m.inTheWay(at.cell, dx, dz, top) || m.blocked(to.cell) {
			return Occupied
		}
	}
	return Allowed
}

// sweep says whether the body may be moved from a column to another, straight or diagonally, with its feet at a height.
func (m *mover) sweep(from Pos, dx, dz, feet int32) Refused {
	n := max(abs(dx), abs(dz))
	if n == 0 {
		n = 1
	}
	sx, sz := dx/n, dz/n
	for i := range n {
		if m.clear(from.X+i*sx, from.Z+i*sz, sx, sz, feet) {
			continue
		}
		if dx != 0 && dz != 0 {
			return Corner
		}
		return Blocked
	}
	return Allowed
}

// clear says whether the rectangle around a body in the middle of a column and of its neighbour is free.
func (m *mover) clear(x, z, sx, sz, feet int32) bool {
	top := feet * 16
	half := m.width / 2
	x0, x1 := min(x, x+sx)*Unit+Unit/2-half, max(x, x+sx)*Unit+Unit/2+half
	z0, z1 := min(z, z+sz)*Unit+Unit/2-half, max(z, z+sz)*Unit+Unit/2+half
	_, hit := m.g.collides(x0, top, z0, x1, top+m.height, z1)
	return !hit
}

// inTheWay says whether somebody stands where a jump leads over, with any part of him above its feet.
func (m *mover) inTheWay(from Pos, dx, dz, feet int32) bool {
	n := max(abs(dx), abs(dz))
	for i := int32(1); i < n; i++ {
		for y := feet>>4 - 1; y <= (feet*16+m.height-1)>>8; y++ {
			if m.blocked(Pos{from.X + i*dx/n, y, from.Z + i*dz/n}) {
				return true
			}
		}
	}
	return false
}

// floats says whether a body in the cell is carried by water or a ladder.
func (m *mover) floats(p Pos) bool {
	medium := m.g.medium(p.X, p.Y, p.Z)
	return medium == Liquid || medium == Climbable
}
