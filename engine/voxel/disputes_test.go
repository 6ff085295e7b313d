package voxel

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// dispute is one situation of the file of disputes.
type dispute struct {
	seer, target Figure
	others       []Figure
	rigid        bool
	lamps        []lampAt
}

type lampAt struct {
	at    Pos
	level uint8
}

// put adds what a sign of a map stands for; false for one that is not known.
func (v *dispute) put(b *Builder, sign rune, at Pos) bool {
	box := func(name string, box Box) Block {
		k := FullCube(name)
		k.Boxes, k.Passes = []Box{box}, MaxLight
		return k
	}
	switch sign {
	case 's':
		v.seer = figureAt(at.X, 0, at.Z)
		v.seer.Look = Look{X: 1}
	case 't':
		v.target = figureAt(at.X, 0, at.Z)
		v.target.Look = Look{X: -1}
	case 'w':
		v.put(b, 't', at)
		v.put(b, '~', at)
		v.target.At.Y = -Unit
	case 'o':
		v.others = append(v.others, figureAt(at.X, 0, at.Z))
	case '#':
		b.Fill(at, at.Up(3), FullCube("wall"))
	case '2':
		b.Fill(at, at.Up(1), FullCube("wall"))
	case '=':
		b.Set(at, FullCube("low wall"))
	case '-':
		b.Set(at, Slab("slab"))
	case '^':
		b.Set(at, box("carpet", Box{X1: 16, Y1: 1, Z1: 16}))
	case 'G':
		b.Fill(at, at.Up(3), Glass())
	case '|':
		pane := box("pane", Box{X0: 7, X1: 9, Y1: 16, Z1: 16})
		pane.Sight = Clear
		b.Fill(at, at.Up(3), pane)
	case 'L':
		b.Fill(at, at.Up(3), Leaves())
	case 'f':
		b.Fill(at, at.Up(1), Fence("fence"))
	case '~':
		b.Fill(at.Up(-1), at, Water())
	case 'l':
		ladder := box("ladder", Box{X0: 13, X1: 16, Y1: 16, Z1: 16})
		ladder.Sight, ladder.BulletProof, ladder.Medium = Clear, false, Climbable
		b.Fill(at, at.Up(3), ladder)
	case 'T':
		b.Set(at.Up(1), Torch())
	case 'd':
		b.Fill(at, at.Up(1), box("door", Box{X1: 3, Y1: 16, Z1: 16})).Fill(at.Up(2), at.Up(3), FullCube("wall"))
	case 'D':
		b.Fill(at, at.Up(1), box("door", Box{X1: 16, Y1: 16, Z1: 3})).Fill(at.Up(2), at.Up(3), FullCube("wall"))
	case 'k':
		scaffold := Block{Name: "scaffold", Boxes: []Box{{Y0: 14, X1: 16, Y1: 16, Z1: 16}}, Sight: Dim, Medium: Climbable, Passes: MaxLight}
		b.Fill(at, at.Up(3), scaffold)
	case 'F':
		b.Set(at.Up(1), FullCube("beam"))
	case 'O':
		b.Set(at, FullCube("wall")).Set(at.Up(1), box("sill", Box{X1: 16, Y1: 6, Z1: 16})).Fill(at.Up(2), at.Up(3), FullCube("wall"))
	case 'S':
		b.Fill(at, at.Up(2), Block{Name: "smoke", Sight: Dim, Passes: 12})
	case '?':
		b.Fill(at, at.Up(3), FullCube("unloaded"))
	case '<', '>':
		b.Set(at, Stairs("stairs", Look{X: map[rune]int32{'<': -1, '>': 1}[sign]}))
	case 'u':
		b.Set(at.Up(2), box("roof", Box{Y0: 8, X1: 16, Y1: 16, Z1: 16}))
	case '.':
	default:
		return false
	}
	return true
}

