package eclipse

import (
	"testing"

	"autobattle/engine/rules/rulestest"
)

func TestVocabulary(t *testing.T) { rulestest.Vocabulary(t, system(t).Spec) }

// A catalogue that the rules cannot play with is refused with what is wrong.
func TestBadCatalogue(t *testing.T) {
	for want, spoil := range map[string]func(*gear){
		`weapon assault_rifle: kind "bow" is none of melee, kinetic, beam`:                           func(g *gear) { g.Weapons[0].Kind = "bow" },
		`weapon assault_rifle: against "mind" is neither energy nor kinetic`:                         func(g *gear) { g.Weapons[0].Against = "mind" },
		`weapon assault_rifle: 2d8 is not 1…4 dice of 6 or 10 sides`:                                 func(g *gear) { g.Weapons[0].Sides = 8 },
		`weapon assault_rifle: range, modes and magazine are for ranged weapons, and they need them`: func(g *gear) { g.Weapons[0].Magazine = 0 },
		`weapon assault_rifle: one of its modes is single or semi`:                                   func(g *gear) { g.Weapons[0].Modes = []string{modeAuto} },
		`weapon assault_rifle: mode "volley" is none of single, semi, burst, auto`:                   func(g *gear) { g.Weapons[0].Modes = []string{modeSemi, "volley"} },
		`the catalogue has no weapon unarmed`:                                                        func(g *gear) { g.Weapons = g.Weapons[:1] },
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
