package engine_test

import (
	"reflect"
	"slices"
	"testing"

	"autobattle/engine"
	"autobattle/engine/enginetest"
	"autobattle/engine/voxel"
)

// rewound is a battle as it should be after a rewind to then: the past itself but for version, clocks, serials, prompts' ids and
// what has become known.
func rewound(then, now *engine.Battle) *engine.Battle {
	want := then.Clone()
	want.Version, want.Dice, want.Serial, want.Known = now.Version, now.Dice, now.Serial, now.Known
	want.Prompts = slices.Clone(then.Prompts)
	for i := range want.Prompts {
		if i < len(now.Prompts) {
			want.Prompts[i].ID = now.Prompts[i].ID
		}
	}
	return want
}

// A rewind restores the state of the target, in whatever frame it was and is; questions that were undone stay closed; dice are new.
func TestRewind(t *testing.T) {
	m := fight(t, true)
	m.does(anna, actHold)
	m.does(ben, actGas)
	m.does(cleo, actStrike, anna) // ben's window
	m.does(ben, actStrike)
	m.does(cleo, actBlock)
	m.does(anna, actDodge)
	m.does(dora, actVolley, anna, ben)
	m.does(anna, "")
	m.play(engine.Edit{Edits: []engine.BlockEdit{{At: voxel.Pos{X: 1, Y: 5, Z: 1}, Block: voxel.FullCube("x")}}})
	m.play(engine.Override{Ruling: engine.Ruling{What: damage, N: 1}})
	m.play(engine.Remove{Actor: cleo})
	full := len(m.past)
	for to := 4; to < full; to++ {
		m := *m
		late := m.b.LivePrompts()[0]
		clock, serial := m.b.Dice, m.b.Serial
		facts := m.play(engine.Rewind{To: engine.Version(to), Target: m.past[to-1], Reason: "again"})
		if r, ok := facts[0].Event.(engine.Rewound); !ok || r.To != engine.Version(to) || r.Reason != "again" {
			t.Fatalf("to %d: the first fact is %+v", to, facts[0])
		}
		if d := enginetest.Equal(m.b, rewound(m.past[to-1], m.b)); d != "" {
			t.Fatalf("to %d: not the state of that time (-is +was):\n%s", to, d)
		}
		if m.b.Version != engine.Version(full+1) || m.b.Dice != clock || m.b.Serial[0] < serial[0] {
			t.Fatalf("to %d: version %d, dice %v after %v, serial %v after %v", to, m.b.Version, m.b.Dice, clock, m.b.Serial, serial)
		}
		for _, p := range m.b.Prompts {
			for _, b := range m.past[:full] {
				if b.Prompt(p.ID) != nil {
					t.Fatalf("to %d: prompt %d was asked before", to, p.ID)
				}
			}
		}
		m.refused(engine.Decide{Prompt: late.ID, By: late.Whose}, engine.ReasonPromptClosed)
		old := m.past[to-1].LivePrompts()[0]
		m.refused(engine.Decide{Prompt: old.ID, By: old.Whose}, engine.ReasonPromptClosed)
		p := m.b.LivePrompts()[0]
		m.play(choices(m.b, &p)[0]) // and the battle goes on
	}
}

// The same decision after a rewind throws other faces.
func TestRewindDice(t *testing.T) {
	m := fight(t, false)
	at := len(m.past)
	faces := func() [8]int16 {
		m.does(anna, actLeap)
		return events[engine.Rolled](m.last())[0].Roll.Throws[0].Faces
	}
	seen := [][8]int16{faces()}
	for range 6 {
		m.play(engine.Rewind{To: engine.Version(at), Target: m.past[at-1]})
		seen = append(seen, faces())
	}
	for i := 1; i < len(seen); i++ {
		if seen[i] != seen[0] {
			return
		}
	}
	t.Errorf("seven times the same faces: %v", seen[0])
}

