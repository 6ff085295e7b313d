package enginetest

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

// poke throws and says what came.
func poke(s *engine.Scene) {
	a := s.Battle().Actors[0].ID
	t := s.Throw(dice.FourFudge(0))
	s.Rolled(engine.Roll{ID: engine.RollID(s.NewID()), By: a, Why: "poke", Rule: "T-1", Throws: []dice.Throw{t}, Result: t.Sum})
}

const played = `# A comment stays.
start
----
phase running  [AB-START]
prompted anna turn  [AB-START]

anna does poke at anna faces + + 0 -
----
answered anna poke at anna  [AB-PROMPT]
prompt closed  [AB-PROMPT]
rolled anna poke  0 [+ + 0 -] = 1  [T-1]
prompted anna turn  [AB-PROMPT]

anna does fly
----
refused unknown_act by AB-PROMPT act=fly

timeup faces 0000
----
answered anna nothing  [AB-TIME]
prompt closed  [AB-TIME]
rolled anna poke  0 [0 0 0 0] = 0  [T-1]
prompted anna turn  [AB-TIME]

end
----
prompt closed withdrawn  [AB-MASTER]
unframed ended  [AB-MASTER]
ended  [AB-END]

`

// A transcript is given back with the facts, whatever facts stood there before.
func TestPlay(t *testing.T) {
	sys := system(poke)
	from := Setup{System: sys, Battle: lobby(t, sys)}
	if got := Play(t, played, from); got != played {
		t.Errorf("got:\n%s", got)
	}
	wrong := strings.ReplaceAll(played, "rolled anna", "rolled nobody")
	if got := Play(t, wrong, from); got != played {
		t.Errorf("the old facts count:\n%s", got)
	}
	path := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(path, []byte(played), 0o600); err != nil {
		t.Fatal(err)
	}
	Transcript(t, path, from)
}

func TestParse(t *testing.T) {
	sys := system(poke)
	b, _, err := engine.Step(sys, lobby(t, sys), engine.Start{}, engine.Env{})
	if err != nil {
		t.Fatal(err)
	}
	anna, stick, prompt := b.Actors[0].ID, b.Items[0].ID, b.Prompts[0].ID
	want := map[string]engine.Command{
		"start":            engine.Start{},
		"end":              engine.End{},
		"timeup":           engine.TimeUp{Prompts: []engine.PromptID{prompt}},
		"anna declines":    engine.Decide{Prompt: prompt, By: anna},
		"master does poke": engine.Decide{Intents: []engine.Intent{{Act: "poke"}}},
		"anna does poke at anna 1,2,3 with stick part head about might mods a,b path 1,0,1 -1,0,1 look 0,0,-1 amount 4 same": engine.Decide{Prompt: prompt, By: anna, Intents: []engine.Intent{{
			Act: "poke", By: anna, Targets: []engine.Target{{Ref: anna.On()}, {Cell: voxel.Pos{X: 1, Y: 2, Z: 3}}}, Items: []engine.ItemID{stick}, Part: "head", About: "might",
			Mods: []engine.ModName{"a", "b"}, Path: []voxel.Pos{{X: 1, Z: 1}, {X: -1, Z: 1}}, Look: voxel.Look{Z: -1}, Amount: 4, Same: true}}},
	}
	for line, c := range want {
		if got, err := parse(b, line); err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s: %+v, %v; want %+v", line, got, err, c)
		}
	}
	for _, line := range []string{"stop", "eve does poke", "anna will poke", "anna does", "anna does poke to anna", "anna does poke now", "anna does poke at eve",
		"anna does poke with axe", "anna does poke path 1,2", "anna does poke path a,b,c", "anna does poke look x", "anna does poke amount many"} {
		if got, err := parse(b, line); err == nil {
			t.Errorf("%s: taken as %+v", line, got)
		}
	}
}

