// Package arenas reads worlds that others have built, region files of Java edition 1.8 to 1.21, .schem and .schematic, and makes the
// messages of them by which an arena is uploaded.
package arenas

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"autobattle/clients/arenas/blocks"
	pb "autobattle/proto/autobattle/v1"
)

// Pos is a block.
type Pos struct{ X, Y, Z int32 }

// Box is a box of blocks: Min is inside, Max is one beyond on each axis.
type Box struct{ Min, Max Pos }

// Empty says whether the box holds no block.
func (b Box) Empty() bool { return b.Min.X >= b.Max.X || b.Min.Y >= b.Max.Y || b.Min.Z >= b.Max.Z }

// Cells returns the number of blocks in the box.
func (b Box) Cells() int64 {
	if b.Empty() {
		return 0
	}
	return int64(b.Max.X-b.Min.X) * int64(b.Max.Y-b.Min.Y) * int64(b.Max.Z-b.Min.Z)
}

// String returns the two corners.
func (b Box) String() string {
	return fmt.Sprintf("%d,%d,%d to %d,%d,%d", b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z)
}

// maxKinds is how many kinds of blocks one upload may have, less a few; whatever comes after them counts as a full cube.
const maxKinds = 65500

const (
	side  = 16
	cells = side * side * side
)

// Model is a world that was read. What it does not hold is air beside what it does, unless it is a part of a world that goes on.
type Model struct {
	kinds    []*pb.Block // kinds[0] is air
	at       map[string]uint16
	sections map[Pos]*[cells]uint16 // by section coordinates
	columns  map[[2]int32]bool      // section columns that the source holds; nil when all else is air
	unknown  map[string]int
	bounds   Box // of all that is not air
}

// Unknown is a name of which the tables know nothing.
type Unknown struct {
	Name  string
	Count int // blocks with it; each counts as a full cube
}

func newModel() *Model {
	m := &Model{at: map[string]uint16{}, sections: map[Pos]*[cells]uint16{}, unknown: map[string]int{}}
	m.kind(blocks.Air())
	return m
}

// Bounds returns the least box around all blocks that are not air; empty where there are none.
func (m *Model) Bounds() Box { return m.bounds }