// What has become known stays known, what was forgotten stays forgotten, and who comes back knows what he knew.
func TestRewindKnowledge(t *testing.T) {
	m := fight(t, true)
	know := func(by, of engine.ActorID, level engine.KnownLevel, gone bool) {
		m.play(engine.Adjust{Facts: []engine.Event{engine.KnownSet{Known: engine.Known{By: by, Of: of.On(), Level: level}, Gone: gone}}})
	}
	know(anna, cleo, engine.Unknown, false)
	know(ben, ghost, engine.Heard, false)
	target := m.b
	know(anna, cleo, 0, true)
	know(anna, ghost, engine.Seen, false)
	know(ben, ghost, engine.Seen, false)
	m.play(engine.Remove{Actor: ben})
	m.play(engine.Rewind{To: target.Version, Target: target})
	want := []engine.Known{{By: anna, Of: ghost.On(), Level: engine.Seen}, {By: ben, Of: ghost.On(), Level: engine.Heard}}
	if !reflect.DeepEqual(m.b.Known, want) {
		t.Errorf("known %+v, want %+v", m.b.Known, want)
	}
}

// In the lobby too: who joined too much leaves; what was added to the seed stays.
func TestRewindLobby(t *testing.T) {
	m := lobby(t, sticks(), false)
	m.play(engine.AddEntropy{Player: "anna", Bytes: []byte{1}})
	m.play(engine.Rewind{To: 1, Target: m.past[0]})
	if len(m.b.Actors)+len(m.b.Items)+len(m.b.Gauges) != 0 || m.b.Phase != engine.Lobby || len(m.b.Seed.Entropy) != 1 {
		t.Errorf("%+v", m.b)
	}
}

// Whoever is taken out leaves nothing behind: not his frames, his prompts, what was on him, with him or until his turn; his
// things lie where he stood, and what is in them stays in them.
func TestRemove(t *testing.T) {
	at := map[string]struct {
		play func(m *table)
		who  engine.ActorID
	}{
		"in his own turn":             {func(m *table) {}, anna},
		"in somebody's turn":          {func(m *table) {}, dora},
		"his act waits for a defence": {func(m *table) { m.does(anna, actStrike, cleo); m.does(dora, "") }, anna},
		"his defence is asked":        {func(m *table) { m.does(anna, actStrike, cleo); m.does(dora, "") }, cleo},
		"under a window":              {func(m *table) { m.does(anna, actStrike, cleo) }, anna},
		"in the window":               {func(m *table) { m.does(anna, actStrike, cleo) }, dora},
		"above the window":            {func(m *table) { m.does(anna, actStrike, cleo); m.does(dora, actStrike) }, dora},
		"below, with an act above":    {func(m *table) { m.does(anna, actStrike, cleo); m.does(dora, actStrike) }, anna},
		"one of a barrier":            {func(m *table) { m.does(anna, actVolley, ben, cleo, dora) }, ben},
		"one who has answered":        {func(m *table) { m.does(anna, actVolley, ben, cleo, dora); m.does(ben, "") }, ben},
		"the last of a barrier":       {func(m *table) { m.does(anna, actVolley, ben, cleo); m.does(ben, "") }, cleo},
		"paused":                      {func(m *table) { m.does(anna, actStrike, cleo); m.play(engine.Pause{}) }, anna},
	}
	for name, test := range at {
		t.Run(name, func(t *testing.T) {
			m := fight(t, false)
			who := test.who
			other := anna
			if who == anna {
				other = ben
			}
			m.play(engine.Adjust{Facts: []engine.Event{
				engine.CondSet{Cond: engine.Cond{Name: hurt, On: who.On()}},
				engine.CondSet{Cond: engine.Cond{Name: bound, On: other.On(), With: who}},
				engine.CondSet{Cond: engine.Cond{Name: hurt, On: other.On(), Until: engine.Until{Kind: engine.UntilTurnEnd, Whose: who, N: 1}}},
			}})
			parent := m.b.FindCond(who.On(), hurt).ID
			m.play(engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: bleeding, On: other.On(), Parent: parent}}}})
			with := m.b.FindCond(other.On(), bound).ID
			m.play(engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: bleeding, On: other.On(), Parent: with}}}})
			m.play(engine.Override{Ruling: engine.Ruling{What: damage, Scope: engine.Scope{Kind: engine.ScopePair, A: who, B: other}}})
			test.play(m)
			stood := m.b.Actor(who).Pose.At.Block()
			paused := m.b.Phase == engine.Paused
			m.play(engine.Remove{Actor: who, Reason: "left"})
			if paused {
				m.play(engine.Unpause{})
			}
			b := m.b
			sound(t, b)
			if b.Actor(who) != nil || len(b.TraitsOf(who)) != 0 || b.Gauge(who.On(), hp) != nil || b.Seat(who) != nil || len(b.Rulings) != 0 {
				t.Errorf("left of him: %v %v %v %v", b.Actor(who), b.TraitsOf(who), b.Seat(who), b.Rulings)
			}
			for _, n := range []engine.CondName{hurt, bound, bleeding} {
				if c := b.FindCond(other.On(), n); c != nil {
					t.Errorf("%s stays on the other: %+v", n, c)
				}
			}
			for _, f := range b.Frames {
				if f.Intent.By == who {
					t.Errorf("his frame stands: %+v", f)
				}
			}
			for _, p := range b.Prompts {
				if p.Whose == who && !p.Done {
					t.Errorf("he is asked: %+v", p)
				}
			}
			lying, inside := 0, 0
			for _, it := range b.Items {
				if it.Holder == 0 && it.Slot == "" && it.In == 0 && it.Cell == stood {
					lying++
				}
				if it.Holder == 0 && it.In != 0 {
					inside++
				}
			}
			if lying != 2 || inside != 1 {
				t.Errorf("%d of his things lie where he stood and %d are inside them, want 2 and 1: %+v", lying, inside, b.Items)
			}
			if len(b.LivePrompts()) == 0 {
				t.Error("nobody is asked")
			}
		})
	}
}

