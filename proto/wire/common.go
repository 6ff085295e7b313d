package wire

import (
	"fmt"

	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
)

// The last values of the engine's enums: a value beyond them cannot be read.
const (
	lastRefKind      = engine.RefSeat
	lastAudienceKind = engine.ForKnowers
	lastRest         = engine.RestOutline
	lastPosture      = voxel.Postures - 1
)

// Ref makes the message of a ref; nil for the battle.
func Ref(v engine.Ref) *pb.Ref {
	if v == (engine.Ref{}) {
		return nil
	}
	return &pb.Ref{Kind: after[pb.RefKind](v.Kind), Id: v.ID}
}

func (r *reader) ref(m *pb.Ref) engine.Ref {
	return engine.Ref{Kind: choice(r, "kind", m.Kind, lastRefKind), ID: m.Id}
}

// Audience makes the message of an audience; nil for everyone.
func Audience(v *engine.Audience) *pb.Audience {
	if v.Kind == engine.Everyone && v.Rest == engine.RestNothing && len(v.Who) == 0 {
		return nil
	}
	return &pb.Audience{Kind: after[pb.AudienceKind](v.Kind), Who: numbers[uint32](v.Who), Rest: after[pb.Rest](v.Rest)}
}

func (r *reader) audience(m *pb.Audience) engine.Audience {
	return engine.Audience{
		Kind: choice(r, "kind", m.Kind, lastAudienceKind),
		Who:  numbers[engine.ActorID](m.Who),
		Rest: maybe(r, "rest", m.Rest, lastRest),
	}
}

// FromAudience reads an audience; nil is everyone.
func FromAudience(m *pb.Audience) (engine.Audience, error) {
	r := reader{}
	v := sub(&r, "audience", m, (*reader).audience)
	return v, r.done()
}

func whyMessage(v *engine.Why) *pb.Why {
	if *v == (engine.Why{}) {
		return nil
	}
	return &pb.Why{Rule: string(v.Rule), Source: Ref(v.Source)}
}

func (r *reader) why(m *pb.Why) engine.Why {
	return engine.Why{Rule: engine.Rule(m.Rule), Source: sub(r, "source", m.Source, (*reader).ref)}
}

// Args makes the messages of message arguments.
func Args(v []engine.Arg) []*pb.Arg { return each(v, fillArg) }

func fillArg(m *pb.Arg, v *engine.Arg) {
	m.Key = v.Key
	switch v.Kind {
	case engine.ArgNumber:
		m.Value = &pb.Arg_Number{Number: v.N}
	case engine.ArgName:
		m.Value = &pb.Arg_Name{Name: v.Name}
	case engine.ArgRef:
		m.Value = &pb.Arg_Ref{Ref: &pb.Ref{Kind: after[pb.RefKind](v.Ref.Kind), Id: v.Ref.ID}}
	case engine.ArgCell:
		m.Value = &pb.Arg_Cell{Cell: Cell(v.Cell)}
	case engine.ArgText:
		m.Value = &pb.Arg_Text{Text: v.Name}
	case engine.ArgLevel:
		m.Value = &pb.Arg_Level{Level: v.N}
	default:
		panic(fmt.Sprintf("wire: argument kind %d of %q has no message", v.Kind, v.Key))
	}
}

func (r *reader) arg(m *pb.Arg) engine.Arg {
	v := engine.Arg{Key: m.Key}
	switch x := m.Value.(type) {
	case *pb.Arg_Number:
		v.Kind, v.N = engine.ArgNumber, x.Number
	case *pb.Arg_Name:
		v.Kind, v.Name = engine.ArgName, x.Name
	case *pb.Arg_Ref:
		v.Kind, v.Ref = engine.ArgRef, need(r, "ref", x.Ref, (*reader).ref)
	case *pb.Arg_Cell:
		v.Kind, v.Cell = engine.ArgCell, need(r, "cell", x.Cell, (*reader).cell)
	case *pb.Arg_Text:
		v.Kind, v.Name = engine.ArgText, x.Text
	case *pb.Arg_Level:
		v.Kind, v.N = engine.ArgLevel, x.Level
	default:
		r.fail("value", "is not given; exactly one of number, name, ref, cell, text and level is needed")
	}
	return v
}

