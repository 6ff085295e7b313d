package empia

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// choose begins a slot: everybody's variant is chosen on the same state, and what takes several slots is begun or gone on
// with (EM-ORD-05, EM-ABIL-02). Each actor who is not dead has a lane that says what he does.
func choose(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	slot := b.Slot%slotsOfTurn + 1
	s.Emit("EM-TURN-03", engine.Clocked{Round: b.Round, Slot: slot})
	doing := r.chosen(s.View(), f, slot)
	f.Lanes = f.Lanes[:0:0]
	for i := range doing {
		in := &doing[i]
		lane := engine.Lane{Target: engine.Target{Ref: in.By.On()}, Sub: int8(slot), Guards: []engine.Guard{{By: in.By}}}
		switch {
		case !able(b, in.By):
			*in, lane.Outcome = engine.Intent{Act: actRest, By: in.By}, outcomeImpossible
		case in.Act == actRest:
			lane.Outcome = outcomeRested
		}
		r.defend(s, in)
		if begun := r.goOn(s, in); begun != "" {
			lane.Outcome = begun
		}
		lane.Guards[0].Intent = *in
		f.Lanes = append(f.Lanes, lane)
		r.declare(s, f.ID, &f.Lanes[i])
	}
	f.Step = stepPhysical
}

// chosen is what everybody who is not dead does in a slot, by id. A condition on what another does in the same slot is
// held against his provisional act: the one chosen as if all such conditions failed. So it takes one pass and is the
// same for everybody.
func (r *rules) chosen(v engine.View, f *engine.Frame, slot int32) []engine.Intent {
	var doing, first []engine.Intent
	for pass := range 2 {
		doing = nil
		for i := range v.Actors {
			a := v.Actors[i].ID
			if v.HasCond(a.On(), condDead) {
				continue
			}
			w := watcher{View: engine.View{Battle: engine.See(v.Battle, engine.ViewerOf(v.Battle, a)), World: v.World}, r: r, self: a, turn: f, first: first, second: pass == 1}
			doing = append(doing, w.pick(planOf(v.Battle, a, engine.PlanSheet), slot))
		}
		first = doing
	}
	return doing
}

// watcher holds conditions against what one actor can know (EM-ORD-04).
type watcher struct {
	engine.View
	r      *rules
	self   engine.ActorID
	turn   *engine.Frame
	first  []engine.Intent // provisional acts of the slot
	second bool            // they are known
}

// pick is the first variant of a slot whose condition holds; rest where nothing is ordered (EM-ORD-06).
func (w *watcher) pick(sheet *engine.Plan, slot int32) engine.Intent {
	if sheet != nil {
		for i := range sheet.Lines {
			if sheet.Lines[i].Slot != slot {
				continue
			}
			for _, x := range sheet.Lines[i].Variants {
				if w.holds(&x.If) {
					return x.Do
				}
			}
		}
	}
	return engine.Intent{Act: actRest, By: w.self}
}

func (w *watcher) holds(t *engine.Trigger) bool {
	for i := range t.All {
		p := &t.All[i]
		if sameSlot(p.Op) && !w.second || w.asks(p) == p.Not {
			return false
		}
	}
	return true
}

// sameSlot reports whether a question is about what others do in the slot itself.
func sameSlot(op engine.Op) bool { return op == engine.OpActs || op == engine.OpMoves }

// asks answers one question, without its negation.
func (w *watcher) asks(p *engine.Predicate) bool {
	switch p.Op {
	case engine.OpGauge:
		return p.Cmp.Holds(w.GaugeNow(w.self.On(), engine.GaugeName(p.What)), p.N)
	case engine.OpSlotResult:
		n := w.turn.Get(varResults[p.N], w.self)
		return n > 0 && results[n-1] == engine.OutcomeName(p.What)
	case engine.OpCond:
		return w.some(p.Who, func(a engine.ActorID) bool { return w.HasCond(a.On(), engine.CondName(p.What)) })
	case engine.OpWithin:
		return w.some(p.Who, func(a engine.ActorID) bool { return within(w.Battle, w.self, a, int32(p.N)) })
	case engine.OpActs, engine.OpMoves:
		return w.some(p.Who, func(a engine.ActorID) bool { return w.does(p, a) })
	}
	return false
}

// does reports whether the provisional act of an actor is the one asked for.
func (w *watcher) does(p *engine.Predicate, a engine.ActorID) bool {
	for i := range w.first {
		in := &w.first[i]
		if in.By != a {
			continue
		}
		spec := w.r.spec.Act(in.Act)
		if p.Op == engine.OpMoves && (spec.Class != classMove || in.Has(modAway) != (p.What == string(modAway))) ||
			p.Act != "" && p.Act != in.Act && p.Act != spec.Class {
			return false
		}
		return p.Toward.Kind == engine.SelectAny || w.matches(p.Toward, in.Victim())
	}
	return false
}

