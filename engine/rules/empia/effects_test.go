package empia

import (
	"strings"
	"testing"

	"autobattle/engine"
	"autobattle/engine/rules/rulestest"
)

// What critical hits and failures do (EM-CRIT-08…25): sava acts in the first slots, with 100 against 100, or against 50
// where nobody defends. A face of D + r is a success of r, of D + 1 + r a failure of r < 0. Nobody rests, and zoe runs once:
// what makes acts dearer shows in her energy.
func TestCriticalEffects(t *testing.T) {
	all := has("firebolt", "mind_stun", "mend", "ward")
	type numbers struct{ sava, zoe, savaEnergy, zoeEnergy int64 }
	for name, c := range map[string]struct {
		weapon engine.CatalogueRef
		orders string
		faces  string
		want   numbers
		cond   engine.CondName // set on zoe
		value  int32
		slots  int32 // after the one in which it is set
	}{
		"size: chopping has no status":    {"axe", "1 strike at zoe with axe", "191 1 1", numbers{100, 88, 96, 98}, "", 0, 0},
		"status of cutting":               {"sword", "1 strike at zoe with sword", "191 2 1 1 4", numbers{100, 93, 97, 98}, condAccuracy, 25, 4},
		"status of crushing":              {"mace", "1 strike at zoe with mace", "191 2 1 1 4", numbers{100, 93, 96, 97}, condCosts, 50, 6},
		"status of bare hands":            {"", "1 strike at zoe", "191 2 3 1", numbers{100, 96, 99, 96}, "", 0, 0},
		"status of piercing":              {"spear", "1 strike at zoe with spear", "191 2 1 2 4", numbers{100, 95, 97, 98}, condDefence, 26, 4},
		"exceptional: two":                {"sword", "1 strike at zoe with sword", "200 1 1 1 1 1", numbers{100, 89, 97, 98}, condAccuracy, 25, 1},
		"cheaper spell":                   {"", "1-2 use firebolt at zoe", "191 2 51 1", numbers{100, 89, 100, 98}, "", 0, 0},
		"longer stun":                     {"", "1-2 use mind_stun at zoe", "191 1 1 4", numbers{100, 100, 85, 100}, condStunned, 0, 6},
		"upon oneself":                    {"axe", "1 strike at zoe with axe", "10 1 1", numbers{92, 100, 96, 98}, "", 0, 0},
		"loss of energy":                  {"axe", "1 strike at zoe with axe", "10 2 1", numbers{100, 100, 88, 98}, "", 0, 0},
		"burnt by a spell":                {"", "1-2 use firebolt at zoe", "10 3", numbers{80, 100, 80, 98}, "", 0, 0},
		"exceptional failure: two":        {"", "1-2 use firebolt at zoe", "1 3 2 1", numbers{80, 100, 70, 98}, "", 0, 0},
		"healing reversed":                {"", "1-2 use mend at zoe", "5 3 1", numbers{100, 90, 80, 98}, "", 0, 0},
		"healing costs what it had given": {"", "1-2 use mend at zoe", "5 1 1", numbers{100, 100, 70, 98}, "", 0, 0},
		"a ward costs more":               {"", "1 use ward at zoe", "5 1 1", numbers{100, 100, 85, 98}, "", 0, 0},
		"larger healing has no room":      {"", "1-2 use mend at zoe", "141 1 51 1", numbers{100, 100, 80, 98}, "", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var items []engine.NewItem
			if c.weapon != "" {
				items = kit(c.weapon)
			}
			g := duel(t, fighter("sava", "red", 0, items, all...), fighter("zoe", "blue", 2, nil))
			sava := c.orders + "; 2 walk at zoe; 3-8 walk at zoe"
			if strings.HasPrefix(c.orders, "1-2") {
				sava = c.orders + "; 3-8 walk at zoe"
			}
			b, facts := play(t, g.System, start(t, g), nil, c.faces, "sava", sava, "zoe", "1-2 walk at sava; 3 run at sava; 4-8 walk at sava")
			zoeEnergy := energyOf(b, "zoe")
			if c.cond == condStunned {
				zoeEnergy = 100 * unit // she rests while she is stunned
			}
			if got := (numbers{livesOf(b, "sava"), livesOf(b, "zoe"), energyOf(b, "sava") / unit, zoeEnergy / unit}); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			if c.cond == "" {
				return
			}
			for _, f := range facts {
				if e, ok := f.Event.(engine.CondSet); ok && e.Cond.Name == c.cond && f.Why.Rule != engine.RuleExpiry {
					if e.Cond.Value != c.value || e.Cond.Until.N != c.slots+1 {
						t.Errorf("%s of %d per cent for %d slots, want %d for %d", c.cond, e.Cond.Value, e.Cond.Until.N-1, c.value, c.slots)
					}
					return
				}
			}
			t.Errorf("no %s", c.cond)
		})
	}
}

