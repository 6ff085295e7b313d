package eclipse

import (
	"autobattle/engine"
	"autobattle/engine/dice"
)

// harm is what a hit does to a victim, worked out before it is applied.
type harm struct {
	taken     int32 // after armour (EP-ATK-14)
	wounds    int32 // EP-WND-01
	down, die bool  // EP-DUR-02, -03
}

// harmOf is what a damage value does through an armour value. Halvings of the armour multiply and are rounded once, half
// up (EP-ARM-03).
func harmOf(b *engine.Battle, d engine.ActorID, value, armour, halvings int32) harm {
	h := harm{taken: max(value-halved(armour, halvings), 0)}
	h.wounds = h.taken / woundThreshold(b, d)
	now := b.GaugeNow(d.On(), gaugeDamage) + int64(h.taken)
	h.down = h.taken > 0 && now >= int64(trait(b, d, traitDurability))
	h.die = h.taken > 0 && now >= deathRating(b, d)
	return h
}

// halved is an armour value halved n times with one rounding (EP-ARM-02, -03).
func halved(armour, n int32) int32 { return halfUp(armour, 1<<n) }

// key tells apart what the victim suffers.
func (h harm) key() int32 {
	k := h.wounds * 8
	if h.taken > 0 {
		k++
	}
	if h.down {
		k += 2
	}
	if h.die {
		k += 4
	}
	return k
}

// strike throws the damage of a hit, takes the armour off and applies the rest (EP-ATK-10…16).
func (r *rules) strike(s *engine.Scene, f *engine.Frame, d engine.ActorID, w *weapon, attack *engine.Roll, lane int32) engine.OutcomeName {
	b := s.Battle()
	in := &f.Intent
	critical := attack.Grade == gradeCritical
	double := critical && b.Word(optCrit) == wordDouble
	halvings := int32(0)
	if w.Piercing {
		halvings++
	}
	if critical && !double {
		halvings++
	}
	armour, _ := r.armourOf(b, d, w.Against)
	tally := engine.Tally{What: figDamageValue, Rule: "EP-ATK-13", Lane: lane, On: d}
	add := func(name engine.ModName, rule engine.Rule, n int32) {
		if n != 0 {
			tally.Terms = append(tally.Terms, engine.Term{Name: name, Rule: rule, Amount: n, Source: in.By.On()})
		}
	}
	factor := int32(1)
	if double {
		factor = 2
	}
	throw := func(why engine.Purpose, rule engine.Rule, count, sides int32, classes []int32) int32 {
		t := s.Throw(dice.Dice(count, sides, classes...))
		s.Rolled(engine.Roll{ID: engine.RollID(s.NewID()), By: in.By, Against: d, Why: why, Rule: rule, Frame: f.ID, Throws: []dice.Throw{t}, Result: t.Sum})
		return t.Sum
	}
	// The dice of superior successes and of lost range fall before those of the weapon: so the last throw is the one
	// whose values lead to few results.
	fixed := w.Plus
	add(termBonus, "EP-ATK-13", w.Plus)
	if n := superior(attack.Grade); n > 0 {
		sum := throw(whySuperior, "EP-ATK-10", n, 6, nil)
		add(termSuperior, "EP-ATK-10", sum)
		fixed += sum
	}
	if w.Kind == "kinetic" && !within(r.shotDistance(b, in.By, d, f.ID), w.Range) {
		sum := throw(whyLost, "EP-RANGE-04", 1, 10, nil)
		add(termLost, "EP-RANGE-04", -sum)
		fixed -= sum
	}
	count := w.Dice
	switch {
	case in.Has(modBurstDamage):
		count++
	case in.Has(modAutoDamage):
		count += 2
	}
	sum := throw(whyDamage, "EP-ATK-13", count, w.Sides, cuts(count*w.Sides, func(v int32) int32 {
		return harmOf(b, d, max(v+fixed, 0)*factor, armour, halvings).key()
	}))
	add(termWeapon, "EP-ATK-13", sum)
	value := max(sum+fixed, 0) * factor
	if double {
		add(termDoubled, "EP-ATK-11", value/2)
	}
	tally.Total = int64(value)
	s.Tally(tally)
	h := harmOf(b, d, value, armour, halvings)
	taken := engine.Tally{What: figDamage, Rule: "EP-ATK-14", Lane: lane, On: d, Total: int64(h.taken), Terms: []engine.Term{{Name: termDamage, Rule: "EP-ATK-13", Amount: value, Source: in.By.On()}}}
	if armour > 0 {
		taken.Terms = append(taken.Terms, engine.Term{Name: termArmour, Rule: "EP-ARM-01", Amount: -armour, Source: d.On()})
	}
	if spared := armour - halved(armour, halvings); spared > 0 {
		taken.Terms = append(taken.Terms, engine.Term{Name: termHalved, Rule: "EP-ARM-03", Amount: spared, Source: in.By.On()})
	}
	s.Tally(taken)
	if h.taken == 0 {
		return outcomeHeld
	}
	return r.apply(s, f, d, h)
}

