package empia

import (
	"testing"

	"autobattle/engine/rules/rulestest"
)

func TestVocabulary(t *testing.T) { rulestest.Vocabulary(t, system(t).Spec) }

// A catalogue that the rules cannot play with is refused with what is wrong.
func TestBadCatalogue(t *testing.T) {
	for want, spoil := range map[string]func(*gear){
		`weapon axe: family "K3" is neither K1 nor K2`:                                                       func(g *gear) { g.Weapons[0].Family = "K3" },
		`weapon axe: damage of the unknown type "soft"`:                                                      func(g *gear) { g.Weapons[0].Type = "soft" },
		`armour leather_armour: weight "odd" is none of light, heavy, shield`:                                func(g *gear) { g.Armour[0].Weight = "odd" },
		`ability firebolt: branch "luck" is neither magic nor strike`:                                        func(g *gear) { g.Abilities[0].Branch = "luck" },
		`ability firebolt: origin "" is neither magical nor physical`:                                        func(g *gear) { g.Abilities[0].Origin = "" },
		`ability firebolt: family "K9" is none of K1, K2, K7, K8`:                                            func(g *gear) { g.Abilities[0].Family = "K9" },
		`the catalogue has no weapon bare_hands`:                                                             func(g *gear) { g.Weapons = g.Weapons[:1] },
		`weapon axe: damage 9–14, cost 4 and reach 0: a span, 0 or more, and 1 or more`:                      func(g *gear) { g.Weapons[0].Min, g.Weapons[0].Reach = 9, 0 },
		`ability firebolt: 9 slots, cost 20, range 100: 1…8, 0 or more, and a range unless a weapon is used`: func(g *gear) { g.Abilities[0].Slots = 9 },
	} {
		g, _, err := load()
		if err != nil {
			t.Fatal(err)
		}
		spoil(g)
		if err := g.check(); err == nil || err.Error() != want {
			t.Errorf("refused with %v, want %s", err, want)
		}
	}
}
