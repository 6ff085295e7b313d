package catalogue

import "autobattle/engine"

// ArmourClassRef names an armour class: light, medium, heavy.
type ArmourClassRef string

// ArmourType is what an armour is weak against (KM-ARM-04).
type ArmourType string

// The armour types: obsolete armour loses 1 against firearms, modern armour 1 against cold weapons.
const (
	Obsolete ArmourType = "obsolete"
	Modern   ArmourType = "modern"
)

// ArmourClass is a class of armour (KM-ARM-02, KM-ARM-07).
type ArmourClass struct {
	Ref      ArmourClassRef `yaml:"ref"`
	Text     engine.Text    `yaml:"text"`
	Source   `yaml:",inline"`
	AR       int32 `yaml:"ar"`                 // armour modifier
	Strength int32 `yaml:"strength,omitempty"` // level that the breastplate requires; 0: none
	Penalty  int32 `yaml:"penalty,omitempty"`  // level penalty of the breastplate on encumbered traits, 0 or less
	PerTurn  int32 `yaml:"per_turn"`           // segments put on or taken off in one turn (KM-ARM-09)
}

func (e *ArmourClass) key() string { return string(e.Ref) }

// Armour is a piece of armour that covers one or more of the 21 segments (KM-ARM-01).
type Armour struct {
	Ref      engine.CatalogueRef `yaml:"ref"`
	Text     engine.Text         `yaml:"text"`
	Source   `yaml:",inline"`
	Class    ArmourClassRef    `yaml:"class"`
	Type     ArmourType        `yaml:"type"`
	Segments []engine.PartName `yaml:"segments"` // sorted
	AR       int32             `yaml:"-"`        // armour modifier, of its class
	// Strength and BasePenalty are those of its class where it covers the torso, else 0 (KM-ARM-06, KM-ARM-07).
	Strength    int32 `yaml:"-"`
	BasePenalty int32 `yaml:"-"` // level penalty on encumbered traits, 0 or less
	PerTurn     int32 `yaml:"-"` // segments put on or taken off in one turn
}

func (e *Armour) key() string { return string(e.Ref) }

// Covers reports whether the piece covers a segment. It does not allocate.
func (a *Armour) Covers(p engine.PartName) bool {
	return lookup(a.Segments, p, func(x *engine.PartName) engine.PartName { return *x }) != nil
}

// Effective is the armour modifier against a weapon family, with further points ignored, never below 0 (KM-ARM-08).
func (a *Armour) Effective(f Family, ignored int32) int32 {
	if a.Type == Obsolete && f == Firearm || a.Type == Modern && f == Cold {
		ignored++ // KM-ARM-04
	}
	return max(0, a.AR-ignored)
}

// Shield is a shield, or what serves as one (KM-SHLD-01, KM-DEF-BLOCK-05).
type Shield struct {
	Ref         engine.CatalogueRef `yaml:"ref"`
	Text        engine.Text         `yaml:"text"`
	Source      `yaml:",inline"`
	Size        Size   `yaml:"size"` // short is small, long is large
	Material    string `yaml:"material"`
	SH          int32  `yaml:"sh"`                     // shield modifier, 1 to 4
	Projectiles bool   `yaml:"projectiles,omitempty"`  // blocks projectiles
	FullDefence bool   `yaml:"full_defence,omitempty"` // may be raised before the whole body (KM-WALL-01)
	Strength    int32  `yaml:"strength,omitempty"`     // required level; 0: none
	Pavise      bool   `yaml:"pavise,omitempty"`       // may be set up as a stationary shield (KM-SHLD-04)
	Breaks      bool   `yaml:"breaks,omitempty"`       // broken by its first use (KM-DEF-BLOCK-05)
	// Attack is the weapon that the shield is when it strikes (KM-SHLD-02); empty: it cannot.
	Attack engine.CatalogueRef `yaml:"attack,omitempty"`
}

func (e *Shield) key() string { return string(e.Ref) }

// CalibreRef names a calibre: what fits a weapon (KM-AMMO-03).
type CalibreRef string

// Calibre is a kind of projectile that fits the weapons that name it.
type Calibre struct {
	Ref    CalibreRef  `yaml:"ref"`
	Text   engine.Text `yaml:"text"`
	Source `yaml:",inline"`
	Family Family `yaml:"family"`
	Weight string `yaml:"weight,omitempty"` // light, medium, heavy: the subclass of firearms; empty: primitive
}

func (e *Calibre) key() string { return string(e.Ref) }

// Modification is what a kind of projectile changes (KM-AMMO-04). Companion table 3.10.
type Modification struct {
	Ref    string      `yaml:"ref"`
	Text   engine.Text `yaml:"text"`
	Source `yaml:",inline"`
	Effect `yaml:",inline"`
}

func (e *Modification) key() string { return e.Ref }

