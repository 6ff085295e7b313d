// Package statetest is what every state.Store does, as tests: Run is called by the tests of each store.
package statetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"autobattle/state"
)

// Run tests the stores that open returns. Each must be empty, and is closed by the suite.
func Run(t *testing.T, open func(t *testing.T) state.Store) {
	tests := []struct {
		name string
		run  func(t *testing.T, s state.Store)
	}{
		{"create", testCreate},
		{"append", testAppend},
		{"refused append changes nothing", testRefused},
		{"invalid arguments", testInvalid},
		{"bytes are owned", testOwned},
		{"snapshots", testSnapshots},
		{"read and find", testRead},
		{"list", testList},
		{"due", testDue},
		{"delete", testDelete},
		{"documents", testDocs},
		{"cancelled context", testCancelled},
		{"one winner for each version", testRace},
		{"same command from many callers", testSameCommand},
		{"watch", testWatch},
		{"watch many", testWatchMany},
		{"watch ends", testWatchEnds},
		{"watch after reset", testWatchReset},
		{"slow watcher", testSlow},
		{"close", testClose},
		{"model", testModel},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			leaks := goleak.IgnoreCurrent()
			s := open(t)
			defer goleak.VerifyNone(t, leaks)
			defer func() {
				if err := s.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			}()
			test.run(t, s)
		})
	}
}

var (
	duel  = state.ID{Tenant: "main", Battle: "duel-1"}
	other = state.ID{Tenant: "main", Battle: "duel-2"}
)

// entry is the commit of a version whose command key, digest and data follow from its number.
func entry(version uint64) state.Entry {
	return command(version, fmt.Sprintf("cmd-%d", version))
}

// command is the commit of a version by a command of the given key.
func command(version uint64, key string) state.Entry {
	return state.Entry{
		Version: version,
		Command: key,
		Digest:  sha256.Sum256([]byte(key)),
		AtMS:    1_700_000_000_000 + int64(version),
		Data:    fmt.Appendf(nil, "%s\x00\r\n\xff of %d", key, version),
	}
}

func head(version uint64) state.Head {
	return state.Head{
		Version: version, Phase: "running", Ruleset: "kmrp/1", Title: "Дуэль {at} \"dawn\"\n",
		CreatedMS: 1_700_000_000_000, UpdatedMS: 1_700_000_000_000 + int64(version),
	}
}

// begin creates a battle and appends until its head is the given version.
func begin(t *testing.T, s state.Store, id state.ID, version uint64) {
	t.Helper()
	must(t, s.Create(t.Context(), id, entry(1), head(1)))
	for v := uint64(2); v <= version; v++ {
		must(t, s.Append(t.Context(), id, entry(v), head(v), nil))
	}
}

// entries are the commits from one version to another.
func entries(from, to uint64) []state.Entry {
	var es []state.Entry
	for v := from; v <= to; v++ {
		es = append(es, entry(v))
	}
	return es
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

func isError(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("%s: error is %v, want %v", what, err, want)
	}
}

func isConflict(t *testing.T, what string, err error, head uint64) {
	t.Helper()
	isError(t, what, err, state.ErrConflict)
	var conflict *state.ConflictError
	if !errors.As(err, &conflict) || conflict.Head != head {
		t.Fatalf("%s: error is %#v, want a conflict with head %d", what, err, head)
	}
}

func isDuplicate(t *testing.T, what string, err error, want state.Entry) {
	t.Helper()
	isError(t, what, err, state.ErrDuplicate)
	var duplicate *state.DuplicateError
	if !errors.As(err, &duplicate) {
		t.Fatalf("%s: error is %#v, want a duplicate", what, err)
	}
	equal(t, what, duplicate.Entry, want)
}

func stored(t *testing.T, s state.Store, id state.ID, want state.Stored) {
	t.Helper()
	got, err := s.Load(t.Context(), id)
	must(t, err)
	equal(t, "stored battle", got, want)
}

