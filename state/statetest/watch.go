package statetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"autobattle/state"
)

// concurrently runs n calls at once and fails the test if one fails.
func concurrently(t *testing.T, n int, call func(i int) error) {
	t.Helper()
	var g errgroup.Group
	for i := range n {
		g.Go(func() error { return call(i) })
	}
	must(t, g.Wait())
}

func testRace(t *testing.T, s state.Store) {
	const callers, each = 16, 12
	ctx := t.Context()
	must(t, s.Create(ctx, duel, entry(1), head(1)))
	var mu sync.Mutex
	won := map[uint64]string{1: entry(1).Command}
	concurrently(t, callers, func(i int) error {
		h, err := s.Head(ctx, duel)
		if err != nil {
			return err
		}
		for n := range each {
			key := fmt.Sprintf("%d-%d", i, n)
			for version := h.Version + 1; ; {
				err := s.Append(ctx, duel, command(version, key), head(version), nil)
				var conflict *state.ConflictError
				if errors.As(err, &conflict) {
					if conflict.Head < version-1 {
						return fmt.Errorf("append of %d: head went back to %d", version, conflict.Head)
					}
					version = conflict.Head + 1
					continue
				}
				if err != nil {
					return err
				}
				mu.Lock()
				if by := won[version]; by != "" {
					return fmt.Errorf("version %d was won by %s and by %s", version, by, key)
				}
				won[version] = key
				mu.Unlock()
				h.Version = version
				break
			}
		}
		return nil
	})
	var want []state.Entry
	for v := uint64(1); v <= callers*each+1; v++ {
		want = append(want, command(v, won[v]))
	}
	got, err := s.Load(ctx, duel)
	must(t, err)
	equal(t, "log", got.Entries, want)
	equal(t, "head", got.Head, head(callers*each+1))
}

func testSameCommand(t *testing.T, s state.Store) {
	const callers = 24
	ctx := t.Context()
	var mu sync.Mutex
	var first, repeats int
	concurrently(t, callers, func(i int) error {
		e := entry(1)
		e.AtMS += int64(i)
		err := s.Create(ctx, duel, e, head(1))
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			first++
		case errors.Is(err, state.ErrDuplicate):
			repeats++
		default:
			return err
		}
		return nil
	})
	equal(t, "creations", [2]int{first, repeats}, [2]int{1, callers - 1})
	first, repeats = 0, 0
	concurrently(t, callers, func(i int) error {
		err := s.Append(ctx, duel, entry(2), head(2), nil)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			first++
		case errors.Is(err, state.ErrDuplicate):
			repeats++
		default:
			return err
		}
		return nil
	})
	equal(t, "appends", [2]int{first, repeats}, [2]int{1, callers - 1})
	h, err := s.Head(ctx, duel)
	must(t, err)
	equal(t, "head", h.Version, uint64(2))
}

// expect takes the entries of the versions from one to another off a watch.
func expect(next func() (state.Entry, error, bool), from, to uint64) error {
	for v := from; v <= to; v++ {
		e, err, ok := next()
		if !ok || err != nil {
			return fmt.Errorf("watch at version %d: %v, more %t", v, err, ok)
		}
		if !e.Same(entry(v)) || string(e.Data) != string(entry(v).Data) {
			return fmt.Errorf("watch yields %d %q, want version %d", e.Version, e.Data, v)
		}
	}
	return nil
}

func testWatch(t *testing.T, s state.Store) {
	ctx := t.Context()
	for _, err := range s.Watch(ctx, duel, 0) {
		isError(t, "watch of nothing", err, state.ErrNotFound)
	}
	begin(t, s, duel, 5)
	watch := s.Watch(ctx, duel, 2)
	for range 2 { // each range over it begins after the same version
		next, stop := iter.Pull2(watch)
		must(t, expect(next, 3, 5))
		stop()
	}
	next, stop := iter.Pull2(watch)
	defer stop()
	must(t, expect(next, 3, 5))
	atHead, stop2 := iter.Pull2(s.Watch(ctx, duel, 5))
	defer stop2()
	for v := uint64(6); v <= 40; v++ {
		must(t, s.Append(ctx, duel, entry(v), head(v), nil))
		must(t, expect(next, v, v))
		must(t, expect(atHead, v, v))
	}
	late, stop3 := iter.Pull2(s.Watch(ctx, duel, 0))
	defer stop3()
	must(t, expect(late, 1, 40))
}

func testWatchMany(t *testing.T, s state.Store) {
	const watchers, last = 40, 400
	ids := []state.ID{duel, other, {Tenant: "guests", Battle: "duel-1"}}
	ctx := t.Context()
	for _, id := range ids {
		begin(t, s, id, 3)
	}
	var g errgroup.Group
	for i := range watchers {
		g.Go(func() error {
			after := uint64(i % 4)
			next, stop := iter.Pull2(s.Watch(ctx, ids[i%len(ids)], after))
			defer stop()
			for at := after; at < last; { // goes away now and then, and resumes from where it was
				to := min(at+uint64(50+7*i), last)
				if err := expect(next, at+1, to); err != nil {
					return fmt.Errorf("watcher %d: %w", i, err)
				}
				at = to
				stop()
				next, stop = iter.Pull2(s.Watch(ctx, ids[i%len(ids)], at))
			}
			stop()
			return nil
		})
	}
	for _, id := range ids {
		g.Go(func() error {
			for v := uint64(4); v <= last; v++ {
				if err := s.Append(ctx, id, entry(v), head(v), nil); err != nil {
					return err
				}
			}
			return nil
		})
	}
	must(t, g.Wait())
}

