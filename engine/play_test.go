package engine_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"autobattle/engine"
	"autobattle/engine/enginetest"
	"autobattle/engine/voxel"
)

// choices are answers that the rules of sticks take.
func choices(b *engine.Battle, p *engine.Prompt) []engine.Decide {
	var ins []engine.Intent
	v := engine.See(b, engine.ViewerOf(b, p.Whose))
	switch p.Kind {
	case engine.PromptTurn:
		ins = append(ins, intent(actLeap), intent(actHold), intent(actGas), intent(actHide), intent(actSheet))
		var at []engine.ActorID
		for i := range v.Actors {
			if a := v.Actors[i].ID; a != p.Whose && fit(v, a) {
				at = append(at, a)
				ins = append(ins, intent(actStrike, a), intent(actStrike, a))
			}
		}
		if len(at) > 0 {
			ins = append(ins, intent(actVolley, at...), intent(actVolley, at[0]))
		}
	case engine.PromptDefend:
		ins = append(ins, intent(actDodge), intent(actBlock))
	case engine.PromptReact:
		ins = append(ins, intent(actStrike))
	}
	var out []engine.Decide
	for _, in := range ins {
		out = append(out, engine.Decide{Prompt: p.ID, By: p.Whose, Intents: []engine.Intent{in}})
	}
	if !p.Must {
		out = append(out, engine.Decide{Prompt: p.ID, By: p.Whose})
	}
	if p.Kind == engine.PromptTurn {
		out = append(out, engine.Decide{Prompt: p.ID, By: p.Whose, Lines: []engine.Line{{Slot: 1, Variants: []engine.Variant{{Do: intent(actStrike)}}}}})
	}
	return out
}

