package empia

import (
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/odds"
	"autobattle/engine/rules/rulestest"
)

// V-04…V-07 (EM-HIT-01, EM-CRIT-01, -02).
func TestGrades(t *testing.T) {
	for _, c := range []struct {
		r, a, d int32
		want    gradeWord
	}{
		{1, 200, 100, success}, {-1, 200, 100, failure}, {180, 200, 100, success}, {181, 200, 100, critical}, {198, 200, 100, critical},
		{199, 200, 100, exceptional}, {200, 200, 100, exceptional}, {-90, 200, 100, failure}, {-91, 200, 100, fumble}, {-99, 200, 100, fumble},
		{-100, 200, 100, worst}, {297, 300, 100, critical}, {298, 300, 100, exceptional}, {114, 125, 100, critical}, {113, 125, 100, success},
		{-46, 100, 50, fumble}, {-50, 100, 50, fumble}, {-45, 100, 50, failure}, {9, 9, 100, success}, {100, 100, 100, exceptional},
		{150, 150, 100, exceptional}, {50, 50, 100, critical},
	} {
		if got := gradeOf(c.r, c.a, c.d); got != c.want {
			t.Errorf("%d of −%d…%d has grade %d, want %d", c.r, c.d, c.a, got, c.want)
		}
	}
}

// V-01…V-03 (EM-MOD-01, EM-DMG-01…07): the text's sword.
func TestStages(t *testing.T) {
	check := func(name string, s span, lo, hi int32) {
		t.Helper()
		if a, b := s.ends(); a != lo || b != hi {
			t.Errorf("%s: %d–%d, want %d–%d", name, a, b, lo, hi)
		}
	}
	check("V-01", spanOf(6, 16).stage(changes{more: 25, min: 5, max: 10}), 12, 30)
	s := spanOf(6, 16).stage(changes{moreMax: 100})
	check("base", s, 6, 32)
	s = s.stage(changes{more: 100})
	check("general", s, 12, 64)
	s = s.stage(changes{more: 50})
	check("standard", s, 18, 96)
	out := s.stage(changes{min: 30, max: 30})
	check("outgoing", out, 48, 126)
	check("received", out.stage(changes{more: 25}), 60, 157)
	// Passives of attack scope also multiply the ability's own 30: 90.
	check("V-03", s.stage(changes{min: 90, max: 90}).stage(changes{more: 25}), 135, 232)
	check("EM-MOD-04", spanOf(100, 100).stage(changes{more: 75, less: []int32{20, 10}}), 126, 126)
}

// V-08 (EM-MOD-02, EM-NUM-06).
func TestChances(t *testing.T) {
	for _, c := range []struct {
		fixed, more int32
		less        []int32
		want        int32
	}{{175, 25, nil, 218}, {200, 30, nil, 260}, {200, 0, []int32{50, 50}, 50}, {1, 0, []int32{50}, 1}} {
		if got := chance(c.fixed, c.more, c.less...); got != c.want {
			t.Errorf("%d +%d%% −%v%%: %d, want %d", c.fixed, c.more, c.less, got, c.want)
		}
	}
}