// change does what a line below a map says.
func (v *dispute) change(t *testing.T, b *Builder, line string) {
	t.Helper()
	number := func(s string) int32 {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		return int32(n)
	}
	who, what, _ := strings.Cut(line, ": ")
	words := strings.Fields(what)
	var f *Figure
	switch who {
	case "seer":
		f = &v.seer
	case "target":
		f = &v.target
	case "other":
		f = &v.others[0]
	case "rigid":
		v.rigid = true
		return
	case "dark":
		b.Fill(Pos{-16, 6, -16}, Pos{31, 6, 31}, FullCube("roof"))
		return
	case "target looks":
		v.target.Look = Look{number(words[0]), number(words[1]), number(words[2])}
		return
	case "light":
		l := lampAt{level: uint8(number(words[0]))}
		switch words[1] {
		case "seer":
			l.at = v.seer.Head()
		case "target":
			l.at = v.target.Head()
		default:
			l.at = Pos{number(words[1]), number(words[2]), number(words[3])}
		}
		v.lamps = append(v.lamps, l)
		return
	default:
		t.Fatalf("what is %q?", line)
	}
	switch words[0] {
	case "crouching":
		f.Posture = Crouching
	case "prone":
		f.Posture = Prone
	case "giant":
		f.Body.Height[Standing], f.Body.Eye[Standing] = 3*Unit, 3*Unit-40
	case "up":
		f.At.Y += number(words[1]) * Unit
	case "east":
		f.At.X += number(words[1])
	case "west":
		f.At.X -= number(words[1]) * Unit
	case "south":
		f.At.Z += number(words[1])
	default:
		t.Fatalf("what is %q?", line)
	}
}

// answer says in words what See says.
func (v *dispute) answer(w World) string {
	s := See(w, v.seer, v.target, SightOptions{Others: v.others, Rigid: v.rigid})
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch {
	case !s.Visible():
		add("not seen")
	case s.Unseen == 0 && s.Dim == 0:
		add("seen")
	default:
		add("seen, but %d samples not and %d badly", s.Unseen, s.Dim)
	}
	switch {
	case !s.Open():
		add("no shot")
	case s.Covered():
		add("cover, %d samples behind what stops bullets", s.Hidden)
	case s.Hidden > 0:
		add("no cover, %d samples behind what stops bullets", s.Hidden)
	default:
		add("no cover")
	}
	for _, h := range s.Hiding {
		add("%s at %v before %d", h.Name, h.At, h.Count)
	}
	for _, b := range s.Bodies {
		add("a body before %d", b.Count)
	}
	if s.Lean != NoLean {
		add("leaning %s", [...]string{"", "left", "right", "up"}[s.Lean])
	}
	light := s.Light.At(15)
	for _, l := range v.lamps {
		light = max(light, Shine(w, l.at, l.level, v.target.Head()))
	}
	if light < 15 {
		add("light %d", light)
	}
	add("%d away, from his %s", s.Distance, [...]string{"no side", "front", "side", "rear"}[s.Exposed])
	return strings.Join(out, "\n") + "\n"
}

// Every situation of testdata/disputes.txt has the answer that stands below it. -update writes the answers anew; they are to be read.
func TestDisputes(t *testing.T) {
	file := filepath.Join("testdata", "disputes.txt")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(data), "\n== ")
	out := head
	n := 0
	for _, text := range strings.Split(rest, "\n== ") {
		name, text, _ := strings.Cut(text, "\n")
		given, want, ok := strings.Cut(text, "----\n")
		if !ok {
			t.Fatalf("%s: has no ----", name)
		}
		n++
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(Pos{-16, -16, -16}, Pos{3, 2, 3}).Fill(Pos{-16, -16, -16}, Pos{31, -1, 31}, FullCube("ground"))
			var v dispute
			var below []string
			z := int32(0)
			for _, line := range strings.Split(given, "\n") {
				switch {
				case strings.HasPrefix(line, "  "):
					for x, c := range line[2:] {
						if !v.put(b, c, Pos{int32(x), 0, z}) {
							t.Fatalf("what is %q?", c)
						}
					}
					z++
				case line != "":
					below = append(below, line)
				}
			}
			for _, line := range below {
				v.change(t, b, line)
			}
			got := v.answer(mustBuild(t, b))
			out += "\n== " + name + "\n" + given + "----\n" + got
			if !*update && strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("says\n%sshould be\n%s", got, strings.TrimSpace(want))
			}
		})
	}
	if n < 50 {
		t.Errorf("there are %d situations, at least 50 are promised", n)
	}
	if *update {
		if err := os.WriteFile(file, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
