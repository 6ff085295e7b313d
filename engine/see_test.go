package engine_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// told are the facts of a stream that tell a story; how often the state of the stack is written does not count.
func told(stream []engine.Fact) (out []engine.Fact) {
	for _, f := range stream {
		switch f.Event.(type) {
		case engine.Framed, engine.Queued:
		default:
			out = append(out, f)
		}
	}
	return out
}

// watched plays the same decisions of everybody who is no ghost; a ghost does what acts say, in turn. It gives what a
// spectator reads.
func watched(t *testing.T, withGhost bool, acts ...engine.ActName) []engine.Fact {
	m := lobby(t, sticks(), withGhost)
	m.play(engine.Start{})
	var stream []engine.Fact
	from := len(m.past)
	scripted := []engine.ActName{actHold, actStrike, actVolley, actGas, actLeap, actStrike, actHold, actLeap}
	for n, g := 0, 0; n < 14; {
		p := m.b.LivePrompts()[0]
		switch {
		case p.Whose == ghost && p.Kind != engine.PromptTurn:
			m.does(ghost, "")
			continue
		case p.Whose == ghost:
			act := acts[g%len(acts)]
			g++
			m.does(ghost, act)
			continue
		case p.Kind == engine.PromptTurn:
			at := []engine.ActorID{cleo}
			if p.Whose == cleo || p.Whose == dora {
				at[0] = anna
			}
			act := scripted[n%len(scripted)]
			if act != actStrike && act != actVolley {
				at = nil
			}
			m.does(p.Whose, act, at...)
		case p.Must:
			m.does(p.Whose, actDodge)
		default:
			m.does(p.Whose, "")
		}
		n++
	}
	spectator := engine.Viewer{}
	for i := from; i < len(m.past); i++ {
		stream = append(stream, told(engine.SeeCommit(m.past[i-1], m.past[i], m.log[i].Facts, spectator))...)
	}
	return stream
}

// A hidden fighter leaves no trace: whoever does not know of him reads the very facts, ids, dice clocks and faces that
// he would read if there were none.
func TestNoTrace(t *testing.T) {
	want := watched(t, false)
	for name, acts := range map[string][]engine.ActName{
		"he waits":            {""},
		"he throws":           {actLeap},
		"he plans and throws": {actHold, actLeap, actHold},
	} {
		t.Run(name, func(t *testing.T) {
			got := watched(t, true, acts...)
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || !reflect.DeepEqual(got[i], want[i]) {
					t.Fatalf("fact %d of %d, %d:\n got %s\nwant %s", i, len(got), len(want), at(got, i), at(want, i))
				}
			}
		})
	}
}

func at(facts []engine.Fact, i int) string {
	if i >= len(facts) {
		return "nothing"
	}
	return fmt.Sprintf("%T %+v", facts[i].Event, facts[i])
}