// Control hands an actor over; what he is asked stays asked, and he plays on.
func TestControl(t *testing.T) {
	m := fight(t, false)
	p := m.asked(anna).ID
	policies := []engine.Policy{{Kind: engine.PromptReact, Take: engine.PolicyMaster}}
	m.play(engine.Control{Actor: anna, Controller: engine.Controller{Kind: engine.ByMaster}, Policies: policies})
	policies[0].Take = engine.PolicyAsk
	if a := m.b.Actor(anna); a.Controller.Kind != engine.ByMaster || a.Policies[0].Take != engine.PolicyMaster {
		t.Errorf("%+v", a)
	}
	m.play(engine.Decide{Prompt: p, By: anna})
	m.play(engine.Control{Actor: anna, Controller: engine.Controller{Player: "anna"}})
	if a := m.b.Actor(anna); a.Controller.Player != "anna" || len(a.Policies) != 0 {
		t.Errorf("%+v", a)
	}
}

// A paused battle takes a master's corrections and nobody's decisions, and goes on where it stood.
func TestPause(t *testing.T) {
	m := fight(t, false)
	d := m.decide(anna, actLeap)
	m.play(engine.Pause{Reason: "tea"})
	m.refused(d, engine.ReasonPhase)
	m.refused(engine.TimeUp{Prompts: []engine.PromptID{d.Prompt}}, engine.ReasonPhase)
	m.play(engine.Adjust{Facts: []engine.Event{engine.GaugeSet{Gauge: engine.Gauge{On: anna.On(), Name: hp, Now: 1, Max: 6}, Before: 77}}, Reason: "so it is"})
	g := events[engine.GaugeSet](m.last())[0]
	if g.Before != 6 {
		t.Errorf("the gauge was %d before, the fact says %d", 6, g.Before)
	}
	m.play(engine.Unpause{})
	m.play(d)
}

