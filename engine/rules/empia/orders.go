package empia

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/rules/menu"
)

// Offers lists what may stand in a sheet of orders, or the master's words on the end. Reach and energy are not asked
// here: orders are given before it is known how things will stand, and what has become impossible is rest.
func (r *rules) Offers(v engine.View, p *engine.Prompt) []engine.Offer {
	if p.Ask == askEnd {
		return []engine.Offer{{Act: actConfirm}, {Act: actGoOn}}
	}
	return r.orders(v, p.Whose)
}

// orders are the acts that an actor may order.
func (r *rules) orders(v engine.View, a engine.ActorID) []engine.Offer {
	b := v.Battle
	var others, all, goals []engine.Target
	for i := range b.Actors {
		x := b.Actors[i].ID
		if b.HasCond(x.On(), condDead) {
			continue
		}
		all = append(all, engine.Target{Ref: x.On()})
		if x != a {
			others = append(others, engine.Target{Ref: x.On()})
		}
	}
	var weapons, things [][]engine.ItemID
	for i := range b.Items {
		it := &b.Items[i]
		if r.gear.weapon(it.Ref) == nil || it.Holder != 0 && it.Holder != a || it.In != 0 {
			continue
		}
		things = append(things, []engine.ItemID{it.ID})
		if it.Holder == a {
			weapons = append(weapons, []engine.ItemID{it.ID})
		}
		goals = append(goals, engine.Target{Ref: it.ID.On()})
	}
	goals = append(slices.Clone(others), goals...)
	defence := engine.ModGroup{Mods: []engine.ModName{modDodge}, Most: 1}
	if r.protection(b, a).shield > 0 {
		defence.Mods = append(defence.Mods, modBlock)
	}
	offers := []engine.Offer{{Act: actRest, Mods: []engine.ModGroup{defence}}}
	add := func(o engine.Offer) {
		o.Mods = append(o.Mods, defence)
		offers = append(offers, o)
	}
	if len(goals) > 0 {
		for _, g := range gaits {
			add(engine.Offer{Act: g.act, Targets: goals, Mods: []engine.ModGroup{{Mods: []engine.ModName{modAway}, Most: 1}}, Cost: energy(g.cost)})
		}
	}
	if len(others) > 0 {
		add(engine.Offer{Act: actStrike, Targets: others, Cost: energy(r.gear.weapon(bareHands).Cost)})
	}
	// Things that lie about may be picked up earlier in the same sheet.
	for _, w := range things {
		if len(others) > 0 {
			add(engine.Offer{Act: actStrike, Targets: others, Items: [][]engine.ItemID{w}, Cost: energy(r.gear.weapon(b.Item(w[0]).Ref).Cost)})
		}
		add(engine.Offer{Act: actPickUp, Items: [][]engine.ItemID{w}})
	}
	for _, w := range weapons {
		add(engine.Offer{Act: actDraw, Items: [][]engine.ItemID{w}})
	}
	for i := range r.gear.Abilities {
		ab := &r.gear.Abilities[i]
		switch targets := others; {
		case trait(b, a, ab.Ref) == 0:
			offers = append(offers, engine.Offer{Act: actUse, About: []engine.TraitName{ab.Ref}, No: engine.Refuse(engine.ReasonRequirement, "EM-ABIL-01", engine.Named("ability", ab.Ref))})
		default:
			if ab.Family == peaceful {
				targets = all
			}
			if len(targets) == 0 {
				continue
			}
			o := engine.Offer{Act: actUse, About: []engine.TraitName{ab.Ref}, Targets: targets, Cost: energy(ab.Cost)}
			add(o)
			if ab.Weapon && len(things) > 0 {
				o.Items = things
				add(o)
			}
			if ab.Sustained > 0 {
				add(engine.Offer{Act: actCancel, About: []engine.TraitName{ab.Ref}})
			}
		}
	}
	return offers
}

func energy(n int32) []engine.GaugeCost {
	if n == 0 {
		return nil
	}
	return []engine.GaugeCost{{Name: gaugeEnergy, Amount: int64(n) * unit}}
}

// mostVariants is how many variants a slot may have, the one without a condition included (EM-ORD-03).
const mostVariants = 5

// Check refuses orders that have not the form (EM-ORD-02, -03, -07), and answers that are not offered.
func (r *rules) Check(v engine.View, p *engine.Prompt, d *engine.Decide) error {
	if no := r.check(v, p, d); no != nil {
		return no
	}
	return nil
}

