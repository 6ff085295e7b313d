package catalogue

import (
	"slices"
	"testing"

	"autobattle/engine"
)

func TestMeleeWeapons(t *testing.T) { // companion tables 3.1 to 3.4
	tests := map[engine.CatalogueRef]struct {
		modifier, sharpness, bothHands, length, reach, flat, hands, strength int32
		size                                                                 Size
		traits                                                               Traits
	}{
		"dagger":         {2, 1, 0, 1, 1, 2, 1, 0, Short, BleedsBelow},
		"sword":          {4, 1, 0, 2, 2, 2, 1, 0, Medium, EasySegments}, // TV59: W 4, sharpness 1
		"sabre":          {3, 1, 0, 2, 2, 2, 1, 0, Medium, BleedsBelow},
		"great_sword":    {5, 1, 1, 3, 3, 2, 2, 3, Long, EasySegments},
		"mace":           {2, 0, 0, 2, 2, 2, 1, 0, Medium, EasyStun},
		"heavy_mace":     {3, 0, 0, 2, 2, 2, 1, 1, Medium, EasyStun},
		"war_pick":       {2, 0, 0, 2, 2, 2, 1, 0, Medium, Spike},
		"spear":          {3, 0, 1, 4, 4, 2, 2, 3, Long, EasySeams | Pierces},
		"halberd":        {5, 1, 1, 4, 4, 2, 2, 3, Long, EasySegments},
		"maul":           {4, 0, 1, 3, 3, 2, 2, 4, Long, EasyStun},
		"flail":          {2, 0, 0, 2, 2, 2, 1, 0, Medium, BeatsTie | NoRiposte},
		"great_flail":    {3, 0, 1, 3, 3, 2, 2, 3, Long, BeatsTie | NoRiposte},
		"whip":           {1, 0, 0, 3, 3, 3, 1, 0, Long, Lacerates | BleedsEqual | NoParry | FullSweep},
		"unarmed":        {0, 0, 0, 0, 1, 1, 1, 0, Short, Fist | EasyStun},
		"martial_arts":   {1, 0, 0, 0, 1, 1, 1, 0, Short, Fist | EasyStun},
		"knuckle_duster": {2, 0, 0, 1, 1, 1, 1, 0, Short, Fist | EasyStun},
		"knuckle_spike":  {3, 0, 0, 1, 1, 1, 1, 0, Short, Fist | EasySeams},
		"knuckle_blade":  {3, 0, 0, 1, 1, 1, 1, 0, Short, Fist | BleedsBelow},
		"junk":           {2, 0, 0, 1, 1, 1, 1, 0, Short, Fist | EasyStun},
		"rifle_butt":     {2, 0, 0, 1, 1, 1, 2, 0, Short, Fist | EasyStun},
		"small_shield":   {2, 0, 0, 1, 1, 1, 1, 0, Short, Fist | EasyStun},
		"plate_gauntlet": {2, 0, 0, 1, 1, 1, 1, 0, Short, Fist | EasyStun},
	}
	c := Default()
	for ref, tt := range tests {
		w := c.Weapon(ref)
		if w == nil {
			t.Errorf("there is no %s", ref)
			continue
		}
		got := tt
		got.modifier, got.sharpness, got.bothHands, got.length, got.reach, got.flat = w.Modifier, w.Sharpness, w.BothHands, w.Length, w.Reach, w.FlatReach
		got.hands, got.strength, got.size, got.traits = w.Hands, w.Strength, w.Size, w.Traits
		if got != tt {
			t.Errorf("%s = %+v, want %+v", ref, got, tt)
		}
	}
	if !c.Weapon("bastard_sword").OneHanded || c.Weapon("great_sword").OneHanded {
		t.Error("the bastard sword, and it alone of the two, is good in one hand")
	}
	// The reach of two kinds of weapon is stated: 2 and the lash's 3 (KM-MEL-02).
	for i := range c.Weapons() {
		if w := &c.Weapons()[i]; w.Kind == Melee {
			want := int32(2)
			if w.Class == Lash {
				want = 3
			}
			if w.FlatReach != want {
				t.Errorf("flat reach of %s = %d, want %d", w.Ref, w.FlatReach, want)
			}
		}
	}
}

