package kmrp

import (
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// north is the direction of −z.
var (
	north = voxel.Look{Z: -1}
	south = voxel.Look{Z: 1}
	east  = voxel.Look{X: 1}
	west  = voxel.Look{X: -1}
)

// fighter is a newcomer of level 3 in every attribute, at a cell of an open field.
func fighter(key string, team engine.TeamID, x, z int32, look voxel.Look, traits []engine.TraitLevel, items ...engine.NewItem) engine.Newcomer {
	n := engine.Newcomer{Key: key, Name: key, Team: team, Pose: voxel.Pose{At: voxel.Pos{X: x, Y: 1, Z: z}.Floor(), Look: look}, Items: items}
	for _, t := range catalogue.Default().Traits() {
		if t.Group == catalogue.GroupAttribute {
			n.Traits = append(n.Traits, engine.TraitLevel{Name: t.Name, Level: 3})
		}
	}
	return with(n, traits...)
}

// with sets traits of a newcomer.
func with(n engine.Newcomer, traits ...engine.TraitLevel) engine.Newcomer {
	for _, t := range traits {
		found := false
		for i := range n.Traits {
			if n.Traits[i].Name == t.Name {
				n.Traits[i].Level, found = t.Level, true
			}
		}
		if !found {
			n.Traits = append(n.Traits, t)
		}
	}
	return n
}

func at(name engine.TraitName, level int32) engine.TraitLevel {
	return engine.TraitLevel{Name: name, Level: level}
}

func inMain(ref engine.CatalogueRef) engine.NewItem {
	return engine.NewItem{Ref: ref, Slot: catalogue.MainHand}
}
func inOff(ref engine.CatalogueRef) engine.NewItem {
	return engine.NewItem{Ref: ref, Slot: catalogue.OffHand}
}
func onBelt(ref engine.CatalogueRef) engine.NewItem {
	return engine.NewItem{Ref: ref, Slot: catalogue.Belt}
}
func worn(ref engine.CatalogueRef) engine.NewItem {
	return engine.NewItem{Ref: ref, Slot: catalogue.Worn}
}

// opts are options by word.
func word(n engine.OptionName, w string) engine.Option { return engine.Option{Name: n, Word: w} }
func numb(n engine.OptionName, v int64) engine.Option  { return engine.Option{Name: n, N: v} }

// quiet are options that leave out what a test does not look at.
func quiet(more ...engine.Option) []engine.Option {
	return append([]engine.Option{numb(optRedirect, 0)}, more...)
}

// lobby is a battle with its actors, not started.
func lobby(t testing.TB, sys *engine.System, w voxel.World, options []engine.Option, who ...engine.Newcomer) *engine.Battle {
	t.Helper()
	var arena [32]byte
	if a, ok := w.(*voxel.Arena); ok && a != nil {
		arena = a.Hash()
	}
	b := play(t, sys, nil, w, engine.Open{Ruleset: ID, Arena: arena, Teams: []engine.Team{{ID: "red", Name: "red"}, {ID: "blue", Name: "blue"}}, Options: options}, "")
	return play(t, sys, b, w, engine.Join{Actors: who}, "")
}

// play steps once, with all faces used.
func play(t testing.TB, sys *engine.System, b *engine.Battle, w voxel.World, c engine.Command, faces string) *engine.Battle {
	t.Helper()
	n, _ := facts(t, sys, b, w, c, faces)
	return n
}

func facts(t testing.TB, sys *engine.System, b *engine.Battle, w voxel.World, c engine.Command, faces string) (*engine.Battle, []engine.Fact) {
	t.Helper()
	script := dice.MustScript(faces)
	n, commit, err := engine.Step(sys, b, c, engine.Env{World: w, Dice: script})
	if err != nil {
		t.Fatalf("%T refused: %v", c, err)
	}
	if left := script.Left(); left != "" {
		t.Fatalf("%T left faces over: %s", c, left)
	}
	return n, commit.Facts
}

var testSystem = New(catalogue.Default())

func sys(testing.TB) *engine.System { return testSystem }

func traits(list ...engine.TraitLevel) []engine.TraitLevel { return list }