// sensible draws a command that is likely to be taken.
func sensible(t *rapid.T, m *table) engine.Command {
	b := m.b
	live := b.LivePrompts()
	switch b.Phase {
	case engine.Paused:
		return engine.Unpause{}
	case engine.Running:
		if n := rapid.IntRange(0, 99).Draw(t, "what"); n < 70 {
			p := rapid.SampledFrom(live).Draw(t, "prompt")
			if p.Kind != engine.PromptRuling {
				return rapid.SampledFrom(choices(b, &p)).Draw(t, "choice")
			}
		} else if n < 75 {
			return engine.TimeUp{Prompts: []engine.PromptID{live[0].ID}}
		}
	}
	actor := func() engine.ActorID {
		if len(b.Actors) == 0 {
			return 0
		}
		return rapid.SampledFrom(b.Actors).Draw(t, "actor").ID
	}
	switch rapid.IntRange(0, 11).Draw(t, "master") {
	case 0:
		return engine.Pause{Reason: "tea"}
	case 1:
		if to := rapid.IntRange(3, len(m.past)).Draw(t, "to"); to < len(m.past) {
			return engine.Rewind{To: engine.Version(to), Target: m.past[to-1]}
		}
	case 2:
		if len(b.Actors) > 2 && rapid.Bool().Draw(t, "really") {
			return engine.Remove{Actor: actor()}
		}
	case 3:
		n := newcomer("new"+string(rune('a'+len(m.log)%26))+string(rune('a'+len(m.log)/26)), rapid.SampledFrom([]engine.TeamID{"red", "blue"}).Draw(t, "team"), 6)
		if rapid.Bool().Draw(t, "hidden") {
			n.For = engine.Audience{Kind: engine.ForKnowers}
			n.Name = "Ghost"
		}
		if len(b.Actors) < 8 {
			return engine.Join{Actors: []engine.Newcomer{n}}
		}
	case 4:
		a := actor()
		return engine.Adjust{Facts: []engine.Event{
			engine.KnownSet{Known: engine.Known{By: actor(), Of: a.On(), Level: engine.KnownLevel(rapid.IntRange(0, 4).Draw(t, "level")), Cell: voxel.Pos{X: 1, Y: 1, Z: 1}},
				Gone: rapid.Bool().Draw(t, "gone")}}}
	case 5:
		a := actor()
		return engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: rapid.SampledFrom([]engine.CondName{bound, hurt, focus}).Draw(t, "cond"), On: a.On(), With: actor(),
			Source: actor().On(), Until: engine.Until{Kind: engine.UntilTurnEnd, Whose: actor(), N: 2},
			For: rapid.SampledFrom([]engine.Audience{{}, {Kind: engine.ForMaster}, {Kind: engine.ForActors, Who: []engine.ActorID{a}}}).Draw(t, "for")}}}}
	case 6:
		var facts []engine.Event
		for i := range b.Items {
			it := b.Items[i]
			it.For = rapid.SampledFrom([]engine.Audience{{}, {Kind: engine.ForMaster}}).Draw(t, "for")
			if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
				it.Holder = actor()
				facts = append(facts, engine.ItemSet{Item: it})
			}
		}
		if len(facts) > 0 {
			return engine.Adjust{Facts: facts}
		}
	case 7:
		return engine.Override{Ruling: engine.Ruling{What: damage, N: 2, Scope: engine.Scope{Kind: engine.ScopePair, A: actor(), B: actor()}}}
	case 8:
		return engine.Edit{Edits: []engine.BlockEdit{{At: voxel.Pos{X: rapid.Int32Range(0, 15).Draw(t, "x"), Y: 9, Z: 3}, Block: voxel.FullCube("new")}}}
	case 9:
		a := b.Actor(actor())
		if a != nil {
			return engine.Adjust{Facts: []engine.Event{engine.Posed{Actor: a.ID, Look: voxel.Look{X: 1}, Posture: voxel.Crouching},
				engine.Moved{Actor: a.ID, To: voxel.Pos{X: 2, Y: 1, Z: 2}.Floor()}}}
		}
	case 10:
		a := actor()
		return engine.Adjust{Facts: []engine.Event{engine.ZoneSet{Zone: engine.Zone{Name: gas, By: a, Carrier: a.On(),
			For: rapid.SampledFrom([]engine.Audience{{}, {Kind: engine.ForActors, Who: []engine.ActorID{a}}}).Draw(t, "for")}}}}
	case 11:
		return engine.Control{Actor: actor(), Controller: engine.Controller{Kind: engine.ByMaster}, Policies: []engine.Policy{{Kind: engine.PromptDefend, Take: engine.PolicyDefault}}}
	}
	return engine.Say{Text: "hm"}
}

// nonsense draws a command with anything in it.
func nonsense(t *rapid.T, m *table) engine.Command {
	var event engine.Event
	switch rapid.IntRange(0, 13).Draw(t, "event") {
	case 0:
		event = filled[engine.CondSet](t)
	case 1:
		event = filled[engine.CondCleared](t)
	case 2:
		event = filled[engine.ItemSet](t)
	case 3:
		event = filled[engine.ItemGone](t)
	case 4:
		event = filled[engine.ZoneSet](t)
	case 5:
		event = filled[engine.GaugeSet](t)
	case 6:
		event = filled[engine.TraitSet](t)
	case 7:
		event = filled[engine.KnownSet](t)
	case 8:
		event = filled[engine.Moved](t)
	case 9:
		event = filled[engine.Posed](t)
	case 10:
		event = filled[engine.Queued](t)
	case 11:
		event = filled[engine.ZoneCleared](t)
	case 12:
		event = filled[engine.Framed](t)
	}
	switch rapid.IntRange(0, 17).Draw(t, "command") {
	case 0:
		return filled[engine.Open](t)
	case 1:
		return filled[engine.Join](t)
	case 2:
		return filled[engine.AddEntropy](t)
	case 3:
		return engine.Start{}
	case 4, 5:
		d := filled[engine.Decide](t)
		if live := m.b.LivePrompts(); len(live) > 0 {
			d.Prompt, d.By = live[0].ID, live[0].Whose
		}
		return d
	case 6:
		return filled[engine.Decide](t)
	case 7:
		return filled[engine.TimeUp](t)
	case 8:
		return filled[engine.Override](t)
	case 9:
		e := filled[engine.Edit](t)
		return e
	case 10:
		return filled[engine.Control](t)
	case 11:
		c := filled[engine.Remove](t)
		if len(m.b.Actors) < 3 {
			c.Actor = 0
		}
		return c
	case 12:
		r := engine.Rewind{To: filled[engine.Version](t), Same: rapid.Bool().Draw(t, "same"), Reason: "?"}
		if len(m.past) > 0 {
			r.Target = rapid.SampledFrom(m.past).Draw(t, "target")
		}
		return r
	case 13:
		return filled[engine.Say](t)
	case 14:
		return engine.Pause{}
	default:
		return engine.Adjust{Facts: []engine.Event{event, event}}
	}
}

