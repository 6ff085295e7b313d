package catalogue

import (
	"autobattle/engine"
)

// Kind is the great kind of a weapon.
type Kind string

// The kinds of weapons. Unarmed is bare hands and fist weapons: all that is used by the hand-to-hand skill (KM-HTH-01).
const (
	Melee   Kind = "melee"
	Ranged  Kind = "ranged"
	Unarmed Kind = "unarmed"
)

// ClassRef names a weapon class.
type ClassRef string

// The seven melee classes (KM-MEL-01).
const (
	Chopping ClassRef = "chopping"
	Cutting  ClassRef = "cutting"
	Piercing ClassRef = "piercing"
	Spiked   ClassRef = "spiked"
	Crushing ClassRef = "crushing"
	Flexible ClassRef = "flexible"
	Lash     ClassRef = "lash"
)

// Family is what armour types ask of a weapon (KM-ARM-05, AMB-42).
type Family string

// The families. Obsolete armour is weak against firearms, modern armour against cold weapons; a weapon of no family
// meets the whole armour.
const (
	Cold     Family = "cold"
	Firearm  Family = "firearm"
	NoFamily Family = "none"
)

// Size is how big a weapon or a shield is, for instant use (KM-WPN-05) and for fighting prone (KM-PRONE-02).
type Size string

// The sizes: short is length 1 or less, a pistol; medium is length 2; long is length 3 and more, a rifle.
const (
	Short  Size = "short"
	Medium Size = "medium"
	Long   Size = "long"
)

// Weapon is one weapon. Fields that do not concern its kind are zero.
type Weapon struct {
	Ref    engine.CatalogueRef `yaml:"ref"`
	Text   engine.Text         `yaml:"text"`
	Source `yaml:",inline"`

	Kind   Kind             `yaml:"-"` // of its class
	Class  ClassRef         `yaml:"class"`
	Family Family           `yaml:"family,omitempty"` // empty in the file: that of its class
	Skill  engine.TraitName `yaml:"skill"`
	Traits Traits           `yaml:"-"` // of its class, and its own

	Hands     int32 `yaml:"hands"`                // 1 or 2
	OneHanded bool  `yaml:"one_handed,omitempty"` // a two-handed weapon that is also good in one hand (KM-MEL-04)
	Size      Size  `yaml:"size,omitempty"`       // empty in the file: by length

	// Length is the length in points for parries and pair attacks (KM-SKILL-05): 0 bare hands, 1 short, 2 medium, 3 two-
	// handed, 4 polearm. 0 for ranged weapons.
	Length int32 `yaml:"length,omitempty"`
	// Reach is how far it strikes in blocks, by the reading that reach is length (KM-MEL-02, option reach_model by_length).
	Reach int32 `yaml:"reach,omitempty"`
	// FlatReach is the reach in blocks by the other reading: 2 for all, 3 for the lash (option reach_model flat_two).
	FlatReach int32 `yaml:"flat_reach,omitempty"`

	// Modifier is the damage modifier W. For ranged weapons the ammunition changes it. Never negative.
	Modifier int32 `yaml:"-"`
	// Sharpness is the share of Modifier that comes of a sharp edge and does not count in stuns (KM-STUN-02).
	Sharpness int32 `yaml:"-"`
	// BothHands is the share of Modifier that is lost when a two-handed weapon is used in one hand (KM-MEL-03).
	BothHands int32 `yaml:"-"`
	// Strength is the level that is required (KM-MEL-04, KM-RNG-22). 0: nobody lacks it.
	Strength int32 `yaml:"strength,omitempty"`

	Modern  bool       `yaml:"modern,omitempty"`  // of ranged weapons: modern, not primitive (KM-RNG-01)
	Calibre CalibreRef `yaml:"calibre,omitempty"` // what it shoots; empty: itself (thrown)
	Range   TableRef   `yaml:"range,omitempty"`   // its table of hit difficulties
	Loss    TableRef   `yaml:"loss,omitempty"`    // its table of energy lost with distance; empty: none is lost
	Modes   Modes      `yaml:"-"`
	Burst   int32      `yaml:"burst,omitempty"` // shots of one series (KM-RNG-SERIES-02)
	// Recoil is the level penalty in series, double shot and mow-down, 0 or less; SingleRecoil that of single shots.
	Recoil       int32   `yaml:"recoil,omitempty"`
	SingleRecoil int32   `yaml:"single_recoil,omitempty"`
	Capacity     int32   `yaml:"capacity,omitempty"` // rounds of the usual magazine; 0: nothing is counted
	Enlarged     int32   `yaml:"enlarged,omitempty"` // rounds of the oversized magazine (KM-MOD-14); 0: there is none
	Feed         FeedRef `yaml:"feed,omitempty"`     // how it is loaded; empty: costs nothing (KM-RELD-02)
	Durability   int32   `yaml:"durability,omitempty"`

	// Modification and Effect are what a weapon that is thrown does itself, as ammunition does (KM-ATK-GREN-01).
	Modification string `yaml:"modification,omitempty"`
	Effect       Effect `yaml:"-"`

	hits   *Range
	losses *DropOff
	feed   *Feed
}

