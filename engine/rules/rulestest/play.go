// Package rulestest plays drawn battles and holds them against what every ruleset promises.
package rulestest

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/enginetest"
	"autobattle/engine/voxel"
)

// Game is what to play.
type Game struct {
	System  *engine.System
	World   voxel.World                                     // nil: no arena
	Open    engine.Open                                     // the ruleset is filled in
	Actors  []engine.Newcomer                               // all join in the lobby
	Answers int                                             // most answers to play
	Sheet   func(*rapid.T, []engine.Offer) []engine.Line    // draws a sheet of orders; nil: there are none
	Check   func(*rapid.T, *engine.Battle, []engine.Commit) // looks at every battle on the way; nil: nothing more
}

// Lobby opens the battle and lets the actors join.
func Lobby(t testing.TB, g Game) (*engine.Battle, []engine.Commit) {
	t.Helper()
	open := g.Open
	open.Ruleset = g.System.Spec.ID
	var log []engine.Commit
	var b *engine.Battle
	for _, c := range []engine.Command{open, engine.Join{Actors: g.Actors}} {
		next, commit, err := engine.Step(g.System, b, c, engine.Env{World: g.World, Dice: dice.MustScript("")})
		if err != nil {
			t.Fatalf("%T: %v", c, err)
		}
		b, log = next, append(log, commit)
	}
	return b, log
}

// Property plays the game with drawn answers. At every step: what the offers hold is accepted, an answer with something
// changed is refused by a *Rejection or accepted, and then all that CheckStep asks; the log replays to the battle;
// every name is in the Spec; actors may be taken out and deadlines pass at any moment; nobody sees another's sealed answer or sheet; and what a viewer is told folds to what he
// sees.
func Property(t *testing.T, g Game) {
	lobby, opening := Lobby(t, g)
	rapid.Check(t, func(rt *rapid.T) {
		b, log := lobby, slices.Clone(opening)
		seed := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(rt, "seed")
		source := dice.NewSeeded([32]byte(seed))
		env := func() engine.Env { return engine.Env{World: g.World, Dice: source} }
		play := func(c engine.Command) error {
			next, commit, err := enginetest.CheckStep(rt, g.System, b, c, env)
			if err != nil {
				return err
			}
			Names(rt, g.System.Spec, commit.Facts)
			look(rt, b, next, commit.Facts)
			b, log = next, append(log, commit)
			if g.Check != nil {
				g.Check(rt, b, log)
			}
			return nil
		}
		if err := play(engine.Start{}); err != nil {
			rt.Fatalf("start: %v", err)
		}
		for range rapid.IntRange(0, g.Answers).Draw(rt, "answers") {
			if b.Phase != engine.Running {
				break
			}
			if c := meddle(rt, b); c != nil {
				if err := play(c); err != nil {
					rt.Fatalf("%+v: %v", c, err)
				}
				continue
			}
			p := rapid.SampledFrom(b.LivePrompts()).Draw(rt, "prompt")
			d := answer(rt, g, b, &p)
			if rapid.IntRange(0, 3).Draw(rt, "spoil") == 0 {
				spoilt := spoil(rt, g.System.Spec, d)
				var no *engine.Rejection
				if err := play(spoilt); err != nil && !errors.As(err, &no) {
					rt.Fatalf("%+v is refused by a %T, not a *Rejection: %v", spoilt, err, err)
				} else if err == nil {
					continue
				}
			}
			if err := play(d); err != nil {
				rt.Fatalf("prompt %s of %d offers %+v, but it is refused: %v", p.Ask, p.Whose, d.Intents, err)
			}
		}
		enginetest.CheckReplay(rt, &engine.Battle{}, log, b)
	})
}

// meddle is now and then a command of the master or of a deadline instead of an answer.
func meddle(rt *rapid.T, b *engine.Battle) engine.Command {
	switch n := rapid.IntRange(0, 30).Draw(rt, "meddle"); {
	case n == 1 && len(b.Actors) > 0:
		return engine.Remove{Actor: rapid.SampledFrom(b.Actors).Draw(rt, "removed").ID, Reason: "left"}
	case n == 2, n == 3:
		c := engine.TimeUp{}
		for _, p := range b.LivePrompts() {
			c.Prompts = append(c.Prompts, p.ID)
		}
		return c
	case n == 4:
		return engine.Say{Text: "on they go"}
	}
	return nil
}

// view is the battle as the owner of a prompt has it.
func view(g Game, b *engine.Battle, p *engine.Prompt) engine.View {
	v := engine.View{Battle: b, World: engine.WorldOf(b, g.World)}
	if p.Whose != 0 {
		v.Battle = engine.See(b, engine.ViewerOf(b, p.Whose))
	}
	return v
}

// answer draws a legal answer to a prompt.
func answer(rt *rapid.T, g Game, b *engine.Battle, p *engine.Prompt) engine.Decide {
	d := engine.Decide{Prompt: p.ID, By: p.Whose}
	offers := g.System.Rules.Offers(view(g, b, p), p)
	if p.Kind == engine.PromptSheet && g.Sheet != nil {
		d.Lines = g.Sheet(rt, offers)
		return d
	}
	if !p.Must && rapid.IntRange(0, 4).Draw(rt, "declines") == 0 {
		return d
	}
	open := slices.DeleteFunc(slices.Clone(offers), func(o engine.Offer) bool { return o.No != nil })
	if len(open) == 0 {
		if p.Must {
			rt.Fatalf("prompt %s of %d must be answered and nothing is offered", p.Ask, p.Whose)
		}
		return d
	}
	o := rapid.SampledFrom(open).Draw(rt, "offer")
	d.Intents = []engine.Intent{Intent(rt, g.System.Spec, &o)}
	return d
}