func (r *rules) check(v engine.View, p *engine.Prompt, d *engine.Decide) *engine.Rejection {
	if p.Ask == askEnd {
		if len(d.Intents) != 1 || len(d.Lines) > 0 {
			return engine.Refuse(engine.ReasonMalformed, engine.RulePrompt, engine.Num("intents", int64(len(d.Intents))), engine.Num("max", 1))
		}
		return menu.Check(r.spec, r.Offers(v, p), &d.Intents[0])
	}
	if len(d.Intents) > 0 {
		return engine.Refuse(engine.ReasonMalformed, "EM-ORD-02", engine.Words("intents", "none: a sheet has lines"))
	}
	offers := r.orders(v, p.Whose)
	before := int32(0)
	for i := range d.Lines {
		l := &d.Lines[i]
		at := engine.Num("slot", int64(l.Slot))
		if l.Slot <= before || l.Slot > slotsOfTurn {
			return engine.Refuse(engine.ReasonMalformed, "EM-ORD-02", at, engine.Num("after", int64(before)), engine.Num("max", slotsOfTurn))
		}
		before = l.Slot
		if len(l.Variants) == 0 || len(l.Variants) > mostVariants {
			return engine.Refuse(engine.ReasonLimit, "EM-ORD-03", at, engine.Num("variants", int64(len(l.Variants))), engine.Num("max", mostVariants))
		}
		for j := range l.Variants {
			x := &l.Variants[j]
			if last := j == len(l.Variants)-1; last != (len(x.If.All) == 0) {
				return engine.Refuse(engine.ReasonMalformed, "EM-ORD-03", at, engine.Words("condition", "every variant but the last has one"))
			}
			for k := range x.If.All {
				if no := r.checkCondition(v, l.Slot, &x.If.All[k]); no != nil {
					return no
				}
			}
			if no := menu.Check(r.spec, offers, &x.Do); no != nil {
				no.Args = append(no.Args, at)
				return no
			}
		}
	}
	return nil
}

// visible are the conditions of others that can be seen (EM-ORD-04).
var visible = [...]engine.CondName{condCollapsed, condUnconscious, condDead, condImmobilised}

// checkCondition refuses a condition that asks for what its owner cannot know (EM-ORD-04): own gauges, statuses and
// earlier slots; of others in view their place, what they visibly do in the slot, and whether they are down.
func (r *rules) checkCondition(v engine.View, slot int32, p *engine.Predicate) *engine.Rejection {
	refuse := func(may engine.Arg) *engine.Rejection {
		return engine.Refuse(engine.ReasonMalformed, "EM-ORD-04", engine.Num("slot", int64(slot)), may)
	}
	self := p.Who.Kind == engine.SelectSelf
	for _, who := range [...]engine.Selector{p.Who, p.Toward} {
		switch {
		case who.Kind == engine.SelectCause:
			return refuse(engine.Words("condition", "there is nobody who caused a slot"))
		case who.Kind == engine.SelectActor && v.Actor(who.Actor) == nil:
			return engine.Refuse(engine.ReasonUnknownActor, "EM-ORD-04", engine.Num("actor", int64(who.Actor)))
		}
	}
	switch p.Op {
	case engine.OpGauge:
		if !self || p.What != string(gaugeEnergy) && p.What != string(gaugeLives) {
			return refuse(engine.Words("condition", "only own energy and lives are known"))
		}
	case engine.OpSlotResult:
		if !self || p.N < 1 || p.N >= int64(slot) || !slices.Contains(results[:], engine.OutcomeName(p.What)) {
			return refuse(engine.Words("condition", "the result of an earlier slot of oneself"))
		}
	case engine.OpCond:
		if r.spec.Cond(engine.CondName(p.What)) == nil || !self && !slices.Contains(visible[:], engine.CondName(p.What)) {
			return refuse(engine.Words("condition", "a condition of oneself, or a visible one of another"))
		}
	case engine.OpWithin:
		if self || p.N < 0 || p.N > 1000 {
			return refuse(engine.Words("condition", "another within 0…1000 blocks"))
		}
	case engine.OpActs, engine.OpMoves:
		if spec := r.spec.Act(p.Act); self || p.Act != "" && spec == nil || p.Act == actUse || p.Act == actCancel {
			return refuse(engine.Words("condition", "what another visibly does"))
		}
		if p.What != "" && (p.Op != engine.OpMoves || p.What != string(modAway)) {
			return refuse(engine.Words("condition", "a move towards somebody, or away"))
		}
	default:
		return refuse(engine.Words("condition", "a gauge, a slot's result, a condition, a distance, an act or a move"))
	}
	return nil
}
