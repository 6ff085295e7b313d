package wire

import (
	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
)

const (
	lastFrameKind  = engine.FrameWindow
	lastMoment     = engine.MomentSlotEnd
	lastLaneState  = engine.LaneVoid
	lastPromptKind = engine.PromptRuling
	lastPolicyKind = engine.PolicyMaster
)

// Frame makes the message of a frame.
func Frame(v *engine.Frame) *pb.Frame { return one(v, fillFrame) }

func fillFrame(m *pb.Frame, v *engine.Frame) {
	m.Id, m.Under, m.Kind = uint32(v.ID), uint32(v.Under), same[pb.FrameKind](v.Kind)
	m.Step = string(v.Step)
	m.Intent = someIntent(&v.Intent)
	m.Lanes = each(v.Lanes, fillLane)
	m.Rolls = each(v.Rolls, fillRoll)
	m.Drafts = each(v.Drafts, fillCond)
	m.Vars = each(v.Vars, func(m *pb.Variable, v *engine.Var) {
		m.Name, m.Actor, m.Number = string(v.Name), uint32(v.Actor), v.N
	})
	m.Moment, m.VoidReason = same[pb.Moment](v.Moment), string(v.Void)
	m.Audience = Audience(&v.For)
}

func (r *reader) frame(m *pb.Frame) engine.Frame {
	return engine.Frame{
		ID: engine.FrameID(m.Id), Under: engine.FrameID(m.Under),
		Kind:   plain(r, "kind", m.Kind, lastFrameKind),
		Step:   engine.StepName(m.Step),
		Intent: sub(r, "intent", m.Intent, (*reader).intent),
		Lanes:  list(r, "lanes", m.Lanes, (*reader).lane),
		Rolls:  list(r, "rolls", m.Rolls, (*reader).roll),
		Drafts: list(r, "drafts", m.Drafts, (*reader).cond),
		Vars: list(r, "vars", m.Vars, func(_ *reader, m *pb.Variable) engine.Var {
			return engine.Var{Name: engine.VarName(m.Name), Actor: engine.ActorID(m.Actor), N: m.Number}
		}),
		Moment: plain(r, "moment", m.Moment, lastMoment),
		Void:   engine.Reason(m.VoidReason),
		For:    sub(r, "audience", m.Audience, (*reader).audience),
	}
}

func fillLane(m *pb.Lane, v *engine.Lane) {
	m.Target, m.Sub = someTarget(&v.Target), int32(v.Sub)
	if !emptySighting(&v.Seen) {
		m.Seen = Sighting(&v.Seen)
	}
	m.Guards = each(v.Guards, func(m *pb.Guard, v *engine.Guard) {
		m.By, m.Intent, m.Roll = uint32(v.By), someIntent(&v.Intent), uint32(v.Roll)
	})
	m.Attack, m.State, m.Outcome = uint32(v.Attack), after[pb.LaneState](v.State), string(v.Outcome)
}

func (r *reader) lane(m *pb.Lane) engine.Lane {
	return engine.Lane{
		Target: sub(r, "target", m.Target, (*reader).target),
		Sub:    int8(r.narrow("sub", int64(m.Sub), -128, 127)),
		Seen:   sub(r, "seen", m.Seen, (*reader).sighting),
		Guards: list(r, "guards", m.Guards, func(r *reader, m *pb.Guard) engine.Guard {
			return engine.Guard{
				By: engine.ActorID(m.By), Intent: sub(r, "intent", m.Intent, (*reader).intent), Roll: engine.RollID(m.Roll),
			}
		}),
		Attack:  engine.RollID(m.Attack),
		State:   choice(r, "state", m.State, lastLaneState),
		Outcome: engine.OutcomeName(m.Outcome),
	}
}

// Prompt makes the message of a prompt.
func Prompt(v *engine.Prompt) *pb.Prompt { return one(v, fillPrompt) }

func fillPrompt(m *pb.Prompt, v *engine.Prompt) {
	m.Id, m.Frame, m.Whose = uint32(v.ID), uint32(v.Frame), uint32(v.Whose)
	m.Kind, m.Ask, m.Args = same[pb.PromptKind](v.Kind), string(v.Ask), Args(v.Args)
	m.Rank, m.Must = v.Rank, v.Must
	m.Answer = each(v.Answer, fillIntent)
	m.Lines = each(v.Lines, fillLine)
	m.Sealed, m.Done = v.Sealed, v.Done
	m.DefaultAnswer = each(v.Default, fillIntent)
	if v.Limit != (engine.Limit{}) {
		m.Limit = &pb.Limit{Take: after[pb.PolicyKind](v.Limit.Take), Ms: v.Limit.MS}
	}
	m.Audience = Audience(&v.For)
}

func (r *reader) prompt(m *pb.Prompt) engine.Prompt {
	return engine.Prompt{
		ID: engine.PromptID(m.Id), Frame: engine.FrameID(m.Frame), Whose: engine.ActorID(m.Whose),
		Kind: plain(r, "kind", m.Kind, lastPromptKind),
		Ask:  engine.AskName(m.Ask),
		Args: list(r, "args", m.Args, (*reader).arg),
		Rank: m.Rank, Must: m.Must,
		Answer: list(r, "answer", m.Answer, (*reader).intent),
		Lines:  list(r, "lines", m.Lines, (*reader).line),
		Sealed: m.Sealed, Done: m.Done,
		Default: list(r, "default_answer", m.DefaultAnswer, (*reader).intent),
		Limit: sub(r, "limit", m.Limit, func(r *reader, m *pb.Limit) engine.Limit {
			return engine.Limit{Take: choice(r, "take", m.Take, lastPolicyKind), MS: m.Ms}
		}),
		For: sub(r, "audience", m.Audience, (*reader).audience),
	}
}
