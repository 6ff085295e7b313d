package engine_test

import (
	"reflect"
	"testing"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// cleared are the ids of conditions that facts end, in order.
func cleared(facts []engine.Fact) (out []engine.CondID) {
	for _, c := range events[engine.CondCleared](facts) {
		out = append(out, c.ID)
	}
	return out
}

// A unique condition takes the place and the id of the one that stands; others pile up.
func TestUnique(t *testing.T) {
	on, other := anna.On(), ben.On()
	tests := map[string]struct {
		first, second engine.Cond
		same          bool
	}{
		"many":                 {engine.Cond{Name: hurt, On: on}, engine.Cond{Name: hurt, On: on}, false},
		"per bearer":           {engine.Cond{Name: down, On: on, Level: 1}, engine.Cond{Name: down, On: on, With: ben}, true},
		"per bearer, others":   {engine.Cond{Name: down, On: on}, engine.Cond{Name: down, On: other}, false},
		"per pair":             {engine.Cond{Name: bound, On: on, With: ben}, engine.Cond{Name: bound, On: on, With: ben, Level: 2}, true},
		"per pair, another":    {engine.Cond{Name: bound, On: on, With: ben}, engine.Cond{Name: bound, On: on, With: cleo}, false},
		"per pair, turned":     {engine.Cond{Name: bound, On: on, With: ben}, engine.Cond{Name: bound, On: other, With: anna}, false},
		"per trait":            {engine.Cond{Name: focus, On: on, About: might}, engine.Cond{Name: focus, On: on, About: might, Value: 3}, true},
		"per trait, another":   {engine.Cond{Name: focus, On: on, About: might}, engine.Cond{Name: focus, On: on, About: reflex}, false},
		"names do not mix":     {engine.Cond{Name: down, On: on}, engine.Cond{Name: hurt, On: on}, false},
		"not in the catalogue": {engine.Cond{Name: "strange", On: on}, engine.Cond{Name: "strange", On: on}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var one, two engine.CondID
			m := scene(t, func(s *engine.Scene) {
				one, two = s.SetCond(ruleSticks, test.first), s.SetCond(ruleSticks, test.second)
			})
			if (one == two) != test.same {
				t.Fatalf("ids %d and %d, want the same: %v", one, two, test.same)
			}
			want := test.second
			want.ID = two
			if got := m.b.Cond(two); got == nil || !reflect.DeepEqual(*got, want) {
				t.Errorf("stands %+v, want %+v", got, want)
			}
			if m.b.Cond(one) == nil {
				t.Error("the first is gone")
			}
		})
	}
}

// What falls with a condition ends before it, however deep; a ring of parents ends as well.
func TestParents(t *testing.T) {
	var ids [5]engine.CondID
	m := scene(t, func(s *engine.Scene) {
		ids[0] = s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: cleo.On()})
		ids[1] = s.SetCond(ruleSticks, engine.Cond{Name: bleeding, On: anna.On(), Parent: ids[0]})
		ids[2] = s.SetCond(ruleSticks, engine.Cond{Name: bleeding, On: dora.On(), Parent: ids[1]})
		ids[3] = s.SetCond(ruleSticks, engine.Cond{Name: bleeding, On: ben.On(), Parent: ids[0]})
		ids[4] = s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: cleo.On()})
	})
	facts := m.run(func(s *engine.Scene) {
		s.ClearCond(ruleSticks, ids[0], engine.ClearHealed)
		s.ClearCond(ruleSticks, ids[0], engine.ClearHealed) // gone: nothing
		s.ClearCond(ruleSticks, 0, engine.ClearHealed)
	})
	if got, want := cleared(facts), []engine.CondID{ids[2], ids[1], ids[3], ids[0]}; !reflect.DeepEqual(got, want) {
		t.Errorf("cleared %v, want %v", got, want)
	}
	if len(m.b.Conds) != 1 || m.b.Conds[0].ID != ids[4] {
		t.Errorf("left %+v", m.b.Conds)
	}

	m = scene(t, func(s *engine.Scene) {
		a := s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: cleo.On()})
		b := s.SetCond(ruleSticks, engine.Cond{Name: bleeding, On: anna.On(), Parent: a})
		s.SetCond(ruleSticks, engine.Cond{ID: a, Name: hurt, On: cleo.On(), Parent: b})
		s.SetCond(ruleSticks, engine.Cond{ID: 777, Name: hurt, On: cleo.On(), Parent: 777})
	})
	m.run(func(s *engine.Scene) {
		s.ClearConds(ruleSticks, cleo.On(), hurt, engine.ClearBroken)
	})
	if len(m.b.Conds) != 0 {
		t.Errorf("left %+v", m.b.Conds)
	}
}

