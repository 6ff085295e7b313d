package eclipse

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/rules/menu"
	"autobattle/engine/voxel"
)

// Offers lists what the owner of a prompt may answer.
func (r *rules) Offers(v engine.View, p *engine.Prompt) []engine.Offer {
	switch p.Ask {
	case askTurn:
		return r.turnOffers(v, v.Frame(p.Frame), p.Whose)
	case askDefend:
		return r.defendOffers(v.Frame(p.Frame))
	case askInterrupt:
		return []engine.Offer{{Act: actNow}}
	case askBefore:
		return beforeOffers(v.Battle, p.Whose)
	case askAfter:
		return afterOffers(v.Battle, v.Frame(p.Frame), p.Whose)
	case askEnd:
		return []engine.Offer{{Act: actConfirm}, {Act: actGoOn}}
	}
	panic("eclipse: prompt asks the unknown " + string(p.Ask))
}

// Check refuses an answer that is outside the offers.
func (r *rules) Check(v engine.View, p *engine.Prompt, d *engine.Decide) error {
	if len(d.Lines) > 0 {
		return engine.Refuse(engine.ReasonMalformed, engine.RulePrompt, engine.Words("lines", "none: this system has no sheets"))
	}
	if len(d.Intents) > 1 {
		return engine.Refuse(engine.ReasonMalformed, engine.RulePrompt, engine.Num("intents", int64(len(d.Intents))), engine.Num("max", 1))
	}
	for i := range d.Intents {
		if no := menu.Check(r.spec, r.Offers(v, p), &d.Intents[i]); no != nil {
			return no
		}
	}
	return nil
}

// turnOffers lists the acts of one's own turn.
func (r *rules) turnOffers(v engine.View, turn *engine.Frame, a engine.ActorID) []engine.Offer {
	offers := r.deedOffers(v, turn, a)
	for i := range offers {
		if o := &offers[i]; o.No == nil {
			switch class := deedOf(o.Act).class; {
			case class == complexAction && !complexLeft(turn), class == quickAction && !quickLeft(turn):
				*o = engine.Offer{Act: o.Act, No: engine.Refuse(engine.ReasonSpent, "EP-TURN-02", engine.Named("act", o.Act), engine.Num("complex", turn.Get(varComplex, 0)), engine.Num("quick", turn.Get(varQuick, 0)))}
			}
		}
	}
	return offers
}

// deedOffers lists the acts of one's own turn, whatever is left of the budget.
func (r *rules) deedOffers(v engine.View, turn *engine.Frame, a engine.ActorID) []engine.Offer {
	b := v.Battle
	me := b.Actor(a)
	offers := r.weaponOffers(v, turn, a, nil, r.gear.weapon(bareHands))
	for it := range b.ItemsOf(a) {
		if w := r.gear.weapon(it.Ref); w != nil && it.Slot == slotMain {
			offers = append(offers, r.weaponOffers(v, turn, a, it, w)...)
		}
	}
	held := b.ItemAt(a, slotMain)
	if held != nil && r.gear.weapon(held.Ref) != nil && r.gear.weapon(held.Ref).ranged() {
		offers = append(offers, engine.Offer{Act: actRaise}, engine.Offer{Act: actAim, Targets: r.targets(v, a)})
		if g := b.Gauge(held.ID.On(), gaugeRounds); g.Now < g.Max {
			offers = append(offers, engine.Offer{Act: actReload, Items: [][]engine.ItemID{{held.ID}}})
		} else {
			offers = append(offers, engine.Offer{Act: actReload, No: engine.Refuse(engine.ReasonForbidden, "EP-AMMO-02", engine.Num("rounds", g.Now))})
		}
	} else {
		no := engine.Refuse(engine.ReasonRequirement, "EP-RMOD-01")
		offers = append(offers, engine.Offer{Act: actRaise, No: no}, engine.Offer{Act: actAim, No: no})
	}
	var draw [][]engine.ItemID
	for it := range b.ItemsOf(a) {
		if it.Slot == slotCarried && r.gear.weapon(it.Ref) != nil {
			draw = append(draw, []engine.ItemID{it.ID})
		}
	}
	if len(draw) > 0 {
		offers = append(offers, engine.Offer{Act: actDraw, Items: draw})
	}
	offers = append(offers, engine.Offer{Act: actGuard})
	if me.Pose.Posture == voxel.Standing {
		offers = append(offers, engine.Offer{Act: actDrop})
	} else {
		offers = append(offers, engine.Offer{Act: actStand})
	}
	offers = append(offers, r.moveOffer(v, turn, a, actWalk), r.moveOffer(v, turn, a, actRun))
	if turn.Get(varStarted, 0) == 0 {
		offers = append(offers, engine.Offer{Act: actDelay})
	} else {
		offers = append(offers, engine.Offer{Act: actDelay, No: engine.Refuse(engine.ReasonSpent, "EP-INIT-05")})
	}
	return slices.DeleteFunc(offers, func(o engine.Offer) bool { return o.Act == actAim && o.No == nil && len(o.Targets) == 0 })
}

