package redis

import (
	"testing"

	"autobattle/state"
	"autobattle/state/redis/redistest"
	"autobattle/state/statetest"
)

func TestStore(t *testing.T) {
	server := redistest.Start(t)
	statetest.Run(t, func(t *testing.T) state.Store {
		server.Do("FLUSHALL")
		return open(t, server.URL())
	})
}

func open(t testing.TB, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
