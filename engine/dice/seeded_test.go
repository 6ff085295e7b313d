package dice

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// seed is the fixed seed of the tests: bytes 0…31.
func seed() (s [32]byte) {
	for i := range s {
		s[i] = byte(i)
	}
	return s
}

// again draws the outcome by the letter of the algorithm in the doc comment, with big integers and no state.
func again(seed [32]byte, at At, n uint64) uint64 {
	all := new(big.Int).Lsh(big.NewInt(1), 64)
	N := new(big.Int).SetUint64(n)
	spare := new(big.Int).Mod(all, N)
	for attempt := 0; ; attempt++ {
		in := append([]byte("autobattle/k1"), seed[:]...)
		in = append(in, byte(at.Stream))
		in = binary.BigEndian.AppendUint64(in, at.Clock)
		in = append(in, byte(attempt))
		gen := rand.NewChaCha8(sha256.Sum256(in))
		word := uint64(0)
		for range at.Pos + 1 {
			word = gen.Uint64()
		}
		i, rest := new(big.Int).DivMod(new(big.Int).Mul(new(big.Int).SetUint64(word), N), all, new(big.Int))
		if rest.Cmp(spare) >= 0 {
			return i.Uint64()
		}
	}
}

func drawFormula(t *rapid.T) Formula {
	switch Kind(rapid.IntRange(0, 2).Draw(t, "kind")) {
	case Fudge:
		return FourFudge(rapid.Int32Range(-99, 99).Draw(t, "percent"))
	case D100:
		return Percentile()
	}
	return Dice(rapid.Int32Range(1, 8).Draw(t, "count"), rapid.Int32Range(1, 181).Draw(t, "sides"))
}

func drawAt(t *rapid.T) At {
	return At{
		Stream: Stream(rapid.IntRange(0, 1).Draw(t, "stream")),
		Clock:  rapid.Uint64Range(0, 3).Draw(t, "clock"),
		Pos:    rapid.Int32Range(0, 70).Draw(t, "pos"),
	}
}

