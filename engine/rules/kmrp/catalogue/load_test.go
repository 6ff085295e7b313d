package catalogue

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"autobattle/engine"
)

// files is a directory with the given content.
func files(content ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(content); i += 2 {
		m[content[i]] = &fstest.MapFile{Data: []byte(content[i+1])}
	}
	return m
}

func mustLoad(t *testing.T, dir fs.FS) *Catalogue {
	t.Helper()
	c, err := Load(dir)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return c
}

const longKnife = `
weapons:
  # A house weapon, and a change of a built-in one.
  - ref: long_knife
    text: {en: Long knife, ru: тесак}
    class: cutting
    skill: short_weapons
    hands: 1
    length: 1
    reach: 1
    flat_reach: 2
    factors: [sharp, superior]
    rule: KM-MEL-01
    from: house
  - {ref: sword, text: {en: House sword, ru: местный меч}, class: chopping, skill: one_handed_weapons, hands: 1, length: 2, reach: 2, flat_reach: 2, modifier: 7, rule: KM-MEL-01, from: house}
`

func TestDirectoryOverrides(t *testing.T) {
	c := mustLoad(t, files("house/weapons.yaml", longKnife, "house/README.md", "weapons: [broken", "moves.yml", `
moves:
  - {level: 9, free: 6, crouched: 9, run_up: 12, run: 24, rule: KM-MOVE-01, from: house}
`))
	if w := c.Weapon("long_knife"); w == nil || w.Modifier != 4 || w.Kind != Melee || w.From != House || w.Ours() {
		t.Errorf("added weapon = %+v", w)
	}
	if w := c.Weapon("sword"); w.Modifier != 7 || w.Text.En != "House sword" || w.Sharpness != 0 {
		t.Errorf("replaced weapon = %+v; it is replaced whole", w)
	}
	if w := c.Weapon("sabre"); w == nil || w.Modifier != 3 {
		t.Errorf("untouched weapon = %+v", w)
	}
	if n, _, _ := c.Move(12, RunUp); n != 12 {
		t.Errorf("run-up at level 12 with a row added = %d, want that of the added row, 12", n)
	}
	if len(c.Weapons()) != len(Default().Weapons())+1 {
		t.Errorf("%d weapons; want one more than %d", len(c.Weapons()), len(Default().Weapons()))
	}
	if Default().Weapon("sword").Modifier != 4 || Default().Weapon("long_knife") != nil {
		t.Error("loading a directory changed the built-in catalogue")
	}
}

// A change of a class or a table reaches all that is built upon it.
func TestOverrideReachesWhatDepends(t *testing.T) {
	c := mustLoad(t, files("a.yaml", `
classes:
  - {ref: chopping, text: {en: Chopping, ru: рубящее}, kind: melee, family: cold, modifier: 1, traits: [no_parry], rule: KM-MEL-01, from: house}
ranges:
  - {ref: crossbow, text: {en: Crossbow, ru: арбалет}, reach: [5], rule: KM-RNG-02, from: house}
armour_classes:
  - {ref: heavy, text: {en: Heavy, ru: тяжёлая}, ar: 5, strength: 4, penalty: -3, per_turn: 1, rule: KM-ARM-02, from: house}
`))
	if w := c.Weapon("sword"); w.Modifier != 2 || !w.Has(NoParry) || w.Has(EasySegments) {
		t.Errorf("sword = %+v", w)
	}
	if h, ok := c.Weapon("crossbow").Hit(5); h != 1 || !ok {
		t.Errorf("crossbow at 5 blocks = %d %t", h, ok)
	}
	if _, ok := c.Weapon("crossbow").Hit(6); ok {
		t.Error("crossbow hits at 6 blocks, beyond its only distance")
	}
	if a := c.Armour("plate_breastplate"); a.AR != 5 || a.Strength != 4 || a.BasePenalty != -3 {
		t.Errorf("breastplate = %+v", a)
	}
}

// The factors of a melee weapon never take it out of 0 to 5 (companion table 3.3); a number that is set may.
func TestModifierIsBounded(t *testing.T) {
	entry := func(ref, more string) string {
		return "  - {ref: " + ref + ", text: {en: W, ru: М}, skill: polearms, hands: 2, length: 4, reach: 4, flat_reach: 2, " + more + ", rule: KM-MEL-01, from: house}\n"
	}
	c := mustLoad(t, files("a.yaml", "weapons:\n"+
		entry("much", "class: chopping, factors: [sharp, both_hands, massive, superior]")+
		entry("little", "class: lash, factors: [poor, short]")+
		entry("set", "class: chopping, modifier: 9")))
	for ref, want := range map[engine.CatalogueRef]int32{"much": 5, "little": 0, "set": 9} {
		if got := c.Weapon(ref).Modifier; got != want {
			t.Errorf("modifier of %s = %d, want %d", ref, got, want)
		}
	}
}

