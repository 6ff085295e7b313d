package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
)

// bareHands is the catalogue's entry for attacks without a weapon.
const bareHands engine.CatalogueRef = "unarmed"

// twoHandedOneHand is the Strength that a two-handed weapon needs in one hand where its balance does not allow it: Excellent
// (KM-MEL-06).
const twoHandedOneHand = 5

// gear is a weapon as somebody holds it.
type gear struct {
	item   engine.ItemID // zero: bare hands
	weapon *catalogue.Weapon
	ammo   *catalogue.Ammunition // loaded, or nil
	single bool                  // a two-handed weapon in one hand
}

// inHand reports whether a slot is a hand.
func inHand(s engine.SlotName) bool { return s == catalogue.MainHand || s == catalogue.OffHand }

// gearOf is the weapon that an item in hand is, or false; item zero is bare hands. A small shield strikes as the weapon that
// its entry names (KM-SHLD-02).
func (r *rules) gearOf(b *engine.Battle, a engine.ActorID, item engine.ItemID) (gear, bool) {
	if item == 0 {
		w := r.cat.Weapon(bareHands)
		return gear{weapon: w}, w != nil
	}
	it := b.Item(item)
	if it == nil || it.Holder != a || !inHand(it.Slot) {
		return gear{}, false
	}
	w := r.cat.Weapon(it.Ref)
	if w == nil {
		shield := r.cat.Shield(it.Ref)
		if shield == nil || shield.Attack == "" {
			return gear{}, false
		}
		w = r.cat.Weapon(shield.Attack)
		return gear{item: item, weapon: w}, w != nil
	}
	g := gear{item: item, weapon: w}
	if w.Hands == 2 && !w.OneHanded {
		g.single = r.otherHandFull(b, a, it.Slot)
	}
	if w.Calibre != "" {
		g.ammo = r.loaded(b, item)
	}
	return g, true
}

// loaded is the ammunition inside a weapon, or nil.
func (r *rules) loaded(b *engine.Battle, weapon engine.ItemID) *catalogue.Ammunition {
	for i := range b.Items {
		if b.Items[i].In == weapon {
			if a := r.cat.Ammo(b.Items[i].Ref); a != nil {
				return a
			}
		}
	}
	return nil
}

// otherHandFull reports whether the hand that is not at slot holds something.
func (r *rules) otherHandFull(b *engine.Battle, a engine.ActorID, slot engine.SlotName) bool {
	other := catalogue.OffHand
	if slot == catalogue.OffHand {
		other = catalogue.MainHand
	}
	return b.ItemAt(a, other) != nil
}

// armed is the first weapon of a kind in a's hands, main hand first.
func (r *rules) armed(b *engine.Battle, a engine.ActorID, kind catalogue.Kind) (gear, bool) {
	for _, slot := range [...]engine.SlotName{catalogue.MainHand, catalogue.OffHand} {
		if it := b.ItemAt(a, slot); it != nil {
			if g, ok := r.gearOf(b, a, it.ID); ok && g.weapon.Kind == kind {
				return g, true
			}
		}
	}
	return gear{}, false
}

// shieldOf is the best shield in a's hands and its item, or nil.
func (r *rules) shieldOf(b *engine.Battle, a engine.ActorID) (*catalogue.Shield, engine.ItemID) {
	var best *catalogue.Shield
	var id engine.ItemID
	for i := range b.Items {
		it := &b.Items[i]
		if it.Holder != a || !inHand(it.Slot) {
			continue
		}
		if s := r.cat.Shield(it.Ref); s != nil && (best == nil || s.SH > best.SH) {
			best, id = s, it.ID
		}
	}
	return best, id
}

// armourOn is the piece of armour that a wears on a segment, the best if several, or nil.
func (r *rules) armourOn(b *engine.Battle, a engine.ActorID, part engine.PartName) (*catalogue.Armour, engine.ItemID) {
	var best *catalogue.Armour
	var id engine.ItemID
	for i := range b.Items {
		it := &b.Items[i]
		if it.Holder != a || it.Slot != catalogue.Worn {
			continue
		}
		if p := r.cat.Armour(it.Ref); p != nil && p.Covers(part) && (best == nil || p.AR > best.AR) {
			best, id = p, it.ID
		}
	}
	return best, id
}

// length is the length of the weapon in points: 0 for bare hands.
func (g *gear) length() int32 { return g.weapon.Length }

// reach is how far a melee or unarmed weapon strikes in blocks, by the battle's reading (KM-MEL-02, AMB-34).
func (g *gear) reach(b *engine.Battle) int32 {
	n := g.weapon.Reach
	if b.Word(optReach) == "flat_two" {
		n = g.weapon.FlatReach
	}
	return max(n, 1)
}

// ranged reports whether the weapon shoots or is thrown.
func (g *gear) ranged() bool { return g.weapon.Kind == catalogue.Ranged }

// limit is the greatest distance that the weapon can hit at, in blocks.
func (g *gear) limit(c *catalogue.Catalogue) int32 {
	ref := g.weapon.Range
	if g.ammo != nil && g.ammo.Range != "" {
		ref = g.ammo.Range
	}
	table := c.Range(ref)
	if table == nil || len(table.Reach) == 0 {
		return 0
	}
	return table.Reach[len(table.Reach)-1]
}
