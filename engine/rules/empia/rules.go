package empia

import (
	"fmt"

	"autobattle/engine"
)

// slotsOfTurn is how many slots a turn has (EM-TURN-01).
const slotsOfTurn = 8

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
		return nil, fmt.Errorf("empia: %w", err)
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
	table := battleSteps[:]
	if f.Kind == engine.FrameRound {
		table = turnSteps[:]
	}
	for i := range table {
		if table[i].name == f.Step {
			table[i].play(r, s, f)
			return
		}
	}
	panic(fmt.Sprintf("empia: frame %d of kind %d at the unknown step %s", f.ID, f.Kind, f.Step))
}

// lowest is the least value of lives and of energy, far below death and exhaustion.
const lowest = -1_000_000

// Admit checks a sheet and sets the gauges that follow from it: lives and energy are full where nothing else was said.
func (r *rules) Admit(s *engine.Scene, a engine.ActorID) error {
	b := s.Battle()
	for _, g := range [...]struct {
		trait engine.TraitName
		gauge engine.GaugeName
		rule  engine.Rule
		scale int64
	}{{traitLives, gaugeLives, "EM-STAT-01", 1}, {traitEnergy, gaugeEnergy, "EM-STAT-02", unit}} {
		level, has := b.Trait(a, g.trait)
		if !has {
			return engine.Refuse(engine.ReasonBadSheet, g.rule, engine.Refers("actor", a.On()), engine.Named("trait", g.trait))
		}
		full := int64(level) * g.scale
		now := full
		if brought := b.Gauge(a.On(), g.gauge); brought != nil {
			now = min(brought.Now, full)
		}
		s.SetGauge(g.rule, a.On(), g.gauge, max(now, lowest*g.scale), lowest*g.scale, full)
	}
	for _, g := range [...]engine.GaugeName{gaugeStreak, gaugeCut, gaugeFire} {
		s.SetGauge("EM-TURN-07", a.On(), g, 0, 0, -lowest)
	}
	return nil
}

// up reports whether an actor is still in the fight.
func up(b *engine.Battle, a engine.ActorID) bool {
	return b.Actor(a) != nil && !b.HasCond(a.On(), condDead) && !b.HasCond(a.On(), condUnconscious)
}

// able reports whether an actor can act.
func able(b *engine.Battle, a engine.ActorID) bool {
	return up(b, a) && !b.HasCond(a.On(), condStunned) && !b.HasCond(a.On(), condCollapsed) && !b.HasCond(a.On(), condImmobilised)
}

// trait is a value of the sheet, 0 without.
func trait(b *engine.Battle, a engine.ActorID, n engine.TraitName) int32 {
	level, _ := b.Trait(a, n)
	return level
}
