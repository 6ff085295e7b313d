package engine

import (
	"cmp"
	"slices"

	"autobattle/engine/voxel"
)

// Table bits: which tables of a Battle belong to it alone and may be changed in place.
const (
	ownActors uint32 = 1 << iota
	ownTraits
	ownGauges
	ownItems
	ownConds
	ownZones
	ownPlans
	ownKnown
	ownRulings
	ownQueue
	ownFrames
	ownPrompts
	ownBlocks
	ownSeed
)

// clone is a battle that shares its tables with b until either writes them. Of a battle that Step or Replay gave it
// writes nothing, so that many may clone it at once.
func (b *Battle) clone() *Battle {
	if b.own != 0 {
		b.own = 0
	}
	c := *b
	c.own = 0
	return &c
}

// owned makes *tbl private to b before it is changed in place.
func owned[T any](b *Battle, bit uint32, tbl *[]T) {
	if b.own&bit != 0 {
		return
	}
	b.own |= bit
	c := make([]T, len(*tbl), len(*tbl)+2)
	copy(c, *tbl)
	*tbl = c
}

// put inserts or replaces rec in a table sorted by order. The record is compared where it stands in the table, so that it
// need not be moved to the heap for it.
func put[T any](b *Battle, bit uint32, tbl *[]T, rec T, order func(a, b *T) int) {
	owned(b, bit, tbl)
	t := append(*tbl, rec)
	last := len(t) - 1
	lo, hi := 0, last
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if order(&t[mid], &t[last]) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < last && order(&t[lo], &t[last]) == 0 {
		t[lo] = t[last]
		clear(t[last:])
		*tbl = t[:last]
		return
	}
	if lo < last {
		copy(t[lo+1:], t[lo:last])
		t[lo] = rec
	}
	*tbl = t
}

// drop removes the records for which gone holds.
func drop[T any](b *Battle, bit uint32, tbl *[]T, gone func(*T) bool) {
	for i := range *tbl {
		if !gone(&(*tbl)[i]) {
			continue
		}
		owned(b, bit, tbl)
		t, n := *tbl, i
		for j := i; j < len(t); j++ {
			if !gone(&t[j]) {
				t[n] = t[j]
				n++
			}
		}
		clear(t[n:])
		*tbl = t[:n]
		return
	}
}

func byActor(a, b *Actor) int   { return cmp.Compare(a.ID, b.ID) }
func byItem(a, b *Item) int     { return cmp.Compare(a.ID, b.ID) }
func byZone(a, b *Zone) int     { return cmp.Compare(a.ID, b.ID) }
func byPlan(a, b *Plan) int     { return cmp.Compare(a.ID, b.ID) }
func byRuling(a, b *Ruling) int { return cmp.Compare(a.ID, b.ID) }
func byPrompt(a, b *Prompt) int { return cmp.Compare(a.ID, b.ID) }
func byTrait(a, b *Trait) int {
	if c := cmp.Compare(a.On, b.On); c != 0 {
		return c
	}
	return cmp.Compare(a.Name, b.Name)
}
func byGauge(a, b *Gauge) int {
	if c := a.On.compare(b.On); c != 0 {
		return c
	}
	return cmp.Compare(a.Name, b.Name)
}
func byCond(a, b *Cond) int {
	if c := a.On.compare(b.On); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}
func byKnown(a, b *Known) int {
	if c := cmp.Compare(a.By, b.By); c != 0 {
		return c
	}
	return a.Of.compare(b.Of)
}
func byBlock(a, b *BlockEdit) int { return comparePos(a.At, b.At) }

func comparePos(a, b voxel.Pos) int {
	if c := cmp.Compare(a.Y, b.Y); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Z, b.Z); c != 0 {
		return c
	}
	return cmp.Compare(a.X, b.X)
}

func (e Began) apply(b *Battle) {
	b.Rules, b.Title, b.Teams = e.Rules, e.Title, e.Teams
	b.Seed = SeedState{Commitment: e.Commitment}
	b.Phase = Lobby
}

func (e EntropyAdded) apply(b *Battle) {
	owned(b, ownSeed, &b.Seed.Entropy)
	b.Seed.Entropy = append(b.Seed.Entropy, e.Entropy)
}
func (e PhaseSet) apply(b *Battle) {
	b.Phase, b.Outcome, b.Seed.Reveal = e.Phase, nil, [32]byte{}
}
func (e Ended) apply(b *Battle) {
	b.Phase, b.Outcome, b.Seed.Reveal = Over, e.Outcome, e.Seed
}
func (e RulesSet) apply(b *Battle) {
	if e.Rules.Arena != b.Rules.Arena {
		b.world = &worldView{}
	}
	b.Rules = e.Rules
}
func (e Clocked) apply(b *Battle) { b.Round, b.Slot = e.Round, e.Slot }
func (e Queued) apply(b *Battle) {
	b.Queue = slices.Clone(e.Seats)
	b.own |= ownQueue
}
func (e ActorSet) apply(b *Battle) { put(b, ownActors, &b.Actors, e.Actor, byActor) }

