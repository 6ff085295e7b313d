package empia

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"slices"

	"autobattle/engine"
	"autobattle/engine/rules/wordbook"
)

//go:embed data/*.yaml
var data embed.FS

// family is the kind of act that critical effects depend on (EM-CRIT-27).
type family string

const (
	melee    family = "K1"
	shooting family = "K2"
	hostile  family = "K7" // aggressive magic
	peaceful family = "K8" // peaceful magic
)

// weapon is a line of the catalogue. Min and Max are its base damage, with its own modifiers (EM-DMG-02).
type weapon struct {
	Ref         engine.CatalogueRef `yaml:"ref"`
	engine.Text `yaml:",inline"`
	Family      family `yaml:"family"`
	Type        string `yaml:"type"` // of damage, table T-1
	Min         int32  `yaml:"min"`
	Max         int32  `yaml:"max"`
	Cost        int32  `yaml:"cost"`  // energy of a strike
	Reach       int32  `yaml:"reach"` // blocks (EM-GEO-03)
}

// armour is a line of the catalogue. A shield has the weight shield; Block is in lives (EM-ARM-02).
type armour struct {
	Ref         engine.CatalogueRef `yaml:"ref"`
	engine.Text `yaml:",inline"`
	Weight      string `yaml:"weight"` // light, heavy, shield
	Block       int32  `yaml:"block"`
}

// ability is a line of the catalogue (EM-ABIL-01). Times are in slots, percentages whole.
type ability struct {
	Ref         engine.TraitName `yaml:"ref"`
	engine.Text `yaml:",inline"`
	Branch      string `yaml:"branch"` // magic or strike: which chance counts
	Origin      string `yaml:"origin"` // physical or magical: in which phase of a slot it comes (EM-TURN-04)
	Family      family `yaml:"family"`
	Slots       int32  `yaml:"slots"` // preparation, the last included (EM-ABIL-02)
	Cost        int32  `yaml:"cost"`
	Range       int32  `yaml:"range"`  // blocks; 0: the reach of the weapon
	Weapon      bool   `yaml:"weapon"` // done with a weapon, whose standard damage it uses
	Add         int32  `yaml:"add"`    // to standard damage (EM-DMG-05)
	Type        string `yaml:"type"`
	Min         int32  `yaml:"min"`
	Max         int32  `yaml:"max"`
	StunMin     int32  `yaml:"stun_min"`
	StunMax     int32  `yaml:"stun_max"`
	HealMin     int32  `yaml:"heal_min"`
	HealMax     int32  `yaml:"heal_max"`
	Sustained   int32  `yaml:"sustained"` // for how long at most (EM-ABIL-06)
	Upkeep      int32  `yaml:"upkeep"`    // energy for each slot
	Ward        int32  `yaml:"ward"`      // per cent less physical damage
}

func (a *ability) physical() bool { return a.Origin == "physical" }

// gear is the catalogue, each list sorted by Ref. It never changes.
type gear struct {
	Weapons   []weapon  `yaml:"weapons"`
	Armour    []armour  `yaml:"armour"`
	Abilities []ability `yaml:"abilities"`
}

func (g *gear) weapon(ref engine.CatalogueRef) *weapon {
	i, ok := slices.BinarySearchFunc(g.Weapons, ref, func(w weapon, r engine.CatalogueRef) int { return cmp.Compare(w.Ref, r) })
	if !ok {
		return nil
	}
	return &g.Weapons[i]
}

func (g *gear) armour(ref engine.CatalogueRef) *armour {
	i, ok := slices.BinarySearchFunc(g.Armour, ref, func(a armour, r engine.CatalogueRef) int { return cmp.Compare(a.Ref, r) })
	if !ok {
		return nil
	}
	return &g.Armour[i]
}

func (g *gear) ability(ref engine.TraitName) *ability {
	i, ok := slices.BinarySearchFunc(g.Abilities, ref, func(a ability, r engine.TraitName) int { return cmp.Compare(a.Ref, r) })
	if !ok {
		return nil
	}
	return &g.Abilities[i]
}