// moveOffer is where an actor can go. There is one mode in a turn, and a full move is chosen before complex actions,
// since it makes them harder (EP-MOVE-01).
func (r *rules) moveOffer(v engine.View, turn *engine.Frame, a engine.ActorID, act engine.ActName) engine.Offer {
	rule := r.spec.Act(act).Rule
	moved, ran := turn.Get(varMoved, 0) > 0, turn.Get(varRan, 0) != 0
	switch {
	case v.World == nil:
		return engine.Offer{Act: act, No: engine.Refuse(engine.ReasonArenaMissing, rule)}
	case v.Actor(a).Pose.Posture != voxel.Standing:
		return engine.Offer{Act: act, No: engine.Refuse(engine.ReasonForbidden, "EP-MOVE-07")}
	case moved && ran != (act == actRun), act == actRun && !moved && turn.Get(varComplex, 0) > 0:
		return engine.Offer{Act: act, No: engine.Refuse(engine.ReasonSpent, rule)}
	}
	region := r.region(v, turn, a, act)
	o := engine.Offer{Act: act}
	at := v.Actor(a).Pose.At.Block()
	for _, c := range region.Cells {
		if c.Cell != at {
			o.Region = append(o.Region, engine.CellCost{Cell: c.Cell, Cost: c.Points * voxel.Unit, From: -1})
		}
	}
	if len(o.Region) == 0 {
		return engine.Offer{Act: act, No: engine.Refuse(engine.ReasonTooFar, rule)}
	}
	return o
}

// targets are those whom a could attack: everybody else whom he knows of and who is not dead.
func (r *rules) targets(v engine.View, a engine.ActorID) (out []engine.Target) {
	for i := range v.Actors {
		if x := v.Actors[i].ID; x != a && !v.HasCond(x.On(), condDead) {
			out = append(out, engine.Target{Ref: x.On()})
		}
	}
	return out
}

// weaponOffers lists the attacks with one weapon. it is nil for bare hands.
func (r *rules) weaponOffers(v engine.View, turn *engine.Frame, a engine.ActorID, it *engine.Item, w *weapon) []engine.Offer {
	open := engine.Offer{Act: actAttack}
	var items [][]engine.ItemID
	if it != nil {
		items = [][]engine.ItemID{{it.ID}}
	}
	open.Items = items
	if w.ranged() {
		rounds := v.GaugeNow(it.ID.On(), gaugeRounds)
		var modes []engine.ModName
		if w.has(modeBurst) && rounds >= roundsBurst {
			modes = append(modes, modBurstHit, modBurstDamage)
		}
		if w.has(modeAuto) && rounds >= roundsAuto {
			modes = append(modes, modAutoHit, modAutoDamage)
		}
		if len(modes) > 0 {
			open.Mods = []engine.ModGroup{{Mods: modes, Most: 1}}
		}
		switch {
		case rounds < 1:
			return []engine.Offer{{Act: actAttack, Items: items, No: engine.Refuse(engine.ReasonNotReady, "EP-AMMO-01", engine.Num("rounds", rounds))}}
		case !w.has(modeSemi) && v.HasCond(it.ID.On(), condFired):
			return []engine.Offer{{Act: actAttack, Items: items, No: engine.Refuse(engine.ReasonSpent, "EP-FIRE-01")}}
		}
	}
	var offers []engine.Offer
	for _, t := range r.targets(v, a) {
		if no := r.reaches(v, a, t.Ref.Actor(), w); no != nil {
			offers = append(offers, engine.Offer{Act: actAttack, Items: items, Targets: []engine.Target{t}, No: no})
			continue
		}
		open.Targets = append(open.Targets, t)
	}
	if len(open.Targets) == 0 {
		return offers
	}
	offers = append(offers, open)
	if it != nil && w.ranged() {
		offers = append(offers, r.groupOffers(v, it, w, open.Targets)...)
	}
	return offers
}

// reaches refuses a target that the weapon cannot be used at: out of reach in melee (EP-MEL-09), or with no line.
func (r *rules) reaches(v engine.View, a, on engine.ActorID, w *weapon) *engine.Rejection {
	if !w.ranged() {
		if d := bodies(figure(v.Battle, r.spec, a), figure(v.Battle, r.spec, on)); !within(d, meleeReach) {
			return engine.Refuse(engine.ReasonOutOfReach, "EP-MEL-09", engine.Refers("target", on.On()), engine.Num("reach", meleeReach))
		}
	}
	seen := r.sighting(v, a, on)
	if _, _, ruled := v.Ruled(figCover, a, on, 0); !ruled && !seen.Open() {
		no := engine.Refuse(engine.ReasonOutOfSight, "EP-RMOD-08", engine.Refers("target", on.On()))
		no.Cells = cells(&seen)
		return no
	}
	return nil
}

