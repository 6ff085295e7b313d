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

// way is a path that was found legal.
type way struct {
	cells  []voxel.Pos
	end    voxel.Point
	points int32
}

// walk checks a path, or finds the cheapest to a single far cell, within an allowance. It refuses with the cell that stops
// and the region that can be reached.
func (t *turn) walk(in *engine.Intent, budget voxel.Budget, rule engine.Rule) (way, *engine.Rejection) {
	from := t.r.figure(t.me)
	blocked := occupied(t.v.Battle, t.who)
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
	blocked := occupied(t.v.Battle, t.who)
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
	region := voxel.Reach(t.v.World, t.r.figure(t.me), budget, occupied(t.v.Battle, t.who))
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
	blocked := occupied(t.v.Battle, t.who)
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

// unmoved refuses a second kind of movement in one turn (KM-MOVE-06).
func (t *turn) unmoved() *engine.Rejection {
	m := t.f.Get(varMoved, t.who)
	if m == int64(catalogue.Free)+1 && t.v.Word(optFreePlus) == wordYes {
		return nil
	}
	if m != 0 {
		return engine.Refuse(engine.ReasonSpent, "KM-MOVE-06", engine.Named("moved", gaitAct(catalogue.Gait(m-1))))
	}
	return nil
}

// posture refuses an act that another posture is needed for.
func (t *turn) posture(rule engine.Rule, ok bool, needed string) *engine.Rejection {
	if ok {
		return nil
	}
	return engine.Refuse(engine.ReasonForbidden, rule, engine.Words("posture", t.me.Pose.Posture.String()), engine.Words("needed", needed))
}

func checkFreeMove(t *turn, in *engine.Intent) *engine.Rejection {
	if t.rolledGait() {
		return t.unmoved()
	}
	if t.f.Get(varWalked, t.who) != 0 {
		return engine.Refuse(engine.ReasonSpent, "KM-MOVE-02")
	}
	_, no := t.walk(in, t.allowance(), "KM-MOVE-02")
	return no
}

func offerFreeMove(t *turn) []engine.Offer { return t.offerWay("KM-MOVE-02") }

func offerWalk(t *turn) []engine.Offer { return t.offerWay("KM-MOVE-05") }

// offerWay offers the cells that can be walked to.
func (t *turn) offerWay(rule engine.Rule) []engine.Offer {
	gait := rule == "KM-MOVE-05"
	switch {
	case gait != t.rolledGait():
		if gait {
			return []engine.Offer{{No: engine.Refuse(engine.ReasonActNotOffered, rule, engine.Words("why", "no gait was rolled"))}}
		}
		return []engine.Offer{{No: t.unmoved()}}
	case t.f.Get(varWalked, t.who) != 0:
		return []engine.Offer{{No: engine.Refuse(engine.ReasonSpent, rule)}}
	}
	o := engine.Offer{Region: t.region(t.allowance())}
	if len(o.Region) == 0 {
		o.No = engine.Refuse(engine.ReasonTooFar, rule, engine.Num("points", int64(t.allowance().Points[voxel.Normal])))
	}
	return []engine.Offer{o}
}

func checkWalk(t *turn, in *engine.Intent) *engine.Rejection {
	if !t.rolledGait() {
		return engine.Refuse(engine.ReasonActNotOffered, "KM-MOVE-05", engine.Words("why", "no gait was rolled"))
	}
	if t.f.Get(varWalked, t.who) != 0 {
		return engine.Refuse(engine.ReasonSpent, "KM-MOVE-05")
	}
	_, no := t.walk(in, t.allowance(), "KM-MOVE-05")
	return no
}

func checkRunUp(t *turn, _ *engine.Intent) *engine.Rejection {
	if no := t.unmoved(); no != nil {
		return no
	}
	return t.posture("KM-MOVE-03", t.me.Pose.Posture == voxel.Standing, "standing")
}

// checkRun: the run phase must be run-up or running at the start of the turn (KM-MOVE-04).
func checkRun(t *turn, _ *engine.Intent) *engine.Rejection {
	if no := t.unmoved(); no != nil {
		return no
	}
	if !t.v.HasCond(t.who.On(), condRun) {
		return engine.Refuse(engine.ReasonForbidden, "KM-MOVE-04", engine.Words("why", "no run-up was made in the turn before"))
	}
	return t.posture("KM-MOVE-04", t.me.Pose.Posture == voxel.Standing, "standing")
}

func checkCrouchedGait(t *turn, _ *engine.Intent) *engine.Rejection {
	if no := t.unmoved(); no != nil {
		return no
	}
	return t.posture("KM-MOVE-09", t.me.Pose.Posture != voxel.Prone, "standing or crouching")
}

func checkCrawl(t *turn, _ *engine.Intent) *engine.Rejection {
	if no := t.unmoved(); no != nil {
		return no
	}
	return t.posture("KM-MOVE-11", t.me.Pose.Posture == voxel.Prone, "prone")
}

// checkShift: 3 points of whatever budget the turn has (KM-MOVE-08).
func (t *turn) checkShift() *engine.Rejection {
	left := int64(t.allowance().Points[voxel.Normal])
	if t.rolledGait() {
		left = t.pointsLeft()
	}
	if left < postureCost {
		return engine.Refuse(engine.ReasonResources, "KM-MOVE-08", engine.Num("left", left), engine.Num("needed", postureCost))
	}
	return nil
}

func checkCrouch(t *turn, _ *engine.Intent) *engine.Rejection {
	if no := t.posture("KM-MOVE-08", t.me.Pose.Posture == voxel.Standing, "standing"); no != nil {
		return no
	}
	return t.checkShift()
}

func checkStand(t *turn, _ *engine.Intent) *engine.Rejection {
	if no := t.posture("KM-MOVE-08", t.me.Pose.Posture == voxel.Crouching, "crouching"); no != nil {
		return no
	}
	if no := t.checkShift(); no != nil {
		return no
	}
	return t.headroom("KM-MOVE-08")
}

func checkLieDown(t *turn, _ *engine.Intent) *engine.Rejection {
	return t.posture("KM-MOVE-10", t.me.Pose.Posture != voxel.Prone, "standing or crouching")
}

func checkGetUp(t *turn, _ *engine.Intent) *engine.Rejection {
	if no := t.posture("KM-MOVE-10", t.me.Pose.Posture == voxel.Prone, "prone"); no != nil {
		return no
	}
	return t.headroom("KM-MOVE-10")
}

// headroom refuses to stand up under a ceiling.
func (t *turn) headroom(rule engine.Rule) *engine.Rejection {
	if t.v.World == nil {
		return nil
	}
	f := t.r.figure(t.me)
	f.Posture = voxel.Standing
	if at, _, in := voxel.Solid(t.v.World, f); in {
		no := engine.Refuse(engine.ReasonPathBlocked, rule, engine.Cell("cell", at))
		no.Cells = []voxel.Pos{at}
		return no
	}
	return nil
}

// playPosture changes the posture.
func playPosture(r *rules, s *engine.Scene, f *engine.Frame, in engine.Intent) {
	a := f.Intent.By
	me := s.Battle().Actor(a)
	to, rule := voxel.Standing, engine.Rule("KM-MOVE-10")
	switch in.Act {
	case actCrouch, actStand:
		rule = "KM-MOVE-08"
		if in.Act == actCrouch {
			to = voxel.Crouching
		}
		f.Set(varSpent, a, f.Get(varSpent, a)+postureCost)
		if f.Get(varMoved, a) == 0 {
			f.Set(varMoved, a, int64(catalogue.Free)+1)
		}
		f.Set(varPhase, a, phaseNone)
	case actLieDown:
		to = voxel.Prone
		f.Set(varPhase, a, phaseNone)
	case actGetUp:
		f.Set(varPhase, a, phaseNone)
	}
	s.Emit(rule, engine.Posed{Actor: a, Look: me.Pose.Look, Posture: to})
}

// playWalk goes the way. The frame is the turn's.
func playWalk(r *rules, s *engine.Scene, f *engine.Frame, in engine.Intent) {
	a := f.Intent.By
	t := turn{r: r, v: s.View(), f: f, who: a, me: s.Battle().Actor(a)}
	rule := engine.Rule("KM-MOVE-02")
	if t.rolledGait() {
		rule = "KM-MOVE-05"
	}
	w, no := t.walk(&in, t.allowance(), rule)
	if no != nil { // somebody hidden stands in the way: he goes nowhere, and nobody learns why
		s.Emit(rule, engine.Resolved{Frame: f.ID, Act: in.Act, By: a, Outcome: outcomeVoid})
		return
	}
	if f.Get(varMoved, a) == 0 {
		f.Set(varMoved, a, int64(catalogue.Free)+1)
	}
	gait := gaitAct(catalogue.Gait(f.Get(varMoved, a) - 1))
	f.Set(varSpent, a, f.Get(varSpent, a)+int64(w.points))
	f.Set(varWalked, a, 1)
	look := t.me.Pose.Look
	s.Emit(rule, engine.Moved{Actor: a, From: t.me.Pose.At, To: w.end, Path: append([]voxel.Pos(nil), w.cells...), Gait: gait, Cost: w.points * voxel.Unit, Look: look})
	if t.rolledGait() && t.pointsLeft() < keepForAction {
		// Nothing but the end is left, save a change of posture.
		if t.pointsLeft() < postureCost {
			f.Step = stepTurnEnd
		}
	}
}

// gaitSteps play the Movement roll of a gait (KM-MOVE-03, -04, -09, -11).
var gaitSteps = [...]step{
	{stepGait, rollGait},
	{stepGaitWill, gaitWill},
	{stepGaitDone, gaitDone},
}

// playGait begins a gait: it is declared before the roll (KM-MOVE-06).
func playGait(r *rules, s *engine.Scene, f *engine.Frame, in engine.Intent) {
	a := f.Intent.By
	r.breakConcentration(s, a, catalogue.Movement)
	f.Set(varMoved, a, int64(gaitOf(in.Act))+1)
	f.Set(varSpent, a, 0)
	f.Set(varWalked, a, 0)
	s.Push(engine.FrameMove, stepGait, in)
}

func rollGait(r *rules, s *engine.Scene, f *engine.Frame) {
	a := f.Intent.By
	c := casting{rules: r, v: s.View(), by: a, trait: catalogue.Movement, why: whyMove, rule: "KM-MOVE-01", frame: f.ID, worse: f.Intent.Has(modTakeWorse)}
	c.prepare(nil)
	f.Rolls = append(f.Rolls, c.cast(s))
	r.useConcentration(s, a, catalogue.Movement)
	r.window(s, f, &f.Rolls[0], stepGaitWill, stepGaitDone)
}

func gaitWill(r *rules, s *engine.Scene, f *engine.Frame) {
	r.shut(s, f, &f.Rolls[0], stepGaitDone)
}

// gaitDone turns the result into points and a run phase (KM-MOVE-01, -07), or into a fall.
func gaitDone(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	a, g, result := f.Intent.By, gaitOf(f.Intent.Act), f.Rolls[0].Result
	points, falls, lost := r.blocks(b, result, g)
	if falls {
		points = 0
	}
	s.Tally(engine.Tally{What: figAllowance, Rule: "KM-MOVE-01", On: a, Terms: []engine.Term{{Name: termBudget, Rule: "KM-MOVE-01", Amount: result}}, Total: int64(points)})
	s.Close(outcomeDone)
	t := s.Top()
	t.Set(varResult, a, int64(result))
	t.Set(varPoints, a, int64(points))
	phase := phaseNone
	switch {
	case lost || falls:
	case g == catalogue.RunUp:
		phase = phaseRunUp
	case g == catalogue.Run:
		phase = phaseRunning
	}
	t.Set(varPhase, a, int64(phase))
	if falls {
		t.Step = stepTurnEnd
		r.fall(s, "KM-MOVE-04", a)
	}
}