// viewers are everybody who may look on: each actor's player, two together, nobody's.
func viewers(b *engine.Battle) []engine.Viewer {
	out := []engine.Viewer{{}, {Master: true}}
	for i := range b.Actors {
		out = append(out, engine.Viewer{Actors: []engine.ActorID{b.Actors[i].ID}})
	}
	return append(out, engine.Viewer{Actors: []engine.ActorID{anna, ghost}})
}

// watchers fold the stream of every viewer.
type watchers struct {
	who  []engine.Viewer
	sees []*engine.Battle
}

func (w *watchers) follow(t enginetest.TB, before, after *engine.Battle, c *engine.Commit) {
	t.Helper()
	for _, v := range viewers(before) {
		if !slices.ContainsFunc(w.who, func(o engine.Viewer) bool { return reflect.DeepEqual(o, v) }) {
			w.who, w.sees = append(w.who, v), append(w.sees, engine.See(before, v).Clone())
		}
	}
	for i, v := range w.who {
		facts := engine.SeeCommit(before, after, c.Facts, v)
		engine.FoldFacts(w.sees[i], facts)
		want := engine.See(after, v)
		if v.Master {
			want = after.Clone()
			fixed(w.sees[i], want)
		}
		want.Seed.Entropy = w.sees[i].Seed.Entropy
		if d := enginetest.Equal(w.sees[i], want); d != "" {
			t.Fatalf("version %d, %T: the stream of %+v does not give his view (-stream +view):\n%s", after.Version, c.Command, v, d)
		}
		nothingHidden(t, before, after, want, facts, v)
	}
}

// nothingHidden looks through all that a viewer gets for actors that he does not know and for things that are hidden from him.
func nothingHidden(t enginetest.TB, before, after, view *engine.Battle, facts []engine.Fact, v engine.Viewer) {
	t.Helper()
	if v.Master {
		return
	}
	had := engine.See(before, v)
	check := func(what any) func(string, uint32) {
		return func(typ string, id uint32) {
			bad := false
			switch typ {
			case "ActorID":
				a := engine.ActorID(id)
				there := before.Actor(a) != nil || after.Actor(a) != nil
				bad = there && view.Actor(a) == nil && had.Actor(a) == nil
			case "", "uint32":
				return
			}
			// Whoever looks on and owns nobody reads no number of a hidden thing, unless it has come to light.
			if len(v.Actors) == 0 && id&engine.HiddenBit != 0 {
				bad = bad || !has(view, typ, id) && !has(had, typ, id)
			}
			if bad {
				t.Fatalf("version %d: %+v gets %s %#x, which is hidden from him, in %T %+v", after.Version, v, typ, id, what, what)
			}
		}
	}
	for i := range facts {
		walk(reflect.ValueOf(&facts[i].Event), check(facts[i].Event))
		walk(reflect.ValueOf(&facts[i].Why), check(facts[i]))
		if len(v.Actors) == 0 {
			if s, ok := facts[i].Event.(engine.ActorSet); ok && strings.Contains(s.Actor.Name, "Ghost") && view.Actor(s.Actor.ID) == nil {
				t.Fatalf("version %d: a spectator reads of %s", after.Version, s.Actor.Name)
			}
		}
	}
	walk(reflect.ValueOf(view), check(view))
}

