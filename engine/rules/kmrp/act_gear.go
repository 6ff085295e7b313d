package kmrp

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
)

// instantLevel is the round result of Reaction that allows instant use and double loading: Good (KM-INIT-02, KM-WPN-05, -06).
const instantLevel = 4

// held is an item that the actor has in hand, or a refusal.
func (t *turn) held(id engine.ItemID, rule engine.Rule) (*engine.Item, *engine.Rejection) {
	it := t.v.Item(id)
	if it == nil || it.Holder != t.who {
		return nil, engine.Refuse(engine.ReasonUnknownItem, rule, engine.Num("item", int64(id)))
	}
	if !inHand(it.Slot) {
		return nil, engine.Refuse(engine.ReasonNotReady, rule, engine.Refers("item", id.On()), engine.Named("slot", it.Slot))
	}
	return it, nil
}

// kept is an item that the actor can take into a hand, or a refusal.
func (t *turn) kept(id engine.ItemID, rule engine.Rule) (*engine.Item, *engine.Rejection) {
	it := t.v.Item(id)
	if it == nil || it.Holder != t.who {
		return nil, engine.Refuse(engine.ReasonUnknownItem, rule, engine.Num("item", int64(id)))
	}
	if it.Slot != catalogue.Belt || it.In != 0 {
		return nil, engine.Refuse(engine.ReasonNotReady, rule, engine.Refers("item", id.On()), engine.Named("slot", it.Slot), engine.Named("needed", catalogue.Belt))
	}
	if t.r.cat.Weapon(it.Ref) == nil && t.r.cat.Shield(it.Ref) == nil {
		return nil, engine.Refuse(engine.ReasonForbidden, rule, engine.Refers("item", id.On()))
	}
	return it, nil
}

// needsBoth reports whether an item takes both hands: a two-handed weapon, save one whose balance allows one hand.
func (r *rules) needsBoth(ref engine.CatalogueRef) bool {
	w := r.cat.Weapon(ref)
	return w != nil && w.Hands == 2 && !w.OneHanded
}

// freeHand is the hand that an item can be drawn into, the main hand first, or a refusal (KM-WPN-02, -04).
func (t *turn) freeHand(it *engine.Item, rule engine.Rule) (engine.SlotName, *engine.Rejection) {
	main, off := t.v.ItemAt(t.who, catalogue.MainHand), t.v.ItemAt(t.who, catalogue.OffHand)
	both := t.r.needsBoth(it.Ref)
	shield := t.r.cat.Shield(it.Ref) != nil
	switch {
	case both && (main != nil || off != nil):
	case shield && off == nil && !t.bothTaken(main):
		return catalogue.OffHand, nil
	case main == nil && !t.bothTaken(off):
		return catalogue.MainHand, nil
	case off == nil && !t.bothTaken(main):
		return catalogue.OffHand, nil
	}
	return "", engine.Refuse(engine.ReasonForbidden, rule, engine.Words("why", "no free hand"), engine.Refers("item", it.ID.On()))
}

// bothTaken reports whether an item in the other hand takes both.
func (t *turn) bothTaken(other *engine.Item) bool { return other != nil && t.r.needsBoth(other.Ref) }

// checkDraw: an item at the belt and a free hand; it costs nothing (KM-WPN-02, -03).
func checkDraw(t *turn, in *engine.Intent) *engine.Rejection {
	it, no := t.kept(in.Item(0), "KM-WPN-02")
	if no != nil {
		return no
	}
	_, no = t.freeHand(it, "KM-WPN-02")
	return no
}

// offerItems offers an act for each item of the actor that its check allows, and greys the others that are candidates.
func (t *turn) offerItems(name engine.ActName, candidate func(*engine.Item) bool, check func(*turn, *engine.Intent) *engine.Rejection) []engine.Offer {
	var good engine.Offer
	var out []engine.Offer
	for i := range t.v.Items {
		it := &t.v.Items[i]
		if it.Holder != t.who || it.In != 0 || !candidate(it) {
			continue
		}
		in := engine.Intent{Act: name, By: t.who, Items: []engine.ItemID{it.ID}}
		if no := check(t, &in); no != nil {
			out = append(out, engine.Offer{Items: [][]engine.ItemID{{it.ID}}, No: no})
			continue
		}
		good.Items = append(good.Items, []engine.ItemID{it.ID})
	}
	if len(good.Items) > 0 {
		out = append(out, good)
	}
	return out
}

