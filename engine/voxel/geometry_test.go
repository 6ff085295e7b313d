package voxel

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The distance vectors of Part 4.
func TestDistanceVectors(t *testing.T) {
	for _, v := range []struct {
		to   Pos
		want int32
	}{
		{Pos{1, 0, 1}, 1}, {Pos{2, 0, 1}, 2}, {Pos{2, 0, 2}, 3}, {Pos{3, 0, 1}, 3}, {Pos{19, 0, 0}, 19},
		// The nearer of feet and head: one block up or down costs nothing, two up cost one.
		{Pos{0, 1, 0}, 0}, {Pos{0, 2, 0}, 1}, {Pos{0, -2, 0}, 1}, {Pos{3, 5, 0}, 5},
	} {
		a, b := figureAt(0, 0, 0), figureAt(v.to.X, v.to.Y, v.to.Z)
		if got := Distance(a, b); got != v.want {
			t.Errorf("distance to %v is %d, should be %d", v.to, got, v.want)
		}
		if got := Distance(b, a); got != v.want {
			t.Errorf("distance from %v is %d, should be %d", v.to, got, v.want)
		}
	}
}

func TestDistanceOfProneBodies(t *testing.T) {
	a, b := figureAt(0, 0, 0), figureAt(0, 2, 0)
	a.Posture = Prone // only the block of the feet is left
	if got := Distance(a, b); got != 2 {
		t.Errorf("got %d, should be 2", got)
	}
	if got := DistanceTo(a, Pos{0, 3, 0}); got != 3 {
		t.Errorf("to a block: got %d, should be 3", got)
	}
}

// Standing on a border decides against whoever stands there.
func TestDistanceOnABorder(t *testing.T) {
	a, b := figureAt(0, 0, 0), figureAt(5, 0, 0)
	a.At.X = 0 // on the border of blocks -1 and 0
	if got := Distance(a, b); got != 6 {
		t.Errorf("the one who measures stands on a border: got %d, should be 6", got)
	}
	if got := Distance(b, a); got != 5 {
		t.Errorf("the one measured stands on a border between 5 and 6: got %d, should be 5", got)
	}
}

func TestRoundedRoot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<52).Draw(t, "n")
		got := new(big.Int).SetInt64(int64(rounded(n)))
		// got - ½ ≤ √n < got + ½ in quarters: (2got - 1)² ≤ 4n < (2got + 1)²
		four := big.NewInt(4 * n)
		low := new(big.Int).Sub(new(big.Int).Lsh(got, 1), big.NewInt(1))
		high := new(big.Int).Add(low, big.NewInt(2))
		if low.Sign() > 0 && low.Mul(low, low).Cmp(four) > 0 || high.Mul(high, high).Cmp(four) <= 0 {
			t.Fatalf("√%d is given as %v", n, got)
		}
	})
}

func TestBlocksOfAPoint(t *testing.T) {
	for _, v := range []struct {
		at   Point
		want []Pos
	}{
		{Point{128, 0, 128}, []Pos{{0, 0, 0}}},
		{Point{0, 0, 128}, []Pos{{0, 0, 0}, {-1, 0, 0}}},
		{Point{128, 10, -256}, []Pos{{0, 0, -1}, {0, 0, -2}}},
		{Point{256, -1, 256}, []Pos{{1, -1, 1}, {0, -1, 1}, {1, -1, 0}, {0, -1, 0}}},
	} {
		got, n := v.at.Blocks()
		if n != len(v.want) {
			t.Errorf("%v: %d blocks, should be %d", v.at, n, len(v.want))
			continue
		}
		for i, w := range v.want {
			if got[i] != w {
				t.Errorf("%v: block %d is %v, should be %v", v.at, i, got[i], w)
			}
		}
	}
	if got := (Point{-1, 5, 300}).Snap(); got != (Point{-128, 5, 384}) {
		t.Errorf("snapped to %v", got)
	}
}

func TestChebyshev(t *testing.T) {
	if got := Chebyshev(Pos{1, 2, 3}, Pos{4, -2, 2}); got != 4 {
		t.Errorf("got %d, should be 4", got)
	}
}

