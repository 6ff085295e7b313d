package wire

import (
	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
)

const (
	lastSight  = voxel.Opaque
	lastMedium = voxel.VeryHardGoing
	lastLean   = voxel.LeanUp
	lastFlank  = voxel.Rear
)

// Block makes the message of a kind of block.
func Block(b *voxel.Block) *pb.Block { return one(b, fillBlock) }

func fillBlock(m *pb.Block, b *voxel.Block) {
	m.Name = b.Name
	m.Boxes = each(b.Boxes, func(m *pb.Box, x *voxel.Box) {
		m.X0, m.Y0, m.Z0 = uint32(x.X0), uint32(x.Y0), uint32(x.Z0)
		m.X1, m.Y1, m.Z1 = uint32(x.X1), uint32(x.Y1), uint32(x.Z1)
	})
	m.Sight = after[pb.Sight](b.Sight)
	m.BulletProof = b.BulletProof
	m.Durability = b.Durability
	m.Medium = after[pb.Medium](b.Medium)
	m.Emits, m.Passes = uint32(b.Emits), uint32(b.Passes)
}

func (r *reader) box(m *pb.Box) voxel.Box {
	side := func(field string, v uint32) uint8 { return uint8(r.narrow(field, int64(v), 0, 16)) }
	return voxel.Box{
		X0: side("x0", m.X0), Y0: side("y0", m.Y0), Z0: side("z0", m.Z0),
		X1: side("x1", m.X1), Y1: side("y1", m.Y1), Z1: side("z1", m.Z1),
	}
}

func (r *reader) block(m *pb.Block) voxel.Block {
	return voxel.Block{
		Name:        m.Name,
		Boxes:       list(r, "boxes", m.Boxes, (*reader).box),
		Sight:       maybe(r, "sight", m.Sight, lastSight),
		BulletProof: m.BulletProof,
		Durability:  m.Durability,
		Medium:      maybe(r, "medium", m.Medium, lastMedium),
		Emits:       uint8(r.narrow("emits", int64(m.Emits), 0, voxel.MaxLight)),
		Passes:      uint8(r.narrow("passes", int64(m.Passes), 0, voxel.MaxLight)),
	}
}

// validBlock reads a block that must be one the engine can use.
func (r *reader) validBlock(m *pb.Block) voxel.Block {
	b := r.block(m)
	if err := b.Validate(); err != nil && r.err == nil {
		bad := err.(*voxel.InvalidError)
		r.fail(bad.Field, "%s", bad.Why)
	}
	return b
}

func fillEdit(m *pb.BlockEdit, v *engine.BlockEdit) {
	m.At, m.Block, m.Wear = Cell(v.At), Block(&v.Block), v.Wear
}

func (r *reader) edit(m *pb.BlockEdit) engine.BlockEdit {
	return engine.BlockEdit{
		At:    need(r, "at", m.At, (*reader).cell),
		Block: need(r, "block", m.Block, (*reader).block),
		Wear:  m.Wear,
	}
}

func (r *reader) validEdit(m *pb.BlockEdit) engine.BlockEdit {
	if m.Wear < 0 {
		r.fail("wear", "is %d; it cannot be negative", m.Wear)
	}
	return engine.BlockEdit{
		At:    need(r, "at", m.At, (*reader).cell),
		Block: need(r, "block", m.Block, (*reader).validBlock),
		Wear:  m.Wear,
	}
}

// FromEdits reads blocks that a plugin reports: each must be one the engine can use.
func FromEdits(ms []*pb.BlockEdit) ([]engine.BlockEdit, error) {
	r := reader{}
	v := list(&r, "edits", ms, (*reader).validEdit)
	return v, r.done()
}

// Sighting makes the message of what one body sees of another.
func Sighting(v *voxel.Sighting) *pb.Sighting { return one(v, fillSighting) }

func fillSighting(m *pb.Sighting, v *voxel.Sighting) {
	m.Distance, m.Samples, m.Hidden, m.Unseen, m.Dim = v.Distance, v.Samples, v.Hidden, v.Unseen, v.Dim
	m.Lean = after[pb.Lean](v.Lean)
	if v.Light != (voxel.Light{}) {
		m.Light = &pb.Light{Block: uint32(v.Light.Block), Sky: uint32(v.Light.Sky)}
	}
	m.Rise = v.Rise
	m.Facing, m.Exposed = after[pb.Flank](v.Facing), after[pb.Flank](v.Exposed)
	m.Hiding = each(v.Hiding, func(m *pb.HidingCell, h *voxel.HidingCell) {
		m.At, m.Name, m.Count = Cell(h.At), h.Name, h.Count
		m.StopsBullets, m.StopsSight = h.Stops&voxel.StopsBullets != 0, h.Stops&voxel.StopsSight != 0
	})
	m.Bodies = each(v.Bodies, func(m *pb.BodyOnLine, b *voxel.BodyOnLine) { m.Index, m.Count = b.Index, b.Count })
}

func (r *reader) light(m *pb.Light) voxel.Light {
	level := func(field string, v uint32) uint8 { return uint8(r.narrow(field, int64(v), 0, voxel.MaxLight)) }
	return voxel.Light{Block: level("block", m.Block), Sky: level("sky", m.Sky)}
}

func (r *reader) hiding(m *pb.HidingCell) voxel.HidingCell {
	h := voxel.HidingCell{At: need(r, "at", m.At, (*reader).cell), Name: m.Name, Count: m.Count}
	if m.StopsBullets {
		h.Stops |= voxel.StopsBullets
	}
	if m.StopsSight {
		h.Stops |= voxel.StopsSight
	}
	return h
}

func (r *reader) sighting(m *pb.Sighting) voxel.Sighting {
	return voxel.Sighting{
		Distance: m.Distance, Samples: m.Samples, Hidden: m.Hidden, Unseen: m.Unseen, Dim: m.Dim,
		Lean:    choice(r, "lean", m.Lean, lastLean),
		Light:   sub(r, "light", m.Light, (*reader).light),
		Rise:    m.Rise,
		Facing:  choice(r, "facing", m.Facing, lastFlank),
		Exposed: choice(r, "exposed", m.Exposed, lastFlank),
		Hiding:  list(r, "hiding", m.Hiding, (*reader).hiding),
		Bodies: list(r, "bodies", m.Bodies, func(_ *reader, m *pb.BodyOnLine) voxel.BodyOnLine {
			return voxel.BodyOnLine{Index: m.Index, Count: m.Count}
		}),
	}
}

// FromSighting reads what one body sees of another.
func FromSighting(m *pb.Sighting) (voxel.Sighting, error) {
	r := reader{}
	v := need(&r, "sighting", m, (*reader).sighting)
	return v, r.done()
}

// emptySighting reports whether nothing was computed.
func emptySighting(v *voxel.Sighting) bool {
	return v.Samples == 0 && v.Distance == 0 && v.Hidden == 0 && v.Unseen == 0 && v.Dim == 0 && v.Lean == 0 &&
		v.Light == voxel.Light{} && v.Rise == 0 && v.Facing == 0 && v.Exposed == 0 && len(v.Hiding) == 0 && len(v.Bodies) == 0
}
