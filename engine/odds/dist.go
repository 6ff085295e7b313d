package odds

import (
	"fmt"
	"math"

	"autobattle/engine/dice"
)

// Outcome is a class of throws that need not be told apart. Throw is one of them: for a class of cuts the one
// with the highest sum.
type Outcome struct {
	Throw  dice.Throw
	Weight uint64 // how many of the equally likely throws are in the class, at least 1
}

// Dist is the exact distribution of a throw: its classes by ascending sum, within a sum natural ---- first and
// natural ++++ last, and the total of their weights.
type Dist struct {
	Outcomes []Outcome
	Total    uint64
}

// Throws is the distribution of a formula. Total is 81 for a Fudge throw, 8100 with a percentage, 100 for D100
// and Sides to the power of Count for Sum. A Fudge throw has a class for each sum, and natural ++++ and ----
// have classes of their own (KM-DICE-06); the others are cut by Cuts, or not at all. It panics if the formula is
// not right.
func Throws(f dice.Formula) Dist {
	if err := f.Check(); err != nil {
		panic(err)
	}
	switch f.Kind {
	case dice.Fudge:
		return fudge(f)
	case dice.D100:
		ways := make([]uint64, 100)
		for i := range ways {
			ways[i] = 1
		}
		return classes(f, 1, ways)
	}
	return classes(f, f.Count, sums(f.Count, f.Sides))
}

// fudge counts the 81 faces, and with a percentage both answers of the check.
func fudge(f dice.Formula) (d Dist) {
	within := uint64(max(f.Percent, -f.Percent))
	var slots [27]Outcome // by rank; at most 11 are used
	for i := range uint64(81) {
		for _, d100 := range [2]uint64{1, 100} { // 1 is within every percentage, 100 within none
			weight := within
			if d100 == 100 {
				weight = 100 - within
			}
			if weight == 0 {
				continue
			}
			if within == 0 {
				weight = 1
			}
			t := f.Nth(dice.At{}, i*100+d100-1)
			slot := &slots[rank(t)]
			if slot.Weight == 0 {
				slot.Throw = t
			}
			slot.Weight += weight
			d.Total += weight
		}
	}
	for _, o := range slots {
		if o.Weight > 0 {
			d.Outcomes = append(d.Outcomes, o)
		}
	}
	return d
}

// rank orders Fudge throws by sum and, within a sum, natural ---- first and natural ++++ last: with a check
// the sum of -3 or 3 may be a turned critical, and the sum of -4 or 4 may not be a natural one.
func rank(t dice.Throw) int { return 3*int(t.Sum+4) + 1 + int(t.Critical()) }

// sums counts the ways to throw each sum from count upwards.
func sums(count, sides int32) []uint64 {
	ways := []uint64{1}
	for range count {
		next := make([]uint64, len(ways)+int(sides)-1)
		run := uint64(0) // of the last sides ways
		for i := range next {
			if i < len(ways) {
				run += ways[i]
			}
			if k := i - int(sides); k >= 0 {
				run -= ways[k]
			}
			next[i] = run
		}
		ways = next
	}
	return ways
}

// classes merges the sums from low upwards, whose ways are given, by the cuts of the formula.
func classes(f dice.Formula, low int32, ways []uint64) (d Dist) {
	open := Outcome{}
	last := low + int32(len(ways)) - 1
	cuts := f.Cuts
	for sum := low; sum <= last; sum++ {
		for len(cuts) > 0 && cuts[0] < sum {
			cuts = cuts[1:]
		}
		open.Weight += ways[sum-low]
		d.Total += ways[sum-low]
		if len(f.Cuts) == 0 || sum == last || len(cuts) > 0 && cuts[0] == sum {
			open.Throw = f.Nth(dice.At{}, example(f, sum))
			d.Outcomes = append(d.Outcomes, open)
			open.Weight = 0
		}
	}
	return d
}

// example is the number of an outcome with the sum: the first dice as high as they can be.
func example(f dice.Formula, sum int32) (i uint64) {
	if f.Kind == dice.D100 {
		return uint64(sum - 1)
	}
	for left := f.Count - 1; left >= 0; left-- {
		face := min(f.Sides, sum-left)
		i = i*uint64(f.Sides) + uint64(face-1)
		sum -= face
	}
	return i
}

// Chance is the chance of the class number i.
func (d Dist) Chance(i int) Chance { return Of(d.Outcomes[i].Weight, d.Total) }

// AtLeast is the chance of a sum of at least difficulty: a success against a static difficulty from which the
// level has been taken (KM-DICE-03).
func (d Dist) AtLeast(difficulty int32) Chance {
	weight := uint64(0)
	for i := range d.Outcomes {
		if d.Outcomes[i].Throw.Sum >= difficulty {
			weight += d.Outcomes[i].Weight
		}
	}
	return Of(weight, d.Total)
}

// AtMost is the chance of a sum of at most target, for systems that roll under.
func (d Dist) AtMost(target int32) Chance {
	if target == math.MaxInt32 {
		return Certain()
	}
	return d.AtLeast(target + 1).Not()
}

// Best is the distribution of the better of two independent throws, by sum; of two equal sums the first throw
// counts (KM-ADV-01). It panics if the square of Total outgrows 64 bits.
func Best(d Dist) Dist { return d.ofTwo(1) }

// Worst is the distribution of the worse of two independent throws, as Best is of the better (KM-ADV-02).
func Worst(d Dist) Dist { return d.ofTwo(-1) }

// ofTwo is Best for want 1 and Worst for want -1.
func (d Dist) ofTwo(want int32) Dist {
	if d.Total > math.MaxUint32 {
		panic(fmt.Sprintf("odds: two of %d throws each: at most %d; use Walk", d.Total, uint32(math.MaxUint32)))
	}
	two := Dist{make([]Outcome, 0, len(d.Outcomes)), d.Total * d.Total}
	for _, o := range d.Outcomes {
		// The first throw is o and the second no better, or the second is o and the first is worse.
		asFirst, asSecond := uint64(0), uint64(0)
		for j := range d.Outcomes {
			other := &d.Outcomes[j]
			switch ahead := (o.Throw.Sum - other.Throw.Sum) * want; {
			case ahead > 0:
				asFirst += other.Weight
				asSecond += other.Weight
			case ahead == 0:
				asFirst += other.Weight
			}
		}
		if o.Weight *= asFirst + asSecond; o.Weight > 0 {
			two.Outcomes = append(two.Outcomes, o)
		}
	}
	return two
}

// Opposed compares the sums of two independent throws, the first raised by lead, which is how far its level is
// above the other's: it wins when it is higher (KM-DICE-04). The three chances add up to 1.
func Opposed(a, b Dist, lead int32) (win, tie, lose Chance) {
	var weights [3]wide
	for i := range a.Outcomes {
		for j := range b.Outcomes {
			x, y := &a.Outcomes[i], &b.Outcomes[j]
			k := 1
			switch by := int64(x.Throw.Sum) + int64(lead) - int64(y.Throw.Sum); {
			case by > 0:
				k = 0
			case by < 0:
				k = 2
			}
			weights[k] = weights[k].plus(mul(x.Weight, y.Weight))
		}
	}
	all := mul(a.Total, b.Total)
	return of128(weights[0], all), of128(weights[1], all), of128(weights[2], all)
}
