package engine

import "autobattle/engine/voxel"

// Text is a name in the languages that every ruleset has. RuGen and RuAcc are Russian case forms, empty where Ru serves.
type Text struct {
	En    string `yaml:"en"`
	Ru    string `yaml:"ru"`
	RuGen string `yaml:"ru_gen,omitempty"`
	RuAcc string `yaml:"ru_acc,omitempty"`
}

// Spec is the vocabulary of a ruleset: every name that its facts and offers can carry, with texts. It is constant.
// Its hash is in the first fact of every battle. Tables are sorted by name where they have one.
type Spec struct {
	ID       RulesetID
	Revision int32
	Hash     [32]byte // of the catalogue files and the revision
	Name     Text

	Acts     []ActSpec
	Traits   []TraitSpec
	Gauges   []GaugeSpec
	Conds    []CondSpec
	Items    []ItemSpec
	Parts    []NameSpec
	Mods     []NameSpec
	Slots    []NameSpec
	Outcomes []NameSpec
	Grades   []NameSpec
	Purposes []NameSpec
	Asks     []NameSpec
	Figures  []FigureSpec // quantities: tallies and what a master may override
	Bands    []NameSpec
	Bodies   []BodySpec
	Options  []OptionSpec
	Levels   []LevelSpec // the ladder, rising; empty where levels are plain numbers
	Rules    []RuleSpec
	Depth    int // how deep windows may nest
}

// NameSpec is one name with its texts.
type NameSpec struct {
	Name string
	Text Text
}

// Needs says how a field of an intent is to be filled.
type Needs uint8

// The needs of a field.
const (
	NeedsNone Needs = iota
	NeedsMaybe
	NeedsOne
	NeedsSome // one or more
)

// ActSpec describes an act, so that a client can build its menu for a system it has never seen.
type ActSpec struct {
	Name    ActName
	Text    Text
	Class   ActName // what outsiders learn: attack, move, cast …
	Rule    Rule
	Targets Needs
	Items   Needs
	Part    Needs
	About   Needs
	Path    Needs
	Amount  Needs
	Look    Needs
	Ends    bool // it is the turn's whole action
}

// TraitSpec describes an attribute or a skill.
type TraitSpec struct {
	Name      TraitName
	Text      Text
	Group     string // attribute, attack, defence, other
	Min, Max  int32  // of a base value; a player character's ceiling is PlayerMax
	PlayerMax int32
	Untrained bool // may be rolled without having it
}

// GaugeSpec describes a gauge. Values are in 1/Scale.
type GaugeSpec struct {
	Name  GaugeName
	Text  Text
	Scale int64
	Kept  bool // outlives the battle
}

// CondSpec describes a condition.
type CondSpec struct {
	Name   CondName
	Text   Text
	Unique CondUnique
	Levels []Text // what Level means, from 0
	Good   bool   // a benefit, for the menu's colour
}

// CondUnique says how many of a condition there may be.
type CondUnique uint8

// The uniqueness of conditions.
const (
	Many      CondUnique = iota
	PerBearer            // one per (Name, On)
	PerPair              // one per (Name, On, With)
	PerAbout             // one per (Name, On, About)
)

// Prop is one property of a catalogue item, for display and for rules: a number or a word.
type Prop struct {
	Name string
	Text Text
	N    int64
	Word string
}

// ItemSpec describes a weapon, a piece of armour, ammunition, any thing.
type ItemSpec struct {
	Ref   CatalogueRef
	Kind  string // weapon, shield, armour, ammunition, module, other
	Text  Text
	Props []Prop
	Slots []SlotName
	Ours  bool // a default of this project where the rulebook's table is lost
}

// FigureSpec describes a computed quantity. Ruled tells whether a master may override it, and in which unit.
type FigureSpec struct {
	Name  Quantity
	Text  Text
	Ruled bool
	Min   int64
	Max   int64
	Unit  string
}

// BodySpec is a form of body: boxes and eye heights, and the parts it has.
type BodySpec struct {
	Name  BodyName
	Text  Text
	Body  voxel.Body
	Parts []PartName
}

// OptionSpec is one switch of a battle. Words lists the values of a word option; otherwise it is a number in Min…Max.
type OptionSpec struct {
	Name    OptionName
	Text    Text
	Rule    Rule
	Words   []string
	Min     int64
	Max     int64
	Default Option
}

// LevelSpec is one step of the ladder.
type LevelSpec struct {
	N    int32
	Text Text
}

// RuleSpec is one rule that facts may cite.
type RuleSpec struct {
	ID   Rule
	Text Text
}

// System is a game system ready to play: its vocabulary and its rules. It has no state and is safe for concurrent use.
type System struct {
	Spec  *Spec
	Rules Ruleset
}

// Ruleset plays a game system by its rules. Between commits it keeps nothing: all is in the battle.
type Ruleset interface {
	// Admit checks a newcomer against the rules and sets what follows from his sheet (slots, counters). The actor, his
	// traits, items and kept conditions stand in the battle already. It returns a *Rejection for a sheet the rules forbid.
	Admit(s *Scene, a ActorID) error
	// Offers lists what the owner of p may answer, and what he may not with the reason. v holds what he knows.
	Offers(v View, p *Prompt) []Offer
	// Check returns a *Rejection when an answer is not legal. No intents and no lines decline. It throws nothing.
	Check(v View, p *Prompt, d *Decide) error
	// Resume plays one step of the top frame: it must advance its step, push, ask or close. It cannot refuse.
	Resume(s *Scene, f *Frame)
}

// View is what rules read: a battle, and the world it stands in.
type View struct {
	*Battle
	World voxel.World // nil where no arena was uploaded
}

// Act finds an act by name, or nil.
func (s *Spec) Act(name ActName) *ActSpec {
	for i := range s.Acts {
		if s.Acts[i].Name == name {
			return &s.Acts[i]
		}
	}
	return nil
}

// Item finds a catalogue item, or nil.
func (s *Spec) Item(ref CatalogueRef) *ItemSpec {
	lo, hi := 0, len(s.Items)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if s.Items[mid].Ref < ref {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(s.Items) && s.Items[lo].Ref == ref {
		return &s.Items[lo]
	}
	return nil
}

// Trait finds a trait, or nil.
func (s *Spec) Trait(name TraitName) *TraitSpec {
	for i := range s.Traits {
		if s.Traits[i].Name == name {
			return &s.Traits[i]
		}
	}
	return nil
}

// Gauge finds a gauge, or nil.
func (s *Spec) Gauge(name GaugeName) *GaugeSpec {
	for i := range s.Gauges {
		if s.Gauges[i].Name == name {
			return &s.Gauges[i]
		}
	}
	return nil
}

// Cond finds a condition, or nil.
func (s *Spec) Cond(name CondName) *CondSpec {
	for i := range s.Conds {
		if s.Conds[i].Name == name {
			return &s.Conds[i]
		}
	}
	return nil
}

// Body finds a body; the first one of the catalogue for an empty name; nil for an unknown one.
func (s *Spec) Body(name BodyName) *BodySpec {
	for i := range s.Bodies {
		if s.Bodies[i].Name == name || name == "" {
			return &s.Bodies[i]
		}
	}
	return nil
}

// Option finds an option, or nil.
func (s *Spec) Option(name OptionName) *OptionSpec {
	for i := range s.Options {
		if s.Options[i].Name == name {
			return &s.Options[i]
		}
	}
	return nil
}
