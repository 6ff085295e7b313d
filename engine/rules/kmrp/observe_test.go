package kmrp

import (
	"testing"

	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
)

// An inspection says what a shot would meet: the wall's cover with its blocks, and what a master rules instead.
func TestObserveSaysWhatAShotWouldMeet(t *testing.T) {
	w := range20(t)
	b := lobby(t, sys(t), w, nil,
		fighter("anna", "red", 4, 0, south, traits(at("bows", 5)), inMain("bow")),
		fighter("boris", "blue", 4, 12, south, traits(at(catalogue.Evasion, 3)), inMain("sword")))
	anna, boris := b.ActorByKey("anna").ID, b.ActorByKey("boris").ID
	rules := sys(t).Rules.(engine.Observer)
	o := rules.Observe(engine.View{Battle: b, World: w}, anna, boris)
	names := map[engine.ModName]engine.Mod{}
	for _, m := range o.Figures {
		names[m.Name] = m
	}
	if m := names[termCover]; m.Rule != "KM-COVER-02" || m.Amount != 1 || len(m.Cells) == 0 {
		t.Errorf("behind the wall: %+v", o.Figures)
	}
	if m := names[termBackStab]; m.Rule != "KM-ATK-BACK-01" {
		t.Errorf("he looks away: %+v", o.Figures)
	}
	if o.Light != catalogue.NormalLight || o.Sighting.Distance != 12 {
		t.Errorf("light %q, distance %d", o.Light, o.Sighting.Distance)
	}
	b = b.Clone()
	b.Rulings = []engine.Ruling{
		{ID: 900, Scope: engine.Scope{Kind: engine.ScopePair, A: anna, B: boris}, What: figCover, N: 0},
		{ID: 901, Scope: engine.Scope{Kind: engine.ScopeBattle}, What: figLight, N: litShade},
		{ID: 902, Scope: engine.Scope{Kind: engine.ScopeBattle}, What: figDistance, N: 30},
	}
	o = rules.Observe(engine.View{Battle: b, World: w}, anna, boris)
	for _, m := range o.Figures {
		if m.Name == termCover {
			t.Errorf("the master said there is no cover: %+v", m)
		}
	}
	if o.Light != catalogue.HeavyShade || o.Sighting.Distance != 30 {
		t.Errorf("ruled: light %q, distance %d", o.Light, o.Sighting.Distance)
	}
}