// check refuses a catalogue that the rules cannot play with.
func (g *gear) check() error {
	for i := range g.Weapons {
		w := &g.Weapons[i]
		switch {
		case w.Family != melee && w.Family != shooting:
			return fmt.Errorf("weapon %s: family %q is neither K1 nor K2", w.Ref, w.Family)
		case !known(w.Type):
			return fmt.Errorf("weapon %s: damage of the unknown type %q", w.Ref, w.Type)
		case w.Min < 0 || w.Max < w.Min || w.Cost < 0 || w.Reach < 1:
			return fmt.Errorf("weapon %s: damage %d–%d, cost %d and reach %d: a span, 0 or more, and 1 or more", w.Ref, w.Min, w.Max, w.Cost, w.Reach)
		}
	}
	for i := range g.Armour {
		if w := g.Armour[i].Weight; w != "light" && w != "heavy" && w != "shield" {
			return fmt.Errorf("armour %s: weight %q is none of light, heavy, shield", g.Armour[i].Ref, w)
		}
	}
	for i := range g.Abilities {
		a := &g.Abilities[i]
		switch {
		case a.Branch != "magic" && a.Branch != "strike":
			return fmt.Errorf("ability %s: branch %q is neither magic nor strike", a.Ref, a.Branch)
		case a.Origin != "magical" && a.Origin != "physical":
			return fmt.Errorf("ability %s: origin %q is neither magical nor physical", a.Ref, a.Origin)
		case a.Family != melee && a.Family != shooting && a.Family != hostile && a.Family != peaceful:
			return fmt.Errorf("ability %s: family %q is none of K1, K2, K7, K8", a.Ref, a.Family)
		case a.Slots < 1 || a.Slots > slotsOfTurn || a.Cost < 0 || a.Weapon == (a.Range > 0):
			return fmt.Errorf("ability %s: %d slots, cost %d, range %d: 1…%d, 0 or more, and a range unless a weapon is used", a.Ref, a.Slots, a.Cost, a.Range, slotsOfTurn)
		case a.Type != "" && !known(a.Type):
			return fmt.Errorf("ability %s: damage of the unknown type %q", a.Ref, a.Type)
		}
	}
	if g.weapon(bareHands) == nil {
		return fmt.Errorf("the catalogue has no weapon %s", bareHands)
	}
	return nil
}

// load reads the catalogue and the vocabulary.
func load() (*gear, *engine.Spec, error) {
	files, err := fs.Sub(data, "data")
	if err != nil {
		return nil, nil, err
	}
	spec, err := wordbook.Read(files, ID, Revision)
	if err != nil {
		return nil, nil, err
	}
	g := &gear{}
	if err := wordbook.Decode(files, "gear.yaml", g); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(g.Weapons, func(a, b weapon) int { return cmp.Compare(a.Ref, b.Ref) })
	slices.SortFunc(g.Armour, func(a, b armour) int { return cmp.Compare(a.Ref, b.Ref) })
	slices.SortFunc(g.Abilities, func(a, b ability) int { return cmp.Compare(a.Ref, b.Ref) })
	if err := g.check(); err != nil {
		return nil, nil, err
	}
	for i := range g.Weapons {
		w := &g.Weapons[i]
		spec.Items = append(spec.Items, engine.ItemSpec{Ref: w.Ref, Kind: "weapon", Text: w.Text, Slots: []engine.SlotName{slotMain, slotOff, slotCarried}, Ours: true, Props: []engine.Prop{
			{Name: "min", Text: engine.Text{En: "least damage", Ru: "наименьший урон"}, N: int64(w.Min)},
			{Name: "max", Text: engine.Text{En: "greatest damage", Ru: "наибольший урон"}, N: int64(w.Max)},
			{Name: "type", Text: engine.Text{En: "damage type", Ru: "тип урона"}, Word: w.Type},
			{Name: "cost", Text: engine.Text{En: "energy of a strike", Ru: "энергия удара"}, N: int64(w.Cost)},
			{Name: "reach", Text: engine.Text{En: "reach in metres", Ru: "досягаемость в метрах"}, N: int64(w.Reach)},
		}})
	}
	for i := range g.Armour {
		a := &g.Armour[i]
		item := engine.ItemSpec{Ref: a.Ref, Kind: "armour", Text: a.Text, Slots: []engine.SlotName{slotWorn}, Ours: true, Props: []engine.Prop{
			{Name: "block", Text: engine.Text{En: "block", Ru: "блок"}, N: int64(a.Block)},
		}}
		if a.Weight == "shield" {
			item.Kind, item.Slots = "shield", []engine.SlotName{slotOff}
		}
		spec.Items = append(spec.Items, item)
	}
	slices.SortFunc(spec.Items, func(a, b engine.ItemSpec) int { return cmp.Compare(a.Ref, b.Ref) })
	for i := range g.Abilities {
		a := &g.Abilities[i]
		spec.Traits = append(spec.Traits, engine.TraitSpec{Name: a.Ref, Text: a.Text, Group: "ability", Min: 0, Max: 1, PlayerMax: 1})
	}
	return g, spec, nil
}
