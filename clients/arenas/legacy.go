package arenas

import (
	"fmt"
	"slices"

	"autobattle/clients/arenas/blocks"
)

// legacy is a world of numbers, from before 1.13, before its blocks are looked up: some of them look at their neighbours first.
type legacy struct {
	sections map[Pos]*[cells]uint16 // number << 4 | four bits
}

func newLegacy() *legacy { return &legacy{sections: map[Pos]*[cells]uint16{}} }

func (l *legacy) get(p Pos) (id, meta int) {
	at, i := sectionOf(p)
	if s := l.sections[at]; s != nil {
		return int(s[i] >> 4), int(s[i] & 15)
	}
	return 0, 0
}

func (l *legacy) put(p Pos, v uint16) {
	at, i := sectionOf(p)
	if l.sections[at] == nil {
		l.sections[at] = new([cells]uint16)
	}
	l.sections[at][i] = v
}

// section reads a section of a region file.
func (l *legacy) section(at Pos, s compound) error {
	ids, meta, more := s.bytes("Blocks"), s.bytes("Data"), s.bytes("Add")
	if len(ids) != cells || len(meta) != cells/2 || more != nil && len(more) != cells/2 {
		return fmt.Errorf("has %d blocks and %d data; it takes %d and %d", len(ids), len(meta), cells, cells/2)
	}
	half := func(b []byte, i int) uint16 { return uint16(b[i/2]>>(4*(i&1))) & 15 }
	out := new([cells]uint16)
	for i, id := range ids {
		v := uint16(id)<<4 | half(meta, i)
		if more != nil {
			v |= half(more, i) << 12
		}
		out[i] = v
	}
	l.sections[at] = out
	return nil
}

// Blocks with arms towards their neighbours, and what they are called since 1.13.
var armed = map[int]struct{ name, kin string }{
	85: {"oak_fence", "wood"}, 188: {"spruce_fence", "wood"}, 189: {"birch_fence", "wood"}, 190: {"jungle_fence", "wood"},
	191: {"dark_oak_fence", "wood"}, 192: {"acacia_fence", "wood"}, 113: {"nether_brick_fence", "nether"},
	101: {"iron_bars", "pane"}, 102: {"glass_pane", "pane"}, 160: {"white_stained_glass_pane", "pane"}, 139: {"cobblestone_wall", "wall"},
}

// Gates, to which fences and walls reach.
var gates = []int{107, 183, 184, 185, 186, 187}

// Doors, of which the lower half knows where they face and whether they are open, and the upper half their hinge.
var doors = map[int]string{64: "oak_door", 71: "iron_door", 193: "spruce_door", 194: "birch_door", 195: "jungle_door", 196: "acacia_door", 197: "dark_oak_door"}

// finish looks every block up and puts it into m.
func (l *legacy) finish(m *Model, t *blocks.Table) {
	order := make([]Pos, 0, len(l.sections))
	for at := range l.sections {
		order = append(order, at)
	}
	slices.SortFunc(order, func(a, b Pos) int { return slices.Compare([]int32{a.Y, a.Z, a.X}, []int32{b.Y, b.Z, b.X}) })
	var kinds [1 << 16]uint16 // 1 + kind
	for _, at := range order {
		var out [cells]uint16
		for i, v := range l.sections[at] {
			id := int(v >> 4)
			if id == 0 {
				continue
			}
			p := Pos{at.X*side + int32(i&15), at.Y*side + int32(i>>8), at.Z*side + int32(i>>4&15)}
			if a, ok := armed[id]; ok {
				out[i], _ = m.named(t, a.name, l.arms(p, a.kin, t))
				continue
			}
			if d, ok := doors[id]; ok {
				out[i], _ = m.named(t, d, l.door(p))
				continue
			}
			if kinds[v] == 0 {
				b, _ := t.Numeric(id, int(v&15))
				kinds[v] = 1 + m.kind(b)
			}
			out[i] = kinds[v] - 1
			if b := m.kinds[out[i]]; !known(t, id, int(v&15)) {
				m.unknown[b.Name]++
			}
		}
		if out != ([cells]uint16{}) {
			m.sections[at] = &out
		}
	}
}

func known(t *blocks.Table, id, meta int) bool {
	_, ok := t.Numeric(id, meta)
	return ok
}

// arms returns the sides to which a fence, a pane or a wall reaches: to its like, to gates, and to whole opaque blocks.
func (l *legacy) arms(p Pos, kin string, t *blocks.Table) []blocks.Prop {
	var out []blocks.Prop
	n := 0
	for _, s := range [...]struct {
		name   string
		dx, dz int32
	}{{"north", 0, -1}, {"south", 0, 1}, {"west", -1, 0}, {"east", 1, 0}} {
		id, meta := l.get(Pos{p.X + s.dx, p.Y, p.Z + s.dz})
		reach := armed[id].kin == kin || kin != "pane" && slices.Contains(gates, id)
		if !reach && id != 0 {
			b, _ := t.Numeric(id, meta)
			reach = len(b.Boxes) == 1 && b.Passes == 0 || kin == "pane" && (id == 20 || id == 95)
		}
		v := "false"
		if reach {
			v = "true"
			n++
		}
		out = append(out, blocks.Prop{Name: s.name, Value: v})
	}
	up := "true"
	if kin == "wall" && n == 2 && (out[0].Value == out[1].Value) {
		if above, _ := l.get(Pos{p.X, p.Y + 1, p.Z}); above == 0 {
			up = "false"
		}
	}
	return append(out, blocks.Prop{Name: "up", Value: up})
}

// door puts the two halves of a door together.
func (l *legacy) door(p Pos) []blocks.Prop {
	id, lower := l.get(p)
	half := "lower"
	upper := 0
	if lower&8 != 0 {
		half, upper = "upper", lower
		lower = 0
		if below, meta := l.get(Pos{p.X, p.Y - 1, p.Z}); below == id {
			lower = meta
		}
	} else if above, meta := l.get(Pos{p.X, p.Y + 1, p.Z}); above == id {
		upper = meta
	}
	pick := func(yes bool, a, b string) string {
		if yes {
			return a
		}
		return b
	}
	return []blocks.Prop{
		{Name: "half", Value: half},
		{Name: "facing", Value: [...]string{"east", "south", "west", "north"}[lower&3]},
		{Name: "open", Value: pick(lower&4 != 0, "true", "false")},
		{Name: "hinge", Value: pick(upper&1 != 0, "right", "left")},
	}
}