// V-09…V-11, V-16…V-19 and the vectors of sections 7, 8 and 9 that end in lives.
func TestBlows(t *testing.T) {
	none, light, heavy := protection{}, protection{weight: "light", block: 12}, protection{weight: "heavy", block: 12}
	for name, c := range map[string]struct {
		blow blow
		want int32
	}{
		"V-09":               {blow{drawn: 100, less: []int32{25, 50}, kind: "other", on: protection{weight: "light", block: 5}}, 32},
		"V-10":               {blow{drawn: 100, less: []int32{50, 25, 50, 20}, kind: "other", on: protection{weight: "light", block: 5}}, 10},
		"V-11":               {blow{drawn: 10, less: []int32{50, 25, 50, 20}, kind: "other"}, 1},
		"V-16 blocked spell": {blow{drawn: 40, half: true, kind: "other"}, 20},
		"V-17 cutting":       {blow{drawn: 40, kind: "cutting", on: heavy}, 8},
		"cutting, light":     {blow{drawn: 40, kind: "cutting", on: light}, 28},
		"V-18 fire":          {blow{drawn: 40, kind: "fire", on: light}, 28},
		"fire, heavy":        {blow{drawn: 40, kind: "fire", on: heavy}, 22},
		"V-19 electric":      {blow{drawn: 40, kind: "electric", on: heavy}, 48},
		"crushing":           {blow{drawn: 40, kind: "crushing", on: heavy}, 36},
		"unarmed":            {blow{drawn: 40, kind: "unarmed", on: heavy}, 8},
		"piercing":           {blow{drawn: 40, kind: "piercing", on: heavy}, 8},
		"piercing, ignored":  {blow{drawn: 40, kind: "piercing", on: heavy, ignored: true}, 40},
		"EM-DMG-09":          {blow{drawn: 40, less: []int32{25}, kind: "cutting", on: heavy}, 3},
		"EM-CRIT-05":         {blow{drawn: 40, kind: "chopping", on: heavy, pierced: true}, 40},
		"critical, unarmed":  {blow{drawn: 40, kind: "unarmed", on: heavy, pierced: true}, 20},
		"EM-CRIT-08":         {blow{drawn: 17, size: 50, kind: "other"}, 25},
		"EM-ARM-02":          {blow{drawn: 30, kind: "chopping", on: protection{weight: "light", block: 8, shield: 5}}, 17},
		"never heals":        {blow{drawn: 3, kind: "chopping", on: heavy}, 0},
		"bare":               {blow{drawn: 40, kind: "piercing", on: none}, 40},
	} {
		if got := c.blow.taken(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		sum := int32(0)
		for _, term := range c.blow.terms() {
			sum += term.Amount
		}
		if sum != c.want {
			t.Errorf("%s: its terms make %d, want %d: %+v", name, sum, c.want, c.blow.terms())
		}
	}
}

// energyOf is the energy of an actor, in 1/unit.
func energyOf(b *engine.Battle, key string) int64 {
	return b.GaugeNow(b.ActorByKey(key).ID.On(), gaugeEnergy)
}

func livesOf(b *engine.Battle, key string) int64 {
	return b.GaugeNow(b.ActorByKey(key).ID.On(), gaugeLives)
}

func status(b *engine.Battle, key string, c engine.CondName) bool {
	return b.HasCond(b.ActorByKey(key).ID.On(), c)
}

// V-26, V-27 (EM-REST-01, -02, -05, EM-NRG-04), and EM-NUM-07: nothing of a fraction is lost.
func TestRest(t *testing.T) {
	for name, c := range map[string]struct {
		armour         []engine.NewItem
		energy, lives  int64
		turns          int
		want           int64
		standsUp, down bool
	}{
		"heavy, a turn":       {kit("plate_armour"), 0, 100, 1, 60 * unit, false, false},
		"heavy, two turns":    {kit("plate_armour"), 0, 100, 2, 120 * unit, false, false},
		"light, a turn":       {kit("leather_armour"), 0, 100, 1, 90 * unit, false, false},
		"none, a turn":        {nil, 0, 100, 1, 120 * unit, false, false},
		"V-26 heavy, collaps": {kit("plate_armour"), -39 * unit, 100, 3, 6 * unit, true, false},
		"heavy, not yet up":   {kit("plate_armour"), -39 * unit, 100, 2, -9 * unit, false, true},
		"light, up after 16":  {kit("leather_armour"), -39 * unit, 100, 2, 6 * unit, true, false},
		"light, one turn":     {kit("leather_armour"), -39 * unit, 100, 1, -39*unit + 90*unit/4, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := duel(t, with(fighter("sava", "red", 0, c.armour), c.energy, c.lives), fighter("zoe", "blue", 90, nil))
			g.Actors[0].Traits[1].Level = 1000
			b := start(t, g)
			for range c.turns {
				b, _ = play(t, g.System, b, nil, "", "sava", "", "zoe", "")
			}
			if got := energyOf(b, "sava"); got != c.want || status(b, "sava", condCollapsed) != c.down {
				t.Errorf("energy %d, collapsed %v; want %d, %v", got, status(b, "sava", condCollapsed), c.want, c.down)
			}
		})
	}
}

