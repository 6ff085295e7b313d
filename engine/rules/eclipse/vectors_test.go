package eclipse

import (
	"slices"
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/odds"
	"autobattle/engine/rules/rulestest"
	"autobattle/engine/voxel"
)

// Golden vectors V-01…V-04 (EP-TEST-02, -05…-07, -13).
func TestGrades(t *testing.T) {
	for _, c := range []struct {
		tn, value int32
		unskilled bool
		want      engine.GradeName
	}{
		{tn: 75, value: 32, want: gradeSuccess}, {tn: 75, value: 34, want: gradeSuperior}, {tn: 75, value: 65, want: gradeSuperior},
		{tn: 75, value: 67, want: gradeSuperiorTwo}, {tn: 75, value: 75, want: gradeSuperiorTwo},
		{tn: 75, value: 33, want: gradeCritical}, {tn: 75, value: 66, want: gradeCritical},
		{tn: 20, value: 70, want: gradeFailure}, {tn: 20, value: 60, want: gradeSuperiorFail}, {tn: 20, value: 30, want: gradeTwoFail},
		{tn: -20, value: 0, want: gradeCritical}, {tn: -20, value: 1, want: gradeTwoFail},
		{tn: 120, value: 98, want: gradeSuperiorTwo}, {tn: 120, value: 99, want: gradeCriticalFail},
		{tn: 40, value: 44, want: gradeCriticalFail}, {tn: 60, value: 60, want: gradeSuperior}, {tn: 60, value: 61, want: gradeSuperiorFail},
		{tn: 20, value: 11, unskilled: true, want: gradeSuccess}, {tn: 20, value: 22, unskilled: true, want: gradeCriticalFail},
	} {
		if got := grade(c.tn, c.value, !c.unskilled); got != c.want {
			t.Errorf("%d against %d is a %s, want %s", c.value, c.tn, got, c.want)
		}
	}
}

func sideAt(tn, value int32) side { return side{value, grade(tn, value, true)} }

// V-06, V-07 (EP-ATK-05…08, EP-TEST-11): the attacker has 60, the defender 40.
func TestOpposed(t *testing.T) {
	for _, c := range []struct {
		a, d int32
		want bool
	}{
		{45, 38, true}, {38, 40, false}, {22, 39, true}, {45, 11, false}, {44, 11, true}, {61, 5, false}, {30, 45, true}, {38, 38, false},
	} {
		if got := hits(sideAt(60, c.a), sideAt(40, c.d)); got != c.want {
			t.Errorf("%d against %d: hit %v, want %v", c.a, c.d, got, c.want)
		}
	}
}