// apply gives damage in its order: damage, death, incapacity, wounds, then the checks (EP-WND-08).
func (r *rules) apply(s *engine.Scene, f *engine.Frame, d engine.ActorID, h harm) engine.OutcomeName {
	b := s.Battle()
	kept := engine.Until{Kind: engine.UntilKept}
	by := f.Intent.By.On()
	s.AddGauge("EP-ATK-15", d.On(), gaugeDamage, int64(h.taken))
	wasUp := up(b, d)
	if h.die {
		s.SetCond("EP-DUR-03", engine.Cond{Name: condDead, On: d.On(), Source: by, Until: kept})
	}
	if h.down {
		s.SetCond("EP-DUR-02", engine.Cond{Name: condOut, On: d.On(), Source: by, Until: kept})
		fall(s, "EP-DUR-02", d)
	}
	if h.wounds > 0 {
		s.SetCond("EP-WND-01", engine.Cond{Name: condWound, On: d.On(), Level: h.wounds, Source: by, Until: kept})
	}
	switch {
	case h.die:
		return outcomeKilled
	case h.down:
		if b.Actor(d).Body == biomorph && wounds(b, d) > 0 && !b.HasCond(d.On(), condBleeding) && !r.check(s, f, d, whyStabilise, "EP-DUR-05") {
			s.SetCond("EP-DUR-05", engine.Cond{Name: condBleeding, On: d.On(), Source: by, Until: kept})
		}
		return outcomeDowned
	case !wasUp:
	case h.wounds >= 2:
		fall(s, "EP-WND-06", d)
		if !r.check(s, f, d, whyShock, "EP-WND-06") {
			s.SetCond("EP-WND-06", engine.Cond{Name: condShocked, On: d.On(), Source: by, Until: kept})
			return outcomeDowned
		}
	case h.wounds == 1:
		if !r.check(s, f, d, whyKnockdown, "EP-WND-05") {
			fall(s, "EP-WND-05", d)
		}
	}
	if h.wounds > 0 {
		return outcomeWounded
	}
	return outcomeHit
}

// check throws a Somatics check: three times Somatics, with the wounds (EP-TEST-16).
func (r *rules) check(s *engine.Scene, f *engine.Frame, d engine.ActorID, why engine.Purpose, rule engine.Rule) bool {
	b := s.Battle()
	roll := engine.Roll{ID: engine.RollID(s.NewID()), By: d, Why: why, Rule: rule, Frame: f.ID,
		Base: engine.Base{Trait: traitSomatics, Level: 3 * trait(b, d, traitSomatics), Rule: "EP-TEST-16"}}
	if n := wounds(b, d); n > 0 {
		roll.Mods = append(roll.Mods, engine.Mod{Name: modWounds, Rule: "EP-WND-03", Amount: -10 * n})
	}
	aim(&roll)
	settle(&roll, s.Throw(dice.Percentile(cuts(100, func(v int32) int32 {
		if succeeds(grade(roll.Aim, v%100, true)) {
			return 1
		}
		return 0
	})...)))
	s.Rolled(roll)
	return succeeds(roll.Grade)
}
