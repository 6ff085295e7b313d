package dice

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
)

// The tags part the hashes of seeds from each other and from the keys of throws.
const (
	commitTag = "autobattle/commit/1"
	mixTag    = "autobattle/seed/1"
)

// Commit is the promise of a server seed that is published before the first throw, and before anybody adds
// entropy: SHA-256("autobattle/commit/1" ‖ seed).
func Commit(seed [32]byte) [32]byte {
	var in [len(commitTag) + 32]byte
	copy(in[:], commitTag)
	copy(in[len(commitTag):], seed[:])
	return sha256.Sum256(in[:])
}

// VerifyCommit tells whether a revealed server seed is the one that was promised.
func VerifyCommit(commitment, seed [32]byte) bool {
	again := Commit(seed)
	return subtle.ConstantTimeCompare(commitment[:], again[:]) == 1
}

// Mix is the effective seed of a battle: the server's seed and what the participants added until the start,
// in the order of the log. SHA-256("autobattle/seed/1" ‖ seed ‖ each contribution after its length in eight
// bytes, big-endian). Without contributions it is still a hash.
func Mix(seed [32]byte, contributions [][]byte) (effective [32]byte) {
	h := sha256.New()
	h.Write([]byte(mixTag))
	h.Write(seed[:])
	for _, c := range contributions {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(c))))
		h.Write(c)
	}
	h.Sum(effective[:0])
	return effective
}
