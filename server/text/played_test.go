package text_test

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/rules/kmrp"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
	"autobattle/server/text"
)

// hall is a roofed floor with a wall, lit at one end.
func hall(t testing.TB) *voxel.Arena {
	t.Helper()
	a, err := voxel.NewBuilder(voxel.Pos{}, voxel.Pos{X: 2, Y: 1, Z: 2}).
		Fill(voxel.Pos{}, voxel.Pos{X: 31, Z: 31}, voxel.FullCube("stone")).
		Fill(voxel.Pos{Y: 6}, voxel.Pos{X: 31, Y: 6, Z: 31}, voxel.FullCube("stone")).
		Fill(voxel.Pos{X: 2, Y: 1, Z: 8}, voxel.Pos{X: 6, Y: 1, Z: 8}, voxel.FullCube("crate")).
		Set(voxel.Pos{X: 4, Y: 3, Z: 3}, voxel.Lamp()).
		Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func newcomer(cat *catalogue.Catalogue, key, name string, g engine.Gender, team engine.TeamID, at voxel.Pos, look voxel.Look, items ...engine.NewItem) engine.Newcomer {
	n := engine.Newcomer{Key: key, Name: name, Grammar: g, Team: team, Pose: voxel.Pose{At: at.Floor(), Look: look}, Items: items,
		Gauges: []engine.NewGauge{{Name: "will", Now: 2}}}
	for _, tr := range cat.Traits() {
		if tr.Group == catalogue.GroupAttribute {
			n.Traits = append(n.Traits, engine.TraitLevel{Name: tr.Name, Level: 3})
		}
	}
	for _, name := range []engine.TraitName{catalogue.OneHandedSkill, catalogue.Parrying, catalogue.Evasion, "bows"} {
		n.Traits = append(n.Traits, engine.TraitLevel{Name: name, Level: 4})
	}
	return n
}

// teller renders everything it meets in both languages and checks it.
type teller struct {
	t    *testing.T
	spec *engine.Spec
	log  map[text.Locale][]string
	said int
}

var (
	raw     = regexp.MustCompile(`\b[a-z0-9]+_[a-z0-9_]+\b`)
	strange = regexp.MustCompile(`[{}|]|%!|<nil>`)
	latin   = regexp.MustCompile(`[A-Za-z]+`)
	// What is no sentence: names of people and blocks, ids of rules, dice, seeds, the texts of players.
	allowed = regexp.MustCompile(`Kim|Ada|: kim\b|\b(?:stone|crate|lamp)\b|\b(?:KM|AB)-[A-Z0-9-]+|d100|\b[0-9a-f]{64}\b|red side|blue side|Duel|«Hold!»`)
)

func (c *teller) check(l text.Locale, what, s string) {
	c.t.Helper()
	c.said++
	switch rest := allowed.ReplaceAllString(s, "§"); {
	case s == "":
		c.t.Errorf("%s %s: nothing", l, what)
	case raw.MatchString(rest):
		c.t.Errorf("%s %s: raw name %q in %q", l, what, raw.FindString(rest), s)
	case strange.MatchString(rest):
		c.t.Errorf("%s %s: unfilled in %q", l, what, s)
	case strings.Contains(rest, "  ") || strings.Contains(rest, " .") || strings.Contains(rest, "()") || strings.HasPrefix(rest, " "):
		c.t.Errorf("%s %s: a hole in %q", l, what, s)
	case l == text.Russian && latin.MatchString(rest):
		c.t.Errorf("%s %s: English %q in %q", l, what, latin.FindString(rest), s)
	case l == text.English && strings.ContainsFunc(rest, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }):
		c.t.Errorf("%s %s: Russian in %q", l, what, s)
	}
}

func (c *teller) facts(before, after *engine.Battle, facts []engine.Fact) {
	for _, l := range []text.Locale{text.English, text.Russian} {
		r := text.For(c.spec, l)
		for _, line := range r.LinesBetween(before, after, facts) {
			c.check(l, "line", line.Text)
			if line.Fact < 0 || line.Fact >= len(facts) {
				c.t.Errorf("line %q tells of fact %d of %d", line.Text, line.Fact, len(facts))
			}
			c.log[l] = append(c.log[l], line.Text)
		}
		for _, line := range r.Lines(after, facts) {
			c.check(l, "line", line.Text)
		}
		for i := range facts {
			if e, ok := facts[i].Event.(engine.Rolled); ok {
				c.check(l, "roll", r.Roll(after, &e.Roll))
			}
		}
		for _, p := range after.LivePrompts() {
			c.check(l, "prompt", r.Prompt(after, &p))
		}
	}
}

