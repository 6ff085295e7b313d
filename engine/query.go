package engine

import (
	"iter"
	"slices"
	"sort"
)

// find looks a record up in a table sorted by id.
func find[T any, I ~uint32](tbl []T, id I, key func(*T) I) *T {
	lo, hi := 0, len(tbl)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if key(&tbl[mid]) < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(tbl) && key(&tbl[lo]) == id {
		return &tbl[lo]
	}
	return nil
}

// Actor finds an actor by id, or nil. What it returns is for reading.
func (b *Battle) Actor(id ActorID) *Actor {
	return find(b.Actors, id, func(a *Actor) ActorID { return a.ID })
}

// ActorByKey finds an actor by its caller's key, or nil.
func (b *Battle) ActorByKey(key string) *Actor {
	for i := range b.Actors {
		if b.Actors[i].Key == key {
			return &b.Actors[i]
		}
	}
	return nil
}

// Item finds an item by id, or nil.
func (b *Battle) Item(id ItemID) *Item {
	return find(b.Items, id, func(i *Item) ItemID { return i.ID })
}

// Zone finds a zone by id, or nil.
func (b *Battle) Zone(id ZoneID) *Zone {
	return find(b.Zones, id, func(z *Zone) ZoneID { return z.ID })
}

// Plan finds a plan by id, or nil.
func (b *Battle) Plan(id PlanID) *Plan {
	return find(b.Plans, id, func(p *Plan) PlanID { return p.ID })
}

// Prompt finds an open prompt by id, or nil.
func (b *Battle) Prompt(id PromptID) *Prompt {
	return find(b.Prompts, id, func(p *Prompt) PromptID { return p.ID })
}

// Cond finds a condition by id, or nil.
func (b *Battle) Cond(id CondID) *Cond {
	for i := range b.Conds {
		if b.Conds[i].ID == id {
			return &b.Conds[i]
		}
	}
	return nil
}

// Frame finds a frame of the stack by id, or nil.
func (b *Battle) Frame(id FrameID) *Frame {
	for i := range b.Frames {
		if b.Frames[i].ID == id {
			return &b.Frames[i]
		}
	}
	return nil
}

// Top is the frame that runs, or nil.
func (b *Battle) Top() *Frame {
	if len(b.Frames) == 0 {
		return nil
	}
	return &b.Frames[len(b.Frames)-1]
}

// Trait is a base value, and whether the sheet has it.
func (b *Battle) Trait(a ActorID, n TraitName) (level int32, has bool) {
	t := b.Traits
	i := sort.Search(len(t), func(i int) bool { return t[i].On > a || t[i].On == a && t[i].Name >= n })
	if i < len(t) && t[i].On == a && t[i].Name == n {
		return t[i].Level, true
	}
	return 0, false
}

// TraitsOf are the sheet's values of a, by name; a shared slice.
func (b *Battle) TraitsOf(a ActorID) []Trait {
	t := b.Traits
	lo := sort.Search(len(t), func(i int) bool { return t[i].On >= a })
	hi := lo
	for hi < len(t) && t[hi].On == a {
		hi++
	}
	return t[lo:hi]
}

// Gauge finds a gauge, or nil.
func (b *Battle) Gauge(on Ref, n GaugeName) *Gauge {
	g := b.Gauges
	i := sort.Search(len(g), func(i int) bool {
		c := g[i].On.compare(on)
		return c > 0 || c == 0 && g[i].Name >= n
	})
	if i < len(g) && g[i].On == on && g[i].Name == n {
		return &g[i]
	}
	return nil
}

// GaugeNow is the present value of a gauge; 0 where there is none.
func (b *Battle) GaugeNow(on Ref, n GaugeName) int64 {
	if g := b.Gauge(on, n); g != nil {
		return g.Now
	}
	return 0
}

// CondsOn are the conditions that on bears, by id; a shared slice, not to be kept or changed.
func (b *Battle) CondsOn(on Ref) []Cond {
	c := b.Conds
	lo := sort.Search(len(c), func(i int) bool { return c[i].On.compare(on) >= 0 })
	hi := lo
	for hi < len(c) && c[hi].On == on {
		hi++
	}
	return c[lo:hi]
}

// FindCond finds the first condition n on a bearer, or nil.
func (b *Battle) FindCond(on Ref, n CondName) *Cond {
	cs := b.CondsOn(on)
	for i := range cs {
		if cs[i].Name == n {
			return &cs[i]
		}
	}
	return nil
}

// FindPair finds the condition n on a bearer with a counterpart, or nil.
func (b *Battle) FindPair(on Ref, n CondName, with ActorID) *Cond {
	cs := b.CondsOn(on)
	for i := range cs {
		if cs[i].Name == n && cs[i].With == with {
			return &cs[i]
		}
	}
	return nil
}

// FindAbout finds the condition n on a bearer that concerns a trait, or nil.
func (b *Battle) FindAbout(on Ref, n CondName, about TraitName) *Cond {
	cs := b.CondsOn(on)
	for i := range cs {
		if cs[i].Name == n && cs[i].About == about {
			return &cs[i]
		}
	}
	return nil
}