func TestFamilies(t *testing.T) { // KM-ARM-05
	c := Default()
	for ref, want := range map[engine.CatalogueRef]Family{
		"sword": Cold, "whip": Cold, "bow": Cold, "crossbow": Cold, "sling": Cold, "throwing_knife": Cold, "musket": Firearm,
		"medium_pistol": Firearm, "rifle": Firearm, "unarmed": NoFamily, "martial_arts": NoFamily,
	} {
		if w := c.Weapon(ref); w == nil || w.Family != want {
			t.Errorf("%s = %+v, want family %s", ref, w, want)
		}
	}
}

func TestRangedWeapons(t *testing.T) { // companion tables 3.6, 3.13
	type row struct {
		modifier, strength, recoil, single, capacity, enlarged, burst int32
		modes                                                         Modes
		feed                                                          FeedRef
	}
	tests := map[engine.CatalogueRef]row{
		"throwing_knife":         {2, 0, 0, 0, 0, 0, 0, Single, ""},
		"stone":                  {1, 0, 0, 0, 0, 0, 0, Single, ""},
		"sling":                  {2, 0, 0, 0, 0, 0, 0, Single, ""},
		"bow":                    {3, 2, 0, 0, 0, 0, 0, Single, ""},
		"long_bow":               {4, 0, 0, 0, 1, 0, 0, Single, "drawn"},
		"crossbow":               {4, 0, 0, 0, 1, 0, 0, Single, "drawn"},
		"musket":                 {5, 2, 0, 0, 1, 0, 0, Single, "muzzle"},
		"light_pistol":           {2, 0, 0, 0, 10, 20, 0, Single | Double | Paired, "pistol_magazine"},
		"light_revolver":         {2, 0, 0, 0, 6, 0, 0, Single | Double | Paired, "cylinder"},
		"medium_pistol":          {3, 1, 0, 0, 12, 20, 0, Single | Double | Paired, "pistol_magazine"},
		"heavy_pistol":           {4, 2, -1, -1, 7, 10, 0, Single | Double, "pistol_magazine"},
		"light_automatic_pistol": {2, 2, -1, 0, 18, 30, 3, Single | Series | Fan, "pistol_magazine"},
		"submachine_gun":         {3, 2, 0, 0, 30, 50, 3, Single | Series | Fan, "magazine"},
		"pump_shotgun":           {5, 2, 0, 0, 5, 8, 0, Single | Double, "rounds"},
		"double_shotgun":         {5, 2, 0, 0, 2, 0, 0, Single | Double, "rounds"},
		"carbine":                {4, 2, 0, 0, 10, 20, 0, Single, "magazine"},
		"assault_rifle":          {4, 2, 0, 0, 30, 45, 3, Single | Series, "magazine"},
		"rifle":                  {5, 3, -1, -1, 5, 0, 0, Single, "clip"},
		"medium_machine_gun":     {4, 3, -1, 0, 100, 200, 5, Series | Fan, "magazine"},
		"heavy_machine_gun":      {5, 4, -2, 0, 100, 200, 5, Series | Fan, "magazine"},
		"anti_materiel_rifle":    {6, 4, -2, -2, 5, 0, 0, Single, "magazine"},
	}
	c := Default()
	for ref, want := range tests {
		w := c.Weapon(ref)
		if w == nil {
			t.Errorf("there is no %s", ref)
			continue
		}
		got := row{w.Modifier, w.Strength, w.Recoil, w.SingleRecoil, w.Capacity, w.Enlarged, w.Burst, w.Modes, w.Feed}
		if got != want {
			t.Errorf("%s = %+v, want %+v", ref, got, want)
		}
		if (w.Loading() == nil) != (want.feed == "") {
			t.Errorf("%s loads by %v", ref, w.Loading())
		}
	}
	for _, ref := range []engine.CatalogueRef{"sling", "long_bow"} { // companion table 3.9
		if !c.Weapon(ref).Has(NotProne) {
			t.Errorf("%s is used by those who lie", ref)
		}
	}
	if !c.Weapon("sawn_off").Has(Pistol|Barrels) || c.Weapon("pump_shotgun").Has(Pistol) {
		t.Error("the sawn-off counts as a pistol at point blank, the pump shotgun does not (KM-RNG-CLOSE-03)")
	}
}

