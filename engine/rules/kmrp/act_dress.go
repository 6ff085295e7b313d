package kmrp

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
)

// dressTurns is how many turns pieces of one class take: their segments at the rate of the class, every begun turn counted
// (KM-ARM-09).
func dressTurns(segments, perTurn int32) int32 { return max(1, (segments+perTurn-1)/perTurn) }

// wardrobe are the pieces of armour of a class that the actor wears, or carries.
func (t *turn) wardrobe(worn bool, class catalogue.ArmourClassRef) []engine.ItemID {
	var ids []engine.ItemID
	for i := range t.v.Items {
		it := &t.v.Items[i]
		if it.Holder != t.who || it.In != 0 || (it.Slot == catalogue.Worn) != worn {
			continue
		}
		if a := t.r.cat.Armour(it.Ref); a != nil && a.Class == class && (worn || !t.covered(a)) {
			ids = append(ids, it.ID)
		}
	}
	return ids
}

// covered reports whether something worn already covers a segment of the piece.
func (t *turn) covered(a *catalogue.Armour) bool {
	for _, part := range a.Segments {
		if on, _ := t.r.armourOn(t.v.Battle, t.who, part); on != nil {
			return true
		}
	}
	return false
}

// checkDress: one piece, or all of a class at once (KM-ARM-09).
func (t *turn) checkDress(in *engine.Intent, worn bool) *engine.Rejection {
	it := t.v.Item(in.Item(0))
	if it == nil || it.Holder != t.who || t.r.cat.Armour(it.Ref) == nil {
		return engine.Refuse(engine.ReasonUnknownItem, "KM-ARM-09", engine.Num("item", int64(in.Item(0))))
	}
	all := t.wardrobe(worn, t.r.cat.Armour(it.Ref).Class)
	if !slices.Contains(all, it.ID) {
		return engine.Refuse(engine.ReasonForbidden, "KM-ARM-09", engine.Refers("item", it.ID.On()), engine.Named("slot", it.Slot))
	}
	if len(in.Items) > 1 && !slices.Equal(in.Items, all) {
		return engine.Refuse(engine.ReasonMalformed, "KM-ARM-09", engine.Words("items", "one piece, or all of a class"))
	}
	return nil
}

func checkPutOn(t *turn, in *engine.Intent) *engine.Rejection   { return t.checkDress(in, false) }
func checkTakeOff(t *turn, in *engine.Intent) *engine.Rejection { return t.checkDress(in, true) }

// offerDress offers each piece, and all pieces of a class together.
func (t *turn) offerDress(worn bool) []engine.Offer {
	var o engine.Offer
	for _, class := range [...]catalogue.ArmourClassRef{"light", "medium", "heavy"} {
		all := t.wardrobe(worn, class)
		for _, id := range all {
			o.Items = append(o.Items, []engine.ItemID{id})
		}
		if len(all) > 1 {
			o.Items = append(o.Items, all)
		}
	}
	if len(o.Items) == 0 {
		return nil
	}
	return []engine.Offer{o}
}

func offerPutOn(t *turn) []engine.Offer   { return t.offerDress(false) }
func offerTakeOff(t *turn) []engine.Offer { return t.offerDress(true) }

// playDress spends one turn on putting armour on or taking it off.
func playDress(r *rules, s *engine.Scene, _ *engine.Frame, in engine.Intent) {
	b := s.Battle()
	segments, rate := int32(0), int32(1)
	for _, id := range in.Items {
		a := r.cat.Armour(b.Item(id).Ref)
		segments, rate = segments+int32(len(a.Segments)), a.PerTurn
	}
	if !work(s, "KM-ARM-09", in, dressTurns(segments, rate)) {
		return
	}
	for _, id := range in.Items {
		it := *b.Item(id)
		if it.Slot = catalogue.Worn; in.Act == actTakeOff {
			it.Slot = catalogue.Bag
		}
		s.Emit("KM-ARM-09", engine.ItemSet{Item: it})
	}
}
