package eclipse

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

// The modes of fire (EP-FIRE-01…04) and the rounds that they take (EP-FIRE, table T-3).
const (
	modeSingle = "single"
	modeSemi   = "semi"
	modeBurst  = "burst"
	modeAuto   = "auto"

	roundsBurst = 3
	roundsAuto  = 10
)

// weapon is a line of the catalogue.
type weapon struct {
	Ref         engine.CatalogueRef `yaml:"ref"`
	engine.Text `yaml:",inline"`
	Kind        string   `yaml:"kind"` // melee, kinetic, beam
	Dice        int32    `yaml:"dice"`
	Sides       int32    `yaml:"sides"`
	Plus        int32    `yaml:"plus"`
	Against     string   `yaml:"against"` // the armour that counts: energy, kinetic (EP-ARM-01)
	Piercing    bool     `yaml:"piercing"`
	Range       int32    `yaml:"range"` // blocks; 0 for melee
	Modes       []string `yaml:"modes"` // single, semi, burst, auto (EP-FIRE)
	Magazine    int32    `yaml:"magazine"`
	Sighted     bool     `yaml:"sighted"` // smartlink or laser sight (EP-RMOD-05)
	Long        bool     `yaml:"long"`    // EP-RMOD-04
}

func (w *weapon) ranged() bool { return w.Kind != "melee" }

func (w *weapon) has(mode string) bool { return slices.Contains(w.Modes, mode) }

// skill is what the weapon is used with (EP-ATK-01).
func (w *weapon) skill() engine.TraitName {
	if w.ranged() {
		return traitGuns
	}
	return traitMelee
}

// armour is a line of the catalogue. Layer tells whether it counts as a layer (EP-ARM-05).
type armour struct {
	Ref         engine.CatalogueRef `yaml:"ref"`
	engine.Text `yaml:",inline"`
	Energy      int32 `yaml:"energy"`
	Kinetic     int32 `yaml:"kinetic"`
	Layer       *bool `yaml:"layer"`
}

func (a *armour) layer() bool { return a.Layer == nil || *a.Layer }

// gear is the catalogue, each list sorted by Ref. It never changes.
type gear struct {
	Weapons []weapon `yaml:"weapons"`
	Armour  []armour `yaml:"armour"`
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

// check refuses a catalogue that the rules cannot play with.
func (g *gear) check() error {
	for i := range g.Weapons {
		w := &g.Weapons[i]
		switch {
		case w.Kind != "melee" && w.Kind != "kinetic" && w.Kind != "beam":
			return fmt.Errorf("weapon %s: kind %q is none of melee, kinetic, beam", w.Ref, w.Kind)
		case w.Against != "energy" && w.Against != "kinetic":
			return fmt.Errorf("weapon %s: against %q is neither energy nor kinetic", w.Ref, w.Against)
		case w.Dice < 1 || w.Dice > 4 || w.Sides != 6 && w.Sides != 10:
			return fmt.Errorf("weapon %s: %dd%d is not 1…4 dice of 6 or 10 sides", w.Ref, w.Dice, w.Sides)
		case w.ranged() != (w.Range > 0) || w.ranged() != (len(w.Modes) > 0) || w.ranged() != (w.Magazine > 0):
			return fmt.Errorf("weapon %s: range, modes and magazine are for ranged weapons, and they need them", w.Ref)
		}
		if w.ranged() && !w.has(modeSingle) && !w.has(modeSemi) {
			return fmt.Errorf("weapon %s: one of its modes is single or semi", w.Ref)
		}
		for _, m := range w.Modes {
			if m != modeSingle && m != modeSemi && m != modeBurst && m != modeAuto {
				return fmt.Errorf("weapon %s: mode %q is none of single, semi, burst, auto", w.Ref, m)
			}
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
	if err := g.check(); err != nil {
		return nil, nil, err
	}
	for i := range g.Weapons {
		w := &g.Weapons[i]
		spec.Items = append(spec.Items, engine.ItemSpec{Ref: w.Ref, Kind: "weapon", Text: w.Text, Slots: []engine.SlotName{slotMain, slotCarried}, Ours: true, Props: []engine.Prop{
			{Name: "dice", Text: engine.Text{En: "dice", Ru: "кубики"}, N: int64(w.Dice)},
			{Name: "sides", Text: engine.Text{En: "sides", Ru: "грани"}, N: int64(w.Sides)},
			{Name: "plus", Text: engine.Text{En: "bonus", Ru: "прибавка"}, N: int64(w.Plus)},
			{Name: "against", Text: engine.Text{En: "armour that counts", Ru: "какая броня важна"}, Word: w.Against},
			{Name: "range", Text: engine.Text{En: "range in metres", Ru: "дальность в метрах"}, N: int64(w.Range)},
			{Name: "magazine", Text: engine.Text{En: "magazine", Ru: "магазин"}, N: int64(w.Magazine)},
		}})
	}
	for i := range g.Armour {
		a := &g.Armour[i]
		spec.Items = append(spec.Items, engine.ItemSpec{Ref: a.Ref, Kind: "armour", Text: a.Text, Slots: []engine.SlotName{slotWorn}, Ours: true, Props: []engine.Prop{
			{Name: "energy", Text: engine.Text{En: "against energy", Ru: "от энергии"}, N: int64(a.Energy)},
			{Name: "kinetic", Text: engine.Text{En: "against impact", Ru: "от ударов"}, N: int64(a.Kinetic)},
		}})
	}
	slices.SortFunc(spec.Items, func(a, b engine.ItemSpec) int { return cmp.Compare(a.Ref, b.Ref) })
	return g, spec, nil
}