func TestLoading(t *testing.T) { // KM-RELD-02, TV60
	c := Default()
	if n, ok := c.Weapon("assault_rifle").Loading().Refill(4); n != 6 || !ok {
		t.Errorf("refilling 4 cartridges takes %d turns, want 6", n)
	}
	if n, ok := c.Weapon("pump_shotgun").Loading().Refill(4); n != 4 || !ok {
		t.Errorf("loading 4 cartridges singly takes %d turns, want 4", n)
	}
	if _, ok := c.Weapon("musket").Loading().Refill(1); ok {
		t.Error("a musket is loaded by cartridges")
	}
	for ref, want := range map[engine.CatalogueRef]int32{
		"assault_rifle": 2, "medium_pistol": 1, "rifle": 2, "light_revolver": 1, "musket": 2, "crossbow": 1, "long_bow": 1, "pump_shotgun": 0,
	} {
		if got := c.Weapon(ref).Loading().Turns; got != want {
			t.Errorf("%s: %d turns, want %d", ref, got, want)
		}
	}
	if f := c.Weapon("crossbow").Loading(); f.Strength != 4 || f.Check != 3 { // KM-RELD-05
		t.Errorf("crossbow needs %d, else a roll against %d; want 4 and 3", f.Strength, f.Check)
	}
}

func TestAmmunition(t *testing.T) { // KM-AMMO-02, -03; companion table 3.10
	c := Default()
	shot := func(w, a engine.CatalogueRef) Shot {
		t.Helper()
		x := c.Ammo(a)
		if x == nil || !x.Fits(c.Weapon(w)) {
			t.Fatalf("%s does not fit %s", a, w)
		}
		return c.Weapon(w).Shot(x)
	}
	if got := shot("sling", "sling_stone").Modifier; got != 1 {
		t.Errorf("stones from a sling = %d, want 1", got)
	}
	if got := shot("sling", "sling_ball").Modifier; got != 2 {
		t.Errorf("metal balls from a sling = %d, want 2", got)
	}
	if got := shot("bow", "blunt_arrow").Modifier; got != 2 {
		t.Errorf("blunt arrows from a bow = %d, want 2", got)
	}
	if got := shot("medium_pistol", "medium_pistol_round_ap"); got.Modifier != 3 || got.Effect != (Effect{Ignores: 1, Bare: -1}) {
		t.Errorf("armour-piercing = %+v", got)
	}
	if got := shot("medium_pistol", "medium_pistol_round_expanding").Effect; got != (Effect{Bare: 1, Armoured: -1, Bleeds: true}) {
		t.Errorf("expanding = %+v", got)
	}
	if got := shot("rifle", "heavy_rifle_round_tracer").Effect; got != (Effect{Tracer: true}) {
		t.Errorf("tracer = %+v", got)
	}
	if got := shot("pump_shotgun", "shot"); got.Modifier != 5 || got.Effect != (Effect{PerArmour: -1}) {
		t.Errorf("shot = %+v", got)
	}
	if c.Ammo("medium_rifle_round").Fits(c.Weapon("medium_pistol")) { // the example of KM-AMMO-03
		t.Error("a carbine cartridge fits a pistol")
	}
	if c.Ammo("arrow").Fits(c.Weapon("throwing_knife")) {
		t.Error("a throwing knife shoots arrows")
	}
	gun := c.Weapon("pump_shotgun")
	for _, tt := range []struct {
		ammo             engine.CatalogueRef
		modifier, recoil int32
		hit              int32 // at 30 blocks
		loss             int32 // at that difficulty
	}{
		{"shot", 5, 0, 4, -3}, {"buckshot", 4, 0, 4, -2}, {"slug", 4, -1, 3, 0}, {"rubber_shot", 3, 0, 4, -3},
	} {
		a := c.Ammo(tt.ammo)
		s := gun.Shot(a)
		h, ok := gun.HitWith(a, 30)
		if s.Modifier != tt.modifier || s.Effect.Recoil != tt.recoil || h != tt.hit || !ok || gun.DropWith(a, h) != tt.loss {
			t.Errorf("%s = %+v, at 30 blocks %d with %d; want %+v", tt.ammo, s, h, gun.DropWith(a, h), tt)
		}
	}
	p := c.Weapon("medium_pistol")
	if got := p.DropWith(c.Ammo("medium_pistol_round_subsonic"), 2); got != -1 {
		t.Errorf("subsonic at Mediocre loses %d, want 1: one difficulty earlier", got)
	}
	if h, ok := p.HitWith(nil, 14); h != 2 || !ok || p.DropWith(nil, 3) != -1 || p.Shot(nil).Modifier != 3 {
		t.Error("without ammunition the weapon's own numbers hold")
	}
	if c.Ammo("spoon") != nil {
		t.Error("unknown ammunition is found")
	}
}

