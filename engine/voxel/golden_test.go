package voxel

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// drawer draws numbers from a seed, the same on every machine.
type drawer uint64

func (d *drawer) n(limit int32) int32 {
	*d = *d*6364136223846793005 + 1442695040888963407
	return int32(uint64(*d) >> 33 % uint64(limit))
}

func (d *drawer) within(lo, hi int32) int32 { return lo + d.n(hi-lo+1) }

// scatter is a world of every kind of block, with rooms, pits and water.
func scatter(t testing.TB) *Overlay {
	d := drawer(2026)
	b := NewBuilder(Pos{-32, -16, -32}, Pos{4, 3, 4}).Fill(Pos{-32, -16, -32}, Pos{31, 0, 31}, FullCube("ground"))
	kinds := append(kindsForTests(), brittle("planks", 4), brittle("crate", 2),
		Block{Name: "scrub", Medium: HardGoing, Passes: 15}, Block{Name: "swamp", Medium: VeryHardGoing, Passes: 15})
	for range 900 {
		p := Pos{d.within(-30, 30), d.within(1, 6), d.within(-30, 30)}
		b.Set(p, kinds[d.n(int32(len(kinds)))])
	}
	for range 60 {
		p := Pos{d.within(-28, 20), d.within(-6, 3), d.within(-28, 20)}
		b.Fill(p, p.Add(Pos{d.n(7), d.n(4), d.n(7)}), kinds[d.n(int32(len(kinds)))])
	}
	var edits []Edit
	for range 80 {
		e := Edit{At: Pos{d.within(-30, 30), d.within(0, 6), d.within(-30, 30)}, Block: kinds[d.n(int32(len(kinds)))]}
		if e.Block.Durability > 0 {
			e.Wear = d.n(e.Block.Durability)
		}
		edits = append(edits, e)
	}
	o, err := mustBuild(t, b).With(edits)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// ask puts one query and writes the answer.
func ask(h hash.Hash, w World, d *drawer, i int) {
	grain := [...]int32{1, 16, 128, 256}[d.n(4)]
	point := func() Point {
		c := func(lo, hi int32) int32 { return d.within(lo*Unit/grain, hi*Unit/grain) * grain }
		return Point{c(-34, 34), c(-4, 12), c(-34, 34)}
	}
	figure := func() Figure {
		f := Figure{Pose: Pose{At: point(), Look: Look{d.within(-9, 9), d.within(-3, 3), d.within(-9, 9)}, Posture: Posture(d.n(3))}, Body: Human()}
		return f
	}
	say := func(values ...any) { fmt.Fprintln(h, append([]any{i}, values...)...) }
	a, b := figure(), figure()
	switch kind := i % 20; {
	case i%500 == 499:
		budget := Evenly(d.within(3, 9))
		budget.Jump, budget.Climb, budget.Drop = d.n(3), d.n(4), d.n(6)
		r := Reach(w, a, budget, func(p Pos) bool { return (p.X+p.Z)%7 == 0 })
		say("reach", r.Cells)
		if len(r.Cells) > 0 {
			say(r.Path(r.Cells[len(r.Cells)/2].Cell))
		}
	case i%500 == 249:
		say("blast", Explode(w, Blast{At: a.At.Block(), Power: d.within(2, 8), Fade: d.within(1, 2)}, []Figure{b, a}))
	case i%500 == 99:
		say("gas", Spread(w, a.At.Block(), d.within(1, 200)))
	case kind < 6:
		hit, ok := FirstHit(w, a.At, b.At, Filter(1+d.n(15)))
		if !ok {
			say("ray free")
			return
		}
		say("ray", hit.At, hit.Block.Name, hit.Num, hit.Den)
	case kind < 10:
		s := See(w, a, b, SightOptions{Others: []Figure{figure()}, Rigid: d.n(2) == 0})
		say("see", s)
	case kind == 10:
		say("sector", InSector(a.At, a.Look, b.At, Sector(d.n(7))), flank(a.At, a.Look, b.At))
	case kind == 11:
		say("distance", Distance(a, b), DistanceTo(a, b.At.Block()), Chebyshev(a.At.Block(), b.At.Block()))
	case kind == 12:
		say("light", w.Light(a.At.Block()), w.Block(a.At.Block()).Name)
	case kind < 15:
		var path []Pos
		p := a.At.Block()
		for range d.within(1, 4) {
			p = p.Add(Pos{d.within(-1, 1), d.within(-1, 1), d.within(-1, 1)})
			path = append(path, p)
		}
		walk, err := CheckPath(w, a, path, Evenly(9), nil)
		say("path", walk, err)
	case kind == 15:
		say("strike", Strike(w, a, Fan{Sector: Sector(d.n(7)), Far: d.within(0, 20), Stop: Filter(1 + d.n(15))}, []Figure{b, figure()}))
	case kind == 16:
		p, _, in := Solid(w, a)
		say("solid", p, in)
	case kind == 17:
		say("fall", Fall(w, a))
	case kind == 18:
		say("push", Push(w, a, d.within(-1, 1), d.within(-1, 1), d.within(1, 5), nil))
	default:
		say("open", Open(w, a.At, b, Filter(1+d.n(15))))
	}
}

// 100 000 queries of all kinds give the same answers on every machine, now and later. The golden file has a chained hash for every
// thousand; -update rewrites it.
func TestGolden(t *testing.T) {
	const queries, part = 100_000, 1000
	w := scatter(t)
	d := drawer(7)
	var chain [sha256.Size]byte
	var got strings.Builder
	for i := 0; i < queries; i += part {
		h := sha256.New()
		h.Write(chain[:])
		for j := i; j < i+part; j++ {
			ask(h, w, &d, j)
		}
		h.Sum(chain[:0])
		fmt.Fprintf(&got, "%d %x\n", i+part, binary.BigEndian.Uint64(chain[:]))
	}
	fmt.Fprintf(&got, "all %x\n", chain)
	file := filepath.Join("testdata", "golden.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(lines) || lines[i] != line {
			t.Fatalf("the answers differ in the thousand up to %s; the golden file has %q", line, lines[min(i, len(lines)-1)])
		}
	}
	fmt.Println("identical", queries)
}
