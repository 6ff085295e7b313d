package empia

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// battleSteps play the root frame: turn after turn, until one side is left (EM-TURN-02, EM-WIN-01).
var battleSteps = [...]step{
	{engine.StepRoot, newTurn},
	{stepTurn, newTurn},
	{stepEndAsked, endAsked},
}

// newTurn begins a turn, or ends the battle.
func newTurn(_ *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	switch {
	case over(b) && (b.Word(optConfirm) != wordAsk || nobody(b)):
		s.End(outcomes(b))
		return
	case over(b) && f.Get(varGoOn, 0) != int64(b.Round)+1:
		f.Step = stepEndAsked
		s.Ask(engine.Prompt{Kind: engine.PromptRuling, Ask: askEnd, Must: true, Default: []engine.Intent{{Act: actConfirm}}})
		return
	}
	f.Step = stepTurn
	s.Push(engine.FrameRound, stepSheets, engine.Intent{})
}

// endAsked takes the master's word on the end. Going on is for one turn; then he is asked again.
func endAsked(_ *rules, s *engine.Scene, f *engine.Frame) {
	done := s.Take()
	if len(done) > 0 && len(done[0].Answer) > 0 && done[0].Answer[0].Act == actGoOn {
		f.Step = stepTurn
		f.Set(varGoOn, 0, int64(s.Battle().Round)+1)
		return
	}
	s.End(outcomes(s.Battle()))
}

// held reports whether the master lets the battle go on in this turn without enemies.
func held(b *engine.Battle) bool { return b.Frames[0].Get(varGoOn, 0) == int64(b.Round) }

func nobody(b *engine.Battle) bool {
	return !slices.ContainsFunc(b.Actors, func(a engine.Actor) bool { return up(b, a.ID) })
}

// over reports whether no two of those who are up are enemies.
func over(b *engine.Battle) bool {
	for i := range b.Actors {
		for j := range b.Actors[:i] {
			a, c := b.Actors[i].ID, b.Actors[j].ID
			if up(b, a) && up(b, c) && b.Hostile(a, c) {
				return false
			}
		}
	}
	return true
}

// outcomes gives victory to the teams that have somebody up. Where all went down, of those who fell last, and at the
// same time, the one closest to 0 lives wins (EM-WIN-04); if two are equal, or one fell by exhaustion, it is a draw
// (EM-WIN-05).
func outcomes(b *engine.Battle) []engine.TeamOutcome {
	won := make([]bool, len(b.Teams))
	any := false
	for i := range b.Teams {
		for j := range b.Actors {
			if b.Actors[j].Team == b.Teams[i].ID && up(b, b.Actors[j].ID) {
				won[i], any = true, true
			}
		}
	}
	winner := engine.TeamID("")
	if !any {
		winner = closest(b)
	}
	out := make([]engine.TeamOutcome, len(b.Teams))
	for i := range b.Teams {
		out[i] = engine.TeamOutcome{Team: b.Teams[i].ID, Outcome: outcomeDefeat}
		switch {
		case won[i], winner != "" && winner == b.Teams[i].ID:
			out[i].Outcome = outcomeVictory
		case !any && winner == "":
			out[i].Outcome = outcomeDraw
		}
	}
	return out
}

// closest is the team of the one who fell last with the most lives; nothing where that is not one.
func closest(b *engine.Battle) engine.TeamID {
	last := int32(0)
	for i := range b.Actors {
		if c := b.FindCond(b.Actors[i].ID.On(), condUnconscious); c != nil {
			last = max(last, c.Value)
		}
	}
	best, winner, tie := int64(lowest), engine.TeamID(""), false
	for i := range b.Actors {
		a := &b.Actors[i]
		c := b.FindCond(a.ID.On(), condUnconscious)
		if c == nil || c.Value != last {
			continue
		}
		lives := b.GaugeNow(a.ID.On(), gaugeLives)
		if c.Level == byExhaustion {
			return ""
		}
		switch {
		case lives > best:
			best, winner, tie = lives, a.Team, false
		case lives == best && a.Team != winner:
			tie = true
		}
	}
	if tie {
		return ""
	}
	return winner
}

