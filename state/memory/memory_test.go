package memory

import (
	"testing"

	"autobattle/state"
	"autobattle/state/statetest"
)

func TestStore(t *testing.T) {
	statetest.Run(t, func(*testing.T) state.Store { return Open() })
}
