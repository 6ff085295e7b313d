package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/rules/kmrp/catalogue"
)

// spikeIgnores is the armour that a weapon with a spike ignores in the medium and heavy classes (KM-MEL-CLASS-04).
const spikeIgnores = 1

// effectiveArmour is AR of a segment against a weapon: the class modifier less what the blow ignores, never below 0
// (KM-ARM-08). ignored is what else does not count: a seam.
func (r *rules) effectiveArmour(b *engine.Battle, on engine.ActorID, part engine.PartName, g *gear, ignored int32) (int32, engine.ItemID) {
	piece, id := r.armourOn(b, on, part)
	return g.against(piece, g.weapon.Shot(g.ammo), ignored), id
}

// against is what a piece of armour, or nil, is worth against the weapon.
func (g *gear) against(piece *catalogue.Armour, shot catalogue.Shot, ignored int32) int32 {
	if piece == nil {
		return 0
	}
	ignored += shot.Effect.Ignores
	if g.weapon.Has(catalogue.Spike) && piece.AR > 1 {
		ignored += spikeIgnores
	}
	return piece.Effective(shot.Family, ignored)
}

// redirect is the segment that a plain attack strikes: the torso, or with some chance one of the Normal-threshold zones
// (KM-ARM-03). Where all of these are protected alike nothing is thrown.
func (r *rules) redirect(s *engine.Scene, f *engine.Frame, on engine.ActorID, g *gear) engine.PartName {
	b := s.Battle()
	chance := int32(b.Number(optRedirect))
	if chance == 0 || r.alike(b, on, g) {
		return catalogue.Torso
	}
	roll := engine.Roll{ID: engine.RollID(s.NewID()), By: f.Intent.By, Against: on, Why: whyRedirect, Rule: "KM-ARM-03", Frame: f.ID, Aim: chance, HasAim: true}
	roll.Throws = []dice.Throw{s.Throw(dice.Percentile(chance))}
	roll.Result = roll.Throws[0].Sum
	roll.Margin = chance - roll.Result
	s.Rolled(roll)
	if roll.Result > chance {
		return catalogue.Torso
	}
	n := int32(0)
	parts := r.cat.Parts()
	for i := range parts {
		if parts[i].Redirect {
			n++
		}
	}
	roll = engine.Roll{ID: engine.RollID(s.NewID()), By: f.Intent.By, Against: on, Why: whySegment, Rule: "KM-ARM-03", Frame: f.ID}
	roll.Throws = []dice.Throw{s.Throw(dice.Dice(1, n))}
	roll.Result = roll.Throws[0].Sum
	s.Rolled(roll)
	n = roll.Result
	for i := range parts {
		if parts[i].Redirect {
			if n--; n == 0 {
				return parts[i].Name
			}
		}
	}
	return catalogue.Torso
}

// alike reports whether the torso and every segment of the redirect have the same armour against a weapon.
func (r *rules) alike(b *engine.Battle, on engine.ActorID, g *gear) bool {
	var worn [24]*catalogue.Armour
	n := 0
	for i := range b.Items {
		if it := &b.Items[i]; it.Holder == on && it.Slot == catalogue.Worn && n < len(worn) {
			if p := r.cat.Armour(it.Ref); p != nil {
				worn[n] = p
				n++
			}
		}
	}
	if n == 0 {
		return true
	}
	shot := g.weapon.Shot(g.ammo)
	at := func(part engine.PartName) int32 {
		var best *catalogue.Armour
		for _, p := range worn[:n] {
			if p.Covers(part) && (best == nil || p.AR > best.AR) {
				best = p
			}
		}
		return g.against(best, shot, 0)
	}
	torso := at(catalogue.Torso)
	parts := r.cat.Parts()
	for i := range parts {
		if parts[i].Redirect && at(parts[i].Name) != torso {
			return false
		}
	}
	return true
}