// A hidden fighter's own things number from the hidden serial, his throws come from the hidden stream, and those who know
// him read it all.
func TestGhost(t *testing.T) {
	m := fight(t, true)
	if a := m.b.ActorByKey("ghost"); a == nil || a.ID != ghost {
		t.Fatalf("the ghost is %+v", a)
	}
	for _, it := range m.b.Items {
		if (it.Holder == ghost) != (it.ID&engine.HiddenBit != 0) {
			t.Errorf("item %#x of %#x", it.ID, it.Holder)
		}
	}
	for _, s := range m.b.Queue {
		if (s.Actor == ghost) != (s.ID&engine.HiddenBit != 0) {
			t.Errorf("seat %#x of %#x", s.ID, s.Actor)
		}
	}
	for _, a := range []engine.ActorID{anna, ben, cleo, dora} {
		m.does(a, "")
	}
	top := m.b.Top()
	if top.Intent.By != ghost || top.ID&engine.HiddenBit == 0 || m.asked(ghost).ID&engine.HiddenBit == 0 {
		t.Fatalf("his turn is frame %#x, prompt %#x", top.ID, m.asked(ghost).ID)
	}
	before := m.b
	p := m.asked(ghost).ID
	// Nobody can find out by guessing that there is such a prompt.
	m.refused(engine.Decide{Prompt: p, By: anna}, engine.ReasonPromptClosed)
	m.does(ghost, actStrike, anna)
	if w := m.b.LivePrompts(); len(w) != 1 || w[0].Whose != anna || w[0].Kind != engine.PromptDefend {
		t.Fatalf("live %+v: want anna's defence, and no window for those who know of no attack", w)
	}
	prompt := m.asked(anna).ID
	if p := engine.See(m.b, engine.Viewer{Actors: []engine.ActorID{anna}}).Prompt(prompt); p == nil || len(p.Args) != 0 {
		t.Errorf("anna sees of her prompt %+v: want it, without the attacker", p)
	}
	if p := engine.See(m.b, engine.Viewer{Actors: []engine.ActorID{ben}}).Prompt(prompt); p != nil {
		t.Errorf("ben sees %+v", p)
	}
	m.faces = "++++ ----"
	m.does(anna, actDodge)
	thrown := events[engine.Rolled](m.last())
	if len(thrown) != 2 || thrown[0].Roll.Throws[0].At.Stream != 1 || thrown[0].Roll.ID&engine.HiddenBit == 0 {
		t.Fatalf("thrown %+v", thrown)
	}
	// Two rolls of one commit, one tick, of the hidden clock alone.
	if m.b.Dice[0] != before.Dice[0] || m.b.Dice[1] != before.Dice[1]+1 {
		t.Errorf("dice clocks %v, before %v", m.b.Dice, before.Dice)
	}
	wound := m.b.FindCond(anna.On(), hurt)
	if wound == nil || wound.ID&engine.HiddenBit != 0 || wound.Source != ghost.On() || wound.Cause&engine.HiddenBit == 0 {
		t.Fatalf("the wound is %+v", wound)
	}
	seen := engine.See(m.b, engine.Viewer{Actors: []engine.ActorID{ben}}).Cond(wound.ID)
	if seen == nil || seen.Source != (engine.Ref{}) || seen.Cause != 0 || seen.Level != wound.Level {
		t.Errorf("ben sees the wound as %+v: want it, without its maker", seen)
	}
	own := engine.SeeCommit(m.past[len(m.past)-2], m.b, m.last(), engine.Viewer{Actors: []engine.ActorID{ghost}})
	if len(events[engine.Rolled](own)) != 2 || len(events[engine.Resolved](own)) != 1 {
		t.Errorf("the ghost himself gets %d rolls", len(events[engine.Rolled](own)))
	}
	m.play(engine.Adjust{Facts: []engine.Event{engine.KnownSet{Known: engine.Known{By: cleo, Of: ghost.On(), Level: engine.Seen}}}})
	facts := engine.SeeCommit(m.past[len(m.past)-2], m.b, m.last(), engine.Viewer{Actors: []engine.ActorID{cleo}})
	if got := events[engine.ActorSet](facts); len(got) != 1 || got[0].Actor.Name != "Ghost" {
		t.Errorf("cleo, who sees him now, gets %+v", got)
	}
}

// How he got where he is seen is not told to whoever has only now seen him.
func TestNoPastPath(t *testing.T) {
	m := fight(t, true)
	path := []voxel.Pos{{X: 5, Y: 1, Z: 5}, {X: 5, Y: 1, Z: 6}}
	m.play(engine.Adjust{Facts: []engine.Event{
		engine.Moved{Actor: ghost, To: path[1].Floor(), Path: path},
		engine.KnownSet{Known: engine.Known{By: anna, Of: ghost.On(), Level: engine.Seen}},
		engine.Moved{Actor: ghost, To: path[0].Floor(), Path: path[:1]},
	}})
	facts := engine.SeeCommit(m.past[len(m.past)-2], m.b, m.last(), engine.Viewer{Actors: []engine.ActorID{anna}})
	if moved := events[engine.Moved](facts); len(moved) != 1 || moved[0].To != path[0].Floor() {
		t.Errorf("anna gets %+v, want the second leg alone", moved)
	}
}

// Where somebody really is who was only heard, and what ends with somebody unknown, is told to nobody who may not know.
func TestHeardMoves(t *testing.T) {
	m := fight(t, false)
	m.play(engine.Adjust{Facts: []engine.Event{
		engine.CondSet{Cond: engine.Cond{Name: bound, On: ben.On(), With: dora}},
		engine.KnownSet{Known: engine.Known{By: anna, Of: dora.On()}},
		engine.KnownSet{Known: engine.Known{By: anna, Of: cleo.On(), Level: engine.Heard, Cell: voxel.Pos{X: 1, Y: 1, Z: 1}}},
	}})
	m.play(engine.Adjust{Facts: []engine.Event{
		engine.Moved{Actor: cleo, To: voxel.Pos{X: 7, Y: 1, Z: 7}.Floor()},
		engine.Posed{Actor: cleo, Look: voxel.Look{X: 7}, Posture: voxel.Prone},
		engine.CondCleared{ID: m.b.FindCond(ben.On(), bound).ID},
		engine.Moved{Actor: ben, To: voxel.Pos{X: 8, Y: 1, Z: 8}.Floor()},
	}})
	facts := engine.SeeCommit(m.past[len(m.past)-2], m.b, m.last(), engine.Viewer{Actors: []engine.ActorID{anna}})
	if len(facts) != 2 {
		t.Fatalf("anna gets %+v, want ben's step and the master's word", facts)
	}
	if mv := events[engine.Moved](facts); len(mv) != 1 || mv[0].Actor != ben {
		t.Errorf("moved: %+v", mv)
	}
}

