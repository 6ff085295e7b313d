// Package odds computes exact chances: of one throw, of two throws against each other, and of whatever a
// deterministic function does with the throws that it asks for.
//
// Chances are fractions of integers. Nothing here is sampled or rounded, but for [Chance.PPM].
package odds

import (
	"cmp"
	"math/big"
	"math/bits"
	"strconv"
)

// Chance is an exact rational that is not negative. Its zero value is 0. It is a value: no method changes it.
// Use Cmp to compare.
type Chance struct {
	num, den uint64   // in lowest terms; a den of 0 is a den of 1
	big      *big.Rat // instead of num and den when they do not fit; never changed
}

// Certain is the chance 1.
func Certain() Chance { return Chance{1, 1, nil} }

// Of is the chance num/den. It panics if den is 0.
func Of(num, den uint64) Chance {
	if den == 0 {
		panic("odds: a chance of " + strconv.FormatUint(num, 10) + " in 0")
	}
	g := gcd(num, den)
	return Chance{num / g, den / g, nil}
}

// of128 is the chance of two 128-bit numbers.
func of128(num, den wide) Chance {
	if num.hi == 0 && den.hi == 0 {
		return Of(num.lo, den.lo)
	}
	return ofRat(new(big.Rat).SetFrac(num.big(), den.big()))
}

// ofRat keeps r, and must be the only one to do so.
func ofRat(r *big.Rat) Chance {
	if r.Num().IsUint64() && r.Denom().IsUint64() {
		return Chance{r.Num().Uint64(), r.Denom().Uint64(), nil}
	}
	return Chance{0, 0, r}
}

func (c Chance) denominator() uint64 { return max(c.den, 1) }

// Rat is the chance as a new big rational.
func (c Chance) Rat() *big.Rat {
	if c.big != nil {
		return new(big.Rat).Set(c.big)
	}
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(c.num), new(big.Int).SetUint64(c.denominator()))
}

// Add is c + d.
func (c Chance) Add(d Chance) Chance {
	if c.big == nil && d.big == nil {
		if sum, ok := addSmall(c, d); ok {
			return sum
		}
	}
	r := c.Rat()
	return ofRat(r.Add(r, d.Rat()))
}

// addSmall is c + d if no number on the way outgrows 64 bits.
func addSmall(c, d Chance) (Chance, bool) {
	cd, dd := c.denominator(), d.denominator()
	if cd == dd {
		num, carry := bits.Add64(c.num, d.num, 0)
		if carry != 0 {
			return Chance{}, false
		}
		return Of(num, cd), true
	}
	g := gcd(cd, dd)
	h1, left := bits.Mul64(c.num, dd/g)
	h2, right := bits.Mul64(d.num, cd/g)
	h3, den := bits.Mul64(cd, dd/g)
	num, carry := bits.Add64(left, right, 0)
	if h1|h2|h3|carry != 0 {
		return Chance{}, false
	}
	return Of(num, den), true
}

// Mul is c · d: the chance of both, if they are independent.
func (c Chance) Mul(d Chance) Chance {
	if c.big == nil && d.big == nil {
		g, h := gcd(c.num, d.denominator()), gcd(d.num, c.denominator())
		h1, num := bits.Mul64(c.num/g, d.num/h)
		h2, den := bits.Mul64(c.denominator()/h, d.denominator()/g)
		if h1|h2 == 0 {
			return Of(num, den)
		}
	}
	r := c.Rat()
	return ofRat(r.Mul(r, d.Rat()))
}

// Not is 1 - c, the chance that it does not happen. It panics if c is above 1.
func (c Chance) Not() Chance {
	if c.Cmp(Certain()) > 0 {
		panic("odds: a chance of " + c.String() + " is above 1")
	}
	if c.big == nil {
		return Of(c.denominator()-c.num, c.denominator())
	}
	one := big.NewRat(1, 1)
	return ofRat(one.Sub(one, c.big))
}

// Cmp is -1, 0 or 1 as c is below, at or above d.
func (c Chance) Cmp(d Chance) int {
	if c.big != nil || d.big != nil {
		return c.Rat().Cmp(d.Rat())
	}
	h1, l1 := bits.Mul64(c.num, d.denominator())
	h2, l2 := bits.Mul64(d.num, c.denominator())
	return cmp.Or(cmp.Compare(h1, h2), cmp.Compare(l1, l2))
}

// IsZero tells whether it cannot happen.
func (c Chance) IsZero() bool { return c.big == nil && c.num == 0 }

// IsCertain tells whether the chance is 1.
func (c Chance) IsCertain() bool { return c.big == nil && c.num == c.denominator() }

// PPM is the chance in parts per million, rounded to the nearest, half up; but a chance between 0 and 1 is
// never shown as 0 or as 1 000 000.
func (c Chance) PPM() int64 {
	const million = 1_000_000
	if hi, lo := bits.Mul64(c.num, 2*million); c.big == nil && hi == 0 && c.den < 1<<62 {
		if sum, carry := bits.Add64(lo, c.denominator(), 0); carry == 0 {
			return c.shown(int64(sum / (2 * c.denominator())))
		}
	}
	r := c.Rat()
	sum := new(big.Int).Mul(r.Num(), big.NewInt(2*million))
	sum.Add(sum, r.Denom())
	return c.shown(sum.Div(sum, new(big.Int).Lsh(r.Denom(), 1)).Int64())
}

// shown keeps a rounded number of millionths off both ends if the chance is between them.
func (c Chance) shown(ppm int64) int64 {
	switch {
	case ppm == 0 && !c.IsZero():
		return 1
	case ppm == 1_000_000 && c.Cmp(Certain()) < 0:
		return 999_999
	}
	return ppm
}

// String is the chance as a fraction in lowest terms: 19/81; 0 and 1 without denominator.
func (c Chance) String() string {
	if c.big != nil {
		return c.big.RatString()
	}
	b := strconv.AppendUint(nil, c.num, 10)
	if c.denominator() != 1 {
		b = strconv.AppendUint(append(b, '/'), c.den, 10)
	}
	return string(b)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, 1)
}

// wide is a 128-bit number.
type wide struct{ hi, lo uint64 }

func mul(a, b uint64) wide {
	hi, lo := bits.Mul64(a, b)
	return wide{hi, lo}
}

func (w wide) plus(v wide) wide {
	lo, carry := bits.Add64(w.lo, v.lo, 0)
	hi, _ := bits.Add64(w.hi, v.hi, carry)
	return wide{hi, lo}
}

func (w wide) big() *big.Int {
	n := new(big.Int).SetUint64(w.hi)
	return n.Add(n.Lsh(n, 64), new(big.Int).SetUint64(w.lo))
}
