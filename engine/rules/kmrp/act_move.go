package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

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
	if t.rolledGait() && t.pointsLeft() < postureCost {
		f.Step = stepTurnEnd // nothing but the end is left
	}
	in.Act, in.Path = gait, append([]voxel.Pos(nil), w.cells...)
	m := s.Push(engine.FrameMove, stepWalk, in)
	m.Set(varPoints, a, int64(w.points))
}

// walkOn goes on from the next cell of the path to its end, one leg. Between two cells others may step in (Part 3.2); whoever
// does cuts the leg short by setting where it ends, and the path goes on at varNext.
func walkOn(r *rules, s *engine.Scene, f *engine.Frame) {
	v := s.View()
	a := f.Intent.By
	me := v.Actor(a)
	leg := f.Intent.Path[f.Get(varNext, a):]
	f.Step = stepWalked
	if len(leg) == 0 {
		return
	}
	end := leg[len(leg)-1].Floor()
	if v.World != nil {
		w, err := voxel.CheckPath(v.World, r.figure(me), leg, voxel.Evenly(voxel.MaxAllowance), occupied(v.Battle, a))
		if err != nil {
			return // what he met on the way stops him where he is
		}
		end = w.End
	}
	f.Set(varNext, a, int64(len(f.Intent.Path)))
	rule := engine.Rule("KM-MOVE-05")
	if f.Intent.Act == actFreeMove {
		rule = "KM-MOVE-02"
	}
	s.Emit(rule, engine.Moved{Actor: a, From: me.Pose.At, To: end, Path: leg, Gait: f.Intent.Act, Cost: int32(f.Get(varPoints, a)) * voxel.Unit, Look: me.Pose.Look})
}

func walked(_ *rules, s *engine.Scene, _ *engine.Frame) { s.Close(outcomeDone) }

// gaitSteps play the Movement roll of a gait (KM-MOVE-03, -04, -09, -11), and the way of any movement.
var gaitSteps = [...]step{
	{stepGait, rollGait},
	{stepGaitWill, gaitWill},
	{stepGaitDone, gaitDone},
	{stepWalk, walkOn},
	{stepWalked, walked},
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
