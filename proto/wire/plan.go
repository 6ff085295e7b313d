package wire

import (
	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
)

const (
	lastUntilKind    = engine.UntilKept
	lastShapeKind    = engine.ShapeBall
	lastPlanKind     = engine.PlanSheet
	lastOp           = engine.OpMasterFires
	lastSelectorKind = engine.SelectCause
	lastCompare      = engine.More
)

func until(v *engine.Until) *pb.Until {
	if *v == (engine.Until{}) {
		return nil
	}
	return &pb.Until{Kind: after[pb.UntilKind](v.Kind), Whose: uint32(v.Whose), Number: v.N, Frame: uint32(v.Frame)}
}

func (r *reader) until(m *pb.Until) engine.Until {
	return engine.Until{
		Kind: choice(r, "kind", m.Kind, lastUntilKind), Whose: engine.ActorID(m.Whose), N: m.Number,
		Frame: engine.FrameID(m.Frame),
	}
}

func shape(v *engine.Shape) *pb.Shape {
	if v.Kind == 0 && len(v.Cells) == 0 && v.Radius == 0 {
		return nil
	}
	return &pb.Shape{
		Kind: after[pb.ShapeKind](v.Kind), Cells: Cells(v.Cells), Radius: v.Radius,
	}
}

func (r *reader) shape(m *pb.Shape) engine.Shape {
	return engine.Shape{
		Kind:   choice(r, "kind", m.Kind, lastShapeKind),
		Cells:  list(r, "cells", m.Cells, (*reader).cell),
		Radius: m.Radius,
	}
}

// Plan makes the message of a plan.
func Plan(v *engine.Plan) *pb.Plan { return one(v, fillPlan) }

func fillPlan(m *pb.Plan, v *engine.Plan) {
	m.Id, m.Owner, m.Kind = uint32(v.ID), Ref(v.Owner), after[pb.PlanKind](v.Kind)
	m.Intent = someIntent(&v.Intent)
	m.When = each(v.When, fillTrigger)
	m.Left, m.Total = v.Left, v.Total
	m.Kept = each(v.Kept, fillRoll)
	m.Zone = uint32(v.Zone)
	m.Lines = each(v.Lines, fillLine)
	m.Note = v.Note
	m.Until, m.Audience = until(&v.Until), Audience(&v.For)
}

func (r *reader) plan(m *pb.Plan) engine.Plan {
	return engine.Plan{
		ID:     engine.PlanID(m.Id),
		Owner:  sub(r, "owner", m.Owner, (*reader).ref),
		Kind:   choice(r, "kind", m.Kind, lastPlanKind),
		Intent: sub(r, "intent", m.Intent, (*reader).intent),
		When:   list(r, "when", m.When, (*reader).trigger),
		Left:   m.Left, Total: m.Total,
		Kept:  list(r, "kept", m.Kept, (*reader).roll),
		Zone:  engine.ZoneID(m.Zone),
		Lines: list(r, "lines", m.Lines, (*reader).line),
		Note:  m.Note,
		Until: sub(r, "until", m.Until, (*reader).until),
		For:   sub(r, "audience", m.Audience, (*reader).audience),
	}
}

func fillLine(m *pb.SheetLine, v *engine.Line) {
	m.Slot = v.Slot
	m.Variants = each(v.Variants, func(m *pb.Variant, v *engine.Variant) {
		if len(v.If.All) > 0 {
			m.When = one(&v.If, fillTrigger)
		}
		m.Intent = Intent(&v.Do)
	})
}

func (r *reader) line(m *pb.SheetLine) engine.Line {
	return engine.Line{
		Slot: m.Slot,
		Variants: list(r, "variants", m.Variants, func(r *reader, m *pb.Variant) engine.Variant {
			return engine.Variant{
				If: sub(r, "when", m.When, (*reader).trigger),
				Do: need(r, "intent", m.Intent, (*reader).intent),
			}
		}),
	}
}

func fillTrigger(m *pb.Trigger, v *engine.Trigger) { m.All = each(v.All, fillPredicate) }

func (r *reader) trigger(m *pb.Trigger) engine.Trigger {
	return engine.Trigger{All: list(r, "all", m.All, (*reader).predicate)}
}

func selector(v *engine.Selector) *pb.Selector {
	if *v == (engine.Selector{}) {
		return nil
	}
	return &pb.Selector{Kind: after[pb.SelectorKind](v.Kind), Actor: uint32(v.Actor)}
}

func (r *reader) selector(m *pb.Selector) engine.Selector {
	return engine.Selector{Kind: choice(r, "kind", m.Kind, lastSelectorKind), Actor: engine.ActorID(m.Actor)}
}

func fillPredicate(m *pb.Predicate, v *engine.Predicate) {
	m.Negate, m.Op = v.Not, same[pb.Op](v.Op)
	m.Who, m.Toward = selector(&v.Who), selector(&v.Toward)
	m.Act = string(v.Act)
	if s := shape(&v.Place.Shape); s != nil || v.Place.Zone != 0 {
		m.Place = &pb.Place{Zone: uint32(v.Place.Zone), Shape: s}
	}
	m.What = v.What
	m.Compare, m.Number = after[pb.Compare](v.Cmp), v.N
}

func (r *reader) predicate(m *pb.Predicate) engine.Predicate {
	return engine.Predicate{
		Not: m.Negate, Op: plain(r, "op", m.Op, lastOp),
		Who:    sub(r, "who", m.Who, (*reader).selector),
		Toward: sub(r, "toward", m.Toward, (*reader).selector),
		Act:    engine.ActName(m.Act),
		Place: sub(r, "place", m.Place, func(r *reader, m *pb.Place) engine.Place {
			return engine.Place{Zone: engine.ZoneID(m.Zone), Shape: sub(r, "shape", m.Shape, (*reader).shape)}
		}),
		What: m.What,
		Cmp:  maybe(r, "compare", m.Compare, lastCompare), N: m.Number,
	}
}
