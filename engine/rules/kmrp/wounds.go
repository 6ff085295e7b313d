package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

func isWound(n engine.CondName) bool {
	return n == condWound || n == condWoundStun || n == condWoundMental
}

// Overflow is where a wound of a degree is recorded when free holds the free slots from scratch to deadly: the first degree
// from its own up that has one. Past the deadly slot it is deadly and takes none (KM-WND-02, -03).
func Overflow(d catalogue.Degree, free [catalogue.Degrees]int64) catalogue.Degree {
	for ; d > catalogue.NoWound && d < catalogue.DeadlyWound; d++ {
		if free[d-1] > 0 {
			return d
		}
	}
	return d
}

// Fate is what the Endurance check makes of a critical or deadly wound.
type Fate uint8

// The fates.
const (
	Stands   Fate = iota // the wound is recorded as it is
	Softened             // it becomes heavy (KM-WND-11)
	Dies                 // the death check failed (KM-WND-12)
)

// FateOf reads an Endurance result: at least soften makes the wound heavy while a heavy slot is free, less than survive kills by
// a deadly wound (KM-WND-11, -12, AMB-04).
func FateOf(d catalogue.Degree, endurance, soften, survive int32, heavyFree bool) Fate {
	switch {
	case endurance >= soften && heavyFree:
		return Softened
	case endurance < survive && d == catalogue.DeadlyWound:
		return Dies
	}
	return Stands
}

// NeedsEndurance reports whether a wound of a degree calls for an Endurance roll: a critical one while a heavy slot is free, a
// deadly one always (KM-WND-11, -12).
func NeedsEndurance(d catalogue.Degree, heavyFree bool) bool {
	return d == catalogue.CriticalWound && heavyFree || d == catalogue.DeadlyWound
}

// freeSlots are the free slots of an actor from scratch to deadly.
func freeSlots(b *engine.Battle, a engine.ActorID) (free [catalogue.Degrees]int64) {
	for i := range free {
		free[i] = b.GaugeNow(a.On(), gaugeSlots[i+1])
	}
	return free
}

// bleeding is the worst bleeding of an actor, 0 for none (KM-WND-14).
func bleeding(b *engine.Battle, a engine.ActorID) (level int32) {
	conds := b.CondsOn(a.On())
	for i := range conds {
		if conds[i].Name == condBleeding {
			level = max(level, conds[i].Level)
		}
	}
	return level
}

// woundSteps play the procedure of a wound (KM-WND-08) in a frame of its own: Intent.By is who dealt it, Targets the victim,
// Drafts[0] the wound being made. Its effects count once the act that caused it is over (KM-WND-07).
var woundSteps = [...]step{
	{stepOverflow, overflow},
	{stepWillEndure, willEndure},
	{stepEndured, endured},
	{stepWillWound, willWound},
	{stepDeath, deathRuled},
	{stepRecord, record},
}

// wound pushes the procedure for a wound by damage.
func (r *rules) wound(s *engine.Scene, draft engine.Cond, by engine.ActorID, bleeds int32) {
	f := s.Push(engine.FrameCheck, stepOverflow, engine.Intent{Act: actWound, By: by, Targets: []engine.Target{{Ref: draft.On}}, Part: draft.Part})
	draft.Value = draft.Level // what was dealt; the level may change on the way
	f.Drafts = []engine.Cond{draft}
	if bleeds != bleedsNot {
		f.Set(varBleeds, draft.On.Actor(), int64(bleeds))
	}
}

// overflow finds the degree that is recorded and rolls Endurance where that can help (KM-WND-02, -11, -12).
func overflow(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	d := &f.Drafts[0]
	victim := d.On.Actor()
	free := freeSlots(b, victim)
	d.Level = int32(Overflow(catalogue.Degree(d.Level), free))
	degree := catalogue.Degree(d.Level)
	heavyFree := free[catalogue.HeavyWound-1] > 0
	if !NeedsEndurance(degree, heavyFree) {
		f.Step = stepEndured
		return
	}
	rule, aim := engine.Rule("KM-WND-11"), r.cat.Wound(degree).Soften
	if degree == catalogue.DeadlyWound && !heavyFree {
		rule, aim = "KM-WND-12", int32(b.Number(optDeathCheck))
	}
	r.endure(s, f, rule, aim)
}