// Every lifetime is counted by facts: what has more to go is set again with one less, the last one ends it.
func TestLifetimes(t *testing.T) {
	type until = engine.Until
	tests := map[string]struct {
		until  until
		moment func(s *engine.Scene)
		lasts  int // moments that it outlives
		idle   func(s *engine.Scene)
	}{
		"turn start, next":  {until{Kind: engine.UntilTurnStart, Whose: anna, N: 1}, func(s *engine.Scene) { s.TurnStarts(anna) }, 0, func(s *engine.Scene) { s.TurnStarts(ben); s.TurnEnds(anna); s.SlotEnds(); s.RoundEnds() }},
		"turn start, third": {until{Kind: engine.UntilTurnStart, Whose: anna, N: 3}, func(s *engine.Scene) { s.TurnStarts(anna) }, 2, func(s *engine.Scene) { s.TurnStarts(ben) }},
		"turn end, next":    {until{Kind: engine.UntilTurnEnd, Whose: ben, N: 1}, func(s *engine.Scene) { s.TurnEnds(ben) }, 0, func(s *engine.Scene) { s.TurnEnds(anna); s.TurnStarts(ben) }},
		"turn end, second":  {until{Kind: engine.UntilTurnEnd, Whose: ben, N: 2}, func(s *engine.Scene) { s.TurnEnds(ben) }, 1, func(s *engine.Scene) { s.TurnEnds(anna) }},
		"slots, two":        {until{Kind: engine.UntilSlots, N: 2}, func(s *engine.Scene) { s.SlotEnds() }, 1, func(s *engine.Scene) { s.TurnEnds(0); s.RoundEnds() }},
		"round, this one":   {until{Kind: engine.UntilRound, N: 4}, func(s *engine.Scene) { s.Emit("", engine.Clocked{Round: s.Battle().Round + 1}); s.RoundEnds() }, 3, func(s *engine.Scene) { s.SlotEnds(); s.RoundEnds() }},
		"without a number":  {until{Kind: engine.UntilTurnEnd, Whose: ben}, func(s *engine.Scene) { s.TurnEnds(ben) }, 0, func(s *engine.Scene) { s.TurnEnds(anna) }},
		"round, whoever's":  {until{Kind: engine.UntilRound, Whose: ben, N: 1}, func(s *engine.Scene) { s.Emit("", engine.Clocked{Round: s.Battle().Round + 1}); s.RoundEnds() }, 0, func(s *engine.Scene) { s.TurnEnds(ben) }},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := scene(t, func(s *engine.Scene) {
				s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: anna.On(), Until: test.until})
				s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: ben.On(), Until: engine.Until{Kind: engine.UntilRemoved}})
				s.Emit(ruleSticks, engine.ZoneSet{Zone: engine.Zone{ID: 900, Name: gas, Until: test.until}})
				s.Emit(ruleSticks, engine.PlanSet{Plan: engine.Plan{ID: 901, Owner: anna.On(), Until: test.until}})
				s.Emit(ruleSticks, engine.Ruled{Ruling: engine.Ruling{ID: 902, What: damage, Until: test.until}})
			})
			alive := func() [4]bool {
				return [4]bool{m.b.HasCond(anna.On(), hurt), m.b.Zone(900) != nil, m.b.Plan(901) != nil, len(m.b.Rulings) > 0}
			}
			facts := m.run(test.idle)
			if n := len(events[engine.CondSet](facts)) + len(events[engine.CondCleared](facts)); n != 0 {
				t.Fatalf("other moments count: %+v", facts)
			}
			counted := test.until.Kind != engine.UntilRound
			for i := range test.lasts {
				if due := dueNow(m, test.until); len(due) != 0 && counted {
					t.Fatalf("due before moment %d: %+v", i, due)
				}
				facts := m.run(test.moment)
				if alive() != [4]bool{true, true, true, true} {
					t.Fatalf("ended at moment %d of %d: %v", i+1, test.lasts, alive())
				}
				if !counted {
					continue
				}
				sets := events[engine.CondSet](facts)
				if len(sets) != 1 || sets[0].Cond.Until.N != test.until.N-int32(i)-1 || len(events[engine.ZoneSet](facts)) != 1 || len(events[engine.PlanSet](facts)) != 1 || len(events[engine.Ruled](facts)) != 1 {
					t.Fatalf("moment %d counts by %+v", i+1, facts)
				}
			}
			var due []engine.Cond
			facts = m.run(func(s *engine.Scene) {
				if !counted { // of rounds the present one is asked
					s.Emit("", engine.Clocked{Round: s.Battle().Round + 1})
					due = s.Due(test.until.Kind, 0)
					s.RoundEnds()
					return
				}
				due = s.Due(test.until.Kind, test.until.Whose)
				test.moment(s)
			})
			if len(due) != 1 || due[0].On != anna.On() {
				t.Errorf("due %+v", due)
			}
			if alive() != [4]bool{} {
				t.Errorf("outlives its end: %v", alive())
			}
			if c := events[engine.CondCleared](facts); len(c) != 1 || c[0].Why != engine.ClearExpired || c[0].Name != hurt || c[0].On != anna.On() {
				t.Errorf("cleared %+v", c)
			}
			if !m.b.HasCond(ben.On(), hurt) {
				t.Error("what lasts until removed ended")
			}
		})
	}
}