// has reports whether a battle has a thing of a type.
func has(b *engine.Battle, typ string, id uint32) bool {
	switch typ {
	case "ActorID":
		return b.Actor(engine.ActorID(id)) != nil
	case "ItemID":
		return b.Item(engine.ItemID(id)) != nil
	case "CondID":
		return b.Cond(engine.CondID(id)) != nil
	case "ZoneID":
		return b.Zone(engine.ZoneID(id)) != nil
	case "PlanID":
		return b.Plan(engine.PlanID(id)) != nil
	case "SeatID":
		return slices.ContainsFunc(b.Queue, func(s engine.Seat) bool { return uint32(s.ID) == id })
	}
	return false
}

// sound checks what must hold of every battle.
func sound(t enginetest.TB, b *engine.Battle) {
	t.Helper()
	for i := range b.Conds {
		c := &b.Conds[i]
		if c.Parent != 0 && b.Cond(c.Parent) == nil {
			t.Fatalf("condition %+v: its parent is gone", c)
		}
	}
	for i := range b.Frames {
		under := engine.FrameID(0)
		if i > 0 {
			under = b.Frames[i-1].ID
		}
		if b.Frames[i].Under != under {
			t.Fatalf("frame %d stands on %d, says %d", b.Frames[i].ID, under, b.Frames[i].Under)
		}
	}
	for i := range b.Prompts {
		if b.Frame(b.Prompts[i].Frame) == nil {
			t.Fatalf("prompt %+v belongs to no frame", b.Prompts[i])
		}
	}
	for i := range b.Items {
		if it := &b.Items[i]; it.Holder != 0 && b.Actor(it.Holder) == nil {
			t.Fatalf("item %+v is held by nobody", it)
		}
	}
	if b.Phase == engine.Over && len(b.Frames)+len(b.Prompts) > 0 {
		t.Fatalf("over, with %d frames and %d prompts", len(b.Frames), len(b.Prompts))
	}
}

// campaign plays a battle of drawn commands and checks everything at every commit.
func campaign(t *rapid.T, foolish int) {
	m := lobby(t, sticks(), rapid.Bool().Draw(t, "ghost"), engine.Option{Name: optionRounds, N: 100})
	m.seed = [32]byte{byte(rapid.IntRange(0, 255).Draw(t, "seed"))}
	m.play(engine.Start{})
	w := &watchers{}
	for range rapid.IntRange(1, 30).Draw(t, "steps") {
		if m.b.Phase == engine.Over {
			break
		}
		var c engine.Command
		if rapid.IntRange(0, 99).Draw(t, "sense") < foolish {
			c = nonsense(t, m)
		} else {
			c = sensible(t, m)
		}
		before := m.b
		if no := m.try(c); no != nil {
			if no.Error() == "" || no.Reason == "" {
				t.Fatalf("%T: a refusal without a word", c)
			}
			continue
		}
		w.follow(t, before, m.b, &m.log[len(m.log)-1])
		sound(t, m.b)
	}
	if d := enginetest.Equal(engine.Replay(slices.Values(m.log)), m.b); d != "" {
		t.Fatalf("replay differs from what was played (-replay +played):\n%s", d)
	}
}

// Whatever is decided: Step is pure, replay is exact, each viewer's stream gives his view, and nothing hidden is in it.
func TestCampaign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { campaign(t, 0) })
}

// Whatever is sent: a refusal or a sound battle, never a panic.
func TestNonsense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { campaign(t, 50) })
}

func FuzzCampaign(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { campaign(t, 30) }))
}
