package text

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

var update = flag.Bool("update", false, "rewrite the golden logs")

func both(en, ru string) engine.Text { return engine.Text{En: en, Ru: ru} }

// smallSpec is a ruleset's vocabulary by hand. "unknown_mod" and the like are names without texts.
func smallSpec() *engine.Spec {
	return &engine.Spec{
		ID: "small", Name: both("Small rules", "Малые правила"),
		Acts: []engine.ActSpec{
			{Name: "strike", Class: "attack", Text: both("Strike", "Удар")}, {Name: "run", Class: "move", Text: both("Run", "Бег")},
			{Name: "aim", Class: "rest", Text: both("Take aim", "Прицеливание")},
		},
		Traits: []engine.TraitSpec{{Name: "blades", Text: both("Blades", "Клинки")}, {Name: "dodging", Text: engine.Text{En: "Dodging", Ru: "увёртливость", RuGen: "увёртливости"}}},
		Gauges: []engine.GaugeSpec{{Name: "energy", Text: both("Energy", "Энергия"), Scale: 1000000}, {Name: "slots_light", Text: both("Slots", "Ячейки")}},
		Conds: []engine.CondSpec{
			{Name: "wound", Text: both("Wound", "Рана"), Levels: []engine.Text{both("none", "нет"), both("light wound", "лёгкая рана")}},
			{Name: "fire", Text: both("Fire", "Огонь")}, {Name: "bound", Text: both("Bound", "Связан")},
		},
		Items: []engine.ItemSpec{
			{Ref: "sword", Text: engine.Text{En: "Long sword", Ru: "длинный меч", RuAcc: "длинный меч"}},
			{Ref: "tt", Text: engine.Text{En: "Tokarev TT", Ru: "пистолет Токарева"}},
		},
		Parts:    []engine.NameSpec{{Name: "head", Text: engine.Text{En: "Head", Ru: "голова", RuAcc: "голову"}}},
		Slots:    []engine.NameSpec{{Name: "main", Text: both("Main hand", "Основная рука")}},
		Mods:     []engine.NameSpec{{Name: "cover", Text: both("Cover", "Укрытие")}, {Name: "tired", Text: both("Tired", "Усталость")}, {Name: "weapon", Text: both("Weapon", "Оружие")}},
		Outcomes: []engine.NameSpec{{Name: "hit", Text: both("hit", "попадание")}, {Name: "won", Text: both("victory", "победа")}, {Name: "lost", Text: both("defeat", "поражение")}},
		Grades:   []engine.NameSpec{{Name: "light", Text: both("light wound", "лёгкая рана")}},
		Purposes: []engine.NameSpec{{Name: "attack", Text: both("Attack", "Атака")}, {Name: "defence", Text: both("Defence", "Защита")}},
		Asks:     []engine.NameSpec{{Name: "defend", Text: both("Choose a defence", "Выберите защиту")}},
		Figures: []engine.FigureSpec{
			{Name: "cover", Text: both("Cover", "Укрытие"), Unit: "0 none, 1 cover, 2 full", Ruled: true}, {Name: "damage", Text: both("Damage", "Урон")},
			{Name: "light", Text: both("Light", "Свет")},
		},
		Bands:  []engine.NameSpec{{Name: "shade", Text: both("Heavy shade", "Сильная тень")}},
		Levels: []engine.LevelSpec{{N: 2, Text: both("Mediocre", "посредственно")}, {N: 3, Text: both("Normal", "нормально")}, {N: 4, Text: both("Good", "хорошо")}},
		Rules:  []engine.RuleSpec{{ID: "S-1", Text: both("Striking", "Удары")}},
	}
}

// fudge is a throw of four faces.
func fudge(faces ...int16) dice.Throw {
	t := dice.Throw{Kind: dice.Fudge, Count: 4, Sides: 3}
	for i, f := range faces {
		t.Faces[i] = f
		t.Sum += int32(f)
	}
	return t
}