// TestSeededByTheLetter compares one instance, asked in any order, with the algorithm as it is written down.
func TestSeededByTheLetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
		s := NewSeeded(seed)
		for range rapid.IntRange(1, 30).Draw(t, "throws") {
			at, f := drawAt(t), drawFormula(t)
			got, want := s.Throw(at, f), f.Nth(at, again(seed, at, f.Outcomes()))
			if got != want {
				t.Fatalf("%s at %s: %s, by the letter %s", f, at, got, want)
			}
			if err := Verify(NewSeeded(seed), got); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestSeededRedraws finds a throw whose first word is refused, and compares it with the algorithm as written.
func TestSeededRedraws(t *testing.T) {
	f, s := Dice(8, 181), NewSeeded(seed())
	n, refused := f.Outcomes(), 0
	gen := rand.NewChaCha8(key(&s.seed, At{}, 0))
	for pos := range int32(400) {
		at := At{Pos: pos}
		if _, ok := place(gen.Uint64(), n); ok {
			continue
		}
		refused++
		if got, want := s.Throw(at, f), f.Nth(at, again(s.seed, at, n)); got != want {
			t.Errorf("%s: %s, by the letter %s", at, got, want)
		}
	}
	if refused == 0 {
		t.Error("no word was refused, so the test shows nothing")
	}
}

// TestPercentLeavesFaces holds that the same place gives the same faces whatever the percentage.
func TestPercentLeavesFaces(t *testing.T) {
	s := NewSeeded(seed())
	for clock := range uint64(200) {
		at := At{Clock: clock}
		plain := s.Throw(at, FourFudge(0))
		for _, p := range []int32{-99, -1, 1, 50, 99} {
			if got := s.Throw(at, FourFudge(p)); got.Faces != plain.Faces {
				t.Fatalf("%s at %d%%: %s, without %s", at, p, got, plain)
			}
		}
	}
}

// TestPlaceIsEven counts, for every outcome, exactly how many of all 2^64 words lead to it: the edges of each
// outcome's run of words are computed with big integers, and place is asked on both sides of each edge. Within
// a run the rest grows by n, so that only its first word can be refused.
func TestPlaceIsEven(t *testing.T) {
	all := new(big.Int).Lsh(big.NewInt(1), 64)
	for _, n := range []uint64{1, 2, 3, 6, 10, 81, 100, 181, 8100, 10000} {
		N := new(big.Int).SetUint64(n)
		want := new(big.Int).Div(all, N)
		edge := func(i uint64) *big.Int { // first word of outcome i: ⌈i·2^64 / n⌉
			e := new(big.Int).Mul(new(big.Int).SetUint64(i), all)
			return e.Div(e.Add(e, N).Sub(e, big.NewInt(1)), N)
		}
		for i := range n {
			first, next := edge(i), edge(i+1)
			count := new(big.Int).Sub(next, first)
			w := first.Uint64()
			got, ok := place(w, n)
			if got != i {
				t.Fatalf("n %d: word %d gives %d, want %d", n, w, got, i)
			}
			if !ok {
				count.Sub(count, big.NewInt(1))
			}
			for _, inner := range []uint64{w + 1, next.Uint64() - 1} {
				if got, ok := place(inner, n); got != i || !ok {
					t.Fatalf("n %d: word %d gives %d, %v, want %d", n, inner, got, ok, i)
				}
			}
			if count.Cmp(want) != 0 {
				t.Fatalf("n %d: outcome %d has %d words, want %d", n, i, count, want)
			}
		}
	}
}

// TestEvenFaces counts 81 000 throws of a fixed seed by their faces. The bound is the chi-square of 80 degrees
// of freedom at one in a million, in integers.
func TestEvenFaces(t *testing.T) {
	const rounds = 1000
	s := NewSeeded(seed())
	var counts [81]int64
	for i := range 81 * rounds {
		at := At{Stream: Stream(i % 2), Clock: uint64(i / 8), Pos: int32(i % 8)}
		k := 0
		throw := s.Throw(at, FourFudge(50))
		for _, face := range throw.Faces[:4] {
			k = k*3 + int(face) + 1
		}
		counts[k]++
	}
	chi := int64(0)
	for _, c := range counts {
		chi += (c - rounds) * (c - rounds)
	}
	if chi /= rounds; chi > 151 {
		t.Errorf("chi-square %d of 80 degrees of freedom, at most 151", chi)
	}
}

// TestGoldenThrows shows the first throws of a fixed seed: a change of the algorithm would break every battle
// that was ever exported.
func TestGoldenThrows(t *testing.T) {
	s := NewSeeded(seed())
	formulas := [...]Formula{FourFudge(0), FourFudge(50), FourFudge(-75), Percentile(), Dice(2, 10), Dice(8, 181), Dice(1, 300)}
	var b bytes.Buffer
	for i := range 64 {
		at := At{Stream: Stream(i / 4 % 2), Clock: uint64(i / 8), Pos: int32(i % 4)}
		f := formulas[i%len(formulas)]
		fmt.Fprintf(&b, "%s\t%s\t%s\n", at, f, s.Throw(at, f))
	}
	const name = "testdata/throws.golden"
	if *update {
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("throws have changed:\n%s", b.String())
	}
}

// TestSeedHashes holds the hashes of seeds against values computed by another program.
func TestSeedHashes(t *testing.T) {
	tests := map[string]struct {
		got  [32]byte
		want string
	}{
		"commit": {Commit(seed()), commitHex},
		"alone":  {Mix(seed(), nil), aloneHex},
		"mixed":  {Mix(seed(), [][]byte{[]byte("ab"), {}, []byte("c")}), mixedHex},
		"key":    {key(new(seed()), At{Hidden, 258, 7}, 3), keyHex},
	}
	for name, test := range tests {
		if got := hex.EncodeToString(test.got[:]); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// Hashes by Python's hashlib of the inputs that the doc comments spell out.
const (
	commitHex = "dab446ff9cfbcce78ed3509f70382576bb4ca75d27cc3d73206db66eb1a30a91"
	aloneHex  = "a63ece19e92350cb390168da96e41684fe3c7ee238bb456bc8dbd9ac72d1193b"
	mixedHex  = "1ca48df5c0b1eb074f77dcdd0596cb9c6db92148c83a2b09fd56f68cfe230d0d"
	keyHex    = "2c0d4b63c0847cb59e6426693fe529e5c3e65873e85f10512e7c819d5a6beec1"
)

// TestMixParts holds that order and bounds of contributions count.
func TestMixParts(t *testing.T) {
	a, b := []byte("a"), []byte("b")
	mixes := [][][]byte{nil, {{}}, {a, b}, {b, a}, {[]byte("ab")}, {a}, {a, {}}, {{}, a}, {a, b, {}}}
	for i := range mixes {
		for j := range i {
			if Mix(seed(), mixes[i]) == Mix(seed(), mixes[j]) {
				t.Errorf("%q and %q give one seed", mixes[i], mixes[j])
			}
		}
	}
	other := seed()
	other[31] ^= 1
	if Mix(seed(), mixes[2]) == Mix(other, mixes[2]) {
		t.Error("the server's seed does not count")
	}
}

func TestVerifyCommit(t *testing.T) {
	for bit := range 256 {
		other := seed()
		other[bit/8] ^= 1 << (bit % 8)
		if VerifyCommit(Commit(seed()), other) {
			t.Fatalf("a seed with bit %d changed passes", bit)
		}
	}
	if !VerifyCommit(Commit(seed()), seed()) {
		t.Error("the seed itself is refused")
	}
}

// TestVerify changes a recorded throw in each field.
func TestVerify(t *testing.T) {
	s := NewSeeded(seed())
	good := s.Throw(At{Hidden, 5, 2}, FourFudge(99))
	if err := Verify(s, good); err != nil {
		t.Error(err)
	}
	tests := map[string]func(*Throw){
		"stream":         func(t *Throw) { t.At.Stream = Public },
		"unknown stream": func(t *Throw) { t.At.Stream = 2 },
		"clock":          func(t *Throw) { t.At.Clock++ },
		"position":       func(t *Throw) { t.At.Pos = -1 },
		"far position":   func(t *Throw) { t.At.Pos = MaxPos + 1 },
		"face":           func(t *Throw) { t.Faces[0] = -t.Faces[0] + 1 },
		"fifth face":     func(t *Throw) { t.Faces[4] = 1 },
		"sum":            func(t *Throw) { t.Sum++ },
		"d100":           func(t *Throw) { t.D100-- },
		"turned":         func(t *Throw) { t.Turned = 0 },
		"percent":        func(t *Throw) { t.Percent = 0 },
		"percent range":  func(t *Throw) { t.Percent = 100 },
		"kind":           func(t *Throw) { t.Kind = 7 },
		"count":          func(t *Throw) { t.Count = 3 },
	}
	for name, change := range tests {
		bad := good
		change(&bad)
		if err := Verify(s, bad); err == nil {
			t.Errorf("%s: a changed throw passes: %+v", name, bad)
		}
	}
}

func TestSeededRefuses(t *testing.T) {
	s := NewSeeded(seed())
	mustPanic(t, "stream 2 is unknown", func() { s.Throw(At{Stream: 2}, Formula{}) })
	mustPanic(t, "position -1", func() { s.Throw(At{Pos: -1}, Formula{}) })
	mustPanic(t, "position 65536", func() { s.Throw(At{Pos: MaxPos + 1}, Formula{}) })
	mustPanic(t, "percent 100", func() { s.Throw(At{}, FourFudge(100)) })
}

func TestSeededAllocatesNothing(t *testing.T) {
	s := NewSeeded(seed())
	formulas := [...]Formula{FourFudge(0), FourFudge(50), Percentile(33, 66), Dice(2, 10), Dice(8, 181)}
	i := 0
	got := testing.AllocsPerRun(4000, func() {
		s.Throw(At{Stream: Stream(i & 1), Clock: uint64(i / 8), Pos: int32(i % 8)}, formulas[i%len(formulas)])
		i++
	})
	if got != 0 {
		t.Errorf("%v allocations in a throw", got)
	}
}