func testCreate(t *testing.T, s state.Store) {
	ctx := t.Context()
	_, err := s.Load(ctx, duel)
	isError(t, "load of nothing", err, state.ErrNotFound)
	must(t, s.Create(ctx, duel, entry(1), head(1)))
	want := state.Stored{Head: head(1), Entries: entries(1, 1)}
	stored(t, s, duel, want)

	again := entry(1)
	again.AtMS, again.Data = again.AtMS+5, []byte("decided once more")
	isDuplicate(t, "the same creation", s.Create(ctx, duel, again, head(1)), entry(1))
	again.Digest[0]++
	isError(t, "another digest", s.Create(ctx, duel, again, head(1)), state.ErrReused)
	isError(t, "another command", s.Create(ctx, duel, command(1, "mine"), head(1)), state.ErrExists)
	stored(t, s, duel, want)

	elsewhere := state.ID{Tenant: "guests", Battle: duel.Battle}
	_, err = s.Load(ctx, elsewhere)
	isError(t, "load by another tenant", err, state.ErrNotFound)
	must(t, s.Create(ctx, elsewhere, command(1, "mine"), head(1)))
	stored(t, s, duel, want)
}

func testAppend(t *testing.T, s state.Store) {
	ctx := t.Context()
	isError(t, "append to nothing", s.Append(ctx, duel, entry(2), head(2), nil), state.ErrNotFound)
	begin(t, s, duel, 1)
	begin(t, s, other, 1)
	for v := uint64(2); v <= 5; v++ {
		h := head(v)
		h.Phase, h.Version = fmt.Sprintf("round %d", v), 77 // the store sets the version
		must(t, s.Append(ctx, duel, entry(v), h, nil))
		h.Version = v
		stored(t, s, duel, state.Stored{Head: h, Entries: entries(1, v)})
		got, err := s.Head(ctx, duel)
		must(t, err)
		equal(t, "head", got, h)
	}
	stored(t, s, other, state.Stored{Head: head(1), Entries: entries(1, 1)})

	odd := state.Entry{Version: 2, Command: "a b:{c}\x00\n\xff" + strings.Repeat("k", 200), AtMS: -1}
	must(t, s.Append(ctx, other, odd, state.Head{}, nil))
	stored(t, s, other, state.Stored{Head: state.Head{Version: 2}, Entries: []state.Entry{entry(1), odd}})
	large := command(3, "large")
	large.Data = bytes.Repeat([]byte("megabyte"), 1<<17)
	must(t, s.Append(ctx, other, large, head(3), nil))
	found, err := s.Find(ctx, other, "large")
	must(t, err)
	if !found.Same(large) || !bytes.Equal(found.Data, large.Data) {
		t.Fatalf("an entry of a megabyte came back as version %d with %d bytes", found.Version, len(found.Data))
	}
}

func testRefused(t *testing.T, s state.Store) {
	ctx := t.Context()
	begin(t, s, duel, 4)
	want := state.Stored{Head: head(4), Entries: entries(1, 4)}
	changed := head(9)
	changed.Phase, changed.DeadlineMS = "changed", 5

	for _, v := range []uint64{1, 4, 6, 1 << 60} {
		isConflict(t, fmt.Sprintf("version %d", v), s.Append(ctx, duel, command(v, "new"), changed, []byte("no")), 4)
	}
	for v := uint64(1); v <= 4; v++ {
		e := command(5, entry(v).Command)
		isDuplicate(t, "duplicate", s.Append(ctx, duel, e, changed, []byte("no")), entry(v))
		e.Version = v
		isDuplicate(t, "duplicate at its old version", s.Append(ctx, duel, e, changed, []byte("no")), entry(v))
		e.Digest[31]++
		isError(t, "reused", s.Append(ctx, duel, e, changed, []byte("no")), state.ErrReused)
	}
	stored(t, s, duel, want)
	due, err := s.Due(ctx, 1<<50, 0)
	must(t, err)
	equal(t, "deadlines", due, []state.Listed(nil))
}