// What is known by exception: by level, by observer, with the place where he was last placed.
func TestKnows(t *testing.T) {
	last := voxel.Pos{X: 8, Y: 1, Z: 8}
	tests := map[string]struct {
		of    engine.ActorID
		known []engine.Known
		who   engine.Viewer
		want  engine.KnownLevel
		cell  bool
	}{
		"in the open":             {of: cleo, who: engine.Viewer{Actors: []engine.ActorID{anna}}, want: engine.Seen},
		"hidden":                  {of: ghost, who: engine.Viewer{Actors: []engine.ActorID{anna}}},
		"his own":                 {of: ghost, who: engine.Viewer{Actors: []engine.ActorID{ghost}}, want: engine.Recognised},
		"the master's":            {of: ghost, who: engine.Viewer{Master: true}, want: engine.Recognised},
		"spotted":                 {ghost, []engine.Known{{By: anna, Level: engine.Seen}}, engine.Viewer{Actors: []engine.ActorID{anna}}, engine.Seen, false},
		"spotted by another":      {ghost, []engine.Known{{By: ben, Level: engine.Seen}}, engine.Viewer{Actors: []engine.ActorID{anna}}, engine.Unknown, false},
		"by one of two":           {ghost, []engine.Known{{By: anna, Level: engine.Unknown}, {By: ben, Level: engine.Heard, Cell: last}}, engine.Viewer{Actors: []engine.ActorID{anna, ben}}, engine.Heard, true},
		"heard":                   {ghost, []engine.Known{{By: anna, Level: engine.Heard, Cell: last}}, engine.Viewer{Actors: []engine.ActorID{anna}}, engine.Heard, true},
		"suspected in the open":   {cleo, []engine.Known{{By: anna, Level: engine.Suspected, Cell: last}}, engine.Viewer{Actors: []engine.ActorID{anna}}, engine.Suspected, true},
		"lost in the open":        {cleo, []engine.Known{{By: anna, Level: engine.Unknown}}, engine.Viewer{Actors: []engine.ActorID{anna}}, engine.Unknown, false},
		"lost, to others as ever": {cleo, []engine.Known{{By: anna, Level: engine.Unknown}}, engine.Viewer{}, engine.Seen, false},
		"nobody":                  {of: 99, who: engine.Viewer{Master: true}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := fight(t, true)
			for _, k := range test.known {
				k.Of = test.of.On()
				m.play(engine.Adjust{Facts: []engine.Event{engine.KnownSet{Known: k}}})
			}
			level, cell := test.who.Knows(m.b, test.of)
			if level != test.want || (cell != nil) != test.cell && level != engine.Unknown {
				t.Fatalf("level %d, cell %v; want %d, %v", level, cell, test.want, test.cell)
			}
			seen := engine.See(m.b, test.who).Actor(test.of)
			if (seen != nil) != (test.want != engine.Unknown) {
				t.Fatalf("in the view: %+v", seen)
			}
			if test.cell && (seen.Pose != voxel.Pose{At: last.Floor()}) {
				t.Errorf("placed at %+v, want %v, with neither look nor posture", seen.Pose, last.Floor())
			}
		})
	}
}

// With knowledge = team a side knows what one of it knows.
func TestTeamKnowledge(t *testing.T) {
	for word, want := range map[string][]engine.ActorID{"observer": {anna}, "team": {anna, ben}} {
		m := fight(t, true, engine.Option{Name: engine.OptionKnowledge, Word: word})
		m.play(engine.Adjust{Facts: []engine.Event{engine.KnownSet{Known: engine.Known{By: ben, Of: ghost.On(), Level: engine.Seen}}}})
		v := engine.ViewerOf(m.b, anna)
		if !reflect.DeepEqual(v.Actors, want) {
			t.Errorf("%s: %v, want %v", word, v.Actors, want)
		}
		if sees := engine.See(m.b, v).Actor(ghost) != nil; sees != (word == "team") {
			t.Errorf("%s: anna sees the ghost: %v", word, sees)
		}
	}
}

