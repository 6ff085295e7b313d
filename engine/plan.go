package engine

import "autobattle/engine/voxel"

// PlanKind is what a stored intent is for.
type PlanKind uint8

// The kinds of plans.
const (
	PlanGuard PlanKind = iota // fires when a trigger comes true
	PlanDelay                 // a turn put off
	PlanWork                  // an act over several turns or slots
	PlanSheet                 // sealed orders
)

// Plan is a stored intent with structured conditions. No text in it is read by rules.
type Plan struct {
	ID          PlanID
	Owner       Ref
	Kind        PlanKind
	Intent      Intent
	When        []Trigger // any of them fires
	Left, Total int32     // work: turns or slots still to do, of how many; guard: firings left
	Kept        []Roll    // one roll for all it meets
	Zone        ZoneID
	Lines       []Line
	Note        string
	Until       Until
	For         Audience
}

// Line is one slot of a sheet: 1…5 variants, of which the first whose trigger holds is done; the last has no trigger.
type Line struct {
	Slot     int32
	Variants []Variant
}

// Variant is one way a slot may go.
type Variant struct {
	If Trigger
	Do Intent
}

// Trigger holds when all its predicates do. An empty trigger always holds.
type Trigger struct{ All []Predicate }

// Op is what a predicate asks. The set is closed.
type Op uint8

// The predicates' questions.
const (
	OpNone Op = iota
	OpMoves
	OpMovesWithin
	OpEnters
	OpLeaves
	OpComesInSight
	OpGoesOutOfSight
	OpWithin
	OpActs // does an act of a class at Toward
	OpDraws
	OpStandsUp
	OpFalls
	OpIsHurt // at least to degree N
	OpGauge
	OpCond
	OpSlotResult
	OpTurnReached
	OpRoundReached
	OpMasterFires
)

// SelectorKind says whom a predicate is about.
type SelectorKind uint8

// The selectors.
const (
	SelectAny SelectorKind = iota
	SelectSelf
	SelectActor
	SelectEnemy
	SelectAlly
	SelectCause // the one who caused the moment
)

// Selector picks actors.
type Selector struct {
	Kind  SelectorKind
	Actor ActorID
}

// Place is where a predicate looks: a zone, or a shape.
type Place struct {
	Zone  ZoneID
	Shape Shape
}

// Compare is how a number is compared.
type Compare uint8

// The comparisons.
const (
	AtLeast Compare = iota
	AtMost
	Equal
	Less
	More
)

// Holds compares a with b.
func (c Compare) Holds(a, b int64) bool {
	switch c {
	case AtLeast:
		return a >= b
	case AtMost:
		return a <= b
	case Equal:
		return a == b
	case Less:
		return a < b
	}
	return a > b
}

// Predicate is one structured question about facts and geometry, asked of its owner's view.
type Predicate struct {
	Not         bool
	Op          Op
	Who, Toward Selector
	Act         ActName
	Place       Place
	What        string // the gauge, condition or class it asks about
	Cmp         Compare
	N           int64
}

// FrameKind is what is suspended.
type FrameKind uint8

// The kinds of frames. The set is the engine's.
const (
	FrameBattle FrameKind = iota + 1
	FrameRound
	FrameTurn
	FrameAct
	FrameMove
	FrameCheck
	FrameWindow
)

// Moment is what a window reacts to. The set is closed.
type Moment uint8

// The moments.
const (
	MomentNone Moment = iota
	MomentDeclared
	MomentBeforeStep
	MomentAfterStep
	MomentSightChanged
	MomentPrepared
	MomentThrown
	MomentDrafted // a wound is drafted
	MomentActDone
	MomentTurnStart
	MomentTurnEnd
	MomentRoundStart
	MomentRoundEnd
	MomentSlotStart
	MomentSlotEnd
)

// Frame is suspended resolution as plain data: what it is, who, the rolls so far, the step it is at.
type Frame struct {
	ID, Under FrameID
	Kind      FrameKind
	Step      StepName // where Resume goes on
	Intent    Intent
	Lanes     []Lane // sub-attack × target, in rule order
	Rolls     []Roll // prepared or thrown, still needed
	Drafts    []Cond // effects decided and not yet recorded
	Vars      []Var  // by Name, Actor
	Moment    Moment
	Void      Reason // the cause fell away; the next Resume closes it
	For       Audience
}

// LaneState is how far one lane has got.
type LaneState uint8

// The states of a lane.
const (
	LaneOpen LaneState = iota
	LaneDefended
	LaneDone
	LaneVoid
)

// Lane is one sub-attack against one target.
type Lane struct {
	Target  Target
	Sub     int8
	Seen    voxel.Sighting // frozen once the declaration's windows are over
	Guards  []Guard        // the target's defence first, then helpers
	Attack  RollID
	State   LaneState
	Outcome OutcomeName
}

// Guard is one defence in a lane.
type Guard struct {
	By     ActorID
	Intent Intent
	Roll   RollID
}

// Var is one named number of a frame: movement left, index in the path, shots left.
type Var struct {
	Name  VarName
	Actor ActorID
	N     int64
}

// Get reads a variable; zero where it was never set.
func (f *Frame) Get(name VarName, who ActorID) int64 {
	for i := range f.Vars {
		if f.Vars[i].Name == name && f.Vars[i].Actor == who {
			return f.Vars[i].N
		}
	}
	return 0
}

// Set writes a variable. Only for the frame that Resume was given.
func (f *Frame) Set(name VarName, who ActorID, n int64) {
	for i := range f.Vars {
		if f.Vars[i].Name == name && f.Vars[i].Actor == who {
			f.Vars[i].N = n
			return
		}
	}
	f.Vars = append(f.Vars, Var{name, who, n})
}

// Roll finds a roll the frame still holds.
func (f *Frame) Roll(id RollID) *Roll {
	for i := range f.Rolls {
		if f.Rolls[i].ID == id {
			return &f.Rolls[i]
		}
	}
	return nil
}

// PromptKind is what sort of decision is asked for.
type PromptKind uint8

// The kinds of prompts.
const (
	PromptTurn   PromptKind = iota + 1 // act in your turn
	PromptSheet                        // fill a sheet of orders
	PromptDefend                       // choose a defence
	PromptReact                        // act out of turn, or not
	PromptChoose                       // pick among options of a rule
	PromptSpend                        // spend points on a roll or a wound, or not
	PromptRuling                       // the master decides
)

// Limit is the deadline of a prompt: after MS milliseconds of being live, Take happens. MS 0: it waits for ever.
type Limit struct {
	Take PolicyKind
	MS   int64
}

// Prompt is one decision that the battle waits for. Whose is zero for the master.
type Prompt struct {
	ID     PromptID
	Frame  FrameID
	Whose  ActorID
	Kind   PromptKind
	Ask    AskName
	Args   []Arg // what to say; what to beat
	Rank   int32 // the order in which the frame consumes answers, smaller first, then by Whose
	Must   bool  // an answer is required; otherwise an empty answer declines
	Answer []Intent
	Lines  []Line
	Sealed bool // the answer is its owner's secret until the frame opens it
	Done   bool
	// Default is what policies and deadlines answer, and what forecasts assume: empty declines.
	Default []Intent
	Limit   Limit
	For     Audience
}
