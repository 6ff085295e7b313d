package engine

import "autobattle/engine/voxel"

// Command is an order: what somebody wants to happen. Its kinds are few; what players do is all Decide.
type Command interface{ command() }

// The commands.
type (
	// Open creates a battle in its lobby. Options left out take the ruleset's defaults.
	Open struct {
		Ruleset    RulesetID
		Arena      [32]byte
		Title      string
		Teams      []Team
		Options    []Option
		Commitment [32]byte
	}
	// Join adds actors. In the lobby they wait; later they stand in the world at once and are queued when the ruleset says.
	Join struct{ Actors []Newcomer }
	// AddEntropy joins 1…32 bytes of a player's own to the seed; lobby only, once for each player.
	AddEntropy struct {
		Player string
		Bytes  []byte
	}
	// Start leaves the lobby.
	Start struct{}
	// Decide answers a live prompt: with intents, with the lines of a sheet, or with neither, which declines.
	Decide struct {
		Prompt  PromptID
		By      ActorID // zero: the master
		Intents []Intent
		Lines   []Line
		Poses   []SeenPose
	}
	// TimeUp answers the live prompts named, whose deadline has passed by the server's clock, each by its policy.
	TimeUp struct{ Prompts []PromptID }
	// Adjust sets state by a master's word. Only setting and clearing facts are taken.
	Adjust struct {
		Facts  []Event
		Reason string
	}
	// Override replaces a computed quantity; Clear ends an earlier ruling instead.
	Override struct {
		Ruling Ruling
		Clear  RulingID
	}
	// Edit changes blocks. Gone cells are again as the arena has them.
	Edit struct {
		Edits []BlockEdit
		Gone  []voxel.Pos
	}
	// Remove takes an actor out for good.
	Remove struct {
		Actor  ActorID
		Reason string
	}
	// Control changes who decides for an actor, and his policies.
	Control struct {
		Actor      ActorID
		Controller Controller
		Policies   []Policy
	}
	// Pause stops the battle; Unpause lets it go on.
	Pause struct{ Reason string }
	// Unpause lets a paused battle go on.
	Unpause struct{}
	// Rewind restores the state of an earlier version as a new commit. Target is that state; it is not recorded.
	Rewind struct {
		To     Version
		Same   bool
		Reason string
		Target *Battle
	}
	// Say is narration by an actor or, with zero, by the master.
	Say struct {
		Actor ActorID
		Text  string
		For   Audience
	}
	// End ends the battle by the master's word. Seed is the server's seed, revealed by the ending fact.
	End struct {
		Outcome []TeamOutcome
		Reason  string
	}
)

// Newcomer is an actor about to join: his sheet, not yet checked.
type Newcomer struct {
	Key        string
	Name       string
	Grammar    Gender
	Character  CharacterRef
	Team       TeamID
	Controller Controller
	Policies   []Policy
	Body       BodyName
	Pose       voxel.Pose
	Traits     []TraitLevel
	Items      []NewItem
	Gauges     []NewGauge
	Conds      []Cond // that outlived another battle: Name, Part, Level, Value, About; ids are given anew, Parent is an index from 1
	For        Audience
}

// TraitLevel is one value of a sheet.
type TraitLevel struct {
	Name  TraitName
	Level int32
}

// NewItem is one thing that a newcomer brings. In is the place from 1 of the containing item in the same list, 0 for none.
type NewItem struct {
	Ref    CatalogueRef
	Slot   SlotName
	In     int32
	Gauges []NewGauge
}

// NewGauge is the present value of a gauge that a newcomer or his item brings.
type NewGauge struct {
	Name GaugeName
	Now  int64
}

// SeenPose is where the plugin sees an actor at the moment of a command: an observation until the engine has checked it.
type SeenPose struct {
	Actor ActorID
	Pose  voxel.Pose
}

func (Open) command()       {}
func (Join) command()       {}
func (AddEntropy) command() {}
func (Start) command()      {}
func (Decide) command()     {}
func (TimeUp) command()     {}
func (Adjust) command()     {}
func (Override) command()   {}
func (Edit) command()       {}
func (Remove) command()     {}
func (Control) command()    {}
func (Pause) command()      {}
func (Unpause) command()    {}
func (Rewind) command()     {}
func (Say) command()        {}
func (End) command()        {}

// Commit is one accepted command with the facts that came of it.
type Commit struct {
	Version Version
	Command Command
	Facts   []Fact
	Dice    [2]uint64 // dice clocks after it
	Serial  [2]uint32 // serials after it
}
