package dice

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// keyTag parts the keys of throws from every other use of the seed. With it a key's input is 55 bytes, which
// is one block of SHA-256.
const keyTag = "autobattle/k1"

// Seeded draws throws from a secret seed. A throw is a function of seed, place and formula alone: not of the
// instance, and not of what was thrown before. Throws of one clock in order of position are the quick way.
// It is for one goroutine at a time.
//
// How a throw is drawn, so that others can check it:
//
//  1. n is the number of outcomes of the formula ([Formula.Outcomes]): 8100 for Fudge, 100 for D100, Sides to
//     the power of Count for Sum.
//  2. key = SHA-256("autobattle/k1" ‖ seed ‖ stream ‖ clock ‖ attempt), with the seed in 32 bytes, the stream
//     in one (0 public, 1 hidden), the clock in eight, big-endian, and the attempt in one, at first 0.
//  3. w is number Pos, from 0, of the 64-bit words of ChaCha8 with that key, as math/rand/v2 and C2SP's
//     chacha8rand define it.
//  4. i = ⌊w·n / 2^64⌋ and rest = w·n mod 2^64. If rest < 2^64 mod n the word is refused, because it would
//     favour some outcomes: the attempt is raised by one, go on at 2. (For Fudge that is one throw in 2^51.)
//     Each i has the same number of words, ⌊2^64 / n⌋.
//  5. The throw is outcome i ([Formula.Nth]). So a percentage never changes the faces of a Fudge throw: they
//     and the d100 are drawn together, and the d100 is shown only when the rules throw it.
type Seeded struct {
	seed  [32]byte
	heads [streams]head
}

// head is where the generator of one stream stands.
type head struct {
	gen   rand.ChaCha8
	clock uint64
	next  int32 // position of the generator's next word
	live  bool
}

var _ Source = (*Seeded)(nil)

// NewSeeded makes a source of throws from the effective seed of a battle, see [Mix].
func NewSeeded(seed [32]byte) *Seeded { return &Seeded{seed: seed} }

// Throw draws the throw of formula f at the place. It panics if either is out of range.
func (s *Seeded) Throw(at At, f Formula) (t Throw) {
	n := uint64(8100) // without a call in the common case
	if !f.plain() {
		n = f.outcomes()
	}
	if at.Stream >= streams || uint32(at.Pos) > MaxPos {
		panic(at.Check())
	}
	h := &s.heads[at.Stream]
	if !h.live || h.clock != at.Clock || h.next > at.Pos {
		h.gen.Seed(key(&s.seed, at, 0))
		h.clock, h.next, h.live = at.Clock, 0, true
	}
	for ; h.next < at.Pos; h.next++ {
		h.gen.Uint64()
	}
	h.next++
	i, ok := place(h.gen.Uint64(), n)
	if !ok {
		i = s.redraw(at, n)
	}
	t.set(&f, at, i)
	return t
}

// redraw goes on with the attempts after the first.
func (s *Seeded) redraw(at At, n uint64) uint64 {
	for attempt := byte(1); attempt != 0; attempt++ {
		var gen rand.ChaCha8
		gen.Seed(key(&s.seed, at, attempt))
		for range at.Pos {
			gen.Uint64()
		}
		if i, ok := place(gen.Uint64(), n); ok {
			return i
		}
	}
	panic(fmt.Sprintf("dice: throw %s among %d outcomes: 256 words refused, each with a chance below 1/16", at, n))
}

// place maps a word to one of n outcomes, each with the same number of words; it refuses the words left over.
func place(w, n uint64) (i uint64, ok bool) {
	i, rest := bits.Mul64(w, n)
	return i, rest >= n || rest >= -n%n
}

// key is the ChaCha8 key of one clock of one stream.
func key(seed *[32]byte, at At, attempt byte) [32]byte {
	var in [len(keyTag) + 32 + 1 + 8 + 1]byte
	copy(in[:], keyTag)
	rest := in[len(keyTag):]
	copy(rest, seed[:])
	rest[32] = byte(at.Stream)
	binary.BigEndian.PutUint64(rest[33:], at.Clock)
	rest[41] = attempt
	return sha256.Sum256(in[:])
}