func (e ActorGone) apply(b *Battle) {
	on := e.ID.On()
	drop(b, ownActors, &b.Actors, func(a *Actor) bool { return a.ID == e.ID })
	drop(b, ownTraits, &b.Traits, func(t *Trait) bool { return t.On == e.ID })
	drop(b, ownGauges, &b.Gauges, func(g *Gauge) bool { return g.On == on })
	drop(b, ownConds, &b.Conds, func(c *Cond) bool { return c.On == on || c.With == e.ID })
	drop(b, ownKnown, &b.Known, func(k *Known) bool { return k.By == e.ID || k.Of == on })
	drop(b, ownPlans, &b.Plans, func(p *Plan) bool { return p.Owner == on })
	drop(b, ownRulings, &b.Rulings, func(r *Ruling) bool { return r.Scope.A == e.ID || r.Scope.B == e.ID })
	drop(b, ownQueue, &b.Queue, func(s *Seat) bool { return s.Actor == e.ID })
}

func (e TraitSet) apply(b *Battle) {
	if e.Gone {
		drop(b, ownTraits, &b.Traits, func(t *Trait) bool { return t.On == e.Trait.On && t.Name == e.Trait.Name })
		return
	}
	put(b, ownTraits, &b.Traits, e.Trait, byTrait)
}

func (e Moved) apply(b *Battle) {
	if a := b.mutActor(e.Actor); a != nil {
		a.Pose.At, a.Pose.Look = e.To, e.Look
	}
}

func (e Posed) apply(b *Battle) {
	if a := b.mutActor(e.Actor); a != nil {
		a.Pose.Look, a.Pose.Posture = e.Look, e.Posture
	}
}

func (b *Battle) mutActor(id ActorID) *Actor {
	owned(b, ownActors, &b.Actors)
	return b.Actor(id)
}

func (e GaugeSet) apply(b *Battle) {
	if e.Gone {
		drop(b, ownGauges, &b.Gauges, func(g *Gauge) bool { return g.On == e.Gauge.On && g.Name == e.Gauge.Name })
		return
	}
	put(b, ownGauges, &b.Gauges, e.Gauge, byGauge)
}

func (e CondSet) apply(b *Battle) {
	if old := b.Cond(e.Cond.ID); old != nil && old.On != e.Cond.On {
		drop(b, ownConds, &b.Conds, func(c *Cond) bool { return c.ID == e.Cond.ID })
	}
	put(b, ownConds, &b.Conds, e.Cond, byCond)
}
func (e CondCleared) apply(b *Battle) {
	drop(b, ownConds, &b.Conds, func(c *Cond) bool { return c.ID == e.ID })
}
func (e ItemSet) apply(b *Battle) { put(b, ownItems, &b.Items, e.Item, byItem) }
func (e ItemGone) apply(b *Battle) {
	on := e.ID.On()
	drop(b, ownItems, &b.Items, func(i *Item) bool { return i.ID == e.ID })
	drop(b, ownGauges, &b.Gauges, func(g *Gauge) bool { return g.On == on })
	drop(b, ownConds, &b.Conds, func(c *Cond) bool { return c.On == on })
}
func (e ZoneSet) apply(b *Battle) { put(b, ownZones, &b.Zones, e.Zone, byZone) }
func (e ZoneCleared) apply(b *Battle) {
	drop(b, ownZones, &b.Zones, func(z *Zone) bool { return z.ID == e.ID })
}
func (e PlanSet) apply(b *Battle) { put(b, ownPlans, &b.Plans, e.Plan, byPlan) }
func (e PlanCleared) apply(b *Battle) {
	drop(b, ownPlans, &b.Plans, func(p *Plan) bool { return p.ID == e.ID })
}
func (e KnownSet) apply(b *Battle) {
	if e.Gone {
		drop(b, ownKnown, &b.Known, func(k *Known) bool { return k.By == e.Known.By && k.Of == e.Known.Of })
		return
	}
	put(b, ownKnown, &b.Known, e.Known, byKnown)
}

func (e BlocksChanged) apply(b *Battle) {
	b.world = &worldView{}
	for _, at := range e.Gone {
		drop(b, ownBlocks, &b.Blocks, func(x *BlockEdit) bool { return x.At == at })
	}
	for i := range e.Edits {
		put(b, ownBlocks, &b.Blocks, e.Edits[i], byBlock)
	}
}

func (Declared) apply(*Battle) {}
func (Rolled) apply(*Battle)   {}
func (Revised) apply(*Battle)  {}
func (Tallied) apply(*Battle)  {}
func (Resolved) apply(*Battle) {}
func (Rewound) apply(*Battle)  {}
func (Said) apply(*Battle)     {}

func (e Prompted) apply(b *Battle) { put(b, ownPrompts, &b.Prompts, e.Prompt, byPrompt) }
func (e PromptClosed) apply(b *Battle) {
	drop(b, ownPrompts, &b.Prompts, func(p *Prompt) bool { return p.ID == e.ID })
}
func (e Answered) apply(b *Battle) {
	owned(b, ownPrompts, &b.Prompts)
	if p := b.Prompt(e.Prompt); p != nil {
		p.Answer, p.Lines, p.Done = e.Intents, e.Lines, true
	}
}

func (e Framed) apply(b *Battle) {
	owned(b, ownFrames, &b.Frames)
	for i := range b.Frames {
		if b.Frames[i].ID == e.Frame.ID {
			b.Frames[i] = e.Frame
			return
		}
	}
	b.Frames = append(b.Frames, e.Frame)
}
func (e Unframed) apply(b *Battle) {
	drop(b, ownFrames, &b.Frames, func(f *Frame) bool { return f.ID == e.ID })
}
func (e Ruled) apply(b *Battle) { put(b, ownRulings, &b.Rulings, e.Ruling, byRuling) }
func (e RulingCleared) apply(b *Battle) {
	drop(b, ownRulings, &b.Rulings, func(r *Ruling) bool { return r.ID == e.ID })
}
