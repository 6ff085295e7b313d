// Package blocks knows the usual blocks of Java edition, by the names of 1.13 and later and by the numbers before, and of Bedrock
// edition: their shapes, and what can be seen, shot and walked through. The tables are text files beside this one, made by
// generate.mjs; a server owner who disagrees with one of them edits the line.
package blocks

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	pb "autobattle/proto/autobattle/v1"
)

//go:embed java.txt
var javaText string

//go:embed numeric.txt
var numericText string

//go:embed bedrock.txt
var bedrockText string

// Table holds the blocks of all editions. It is immutable and safe for concurrent use.
type Table struct {
	java, bedrock []entry  // sorted by name
	numeric       []*entry // by number; nil where there is none
}

// Prop is a property of a block's state.
type Prop struct{ Name, Value string }

type entry struct {
	name   string
	block  *pb.Block // without boxes
	layout *layout
	lit    bool // gives light only while lit
}

// layout is how the shape depends on the properties.
type layout struct {
	props  []values
	shapes []shape // of each combination, the last property running fastest
}

type values struct {
	name string
	list []string
}

type shape []*pb.Box

// Load reads the tables.
func Load() (*Table, error) {
	t := &Table{}
	var err error
	if t.java, err = read("java.txt", javaText); err != nil {
		return nil, err
	}
	if t.bedrock, err = read("bedrock.txt", bedrockText); err != nil {
		return nil, err
	}
	numbered, err := read("numeric.txt", numericText)
	if err != nil {
		return nil, err
	}
	for i := range numbered {
		e := &numbered[i]
		number, name, _ := strings.Cut(e.name, " ")
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n > 4095 {
			return nil, fmt.Errorf("numeric.txt: block %q has no number from 0 to 4095", e.name)
		}
		if n >= len(t.numeric) {
			t.numeric = append(t.numeric, make([]*entry, n+1-len(t.numeric))...)
		}
		e.name, e.block.Name = name, prefix+name
		t.numeric[n] = e
	}
	return t, nil
}

const prefix = "minecraft:"

// Air returns air.
func Air() *pb.Block { return &pb.Block{Name: "air", Passes: 15} }

// Unknown returns what a block counts as that nothing is known of: an opaque, bullet-proof, unbreakable cube.
func Unknown(name string) *pb.Block {
	if name = strings.ToValidUTF8(name[:min(len(name), 250)], "?"); name == "" {
		name = "unnamed"
	}
	return &pb.Block{Name: name, Boxes: []*pb.Box{{X1: 16, Y1: 16, Z1: 16}}, Sight: pb.Sight_SIGHT_OPAQUE, BulletProof: true}
}

// Java returns a block of Java edition from 1.13 on, by its name, with or without "minecraft:"; false, and Unknown, for a name that
// the table does not have. A property that is not given counts as the first that it may be, an unknown one is left out.
func (t *Table) Java(name string, props []Prop) (*pb.Block, bool) { return find(t.java, name, props) }

// Bedrock returns a block of Bedrock edition; see Java.
func (t *Table) Bedrock(name string, props []Prop) (*pb.Block, bool) {
	return find(t.bedrock, name, props)
}

// Numeric returns a block of Java edition before 1.13, by its number and its four bits; false, and Unknown, for a number that the
// table does not have.
func (t *Table) Numeric(id, meta int) (*pb.Block, bool) {
	if id < 0 || id >= len(t.numeric) || t.numeric[id] == nil {
		return Unknown(fmt.Sprintf("block %d:%d", id, meta)), false
	}
	return t.numeric[id].state([]Prop{{"meta", strconv.Itoa(meta & 15)}}), true
}

// Named parses a name with its state, such as minecraft:oak_stairs[facing=east,half=bottom].
func Named(text string) (name string, props []Prop) {
	name, rest, ok := strings.Cut(text, "[")
	if !ok {
		return text, nil
	}
	for _, p := range strings.Split(strings.TrimSuffix(rest, "]"), ",") {
		if k, v, ok := strings.Cut(p, "="); ok {
			props = append(props, Prop{k, v})
		}
	}
	return name, props
}

// Names returns the number of names of Java edition, of numbers, and of names of Bedrock edition.
func (t *Table) Names() (java, numeric, bedrock int) {
	for _, e := range t.numeric {
		if e != nil {
			numeric++
		}
	}
	return len(t.java), numeric, len(t.bedrock)
}

func find(list []entry, name string, props []Prop) (*pb.Block, bool) {
	short := strings.TrimPrefix(name, prefix)
	i, ok := slices.BinarySearchFunc(list, short, func(e entry, n string) int { return strings.Compare(e.name, n) })
	if !ok {
		return Unknown(name), false
	}
	return list[i].state(props), true
}

func value(props []Prop, name string) (string, bool) {
	for _, p := range props {
		if p.Name == name {
			return p.Value, true
		}
	}
	return "", false
}