// groupOffers lists the groups at which a burst (two) or full automatic fire (up to three) can be spread: each target
// within a metre of another (EP-FIRE-03, -04, -06).
func (r *rules) groupOffers(v engine.View, it *engine.Item, w *weapon, open []engine.Target) []engine.Offer {
	rounds := v.GaugeNow(it.ID.On(), gaugeRounds)
	near := func(i, j int) bool {
		return within(bodies(figure(v.Battle, r.spec, open[i].Ref.Actor()), figure(v.Battle, r.spec, open[j].Ref.Actor())), neighbour)
	}
	var offers []engine.Offer
	add := func(group ...int) {
		o := engine.Offer{Act: actSpread, Items: [][]engine.ItemID{{it.ID}}}
		for _, i := range group {
			o.Targets = append(o.Targets, open[i])
		}
		if roundsFor(w, &engine.Intent{Act: actSpread, Targets: o.Targets}) <= rounds {
			offers = append(offers, o)
		}
	}
	burst, auto := w.has(modeBurst), w.has(modeAuto)
	for i := range open {
		for j := i + 1; j < len(open); j++ {
			if near(i, j) && (burst || auto) {
				add(i, j)
			}
			for k := j + 1; k < len(open) && auto; k++ {
				ij, ik, jk := near(i, j), near(i, k), near(j, k)
				if ij && ik || ij && jk || ik && jk {
					add(i, j, k)
				}
			}
		}
	}
	return offers
}

// roundsFor is how many rounds an attack takes (table T-3).
func roundsFor(w *weapon, in *engine.Intent) int64 {
	switch {
	case !w.ranged():
		return 0
	case in.Act == actSpread && len(in.Targets) == 2 && w.has(modeBurst), in.Has(modBurstHit), in.Has(modBurstDamage):
		return roundsBurst
	case in.Act == actSpread, in.Has(modAutoHit), in.Has(modAutoDamage):
		return roundsAuto
	}
	return 1
}

// stillLegal tells why a declared act is no longer possible after others acted before it; nil if it is, or if nobody
// could.
func (r *rules) stillLegal(v engine.View, act *engine.Frame) *engine.Rejection {
	a := act.Intent.By
	switch {
	case act.Get(varWaited, 0) == 0:
		return nil
	case !up(v.Battle, a):
		return engine.Refuse(engine.ReasonForbidden, "EP-DUR-02", engine.Refers("actor", a.On()))
	}
	return menu.Check(r.spec, r.deedOffers(v, v.Frame(act.Under), a), &act.Intent)
}

// weaponOf is the weapon of an attack.
func (r *rules) weaponOf(b *engine.Battle, in *engine.Intent) *weapon {
	if it := b.Item(in.Item(0)); it != nil {
		return r.gear.weapon(it.Ref)
	}
	return r.gear.weapon(bareHands)
}

// defendOffers lists the defences: against blows a dodge or a parry, against shots a dodge (EP-DEF-02, -03).
func (r *rules) defendOffers(act *engine.Frame) []engine.Offer {
	offers := []engine.Offer{{Act: actDodge}}
	if act.Get(varRanged, 0) == 0 {
		return append(offers, engine.Offer{Act: actParry})
	}
	return append(offers, engine.Offer{Act: actParry, No: engine.Refuse(engine.ReasonForbidden, "EP-DEF-03")})
}

// purses are the pools that a can spend from in combat: Vigor for Reflexes and Somatics, Flex for all (EP-POOL-01).
func purses(b *engine.Battle, a engine.ActorID) (mods []engine.ModName) {
	if b.GaugeNow(a.On(), gaugeVigor) > 0 {
		mods = append(mods, modVigor)
	}
	if b.GaugeNow(a.On(), gaugeFlex) > 0 {
		mods = append(mods, modFlex)
	}
	return mods
}

// beforeOffers lists what a point does before the roll (EP-POOL-02). Of two pools the answer may name one; else Vigor
// is spent first.
func beforeOffers(b *engine.Battle, a engine.ActorID) []engine.Offer {
	group := []engine.ModGroup{{Mods: purses(b, a), Most: 1}}
	return []engine.Offer{{Act: actIgnore, Mods: group}, {Act: actAdd, Mods: group}}
}

// afterOffers lists what a point does after the roll (EP-POOL-03).
func afterOffers(b *engine.Battle, act *engine.Frame, a engine.ActorID) (offers []engine.Offer) {
	group := []engine.ModGroup{{Mods: purses(b, a), Most: 1}}
	roll := rollOf(act, a)
	add := func(act engine.ActName, can bool) {
		o := engine.Offer{Act: act, Mods: group}
		if !can {
			o = engine.Offer{Act: act, No: engine.Refuse(engine.ReasonForbidden, "EP-POOL-03", engine.Named("grade", roll.Grade))}
		}
		offers = append(offers, o)
	}
	add(actReverse, roll.Result != reversed(roll.Result))
	add(actBetter, roll.Grade == gradeSuccess || roll.Grade == gradeSuperior)
	add(actSoften, roll.Grade == gradeCriticalFail)
	return offers
}