func (c *teller) offers(b *engine.Battle, offers []engine.Offer) {
	for i := range offers {
		for _, l := range []text.Locale{text.English, text.Russian} {
			c.check(l, "offer", text.For(c.spec, l).Offer(b, &offers[i]))
		}
	}
}

func (c *teller) refused(b *engine.Battle, no *engine.Rejection) {
	for _, l := range []text.Locale{text.English, text.Russian} {
		c.check(l, "refusal", text.For(c.spec, l).Refusal(b, no))
	}
}

// draw makes an intent of an offer, now and then with something out of place.
func draw(rng *rand.Rand, o *engine.Offer, by engine.ActorID) engine.Intent {
	in := engine.Intent{Act: o.Act, By: by}
	if n := len(o.Targets); n > 0 {
		in.Targets = []engine.Target{o.Targets[rng.IntN(n)]}
	}
	if n := len(o.Items); n > 0 {
		in.Items = o.Items[rng.IntN(n)]
	}
	if n := len(o.Parts); n > 0 {
		in.Part = o.Parts[rng.IntN(n)]
	}
	if n := len(o.About); n > 0 {
		in.About = o.About[rng.IntN(n)]
	}
	if n := len(o.Region); n > 0 {
		in.Path = []voxel.Pos{o.Region[rng.IntN(n)].Cell}
	}
	if o.Amount != (engine.Span{}) {
		in.Amount = o.Amount.Min
	}
	switch rng.IntN(12) {
	case 0:
		in.Path = []voxel.Pos{{X: 30, Y: 1, Z: 30}}
	case 1:
		in.Look = voxel.Look{X: 1}
	case 2:
		in.Mods = []engine.ModName{"take_worse"}
	}
	return in
}

// tell plays a battle by drawing from the offers, with a master who meddles, and renders all of it.
func tell(t *testing.T, seed uint64) *teller {
	t.Helper()
	cat := catalogue.Default()
	sys := kmrp.New(cat)
	w := hall(t)
	c := &teller{t: t, spec: sys.Spec, log: map[text.Locale][]string{}}
	rng := rand.New(rand.NewPCG(seed, 1))
	env := engine.Env{World: w, Dice: dice.NewSeeded([32]byte{byte(seed)}), Seed: [32]byte{byte(seed), 1}}
	var b *engine.Battle
	step := func(cmd engine.Command) bool {
		t.Helper()
		next, commit, err := engine.Step(sys, b, cmd, env)
		var no *engine.Rejection
		if errors.As(err, &no) {
			c.refused(b, no)
			return false
		}
		if err != nil {
			t.Fatal(err)
		}
		c.facts(b, next, commit.Facts)
		b = next
		return true
	}
	teams := []engine.Team{{ID: "r", Name: "red side"}, {ID: "b", Name: "blue side"}}
	step(engine.Open{Ruleset: kmrp.ID, Arena: w.Hash(), Title: "Duel", Teams: teams, Commitment: [32]byte{1}})
	kim := newcomer(cat, "kim", "Kim", engine.Masculine, "r", voxel.Pos{X: 4, Y: 1, Z: 4}, voxel.Look{Z: 1},
		engine.NewItem{Ref: "bow", Slot: catalogue.MainHand}, engine.NewItem{Ref: "sword", Slot: catalogue.Belt})
	ada := newcomer(cat, "ada", "Ada", engine.Feminine, "b", voxel.Pos{X: 4, Y: 1, Z: 10}, voxel.Look{Z: -1},
		engine.NewItem{Ref: "sword", Slot: catalogue.MainHand}, engine.NewItem{Ref: "mail_vest", Slot: catalogue.Worn})
	step(engine.Join{Actors: []engine.Newcomer{kim}})
	step(engine.Join{Actors: []engine.Newcomer{kim}})
	step(engine.Join{Actors: []engine.Newcomer{ada}})
	step(engine.AddEntropy{Player: "Kim", Bytes: []byte{1}})
	step(engine.Start{})
	for n := 0; n < 120 && b.Phase == engine.Running; n++ {
		meddle(rng, n, b, step)
		live := b.LivePrompts()
		p := live[rng.IntN(len(live))]
		v := engine.View{Battle: b, World: engine.WorldOf(b, w)}
		offers := sys.Rules.Offers(v, &p)
		c.offers(b, offers)
		if len(offers) == 0 {
			step(engine.TimeUp{Prompts: []engine.PromptID{p.ID}})
			continue
		}
		o := &offers[rng.IntN(len(offers))]
		// Whoever can strike mostly does, so that things happen.
		for i := range offers {
			if offers[i].Act == "attack" && offers[i].No == nil && rng.IntN(3) > 0 {
				o = &offers[i]
			}
		}
		d := engine.Decide{Prompt: p.ID, By: p.Whose, Intents: []engine.Intent{draw(rng, o, p.Whose)}}
		if !p.Must && rng.IntN(8) == 0 {
			d.Intents = nil
		}
		if !step(d) && rng.IntN(3) == 0 {
			step(engine.TimeUp{Prompts: []engine.PromptID{p.ID}})
		}
	}
	if b.Phase != engine.Over {
		step(engine.Pause{Reason: "«Hold!»"})
		step(engine.Unpause{})
		step(engine.End{Outcome: []engine.TeamOutcome{{Team: "r", Outcome: "draw"}, {Team: "b", Outcome: "draw"}}})
	}
	return c
}

