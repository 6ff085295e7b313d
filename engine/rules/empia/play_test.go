package empia

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/enginetest"
	"autobattle/engine/rules/rulestest"
	"autobattle/engine/voxel"
)

func system(t testing.TB) *engine.System {
	t.Helper()
	sys, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// fighter is a sheet: 100 lives, 100 energy, and what else is given.
func fighter(key, team string, x int32, items []engine.NewItem, traits ...engine.TraitLevel) engine.Newcomer {
	look := voxel.Look{X: 1}
	if x > 0 {
		look = voxel.Look{X: -1}
	}
	return engine.Newcomer{
		Key: key, Name: key, Team: engine.TeamID(team), Controller: engine.Controller{Player: key}, Pose: voxel.Pose{At: voxel.Pos{X: x}.Floor(), Look: look},
		Traits: append([]engine.TraitLevel{{Name: traitLives, Level: 100}, {Name: traitEnergy, Level: 100}}, traits...), Items: items,
	}
}

func kit(refs ...engine.CatalogueRef) (items []engine.NewItem) {
	for _, ref := range refs {
		slot := slotWorn
		switch ref {
		case "sword", "axe", "mace", "spear", "bow":
			slot = slotMain
		case "shield":
			slot = slotOff
		}
		items = append(items, engine.NewItem{Ref: ref, Slot: slot})
	}
	return items
}

func has(names ...engine.TraitName) (out []engine.TraitLevel) {
	for _, n := range names {
		out = append(out, engine.TraitLevel{Name: n, Level: 1})
	}
	return out
}

func with(n engine.Newcomer, energy, lives int64) engine.Newcomer {
	n.Gauges = []engine.NewGauge{{Name: gaugeEnergy, Now: energy}, {Name: gaugeLives, Now: lives}}
	return n
}

var teams = []engine.Team{{ID: "red", Name: "red"}, {ID: "blue", Name: "blue"}}

// duel is a game of two.
func duel(t testing.TB, a, b engine.Newcomer) rulestest.Game {
	return rulestest.Game{System: system(t), Open: engine.Open{Teams: teams}, Actors: []engine.Newcomer{a, b}}
}

// orders reads a sheet: "1 run at zoe; 2-3 use power_strike at zoe with sword; 4 [moves zoe run] rest / strike at zoe".
// A condition is one of [moves WHO ACT], [acts WHO ACT], [energy < N], [slot N OUTCOME], [near WHO N], [is WHO COND].
func orders(t testing.TB, b *engine.Battle, who engine.ActorID, text string) (lines []engine.Line) {
	t.Helper()
	for part := range strings.SplitSeq(text, ";") {
		slots, rest, ok := strings.Cut(strings.TrimSpace(part), " ")
		from, to, _ := strings.Cut(slots, "-")
		lo, err := strconv.Atoi(from)
		if !ok || err != nil {
			t.Fatalf("orders %q: want SLOT ACT …", part)
		}
		hi := lo
		if to != "" {
			if hi, err = strconv.Atoi(to); err != nil {
				t.Fatal(err)
			}
		}
		for slot := lo; slot <= hi; slot++ {
			l := engine.Line{Slot: int32(slot)}
			for v := range strings.SplitSeq(rest, " / ") {
				l.Variants = append(l.Variants, variant(t, b, who, strings.TrimSpace(v)))
			}
			lines = append(lines, l)
		}
	}
	return lines
}

func variant(t testing.TB, b *engine.Battle, who engine.ActorID, text string) (v engine.Variant) {
	if cond, act, ok := strings.Cut(strings.TrimPrefix(text, "["), "] "); ok {
		v.If.All, text = []engine.Predicate{condition(t, b, cond)}, act
	}
	w := strings.Fields(text)
	v.Do.Act = engine.ActName(w[0])
	for i := 1; i < len(w); i++ {
		switch w[i] {
		case "at":
			i++
			v.Do.Targets = append(v.Do.Targets, target(t, b, w[i]))
		case "with":
			i++
			for it := range b.Items {
				if string(b.Items[it].Ref) == w[i] && (b.Items[it].Holder == who || b.Items[it].Holder == 0) {
					v.Do.Items = []engine.ItemID{b.Items[it].ID}
				}
			}
		case "away", "by_blocking", "by_dodging":
			v.Do.Mods = append(v.Do.Mods, engine.ModName(w[i]))
		default:
			v.Do.About = engine.TraitName(w[i])
		}
	}
	return v
}

func target(t testing.TB, b *engine.Battle, name string) engine.Target {
	if a := b.ActorByKey(name); a != nil {
		return engine.Target{Ref: a.ID.On()}
	}
	for i := range b.Items {
		if string(b.Items[i].Ref) == name {
			return engine.Target{Ref: b.Items[i].ID.On()}
		}
	}
	t.Fatalf("no target %q", name)
	return engine.Target{}
}

func condition(t testing.TB, b *engine.Battle, text string) (p engine.Predicate) {
	w := strings.Fields(text)
	actor := func(name string) engine.Selector {
		switch name {
		case "self":
			return engine.Selector{Kind: engine.SelectSelf}
		case "enemy":
			return engine.Selector{Kind: engine.SelectEnemy}
		}
		return engine.Selector{Kind: engine.SelectActor, Actor: b.ActorByKey(name).ID}
	}
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	switch w[0] {
	case "moves":
		return engine.Predicate{Op: engine.OpMoves, Who: actor(w[1]), Act: engine.ActName(w[2]), Toward: engine.Selector{Kind: engine.SelectSelf}}
	case "acts":
		return engine.Predicate{Op: engine.OpActs, Who: actor(w[1]), Act: engine.ActName(w[2])}
	case "energy":
		return engine.Predicate{Op: engine.OpGauge, Who: actor("self"), What: "energy", Cmp: engine.Less, N: number(w[2]) * unit}
	case "slot":
		return engine.Predicate{Op: engine.OpSlotResult, Who: actor("self"), What: w[2], N: number(w[1])}
	case "near":
		return engine.Predicate{Op: engine.OpWithin, Who: actor(w[1]), N: number(w[2])}
	case "is":
		return engine.Predicate{Op: engine.OpCond, Who: actor(w[1]), What: w[2]}
	}
	t.Fatalf("no condition %q", text)
	return p
}

// play gives everybody's orders by key, in the order of the pairs, and then says what came of it.
func play(t testing.TB, sys *engine.System, b *engine.Battle, world voxel.World, faces string, sheets ...string) (*engine.Battle, []engine.Fact) {
	t.Helper()
	script := dice.MustScript(faces)
	env := engine.Env{World: world, Dice: script}
	var facts []engine.Fact
	step := func(c engine.Command) {
		next, commit, err := engine.Step(sys, b, c, env)
		if err != nil {
			t.Fatalf("%T: %v", c, err)
		}
		b, facts = next, append(facts, commit.Facts...)
	}
	if b.Phase == engine.Lobby {
		step(engine.Start{})
	}
	for i := 0; i < len(sheets); i += 2 {
		who := b.ActorByKey(sheets[i]).ID
		d := engine.Decide{By: who}
		for _, p := range b.Prompts {
			if p.Whose == who {
				d.Prompt = p.ID
			}
		}
		if sheets[i+1] != "" {
			d.Lines = orders(t, b, who, sheets[i+1])
		}
		step(d)
	}
	if left := script.Left(); left != "" {
		t.Fatalf("faces left over: %s", left)
	}
	return b, facts
}

// start is a game whose first sheets are asked for.
func start(t testing.TB, g rulestest.Game) *engine.Battle {
	t.Helper()
	lobby, _ := rulestest.Lobby(t, g)
	b, _ := play(t, g.System, lobby, g.World, "")
	return b
}

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) { transcript(t, path, scene(t, name)) })
	}
}

