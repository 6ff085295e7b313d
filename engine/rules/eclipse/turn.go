package eclipse

import (
	"autobattle/engine"
	"autobattle/engine/voxel"
)

// turnSteps play the turn of Intent.By (EP-TURN-07).
var turnSteps = [...]step{
	{stepBegin, beginTurn},
	{stepAsk, askAct},
	{stepTaken, takeAct},
	{stepEnd, endTurn},
}

// windowSteps let those who waited act between a declaration and its act (EP-INIT-05).
var windowSteps = [...]step{
	{stepWindow, playWindow},
}

// beginTurn ends what lasts until now; who cannot act loses the turn.
func beginTurn(_ *rules, s *engine.Scene, f *engine.Frame) {
	a := f.Intent.By
	s.TurnStarts(a)
	f.Step = stepAsk
	rule := engine.Rule("EP-DUR-02")
	switch b := s.Battle(); {
	case b.HasCond(a.On(), condSurprised):
		rule = "EP-SURP-02"
	case up(b, a):
		return
	}
	f.Step = stepEnd
	s.Emit(rule, engine.Resolved{Frame: f.ID, By: a, Outcome: outcomeSkipped})
}

// askAct asks for the next act of the turn, as long as there is an action left.
func askAct(_ *rules, s *engine.Scene, f *engine.Frame) {
	a := f.Intent.By
	if b := s.Battle(); !up(b, a) || over(b) && !held(b) || !complexLeft(f) && !quickLeft(f) && (s.World() == nil || pointsLeft(f) == 0) {
		f.Step = stepEnd
		return
	}
	f.Step = stepTaken
	s.Ask(engine.Prompt{Whose: a, Kind: engine.PromptTurn, Ask: askTurn})
}

// takeAct starts the act that was chosen; nothing chosen ends the turn.
func takeAct(r *rules, s *engine.Scene, f *engine.Frame) {
	done := s.Take()
	if len(done) == 0 || len(done[0].Answer) == 0 {
		f.Step = stepEnd
		return
	}
	in := done[0].Answer[0]
	a := f.Intent.By
	d := deedOf(in.Act)
	f.Step = stepAsk
	f.Set(varStarted, 0, 1)
	switch d.class {
	case complexAction:
		f.Set(varComplex, 0, f.Get(varComplex, 0)+1)
	case quickAction:
		f.Set(varQuick, 0, f.Get(varQuick, 0)+1)
	}
	if in.Act == actDelay {
		seated(s, "EP-INIT-05", a, engine.SeatDelayed)
		s.Emit("EP-INIT-05", engine.Resolved{Frame: f.ID, Act: in.Act, By: a, Outcome: outcomeDelayed})
		s.Close(outcomeDelayed)
		return
	}
	r.face(s, &in)
	ran := f.Get(varRan, 0)
	act := s.Push(engine.FrameAct, stepDeclared, in)
	act.Set(varRan, 0, ran)
}

// face records where an actor looks in his turn: as the intent says, or as the plugin saw him.
func (r *rules) face(s *engine.Scene, in *engine.Intent) {
	look := in.Look
	if seen, ok := s.Pose(in.By); ok && look == (voxel.Look{}) {
		look = seen.Look
	}
	me := s.Battle().Actor(in.By)
	if look != (voxel.Look{}) && look != me.Pose.Look {
		s.Emit("EP-TURN-07", engine.Posed{Actor: in.By, Look: look, Posture: me.Pose.Posture})
	}
}

// endTurn closes the turn; the seat has acted.
func endTurn(_ *rules, s *engine.Scene, f *engine.Frame) {
	a := f.Intent.By
	s.TurnEnds(a)
	seated(s, "EP-TURN-01", a, engine.SeatActed)
	s.Close(outcomeDone)
}

// actionClass is what an act takes of the budget of a turn (EP-TURN-02).
type actionClass uint8

const (
	automatic actionClass = iota
	quickAction
	complexAction
	movement
)

// complexLeft reports whether a complex action is left: one, and only beside one quick action (EP-TURN-02).
func complexLeft(f *engine.Frame) bool { return f.Get(varComplex, 0) == 0 && f.Get(varQuick, 0) <= 1 }