// end drains a watch after the given entries and returns the error it ends with.
func end(next func() (state.Entry, error, bool)) error {
	e, err, ok := next()
	if !ok {
		return nil
	}
	if err == nil {
		return fmt.Errorf("watch yields version %d", e.Version)
	}
	if _, _, ok := next(); ok {
		return fmt.Errorf("watch goes on after %w", err)
	}
	return err
}

func testWatchEnds(t *testing.T, s state.Store) {
	begin(t, s, duel, 2)
	begin(t, s, other, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancelled, stop := iter.Pull2(s.Watch(ctx, duel, 0))
	defer stop()
	deleted, stop2 := iter.Pull2(s.Watch(t.Context(), duel, 0))
	defer stop2()
	stays, stop3 := iter.Pull2(s.Watch(t.Context(), other, 0))
	defer stop3()
	for _, next := range []func() (state.Entry, error, bool){cancelled, deleted, stays} {
		must(t, expect(next, 1, 2))
	}
	done := make(chan error)
	go func() { done <- end(cancelled) }()
	cancel()
	if err := <-done; err != nil {
		t.Fatalf("a cancelled watch ends with %v", err)
	}
	go func() { done <- end(deleted) }()
	must(t, s.Delete(t.Context(), duel))
	isError(t, "watch of a deleted battle", <-done, state.ErrNotFound)
	must(t, s.Append(t.Context(), other, entry(3), head(3), nil))
	must(t, expect(stays, 3, 3))
}

func testWatchReset(t *testing.T, s state.Store) {
	begin(t, s, duel, 3)
	next, stop := iter.Pull2(s.Watch(t.Context(), duel, 4))
	defer stop()
	isError(t, "watch from beyond the head", end(next), state.ErrReset)
}

func testSlow(t *testing.T, s state.Store) {
	const last = 1500
	begin(t, s, duel, 1)
	slow, stop := iter.Pull2(s.Watch(t.Context(), duel, 0))
	defer stop()
	must(t, expect(slow, 1, 1)) // and then it does not read
	quick, stop2 := iter.Pull2(s.Watch(t.Context(), duel, 1))
	defer stop2()
	var g errgroup.Group
	g.Go(func() error { return expect(quick, 2, last) })
	for v := uint64(2); v <= last; v++ {
		must(t, s.Append(t.Context(), duel, entry(v), head(v), nil))
	}
	must(t, g.Wait())
	must(t, expect(slow, 2, last))
}

func testClose(t *testing.T, s state.Store) {
	ctx := t.Context()
	must(t, s.Health(ctx))
	begin(t, s, duel, 2)
	next, stop := iter.Pull2(s.Watch(ctx, duel, 0))
	defer stop()
	must(t, expect(next, 1, 2))
	done := make(chan error)
	go func() { done <- end(next) }()
	must(t, s.Close())
	isError(t, "watch", <-done, state.ErrClosed)
	must(t, s.Close())

	isError(t, "health", s.Health(ctx), state.ErrClosed)
	isError(t, "create", s.Create(ctx, other, entry(1), head(1)), state.ErrClosed)
	isError(t, "append", s.Append(ctx, duel, entry(3), head(3), nil), state.ErrClosed)
	_, err := s.Load(ctx, duel)
	isError(t, "load", err, state.ErrClosed)
	_, err = s.Read(ctx, duel, 0, 0)
	isError(t, "read", err, state.ErrClosed)
	_, err = s.Find(ctx, duel, "cmd-1")
	isError(t, "find", err, state.ErrClosed)
	_, err = s.List(ctx, "", state.ID{}, 0)
	isError(t, "list", err, state.ErrClosed)
	_, err = s.Due(ctx, 1, 0)
	isError(t, "due", err, state.ErrClosed)
	isError(t, "delete", s.Delete(ctx, duel), state.ErrClosed)
	c := state.Collection{Kind: "arena", Tenant: "main"}
	_, err = s.GetDoc(ctx, c, "a")
	isError(t, "get", err, state.ErrClosed)
	_, err = s.PutDoc(ctx, c, "a", 0, nil)
	isError(t, "put", err, state.ErrClosed)
	_, err = s.ListDocs(ctx, c, "", "", 0)
	isError(t, "list of documents", err, state.ErrClosed)
	isError(t, "delete of a document", s.DeleteDoc(ctx, c, "a", state.Any), state.ErrClosed)
	for _, err := range s.Watch(ctx, duel, 0) {
		isError(t, "new watch", err, state.ErrClosed)
	}
}
