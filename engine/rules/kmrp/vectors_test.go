package kmrp

import (
	"fmt"
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// cast rolls a prepared level with percentages from given faces.
func castOf(t *testing.T, level, percent int32, faces string) engine.Roll {
	t.Helper()
	script := dice.MustScript(faces)
	r := engine.Roll{Base: engine.Base{Level: level}}
	if percent != 0 {
		r.Mods = append(r.Mods, engine.Mod{Kind: engine.ModPercent, Amount: percent})
	}
	whole, rest := dice.Split(percent)
	if whole != 0 {
		r.Mods = append(r.Mods, engine.Mod{Kind: engine.ModLevel, Amount: whole})
	}
	r.Throws = []dice.Throw{script.Throw(dice.At{}, dice.FourFudge(rest))}
	finish(&r)
	if left := script.Left(); left != "" {
		t.Fatalf("faces left over: %s", left)
	}
	return r
}

// TestRollVectors are Annex B 01 to 13 and the examples of section 1.
func TestRollVectors(t *testing.T) {
	for name, c := range map[string]struct {
		level, percent int32
		faces          string
		want           int32
		after          string
	}{
		"TV-01":                         {3, 0, "-++0", 4, "- + + 0"},
		"TV-03 triggers":                {3, 25, "-++0 d100:25", 5, "- + + +"},
		"TV-03 does not":                {3, 25, "-++0 d100:26", 4, "- + + 0"},
		"TV-04":                         {0, 99, "-++0 d100:1", 2, "- + + +"},
		"TV-05":                         {0, -99, "-++0 d100:1", 0, "- + + -"},
		"TV-06":                         {0, 99, "++++", 4, "+ + + +"},
		"TV-07":                         {0, -50, "++++ d100:50", 3, "0 + + +"},
		"TV-08":                         {0, -99, "----", -4, "- - - -"},
		"TV-09":                         {0, 25, "---- d100:1", -3, "0 - - -"},
		"TV-10":                         {3, -150, "0000 d100:51", 2, "0 0 0 0"},
		"TV-11":                         {3, 100, "0000", 4, "0 0 0 0"},
		"TV-12":                         {3, -150, "++++ d100:51", 6, "+ + + +"},
		"TV-13":                         {0, -50, "++-- d100:7", -1, "0 + - -"},
		"KM-PCT-09 no blank":            {0, 50, "--++ d100:1", 1, "0 - + +"},
		"KM-DICE-07":                    {4, -50, "+00- d100:37", 3, "+ - 0 -"},
		"KM-PCT-08 whole part counts":   {3, 150, "++++", 8, "+ + + +"},
		"KM-LVL-02 is not clamped":      {-4, 0, "----", -8, "- - - -"},
		"KM-DICE-02":                    {3, 0, "-++0", 4, "- + + 0"},
		"TV-02 and -99 is one hundred?": {3, -99, "0000 d100:99", 2, "- 0 0 0"},
	} {
		t.Run(name, func(t *testing.T) {
			r := castOf(t, c.level, c.percent, c.faces)
			if r.Result != c.want {
				t.Errorf("result %d, want %d (%s)", r.Result, c.want, r.Throws[0])
			}
			final := r.Throws[0].Final()
			shown := fmt.Sprintf("%s %s %s %s", mark(final[0]), mark(final[1]), mark(final[2]), mark(final[3]))
			if shown != c.after {
				t.Errorf("faces %s, want %s", shown, c.after)
			}
		})
	}
}

func mark(f int16) string { return []string{"-", "0", "+"}[f+1] }

// TestAim is TV-01: success against a static difficulty, with its margin (KM-DICE-03).
func TestAim(t *testing.T) {
	r := engine.Roll{Base: engine.Base{Level: 3}, Aim: 2, HasAim: true, Throws: []dice.Throw{dice.MustScript("-++0").Throw(dice.At{}, dice.FourFudge(0))}}
	finish(&r)
	if r.Margin != 2 {
		t.Errorf("margin %d, want 2", r.Margin)
	}
}

func TestAutoSuccess(t *testing.T) { // KM-DICE-05
	for _, c := range []struct {
		level, difficulty int32
		calm, want        bool
	}{{4, 2, true, true}, {3, 2, true, false}, {4, 2, false, false}} {
		if got := AutoSuccess(c.level, c.difficulty, c.calm); got != c.want {
			t.Errorf("AutoSuccess(%d, %d, %v) = %v", c.level, c.difficulty, c.calm, got)
		}
	}
}

// TestDamageVectors are KM-DMG-08, Annex B 14, 15, 25 to 28 and the examples of section 13.
func TestDamageVectors(t *testing.T) {
	const missed = -99
	for name, c := range map[string]struct {
		blow   Blow
		damage int32
		degree catalogue.Degree
	}{
		"DMG-08 1, TV-14":    {Blow{Attack: 4, Answer: Evaded, Defence: 1, Floor: 3}, 1, catalogue.Scratch},
		"DMG-08 2":           {Blow{Attack: 5, Answer: Evaded, Defence: 3, Weapon: 4, Armour: 2}, 4, catalogue.LightWound},
		"DMG-08 3":           {Blow{Attack: 3, Answer: Evaded, Defence: 3, Weapon: 4, Armour: 2}, missed, 0},
		"DMG-08 4":           {Blow{Attack: 3, Answer: Evaded, Defence: 2, Weapon: 1, Armour: 3}, -1, catalogue.NoWound},
		"DMG-08 5":           {Blow{Attack: 4, Answer: Blocked, Defence: 5, Weapon: 4, Armour: 1, Shield: 2}, 0, catalogue.Scratch},
		"DMG-08 6":           {Blow{Attack: 5, Answer: Blocked, Defence: 4, Weapon: 4, Armour: 1, Shield: 2}, 4, catalogue.LightWound},
		"DMG-08 7":           {Blow{Attack: 5, Answer: Blocked, Defence: 4, Weapon: 4, Armour: 1, Shield: 3, Wall: true}, 1, catalogue.Scratch},
		"DMG-08 8":           {Blow{Attack: 3, Answer: Grouped, Defence: 4, Weapon: 4, Chest: 2}, 0, catalogue.Scratch},
		"DMG-08 9, TV-26":    {Blow{Attack: 4, Answer: Blocked, Defence: 4, Weapon: 3, Armour: 1, Shield: 3, Flail: true}, 2, catalogue.Scratch},
		"DMG-08 10":          {Blow{Attack: 5, Floor: 2, Weapon: 6, Armour: 1}, 8, catalogue.HeavyWound},
		"DMG-08 11":          {Blow{Attack: 1, Answer: Evaded, Defence: -2, Weapon: 3}, 4, catalogue.LightWound},
		"DMG-08 12":          {Blow{Attack: 2, Answer: Evaded, Floor: 3, Weapon: 6}, missed, 0},
		"DMG-08 13":          {Blow{Attack: 3, Answer: Evaded, Defence: 1, Floor: 3, Weapon: 5}, 5, catalogue.LightWound},
		"DMG-08 14":          {Blow{Attack: 3, Answer: Evaded, Defence: 3, Floor: 3, Weapon: 5}, missed, 0},
		"TV-25 held":         {Blow{Attack: 4, Answer: Blocked, Defence: 4, Weapon: 4, Armour: 1, Shield: 2}, 1, catalogue.Scratch},
		"TV-25 failed":       {Blow{Attack: 5, Answer: Blocked, Defence: 4, Weapon: 4, Armour: 1, Shield: 2}, 4, catalogue.LightWound},
		"TV-27":              {Blow{Attack: 3, Answer: Grouped, Defence: 4, Weapon: 4, Armour: 0, Chest: 2}, 0, catalogue.Scratch},
		"TV-28 front":        {Blow{Attack: 5, Answer: Blocked, Defence: 4, Weapon: 4, Armour: 1, Shield: 3, Wall: true}, 1, catalogue.Scratch},
		"TV-28 rear":         {Blow{Attack: 5, Answer: Blocked, Defence: 4, Weapon: 4, Armour: 1, Shield: 3}, 4, catalogue.LightWound},
		"BLOCK-02 first":     {Blow{Attack: 4, Answer: Blocked, Defence: 4, Weapon: 5, Armour: 1, Shield: 1}, 3, catalogue.Scratch},
		"BLOCK-02 second":    {Blow{Attack: 2, Answer: Blocked, Defence: 5, Weapon: 5, Armour: 1, Shield: 3}, -2, catalogue.NoWound},
		"GROUP-05":           {Blow{Attack: 5, Answer: Grouped, Defence: 4, Weapon: 4, Armour: 1, Chest: 3}, 4, catalogue.LightWound},
		"parry cancels":      {Blow{Attack: 4, Answer: Parried, Defence: 4, Weapon: 9}, missed, 0},
		"fists fended off":   {Blow{Attack: 4, Answer: Fought, Defence: 5, Weapon: 9}, missed, 0},
		"flail without tie":  {Blow{Attack: 3, Answer: Blocked, Defence: 4, Weapon: 3, Armour: 1, Shield: 3, Flail: true}, -2, catalogue.NoWound},
		"tie hits by option": {Blow{Attack: 3, Answer: Evaded, Defence: 3, Weapon: 4, TieHits: true}, 4, catalogue.LightWound},
		"flat block":         {Blow{Attack: 2, Answer: Blocked, Defence: 5, Weapon: 5, Armour: 1, Shield: 3, FlatBlock: true}, 1, catalogue.Scratch},
		"no floor by option": {Blow{Attack: 1, Answer: Evaded, Defence: -2, Weapon: 3, NoFloor: true}, 6, catalogue.LightWound},
		"melee below floor":  {Blow{Attack: -1, Answer: Blocked, Defence: -3, Weapon: 9, Shield: 1}, missed, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if c.damage == missed {
				if c.blow.Lands() {
					t.Errorf("%+v lands, want a miss", c.blow)
				}
				return
			}
			if !c.blow.Lands() {
				t.Fatalf("%+v does not land", c.blow)
			}
			got := c.blow.Damage()
			if degree := catalogue.Default().Degree(got); got != c.damage || degree != c.degree {
				t.Errorf("damage %d (degree %d), want %d (%d)", got, degree, c.damage, c.degree)
			}
		})
	}
}

