package wire

import (
	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
)

// Reason is the enum value of a reason of the engine; unspecified for one that has none, which is a defect.
func Reason(reason engine.Reason) pb.ErrorReason {
	for i, r := range reasons() {
		if r == reason {
			return pb.ErrorReason(i + 1)
		}
	}
	return pb.ErrorReason_ERROR_REASON_UNSPECIFIED
}

// reasons are the engine's reasons, in the order of their enum values from 1.
func reasons() [33]engine.Reason {
	return [...]engine.Reason{
		engine.ReasonPromptClosed, engine.ReasonPromptHeld, engine.ReasonNotYourActor, engine.ReasonPhase,
		engine.ReasonUnknownActor, engine.ReasonUnknownTarget, engine.ReasonUnknownItem, engine.ReasonUnknownName,
		engine.ReasonUnknownAct, engine.ReasonActNotOffered, engine.ReasonMalformed, engine.ReasonMustAnswer,
		engine.ReasonTooFar, engine.ReasonPathBlocked, engine.ReasonOutOfReach, engine.ReasonOutOfSight,
		engine.ReasonOutOfSector, engine.ReasonPoseInBlock, engine.ReasonPoseMoved, engine.ReasonArenaMissing,
		engine.ReasonRequirement, engine.ReasonNotReady, engine.ReasonSpent, engine.ReasonForbidden,
		engine.ReasonResources, engine.ReasonBadSheet, engine.ReasonDuplicate, engine.ReasonLimit,
		engine.ReasonUnknownOption, engine.ReasonRewind, engine.ReasonNotAFactToSet, engine.ReasonUnknownRuleset,
		engine.ReasonBlockOutOfArena,
	}
}

// FromReason is the engine's reason of an enum value; empty for one that is not the engine's.
func FromReason(m pb.ErrorReason) engine.Reason {
	all := reasons()
	if m < 1 || int(m) > len(all) {
		return ""
	}
	return all[m-1]
}

// Refusal makes the message of a refusal without its text; nil for nil.
func Refusal(v *engine.Rejection) *pb.Refusal {
	if v == nil {
		return nil
	}
	return &pb.Refusal{
		Reason: Reason(v.Reason), Rule: string(v.Rule), Args: Args(v.Args), Cells: Cells(v.Cells), Region: region(v.Region),
	}
}

// ErrorDetail makes the detail of a failed call from a refusal, without its text.
func ErrorDetail(v *engine.Rejection) *pb.ErrorDetail {
	return &pb.ErrorDetail{
		Reason: Reason(v.Reason), Rule: string(v.Rule), Args: Args(v.Args), Cells: Cells(v.Cells), Region: region(v.Region),
	}
}

func (r *reader) refusal(m *pb.Refusal) *engine.Rejection {
	v := &engine.Rejection{
		Reason: FromReason(m.Reason), Rule: engine.Rule(m.Rule),
		Args:   list(r, "args", m.Args, (*reader).arg),
		Cells:  list(r, "cells", m.Cells, (*reader).cell),
		Region: list(r, "region", m.Region, (*reader).cellCost),
	}
	if v.Reason == "" {
		r.fail("reason", "is %d, which is no refusal by the rules", m.Reason)
	}
	return v
}

// FromRefusal reads a refusal, for clients that are written in Go; nil for nil.
func FromRefusal(m *pb.Refusal) (*engine.Rejection, error) {
	r := reader{}
	v := sub(&r, "refusal", m, (*reader).refusal)
	return v, r.done()
}