func dueNow(m *table, u engine.Until) (due []engine.Cond) {
	m.run(func(s *engine.Scene) { due = s.Due(u.Kind, u.Whose) })
	return due
}

// What ends at one moment ends all, wherever its children stood in the table.
func TestExpiryWithChildren(t *testing.T) {
	until := engine.Until{Kind: engine.UntilTurnEnd, Whose: ben, N: 1}
	m := scene(t, func(s *engine.Scene) {
		parent := s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: ben.On(), Until: until})
		s.SetCond(ruleSticks, engine.Cond{Name: bleeding, On: anna.On(), Parent: parent})
		s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: cleo.On(), Until: until})
		s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: dora.On(), Until: until})
	})
	m.run(func(s *engine.Scene) { s.TurnEnds(ben) })
	if len(m.b.Conds) != 0 {
		t.Errorf("left: %+v", m.b.Conds)
	}
}

// What lasts until the battle ends does, and what is kept stays.
func TestEnd(t *testing.T) {
	m := scene(t, func(s *engine.Scene) {
		s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: anna.On(), Until: engine.Until{Kind: engine.UntilBattle}})
		s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: ben.On(), Until: engine.Until{Kind: engine.UntilKept}})
	})
	m.seed = [32]byte{9}
	facts := m.play(engine.End{Outcome: []engine.TeamOutcome{{Team: "red", Outcome: "won"}}})
	if m.b.Phase != engine.Over || m.b.Seed.Reveal != m.seed || len(m.b.Outcome) != 1 || len(m.b.Frames)+len(m.b.Prompts) != 0 {
		t.Errorf("the end: %+v", m.b)
	}
	if m.b.HasCond(anna.On(), hurt) || !m.b.HasCond(ben.On(), hurt) {
		t.Errorf("left: %+v", m.b.Conds)
	}
	if _, last := facts[len(facts)-1].Event.(engine.Ended); !last {
		t.Errorf("the last fact is %T", facts[len(facts)-1].Event)
	}
}

