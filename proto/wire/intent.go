package wire

import (
	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
)

func target(v *engine.Target) *pb.Target { return one(v, fillTarget) }

// someTarget is nil for the zero target, where a target may be missing.
func someTarget(v *engine.Target) *pb.Target {
	if *v == (engine.Target{}) {
		return nil
	}
	return target(v)
}

func fillTarget(m *pb.Target, v *engine.Target) {
	if v.Ref == (engine.Ref{}) {
		m.Target = &pb.Target_Cell{Cell: Cell(v.Cell)}
		return
	}
	m.Target = &pb.Target_Ref{Ref: Ref(v.Ref)}
}

func (r *reader) target(m *pb.Target) (v engine.Target) {
	switch x := m.Target.(type) {
	case *pb.Target_Ref:
		v.Ref = need(r, "ref", x.Ref, (*reader).ref)
		if v.Ref == (engine.Ref{}) {
			r.fail("ref", "is the battle; it must be a thing of the battle")
		}
	case *pb.Target_Cell:
		v.Cell = need(r, "cell", x.Cell, (*reader).cell)
	default:
		r.fail("", "is not given; ref or cell is needed")
	}
	return v
}

// Intent makes the message of an intent.
func Intent(v *engine.Intent) *pb.Intent { return one(v, fillIntent) }

// Intents makes the messages of intents.
func Intents(v []engine.Intent) []*pb.Intent { return each(v, fillIntent) }

func fillIntent(m *pb.Intent, v *engine.Intent) {
	m.Act, m.By = string(v.Act), uint32(v.By)
	m.Targets = each(v.Targets, fillTarget)
	m.Items = numbers[uint32](v.Items)
	m.Part, m.About = string(v.Part), string(v.About)
	m.Mods = words(v.Mods)
	m.Path = Cells(v.Path)
	m.Look = Look(v.Look)
	m.Amount, m.Same = v.Amount, v.Same
}

// someIntent is nil for the zero intent, where an intent may be missing.
func someIntent(v *engine.Intent) *pb.Intent {
	if v.Act == "" && v.By == 0 && v.Part == "" && v.About == "" && v.Look == (voxel.Look{}) && v.Amount == 0 && !v.Same &&
		len(v.Targets) == 0 && len(v.Items) == 0 && len(v.Mods) == 0 && len(v.Path) == 0 {
		return nil
	}
	return Intent(v)
}

func (r *reader) intent(m *pb.Intent) engine.Intent {
	return engine.Intent{
		Act: engine.ActName(m.Act), By: engine.ActorID(m.By),
		Targets: list(r, "targets", m.Targets, (*reader).target),
		Items:   numbers[engine.ItemID](m.Items),
		Part:    engine.PartName(m.Part), About: engine.TraitName(m.About),
		Mods:   names[engine.ModName](m.Mods),
		Path:   list(r, "path", m.Path, (*reader).cell),
		Look:   sub(r, "look", m.Look, (*reader).look),
		Amount: m.Amount, Same: m.Same,
	}
}

// FromIntents reads what somebody wants to do.
func FromIntents(ms []*pb.Intent) ([]engine.Intent, error) {
	r := reader{}
	v := list(&r, "intents", ms, (*reader).intent)
	return v, r.done()
}

// FromLines reads the lines of a sheet.
func FromLines(ms []*pb.SheetLine) ([]engine.Line, error) {
	r := reader{}
	v := list(&r, "lines", ms, (*reader).line)
	return v, r.done()
}

// Offer makes the message of an offer. Labels and texts are the caller's to add.
func Offer(v *engine.Offer) *pb.Offer { return one(v, fillOffer) }

func fillOffer(m *pb.Offer, v *engine.Offer) {
	m.Act = string(v.Act)
	m.Targets = each(v.Targets, fillTarget)
	m.Items = each(v.Items, func(m *pb.ItemChoice, v *[]engine.ItemID) { m.Items = numbers[uint32](*v) })
	m.Parts, m.About = words(v.Parts), words(v.About)
	m.Mods = each(v.Mods, func(m *pb.ModGroup, v *engine.ModGroup) { m.Mods, m.Most = words(v.Mods), v.Most })
	if v.Amount != (engine.Span{}) {
		m.Amount = &pb.Span{Min: v.Amount.Min, Max: v.Amount.Max}
	}
	m.Region = region(v.Region)
	m.Cost = each(v.Cost, func(m *pb.GaugeCost, v *engine.GaugeCost) { m.Name, m.Amount = string(v.Name), v.Amount })
	m.Refusal = Refusal(v.No)
}

func (r *reader) offer(m *pb.Offer) engine.Offer {
	v := engine.Offer{
		Act:     engine.ActName(m.Act),
		Targets: list(r, "targets", m.Targets, (*reader).target),
		Items: list(r, "items", m.Items, func(_ *reader, m *pb.ItemChoice) []engine.ItemID {
			return numbers[engine.ItemID](m.Items)
		}),
		Parts: names[engine.PartName](m.Parts),
		About: names[engine.TraitName](m.About),
		Mods: list(r, "mods", m.Mods, func(_ *reader, m *pb.ModGroup) engine.ModGroup {
			return engine.ModGroup{Mods: names[engine.ModName](m.Mods), Most: m.Most}
		}),
		Amount: sub(r, "amount", m.Amount, func(_ *reader, m *pb.Span) engine.Span { return engine.Span{Min: m.Min, Max: m.Max} }),
		Region: list(r, "region", m.Region, (*reader).cellCost),
		Cost: list(r, "cost", m.Cost, func(_ *reader, m *pb.GaugeCost) engine.GaugeCost {
			return engine.GaugeCost{Name: engine.GaugeName(m.Name), Amount: m.Amount}
		}),
	}
	if m.Refusal != nil {
		v.No = sub(r, "refusal", m.Refusal, (*reader).refusal)
	}
	return v
}

// FromOffer reads an offer, for clients that are written in Go.
func FromOffer(m *pb.Offer) (engine.Offer, error) {
	r := reader{}
	v := need(&r, "offer", m, (*reader).offer)
	return v, r.done()
}
