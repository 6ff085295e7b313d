// Package catalogue holds the numbers of the KMRP rulebook: weapons, armour, shields, ammunition, tables, traits, body
// parts, options, and the names of them all in English and Russian. They are YAML files that a server owner can replace
// or extend (Load); the code has none of them. Every entry cites its rule and says where its numbers come from (Source).
//
// Levels are integers with Terrible = 0, as KM-LVL-01 has them.
package catalogue

import (
	"autobattle/engine"
)

// Catalogue is a loaded and checked catalogue. It never changes, and is safe for concurrent use. What its methods
// return is shared: for reading only. Slices are sorted by name, tables by level or number.
type Catalogue struct {
	weapons    []Weapon
	classes    []Class
	factors    []Factor
	armours    []Armour
	makes      []ArmourClass
	shields    []Shield
	calibres   []Calibre
	changes    []Modification
	ammunition []Ammunition
	feeds      []Feed
	ranges     []Range
	dropoffs   []DropOff
	moves      []Move
	jumps      []Jump
	pyramid    []Pyramid
	degrees    []DegreeRow
	bleedings  []Bleeding
	defences   []Defence
	lights     []Light
	traits     []Trait
	zones      []Zone
	parts      []Part
	bodies     []Body
	slots      []Slot
	options    []engine.OptionSpec
	levels     []engine.LevelSpec
	rules      []engine.RuleSpec
	props      []Prop
	hash       [32]byte
}

// Origin says where the numbers of an entry come from: the weakest of them counts.
type Origin string

// The origins of numbers. Ours is a default of this project where the rulebook's table is lost; House is what a server
// owner's files should say.
const (
	Stated    Origin = "stated"    // by the rulebook's text
	Recovered Origin = "recovered" // read in other public pages of the rulebook
	Inferred  Origin = "inferred"  // the only reading of several statements
	Ours      Origin = "ours"
	House     Origin = "house"
)

// Source is the rule that an entry belongs to, and where its numbers come from.
type Source struct {
	Rule engine.Rule `yaml:"rule"`
	From Origin      `yaml:"from"`
}

// Ours reports whether a number of the entry is a default of this project.
func (s Source) Ours() bool { return s.From == Ours }

// Weapon finds a weapon, or nil.
func (c *Catalogue) Weapon(ref engine.CatalogueRef) *Weapon {
	return lookup(c.weapons, ref, func(w *Weapon) engine.CatalogueRef { return w.Ref })
}

// Weapons are all weapons.
func (c *Catalogue) Weapons() []Weapon { return c.weapons }

// Class finds a weapon class, or nil.
func (c *Catalogue) Class(ref ClassRef) *Class {
	return lookup(c.classes, ref, func(x *Class) ClassRef { return x.Ref })
}

// Armour finds a piece of armour, or nil.
func (c *Catalogue) Armour(ref engine.CatalogueRef) *Armour {
	return lookup(c.armours, ref, func(a *Armour) engine.CatalogueRef { return a.Ref })
}

// Armours are all pieces of armour.
func (c *Catalogue) Armours() []Armour { return c.armours }

// Shield finds a shield, or nil.
func (c *Catalogue) Shield(ref engine.CatalogueRef) *Shield {
	return lookup(c.shields, ref, func(s *Shield) engine.CatalogueRef { return s.Ref })
}

// Shields are all shields.
func (c *Catalogue) Shields() []Shield { return c.shields }

// Ammo finds a kind of ammunition, or nil.
func (c *Catalogue) Ammo(ref engine.CatalogueRef) *Ammunition {
	return lookup(c.ammunition, ref, func(a *Ammunition) engine.CatalogueRef { return a.Ref })
}

// Ammunition is all ammunition.
func (c *Catalogue) Ammunition() []Ammunition { return c.ammunition }

// Calibre finds a calibre, or nil.
func (c *Catalogue) Calibre(ref CalibreRef) *Calibre {
	return lookup(c.calibres, ref, func(x *Calibre) CalibreRef { return x.Ref })
}

// Trait finds an attribute or a skill, or nil.
func (c *Catalogue) Trait(name engine.TraitName) *Trait {
	return lookup(c.traits, name, func(t *Trait) engine.TraitName { return t.Name })
}

// Traits are all attributes and skills.
func (c *Catalogue) Traits() []Trait { return c.traits }

// Part finds a body part, or nil.
func (c *Catalogue) Part(name engine.PartName) *Part {
	return lookup(c.parts, name, func(p *Part) engine.PartName { return p.Name })
}

// Parts are all body parts.
func (c *Catalogue) Parts() []Part { return c.parts }

// Zone finds a zone of point attacks, or nil.
func (c *Catalogue) Zone(ref ZoneRef) *Zone {
	return lookup(c.zones, ref, func(z *Zone) ZoneRef { return z.Ref })
}

// Body finds a form of body, or nil.
func (c *Catalogue) Body(name engine.BodyName) *Body {
	return lookup(c.bodies, name, func(b *Body) engine.BodyName { return b.Name })
}

// Option finds an option, or nil.
func (c *Catalogue) Option(name engine.OptionName) *engine.OptionSpec {
	return lookup(c.options, name, func(o *engine.OptionSpec) engine.OptionName { return o.Name })
}

// Hash is the SHA-256 of the catalogue's content in a fixed form. It depends on the entries alone: not on comments, on
// how files are named or divided, or on the order within them.
func (c *Catalogue) Hash() [32]byte { return c.hash }

// lookup finds a record in a table sorted by key, or nil.
func lookup[T any, K ~string](tbl []T, key K, of func(*T) K) *T {
	lo, hi := 0, len(tbl)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if of(&tbl[mid]) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(tbl) && of(&tbl[lo]) == key {
		return &tbl[lo]
	}
	return nil
}
