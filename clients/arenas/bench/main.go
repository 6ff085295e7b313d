// Command bench measures the voxel engine on this machine and prints ratios and times, one a line:
//
//	rays ratio R      rays a second over the faster of two npm ray walkers, on the same ways, in turns, in one run
//	sight us U        what one body sees of another, 32 blocks away
//	region us U       where a runner of 20 blocks may go
//	relight us U      the light after one block changed
//	flood ms M        the light of 128 x 64 x 128 from nothing
//	ray blocks N ns T the cost of an open ray by its length
//
// The packages are found from the working folder; bench.sh installs them.
package main

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"autobattle/clients/arenas"
	"autobattle/clients/arenas/blocks"
	"autobattle/engine/voxel"
	"autobattle/proto/wire"
)

func main() {
	script := flag.String("peers", "", "the script of the npm peers; empty: leave them out")
	earthborn := flag.String("arena", "", "a world to measure sight in; empty: hills")
	rounds := flag.Int("rounds", 7, "rounds, of which the median counts")
	flag.Parse()
	if err := run(*script, *earthborn, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(script, world string, rounds int) error {
	if err := rays(script, rounds); err != nil {
		return fmt.Errorf("rays: %w", err)
	}
	a, pairs, err := place(world)
	if err != nil {
		return fmt.Errorf("arena %s: %w", world, err)
	}
	i := 0
	fmt.Printf("sight us %.2f\n", 1e6*median(rounds, 2000, func() {
		p := &pairs[i%len(pairs)]
		voxel.See(a, p[0], p[1], voxel.SightOptions{})
		i++
	}))
	hills, start := ground()
	fmt.Printf("region us %.0f\n", 1e6*median(rounds, 50, func() { voxel.Reach(hills, start, voxel.Evenly(20), nil) }))
	lamp := []voxel.Edit{{At: start.At.Block(), Block: voxel.Lamp()}}
	fmt.Printf("relight us %.0f\n", 1e6*median(rounds, 100, func() {
		if _, err := hills.With(lamp); err != nil {
			panic(err)
		}
	}))
	sections := hills.Sections()
	fmt.Printf("flood ms %.1f\n", 1e3*median(rounds, 1, func() {
		if _, err := voxel.NewArena(hills.Bounds(), sections, 1<<24); err != nil {
			panic(err)
		}
	}))
	from := voxel.Point{X: 100, Y: 60 * voxel.Unit, Z: 90}
	for _, n := range []int32{16, 32, 64, 128} {
		to := from.Add(voxel.Point{X: n * 4 * voxel.Unit / 5, Y: -n * voxel.Unit / 20, Z: n * 3 * voxel.Unit / 5})
		fmt.Printf("ray blocks %d ns %.0f\n", n, 1e9*median(rounds, 20000, func() { voxel.FirstHit(hills, from, to, voxel.Views) }))
	}
	return nil
}

// median returns the median of the seconds that f takes, by rounds of so many calls.
func median(rounds, calls int, f func()) float64 {
	v := make([]float64, rounds)
	for i := range v {
		v[i] = seconds(calls, f)
	}
	return middle(v)
}

func seconds(calls int, f func()) float64 {
	begin := time.Now()
	for range calls {
		f()
	}
	return time.Since(begin).Seconds() / float64(calls)
}

func middle(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// The world of the rays: 512 × 512 columns of rolling ground with pillars, of which the lowest blocks are at y = 0.
const (
	side   = 512
	height = 128
	far    = 64
)

func wave(v, period int32) int32 { v %= period; return min(v, period-v) }

// top is the height of the ground.
func top(x, z int32) int32 {
	h := int32(64 + 14*math.Sin(float64(x)/19) + 14*math.Cos(float64(z)/23) + 5*math.Sin(float64(x+z)/7))
	if x%24 < 3 && z%24 < 3 {
		h += 14
	}
	return h
}

// rays measures rays of 64 blocks that begin at the eyes of somebody on the ground and run mostly level.
func rays(script string, rounds int) error {
	build := voxel.NewBuilder(voxel.Pos{}, voxel.Pos{X: side / 16, Y: height / 16, Z: side / 16})
	bits := make([]uint64, side*side*height/64)
	for x := range int32(side) {
		for z := range int32(side) {
			build.Fill(voxel.Pos{X: x, Z: z}, voxel.Pos{X: x, Y: top(x, z), Z: z}, voxel.FullCube("stone"))
			for y := range int(top(x, z)) + 1 {
				i := (y*side+int(z))*side + int(x)
				bits[i>>6] |= 1 << (i & 63)
			}
		}
	}
	a, err := build.Build()
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(3, 9))
	var ways [][2]voxel.Point
	var floats []float64
	for len(ways) < 10000 {
		d := [3]float64{r.NormFloat64(), r.NormFloat64() * 0.15, r.NormFloat64()}
		n := math.Sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])
		x, z := 128*voxel.Unit+r.Int32N(256*voxel.Unit), 128*voxel.Unit+r.Int32N(256*voxel.Unit)
		if (x>>8)%24 < 3 && (z>>8)%24 < 3 {
			continue // inside of a pillar
		}
		from := voxel.Point{X: x, Y: top(x>>8, z>>8)*voxel.Unit + 2*voxel.Unit + 159, Z: z}
		step := func(i int) int32 { return int32(d[i] / n * far * voxel.Unit) }
		to := from.Add(voxel.Point{X: step(0), Y: step(1), Z: step(2)})
		if to.Y>>8 >= height || to.Y < 0 {
			continue
		}
		ways = append(ways, [2]voxel.Point{from, to})
		floats = append(floats, float64(from.X)/256, float64(from.Y)/256, float64(from.Z)/256, d[0]/n, d[1]/n, d[2]/n)
	}
	hits, calls := 0, 0
	ours := func() float64 {
		return float64(len(ways)) / seconds(1, func() {
			calls++
			for i := range ways {
				if _, ok := voxel.FirstHit(a, ways[i][0], ways[i][1], voxel.Views); ok {
					hits++
				}
			}
		})
	}
	if script == "" {
		v := make([]float64, rounds)
		for i := range v {
			v[i] = ours()
		}
		fmt.Printf("rays per second %.0f\n", middle(v))
		return nil
	}
	peers, err := newPeers(script, bits, floats)
	if err != nil {
		return err
	}
	defer peers.close()
	names := []string{"fast-voxel-raycast", "prismarine-world"}
	var mine []float64
	theirs := make([][]float64, len(names))
	for range rounds {
		mine = append(mine, middle([]float64{ours(), ours(), ours(), ours(), ours()}))
		for i, n := range names {
			v, err := peers.ask(n)
			if err != nil {
				return err
			}
			theirs[i] = append(theirs[i], v)
		}
	}
	fastest := 0.0
	for i, n := range names {
		m := middle(theirs[i])
		fmt.Printf("%s rays per second %.0f\n", n, m)
		fastest = max(fastest, m)
	}
	m := middle(mine)
	fmt.Printf("rays per second %.0f, %.2f of them hit\n", m, float64(hits)/float64(calls*len(ways)))
	fmt.Printf("rays ratio %.2f\n", m/fastest)
	// What each does undisturbed, on a machine with other work.
	fmt.Printf("rays ratio of the best rounds %.2f\n", slices.Max(mine)/max(slices.Max(theirs[0]), slices.Max(theirs[1])))
	return nil
}