// quickLeft reports whether a quick action is left: three, or one beside a complex one (EP-TURN-02).
func quickLeft(f *engine.Frame) bool {
	if f.Get(varComplex, 0) > 0 {
		return f.Get(varQuick, 0) < 1
	}
	return f.Get(varQuick, 0) < 3
}

// deed is how an act of one's own turn is played.
type deed struct {
	act   engine.ActName
	class actionClass
	play  func(r *rules, s *engine.Scene, f *engine.Frame)
}

// deeds are the acts of one's own turn.
var deeds = [...]deed{
	{actAttack, complexAction, (*rules).beginAttack},
	{actSpread, complexAction, (*rules).beginAttack},
	{actAim, complexAction, (*rules).takeAim},
	{actGuard, complexAction, (*rules).raiseGuard},
	{actReload, complexAction, (*rules).reload},
	{actRaise, quickAction, (*rules).quickAim},
	{actDraw, quickAction, (*rules).drawWeapon},
	{actStand, quickAction, (*rules).standUp},
	{actDrop, automatic, (*rules).dropProne},
	{actWalk, movement, (*rules).move},
	{actRun, movement, (*rules).move},
	{actDelay, automatic, nil}, // ends the turn before it becomes a frame
}

func deedOf(act engine.ActName) *deed {
	for i := range deeds {
		if deeds[i].act == act {
			return &deeds[i]
		}
	}
	panic("eclipse: no deed " + string(act))
}

// actSteps play an act: declared, a window for those who waited, and the deed itself; an attack has further steps.
var actSteps = [...]step{
	{stepDeclared, declare},
	{stepPerform, perform},
	{stepDefended, (*rules).defended},
	{stepPooled, (*rules).pooled},
	{stepSpentFirst, (*rules).spentFirst},
	{stepSpentLast, (*rules).spentLast},
	{stepResult, (*rules).result},
}

// declare announces the act and opens the window of those who wait.
func declare(r *rules, s *engine.Scene, f *engine.Frame) {
	f.Step = stepPerform
	in := f.Intent
	s.Emit(r.spec.Act(in.Act).Rule, engine.Declared{Frame: f.ID, Intent: in, Class: r.spec.Act(in.Act).Class})
	for i := range s.Battle().Queue {
		if seat := s.Battle().Queue[i]; seat.State == engine.SeatDelayed && seat.Actor != in.By && up(s.Battle(), seat.Actor) {
			f.Set(varWaited, 0, 1)
			w := s.Push(engine.FrameWindow, stepWindow, engine.Intent{By: in.By})
			w.Moment = engine.MomentDeclared
			askWaiting(s, in.By)
			return
		}
	}
}

func playWindow(_ *rules, s *engine.Scene, f *engine.Frame) {
	if !playWaiting(s, f) {
		s.Close(outcomeDone)
	}
}

// perform plays the deed, if what was declared is still possible after the window.
func perform(r *rules, s *engine.Scene, f *engine.Frame) {
	in := f.Intent
	if no := r.stillLegal(s.View(), f); no != nil {
		s.Emit(no.Rule, engine.Resolved{Frame: f.ID, Act: in.Act, By: in.By, Target: first(in.Targets), Outcome: outcomeVoid})
		s.Close(outcomeVoid)
		return
	}
	deedOf(in.Act).play(r, s, f)
}

func first(ts []engine.Target) (t engine.Target) {
	if len(ts) > 0 {
		t = ts[0]
	}
	return t
}

// finish ends a deed that simply happens.
func finish(s *engine.Scene, rule engine.Rule, f *engine.Frame) {
	s.Emit(rule, engine.Resolved{Frame: f.ID, Act: f.Intent.Act, By: f.Intent.By, Target: first(f.Intent.Targets), Outcome: outcomeDone})
	s.Close(outcomeDone)
}

func (r *rules) quickAim(s *engine.Scene, f *engine.Frame) {
	a := f.Intent.By
	s.SetCond("EP-RMOD-01", engine.Cond{Name: condRaised, On: a.On(), Until: engine.Until{Kind: engine.UntilTurnEnd, Whose: a, N: 1}})
	finish(s, "EP-RMOD-01", f)
}

