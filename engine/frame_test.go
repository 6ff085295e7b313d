package engine_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"autobattle/engine"
)

// held are the prompts that are open and not live.
func held(b *engine.Battle) (out []engine.Prompt) {
	for _, p := range b.Prompts {
		if p.Frame != b.Top().ID {
			out = append(out, p)
		}
	}
	return out
}

// A window above an act: its yes answers are played by rank, and the act below is checked again before it goes on.
func TestWindow(t *testing.T) {
	m := fight(t, false)
	m.does(anna, actStrike, cleo)
	if n := len(m.b.Frames); n != 4 || m.b.Top().Kind != engine.FrameWindow {
		t.Fatalf("%d frames, top %+v; want battle, turn, act, window", n, m.b.Top())
	}
	if live := m.b.LivePrompts(); len(live) != 1 || live[0].Whose != dora {
		t.Fatalf("live: %+v, want dora's reaction", live)
	}
	m.does(dora, actStrike)
	if by := m.b.Top().Intent.By; by != dora || len(m.b.Frames) != 5 {
		t.Fatalf("%d frames, top by %d; want dora's act on top", len(m.b.Frames), by)
	}
	m.faces = "++++ ----" // dora strikes anna down: 2+4 against 1-4
	m.does(anna, actDodge)
	if !m.b.HasCond(anna.On(), down) {
		t.Fatal("anna still stands")
	}
	var ends []engine.OutcomeName
	for _, u := range events[engine.Unframed](m.last()) {
		ends = append(ends, u.Outcome)
	}
	if want := []engine.OutcomeName{"done", "done", void, "ended"}; !reflect.DeepEqual(ends, want) {
		t.Fatalf("frames closed: %v, want dora's act, the window, anna's act, her turn: %v", ends, want)
	}
	for _, p := range events[engine.Prompted](m.last()) {
		if p.Prompt.Whose == cleo && p.Prompt.Kind == engine.PromptDefend {
			t.Fatalf("cleo is asked to defend against somebody who is down: %+v", p)
		}
	}
}

// Prompts below a frame are held; when it goes they live again, and answers to them are taken.
func TestHeldAndRevived(t *testing.T) {
	m := scene(t, func(s *engine.Scene) {
		s.Ask(engine.Prompt{Whose: anna, Kind: engine.PromptTurn, Ask: "below"})
		s.Push(engine.FrameWindow, "w", engine.Intent{})
		s.Ask(engine.Prompt{Kind: engine.PromptRuling, Ask: "above"})
	})
	if got := held(m.b); len(got) != 1 || got[0].Ask != "below" {
		t.Fatalf("held: %+v", got)
	}
	below := held(m.b)[0]
	m.refused(engine.Decide{Prompt: below.ID, By: anna}, engine.ReasonPromptHeld)
	m.refused(engine.TimeUp{Prompts: []engine.PromptID{below.ID}}, engine.ReasonPromptClosed)
	m.run(func(s *engine.Scene) { s.Close("done") })
	if live := m.b.LivePrompts(); len(live) != 1 || live[0].ID != below.ID {
		t.Fatalf("live after the window: %+v, want %d again", live, below.ID)
	}
	if asked := events[engine.Prompted](m.last()); len(asked) != 0 {
		t.Fatalf("asked again: %+v", asked)
	}
	m.play(engine.Decide{Prompt: below.ID, By: anna})
}

