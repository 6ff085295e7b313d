package engine

import "autobattle/engine/voxel"

// Fact is one thing that happened: an event, who may know of it, and the rule behind it.
type Fact struct {
	For   Audience
	Why   Why
	Event Event
}

// Event is a fact's content. It is past, self-contained, and cannot fail, roll or look at the world. The set is closed and
// shared by all game systems. Events that set carry the whole new record, so that they create, change and restore alike.
type Event interface{ apply(*Battle) }

// ClearWhy says why something ended.
type ClearWhy uint8

// The reasons for an end.
const (
	ClearExpired ClearWhy = iota + 1
	ClearBroken
	ClearParent
	ClearUsed
	ClearHealed
	ClearReplaced
	ClearDone
	ClearFired
	ClearWithdrawn
	ClearMaster
)

// PromptEnd says how a prompt closed.
type PromptEnd uint8

// The ends of a prompt.
const (
	PromptAnswered PromptEnd = iota + 1
	PromptLapsed
	PromptTime
	PromptWithdrawn
)

// The closed list of events.
type (
	// Began says the battle exists, in its lobby.
	Began struct {
		Rules      Rules
		Title      string
		Teams      []Team
		Commitment [32]byte // SHA-256 of the server's seed
	}
	// EntropyAdded joins a client's bytes to the seed.
	EntropyAdded struct{ Entropy Entropy }
	// PhaseSet moves the battle through its life.
	PhaseSet struct {
		Phase  Phase
		Reason string
	}
	// Ended is the outcome. Seed is the server's seed, revealed.
	Ended struct {
		Outcome []TeamOutcome
		Seed    [32]byte
	}
	// RulesSet corrects rules, options or the arena of a battle under way.
	RulesSet struct {
		Rules  Rules
		Reason string
	}
	// Clocked says a round or a slot began.
	Clocked struct{ Round, Slot int32 }
	// Queued is the whole turn order.
	Queued struct{ Seats []Seat }
	// ActorSet is an actor that joined or changed.
	ActorSet struct{ Actor Actor }
	// ActorGone is an actor that left for good, with all that was on him.
	ActorGone struct {
		ID     ActorID
		Reason string
	}
	// TraitSet is a base value. Gone removes it.
	TraitSet struct {
		Trait Trait
		Gone  bool
	}
	// Moved is one leg of a path, a push, a fall. Cost is in 1/256 block.
	Moved struct {
		Actor    ActorID
		From, To voxel.Point
		Path     []voxel.Pos
		Gait     ActName
		Cost     int32
		Look     voxel.Look
	}
	// Posed is a turn of the look or a change of posture.
	Posed struct {
		Actor   ActorID
		Look    voxel.Look
		Posture voxel.Posture
	}
	// GaugeSet is one number that changed. Gone removes it.
	GaugeSet struct {
		Gauge  Gauge
		Before int64
		Gone   bool
	}
	// CondSet is a condition that came or changed.
	CondSet struct{ Cond Cond }
	// CondCleared is a condition that ended. Name and On repeat what it was, for the reader.
	CondCleared struct {
		ID   CondID
		Name CondName
		On   Ref
		Why  ClearWhy
	}
	// ItemSet is an item drawn, dropped, loaded, built, found.
	ItemSet struct{ Item Item }
	// ItemGone is an item that is no more.
	ItemGone struct{ ID ItemID }
	// ZoneSet is a zone that came or changed.
	ZoneSet struct{ Zone Zone }
	// ZoneCleared is a zone that ended.
	ZoneCleared struct {
		ID  ZoneID
		Why ClearWhy
	}
	// PlanSet is a plan that was made or went on.
	PlanSet struct{ Plan Plan }
	// PlanCleared is a plan that ended.
	PlanCleared struct {
		ID  PlanID
		Why ClearWhy
	}
	// KnownSet is one observer who learnt or lost something. Gone restores "as everybody".
	KnownSet struct {
		Known Known
		Gone  bool
	}
	// BlocksChanged are blocks placed, broken, worn. Gone names cells that are again as the arena has them.
	BlocksChanged struct {
		Edits []BlockEdit
		Gone  []voxel.Pos
		By    Ref
	}
	// Declared announces an act. Class is what outsiders learn.
	Declared struct {
		Frame  FrameID
		Intent Intent
		Class  ActName
	}
	// Rolled is a roll, prepared or thrown, with its whole story.
	Rolled struct{ Roll Roll }
	// Revised changes a roll that was made: thrown again, raised, reversed, the other throw taken, ruled.
	Revised struct {
		Roll Roll
		Mod  Mod
	}
	// Tallied is a computed number that is no roll.
	Tallied struct{ Tally Tally }
	// Resolved is how one lane of an act came out.
	Resolved struct {
		Frame   FrameID
		Act     ActName
		By      ActorID
		Target  Target
		Lane    int32
		Outcome OutcomeName
		Grade   GradeName
	}
	// Prompted opens a prompt.
	Prompted struct{ Prompt Prompt }
	// PromptClosed closes a prompt.
	PromptClosed struct {
		ID  PromptID
		Why PromptEnd
	}
	// Answered is an answer: intents or the lines of a sheet. Nothing of either declines.
	Answered struct {
		Prompt  PromptID
		By      ActorID
		Intents []Intent
		Lines   []Line
		How     PromptEnd // answered, time, lapsed
	}
	// Framed is a frame that outlives its commit.
	Framed struct{ Frame Frame }
	// Unframed is a frame that closed.
	Unframed struct {
		ID      FrameID
		Outcome OutcomeName
	}
	// Ruled is a master's override.
	Ruled struct{ Ruling Ruling }
	// RulingCleared ends an override.
	RulingCleared struct{ ID RulingID }
	// Rewound says that the state of an earlier version is restored by the facts that follow in this commit.
	Rewound struct {
		To     Version
		Same   bool // the same dice again; otherwise fresh ones
		Reason string
	}
	// Said is narration: a message key with arguments, or free text.
	Said struct {
		Actor ActorID
		Key   string
		Args  []Arg
		Text  string
	}
)