func atBelt(it *engine.Item) bool      { return it.Slot == catalogue.Belt }
func handHeld(it *engine.Item) bool    { return inHand(it.Slot) }
func offerDraw(t *turn) []engine.Offer { return t.offerItems(actDraw, atBelt, checkDraw) }

// playDraw takes the item into a free hand; in this turn it does not attack (KM-WPN-02).
func playDraw(r *rules, s *engine.Scene, f *engine.Frame, in engine.Intent) {
	a := f.Intent.By
	t := turn{r: r, v: s.View(), f: f, who: a, me: s.Battle().Actor(a)}
	it := *s.Battle().Item(in.Item(0))
	slot, no := t.freeHand(&it, "KM-WPN-02")
	if no != nil {
		return
	}
	it.Slot = slot
	s.Emit("KM-WPN-02", engine.ItemSet{Item: it})
	s.SetCond("KM-WPN-02", engine.Cond{Name: condDrawn, On: it.ID.On(), With: a, Until: engine.Until{Kind: engine.UntilTurnEnd, Whose: a, N: 1}})
}

// checkSwap: one item away, another into the hand (KM-WPN-01). Items are the one taken and, where it is not the main hand's,
// the one put away.
func checkSwap(t *turn, in *engine.Intent) *engine.Rejection {
	it, no := t.kept(in.Item(0), "KM-WPN-01")
	if no != nil {
		return no
	}
	away, no := t.putAway(in)
	if no != nil {
		return no
	}
	other := catalogue.OffHand
	if away.Slot == catalogue.OffHand {
		other = catalogue.MainHand
	}
	left := t.v.ItemAt(t.who, other)
	if t.r.needsBoth(it.Ref) && left != nil || t.bothTaken(left) {
		return engine.Refuse(engine.ReasonForbidden, "KM-WPN-01", engine.Words("why", "no free hand"), engine.Refers("item", it.ID.On()))
	}
	return nil
}

// putAway is the item in hand that a swap gives up.
func (t *turn) putAway(in *engine.Intent) (*engine.Item, *engine.Rejection) {
	if len(in.Items) > 2 {
		return nil, engine.Refuse(engine.ReasonMalformed, "KM-WPN-01", engine.Num("items", int64(len(in.Items))), engine.Num("max", 2))
	}
	if len(in.Items) == 2 {
		return t.held(in.Items[1], "KM-WPN-01")
	}
	for _, slot := range [...]engine.SlotName{catalogue.MainHand, catalogue.OffHand} {
		if it := t.v.ItemAt(t.who, slot); it != nil {
			return it, nil
		}
	}
	return nil, engine.Refuse(engine.ReasonNotReady, "KM-WPN-01", engine.Words("why", "nothing is in hand: draw instead"))
}

func offerSwap(t *turn) []engine.Offer {
	var o engine.Offer
	for i := range t.v.Items {
		for j := range t.v.Items {
			a, b := &t.v.Items[i], &t.v.Items[j]
			if a.Holder != t.who || b.Holder != t.who || !atBelt(a) || !handHeld(b) {
				continue
			}
			in := engine.Intent{Act: actSwap, By: t.who, Items: []engine.ItemID{a.ID, b.ID}}
			if checkSwap(t, &in) == nil {
				o.Items = append(o.Items, in.Items)
			}
		}
	}
	if len(o.Items) == 0 {
		return nil
	}
	return []engine.Offer{o}
}

func playSwap(r *rules, s *engine.Scene, f *engine.Frame, in engine.Intent) {
	t := turn{r: r, v: s.View(), f: f, who: f.Intent.By, me: s.Battle().Actor(f.Intent.By)}
	away, no := t.putAway(&in)
	if no != nil {
		return
	}
	put, take := *away, *s.Battle().Item(in.Item(0))
	put.Slot, take.Slot = take.Slot, put.Slot
	if r.needsBoth(take.Ref) {
		take.Slot = catalogue.MainHand
	}
	s.Emit("KM-WPN-01", engine.ItemSet{Item: put})
	s.Emit("KM-WPN-01", engine.ItemSet{Item: take})
}

