package engine

import (
	"reflect"
	"slices"

	"autobattle/engine/voxel"
)

// Viewer is somebody who looks at a battle: a master, who sees all, or the controllers of Actors; neither is a spectator.
type Viewer struct {
	Master bool
	Actors []ActorID
}

// ViewerOf is the viewer who decides for actors; with the option knowledge = team he knows what their side knows.
func ViewerOf(b *Battle, actors ...ActorID) Viewer {
	v := Viewer{Actors: actors}
	if b.Word(OptionKnowledge) != "team" {
		return v
	}
	v.Actors = slices.Clone(actors)
	for i := range b.Actors {
		for _, a := range actors {
			if c := b.Actors[i].ID; c != a && b.Allied(a, c) && !slices.Contains(v.Actors, c) {
				v.Actors = append(v.Actors, c)
			}
		}
	}
	return v
}

// Owns reports whether v decides for a.
func (v Viewer) Owns(a ActorID) bool { return v.Master || slices.Contains(v.Actors, a) }

// May reports whether v may have what is for an audience.
func (v Viewer) May(b *Battle, aud *Audience) bool {
	if v.Master || aud.Kind == Everyone {
		return true
	}
	if aud.Kind == ForMaster {
		return false
	}
	for _, a := range aud.Who {
		if v.Owns(a) {
			return true
		}
	}
	return aud.Kind == ForKnowers && len(aud.Who) > 0 && v.known(b, aud.Who[0]) >= Heard
}

// known is what v knows of an actor by exceptions alone; Unknown when there is none.
func (v Viewer) known(b *Battle, of ActorID) (best KnownLevel) {
	for i := range b.Known {
		k := &b.Known[i]
		if k.Of == of.On() && k.Level > best && v.Owns(k.By) {
			best = k.Level
		}
	}
	return best
}

// Knows is what v knows of an actor, and the cell where he was last placed when that is not where he is.
func (v Viewer) Knows(b *Battle, of ActorID) (KnownLevel, *voxel.Pos) {
	a := b.Actor(of)
	if a == nil {
		return Unknown, nil
	}
	if v.Owns(of) {
		return Recognised, nil
	}
	level, found := Unknown, false
	var cell *voxel.Pos
	for i := range b.Known {
		k := &b.Known[i]
		if k.Of == of.On() && v.Owns(k.By) && (!found || k.Level > level) {
			level, found, cell = k.Level, true, &k.Cell
		}
	}
	if !found {
		if v.May(b, &a.For) {
			return Seen, nil
		}
		return Unknown, nil
	}
	if level >= Seen {
		return level, nil
	}
	return level, cell
}

// Secret reports whether the battle holds anything that some viewer may not have.
func (b *Battle) Secret() bool {
	if len(b.Known) > 0 {
		return true
	}
	for i := range b.Actors {
		if b.Actors[i].For.Kind != Everyone {
			return true
		}
	}
	for i := range b.Gauges {
		if b.Gauges[i].For.Kind != Everyone {
			return true
		}
	}
	for i := range b.Items {
		if b.Items[i].For.Kind != Everyone {
			return true
		}
	}
	for i := range b.Conds {
		if b.Conds[i].For.Kind != Everyone {
			return true
		}
	}
	for i := range b.Zones {
		if b.Zones[i].For.Kind != Everyone {
			return true
		}
	}
	for i := range b.Plans {
		if b.Plans[i].For.Kind != Everyone {
			return true
		}
	}
	for i := range b.Frames {
		if b.Frames[i].For.Kind != Everyone {
			return true
		}
	}
	for i := range b.Prompts {
		if p := &b.Prompts[i]; p.For.Kind != Everyone || p.Sealed && p.Done {
			return true
		}
	}
	return false
}

