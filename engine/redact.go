package engine

import (
	"reflect"
	"slices"
)

// Kinds of identifiers that no fact points at with a Ref, for the walks below only.
const (
	refPrompt RefKind = 128 + iota
	refRuling
)

// idOf is the thing that an identifier names, if v is one and not zero.
func idOf(v reflect.Value) (Ref, bool) {
	if v.Type() == reflect.TypeFor[Ref]() {
		r := Ref{RefKind(v.Field(0).Uint()), uint32(v.Field(1).Uint())}
		return r, r.ID != 0
	}
	if v.Kind() != reflect.Uint32 || v.Uint() == 0 {
		return Ref{}, false
	}
	id := uint32(v.Uint())
	switch v.Type() {
	case reflect.TypeFor[ActorID]():
		return Ref{RefActor, id}, true
	case reflect.TypeFor[ItemID]():
		return Ref{RefItem, id}, true
	case reflect.TypeFor[CondID]():
		return Ref{RefCond, id}, true
	case reflect.TypeFor[ZoneID]():
		return Ref{RefZone, id}, true
	case reflect.TypeFor[PlanID]():
		return Ref{RefPlan, id}, true
	case reflect.TypeFor[FrameID]():
		return Ref{RefFrame, id}, true
	case reflect.TypeFor[RollID]():
		return Ref{RefRoll, id}, true
	case reflect.TypeFor[SeatID]():
		return Ref{RefSeat, id}, true
	case reflect.TypeFor[PromptID]():
		return Ref{refPrompt, id}, true
	case reflect.TypeFor[RulingID]():
		return Ref{refRuling, id}, true
	}
	return Ref{}, false
}

// names reports whether any identifier anywhere in x, an event or a pointer to a record, is one that bad holds of.
func names(x any, bad func(Ref) bool) bool { return naming(reflect.ValueOf(x), bad) }

func naming(v reflect.Value, bad func(Ref) bool) bool {
	switch v.Kind() {
	case reflect.Uint32:
		r, ok := idOf(v)
		return ok && bad(r)
	case reflect.Pointer:
		return !v.IsNil() && naming(v.Elem(), bad)
	case reflect.Struct:
		if r, ok := idOf(v); ok {
			return bad(r)
		}
		for i := range v.NumField() {
			if naming(v.Field(i), bad) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if naming(v.Index(i), bad) {
				return true
			}
		}
	}
	return false
}

// blot takes every identifier that bad holds of out of a record: a field becomes zero, an element leaves its list. Lists
// are shared, so they are made anew.
func blot(v reflect.Value, bad func(Ref) bool) {
	switch v.Kind() {
	case reflect.Uint32:
		if r, ok := idOf(v); ok && bad(r) {
			v.SetZero()
		}
	case reflect.Struct:
		if r, ok := idOf(v); ok {
			if bad(r) {
				v.SetZero()
			}
			return
		}
		for i := range v.NumField() {
			blot(v.Field(i), bad)
		}
	case reflect.Slice:
		if !naming(v, bad) {
			return
		}
		kept := reflect.MakeSlice(v.Type(), 0, v.Len())
		for i := range v.Len() {
			if !naming(v.Index(i), bad) {
				kept = reflect.Append(kept, v.Index(i))
			}
		}
		v.Set(kept)
	}
}

// scrub takes out of the records of a view of b all names of what the view has not.
func (b *Battle) scrub(of *Battle) {
	open := false // the record at hand is for everyone
	bad := func(r Ref) bool {
		switch r.Kind {
		case RefActor:
			return b.Actor(ActorID(r.ID)) == nil // not known, or gone
		case RefRoll, RefSeat:
			return open && r.ID&HiddenBit != 0
		case RefFrame:
			if slices.ContainsFunc(b.Prompts, func(p Prompt) bool { return uint32(p.Frame) == r.ID }) {
				return false // whoever is asked knows that something goes on
			}
		}
		return (r.ID&HiddenBit != 0 || of.exists(r)) && !b.exists(r)
	}
	clean(b, ownActors, &b.Actors, &open, bad, func(a *Actor) Audience { return a.For })
	clean(b, ownGauges, &b.Gauges, &open, bad, func(g *Gauge) Audience { return g.For })
	clean(b, ownItems, &b.Items, &open, bad, func(i *Item) Audience { return i.For })
	clean(b, ownConds, &b.Conds, &open, bad, func(c *Cond) Audience { return c.For })
	clean(b, ownZones, &b.Zones, &open, bad, func(z *Zone) Audience { return z.For })
	clean(b, ownPlans, &b.Plans, &open, bad, func(p *Plan) Audience { return p.For })
	clean(b, ownRulings, &b.Rulings, &open, bad, func(*Ruling) Audience { return Audience{} })
	clean(b, ownFrames, &b.Frames, &open, bad, func(f *Frame) Audience { return f.For })
	clean(b, ownPrompts, &b.Prompts, &open, bad, func(p *Prompt) Audience { return p.For })
}

// clean blots the records of a table of the view.
func clean[T any](view *Battle, bit uint32, tbl *[]T, open *bool, bad func(Ref) bool, aud func(*T) Audience) {
	for i := range *tbl {
		x := &(*tbl)[i]
		*open = aud(x).Kind == Everyone
		if naming(reflect.ValueOf(x), bad) {
			owned(view, bit, tbl)
			blot(reflect.ValueOf(&(*tbl)[i]).Elem(), bad)
		}
	}
}

// exists reports whether the battle has what r points at. A roll is in no table.
func (b *Battle) exists(r Ref) bool {
	switch r.Kind {
	case RefActor:
		return b.Actor(ActorID(r.ID)) != nil
	case RefItem:
		return b.Item(ItemID(r.ID)) != nil
	case RefCond:
		return b.Cond(CondID(r.ID)) != nil
	case RefZone:
		return b.Zone(ZoneID(r.ID)) != nil
	case RefPlan:
		return b.Plan(PlanID(r.ID)) != nil
	case RefFrame:
		return b.Frame(FrameID(r.ID)) != nil
	case RefSeat:
		return slices.ContainsFunc(b.Queue, func(s Seat) bool { return uint32(s.ID) == r.ID })
	case refPrompt:
		return b.Prompt(PromptID(r.ID)) != nil
	case refRuling:
		return slices.ContainsFunc(b.Rulings, func(x Ruling) bool { return uint32(x.ID) == r.ID })
	}
	return r.Kind == RefBattle
}

// has reports, of an event that ends or answers something, whether the battle has it; any other event it may have.
func (b *Battle) has(e Event) bool {
	switch e := e.(type) {
	case ActorGone:
		return b.Actor(e.ID) != nil
	case ItemGone:
		return b.Item(e.ID) != nil
	case CondCleared:
		return b.Cond(e.ID) != nil
	case ZoneCleared:
		return b.Zone(e.ID) != nil
	case PlanCleared:
		return b.Plan(e.ID) != nil
	case PromptClosed:
		return b.Prompt(e.ID) != nil
	case Answered:
		return b.Prompt(e.Prompt) != nil
	case Unframed:
		return b.Frame(e.ID) != nil
	case RulingCleared:
		return slices.ContainsFunc(b.Rulings, func(r Ruling) bool { return r.ID == e.ID })
	}
	return true
}