func checkSheathe(t *turn, in *engine.Intent) *engine.Rejection {
	_, no := t.held(in.Item(0), "KM-WPN-07")
	return no
}

func offerSheathe(t *turn) []engine.Offer { return t.offerItems(actSheathe, handHeld, checkSheathe) }

// playSheathe puts an item away without taking another: a full action (KM-WPN-07).
func playSheathe(_ *rules, s *engine.Scene, _ *engine.Frame, in engine.Intent) {
	it := *s.Battle().Item(in.Item(0))
	it.Slot = catalogue.Belt
	s.Emit("KM-WPN-07", engine.ItemSet{Item: it})
}

func checkDrop(t *turn, in *engine.Intent) *engine.Rejection {
	_, no := t.held(in.Item(0), "KM-WPN-07")
	return no
}

func offerDrop(t *turn) []engine.Offer { return t.offerItems(actDrop, handHeld, checkDrop) }

// playDrop lets an item fall where one stands, at no cost (KM-WPN-07).
func playDrop(_ *rules, s *engine.Scene, f *engine.Frame, in engine.Intent) {
	b := s.Battle()
	it := *b.Item(in.Item(0))
	s.ClearConds("KM-WPN-07", it.ID.On(), condDrawn, engine.ClearDone)
	it.Holder, it.Slot, it.Cell = 0, "", b.Actor(f.Intent.By).Pose.At.Block()
	s.Emit("KM-WPN-07", engine.ItemSet{Item: it})
}

// instant reports whether an item may be used in the turn in which it is drawn: a quick hand, and something short without a
// stock (KM-WPN-05).
func (r *rules) instant(b *engine.Battle, a engine.ActorID, ref engine.CatalogueRef) bool {
	if r.reaction(b, a) < instantLevel {
		return false
	}
	if w := r.cat.Weapon(ref); w != nil {
		return w.Size == catalogue.Short && !w.Has(catalogue.Stocked)
	}
	s := r.cat.Shield(ref)
	return s != nil && s.Size == catalogue.Short
}

// spare is ammunition that fits a weapon and has rounds left, carried by its holder, or nil.
func (r *rules) spare(b *engine.Battle, a engine.ActorID, w *catalogue.Weapon) *engine.Item {
	for i := range b.Items {
		it := &b.Items[i]
		if it.Holder != a || it.In != 0 {
			continue
		}
		if ammo := r.cat.Ammo(it.Ref); ammo != nil && ammo.Fits(w) && b.GaugeNow(it.ID.On(), gaugeRounds) > 0 {
			return it
		}
	}
	return nil
}

// reloadTurns is how many turns the next load takes, and how many rounds it brings: all at once where the feed allows, else
// one, or two into a double barrel by a quick hand (KM-RELD-02, KM-WPN-06).
func (r *rules) reloadTurns(b *engine.Battle, a engine.ActorID, w *catalogue.Weapon) (turns, rounds int32) {
	feed := w.Loading()
	switch {
	case feed == nil:
		return 0, w.Capacity
	case feed.Turns > 0:
		return feed.Turns, w.Capacity
	case w.Has(catalogue.Barrels) && r.reaction(b, a) >= instantLevel:
		return max(1, feed.PerRound), 2
	}
	return max(1, feed.PerRound), 1
}

// checkReload: a weapon in hand that counts its rounds and has room, and ammunition for it (KM-RELD-01, KM-AMMO-03).
func checkReload(t *turn, in *engine.Intent) *engine.Rejection {
	it, no := t.held(in.Item(0), "KM-RELD-01")
	if no != nil {
		return no
	}
	w := t.r.cat.Weapon(it.Ref)
	if w == nil || w.Capacity == 0 || w.Loading() == nil {
		return engine.Refuse(engine.ReasonForbidden, "KM-RELD-01", engine.Refers("item", it.ID.On()))
	}
	if now := t.v.GaugeNow(it.ID.On(), gaugeRounds); now >= int64(w.Capacity) {
		return engine.Refuse(engine.ReasonForbidden, "KM-RELD-01", engine.Num("rounds", now), engine.Num("capacity", int64(w.Capacity)))
	}
	if t.r.spare(t.v.Battle, t.who, w) == nil {
		return engine.Refuse(engine.ReasonResources, "KM-AMMO-03", engine.Refers("item", it.ID.On()), engine.Words("why", "no ammunition that fits"))
	}
	return nil
}

