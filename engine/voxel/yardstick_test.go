package voxel

import (
	"math/rand/v2"
	"testing"
)

// The yardstick is the plainest walk there is: full cubes in one flat array of bits, from the middle of a block to the middle of
// a block, nothing exact about corners, boxes or borders. The benchmark runs it beside FirstHit on the same world and ways.
type yardstick struct {
	side, height int
	bits         []uint64
}

func (y *yardstick) index(p Pos) int { return (int(p.Y)*y.side+int(p.Z))*y.side + int(p.X) }

func (y *yardstick) set(p Pos) { i := y.index(p); y.bits[i>>6] |= 1 << (i & 63) }

func (y *yardstick) blocked(from, to Pos) bool {
	ax, ay, az := int(to.X-from.X), int(to.Y-from.Y), int(to.Z-from.Z)
	i := y.index(from)
	sx, sy, sz := 1, y.side*y.side, y.side
	if ax < 0 {
		ax, sx = -ax, -sx
	}
	if ay < 0 {
		ay, sy = -ay, -sy
	}
	if az < 0 {
		az, sz = -az, -sz
	}
	const never = 1 << 61
	ex, ey, ez := max(ay, 1)*max(az, 1), max(ax, 1)*max(az, 1), max(ax, 1)*max(ay, 1)
	dx, dy, dz := 2*ex, 2*ey, 2*ez
	if ax == 0 {
		ex = never
	}
	if ay == 0 {
		ey = never
	}
	if az == 0 {
		ez = never
	}
	for n := ax + ay + az; ; n-- {
		if y.bits[uint(i)>>6]>>(uint(i)&63)&1 != 0 {
			return true
		}
		if n == 0 {
			return false
		}
		if ex < ey {
			if ex < ez {
				i += sx
				ex += dx
			} else {
				i += sz
				ez += dz
			}
		} else if ey < ez {
			i += sy
			ey += dy
		} else {
			i += sz
			ez += dz
		}
	}
}

// hilly is a world of 256 × 128 × 256 with rolling ground and pillars, and ways of 64 blocks that begin a man's height above
// the ground and run mostly level.
func hilly(b *testing.B) (*Arena, *yardstick, [][2]Point) {
	const side, height = 256, 128
	y := &yardstick{side, height, make([]uint64, side*side*height/64)}
	top := func(x, z int32) int32 {
		wave := func(v, period int32) int32 { v %= period; return min(v, period-v) }
		h := 40 + wave(x, 120)/2 + wave(z, 144)/2 + wave(x+z, 44)/2
		if x%24 < 3 && z%24 < 3 {
			h += 14
		}
		return h
	}
	build := NewBuilder(Pos{}, Pos{side / 16, height / 16, side / 16})
	stone := FullCube("stone")
	for x := range int32(side) {
		for z := range int32(side) {
			build.Fill(Pos{x, 0, z}, Pos{x, top(x, z), z}, stone)
			for h := range top(x, z) + 1 {
				y.set(Pos{x, h, z})
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 9))
	ways := make([][2]Point, 0, 4096)
	for len(ways) < cap(ways) {
		d := [3]float64{r.NormFloat64(), r.NormFloat64() * 0.15, r.NormFloat64()}
		n := 64 * Unit / float64(root(uint64((d[0]*d[0]+d[1]*d[1]+d[2]*d[2])*1e12))) * 1e6
		x, z := 64*Unit+r.Int32N(128*Unit), 64*Unit+r.Int32N(128*Unit)
		if (x>>8)%24 < 3 && (z>>8)%24 < 3 {
			continue // inside of a pillar
		}
		from := Point{x, top(x>>8, z>>8)*Unit + 2*Unit + 159, z}
		to := from.Add(Point{int32(d[0] * n), int32(d[1] * n), int32(d[2] * n)})
		if to.Y>>8 < height && to.Y >= 0 {
			ways = append(ways, [2]Point{from, to})
		}
	}
	return mustBuild(b, build), y, ways
}

// BenchmarkRays walks over the same 4096 ways of 64 blocks with FirstHit and with the yardstick, in turns, and reports how many
// of each a second takes.
func BenchmarkRays(b *testing.B) {
	a, y, ways := hilly(b)
	b.Run("FirstHit", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			w := &ways[i&4095]
			FirstHit(a, w[0], w[1], Views)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
	})
	b.Run("yardstick", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			w := &ways[i&4095]
			y.blocked(w[0].Block(), w[1].Block())
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
	})
}
