package wire

import (
	"fmt"
	"math/bits"

	"google.golang.org/protobuf/proto"

	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
)

// sectionCells is the number of blocks of a section.
const sectionCells = 16 * 16 * 16

// Upload collects the parts of an arena.
type Upload struct {
	bounds   voxel.Bounds
	palette  []voxel.Block
	sections []voxel.Section
	maxCells int64
}

// NewUpload begins an upload of at most maxCells cells. Refused, as *FieldError: corners that are missing or out of the world, a
// palette that is empty, too long, or has a block that the engine cannot use, or bounds of more cells.
func NewUpload(m *pb.ArenaHeader, maxCells int64) (*Upload, error) {
	r := reader{}
	u := need(&r, "header", m, (*reader).header)
	if r.err == nil {
		if lo, hi := u.bounds.Min, u.bounds.Max; lo.X >= hi.X || lo.Y >= hi.Y || lo.Z >= hi.Z {
			r.fail("header.max", "is %v; each coordinate must be greater than that of min, %v", hi, lo)
		} else if side := int64(hi.X-lo.X) * int64(hi.Z-lo.Z); side > maxCells || int64(hi.Y-lo.Y) > maxCells/side {
			r.fail("header.max", "is %v, with min %v more than the %d cells allowed", hi, lo, maxCells)
		}
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	u.maxCells = maxCells
	return u, nil
}

func (r *reader) header(m *pb.ArenaHeader) *Upload {
	const most = 65533
	u := &Upload{bounds: voxel.Bounds{Min: need(r, "min", m.Min, (*reader).cell), Max: need(r, "max", m.Max, (*reader).cell)}}
	if n := len(m.Palette); n == 0 || n > most {
		r.fail("palette", "has %d blocks; it must have 1 to %d", n, most)
	}
	u.palette = list(r, "palette", m.Palette, (*reader).validBlock)
	return u
}

// Add adds sections. The number of sections is bounded by the bounds; a *FieldError names what is wrong.
func (u *Upload) Add(ms []*pb.ArenaSection) error {
	r := reader{}
	most := u.bounds.Volume() / sectionCells
	if have := int64(len(u.sections) + len(ms)); have > most {
		r.fail("sections", "are %d; the bounds have room for %d", have, most)
		return r.done()
	}
	base := len(u.sections)
	for i, m := range ms {
		r.push("sections", base+i)
		if m == nil {
			r.fail("", "is missing")
		} else {
			u.sections = append(u.sections, r.section(m, u.palette))
		}
		r.pop()
		if r.err != nil {
			return r.done()
		}
	}
	return nil
}

// Build makes the arena. Errors of package voxel come as *FieldError.
func (u *Upload) Build() (*voxel.Arena, error) {
	a, err := voxel.NewArena(u.bounds, u.sections, u.maxCells)
	if bad, ok := err.(*voxel.InvalidError); ok {
		return nil, &FieldError{Field: bad.Field, Why: bad.Why}
	}
	return a, err
}

func (r *reader) section(m *pb.ArenaSection, palette []voxel.Block) voxel.Section {
	s := voxel.Section{At: need(r, "at", m.At, (*reader).cell)}
	if n := len(m.Palette); n == 0 || n > sectionCells {
		r.fail("palette", "has %d blocks; it must have 1 to %d", n, sectionCells)
		return s
	}
	s.Palette = make([]voxel.Block, len(m.Palette))
	for i, at := range m.Palette {
		if int64(at) >= int64(len(palette)) {
			r.fail(fmt.Sprintf("palette[%d]", i), "is %d; the header's palette has %d blocks", at, len(palette))
			return s
		}
		s.Palette[i] = palette[at]
	}
	switch {
	case len(m.Indices) > 0 && len(m.Runs) > 0:
		r.fail("runs", "are given beside indices; one of both is needed")
	case len(m.Runs) > 0:
		s.Indices = r.runs(m.Runs, len(m.Palette))
	default:
		s.Indices = clone(m.Indices)
	}
	return s
}

// width is the bits of an index into a palette of n blocks, as voxel.Section has them.
func width(n int) int {
	switch w := bits.Len(uint(n - 1)); {
	case w <= 2:
		return w
	case w <= 4:
		return 4
	case w <= 8:
		return 8
	}
	return 16
}

// runs makes packed indices of pairs of a count and an index.
func (r *reader) runs(runs []uint32, palette int) []byte {
	if len(runs)%2 != 0 {
		r.fail("runs", "are %d numbers; they come in pairs of a count and an index", len(runs))
		return nil
	}
	w := width(palette)
	out := make([]byte, sectionCells*w/8)
	next := 0
	for i := 0; i < len(runs); i += 2 {
		count, index := runs[i], runs[i+1]
		if int64(index) >= int64(palette) {
			r.fail(fmt.Sprintf("runs[%d]", i+1), "is %d; the section's palette has %d blocks", index, palette)
			return nil
		}
		if int64(count) > int64(sectionCells-next) {
			r.fail(fmt.Sprintf("runs[%d]", i), "is %d; only %d cells are left", count, sectionCells-next)
			return nil
		}
		for range count {
			pack(out, next, w, index)
			next++
		}
	}
	if next != sectionCells {
		r.fail("runs", "cover %d cells; a section has %d", next, sectionCells)
	}
	return out
}

// pack writes one index.
func pack(out []byte, cell, w int, index uint32) {
	switch w {
	case 0:
	case 16:
		out[2*cell], out[2*cell+1] = byte(index), byte(index>>8)
	default:
		bit := cell * w
		out[bit/8] |= byte(index << (bit % 8))
	}
}

// pool numbers the different blocks of an arena in the order in which they first occur.
type pool struct {
	blocks []voxel.Block
	at     map[string][]uint32 // by name; few blocks share one
}

func (p *pool) number(b *voxel.Block) uint32 {
	for _, n := range p.at[b.Name] {
		if p.blocks[n].Equal(b) {
			return n
		}
	}
	n := uint32(len(p.blocks))
	p.blocks = append(p.blocks, *b)
	p.at[b.Name] = append(p.at[b.Name], n)
	return n
}

// Arena makes the messages of an arena: what PutArena takes.
func Arena(a *voxel.Arena) (*pb.ArenaHeader, []*pb.ArenaSection) {
	p := pool{at: map[string][]uint32{}}
	sections := a.Sections()
	out := each(sections, func(m *pb.ArenaSection, s *voxel.Section) {
		m.At = Cell(s.At)
		m.Palette = make([]uint32, len(s.Palette))
		for i := range s.Palette {
			m.Palette[i] = p.number(&s.Palette[i])
		}
		if len(s.Indices) > 0 {
			m.Indices = s.Indices
		}
	})
	bounds := a.Bounds()
	return &pb.ArenaHeader{Min: Cell(bounds.Min), Max: Cell(bounds.Max), Palette: each(p.blocks, fillBlock)}, out
}

// EncodeArena encodes an arena for the store. Equal arenas give equal bytes.
func EncodeArena(a *voxel.Arena) ([]byte, error) {
	header, sections := Arena(a)
	m := &pb.StoredArena{Format: format, Min: header.Min, Max: header.Max, Palette: header.Palette}
	m.Sections = each(sections, func(m *pb.StoredSection, s **pb.ArenaSection) {
		m.Palette, m.Indices = (*s).Palette, (*s).Indices
	})
	data, err := marshal().Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode arena %s: %w", a.Hash(), err)
	}
	return data, nil
}

