package kmrp

import (
	"cmp"
	"slices"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

type voxelLook = voxel.Look

// battleSteps play the root frame (Part 3.1).
var battleSteps = [...]step{
	{engine.StepRoot, newRound},
	{stepNewRound, newRound},
	{stepEndAsked, endAsked},
}

// newRound begins a round, or ends the battle when nobody is left who fights somebody (KM-ENC-02).
func newRound(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	f.Step = stepNewRound
	if over(b) && f.Get(varGoOn, 0) != int64(b.Round)+1 {
		if b.Word(optEndConfirm) != wordAsk {
			s.End(outcomes(b))
			return
		}
		f.Step = stepEndAsked
		s.Ask(engine.Prompt{Kind: engine.PromptRuling, Ask: askEnd, Must: true, Default: []engine.Intent{{Act: actConfirm}}})
		return
	}
	s.Push(engine.FrameRound, stepInitiative, engine.Intent{})
}

// endAsked takes the master's word on the end.
func endAsked(r *rules, s *engine.Scene, f *engine.Frame) {
	done := s.Take()
	if len(done) > 0 && len(done[0].Answer) > 0 && done[0].Answer[0].Act == actGoOn {
		f.Step = stepNewRound
		f.Set(varGoOn, 0, int64(s.Battle().Round)+1)
		return
	}
	s.End(outcomes(s.Battle()))
}

// inFight reports whether an actor can act: he is not excluded (KM-WND-09).
func inFight(b *engine.Battle, a engine.ActorID) bool {
	return b.Actor(a) != nil && !b.HasCond(a.On(), condExcluded)
}

// over reports whether no two of those who can act are enemies.
func over(b *engine.Battle) bool {
	for i := range b.Actors {
		if !inFight(b, b.Actors[i].ID) {
			continue
		}
		for j := range b.Actors[:i] {
			if inFight(b, b.Actors[j].ID) && b.Hostile(b.Actors[i].ID, b.Actors[j].ID) {
				return false
			}
		}
	}
	return true
}

// outcomes gives victory to the teams that have somebody who can act, defeat to the others, and a draw where none has.
func outcomes(b *engine.Battle) []engine.TeamOutcome {
	out := make([]engine.TeamOutcome, 0, len(b.Teams))
	any := false
	for i := range b.Teams {
		o := engine.TeamOutcome{Team: b.Teams[i].ID, Outcome: outcomeDefeat}
		for j := range b.Actors {
			if b.Actors[j].Team == o.Team && inFight(b, b.Actors[j].ID) {
				o.Outcome, any = outcomeVictory, true
			}
		}
		out = append(out, o)
	}
	if !any {
		for i := range out {
			out[i].Outcome = outcomeDraw
		}
	}
	return out
}

// roundSteps play a round (KM-TURN-01).
var roundSteps = [...]step{
	{stepInitiative, rollInitiative},
	{stepReactWill, initiativeWill},
	{stepNextSeat, nextSeat},
}

// rollInitiative begins the round and rolls Reaction for everybody who can act (KM-INIT-01).
func rollInitiative(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	s.Emit("KM-TURN-01", engine.Clocked{Round: b.Round + 1})
	for i := range b.Actors {
		a := b.Actors[i].ID
		if g := b.Gauge(a.On(), gaugeDefences); g != nil && g.Now != 0 {
			s.SetGauge("KM-DEF-MULTI-01", a.On(), gaugeDefences, 0, g.Min, g.Max)
		}
	}
	for i := range b.Actors {
		if a := b.Actors[i].ID; inFight(b, a) {
			c := casting{rules: r, v: s.View(), by: a, trait: catalogue.Reaction, why: whyInitiative, rule: "KM-INIT-01", frame: f.ID}
			c.prepare(nil)
			f.Rolls = append(f.Rolls, c.cast(s))
		}
	}
	f.Step = stepReactWill
	if b.Word(optWillStart) == wordNo {
		return
	}
	for i := range f.Rolls {
		r.askWill(s, f, &f.Rolls[i])
	}
}

// initiativeWill takes the Will points spent on Reaction (KM-WILL-02, -03) and queues everybody.
func initiativeWill(r *rules, s *engine.Scene, f *engine.Frame) {
	asked := false
	for _, p := range s.Take() {
		if len(p.Answer) == 0 {
			continue
		}
		for i := range f.Rolls {
			if f.Rolls[i].By == p.Whose {
				r.spend(s, f, &f.Rolls[i], p.Answer[0].Act)
				asked = r.askWill(s, f, &f.Rolls[i]) || asked
			}
		}
	}
	if asked {
		return
	}
	standings := make([]standing, 0, len(f.Rolls))
	for i := range f.Rolls {
		standings = append(standings, standing{actor: f.Rolls[i].By, result: f.Rolls[i].Result})
	}
	r.order(s, f.ID, standings)
	seats := make([]engine.Seat, 0, len(standings))
	for _, st := range standings {
		seats = append(seats, engine.Seat{ID: engine.SeatID(s.NewIDFor(s.Battle().Actor(st.actor).For)), Actor: st.actor, Result: st.result})
	}
	s.Emit("KM-INIT-01", engine.Queued{Seats: seats})
	f.Rolls, f.Vars, f.Step = nil, nil, stepNextSeat
}

// standing is a place in the queue being made: the result of Reaction and the present key among equals.
type standing struct {
	actor       engine.ActorID
	result, key int32
}

// order sorts the queue by descending results. Equals roll among themselves until their order is strict; what they had
// counts on for everything else (KM-INIT-03, AMB-11).
func (r *rules) order(s *engine.Scene, frame engine.FrameID, list []standing) {
	for i := range list {
		list[i].key = list[i].result
	}
	r.settle(s, frame, list, s.Battle().Word(optInitTie) == "base_level", 0)
}

// maxTies is how often equals roll again before the order of joining decides. Fair dice never come near.
const maxTies = 20

// settle sorts by key and breaks ties within groups of equals.
func (r *rules) settle(s *engine.Scene, frame engine.FrameID, list []standing, byBase bool, depth int) {
	slices.SortStableFunc(list, func(a, b standing) int {
		return cmp.Or(cmp.Compare(b.key, a.key), cmp.Compare(a.actor, b.actor))
	})
	for lo := 0; lo < len(list); {
		hi := lo + 1
		for hi < len(list) && list[hi].key == list[lo].key {
			hi++
		}
		if hi-lo > 1 && depth < maxTies {
			tied := list[lo:hi]
			for i := range tied {
				if byBase {
					tied[i].key = attribute(s.Battle(), tied[i].actor, catalogue.Reaction)
					continue
				}
				tied[i].key = r.tieThrow(s, frame, tied[i].actor)
			}
			r.settle(s, frame, tied, false, depth+1)
		}
		lo = hi
	}
}

// tieThrow is one more throw among equals: Reaction, or d100 by option.
func (r *rules) tieThrow(s *engine.Scene, frame engine.FrameID, a engine.ActorID) int32 {
	if s.Battle().Word(optInitTie) == "d100" {
		roll := engine.Roll{ID: engine.RollID(s.NewID()), By: a, Why: whyTie, Rule: "KM-INIT-03", Frame: frame}
		roll.Throws = []dice.Throw{s.Throw(dice.Percentile())}
		roll.Result = roll.Throws[0].Sum
		s.Rolled(roll)
		return roll.Result
	}
	c := casting{rules: r, v: s.View(), by: a, trait: catalogue.Reaction, why: whyTie, rule: "KM-INIT-03", frame: frame}
	c.prepare(nil)
	return c.cast(s).Result
}

// nextSeat closes the seat that has acted and hands the turn to the next in the queue, or ends the round (KM-TURN-01).
func nextSeat(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	seats := slices.Clone(b.Queue)
	next, changed := engine.ActorID(0), false
	for i := range seats {
		if seats[i].State == engine.SeatActing {
			seats[i].State, changed = engine.SeatActed, true
		}
	}
	if !over(b) {
		for i := range seats {
			if q := &seats[i]; (q.State == engine.SeatOpen || q.State == engine.SeatDelayed) && inFight(b, q.Actor) {
				q.State, next, changed = engine.SeatActing, q.Actor, true
				break
			}
		}
	}
	if changed {
		s.Emit("KM-TURN-02", engine.Queued{Seats: seats})
	}
	if next != 0 {
		s.Push(engine.FrameTurn, stepTurnBegin, engine.Intent{By: next})
		return
	}
	for i := range b.Actors {
		a := b.Actors[i].ID
		if level := bleeding(b, a); level > 0 {
			synthetic := false
			if body := r.cat.Body(b.Actors[i].Body); body != nil {
				synthetic = body.Synthetic
			}
			s.Tally(engine.Tally{What: figBleeding, Rule: "KM-WND-14", On: a, Total: int64(level), Band: r.cat.BandOf(level, synthetic)})
		}
	}
	s.RoundEnds()
	s.Close(outcomeDone)
}

// reaction is the result of Reaction of this round, which stays what it was (KM-INIT-02); the base level for who has no seat.
func (r *rules) reaction(b *engine.Battle, a engine.ActorID) int32 {
	if q := b.Seat(a); q != nil {
		return q.Result
	}
	return attribute(b, a, catalogue.Reaction)
}

// Admit checks a sheet and sets what follows from it: the wound slots (KM-WND-01) and the counters.
func (r *rules) Admit(s *engine.Scene, a engine.ActorID) error {
	b := s.Battle()
	for _, t := range r.cat.Traits() {
		if t.Group != catalogue.GroupAttribute {
			continue
		}
		if _, has := b.Trait(a, t.Name); !has {
			return engine.Refuse(engine.ReasonBadSheet, "KM-ATTR-01", engine.Words("key", b.Actor(a).Key), engine.Named("missing", t.Name))
		}
	}
	slots := r.cat.Slots(attribute(b, a, catalogue.Endurance))
	conds := b.CondsOn(a.On())
	for i, n := range slots {
		taken := 0
		for k := range conds {
			if isWound(conds[k].Name) && conds[k].Level == int32(i+1) {
				taken++
			}
		}
		s.SetGauge("KM-WND-01", a.On(), gaugeSlots[i+1], int64(max(0, n-taken)), 0, int64(n))
	}
	s.SetGauge("KM-DEF-MULTI-01", a.On(), gaugeDefences, 0, 0, 999)
	s.SetGauge("KM-TURN-05", a.On(), gaugeSkip, 0, 0, 999)
	will := b.GaugeNow(a.On(), gaugeWill)
	s.SetGauge("KM-WILL-01", a.On(), gaugeWill, max(will, 0), 0, 999)
	return r.admitGear(s, a)
}

// admitGear checks the hands and fills the counters of weapons: what is not given is full.
func (r *rules) admitGear(s *engine.Scene, a engine.ActorID) error {
	b := s.Battle()
	for i := range b.Items {
		it := &b.Items[i]
		if it.Holder != a {
			continue
		}
		for j := range b.Items[:i] {
			if o := &b.Items[j]; o.Holder == a && inHand(it.Slot) && o.Slot == it.Slot {
				return engine.Refuse(engine.ReasonBadSheet, "KM-WPN-04", engine.Words("key", b.Actor(a).Key), engine.Named("slot", it.Slot), engine.Named("item", it.Ref))
			}
		}
		w := r.cat.Weapon(it.Ref)
		if w == nil || w.Capacity == 0 {
			continue
		}
		full := int64(w.Capacity)
		if g := b.Gauge(it.ID.On(), gaugeRounds); g != nil {
			s.SetGauge("KM-RNG-06", it.ID.On(), gaugeRounds, min(g.Now, max(full, int64(w.Enlarged))), 0, max(full, int64(w.Enlarged)))
		} else {
			s.SetGauge("KM-RNG-06", it.ID.On(), gaugeRounds, full, 0, max(full, int64(w.Enlarged)))
		}
	}
	return nil
}