// smallBattle is what the reader of the golden log knows: not who actor 9 is.
func smallBattle() (before, after *engine.Battle) {
	b := engine.Battle{
		Round: 2, Phase: engine.Running,
		Teams: []engine.Team{{ID: "red", Name: "Red"}, {ID: "blue"}},
		Actors: []engine.Actor{
			{ID: 1, Key: "kim", Name: "Ким", Team: "red"}, {ID: 2, Key: "ada", Name: "Ада", Grammar: engine.Feminine, Team: "blue"},
			{ID: 4, Key: "the_fourth", Name: " \n", Grammar: engine.Plural},
		},
		Items: []engine.Item{{ID: 5, Ref: "sword", Holder: 1, Slot: "main"}, {ID: 6, Ref: "tt", Holder: 2, Slot: "main"}},
		Conds: []engine.Cond{{ID: 7, Name: "wound", On: engine.ActorID(1).On(), Level: 1, Part: "head"}},
		Zones: []engine.Zone{{ID: 8, Name: "fire"}},
		Plans: []engine.Plan{{ID: 10, Owner: engine.ActorID(2).On(), Kind: engine.PlanWork, Intent: engine.Intent{Act: "aim"}}},
		Frames: []engine.Frame{{ID: 20, Lanes: []engine.Lane{{Target: engine.Target{Ref: engine.ActorID(2).On()},
			Seen: voxel.Sighting{Samples: 64, Hidden: 40, Hiding: []voxel.HidingCell{{At: voxel.Pos{X: 3, Y: 64, Z: 5}, Name: "stone"}}}}}}},
		Rulings: []engine.Ruling{{ID: 30, What: "cover"}},
		Prompts: []engine.Prompt{{ID: 40, Whose: 2}},
	}
	before, after = &b, b.Clone()
	before.Actors = append(slices.Clone(b.Actors), engine.Actor{ID: 11, Name: "Ушедший"})
	after.Rulings = nil
	return before, after
}

