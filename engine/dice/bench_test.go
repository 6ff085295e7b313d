package dice

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkFudge measures a provably fair 4dF: in sequence within one clock, with a new clock for every throw,
// for every second and every eighth; and, for a ratio in the same run, the same faces from an unkeyed PCG. The
// throw is made whole and its sum read; keeping a copy of it is the caller's own cost.
func BenchmarkFudge(b *testing.B) {
	for name, perClock := range map[string]uint64{"sequence": MaxPos + 1, "8 a clock": 8, "2 a clock": 2, "1 a clock": 1} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			s, f, sum := NewSeeded(seed()), FourFudge(0), int32(0)
			clock, pos := uint64(0), uint64(0)
			for b.Loop() {
				sum += s.Throw(At{Public, clock, int32(pos)}, f).Sum
				if pos++; pos == perClock {
					clock, pos = clock+1, 0
				}
			}
			sink = sum
		})
	}
	b.Run("sequence with percent", func(b *testing.B) {
		b.ReportAllocs()
		s, f, sum := NewSeeded(seed()), FourFudge(-50), int32(0)
		i := uint64(0)
		for b.Loop() {
			sum += s.Throw(At{Public, i >> 16, int32(i & MaxPos)}, f).Sum
			i++
		}
		sink = sum
	})
	b.Run("baseline PCG", func(b *testing.B) {
		b.ReportAllocs()
		gen, f, sum := rand.NewPCG(1, 2), FourFudge(0), int32(0)
		for b.Loop() {
			i, _ := place(gen.Uint64(), 8100)
			var t Throw
			t.set(&f, At{}, i)
			sum += t.Sum
		}
		sink = sum
	})
}

var sink int32
