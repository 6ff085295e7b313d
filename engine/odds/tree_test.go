package odds

import (
	"cmp"
	"errors"
	"testing"

	"autobattle/engine/dice"

	"pgregory.net/rapid"
)

// two plays two throws of f and adds up the one that pick prefers.
func two(t *testing.T, f dice.Formula, want int32) *Spread[class] {
	t.Helper()
	got := NewSpread(func(a, b class) int { return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.critical, b.critical)) })
	err := Walk(1000, func(tree *Tree) {
		first, second := tree.Throw(dice.At{}, f), tree.Throw(dice.At{Pos: 1}, f)
		if (second.Sum-first.Sum)*want > 0 {
			first = second
		}
		got.Add(classOf(first), tree.Chance())
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestBestAndWorst compares the direct way with a walk over both throws (KM-ADV-01, -02, -03).
func TestBestAndWorst(t *testing.T) {
	for _, f := range []dice.Formula{dice.FourFudge(0), dice.FourFudge(25), dice.FourFudge(-99), dice.Dice(2, 6), dice.Dice(1, 1)} {
		for want, d := range map[int32]Dist{1: Best(Throws(f)), -1: Worst(Throws(f))} {
			walked := two(t, f, want)
			if !walked.Total().IsCertain() {
				t.Errorf("%s: all ways add up to %s", f, walked.Total())
			}
			if len(walked.Rows()) != len(d.Outcomes) {
				t.Errorf("%s: %d classes, walked %d", f, len(d.Outcomes), len(walked.Rows()))
			}
			total := uint64(0)
			for i, o := range d.Outcomes {
				total += o.Weight
				if w := walked.Of(classOf(o.Throw)); d.Chance(i).Cmp(w) != 0 {
					t.Errorf("%s: %s comes with %s, walked %s", f, o.Throw, d.Chance(i), w)
				}
			}
			if total != d.Total {
				t.Errorf("%s: weights add up to %d of %d", f, total, d.Total)
			}
		}
	}
	if got := Best(Throws(dice.FourFudge(0))).AtLeast(4).String(); got != "161/6561" {
		t.Errorf("best of two is ++++ with %s, want 161/6561", got)
	}
	mustPanic(t, func() { Best(Throws(dice.Dice(8, 181))) })
}

// TestWalkOrder shows every way of a small game: a coin, and a second one after a one.
func TestWalkOrder(t *testing.T) {
	coin := dice.Dice(1, 2)
	got := ""
	err := Walk(3, func(tree *Tree) {
		at := dice.At{Stream: dice.Hidden, Clock: 7}
		first := tree.Throw(at, coin)
		if first.At != at {
			t.Errorf("thrown at %s, want %s", first.At, at)
		}
		got += first.Script()
		if first.Sum == 1 {
			second := tree.Throw(at, coin)
			got += second.Script()
		}
		got += ":" + tree.Chance().String() + " "
	})
	if want := "11:1/4 12:1/4 2:1/2 "; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

func TestWalkWithoutThrows(t *testing.T) {
	ways := 0
	err := Walk(1, func(tree *Tree) {
		ways++
		if !tree.Chance().IsCertain() {
			t.Errorf("the only way has %s", tree.Chance())
		}
	})
	if ways != 1 || err != nil {
		t.Errorf("%d ways, %v", ways, err)
	}
}

func TestWalkLimits(t *testing.T) {
	ways := 0
	coin := func(tree *Tree) { ways++; tree.Throw(dice.At{}, dice.Dice(1, 2)) }
	if err := Walk(2, coin); err != nil || ways != 2 {
		t.Errorf("two of two ways: played %d, %v", ways, err)
	}
	ways = 0
	if err := Walk(1, coin); !errors.Is(err, ErrTooMany) || ways != 1 {
		t.Errorf("one of two ways: played %d, %v", ways, err)
	}
	if err := Walk(0, coin); !errors.Is(err, ErrTooMany) || ways != 1 {
		t.Errorf("no way: played %d, %v", ways, err)
	}
	throws := 0
	endless := func(tree *Tree) {
		for tree.Throw(dice.At{}, dice.Dice(1, 2)).Sum < 3 {
			throws++
		}
	}
	if err := Walk(10, endless); !errors.Is(err, ErrTooMany) || throws != maxDepth {
		t.Errorf("without end: %d throws, %v", throws, err)
	}
}

func TestWalkNeedsTheSameRun(t *testing.T) {
	calls := 0
	mustPanic(t, func() {
		_ = Walk(9, func(tree *Tree) { calls++; tree.Throw(dice.At{}, dice.Dice(1, 2+int32(calls))) })
	})
	calls = 0
	mustPanic(t, func() {
		_ = Walk(9, func(tree *Tree) {
			if calls++; calls == 1 {
				tree.Throw(dice.At{}, dice.Dice(1, 2))
			}
		})
	})
	mustPanic(t, func() { _ = Walk(9, func(*Tree) { panic("of run itself") }) })
}

// TestWalkOwnsCuts changes the cuts after a throw.
func TestWalkOwnsCuts(t *testing.T) {
	ways := 0
	err := Walk(10, func(tree *Tree) {
		cuts := []int32{50}
		tree.Throw(dice.At{}, dice.Percentile(cuts...))
		cuts[0] = 60
		ways++
	})
	if err != nil || ways != 2 {
		t.Errorf("%d ways, %v", ways, err)
	}
}

// TestWalkAddsUp plays any game whose next throw depends on all before: the chances of its ways add up to 1, and
// each way has the chance of its own throws.
func TestWalkAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(0, 3).Draw(t, "depth")
		salt := rapid.Int32Range(0, 1000).Draw(t, "salt")
		total := Chance{}
		err := Walk(100_000, func(tree *Tree) {
			seen, want := salt, Certain()
			for range depth {
				f := [...]dice.Formula{dice.FourFudge(seen % 100), dice.Percentile(10, 20+seen%50), dice.Dice(1+seen%3, 4)}[seen%3]
				throw := tree.Throw(dice.At{}, f)
				for _, o := range Throws(f).Outcomes {
					if o.Throw == throw {
						want = want.Mul(Of(o.Weight, Throws(f).Total))
					}
				}
				seen = (seen*7 + throw.Sum + 100) % 1000
				if throw.Sum%5 == 0 {
					break
				}
			}
			if tree.Chance().Cmp(want) != 0 {
				t.Fatalf("a way has %s, want %s", tree.Chance(), want)
			}
			total = total.Add(tree.Chance())
		})
		if err != nil || !total.IsCertain() {
			t.Fatalf("all ways add up to %s, %v", total, err)
		}
	})
}

