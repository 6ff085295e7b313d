package empia

// ratio is an exact fraction: damage is rounded at two places only (EM-NUM-05). The denominator is positive.
type ratio struct{ n, d int64 }

func whole(n int32) ratio { return ratio{int64(n), 1} }

// times multiplies by a percentage.
func (r ratio) times(percent int32) ratio {
	return reduced(r.n*int64(percent), r.d*100)
}

func (r ratio) plus(n int32) ratio { return ratio{r.n + int64(n)*r.d, r.d} }

// floor rounds down.
func (r ratio) floor() int32 {
	q := r.n / r.d
	if r.n%r.d != 0 && r.n < 0 {
		q--
	}
	return int32(q)
}

func reduced(n, d int64) ratio {
	a, b := max(n, -n), d
	for b != 0 {
		a, b = b, a%b
	}
	if a > 1 {
		n, d = n/a, d/a
	}
	return ratio{n, d}
}

// span is a range of damage on its way through the stages (EM-DMG-01).
type span struct{ min, max ratio }

func spanOf(lo, hi int32) span { return span{whole(lo), whole(hi)} }

// changes are the modifiers of one stage: increases in per cent are summed, decreases multiply, fixed amounts come last
// (EM-MOD-01, -03, -04).
type changes struct {
	more     int32   // sum of the increases
	moreMax  int32   // of increases of the maximum alone
	less     []int32 // the decreases, each
	min, max int32   // fixed, for each end
}

// stage takes a range through one stage.
func (s span) stage(c changes) span {
	s.min, s.max = s.min.times(100+c.more), s.max.times(100+c.more+c.moreMax)
	for _, l := range c.less {
		s.min, s.max = s.min.times(100-l), s.max.times(100-l)
	}
	s.min, s.max = s.min.plus(c.min), s.max.plus(c.max)
	return s
}

// ends are the whole numbers between which damage is drawn: both rounded down (EM-DMG-08).
func (s span) ends() (lo, hi int32) { return s.min.floor(), s.max.floor() }

// chance is a chance from its base and fixed bonuses, then the percentages: increases summed, decreases each; rounded
// down, 1 or more (EM-MOD-02, EM-NUM-06).
func chance(fixed, more int32, less ...int32) int32 {
	r := whole(fixed).times(100 + more)
	for _, l := range less {
		r = r.times(100 - l)
	}
	return max(r.floor(), 1)
}

// gradeOf tells what a hit roll r of −D…+A without zero is: the outer tenth is critical, the outer hundredth exceptional, on
// both sides (EM-CRIT-01, -02).
func gradeOf(r, a, d int32) gradeWord {
	switch {
	case r > a-a/100:
		return exceptional
	case r > a-a/10:
		return critical
	case r > 0:
		return success
	case r < -(d - d/100):
		return worst
	case r < -(d - d/10):
		return fumble
	}
	return failure
}

// gradeWord is a grade of a hit roll, from worst to best.
type gradeWord int8

const (
	worst gradeWord = iota - 3
	fumble
	failure
	success
	critical
	exceptional
)
