package kmrp

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
)

// riposteMargin is how much better than the attack a parry must be to open a riposte (KM-DEF-PARRY-04, KM-RIP-01), and
// riposteBonus what the riposte gains (KM-RIP-03).
const (
	riposteMargin = 2
	riposteBonus  = 50
)

// Ripostes reports whether a parry result against an attack result opens a riposte (KM-RIP-01).
func Ripostes(attack, parry int32) bool { return parry-attack >= riposteMargin }

// mayRiposte reports whether the defender may move up behind the attacker: a parry by two or more, his turn not spent nor
// running, and no flexible-jointed weapon against him (KM-RIP-01, -05).
func (r *rules) mayRiposte(b *engine.Battle, f *engine.Frame, lane *engine.Lane) bool {
	if lane.Outcome != outcomeParried || len(lane.Guards) == 0 {
		return false
	}
	guard := &lane.Guards[0]
	if !Ripostes(f.Roll(lane.Attack).Result, f.Roll(guard.Roll).Result) {
		return false
	}
	g, ok := r.attacker(b, f)
	if !ok || g.weapon.Has(catalogue.NoRiposte) || b.GaugeNow(guard.By.On(), gaugeSkip) > 0 {
		return false
	}
	seat, acting := b.Seat(guard.By), b.SeatActing()
	return seat != nil && acting != nil && acting.Actor == f.Intent.By && (seat.State == engine.SeatOpen || seat.State == engine.SeatDelayed)
}

// riposteTaken moves the defender's turn directly behind the attacker's (KM-RIP-01, -02) and closes the attack.
func riposteTaken(_ *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	by, on, outcome := f.Intent.By, f.Intent.Victim(), f.Lanes[0].Outcome
	if done := s.Take(); len(done) > 0 && len(done[0].Answer) > 0 {
		seats := slices.Clone(b.Queue)
		from := slices.IndexFunc(seats, func(q engine.Seat) bool { return q.Actor == on && q.State != engine.SeatActed })
		if from >= 0 {
			me := seats[from]
			seats = slices.Delete(seats, from, from+1)
			to := slices.IndexFunc(seats, func(q engine.Seat) bool { return q.State == engine.SeatActing })
			s.Emit("KM-RIP-01", engine.Queued{Seats: slices.Insert(seats, to+1, me)})
			s.SetCond("KM-RIP-03", engine.Cond{Name: condRiposte, On: on.On(), With: by, Until: engine.Until{Kind: engine.UntilTurnEnd, Whose: on, N: 1}})
		}
	}
	s.Close(outcome)
}

// riposting is the bonus of an attack on the one whose blow was parried; the better of it and a concentration counts, which is
// the concentration (KM-RIP-03, -04, AMB-28).
func riposting(c *casting) int32 {
	k := c.v.FindPair(c.by.On(), condRiposte, c.vs)
	if k == nil || concentrated(c) != 0 {
		return 0
	}
	c.from = engine.Ref{Kind: engine.RefCond, ID: uint32(k.ID)}
	return riposteBonus
}

func checkRiposte(_ *rules, _ engine.View, _ *engine.Prompt, d *engine.Decide) *engine.Rejection {
	if len(d.Intents) > 0 && d.Intents[0].Act != actRiposte {
		return engine.Refuse(engine.ReasonActNotOffered, "KM-RIP-01", engine.Named("act", d.Intents[0].Act))
	}
	return nil
}

func offerRiposte(*rules, engine.View, *engine.Prompt) []engine.Offer {
	return []engine.Offer{{Act: actRiposte}}
}