// EM-REST-01: five slots and then one to move; the streak begins again.
func TestRestIsBroken(t *testing.T) {
	g := duel(t, with(fighter("sava", "red", 0, kit("plate_armour")), 0, 100), fighter("zoe", "blue", 90, nil))
	b, _ := play(t, g.System, start(t, g), nil, "", "sava", "1-5 rest; 6 walk at zoe; 7-8 rest", "zoe", "")
	if got := energyOf(b, "sava"); got != 35*unit {
		t.Errorf("energy %d, want 35 of 5 for each of seven slots", got)
	}
	if n := b.GaugeNow(b.ActorByKey("sava").ID.On(), gaugeStreak); n != 2 {
		t.Errorf("streak %d, want 2", n)
	}
}

// V-25 (EM-NRG-02, -04, -05): with 1 energy a cost of 50 leads to −49 and a collapse; with 0.5 it is impossible.
func TestBeyondTheStore(t *testing.T) {
	strong := has("power_strike")
	for name, c := range map[string]struct {
		energy, want          int64
		collapsed, impossible bool
	}{
		"1":   {unit, -49 * unit, true, false},
		"0.5": {unit / 2, unit / 2, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := duel(t, with(fighter("sava", "red", 0, kit("axe"), strong...), c.energy, 100), fighter("zoe", "blue", 2, nil))
			// The blow comes in the second slot, and misses by −50, which is no fumble.
			faces := ""
			if !c.impossible {
				faces = "51"
			}
			var seen int64
			sys := g.System
			lobby, _ := rulestest.Lobby(t, g)
			b, facts := play(t, sys, lobby, nil, faces, "sava", "1-2 use power_strike at zoe with axe", "zoe", "")
			for _, f := range facts {
				if e, ok := f.Event.(engine.GaugeSet); ok && e.Gauge.Name == gaugeEnergy && e.Gauge.On == b.ActorByKey("sava").ID.On() && f.Why.Rule == "EM-NRG-02" {
					seen = e.Gauge.Now
				}
			}
			if !c.impossible && seen != c.want {
				t.Errorf("energy after the blow %d, want %d", seen, c.want)
			}
			if c.impossible && seen != 0 {
				t.Errorf("the blow was paid for: %d", seen)
			}
			if status(b, "sava", condCollapsed) != c.collapsed {
				t.Errorf("collapsed %v, want %v", status(b, "sava", condCollapsed), c.collapsed)
			}
		})
	}
}

// V-25, second half (EM-NRG-05): below −50 the battle is lost; −50 itself is not below.
func TestExhaustionLoses(t *testing.T) {
	for name, c := range map[string]struct {
		energy int64
		over   bool
	}{"-50": {0, false}, "below": {-unit, true}} {
		t.Run(name, func(t *testing.T) {
			g := duel(t, fighter("sava", "red", 0, nil), fighter("zoe", "blue", 90, nil))
			g.Actors[0].Gauges = []engine.NewGauge{{Name: gaugeEnergy, Now: -50*unit + c.energy}}
			b := start(t, g)
			// Before the first check nobody has looked; the first slot's does.
			b, _ = play(t, g.System, b, nil, "", "sava", "", "zoe", "")
			if (b.Phase == engine.Over) != c.over {
				t.Errorf("over %v, want %v", b.Phase == engine.Over, c.over)
			}
			if c.over && (b.Outcome[0].Outcome != outcomeDefeat || b.Outcome[1].Outcome != outcomeVictory) {
				t.Errorf("outcome %+v", b.Outcome)
			}
		})
	}
}