// endure rolls Endurance in the frame of a wound.
func (r *rules) endure(s *engine.Scene, f *engine.Frame, rule engine.Rule, aim int32) {
	victim := f.Drafts[0].On.Actor()
	c := casting{rules: r, v: s.View(), by: victim, vs: f.Intent.By, trait: catalogue.Endurance, why: whyEndurance, rule: rule, frame: f.ID, aim: aim, hasAim: true}
	c.prepare(nil)
	f.Rolls = append(f.Rolls, c.cast(s))
	r.window(s, f, &f.Rolls[len(f.Rolls)-1], stepWillEndure, stepEndured)
}

func willEndure(r *rules, s *engine.Scene, f *engine.Frame) {
	r.shut(s, f, &f.Rolls[len(f.Rolls)-1], stepEndured)
}

// endured reads the Endurance check and offers to lower the wound for a Will point (KM-WILL-04). By option a wound that was
// not softened asks for a death check of its own.
func endured(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	d := &f.Drafts[0]
	victim := d.On.Actor()
	degree := catalogue.Degree(d.Level)
	if n := len(f.Rolls); n > 0 {
		heavyFree := freeSlots(b, victim)[catalogue.HeavyWound-1] > 0 && n == 1
		soften, survive := r.cat.Wound(degree).Soften, int32(b.Number(optDeathCheck))
		fate := FateOf(degree, f.Rolls[n-1].Result, soften, survive, heavyFree)
		if fate != Softened && degree == catalogue.DeadlyWound && n == 1 && heavyFree && b.Word(optDeathRoll) == "separate" {
			r.endure(s, f, "KM-WND-12", survive)
			return
		}
		switch fate {
		case Softened:
			d.Level = int32(catalogue.HeavyWound)
		case Dies:
			f.Set(varFatal, victim, 1)
		}
	}
	f.Step = stepWillWound
	if r.canLower(b, victim, catalogue.Degree(d.Level)) {
		s.Ask(r.lowering(f, d))
	}
}

// lowering asks whether a Will point lowers the wound.
func (r *rules) lowering(f *engine.Frame, d *engine.Cond) engine.Prompt {
	victim := d.On.Actor()
	return engine.Prompt{Whose: victim, Kind: engine.PromptSpend, Ask: askWound, Args: []engine.Arg{
		engine.Named("degree", woundNames[d.Level]), engine.Num("fatal", f.Get(varFatal, victim)),
	}}
}

// canLower reports whether a Will point can lower a wound: the lower degree must have a free slot (KM-WILL-04).
func (r *rules) canLower(b *engine.Battle, victim engine.ActorID, d catalogue.Degree) bool {
	if b.GaugeNow(victim.On(), gaugeWill) < 1 || d == catalogue.NoWound {
		return false
	}
	return d == catalogue.Scratch || freeSlots(b, victim)[d-2] > 0
}

// willWound lowers the wound by what was spent, and asks the master about a death (KM-WND-12).
func willWound(r *rules, s *engine.Scene, f *engine.Frame) {
	d := &f.Drafts[0]
	victim := d.On.Actor()
	if done := s.Take(); len(done) > 0 && len(done[0].Answer) > 0 {
		s.AddGauge("KM-WILL-04", victim.On(), gaugeWill, -1)
		d.Level--
		f.Set(varFatal, victim, 0)
		if r.canLower(s.Battle(), victim, catalogue.Degree(d.Level)) {
			s.Ask(r.lowering(f, d))
			return
		}
	}
	f.Step = stepRecord
	if f.Get(varFatal, victim) != 0 && s.Battle().Word(optDeathConfirm) != wordAuto {
		f.Step = stepDeath
		s.Ask(engine.Prompt{Kind: engine.PromptRuling, Ask: askDeath, Must: true, Default: []engine.Intent{{Act: actConfirm}},
			Args: []engine.Arg{engine.Refers("actor", victim.On()), engine.Level("result", int64(f.Rolls[len(f.Rolls)-1].Result)), engine.Level("aim", s.Battle().Number(optDeathCheck))}})
	}
}

// deathRuled takes the master's word on a death.
func deathRuled(_ *rules, s *engine.Scene, f *engine.Frame) {
	if done := s.Take(); len(done) > 0 && len(done[0].Answer) > 0 && done[0].Answer[0].Act == actSpare {
		f.Set(varFatal, f.Drafts[0].On.Actor(), 0)
	}
	f.Step = stepRecord
}