func TestArmour(t *testing.T) { // KM-ARM-02, -06, -07, -08
	c := Default()
	for ref, want := range map[engine.CatalogueRef][4]int32{ // AR, strength, penalty, per turn
		"padded_breastplate": {1, 0, 0, 3}, "mail_breastplate": {2, 2, -1, 2}, "plate_breastplate": {3, 3, -2, 1},
		"plate_helmet": {3, 0, 0, 1}, "ballistic_vest": {2, 2, -1, 2}, "assault_suit": {3, 3, -2, 1}, "mail_sleeves": {2, 0, 0, 2},
	} {
		a := c.Armour(ref)
		if a == nil || [4]int32{a.AR, a.Strength, a.BasePenalty, a.PerTurn} != want {
			t.Errorf("%s = %+v, want %v", ref, a, want)
		}
	}
	for ref, want := range map[engine.CatalogueRef][3]int32{ // against cold, firearm, none
		"plate_breastplate": {3, 2, 3}, "assault_vest": {2, 3, 3}, "padded_helmet": {1, 0, 1},
	} {
		a := c.Armour(ref)
		if got := [3]int32{a.Effective(Cold, 0), a.Effective(Firearm, 0), a.Effective(NoFamily, 0)}; got != want {
			t.Errorf("%s against cold, firearm, none = %v, want %v", ref, got, want)
		}
	}
	vest := c.Armour("assault_vest")
	if n := vest.Effective(Cold, 1); n != 1 { // TV31: sword, seam
		t.Errorf("a sword in the seam of a heavy modern vest meets %d, want 1", n)
	}
	if n := vest.Effective(Cold, 2); n != 0 { // a pick in the seam
		t.Errorf("a pick in the seam of a heavy modern vest meets %d, want 0", n)
	}
	if n := vest.Effective(Cold, 9); n != 0 {
		t.Errorf("armour of %d; it never helps the attacker", n)
	}
	if s := c.Armour("plate_suit"); len(s.Segments) != 21 || !slices.IsSorted(s.Segments) || !s.Covers("shin_left") || s.Covers("tail") {
		t.Errorf("a suit = %+v, want all 21 segments", s)
	}
	if c.Armour("plate_helmet").Covers(Torso) || !vest.Covers("belly") {
		t.Error("a helmet covers the torso, or a vest not the belly")
	}
}

func TestShields(t *testing.T) { // KM-SHLD-01, TV33
	type row struct {
		sh, strength               int32
		projectiles, full, attacks bool
	}
	c := Default()
	want := map[engine.CatalogueRef]row{
		"small_leather_shield": {1, 0, false, false, true}, "small_wooden_shield": {2, 0, false, false, true},
		"small_bound_shield": {3, 0, false, false, true}, "small_metal_shield": {4, 2, false, false, true},
		"medium_leather_shield": {1, 0, true, false, false}, "medium_wooden_shield": {2, 0, true, false, false},
		"medium_bound_shield": {3, 2, true, false, false}, "medium_metal_shield": {4, 3, true, false, false},
		"large_leather_shield": {1, 0, true, true, false}, "large_wooden_shield": {2, 2, true, true, false},
		"large_bound_shield": {3, 3, true, true, false}, "large_metal_shield": {4, 4, true, true, false},
		"pavise": {2, 2, true, true, false}, "improvised_shield": {1, 0, false, false, false},
	}
	if len(c.Shields()) != len(want) {
		t.Errorf("%d shields, want %d", len(c.Shields()), len(want))
	}
	for ref, w := range want {
		s := c.Shield(ref)
		if s == nil {
			t.Errorf("there is no %s", ref)
			continue
		}
		if got := (row{s.SH, s.Strength, s.Projectiles, s.FullDefence, s.Attack != ""}); got != w {
			t.Errorf("%s = %+v, want %+v", ref, got, w)
		}
		if s.Breaks != (ref == "improvised_shield") || s.Pavise != (ref == "pavise") {
			t.Errorf("%s breaks %t, is set up %t", ref, s.Breaks, s.Pavise)
		}
	}
	if w := c.Weapon(c.Shield("small_metal_shield").Attack); w == nil || w.Modifier != 2 || w.Skill != HandToHand { // KM-SHLD-02
		t.Errorf("a small shield strikes as %+v", w)
	}
}