// HasCond reports whether on bears a condition n.
func (b *Battle) HasCond(on Ref, n CondName) bool { return b.FindCond(on, n) != nil }

// ItemAt is the first item of a in a slot, or nil.
func (b *Battle) ItemAt(a ActorID, slot SlotName) *Item {
	for i := range b.Items {
		if b.Items[i].Holder == a && b.Items[i].Slot == slot {
			return &b.Items[i]
		}
	}
	return nil
}

// ItemsOf are the items that a holds or wears, by id.
func (b *Battle) ItemsOf(a ActorID) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		for i := range b.Items {
			if b.Items[i].Holder == a && !yield(&b.Items[i]) {
				return
			}
		}
	}
}

// ItemsIn are the items inside another, by id.
func (b *Battle) ItemsIn(in ItemID) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		for i := range b.Items {
			if b.Items[i].In == in && in != 0 && !yield(&b.Items[i]) {
				return
			}
		}
	}
}

// Option is the value of an option of this battle; the zero Option where the ruleset has none of that name.
func (b *Battle) Option(n OptionName) Option {
	o := b.Rules.Options
	i := sort.Search(len(o), func(i int) bool { return o[i].Name >= n })
	if i < len(o) && o[i].Name == n {
		return o[i]
	}
	return Option{}
}

// Word is the value of a word option.
func (b *Battle) Word(n OptionName) string { return b.Option(n).Word }

// Number is the value of a number option.
func (b *Battle) Number(n OptionName) int64 { return b.Option(n).N }

// Ruled is the master's word on a quantity for a towards on (either may be zero), if there is one: of those that
// apply the narrowest scope wins, then the latest.
func (b *Battle) Ruled(what Quantity, a, on ActorID, frame FrameID) (n int64, id RulingID, ok bool) {
	best := ScopeKind(0)
	for i := range b.Rulings {
		r := &b.Rulings[i]
		if r.What != what || ok && r.Scope.Kind < best || !r.Scope.covers(b, a, on, frame) {
			continue
		}
		n, id, ok, best = r.N, r.ID, true, r.Scope.Kind
	}
	return n, id, ok
}

func (s *Scope) covers(b *Battle, a, on ActorID, frame FrameID) bool {
	switch s.Kind {
	case ScopeBattle:
		return true
	case ScopeZone:
		z, x := b.Zone(s.Zone), b.Actor(on)
		return z != nil && x != nil && z.Shape.Contains(x.Pose.At.Block())
	case ScopeActor:
		return s.A == on || on == 0 && s.A == a
	case ScopePair:
		return s.A == a && s.B == on
	case ScopeFrame:
		return s.Frame == frame && frame != 0
	}
	return false
}

// Allied reports whether c is on a's side: the same team, an ally by the teams' stance, or by condition "allied".
func (b *Battle) Allied(a, c ActorID) bool {
	if a == c || b.FindPair(a.On(), "allied", c) != nil {
		return true
	}
	if b.FindPair(a.On(), "hostile", c) != nil {
		return false
	}
	x, y := b.Actor(a), b.Actor(c)
	if x == nil || y == nil {
		return false
	}
	if x.Team == y.Team {
		return x.Team != ""
	}
	for i := range b.Teams {
		if b.Teams[i].ID == x.Team {
			return slices.Contains(b.Teams[i].Allies, y.Team)
		}
	}
	return false
}

// Hostile reports whether a and c are enemies: everybody who is not allied is.
func (b *Battle) Hostile(a, c ActorID) bool { return !b.Allied(a, c) }

// Seat is the first seat of a that has not acted; his first seat if all have; nil if he has none.
func (b *Battle) Seat(a ActorID) *Seat {
	var any *Seat
	for i := range b.Queue {
		if s := &b.Queue[i]; s.Actor == a {
			if s.State != SeatActed {
				return s
			}
			if any == nil {
				any = s
			}
		}
	}
	return any
}

// SeatActing is the seat whose turn it is, or nil.
func (b *Battle) SeatActing() *Seat {
	for i := range b.Queue {
		if b.Queue[i].State == SeatActing {
			return &b.Queue[i]
		}
	}
	return nil
}

// LivePrompts are the prompts of the top frame that are not answered yet.
func (b *Battle) LivePrompts() []Prompt {
	top := b.Top()
	if top == nil {
		return nil
	}
	var live []Prompt
	for i := range b.Prompts {
		if p := &b.Prompts[i]; p.Frame == top.ID && !p.Done {
			live = append(live, *p)
		}
	}
	return live
}

// waiting reports whether the top frame has a prompt that is not answered.
func (b *Battle) waiting() bool {
	top := b.Top()
	if top == nil {
		return false
	}
	for i := range b.Prompts {
		if b.Prompts[i].Frame == top.ID && !b.Prompts[i].Done {
			return true
		}
	}
	return false
}
