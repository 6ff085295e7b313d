// Package dice says what can be thrown, throws it, and shows how it fell.
//
// A throw is one uniform draw among all the equally likely outcomes of its formula. [Seeded] draws
// for play, so that anybody who knows the seed can draw again; [Scripted] hands out the faces of a
// test. Rules that belong to the dice themselves, the percent check that turns one die, are here.
package dice

import "fmt"

// Stream separates open throws from hidden ones, so that a hidden throw leaves no gap in the open ones.
type Stream uint8

// The streams. Each has its own clock.
const (
	Public Stream = iota
	Hidden
	streams = 2
)

// String names the stream in lower case.
func (s Stream) String() string {
	switch s {
	case Public:
		return "public"
	case Hidden:
		return "hidden"
	}
	return fmt.Sprintf("stream %d", uint8(s))
}

// Kind is a way of throwing.
type Kind uint8

// The kinds of throws.
const (
	Fudge Kind = iota // four dice of -1, 0 and 1, with a percent check (KM-DICE-01, KM-PCT-02)
	D100              // one value of 1…100; a system that reads 00…99 takes 100 as 00
	Sum               // dice of 1…Sides, added up
)

// MaxCount is the largest number of dice in one throw.
const MaxCount = 8

// MaxSides is the largest number of sides of a die of kind Sum.
const MaxSides = 1<<15 - 1

// maxOutcomes bounds Sides to the power of Count.
const maxOutcomes = 1 << 60

// MaxPos is the last position within one clock of a stream.
const MaxPos = 1<<16 - 1

// Formula says what is thrown. Its zero value is a plain 4dF.
type Formula struct {
	Kind Kind
	// Count is the number of dice, 1…MaxCount for Sum. For Fudge it is 4 and for D100 it is 1, where 0 means the same.
	Count int32
	// Sides is 1…MaxSides for Sum, with Sides to the power of Count at most 2^60. For Fudge it is 3 and for
	// D100 it is 100, where 0 means the same.
	Sides int32
	// Percent is the remainder of all percent modifiers, -99…99; Fudge only. 0 is no check (KM-PCT-06).
	Percent int32
	// Cuts are the ascending upper bounds of the classes that an outcome of D100 or Sum is told apart by: up to
	// the first, up to the second, and so on, and above the last. None: every value is a class. A source of
	// throws ignores them; exact odds may merge what lies within a class.
	Cuts []int32
}

// FourFudge is 4dF with the percent remainder, -99…99 (KM-DICE-01, KM-PCT-07).
func FourFudge(percent int32) Formula {
	return Formula{Kind: Fudge, Count: 4, Sides: 3, Percent: percent}
}

// Percentile is one value of 1…100, told apart by the cuts.
func Percentile(cuts ...int32) Formula {
	return Formula{Kind: D100, Count: 1, Sides: 100, Cuts: cuts}
}

// Dice is the sum of count dice of the given sides, told apart by the cuts.
func Dice(count, sides int32, cuts ...int32) Formula {
	return Formula{Kind: Sum, Count: count, Sides: sides, Cuts: cuts}
}

// Check tells what is wrong with the formula, or nil.
func (f Formula) Check() error {
	if f.Kind > Sum {
		return fmt.Errorf("dice: kind %d is unknown: use Fudge, D100 or Sum", f.Kind)
	}
	if f.Percent != 0 && (f.Kind != Fudge || f.Percent < -99 || f.Percent > 99) {
		return fmt.Errorf("dice: percent %d: only Fudge takes a percent remainder, and it is -99…99", f.Percent)
	}
	for i := 1; i < len(f.Cuts); i++ {
		if f.Cuts[i-1] >= f.Cuts[i] {
			return fmt.Errorf("dice: cut %d after cut %d: cuts ascend", f.Cuts[i], f.Cuts[i-1])
		}
	}
	switch f.Kind {
	case Fudge:
		if f.Count != 0 && f.Count != 4 || f.Sides != 0 && f.Sides != 3 {
			return fmt.Errorf("dice: Fudge of %d dice of %d sides: it is 4 dice of 3", f.Count, f.Sides)
		}
		if len(f.Cuts) > 0 {
			return fmt.Errorf("dice: Fudge has no cuts, got %d", len(f.Cuts))
		}
	case D100:
		if f.Count != 0 && f.Count != 1 || f.Sides != 0 && f.Sides != 100 {
			return fmt.Errorf("dice: D100 of %d dice of %d sides: it is 1 die of 100", f.Count, f.Sides)
		}
	case Sum:
		if f.Count < 1 || f.Count > MaxCount {
			return fmt.Errorf("dice: %d dice in one throw: it takes 1…%d", f.Count, MaxCount)
		}
		if f.Sides < 1 || f.Sides > MaxSides {
			return fmt.Errorf("dice: a die of %d sides: it has 1…%d", f.Sides, MaxSides)
		}
		n := uint64(1)
		for range f.Count {
			if n *= uint64(f.Sides); n > maxOutcomes {
				return fmt.Errorf("dice: %dd%d in one throw: sides to the power of dice is at most 2^60", f.Count, f.Sides)
			}
		}
	}
	return nil
}

// Outcomes is the number of equally likely outcomes: 8100 for Fudge (81 faces by 100 percent values, whether or
// not the check is made), 100 for D100, Sides to the power of Count for Sum. It panics if Check fails.
func (f Formula) Outcomes() uint64 { return f.outcomes() }

func (f *Formula) outcomes() uint64 {
	if err := f.Check(); err != nil {
		panic(err)
	}
	switch f.Kind {
	case Fudge:
		return 8100
	case D100:
		return 100
	}
	n := uint64(1)
	for range f.Count {
		n *= uint64(f.Sides)
	}
	return n
}