func TestExplosives(t *testing.T) { // companion 1.1, 3.11
	c := Default()
	for ref, want := range map[engine.CatalogueRef]Shot{
		"fragmentation_grenade": {10, Firearm, Effect{Blast: 10}}, "stun_grenade": {10, NoFamily, Effect{Blast: 10, StunOnly: true}},
		"gas_grenade": {0, NoFamily, Effect{Cloud: "gas", Radius: 5}}, "smoke_grenade": {0, NoFamily, Effect{Cloud: "smoke", Radius: 5}},
		"incendiary_grenade": {0, NoFamily, Effect{Cloud: "fire", Radius: 3}},
	} {
		w := c.Weapon(ref)
		if w == nil || w.Shot(nil) != want || !w.Has(Explodes|Thrown) || w.Skill != "grenade_throwing" {
			t.Errorf("%s = %+v, want %+v", ref, w, want)
		}
	}
	if w := c.Weapon("fragmentation_grenade"); w.From != Recovered {
		t.Errorf("the fragmentation grenade is %s; its numbers were recovered", w.From)
	}
	launcher := c.Weapon("grenade_launcher")
	for ref, want := range map[engine.CatalogueRef]Shot{
		"launcher_fragmentation": {8, Firearm, Effect{Blast: 8}}, "launcher_stun": {8, Firearm, Effect{Blast: 8, StunOnly: true}},
		"launcher_gas": {0, Firearm, Effect{Cloud: "gas", Radius: 4}}, "launcher_smoke": {0, Firearm, Effect{Cloud: "smoke", Radius: 4}},
		"launcher_incendiary": {0, Firearm, Effect{Cloud: "fire", Radius: 2}}, "launcher_shaped": {12, Firearm, Effect{Blast: 4, Ignores: 2}},
		"launcher_canister": {6, Firearm, Effect{PerArmour: -1}},
	} {
		a := c.Ammo(ref)
		if a == nil || !a.Fits(launcher) || launcher.Shot(a) != want {
			t.Errorf("%s = %+v, want %+v", ref, a, want)
		}
	}
	if _, ok := launcher.HitWith(c.Ammo("launcher_canister"), 16); ok {
		t.Error("canister reaches beyond 15 blocks")
	}
}

// Lookups are on the path of one attack.
func TestLookupsDoNotAllocate(t *testing.T) {
	c := Default()
	var sum int32
	n := testing.AllocsPerRun(100, func() {
		w, a := c.Weapon("medium_pistol"), c.Ammo("medium_pistol_round")
		h, _ := w.HitWith(a, 20)
		s := w.Shot(a)
		v := c.Armour("ballistic_vest")
		blocks, _, _ := c.Move(h, RunUp)
		slots := c.Slots(3)
		sum += s.Modifier + w.DropWith(a, h) - v.Effective(s.Family, 0) + blocks + int32(slots[0]) + c.Wound(c.Degree(5)).Percent
		if v.Covers(Torso) && c.Trait(w.Skill).Untrained && c.Shield("pavise") != nil && c.Light(3) == HeavyShade {
			sum += c.DefencePenalty(2) + c.Zone(c.Part("head").Zone).At(h)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for the lookups of one attack, want 0", n)
	}
	if sum == 0 {
		t.Error("nothing was looked up")
	}
}

func BenchmarkWeapon(b *testing.B) {
	c := Default()
	b.ReportAllocs()
	for b.Loop() {
		if c.Weapon("medium_pistol") == nil {
			b.Fatal("not found")
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		l := &loader{sheet: &sheet{}}
		l.read(embedded)
		l.build()
		if len(l.errs) > 0 {
			b.Fatal(l.err())
		}
	}
}
