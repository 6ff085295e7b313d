package engine

import (
	"fmt"
	"strings"

	"autobattle/engine/voxel"
)

// Reason says why a command was refused. The set is closed and stable; the wire has one enum value for each.
type Reason string

// The reasons of the engine and its rulesets. Rule-specific detail is in Rejection.Rule and Args.
const (
	ReasonPromptClosed    Reason = "prompt_closed"     // no such prompt, or it is answered
	ReasonPromptHeld      Reason = "prompt_held"       // an interruption must be finished first
	ReasonNotYourActor    Reason = "not_your_actor"    // the prompt is somebody else's
	ReasonPhase           Reason = "phase"             // not possible in this phase of the battle
	ReasonUnknownActor    Reason = "unknown_actor"     // no such actor
	ReasonUnknownTarget   Reason = "unknown_target"    // no such target
	ReasonUnknownItem     Reason = "unknown_item"      // no such item, or not his
	ReasonUnknownName     Reason = "unknown_name"      // not a name of this ruleset's catalogue
	ReasonUnknownAct      Reason = "unknown_act"       // no such act in this ruleset
	ReasonActNotOffered   Reason = "act_not_offered"   // the act is not possible now
	ReasonMalformed       Reason = "malformed"         // a field of the intent is missing or does not fit the act
	ReasonMustAnswer      Reason = "must_answer"       // this prompt may not be declined
	ReasonTooFar          Reason = "too_far"           // beyond the movement allowance
	ReasonPathBlocked     Reason = "path_blocked"      // a step of the path cannot be walked
	ReasonOutOfReach      Reason = "out_of_reach"      // beyond the weapon's reach or range
	ReasonOutOfSight      Reason = "out_of_sight"      // no line of sight or of fire
	ReasonOutOfSector     Reason = "out_of_sector"     // not where the act can go
	ReasonPoseInBlock     Reason = "pose_in_block"     // the body is inside a solid block
	ReasonPoseMoved       Reason = "pose_moved"        // the pose differs from the battle's, without a move
	ReasonArenaMissing    Reason = "arena_missing"     // the act needs blocks and none were uploaded
	ReasonRequirement     Reason = "requirement"       // a level or an item that the rule requires is missing
	ReasonNotReady        Reason = "not_ready"         // weapon not loaded, drawn or usable
	ReasonSpent           Reason = "spent"             // already used: action, turn, once a round
	ReasonForbidden       Reason = "forbidden"         // the rule forbids it in this state
	ReasonResources       Reason = "resources"         // not enough points, energy, ammunition
	ReasonBadSheet        Reason = "bad_sheet"         // an actor's values are outside the rules
	ReasonDuplicate       Reason = "duplicate"         // the key or the contribution exists already
	ReasonLimit           Reason = "limit"             // over a limit of the server or the ruleset
	ReasonUnknownOption   Reason = "unknown_option"    // no such option, or not a value of it
	ReasonRewind          Reason = "rewind"            // no such version, or it cannot be undone
	ReasonNotAFactToSet   Reason = "not_a_fact_to_set" // Adjust takes setting facts only
	ReasonUnknownRuleset  Reason = "unknown_ruleset"
	ReasonBlockOutOfArena Reason = "block_out_of_arena" // the cell is outside the arena
)

// Rejection is a refusal: nothing happened. It names the rule and what would be legal.
type Rejection struct {
	Reason Reason
	Rule   Rule
	Args   []Arg       // for the message: what was wrong, what would be right
	Cells  []voxel.Pos // the blocks that are in the way
	Region []CellCost  // where a move may go
}

// Refuse builds a Rejection.
func Refuse(reason Reason, rule Rule, args ...Arg) *Rejection {
	return &Rejection{Reason: reason, Rule: rule, Args: args}
}

// Error lists the refusal for logs and developers. Players read the message catalogue's text.
func (r *Rejection) Error() string {
	var sb strings.Builder
	sb.WriteString(string(r.Reason))
	if r.Rule != "" {
		fmt.Fprintf(&sb, " by %s", r.Rule)
	}
	for _, a := range r.Args {
		switch a.Kind {
		case ArgName, ArgText:
			fmt.Fprintf(&sb, " %s=%s", a.Key, a.Name)
		case ArgRef:
			fmt.Fprintf(&sb, " %s=%d/%d", a.Key, a.Ref.Kind, a.Ref.ID)
		case ArgCell:
			fmt.Fprintf(&sb, " %s=%d,%d,%d", a.Key, a.Cell.X, a.Cell.Y, a.Cell.Z)
		default:
			fmt.Fprintf(&sb, " %s=%d", a.Key, a.N)
		}
	}
	if len(r.Cells) > 0 {
		fmt.Fprintf(&sb, " cells=%v", r.Cells)
	}
	return sb.String()
}