// smallFacts has every type of event, in every variant that a sentence knows.
func smallFacts() []engine.Fact {
	kim, ada := engine.ActorID(1), engine.ActorID(2)
	attack := engine.Roll{ID: 1, By: 1, Against: 2, Why: "attack", Rule: "S-1", Frame: 20, Base: engine.Base{Trait: "blades", Level: 4},
		Mods: []engine.Mod{
			{Name: "tired", Rule: "S-2", Amount: -1, Source: engine.Ref{Kind: engine.RefCond, ID: 7}},
			{Name: "cover", Rule: "S-3", Kind: engine.ModPercent, Amount: -25, Cells: []voxel.Pos{{X: 3, Y: 64, Z: 5}, {X: 9, Y: 9, Z: 9}}},
			{Name: "unknown_mod", Rule: "S-4", Kind: engine.ModDamage, Amount: 2, Void: true},
		},
		Throws: []dice.Throw{fudge(1, 0, 0, -1)}, Result: 3, Aim: 2, HasAim: true}
	defence := engine.Roll{ID: 2, By: 2, Against: 1, Why: "defence", Frame: 20, Base: engine.Base{Trait: "dodging", From: "blades", Level: 3, Kind: engine.BaseCorrelated},
		Throws: []dice.Throw{fudge(0, 0, 0, -1), fudge(-1, -1, 0, 0)}, Taken: 0, Result: 2}
	events := []engine.Event{
		engine.Began{Rules: engine.Rules{Ruleset: "small", Revision: 3}, Title: "Дуэль", Teams: []engine.Team{{ID: "red", Name: "Red"}, {ID: "blue"}}, Commitment: [32]byte{0xab}},
		engine.EntropyAdded{Entropy: engine.Entropy{Player: "p1"}},
		engine.PhaseSet{Phase: engine.Lobby}, engine.PhaseSet{Phase: engine.Running}, engine.PhaseSet{Phase: engine.Paused, Reason: "tea"}, engine.PhaseSet{Phase: engine.Over},
		engine.RulesSet{Reason: "a gross error"},
		engine.Clocked{Round: 2}, engine.Clocked{Round: 2, Slot: 3},
		engine.Queued{Seats: []engine.Seat{{Actor: 1, Result: 5}, {Actor: 2, Result: -1}, {Actor: 9}}},
		engine.Queued{Seats: []engine.Seat{{Actor: 1, Result: 5, State: engine.SeatActing}, {Actor: 2, Result: -1}}},
		engine.ActorSet{Actor: engine.Actor{ID: 1, Team: "red"}},
		engine.ActorSet{Actor: engine.Actor{ID: 2, Controller: engine.Controller{Kind: engine.ByMaster}}},
		engine.ActorGone{ID: 11, Reason: "bedtime"}, engine.ActorGone{ID: 12},
		engine.TraitSet{Trait: engine.Trait{On: 1, Name: "blades", Level: 4}}, engine.TraitSet{Trait: engine.Trait{On: 1, Name: "blades"}, Gone: true},
		engine.Moved{Actor: 2, From: voxel.Pos{X: 1}.Floor(), To: voxel.Pos{X: 2}.Floor(), Gait: "run", Cost: 256},
		engine.Framed{},
		engine.Moved{Actor: 2, From: voxel.Pos{X: 2}.Floor(), To: voxel.Pos{X: 3, Z: 1}.Floor(), Gait: "run", Cost: 384},
		engine.Moved{Actor: 4, To: voxel.Pos{X: 7}.Floor()},
		engine.Posed{Actor: 1, Posture: voxel.Prone}, engine.Posed{Actor: 1, Posture: voxel.Prone, Look: voxel.Look{X: 1}}, engine.Posed{Actor: 1, Posture: voxel.Crouching}, engine.Posed{Actor: 1},
		engine.GaugeSet{Gauge: engine.Gauge{On: kim.On(), Name: "energy", Now: 2500000, Max: 9000000}, Before: 3000000},
		engine.GaugeSet{Gauge: engine.Gauge{On: engine.ItemID(6).On(), Name: "rounds", Now: 7, Max: 8}, Before: 8},
		engine.GaugeSet{Gauge: engine.Gauge{On: kim.On(), Name: "slots_light", Now: 1}, Before: 2},
		engine.GaugeSet{Gauge: engine.Gauge{On: kim.On(), Name: "energy"}, Gone: true},
		engine.CondSet{Cond: engine.Cond{ID: 50, Name: "wound", On: ada.On(), Level: 1, Part: "head"}},
		engine.CondSet{Cond: engine.Cond{ID: 51, Name: "bound", On: ada.On(), With: 1, About: "dodging", Item: 5}},
		engine.CondSet{Cond: engine.Cond{ID: 52, Name: "dead", On: ada.On()}}, engine.CondSet{Cond: engine.Cond{ID: 53, Name: "drawn", On: ada.On()}},
		engine.CondCleared{ID: 7, Name: "wound", On: kim.On(), Why: engine.ClearHealed},
		engine.CondCleared{ID: 51, Name: "bound", On: ada.On(), Why: engine.ClearBroken}, engine.CondCleared{ID: 51, Name: "bound", On: ada.On(), Why: engine.ClearParent},
		engine.ItemSet{Item: engine.Item{ID: 5, Ref: "sword", Cell: voxel.Pos{X: 1, Y: 2, Z: 3}}}, engine.ItemSet{Item: engine.Item{ID: 60, Ref: "tt", Holder: 2, Slot: "main"}},
		engine.ItemSet{Item: engine.Item{ID: 61, Ref: "tt", In: 5}}, engine.ItemGone{ID: 6}, engine.ItemGone{ID: 99},
		engine.ZoneSet{Zone: engine.Zone{ID: 70, Name: "fire", Shape: engine.Shape{Cells: []voxel.Pos{{X: 1}, {X: 2}}}}},
		engine.ZoneSet{Zone: engine.Zone{ID: 70, Name: "fire", Shape: engine.Shape{Kind: engine.ShapeBox, Cells: []voxel.Pos{{X: 1}, {X: 2}}}}},
		engine.ZoneCleared{ID: 8, Why: engine.ClearExpired},
		engine.PlanSet{Plan: engine.Plan{ID: 10, Owner: ada.On(), Kind: engine.PlanWork, Intent: engine.Intent{Act: "aim"}, Left: 2, Total: 3}},
		engine.PlanSet{Plan: engine.Plan{Owner: ada.On(), Kind: engine.PlanGuard, Intent: engine.Intent{Act: "strike"}, Note: "if he moves"}},
		engine.PlanCleared{ID: 10, Why: engine.ClearBroken}, engine.PlanCleared{ID: 99, Why: engine.ClearFired},
		engine.KnownSet{Known: engine.Known{By: 1, Of: ada.On(), Level: engine.Seen}}, engine.KnownSet{Known: engine.Known{By: 2, Of: engine.ActorID(9).On(), Level: engine.Heard, Cell: voxel.Pos{X: 4, Y: 1, Z: 4}}},
		engine.KnownSet{Known: engine.Known{By: 1, Of: ada.On(), Level: engine.Unknown}}, engine.KnownSet{Gone: true},
		engine.BlocksChanged{Edits: []engine.BlockEdit{{At: voxel.Pos{X: 1}, Block: voxel.NoBlock()}, {At: voxel.Pos{X: 2}, Block: voxel.FullCube("stone"), Wear: 3}, {At: voxel.Pos{X: 3}, Block: voxel.FullCube("oak_planks")}},
			Gone: []voxel.Pos{{X: 4}, {X: 5}}},
		engine.Declared{Class: "attack", Intent: engine.Intent{Act: "strike", By: 1, Targets: []engine.Target{{Ref: ada.On()}}, Items: []engine.ItemID{5}, Part: "head"}},
		engine.Declared{Class: "attack", Intent: engine.Intent{By: 9}}, engine.Declared{Class: "move", Intent: engine.Intent{Act: "run", By: 1}},
		engine.Declared{Class: "rest", Intent: engine.Intent{Act: "aim", By: 2, Targets: []engine.Target{{Cell: voxel.Pos{X: 1, Y: 2, Z: 3}}, {Ref: kim.On()}}, About: "dodging", Mods: []engine.ModName{"tired"}}},
		engine.Rolled{Roll: engine.Roll{By: 1, Why: "attack", Base: engine.Base{Trait: "blades", Level: 4}}}, // prepared
		engine.Rolled{Roll: attack}, engine.Prompted{}, engine.Rolled{Roll: defence}, engine.Rolled{Roll: attack},
		engine.Revised{Roll: defence, Mod: engine.Mod{Name: "tired", Amount: 1}},
		engine.Tallied{Tally: engine.Tally{What: "damage", Frame: 20, On: 2, Terms: []engine.Term{{Name: "weapon", Amount: 4}, {Name: "cover", Amount: -1}}, Total: 3, Band: "light"}},
		engine.Tallied{Tally: engine.Tally{What: "damage", On: 2, Terms: []engine.Term{{Name: "weapon", Amount: -4}}}},
		engine.Tallied{Tally: engine.Tally{What: "light", On: 2, Total: 3, Band: "shade"}},
		engine.Resolved{Act: "strike", By: 1, Target: engine.Target{Ref: ada.On()}, Outcome: "hit", Grade: "light"},
		engine.Resolved{Act: "strike", By: 1, Target: engine.Target{Ref: engine.ActorID(9).On()}, Outcome: "parried"}, engine.Resolved{Act: "aim", By: 2, Outcome: "half_done"},
		engine.PromptClosed{ID: 40, Why: engine.PromptTime}, engine.Answered{By: 2, How: engine.PromptTime}, engine.Answered{By: 2, Lines: []engine.Line{{}}}, engine.Answered{By: 2, How: engine.PromptAnswered},
		engine.Unframed{},
		engine.Ruled{Ruling: engine.Ruling{What: "cover", N: 2, Scope: engine.Scope{Kind: engine.ScopePair, A: 1, B: 2}, Reason: "I saw it"}},
		engine.RulingCleared{ID: 30},
		engine.Said{Actor: 2, Text: "Стой! {actor}\n[x]"}, engine.Said{Text: "Night falls"}, engine.Said{Key: "adjusted", Args: []engine.Arg{engine.Words("reason", "a slip")}}, engine.Said{Key: "some_key"},
		engine.Ended{Outcome: []engine.TeamOutcome{{Team: "red", Outcome: "won"}, {Team: "blue", Outcome: "lost"}}, Seed: [32]byte{0xcd}},
		engine.Rewound{To: 7, Reason: "a slip"},
		engine.Clocked{Round: 1}, // restored, not told
	}
	facts := make([]engine.Fact, len(events))
	for i, e := range events {
		facts[i] = engine.Fact{Why: engine.Why{Rule: "S-1"}, Event: e}
		if a, ok := e.(engine.ActorSet); ok {
			facts[i].Why.Rule = engine.RuleJoin
			if a.Actor.ID == 2 {
				facts[i].Why.Rule = engine.RuleMaster
			}
		}
	}
	return facts
}