// state returns the block in a state.
func (e *entry) state(props []Prop) *pb.Block {
	switch e.name {
	case "air", "cave_air", "void_air":
		return Air()
	}
	at := 0
	for _, p := range e.layout.props {
		v, _ := value(props, p.name)
		// Walls once knew only whether they have an arm, not how high it is.
		i := slices.Index(p.list, v)
		if i < 0 && (v == "true" || v == "false") {
			i = max(0, slices.Index(p.list, map[string]string{"true": "low", "false": "none"}[v]))
		}
		at = at*len(p.list) + max(i, 0)
	}
	b := proto.CloneOf(e.block)
	for _, box := range e.layout.shapes[at] {
		b.Boxes = append(b.Boxes, proto.CloneOf(box))
	}
	whole := len(b.Boxes) == 1 && proto.Equal(b.Boxes[0], &pb.Box{X1: 16, Y1: 16, Z1: 16})
	if b.Sight == pb.Sight_SIGHT_OPAQUE && len(b.Boxes) > 0 {
		if whole {
			b.Passes = 0
		} else if b.Passes == 0 {
			b.Passes = 15
		}
	}
	if v, ok := value(props, "lit"); e.lit && ok && v != "true" {
		b.Emits = 0
	}
	if v, _ := value(props, "waterlogged"); v == "true" {
		if b.Medium == pb.Medium_MEDIUM_AIR {
			b.Medium = pb.Medium_MEDIUM_LIQUID
		}
		if b.Sight == pb.Sight_SIGHT_CLEAR {
			b.Sight = pb.Sight_SIGHT_DIM
		}
	}
	return b
}

// read parses a table. The list is sorted by name.
func read(file, text string) ([]entry, error) {
	var shapes []shape
	var layouts []*layout
	var out []entry
	for n, line := range strings.Split(text, "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		var err error
		switch kind {
		case "", "#":
		case "shape":
			err = next(&shapes, rest, readShape)
		case "layout":
			err = next(&layouts, rest, func(s string) (*layout, error) { return readLayout(s, shapes) })
		case "block":
			var e entry
			if e, err = readBlock(rest, layouts); err == nil {
				out = append(out, e)
			}
		default:
			err = fmt.Errorf("%q is neither shape, layout nor block", kind)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// next appends what is read from a line that begins with its own number.
func next[T any](to *[]T, line string, read func(string) (T, error)) error {
	number, rest, _ := strings.Cut(line, " ")
	if number != strconv.Itoa(len(*to)) {
		return fmt.Errorf("has the number %s; the next is %d", number, len(*to))
	}
	v, err := read(rest)
	*to = append(*to, v)
	return err
}

func readShape(line string) (shape, error) {
	var s shape
	for _, text := range strings.Fields(line) {
		var v [6]uint32
		parts := strings.Split(text, ",")
		for i := range v {
			n := uint64(17)
			if len(parts) == len(v) {
				n, _ = strconv.ParseUint(parts[i], 10, 8)
			}
			if n > 16 {
				return nil, fmt.Errorf("box %q is not six numbers from 0 to 16", text)
			}
			v[i] = uint32(n)
		}
		s = append(s, &pb.Box{X0: v[0], Y0: v[1], Z0: v[2], X1: v[3], Y1: v[4], Z1: v[5]})
	}
	return s, nil
}

func readLayout(line string, shapes []shape) (*layout, error) {
	l := &layout{}
	props, list, ok := strings.Cut(line, "|")
	if !ok {
		return nil, fmt.Errorf("layout %q has no |", line)
	}
	n := 1
	for _, p := range strings.Fields(props) {
		name, list, _ := strings.Cut(p, "=")
		v := values{name, strings.Split(list, ",")}
		l.props = append(l.props, v)
		n *= len(v.list)
	}
	for _, run := range strings.Fields(list) {
		at, times, many := strings.Cut(run, "*")
		i, err := strconv.Atoi(at)
		k := 1
		if many && err == nil {
			k, err = strconv.Atoi(times)
		}
		if err != nil || i < 0 || i >= len(shapes) || k < 1 || k > n {
			return nil, fmt.Errorf("%q is no shape that is known, nor a number of them", run)
		}
		for range k {
			l.shapes = append(l.shapes, shapes[i])
		}
	}
	if len(l.shapes) != n {
		return nil, fmt.Errorf("has %d shapes for %d combinations", len(l.shapes), n)
	}
	return l, nil
}

func readBlock(line string, layouts []*layout) (entry, error) {
	f := strings.Fields(line)
	var number string
	if len(f) > 0 && f[0][0] >= '0' && f[0][0] <= '9' {
		number, f = f[0]+" ", f[1:]
	}
	if len(f) != 8 && len(f) != 9 {
		return entry{}, fmt.Errorf("block %q has %d fields; it takes 8 or 9", line, len(f))
	}
	e := entry{name: number + f[0], block: &pb.Block{Name: prefix + f[0]}, lit: len(f) == 9}
	sight, ok1 := map[string]pb.Sight{"clear": pb.Sight_SIGHT_CLEAR, "dim": pb.Sight_SIGHT_DIM, "opaque": pb.Sight_SIGHT_OPAQUE}[f[1]]
	medium, ok2 := map[string]pb.Medium{"air": pb.Medium_MEDIUM_AIR, "liquid": pb.Medium_MEDIUM_LIQUID, "climb": pb.Medium_MEDIUM_CLIMBABLE,
		"hard": pb.Medium_MEDIUM_HARD_GOING, "very_hard": pb.Medium_MEDIUM_VERY_HARD_GOING}[f[3]]
	if !ok1 || !ok2 || f[2] != "proof" && f[2] != "soft" || e.lit && f[8] != "lit" {
		return entry{}, fmt.Errorf("block %q has a word that is not known", line)
	}
	var n [4]int
	for i, most := range [...]int{1 << 20, 15, 15, len(layouts) - 1} {
		v, err := strconv.Atoi(f[4+i])
		if err != nil || v < 0 || v > most {
			return entry{}, fmt.Errorf("block %q: %q is not a number from 0 to %d", line, f[4+i], most)
		}
		n[i] = v
	}
	e.block.Sight, e.block.BulletProof, e.block.Medium = sight, f[2] == "proof", medium
	e.block.Durability, e.block.Emits, e.block.Passes, e.layout = int32(n[0]), uint32(n[1]), uint32(n[2]), layouts[n[3]]
	return e, nil
}