func testInvalid(t *testing.T, s state.Store) {
	ctx := t.Context()
	long := strings.Repeat("x", 65)
	for _, name := range []string{"/", "main/", "/duel", "Main/duel", "main/a/b", "main/-a", "_/a", "main/" + long, "ma{n/a"} {
		id, err := state.ParseID(name)
		isError(t, "parse "+name, err, state.ErrInvalid)
		isError(t, "create "+id.String(), s.Create(ctx, id, entry(1), head(1)), state.ErrInvalid)
		isError(t, "append "+id.String(), s.Append(ctx, id, entry(2), head(2), nil), state.ErrInvalid)
		_, err = s.Load(ctx, id)
		isError(t, "load "+id.String(), err, state.ErrInvalid)
		_, err = s.Head(ctx, id)
		isError(t, "head "+id.String(), err, state.ErrInvalid)
		_, err = s.Read(ctx, id, 0, 0)
		isError(t, "read "+id.String(), err, state.ErrInvalid)
		_, err = s.Find(ctx, id, "cmd-1")
		isError(t, "find "+id.String(), err, state.ErrInvalid)
		isError(t, "delete "+id.String(), s.Delete(ctx, id), state.ErrInvalid)
		for _, err := range s.Watch(ctx, id, 0) {
			isError(t, "watch "+id.String(), err, state.ErrInvalid)
		}
	}
	isError(t, "version 0", s.Append(ctx, duel, command(0, "a"), head(1), nil), state.ErrInvalid)
	isError(t, "creation with version 2", s.Create(ctx, duel, entry(2), head(2)), state.ErrInvalid)
	isError(t, "no command key", s.Create(ctx, duel, command(1, ""), head(1)), state.ErrInvalid)
	isError(t, "long command key", s.Create(ctx, duel, command(1, strings.Repeat("k", state.MaxCommand+1)), head(1)), state.ErrInvalid)
	_, err := s.List(ctx, "ma/in", state.ID{}, 0)
	isError(t, "list of an invalid tenant", err, state.ErrInvalid)

	good := state.Collection{Kind: "arena", Tenant: "main"}
	for _, name := range []string{"/", "main/", "/arena", "main/_", "main/a/b", "MAIN/arena"} {
		tenant, kind, _ := strings.Cut(name, "/")
		c := state.Collection{Kind: kind, Tenant: tenant}
		_, err := s.PutDoc(ctx, c, "key", state.Any, nil)
		isError(t, "put into "+c.String(), err, state.ErrInvalid)
		_, err = s.GetDoc(ctx, c, "key")
		isError(t, "get from "+c.String(), err, state.ErrInvalid)
		_, err = s.ListDocs(ctx, c, "", "", 0)
		isError(t, "list of "+c.String(), err, state.ErrInvalid)
		isError(t, "delete from "+c.String(), s.DeleteDoc(ctx, c, "key", state.Any), state.ErrInvalid)
	}
	for _, key := range []string{"", "a b", "ключ", "a\n", strings.Repeat("k", state.MaxKey+1)} {
		_, err := s.PutDoc(ctx, good, key, state.Any, nil)
		isError(t, "put "+key, err, state.ErrInvalid)
		_, err = s.GetDoc(ctx, good, key)
		isError(t, "get "+key, err, state.ErrInvalid)
		isError(t, "delete "+key, s.DeleteDoc(ctx, good, key, state.Any), state.ErrInvalid)
	}
	all, err := s.List(ctx, "", state.ID{}, 0)
	must(t, err)
	equal(t, "battles", all, []state.Listed(nil))
}

func testOwned(t *testing.T, s state.Store) {
	ctx := t.Context()
	begin(t, s, duel, 1)
	e, snap := entry(2), []byte("snapshot")
	must(t, s.Append(ctx, duel, e, head(2), snap))
	clear(e.Data)
	clear(snap)
	stored(t, s, duel, state.Stored{Head: head(2), Snapshot: state.Snapshot{Version: 2, Data: []byte("snapshot")}})
	got, err := s.Read(ctx, duel, 0, 0)
	must(t, err)
	equal(t, "entries", got, entries(1, 2))
	got[0] = state.Entry{}
	got, err = s.Read(ctx, duel, 0, 0)
	must(t, err)
	equal(t, "entries", got, entries(1, 2))

	c, data := state.Collection{Kind: "arena", Tenant: "main"}, []byte("blocks")
	_, err = s.PutDoc(ctx, c, "a", 0, data)
	must(t, err)
	clear(data)
	doc, err := s.GetDoc(ctx, c, "a")
	must(t, err)
	equal(t, "document", doc, state.Doc{Key: "a", Rev: 1, Data: []byte("blocks")})
}

