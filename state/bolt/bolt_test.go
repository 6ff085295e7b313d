package bolt

import (
	"path/filepath"
	"testing"

	"autobattle/state"
	"autobattle/state/statetest"
)

func TestStore(t *testing.T) {
	statetest.Run(t, func(t *testing.T) state.Store { return openFile(t, filepath.Join(t.TempDir(), "battles")) })
}

func openFile(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func BenchmarkAppend(b *testing.B) {
	s := openFile(b, filepath.Join(b.TempDir(), "battles"))
	defer func() { _ = s.Close() }()
	statetest.Bench(b, s, nil)
}