// turnSteps play a turn (EM-TURN).
var turnSteps = [...]step{
	{stepSheets, askSheets},
	{stepSealed, takeSheets},
	{stepSelect, choose},
	{stepPhysical, physical},
	{stepMagical, magical},
	{stepSlotEnd, endSlot},
	{stepTurnEnd, endTurn},
}

// askSheets asks everybody who is up for his orders, all at once, each sealed (EM-ORD-01).
func askSheets(_ *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	s.Emit("EM-TURN-01", engine.Clocked{Round: b.Round + 1})
	f.Step = stepSealed
	for i := range b.Actors {
		if a := b.Actors[i].ID; up(b, a) {
			s.Ask(engine.Prompt{Whose: a, Kind: engine.PromptSheet, Ask: askSheet, Sealed: true, Args: []engine.Arg{engine.Num("slots", slotsOfTurn)}})
		}
	}
}

// secret is the audience of what only the owner of an actor may know.
func secret(a engine.ActorID) engine.Audience {
	return engine.Audience{Kind: engine.ForActors, Who: []engine.ActorID{a}}
}

// takeSheets keeps the orders as plans that stay their owners' secret, for good. No sheet is eight slots of rest
// (EM-ORD-09).
func takeSheets(_ *rules, s *engine.Scene, f *engine.Frame) {
	f.Step = stepSelect
	for _, p := range s.Take() {
		if len(p.Lines) == 0 {
			continue
		}
		plan := engine.Plan{ID: engine.PlanID(s.NewIDFor(secret(p.Whose))), Owner: p.Whose.On(), Kind: engine.PlanSheet, Lines: p.Lines, For: secret(p.Whose)}
		s.EmitFor(plan.For, engine.Why{Rule: "EM-ORD-01"}, engine.PlanSet{Plan: plan})
	}
}

// planOf is the plan of a kind of an actor, or nil.
func planOf(b *engine.Battle, a engine.ActorID, kind engine.PlanKind) *engine.Plan {
	for i := range b.Plans {
		if b.Plans[i].Kind == kind && b.Plans[i].Owner == a.On() {
			return &b.Plans[i]
		}
	}
	return nil
}

// dropPlan ends a plan of an actor, if he has one of the kind.
func dropPlan(s *engine.Scene, rule engine.Rule, a engine.ActorID, kind engine.PlanKind, why engine.ClearWhy) {
	if p := planOf(s.Battle(), a, kind); p != nil {
		s.EmitFor(p.For, engine.Why{Rule: rule}, engine.PlanCleared{ID: p.ID, Why: why})
	}
}

// closeTurn ends the turn: orders are done with.
func closeTurn(s *engine.Scene) {
	b := s.Battle()
	for i := range b.Actors {
		dropPlan(s, "EM-TURN-08", b.Actors[i].ID, engine.PlanSheet, engine.ClearDone)
	}
	s.RoundEnds()
	s.Close(outcomeDone)
}

// The moments of a slot at which somebody can fall.
const (
	afterPhysical = iota + 1
	afterMagical
	afterSlot
	afterTurn
)

// fallen looks who is down after a phase, in the order death, unconsciousness, exhaustion, collapse (EM-LIFE-03), ends
// the turn if the battle is decided, and tells whether it did.
func fallen(s *engine.Scene, when int32) (done bool) {
	b := s.Battle()
	moment := (b.Round*(slotsOfTurn+1)+b.Slot)*8 + when
	for i := range b.Actors {
		a := b.Actors[i].ID
		if b.HasCond(a.On(), condDead) {
			continue
		}
		lives, energy := b.GaugeNow(a.On(), gaugeLives), b.GaugeNow(a.On(), gaugeEnergy)
		out := b.FindCond(a.On(), condUnconscious)
		switch {
		case out == nil && lives < 0:
			s.SetCond("EM-LIFE-01", engine.Cond{Name: condUnconscious, On: a.On(), Level: byWounds, Value: moment})
			interrupt(s, "EM-LIFE-01", a)
		case out == nil && energy < -50*unit:
			s.SetCond("EM-NRG-05", engine.Cond{Name: condUnconscious, On: a.On(), Level: byExhaustion, Value: moment})
			interrupt(s, "EM-NRG-05", a)
		case out != nil && out.Level == byWounds && lives >= 0:
			s.ClearCond("EM-LIFE-01", out.ID, engine.ClearHealed)
		}
		if lives < -100 {
			s.SetCond("EM-LIFE-02", engine.Cond{Name: condDead, On: a.On(), Until: engine.Until{Kind: engine.UntilKept}})
		}
		switch c := b.FindCond(a.On(), condCollapsed); {
		case c == nil && energy < 0:
			s.SetCond("EM-NRG-04", engine.Cond{Name: condCollapsed, On: a.On()})
			interrupt(s, "EM-NRG-04", a)
			lie(s, a, voxel.Prone)
		case c != nil && energy > 0:
			s.ClearCond("EM-NRG-04", c.ID, engine.ClearDone)
			if up(b, a) {
				lie(s, a, voxel.Standing)
			}
		case b.HasCond(a.On(), condStunned):
			interrupt(s, "EM-ABIL-10", a)
		}
	}
	if over(b) && !held(b) {
		closeTurn(s)
		return true
	}
	return false
}

