package engine_test

import (
	"testing"

	"pgregory.net/rapid"

	"autobattle/engine"
	"autobattle/engine/enginetest"
)

// fixed are the parts of a battle that no later fact changes, and the commit's header.
func fixed(from, to *engine.Battle) {
	to.Version, to.Dice, to.Serial, to.Title, to.Teams = from.Version, from.Dice, from.Serial, from.Title, from.Teams
	to.Seed.Commitment, to.Seed.Entropy = from.Seed.Commitment, from.Seed.Entropy
}

func facts(events []engine.Event) []engine.Fact {
	out := make([]engine.Fact, len(events))
	for i, e := range events {
		out[i].Event = e
	}
	return out
}

// Any state can be reached from any other by setting facts. A new field of the state that no fact carries fails here.
func TestDiff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := someBattle(t), someBattle(t)
		switch rapid.IntRange(0, 2).Draw(t, "kin") {
		case 0: // close kin: most tables the same
			c := *a
			c.Conds, c.Items, c.Frames, c.Phase, c.Outcome, c.Seed = b.Conds, b.Items, b.Frames, b.Phase, b.Outcome, b.Seed
			b = &c
		case 1:
			c := *a
			c.Actors, c.Prompts, c.Blocks, c.Queue = b.Actors, b.Prompts, b.Blocks, b.Queue
			b = &c
		}
		before := a.Clone()
		got := a.Clone()
		engine.FoldFacts(got, facts(engine.Diff(a, b)))
		want := *b
		fixed(a, &want)
		if d := enginetest.Equal(got, &want); d != "" {
			t.Fatalf("Diff does not lead there (-got +want):\n%s", d)
		}
		if d := enginetest.Equal(a, before); d != "" {
			t.Fatalf("the battle it came from changed:\n%s", d)
		}
		if again := engine.Diff(got, b); len(again) != 0 {
			t.Fatalf("there already, and yet: %#v", again)
		}
		if same := engine.Diff(b, b); len(same) != 0 {
			t.Fatalf("from a battle to itself: %#v", same)
		}
	})
}

// A battle that is being folded and one taken from it in between do not share what is written.
func TestCloneWhileFolding(t *testing.T) {
	m := fight(t, false)
	m.does(anna, actHold)
	m.does(ben, actHold)
	m.does(cleo, actGas)
	b := &engine.Battle{}
	for i := range m.log {
		if i > 0 {
			copied, seen := b.Clone(), engine.See(b, engine.Viewer{Actors: []engine.ActorID{anna}})
			want := m.past[i-1]
			engine.Fold(b, &m.log[i])
			if d := enginetest.Equal(copied, want); d != "" {
				t.Fatalf("a clone changed with the battle it came from, at commit %d:\n%s", i, d)
			}
			if d := enginetest.Equal(seen, engine.See(want, engine.Viewer{Actors: []engine.ActorID{anna}})); d != "" {
				t.Fatalf("a view changed with the battle it came from, at commit %d:\n%s", i, d)
			}
			continue
		}
		engine.Fold(b, &m.log[i])
	}
}