func offerReload(t *turn) []engine.Offer {
	return t.offerItems(actReload, func(it *engine.Item) bool {
		w := t.r.cat.Weapon(it.Ref)
		return handHeld(it) && w != nil && w.Capacity > 0
	}, checkReload)
}

// playReload spends one turn of a reload. A crossbow or long bow asks for Strength (KM-RELD-05).
func playReload(r *rules, s *engine.Scene, f *engine.Frame, in engine.Intent) {
	s.Push(engine.FrameAct, stepReload, in)
}

func reload(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	a := f.Intent.By
	feed := r.cat.Weapon(b.Item(f.Intent.Item(0)).Ref).Loading()
	if feed.Strength > 0 && attribute(b, a, catalogue.Strength) < feed.Strength {
		c := casting{rules: r, v: s.View(), by: a, trait: catalogue.Strength, why: whyReload, rule: "KM-RELD-05", frame: f.ID, aim: feed.Check, hasAim: true}
		c.prepare(nil)
		f.Rolls = append(f.Rolls, c.cast(s))
		r.window(s, f, &f.Rolls[0], stepReloadWill, stepReloadDone)
		return
	}
	f.Step = stepReloadDone
}

func reloadWill(r *rules, s *engine.Scene, f *engine.Frame) {
	r.shut(s, f, &f.Rolls[0], stepReloadDone)
}

// reloadDone counts the turn, and loads when it was the last (KM-RELD-01). A failed Strength roll loses the turn.
func reloadDone(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	in := f.Intent
	if len(f.Rolls) > 0 && f.Rolls[0].Margin < 0 {
		s.Emit("KM-RELD-05", engine.Resolved{Frame: f.ID, Act: actReload, By: in.By, Outcome: outcomeMissed})
		s.Close(outcomeMissed)
		return
	}
	item := in.Item(0)
	w := r.cat.Weapon(b.Item(item).Ref)
	turns, rounds := r.reloadTurns(b, in.By, w)
	if !work(s, "KM-RELD-01", in, turns) {
		s.Close(outcomeDone)
		return
	}
	ammo := r.spare(b, in.By, w)
	room := int64(w.Capacity) - b.GaugeNow(item.On(), gaugeRounds)
	n := min(int64(rounds), room, b.GaugeNow(ammo.ID.On(), gaugeRounds))
	s.AddGauge("KM-RELD-01", ammo.ID.On(), gaugeRounds, -n)
	s.AddGauge("KM-RELD-01", item.On(), gaugeRounds, n)
	s.Emit("KM-RELD-01", engine.Resolved{Frame: f.ID, Act: actReload, By: in.By, Outcome: outcomeDone})
	s.Close(outcomeDone)
}

// work counts one turn of an act that takes several, and reports whether it was the last. What was begun and interrupted goes
// on where it was (KM-RELD-04).
func work(s *engine.Scene, rule engine.Rule, in engine.Intent, turns int32) (done bool) {
	b := s.Battle()
	plan := engine.Plan{Owner: in.By.On(), Kind: engine.PlanWork, Intent: in, Left: turns, Total: turns}
	for i := range b.Plans {
		if p := &b.Plans[i]; p.Owner == plan.Owner && p.Kind == engine.PlanWork && p.Intent.Act == in.Act && slices.Equal(p.Intent.Items, in.Items) {
			plan = *p
		}
	}
	if plan.Left--; plan.Left > 0 {
		if plan.ID == 0 {
			plan.ID = engine.PlanID(s.NewID())
		}
		s.Emit(rule, engine.PlanSet{Plan: plan})
		return false
	}
	if plan.ID != 0 {
		s.Emit(rule, engine.PlanCleared{ID: plan.ID, Why: engine.ClearDone})
	}
	return true
}
