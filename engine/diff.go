package engine

import "reflect"

// Diff yields the setting events that turn a into b, but for what no later fact changes (title, teams, the seed's commitment
// and entropy) and for the commit's header (version, dice clocks, serials).
func Diff(a, b *Battle) []Event {
	var d []Event
	if !reflect.DeepEqual(a.Rules, b.Rules) {
		d = append(d, RulesSet{Rules: b.Rules})
	}
	if a.Round != b.Round || a.Slot != b.Slot {
		d = append(d, Clocked{Round: b.Round, Slot: b.Slot})
	}
	for i := range a.Actors {
		if b.Actor(a.Actors[i].ID) == nil {
			d = append(d, ActorGone{ID: a.Actors[i].ID})
		}
	}
	for i := range a.Items {
		if b.Item(a.Items[i].ID) == nil {
			d = append(d, ItemGone{ID: a.Items[i].ID})
		}
	}
	// What went with those actors and items is gone from a copy of a; the tables are compared with that.
	if len(d) > 0 {
		a = a.clone()
		for _, e := range d {
			e.apply(a)
		}
	}
	d = table(d, a.Actors, b.Actors, byActor, func(x *Actor) Event { return ActorSet{Actor: *x} }, nil) // the gone are gone
	d = table(d, a.Traits, b.Traits, byTrait, func(x *Trait) Event { return TraitSet{Trait: *x} },
		func(x *Trait) Event { return TraitSet{Trait: *x, Gone: true} })
	d = table(d, a.Items, b.Items, byItem, func(x *Item) Event { return ItemSet{Item: *x} }, nil)
	d = table(d, a.Gauges, b.Gauges, byGauge, func(x *Gauge) Event { return GaugeSet{Gauge: *x} },
		func(x *Gauge) Event { return GaugeSet{Gauge: *x, Gone: true} })
	d = table(d, a.Conds, b.Conds, byCond, func(x *Cond) Event { return CondSet{Cond: *x} },
		func(x *Cond) Event {
			if b.Cond(x.ID) != nil {
				return nil // it went over to another bearer; CondSet says so
			}
			return CondCleared{ID: x.ID, Name: x.Name, On: x.On}
		})
	d = table(d, a.Zones, b.Zones, byZone, func(x *Zone) Event { return ZoneSet{Zone: *x} },
		func(x *Zone) Event { return ZoneCleared{ID: x.ID} })
	d = table(d, a.Plans, b.Plans, byPlan, func(x *Plan) Event { return PlanSet{Plan: *x} },
		func(x *Plan) Event { return PlanCleared{ID: x.ID} })
	d = table(d, a.Known, b.Known, byKnown, func(x *Known) Event { return KnownSet{Known: *x} },
		func(x *Known) Event { return KnownSet{Known: *x, Gone: true} })
	d = table(d, a.Rulings, b.Rulings, byRuling, func(x *Ruling) Event { return Ruled{Ruling: *x} },
		func(x *Ruling) Event { return RulingCleared{ID: x.ID} })
	if !reflect.DeepEqual(orEmpty(a.Queue), orEmpty(b.Queue)) {
		d = append(d, Queued{Seats: b.Queue})
	}
	same := 0
	for same < len(a.Frames) && same < len(b.Frames) && a.Frames[same].ID == b.Frames[same].ID {
		if !reflect.DeepEqual(a.Frames[same], b.Frames[same]) {
			d = append(d, Framed{Frame: b.Frames[same]})
		}
		same++
	}
	for i := len(a.Frames) - 1; i >= same; i-- {
		d = append(d, Unframed{ID: a.Frames[i].ID})
	}
	for i := same; i < len(b.Frames); i++ {
		d = append(d, Framed{Frame: b.Frames[i]})
	}
	d = table(d, a.Prompts, b.Prompts, byPrompt, func(x *Prompt) Event { return Prompted{Prompt: *x} },
		func(x *Prompt) Event { return PromptClosed{ID: x.ID, Why: PromptWithdrawn} })
	var blocks BlocksChanged
	merge(a.Blocks, b.Blocks, byBlock, func(x *BlockEdit) { blocks.Edits = append(blocks.Edits, *x) },
		func(x *BlockEdit) { blocks.Gone = append(blocks.Gone, x.At) })
	if len(blocks.Edits)+len(blocks.Gone) > 0 {
		d = append(d, blocks)
	}
	switch same := a.Phase == b.Phase; {
	case b.Phase != Over && !same:
		d = append(d, PhaseSet{Phase: b.Phase})
	case b.Phase == Over && !(same && a.Seed.Reveal == b.Seed.Reveal && reflect.DeepEqual(orEmpty(a.Outcome), orEmpty(b.Outcome))):
		d = append(d, Ended{Outcome: b.Outcome, Seed: b.Seed.Reveal})
	}
	return d
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// table appends the events that turn one sorted table into another.
func table[T any](d []Event, a, b []T, order func(x, y *T) int, set, gone func(*T) Event) []Event {
	merge(a, b, order, func(x *T) { d = append(d, set(x)) }, func(x *T) {
		if gone == nil {
			return
		}
		if e := gone(x); e != nil {
			d = append(d, e)
		}
	})
	return d
}

// merge walks two sorted tables: set gets what is new or changed in b, gone gets what b has not.
func merge[T any](a, b []T, order func(x, y *T) int, set, gone func(*T)) {
	i := 0
	for j := range b {
		for i < len(a) && order(&a[i], &b[j]) < 0 {
			gone(&a[i])
			i++
		}
		if i < len(a) && order(&a[i], &b[j]) == 0 {
			if !reflect.DeepEqual(a[i], b[j]) {
				set(&b[j])
			}
			i++
			continue
		}
		set(&b[j])
	}
	for ; i < len(a); i++ {
		gone(&a[i])
	}
}