// DecodeArena reads a stored arena of at most maxCells cells.
func DecodeArena(data []byte, maxCells int64) (*voxel.Arena, error) {
	m := &pb.StoredArena{}
	if err := proto.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("decode arena: %w", err)
	}
	if m.Format != format {
		return nil, fmt.Errorf("decode arena: %w", &FieldError{Field: "format", Why: fmt.Sprintf("is %d; this server reads format %d", m.Format, format)})
	}
	u, err := NewUpload(&pb.ArenaHeader{Min: m.Min, Max: m.Max, Palette: m.Palette}, maxCells)
	if err != nil {
		return nil, fmt.Errorf("decode arena: %w", err)
	}
	size := voxel.Pos{X: (m.Max.X - m.Min.X) / 16, Y: (m.Max.Y - m.Min.Y) / 16, Z: (m.Max.Z - m.Min.Z) / 16}
	if n := int64(size.X) * int64(size.Y) * int64(size.Z); n != int64(len(m.Sections)) {
		return nil, fmt.Errorf("decode arena: %w", &FieldError{Field: "sections", Why: fmt.Sprintf("are %d; the bounds have %d", len(m.Sections), n)})
	}
	sections := make([]*pb.ArenaSection, len(m.Sections))
	for i, s := range m.Sections {
		n := int32(i)
		at := &pb.Cell{X: m.Min.X + n%size.X*16, Z: m.Min.Z + n/size.X%size.Z*16, Y: m.Min.Y + n/size.X/size.Z*16}
		sections[i] = &pb.ArenaSection{At: at, Palette: s.Palette, Indices: s.Indices}
	}
	if err := u.Add(sections); err != nil {
		return nil, fmt.Errorf("decode arena: %w", err)
	}
	a, err := u.Build()
	if err != nil {
		return nil, fmt.Errorf("decode arena: %w", err)
	}
	return a, nil
}
