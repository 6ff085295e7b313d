package engine

import (
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

// Secret reports whether the battle holds anything that some viewer may not have, or held anything hidden once: its
// identifiers may stand in records that everybody sees.
func (b *Battle) Secret() bool {
	if len(b.Known) > 0 || b.Serial[1] > 0 {
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

// See is the battle as a viewer may have it: the only redaction there is. What he may not know is left out, and where a
// record that he may have names something that he may not, the name is. Clocks, serials and the version are the masters'
// alone. Of somebody he has only heard or suspected the pose is the cell where he placed him. b itself is returned to masters.
func See(b *Battle, v Viewer) *Battle {
	if v.Master {
		return b
	}
	c := b.clone()
	c.Version, c.Dice, c.Serial = 0, [2]uint64{}, [2]uint32{}
	if !b.Secret() {
		return c
	}
	c.Actors = keep(b.Actors, func(a *Actor) bool { l, _ := v.Knows(b, a.ID); return l > Unknown })
	for i := range c.Actors {
		if _, cell := v.Knows(b, c.Actors[i].ID); cell != nil {
			owned(c, ownActors, &c.Actors)
			c.Actors[i].Pose = voxel.Pose{At: cell.Floor()}
		}
	}
	known := func(a ActorID) bool { return a == 0 || c.Actor(a) != nil }
	item := func(id ItemID) bool {
		for n := 0; id != 0 && n <= len(b.Items); n++ { // things inside things; a ring of them ends too
			i := b.Item(id)
			if i == nil || !v.May(b, &i.For) || !known(i.Holder) {
				return false
			}
			id = i.In
		}
		return true
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
	c.Traits = keep(b.Traits, func(t *Trait) bool { return known(t.On) })
	c.Gauges = keep(b.Gauges, func(g *Gauge) bool { return v.May(b, &g.For) && on(g.On) })
	c.Items = keep(b.Items, func(i *Item) bool { return item(i.ID) })
	c.Conds = keep(b.Conds, func(x *Cond) bool { return v.May(b, &x.For) && on(x.On) && known(x.With) })
	c.Zones = keep(b.Zones, func(z *Zone) bool { return v.May(b, &z.For) && on(z.Carrier) })
	c.Plans = keep(b.Plans, func(p *Plan) bool { return v.May(b, &p.For) && on(p.Owner) })
	c.Known = keep(b.Known, func(k *Known) bool { return v.Owns(k.By) && k.Level > Unknown && on(k.Of) })
	c.Frames = keep(b.Frames, func(f *Frame) bool { return v.May(b, &f.For) && known(f.Intent.By) })
	c.Rulings = keep(b.Rulings, func(r *Ruling) bool {
		gone := r.Scope.Frame != 0 && b.Frame(r.Scope.Frame) != nil && c.Frame(r.Scope.Frame) == nil
		return known(r.Scope.A) && known(r.Scope.B) && !gone
	})
	c.Queue = keep(b.Queue, func(s *Seat) bool { return known(s.Actor) })
	c.Prompts = keep(b.Prompts, func(p *Prompt) bool { return v.May(b, &p.For) && known(p.Whose) })
	for i := range c.Prompts {
		if p := &c.Prompts[i]; p.Sealed && !v.Owns(p.Whose) {
			owned(c, ownPrompts, &c.Prompts)
			p = &c.Prompts[i]
			p.Answer, p.Lines, p.Default, p.Done = nil, nil, nil, false
		}
	}
	// Where all is there and nothing hidden was ever made, no record can name what is not in the view.
	if b.Serial[1] > 0 || len(c.Actors) < len(b.Actors) || len(c.Items) < len(b.Items) || len(c.Conds) < len(b.Conds) ||
		len(c.Zones) < len(b.Zones) || len(c.Plans) < len(b.Plans) || len(c.Frames) < len(b.Frames) || len(c.Prompts) < len(b.Prompts) {
		c.scrub(b)
	}
	c.own = 0
	return c
}

// keep is the table without the records for which ok does not hold: the very table where it holds for all.
func keep[T any](in []T, ok func(*T) bool) []T {
	for i := range in {
		if ok(&in[i]) {
			continue
		}
		out := append(make([]T, 0, len(in)-1), in[:i]...)
		for j := i + 1; j < len(in); j++ {
			if ok(&in[j]) {
				out = append(out, in[j])
			}
		}
		return out
	}
	return in
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
	// What v may have is settled when it happens: now is the battle as each fact leaves it, sees is what he holds by then.
	sees, now, want := See(before, v).clone(), before.clone(), See(after, v)
	var out []Fact
	for i := range facts {
		f := facts[i]
		stands := sees.has(f.Event)
		f.Event.apply(now)
		if !stands || !v.May(now, &f.For) || !v.may(before, now, sees, want, &f) {
			continue
		}
		if names(&f.Why.Source, v.stranger(before, now, sees, want, &f)) {
			f.Why.Source = Ref{}
		}
		out = append(out, f)
		f.Event.apply(sees)
	}
	for _, e := range Diff(sees, want) {
		out = append(out, Fact{Event: e})
	}
	return out
}

// may reports whether v may have an event that is for him: he knows everybody and everything that it names, and it is no
// answer that he may not read.
func (v Viewer) may(before, now, sees, want *Battle, f *Fact) bool {
	if names(f.Event, v.stranger(before, now, sees, want, f)) {
		return false
	}
	if a, ok := f.Event.(Answered); ok {
		if p := now.Prompt(a.Prompt); p != nil && p.Sealed && !v.Owns(p.Whose) {
			return false
		}
	}
	return true
}

// stranger tells of an identifier in a fact whether it must not reach v: of an actor that he does not know, or not where he
// is; of an item that he does not see; in a fact for everyone, of any hidden thing that is not in his view.
func (v Viewer) stranger(before, now, sees, want *Battle, f *Fact) func(Ref) bool {
	return func(r Ref) bool {
		switch r.Kind {
		case RefActor:
			b := now
			if now.Actor(ActorID(r.ID)) == nil {
				b = before
			}
			l, cell := v.Knows(b, ActorID(r.ID))
			return (l == Unknown || cell != nil) && (b.Actor(ActorID(r.ID)) != nil || r.ID&HiddenBit != 0)
		case RefItem:
			if sees.exists(r) || want.exists(r) {
				return false
			}
			return now.exists(r) || before.exists(r) || f.For.Kind == Everyone && r.ID&HiddenBit != 0
		}
		return f.For.Kind == Everyone && r.ID&HiddenBit != 0 && !sees.exists(r) && !want.exists(r)
	}
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
	if _, own := e.(KnownSet); !own && !s.aside {
		if top := s.b.Top(); top != nil && top.For.Kind != Everyone {
			if aud := s.b.recordFor(e); aud.Kind != Everyone {
				return aud
			}
			return top.For
		}
	}
	return s.record(e)
}

// record is who may have an event, the top frame aside.
func (s *Scene) record(e Event) Audience {
	aud := s.b.recordFor(e)
	if aud.Kind != Everyone || !s.veiled {
		return aud
	}
	for _, id := range concerns(e) {
		if a := s.b.Actor(id); a != nil && a.For.Kind != Everyone {
			return a.For
		}
	}
	return aud
}

// recordFor is the audience of the record that an event sets or clears.
func (b *Battle) recordFor(e Event) Audience {
	switch e := e.(type) {
	case ActorSet:
		return e.Actor.For
	case ActorGone:
		if a := b.Actor(e.ID); a != nil {
			return a.For
		}
	case GaugeSet:
		return b.either(e.Gauge.For, e.Gauge.On)
	case CondSet:
		return b.either(e.Cond.For, e.Cond.On)
	case CondCleared:
		if c := b.Cond(e.ID); c != nil {
			return b.either(c.For, c.On)
		}
	case ItemSet:
		return e.Item.For
	case ItemGone:
		return b.either(Audience{}, e.ID.On())
	case ZoneSet:
		return e.Zone.For
	case ZoneCleared:
		if z := b.Zone(e.ID); z != nil {
			return z.For
		}
	case PlanSet:
		return e.Plan.For
	case PlanCleared:
		if p := b.Plan(e.ID); p != nil {
			return p.For
		}
	case Prompted:
		return e.Prompt.For
	case PromptClosed:
		if p := b.Prompt(e.ID); p != nil {
			return p.For
		}
	case Framed:
		return e.Frame.For
	case Unframed:
		if f := b.Frame(e.ID); f != nil {
			return f.For
		}
	case KnownSet:
		return Audience{Kind: ForActors, Who: []ActorID{e.Known.By}}
	}
	return Audience{}
}

// either is aud, or, where that is everyone, the audience of the item that bears the record, or of him who holds it.
func (b *Battle) either(aud Audience, on Ref) Audience {
	if aud.Kind != Everyone || on.Kind != RefItem {
		return aud
	}
	if i := b.Item(ItemID(on.ID)); i != nil {
		if a := b.Actor(i.Holder); i.For.Kind == Everyone && a != nil {
			return a.For
		}
		return i.For
	}
	return aud
}