// V-28, V-29 (EM-WIN-04, EM-LIFE-02) and EM-WIN-05: both fall in the same phase; the one closest to 0 wins.
func TestAllDownAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		sava, zoe int64
		faces     string // a hit of face 150, and damage 8 + face − 1 of an axe; sava strikes first
		want      [2]engine.OutcomeName
		dead      bool
	}{
		"-5 and -30": {3, 8, "150 7 150 1", [2]engine.OutcomeName{outcomeVictory, outcomeDefeat}, false},
		"draw":       {3, 3, "150 1 150 1", [2]engine.OutcomeName{outcomeDraw, outcomeDraw}, false},
		"-100":       {-85, 100, "", [2]engine.OutcomeName{outcomeDefeat, outcomeVictory}, false},
		"-101":       {-101, 100, "", [2]engine.OutcomeName{outcomeDefeat, outcomeVictory}, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := duel(t, with(fighter("sava", "red", 0, kit("axe")), 100*unit, c.sava), with(fighter("zoe", "blue", 2, kit("axe")), 100*unit, c.zoe))
			b := start(t, g)
			sheets := []string{"sava", "1 strike at zoe with axe", "zoe", "1 strike at sava with axe"}
			if c.faces == "" {
				sheets = []string{"sava", "", "zoe", ""}
			}
			b, _ = play(t, g.System, b, nil, c.faces, sheets...)
			if b.Phase != engine.Over || b.Outcome[0].Outcome != c.want[0] || b.Outcome[1].Outcome != c.want[1] {
				t.Fatalf("phase %d, outcome %+v at %d and %d lives, want %v", b.Phase, b.Outcome, livesOf(b, "sava"), livesOf(b, "zoe"), c.want)
			}
			if status(b, "sava", condDead) != c.dead {
				t.Errorf("at %d lives dead %v, want %v", livesOf(b, "sava"), status(b, "sava", condDead), c.dead)
			}
		})
	}
}

// V-23 (EM-TURN-04, -05): of a physical and a magical stun due in the same slot only the physical works; of two physical
// ones both do.
func TestPhasesOfASlot(t *testing.T) {
	sheet := "1-2 use mind_stun at zoe; 3-8 rest"
	g := duel(t, fighter("sava", "red", 0, nil, has("mind_stun", "stunning_blow")...), fighter("zoe", "blue", 2, nil, has("stunning_blow")...))
	// Slot 2: zoe's blow hits (150), 2…6 of damage, stun of 1 or 2; sava's spell is lost.
	_, facts := play(t, g.System, start(t, g), nil, "150 1 2", "sava", sheet, "zoe", "1 rest; 2 use stunning_blow at sava; 3-8 rest")
	stunned := func(facts []engine.Fact) (who []engine.ActorID) {
		for _, f := range facts {
			if e, ok := f.Event.(engine.CondSet); ok && e.Cond.Name == condStunned && f.Why.Rule == "EM-ABIL-01" {
				who = append(who, e.Cond.On.Actor())
			}
		}
		return who
	}
	if who := stunned(facts); len(who) != 1 || who[0] != 1 {
		t.Errorf("physical against magical: stunned are %v, want sava alone", who)
	}
	_, facts = play(t, g.System, start(t, g), nil, "150 1 2 150 1 2", "sava", "1 use stunning_blow at zoe", "zoe", "1 use stunning_blow at sava")
	if who := stunned(facts); len(who) != 2 {
		t.Errorf("physical against physical: stunned are %v, want both", who)
	}
}

// EM-TURN-06: with a target that runs away in the same slot the strike is rolled; a spell of short range would fail, and a
// strike of the next slot does.
func TestPlacesWithinASlot(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, nil), fighter("zoe", "blue", 2, kit("sword")))
	b, facts := play(t, g.System, start(t, g), nil, "150 1", "sava", "1 run at zoe away", "zoe", "1-2 strike at sava with sword")
	var outcomes []engine.OutcomeName
	for _, f := range facts {
		if e, ok := f.Event.(engine.Resolved); ok && e.Act == actStrike {
			outcomes = append(outcomes, e.Outcome)
		}
	}
	if len(outcomes) != 2 || outcomes[0] != outcomeHit || outcomes[1] != outcomeImpossible {
		t.Errorf("strikes come out as %v, want a hit and an impossible one", outcomes)
	}
	if x := b.ActorByKey("sava").Pose.At.Block().X; x != -10 {
		t.Errorf("sava is at %d, want −10", x)
	}
}