// V-24, V-25: how many of the 10 000 pairs hit.
func TestOpposedStatistics(t *testing.T) {
	for _, c := range []struct{ a, d, want int32 }{{60, 40, 5167}, {60, 30, 5523}, {70, 30, 6496}} {
		n := int32(0)
		for i := range int32(10000) {
			if hits(sideAt(c.a, i/100), sideAt(c.d, i%100)) {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%d against %d hits %d times in 10 000, want %d", c.a, c.d, n, c.want)
		}
	}
}

// V-05 (EP-TEST-04).
func TestCap(t *testing.T) {
	for _, c := range []struct {
		mods []int32
		want int32
	}{{[]int32{30, 30, 10, 20}, 60}, {[]int32{-30, -20, -20, 10}, -60}, {[]int32{30, -10}, 20}} {
		r := engine.Roll{Base: engine.Base{Level: 50}}
		for _, m := range c.mods {
			r.Mods = append(r.Mods, engine.Mod{Name: modRuling, Amount: m})
		}
		aim(&r)
		again := r
		aim(&again)
		if r.Aim != 50+c.want || again.Aim != r.Aim {
			t.Errorf("%v make %d and then %d of 50, want %+d", c.mods, r.Aim, again.Aim, c.want)
		}
	}
}

// V-15 (EP-RANGE-01…04) at range 50, and EP-RANGE-09 at range 5. Distances are in tenths of a block.
func TestRangeBands(t *testing.T) {
	for _, c := range []struct{ tenths, rangeBlocks, want int64 }{
		{20, 50, 10}, {21, 50, 0}, {100, 50, 0}, {101, 50, -10}, {500, 50, -10}, {501, 50, -20}, {1000, 50, -20}, {1001, 50, -30},
		{1500, 50, -30}, {2000, 50, -40}, {80, 5, -20}, {20, 5, 10},
	} {
		d := (c.tenths*voxel.Unit + 9) / 10
		if _, _, got := bands(d*d, int32(c.rangeBlocks)); int64(got) != c.want {
			t.Errorf("%d tenths at range %d: %+d, want %+d", c.tenths, c.rangeBlocks, got, c.want)
		}
	}
}

// EP-RMOD-08: five of nine hidden is moderate.
func TestCoverGrades(t *testing.T) {
	for _, c := range []struct{ hidden, samples, want int32 }{{0, 64, 0}, {1, 100, 1}, {39, 100, 1}, {5, 9, 2}, {69, 100, 2}, {70, 100, 3}, {99, 100, 3}, {0, 0, 0}} {
		if got := coverGrade(c.hidden, c.samples); got != c.want {
			t.Errorf("%d of %d hidden: grade %d, want %d", c.hidden, c.samples, got, c.want)
		}
	}
}

// V-12 (EP-ARM-02, -03) and EP-NUM-03.
func TestHalving(t *testing.T) {
	for _, c := range []struct{ armour, times, want int32 }{{7, 0, 7}, {7, 1, 4}, {10, 2, 3}, {7, 2, 2}} {
		if got := halved(c.armour, c.times); got != c.want {
			t.Errorf("%d halved %d times: %d, want %d", c.armour, c.times, got, c.want)
		}
	}
	if halfUp(45, 2) != 23 || halfUp(37, 5) != 7 {
		t.Error("45 ÷ 2 and 37 ÷ 5 are not rounded half up")
	}
}

// victim is a battle with one actor of Durability dur.
func victim(t *testing.T, body engine.BodyName, dur int32) (*engine.Battle, engine.ActorID) {
	n := fighter("a", "red", 0, 0)
	n.Body = body
	n.Traits[3].Level = dur
	b, _ := rulestest.Lobby(t, rulestest.Game{System: system(t), Open: engine.Open{Teams: teams}, Actors: []engine.Newcomer{n}})
	return b, b.Actors[0].ID
}

// V-10, V-11, V-13, V-14 (EP-ATK-11, EP-ARM-01, EP-WND-01, EP-DUR-04).
func TestHarm(t *testing.T) {
	b, a := victim(t, biomorph, 35)
	for _, c := range []struct{ value, armour, halvings, taken, wounds int32 }{
		{14, 10, 1, 9, 1}, {28, 10, 0, 18, 2}, {12, 5, 0, 7, 1}, {12, 10, 0, 2, 0},
		{6, 0, 0, 6, 0}, {7, 0, 0, 7, 1}, {13, 0, 0, 13, 1}, {14, 0, 0, 14, 2}, {21, 0, 0, 21, 3}, {5, 9, 0, 0, 0},
	} {
		if h := harmOf(b, a, c.value, c.armour, c.halvings); h.taken != c.taken || h.wounds != c.wounds {
			t.Errorf("%d through %d halved %d times: %d and %d wounds, want %d and %d", c.value, c.armour, c.halvings, h.taken, h.wounds, c.taken, c.wounds)
		}
	}
	if h := harmOf(b, a, 34, 0, 0); h.down {
		t.Error("34 of 35 puts down (EP-DUR-02)")
	}
	if h := harmOf(b, a, 35, 0, 0); !h.down || h.die {
		t.Error("35 of 35 does not put down, or kills (EP-DUR-02)")
	}
	if h := harmOf(b, a, 53, 0, 0); !h.die {
		t.Error("53 does not kill at a death rating of 53 (EP-DUR-03)")
	}
	if woundThreshold(b, a) != 7 || deathRating(b, a) != 53 {
		t.Errorf("WT %d and DR %d, want 7 and 53", woundThreshold(b, a), deathRating(b, a))
	}
	if b, a := victim(t, "synthmorph", 35); deathRating(b, a) != 70 {
		t.Errorf("DR of a synthmorph is %d, want 70", deathRating(b, a))
	}
}

// V-19 (EP-POOL-03): 96 becomes 69, and 71 becomes 17.
func TestReversing(t *testing.T) {
	if reversed(96) != 69 || reversed(71) != 17 || reversed(7) != 70 || reversed(44) != 44 {
		t.Error("digits are swapped wrongly")
	}
}

// play answers the prompts of a scene one after another with the faces given.
func play(t *testing.T, g rulestest.Game, faces string, commands ...engine.Command) *engine.Battle {
	t.Helper()
	b, _ := rulestest.Lobby(t, g)
	d := dice.MustScript(faces)
	for _, c := range commands {
		if dec, ok := c.(engine.Decide); ok {
			p := b.LivePrompts()[0]
			dec.Prompt, dec.By = p.ID, p.Whose
			c = dec
		}
		next, _, err := engine.Step(g.System, b, c, engine.Env{World: g.World, Dice: d})
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		b = next
	}
	if left := d.Left(); left != "" {
		t.Fatalf("faces left over: %s", left)
	}
	return b
}

func do(act engine.ActName, on engine.ActorID, item engine.ItemID) engine.Decide {
	in := engine.Intent{Act: act}
	if on != 0 {
		in.Targets = []engine.Target{{Ref: on.On()}}
	}
	if item != 0 {
		in.Items = []engine.ItemID{item}
	}
	return engine.Decide{Intents: []engine.Intent{in}}
}

// V-08 (EP-DEF-03, -05): Fray 45 counts 23 against shots, with full defence 53. V-18's neighbour: a wound takes ten.
func TestDefenceNumbers(t *testing.T) {
	g := rulestest.Game{System: system(t), Open: engine.Open{Teams: teams}, Actors: []engine.Newcomer{
		fighter("zoe", "blue", 0, 0), fighter("sava", "red", 6, 0, hand("service_pistol")),
	}}
	g.Actors[0].Traits[6].Level = 45
	for name, c := range map[string]struct {
		zoe  engine.Decide
		want int32
	}{"plain": {engine.Decide{}, 23}, "full defence": {do(actGuard, 0, 0), 53}} {
		t.Run(name, func(t *testing.T) {
			lobby, _ := rulestest.Lobby(t, g)
			zoe, sava := lobby.ActorByKey("zoe").ID, lobby.ActorByKey("sava").ID
			pistol := lobby.ItemAt(sava, slotMain).ID
			commands := []engine.Command{engine.Start{}, c.zoe}
			if len(c.zoe.Intents) > 0 {
				commands = append(commands, engine.Decide{}) // ends her turn
			}
			b := play(t, g, "6 1", append(commands, do(actAttack, zoe, pistol))...)
			r := g.System.Rules.(*rules)
			dodge := engine.Intent{Act: actDodge, By: zoe}
			if roll := r.defenceRoll(engine.View{Battle: b}, b.Top(), &dodge); roll.Aim != c.want {
				t.Errorf("target number %d, want %d", roll.Aim, c.want)
			}
		})
	}
}

// EP-DUR-05: three wounds, damage 36 of a death rating of 53: 51 after five turns, dead after six.
func TestBleedingOut(t *testing.T) {
	third := fighter("kim", "red", 0, 9)
	n := fighter("zoe", "blue", 0, 0)
	n.Traits[3].Level = 35
	n.Gauges = []engine.NewGauge{{Name: gaugeDamage, Now: 36}}
	n.Conds = []engine.Cond{{Name: condWound, Level: 3}, {Name: condBleeding}, {Name: condOut}}
	g := rulestest.Game{System: system(t), Open: engine.Open{Teams: teams}, Actors: []engine.Newcomer{n, third, fighter("max", "blue", 0, -9)}}
	commands := []engine.Command{engine.Start{}}
	for range 5 {
		commands = append(commands, engine.Decide{}, engine.Decide{})
	}
	b := play(t, g, "1 2 3", commands...)
	zoe := b.ActorByKey("zoe").ID
	if now := b.GaugeNow(zoe.On(), gaugeDamage); now != 51 || b.HasCond(zoe.On(), condDead) {
		t.Fatalf("after five turns: damage %d, dead %v; want 51 and alive", now, b.HasCond(zoe.On(), condDead))
	}
	b = play(t, g, "1 2 3", append(commands, engine.Decide{}, engine.Decide{})...)
	if !b.HasCond(zoe.On(), condDead) {
		t.Error("not dead after six turns")
	}
}

// The forecast is exact: with 60 against 40, V-24's 5 167 of 10 000 are no miss.
func TestForecast(t *testing.T) {
	a, d := fighter("sava", "red", 0, 0, hand("short_blade")), fighter("zoe", "blue", 1, 0)
	d.Traits = slices.Clone(d.Traits)
	d.Traits[5].Level, d.Traits[6].Level = 40, 40
	g := rulestest.Game{System: system(t), Open: engine.Open{Teams: teams}, Actors: []engine.Newcomer{a, d}}
	b := play(t, g, "6 1", engine.Start{})
	p := b.LivePrompts()[0]
	attack := do(actAttack, b.ActorByKey("zoe").ID, b.ItemAt(p.Whose, slotMain).ID)
	attack.Prompt, attack.By = p.ID, p.Whose
	fc, err := engine.Preview(g.System, b, nil, attack, nil)
	if err != nil {
		t.Fatal(err)
	}
	miss := odds.Chance{}
	for _, o := range fc.Outcomes {
		if o.Outcome == outcomeMissed {
			miss = miss.Add(o.Chance)
		}
	}
	if want := odds.Of(10000-5167, 10000); miss.Cmp(want) != 0 {
		t.Errorf("missing has the chance %v, want %v, by %d ways", miss, want, fc.Ways)
	}
}