func TestBadPosesAndBodiesAreNamed(t *testing.T) {
	good := Pose{Look: Look{X: 1}}
	for field, change := range map[string]func(*Pose, *Body){
		"look":                 func(p *Pose, _ *Body) { p.Look = Look{} },
		"look has a component": func(p *Pose, _ *Body) { p.Look.Z = MaxLook + 1 },
		"at":                   func(p *Pose, _ *Body) { p.At.Y = -MaxCoord*Unit - 1 },
		"posture":              func(p *Pose, _ *Body) { p.Posture = Postures },
		"body.width":           func(_ *Pose, b *Body) { b.Width = 0 },
		"body.height.prone":    func(_ *Pose, b *Body) { b.Height[Prone] = maxBody + 1 },
		"body.eye.crouching":   func(_ *Pose, b *Body) { b.Eye[Crouching] = b.Height[Crouching] + 1 },
	} {
		p, b := good, Human()
		if err := errors.Join(p.Validate(), b.Validate()); err != nil {
			t.Fatal(err)
		}
		change(&p, &b)
		var bad *InvalidError
		if err := errors.Join(p.Validate(), b.Validate()); !errors.As(err, &bad) || !strings.HasPrefix(bad.Error(), field) {
			t.Errorf("%s: got %v", field, err)
		}
	}
}

// The sector vectors of Part 4, facing north.
func TestSectorVectors(t *testing.T) {
	north := Look{Z: -1}
	for _, v := range []struct {
		dx, dz int32
		s      Sector
		want   bool
	}{
		{0, -2, Sector20, true}, {0, -2, Sector135, true}, {2, -1, Sector135, true}, {2, 0, Sector135, false},
		{1, -5, Sector20, false}, {1, -6, Sector20, true}, {2, 0, Sector180, true}, {2, 1, Sector180, false},
		{3, -3, Sector90, true}, {4, -3, Sector90, false}, {0, 2, Sector180, false}, {0, 0, Sector180, false},
		{1, -3, Sector40, true}, {2, -5, Sector40, false}, {2, -5, Sector45, true}, {3, -7, Sector45, false},
	} {
		for _, look := range []Look{north, {Z: -1000, Y: 3}} {
			if got := InSector(Pos{}.Floor(), look, Pos{v.dx, 0, v.dz}.Floor(), v.s); got != v.want {
				t.Errorf("(%d, %d) in %v around %v: %v, should be %v", v.dx, v.dz, v.s, look, got, v.want)
			}
		}
	}
	if InSector(Point{}, Look{Y: 1}, Point{X: 5}, Sector180) {
		t.Error("something is in front of a look straight up")
	}
}

// inSector is the slow answer, by the sign of polynomials in exact integers: the angle times eight, three or one turned
// by complex powers.
func inSector(vx, vz, lx, lz int64, s Sector) bool {
	d := new(big.Int).Add(new(big.Int).Mul(big.NewInt(vx), big.NewInt(lx)), new(big.Int).Mul(big.NewInt(vz), big.NewInt(lz)))
	x := new(big.Int).Sub(new(big.Int).Mul(big.NewInt(vx), big.NewInt(lz)), new(big.Int).Mul(big.NewInt(vz), big.NewInt(lx)))
	x.Abs(x)
	if d.Sign() < 0 || d.Sign() == 0 && x.Sign() == 0 {
		return false
	}
	square := func(re, im *big.Int) (*big.Int, *big.Int) { return times(re, im, re, im) }
	switch s {
	case Sector180:
		return true
	case Sector90: // a ≤ 45°: 2a ≤ 90°
		re, _ := square(d, x)
		return re.Sign() >= 0
	case Sector135: // a ≤ 67.5°: 2a ≤ 135°, within 0…180°: re ≥ 0 or -re ≤ im
		re, im := square(d, x)
		return re.Sign() >= 0 || new(big.Int).Neg(re).Cmp(im) <= 0
	case Sector45: // a ≤ 22.5°: 2a ≤ 45°
		re, im := square(d, x)
		return re.Sign() >= 0 && im.Cmp(re) <= 0
	}
	// a ≤ 10° or 20°: a < 45° and 3a ≤ 30° or 60°, within 0…135°.
	if x.Cmp(d) >= 0 {
		return false
	}
	re, im := square(d, x)
	re, im = times(re, im, d, x)
	if re.Sign() <= 0 {
		return false
	}
	three := big.NewInt(3)
	re2, im2 := new(big.Int).Mul(re, re), new(big.Int).Mul(im, im)
	if s == Sector20 { // im/re ≤ 1/√3
		return im2.Mul(im2, three).Cmp(re2) <= 0
	}
	return im2.Cmp(re2.Mul(re2, three)) <= 0 // im/re ≤ √3
}

func times(a, b, c, d *big.Int) (re, im *big.Int) {
	re = new(big.Int).Sub(new(big.Int).Mul(a, c), new(big.Int).Mul(b, d))
	im = new(big.Int).Add(new(big.Int).Mul(a, d), new(big.Int).Mul(b, c))
	return re, im
}

func TestSectorsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Sector(rapid.Uint8Range(uint8(Sector20), uint8(Sector180)).Draw(t, "sector"))
		l := func(n string) int32 { return rapid.Int32Range(-MaxLook, MaxLook).Draw(t, n) }
		look := Look{X: l("lx"), Z: l("lz")}
		size := rapid.SampledFrom([]int32{3, 300, 70000, MaxCoord * Unit}).Draw(t, "size")
		v := func(n string) int32 { return rapid.Int32Range(-size, size).Draw(t, n) }
		a, b := Point{X: v("ax"), Z: v("az")}, Point{X: v("bx"), Z: v("bz")}
		checkSector(t, a, look, b, s)
	})
}

// Targets as near to the edge of a sector as integers get, on both sides: the continued fractions of its tangent.
func TestSectorsAtTheirEdges(t *testing.T) {
	for s := Sector20; s <= Sector135; s++ {
		for _, f := range convergents(s, 1<<28) {
			for _, off := range [][2]int64{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				x, d := f[0]+off[0], f[1]+off[1]
				if x > 1<<28 || d > 1<<28 {
					continue
				}
				for _, at := range []Point{{}, {X: -1 << 29, Z: 1 << 29}} {
					checkSector(t, at, Look{Z: -MaxLook}, at.Add(Point{X: int32(x), Z: int32(-d)}), s)
					checkSector(t, at, Look{X: MaxLook}, at.Add(Point{X: int32(d), Z: int32(x)}), s)
				}
			}
		}
	}
}

func checkSector(t fataler, a Point, look Look, b Point, s Sector) {
	t.Helper()
	want := inSector(int64(b.X)-int64(a.X), int64(b.Z)-int64(a.Z), int64(look.X), int64(look.Z), s)
	if got := InSector(a, look, b, s); got != want {
		t.Fatalf("%v from %v looking %v in %v: %v, should be %v", b, a, look, s, got, want)
	}
}

// convergents returns the best fractions x/d near the tangent of half a sector, by walking down the Stern-Brocot tree
// with the slow test as guide.
func convergents(s Sector, limit int64) [][2]int64 {
	var out [][2]int64
	lo, hi := [2]int64{0, 1}, [2]int64{1, 0}
	for {
		m := [2]int64{lo[0] + hi[0], lo[1] + hi[1]}
		if m[0] > limit || m[1] > limit || len(out) == 300 { // 45° is reached at once and then only approached
			return out
		}
		out = append(out, m)
		if inSector(m[0], -m[1], 0, -1, s) {
			lo = m
		} else {
			hi = m
		}
	}
}

// No fraction with a denominator below 2⁵⁰ lies between a constant and the tangent it stands for: the last fractions of the tree
// on both sides of the tangent are on the same sides of the constant.
func TestTangentConstantsAreExactEnough(t *testing.T) {
	for s, c := range map[Sector][2]uint64{Sector20: {tan10hi, tan10lo}, Sector40: {tan20hi, tan20lo}} {
		n := new(big.Int).SetUint64(c[0])
		n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(c[1]))
		value := new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), 128))
		lo, hi := [2]int64{0, 1}, [2]int64{1, 0}
		for lo[1]+hi[1] < 1<<50 {
			if m := [2]int64{lo[0] + hi[0], lo[1] + hi[1]}; inSector(m[0], -m[1], 0, -1, s) {
				lo = m
			} else {
				hi = m
			}
		}
		if value.Cmp(big.NewRat(lo[0], lo[1])) <= 0 || value.Cmp(big.NewRat(hi[0], hi[1])) >= 0 {
			t.Errorf("%v: the constant is not between %v and %v", s, lo, hi)
		}
	}
}

func TestFlanks(t *testing.T) {
	at := Pos{}.Floor()
	for _, v := range []struct {
		other Point
		want  Flank
	}{
		{Pos{0, 0, -3}.Floor(), Front}, {Pos{2, 0, -1}.Floor(), Front}, {Pos{3, 0, 0}.Floor(), Side},
		{Pos{0, 0, 3}.Floor(), Rear}, {Pos{-2, 0, 1}.Floor(), Rear}, {Pos{0, 3, 0}.Floor(), NoFlank},
		// On the border of a block beside and one behind: decided against the one who stands there, so not the rear.
		{Point{3*Unit + 128, 0, Unit}, Side},
		{Point{Unit + 128, 0, Unit}, Side},
	} {
		if got := flank(at, Look{Z: -5}, v.other); got != v.want {
			t.Errorf("%v is at %d, should be %d", v.other, got, v.want)
		}
	}
	// The one in the middle stands on a border: from one of his blocks the other is behind him.
	if got := flank(Point{128, 0, Unit}, Look{Z: -5}, Pos{2, 0, 1}.Floor()); got != Rear {
		t.Errorf("seen from a border: %d, should be %d", got, Rear)
	}
}