// weaponEntry is a weapon as a file has it. Factors add to the modifier of the class; a modifier takes the place of both.
type weaponEntry struct {
	Weapon `yaml:",inline"`
	Set    *int32   `yaml:"modifier,omitempty"`
	Parts  []string `yaml:"factors,omitempty"`
	Marks  []string `yaml:"traits,omitempty"`
	Fires  []string `yaml:"modes,omitempty"`
}

func (e *weaponEntry) key() string { return string(e.Ref) }

// Has reports whether the weapon has all of the traits.
func (w *Weapon) Has(t Traits) bool { return w.Traits&t == t }

// Can reports whether the weapon can fire in a mode.
func (w *Weapon) Can(m Modes) bool { return w.Modes&m == m }

// Hit is the hit difficulty at a distance in blocks (KM-RNG-02). Beyond the last distance, and for weapons that do not
// shoot, it is false. A distance of 0 or less counts as the nearest.
func (w *Weapon) Hit(distance int32) (level int32, ok bool) {
	if w.hits == nil {
		return 0, false
	}
	return w.hits.At(distance)
}

// Drop is the change of the damage modifier at a hit difficulty (KM-RNG-07), 0 or less. The difficulty is that of the
// distance alone (AMB-57).
func (w *Weapon) Drop(level int32) int32 {
	if w.losses == nil {
		return 0
	}
	return w.losses.At(level)
}

// Loading is how the weapon is loaded, or nil where loading costs nothing.
func (w *Weapon) Loading() *Feed { return w.feed }

// Traits is a set of weapon properties.
type Traits uint32

// The weapon properties.
const (
	EasySegments Traits = 1 << iota // −1 to thresholds of Normal zones (KM-MEL-CLASS-01)
	BleedsBelow                     // wounds bleed one level below their degree (KM-MEL-CLASS-02)
	EasySeams                       // −1 to the thresholds of seams and the torso (KM-MEL-CLASS-03)
	Pierces                         // a two-handed weapon that can pierce through (KM-ATK-PIERCE-01)
	Spike                           // ignores 1 of medium and heavy armour (KM-MEL-CLASS-04)
	EasyStun                        // stuns at −1 instead of −2 (KM-MEL-CLASS-05)
	BeatsTie                        // a tied block does not count the shield (KM-MEL-CLASS-06)
	NoRiposte                       // cannot be answered by a riposte (KM-MEL-CLASS-06)
	Lacerates                       // +1 to damage against an unarmoured segment (KM-MEL-CLASS-07)
	BleedsEqual                     // wounds bleed at their degree, armour or not (KM-MEL-CLASS-07)
	NoParry                         // cannot be used to parry (KM-DEF-PARRY-02)
	FullSweep                       // sweeps at its full reach (KM-ATK-SWEEP-01, AMB-32)
	Fist                            // worn on or held in the fist: hand-to-hand may answer it (KM-DEF-GEN-02)
	Thrown                          // leaves the hand when it is used
	Pistol                          // no point-blank penalty but by the defender's parry (KM-RNG-CLOSE-03)
	Stocked                         // has a stock as it is made (KM-MOD-07)
	Barrels                         // double-barrelled: two cartridges at once by a quick hand (KM-WPN-06)
	NotProne                        // cannot be shot by someone who lies (KM-PRONE-03)
	ProneLoss                       // −1 to shots by someone who lies (KM-PRONE-03)
	Homemade                        // misfires (KM-RNG-MISF-01)
	Explodes                        // what it throws bursts: it is no plain attack (KM-ATK-GREN-01, KM-AMMO-06)
)