// A master's word changes what it says, under new ids where it gives none, and keeps what it leaves out.
func TestAdjust(t *testing.T) {
	m := fight(t, false)
	look := m.b.Actor(anna).Pose.Look
	from := m.b.Actor(anna).Pose.At
	to := voxel.Pos{X: 6, Y: 1, Z: 6}.Floor()
	m.play(engine.Adjust{Reason: "so", Facts: []engine.Event{
		engine.Moved{Actor: anna, To: to},
		engine.TraitSet{Trait: engine.Trait{On: anna, Name: might, Level: 7}},
		engine.ItemSet{Item: engine.Item{Ref: "bag", Holder: ben, Slot: "off"}},
		engine.ItemSet{Item: engine.Item{Ref: "stick", Cell: voxel.Pos{X: 1}, For: engine.Audience{Kind: engine.ForMaster}}},
		engine.ZoneSet{Zone: engine.Zone{Name: gas}},
		engine.CondSet{Cond: engine.Cond{Name: down, On: cleo.On()}},
		engine.CondSet{Cond: engine.Cond{Name: down, On: cleo.On(), Level: 3}},
		engine.Queued{Seats: []engine.Seat{{ID: 1, Actor: anna}}},
		engine.CondSet{Cond: engine.Cond{Name: hurt, On: engine.ItemID(4).On()}},
	}})
	b := m.b
	if a := b.Actor(anna); a.Pose.At != to || a.Pose.Look != look {
		t.Errorf("anna stands %+v", a.Pose)
	}
	if mv := events[engine.Moved](m.last())[0]; mv.From != from {
		t.Errorf("moved from %v, she stood at %v", mv.From, from)
	}
	if l, has := b.Trait(anna, might); l != 7 || !has {
		t.Errorf("might %d", l)
	}
	if it := b.ItemAt(ben, "off"); it == nil || it.ID == 0 || it.ID&engine.HiddenBit != 0 {
		t.Errorf("ben holds %+v", it)
	}
	if last := b.Items[len(b.Items)-1]; last.ID&engine.HiddenBit == 0 || last.Ref != "stick" {
		t.Errorf("the hidden thing is %+v", last)
	}
	if len(b.Zones) != 1 || b.Zones[0].ID == 0 || len(b.CondsOn(cleo.On())) != 1 || b.FindCond(cleo.On(), down).Level != 3 || len(b.Queue) != 1 {
		t.Errorf("zones %+v, conditions %+v, queue %+v", b.Zones, b.CondsOn(cleo.On()), b.Queue)
	}
	m.play(engine.Adjust{Facts: []engine.Event{engine.ItemGone{ID: 4}, engine.ZoneCleared{ID: b.Zones[0].ID}, engine.TraitSet{Trait: engine.Trait{On: anna, Name: might}, Gone: true}}})
	if m.b.Item(4) != nil || len(m.b.CondsOn(engine.ItemID(4).On())) != 0 || len(cleared(m.last())) != 1 || len(m.b.Zones) != 0 {
		t.Error("not all is gone")
	}
	if _, has := m.b.Trait(anna, might); has {
		t.Error("might stays")
	}
}