// scene is what a transcript starts from.
func scene(t *testing.T, name string) rulestest.Game {
	switch name {
	case "worked_turn":
		strong := []engine.TraitLevel{{Name: traitStrike, Level: 100}}
		return duel(t, with(fighter("sava", "red", 0, kit("sword", "plate_armour"), strong...), 30*unit, 100), fighter("zoe", "blue", 22, nil))
	case "spells":
		return duel(t, fighter("sava", "red", 0, nil, has("firebolt", "ward", "mend")...), fighter("zoe", "blue", 12, kit("leather_armour"), has("firebolt", "mind_stun")...))
	case "both_run_away":
		return duel(t, fighter("sava", "red", 0, nil), fighter("zoe", "blue", 40, nil))
	}
	t.Fatalf("no scene %q", name)
	return rulestest.Game{}
}

// transcript plays a file of orders and compares the facts, as enginetest does. Sheets are its only answers.
func transcript(t *testing.T, path string, g rulestest.Game) {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b, log := rulestest.Lobby(t, g)
	var out strings.Builder
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimRight(line, "\n")
		words, faces, _ := strings.Cut(line, " faces ")
		who, sheet, ordered := strings.Cut(words, " orders ")
		var c engine.Command
		switch actor := b.ActorByKey(who); {
		case strings.HasPrefix(line, "#"):
			out.WriteString(line + "\n")
			continue
		case line == "start":
			c = engine.Start{}
		case ordered && actor != nil:
			d := engine.Decide{By: actor.ID, Lines: orders(t, b, actor.ID, sheet)}
			for _, p := range b.Prompts {
				if p.Whose == actor.ID {
					d.Prompt = p.ID
				}
			}
			c = d
		default:
			continue // the facts of the last time
		}
		script := dice.MustScript(faces)
		next, commit, err := engine.Step(g.System, b, c, engine.Env{World: g.World, Dice: script})
		fmt.Fprintf(&out, "%s\n----\n", line)
		var no *engine.Rejection
		switch {
		case errors.As(err, &no):
			fmt.Fprintf(&out, "refused %v\n\n", no)
			continue
		case script.Left() != "":
			t.Fatalf("%q: faces left over: %s", line, script.Left())
		}
		for _, f := range commit.Facts {
			if _, frame := f.Event.(engine.Framed); !frame {
				out.WriteString(enginetest.Format(next, f) + "\n")
			}
		}
		out.WriteString("\n")
		b, log = next, append(log, commit)
	}
	enginetest.CheckReplay(t, &engine.Battle{}, log, b)
	got := out.String()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got != string(raw) {
		t.Fatalf("%s: what is played differs; run with UPDATE=1 and read the diff. Got:\n%s", path, got)
	}
}

