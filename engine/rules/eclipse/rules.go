package eclipse

import (
	"fmt"

	"autobattle/engine"
)

// rules plays the system. It has no state: all is in the battle.
type rules struct {
	gear *gear
	spec *engine.Spec
}

var _ engine.Ruleset = (*rules)(nil)

// New is the ruleset with its built-in catalogue. The error says what is wrong with the catalogue.
func New() (*engine.System, error) {
	g, spec, err := load()
	if err != nil {
		return nil, fmt.Errorf("eclipse: %w", err)
	}
	return &engine.System{Spec: spec, Rules: &rules{gear: g, spec: spec}}, nil
}

// step is one line of a table of steps: its name in stored frames, and the function that plays it.
type step struct {
	name engine.StepName
	play func(r *rules, s *engine.Scene, f *engine.Frame)
}

// Resume plays one step of the top frame.
func (r *rules) Resume(s *engine.Scene, f *engine.Frame) {
	table := actSteps[:]
	switch f.Kind {
	case engine.FrameBattle:
		table = battleSteps[:]
	case engine.FrameRound:
		table = roundSteps[:]
	case engine.FrameTurn:
		table = turnSteps[:]
	case engine.FrameWindow:
		table = windowSteps[:]
	}
	for i := range table {
		if table[i].name == f.Step {
			table[i].play(r, s, f)
			return
		}
	}
	panic(fmt.Sprintf("eclipse: frame %d of kind %d at the unknown step %s", f.ID, f.Kind, f.Step))
}

// Admit checks a sheet (EP-DUR-04, EP-AMMO-01) and sets what follows from it: the gauge of damage up to the death
// rating, and full magazines where nothing else was said.
func (r *rules) Admit(s *engine.Scene, a engine.ActorID) error {
	b := s.Battle()
	for _, t := range [...]engine.TraitName{traitIntuition, traitReflexes, traitSomatics, traitDurability} {
		if _, has := b.Trait(a, t); !has {
			return engine.Refuse(engine.ReasonBadSheet, "EP-DUR-01", engine.Refers("actor", a.On()), engine.Named("trait", t))
		}
	}
	s.SetGauge("EP-DUR-01", a.On(), gaugeDamage, min(b.GaugeNow(a.On(), gaugeDamage), deathRating(b, a)), 0, deathRating(b, a))
	for it := range b.ItemsOf(a) {
		w := r.gear.weapon(it.Ref)
		if w == nil || !w.ranged() {
			continue
		}
		now := int64(w.Magazine)
		if g := b.Gauge(it.ID.On(), gaugeRounds); g != nil {
			now = min(g.Now, now)
		}
		s.SetGauge("EP-AMMO-01", it.ID.On(), gaugeRounds, now, 0, int64(w.Magazine))
	}
	if b.Phase == engine.Running {
		r.seatNewcomer(s, a)
	}
	return nil
}

// halfUp is n divided by d, rounded half up (EP-NUM-03). Both are positive, or n is 0.
func halfUp(n, d int32) int32 { return (2*n + d) / (2 * d) }

// trait is a value of the sheet, 0 without.
func trait(b *engine.Battle, a engine.ActorID, n engine.TraitName) int32 {
	level, _ := b.Trait(a, n)
	return level
}

// woundThreshold is DUR ÷ 5 (EP-DUR-04).
func woundThreshold(b *engine.Battle, a engine.ActorID) int32 {
	return max(halfUp(trait(b, a, traitDurability), 5), 1)
}

// deathRating is DUR × 1.5 for biomorphs, × 2 for others (EP-DUR-04).
func deathRating(b *engine.Battle, a engine.ActorID) int64 {
	dur := trait(b, a, traitDurability)
	if b.Actor(a).Body == biomorph {
		return int64(halfUp(dur*3, 2))
	}
	return int64(dur * 2)
}

// wounds is how many wounds an actor has.
func wounds(b *engine.Battle, a engine.ActorID) (n int32) {
	for _, c := range b.CondsOn(a.On()) {
		if c.Name == condWound {
			n += c.Level
		}
	}
	return n
}

// up reports whether an actor can act and fight on.
func up(b *engine.Battle, a engine.ActorID) bool {
	if b.Actor(a) == nil {
		return false
	}
	for _, c := range b.CondsOn(a.On()) {
		if c.Name == condDead || c.Name == condOut || c.Name == condShocked {
			return false
		}
	}
	return true
}