// Things that happen at once: deltas add up and are clamped once, of conflicting conditions the highest rank stands, and
// nobody sees what the others do.
func TestPhase(t *testing.T) {
	var old engine.CondID
	m := scene(t, func(s *engine.Scene) {
		s.SetGauge(ruleSticks, anna.On(), breath, 2, 0, 5)
		s.SetGauge(ruleSticks, ben.On(), breath, 2, 0, 5)
		old = s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: anna.On()})
	})
	var inside []int64
	facts := m.run(func(s *engine.Scene) {
		s.Phase(func(frozen engine.View, out *engine.Batch) {
			out.Add(ruleSticks, ben.On(), breath, 9)
			out.Add(ruleSticks, anna.On(), breath, -5)
			inside = append(inside, frozen.GaugeNow(anna.On(), breath))
			out.Add(ruleSticks, anna.On(), breath, +4) // clamped one by one it would be 4
			out.Add(ruleSticks, ben.On(), breath, -8)
			out.Add(ruleSticks, cleo.On(), "none", 5)
			out.Set(ruleSticks, engine.Cond{Name: down, On: ben.On(), Level: 1}, 5)
			out.Set(ruleSticks, engine.Cond{Name: down, On: ben.On(), Level: 2}, 9)
			out.Set(ruleSticks, engine.Cond{Name: down, On: ben.On(), Level: 3}, 5)
			out.Set(ruleSticks, engine.Cond{Name: bound, On: ben.On(), With: anna, Level: 1}, 0)
			out.Set(ruleSticks, engine.Cond{Name: bound, On: ben.On(), With: anna, Level: 2}, 0)
			out.Set(ruleSticks, engine.Cond{Name: hurt, On: ben.On()}, 0)
			out.Set(ruleSticks, engine.Cond{Name: hurt, On: ben.On()}, 0)
			out.Clear(ruleSticks, old, engine.ClearBroken)
			out.Clear(ruleSticks, old, engine.ClearBroken)
			out.Emit(ruleSticks, engine.Said{Key: "first"})
			if frozen.HasCond(ben.On(), down) || !frozen.HasCond(anna.On(), hurt) {
				t.Error("the frozen view changed while the phase was played")
			}
		})
		if s.Battle().GaugeNow(anna.On(), breath) != 1 {
			t.Errorf("anna's breath is %d", s.Battle().GaugeNow(anna.On(), breath))
		}
	})
	if a, b := m.b.GaugeNow(anna.On(), breath), m.b.GaugeNow(ben.On(), breath); a != 1 || b != 3 {
		t.Errorf("breath %d and %d, want 1 and 3", a, b)
	}
	if inside[0] != 2 {
		t.Errorf("inside the phase anna's breath was %d", inside[0])
	}
	var gauges, downs, bounds, hurts int
	for _, f := range facts {
		switch e := f.Event.(type) {
		case engine.GaugeSet:
			gauges++
		case engine.CondSet:
			switch e.Cond.Name {
			case down:
				downs++
			case bound:
				bounds++
			case hurt:
				hurts++
			}
		}
	}
	if gauges != 2 || downs != 1 || bounds != 1 || hurts != 2 || len(cleared(facts)) != 1 {
		t.Errorf("facts: %d gauges, %d down, %d bound, %d hurt, cleared %v", gauges, downs, bounds, hurts, cleared(facts))
	}
	if l := m.b.FindCond(ben.On(), down).Level; l != 2 {
		t.Errorf("of the conflicting, level %d stands, want the highest rank's 2", l)
	}
	if l := m.b.FindCond(ben.On(), bound).Level; l != 2 {
		t.Errorf("of equal ranks, level %d stands, want the later's 2", l)
	}
	if _, first := facts[1].Event.(engine.PromptClosed); !first {
		t.Errorf("fact 1 is %T", facts[1].Event)
	}
	if _, said := facts[2].Event.(engine.Said); !said {
		t.Errorf("fact 2 is %T, want what was emitted in the phase before any number changes", facts[2].Event)
	}
}

// A view taken before a phase, a whole frozen battle, stays as it was.
func TestFrozen(t *testing.T) {
	var kept engine.View
	m := scene(t, func(s *engine.Scene) {
		s.SetGauge(ruleSticks, anna.On(), breath, 2, 0, 5)
		s.Phase(func(frozen engine.View, out *engine.Batch) {
			kept = frozen
			out.Add(ruleSticks, anna.On(), breath, 2)
			out.Set(ruleSticks, engine.Cond{Name: hurt, On: anna.On()}, 0)
		})
		s.AddGauge(ruleSticks, anna.On(), breath, -1)
		s.Emit(ruleSticks, engine.Posed{Actor: anna, Look: voxel.Look{X: 5}})
	})
	if kept.GaugeNow(anna.On(), breath) != 2 || kept.HasCond(anna.On(), hurt) || kept.Actor(anna).Pose.Look.X == 5 {
		t.Error("the frozen view changed afterwards")
	}
	if m.b.GaugeNow(anna.On(), breath) != 3 {
		t.Errorf("breath %d, want 3", m.b.GaugeNow(anna.On(), breath))
	}
}

// Gauges stay within their bounds, and say what they were; no change, no fact.
func TestGauges(t *testing.T) {
	m := scene(t, func(s *engine.Scene) { s.SetGauge(ruleSticks, anna.On(), breath, 2, 1, 5) })
	steps := []struct{ add, now int64 }{{1, 3}, {9, 5}, {3, 5}, {-9, 1}, {0, 1}}
	var got []int64
	facts := m.run(func(s *engine.Scene) {
		for _, st := range steps {
			got = append(got, s.AddGauge(ruleSticks, anna.On(), breath, st.add))
		}
		got = append(got, s.AddGauge(ruleSticks, anna.On(), "none", 3))
	})
	for i := range steps {
		if got[i] != steps[i].now {
			t.Errorf("step %d: now %d, want %d", i, got[i], steps[i].now)
		}
	}
	if got[len(steps)] != 0 || m.b.Gauge(anna.On(), "none") != nil {
		t.Error("a gauge that does not exist came to be")
	}
	var moves [][2]int64
	for _, g := range events[engine.GaugeSet](facts) {
		moves = append(moves, [2]int64{g.Before, g.Gauge.Now})
	}
	if want := [][2]int64{{2, 3}, {3, 5}, {5, 1}}; !reflect.DeepEqual(moves, want) {
		t.Errorf("moves %v, want %v", moves, want)
	}
}