// Closing a frame withdraws what it asks and ends what lasted until it closed, with what falls with that.
func TestClose(t *testing.T) {
	var inner engine.FrameID
	var parent, child, other engine.CondID
	m := scene(t, func(s *engine.Scene) {
		s.Push(engine.FrameAct, "a", engine.Intent{By: anna})
		s.Push(engine.FrameWindow, "w", engine.Intent{})
		inner = s.Top().ID
		until := engine.Until{Kind: engine.UntilFrame, Frame: inner}
		parent = s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: anna.On(), Until: until})
		child = s.SetCond(ruleSticks, engine.Cond{Name: bleeding, On: ben.On(), Parent: parent})
		other = s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: ben.On(), Until: engine.Until{Kind: engine.UntilFrame, Frame: s.Top().Under}})
		s.Emit(ruleSticks, engine.ZoneSet{Zone: engine.Zone{ID: engine.ZoneID(s.NewID()), Name: gas, Until: until}})
		s.Emit(ruleSticks, engine.PlanSet{Plan: engine.Plan{ID: engine.PlanID(s.NewID()), Owner: anna.On(), Until: until}})
		s.Emit(ruleSticks, engine.Ruled{Ruling: engine.Ruling{ID: engine.RulingID(s.NewID()), What: damage, Until: until}})
		s.Ask(engine.Prompt{Whose: cleo, Kind: engine.PromptChoose, Ask: "x"})
		s.Ask(engine.Prompt{Kind: engine.PromptRuling, Ask: "go"})
	})
	// The window waits for cleo and for the master: cleo answers, then the master's answer runs the script.
	m.does(cleo, "")
	facts := m.run(func(s *engine.Scene) {
		s.Ask(engine.Prompt{Whose: dora, Kind: engine.PromptChoose, Ask: "y"})
		s.Close("enough")
	})
	var order []engine.CondID
	for _, c := range events[engine.CondCleared](facts) {
		order = append(order, c.ID)
	}
	if !reflect.DeepEqual(order, []engine.CondID{child, parent}) {
		t.Errorf("cleared %v, want the child %d, then the parent %d", order, child, parent)
	}
	if why := events[engine.CondCleared](facts); why[0].Why != engine.ClearParent || why[1].Why != engine.ClearExpired {
		t.Errorf("cleared because %d, %d", why[0].Why, why[1].Why)
	}
	if m.b.Cond(other) == nil {
		t.Error("a condition of the frame below ended")
	}
	if len(m.b.Zones)+len(m.b.Plans)+len(m.b.Rulings) != 0 {
		t.Errorf("left: %+v %+v %+v", m.b.Zones, m.b.Plans, m.b.Rulings)
	}
	if un := events[engine.Unframed](facts); len(un) != 1 || un[0].ID != inner || un[0].Outcome != "enough" {
		t.Errorf("unframed %+v", un)
	}
	closed := events[engine.PromptClosed](facts)
	if last := closed[len(closed)-1]; last.Why != engine.PromptWithdrawn || m.b.Prompt(last.ID) != nil {
		t.Errorf("dora's prompt: %+v", last)
	}
}

// A frame that opens and closes within one commit leaves no trace; one that stays is written once.
func TestFramesWritten(t *testing.T) {
	m := scene(t, func(s *engine.Scene) {
		s.Push(engine.FrameCheck, "gone", engine.Intent{})
		s.Close("done")
		s.Push(engine.FrameCheck, "stays", engine.Intent{})
		s.Top().Set(varReacts, anna, 3)
		s.Top().Set(varReacts, anna, 4)
		s.Ask(engine.Prompt{Kind: engine.PromptRuling, Ask: "go"})
	})
	var steps []engine.StepName
	for _, f := range events[engine.Framed](m.last()) {
		steps = append(steps, f.Frame.Step)
	}
	if !reflect.DeepEqual(steps, []engine.StepName{"again", "stays"}) && !reflect.DeepEqual(steps, []engine.StepName{engine.StepRoot, "stays"}) {
		t.Errorf("framed %v", steps)
	}
	if un := events[engine.Unframed](m.last()); len(un) != 0 {
		t.Errorf("unframed %+v", un)
	}
	f := m.b.Top()
	if f.Get(varReacts, anna) != 4 || f.Get(varReacts, ben) != 0 || len(f.Vars) != 1 {
		t.Errorf("vars %+v", f.Vars)
	}
	// Two goes from the same battle do not write into each other's frames.
	from := m.b
	change := func(n int64) *engine.Battle {
		m.b = from
		m.run(func(s *engine.Scene) {
			top := s.Top()
			top.Set(varReacts, anna, n)
			top.Vars = append(top.Vars, engine.Var{Name: "x", N: n})
			top.Intent.Mods = append(top.Intent.Mods, engine.ModName(rune('a'+n)))
		})
		return m.b
	}
	one, two := change(1), change(2)
	if one.Top().Get(varReacts, anna) != 1 || one.Top().Get("x", 0) != 1 || one.Top().Intent.Mods[0] != "b" || two.Top().Get("x", 0) != 2 {
		t.Errorf("one %+v, two %+v", one.Top(), two.Top())
	}
	if from.Top().Get(varReacts, anna) != 4 {
		t.Errorf("the battle before: %+v", from.Top().Vars)
	}
}