// takeAim lasts over the actor's next turn, against that target (EP-RMOD-02).
func (r *rules) takeAim(s *engine.Scene, f *engine.Frame) {
	a := f.Intent.By
	s.SetCond("EP-RMOD-02", engine.Cond{Name: condAim, On: a.On(), With: f.Intent.Victim(), Until: engine.Until{Kind: engine.UntilTurnEnd, Whose: a, N: 2}})
	finish(s, "EP-RMOD-02", f)
}

func (r *rules) raiseGuard(s *engine.Scene, f *engine.Frame) {
	a := f.Intent.By
	s.SetCond("EP-DEF-05", engine.Cond{Name: condGuard, On: a.On(), Until: engine.Until{Kind: engine.UntilTurnStart, Whose: a, N: 1}})
	finish(s, "EP-DEF-05", f)
}

func (r *rules) reload(s *engine.Scene, f *engine.Frame) {
	id := f.Intent.Item(0)
	g := s.Battle().Gauge(id.On(), gaugeRounds)
	s.AddGauge("EP-AMMO-02", id.On(), gaugeRounds, g.Max-g.Now)
	finish(s, "EP-AMMO-02", f)
}

// drawWeapon takes a weapon in hand; what was there goes back.
func (r *rules) drawWeapon(s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	if old := b.ItemAt(f.Intent.By, slotMain); old != nil {
		it := *old
		it.Slot = slotCarried
		s.Emit("EP-TURN-04", engine.ItemSet{Item: it})
	}
	it := *b.Item(f.Intent.Item(0))
	it.Slot = slotMain
	s.Emit("EP-TURN-04", engine.ItemSet{Item: it})
	finish(s, "EP-TURN-04", f)
}

// standUp also halves the rate of movement of the turn (EP-MOVE-07).
func (r *rules) standUp(s *engine.Scene, f *engine.Frame) {
	me := s.Battle().Actor(f.Intent.By)
	s.Emit("EP-MOVE-07", engine.Posed{Actor: me.ID, Look: me.Pose.Look, Posture: voxel.Standing})
	under := f.Under
	finish(s, "EP-MOVE-07", f)
	if top := s.Top(); top.ID == under {
		top.Set(varStood, 0, 1)
	}
}

func (r *rules) dropProne(s *engine.Scene, f *engine.Frame) {
	fall(s, "EP-MOVE-10", f.Intent.By)
	finish(s, "EP-MOVE-10", f)
}

// fall lays an actor down.
func fall(s *engine.Scene, rule engine.Rule, a engine.ActorID) {
	me := s.Battle().Actor(a)
	if me.Pose.Posture != voxel.Prone {
		s.Emit(rule, engine.Posed{Actor: a, Look: me.Pose.Look, Posture: voxel.Prone})
	}
}

// move walks to the chosen cell. A move may be split around other acts (EP-MOVE-01): what is left of it stays.
func (r *rules) move(s *engine.Scene, f *engine.Frame) {
	in := f.Intent
	b := s.Battle()
	me := b.Actor(in.By)
	rule := r.spec.Act(in.Act).Rule
	turn := b.Frame(f.Under)
	region := r.region(s.View(), turn, in.By, in.Act)
	at, _ := region.Find(in.Path[0])
	s.Emit(rule, engine.Moved{Actor: in.By, From: me.Pose.At, To: at.Feet, Path: region.Path(in.Path[0]), Gait: in.Act, Cost: at.Points * voxel.Unit, Look: me.Pose.Look})
	// Whoever moves loses an aim at somebody who is out of sight now (EP-RMOD-02).
	if aim := b.FindCond(in.By.On(), condAim); aim != nil && s.World() != nil && !voxel.CanSee(s.World(), figure(b, r.spec, in.By), figure(b, r.spec, aim.With)) {
		s.ClearCond("EP-RMOD-02", aim.ID, engine.ClearBroken)
	}
	under := f.Under
	finish(s, rule, f)
	if top := s.Top(); top.ID == under {
		top.Set(varMoved, 0, max(top.Get(varMoved, 0), 1)+int64(at.Points))
		if in.Act == actRun {
			top.Set(varRan, 0, 1)
		}
	}
}
