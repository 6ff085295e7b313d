package voxel

import "slices"

// Spread returns the cells that gas or smoke of a volume fills that is let out in a cell, sorted: from there on through every side
// that no boxes close, those first that it reaches in the fewest steps, and of these those first whose coordinates come first. It does
// not enter water, nor leave the box of the world. Where it has no more room it fills less than its volume.
func Spread(w World, at Pos, volume int32) []Pos {
	g := w.view()
	if !g.bounds.Contains(at) || volume <= 0 || g.seals(at, -1, -1) {
		return nil
	}
	// A cell may be entered by each of its sides once; a pane in the middle lets gas in from both, but not through.
	type entry struct {
		at   Pos
		from int8 // the side it came in by; -1 where it was let out
	}
	var seen posSet
	filled := []Pos{at}
	seen.mark(at, 1<<sides-1)
	ring := []entry{{at, -1}}
	for len(ring) > 0 && len(filled) < int(volume) {
		var next []entry
		var fresh []Pos
		for _, e := range ring {
			for side := range sides {
				n := e.at.Add(sixWays[side])
				in := int8(side ^ 1)
				if g.seals(e.at, e.from, int8(side)) || !g.bounds.Contains(n) || g.seals(n, in, in) {
					continue
				}
				before := seen.mark(n, 1<<in)
				if before&(1<<in) != 0 {
					continue
				}
				if before == 0 {
					fresh = append(fresh, n)
				}
				next = append(next, entry{n, in})
			}
		}
		slices.SortFunc(fresh, Pos.Compare)
		filled = append(filled, fresh[:min(len(fresh), int(volume)-len(filled))]...)
		ring = next
	}
	slices.SortFunc(filled, Pos.Compare)
	return filled
}

// sixWays are the neighbours in the order of the sides.
var sixWays = [sides]Pos{{Y: -1}, {Y: 1}, {X: -1}, {X: 1}, {Z: -1}, {Z: 1}}

// seals says whether nothing comes through a cell from one side to another; in by a side where both are the same, out of its middle
// by one where from is -1, and into it at all where both are.
func (g *grid) seals(p Pos, from, to int8) bool {
	s := g.shapeAt(p.X, p.Y, p.Z)
	if s.medium == Liquid {
		return true
	}
	if s.flags&stopSolid == 0 {
		return false
	}
	if s.full {
		return true
	}
	if to < 0 {
		return false
	}
	axis := int(to >> 1)
	through := from >= 0 && from == to^1
	// One bit for each 1/16 of the cross-section that is closed, row by row.
	var rows [16]uint16
	for i := range s.boxes {
		b := &s.boxes[i]
		lo, hi := [3]uint8{b.Y0, b.X0, b.Z0}, [3]uint8{b.Y1, b.X1, b.Z1}
		if !through && (to&1 == 0 && lo[axis] > 0 || to&1 == 1 && hi[axis] < 16) {
			continue // it does not touch that side
		}
		u, v := (axis+1)%3, (axis+2)%3
		for r := lo[u]; r < hi[u]; r++ {
			rows[r] |= uint16(1<<hi[v] - 1<<lo[v])
		}
	}
	for _, r := range rows {
		if r != 0xffff {
			return false
		}
	}
	return true
}

// posSet remembers some bits for each of a set of blocks: an open hash of places, without an order of its own.
type posSet struct {
	keys []Pos
	bits []uint8 // 0: free
	n    int
}

// mark adds bits to those of p and returns those that it had before.
func (s *posSet) mark(p Pos, bits uint8) uint8 {
	if 2*(s.n+1) > len(s.keys) {
		old := *s
		s.keys, s.bits, s.n = make([]Pos, max(64, 2*len(old.keys))), make([]uint8, max(64, 2*len(old.keys))), 0
		for i, b := range old.bits {
			if b != 0 {
				s.mark(old.keys[i], b)
			}
		}
	}
	h := (uint32(p.X)*0x9e3779b1 ^ uint32(p.Y)*0x85ebca6b ^ uint32(p.Z)*0xc2b2ae35)
	for i := (h ^ h>>15) & uint32(len(s.keys)-1); ; i = (i + 1) & uint32(len(s.keys)-1) {
		switch {
		case s.bits[i] == 0:
			s.keys[i], s.bits[i] = p, bits
			s.n++
			return 0
		case s.keys[i] == p:
			before := s.bits[i]
			s.bits[i] |= bits
			return before
		}
	}
}