// The narrowest ruling that applies holds, then the latest.
func TestRuled(t *testing.T) {
	m := fight(t, false)
	m.play(engine.Adjust{Facts: []engine.Event{engine.ZoneSet{Zone: engine.Zone{Name: gas, Shape: engine.Shape{Cells: []voxel.Pos{m.b.Actor(cleo).Pose.At.Block()}}}}}})
	zone := m.b.Zones[0].ID
	rule := func(n int64, scope engine.Scope) engine.RulingID {
		m.play(engine.Override{Ruling: engine.Ruling{What: damage, N: n, Scope: scope}})
		return m.b.Rulings[len(m.b.Rulings)-1].ID
	}
	want := func(n int64, ok bool, a, on engine.ActorID, frame engine.FrameID) {
		t.Helper()
		if got, _, found := m.b.Ruled(damage, a, on, frame); got != n || found != ok {
			t.Errorf("%d towards %d in frame %d: %d, %v; want %d, %v", a, on, frame, got, found, n, ok)
		}
	}
	want(0, false, anna, cleo, 0)
	rule(1, engine.Scope{})
	rule(2, engine.Scope{})
	want(2, true, anna, cleo, 0)
	rule(3, engine.Scope{Kind: engine.ScopeZone, Zone: zone})
	want(3, true, anna, cleo, 0)
	want(2, true, anna, dora, 0)
	rule(4, engine.Scope{Kind: engine.ScopeActor, A: cleo})
	want(4, true, anna, cleo, 0)
	want(2, true, cleo, anna, 0)
	want(4, true, cleo, 0, 0)
	pair := rule(5, engine.Scope{Kind: engine.ScopePair, A: anna, B: cleo})
	want(5, true, anna, cleo, 0)
	want(4, true, ben, cleo, 0)
	want(2, true, cleo, anna, 0)
	want(2, true, anna, dora, 0)
	rule(6, engine.Scope{Kind: engine.ScopeFrame, Frame: m.b.Top().ID})
	want(6, true, anna, cleo, m.b.Top().ID)
	want(5, true, anna, cleo, m.b.Frames[0].ID)
	rule(7, engine.Scope{})
	want(5, true, anna, cleo, 0)
	want(7, true, ben, anna, 0)
	m.play(engine.Override{Clear: pair})
	want(4, true, anna, cleo, 0)
	if _, _, ok := m.b.Ruled("light", anna, cleo, 0); ok {
		t.Error("a ruling on damage holds for light")
	}
}

// Sides: teams and their stance, and conditions between two.
func TestSides(t *testing.T) {
	m := &table{t: t, sys: sticks()}
	m.play(engine.Open{Ruleset: "sticks", Teams: []engine.Team{{ID: "red", Allies: []engine.TeamID{"blue"}}, {ID: "blue"}, {ID: "grey"}}})
	m.play(engine.Join{Actors: []engine.Newcomer{newcomer("a", "red", 1), newcomer("b", "blue", 2), newcomer("c", "grey", 3), newcomer("d", "red", 4)}})
	a, b, c, d := m.b.Actors[0].ID, m.b.Actors[1].ID, m.b.Actors[2].ID, m.b.Actors[3].ID
	for _, x := range []struct {
		one, two engine.ActorID
		allied   bool
	}{{a, a, true}, {a, b, true}, {b, a, false}, {a, c, false}, {a, d, true}, {c, d, false}, {a, 99, false}} {
		if m.b.Allied(x.one, x.two) != x.allied || m.b.Hostile(x.one, x.two) == x.allied {
			t.Errorf("%d to %d: allied %v", x.one, x.two, m.b.Allied(x.one, x.two))
		}
	}
	set := func(n engine.CondName, on, with engine.ActorID) {
		m.play(engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: n, On: on.On(), With: with}}}})
	}
	set("hostile", a, d)
	set("allied", a, c)
	if m.b.Allied(a, d) || !m.b.Allied(d, a) || !m.b.Allied(a, c) || m.b.Allied(c, a) {
		t.Error("conditions between two do not count, or count both ways")
	}
}
