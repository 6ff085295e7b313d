package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	pb "autobattle/proto/autobattle/v1"
)

// place is a cell.
type place [3]int32

func placeOf(c *pb.Cell) place { return place{c.GetX(), c.GetY(), c.GetZ()} }

// world is the blocks of a battle: its arena's, and those that changed.
type world struct {
	palette  []*pb.Block
	sections map[place]*[section * section * section]uint16 // by smallest corner
	changed  map[place]*pb.Block
}

// block is what is at a cell; nil: it is outside the arena.
func (w *world) block(at place) *pb.Block {
	if b := w.changed[at]; b != nil {
		return b
	}
	s := w.sections[place{at[0] &^ 15, at[1] &^ 15, at[2] &^ 15}]
	if s == nil {
		return nil
	}
	return w.palette[s[at[1]&15<<8|at[2]&15<<4|at[0]&15]]
}

// add reads a section, given as packed indices, as runs or, when all of it is one kind, as neither.
func (w *world) add(s *pb.ArenaSection) error {
	at := placeOf(s.GetAt())
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("section at %v: %s", at, fmt.Sprintf(format, args...))
	}
	kinds := make([]uint16, len(s.GetPalette()))
	for i, k := range s.GetPalette() {
		if int(k) >= len(w.palette) {
			return wrong("kind %d of a palette of %d", k, len(w.palette))
		}
		kinds[i] = uint16(k)
	}
	out := new([section * section * section]uint16)
	runs, packed := s.GetRuns(), s.GetIndices()
	switch {
	case len(kinds) == 0:
		return wrong("no palette")
	case len(runs) > 0:
		n := 0
		for i := 0; i+1 < len(runs); i += 2 {
			count, k := runs[i], runs[i+1]
			if int(k) >= len(kinds) || int(count) > len(out)-n {
				return wrong("a run of %d of kind %d; %d cells and %d kinds are left", count, k, len(out)-n, len(kinds))
			}
			for range count {
				out[n] = kinds[k]
				n++
			}
		}
		if n != len(out) {
			return wrong("runs of %d cells; want %d", n, len(out))
		}
	case len(kinds) == 1:
		for i := range out {
			out[i] = kinds[0]
		}
	default:
		width := 1
		for 1<<width < len(kinds) {
			width *= 2
		}
		if len(packed) != len(out)*width/8 {
			return wrong("%d bytes of indices; want %d", len(packed), len(out)*width/8)
		}
		for i := range out {
			bit := i * width
			k := int(packed[bit/8]) >> (bit % 8)
			if width == 16 {
				k |= int(packed[bit/8+1]) << 8
			}
			if k &= 1<<width - 1; k >= len(kinds) {
				return wrong("index %d of a palette of %d", k, len(kinds))
			}
			out[i] = kinds[k]
		}
	}
	w.sections[at] = out
	return nil
}

// world reads the blocks of a battle as they are now.
func (a *api) world(ctx context.Context, battle string, changes []*pb.BlockEdit) (*world, error) {
	ctx, stop := context.WithCancel(ctx) // of the export only the arena is wanted
	defer stop()
	s, err := a.replay.ExportBattle(ctx, &pb.ExportBattleRequest{BattleId: battle})
	if err != nil {
		return nil, err
	}
	w := &world{sections: map[place]*[section * section * section]uint16{}, changed: map[place]*pb.Block{}}
	for {
		r, err := s.Recv()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if err != nil || r.GetRecord().GetCommit() != nil {
			break
		}
		part := r.GetRecord().GetArena()
		if h := part.GetHeader(); h != nil {
			w.palette = h.GetPalette()
		}
		for _, sec := range part.GetSections().GetSections() {
			if err := w.add(sec); err != nil {
				return nil, err
			}
		}
	}
	for _, e := range changes {
		w.changed[placeOf(e.GetAt())] = e.GetBlock()
	}
	return w, nil
}
