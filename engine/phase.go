package engine

import (
	"cmp"
	"slices"
)

// Batch collects what a simultaneous phase decides. Deltas to one gauge add up and are clamped once; of conditions that
// conflict (unique in the catalogue) the highest rank stands.
type Batch struct {
	deltas []delta
	conds  []ranked
	clears []clearing
	events []ruled
}

type delta struct {
	on   Ref
	name GaugeName
	by   int64
	rule Rule
}

type ranked struct {
	cond Cond
	rule Rule
	rank int32
}

type clearing struct {
	id   CondID
	rule Rule
	why  ClearWhy
}

type ruled struct {
	rule  Rule
	event Event
}

// Add changes a gauge by a delta.
func (b *Batch) Add(rule Rule, on Ref, n GaugeName, by int64) {
	b.deltas = append(b.deltas, delta{on, n, by, rule})
}

// Set sets a condition; among conditions that exclude each other the higher rank wins, then the later one.
func (b *Batch) Set(rule Rule, c Cond, rank int32) {
	b.conds = append(b.conds, ranked{c, rule, rank})
}

// Clear ends a condition.
func (b *Batch) Clear(rule Rule, id CondID, why ClearWhy) {
	b.clears = append(b.clears, clearing{id, rule, why})
}

// Emit records a fact, in order, before the numbers change.
func (b *Batch) Emit(rule Rule, e Event) { b.events = append(b.events, ruled{rule, e}) }

// Phase plays things that happen at the same time: play reads the state of the phase's start and says what changes;
// all of it is applied afterwards, so that nobody's deed undoes another's of the same moment.
func (s *Scene) Phase(play func(frozen View, out *Batch)) {
	var out Batch
	frozen := s.b.clone()
	play(View{Battle: frozen, World: frozen.worldOf(s.env.World)}, &out)
	for i := range out.events {
		s.Emit(out.events[i].rule, out.events[i].event)
	}
	for i := range out.clears {
		s.ClearCond(out.clears[i].rule, out.clears[i].id, out.clears[i].why)
	}
	slices.SortStableFunc(out.deltas, func(a, b delta) int {
		return cmp.Or(a.on.compare(b.on), cmp.Compare(a.name, b.name))
	})
	for i := 0; i < len(out.deltas); {
		d := out.deltas[i]
		sum := int64(0)
		for ; i < len(out.deltas) && out.deltas[i].on == d.on && out.deltas[i].name == d.name; i++ {
			sum += out.deltas[i].by
		}
		s.AddGauge(d.rule, d.on, d.name, sum)
	}
	slices.SortStableFunc(out.conds, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	for i := range out.conds {
		c := &out.conds[i].cond
		beaten := func(o ranked) bool { return s.excludes(c, &o.cond) }
		if !slices.ContainsFunc(out.conds[i+1:], beaten) {
			s.SetCond(out.conds[i].rule, *c)
		}
	}
}

// excludes reports whether the catalogue lets only one of two conditions stand.
func (s *Scene) excludes(a, b *Cond) bool {
	spec := s.sys.Spec.Cond(a.Name)
	if spec == nil || a.Name != b.Name || a.On != b.On {
		return false
	}
	switch spec.Unique {
	case PerBearer:
		return true
	case PerPair:
		return a.With == b.With
	case PerAbout:
		return a.About == b.About
	}
	return false
}