// plain tells a Fudge formula, written out and right, which needs no further look.
func (f *Formula) plain() bool {
	return f.Kind == Fudge && f.Count == 4 && f.Sides == 3 && f.Cuts == nil && f.Percent >= -99 && f.Percent <= 99
}

// Nth is outcome number i of the formula, 0…Outcomes()-1. Outcomes count like digits, the first die highest:
// for Fudge i = 100·faces + (d100 - 1), with faces in base 3 and 0 for a minus, 1 for a blank, 2 for a plus;
// for D100 i = value - 1; for Sum i is in base Sides, each digit one less than its die.
func (f Formula) Nth(at At, i uint64) Throw {
	if n := f.outcomes(); i >= n {
		panic(fmt.Sprintf("dice: outcome %d of %s: there are %d", i, f, n))
	}
	var t Throw
	t.set(&f, at, i)
	return t
}

// set makes t, which is zero, outcome i of f. It is the quick part of every throw, so it fills in place.
func (t *Throw) set(f *Formula, at At, i uint64) {
	t.Kind, t.At = f.Kind, at
	switch f.Kind {
	case Fudge:
		t.Count, t.Sides = 4, 3
		k := uint32(i)
		q := k / 100
		high, low := q/9, q%9
		a, b, c, d := int16(high/3)-1, int16(high%3)-1, int16(low/3)-1, int16(low%3)-1
		t.Faces[0], t.Faces[1], t.Faces[2], t.Faces[3] = a, b, c, d
		t.Sum = int32(a + b + c + d)
		if f.Percent != 0 {
			t.Percent = int8(f.Percent)
			t.check(a, b, c, d, f.Percent, int32(k-100*q)+1)
		}
	case D100:
		t.Count, t.Sides = 1, 100
		t.D100 = int8(i + 1)
		t.Sum = int32(i + 1)
	case Sum:
		t.Count, t.Sides = int8(f.Count), int16(f.Sides)
		side := uint64(f.Sides)
		for k := f.Count - 1; k >= 0; k-- {
			t.Faces[k] = int16(i%side) + 1
			i /= side
			t.Sum += int32(t.Faces[k])
		}
	}
}

// String writes the formula as players do: 4dF, 4dF-50%, d100, 2d10.
func (f Formula) String() string {
	switch f.Kind {
	case Fudge:
		if f.Percent != 0 {
			return fmt.Sprintf("4dF%+d%%", f.Percent)
		}
		return "4dF"
	case D100:
		return "d100"
	}
	return fmt.Sprintf("%dd%d", f.Count, f.Sides)
}

// At places a throw. Clock counts the commits that threw in the stream; Pos counts the throws within one
// clock, 0…MaxPos.
type At struct {
	Stream Stream
	Clock  uint64
	Pos    int32
}

// Check tells what is wrong with the place, or nil.
func (a At) Check() error {
	if a.Stream >= streams {
		return fmt.Errorf("dice: %s is unknown: use Public or Hidden", a.Stream)
	}
	if a.Pos < 0 || a.Pos > MaxPos {
		return fmt.Errorf("dice: position %d of a throw: it is 0…%d", a.Pos, MaxPos)
	}
	return nil
}

// String writes the place as stream, clock and position: public 7.0.
func (a At) String() string { return fmt.Sprintf("%s %d.%d", a.Stream, a.Clock, a.Pos) }

// Throw is one finished throw. Two equal throws are one and the same.
type Throw struct {
	Kind    Kind
	At      At
	Count   int8            // dice: 4 for Fudge, 1 for D100
	Sides   int16           // of each die: 3 for Fudge, 100 for D100
	Faces   [MaxCount]int16 // as they fell, before turning: -1, 0, 1 for Fudge, 1…Sides for Sum, none for D100
	Turned  int8            // index+1 of the die that the percent check turned; 0 none (KM-PCT-09)
	D100    int8            // 1…100: the percent check, or the value of D100; 0 not thrown (KM-PCT-08)
	Percent int8            // the remainder that was checked, -99…99; 0 for no check
	Sum     int32           // after turning
}

// A Source hands out throws. The same place and formula give the same throw, or the source is a test's.
type Source interface {
	Throw(at At, f Formula) Throw
}

// Formula is what was thrown, without cuts.
func (t Throw) Formula() Formula {
	return Formula{Kind: t.Kind, Count: int32(t.Count), Sides: int32(t.Sides), Percent: int32(t.Percent)}
}

// Natural is the sum of the faces as they fell; for D100 it is 0.
func (t Throw) Natural() int32 {
	sum := int32(0)
	for _, f := range t.Faces {
		sum += int32(f)
	}
	return sum
}

// Final is the faces after turning.
func (t Throw) Final() [MaxCount]int16 {
	faces := t.Faces
	if t.Turned > 0 {
		faces[t.Turned-1] += int16(t.Sum - t.Natural())
	}
	return faces
}

// Critical is 1 for the natural faces ++++, -1 for ----, 0 for all others (KM-DICE-06).
func (t Throw) Critical() int8 {
	if t.Kind != Fudge {
		return 0
	}
	switch t.Natural() {
	case 4:
		return 1
	case -4:
		return -1
	}
	return 0
}

// Verify throws again and tells whether t is what the source gives at that place. It also refuses what no
// source can give: an unknown stream, a position or a formula out of range.
func Verify(src Source, t Throw) error {
	f := t.Formula()
	if err := t.At.Check(); err != nil {
		return err
	}
	if err := f.Check(); err != nil {
		return err
	}
	if again := src.Throw(t.At, f); again != t {
		return fmt.Errorf("dice: throw %s is recorded as %s, the source gives %s", t.At, t, again)
	}
	return nil
}