// See is the battle as a viewer may have it: the only redaction there is. Clocks, serials and the version are the
// masters' alone. b itself is returned where it hides nothing from v.
func See(b *Battle, v Viewer) *Battle {
	if v.Master {
		return b
	}
	c := b.clone()
	c.Version, c.Dice, c.Serial = 0, [2]uint64{}, [2]uint32{}
	if !b.Secret() {
		return c
	}
	known := func(a ActorID) bool {
		if a == 0 {
			return true
		}
		l, _ := v.Knows(b, a)
		return l > Unknown
	}
	item := func(id ItemID) bool {
		i := b.Item(id)
		return id == 0 || i != nil && v.May(b, &i.For) && known(i.Holder)
	}
	on := func(r Ref) bool {
		switch r.Kind {
		case RefActor:
			return known(ActorID(r.ID))
		case RefItem:
			return item(ItemID(r.ID))
		}
		return true
	}
	c.Actors = nil
	for i := range b.Actors {
		a := b.Actors[i]
		level, cell := v.Knows(b, a.ID)
		if level == Unknown {
			continue
		}
		if cell != nil {
			a.Pose.At = cell.Floor()
		}
		c.Actors = append(c.Actors, a)
	}
	c.Traits = keep(b.Traits, func(t *Trait) bool { return known(t.On) })
	c.Gauges = keep(b.Gauges, func(g *Gauge) bool { return v.May(b, &g.For) && on(g.On) })
	c.Items = keep(b.Items, func(i *Item) bool { return item(i.ID) && item(i.In) })
	c.Conds = keep(b.Conds, func(x *Cond) bool { return v.May(b, &x.For) && on(x.On) && known(x.With) })
	c.Zones = keep(b.Zones, func(z *Zone) bool { return v.May(b, &z.For) })
	c.Plans = keep(b.Plans, func(p *Plan) bool { return v.May(b, &p.For) && on(p.Owner) })
	c.Known = keep(b.Known, func(k *Known) bool { return v.Owns(k.By) })
	c.Rulings = keep(b.Rulings, func(r *Ruling) bool { return known(r.Scope.A) && known(r.Scope.B) })
	c.Queue = keep(b.Queue, func(s *Seat) bool { return known(s.Actor) })
	c.Frames = keep(b.Frames, func(f *Frame) bool { return v.May(b, &f.For) && known(f.Intent.By) })
	c.Prompts = nil
	for i := range b.Prompts {
		p := b.Prompts[i]
		if !v.May(b, &p.For) || !known(p.Whose) {
			continue
		}
		if p.Sealed && !v.Owns(p.Whose) {
			p.Answer, p.Lines, p.Default, p.Done = nil, nil, nil, false
		}
		c.Prompts = append(c.Prompts, p)
	}
	return c
}

func keep[T any](in []T, ok func(*T) bool) []T {
	var out []T
	for i := range in {
		if ok(&in[i]) {
			out = append(out, in[i])
		}
	}
	return out
}

// SeeCommit is a commit as a viewer may have it: the facts that are his, and then whatever else he has come to know or
// lost sight of. Folding what he gets onto See(before, v) gives See(after, v).
func SeeCommit(before, after *Battle, facts []Fact, v Viewer) []Fact {
	if v.Master {
		return facts
	}
	open := !before.Secret() && !after.Secret()
	for i := range facts {
		open = open && facts[i].For.Kind == Everyone
	}
	if open {
		return facts
	}
	sees := See(before, v).clone()
	var out []Fact
	for i := range facts {
		f := &facts[i]
		if v.May(after, &f.For) && v.may(before, after, f.Event) {
			out = append(out, *f)
			f.Event.apply(sees)
		}
	}
	want := See(after, v)
	for _, e := range Diff(sees, want) {
		out = append(out, Fact{Event: e})
	}
	return out
}

// may reports whether v knows everybody that an event names.
func (v Viewer) may(before, after *Battle, e Event) bool {
	for _, a := range concerns(e) {
		if a == 0 {
			continue
		}
		b := after
		if after.Actor(a) == nil {
			b = before
		}
		if l, cell := v.Knows(b, a); l == Unknown || cell != nil {
			return false
		}
	}
	if a, ok := e.(Answered); ok {
		if p := before.Prompt(a.Prompt); p != nil && p.Sealed && !v.Owns(p.Whose) {
			return false
		}
	}
	return true
}