// sheets draws orders from what may be ordered.
func sheets(sys *engine.System) func(*rapid.T, []engine.Offer) []engine.Line {
	return func(rt *rapid.T, offers []engine.Offer) (lines []engine.Line) {
		open := slices.DeleteFunc(slices.Clone(offers), func(o engine.Offer) bool { return o.No != nil })
		for slot := range int32(slotsOfTurn) {
			if rapid.IntRange(0, 5).Draw(rt, "nothing") == 0 {
				continue
			}
			o := rapid.SampledFrom(open).Draw(rt, "offer")
			l := engine.Line{Slot: slot + 1, Variants: []engine.Variant{{Do: rulestest.Intent(rt, sys.Spec, &o)}}}
			for rapid.IntRange(0, 3).Draw(rt, "varies") == 0 && len(l.Variants) < mostVariants {
				o := rapid.SampledFrom(open).Draw(rt, "offer")
				l.Variants = slices.Insert(l.Variants, 0, engine.Variant{If: drawCondition(rt, slot+1), Do: rulestest.Intent(rt, sys.Spec, &o)})
			}
			lines = append(lines, l)
			// What takes several slots needs the same order again.
			if in := l.Variants[len(l.Variants)-1].Do; in.Act == actUse && slot+1 < slotsOfTurn && len(l.Variants) == 1 && rapid.Bool().Draw(rt, "again") {
				lines = append(lines, engine.Line{Slot: slot + 2, Variants: []engine.Variant{{Do: in}}})
			}
		}
		slices.SortStableFunc(lines, func(a, b engine.Line) int { return int(a.Slot - b.Slot) })
		return slices.CompactFunc(lines, func(a, b engine.Line) bool { return a.Slot == b.Slot })
	}
}