// peers is the process that walks with other packages.
type peers struct {
	cmd *exec.Cmd
	in  *os.File
	out *bufio.Scanner
	dir string
}

func newPeers(script string, bits []uint64, floats []float64) (*peers, error) {
	dir, err := os.MkdirTemp("", "rays")
	if err != nil {
		return nil, err
	}
	for name, v := range map[string]any{"world": bits, "rays": floats} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if err := binary.Write(f, binary.LittleEndian, v); err != nil {
			return nil, err
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &peers{cmd: exec.Command("node", script, dir, strconv.Itoa(side), strconv.Itoa(far)), in: w, dir: dir}
	p.cmd.Stdin, p.cmd.Stderr = r, os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	return p, p.cmd.Start()
}

func (p *peers) ask(name string) (float64, error) {
	fmt.Fprintln(p.in, name)
	if !p.out.Scan() {
		return 0, fmt.Errorf("the peers ended: %v", p.out.Err())
	}
	v, _, _ := strings.Cut(p.out.Text(), " ")
	return strconv.ParseFloat(v, 64)
}

func (p *peers) close() {
	p.in.Close()
	p.cmd.Wait()
	os.RemoveAll(p.dir)
}

func human(at voxel.Point) voxel.Figure {
	return voxel.Figure{Pose: voxel.Pose{At: at, Look: voxel.Look{Z: -1}}, Body: voxel.Human()}
}

// ground is a box of 128 × 64 × 128 with rolling ground, and somebody in its middle.
func ground() (*voxel.Arena, voxel.Figure) {
	at := func(x, z int32) int32 { return 8 + wave(x, 34)/2 + wave(z+9, 46)/3 + wave(x+2*z, 22)/3 }
	b := voxel.NewBuilder(voxel.Pos{}, voxel.Pos{X: 8, Y: 4, Z: 8})
	for x := range int32(128) {
		for z := range int32(128) {
			b.Fill(voxel.Pos{X: x, Z: z}, voxel.Pos{X: x, Y: at(x, z), Z: z}, voxel.FullCube("stone"))
		}
	}
	a, err := b.Build()
	if err != nil {
		panic(err)
	}
	return a, human(voxel.Pos{X: 64, Y: at(64, 64) + 1, Z: 64}.Floor())
}

// place returns an arena with pairs of people in it, 32 blocks apart.
func place(world string) (*voxel.Arena, [][2]voxel.Figure, error) {
	a, _ := ground()
	if world == "" {
		fmt.Println("sight in hills: no arena is given")
	} else {
		t, err := blocks.Load()
		if err != nil {
			return nil, nil, err
		}
		m, err := arenas.Open(os.DirFS(world), ".", t)
		if err != nil {
			return nil, nil, err
		}
		req, err := m.Arena(m.Bounds(), 1<<26)
		if err != nil {
			return nil, nil, err
		}
		u, err := wire.NewUpload(req.Header, 1<<26)
		if err != nil {
			return nil, nil, err
		}
		if err := u.Add(req.Sections); err != nil {
			return nil, nil, err
		}
		if a, err = u.Build(); err != nil {
			return nil, nil, err
		}
	}
	// Everybody stands where there is room and a floor; what is between them is as it comes.
	r := rand.New(rand.NewPCG(5, 5))
	b := a.Bounds()
	var pairs [][2]voxel.Figure
	stand := func() voxel.Figure {
		for {
			f := human(voxel.Pos{X: b.Min.X + r.Int32N(b.Max.X-b.Min.X), Y: b.Min.Y + r.Int32N(b.Max.Y-b.Min.Y), Z: b.Min.Z + r.Int32N(b.Max.Z-b.Min.Z)}.Floor())
			land := voxel.Fall(a, f)
			if f.At = land.At; land.Into == voxel.Air && f.At.Y > b.Min.Y*voxel.Unit {
				if _, _, in := voxel.Solid(a, f); !in {
					return f
				}
			}
		}
	}
	seen := 0
	for len(pairs) < 512 {
		p := [2]voxel.Figure{stand(), stand()}
		if d := voxel.Distance(p[0], p[1]); d < 30 || d > 34 {
			continue
		}
		// Half of the pairs see each other.
		if voxel.CanSee(a, p[0], p[1]) != (seen*2 <= len(pairs)) {
			continue
		}
		if seen*2 <= len(pairs) {
			seen++
		}
		pairs = append(pairs, p)
	}
	return a, pairs, nil
}