func TestGoldenLog(t *testing.T) {
	before, after := smallBattle()
	facts := smallFacts()
	for _, e := range eventTypes(source(t)) {
		if !slices.ContainsFunc(facts, func(f engine.Fact) bool { return reflect.TypeOf(f.Event).Name() == e }) {
			t.Errorf("no %s in the log", e)
		}
	}
	for _, l := range []Locale{English, Russian} {
		r := For(smallSpec(), l)
		var out strings.Builder
		for _, line := range r.LinesBetween(before, after, facts) {
			fmt.Fprintf(&out, "%-14s %s\n", reflect.TypeOf(facts[line.Fact].Event).Name(), line.Text)
		}
		out.WriteString("\n# The rolls in full\n")
		for i := range facts {
			if e, ok := facts[i].Event.(engine.Rolled); ok {
				out.WriteString(r.Roll(after, &e.Roll) + "\n")
			}
		}
		out.WriteString("\n# Prompts, offers, refusals\n")
		far := engine.Refuse(engine.ReasonTooFar, "S-1", engine.Num("cost", 9), engine.Num("left", 4), engine.Num("odd_key", 1))
		far.Region = make([]engine.CellCost, 22)
		hidden := engine.Refuse(engine.ReasonOutOfSight, "AB-POSE", engine.Refers("target", engine.ActorID(2).On()))
		hidden.Cells = []voxel.Pos{{X: 3, Y: 64, Z: 5}}
		for _, no := range []*engine.Rejection{far, hidden, engine.Refuse(engine.ReasonPhase, ""), engine.Refuse("no_such_reason", "X-1")} {
			out.WriteString(r.Refusal(after, no) + "\n")
		}
		for k := engine.PromptTurn; k <= engine.PromptRuling; k++ {
			out.WriteString(r.Prompt(after, &engine.Prompt{Whose: 2, Kind: k, Ask: "no_text"}) + "\n")
		}
		out.WriteString(r.Prompt(after, &engine.Prompt{Whose: 2, Kind: engine.PromptDefend, Ask: "defend", Must: true, Limit: engine.Limit{MS: 30001},
			Args: []engine.Arg{engine.Refers("attacker", engine.ActorID(1).On()), engine.Level("result", 4)}}) + "\n")
		out.WriteString(r.Offer(after, &engine.Offer{Act: "strike", Targets: []engine.Target{{Ref: engine.ActorID(1).On()}, {Ref: engine.ActorID(2).On()}}, Items: [][]engine.ItemID{{5}, {5, 6}},
			Parts: []engine.PartName{"head"}, About: []engine.TraitName{"dodging"}, Mods: []engine.ModGroup{{Mods: []engine.ModName{"tired"}, Most: 1}}, Amount: engine.Span{Min: 1, Max: 3},
			Region: make([]engine.CellCost, 3), Cost: []engine.GaugeCost{{Name: "energy", Amount: 1500000}}, No: far}) + "\n")
		out.WriteString(strings.Join([]string{r.Name("trait", "blades"), r.Name("", "shade"), r.Name("rule", "AB-END"), r.Name("rule", "S-1"), r.Name("item", "tt"), r.Name("part", "no_text")}, "; ") + "\n")
		path := filepath.Join("testdata", "log."+string(l)+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Split(out.String(), "\n")
		for i, w := range strings.Split(string(want), "\n") {
			if i >= len(got) || got[i] != w {
				t.Fatalf("%s:%d\n got: %s\nwant: %s\n(run with -update and read the diff)", path, i+1, append(got, "(end)")[min(i, len(got))], w)
			}
		}
		if len(got) != strings.Count(string(want), "\n")+1 {
			t.Errorf("%s: %d lines, got %d", path, strings.Count(string(want), "\n"), len(got)-1)
		}
	}
}

func TestLinesNeedNoBattle(t *testing.T) {
	for _, l := range []Locale{English, Russian} {
		for _, line := range For(nil, l).Lines(&engine.Battle{}, smallFacts()) {
			if line.Text == "" {
				t.Errorf("%s: an empty line for fact %d", l, line.Fact)
			}
		}
	}
}

func BenchmarkLines(b *testing.B) {
	spec := smallSpec()
	before, after := smallBattle()
	facts := smallFacts()
	b.ReportAllocs()
	lines := 0
	for b.Loop() {
		lines += len(For(spec, Russian).LinesBetween(before, after, facts))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(lines), "ns/line")
}
