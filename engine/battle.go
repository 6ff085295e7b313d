package engine

import "autobattle/engine/voxel"

// Phase is where a battle is in its life.
type Phase uint8

// The phases. Lobby is the zero value: actors join, nobody acts.
const (
	Lobby Phase = iota
	Running
	Paused
	Over
)

// Battle is everything the rules may read, the world's arena aside. Step returns a new one and leaves the old unchanged.
// Every table is sorted by id unless said otherwise; a record's inner slices are never changed in place.
type Battle struct {
	Rules   Rules
	Version Version
	Dice    [2]uint64 // dice clocks by dice.Stream: commits that threw there
	Serial  [2]uint32 // last id given out: public, hidden
	Phase   Phase
	Round   int32 // from 1; 0 before the first
	Slot    int32 // 1…8 in systems with slots; 0 elsewhere
	Title   string
	Teams   []Team // in the order of creation
	Seed    SeedState
	Outcome []TeamOutcome // when Over

	Actors  []Actor
	Traits  []Trait // by On, Name
	Gauges  []Gauge // by On, Name
	Items   []Item
	Conds   []Cond // by On, ID
	Zones   []Zone
	Plans   []Plan
	Known   []Known // by By, Of
	Rulings []Ruling
	Queue   []Seat   // in turn order
	Frames  []Frame  // bottom first; the last is the top
	Prompts []Prompt // by ID
	Blocks  []BlockEdit

	own   uint32     // tables that belong to this value alone, by tableBit
	world *worldView // the arena under Blocks; derived, rebuilt when nil
}

// Rules is what a battle is played by. It is fixed in the first fact and changes only by RulesSet.
type Rules struct {
	Ruleset   RulesetID
	Revision  int32
	Catalogue [32]byte // hash of the catalogue
	Arena     [32]byte // content hash of the arena; zero: none uploaded
	Feature   int32    // feature level of the fact set
	Options   []Option // every option of the ruleset with its value, defaults too, by Name
}

// Option is one switch of a ruleset with its value: a word or a number, as its OptionSpec says.
type Option struct {
	Name OptionName
	Word string
	N    int64
}

// SeedState is what may be known of the battle's seed. Reveal is zero until the battle is over.
type SeedState struct {
	Commitment [32]byte
	Entropy    []Entropy // in the order of arrival
	Reveal     [32]byte
}

// Entropy is what one participant's client added to the seed before the start: 1…32 bytes.
type Entropy struct {
	Player string
	Bytes  []byte
}

// Team is a side. Stance towards others: teams are hostile unless Allies names them; conditions may say otherwise for a pair.
type Team struct {
	ID     TeamID
	Name   string
	Allies []TeamID
}

// TeamOutcome is how a battle ended for one team.
type TeamOutcome struct {
	Team    TeamID
	Outcome OutcomeName
}

// Gender is the grammatical gender of a name in Russian sentences.
type Gender uint8

// The grammatical genders. Masculine is the zero value.
const (
	Masculine Gender = iota
	Feminine
	Neuter
	Plural
)

// ControllerKind says who decides for an actor.
type ControllerKind uint8

// The controllers. ByPlayer is the zero value.
const (
	ByPlayer ControllerKind = iota
	ByMaster
	Automatic
)

// Controller is who decides for an actor. Player is the plugin's player id, for ByPlayer.
type Controller struct {
	Kind   ControllerKind
	Player string
}

// CharacterRef ties an actor to a stored character. Rev is the revision it was read at; Copy is not 0 for an NPC clone.
type CharacterRef struct {
	ID   string
	Rev  uint64
	Copy uint32
}

// PolicyKind says what happens to a prompt that nobody answers or that its owner does not want to see.
type PolicyKind uint8

// The policies. PolicyAsk is the zero value: wait for an answer.
const (
	PolicyAsk       PolicyKind = iota
	PolicyDefault              // take the prompt's default
	PolicyAutomatic            // let automatic play answer
	PolicyMaster               // hand it to the master
)

// Policy is what an actor's owner wants for prompts of one kind.
type Policy struct {
	Kind PromptKind
	Take PolicyKind
}

// Actor is a fighter, an animal, a mount or a machine in the battle.
type Actor struct {
	ID         ActorID
	Key        string // the caller's own name for it, unique in the battle
	Name       string
	Grammar    Gender
	Character  CharacterRef
	Team       TeamID
	Controller Controller
	Policies   []Policy
	Body       BodyName
	Pose       voxel.Pose // stored, so facing is fixed outside one's own turn
	For        Audience   // everyone, or those who know of him
}