// EM-CRIT-22: with somebody else within reach a stray blow strikes him, whoever he is; a fourth effect of four.
func TestStrayBlow(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, kit("axe")), fighter("zoe", "blue", 2, nil))
	g.Actors = append(g.Actors, fighter("rem", "red", 1, nil), fighter("yan", "blue", 9, nil))
	b, facts := play(t, g.System, start(t, g), nil, "10 4 1", "sava", "1 strike at zoe with axe", "zoe", "", "rem", "", "yan", "")
	if livesOf(b, "rem") != 92 || livesOf(b, "zoe") != 100 || livesOf(b, "yan") != 100 {
		t.Errorf("lives of rem, zoe and yan are %d, %d, %d; want 92, 100, 100", livesOf(b, "rem"), livesOf(b, "zoe"), livesOf(b, "yan"))
	}
	rulestest.Names(t, g.System.Spec, facts)
}

// EM-CRIT-20 and EM-MOVE-08: a weapon that slips lies on the ground; of two who pick it up the first by id has it, and the
// other rests. Meanwhile its owner strikes with what he draws.
func TestLostWeapon(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, kit("axe")), fighter("zoe", "blue", 2, nil))
	g.Actors[0].Items = append(g.Actors[0].Items, engine.NewItem{Ref: "sword", Slot: slotCarried})
	lobby := start(t, g)
	// It falls two blocks to the east: where zoe stands.
	b, _ := play(t, g.System, lobby, nil, "10 3 2 1", "sava", "1 strike at zoe with axe; 2 draw with sword; 3-8 walk at zoe", "zoe", "1-8 walk at sava")
	axe := b.ActorByKey("sava").ID
	for i := range b.Items {
		if it := &b.Items[i]; it.Ref == "axe" && (it.Holder != 0 || it.Cell.X != 2) {
			t.Fatalf("the axe is with %d at %v", it.Holder, it.Cell)
		}
	}
	if it := b.ItemAt(axe, slotMain); it == nil || it.Ref != "sword" {
		t.Fatal("sava has not drawn the sword")
	}
	b, facts := play(t, g.System, b, nil, "", "sava", "1 pick_up with axe; 2-8 walk at zoe", "zoe", "1 pick_up with axe; 2-8 walk at sava")
	if it := b.ItemAt(b.ActorByKey("sava").ID, slotMain); it == nil || it.Ref != "axe" {
		t.Error("sava has not the axe in hand")
	}
	if b.ItemAt(b.ActorByKey("sava").ID, slotCarried) == nil {
		t.Error("the sword did not go back")
	}
	var came []engine.OutcomeName
	for _, f := range facts {
		if e, ok := f.Event.(engine.Resolved); ok && e.Act == actPickUp {
			came = append(came, e.Outcome)
		}
	}
	if len(came) != 2 || came[0] != outcomeDone || came[1] != outcomeImpossible {
		t.Errorf("picking up came out as %v", came)
	}
}

// EM-ABIL-06, -08, -09, EM-REST-04: two abilities are held at once and no third is prepared; holding costs upkeep and
// allows no rest; both wards multiply; cancelling ends one.
func TestSustaining(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, nil, has("ward", "hardening", "mend")...), fighter("zoe", "blue", 2, kit("axe")))
	// A ward at once, hardening in two slots, mending that cannot be prepared; zoe strikes for 14 in slot 7.
	b, facts := play(t, g.System, start(t, g), nil, "100 100 150 7", "sava", "1 use ward at sava; 2-3 use hardening at sava; 4-5 use mend at sava; 6-7 rest; 8 cancel ward", "zoe", "7 strike at sava with axe")
	if got := livesOf(b, "sava"); got != 100-8 {
		t.Errorf("lives %d, want 92: 14 by three quarters and four fifths is 8.4", got)
	}
	// 10 and 15 for the spells; upkeep of 2 in slots 1…7 and of 1 in slots 3…8; no rest in any of them.
	if got := energyOf(b, "sava"); got != (100-10-15-14-6)*unit {
		t.Errorf("energy %d, want 55", got/unit)
	}
	if n := sustained(b, b.ActorByKey("sava").ID); n != 1 {
		t.Errorf("%d abilities are held at the end, want hardening alone", n)
	}
	for _, f := range facts {
		if e, ok := f.Event.(engine.Rolled); ok && e.Roll.Why == whyHealing {
			t.Error("mending was used beside two abilities that are held")
		}
	}
	// Who has less than one energy can hold nothing.
	g.Actors[0] = with(g.Actors[0], 12*unit+unit/2, 100)
	b, _ = play(t, g.System, start(t, g), nil, "100", "sava", "1 use ward at sava; 2-8 walk at zoe", "zoe", "")
	if n := sustained(b, b.ActorByKey("sava").ID); n != 0 || energyOf(b, "sava") != unit/2 {
		t.Errorf("%d held at %d energy, want none at half an energy", n, energyOf(b, "sava"))
	}
}

