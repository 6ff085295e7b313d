package kmrp

import (
	"errors"

	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// postureCost is what crouching and standing up from it cost in movement points (KM-MOVE-08).
const postureCost = 3

// proneFree is the free movement of whoever lies, in blocks (KM-MOVE-11).
const proneFree = 1

// gaitOf is the column of the speed table that an act of movement uses.
func gaitOf(a engine.ActName) catalogue.Gait {
	switch a {
	case actRunUp:
		return catalogue.RunUp
	case actRun:
		return catalogue.Run
	case actCrouched:
		return catalogue.Crouched
	case actCrawl:
		return catalogue.Crawl
	}
	return catalogue.Free
}

// gaitAct is the act of a column.
func gaitAct(g catalogue.Gait) engine.ActName {
	switch g {
	case catalogue.RunUp:
		return actRunUp
	case catalogue.Run:
		return actRun
	case catalogue.Crouched:
		return actCrouched
	case catalogue.Crawl:
		return actCrawl
	}
	return actFreeMove
}

// blocks is the allowance at a Movement level for a gait (KM-MOVE-01, option table_overflow).
func (r *rules) blocks(b *engine.Battle, level int32, g catalogue.Gait) (n int32, falls, lost bool) {
	if b.Word(optOverflow) == "extrapolate" {
		return r.cat.MoveBeyond(level, g)
	}
	return r.cat.Move(level, g)
}

// freeAllowance is the free movement in blocks: at the Movement level with penalties, without a roll, at least 1; prone 1
// (KM-MOVE-02, -11). Percentages count by whole hundreds (KM-PCT-10).
func (r *rules) freeAllowance(v engine.View, a engine.ActorID) int32 {
	if v.Actor(a).Pose.Posture == voxel.Prone {
		return proneFree
	}
	c := casting{rules: r, v: v, by: a, trait: catalogue.Movement, why: whyMove, rule: "KM-MOVE-02"}
	c.prepare(nil)
	level := c.level()
	if k := v.FindCond(a.On(), condConcentration); k != nil && k.About == catalogue.Movement {
		level-- // free movement is no action, and gets nothing from concentration (KM-CONC-02)
	}
	n, _, _ := r.blocks(v.Battle, level, catalogue.Free)
	return n
}

// slower is the column that a gait uses on hard ground: one lower than intended (KM-MOVE-12, AMB-15).
func slower(g catalogue.Gait) catalogue.Gait {
	switch g {
	case catalogue.Run:
		return catalogue.RunUp
	case catalogue.RunUp:
		return catalogue.Crouched
	case catalogue.Crouched:
		return catalogue.Crawl
	}
	return g
}

// budget is the allowance of a gait on each kind of ground, less what is spent (KM-MOVE-11, -12, -13).
func (r *rules) budget(b *engine.Battle, level int32, g catalogue.Gait, spent int32) voxel.Budget {
	at := func(g catalogue.Gait) int32 {
		n, _, _ := r.blocks(b, level, g)
		return min(max(0, n-spent), voxel.MaxAllowance)
	}
	var out voxel.Budget
	hard := slower(g)
	if b.Word(optGround) == "crouched" && g > catalogue.Crouched {
		hard = catalogue.Crouched
	}
	swim := min(g, catalogue.Crouched)
	out.Points[voxel.Normal] = at(g)
	out.Points[voxel.Hard] = at(hard)
	out.Points[voxel.Swim] = at(swim)
	out.Points[voxel.VeryHard] = at(min(g, catalogue.Crawl))
	out.Metric = metric(b)
	return out
}

// metric is how steps are counted (KM-MOVE-14).
func metric(b *engine.Battle) voxel.Metric {
	switch b.Word(optMetric) {
	case "diagonal_one":
		return voxel.DiagonalOne
	case "manhattan":
		return voxel.DiagonalTwo
	}
	return voxel.Euclidean
}

// allowance is what the actor may walk now: freely, or by the gait that was rolled.
func (t *turn) allowance() voxel.Budget {
	if t.rolledGait() {
		g := catalogue.Gait(t.f.Get(varMoved, t.who) - 1)
		return t.r.budget(t.v.Battle, int32(t.f.Get(varResult, t.who)), g, int32(t.f.Get(varSpent, t.who)))
	}
	b := voxel.Evenly(max(0, t.r.freeAllowance(t.v, t.who)-int32(t.f.Get(varSpent, t.who))))
	b.Metric = metric(t.v.Battle)
	return b
}

// figure is an actor's body in its pose.
func (r *rules) figure(a *engine.Actor) voxel.Figure {
	f := voxel.Figure{Pose: a.Pose}
	if body := r.spec.Body(a.Body); body != nil {
		f.Body = body.Body
	}
	return f
}

// occupied says where others stand, the walker aside.
func occupied(b *engine.Battle, who engine.ActorID) func(voxel.Pos) bool {
	return func(p voxel.Pos) bool {
		for i := range b.Actors {
			if a := &b.Actors[i]; a.ID != who && a.Pose.At.Block() == p {
				return true
			}
		}
		return false
	}
}

// shut says where the walker may not go: where others stand, and beyond the border of a time freeze (KM-PARA-01).
func shut(b *engine.Battle, who engine.ActorID) func(voxel.Pos) bool {
	others := occupied(b, who)
	if !frozen(b) {
		return others
	}
	from := b.Actor(who).Pose.At.Block()
	return func(p voxel.Pos) bool { return others(p) || border(b, who, from, p) != 0 }
}

// frozen reports whether there is a time freeze at all.
func frozen(b *engine.Battle) bool {
	for i := range b.Zones {
		if b.Zones[i].Name == condFreeze {
			return true
		}
	}
	return false
}

// border is the time freeze whose border lies between two cells for somebody without the master's leave; zero: none.
func border(b *engine.Battle, who engine.ActorID, from, to voxel.Pos) engine.ZoneID {
	for i := range b.Zones {
		z := &b.Zones[i]
		if z.Name == condFreeze && z.Shape.Contains(from) != z.Shape.Contains(to) && !mayPass(b, who, z.ID) {
			return z.ID
		}
	}
	return 0
}

// mayPass reports whether the master let somebody cross the border of a time freeze.
func mayPass(b *engine.Battle, who engine.ActorID, zone engine.ZoneID) bool {
	for _, c := range b.CondsOn(who.On()) {
		if c.Name == condMayPass && (c.Source.Kind == engine.RefBattle || c.Source == (engine.Ref{Kind: engine.RefZone, ID: uint32(zone)})) {
			return true
		}
	}
	return false
}

// beyond refuses a path that crosses the border of a time freeze, with the first cell on the other side (KM-PARA-01).
func (t *turn) beyond(path []voxel.Pos) *engine.Rejection {
	if !frozen(t.v.Battle) {
		return nil
	}
	from := t.me.Pose.At.Block()
	for i, p := range path {
		if z := border(t.v.Battle, t.who, from, p); z != 0 {
			no := engine.Refuse(engine.ReasonForbidden, "KM-PARA-01", engine.Cell("cell", p), engine.Num("step", int64(i)+1))
			no.Cells = []voxel.Pos{p}
			return no
		}
	}
	return nil
}

// way is a path that was found legal.
type way struct {
	cells  []voxel.Pos
	end    voxel.Point
	points int32
}

// walk checks a path, or finds the cheapest to a single far cell, within an allowance. It refuses with the cell that stops
// and the region that can be reached.
func (t *turn) walk(in *engine.Intent, budget voxel.Budget, rule engine.Rule) (way, *engine.Rejection) {
	if no := t.beyond(in.Path); no != nil {
		return way{}, no
	}
	from := t.r.figure(t.me)
	blocked := shut(t.v.Battle, t.who)
	start := from.At.Block()
	if t.v.World == nil {
		path := in.Path
		if len(path) == 1 && !adjacent(start, path[0]) {
			path = straight(start, path[0])
		}
		return t.openField(path, budget, rule)
	}
	path := in.Path
	w, err := voxel.CheckPath(t.v.World, from, path, budget, blocked)
	if err != nil && len(path) == 1 { // a destination, or a neighbour that is reached round a corner
		if found := t.reach(budget).Path(path[0]); found != nil {
			path = found
			w, err = voxel.CheckPath(t.v.World, from, path, budget, blocked)
		} else if !adjacent(start, path[0]) {
			return way{}, t.tooFar(path[0], budget, rule)
		}
	}
	if err == nil {
		return way{path, w.End, w.Points}, nil
	}
	var bad *voxel.PathError
	if !errors.As(err, &bad) {
		return way{}, engine.Refuse(engine.ReasonPathBlocked, rule, engine.Words("why", err.Error()))
	}
	if bad.Why == voxel.TooFar {
		return way{}, t.tooFar(bad.Cell, budget, rule)
	}
	no := engine.Refuse(engine.ReasonPathBlocked, rule, engine.Cell("cell", bad.Cell), engine.Num("step", int64(bad.Step)+1), engine.Words("why", bad.Why.String()))
	no.Cells = []voxel.Pos{bad.Cell}
	return way{}, no
}

// tooFar refuses a move beyond the allowance, with the region that can be reached.
func (t *turn) tooFar(cell voxel.Pos, budget voxel.Budget, rule engine.Rule) *engine.Rejection {
	no := engine.Refuse(engine.ReasonTooFar, rule, engine.Cell("cell", cell), engine.Num("points", int64(budget.Points[voxel.Normal])))
	no.Cells = []voxel.Pos{cell}
	no.Region = t.region(budget)
	return no
}

// openField walks where no arena was uploaded: on the level, round nobody.
func (t *turn) openField(path []voxel.Pos, budget voxel.Budget, rule engine.Rule) (way, *engine.Rejection) {
	at := t.me.Pose.At.Block()
	blocked := shut(t.v.Battle, t.who)
	cost := int32(0)
	for i, p := range path {
		if !adjacent(at, p) || p == at || p.Y != at.Y || blocked(p) {
			no := engine.Refuse(engine.ReasonPathBlocked, rule, engine.Cell("cell", p), engine.Num("step", int64(i)+1))
			no.Cells = []voxel.Pos{p}
			return way{}, no
		}
		cost += stepCost(budget.Metric, at, p)
		at = p
	}
	if cost >= (budget.Points[voxel.Normal]+1)*stepUnit {
		return way{}, t.tooFar(at, budget, rule)
	}
	return way{path, at.Floor(), cost / stepUnit}, nil
}

// Steps in an open field cost as voxel.CheckPath counts them: 2²⁰ for a block, √2 of it for a diagonal.
const (
	stepUnit     = 1 << 20
	stepDiagonal = 1482910
)

func stepCost(m voxel.Metric, a, b voxel.Pos) int32 {
	switch {
	case a.X == b.X || a.Z == b.Z || m == voxel.DiagonalOne:
		return stepUnit
	case m == voxel.DiagonalTwo:
		return 2 * stepUnit
	}
	return stepDiagonal
}

// adjacent reports whether two cells touch, on the level in an open field.
func adjacent(a, b voxel.Pos) bool { return voxel.Chebyshev(a, b) <= 1 }

// straight is the path across an open field: diagonally first, then along an axis.
func straight(from, to voxel.Pos) []voxel.Pos {
	var path []voxel.Pos
	if n := voxel.Chebyshev(from, to); n > voxel.MaxAllowance || from.Y != to.Y {
		return []voxel.Pos{to}
	}
	for at := from; at != to; {
		at.X += sign(to.X - at.X)
		at.Z += sign(to.Z - at.Z)
		path = append(path, at)
	}
	return path
}

func sign(n int32) int32 {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// region is what can be walked to, with costs in 1/256 block; nil where no arena was uploaded.
func (t *turn) region(budget voxel.Budget) []engine.CellCost {
	if t.v.World == nil {
		return t.openRegion(budget)
	}
	reach := t.reach(budget)
	start := t.me.Pose.At.Block()
	out := make([]engine.CellCost, 0, len(reach.Cells))
	for i := range reach.Cells {
		if c := &reach.Cells[i]; c.Cell != start && c.Points <= budget.Points[c.Ground] {
			out = append(out, engine.CellCost{Cell: c.Cell, Cost: c.Points * voxel.Unit, From: -1})
		}
	}
	return out
}

// reach is what can be walked to in the arena.
func (t *turn) reach(budget voxel.Budget) *voxel.Region {
	region := voxel.Reach(t.v.World, t.r.figure(t.me), budget, shut(t.v.Battle, t.who))
	return &region
}

// openRegion is the part of an open field that can be walked to by straight ways that nobody stands on.
func (t *turn) openRegion(budget voxel.Budget) []engine.CellCost {
	at := t.me.Pose.At.Block()
	n := budget.Points[voxel.Normal]
	var out []engine.CellCost
	for z := -n; z <= n; z++ {
		for x := -n; x <= n; x++ {
			p := at.Add(voxel.Pos{X: x, Z: z})
			if p == at {
				continue
			}
			if w, ok := t.openWay(straight(at, p), budget); ok {
				out = append(out, engine.CellCost{Cell: p, Cost: w * voxel.Unit, From: -1})
			}
		}
	}
	return out
}

// openWay is the cost of a path across an open field, if it can be walked.
func (t *turn) openWay(path []voxel.Pos, budget voxel.Budget) (points int32, ok bool) {
	at := t.me.Pose.At.Block()
	blocked := shut(t.v.Battle, t.who)
	cost := int32(0)
	for _, p := range path {
		if blocked(p) {
			return 0, false
		}
		cost += stepCost(budget.Metric, at, p)
		at = p
	}
	return cost / stepUnit, cost < (budget.Points[voxel.Normal]+1)*stepUnit
}