// Trait is a base value: an attribute or a skill. Conditions and items modify it in rules, not here.
type Trait struct {
	On    ActorID
	Name  TraitName
	Level int32
}

// Gauge is one bounded number. The catalogue gives its scale and whether it outlives the battle.
type Gauge struct {
	On            Ref
	Name          GaugeName
	Now, Min, Max int64
	For           Audience
}

// Item is a thing: held, worn, inside another item, or lying at Cell when Holder and In are zero.
type Item struct {
	ID     ItemID
	Ref    CatalogueRef
	Holder ActorID
	Slot   SlotName
	In     ItemID
	Cell   voxel.Pos
	For    Audience
}

// Cond is a condition: a wound, a binding, a stance. Level and Value have the meaning that the catalogue gives for Name.
type Cond struct {
	ID           CondID
	Name         CondName
	On           Ref
	With         ActorID
	Item         ItemID
	About        TraitName
	Part         PartName
	Level, Value int32
	Parent       CondID  // falls with it
	Cause        FrameID // the act that set it: while that frame is open its penalties do not count
	Source       Ref
	Until        Until
	For          Audience
}

// UntilKind says what ends a condition.
type UntilKind uint8

// The lifetimes. UntilRemoved is the zero value.
const (
	UntilRemoved   UntilKind = iota
	UntilFrame               // Frame closes
	UntilTurnStart           // the N-th coming turn start of Whose
	UntilTurnEnd             // the N-th turn end of Whose; skipped turns count
	UntilRound               // the end of round N
	UntilSlots               // N full slots
	UntilBattle              // the battle ends
	UntilKept                // kept: returns to the character; N hours of role-play time, 0 without end
)

// Until is how long something lasts.
type Until struct {
	Kind  UntilKind
	Whose ActorID
	N     int32
	Frame FrameID
}

// ShapeKind is the form of a zone.
type ShapeKind uint8

// The shapes of zones.
const (
	ShapeCells ShapeKind = iota // Cells, sorted by Y, Z, X
	ShapeBox                    // Cells[0] to Cells[1], inclusive
	ShapeBall                   // Radius blocks round Cells[0]
)

// Shape is where a zone is. Whatever is no box and no ball (a cone, a cloud round corners) is its cells.
type Shape struct {
	Kind   ShapeKind
	Cells  []voxel.Pos
	Radius int32
}

// Zone is a region with a condition: gas, fire, smoke, darkness, time freeze.
type Zone struct {
	ID           ZoneID
	Name         CondName
	Shape        Shape
	Carrier      Ref // the zone moves with this actor or item; zero: fixed
	Level, Value int32
	By           ActorID
	Until        Until
	For          Audience
}

// SeatState is how far a seat of the queue has got.
type SeatState uint8

// The states of a seat.
const (
	SeatOpen SeatState = iota
	SeatActing
	SeatActed
	SeatDelayed
)

// Seat is one place in the turn order. One actor may hold two.
type Seat struct {
	ID     SeatID
	Actor  ActorID
	Result int32 // of the initiative roll; a key apart from the place
	State  SeatState
	Extra  bool
}

// KnownLevel is how much one observer knows of a thing.
type KnownLevel uint8

// The levels of knowledge, rising.
const (
	Unknown KnownLevel = iota
	Suspected
	Heard
	Seen
	Recognised
)

// Known is an exception to "everybody sees it": what By knows of Of, and where he last placed it.
type Known struct {
	By    ActorID
	Of    Ref
	Level KnownLevel
	Cell  voxel.Pos
}

// ScopeKind is how wide a master's ruling reaches.
type ScopeKind uint8

// The scopes, from wide to narrow; the narrower wins, then the later.
const (
	ScopeBattle ScopeKind = iota
	ScopeZone
	ScopeActor // A, as the one it is about
	ScopePair  // A towards B: A attacks or looks, B is the target
	ScopeFrame // one attack
)

// Scope is what a ruling holds for.
type Scope struct {
	Kind  ScopeKind
	A, B  ActorID
	Zone  ZoneID
	Frame FrameID
}

// Ruling is a master's word in place of a computed fact. What is a quantity of the ruleset (cover, light, distance, a modifier).
type Ruling struct {
	ID     RulingID
	Scope  Scope
	What   Quantity
	N      int64
	Reason string
	Until  Until
}

// BlockEdit is one cell that differs from the arena. Wear is the damage it has taken.
type BlockEdit struct {
	At    voxel.Pos
	Block voxel.Block
	Wear  int32
}
