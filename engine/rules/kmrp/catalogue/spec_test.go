package catalogue

import (
	"slices"
	"strings"
	"testing"

	"autobattle/engine"
)

// Every name that facts and offers can carry has a text in both languages.
func TestNamesHaveBothLanguages(t *testing.T) {
	n := Default().Names()
	check := func(what, name string, x engine.Text) {
		t.Helper()
		if name == "" || x.En == "" || x.Ru == "" || cyrillic(x.En) || !cyrillic(x.Ru) {
			t.Errorf("%s %q has the texts %+v", what, name, x)
		}
	}
	for _, x := range n.Traits {
		check("trait", string(x.Name), x.Text)
	}
	for _, x := range n.Items {
		check("item", string(x.Ref), x.Text)
		for _, p := range x.Props {
			check(string(x.Ref)+" property", p.Name, p.Text)
		}
	}
	for _, tbl := range [][]engine.NameSpec{n.Parts, n.Slots, n.Bands} {
		for _, x := range tbl {
			check("name", x.Name, x.Text)
		}
	}
	for _, x := range n.Bodies {
		check("body", string(x.Name), x.Text)
	}
	for _, x := range n.Options {
		check("option", string(x.Name), x.Text)
	}
	for _, x := range n.Levels {
		check("level", "level", x.Text)
	}
	for _, x := range n.Rules {
		check("rule", string(x.ID), x.Text)
	}
}

func TestNamesAreSorted(t *testing.T) {
	n := Default().Names()
	if n.Hash != Default().Hash() {
		t.Error("the hash is not the catalogue's")
	}
	sorted := map[string]bool{
		"traits":  slices.IsSortedFunc(n.Traits, func(a, b engine.TraitSpec) int { return strings.Compare(string(a.Name), string(b.Name)) }),
		"items":   slices.IsSortedFunc(n.Items, func(a, b engine.ItemSpec) int { return strings.Compare(string(a.Ref), string(b.Ref)) }),
		"parts":   slices.IsSortedFunc(n.Parts, func(a, b engine.NameSpec) int { return strings.Compare(a.Name, b.Name) }),
		"slots":   slices.IsSortedFunc(n.Slots, func(a, b engine.NameSpec) int { return strings.Compare(a.Name, b.Name) }),
		"bands":   slices.IsSortedFunc(n.Bands, func(a, b engine.NameSpec) int { return strings.Compare(a.Name, b.Name) }),
		"options": slices.IsSortedFunc(n.Options, func(a, b engine.OptionSpec) int { return strings.Compare(string(a.Name), string(b.Name)) }),
		"levels":  slices.IsSortedFunc(n.Levels, func(a, b engine.LevelSpec) int { return int(a.N - b.N) }),
		"rules":   slices.IsSortedFunc(n.Rules, func(a, b engine.RuleSpec) int { return strings.Compare(string(a.ID), string(b.ID)) }),
	}
	for what, ok := range sorted {
		if !ok {
			t.Errorf("%s are not sorted", what)
		}
	}
	c := Default()
	if want := len(c.Weapons()) + len(c.Armours()) + len(c.Shields()) + len(c.Ammunition()); len(n.Items) != want {
		t.Errorf("%d items, want %d", len(n.Items), want)
	}
	for i := 1; i < len(n.Items); i++ {
		if n.Items[i].Ref == n.Items[i-1].Ref {
			t.Errorf("two items are called %s", n.Items[i].Ref)
		}
	}
}

func TestNamesAreTheCallersOwn(t *testing.T) {
	c := Default()
	n := c.Names()
	n.Options[0].Text.En, n.Levels[0].N, n.Rules[0].ID, n.Bodies[0].Parts[0] = "changed", 99, "changed", "changed"
	m := c.Names()
	if m.Options[0].Text.En == "changed" || m.Levels[0].N == 99 || m.Rules[0].ID == "changed" || m.Bodies[0].Parts[0] == "changed" {
		t.Error("changing the names changed the catalogue")
	}
}

func TestItemSpecs(t *testing.T) {
	spec := engine.Spec{Items: Default().Names().Items}
	prop := func(ref engine.CatalogueRef, name string) engine.Prop {
		t.Helper()
		for _, p := range spec.Item(ref).Props {
			if p.Name == name {
				return p
			}
		}
		return engine.Prop{}
	}
	if p := prop("sword", "modifier"); p.N != 4 || p.Text.Ru != "модификатор урона" {
		t.Errorf("modifier of the sword = %+v", p)
	}
	if p := prop("sword", "class"); p.Word != "chopping" || p.Text != (engine.Text{En: "Class: Chopping", Ru: "класс: рубящее"}) {
		t.Errorf("class of the sword = %+v", p)
	}
	if p := prop("crossbow", "range"); p.N != 90 {
		t.Errorf("range of the crossbow = %+v", p)
	}
	if p := prop("sword", "strength"); p.Name != "" {
		t.Errorf("the sword shows a strength of %d that it does not require", p.N)
	}
	if s := spec.Item("sword"); !s.Ours || s.Kind != "weapon" || !slices.Contains(s.Slots, Belt) {
		t.Errorf("sword = %+v; its modifier is a default of ours", s)
	}
	if s := spec.Item("knuckle_duster"); s.Ours {
		t.Errorf("knuckle-duster = %+v; its modifier was recovered", s)
	}
	if s := spec.Item("large_metal_shield"); s.Ours || s.Kind != "shield" || slices.Contains(s.Slots, Belt) {
		t.Errorf("large shield = %+v; it is the rulebook's and cannot hang at the belt", s)
	}
	if s := spec.Item("plate_suit"); s.Kind != "armour" || s.Slots[0] != Worn {
		t.Errorf("suit = %+v", s)
	}
	if s := spec.Item("medium_pistol_round_ap"); s.Kind != "ammunition" || prop("medium_pistol_round_ap", "modification").Word != "armour_piercing" {
		t.Errorf("cartridge = %+v", s)
	}
}