// Lists of a kept roll belong to the battle they are in, whatever rules append to them or write into them.
func TestKeptRolls(t *testing.T) {
	m := scene(t, func(s *engine.Scene) {
		s.Push(engine.FrameAct, "a", engine.Intent{})
		f := s.Top()
		f.Rolls = []engine.Roll{{ID: 1, Mods: append(make([]engine.Mod, 0, 8), engine.Mod{Name: "m"}), After: make([]engine.Mod, 0, 8)}}
		s.Ask(engine.Prompt{Kind: engine.PromptRuling, Ask: "go"})
	})
	from := m.b
	change := func(name engine.ModName) *engine.Battle {
		m.b = from
		m.run(func(s *engine.Scene) {
			r := s.Top().Roll(1)
			r.After = append(r.After, engine.Mod{Name: name})
			r.Mods[0].Void = name == "one"
		})
		return m.b
	}
	one, two := change("one"), change("two")
	if a, b := one.Top().Roll(1), two.Top().Roll(1); a.After[0].Name != "one" || b.After[0].Name != "two" || !a.Mods[0].Void || b.Mods[0].Void {
		t.Errorf("one %+v, two %+v", a, b)
	}
	if from.Top().Roll(1).Mods[0].Void {
		t.Error("the battle before changed")
	}
}

// Whoever answers first, what follows is the same: facts, faces and all.
func TestBarrier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := fight(t, false)
		m.seed[0] = rapid.Byte().Draw(t, "seed")
		m.does(anna, actVolley, ben, cleo, dora)
		from := *m
		answers := []engine.ActName{actDodge, actBlock, ""}
		who := []engine.ActorID{ben, cleo, dora}
		plan := rapid.SliceOfN(rapid.SampledFrom(answers), 3, 3).Draw(t, "answers")
		var want []engine.Fact
		var end *engine.Battle
		for round, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			n := from
			for i, k := range order {
				d := n.decide(who[k], plan[k])
				if i < 2 && rapid.Bool().Draw(t, "first thought") { // sealed answers may be replaced until the last comes
					n.does(who[k], rapid.SampledFrom(answers).Draw(t, "thought"))
				}
				n.play(d)
			}
			facts := n.last()[1:] // after Answered
			if round == 0 {
				want, end = facts, n.b
				continue
			}
			for i := range facts {
				if i >= len(want) || !reflect.DeepEqual(facts[i], want[i]) {
					t.Fatalf("order %v: fact %d is %+v, want %+v", order, i, facts[i], want[i])
				}
			}
			if len(facts) != len(want) || !reflect.DeepEqual(n.b.Conds, end.Conds) || !reflect.DeepEqual(n.b.Gauges, end.Gauges) || n.b.Dice != end.Dice || n.b.Serial != end.Serial {
				t.Fatalf("order %v ends in another state", order)
			}
		}
		// By rank, not by id: sticks ranks later actors first.
		var by []engine.ActorID
		for _, f := range events[engine.Rolled](want) {
			if f.Roll.Why == "defence" {
				by = append(by, f.Roll.By)
			}
		}
		if !reflect.DeepEqual(by, []engine.ActorID{dora, cleo, ben}) && !m.b.HasCond(anna.On(), down) && len(by) == 3 {
			t.Fatalf("defences of %v, want by rank: dora, cleo, ben", by)
		}
	})
}

// A sealed answer is its owner's alone, and so is the fact that it came; nobody may change it after the last.
func TestSealed(t *testing.T) {
	m := fight(t, false)
	m.does(anna, actVolley, ben, cleo)
	d := m.decide(ben, actDodge)
	before := m.b
	m.play(d)
	p := d.Prompt
	if f := m.last()[0]; f.For.Kind != engine.ForActors || !slices.Equal(f.For.Who, []engine.ActorID{ben}) {
		t.Errorf("the answer is for %+v, want ben", f.For)
	}
	for who, sees := range map[engine.ActorID]bool{ben: true, anna: false, cleo: false, 0: false} {
		v := engine.Viewer{}
		if who != 0 {
			v.Actors = []engine.ActorID{who}
		}
		got := engine.See(m.b, v).Prompt(p)
		if got == nil || got.Done != sees || (len(got.Answer) > 0) != sees {
			t.Errorf("actor %d sees %+v", who, got)
		}
		facts := events[engine.Answered](engine.SeeCommit(before, m.b, m.last(), v))
		if (len(facts) > 0) != sees {
			t.Errorf("actor %d gets %+v", who, facts)
		}
	}
	d.Intents = []engine.Intent{intent(actBlock)}
	m.play(d)
	if got := m.b.Prompt(p).Answer[0].Act; got != actBlock {
		t.Errorf("the new answer is %q", got)
	}
	m.refused(engine.Decide{Prompt: p, By: cleo}, engine.ReasonNotYourActor)
	m.does(cleo, "")
	m.refused(d, engine.ReasonPromptClosed)
}

