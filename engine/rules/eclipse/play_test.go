package eclipse

import (
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"autobattle/engine"
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

func at(x, z int32, look voxel.Look) voxel.Pose {
	return voxel.Pose{At: voxel.Pos{X: x, Z: z}.Floor(), Look: look}
}

// fighter is a sheet: Intuition and Reflexes 15, Somatics 20, Durability 40, Guns 70, Melee 60, Fray 60.
func fighter(key, team string, x, z int32, items ...engine.NewItem) engine.Newcomer {
	return engine.Newcomer{
		Key: key, Name: key, Team: engine.TeamID(team), Controller: engine.Controller{Player: key}, Body: biomorph, Pose: at(x, z, voxel.Look{X: 1}),
		Traits: []engine.TraitLevel{{Name: "intuition", Level: 15}, {Name: "reflexes", Level: 15}, {Name: "somatics", Level: 20},
			{Name: "durability", Level: 40}, {Name: "guns", Level: 70}, {Name: "melee", Level: 60}, {Name: "fray", Level: 60}},
		Items: items,
	}
}

func hand(ref engine.CatalogueRef) engine.NewItem { return engine.NewItem{Ref: ref, Slot: slotMain} }
func worn(ref engine.CatalogueRef) engine.NewItem { return engine.NewItem{Ref: ref, Slot: slotWorn} }

func with(n engine.Newcomer, gauges ...engine.NewGauge) engine.Newcomer {
	n.Gauges = gauges
	return n
}

var teams = []engine.Team{{ID: "red", Name: "red"}, {ID: "blue", Name: "blue"}}

// scenes are what the transcripts start from, by file name.
func scene(t *testing.T, name string) rulestest.Game {
	g := rulestest.Game{System: system(t), Open: engine.Open{Teams: teams}}
	switch name {
	case "example":
		g.Actors = []engine.Newcomer{
			with(fighter("sava", "red", 0, 0, hand("service_pistol")), engine.NewGauge{Name: gaugeFlex, Now: 2}),
			fighter("zoe", "blue", 10, 0, worn("armour_vest")),
		}
	case "burst_at_two":
		g.Actors = []engine.Newcomer{
			with(fighter("sava", "red", 0, 0, hand("service_pistol")), engine.NewGauge{Name: gaugeVigor, Now: 2}),
			with(fighter("zoe", "blue", 6, 0), engine.NewGauge{Name: gaugeFlex, Now: 1}),
			fighter("yan", "blue", 6, 1),
		}
	case "delay":
		g.Actors = []engine.Newcomer{
			fighter("sava", "red", 0, 0, hand("hand_laser")),
			fighter("zoe", "blue", 5, 0, hand("short_blade"), engine.NewItem{Ref: "old_revolver", Slot: slotCarried}),
		}
	case "melee":
		g.Actors = []engine.Newcomer{
			fighter("sava", "red", 0, 0, hand("monofilament_blade")),
			fighter("zoe", "blue", 1, 0, hand("short_blade"), worn("armour_vest")),
		}
	default:
		t.Fatalf("no scene %q", name)
	}
	return g
}

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			g := scene(t, name)
			lobby, _ := rulestest.Lobby(t, g)
			enginetest.Transcript(t, path, enginetest.Setup{System: g.System, Battle: lobby, World: g.World})
		})
	}
}

// field is an arena with a wall, a lamp and a dark end.
func field(t testing.TB) voxel.World {
	t.Helper()
	arena, err := voxel.NewBuilder(voxel.Pos{X: -16, Y: -16, Z: -16}, voxel.Pos{X: 3, Y: 2, Z: 2}).
		Fill(voxel.Pos{X: -4, Y: -1, Z: -4}, voxel.Pos{X: 19, Y: -1, Z: 7}, voxel.FullCube("stone")).
		Fill(voxel.Pos{X: 5, Z: -1}, voxel.Pos{X: 5, Y: 2, Z: 3}, voxel.FullCube("stone")).
		Fill(voxel.Pos{X: 12, Y: 4, Z: -4}, voxel.Pos{X: 19, Y: 4, Z: 7}, voxel.FullCube("stone")).
		Set(voxel.Pos{X: 2, Y: 2, Z: 4}, voxel.Lamp()).
		Build()
	if err != nil {
		t.Fatal(err)
	}
	return arena
}

func TestDrawnBattles(t *testing.T) {
	crowd := []engine.Newcomer{
		with(fighter("sava", "red", 0, 0, hand("service_pistol"), worn("armour_vest"), engine.NewItem{Ref: "monofilament_blade", Slot: slotCarried}), engine.NewGauge{Name: gaugeVigor, Now: 3}),
		fighter("rem", "red", 1, 2, hand("old_revolver")),
		with(fighter("zoe", "blue", 6, 0, hand("short_blade")), engine.NewGauge{Name: gaugeFlex, Now: 2}, engine.NewGauge{Name: gaugeVigor, Now: 1}),
		fighter("yan", "blue", 6, 1, hand("assault_rifle"), worn("combat_armour")),
	}
	crowd[1].Traits = crowd[1].Traits[:4] // without the skills
	crowd[3].Body = "synthmorph"
	for name, g := range map[string]rulestest.Game{
		"open field": {System: system(t), Actors: crowd, Open: engine.Open{Teams: teams}, Answers: 60},
		"arena": {System: system(t), Actors: crowd, World: field(t), Answers: 40, Open: engine.Open{Teams: teams, Options: []engine.Option{
			{Name: optConfirm, Word: wordAsk}, {Name: optCrit, Word: wordDouble}, {Name: optSky, N: 4}}}},
	} {
		t.Run(name, func(t *testing.T) {
			g.Check = invariants
			rulestest.Property(t, g)
		})
	}
}

// invariants: magazines and pools are never overdrawn, the stack is no deeper than its kinds allow, who is dead does not
// act.
func invariants(rt *rapid.T, b *engine.Battle, _ []engine.Commit) {
	for i := range b.Gauges {
		if g := &b.Gauges[i]; g.Now < g.Min || g.Now > g.Max {
			rt.Fatalf("gauge %s of %v is %d, outside %d…%d", g.Name, g.On, g.Now, g.Min, g.Max)
		}
	}
	for _, p := range b.LivePrompts() {
		if p.Whose != 0 && !up(b, p.Whose) {
			rt.Fatalf("prompt %s asks %d, who is out", p.Ask, p.Whose)
		}
	}
}
