package catalogue

import (
	"autobattle/engine"
	"autobattle/engine/voxel"
)

// The groups of traits (KM-ATTR-01, KM-SKILL-01).
const (
	GroupAttribute = "attribute"
	GroupAttack    = "attack"
	GroupDefence   = "defence"
	GroupOther     = "other"
)

// Trait is an attribute or a skill.
type Trait struct {
	Name      engine.TraitName `yaml:"name"`
	Text      engine.Text      `yaml:"text"`
	Source    `yaml:",inline"`
	Group     string `yaml:"group"`
	Min       int32  `yaml:"min"`                 // least base value
	Max       int32  `yaml:"max"`                 // greatest base value, of animals and others
	PlayerMax int32  `yaml:"player_max"`          // greatest base value of a player's character (KM-LVL-03)
	Untrained bool   `yaml:"untrained,omitempty"` // may be rolled without having it, from Poor (KM-SKILL-03, -04)
	// Near are the neighbours that may stand in for it at −1 (KM-SKILL-06, -08, -09), sorted; only one step counts.
	Near []engine.TraitName `yaml:"near,omitempty"`
	// Encumbered traits suffer from strength deficits and the base penalties of armour (KM-ARM-06, -07, KM-SHLD-05).
	Encumbered bool `yaml:"encumbered,omitempty"`
	// Hardy traits do not suffer from wounds (KM-WND-06).
	Hardy bool `yaml:"hardy,omitempty"`
	// Focus tells that concentration on it is possible (KM-CONC-01); Lasting that it then serves more than one use.
	Focus   bool `yaml:"focus,omitempty"`
	Lasting bool `yaml:"lasting,omitempty"`
}

func (e *Trait) key() string { return string(e.Name) }

// The traits that rules name.
const (
	Reaction        engine.TraitName = "reaction"
	Strength        engine.TraitName = "strength"
	Endurance       engine.TraitName = "endurance"
	Dexterity       engine.TraitName = "dexterity"
	Movement        engine.TraitName = "movement"
	Perception      engine.TraitName = "perception"
	Willpower       engine.TraitName = "willpower"
	Evasion         engine.TraitName = "evasion"
	Parrying        engine.TraitName = "parrying"
	Blocking        engine.TraitName = "blocking"
	Grouping        engine.TraitName = "grouping"
	HandToHand      engine.TraitName = "hand_to_hand"
	ShortWeapons    engine.TraitName = "short_weapons"
	OneHandedSkill  engine.TraitName = "one_handed_weapons"
	TwoHandedSkill  engine.TraitName = "two_handed_weapons"
	Polearms        engine.TraitName = "polearms"
	FlexibleWeapons engine.TraitName = "flexible_weapons"
	Lashes          engine.TraitName = "lashes"
	Stealth         engine.TraitName = "stealth"
)

// ZoneRef names a zone of point attacks.
type ZoneRef string

// Zone is a zone of point attacks (KM-POINT-02): the level that the attack must reach.
type Zone struct {
	Ref       ZoneRef     `yaml:"ref"`
	Text      engine.Text `yaml:"text"`
	Source    `yaml:",inline"`
	Threshold int32 `yaml:"threshold"`          // in melee, and the least at range
	Ranged    int32 `yaml:"ranged"`             // added to the hit difficulty at range
	Redirect  bool  `yaml:"redirect,omitempty"` // plain attacks may be redirected to its segments (KM-ARM-03)
}

func (e *Zone) key() string { return string(e.Ref) }

// At is the threshold of a point attack at the zone: in melee with h = 0, at range with the hit difficulty.
func (e *Zone) At(h int32) int32 {
	if h <= 0 {
		return e.Threshold
	}
	return max(h+e.Ranged, e.Threshold)
}

// Part is one of the 21 segments of a body (KM-ARM-01).
type Part struct {
	Name   engine.PartName `yaml:"name"`
	Text   engine.Text     `yaml:"text"`
	Source `yaml:",inline"`
	Zone   ZoneRef `yaml:"zone"`
	Limb   string  `yaml:"limb,omitempty"` // arm_left, arm_right, leg_left, leg_right (KM-POINT-12); empty: none
	// Redirect tells that a plain attack may be redirected to it (KM-ARM-03), as its zone says.
	Redirect bool `yaml:"-"`
}

func (e *Part) key() string { return string(e.Name) }

// Human is the body of whoever names none.
const Human engine.BodyName = "human"

// Torso is the segment of the breastplate: it meets every attack that is neither aimed nor redirected (KM-ARM-03).
const Torso engine.PartName = "torso"

// Body is a form of body. Sizes are in 1/256 block, for standing, crouched, prone.
type Body struct {
	Name      engine.BodyName `yaml:"name"`
	Text      engine.Text     `yaml:"text"`
	Source    `yaml:",inline"`
	Width     int32             `yaml:"width"`
	Height    []int32           `yaml:"height"`
	Eye       []int32           `yaml:"eye"` // above the feet
	Parts     []engine.PartName `yaml:"parts"`
	Synthetic bool              `yaml:"synthetic,omitempty"` // it loses coolant, not blood (KM-WND-13)
}

func (e *Body) key() string { return string(e.Name) }

// Box is the body as the voxel core knows it.
func (e *Body) Box() voxel.Body {
	return voxel.Body{Width: e.Width, Height: [3]int32(e.Height), Eye: [3]int32(e.Eye)}
}

// Slot is a place where an item is.
type Slot struct {
	Name   engine.SlotName `yaml:"name"`
	Text   engine.Text     `yaml:"text"`
	Source `yaml:",inline"`
	Ready  bool `yaml:"ready,omitempty"` // what is there can be drawn into a free hand (KM-WPN-02)
}

func (e *Slot) key() string { return string(e.Name) }

// The slots of items.
const (
	MainHand engine.SlotName = "main"
	OffHand  engine.SlotName = "off"
	Worn     engine.SlotName = "worn"
	Belt     engine.SlotName = "belt"
	Bag      engine.SlotName = "bag"
)

// Prop names a property of items, for display.
type Prop struct {
	Name string      `yaml:"name"`
	Text engine.Text `yaml:"text"`
}

func (e *Prop) key() string { return e.Name }

// optionEntry is an option as a file has it: with words and a word, or with bounds and a number.
type optionEntry struct {
	Name   engine.OptionName `yaml:"name"`
	Text   engine.Text       `yaml:"text"`
	Source `yaml:",inline"`
	Words  []string `yaml:"words,omitempty"`
	Word   string   `yaml:"word,omitempty"`
	Min    int64    `yaml:"min,omitempty"`
	Max    int64    `yaml:"max,omitempty"`
	Number int64    `yaml:"number,omitempty"`
}

func (e *optionEntry) key() string { return string(e.Name) }

type levelEntry struct {
	Level  int32       `yaml:"level"`
	Text   engine.Text `yaml:"text"`
	Source `yaml:",inline"`
}

func (e *levelEntry) key() string { return number(e.Level) }

type ruleEntry struct {
	ID   engine.Rule `yaml:"id"`
	Text engine.Text `yaml:"text"`
}

func (e *ruleEntry) key() string { return string(e.ID) }
