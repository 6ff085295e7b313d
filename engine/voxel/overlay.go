package voxel

import (
	"fmt"
	"slices"
)

// Edit is one cell that differs from the arena, and the damage it has taken.
type Edit struct {
	At    Pos
	Block Block
	Wear  int32 // 0: none
}

// Overlay is an arena with edits. It shares with the arena all sections that no edit concerns, and is immutable and safe
// for concurrent use as well.
type Overlay struct {
	grid
	edits []Edit // sorted by At, one for each cell
}

var _ World = (*Overlay)(nil)

// With returns the arena with edits on it, its light as if it had been built so. Of several edits of one cell the last
// counts. An edit outside the bounds, with an invalid block or with negative wear is refused as *InvalidError.
func (a *Arena) With(edits []Edit) (*Overlay, error) { return overlay(&a.grid, nil, edits) }

// With returns o with further edits; see Arena.With.
func (o *Overlay) With(edits []Edit) (*Overlay, error) { return overlay(&o.grid, o.edits, edits) }

// Edits returns the edits, sorted by place, one for each cell. They are not to be changed.
func (o *Overlay) Edits() []Edit { return o.edits }

// Wear returns the damage that the block at p has taken: 0 where nothing was edited.
func (o *Overlay) Wear(p Pos) int32 {
	if i, ok := slices.BinarySearchFunc(o.edits, p, atPlace); ok {
		return o.edits[i].Wear
	}
	return 0
}

func atPlace(e Edit, p Pos) int { return e.At.Compare(p) }

func overlay(base *grid, before, edits []Edit) (*Overlay, error) {
	o := &Overlay{grid: *base, edits: slices.Clone(before)}
	k := base.kinds.fork()
	o.sections = slices.Clone(base.sections)
	own := make([]bool, len(o.sections))
	changed := make([]Pos, 0, len(edits))
	type put struct {
		section int
		cell    uint32
		id      uint16
	}
	puts := make([]put, 0, len(edits))
	for i := range edits {
		e := &edits[i]
		switch err := e.Block.Validate(); {
		case err != nil:
			bad := err.(*InvalidError)
			return nil, &InvalidError{Field: fmt.Sprintf("edits[%d].block.%s", i, bad.Field), Why: bad.Why}
		case !base.bounds.Contains(e.At):
			return nil, &InvalidError{Field: fmt.Sprintf("edits[%d].at", i), Why: fmt.Sprintf("is %v, outside the bounds %v to %v", e.At, base.bounds.Min, base.bounds.Max)}
		case e.Wear < 0:
			return nil, &InvalidError{Field: fmt.Sprintf("edits[%d].wear", i), Why: fmt.Sprintf("is %d; it cannot be negative", e.Wear)}
		}
		id, ok := k.id(&e.Block)
		if !ok {
			return nil, &InvalidError{Field: fmt.Sprintf("edits[%d].block", i), Why: fmt.Sprintf("is one kind too many; at most %d are allowed", maxKinds)}
		}
		kept := Edit{At: e.At, Block: k.blocks[id], Wear: e.Wear}
		if at, found := slices.BinarySearchFunc(o.edits, e.At, atPlace); found {
			o.edits[at] = kept
		} else {
			o.edits = slices.Insert(o.edits, at, kept)
		}
		puts = append(puts, put{o.indexOf(e.At), cell(e.At.X, e.At.Y, e.At.Z), id})
		changed = append(changed, e.At)
	}
	if k.of == nil {
		o.use(k) // there are new ones
	}

	for _, p := range puts {
		if !own[p.section] {
			o.sections[p.section] = o.sections[p.section].copy()
			own[p.section] = true
		}
		o.sections[p.section].put(p.cell, p.id, o.shapes)
	}
	slices.SortFunc(changed, Pos.Compare)
	changed = slices.Compact(changed)
	r := relight{g: &o.grid, lit: make([]bool, len(o.sections))}
	for _, r.shift = range [...]uint8{0, 4} {
		r.run(changed)
	}
	o.bits = slices.Clone(base.bits)
	for i, changed := range own {
		if changed {
			if o.bits[i] = o.sections[i].some; o.bits[i] == nil {
				o.bits[i] = &nothing
			}
		}
	}
	return o, nil
}
