package text

import (
	"fmt"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// state tells a change of the battle's records, where it is worth telling.
func (l *log) state(e engine.Event, rule engine.Rule) {
	switch e := e.(type) {
	case engine.TraitSet:
		variant := ""
		if e.Gone {
			variant = "gone"
		}
		l.say(l.msgs.find("trait_set", variant), arg{"actor", l.actor(e.Trait.On)}, arg{"trait", l.name(kindTrait, string(e.Trait.Name))},
			arg{"level", l.level(int64(e.Trait.Level))})
	case engine.GaugeSet:
		l.gauge(&e)
	case engine.CondSet:
		l.condSet(&e.Cond, rule)
	case engine.CondCleared:
		l.condCleared(&e)
	case engine.ItemSet:
		l.itemSet(&e.Item)
	case engine.ItemGone:
		holder := value{}
		if l.before != nil {
			if it := l.before.Item(e.ID); it != nil {
				holder = l.maybe(it.Holder)
			}
		}
		l.say(l.msgs.find("item_gone"), arg{"item", l.item(e.ID)}, arg{"actor", holder})
	case engine.ZoneSet:
		l.zoneSet(&e.Zone, rule)
	case engine.ZoneCleared:
		l.say(l.msgs.find("zone_cleared"), arg{"zone", l.zone(e.ID)}, arg{"why", l.why(e.Why)})
	case engine.PlanSet:
		l.planSet(&e.Plan, rule)
	case engine.PlanCleared:
		l.planCleared(&e)
	case engine.BlocksChanged:
		l.blocksChanged(&e)
	case engine.Ruled:
		l.ruled(&e.Ruling)
	case engine.RulingCleared:
		l.rulingCleared(&e)
	default:
		panic(fmt.Sprintf("text: no line for %T", e))
	}
}

func (l *log) gauge(e *engine.GaugeSet) {
	g := &e.Gauge
	if e.Before == g.Now && !e.Gone {
		return
	}
	variant := string(g.Name)
	if e.Gone {
		variant = "gone"
	}
	scale := l.scale(g.Name)
	l.say(l.msgs.find("gauge_set", variant), arg{"on", l.bearer(g.On)}, arg{"gauge", l.name(kindGauge, string(g.Name))},
		arg{"before", scaled(e.Before, scale)}, arg{"now", scaled(g.Now, scale)}, arg{"max", scaled(g.Max, scale)})
}

// bearer is what bears a gauge or a condition; the holder goes with an item.
func (l *log) bearer(r engine.Ref) value {
	if r.Kind != engine.RefItem {
		return l.ref(r)
	}
	it := l.b.Item(engine.ItemID(r.ID))
	if it == nil || it.Holder == 0 {
		return l.ref(r)
	}
	holder := l.actor(it.Holder)
	holder.s += ", " + l.ref(r).s
	return holder
}

func (l *log) condSet(c *engine.Cond, rule engine.Rule) {
	if rule == engine.RuleExpiry {
		return // only its time was counted down
	}
	if l.before != nil {
		if old := l.before.Cond(c.ID); old != nil && old.Level == c.Level && old.Value == c.Value && old.On == c.On && old.With == c.With && old.About == c.About {
			return
		}
	}
	args := [...]arg{
		{"on", l.bearer(c.On)}, {"cond", l.name(kindCond, string(c.Name))}, {"level", l.condLevel(c)}, {"part", l.name(kindPart, string(c.Part))},
		{"with", l.maybe(c.With)}, {"about", l.name(kindTrait, string(c.About))}, {"item", l.item(c.Item)}, {"value", value{}},
	}
	if c.Value != 0 {
		args[7].val = number(int64(c.Value))
	}
	l.say(l.msgs.find("cond_set", string(c.Name)), args[:]...)
}

// whyWords are the variants of the message why.
var whyWords = [...]string{
	engine.ClearExpired: "expired", engine.ClearBroken: "broken", engine.ClearParent: "parent", engine.ClearUsed: "used",
	engine.ClearHealed: "healed", engine.ClearReplaced: "replaced", engine.ClearDone: "done", engine.ClearFired: "fired",
	engine.ClearWithdrawn: "withdrawn", engine.ClearMaster: "master",
}

func (l *log) why(w engine.ClearWhy) value {
	if int(w) >= len(whyWords) {
		return value{}
	}
	return phrase(l.msgs.word("why", whyWords[w]))
}

func (l *log) condCleared(e *engine.CondCleared) {
	if e.Why == engine.ClearParent || e.Why == engine.ClearReplaced {
		return // what it fell with, or what took its place, is told
	}
	if e.Why == engine.ClearExpired && l.b != nil && l.b.Phase == engine.Over {
		return // with the battle everything ends that lasted as long
	}
	args := [...]arg{{"on", l.bearer(e.On)}, {"cond", l.name(kindCond, string(e.Name))}, {"why", l.why(e.Why)}, {"level", value{}}, {"part", value{}}, {"with", value{}}}
	if l.before != nil {
		if c := l.before.Cond(e.ID); c != nil {
			args[3].val, args[4].val, args[5].val = l.condLevel(c), l.name(kindPart, string(c.Part)), l.maybe(c.With)
		}
	}
	l.say(l.msgs.find("cond_cleared", string(e.Name)), args[:]...)
}

func (l *log) itemSet(it *engine.Item) {
	if l.before != nil {
		if old := l.before.Item(it.ID); old != nil && old.Holder == it.Holder && old.Slot == it.Slot && old.In == it.In && old.Cell == it.Cell {
			return
		}
	}
	variant := "lying"
	switch {
	case it.In != 0:
		variant = "inside"
	case it.Holder != 0:
		variant = "held"
	}
	slot := l.name(kindSlot, string(it.Slot))
	if it.In != 0 {
		slot = l.item(it.In)
	}
	l.say(l.msgs.find("item_set", variant), arg{"actor", l.maybe(it.Holder)}, arg{"item", l.name(kindItem, string(it.Ref))}, arg{"slot", slot}, arg{"cell", cellValue(it.Cell)})
}

func (l *log) zoneSet(z *engine.Zone, rule engine.Rule) {
	if rule == engine.RuleExpiry {
		return
	}
	cells := l.list()
	for i, p := range z.Shape.Cells {
		if i == maxCells {
			cells.add(phrase(l.msgs.fill(l.msgs.find("more"), arg{"n", number(int64(len(z.Shape.Cells) - i))})))
			break
		}
		cells.add(cellValue(p))
	}
	level := value{}
	if levels := l.names.conds[z.Name]; z.Level >= 0 && int(z.Level) < len(levels) {
		level = levels[z.Level]
	}
	variant := [...]string{engine.ShapeCells: "cells", engine.ShapeBox: "box", engine.ShapeBall: "ball"}[min(z.Shape.Kind, engine.ShapeBall)]
	l.say(l.msgs.find("zone_set", variant), arg{"zone", l.name(kindCond, string(z.Name))}, arg{"cells", cells.value()}, arg{"level", level}, arg{"by", l.maybe(z.By)})
}

// planWords are the variants of plan_set and plan_cleared by kind.
var planWords = [...]string{engine.PlanGuard: "guard", engine.PlanDelay: "delay", engine.PlanWork: "work", engine.PlanSheet: "sheet"}

func (l *log) planSet(p *engine.Plan, rule engine.Rule) {
	if rule == engine.RuleExpiry {
		return
	}
	l.say(l.msgs.find("plan_set", planWords[min(int(p.Kind), len(planWords)-1)]), arg{"on", l.bearer(p.Owner)}, arg{"act", l.name(kindAct, string(p.Intent.Act))},
		arg{"left", number(int64(p.Left))}, arg{"total", number(int64(p.Total))}, arg{"note", own(p.Note)})
}

func (l *log) planCleared(e *engine.PlanCleared) {
	p := l.plan(e.ID)
	if p == nil {
		return // it was nobody's that the reader knows
	}
	l.say(l.msgs.find("plan_cleared", planWords[min(int(p.Kind), len(planWords)-1)]), arg{"on", l.bearer(p.Owner)},
		arg{"act", l.name(kindAct, string(p.Intent.Act))}, arg{"why", l.why(e.Why)})
}

// blocksChanged tells what was placed, broken, worn and restored, each in a line.
func (l *log) blocksChanged(e *engine.BlocksChanged) {
	by := value{}
	if e.By != (engine.Ref{}) {
		by = l.ref(e.By)
	}
	var lists [3]list // broken, worn, set
	for i := range lists {
		lists[i] = l.list()
	}
	counts := [3]int{}
	for i := range e.Edits {
		x := &e.Edits[i]
		k := 2
		switch {
		case len(x.Block.Boxes) == 0 && x.Block.Medium == voxel.Air:
			k = 0
		case x.Wear > 0:
			k = 1
		}
		if counts[k]++; counts[k] <= maxCells {
			if k == 0 {
				lists[k].add(cellValue(x.At))
			} else {
				lists[k].add(l.block(x.At, x.Block.Name))
			}
		}
	}
	for k, word := range [...]string{"broken", "worn", "set"} {
		if counts[k] == 0 {
			continue
		}
		if counts[k] > maxCells {
			lists[k].add(phrase(l.msgs.fill(l.msgs.find("more"), arg{"n", number(int64(counts[k] - maxCells))})))
		}
		l.say(l.msgs.find("blocks_changed", word), arg{"by", by}, arg{"cells", lists[k].value()}, arg{"n", number(int64(counts[k]))})
	}
	if n := len(e.Gone); n > 0 {
		cells := l.list()
		for i, p := range e.Gone {
			if i == maxCells {
				cells.add(phrase(l.msgs.fill(l.msgs.find("more"), arg{"n", number(int64(n - i))})))
				break
			}
			cells.add(cellValue(p))
		}
		l.say(l.msgs.find("blocks_changed", "restored"), arg{"by", by}, arg{"cells", cells.value()}, arg{"n", number(int64(n))})
	}
}

// scopeWords are the variants of the message scope.
var scopeWords = [...]string{
	engine.ScopeBattle: "battle", engine.ScopeZone: "zone", engine.ScopeActor: "actor", engine.ScopePair: "pair", engine.ScopeFrame: "frame",
}

func (l *log) ruled(r *engine.Ruling) {
	scope := l.msgs.fill(l.msgs.find("scope", scopeWords[min(int(r.Scope.Kind), len(scopeWords)-1)]), arg{"a", l.maybe(r.Scope.A)},
		arg{"b", l.maybe(r.Scope.B)}, arg{"zone", l.zone(r.Scope.Zone)})
	l.say(l.msgs.find("ruled"), arg{"what", l.name(kindQuantity, string(r.What))}, arg{"n", l.figure(r.What, r.N)}, arg{"scope", phrase(scope)},
		arg{"reason", own(r.Reason)})
}

func (l *log) rulingCleared(e *engine.RulingCleared) {
	what := value{}
	if l.before != nil {
		for i := range l.before.Rulings {
			if l.before.Rulings[i].ID == e.ID {
				what = l.name(kindQuantity, string(l.before.Rulings[i].What))
			}
		}
	}
	l.say(l.msgs.find("ruling_cleared"), arg{"what", what})
}