// Unknown returns the names that were not known, by name.
func (m *Model) Unknown() []Unknown {
	out := make([]Unknown, 0, len(m.unknown))
	for name, n := range m.unknown {
		out = append(out, Unknown{name, n})
	}
	slices.SortFunc(out, func(a, b Unknown) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Block returns the block at p. It is not to be changed.
func (m *Model) Block(p Pos) *pb.Block { return m.kinds[m.get(p)] }

// kind returns the number of a block.
func (m *Model) kind(b *pb.Block) uint16 {
	text, err := proto.MarshalOptions{Deterministic: true}.Marshal(b)
	if err != nil {
		panic(fmt.Sprintf("block %v cannot be written: %v", b, err))
	}
	if i, ok := m.at[string(text)]; ok {
		return i
	}
	if tooMany := "too many kinds"; len(m.kinds) >= maxKinds && b.Name != tooMany {
		return m.kind(blocks.Unknown(tooMany))
	}
	i := uint16(len(m.kinds))
	m.kinds = append(m.kinds, b)
	m.at[string(text)] = i
	return i
}

func sectionOf(p Pos) (Pos, int) {
	return Pos{p.X >> 4, p.Y >> 4, p.Z >> 4}, int(p.Y&15)<<8 | int(p.Z&15)<<4 | int(p.X&15)
}

func (m *Model) get(p Pos) uint16 {
	at, i := sectionOf(p)
	if s := m.sections[at]; s != nil {
		return s[i]
	}
	return 0
}

// set puts a kind at p.
func (m *Model) set(p Pos, kind uint16) {
	at, i := sectionOf(p)
	s := m.sections[at]
	if s == nil {
		if kind == 0 {
			return
		}
		s = new([cells]uint16)
		m.sections[at] = s
	}
	s[i] = kind
}

// measure works out the bounds.
func (m *Model) measure() {
	m.bounds = Box{}
	first := true
	for at, s := range m.sections {
		for i, k := range s {
			if k == 0 {
				continue
			}
			p := Pos{at.X*side + int32(i&15), at.Y*side + int32(i>>8), at.Z*side + int32(i>>4&15)}
			if first {
				m.bounds, first = Box{p, Pos{p.X + 1, p.Y + 1, p.Z + 1}}, false
				continue
			}
			b := &m.bounds
			b.Min = Pos{min(b.Min.X, p.X), min(b.Min.Y, p.Y), min(b.Min.Z, p.Z)}
			b.Max = Pos{max(b.Max.X, p.X+1), max(b.Max.Y, p.Y+1), max(b.Max.Z, p.Z+1)}
		}
	}
}

// Unloaded is the name of the blocks that fill what a world file lacks. They are full cubes.
const Unloaded = "unloaded"

// Arena makes the upload of a box, which is widened to whole sections of 16 blocks; what lies in them comes along. What the world
// file does not hold, because it was never loaded, becomes full cubes. Refused: an empty box, and one of more than maxCells cells.
func (m *Model) Arena(box Box, maxCells int64) (*pb.PutWholeArenaRequest, error) {
	if box.Empty() {
		return nil, fmt.Errorf("the box %v is empty; each side must go up", box)
	}
	lo := Pos{box.Min.X >> 4, box.Min.Y >> 4, box.Min.Z >> 4}
	hi := Pos{(box.Max.X + 15) >> 4, (box.Max.Y + 15) >> 4, (box.Max.Z + 15) >> 4}
	whole := Box{Pos{lo.X * side, lo.Y * side, lo.Z * side}, Pos{hi.X * side, hi.Y * side, hi.Z * side}}
	if n := whole.Cells(); n > maxCells {
		return nil, fmt.Errorf("the box %v, widened to %v, has %d cells; at most %d are allowed", box, whole, n, maxCells)
	}
	out := &pb.PutWholeArenaRequest{Header: &pb.ArenaHeader{Min: cell(whole.Min), Max: cell(whole.Max)}}
	number := make([]int, len(m.kinds)) // 1 + place in the header
	place := func(k uint16) uint32 {
		if number[k] == 0 {
			out.Header.Palette = append(out.Header.Palette, m.kinds[k])
			number[k] = len(out.Header.Palette)
		}
		return uint32(number[k] - 1)
	}
	unloaded := -1
	var air [cells]uint16
	for y := lo.Y; y < hi.Y; y++ {
		for z := lo.Z; z < hi.Z; z++ {
			for x := lo.X; x < hi.X; x++ {
				corner := cell(Pos{x * side, y * side, z * side})
				if m.columns != nil && !m.columns[[2]int32{x, z}] {
					if unloaded < 0 {
						unloaded = len(out.Header.Palette)
						out.Header.Palette = append(out.Header.Palette, blocks.Unknown(Unloaded))
					}
					out.Sections = append(out.Sections, &pb.ArenaSection{At: corner, Palette: []uint32{uint32(unloaded)}})
					continue
				}
				s := m.sections[Pos{x, y, z}]
				if s == nil {
					s = &air
				}
				out.Sections = append(out.Sections, pack(corner, s, place))
			}
		}
	}
	return out, nil
}

func cell(p Pos) *pb.Cell { return &pb.Cell{X: p.X, Y: p.Y, Z: p.Z} }

// pack makes a section of cells, as indices or as runs, whichever is shorter.
func pack(at *pb.Cell, s *[cells]uint16, place func(uint16) uint32) *pb.ArenaSection {
	out := &pb.ArenaSection{At: at}
	local := map[uint16]uint32{}
	index := make([]uint32, cells)
	var runs []uint32
	for i, k := range s {
		j, ok := local[k]
		if !ok {
			j = uint32(len(local))
			local[k] = j
			out.Palette = append(out.Palette, place(k))
		}
		index[i] = j
		if n := len(runs); n > 0 && runs[n-1] == j {
			runs[n-2]++
		} else {
			runs = append(runs, 1, j)
		}
	}
	if len(out.Palette) == 1 {
		return out
	}
	width := 1
	for 1<<width < len(out.Palette) {
		width *= 2
	}
	packed := make([]byte, cells/8*width)
	for i, j := range index {
		bit := i * width
		packed[bit/8] |= byte(j << (bit % 8))
		if width == 16 {
			packed[bit/8+1] = byte(j >> 8)
		}
	}
	out.Indices = packed
	byRuns := &pb.ArenaSection{At: at, Palette: out.Palette, Runs: runs}
	if len(runs) <= 8192 && proto.Size(byRuns) < proto.Size(out) {
		return byRuns
	}
	return out
}

// Stream cuts an upload into the messages of PutArena: the header, then the sections, at most so many in a message.
func Stream(whole *pb.PutWholeArenaRequest, sections int) []*pb.PutArenaRequest {
	sections = min(max(sections, 1), 4096)
	out := []*pb.PutArenaRequest{{Part: &pb.PutArenaRequest_Header{Header: whole.Header}}}
	for part := range slices.Chunk(whole.Sections, sections) {
		out = append(out, &pb.PutArenaRequest{Part: &pb.PutArenaRequest_Sections{Sections: &pb.ArenaSections{Sections: part}}})
	}
	return out
}

// named returns the kind of a block of Java edition by its name and state, and remembers those that are not known.
func (m *Model) named(t *blocks.Table, name string, props []blocks.Prop) (kind uint16, known bool) {
	b, ok := t.Java(name, props)
	return m.kind(b), ok
}

// trim shortens a name for an error.
func trim(name string) string { return strings.ToValidUTF8(name[:min(len(name), 80)], "?") }