// The lines of a sheet are an answer too; whoever sends them, they are their owner's.
func TestSheet(t *testing.T) {
	m := fight(t, false)
	p := m.asked(anna).ID
	do := intent(actStrike, cleo)
	do.By = dora
	sent := []engine.Line{{Slot: 2, Variants: []engine.Variant{{Do: do}, {}}}}
	m.play(engine.Decide{Prompt: p, By: anna, Lines: sent})
	if sent[0].Variants[0].Do.By != dora {
		t.Error("the sheet that was sent was written into")
	}
	do.By = anna
	want := []engine.Line{{Slot: 2, Variants: []engine.Variant{{Do: do}, {Do: engine.Intent{By: anna}}}}}
	if len(m.b.Plans) != 1 || !reflect.DeepEqual(m.b.Plans[0].Lines, want) {
		t.Errorf("plans %+v, want the lines %+v", m.b.Plans, want)
	}
	if a := events[engine.Answered](m.last()); !reflect.DeepEqual(a[0].Lines, want) {
		t.Errorf("answered %+v", a)
	}
}

// A policy answers with the default at once; time answers with it once.
func TestDefaults(t *testing.T) {
	m := fight(t, false)
	m.play(engine.Control{Actor: cleo, Policies: []engine.Policy{{Kind: engine.PromptDefend, Take: engine.PolicyDefault}}})
	m.does(anna, actStrike, cleo)
	m.does(dora, "")
	a := events[engine.Answered](m.last())
	if len(a) != 2 || a[1].By != cleo || a[1].How != engine.PromptLapsed || a[1].Intents[0].Act != actDodge {
		t.Fatalf("answered %+v, want dora's, then cleo's dodge by policy", a)
	}

	m = fight(t, false)
	m.does(anna, actStrike, cleo)
	m.does(dora, "")
	p := m.asked(cleo).ID
	m.play(engine.TimeUp{Prompts: []engine.PromptID{p, p, 999}})
	if a := events[engine.Answered](m.last()); len(a) != 1 || a[0].How != engine.PromptTime || a[0].Intents[0].Act != actDodge {
		t.Fatalf("answered %+v, want cleo's dodge, once", a)
	}
	m.refused(engine.TimeUp{Prompts: []engine.PromptID{p}}, engine.ReasonPromptClosed)
	m.refused(engine.Decide{Prompt: p, By: cleo, Intents: []engine.Intent{intent(actBlock)}}, engine.ReasonPromptClosed)
}

// Deadlines come from the battle's options unless the rules set one.
func TestLimits(t *testing.T) {
	m := lobby(t, &engine.System{Spec: sticksSpec(), Rules: scripted{do: func(*engine.Scene) {}}}, false,
		engine.Option{Name: engine.OptionTurnLimit, N: 60}, engine.Option{Name: engine.OptionReplyLimit, N: 10})
	m.play(engine.Start{})
	own := engine.Limit{Take: engine.PolicyMaster, MS: 5}
	m.run(func(s *engine.Scene) {
		s.Ask(engine.Prompt{Whose: anna, Kind: engine.PromptTurn})
		s.Ask(engine.Prompt{Whose: ben, Kind: engine.PromptDefend})
		s.Ask(engine.Prompt{Whose: cleo, Kind: engine.PromptDefend, Limit: own})
	})
	want := []engine.Limit{{Take: engine.PolicyDefault, MS: 60000}, {Take: engine.PolicyDefault, MS: 10000}, own}
	for i, p := range m.b.LivePrompts() {
		if p.Limit != want[i] {
			t.Errorf("prompt %d: limit %+v, want %+v", i, p.Limit, want[i])
		}
	}
	plain := fight(t, false)
	if got := plain.asked(anna).Limit; got != (engine.Limit{}) {
		t.Errorf("without options: %+v", got)
	}
}

// Rules that do not stop are stopped, with the stack.
func TestRunaway(t *testing.T) {
	for name, do := range map[string]func(s *engine.Scene){
		"too deep": func(s *engine.Scene) {
			for {
				s.Push(engine.FrameCheck, "x", engine.Intent{})
			}
		},
		"no end": func(s *engine.Scene) {
			s.Push(engine.FrameCheck, "x", engine.Intent{})
			s.Close("y")
			s.Top().Step = "z"
		},
		"no frame": func(s *engine.Scene) { s.Close("x") },
	} {
		t.Run(name, func(t *testing.T) {
			m := lobby(t, sticks(), false)
			m.sys = &engine.System{Spec: m.sys.Spec, Rules: runaway{do: do}}
			defer func() {
				if recover() == nil {
					t.Error("it ended")
				}
			}()
			engine.Step(m.sys, m.b, engine.Start{}, m.env())
		})
	}
}

type runaway struct {
	stickRules
	do func(s *engine.Scene)
}

func (r runaway) Resume(s *engine.Scene, f *engine.Frame) { r.do(s) }
