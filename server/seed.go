package server

import (
	"crypto/sha256"
	"encoding/binary"
)

// givenSeed is the seed of a battle on a server that was started with a given seed, for demonstrations and tests: the
// same battle id gives the same dice. Such dice are fair to nobody who knows the number.
func givenSeed(n uint64, battle string) [32]byte {
	return sha256.Sum256(append(binary.BigEndian.AppendUint64([]byte("autobattle/given/1\n"), n), battle...))
}
