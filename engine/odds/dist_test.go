package odds

import (
	"math"
	"slices"
	"testing"

	"autobattle/engine/dice"

	"pgregory.net/rapid"
)

// class is what rules can tell of a throw.
type class struct {
	sum      int32
	critical int8
}

func classOf(t dice.Throw) class { return class{t.Sum, t.Critical()} }

func weights(d Dist) (w []uint64) {
	for _, o := range d.Outcomes {
		w = append(w, o.Weight)
	}
	return w
}

// TestFudge is the table of KM-DICE-01.
func TestFudge(t *testing.T) {
	d := Throws(dice.FourFudge(0))
	if got, want := weights(d), []uint64{1, 4, 10, 16, 19, 16, 10, 4, 1}; !slices.Equal(got, want) || d.Total != 81 {
		t.Errorf("%v of %d, want %v of 81", got, d.Total, want)
	}
	for i, o := range d.Outcomes {
		if want := int32(i) - 4; o.Throw.Sum != want || o.Throw.Natural() != want {
			t.Errorf("class %d is %s = %d", i, o.Throw, o.Throw.Sum)
		}
	}
}

// TestFudgePercent compares every percentage with a count of all 8100 outcomes.
func TestFudgePercent(t *testing.T) {
	for p := int32(-99); p <= 99; p++ {
		f := dice.FourFudge(p)
		counts := map[class]uint64{}
		for i := range uint64(8100) {
			counts[classOf(f.Nth(dice.At{}, i))]++
		}
		d := Throws(f)
		if len(d.Outcomes) != len(counts) || len(d.Outcomes) > 11 {
			t.Fatalf("%d%%: %d classes, counted %d", p, len(d.Outcomes), len(counts))
		}
		for i, o := range d.Outcomes {
			if got, want := o.Weight*8100/d.Total, counts[classOf(o.Throw)]; got != want {
				t.Errorf("%d%%: %s has %d of 8100, counted %d", p, o.Throw, got, want)
			}
			if i > 0 && rank(d.Outcomes[i-1].Throw) >= rank(o.Throw) {
				t.Errorf("%d%%: %s after %s", p, o.Throw, d.Outcomes[i-1].Throw)
			}
			if s := dice.MustScript(o.Throw.Script()); s.Throw(dice.At{}, f) != o.Throw || s.Left() != "" {
				t.Errorf("%d%%: %s is no throw of %s", p, o.Throw, f)
			}
		}
	}
}

// TestFudgePercentByHand works three classes of one percentage out on paper (KM-PCT-02, -08).
func TestFudgePercentByHand(t *testing.T) {
	d := Throws(dice.FourFudge(25))
	for c, want := range map[class]Chance{
		{4, 1}:   Of(100, 8100),           // natural, never checked
		{4, 0}:   Of(4*25, 8100),          // +3 raised
		{-4, -1}: Of(75, 8100),            // natural, not raised
		{-3, -1}: Of(25, 8100),            // natural, raised
		{-3, 0}:  Of(4*75, 8100),          // -3 not raised
		{0, 0}:   Of(19*75+16*25, 8100),   // 0 not raised, -1 raised
		{1, 0}:   Of(16*75+19*25, 81*100), // 1 not raised, 0 raised
		{3, 0}:   Of(4*75+10*25, 81*100),  // 3 not raised, 2 raised
		{-2, 0}:  Of(10*75+4*25, 81*100),  // -2 not raised, -3 raised
		{-1, 0}:  Of(16*75+10*25, 81*100), // -1 not raised, -2 raised
		{2, 0}:   Of(10*75+16*25, 81*100), // 2 not raised, 1 raised
	} {
		i := slices.IndexFunc(d.Outcomes, func(o Outcome) bool { return classOf(o.Throw) == c })
		if i < 0 {
			t.Errorf("no class %v", c)
		} else if got := d.Chance(i); got.Cmp(want) != 0 {
			t.Errorf("%v: %s, want %s", c, got, want)
		}
	}
	if len(d.Outcomes) != 11 {
		t.Errorf("%d classes, want 11", len(d.Outcomes))
	}
}