// Whose things are whose: private records reach their audience and nobody else, and vanish from lists.
func TestAudiences(t *testing.T) {
	m := fight(t, true)
	private := engine.Audience{Kind: engine.ForActors, Who: []engine.ActorID{anna}}
	m.play(engine.Adjust{Facts: []engine.Event{
		engine.CondSet{Cond: engine.Cond{Name: hurt, On: cleo.On(), For: private}},
		engine.CondSet{Cond: engine.Cond{Name: bound, On: cleo.On(), With: ghost}},
		engine.ZoneSet{Zone: engine.Zone{Name: gas, By: ghost}},
		engine.ZoneSet{Zone: engine.Zone{Name: gas, For: private}},
		engine.ItemSet{Item: engine.Item{Ref: "bag", Holder: cleo, For: private}},
		engine.ItemSet{Item: engine.Item{ID: 2, Ref: "bag", Holder: anna, For: engine.Audience{Kind: engine.ForMaster}}},
	}})
	m.play(engine.Override{Ruling: engine.Ruling{What: damage, Scope: engine.Scope{Kind: engine.ScopeActor, A: ghost}}})
	type count struct{ conds, zones, items, gauges, seats, rulings int }
	of := func(v engine.Viewer) count {
		b := engine.See(m.b, v)
		secrets := 0
		for _, g := range b.Gauges {
			if g.Name == secret {
				secrets++
			}
		}
		return count{len(b.Conds), len(b.Zones), len(b.Items), secrets, len(b.Queue), len(b.Rulings)}
	}
	// Of 17 items three are the ghost's, one is anna's secret at cleo's, and the bag that only the master sees hides the stick in it.
	for name, test := range map[string]struct {
		who  engine.Viewer
		want count
	}{
		"spectator": {engine.Viewer{}, count{0, 1, 10, 0, 4, 0}},
		"anna":      {engine.Viewer{Actors: []engine.ActorID{anna}}, count{1, 2, 11, 1, 4, 0}},
		"ghost":     {engine.Viewer{Actors: []engine.ActorID{ghost}}, count{1, 1, 13, 1, 5, 1}},
		"both":      {engine.Viewer{Actors: []engine.ActorID{anna, ghost}}, count{2, 2, 14, 2, 5, 1}},
		"master":    {engine.Viewer{Master: true}, count{2, 2, 16, 5, 5, 1}},
	} {
		if got := of(test.who); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
	if z := engine.See(m.b, engine.Viewer{}).Zones[0]; z.By != 0 {
		t.Errorf("the gas is %#x's", z.By)
	}
	b := engine.See(m.b, engine.Viewer{})
	if b.Version != 0 || b.Dice != [2]uint64{} || b.Serial != [2]uint32{} {
		t.Errorf("a spectator reads version %d, dice %v, serial %v", b.Version, b.Dice, b.Serial)
	}
	if master := (engine.Viewer{Master: true}); engine.See(m.b, master) != m.b {
		t.Error("the master does not see all")
	}
}

// What ends is told to those who were told of it, and nobody learns from the reason of a fact what he does not know.
func TestAudienceOfEnds(t *testing.T) {
	private := engine.Audience{Kind: engine.ForActors, Who: []engine.ActorID{anna}}
	m := lobby(t, &engine.System{Spec: sticksSpec(), Rules: scripted{do: func(*engine.Scene) {}}}, true)
	m.play(engine.Start{})
	var item engine.ItemID
	m.run(func(s *engine.Scene) {
		until := engine.Until{Kind: engine.UntilSlots, N: 1}
		s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: cleo.On(), Until: until, For: private})
		s.Emit(ruleSticks, engine.ZoneSet{Zone: engine.Zone{ID: 900, Name: gas, Until: until, For: private}})
		s.Emit(ruleSticks, engine.PlanSet{Plan: engine.Plan{ID: 901, Owner: anna.On(), Until: until, For: private}})
		item = engine.ItemID(s.NewIDFor(private))
		s.Emit(ruleSticks, engine.ItemSet{Item: engine.Item{ID: item, Ref: "bag", For: private}})
		s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: item.On()})
		s.Push(engine.FrameCheck, "x", engine.Intent{})
		s.Ask(engine.Prompt{Whose: anna, Kind: engine.PromptChoose, For: private})
		s.Ask(engine.Prompt{Kind: engine.PromptRuling})
	})
	m.does(anna, "")
	if c := m.b.CondsOn(item.On())[0]; c.ID&engine.HiddenBit == 0 {
		t.Errorf("a condition on a hidden thing is %#x", c.ID)
	}
	facts := m.run(func(s *engine.Scene) {
		s.SlotEnds()
		s.Ask(engine.Prompt{Whose: anna, Kind: engine.PromptChoose, For: private})
		s.Close("done")
		s.ClearConds(ruleSticks, item.On(), hurt, engine.ClearDone)
		s.Emit(ruleSticks, engine.ItemGone{ID: item})
		s.EmitFrom(ruleSticks, ghost.On(), engine.Tallied{Tally: engine.Tally{What: damage, On: cleo}})
	})
	ends := 0
	for _, f := range facts {
		mine := false
		switch e := f.Event.(type) {
		case engine.CondCleared, engine.ZoneCleared, engine.PlanCleared, engine.ItemGone:
			mine = true
		case engine.PromptClosed:
			mine = e.ID&engine.HiddenBit != 0
		}
		if mine {
			ends++
			if !reflect.DeepEqual(f.For, private) {
				t.Errorf("%T %+v is for %+v", f.Event, f.Event, f.For)
			}
		}
	}
	if ends != 7 {
		t.Errorf("%d ends, want two conditions, zone, plan, item and two prompts", ends)
	}
	for _, f := range engine.SeeCommit(m.past[len(m.past)-2], m.b, facts, engine.Viewer{}) {
		if _, tallied := f.Event.(engine.Tallied); tallied && f.Why == (engine.Why{Rule: ruleSticks}) {
			return
		}
	}
	t.Error("a spectator does not get the number, or gets whose doing it was")
}