// With end_confirm = ask the master decides whether the battle is over, and is asked again after a turn.
func TestEndIsAsked(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, nil), with(fighter("zoe", "blue", 2, nil), 100*unit, -5))
	g.Open.Options = []engine.Option{{Name: optConfirm, Word: wordAsk}}
	b, _ := play(t, g.System, start(t, g), nil, "", "sava", "", "zoe", "")
	answer := func(act engine.ActName) {
		t.Helper()
		p := b.LivePrompts()
		if len(p) != 1 || p[0].Ask != askEnd || p[0].Whose != 0 {
			t.Fatalf("the master is not asked: %+v", p)
		}
		next, _, err := engine.Step(g.System, b, engine.Decide{Prompt: p[0].ID, Intents: []engine.Intent{{Act: act}}}, engine.Env{})
		if err != nil {
			t.Fatal(err)
		}
		b = next
	}
	answer(actGoOn)
	b, _ = play(t, g.System, b, nil, "", "sava", "")
	answer(actConfirm)
	if b.Phase != engine.Over || b.Outcome[0].Outcome != outcomeVictory {
		t.Errorf("phase %d, outcome %+v", b.Phase, b.Outcome)
	}
}

// EM-ORD-04: conditions on gauges, results, distance and what is seen of others choose the variant.
func TestConditions(t *testing.T) {
	for name, c := range map[string]struct {
		zoe, sava string
		first     engine.ActName // of sava in slot 2
	}{
		"energy holds":       {"", "1 run at zoe; 2 [energy < 99] walk at zoe / rest", actWalk},
		"energy fails":       {"", "1 walk at zoe; 2 [energy < 99] walk at zoe / rest", ""},
		"slot holds":         {"", "1 walk at zoe; 2 [slot 1 moved] walk at zoe / rest", actWalk},
		"slot fails":         {"", "1 walk at zoe; 2 [slot 1 hit] walk at zoe / rest", ""},
		"near holds":         {"", "1 run at zoe; 2 [near zoe 12] walk at zoe / rest", actWalk},
		"near fails":         {"", "1 run at zoe; 2 [near zoe 9] walk at zoe / rest", ""},
		"acts holds":         {"2 walk at sava", "2 [acts zoe move] walk at zoe / rest", actWalk},
		"acts fails":         {"2 rest", "2 [acts zoe move] walk at zoe / rest", ""},
		"moves another way":  {"2 walk at sava away", "2 [moves zoe walk] walk at zoe / rest", ""},
		"an enemy collapsed": {"", "2 [is enemy collapsed] walk at zoe / rest", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := duel(t, fighter("sava", "red", 0, nil), fighter("zoe", "blue", 20, nil))
			_, facts := play(t, g.System, start(t, g), nil, "", "sava", c.sava, "zoe", c.zoe)
			slot, got := int32(0), engine.ActName("")
			for _, f := range facts {
				switch e := f.Event.(type) {
				case engine.Clocked:
					slot = e.Slot
				case engine.Declared:
					if slot == 2 && e.Intent.By == 1 {
						got = e.Intent.Act
					}
				}
			}
			if got != c.first {
				t.Errorf("in slot 2 sava does %q, want %q", got, c.first)
			}
		})
	}
}

// EM-GEO-05: what happens behind one's back is not seen, so a condition on it fails.
func TestBehindTheBack(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, nil), fighter("zoe", "blue", 20, nil))
	g.Actors[0].Pose.Look.X = -1
	_, facts := play(t, g.System, start(t, g), nil, "", "sava", "1 [acts zoe move] run at zoe / rest", "zoe", "1 walk at sava")
	for _, f := range facts {
		if e, ok := f.Event.(engine.Declared); ok && e.Intent.Act == actRun {
			t.Error("sava acts on what happens behind him")
		}
	}
}

// EM-MOVE-06: two who run towards each other meet half way, a block apart.
func TestMeeting(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, nil), fighter("zoe", "blue", 9, nil))
	b, _ := play(t, g.System, start(t, g), nil, "", "sava", "1 run at zoe", "zoe", "1 run at sava")
	if x, y := b.ActorByKey("sava").Pose.At.Block().X, b.ActorByKey("zoe").Pose.At.Block().X; x != 4 || y != 5 {
		t.Errorf("they are at %d and %d, want 4 and 5", x, y)
	}
}
