package redis

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"

	"autobattle/state"
	"autobattle/state/redis/redistest"
)

var duel = state.ID{Tenant: "main", Battle: "duel"}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func entry(version uint64) state.Entry {
	key := fmt.Sprintf("cmd-%d", version)
	return state.Entry{Version: version, Command: key, Digest: sha256.Sum256([]byte(key)), Data: []byte(strings.Repeat(key, 20))}
}

// store opens a store that is closed when the test ends.
func store(t testing.TB, url string) *Store {
	t.Helper()
	s := open(t, url)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// persist appends the entries of the versions from one to another, trying again while the store is down.
func persist(ctx context.Context, s state.Store, from, to uint64) error {
	for v := from; v <= to; v++ {
		for {
			err := s.Append(ctx, duel, entry(v), state.Head{}, nil)
			if v == 1 {
				err = s.Create(ctx, duel, entry(v), state.Head{})
			}
			if err == nil || errors.Is(err, state.ErrDuplicate) {
				break
			}
			if !errors.Is(err, state.ErrUnavailable) {
				return err
			}
		}
	}
	return nil
}

// follow takes entries off a watch and makes sure that they are those of the versions from one to another.
func follow(next func() (state.Entry, error, bool), from, to uint64) error {
	for v := from; v <= to; v++ {
		e, err, ok := next()
		if !ok || err != nil || !e.Same(entry(v)) || string(e.Data) != string(entry(v).Data) {
			return fmt.Errorf("watch yields version %d, %v, more %t; want version %d", e.Version, err, ok, v)
		}
	}
	return nil
}

func watch(t *testing.T, s state.Store, after uint64) func() (state.Entry, error, bool) {
	next, stop := iter.Pull2(s.Watch(t.Context(), duel, after))
	t.Cleanup(stop)
	return next
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// limited is a context for calls that must end by themselves.
func limited(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// TestDown kills a server that loses nothing and starts it again, under watches and appends.
func TestDown(t *testing.T) {
	server := redistest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
	s := store(t, server.URL())
	ctx := limited(t)
	must(t, persist(ctx, s, 1, 10))
	next := watch(t, s, 0)
	must(t, follow(next, 1, 10))

	server.Kill()
	calls := map[string]func() error{
		"create": func() error { return s.Create(ctx, duel, entry(1), state.Head{}) },
		"append": func() error { return s.Append(ctx, duel, entry(11), state.Head{}, nil) },
		"load":   func() error { _, err := s.Load(ctx, duel); return err },
		"head":   func() error { _, err := s.Head(ctx, duel); return err },
		"read":   func() error { _, err := s.Read(ctx, duel, 0, 0); return err },
		"find":   func() error { _, err := s.Find(ctx, duel, "cmd-1"); return err },
		"list":   func() error { _, err := s.List(ctx, "", state.ID{}, 0); return err },
		"due":    func() error { _, err := s.Due(ctx, 1, 0); return err },
		"delete": func() error { return s.Delete(ctx, duel) },
		"get":    func() error { _, err := s.GetDoc(ctx, state.Collection{Kind: "a", Tenant: "b"}, "c"); return err },
		"put": func() error {
			_, err := s.PutDoc(ctx, state.Collection{Kind: "a", Tenant: "b"}, "c", 0, nil)
			return err
		},
		"health": func() error { return s.Health(ctx) },
		"watch": func() error {
			for _, err := range s.Watch(ctx, duel, 0) {
				return err
			}
			return nil
		},
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("%s while the server is down: %v", name, err)
		}
	}
	if _, err := Open(ctx, server.URL()); !errors.Is(err, state.ErrUnavailable) || !strings.Contains(err.Error(), server.Addr) {
		t.Errorf("open while the server is down: %v", err)
	}

	server.Run()
	must(t, persist(ctx, s, 11, 20))
	must(t, follow(next, 11, 20))

	var g errgroup.Group
	g.Go(func() error { return follow(next, 21, 600) })
	g.Go(func() error { return persist(ctx, s, 21, 600) })
	for round := uint64(1); round <= 5; round++ {
		must(t, follow(watch(t, s, 20), 21, 20+round*90))
		server.Kill()
		server.Run()
	}
	must(t, g.Wait())
	must(t, s.Health(ctx))
}

// TestReset loses commits that were seen: watches say so and do not go on with other ones.
func TestReset(t *testing.T) {
	server := redistest.Start(t)
	s := store(t, server.URL())
	ctx := limited(t)
	must(t, persist(ctx, s, 1, 10))
	next, other := watch(t, s, 0), watch(t, s, 4)
	must(t, follow(next, 1, 10))
	must(t, follow(other, 5, 10))
	server.Kill()
	server.Run() // empty
	for v := uint64(1); v <= 12; v++ {
		e := entry(v)
		e.Command = "other-" + e.Command
		err := s.Append(ctx, duel, e, state.Head{}, nil)
		if v == 1 {
			for err = state.ErrUnavailable; errors.Is(err, state.ErrUnavailable); {
				err = s.Create(ctx, duel, e, state.Head{})
			}
		}
		must(t, err)
	}
	for _, next := range []func() (state.Entry, error, bool){next, other} {
		// Whoever looked before the battle was made anew found none.
		if e, err, _ := next(); !errors.Is(err, state.ErrReset) && !errors.Is(err, state.ErrNotFound) {
			t.Errorf("watch goes on with version %d %s, %v", e.Version, e.Command, err)
		}
	}
}

// TestReconnect cuts the reader's connection again and again while commits are made.
func TestReconnect(t *testing.T) {
	const last = 2000
	server := redistest.Start(t)
	s := store(t, server.URL())
	ctx := limited(t)
	must(t, persist(ctx, s, 1, 1))
	var g errgroup.Group
	for range 8 {
		next := watch(t, s, 0)
		g.Go(func() error { return follow(next, 1, last) })
	}
	for v := uint64(2); v <= last; v++ {
		must(t, persist(ctx, s, v, v))
		if v%40 == 0 {
			server.Do("CLIENT", "KILL", "TYPE", "pubsub")
		}
	}
	must(t, g.Wait())
}

// TestPaused stops the server for a while: calls end with their context, watches go on afterwards.
func TestPaused(t *testing.T) {
	server := redistest.Start(t)
	s := store(t, server.URL())
	ctx := limited(t)
	must(t, persist(ctx, s, 1, 5))
	next := watch(t, s, 0)
	must(t, follow(next, 1, 5))
	server.Pause()
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	err := s.Append(short, duel, entry(6), state.Head{}, nil)
	server.Resume()
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("append to a hung server: %v", err)
	}
	must(t, persist(ctx, s, 6, 30)) // whether the first try was stored or not
	must(t, follow(next, 6, 30))
}

func TestScriptFlush(t *testing.T) {
	server := redistest.Start(t)
	s := store(t, server.URL())
	for v := uint64(1); v <= 20; v++ {
		server.Do("SCRIPT", "FLUSH")
		must(t, persist(t.Context(), s, v, v))
		got, err := s.Load(t.Context(), duel)
		must(t, err)
		if got.Head.Version != v {
			t.Fatalf("head is %d, want %d", got.Head.Version, v)
		}
	}
}

// TestProcesses has two stores on one server: what one does the watches of the other see, and each has
// one connection for all its watches.
func TestProcesses(t *testing.T) {
	const viewers, last = 60, 200
	server := redistest.Start(t)
	a, b := store(t, server.URL()), store(t, server.URL())
	must(t, persist(t.Context(), a, 1, 1))
	var g errgroup.Group
	var nexts []func() (state.Entry, error, bool)
	for i := range viewers {
		s := []*Store{a, b}[i%2]
		nexts = append(nexts, watch(t, s, 0))
	}
	for _, next := range nexts {
		g.Go(func() error { return follow(next, 1, last) })
	}
	for v := uint64(2); v <= last; v++ {
		must(t, persist(t.Context(), []*Store{a, b}[v%2], v, v))
	}
	must(t, g.Wait())
	if clients := server.Do("CLIENT", "LIST", "TYPE", "pubsub").(string); strings.Count(clients, "\n") != 2 {
		t.Errorf("two processes with %d watches have these connections to hear of commits:\n%s", viewers, clients)
	}
	must(t, a.Delete(t.Context(), duel))
	for _, next := range nexts {
		if _, err, _ := next(); !errors.Is(err, state.ErrNotFound) {
			t.Fatalf("watch of a deleted battle: %v", err)
		}
	}
}

// TestSnapshotIsCache damages the snapshot in several ways: the log alone gives the battle.
func TestSnapshotIsCache(t *testing.T) {
	server := redistest.Start(t)
	s := store(t, server.URL())
	must(t, persist(t.Context(), s, 1, 3))
	must(t, s.Append(t.Context(), duel, entry(4), state.Head{}, []byte("snapshot")))
	must(t, persist(t.Context(), s, 5, 6))
	got, err := s.Load(t.Context(), duel)
	must(t, err)
	if got.Snapshot.Version != 4 || len(got.Entries) != 2 {
		t.Fatalf("loaded snapshot %d and %d entries", got.Snapshot.Version, len(got.Entries))
	}
	key := keysOf(duel).snapshot
	for _, damage := range [][]any{{"HSET", key, "version", "9"}, {"HSET", key, "version", "x"}, {"DEL", key}, {"HSET", key, "other", "1"}} {
		server.Do(damage...)
		got, err := s.Load(t.Context(), duel)
		if err != nil || got.Snapshot.Version != 0 || len(got.Entries) != 6 {
			t.Errorf("after %v: snapshot %d, %d entries, %v", damage, got.Snapshot.Version, len(got.Entries), err)
		}
	}
	server.Do("XDEL", keysOf(duel).log, "3-0")
	if _, err := s.Load(t.Context(), duel); !errors.Is(err, state.ErrCorrupt) {
		t.Errorf("load of a log with a gap: %v", err)
	}
	if _, err := s.Read(t.Context(), duel, 0, 0); !errors.Is(err, state.ErrCorrupt) {
		t.Errorf("read of a log with a gap: %v", err)
	}
}