// record writes the wound down and plays what its degree does (KM-WND-05, -09, -10, -14).
func record(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	d := f.Drafts[0]
	victim := d.On.Actor()
	fatal, bleeds := f.Get(varFatal, victim) != 0, f.Get(varBleeds, victim)
	soft := len(f.Rolls) > 0 && catalogue.Degree(d.Level) == catalogue.HeavyWound
	dealt := catalogue.Degree(d.Value)
	if d.Level == 0 {
		s.Close(outcomeNoWound)
		return
	}
	degree := catalogue.Degree(d.Level)
	d.Value = d.Level
	d.ID = s.SetCond("KM-WND-08", d)
	s.AddGauge("KM-WND-01", d.On, gaugeSlots[d.Level], -1)
	if b.Word(optEffect) == "from_damage" {
		degree = dealt // AMB-05
	}
	if bleeds != 0 {
		if level := r.cat.Bleeds(degree, bleeds == bleedsBelow); level > 0 {
			s.SetCond("KM-WND-14", engine.Cond{Name: condBleeding, On: d.On, Parent: d.ID, Level: level, Until: engine.Until{Kind: engine.UntilKept}})
		}
	}
	row := r.cat.Wound(degree)
	if row.Breaks {
		s.ClearConds("KM-WND-10", d.On, condConcentration, engine.ClearBroken)
		r.breakWork(s, "KM-RELD-03", victim)
	}
	switch {
	case fatal:
		s.SetCond("KM-WND-12", engine.Cond{Name: condDead, On: d.On, Source: f.Intent.By.On(), Until: engine.Until{Kind: engine.UntilKept}})
		r.exclude(s, "KM-WND-12", victim, outByDeath)
	case row.Excludes && inFight(b, victim):
		r.exclude(s, "KM-WND-09", victim, outByWound)
	}
	switch {
	case fatal:
		s.Close(outcomeDead)
	case soft:
		s.Close(outcomeSoftened)
	default:
		s.Close(outcomeWounded)
	}
}

// breakWork ends the actor's works that take several turns; what is done already stays done (KM-RELD-03, AMB-60).
func (r *rules) breakWork(s *engine.Scene, rule engine.Rule, a engine.ActorID) {
	b := s.Battle()
	for i := 0; i < len(b.Plans); i++ {
		if p := &b.Plans[i]; p.Owner == a.On() && p.Kind == engine.PlanWork {
			s.Emit(rule, engine.PlanCleared{ID: p.ID, Why: engine.ClearBroken})
			i--
		}
	}
}

// personal are the conditions that end when somebody is out of the battle (KM-WND-09).
var personal = [...]engine.CondName{condConcentration, condRun, condDrawn, condDelayed, condRiposte}

// exclude takes an actor out of the battle: no turns, no counteractions, no defences; his body stays, prone (KM-WND-09).
func (r *rules) exclude(s *engine.Scene, rule engine.Rule, a engine.ActorID, why int32) {
	b := s.Battle()
	s.SetCond(rule, engine.Cond{Name: condExcluded, On: a.On(), Level: why, Until: engine.Until{Kind: engine.UntilBattle}})
	for _, n := range personal {
		s.ClearConds(rule, a.On(), n, engine.ClearBroken)
	}
	r.breakWork(s, rule, a)
	seats := make([]engine.Seat, 0, len(b.Queue))
	for _, q := range b.Queue {
		if q.Actor != a {
			seats = append(seats, q)
		}
	}
	if len(seats) != len(b.Queue) {
		s.Emit(rule, engine.Queued{Seats: seats})
	}
	if me := b.Actor(a); me.Pose.Posture != voxel.Prone {
		s.Emit(rule, engine.Posed{Actor: a, Look: me.Pose.Look, Posture: voxel.Prone})
	}
}

// fall puts an actor on the ground: prone, no run phase, no concentration (KM-PRONE-06).
func (r *rules) fall(s *engine.Scene, rule engine.Rule, a engine.ActorID) {
	s.ClearConds(rule, a.On(), condConcentration, engine.ClearBroken)
	s.ClearConds(rule, a.On(), condRun, engine.ClearBroken)
	if me := s.Battle().Actor(a); me.Pose.Posture != voxel.Prone {
		s.Emit(rule, engine.Posed{Actor: a, Look: me.Pose.Look, Posture: voxel.Prone})
	}
}