// A newcomer brings his sheet: things inside things, counters, and what outlived another battle, under new ids.
func TestJoin(t *testing.T) {
	m := fight(t, false)
	n := newcomer("eve", "red", 7)
	n.Character = engine.CharacterRef{ID: "c", Rev: 4}
	n.Gauges = []engine.NewGauge{{Name: breath, Now: -2}}
	n.Conds = []engine.Cond{{ID: 4, Name: hurt, Level: 2, Cause: 9, On: ben.On(), With: ben, Source: ben.On(), Until: engine.Until{Kind: engine.UntilKept, N: 24}},
		{Name: bleeding, Parent: 1, Until: engine.Until{Kind: engine.UntilTurnEnd, N: 7}}, {Name: bleeding, Parent: 3}}
	m.play(engine.Join{Actors: []engine.Newcomer{n}})
	eve := m.b.ActorByKey("eve")
	if eve.Character != n.Character || eve.Body != "human" || m.b.Seat(eve.ID) == nil {
		t.Errorf("%+v", eve)
	}
	bag := m.b.ItemAt(eve.ID, "back")
	inside := 0
	for it := range m.b.ItemsIn(bag.ID) {
		inside++
		if it.Ref != "stick" || it.Holder != eve.ID || m.b.GaugeNow(it.ID.On(), breath) != 3 {
			t.Errorf("in the bag: %+v", it)
		}
	}
	held := 0
	for range m.b.ItemsOf(eve.ID) {
		held++
	}
	if inside != 1 || held != 3 {
		t.Errorf("%d things in the bag, %d in all", inside, held)
	}
	cs := m.b.CondsOn(eve.ID.On())
	kept := engine.Until{Kind: engine.UntilKept}
	want := []engine.Cond{{ID: cs[0].ID, Name: hurt, On: eve.ID.On(), Level: 2, Until: engine.Until{Kind: engine.UntilKept, N: 24}},
		{ID: cs[1].ID, Name: bleeding, On: eve.ID.On(), Parent: cs[0].ID, Until: engine.Until{Kind: engine.UntilKept, N: 7}}, {ID: cs[2].ID, Name: bleeding, On: eve.ID.On(), Until: kept}}
	if !reflect.DeepEqual(cs, want) {
		t.Errorf("conditions %+v, want %+v", cs, want)
	}
}

// Blocks that change are there for whoever asks next, in every battle that comes from there, and nowhere else.
func TestBlocks(t *testing.T) {
	m := fight(t, false)
	before, at := m.b, voxel.Pos{X: 5, Y: 5, Z: 5}
	name := func(b *engine.Battle) string { return engine.WorldOf(b, m.world).Block(at).Name }
	m.play(engine.Edit{Edits: []engine.BlockEdit{{At: at, Block: voxel.FullCube("crate"), Wear: 2}}})
	one := m.b
	m.play(engine.Edit{Edits: []engine.BlockEdit{{At: at, Block: voxel.FullCube("rubble")}}})
	two := m.b
	m.play(engine.Edit{Gone: []voxel.Pos{at}})
	if a, b, c, d := name(before), name(one), name(two), name(m.b); a != "air" || b != "crate" || c != "rubble" || d != "air" {
		t.Errorf("%s, %s, %s, %s", a, b, c, d)
	}
	if engine.WorldOf(one, m.world) != engine.WorldOf(one, m.world) {
		t.Error("the world is built anew each time")
	}
	if other := arena(t); engine.WorldOf(one, other) == engine.WorldOf(one, m.world) || engine.WorldOf(one, other).Block(at).Name != "crate" {
		t.Error("another arena gives the world of the first")
	}
	if engine.WorldOf(one, nil) != nil {
		t.Error("no arena, and yet a world")
	}
}

// A command may be changed by its sender afterwards; the battle and the facts may not.
func TestCommandsAreCopied(t *testing.T) {
	teams := []engine.Team{{ID: "red"}}
	m := &table{t: t, sys: sticks()}
	m.play(engine.Open{Ruleset: "sticks", Teams: teams})
	teams[0].ID = "changed"
	bytes := []byte{1}
	m.play(engine.AddEntropy{Player: "a", Bytes: bytes})
	bytes[0] = 2
	n := newcomer("a", "red", 1)
	n.Policies = []engine.Policy{{Kind: engine.PromptReact, Take: engine.PolicyDefault}}
	m.play(engine.Join{Actors: []engine.Newcomer{n}})
	n.Policies[0].Kind = engine.PromptTurn
	if m.b.Teams[0].ID != "red" || m.b.Seed.Entropy[0].Bytes[0] != 1 || m.b.Actors[0].Policies[0].Kind != engine.PromptReact {
		t.Errorf("teams %v, entropy %v, policies %v", m.b.Teams, m.b.Seed.Entropy, m.b.Actors[0].Policies)
	}
	f := fight(t, false)
	d := f.decide(anna, actStrike, cleo)
	d.Poses = []engine.SeenPose{{Actor: anna, Pose: f.b.Actor(anna).Pose}}
	f.play(d)
	if d.Intents[0].By != 0 {
		t.Error("the decision that was sent was written into")
	}
}
