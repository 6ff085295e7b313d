package empia

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

// physical plays all physical acts of the slot at once: strikes, abilities of the body, movement, handling of things
// (EM-TURN-04, -05, -09).
func physical(r *rules, s *engine.Scene, f *engine.Frame) {
	f.Step = stepMagical
	r.phase(s, true)
	fallen(s, afterPhysical)
}

// magical plays all spells of the slot at once, by those whom the physical phase has left able.
func magical(r *rules, s *engine.Scene, f *engine.Frame) {
	f.Step = stepSlotEnd
	r.phase(s, false)
	fallen(s, afterMagical)
}

// moment is one phase of a slot being played: it reads the state of its start, and all that it decides is applied
// together at its end.
type moment struct {
	r       *rules
	s       *engine.Scene
	v       engine.View
	out     *engine.Batch
	frame   engine.FrameID
	lanes   []engine.Lane
	taken   []voxel.Pos     // cells in which moves end
	lifted  []engine.ItemID // things picked up
	charges []charge        // energy, to be told of as a ledger
}

type charge struct {
	on   engine.ActorID
	term engine.Term
}

func (r *rules) phase(s *engine.Scene, physical bool) {
	top := s.Top()
	lanes := slices.Clone(top.Lanes)
	frame := top.ID
	s.Phase(func(v engine.View, out *engine.Batch) {
		m := &moment{r: r, s: s, v: v, out: out, frame: frame, lanes: lanes}
		for i := range lanes {
			in := &lanes[i].Guards[0].Intent
			if lanes[i].Outcome != "" || r.isPhysical(in) != physical {
				continue
			}
			if !able(v.Battle, in.By) {
				lanes[i].Outcome = outcomeImpossible
				continue
			}
			lanes[i].Outcome = m.act(in)
			if in.Act != actStrike && in.Act != actUse {
				out.Emit(r.spec.Act(in.Act).Rule, engine.Resolved{Frame: frame, Act: in.Act, By: in.By, Target: first(in.Targets), Outcome: lanes[i].Outcome})
			}
		}
		m.ledger()
	})
	for i := range lanes {
		lanes[i].State = engine.LaneDone
	}
	s.Top().Lanes = lanes
}

func first(ts []engine.Target) (t engine.Target) {
	if len(ts) > 0 {
		t = ts[0]
	}
	return t
}

// isPhysical reports in which phase an act is due.
func (r *rules) isPhysical(in *engine.Intent) bool {
	if in.Act != actUse && in.Act != actCancel {
		return true
	}
	ab := r.gear.ability(in.About)
	return ab == nil || ab.physical()
}

// act plays one act and tells what came of it.
func (m *moment) act(in *engine.Intent) engine.OutcomeName {
	switch in.Act {
	case actStrike:
		return m.strike(in, nil)
	case actUse:
		ab := m.r.gear.ability(in.About)
		if ab.Weapon {
			return m.strike(in, ab)
		}
		return m.cast(in, ab)
	case actCancel:
		return m.cancel(in)
	case actDraw:
		return m.draw(in)
	case actPickUp:
		return m.pickUp(in)
	}
	return m.move(in)
}

// charge takes energy from an actor, in 1/unit, and notes it for the ledger (EM-NRG-06).
func (m *moment) charge(a engine.ActorID, rule engine.Rule, name engine.ModName, n int64) {
	if n == 0 {
		return
	}
	m.out.Add(rule, a.On(), gaugeEnergy, -n)
	m.charges = append(m.charges, charge{a, engine.Term{Name: name, Rule: rule, Amount: -int32(n)}})
}

// ledger tells of all charges of the phase, actor by actor.
func (m *moment) ledger() {
	for i := range m.v.Actors {
		t := engine.Tally{What: figEnergy, Rule: "EM-NRG-06", On: m.v.Actors[i].ID, Frame: m.frame}
		for _, c := range m.charges {
			if c.on == t.On {
				t.Terms = append(t.Terms, c.term)
				t.Total += int64(c.term.Amount)
			}
		}
		if len(t.Terms) > 0 {
			m.out.Emit(t.Rule, engine.Tallied{Tally: t})
		}
	}
}

// cost is the energy of an act with what makes acts dearer (EM-CRIT-11), in 1/unit.
func (m *moment) cost(a engine.ActorID, energy int32) int64 {
	n := int64(energy) * unit
	if c := m.v.FindCond(a.On(), condCosts); c != nil {
		n = n * int64(100+c.Value) / 100
	}
	return n
}