// some reports whether a question holds for somebody of those selected. Others must be in view (EM-GEO-06).
func (w *watcher) some(who engine.Selector, ask func(engine.ActorID) bool) bool {
	for i := range w.Actors {
		if a := w.Actors[i].ID; w.matches(who, a) && w.inView(a) && ask(a) {
			return true
		}
	}
	return false
}

func (w *watcher) matches(who engine.Selector, a engine.ActorID) bool {
	switch who.Kind {
	case engine.SelectSelf:
		return a == w.self
	case engine.SelectActor:
		return a == who.Actor
	case engine.SelectEnemy:
		return a != 0 && w.Hostile(w.self, a)
	case engine.SelectAlly:
		return a != w.self && w.Allied(w.self, a)
	}
	return a != w.self
}

// inView reports whether an actor is before the watcher, within 180°, and in an open line (EM-GEO-05, -06). Straight
// above, below, or in the same place counts as before him.
func (w *watcher) inView(a engine.ActorID) bool {
	me, x := w.Actor(w.self), w.Actor(a)
	if a == w.self {
		return true
	}
	if x == nil {
		return false
	}
	if (x.Pose.At.X != me.Pose.At.X || x.Pose.At.Z != me.Pose.At.Z) && !voxel.InSector(me.Pose.At, me.Pose.Look, x.Pose.At, voxel.Sector180) {
		return false
	}
	return w.World == nil || voxel.CanSee(w.World, w.r.figure(w.Battle, w.self), w.r.figure(w.Battle, a))
}

// defend changes between dodging and blocking, which costs nothing (EM-DEF-04); without a shield there is no blocking.
func (r *rules) defend(s *engine.Scene, in *engine.Intent) {
	b := s.Battle()
	switch c := b.FindCond(in.By.On(), condBlocking); {
	case c == nil && in.Has(modBlock) && r.protection(b, in.By).shield > 0:
		s.SetCond("EM-DEF-04", engine.Cond{Name: condBlocking, On: in.By.On()})
	case c != nil && in.Has(modDodge):
		s.ClearCond("EM-DEF-04", c.ID, engine.ClearDone)
	}
}

// goOn begins, goes on with or gives up what takes several slots, and tells what came of the slot where that is all: an
// ability is used in its last slot (EM-ABIL-02), and what cannot be begun becomes rest (EM-ORD-06).
func (r *rules) goOn(s *engine.Scene, in *engine.Intent) engine.OutcomeName {
	b := s.Battle()
	work := planOf(b, in.By, engine.PlanWork)
	same := work != nil && in.Act == actUse && work.Intent.About == in.About && slices.Equal(work.Intent.Targets, in.Targets) && work.Left > 0
	if work != nil && !same {
		dropPlan(s, "EM-ABIL-10", in.By, engine.PlanWork, engine.ClearBroken)
	}
	if in.Act != actUse {
		return ""
	}
	ab := r.gear.ability(in.About)
	if same {
		if work.Left > 1 {
			return outcomePreparing
		}
		return ""
	}
	if ab == nil || trait(b, in.By, ab.Ref) == 0 || b.GaugeNow(in.By.On(), gaugeEnergy) < unit && ab.Cost > 0 || sustained(b, in.By) >= 2 {
		return outcomeImpossible
	}
	if ab.Slots == 1 {
		return ""
	}
	p := engine.Plan{ID: engine.PlanID(s.NewIDFor(secret(in.By))), Owner: in.By.On(), Kind: engine.PlanWork, Intent: *in, Left: ab.Slots, Total: ab.Slots, For: secret(in.By)}
	s.EmitFor(p.For, engine.Why{Rule: "EM-ABIL-02"}, engine.PlanSet{Plan: p})
	return outcomePreparing
}

// sustained is how many abilities an actor holds in mind besides the one he prepares; two are the most (EM-ABIL-09).
func sustained(b *engine.Battle, a engine.ActorID) (n int) {
	for _, c := range b.CondsOn(a.On()) {
		if c.Name == condSustaining {
			n++
		}
	}
	return n
}

// declare announces what an actor does. Which ability it is only those recognise who have it too (EM-ABIL-13); the rest
// learn that he uses one.
func (r *rules) declare(s *engine.Scene, frame engine.FrameID, lane *engine.Lane) {
	in := lane.Guards[0].Intent
	if in.Act == actRest || lane.Outcome == outcomeImpossible {
		return
	}
	spec := r.spec.Act(in.Act)
	if in.Act != actUse {
		s.Emit(spec.Rule, engine.Declared{Frame: frame, Intent: in, Class: spec.Class})
		return
	}
	s.Emit("EM-ABIL-13", engine.Declared{Frame: frame, Intent: engine.Intent{Act: classAbility, By: in.By}, Class: classAbility})
	aud := secret(in.By)
	for i := range s.Battle().Actors {
		if a := s.Battle().Actors[i].ID; a != in.By && trait(s.Battle(), a, in.About) > 0 {
			aud.Who = append(aud.Who, a)
		}
	}
	slices.Sort(aud.Who)
	s.EmitFor(aud, engine.Why{Rule: "EM-ABIL-13"}, engine.Declared{Frame: frame, Intent: in, Class: spec.Class})
}
