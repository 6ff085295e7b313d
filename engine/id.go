package engine

import "autobattle/engine/voxel"

// Version counts commits: accepted commands, creation included. Zero means no commit yet.
type Version uint64

// Identifiers of things in one battle. Zero means none. Public things number from 1; hidden things have the top bit set
// and number from their own serial, so that a gap never betrays them (engine-model §9). None is ever reused.
type (
	ActorID  uint32
	ItemID   uint32
	CondID   uint32
	ZoneID   uint32
	PlanID   uint32
	FrameID  uint32
	PromptID uint32
	RollID   uint32
	SeatID   uint32
	RulingID uint32
)

// HiddenBit marks the identifiers of hidden things.
const HiddenBit = 1 << 31

// Names are stable strings: typed constants of a ruleset, or entries of its catalogue. Players read the texts that the
// catalogue gives for them, never the names.
type (
	RulesetID    string // kmrp, eclipse, empia
	Rule         string // rule id of the rulebook's catalogue, e.g. KM-WND-05; engine rules begin with AB-
	ActName      string
	TraitName    string
	GaugeName    string
	CondName     string
	PartName     string // body part, with side where there are two
	ModName      string
	SlotName     string // where an item is: main, off, torso, bag …
	BodyName     string
	StepName     string
	VarName      string
	OutcomeName  string
	GradeName    string
	Purpose      string // why a roll was made
	AskName      string // what a prompt asks
	Quantity     string // a computed number: damage, cover, light …
	OptionName   string
	CatalogueRef string // an entry of the catalogue: a weapon, a piece of armour
	TeamID       string
	Band         string // a named range of a computed number
)

// RefKind says what a Ref points at.
type RefKind uint8

// The kinds of things that facts can point at. RefBattle is the zero value: the battle itself.
const (
	RefBattle RefKind = iota
	RefActor
	RefItem
	RefCond
	RefZone
	RefPlan
	RefFrame
	RefRoll
	RefSeat
)

// Ref points at one thing of the battle. The zero Ref is the battle.
type Ref struct {
	Kind RefKind
	ID   uint32
}

// On is the Ref of an actor.
func (a ActorID) On() Ref { return Ref{RefActor, uint32(a)} }

// On is the Ref of an item.
func (i ItemID) On() Ref { return Ref{RefItem, uint32(i)} }

// Actor is the actor that r points at, or zero.
func (r Ref) Actor() ActorID {
	if r.Kind == RefActor {
		return ActorID(r.ID)
	}
	return 0
}

func (r Ref) compare(o Ref) int {
	if r.Kind != o.Kind {
		return int(r.Kind) - int(o.Kind)
	}
	return compareUint(r.ID, o.ID)
}

func compareUint(a, b uint32) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// AudienceKind says who may have a thing.
type AudienceKind uint8

// The audiences. Everyone is the zero value.
const (
	Everyone   AudienceKind = iota
	ForActors               // the controllers of the actors in Who, and masters
	ForMaster               // masters only
	ForKnowers              // the controllers of Who, those who know Who[0] at least as heard, and masters
)

// Rest says what everybody else gets.
type Rest uint8

// What those outside an audience get: nothing, or the outline (that something of a class happened).
const (
	RestNothing Rest = iota
	RestOutline
)

// Audience is who may know of a thing. Who is sorted.
type Audience struct {
	Kind AudienceKind
	Who  []ActorID
	Rest Rest
}

// Why names the rule behind a fact and what brought the rule into play.
type Why struct {
	Rule   Rule
	Source Ref
}

// ArgKind says which field of an Arg holds its value.
type ArgKind uint8

// The kinds of message arguments.
const (
	ArgNumber ArgKind = iota
	ArgName           // a catalogue name; rendered by its text
	ArgRef            // a thing of the battle
	ArgCell
	ArgText // words of a player or a master; never read by rules
	ArgLevel
)

// Arg is one argument of a message. Key is its place in the message text.
type Arg struct {
	Key  string
	Kind ArgKind
	N    int64
	Name string
	Ref  Ref
	Cell voxel.Pos
}

// Num, Named, Refers and At build arguments.
func Num(key string, n int64) Arg { return Arg{Key: key, Kind: ArgNumber, N: n} }

// Level builds an argument that is rendered as a level of the ruleset's ladder.
func Level(key string, n int64) Arg { return Arg{Key: key, Kind: ArgLevel, N: n} }

// Named builds an argument that is rendered by the catalogue's text of name.
func Named[T ~string](key string, name T) Arg {
	return Arg{Key: key, Kind: ArgName, Name: string(name)}
}

// Words builds an argument of free text; no rule reads it.
func Words(key, text string) Arg { return Arg{Key: key, Kind: ArgText, Name: text} }

// Refers builds an argument that is rendered as the name of the thing.
func Refers(key string, r Ref) Arg { return Arg{Key: key, Kind: ArgRef, Ref: r} }

// Cell builds an argument that is rendered as block coordinates.
func Cell(key string, p voxel.Pos) Arg { return Arg{Key: key, Kind: ArgCell, Cell: p} }