// pays reports whether an actor may begin something that costs energy: he needs one, and may go below 0 (EM-NRG-02).
func (m *moment) pays(a engine.ActorID, cost int64) bool {
	return cost == 0 || m.v.GaugeNow(a.On(), gaugeEnergy) >= unit
}

// draw is one number of lo…hi (EM-NUM-01), told of as a roll.
func (m *moment) roll(by, against engine.ActorID, why engine.Purpose, rule engine.Rule, lo, hi int32, after ...engine.Mod) int32 {
	if hi <= lo {
		return lo
	}
	t := m.s.Throw(dice.Dice(1, hi-lo+1))
	n := lo + t.Sum - 1
	m.out.Emit(rule, engine.Rolled{Roll: engine.Roll{ID: engine.RollID(m.s.NewID()), By: by, Against: against, Why: why, Rule: rule, Frame: m.frame,
		Throws: []dice.Throw{t}, After: after, Result: n}})
	return n
}

// move walks, runs, creeps or crawls towards a target or away from it. The place changes at the end of the phase
// (EM-TURN-06).
func (m *moment) move(in *engine.Intent) engine.OutcomeName {
	for _, g := range gaits {
		if g.act != in.Act {
			continue
		}
		cost := m.cost(in.By, g.cost)
		if _, ok := place(m.v.Battle, in.Targets[0]); !ok || !m.pays(in.By, cost) {
			return outcomeImpossible
		}
		m.charge(in.By, "EM-MOVE-01", termCost, cost)
		me := m.v.Actor(in.By)
		to, path, walked := m.r.way(m.v, in, g.blocks, m.meets(in), m.taken)
		m.taken = append(m.taken, to.Block())
		if to != me.Pose.At {
			m.out.Emit("EM-TURN-06", engine.Moved{Actor: in.By, From: me.Pose.At, To: to, Path: path, Gait: in.Act, Cost: walked, Look: towards(me.Pose.At, to, me.Pose.Look)})
		}
		return outcomeMoved
	}
	panic("empia: no way to move " + string(in.Act))
}

// meets reports whether the one whom a move goes towards comes towards the mover in the same slot.
func (m *moment) meets(in *engine.Intent) bool {
	for i := range m.lanes {
		o := &m.lanes[i].Guards[0].Intent
		if o.By == in.Victim() && m.r.spec.Act(o.Act).Class == classMove && o.Victim() == in.By {
			return !in.Has(modAway) && !o.Has(modAway) && m.lanes[i].Outcome != outcomeImpossible
		}
	}
	return false
}

// draw takes a weapon in hand; what was there goes back (EM-MOVE-08).
func (m *moment) draw(in *engine.Intent) engine.OutcomeName {
	it := m.v.Item(in.Item(0))
	if it == nil || it.Holder != in.By || it.Slot == slotMain {
		return outcomeImpossible
	}
	m.takeInHand(in.By, *it)
	return outcomeDone
}

// pickUp takes a thing from the ground within a step; of two who want it the first by id has it.
func (m *moment) pickUp(in *engine.Intent) engine.OutcomeName {
	it := m.v.Item(in.Item(0))
	if it == nil || it.Holder != 0 || it.In != 0 || slices.Contains(m.lifted, it.ID) || square(m.v.Actor(in.By).Pose.At, it.Cell.Floor()) > 4*voxel.Unit*voxel.Unit {
		return outcomeImpossible
	}
	m.lifted = append(m.lifted, it.ID)
	m.takeInHand(in.By, *it)
	return outcomeDone
}

func (m *moment) takeInHand(a engine.ActorID, it engine.Item) {
	if old := m.v.ItemAt(a, slotMain); old != nil {
		back := *old
		back.Slot = slotCarried
		m.out.Emit("EM-MOVE-08", engine.ItemSet{Item: back})
	}
	it.Holder, it.Slot, it.Cell = a, slotMain, voxel.Pos{}
	m.out.Emit("EM-MOVE-08", engine.ItemSet{Item: it})
}

// cancel ends an ability that the actor sustains (EM-ABIL-08).
func (m *moment) cancel(in *engine.Intent) engine.OutcomeName {
	c := m.v.FindAbout(in.By.On(), condSustaining, in.About)
	if c == nil {
		return outcomeImpossible
	}
	m.out.Clear("EM-ABIL-08", c.ID, engine.ClearWithdrawn)
	return outcomeDone
}
