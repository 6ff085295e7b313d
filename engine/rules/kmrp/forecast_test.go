package kmrp

import (
	"testing"

	"autobattle/engine"
	"autobattle/engine/odds"
	"autobattle/engine/rules/kmrp/catalogue"
)

// A forecast from what a player knows is whole: the chances of the lane add up to one, and are those of the battle itself.
func TestForecastFromAView(t *testing.T) {
	b := lobby(t, sys(t), nil, nil,
		fighter("anna", "red", 4, 0, south, traits(at(catalogue.OneHandedSkill, 5)), inMain("sword")),
		fighter("boris", "blue", 4, 1, north, traits(at(catalogue.Evasion, 3)), inMain("sword")))
	b = play(t, sys(t), b, nil, engine.Start{}, "+000 0000")
	anna, boris := b.ActorByKey("anna").ID, b.ActorByKey("boris").ID
	d := engine.Decide{Prompt: b.LivePrompts()[0].ID, By: anna, Intents: []engine.Intent{{
		Act: actAttack, Targets: []engine.Target{{Ref: boris.On()}}, Items: []engine.ItemID{b.ItemAt(anna, catalogue.MainHand).ID}}}}
	whole, err := engine.Preview(sys(t), b, nil, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := engine.Preview(sys(t), engine.See(b, engine.ViewerOf(b, anna)), nil, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	var sum odds.Chance
	for i, o := range seen.Outcomes {
		sum = sum.Add(o.Chance)
		if w := whole.Outcomes[i]; w.Outcome != o.Outcome || w.Grade != o.Grade || w.Chance.Cmp(o.Chance) != 0 {
			t.Errorf("outcome %d: %s %s %s from the view, %s %s %s from the battle", i, o.Outcome, o.Grade, o.Chance, w.Outcome, w.Grade, w.Chance)
		}
	}
	if !sum.IsCertain() {
		t.Errorf("the chances add up to %s: %+v", sum, seen.Outcomes)
	}
}