func TestHash(t *testing.T) {
	base := Default().Hash()
	if base == [32]byte{} {
		t.Fatal("no hash")
	}
	if mustLoad(t, nil).Hash() != base || mustLoad(t, files("empty.yaml", "# nothing\n")).Hash() != base {
		t.Error("the same content has two hashes")
	}
	one := mustLoad(t, files("weapons.yaml", longKnife)).Hash()
	if one == base {
		t.Error("other content has the same hash")
	}
	// The same two entries in two files and the other order.
	cut := strings.Index(longKnife, "  - {ref: sword")
	two := mustLoad(t, files("b.yaml", longKnife[:cut], "a.yaml", "weapons:\n"+longKnife[cut:])).Hash()
	if one != two {
		t.Error("the hash depends on how entries are divided into files")
	}
	if h := mustLoad(t, files("weapons.yaml", strings.Replace(longKnife, "modifier: 7", "modifier: 6", 1))).Hash(); h == one {
		t.Error("a changed modifier does not change the hash")
	}
	if h := mustLoad(t, files("weapons.yaml", strings.Replace(longKnife, "ru: тесак", "ru: нож", 1))).Hash(); h == one {
		t.Error("a changed name does not change the hash")
	}
}

const knife = `{ref: k, text: {en: K, ru: К}, class: cutting, skill: short_weapons, hands: 1, length: 1, reach: 1, flat_reach: 2, rule: KM-MEL-01, from: house}`
const gun = `{ref: g, text: {en: G, ru: Г}, class: pistol, skill: light_firearms, hands: 1, size: short, modifier: 3, calibre: light_pistol, range: pistol, modes: [single], rule: KM-RNG-01, from: house}`

