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
	k := kindsOf(base.blocks)
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
	o.use(k.blocks)

	slices.SortStableFunc(puts, func(a, b put) int { return a.section - b.section })
	var cells [sectionCells]uint16
	for i := 0; i < len(puts); {
		at := puts[i].section
		old := o.sections[at]
		old.unpack(&cells)
		for ; i < len(puts) && puts[i].section == at; i++ {
			cells[puts[i].cell] = puts[i].id
		}
		s := pack(&cells, o.shapes)
		s.light, s.even = slices.Clone(old.light), old.even
		o.sections[at], own[at] = s, true
	}
	slices.SortFunc(changed, Pos.Compare)
	changed = slices.Compact(changed)
	for _, shift := range [...]uint8{0, 4} {
		r := relight{g: &o.grid, own: own, shift: shift}
		r.run(changed)
	}
	return o, nil
}

// The six neighbours of a cell; the first is the one below.
var sixSides = [...]Pos{{Y: -1}, {Y: 1}, {X: -1}, {X: 1}, {Z: -1}, {Z: 1}}

// relight repairs one kind of light after cells changed: it darkens all that the old light of these cells may have lit,
// then lets light in again from what is left.
type relight struct {
	g     *grid
	own   []bool // sections that no other world shares
	shift uint8  // of the kind of light in a byte: 4 lamps, 0 sky
	at    [MaxLight + 1][]Pos
}

type darkened struct {
	at  Pos
	was uint8
}

func (r *relight) run(changed []Pos) {
	var dark []darkened
	for _, p := range changed {
		dark = append(dark, darkened{p, r.get(p)})
		r.set(p, 0)
	}
	for i := 0; i < len(dark); i++ {
		from := dark[i]
		if from.was == 0 {
			continue
		}
		for d, side := range sixSides {
			n := from.at.Add(side)
			if !r.g.bounds.Contains(n) {
				continue
			}
			if level := r.get(n); level > 0 && level <= r.into(from.was, n, d == 0) {
				dark = append(dark, darkened{n, level})
				r.set(n, 0)
			}
		}
	}
	for _, c := range dark {
		r.raise(c.at, r.source(c.at))
		for d, side := range sixSides {
			// Light comes from side; seen from there, c is on the opposite side, below if side is above.
			r.raise(c.at, r.into(r.get(c.at.Add(side)), c.at, d == 1))
		}
	}
	for level := uint8(MaxLight); level > 0; level-- {
		for i := 0; i < len(r.at[level]); i++ {
			p := r.at[level][i]
			if r.get(p) != level {
				continue
			}
			for d, side := range sixSides {
				if n := p.Add(side); r.g.bounds.Contains(n) {
					r.raise(n, r.into(level, n, d == 0))
				}
			}
		}
	}
}

// source is the light that p gives by itself.
func (r *relight) source(p Pos) uint8 {
	if r.shift == 0 {
		return 0
	}
	return r.g.shapeAt(p.X, p.Y, p.Z).emits
}

func (r *relight) into(level uint8, p Pos, down bool) uint8 {
	s := r.g.shapeAt(p.X, p.Y, p.Z)
	if down && r.shift == 0 {
		return s.falling(level)
	}
	return s.entering(level)
}

func (r *relight) raise(p Pos, level uint8) {
	if level > r.get(p) {
		r.set(p, level)
		r.at[level] = append(r.at[level], p)
	}
}

func (r *relight) get(p Pos) uint8 {
	return r.g.sectionAt(p.X, p.Y, p.Z).lit(cell(p.X, p.Y, p.Z)) >> r.shift & 15
}

func (r *relight) set(p Pos, level uint8) {
	at := r.g.indexOf(p)
	s := r.g.sections[at]
	i := cell(p.X, p.Y, p.Z)
	was := s.lit(i)
	now := was&^(15<<r.shift) | level<<r.shift
	if was == now {
		return
	}
	if !r.own[at] {
		c := *s
		c.light = slices.Clone(s.light)
		s = &c
		r.g.sections[at], r.own[at] = s, true
	}
	if s.light == nil {
		s.light = make([]uint8, sectionCells)
		for j := range s.light {
			s.light[j] = s.even
		}
	}
	s.light[i] = now
}