func TestSpread(t *testing.T) {
	s := NewSpread(cmp.Compare[int])
	if !s.Total().IsZero() || !s.Of(3).IsZero() {
		t.Error("an empty spread has a chance")
	}
	for _, key := range []int{5, 3, 5, 9, 3, 5} {
		s.Add(key, Of(1, 6))
	}
	want := []Row[int]{{3, Of(1, 3)}, {5, Of(1, 2)}, {9, Of(1, 6)}}
	for i, row := range s.Rows() {
		if row != want[i] {
			t.Errorf("row %d is %v, want %v", i, row, want[i])
		}
	}
	if len(s.Rows()) != 3 || s.Of(5) != Of(1, 2) || !s.Of(4).IsZero() || !s.Total().IsCertain() {
		t.Errorf("spread is %v", s.Rows())
	}
}

// BenchmarkWalk measures the exact odds of an attack against a defence, both with percentages: 121 ways.
func BenchmarkWalk(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		hit := Chance{}
		if err := Walk(1000, func(t *Tree) {
			attack, defence := t.Throw(dice.At{}, dice.FourFudge(50)), t.Throw(dice.At{}, dice.FourFudge(-25))
			if attack.Sum > defence.Sum {
				hit = hit.Add(t.Chance())
			}
		}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpposed measures the same odds from the two distributions.
func BenchmarkOpposed(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Opposed(Throws(dice.FourFudge(50)), Throws(dice.FourFudge(-25)), 0)
	}
}