// Each broken file says where, which entry, what is wrong and what would be right.
func TestBrokenFiles(t *testing.T) {
	change := func(entry, old, with string) string {
		if !strings.Contains(entry, old) {
			t.Fatalf("%q has no %q", entry, old)
		}
		return "\nweapons:\n  - " + strings.Replace(entry, old, with, 1) + "\n"
	}
	tests := map[string]struct {
		src  string
		want []string // all in one error
	}{
		"not YAML":          {"weapons:\n  - {ref: a\n", []string{"a.yaml:", "is not YAML"}},
		"not a mapping":     {"- ref: a\n", []string{"a.yaml:1: is a sequence; a catalogue file is a mapping of sections", "weapons"}},
		"unknown section":   {"\nwaepons:\n  - {ref: a}\n", []string{`a.yaml:2: section "waepons" is not known; the sections are`, "weapons"}},
		"not a list":        {"weapons:\n  ref: a\n", []string{"a.yaml:1: weapons: is a mapping; it must be a list"}},
		"not an entry":      {"weapons:\n  - 5\n", []string{"a.yaml:2: weapons: int was used where mapping is expected"}},
		"unknown field":     {change(knife, "hands", "hnads"), []string{`a.yaml:3: weapons "k": unknown field "hnads"`}},
		"wrong type":        {change(knife, "hands: 1", "hands: two"), []string{`a.yaml:3: weapons "k": cannot unmarshal string`, "Hands"}},
		"too large":         {change(knife, "hands: 1", "hands: 99999999999"), []string{`a.yaml:3: weapons "k"`, "overflow"}},
		"not whole":         {change(knife, "hands: 1", "hands: 1.5"), []string{`a.yaml:3: weapons "k": 1.5 is not a whole number`}},
		"infinite":          {change(knife, "hands: 1", "hands: .inf"), []string{`a.yaml:3: weapons "k": .inf is not a whole number`}},
		"alias":             {change(knife, "hands: 1", "hands: &x 1"), []string{`a.yaml:3: weapons "k": anchors, aliases and merges are not used`}},
		"tag":               {change(knife, "hands: 1", "hands: !!str 1"), []string{`a.yaml:3: weapons "k": tags are not used`}},
		"same key twice":    {change(knife, "hands: 1", "hands: 1, hands: 2"), []string{"a.yaml:3: is not YAML", "already defined"}},
		"same ref twice":    {"weapons:\n  - " + knife + "\n  - " + knife + "\n", []string{`a.yaml:3: weapons "k": stands at a.yaml:2 already; a name is given once`}},
		"no ref":            {change(knife, "ref: k, ", ""), []string{`a.yaml:3: weapons "": name "" is not a name; it must be 1 to 64 lower-case letters`}},
		"bad ref":           {change(knife, "ref: k", "ref: Kníže"), []string{`name "Kníže" is not a name`}},
		"no English":        {change(knife, "en: K, ", ""), []string{`a.yaml:3: weapons "k": text.en is ""; it must be the English name`}},
		"Russian as En":     {change(knife, "en: K", "en: К"), []string{`text.en is "К"; it must be the English name`}},
		"no Russian":        {change(knife, ", ru: К", ""), []string{`text.ru is ""; it must be the Russian name`}},
		"English as Ru":     {change(knife, "ru: К", "ru: K"), []string{`text.ru is "K"; it must be the Russian name`}},
		"unknown rule":      {change(knife, "KM-MEL-01", "KM-MEL-99"), []string{`rule "KM-MEL-99" is not in the section rules; name a rule`}},
		"no origin":         {change(knife, ", from: house", ""), []string{`from is ""; it must be stated, recovered, inferred, ours, house`}},
		"unknown class":     {change(knife, "cutting", "cuting"), []string{`a.yaml:3: weapons "k": class: there is no "cuting"; there are`, "cutting"}},
		"unknown skill":     {change(knife, "short_weapons", "knives"), []string{`skill: there is no "knives"; there are`, "short_weapons"}},
		"three hands":       {change(knife, "hands: 1", "hands: 3"), []string{`a.yaml:3: weapons "k": hands is 3; it must be 1 to 2`}},
		"no reach":          {change(knife, " reach: 1,", ""), []string{"reach is 0; it must be 1 to 16"}},
		"unknown factor":    {change(knife, "hands: 1", "hands: 1, factors: [keen]"), []string{`factors: there is no "keen"; there are`, "sharp"}},
		"factor twice":      {change(knife, "hands: 1", "hands: 1, factors: [sharp, sharp]"), []string{`factors name "sharp" twice; each counts once`}},
		"factor of others":  {change(knife, "hands: 1", "hands: 1, factors: [massive]"), []string{`factors: "massive" is not for class "cutting"; it is for`}},
		"unknown trait":     {change(knife, "hands: 1", "hands: 1, traits: [magic]"), []string{`traits: there is no "magic"; there are`, "no_parry"}},
		"knife with rounds": {change(knife, "hands: 1", "hands: 1, calibre: arrow"), []string{`calibre, range, modes, feed and modification are for ranged classes; "cutting" is melee`}},
		"no modifier":       {change(gun, "modifier: 3, ", ""), []string{`a.yaml:3: weapons "g": modifier is missing`}},
		"no size":           {change(gun, "size: short, ", ""), []string{"size is missing"}},
		"no range":          {change(gun, "range: pistol, ", ""), []string{`range: there is no ""; there are`, "crossbow"}},
		"no calibre":        {change(gun, "calibre: light_pistol, ", ""), []string{"calibre is missing"}},
		"no modes":          {change(gun, "modes: [single]", "modes: []"), []string{"modes are missing"}},
		"no burst":          {change(gun, "[single]", "[series]"), []string{"burst is 0; a weapon with the mode"}},
		"cold cartridge":    {change(gun, "light_pistol", "arrow"), []string{`family is "firearm", that of its calibre "arrow" is "cold"; they must agree`}},
		"unknown feed":      {change(gun, "size: short", "size: short, feed: tube"), []string{`feed: there is no "tube"; there are`, "magazine"}},
		"reach of a gun":    {change(gun, "hands: 1", "hands: 1, reach: 2"), []string{"length and reach are for melee classes"}},
		"ref of a shield":   {change(knife, "ref: k", "ref: pavise"), []string{`a.yaml:3: weapons "pavise": is a name in shields too, at data/armour.yaml:`, "so give it another"}},
		"falling distances": {"ranges:\n  - {ref: r, text: {en: R, ru: Р}, reach: [5, 5], rule: KM-RNG-02, from: house}\n", []string{`a.yaml:2: ranges "r": reach: number 2 is 5; distances are positive and rise`}},
		"eight distances":   {"ranges:\n  - {ref: r, text: {en: R, ru: Р}, reach: [1, 2, 3, 4, 5, 6, 7, 8], rule: KM-RNG-02, from: house}\n", []string{"number of reach is 8; it must be 1 to 7"}},
		"no distances":      {"ranges:\n  - {ref: r, text: {en: R, ru: Р}, rule: KM-RNG-02, from: house}\n", []string{"number of reach is 0; it must be 1 to 7"}},
		"rising loss":       {"drop_offs:\n  - {ref: r, text: {en: R, ru: Р}, loss: [-1, 0], rule: KM-RNG-07, from: house}\n", []string{`drop_offs "r": loss: number 2 is 0; losses are 0 or less and never rise`}},
		"gap in moves":      {"moves:\n  - {level: 10, free: 6, crouched: 9, run_up: 13, run: 26, rule: KM-MOVE-01, from: house}\n", []string{"moves: after row 8 comes row 10; rows have no gaps"}},
		"short pyramid":     {"pyramid:\n  - {level: 3, slots: [4, 3, 2], rule: KM-WND-01, from: house}\n", []string{`a.yaml:2: pyramid "3": slots have 3 numbers; they have 5`}},
		"degrees cross":     {"degrees:\n  - {ref: heavy, text: {en: H, ru: Т}, degree: 3, damage: 4, rule: KM-WND-05, from: house}\n", []string{`degrees: "heavy" begins at damage 4, "light" below it at 4`}},
		"bands cross":       {"lights:\n  - {band: heavy_shade, text: {en: S, ru: Т}, level: 5, rule: KM-DARK-01, from: house}\n", []string{"lights: the bands are not absolute_darkness from level 0"}},
		"unknown band":      {"lights:\n  - {band: dusk, text: {en: D, ru: С}, level: 3, rule: KM-DARK-01, from: house}\n", []string{`a.yaml:2: lights "dusk": band is "dusk"; it must be absolute_darkness, heavy_shade, normal_light`}},
		"no breastplate":    {"armours:\n  - {ref: a, text: {en: A, ru: А}, class: light, type: modern, rule: KM-ARM-01, from: house}\n", []string{`armours "a": segments are missing; as in "segments: [torso]"`}},
		"unknown segment":   {"armours:\n  - {ref: a, text: {en: A, ru: А}, class: light, type: modern, segments: [tail], rule: KM-ARM-01, from: house}\n", []string{`segments: there is no "tail"; there are`, "torso"}},
		"segment twice":     {"armours:\n  - {ref: a, text: {en: A, ru: А}, class: light, type: modern, segments: [torso, torso], rule: KM-ARM-01, from: house}\n", []string{"segments: number 2 repeats number 1; each stands once"}},
		"unknown type":      {"armours:\n  - {ref: a, text: {en: A, ru: А}, class: light, type: ancient, segments: [torso], rule: KM-ARM-01, from: house}\n", []string{`type is "ancient"; it must be obsolete, modern`}},
		"shield shoots":     {"shields:\n  - {ref: s, text: {en: S, ru: Щ}, size: short, material: wood, sh: 1, attack: bow, rule: KM-SHLD-01, from: house}\n", []string{`attack: "bow" is a ranged weapon`}},
		"one-way neighbour": {"traits:\n  - {name: stealth, text: {en: S, ru: С}, group: other, min: 0, max: 7, player_max: 6, near: [riding], rule: KM-SKILL-06, from: house}\n", []string{`a.yaml:2: traits "stealth": near: "riding" does not name it in turn`}},
		"ceiling too high":  {"traits:\n  - {name: stealth, text: {en: S, ru: С}, group: other, min: 0, max: 7, player_max: 8, rule: KM-SKILL-01, from: house}\n", []string{"player_max is 8; it must be 0 to 7"}},
		"body without eyes": {"bodies:\n  - {name: dwarf, text: {en: D, ru: Г}, width: 100, height: [1, 2, 3], parts: [torso], rule: KM-ARM-01, from: house}\n", []string{`a.yaml:2: bodies "dwarf": height and eye have 3 and 0 numbers; they have 3 each`}},
		"body without size": {"bodies:\n  - {name: dwarf, text: {en: D, ru: Г}, width: 0, height: [1, 2, 3], eye: [1, 2, 3], parts: [torso], rule: KM-ARM-01, from: house}\n", []string{"body.width", "it must be 1 to"}},
		"bad default word":  {"options:\n  - {name: o, text: {en: O, ru: О}, words: [a, b], word: c, rule: KM-DICE-04, from: house}\n", []string{`a.yaml:2: options "o": word is "c"; the default must be one of a, b`}},
		"bad default":       {"options:\n  - {name: o, text: {en: O, ru: О}, min: 1, max: 5, number: 6, rule: KM-DICE-04, from: house}\n", []string{"number is 6; the default must be 1 to 5"}},
		"both kinds":        {"options:\n  - {name: o, text: {en: O, ru: О}, words: [a, b], word: a, max: 5, rule: KM-DICE-04, from: house}\n", []string{"an option has one or the other"}},
		"bad rule id":       {"rules:\n  - {id: km-1, text: {en: O, ru: О}}\n", []string{`a.yaml:2: rules "km-1": id "km-1" is not the id of a rule`}},
		"ammo without gun":  {"ammunition:\n  - {ref: a, text: {en: A, ru: А}, calibre: 9mm, rule: KM-AMMO-01, from: house}\n", []string{`ammunition "a": calibre: there is no "9mm"; there are`, "light_pistol"}},
		"cloud of nothing":  {"modifications:\n  - {ref: m, text: {en: M, ru: М}, cloud: gas, rule: KM-AMMO-04, from: house}\n", []string{`a.yaml:2: modifications "m": cloud is "gas" and radius 0`}},
		"free feed":         {"feeds:\n  - {ref: f, text: {en: F, ru: Ф}, rule: KM-RELD-02, from: house}\n", []string{"turns and per_round are both 0"}},
		"deep nesting":      {"weapons: " + strings.Repeat("[", 1000) + "\n", []string{"a.yaml: has 1000 brackets open at once"}},
		"deep lists":        {strings.Repeat("- ", 1000) + "\n", []string{"a.yaml: has 0 brackets open at once and lines that begin 2000 columns in"}},
		"too long":          {"# " + strings.Repeat("x", 1<<20) + "\n", []string{"a.yaml: has 1048579 bytes; a catalogue file has at most 1048576"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, err := Load(files("a.yaml", tt.src))
			if err == nil {
				t.Fatal("loaded")
			}
			if c != nil {
				t.Error("a catalogue came with the error")
			}
			var one *Error
			if !errors.As(err, &one) || one.File == "" || one.Why == "" {
				t.Errorf("error is %T; want *Error with file and reason", err)
			}
			for l := range strings.SplitSeq(err.Error(), "\n") {
				all := true
				for _, w := range tt.want {
					all = all && strings.Contains(l, w)
				}
				if all {
					return
				}
			}
			t.Errorf("no line of\n%v\nhas all of %q", err, tt.want)
		})
	}
}

