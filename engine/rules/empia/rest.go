package empia

import (
	"autobattle/engine"
)

// rates are the energy of rest by what is worn: of one slot, and what every eighth slot on end adds (EM-REST-01, -02).
var rates = [...]struct {
	weight      string
	quick, long int64
}{{"", 10 * unit, 40 * unit}, {"light", 15 * unit / 2, 30 * unit}, {"heavy", 5 * unit, 20 * unit}}

// rests reports whether somebody rests in a slot: by order, or because he can do nothing (EM-REST-03, EM-ORD-06).
func rests(l *engine.Lane) bool {
	return l.Guards[0].Intent.Act == actRest || l.Outcome == outcomeImpossible
}

// rest credits one slot of rest, or ends the streak. Nobody rests while he sustains an ability (EM-REST-04).
func (r *rules) rest(s *engine.Scene, a engine.ActorID, rests bool) {
	b := s.Battle()
	if !rests || b.HasCond(a.On(), condSustaining) {
		s.AddGauge("EM-REST-01", a.On(), gaugeStreak, -b.GaugeNow(a.On(), gaugeStreak))
		return
	}
	streak := s.AddGauge("EM-REST-01", a.On(), gaugeStreak, 1)
	p := r.protection(b, a)
	for _, rate := range rates {
		if rate.weight != p.weight {
			continue
		}
		gain, long := rate.quick, int64(0)
		if streak%8 == 0 {
			long = rate.long
		}
		// A quarter while collapsed, a quarter below 0 lives, and both multiply (EM-NRG-04, EM-REST-05).
		if b.HasCond(a.On(), condCollapsed) {
			gain, long = gain/4, long/4
		}
		if b.GaugeNow(a.On(), gaugeLives) < 0 {
			gain, long = gain/4, long/4
		}
		before := b.GaugeNow(a.On(), gaugeEnergy)
		if s.AddGauge("EM-REST-01", a.On(), gaugeEnergy, gain+long) == before {
			return
		}
		t := engine.Tally{What: figEnergy, Rule: "EM-NRG-06", On: a, Total: gain + long, Terms: []engine.Term{{Name: termRest, Rule: "EM-REST-01", Amount: int32(gain)}}}
		if long > 0 {
			t.Terms = append(t.Terms, engine.Term{Name: termLongRest, Rule: "EM-REST-01", Amount: int32(long)})
		}
		s.Tally(t)
	}
}

// payUpkeep charges what is sustained; who has less than one energy can hold it no longer (EM-NRG-02, EM-ABIL-06).
func (r *rules) payUpkeep(s *engine.Scene, a engine.ActorID) {
	b := s.Battle()
	for i := 0; i < len(b.CondsOn(a.On())); i++ {
		c := b.CondsOn(a.On())[i]
		if c.Name != condSustaining {
			continue
		}
		ab := r.gear.ability(c.About)
		switch {
		case ab == nil || ab.Upkeep == 0:
		case b.GaugeNow(a.On(), gaugeEnergy) < unit:
			s.ClearCond("EM-ABIL-06", c.ID, engine.ClearBroken)
			i--
		default:
			n := int64(ab.Upkeep) * unit
			s.Tally(engine.Tally{What: figEnergy, Rule: "EM-NRG-06", On: a, Total: -n, Terms: []engine.Term{{Name: termUpkeep, Rule: "EM-ABIL-06", Amount: -int32(n)}}})
			s.AddGauge("EM-ABIL-06", a.On(), gaugeEnergy, -n)
		}
	}
}