func testSnapshots(t *testing.T, s state.Store) {
	ctx := t.Context()
	begin(t, s, duel, 1)
	begin(t, s, other, 1)
	for v := uint64(2); v <= 20; v++ {
		var snap []byte
		if v%6 == 0 {
			snap = fmt.Appendf(nil, "battle at %d", v)
		}
		if v == 18 {
			snap = []byte{} // a snapshot of no bytes is one too
		}
		must(t, s.Append(ctx, duel, entry(v), head(v), snap))
		must(t, s.Append(ctx, other, entry(v), head(v), nil))

		got, err := s.Load(ctx, duel)
		must(t, err)
		plain, err := s.Load(ctx, other)
		must(t, err)
		equal(t, "head", got.Head, plain.Head)
		equal(t, "snapshot version", got.Snapshot.Version, v/6*6)
		equal(t, "entries after the snapshot", got.Entries, plain.Entries[v/6*6:])
		equal(t, "entries without one", plain.Entries, entries(1, v))
		switch v / 6 {
		case 1, 2:
			equal(t, "snapshot", got.Snapshot.Data, fmt.Appendf(nil, "battle at %d", v/6*6))
		default:
			equal(t, "snapshot", got.Snapshot.Data, []byte(nil))
		}
		log, err := s.Read(ctx, duel, 0, 0)
		must(t, err)
		equal(t, "whole log", log, entries(1, v))
	}
}

func testRead(t *testing.T, s state.Store) {
	ctx := t.Context()
	_, err := s.Read(ctx, duel, 0, 0)
	isError(t, "read of nothing", err, state.ErrNotFound)
	_, err = s.Head(ctx, duel)
	isError(t, "head of nothing", err, state.ErrNotFound)
	_, err = s.Find(ctx, duel, "cmd-1")
	isError(t, "find in nothing", err, state.ErrNotFound)

	begin(t, s, duel, 12)
	for after := uint64(0); after <= 12; after++ {
		for _, limit := range []int{-1, 0, 1, 5, 12, 13, state.MaxPage + 1} {
			got, err := s.Read(ctx, duel, after, limit)
			must(t, err)
			to := uint64(12)
			if limit > 0 {
				to = min(to, after+uint64(limit))
			}
			equal(t, fmt.Sprintf("after %d limit %d", after, limit), got, entries(after+1, to))
		}
	}
	for _, after := range []uint64{13, 1 << 40, 1<<64 - 1} {
		_, err = s.Read(ctx, duel, after, 0)
		isError(t, "read beyond the head", err, state.ErrReset)
	}
	for v := uint64(1); v <= 12; v++ {
		got, err := s.Find(ctx, duel, entry(v).Command)
		must(t, err)
		equal(t, "found", got, entry(v))
	}
	for _, key := range []string{"", "cmd-13", "cmd", "cmd-1 "} {
		_, err = s.Find(ctx, duel, key)
		isError(t, "find "+key, err, state.ErrNotFound)
	}
}

func testCancelled(t *testing.T, s state.Store) {
	begin(t, s, duel, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	isError(t, "append", s.Append(ctx, duel, entry(2), head(2), nil), context.Canceled)
	isError(t, "create", s.Create(ctx, other, entry(1), head(1)), context.Canceled)
	_, err := s.Load(ctx, duel)
	isError(t, "load", err, context.Canceled)
	_, err = s.List(ctx, "", state.ID{}, 0)
	isError(t, "list", err, context.Canceled)
	_, err = s.GetDoc(ctx, state.Collection{Kind: "arena", Tenant: "main"}, "a")
	isError(t, "get", err, context.Canceled)
	isError(t, "health", s.Health(ctx), context.Canceled)
	for e, err := range s.Watch(ctx, duel, 0) {
		t.Fatalf("watch yields %v, %v", e, err)
	}
	stored(t, s, duel, state.Stored{Head: head(1), Entries: entries(1, 1)})
}