// Effect is what ammunition does to a shot. The zero Effect changes nothing.
type Effect struct {
	Ignores    int32 `yaml:"ignores,omitempty"`     // points of armour that do not count
	Bare       int32 `yaml:"bare,omitempty"`        // added to the damage modifier when the segment is unarmoured
	Armoured   int32 `yaml:"armoured,omitempty"`    // added when it is armoured
	PerArmour  int32 `yaml:"per_armour,omitempty"`  // added for each point of armour beyond 1
	Bleeds     bool  `yaml:"bleeds,omitempty"`      // wounds bleed one level below their degree
	Tracer     bool  `yaml:"tracer,omitempty"`      // KM-DARK-06
	StunOnly   bool  `yaml:"stun_only,omitempty"`   // can only stun
	Incendiary bool  `yaml:"incendiary,omitempty"`  // a light wound or worse sets clothing on fire
	Misfire    int32 `yaml:"misfire,omitempty"`     // chances in 100 to misfire (KM-RNG-MISF-01)
	Hearing    int32 `yaml:"hearing,omitempty"`     // added to the difficulty of hearing a silenced shot
	LossShift  int32 `yaml:"loss_shift,omitempty"`  // levels by which energy loss begins later; negative: sooner
	Recoil     int32 `yaml:"recoil,omitempty"`      // added to the recoil penalty, 0 or less
	NoLoss     bool  `yaml:"no_loss,omitempty"`     // no energy is lost with distance
	DamagePlus int32 `yaml:"damage_plus,omitempty"` // added to the weapon's damage modifier
	// Blast is the damage modifier at the centre of its explosion; it falls by 1 for each block, diagonals counted as 1
	// (Annex A). 0: it does not explode.
	Blast int32 `yaml:"blast,omitempty"`
	// Cloud is what it leaves in a ball of Radius blocks for d3+2 rounds: gas, smoke or fire; empty: nothing.
	Cloud  string `yaml:"cloud,omitempty"`
	Radius int32  `yaml:"radius,omitempty"`
}

// Ammunition is something that a weapon shoots.
type Ammunition struct {
	Ref          engine.CatalogueRef `yaml:"ref"`
	Text         engine.Text         `yaml:"text"`
	Source       `yaml:",inline"`
	Calibre      CalibreRef `yaml:"calibre"`
	Modification string     `yaml:"modification,omitempty"` // empty: none
	// Modifier takes the place of the weapon's damage modifier where HasModifier is set (shot and slug, stones).
	Modifier    int32    `yaml:"-"`
	HasModifier bool     `yaml:"-"`
	Range       TableRef `yaml:"range,omitempty"` // takes the place of the weapon's table; empty: the weapon's
	Loss        TableRef `yaml:"loss,omitempty"`  // likewise
	Effect      Effect   `yaml:"-"`               // of its modification
	Family      Family   `yaml:"-"`               // of its calibre

	hits   *Range
	losses *DropOff
}

type ammoEntry struct {
	Ammunition `yaml:",inline"`
	Set        *int32 `yaml:"modifier,omitempty"`
}

func (e *ammoEntry) key() string { return string(e.Ref) }

// Fits reports whether the ammunition can be used in a weapon.
func (a *Ammunition) Fits(w *Weapon) bool { return w.Calibre != "" && w.Calibre == a.Calibre }

// Shot is what a weapon does with its ammunition; ammo is nil for what needs none.
type Shot struct {
	Modifier int32 // before armour and distance
	Family   Family
	Effect   Effect
}

// Shot joins a weapon and its ammunition.
func (w *Weapon) Shot(ammo *Ammunition) Shot {
	s := Shot{Modifier: w.Modifier, Family: w.Family, Effect: w.Effect}
	if ammo == nil {
		return s
	}
	s.Family, s.Effect = ammo.Family, ammo.Effect
	if ammo.HasModifier {
		s.Modifier = ammo.Modifier
	}
	s.Modifier += ammo.Effect.DamagePlus
	return s
}

// HitWith is Hit with the ammunition's own table where it has one; ammo may be nil.
func (w *Weapon) HitWith(ammo *Ammunition, distance int32) (level int32, ok bool) {
	if ammo != nil && ammo.hits != nil {
		return ammo.hits.At(distance)
	}
	return w.Hit(distance)
}

// DropWith is Drop with the ammunition's own table and effects where it has them; ammo may be nil.
func (w *Weapon) DropWith(ammo *Ammunition, level int32) int32 {
	switch {
	case ammo == nil:
		return w.Drop(level)
	case ammo.Effect.NoLoss:
		return 0
	case ammo.losses != nil:
		return ammo.losses.At(level - ammo.Effect.LossShift)
	}
	return w.Drop(level - ammo.Effect.LossShift)
}

// FeedRef names a way to load.
type FeedRef string

// Feed is a way to load a weapon (KM-RELD-02). Turns are full actions.
type Feed struct {
	Ref      FeedRef     `yaml:"ref"`
	Text     engine.Text `yaml:"text"`
	Source   `yaml:",inline"`
	Turns    int32 `yaml:"turns,omitempty"`     // to make the weapon ready at once: a magazine, a musket; 0: only by rounds
	PerRound int32 `yaml:"per_round,omitempty"` // for each cartridge; 0: cannot be loaded by rounds
	Open     int32 `yaml:"open,omitempty"`      // before loading by rounds: to take the magazine out
	Close    int32 `yaml:"close,omitempty"`     // after it: to put it back and make ready
	// Strength is the level that needs no roll; below it a roll against Check decides (KM-RELD-05). 0: no roll.
	Strength int32 `yaml:"strength,omitempty"`
	Check    int32 `yaml:"check,omitempty"`
}

func (e *Feed) key() string { return string(e.Ref) }

// Refill is how many turns it takes to load n cartridges singly, with taking out and putting back; false where the
// weapon cannot be loaded so, or n is not positive.
func (f *Feed) Refill(n int32) (turns int32, ok bool) {
	if f.PerRound == 0 || n <= 0 {
		return 0, false
	}
	return f.Open + n*f.PerRound + f.Close, true
}
