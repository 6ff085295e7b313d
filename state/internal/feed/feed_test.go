package feed

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"autobattle/state"
)

var duel = state.ID{Tenant: "main", Battle: "duel"}

func entry(version uint64) state.Entry {
	return state.Entry{Version: version, Command: fmt.Sprintf("cmd-%d", version), Data: make([]byte, 10)}
}

// log is a store for one battle.
type log struct {
	mu      sync.Mutex
	entries []state.Entry
	reads   int
	err     error
}

func (l *log) read(_ context.Context, _ state.ID, after uint64, limit int) ([]state.Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads++
	if l.err != nil {
		return nil, l.err
	}
	if after > uint64(len(l.entries)) {
		return nil, state.ErrReset
	}
	return slices.Clone(l.entries[after:min(int(after)+limit, len(l.entries))]), nil
}

func (l *log) append(versions ...uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range versions {
		l.entries = append(l.entries, entry(v))
	}
}

func (l *log) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

// take takes the versions off a watch.
func take(t *testing.T, next func() (state.Entry, error, bool), versions ...uint64) {
	t.Helper()
	for _, v := range versions {
		if e, err, ok := next(); !ok || err != nil || !e.Same(entry(v)) {
			t.Fatalf("watch yields %d %q, %v, more %t; want %d", e.Version, e.Command, err, ok, v)
		}
	}
}

func begin(t *testing.T, after uint64, versions ...uint64) (*Hub, *log, func() (state.Entry, error, bool)) {
	t.Helper()
	l := &log{}
	l.append(versions...)
	h := New(l.read, nil)
	next, stop := iter.Pull2(h.Watch(t.Context(), duel, after))
	t.Cleanup(stop)
	return h, l, next
}

func TestPublished(t *testing.T) {
	h, l, next := begin(t, 0, 1)
	take(t, next, 1)
	for v := uint64(2); v <= 3*keepEntries; v++ {
		l.append(v)
		h.Publish(duel, entry(v))
		take(t, next, v)
	}
	if l.reads > 3 {
		t.Errorf("a follower at the head read the store %d times", l.reads)
	}
}

func TestFallenBehind(t *testing.T) {
	h, l, next := begin(t, 0, 1)
	take(t, next, 1)
	var all []uint64
	for v := uint64(2); v <= 5*keepEntries; v++ {
		l.append(v)
		h.Publish(duel, entry(v))
		all = append(all, v)
	}
	if n := len(h.topics[duel].recent); n > keepEntries {
		t.Errorf("%d commits are kept for a slow follower", n)
	}
	take(t, next, all...)
}

func TestMissed(t *testing.T) {
	h, l, next := begin(t, 0, 1)
	take(t, next, 1)
	l.append(2, 3)
	h.Publish(duel, entry(3)) // 2 was not heard of
	take(t, next, 2, 3)
	l.append(4, 5)
	h.Break(duel) // nor were these
	take(t, next, 4, 5)
	l.append(6)
	h.Publish(duel, entry(6))
	h.Publish(duel, entry(6)) // heard of twice
	l.append(7)
	h.Publish(duel, entry(7))
	take(t, next, 6, 7)
}

func TestReset(t *testing.T) {
	other := entry(3)
	other.Command = "another"
	for name, after := range map[string][]state.Entry{
		"shorter":  {entry(1), entry(2)},
		"replaced": {entry(1), entry(2), other, entry(4)},
		"empty":    {},
	} {
		h, l, next := begin(t, 1, 1, 2, 3)
		take(t, next, 2, 3)
		l.mu.Lock()
		l.entries = after
		l.mu.Unlock()
		h.Break(duel)
		if e, err, _ := next(); !errors.Is(err, state.ErrReset) {
			t.Errorf("%s: watch yields %d, %v", name, e.Version, err)
		}
	}
	// A commit of a version that was published before with another content is noticed by itself.
	h, l, next := begin(t, 0, 1, 2)
	take(t, next, 1, 2)
	l.append(3)
	h.Publish(duel, entry(3))
	take(t, next, 3)
	l.mu.Lock()
	l.entries[2] = other
	l.mu.Unlock()
	h.Publish(duel, other)
	if e, err, _ := next(); !errors.Is(err, state.ErrReset) {
		t.Errorf("watch yields %d, %v", e.Version, err)
	}
}

func TestOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, l, next := begin(t, 0, 1)
		take(t, next, 1)
		l.fail(state.ErrUnavailable)
		h.Break(duel)
		go func() {
			time.Sleep(time.Hour)
			l.append(2)
			l.fail(nil)
		}()
		take(t, next, 2)
		if l.reads < 100 || l.reads > 1000 {
			t.Errorf("the store was read %d times in an hour of outage", l.reads)
		}
		l.fail(state.ErrCorrupt)
		h.Break(duel)
		if _, err, _ := next(); !errors.Is(err, state.ErrCorrupt) {
			t.Errorf("watch of a damaged battle: %v", err)
		}
	})
}

func TestFollowedAndLeft(t *testing.T) {
	l := &log{}
	l.append(1)
	var changes []bool
	h := New(l.read, func(_ state.ID, followed bool) { changes = append(changes, followed) })
	first, stop := iter.Pull2(h.Watch(t.Context(), duel, 0))
	second, stop2 := iter.Pull2(h.Watch(t.Context(), duel, 0))
	take(t, first, 1)
	take(t, second, 1)
	stop()
	if !slices.Equal(changes, []bool{true}) || len(h.topics) != 1 {
		t.Errorf("with one follower left: %v, %d topics", changes, len(h.topics))
	}
	stop2()
	if !slices.Equal(changes, []bool{true, false}) || len(h.topics) != 0 {
		t.Errorf("with none left: %v, %d topics", changes, len(h.topics))
	}
	h.Close()
	for _, err := range h.Watch(t.Context(), duel, 0) {
		if !errors.Is(err, state.ErrClosed) {
			t.Errorf("watch of a closed hub: %v", err)
		}
	}
}
