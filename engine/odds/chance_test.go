package odds

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func drawChance(t *rapid.T, label string) Chance {
	num := rapid.Uint64().Draw(t, label+" num")
	den := rapid.Uint64Range(1, math.MaxUint64).Draw(t, label+" den")
	if rapid.Bool().Draw(t, label+" proper") {
		num %= den
	}
	c := Of(num, den)
	if rapid.Bool().Draw(t, label+" big") {
		c = c.Mul(Of(den-1, den))
	}
	return c
}

// TestChanceAgainstRat does all arithmetic twice.
func TestChanceAgainstRat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, d := drawChance(t, "c"), drawChance(t, "d")
		before := c.String() + " " + d.String()
		want := new(big.Rat)
		for name, pair := range map[string][2]*big.Rat{
			"sum":     {c.Add(d).Rat(), want.Add(c.Rat(), d.Rat())},
			"product": {c.Mul(d).Rat(), new(big.Rat).Mul(c.Rat(), d.Rat())},
		} {
			if pair[0].Cmp(pair[1]) != 0 {
				t.Fatalf("%s of %s and %s is %s, want %s", name, c, d, pair[0], pair[1])
			}
		}
		if got, want := c.Cmp(d), c.Rat().Cmp(d.Rat()); got != want {
			t.Fatalf("%s against %s: %d, want %d", c, d, got, want)
		}
		if got := c.Add(d).String(); got != want.RatString() {
			t.Fatalf("sum is written %s, want %s", got, want.RatString())
		}
		if c.Cmp(Certain()) <= 0 {
			if got := c.Not().Add(c); !got.IsCertain() {
				t.Fatalf("%s and its contrary add up to %s", c, got)
			}
		}
		if again := c.String() + " " + d.String(); again != before {
			t.Fatalf("%s became %s", before, again)
		}
	})
}

// TestPPMAgainstRat rounds again with big integers.
func TestPPMAgainstRat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChance(t, "c")
		if c.Cmp(Certain()) > 0 {
			return
		}
		r := c.Rat()
		n := new(big.Int).Mul(r.Num(), big.NewInt(2_000_000))
		n.Add(n, r.Denom()).Div(n, new(big.Int).Mul(r.Denom(), big.NewInt(2)))
		want := n.Int64()
		if want == 0 && r.Sign() > 0 {
			want = 1
		}
		if want == 1_000_000 && !c.IsCertain() {
			want = 999_999
		}
		if got := c.PPM(); got != want {
			t.Fatalf("%s is %d ppm, want %d", c, got, want)
		}
	})
}

func TestChance(t *testing.T) {
	tests := []struct {
		c    Chance
		text string
		ppm  int64
	}{
		{Chance{}, "0", 0},
		{Of(0, 7), "0", 0},
		{Certain(), "1", 1_000_000},
		{Of(38, 162), "19/81", 234_568},
		{Of(1, 2_000_000), "1/2000000", 1},
		{Of(3, 2_000_000), "3/2000000", 2},
		{Of(1, math.MaxUint64), "1/18446744073709551615", 1},
		{Of(math.MaxUint64-1, math.MaxUint64), "18446744073709551614/18446744073709551615", 999_999},
		{Of(1, 3).Add(Of(1, 6)), "1/2", 500_000},
		{Of(2, 3).Mul(Of(3, 4)), "1/2", 500_000},
		{Of(2, 7).Not(), "5/7", 714_286},
		{Of(1, math.MaxUint64).Mul(Of(1, 2)), "1/36893488147419103230", 1},
		{Of(1, math.MaxUint64).Mul(Of(1, 2)).Mul(Of(2, 1)), "1/18446744073709551615", 1},
	}
	for _, test := range tests {
		if test.c.String() != test.text || test.c.PPM() != test.ppm {
			t.Errorf("%s, %d ppm; want %s, %d", test.c, test.c.PPM(), test.text, test.ppm)
		}
	}
	if !(Chance{}).IsZero() || Of(1, 9).IsZero() || !Of(0, 3).IsZero() || Of(1, 9).IsCertain() || !Of(9, 9).IsCertain() {
		t.Error("zero or certain is told wrongly")
	}
	if (Chance{}).Cmp(Of(0, 5)) != 0 {
		t.Error("0 is not 0/5")
	}
	mustPanic(t, func() { Of(1, 0) })
	mustPanic(t, func() { Of(4, 3).Not() })
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}