// Cell makes the message of a block position.
func Cell(p voxel.Pos) *pb.Cell { return &pb.Cell{X: p.X, Y: p.Y, Z: p.Z} }

// Cells makes the messages of block positions.
func Cells(ps []voxel.Pos) []*pb.Cell { return each(ps, fillCell) }

func fillCell(m *pb.Cell, p *voxel.Pos) { m.X, m.Y, m.Z = p.X, p.Y, p.Z }

func (r *reader) cell(m *pb.Cell) voxel.Pos {
	coordinate := func(field string, v int32) int32 {
		return int32(r.narrow(field, int64(v), -voxel.MaxCoord, voxel.MaxCoord))
	}
	return voxel.Pos{X: coordinate("x", m.X), Y: coordinate("y", m.Y), Z: coordinate("z", m.Z)}
}

// FromCell reads a block position.
func FromCell(m *pb.Cell) (voxel.Pos, error) {
	r := reader{}
	v := need(&r, "cell", m, (*reader).cell)
	return v, r.done()
}

// FromCells reads block positions. field is the name of their list, for errors.
func FromCells(field string, ms []*pb.Cell) ([]voxel.Pos, error) {
	r := reader{}
	v := list(&r, field, ms, (*reader).cell)
	return v, r.done()
}

// region makes the messages of cells in reach, which are many: the cells too are one piece of memory.
func region(v []engine.CellCost) []*pb.CellCost {
	cells := make([]pb.Cell, len(v))
	next := 0
	return each(v, func(m *pb.CellCost, v *engine.CellCost) {
		fillCell(&cells[next], &v.Cell)
		m.Cell, m.Cost, m.From = &cells[next], v.Cost, v.From
		next++
	})
}

func (r *reader) cellCost(m *pb.CellCost) engine.CellCost {
	return engine.CellCost{Cell: need(r, "cell", m.Cell, (*reader).cell), Cost: m.Cost, From: m.From}
}

// Point makes the message of a place.
func Point(p voxel.Point) *pb.Point { return &pb.Point{X: p.X, Y: p.Y, Z: p.Z} }

func (r *reader) point(m *pb.Point) voxel.Point {
	const most = voxel.MaxCoord * voxel.Unit
	coordinate := func(field string, v int32) int32 { return int32(r.narrow(field, int64(v), -most, most)) }
	return voxel.Point{X: coordinate("x", m.X), Y: coordinate("y", m.Y), Z: coordinate("z", m.Z)}
}

// Look makes the message of a direction; nil for none.
func Look(l voxel.Look) *pb.Look {
	if l == (voxel.Look{}) {
		return nil
	}
	return &pb.Look{X: l.X, Y: l.Y, Z: l.Z}
}

func (r *reader) look(m *pb.Look) voxel.Look {
	part := func(field string, v int32) int32 {
		return int32(r.narrow(field, int64(v), -voxel.MaxLook, voxel.MaxLook))
	}
	return voxel.Look{X: part("x", m.X), Y: part("y", m.Y), Z: part("z", m.Z)}
}

// Pose makes the message of a pose; nil for the zero pose, of somebody who has no place yet.
func Pose(p voxel.Pose) *pb.Pose {
	if p == (voxel.Pose{}) {
		return nil
	}
	return &pb.Pose{At: Point(p.At), Look: Look(p.Look), Posture: after[pb.Posture](p.Posture)}
}

func (r *reader) pose(m *pb.Pose) voxel.Pose {
	return voxel.Pose{
		At:      need(r, "at", m.At, (*reader).point),
		Look:    sub(r, "look", m.Look, (*reader).look),
		Posture: maybe(r, "posture", m.Posture, lastPosture),
	}
}

// Text makes the message of a name in all languages.
func Text(v engine.Text) *pb.Text {
	return &pb.Text{En: v.En, Ru: v.Ru, RuGen: v.RuGen, RuAcc: v.RuAcc}
}