// EM-DEF-04, -05, -07: a block costs five energy for each blow that it stops, nothing for one it does not.
func TestBlocking(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, kit("axe", "shield")), fighter("zoe", "blue", 2, kit("axe")))
	g.Actors[0].Traits = append(g.Actors[0].Traits, engine.TraitLevel{Name: traitBlock, Level: 50})
	b, facts := play(t, g.System, start(t, g), nil, "140 130 170 3", "sava", "1 walk at zoe by_blocking; 2 walk at zoe; 3 walk at zoe; 4-8 walk at zoe", "zoe", "1-3 strike at sava with axe; 4-8 walk at sava")
	if got := energyOf(b, "sava"); got != 90*unit {
		t.Errorf("energy %d after two blocks, want 90", got)
	}
	var outcomes []engine.OutcomeName
	for _, f := range facts {
		if e, ok := f.Event.(engine.Resolved); ok && e.Act == actStrike {
			outcomes = append(outcomes, e.Outcome)
		}
	}
	if len(outcomes) != 3 || outcomes[0] != outcomeBlocked || outcomes[1] != outcomeBlocked || outcomes[2] != outcomeHit {
		t.Errorf("strikes come out as %v", outcomes)
	}
	if got := livesOf(b, "sava"); got != 100-(10-5) {
		t.Errorf("lives %d, want 95: ten of an axe less the shield's five", got)
	}
}

// V-14, V-15 (EM-STAT-07, EM-DEF-02) and V-12 (EM-HIT-05), V-36 (EM-MAST-01).
func TestChancesOfActors(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, kit("axe"), engine.TraitLevel{Name: traitStrike, Level: 80}, engine.TraitLevel{Name: traitMagic, Level: 4}),
		fighter("zoe", "blue", 2, nil, engine.TraitLevel{Name: traitDodge, Level: 100}))
	g.Actors[0].Items = append(g.Actors[0].Items, engine.NewItem{Ref: "sword", Slot: slotOff})
	b := start(t, g)
	sava, zoe := b.ActorByKey("sava").ID, b.ActorByKey("zoe").ID
	r := g.System.Rules.(*rules)
	spell := blowAct{a: sava, d: zoe, ab: r.gear.ability("firebolt")}
	main, off := blowAct{a: sava, d: zoe, item: b.ItemAt(sava, slotMain).ID}, blowAct{a: sava, d: zoe, item: b.ItemAt(sava, slotOff).ID}
	check := func(what string, got, want int32) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	m := &moment{r: r, v: engine.View{Battle: b}, out: &engine.Batch{}}
	check("main hand", m.chanceOf(&main), 180)
	check("off hand", m.chanceOf(&off), 130)
	check("magic, all ranks", m.chanceOf(&spell), 400)
	d, _ := m.defenceOf(&main)
	check("dodge", d, 200)
	d, _ = m.defenceOf(&spell)
	check("dodge of magic", d, 150)
	next, _, err := engine.Step(g.System, b, engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: condImmobilised, On: zoe.On()}}}}, engine.Env{Dice: dice.MustScript("")})
	if err != nil {
		t.Fatal(err)
	}
	m.v.Battle = next
	d, _ = m.defenceOf(&main)
	check("wholly immobilised", d, 50)
}

// EM-HIT-01 and EM-CRIT-07 in a forecast: A 200 against D 100 hits in 200 of 300, critically in 20.
func TestForecast(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, kit("axe"), engine.TraitLevel{Name: traitStrike, Level: 100}), fighter("zoe", "blue", 2, nil))
	b := start(t, g)
	sava := b.ActorByKey("sava").ID
	d := engine.Decide{By: sava, Lines: orders(t, b, sava, "1 strike at zoe with axe")}
	for _, p := range b.LivePrompts() {
		if p.Whose == sava {
			d.Prompt = p.ID
		}
	}
	fc, err := engine.Preview(g.System, engine.See(b, engine.ViewerOf(b, sava)), nil, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	var hit, crit, worstOf odds.Chance
	for _, o := range fc.Outcomes {
		if o.Outcome == outcomeHit {
			hit = hit.Add(o.Chance)
		}
		if o.Grade == gradeCritical || o.Grade == gradeExceptional {
			crit = crit.Add(o.Chance)
		}
		if o.Grade == gradeFumble || o.Grade == gradeWorst {
			worstOf = worstOf.Add(o.Chance)
		}
	}
	for name, c := range map[string]struct{ got, want odds.Chance }{
		"hit": {hit, odds.Of(200, 300)}, "critical": {crit, odds.Of(20, 300)}, "fumble": {worstOf, odds.Of(10, 300)},
	} {
		if c.got.Cmp(c.want) != 0 {
			t.Errorf("%s has the chance %v, want %v", name, c.got, c.want)
		}
	}
}

