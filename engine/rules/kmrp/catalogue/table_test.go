package catalogue

import (
	"slices"
	"testing"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

func TestLadder(t *testing.T) { // KM-LVL-01
	want := []engine.Text{
		{En: "Terrible−−−", Ru: "ужасно−−−"}, {En: "Terrible−−", Ru: "ужасно−−"}, {En: "Terrible−", Ru: "ужасно−"},
		{En: "Terrible", Ru: "ужасно"}, {En: "Poor", Ru: "плохо"}, {En: "Mediocre", Ru: "посредственно"},
		{En: "Normal", Ru: "нормально"}, {En: "Good", Ru: "хорошо"}, {En: "Excellent", Ru: "отлично"},
		{En: "Superb", Ru: "превосходно"}, {En: "Legendary", Ru: "легендарно"}, {En: "Legendary+", Ru: "легендарно+"},
		{En: "Legendary++", Ru: "легендарно++"}, {En: "Legendary+++", Ru: "легендарно+++"},
	}
	got := Default().Names().Levels
	if len(got) != len(want) {
		t.Fatalf("%d levels, want %d", len(got), len(want))
	}
	for i, l := range got {
		if l.N != int32(i)-3 || l.Text != want[i] {
			t.Errorf("level %d = %d %v, want %d %v", i, l.N, l.Text, i-3, want[i])
		}
	}
}

func TestMove(t *testing.T) { // KM-MOVE-01, TV34, TV35, TV36
	type row struct{ level, free, crawl, crouched, runUp, run int32 }
	rows := []row{
		{-9, 1, 0, 0, 0, 0}, {-3, 1, 0, 0, 0, 0}, {-2, 1, 0, 0, 1, 2}, {-1, 1, 1, 1, 2, 4}, {0, 1, 1, 2, 3, 6}, {1, 2, 2, 3, 4, 8},
		{2, 2, 2, 3, 5, 10}, {3, 3, 3, 4, 6, 12}, {4, 3, 3, 5, 7, 14}, {5, 4, 4, 6, 8, 16}, {6, 4, 4, 6, 9, 18},
		{7, 5, 5, 7, 10, 20}, {8, 5, 5, 8, 11, 22}, {10, 5, 5, 8, 11, 22},
	}
	c := Default()
	for _, r := range rows {
		for g, want := range []int32{r.free, r.crawl, r.crouched, r.runUp, r.run} {
			n, falls, lost := c.Move(r.level, Gait(g))
			if n != want {
				t.Errorf("Move(%d, %d) = %d blocks, want %d", r.level, g, n, want)
			}
			if falls != (Gait(g) == Run && r.level <= -3) {
				t.Errorf("Move(%d, %d) falls = %t", r.level, g, falls)
			}
			star := Gait(g) == RunUp && r.level <= -2 || Gait(g) == Run && r.level <= -2
			if lost != star {
				t.Errorf("Move(%d, %d) loses the run-up = %t, want %t", r.level, g, lost, star)
			}
		}
	}
	// From Terrible− up the table is arithmetic, and MoveBeyond carries it on.
	for level := int32(-1); level < 20; level++ {
		up := level + 3
		for g, want := range []int32{max(1, up/2), up / 2, 3 * up / 4, up, 2 * up} {
			if n, falls, lost := c.MoveBeyond(level, Gait(g)); n != want || falls || lost {
				t.Errorf("MoveBeyond(%d, %d) = %d %t %t, want %d", level, g, n, falls, lost, want)
			}
		}
	}
}

func TestJump(t *testing.T) { // KM-JUMP-01, TV38
	c := Default()
	tests := map[int32]Jump{
		-1: {Standing: 0, Running: 0}, 0: {Standing: 0, Running: 1}, 1: {Standing: 1, Running: 3, Up: 1, Down: 2, Climb: 1},
		3: {Standing: 3, Running: 5, Up: 3, Down: 4, Climb: 3}, 7: {Standing: 7, Running: 9, Up: 7, Down: 8, Climb: 7},
		9: {Standing: 7, Running: 9, Up: 7, Down: 8, Climb: 7},
	}
	for level, want := range tests {
		got := c.Jump(level)
		got.Level, got.Source = 0, Source{}
		if got != want {
			t.Errorf("Jump(%d) = %+v, want %+v", level, got, want)
		}
	}
}

func TestSlots(t *testing.T) { // KM-WND-01
	want := [8][5]int{
		{3, 1, 1, 1, 1}, {3, 2, 1, 1, 1}, {4, 2, 2, 1, 1}, {4, 3, 2, 1, 1}, {5, 4, 2, 1, 1}, {5, 4, 3, 1, 1}, {6, 5, 3, 1, 1}, {6, 5, 4, 1, 1},
	}
	c := Default()
	for level := int32(-3); level <= 10; level++ {
		if got := c.Slots(level); got != want[clamp(level, 0, 7)] {
			t.Errorf("Slots(%d) = %v, want %v", level, got, want[clamp(level, 0, 7)])
		}
	}
}

func TestDegree(t *testing.T) { // KM-DMG-06, TV15
	c := Default()
	for damage, want := range map[int32]Degree{
		-100: NoWound, -1: NoWound, 0: Scratch, 3: Scratch, 4: LightWound, 6: LightWound, 7: HeavyWound, 9: HeavyWound,
		10: CriticalWound, 12: CriticalWound, 13: DeadlyWound, 1000: DeadlyWound,
	} {
		if got := c.Degree(damage); got != want {
			t.Errorf("Degree(%d) = %d, want %d", damage, got, want)
		}
	}
}

func TestWound(t *testing.T) { // KM-WND-05, -09, -10, -11, -14
	type row struct {
		ref               string
		percent, levels   int32
		breaks, excludes  bool
		soften            int32
		bleeds, bleedsLow int32
	}
	want := []row{
		{}, {"scratch", -5, 0, false, false, 0, 0, 0}, {"light", -25, 0, false, false, 0, 1, 0}, {"heavy", -50, 0, true, false, 0, 2, 1},
		{"critical", 0, -2, true, true, 3, 3, 2}, {"deadly", 0, -2, true, true, 6, 3, 3}, {},
	}
	c := Default()
	for d, w := range want {
		x := c.Wound(Degree(d))
		got := row{x.Ref, x.Percent, x.Levels, x.Breaks, x.Excludes, x.Soften, c.Bleeds(Degree(d), false), c.Bleeds(Degree(d), true)}
		if got != w {
			t.Errorf("degree %d = %+v, want %+v", d, got, w)
		}
	}
	// TV18: three scratches, two light wounds and a heavy one.
	if p := 3*c.Wound(Scratch).Percent + 2*c.Wound(LightWound).Percent + c.Wound(HeavyWound).Percent; p != -115 {
		t.Errorf("the wounds of TV18 give %d %%, want -115", p)
	}
	for level, every := range []int32{0, 3, 1, 1} { // companion table 3.14
		b := c.Bleeding(int32(level))
		if (b == nil) != (level == 0) || b != nil && b.Every != every {
			t.Errorf("bleeding %d = %+v", level, b)
		}
	}
	if c.Bleeding(4) != nil || c.Bleeding(3).Wound != "light" || c.Bleeding(1).Wound != "scratch" {
		t.Error("bleedings are not weak, strong, critical")
	}
	if got := []engine.Band{c.BandOf(0, false), c.BandOf(1, false), c.BandOf(3, true), c.BandOf(4, true)}; !slices.Equal(got, []engine.Band{"", "bleeding_weak", "coolant_critical", ""}) {
		t.Errorf("bands of bleedings = %q", got)
	}
}

func TestDefencePenalty(t *testing.T) { // KM-DEF-MULTI-02, TV22
	c := Default()
	for nth, want := range []int32{0, 0, -50, -100, -150, -150, -150} {
		if got := c.DefencePenalty(int32(nth)); got != want {
			t.Errorf("DefencePenalty(%d) = %d, want %d", nth, got, want)
		}
	}
}

func TestLight(t *testing.T) { // KM-DARK-01 by Part 4: 0, 1–4, 5 and more
	c := Default()
	for level := int32(-1); level <= 16; level++ {
		want := NormalLight
		switch {
		case level <= 0:
			want = AbsoluteDarkness
		case level <= 4:
			want = HeavyShade
		}
		if got := c.Light(level); got != want {
			t.Errorf("Light(%d) = %s, want %s", level, got, want)
		}
	}
}

func TestDifficulty(t *testing.T) { // companion table 3.7, levels one lower
	want := map[TableRef][]int32{
		"thrown": {4, 8, 12, 16, 20}, "sling": {5, 10, 16, 24, 32, 40}, "bow": {6, 12, 20, 30, 45, 60},
		"long_bow": {8, 15, 25, 40, 60, 80, 100}, "crossbow": {8, 15, 25, 40, 55, 70, 90}, "musket": {6, 12, 20, 30, 40, 50, 60},
		"pistol": {7, 14, 24, 36, 50, 70}, "submachine_gun": {10, 20, 35, 50, 70, 90}, "shot": {8, 15, 24, 32, 40},
		"slug": {8, 16, 30, 45, 60, 80}, "carbine": {12, 25, 45, 70, 100, 140, 180}, "rifle": {15, 30, 55, 90, 130, 180, 240},
		"machine_gun": {12, 25, 50, 80, 120, 160, 200}, "anti_materiel": {15, 30, 60, 100, 150, 200, 280},
		"grenade_launcher": {10, 20, 35, 50, 70, 100},
	}
	c := Default()
	for ref, reach := range want {
		for i, d := range reach {
			level := int32(i) + 1
			if h, ok := c.Difficulty(ref, d); h != level || !ok {
				t.Errorf("%s at %d blocks = %d %t, want %d", ref, d, h, ok, level)
			}
			h, ok := c.Difficulty(ref, d+1)
			if last := i == len(reach)-1; ok == last || !last && h != level+1 {
				t.Errorf("%s at %d blocks = %d %t, want %d", ref, d+1, h, ok, level+1)
			}
			if got := c.Range(ref).Limit(level); got != d {
				t.Errorf("%s limit at level %d = %d, want %d", ref, level, got, d)
			}
		}
		if h, ok := c.Difficulty(ref, 0); h != 1 || !ok {
			t.Errorf("%s at 0 blocks = %d %t, want Poor", ref, h, ok)
		}
	}
	if h, ok := c.Weapon("crossbow").Hit(19); h != 3 || !ok { // the one point of the rulebook (KM-RNG-02)
		t.Errorf("crossbow at 19 blocks = %d, want Normal", h)
	}
	if _, ok := c.Difficulty("spoon", 1); ok {
		t.Error("an unknown table has difficulties")
	}
	if _, ok := c.Weapon("sword").Hit(1); ok {
		t.Error("a sword shoots")
	}
	if n := c.Range("pistol").Limit(0); n != 0 {
		t.Errorf("limit below Poor = %d, want 0", n)
	}
}

func TestDropOff(t *testing.T) { // KM-RNG-08, TV49, companion table 3.8
	want := map[TableRef][7]int32{
		"pistol": {0, 0, -1, -2, -3, -4, -5}, "shot": {0, -1, -2, -3, -4, -4, -4}, "thrown": {0, -1, -2, -3, -4, -5, -5},
		"bow": {0, 0, -1, -2, -3, -4, -4}, "long_bow": {0, 0, 0, -1, -2, -3, -4}, "musket": {0, 0, -1, -2, -3, -4, -5},
	}
	c := Default()
	for ref, loss := range want {
		for i, n := range loss {
			if got := c.DropOff(ref, int32(i)+1); got != n {
				t.Errorf("%s at level %d = %d, want %d", ref, i+1, got, n)
			}
		}
		if got := c.DropOff(ref, 0) + c.DropOff(ref, -5); got != 0 {
			t.Errorf("%s loses %d below Poor", ref, got)
		}
	}
	if c.DropOff("spoon", 5) != 0 || c.Weapon("crossbow").Drop(7) != 0 || c.Weapon("rifle").Drop(7) != 0 || c.Weapon("medium_pistol").Drop(4) != -2 {
		t.Error("crossbows and rifles lose nothing, a pistol 2 at Good")
	}
}

func TestZones(t *testing.T) { // KM-POINT-02, TV29
	c := Default()
	tests := []struct {
		part     engine.PartName
		melee    int32
		ranged   [6]int32 // at H 0…5; 0 is melee
		redirect bool
	}{
		{"head", 5, [6]int32{5, 5, 5, 6, 7, 8}, false}, {"groin", 5, [6]int32{5, 5, 5, 6, 7, 8}, false},
		{"neck", 5, [6]int32{5, 5, 5, 6, 7, 8}, false}, {"torso", 5, [6]int32{5, 5, 5, 6, 7, 8}, false},
		{"knee_left", 4, [6]int32{4, 4, 4, 5, 6, 7}, false}, {"hand_right", 4, [6]int32{4, 4, 4, 5, 6, 7}, false},
		{"belly", 3, [6]int32{3, 3, 3, 4, 5, 6}, true}, {"thigh_right", 3, [6]int32{3, 3, 3, 4, 5, 6}, true},
	}
	for _, tt := range tests {
		p := c.Part(tt.part)
		if p == nil || p.Redirect != tt.redirect {
			t.Errorf("%s = %+v", tt.part, p)
			continue
		}
		for h, want := range tt.ranged {
			if got := c.Zone(p.Zone).At(int32(h)); got != want {
				t.Errorf("%s at H %d = %d, want %d", tt.part, h, got, want)
			}
		}
	}
}

func TestParts(t *testing.T) { // KM-ARM-01, KM-ARM-03
	c := Default()
	redirect := 0
	for _, p := range c.Parts() {
		if p.Redirect {
			redirect++
		}
	}
	if len(c.Parts()) != 21 || redirect != 9 {
		t.Errorf("%d segments, %d of them for redirected attacks; want 21 and 9", len(c.Parts()), redirect)
	}
	for _, n := range []engine.BodyName{"human", "synthetic"} {
		b := c.Body(n)
		if b == nil || len(b.Parts) != 21 || b.Box() != voxel.Human() || b.Synthetic != (n == "synthetic") {
			t.Errorf("body %s = %+v", n, b)
		}
	}
	if b := c.Names().Bodies; b[0].Name != "human" {
		t.Errorf("the first body is %s; actors without one are human", b[0].Name)
	}
}

func TestTraits(t *testing.T) { // KM-ATTR-01, KM-SKILL-01 to -09
	c := Default()
	var attributes, encumbered, hardy []string
	for _, x := range c.Traits() {
		if x.Group == GroupAttribute {
			attributes = append(attributes, string(x.Name))
		}
		if x.Encumbered {
			encumbered = append(encumbered, string(x.Name))
		}
		if x.Hardy {
			hardy = append(hardy, string(x.Name))
		}
		if x.Min != 0 || x.Max != 7 || x.PlayerMax != 6 {
			t.Errorf("%s is from %d to %d, players' to %d; want 0, 7, 6", x.Name, x.Min, x.Max, x.PlayerMax)
		}
		if (x.Group == GroupAttack || x.Group == GroupDefence) && (!x.Untrained || !x.Focus) {
			t.Errorf("%s may not be used untrained or concentrated on", x.Name)
		}
		if x.Lasting != (x.Group == GroupDefence) {
			t.Errorf("%s: concentration lasts = %t (KM-CONC-03)", x.Name, x.Lasting)
		}
	}
	if want := []string{"dexterity", "endurance", "movement", "perception", "reaction", "strength", "willpower"}; !slices.Equal(attributes, want) {
		t.Errorf("attributes = %v", attributes)
	}
	if want := []string{"dexterity", "evasion", "movement", "reaction", "stealth"}; !slices.Equal(encumbered, want) { // KM-ARM-06
		t.Errorf("encumbered = %v", encumbered)
	}
	if !slices.Equal(hardy, []string{"endurance"}) { // KM-WND-06
		t.Errorf("hardy = %v", hardy)
	}
	near := map[engine.TraitName][]engine.TraitName{ // TV57
		"two_handed_weapons": {"one_handed_weapons", "polearms"}, "one_handed_weapons": {"short_weapons", "two_handed_weapons"},
		"short_weapons": {"one_handed_weapons"}, "polearms": {"two_handed_weapons"}, "flexible_weapons": nil, "lashes": nil,
		"light_firearms": {"heavy_firearms"}, "heavy_firearms": {"light_firearms"}, "grenade_launchers": {"artillery"},
		"artillery": {"grenade_launchers"}, "hand_to_hand": nil, "bows": nil,
	}
	for n, want := range near {
		if got := c.Trait(n); got == nil || !slices.Equal(got.Near, want) {
			t.Errorf("neighbours of %s = %v, want %v", n, got, want)
		}
	}
	if c.Trait("healing").Untrained || c.Trait("chemistry").Untrained || !c.Trait("stealth").Untrained { // KM-SKILL-04
		t.Error("knowledge is attempted untrained, or stealth is not")
	}
	if c.Trait("knitting") != nil {
		t.Error("an unknown skill is found")
	}
}

func TestOptions(t *testing.T) { // Part 5
	words := map[engine.OptionName][]string{ // the default first
		"tie": {"defender", "attacker"}, "pct_on_unrolled": {"whole_only", "d100_per_turn"}, "adv_d100": {"each", "once"},
		"table_overflow": {"clamp", "extrapolate"}, "negative_damage": {"none", "scratch_if_hit"}, "block_difference": {"counts", "zero"},
		"effect_degree": {"recorded", "from_damage"}, "init_tie": {"reroll", "base_level", "d100"}, "reach_model": {"by_length", "flat_two"},
		"close_distance": {"target_weapon", "two"}, "conc_defence": {"all", "first"}, "reveal_until": {"round", "own_next_turn", "turn"},
		"back_ranged": {"short", "all", "off"}, "series_defence": {"each", "once"}, "move_after_action": {"no", "yes"},
		"skip_allows_defence": {"yes", "no"}, "strict_positioning": {"yes", "no"}, "training": {"no", "yes"},
	}
	c := Default()
	for n, w := range words {
		o := c.Option(n)
		if o == nil || !slices.Equal(o.Words, w) || o.Default.Word != w[0] || o.Default.Name != n {
			t.Errorf("option %s = %+v", n, o)
		}
	}
	if o := c.Option("redirect_chance"); o == nil || o.Default.N != 20 || o.Min != 0 || o.Max != 100 || len(o.Words) != 0 {
		t.Errorf("redirect_chance = %+v", o)
	}
	if o := c.Option("death_check_difficulty"); o == nil || o.Default.N != 6 {
		t.Errorf("death_check_difficulty = %+v", o)
	}
}