func drawCondition(rt *rapid.T, slot int32) engine.Trigger {
	enemy, self := engine.Selector{Kind: engine.SelectEnemy}, engine.Selector{Kind: engine.SelectSelf}
	all := []engine.Predicate{
		{Op: engine.OpMoves, Who: enemy, Toward: self},
		{Op: engine.OpMoves, Who: enemy, Toward: self, What: string(modAway)},
		{Op: engine.OpActs, Who: enemy, Act: actStrike, Toward: self},
		{Op: engine.OpActs, Who: engine.Selector{}, Act: classAbility, Not: true},
		{Op: engine.OpGauge, Who: self, What: string(gaugeEnergy), Cmp: engine.AtMost, N: 40 * unit},
		{Op: engine.OpWithin, Who: enemy, N: 4},
		{Op: engine.OpCond, Who: enemy, What: string(condCollapsed)},
		{Op: engine.OpCond, Who: self, What: string(condWarded), Not: true},
	}
	if slot > 1 {
		all = append(all, engine.Predicate{Op: engine.OpSlotResult, Who: self, N: int64(slot) - 1, What: string(outcomeMissed)})
	}
	return engine.Trigger{All: rapid.SliceOfN(rapid.SampledFrom(all), 1, 2).Draw(rt, "conditions")}
}

func TestDrawnBattles(t *testing.T) {
	sys := system(t)
	all := has("firebolt", "mind_stun", "stunning_blow", "power_strike", "mend", "ward", "hardening")
	crowd := []engine.Newcomer{
		fighter("sava", "red", 0, kit("sword", "shield", "plate_armour"), all...),
		fighter("rem", "red", 2, kit("bow"), has("mend")...),
		fighter("zoe", "blue", 4, kit("mace", "leather_armour"), all...),
		fighter("yan", "blue", 5, kit("spear"), has("power_strike")...),
	}
	arena, err := voxel.NewBuilder(voxel.Pos{X: -16, Y: -16, Z: -16}, voxel.Pos{X: 3, Y: 2, Z: 2}).
		Fill(voxel.Pos{X: -16, Y: -1, Z: -16}, voxel.Pos{X: 31, Y: -1, Z: 15}, voxel.FullCube("stone")).
		Fill(voxel.Pos{X: 3, Z: 2}, voxel.Pos{X: 3, Y: 2, Z: 6}, voxel.FullCube("stone")).
		Build()
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]rulestest.Game{
		"duel":  {Actors: []engine.Newcomer{crowd[0], crowd[2]}, Open: engine.Open{Teams: teams}},
		"four":  {Actors: crowd, Open: engine.Open{Teams: teams, Options: []engine.Option{{Name: optConfirm, Word: wordAsk}}}},
		"arena": {Actors: crowd, World: arena, Open: engine.Open{Teams: teams}},
	} {
		t.Run(name, func(t *testing.T) {
			g.System, g.Answers, g.Sheet, g.Check = sys, 8, sheets(sys), invariants
			rulestest.Property(t, g)
		})
	}
}

// invariants: nobody holds more than two abilities in mind, who collapsed has no energy, who is down is not asked.
func invariants(rt *rapid.T, b *engine.Battle, _ []engine.Commit) {
	for i := range b.Actors {
		a := b.Actors[i].ID
		if n := sustained(b, a); n > 2 {
			rt.Fatalf("%d sustains %d abilities", a, n)
		}
		energy := b.GaugeNow(a.On(), gaugeEnergy)
		if b.HasCond(a.On(), condCollapsed) && energy > 0 || !b.HasCond(a.On(), condCollapsed) && energy < 0 && !b.HasCond(a.On(), condDead) {
			rt.Fatalf("%d has %d energy, collapsed %v", a, energy, b.HasCond(a.On(), condCollapsed))
		}
		if b.GaugeNow(a.On(), gaugeLives) < 0 && up(b, a) {
			rt.Fatalf("%d has %d lives and is up", a, b.GaugeNow(a.On(), gaugeLives))
		}
	}
	for _, p := range b.LivePrompts() {
		if p.Whose != 0 && !up(b, p.Whose) {
			rt.Fatalf("prompt %s asks %d, who is down", p.Ask, p.Whose)
		}
	}
	if len(b.Frames) == 2 && b.Slot != 0 {
		rt.Fatalf("waiting in slot %d of a turn", b.Slot)
	}
}
