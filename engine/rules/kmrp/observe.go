package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
)

var _ engine.Observer = (*rules)(nil)

// lightBands are the bands of darkness as the catalogue names them, by the numbers that a master rules with.
var lightBands = [...]engine.Band{litNormal: catalogue.NormalLight, litShade: catalogue.HeavyShade, litDark: catalogue.AbsoluteDarkness}

// Observe explains what one fighter sees of another as an attack would read it, rulings included: the geometry, and what cover,
// darkness and the side give to a shot.
func (r *rules) Observe(v engine.View, by, target engine.ActorID) engine.Observation {
	o := engine.Observation{Sighting: r.sight(v, by, target, true)}
	band := r.light(v, by, target, &o.Sighting, 0)
	o.Light = lightBands[band]
	if covered(v, by, target, &o.Sighting, 0) {
		o.Figures = append(o.Figures, engine.Mod{Name: termCover, Rule: "KM-COVER-02", Kind: engine.ModDifficulty, Amount: 1, Cells: hiding(&o.Sighting)})
	}
	if band == litShade {
		o.Figures = append(o.Figures, engine.Mod{Name: modShade, Rule: "KM-DARK-02", Kind: engine.ModLevel, Amount: 1})
	}
	if behind(v, by, target, &o.Sighting, 0) {
		o.Figures = append(o.Figures, engine.Mod{Name: termBackStab, Rule: "KM-ATK-BACK-01", Kind: engine.ModDamage, Amount: 1})
	}
	o.Sighting.Distance = distance(v, by, target, &o.Sighting, 0)
	return o
}
