package memory

import (
	"testing"

	"autobattle/state"
	"autobattle/state/statetest"
)

func TestStore(t *testing.T) {
	statetest.Run(t, func(*testing.T) state.Store { return Open() })
}

func BenchmarkAppend(b *testing.B) {
	s := Open()
	defer func() { _ = s.Close() }()
	statetest.Bench(b, s, nil)
}