func TestDegrees(t *testing.T) { // TV-15
	want := map[int32]catalogue.Degree{-1: 0, 0: 1, 3: 1, 4: 2, 6: 2, 7: 3, 9: 3, 10: 4, 12: 4, 13: 5}
	for damage, degree := range want {
		if got := catalogue.Default().Degree(damage); got != degree {
			t.Errorf("damage %d is degree %d, want %d", damage, got, degree)
		}
	}
}

// TestOverflow is TV-16 and TV-17, and KM-WND-03.
func TestOverflow(t *testing.T) {
	for name, c := range map[string]struct {
		d    catalogue.Degree
		free [catalogue.Degrees]int64
		want catalogue.Degree
	}{
		"free":        {catalogue.Scratch, [5]int64{4, 3, 2, 1, 1}, catalogue.Scratch},
		"TV-16":       {catalogue.Scratch, [5]int64{0, 0, 2, 1, 1}, catalogue.HeavyWound},
		"TV-17":       {catalogue.Scratch, [5]int64{0, 0, 0, 1, 1}, catalogue.CriticalWound},
		"full":        {catalogue.Scratch, [5]int64{}, catalogue.DeadlyWound},
		"deadly full": {catalogue.DeadlyWound, [5]int64{4, 3, 2, 1, 0}, catalogue.DeadlyWound},
		"heavy full":  {catalogue.HeavyWound, [5]int64{4, 3, 0, 1, 1}, catalogue.CriticalWound},
		"no wound":    {catalogue.NoWound, [5]int64{4, 3, 2, 1, 1}, catalogue.NoWound},
	} {
		if got := Overflow(c.d, c.free); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if NeedsEndurance(catalogue.CriticalWound, false) {
		t.Error("TV-17: a critical wound without a free heavy slot calls for no check")
	}
}

// TestFate is TV-19 to TV-21.
func TestFate(t *testing.T) {
	for name, c := range map[string]struct {
		d                          catalogue.Degree
		endurance, soften, survive int32
		free                       bool
		want                       Fate
	}{
		"TV-19 made":            {catalogue.CriticalWound, 3, 3, 6, true, Softened},
		"TV-19 failed":          {catalogue.CriticalWound, 2, 3, 6, true, Stands},
		"TV-20 made":            {catalogue.DeadlyWound, 6, 6, 6, true, Softened},
		"TV-20 failed":          {catalogue.DeadlyWound, 5, 6, 6, true, Dies},
		"TV-21 made":            {catalogue.DeadlyWound, 6, 6, 6, false, Stands},
		"TV-21 failed":          {catalogue.DeadlyWound, 5, 6, 6, false, Dies},
		"softer check survives": {catalogue.DeadlyWound, 4, 6, 3, true, Stands},
	} {
		if got := FateOf(c.d, c.endurance, c.soften, c.survive, c.free); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// scene is a battle of two on an open field for looking at rolls.
func duel(t testing.TB, anna, boris []engine.TraitLevel, items ...engine.NewItem) *engine.Battle {
	return lobby(t, sys(t), nil, quiet(), fighter("anna", "red", 0, 0, south, anna, items...), fighter("boris", "blue", 0, 1, north, boris))
}

// prepared is a roll of anna's with all its modifiers.
func prepared(b *engine.Battle, trait engine.TraitName, table []modifier, set func(*casting)) *casting {
	a := b.ActorByKey("anna")
	c := &casting{rules: testSystem.Rules.(*rules), v: engine.View{Battle: b}, by: a.ID, vs: b.ActorByKey("boris").ID, trait: trait, why: whyAttack, lane: &engine.Lane{}}
	if set != nil {
		set(c)
	}
	c.prepare(table)
	return c
}

// hurt gives anna wounds, by degree.
func hurt(t testing.TB, b *engine.Battle, degrees ...catalogue.Degree) *engine.Battle {
	a := b.ActorByKey("anna")
	var list []engine.Event
	for _, d := range degrees {
		list = append(list, engine.CondSet{Cond: engine.Cond{Name: condWound, On: a.ID.On(), Level: int32(d), Value: int32(d)}})
	}
	return play(t, sys(t), b, nil, engine.Adjust{Facts: list, Reason: "test"}, "")
}

func TestWoundPenalties(t *testing.T) { // TV-18, KM-WND-05, -06
	S, L, H, C := catalogue.Scratch, catalogue.LightWound, catalogue.HeavyWound, catalogue.CriticalWound
	for name, c := range map[string]struct {
		wounds       []catalogue.Degree
		trait        engine.TraitName
		level, chips int32
	}{
		"TV-18":            {[]catalogue.Degree{S, S, S, L, L, H}, catalogue.Perception, 2, -15},
		"WND-05":           {[]catalogue.Degree{S, S, S, L, H}, catalogue.Perception, 3, -90},
		"WND-05 one more":  {[]catalogue.Degree{S, S, S, L, L, H}, catalogue.Reaction, 2, -15},
		"critical":         {[]catalogue.Degree{C}, catalogue.Perception, 1, 0},
		"endurance exempt": {[]catalogue.Degree{S, L, H, C}, catalogue.Endurance, 3, 0},
		"TV-02 in part":    {[]catalogue.Degree{H, S}, catalogue.Perception, 3, -55},
	} {
		got := prepared(hurt(t, duel(t, nil, nil), c.wounds...), c.trait, nil, nil)
		if got.level() != c.level || got.percent() != c.chips {
			t.Errorf("%s: level %d, %d %%, want %d, %d %%", name, got.level(), got.percent(), c.level, c.chips)
		}
	}
}

func TestSkills(t *testing.T) { // TV-57, KM-SKILL-03 to -10
	for name, c := range map[string]struct {
		has   []engine.TraitLevel
		trait engine.TraitName
		want  int32
		kind  engine.BaseKind
	}{
		"own":                      {traits(at(catalogue.TwoHandedSkill, 3)), catalogue.TwoHandedSkill, 3, engine.BaseOwn},
		"TV-57 polearm":            {traits(at(catalogue.TwoHandedSkill, 3)), catalogue.Polearms, 2, engine.BaseCorrelated},
		"TV-57 one-handed":         {traits(at(catalogue.TwoHandedSkill, 3)), catalogue.OneHandedSkill, 2, engine.BaseCorrelated},
		"short by default":         {traits(at(catalogue.TwoHandedSkill, 3)), catalogue.ShortWeapons, 1, engine.BaseUntrained},
		"KM-SKILL-10":              {traits(at(catalogue.OneHandedSkill, 1), at(catalogue.TwoHandedSkill, 4)), catalogue.OneHandedSkill, 3, engine.BaseCorrelated},
		"flail stands alone":       {traits(at(catalogue.TwoHandedSkill, 5)), catalogue.FlexibleWeapons, 1, engine.BaseUntrained},
		"firearms":                 {traits(at("heavy_firearms", 4)), "light_firearms", 3, engine.BaseCorrelated},
		"launchers":                {traits(at("artillery", 4)), "grenade_launchers", 3, engine.BaseCorrelated},
		"Terrible own, Poor beats": {traits(at(catalogue.Evasion, 0)), catalogue.Evasion, 1, engine.BaseUntrained},
	} {
		got := prepared(duel(t, c.has, nil), c.trait, nil, nil).base
		if got.Level != c.want || got.Kind != c.kind {
			t.Errorf("%s: level %d kind %d, want %d kind %d", name, got.Level, got.Kind, c.want, c.kind)
		}
	}
}

func TestWeights(t *testing.T) { // TV-32, TV-33, TV-58, KM-ARM-06, -07, KM-SHLD-05, KM-MEL-05, -06
	for name, c := range map[string]struct {
		strength int32
		items    []engine.NewItem
		trait    engine.TraitName
		want     int32 // levels against a base of 3
	}{
		"TV-32 and class":      {1, []engine.NewItem{worn("plate_breastplate")}, catalogue.Reaction, 3 - 2 - 2},
		"ARM-07":               {2, []engine.NewItem{worn("plate_breastplate")}, catalogue.Movement, 3 - 2 - 1},
		"strong enough":        {3, []engine.NewItem{worn("plate_breastplate")}, catalogue.Movement, 3 - 2},
		"medium":               {3, []engine.NewItem{worn("mail_breastplate")}, catalogue.Movement, 3 - 1},
		"a helmet weighs not":  {1, []engine.NewItem{worn("plate_helmet")}, catalogue.Movement, 3},
		"TV-33":                {2, []engine.NewItem{inOff("large_metal_shield")}, catalogue.Dexterity, 3 - 2},
		"not on perception":    {1, []engine.NewItem{worn("plate_breastplate"), inOff("large_metal_shield")}, catalogue.Perception, 3},
		"armour and shield":    {1, []engine.NewItem{worn("plate_breastplate"), inOff("large_metal_shield")}, catalogue.Movement, 3 - 2 - 2 - 3},
		"shield at the belt":   {1, []engine.NewItem{onBelt("large_metal_shield")}, catalogue.Movement, 3},
		"two-handed, too weak": {1, []engine.NewItem{inMain("great_sword")}, catalogue.TwoHandedSkill, 3 - 2},
		"TV-58":                {4, []engine.NewItem{inMain("great_sword"), inOff("torch_stub")}, catalogue.TwoHandedSkill, 3 - 2},
		"balanced":             {4, []engine.NewItem{inMain("bastard_sword"), inOff("torch_stub")}, catalogue.TwoHandedSkill, 3},
	} {
		t.Run(name, func(t *testing.T) {
			items := c.items
			if n := len(items); items[n-1].Ref == "torch_stub" { // something that fills the hand
				items = append([]engine.NewItem(nil), items...)
				items[n-1].Ref = "dagger"
			}
			b := duel(t, traits(at(catalogue.Strength, c.strength), at(catalogue.TwoHandedSkill, 3)), nil, items...)
			got := prepared(b, c.trait, nil, func(k *casting) {
				if c.trait != catalogue.TwoHandedSkill {
					return
				}
				g, _ := k.rules.gearOf(b, k.by, b.ItemAt(k.by, catalogue.MainHand).ID)
				k.weapon = &g
			})
			if c.trait == catalogue.TwoHandedSkill {
				got.apply(attackModifiers[:])
			}
			if got.level() != c.want {
				t.Errorf("level %d, want %d: %+v", got.level(), c.want, got.mods)
			}
		})
	}
}

func TestEffectiveArmour(t *testing.T) { // TV-31, KM-ARM-04, -08
	r := testSystem.Rules.(*rules)
	for name, c := range map[string]struct {
		wears, weapon engine.CatalogueRef
		ignored, want int32
	}{
		"TV-31":                   {"assault_breastplate", "sword", 1, 1},
		"ARM-08 pick in a seam":   {"assault_breastplate", "war_pick", 1, 0},
		"ARM-08 light and pistol": {"padded_breastplate", "medium_pistol", 0, 0},
		"plate and sword":         {"plate_breastplate", "sword", 0, 3},
		"plate and pistol":        {"plate_breastplate", "medium_pistol", 0, 2},
		"plate and bow":           {"plate_breastplate", "bow", 0, 3},
		"modern and bow":          {"assault_breastplate", "bow", 0, 2},
		"modern and fists":        {"assault_breastplate", "unarmed", 0, 3},
		"spike on light":          {"padded_breastplate", "war_pick", 0, 1},
		"spike on medium":         {"mail_breastplate", "war_pick", 0, 1},
		"nothing worn":            {"", "sword", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var items []engine.NewItem
			if c.wears != "" {
				items = append(items, worn(c.wears))
			}
			b := duel(t, nil, nil, items...)
			g := gear{weapon: r.cat.Weapon(c.weapon)}
			got, _ := r.effectiveArmour(b, b.ActorByKey("anna").ID, catalogue.Torso, &g, c.ignored)
			if got != c.want {
				t.Errorf("AR %d, want %d", got, c.want)
			}
		})
	}
}

func TestMultiDefence(t *testing.T) { // TV-22, TV-23
	for _, c := range []struct {
		trait  engine.TraitName
		before int64
		level  int32
		chips  int32
	}{
		{catalogue.Evasion, 0, 3, 0}, {catalogue.Evasion, 1, 3, -50}, {catalogue.Evasion, 2, 2, 0}, {catalogue.Evasion, 3, 2, -50}, {catalogue.Evasion, 4, 2, -50},
		{catalogue.Grouping, 0, 3, 0}, {catalogue.Grouping, 1, 3, 0},
	} {
		b := duel(t, traits(at(catalogue.Evasion, 3), at(catalogue.Grouping, 3)), nil)
		a := b.ActorByKey("anna").ID
		b = play(t, sys(t), b, nil, engine.Adjust{Facts: []engine.Event{engine.GaugeSet{Gauge: engine.Gauge{On: a.On(), Name: gaugeDefences, Now: c.before, Max: 999}}}, Reason: "test"}, "")
		got := prepared(b, c.trait, defenceModifiers[:], func(k *casting) { k.why, k.against = whyDefence, actBlow })
		if got.level() != c.level || got.percent() != c.chips {
			t.Errorf("%s as number %d: level %d, %d %%, want %d, %d %%", c.trait, c.before+1, got.level(), got.percent(), c.level, c.chips)
		}
	}
}

func TestShorterWeapon(t *testing.T) { // TV-24
	for _, c := range [][3]int32{{1, 3, -1}, {2, 3, 0}, {1, 4, -2}, {3, 1, 0}, {2, 2, 0}} {
		if got := Shorter(c[0], c[1]); got != c[2] {
			t.Errorf("length %d against %d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestProneAttack(t *testing.T) { // TV-42
	for length, want := range []int32{-1, -1, -2, -3, -3} {
		if got := ProneAttack(int32(length)); got != want {
			t.Errorf("length %d: %d, want %d", length, got, want)
		}
	}
}

func TestProneTarget(t *testing.T) { // TV-43: the defence of a lying target; KM-PRONE-01 in melee
	for _, c := range []struct {
		class    engine.ActName
		distance int32
		want     int32
	}{{actShot, 9, 2}, {actShot, 10, 3}, {actShot, 20, 3}, {actShot, 21, 3}, {actBlow, 1, 2}, {actClose, 1, 2}} {
		b := duel(t, traits(at(catalogue.Evasion, 3)), nil)
		a := b.ActorByKey("anna")
		b = play(t, sys(t), b, nil, engine.Adjust{Facts: []engine.Event{engine.Posed{Actor: a.ID, Look: south, Posture: voxel.Prone}}, Reason: "test"}, "")
		got := prepared(b, catalogue.Evasion, defenceModifiers[:], func(k *casting) {
			k.why, k.against = whyDefence, c.class
			k.lane.Seen.Distance = c.distance
		})
		if got.level() != c.want {
			t.Errorf("%s from %d: level %d, want %d", c.class, c.distance, got.level(), c.want)
		}
	}
}

func TestAllowance(t *testing.T) { // TV-34, TV-35, KM-MOVE-01, -02
	c := catalogue.Default()
	for g, want := range map[catalogue.Gait]int32{catalogue.Free: 3, catalogue.Crouched: 4, catalogue.RunUp: 6, catalogue.Run: 12} {
		if got, _, _ := c.Move(3, g); got != want {
			t.Errorf("Movement 3, gait %d: %d, want %d", g, got, want)
		}
	}
	if got, _, _ := c.Move(-2, catalogue.Free); got != 1 {
		t.Errorf("free movement at -2: %d, want 1", got)
	}
	// KM-MOVE-02: armour -1 and one light wound leave level 2, 2 blocks.
	b := hurt(t, duel(t, nil, nil, worn("mail_breastplate")), catalogue.LightWound)
	if got := testSystem.Rules.(*rules).freeAllowance(engine.View{Battle: b}, b.ActorByKey("anna").ID); got != 2 {
		t.Errorf("free movement %d, want 2", got)
	}
}

func TestRunLost(t *testing.T) { // TV-41
	for _, c := range []struct {
		phase int32
		d     catalogue.Degree
		want  bool
	}{
		{phaseRunning, catalogue.LightWound, false}, {phaseRunning, catalogue.HeavyWound, true},
		{phaseRunUp, catalogue.LightWound, true}, {phaseRunUp, catalogue.Scratch, false}, {phaseNone, catalogue.DeadlyWound, false},
	} {
		if got := LosesRun(c.phase, c.d); got != c.want {
			t.Errorf("phase %d, degree %d: %v", c.phase, c.d, got)
		}
	}
}

func TestDropOff(t *testing.T) { // TV-49
	w := catalogue.Default().Weapon("medium_pistol")
	for h, want := range map[int32]int32{1: 0, 2: 0, 3: -1, 4: -2} {
		if got := w.Drop(h); got != want {
			t.Errorf("H %d: %d, want %d", h, got, want)
		}
	}
}

func TestRipostes(t *testing.T) { // TV-44
	if !Ripostes(2, 4) || Ripostes(2, 3) {
		t.Error("a parry by 2 opens a riposte, by 1 none")
	}
}

func TestDressing(t *testing.T) { // KM-ARM-02, -09
	for _, c := range [][3]int32{{4, 3, 2}, {3, 3, 1}, {1, 3, 1}, {4, 2, 2}, {3, 1, 3}} {
		if got := dressTurns(c[0], c[1]); got != c[2] {
			t.Errorf("%d segments at %d a turn take %d turns, want %d", c[0], c[1], got, c[2])
		}
	}
	b := lobby(t, sys(t), nil, quiet(), fighter("anna", "red", 0, 0, south, nil, engine.NewItem{Ref: "plate_gloves", Slot: catalogue.Bag}), fighter("boris", "blue", 0, 9, north, nil))
	b = play(t, sys(t), b, nil, engine.Start{}, "++++ 0000")
	anna := b.ActorByKey("anna").ID
	gloves := b.ItemAt(anna, catalogue.Bag).ID
	on := func(faces string) {
		p := b.LivePrompts()[0]
		b = play(t, sys(t), b, nil, engine.Decide{Prompt: p.ID, By: p.Whose, Intents: []engine.Intent{{Act: actPutOn, Items: []engine.ItemID{gloves}}}}, faces)
	}
	on("")
	if b.Item(gloves).Slot == catalogue.Worn {
		t.Fatal("two heavy segments are on after one turn")
	}
	p := b.LivePrompts()[0]
	b = play(t, sys(t), b, nil, engine.Decide{Prompt: p.ID, By: p.Whose}, "++++ 0000")
	on("")
	if b.Item(gloves).Slot != catalogue.Worn || len(b.Plans) != 0 {
		t.Errorf("the gloves are at %q after two turns, plans %+v", b.Item(gloves).Slot, b.Plans)
	}
}