// Intent draws an intent from an offer.
func Intent(rt *rapid.T, spec *engine.Spec, o *engine.Offer) engine.Intent {
	in := engine.Intent{Act: o.Act}
	act := spec.Act(o.Act)
	switch {
	case len(o.Targets) == 0:
	case act.Targets == engine.NeedsSome:
		in.Targets = slices.Clone(o.Targets)
	default:
		in.Targets = []engine.Target{rapid.SampledFrom(o.Targets).Draw(rt, "target")}
	}
	if len(o.Items) > 0 {
		in.Items = rapid.SampledFrom(o.Items).Draw(rt, "items")
	}
	if len(o.About) > 0 {
		in.About = rapid.SampledFrom(o.About).Draw(rt, "about")
	}
	if len(o.Parts) > 0 && act.Part == engine.NeedsOne {
		in.Part = rapid.SampledFrom(o.Parts).Draw(rt, "part")
	}
	for _, g := range o.Mods {
		if len(g.Mods) > 0 && rapid.Bool().Draw(rt, "modified") {
			in.Mods = append(in.Mods, rapid.SampledFrom(g.Mods).Draw(rt, "modifier"))
		}
	}
	if o.Amount.Max > 0 {
		in.Amount = rapid.Int32Range(o.Amount.Min, o.Amount.Max).Draw(rt, "amount")
	}
	if len(o.Region) > 0 {
		in.Path = []voxel.Pos{rapid.SampledFrom(o.Region).Draw(rt, "destination").Cell}
	}
	return in
}

// spoil changes one thing in an answer.
func spoil(rt *rapid.T, spec *engine.Spec, d engine.Decide) engine.Decide {
	if len(d.Lines) > 0 {
		d.Lines = slices.Clone(d.Lines)
		switch rapid.IntRange(0, 2).Draw(rt, "spoil lines") {
		case 0:
			d.Lines[0].Slot = 9
		case 1:
			d.Lines[0].Variants = nil
		case 2:
			d.Lines[0].Variants = slices.Clone(d.Lines[0].Variants)
			d.Lines[0].Variants[0].Do = spoilt(rt, spec, d.Lines[0].Variants[0].Do)
		}
		return d
	}
	if len(d.Intents) == 0 {
		d.By++
		return d
	}
	d.Intents = []engine.Intent{spoilt(rt, spec, d.Intents[0])}
	return d
}

func spoilt(rt *rapid.T, spec *engine.Spec, in engine.Intent) engine.Intent {
	switch rapid.IntRange(0, 5).Draw(rt, "spoil intent") {
	case 0:
		in.Act = rapid.SampledFrom(spec.Acts).Draw(rt, "act").Name
	case 1:
		in.Targets = []engine.Target{{Ref: engine.ActorID(rapid.Uint32Range(0, 9).Draw(rt, "actor")).On()}}
	case 2:
		in.Items = []engine.ItemID{engine.ItemID(rapid.Uint32Range(0, 20).Draw(rt, "item"))}
	case 3:
		in.Mods = append(slices.Clone(in.Mods), engine.ModName(rapid.SampledFrom(spec.Mods).Draw(rt, "modifier").Name))
	case 4:
		in.Path = []voxel.Pos{{X: rapid.Int32Range(-40, 40).Draw(rt, "x")}}
	case 5:
		in.Amount = rapid.Int32Range(-3, 50).Draw(rt, "amount")
	}
	return in
}

// look checks what each actor's owner and a spectator get of a commit.
func look(rt *rapid.T, before, after *engine.Battle, facts []engine.Fact) {
	viewers := []engine.Viewer{{}}
	for i := range after.Actors {
		viewers = append(viewers, engine.ViewerOf(after, after.Actors[i].ID))
	}
	for _, v := range viewers {
		sees := engine.See(after, v)
		for i := range sees.Prompts {
			if p := &sees.Prompts[i]; p.Sealed && !v.Owns(p.Whose) && (p.Done || len(p.Answer) > 0 || len(p.Lines) > 0) {
				rt.Fatalf("viewer %v sees the sealed answer of %d", v.Actors, p.Whose)
			}
		}
		for i := range sees.Plans {
			if p := &sees.Plans[i]; p.Kind == engine.PlanSheet && !v.Owns(p.Owner.Actor()) {
				rt.Fatalf("viewer %v sees the sheet of %d", v.Actors, p.Owner.Actor())
			}
		}
		got := engine.SeeCommit(before, after, facts, v)
		for _, f := range got {
			switch e := f.Event.(type) {
			case engine.Answered:
				if p := before.Prompt(e.Prompt); p != nil && p.Sealed && !v.Owns(e.By) {
					rt.Fatalf("viewer %v is told the sealed answer of %d", v.Actors, e.By)
				}
			case engine.PlanSet:
				if e.Plan.Kind == engine.PlanSheet && !v.Owns(e.Plan.Owner.Actor()) {
					rt.Fatalf("viewer %v is told the sheet of %d", v.Actors, e.Plan.Owner.Actor())
				}
			}
		}
		told := engine.See(before, v).Clone()
		engine.FoldFacts(told, got)
		if d := enginetest.Equal(told, sees); d != "" {
			rt.Fatalf("what viewer %v is told does not fold to what he sees (-told +sees):\n%s", v.Actors, d)
		}
	}
}