// EM-ORD-03, -04, -07: sheets of the wrong form, and conditions on what one cannot know, are refused.
func TestBadSheets(t *testing.T) {
	g := duel(t, fighter("sava", "red", 0, kit("sword")), fighter("zoe", "blue", 2, nil))
	b := start(t, g)
	sava, zoe := b.ActorByKey("sava").ID, b.ActorByKey("zoe").ID
	prompt := engine.PromptID(0)
	for _, p := range b.LivePrompts() {
		if p.Whose == sava {
			prompt = p.ID
		}
	}
	rest := engine.Variant{Do: engine.Intent{Act: actRest}}
	when := func(p engine.Predicate) []engine.Line {
		return []engine.Line{{Slot: 2, Variants: []engine.Variant{{If: engine.Trigger{All: []engine.Predicate{p}}, Do: rest.Do}, rest}}}
	}
	enemy, self := engine.Selector{Kind: engine.SelectEnemy}, engine.Selector{Kind: engine.SelectSelf}
	for name, c := range map[string]struct {
		lines []engine.Line
		want  engine.Reason
	}{
		"slot 0":                {[]engine.Line{{Slot: 0, Variants: []engine.Variant{rest}}}, engine.ReasonMalformed},
		"slot 9":                {[]engine.Line{{Slot: 9, Variants: []engine.Variant{rest}}}, engine.ReasonMalformed},
		"twice":                 {[]engine.Line{{Slot: 1, Variants: []engine.Variant{rest}}, {Slot: 1, Variants: []engine.Variant{rest}}}, engine.ReasonMalformed},
		"no variant":            {[]engine.Line{{Slot: 1}}, engine.ReasonLimit},
		"six variants":          {[]engine.Line{{Slot: 1, Variants: []engine.Variant{rest, rest, rest, rest, rest, rest}}}, engine.ReasonLimit},
		"two without condition": {[]engine.Line{{Slot: 1, Variants: []engine.Variant{rest, rest}}}, engine.ReasonMalformed},
		"others' energy":        {when(engine.Predicate{Op: engine.OpGauge, Who: enemy, What: "energy"}), engine.ReasonMalformed},
		"own stealth":           {when(engine.Predicate{Op: engine.OpGauge, Who: self, What: "rest_streak"}), engine.ReasonMalformed},
		"a later slot":          {when(engine.Predicate{Op: engine.OpSlotResult, Who: self, What: "hit", N: 2}), engine.ReasonMalformed},
		"others' wards":         {when(engine.Predicate{Op: engine.OpCond, Who: enemy, What: string(condWarded)}), engine.ReasonMalformed},
		"others' abilities":     {when(engine.Predicate{Op: engine.OpActs, Who: enemy, Act: actUse}), engine.ReasonMalformed},
		"nobody":                {when(engine.Predicate{Op: engine.OpWithin, Who: engine.Selector{Kind: engine.SelectActor, Actor: 77}, N: 3}), engine.ReasonUnknownActor},
		"another's question":    {when(engine.Predicate{Op: engine.OpMasterFires}), engine.ReasonMalformed},
		"unknown act":           {[]engine.Line{{Slot: 1, Variants: []engine.Variant{{Do: engine.Intent{Act: "dance"}}}}}, engine.ReasonUnknownAct},
		"oneself":               {[]engine.Line{{Slot: 1, Variants: []engine.Variant{{Do: engine.Intent{Act: actStrike, Targets: []engine.Target{{Ref: sava.On()}}}}}}}, engine.ReasonUnknownTarget},
		"an ability not owned":  {[]engine.Line{{Slot: 1, Variants: []engine.Variant{{Do: engine.Intent{Act: actUse, About: "firebolt", Targets: []engine.Target{{Ref: zoe.On()}}}}}}}, engine.ReasonRequirement},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := engine.Step(g.System, b, engine.Decide{Prompt: prompt, By: sava, Lines: c.lines}, engine.Env{Dice: dice.MustScript("")})
			no, ok := err.(*engine.Rejection)
			if !ok || no.Reason != c.want {
				t.Errorf("refused with %v, want %s", err, c.want)
			}
		})
	}
}