// meddle is what a master does in between.
func meddle(rng *rand.Rand, n int, b *engine.Battle, step func(engine.Command) bool) {
	who := b.Actors[rng.IntN(len(b.Actors))].ID
	switch n {
	case 5:
		step(engine.Say{Actor: who, Text: "«Hold!»"})
	case 10:
		for _, q := range []engine.Ruling{{What: "cover", N: 1}, {What: "light", N: 2}, {What: "modifier", N: -1}, {What: "percent", N: 50}, {What: "distance", N: 3}} {
			q.Scope, q.Reason = engine.Scope{Kind: engine.ScopeActor, A: who}, "«Hold!»"
			step(engine.Override{Ruling: q})
		}
	case 15:
		step(engine.Edit{Edits: []engine.BlockEdit{{At: voxel.Pos{X: 2, Y: 1, Z: 8}, Block: voxel.NoBlock()}, {At: voxel.Pos{X: 3, Y: 1, Z: 8}, Block: voxel.FullCube("crate"), Wear: 2}}})
		step(engine.Edit{Edits: []engine.BlockEdit{{At: voxel.Pos{X: 99, Y: 1, Z: 8}, Block: voxel.NoBlock()}}})
		step(engine.Edit{Gone: []voxel.Pos{{X: 2, Y: 1, Z: 8}}})
	case 18:
		step(engine.Adjust{Reason: "«Hold!»", Facts: []engine.Event{
			engine.CondSet{Cond: engine.Cond{Name: "advantage", On: who.On(), About: catalogue.Evasion}},
			engine.ZoneSet{Zone: engine.Zone{Name: "darkness", Level: 2, Shape: engine.Shape{Kind: engine.ShapeBall, Cells: []voxel.Pos{{X: 4, Y: 1, Z: 10}}, Radius: 3}}},
			engine.TraitSet{Trait: engine.Trait{On: who, Name: catalogue.Strength, Level: 5}},
			engine.GaugeSet{Gauge: engine.Gauge{On: who.On(), Name: "will", Now: 3, Max: 9}},
			engine.CondSet{Cond: engine.Cond{Name: "wound", On: who.On(), Level: 2, Value: 2, Part: "head"}},
		}})
		step(engine.Adjust{Facts: []engine.Event{engine.Clocked{Round: 1}}})
	case 20:
		step(engine.Control{Actor: who, Controller: engine.Controller{Kind: engine.Automatic}})
	case 25:
		step(engine.Override{Clear: b.Rulings[0].ID})
		step(engine.Rewind{To: b.Version + 5})
	}
}

func TestPlayedBattlesAreTold(t *testing.T) {
	said := 0
	for seed := range uint64(4) {
		c := tell(t, seed)
		said += c.said
		if len(c.log[text.English]) < 20 || len(c.log[text.English]) != len(c.log[text.Russian]) {
			t.Errorf("seed %d: %d lines in English, %d in Russian", seed, len(c.log[text.English]), len(c.log[text.Russian]))
		}
		if testing.Verbose() && seed == 0 {
			t.Log("\n" + strings.Join(c.log[text.English], "\n") + "\n\n" + strings.Join(c.log[text.Russian], "\n"))
		}
	}
	if said < 2000 {
		t.Errorf("only %d texts were checked", said)
	}
}