func TestCuts(t *testing.T) {
	tests := map[string]struct {
		formula dice.Formula
		weights []uint64
		highest []int32
	}{
		"thirds":         {dice.Percentile(33, 66), []uint64{33, 33, 34}, []int32{33, 66, 100}},
		"cut at the end": {dice.Percentile(50, 100), []uint64{50, 50}, []int32{50, 100}},
		"cuts outside":   {dice.Percentile(-5, 0, 1, 100, 200), []uint64{1, 99}, []int32{1, 100}},
		"2d6":            {dice.Dice(2, 6), []uint64{1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1}, []int32{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		"2d6 cut":        {dice.Dice(2, 6, 6, 9), []uint64{15, 15, 6}, []int32{6, 9, 12}},
		"d1":             {dice.Dice(3, 1), []uint64{1}, []int32{3}},
	}
	for name, test := range tests {
		d := Throws(test.formula)
		var highest []int32
		for _, o := range d.Outcomes {
			highest = append(highest, o.Throw.Sum)
		}
		if got := weights(d); !slices.Equal(got, test.weights) || !slices.Equal(highest, test.highest) {
			t.Errorf("%s: %v up to %v, want %v up to %v", name, got, highest, test.weights, test.highest)
		}
	}
	if got := Throws(dice.Percentile()); len(got.Outcomes) != 100 || got.Total != 100 || got.Outcomes[36].Throw.D100 != 37 {
		t.Errorf("d100 without cuts: %d classes of %d", len(got.Outcomes), got.Total)
	}
}

// TestSumsCounted compares sums and cuts with a count of every throw.
func TestSumsCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := dice.Dice(rapid.Int32Range(1, 4).Draw(t, "count"), rapid.Int32Range(1, 9).Draw(t, "sides"))
		f.Cuts = rapid.SliceOfNDistinct(rapid.Int32Range(-1, 40), 0, 4, rapid.ID[int32]).Draw(t, "cuts")
		slices.Sort(f.Cuts)
		counts := map[int]uint64{}
		bin := func(sum int32) int {
			if len(f.Cuts) == 0 {
				return int(sum)
			}
			i, _ := slices.BinarySearch(f.Cuts, sum)
			return i
		}
		for i := range f.Outcomes() {
			counts[bin(f.Nth(dice.At{}, i).Sum)]++
		}
		d := Throws(f)
		if d.Total != f.Outcomes() || len(d.Outcomes) != len(counts) {
			t.Fatalf("%d classes of %d, counted %d of %d", len(d.Outcomes), d.Total, len(counts), f.Outcomes())
		}
		for _, o := range d.Outcomes {
			if want := counts[bin(o.Throw.Sum)]; o.Weight != want {
				t.Fatalf("class of %s has %d, counted %d", o.Throw, o.Weight, want)
			}
			if s := dice.MustScript(o.Throw.Script()); s.Throw(dice.At{}, f) != o.Throw {
				t.Fatalf("%s is no throw of %s", o.Throw, f)
			}
		}
	})
}

// TestAtLeast plays KM-DICE-03 and the ends.
func TestAtLeast(t *testing.T) {
	d := Throws(dice.FourFudge(0))
	for difficulty, want := range map[int32]string{
		-1: "22/27", // level 3 against Mediocre (2)
		0:  "50/81", 1: "31/81", 4: "1/81", 5: "0", -4: "1", -9: "1", math.MaxInt32: "0", math.MinInt32: "1",
	} {
		if got := d.AtLeast(difficulty).String(); got != want {
			t.Errorf("at least %d: %s, want %s", difficulty, got, want)
		}
	}
	hundred := Throws(dice.Percentile())
	for target, want := range map[int32]string{37: "37/100", 0: "0", 100: "1", math.MaxInt32: "1", math.MinInt32: "0"} {
		if got := hundred.AtMost(target).String(); got != want {
			t.Errorf("at most %d: %s, want %s", target, got, want)
		}
	}
}

func TestOpposed(t *testing.T) {
	fudge, ten, many := Throws(dice.FourFudge(0)), Throws(dice.Dice(1, 10)), Throws(dice.Dice(8, 181))
	tests := map[string]struct {
		a, b           Dist
		lead           int32
		win, tie, lose string
	}{
		"even":       {fudge, fudge, 0, "101/243", "41/243", "101/243"},
		"far ahead":  {fudge, fudge, 9, "1", "0", "0"},
		"just ahead": {fudge, fudge, 8, "6560/6561", "1/6561", "0"},
		"far behind": {fudge, fudge, math.MinInt32, "0", "0", "1"},
		"two tens":   {ten, ten, 0, "9/20", "1/10", "9/20"},
		"one ahead":  {ten, ten, 1, "11/20", "9/100", "9/25"},
	}
	for name, test := range tests {
		win, tie, lose := Opposed(test.a, test.b, test.lead)
		if win.String() != test.win || tie.String() != test.tie || lose.String() != test.lose {
			t.Errorf("%s: %s, %s, %s; want %s, %s, %s", name, win, tie, lose, test.win, test.tie, test.lose)
		}
	}
	win, tie, lose := Opposed(many, many, 0)
	if win.Cmp(lose) != 0 || !win.Add(tie).Add(lose).IsCertain() || tie.IsZero() {
		t.Errorf("8d181 against itself: %s, %s, %s", win, tie, lose)
	}
}

// TestOpposedCounted compares with all pairs of outcomes.
func TestOpposedCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := dice.FourFudge(rapid.Int32Range(-99, 99).Draw(t, "percent"))
		g := dice.Dice(rapid.Int32Range(1, 2).Draw(t, "count"), rapid.Int32Range(1, 6).Draw(t, "sides"))
		lead := rapid.Int32Range(-15, 15).Draw(t, "lead")
		var counts [3]uint64
		for i := range f.Outcomes() {
			sum := f.Nth(dice.At{}, i).Sum + lead
			for j := range g.Outcomes() {
				switch other := g.Nth(dice.At{}, j).Sum; {
				case sum > other:
					counts[0]++
				case sum == other:
					counts[1]++
				default:
					counts[2]++
				}
			}
		}
		all := f.Outcomes() * g.Outcomes()
		win, tie, lose := Opposed(Throws(f), Throws(g), lead)
		for k, got := range []Chance{win, tie, lose} {
			if want := Of(counts[k], all); got.Cmp(want) != 0 {
				t.Fatalf("%s against %s, lead %d: %v is %s, want %s", f, g, lead, k, got, want)
			}
		}
	})
}

func TestQueriesAllocateNothing(t *testing.T) {
	a, b := Throws(dice.FourFudge(50)), Throws(dice.FourFudge(-25))
	if got := testing.AllocsPerRun(100, func() {
		win, _, _ := Opposed(a, b, 1)
		win.Add(a.AtLeast(2)).Mul(b.AtMost(1)).Not().PPM()
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
