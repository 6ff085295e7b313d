package statetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"autobattle/state"
)

// model says in the plainest way what a store holds.
type model struct {
	logs  map[state.ID][]state.Entry
	heads map[state.ID]state.Head
	snaps map[state.ID]state.Snapshot
	docs  map[string]state.Doc
	puts  uint64
}

// testModel compares the store with a model under random calls. The store is not emptied between
// rounds: each has a tenant and a kind of its own.
func testModel(t *testing.T, s state.Store) {
	var rounds atomic.Int64
	rapid.Check(t, func(t *rapid.T) {
		tenant := fmt.Sprintf("model-%d", rounds.Add(1))
		m := &model{
			logs: map[state.ID][]state.Entry{}, heads: map[state.ID]state.Head{},
			snaps: map[state.ID]state.Snapshot{}, docs: map[string]state.Doc{},
		}
		ids := []state.ID{{Tenant: tenant, Battle: "a"}, {Tenant: tenant, Battle: "b"}, {Tenant: tenant, Battle: "a-b"}}
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			id := rapid.SampledFrom(ids).Draw(t, "battle")
			switch call := rapid.IntRange(0, 12).Draw(t, "call"); call {
			case 0, 1:
				m.create(t, s, id)
			case 2, 3, 4, 5, 6:
				m.append(t, s, id)
			case 7:
				m.read(t, s, id)
			case 8:
				m.delete(t, s, id)
			case 9, 10:
				m.put(t, s, state.Collection{Kind: "doc", Tenant: tenant})
			case 11:
				m.deleteDoc(t, s, state.Collection{Kind: "doc", Tenant: tenant})
			case 12:
				m.lists(t, s, tenant)
			}
			m.load(t, s, id)
		}
		m.lists(t, s, tenant)
	})
}

func drawEntry(t *rapid.T, version uint64) state.Entry {
	e := command(version, rapid.SampledFrom([]string{"k1", "k2", "k3", "k4", "k5", "k6"}).Draw(t, "key"))
	if rapid.IntRange(0, 3).Draw(t, "digest") == 0 {
		e.Digest[0]++
	}
	e.Data = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "data")
	return e
}

func drawHead(t *rapid.T) state.Head {
	return state.Head{
		Phase: rapid.String().Draw(t, "phase"), Title: rapid.String().Draw(t, "title"),
		UpdatedMS: rapid.Int64().Draw(t, "updated"), DeadlineMS: rapid.Int64Range(0, 3).Draw(t, "deadline"),
	}
}

// repeated is what the model answers to a command key that it holds: nothing when it holds none.
func (m *model) repeated(id state.ID, e state.Entry) error {
	for _, stored := range m.logs[id] {
		switch {
		case stored.Command != e.Command:
		case stored.Digest != e.Digest:
			return state.ErrReused
		default:
			return &state.DuplicateError{Entry: stored}
		}
	}
	return nil
}

func (m *model) create(t *rapid.T, s state.Store, id state.ID) {
	e, h := drawEntry(t, 1), drawHead(t)
	var want error
	log := m.logs[id]
	switch {
	case log == nil:
		h.Version = 1
		m.logs[id], m.heads[id] = []state.Entry{e}, h
	case log[0].Command != e.Command:
		want = state.ErrExists
	default:
		want = m.repeated(id, e)
	}
	same(t, "create", s.Create(t.Context(), id, e, h), want)
}

func (m *model) append(t *rapid.T, s state.Store, id state.ID) {
	log := m.logs[id]
	version := uint64(len(log)) + 1
	if rapid.IntRange(0, 4).Draw(t, "stale") == 0 {
		version = rapid.Uint64Range(1, 9).Draw(t, "version")
	}
	e, h := drawEntry(t, version), drawHead(t)
	var snap []byte
	if rapid.IntRange(0, 3).Draw(t, "snapshot") == 0 {
		snap = append([]byte{}, e.Data...)
	}
	want := m.repeated(id, e)
	switch {
	case log == nil:
		want = state.ErrNotFound
	case want != nil:
	case version != uint64(len(log))+1:
		want = &state.ConflictError{Head: uint64(len(log))}
	default:
		h.Version = version
		m.logs[id], m.heads[id] = append(log, e), h
		if snap != nil {
			m.snaps[id] = state.Snapshot{Version: version, Data: snap}
		}
	}
	same(t, "append", s.Append(t.Context(), id, e, h, snap), want)
}

func (m *model) load(t *rapid.T, s state.Store, id state.ID) {
	got, err := s.Load(t.Context(), id)
	if m.logs[id] == nil {
		same(t, "load", err, state.ErrNotFound)
		return
	}
	same(t, "load", err, nil)
	diff(t, "loaded", got, state.Stored{Head: m.heads[id], Snapshot: m.snaps[id], Entries: m.logs[id][m.snaps[id].Version:]})
}