// Every fact has a line of its own: none is printed as its Go type alone, and no two alike.
func TestFormat(t *testing.T) {
	sys := system(poke)
	b := lobby(t, sys)
	anna := b.Actors[0].ID
	r := engine.Roll{By: anna, Why: "poke", Mods: []engine.Mod{{Name: "m", Amount: -1, Void: true}}, HasAim: true, Aim: 3, Grade: "good"}
	events := []engine.Event{
		engine.Began{Rules: engine.Rules{Ruleset: "toy"}}, engine.EntropyAdded{Entropy: engine.Entropy{Player: "anna"}},
		engine.RulesSet{Reason: "wrong table"}, engine.PhaseSet{Phase: engine.Over}, engine.Ended{Outcome: []engine.TeamOutcome{{Team: "red", Outcome: "won"}}},
		engine.Clocked{Round: 1}, engine.Queued{Seats: []engine.Seat{{Actor: anna, State: engine.SeatDelayed}}}, engine.ActorSet{Actor: b.Actors[0]}, engine.ActorGone{ID: 9},
		engine.TraitSet{Trait: engine.Trait{On: anna, Name: "might"}}, engine.Moved{Actor: anna, Gait: "run"}, engine.Posed{Actor: anna}, engine.GaugeSet{Gauge: engine.Gauge{On: anna.On(), Name: "hp"}},
		engine.CondSet{Cond: engine.Cond{Name: "hurt", On: anna.On(), With: anna, About: "might", Part: "head"}}, engine.CondCleared{Name: "hurt", On: anna.On(), Why: engine.ClearMaster},
		engine.ItemSet{Item: b.Items[0]}, engine.ItemGone{ID: 7}, engine.ZoneSet{Zone: engine.Zone{Name: "gas"}}, engine.ZoneCleared{ID: 3}, engine.PlanSet{Plan: engine.Plan{Owner: anna.On()}},
		engine.PlanCleared{ID: 4, Why: engine.ClearFired}, engine.KnownSet{Known: engine.Known{By: anna, Of: b.Items[0].ID.On()}}, engine.BlocksChanged{Gone: []voxel.Pos{{}}},
		engine.Declared{Intent: engine.Intent{Act: "poke", By: anna}}, engine.Rolled{Roll: r}, engine.Revised{Roll: r, Mod: engine.Mod{Name: "will"}},
		engine.Tallied{Tally: engine.Tally{What: "damage", On: anna, Terms: []engine.Term{{Name: "x", Amount: 2}}}}, engine.Resolved{By: anna, Act: "poke", Outcome: "hit"},
		engine.Prompted{Prompt: engine.Prompt{Ask: "turn"}}, engine.PromptClosed{Why: engine.PromptTime}, engine.Answered{By: anna, Lines: []engine.Line{{}}}, engine.Framed{Frame: engine.Frame{Step: "s"}},
		engine.Unframed{Outcome: "done"}, engine.Ruled{Ruling: engine.Ruling{What: "damage"}}, engine.RulingCleared{ID: 5}, engine.Rewound{To: 2}, engine.Said{Text: "hm"},
	}
	seen := map[string]engine.Event{}
	for _, e := range events {
		line := Format(b, engine.Fact{Event: e})
		name := strings.TrimPrefix(reflect.TypeOf(e).String(), "engine.")
		if line == "" || line == name {
			t.Errorf("%T prints as %q", e, line)
		}
		if other, twice := seen[line]; twice {
			t.Errorf("%T and %T both print as %q", e, other, line)
		}
		seen[line] = e
	}
	for aud, want := range map[engine.AudienceKind]string{engine.ForActors: "(for anna)", engine.ForKnowers: "(for knowers of anna)", engine.ForMaster: "(for master)"} {
		line := Format(b, engine.Fact{Event: engine.Said{Text: "hm"}, Why: engine.Why{Rule: "R-1"}, For: engine.Audience{Kind: aud, Who: []engine.ActorID{anna}}})
		if !strings.HasSuffix(line, "[R-1]  "+want) {
			t.Errorf("%q, want it to end in %q", line, want)
		}
	}
}