// interrupt ends what an actor prepares and sustains; a preparation that is lost costs nothing (EM-ABIL-10).
func interrupt(s *engine.Scene, rule engine.Rule, a engine.ActorID) {
	dropPlan(s, rule, a, engine.PlanWork, engine.ClearBroken)
	s.ClearConds(rule, a.On(), condSustaining, engine.ClearBroken)
}

// lie sets the posture of an actor.
func lie(s *engine.Scene, a engine.ActorID, p voxel.Posture) {
	if pose := s.Battle().Actor(a).Pose; pose.Posture != p {
		s.Emit("EM-NRG-04", engine.Posed{Actor: a, Look: pose.Look, Posture: p})
	}
}

// endSlot pays for what is sustained, credits rest, counts the slot off, and looks who is down (EM-TURN-07).
func endSlot(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	for i := range f.Lanes {
		a := f.Lanes[i].Target.Ref.Actor()
		r.payUpkeep(s, a)
		r.rest(s, a, rests(&f.Lanes[i]))
		f.Set(varResults[b.Slot], a, int64(slices.Index(results[:], f.Lanes[i].Outcome))+1)
		switch w := planOf(b, a, engine.PlanWork); {
		case w == nil:
		case f.Lanes[i].Outcome == outcomePreparing:
			p := *w
			p.Left--
			s.EmitFor(p.For, engine.Why{Rule: "EM-ABIL-02"}, engine.PlanSet{Plan: p})
		default:
			dropPlan(s, "EM-ABIL-02", a, engine.PlanWork, engine.ClearDone)
		}
	}
	s.SlotEnds()
	f.Step = stepSelect
	if b.Slot == slotsOfTurn {
		f.Step = stepTurnEnd
	}
	fallen(s, afterSlot)
}

// endTurn lets cuts bleed and fire burn (EM-TURN-08), and asks for new orders unless the battle is over.
func endTurn(r *rules, s *engine.Scene, _ *engine.Frame) {
	s.Phase(func(v engine.View, out *engine.Batch) {
		for i := range v.Actors {
			a := v.Actors[i].ID
			cut, fire := v.GaugeNow(a.On(), gaugeCut), v.GaugeNow(a.On(), gaugeFire)
			r.afterDamage(out, a, "EM-DMGTYPE-04", gaugeCut, cut, 25)
			r.afterDamage(out, a, "EM-DMGTYPE-06", gaugeFire, fire, 10)
		}
	})
	if !fallen(s, afterTurn) {
		closeTurn(s)
	}
}

// afterDamage takes a percentage of what got through in the turn, rounded down.
func (r *rules) afterDamage(out *engine.Batch, a engine.ActorID, rule engine.Rule, sum engine.GaugeName, through int64, percent int64) {
	if through == 0 {
		return
	}
	n := through * percent / 100
	out.Emit(rule, engine.Tallied{Tally: engine.Tally{What: figAfter, Rule: rule, On: a, Total: n}})
	out.Add(rule, a.On(), gaugeLives, -n)
	out.Add(rule, a.On(), sum, -through)
}