func (m *model) read(t *rapid.T, s state.Store, id state.ID) {
	after, limit := rapid.Uint64Range(0, 6).Draw(t, "after"), rapid.IntRange(0, 4).Draw(t, "limit")
	got, err := s.Read(t.Context(), id, after, limit)
	log := m.logs[id]
	switch {
	case log == nil:
		same(t, "read", err, state.ErrNotFound)
	case after > uint64(len(log)):
		same(t, "read", err, state.ErrReset)
	default:
		same(t, "read", err, nil)
		diff(t, "entries", got, log[after:min(after+uint64(state.Page(limit)), uint64(len(log)))])
	}
}

func (m *model) delete(t *rapid.T, s state.Store, id state.ID) {
	var want error
	if m.logs[id] == nil {
		want = state.ErrNotFound
	}
	same(t, "delete", s.Delete(t.Context(), id), want)
	delete(m.logs, id)
	delete(m.heads, id)
	delete(m.snaps, id)
}

func drawKey(t *rapid.T) string {
	return rapid.SampledFrom([]string{"x", "y", "x/y", "{z}"}).Draw(t, "document")
}

func (m *model) drawRev(t *rapid.T, key string) uint64 {
	return rapid.SampledFrom([]uint64{0, m.docs[key].Rev, m.docs[key].Rev, 1, state.Any}).Draw(t, "expect")
}

func (m *model) put(t *rapid.T, s state.Store, c state.Collection) {
	key, data := drawKey(t), rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "data")
	expect := m.drawRev(t, key)
	rev, err := s.PutDoc(t.Context(), c, key, expect, data)
	if expect != state.Any && expect != m.docs[key].Rev {
		same(t, "put", err, &state.ConflictError{Head: m.docs[key].Rev})
		return
	}
	m.puts++
	m.docs[key] = state.Doc{Key: key, Rev: m.puts, Data: data}
	same(t, "put", err, nil)
	diff(t, "revision", rev, m.puts)
}

func (m *model) deleteDoc(t *rapid.T, s state.Store, c state.Collection) {
	key := drawKey(t)
	expect := m.drawRev(t, key)
	var want error
	switch rev := m.docs[key].Rev; {
	case rev == 0:
		want = state.ErrNotFound
	case expect != state.Any && expect != rev:
		want = &state.ConflictError{Head: rev}
	default:
		delete(m.docs, key)
	}
	same(t, "delete of a document", s.DeleteDoc(t.Context(), c, key, expect), want)
}

// lists compares everything that lists: battles, deadlines, documents.
func (m *model) lists(t *rapid.T, s state.Store, tenant string) {
	var battles, due []state.Listed
	for id, h := range m.heads {
		battles = append(battles, state.Listed{ID: id, Head: h})
		if h.DeadlineMS == 1 || h.DeadlineMS == 2 {
			due = append(due, state.Listed{ID: id, Head: h})
		}
	}
	slices.SortFunc(battles, func(a, b state.Listed) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	slices.SortFunc(due, state.CompareDue)
	got, err := s.List(t.Context(), tenant, state.ID{}, 0)
	same(t, "list", err, nil)
	diff(t, "battles", got, battles)

	got, err = s.Due(t.Context(), 2, 0)
	same(t, "due", err, nil)
	got = slices.DeleteFunc(got, func(l state.Listed) bool { return l.ID.Tenant != tenant })
	diff(t, "due battles", got, due)

	var docs []state.Doc
	for _, doc := range m.docs {
		docs = append(docs, doc)
	}
	slices.SortFunc(docs, func(a, b state.Doc) int { return strings.Compare(a.Key, b.Key) })
	listed, err := s.ListDocs(t.Context(), state.Collection{Kind: "doc", Tenant: tenant}, "", "", 0)
	same(t, "list of documents", err, nil)
	diff(t, "documents", listed, docs)
}

// same compares what a call answered with what the model answers.
func same(t *rapid.T, what string, got, want error) {
	t.Helper()
	var conflict, wantConflict *state.ConflictError
	var duplicate, wantDuplicate *state.DuplicateError
	switch {
	case errors.As(want, &wantConflict):
		if !errors.As(got, &conflict) {
			t.Fatalf("%s: error is %v, want %v", what, got, want)
		}
		diff(t, what, conflict, wantConflict)
	case errors.As(want, &wantDuplicate):
		if !errors.As(got, &duplicate) {
			t.Fatalf("%s: error is %v, want %v", what, got, want)
		}
		diff(t, what, duplicate, wantDuplicate)
	case !errors.Is(got, want):
		t.Fatalf("%s: error is %v, want %v", what, got, want)
	}
}

func diff(t *rapid.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}