func TestAllErrorsAtOnce(t *testing.T) {
	_, err := Load(files("b.yaml", "waepons: []\n", "a.yaml", "weapons:\n  - 5\n  - {ref: a, hnads: 1}\n"))
	if err == nil {
		t.Fatal("loaded")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "a.yaml:2: ") || !strings.HasPrefix(lines[1], "a.yaml:3: ") || !strings.HasPrefix(lines[2], "b.yaml:1: ") {
		t.Errorf("errors are not three in the order of files and lines:\n%v", err)
	}
}

// broken is a file system that cannot be read.
type broken struct{}

func (broken) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestUnreadableDirectory(t *testing.T) {
	if _, err := Load(broken{}); err == nil || !strings.Contains(err.Error(), "cannot be read: open .: permission denied") {
		t.Errorf("err = %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(longKnife))
	f.Add([]byte("weapons:\n  - " + knife + "\n  - " + gun + "\n"))
	f.Add([]byte("moves:\n  - {level: -3, free: 0}\n---\nlights: []\n"))
	f.Add([]byte("a: &x [*x]\n"))
	f.Add([]byte("? [a]\n: b\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		l := &loader{sheet: &sheet{}, layer: 1}
		l.parse("a.yaml", src)
		before := len(l.errs)
		l.build() // an overlay alone lacks much: it must say so, and never panic
		if len(l.errs) == before {
			t.Error("a catalogue of one file passed")
		}
		for _, e := range l.errs {
			if e.File == "" || e.Why == "" {
				t.Errorf("error without file or reason: %+v", e)
			}
		}
	})
}