// concerns lists the actors that an event is about. Zeros are nobody.
func concerns(e Event) []ActorID {
	switch e := e.(type) {
	case ActorSet:
		return []ActorID{e.Actor.ID}
	case ActorGone:
		return []ActorID{e.ID}
	case TraitSet:
		return []ActorID{e.Trait.On}
	case Moved:
		return []ActorID{e.Actor}
	case Posed:
		return []ActorID{e.Actor}
	case GaugeSet:
		return []ActorID{e.Gauge.On.Actor()}
	case CondSet:
		return []ActorID{e.Cond.On.Actor(), e.Cond.With}
	case CondCleared:
		return []ActorID{e.On.Actor()}
	case ItemSet:
		return []ActorID{e.Item.Holder}
	case PlanSet:
		return []ActorID{e.Plan.Owner.Actor()}
	case KnownSet:
		return []ActorID{e.Known.By}
	case Declared:
		return intentActors(&e.Intent)
	case Rolled:
		return []ActorID{e.Roll.By, e.Roll.Against}
	case Revised:
		return []ActorID{e.Roll.By, e.Roll.Against}
	case Tallied:
		return []ActorID{e.Tally.On}
	case Resolved:
		return []ActorID{e.By, e.Target.Ref.Actor()}
	case Prompted:
		return []ActorID{e.Prompt.Whose}
	case Answered:
		return []ActorID{e.By}
	case Framed:
		return intentActors(&e.Frame.Intent)
	case Ruled:
		return []ActorID{e.Ruling.Scope.A, e.Ruling.Scope.B}
	case Said:
		return []ActorID{e.Actor}
	}
	return nil
}

func intentActors(in *Intent) []ActorID {
	out := []ActorID{in.By}
	for i := range in.Targets {
		out = append(out, in.Targets[i].Ref.Actor())
	}
	return out
}

// audience is who may have an event that the rules say nothing else about: those of the record itself, else of the top
// frame, else those who know the actors it is about.
func (s *Scene) audience(e Event) Audience {
	own := Audience{}
	switch e := e.(type) {
	case CondSet:
		own = e.Cond.For
	case GaugeSet:
		own = e.Gauge.For
	case ItemSet:
		own = e.Item.For
	case ZoneSet:
		own = e.Zone.For
	case PlanSet:
		own = e.Plan.For
	case Prompted:
		own = e.Prompt.For
	case Framed:
		own = e.Frame.For
	case ActorSet:
		own = e.Actor.For
	case KnownSet:
		own = Audience{Kind: ForActors, Who: []ActorID{e.Known.By}}
	}
	if own.Kind != Everyone {
		return own
	}
	if top := s.b.Top(); top != nil && top.For.Kind != Everyone {
		return top.For
	}
	if !s.veiled {
		return own
	}
	for _, id := range concerns(e) {
		if a := s.b.Actor(id); a != nil && a.For.Kind != Everyone {
			return a.For
		}
	}
	return own
}

// Diff yields the setting events that turn a into b, the past (version, clocks, serials) aside.
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
	// What went with those actors is gone from a copy of a; the tables are compared with that.
	if len(d) > 0 {
		a = a.clone()
		for _, e := range d {
			e.apply(a)
		}
	}
	d = table(d, a.Actors, b.Actors, byActor, func(x *Actor) Event { return ActorSet{Actor: *x} }, nil)
	d = table(d, a.Traits, b.Traits, byTrait, func(x *Trait) Event { return TraitSet{Trait: *x} },
		func(x *Trait) Event { return TraitSet{Trait: *x, Gone: true} })
	d = table(d, a.Items, b.Items, byItem, func(x *Item) Event { return ItemSet{Item: *x} },
		func(x *Item) Event { return ItemGone{ID: x.ID} })
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
	if a.Phase != b.Phase && b.Phase != Over {
		d = append(d, PhaseSet{Phase: b.Phase})
	}
	if b.Phase == Over && (a.Phase != Over || !reflect.DeepEqual(a.Outcome, b.Outcome)) {
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