// Modes is a set of ways to fire.
type Modes uint8

// The ways to fire.
const (
	Single Modes = 1 << iota
	Double       // double shot (KM-ATK-DOUBLE-01)
	Series       // series fire, and suppression (KM-RNG-SERIES-01)
	Fan          // mow-down (KM-RNG-MOW-01)
	Paired       // one in each hand (KM-RNG-AKIMBO-02)
)

// word is the spelling of a bit in the files, and the rule behind it.
type word[B ~uint8 | ~uint32] struct {
	name string
	bit  B
}

func traitWords() []word[Traits] {
	return []word[Traits]{
		{"easy_segments", EasySegments}, {"bleeds_below", BleedsBelow}, {"easy_seams", EasySeams}, {"pierces", Pierces},
		{"spike", Spike}, {"easy_stun", EasyStun}, {"beats_tie", BeatsTie}, {"no_riposte", NoRiposte},
		{"lacerates", Lacerates}, {"bleeds_equal", BleedsEqual}, {"no_parry", NoParry}, {"full_sweep", FullSweep},
		{"fist", Fist}, {"thrown", Thrown}, {"pistol", Pistol}, {"stocked", Stocked}, {"barrels", Barrels},
		{"not_prone", NotProne}, {"prone_loss", ProneLoss}, {"homemade", Homemade}, {"explodes", Explodes},
	}
}

func modeWords() []word[Modes] {
	return []word[Modes]{{"single", Single}, {"double", Double}, {"series", Series}, {"fan", Fan}, {"paired", Paired}}
}

// Class is a weapon class: its kind, its modifier before the factors of the single weapon, and its traits.
type Class struct {
	Ref      ClassRef    `yaml:"ref"`
	Text     engine.Text `yaml:"text"`
	Source   `yaml:",inline"`
	Kind     Kind     `yaml:"kind"`
	Family   Family   `yaml:"family"`
	Modifier int32    `yaml:"modifier,omitempty"` // base damage modifier; ranged weapons have their own
	Marks    []string `yaml:"traits,omitempty"`
	Traits   Traits   `yaml:"-"`
}

func (e *Class) key() string { return string(e.Ref) }

// Factor is a reason for a weapon to be better or worse than its class (KM-MEL-03).
type Factor struct {
	Ref      string      `yaml:"ref"`
	Text     engine.Text `yaml:"text"`
	Source   `yaml:",inline"`
	Bonus    int32      `yaml:"bonus"`
	Strength int32      `yaml:"strength,omitempty"` // added to the required level
	Classes  []ClassRef `yaml:"classes,omitempty"`  // that can have it; empty: all
	Share    string     `yaml:"share,omitempty"`    // sharpness, both_hands: which field of Weapon keeps the bonus
}

func (e *Factor) key() string { return e.Ref }

// The modifier of a melee weapon with all its factors never leaves these bounds (companion table 3.3, ours).
const (
	minModifier = 0
	maxModifier = 5
)