// A master's word while a hidden act runs is as public as ever.
func TestMasterDuringHiddenAct(t *testing.T) {
	m := fight(t, true)
	for _, a := range []engine.ActorID{anna, ben, cleo, dora} {
		m.does(a, "")
	}
	if m.b.Top().For.Kind == engine.Everyone {
		t.Fatal("the ghost's turn is for everyone")
	}
	spectator := func() []engine.Fact {
		return engine.SeeCommit(m.past[len(m.past)-2], m.b, m.last(), engine.Viewer{})
	}
	m.play(engine.Join{Actors: []engine.Newcomer{newcomer("eve", "red", 7)}})
	if eve := m.b.ActorByKey("eve"); eve.ID&engine.HiddenBit != 0 || len(events[engine.ActorSet](spectator())) != 1 {
		t.Errorf("eve is %#x", eve.ID)
	}
	m.play(engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: hurt, On: anna.On()}}}, Reason: "because"})
	said := events[engine.Said](spectator())
	if len(said) != 1 || !strings.Contains(fmt.Sprint(said[0].Args), "because") {
		t.Errorf("said %+v", said)
	}
	if c := m.b.FindCond(anna.On(), hurt); c.ID&engine.HiddenBit != 0 {
		t.Errorf("condition %#x", c.ID)
	}
	m.play(engine.Override{Ruling: engine.Ruling{What: damage, N: 3}})
	if r := events[engine.Ruled](spectator()); len(r) != 1 || r[0].Ruling.ID&engine.HiddenBit != 0 {
		t.Errorf("ruled %+v", r)
	}
}

// To whom a fact may go.
func TestMay(t *testing.T) {
	m := fight(t, true)
	m.play(engine.Adjust{Facts: []engine.Event{engine.KnownSet{Known: engine.Known{By: ben, Of: ghost.On(), Level: engine.Heard}},
		engine.KnownSet{Known: engine.Known{By: cleo, Of: ghost.On(), Level: engine.Suspected}}}})
	who := []engine.ActorID{0, anna, ben, cleo, ghost}
	for name, test := range map[string]struct {
		aud  engine.Audience
		want []engine.ActorID
	}{
		"everyone":      {engine.Audience{}, who},
		"some":          {engine.Audience{Kind: engine.ForActors, Who: []engine.ActorID{anna, cleo}}, []engine.ActorID{anna, cleo}},
		"nobody":        {engine.Audience{Kind: engine.ForActors}, nil},
		"the master":    {engine.Audience{Kind: engine.ForMaster, Who: []engine.ActorID{anna}}, nil},
		"who knows him": {engine.Audience{Kind: engine.ForKnowers, Who: []engine.ActorID{ghost, anna}}, []engine.ActorID{anna, ben, ghost}},
	} {
		var got []engine.ActorID
		for _, a := range who {
			v := engine.Viewer{}
			if a != 0 {
				v.Actors = []engine.ActorID{a}
			}
			if v.May(m.b, &test.aud) {
				got = append(got, a)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if master := (engine.Viewer{Master: true}); !master.May(m.b, &test.aud) {
			t.Errorf("%s: not the master", name)
		}
	}
}
