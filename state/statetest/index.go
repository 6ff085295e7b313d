package statetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"autobattle/state"
)

func testList(t *testing.T, s state.Store) {
	ctx := t.Context()
	var want []state.Listed
	for _, tenant := range []string{"main", "main-2", "mai", "zoo"} {
		for i := range 7 {
			id := state.ID{Tenant: tenant, Battle: fmt.Sprintf("b%d", i*i)}
			begin(t, s, id, uint64(i%3+1))
			want = append(want, state.Listed{ID: id, Head: head(uint64(i%3 + 1))})
		}
	}
	slices.SortFunc(want, func(a, b state.Listed) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	for _, tenant := range []string{"", "main", "main-2", "mai", "zoo", "nobody"} {
		var its []state.Listed
		for _, l := range want {
			if tenant == "" || l.ID.Tenant == tenant {
				its = append(its, l)
			}
		}
		for _, limit := range []int{0, 1, 3, 7, 100} {
			var got []state.Listed
			var after state.ID
			for {
				page, err := s.List(ctx, tenant, after, limit)
				must(t, err)
				if len(page) == 0 {
					break
				}
				if limit > 0 && len(page) > limit {
					t.Fatalf("a page of %d, limit %d", len(page), limit)
				}
				got = append(got, page...)
				after = page[len(page)-1].ID
			}
			equal(t, fmt.Sprintf("battles of %q by %d", tenant, limit), got, its)
		}
	}
	page, err := s.List(ctx, "main", state.ID{Tenant: "main", Battle: "b10"}, 2)
	must(t, err)
	equal(t, "after an id that is not there", []state.ID{page[0].ID, page[1].ID}, []state.ID{{Tenant: "main", Battle: "b16"}, {Tenant: "main", Battle: "b25"}})
}

func testDue(t *testing.T, s state.Store) {
	ctx := t.Context()
	deadlines := map[string]int64{"a": 500, "b": 0, "c": 100, "d": 1_700_000_000_123, "e": 100}
	for name, at := range deadlines {
		h := head(1)
		h.DeadlineMS = at
		must(t, s.Create(ctx, state.ID{Tenant: "t-" + name, Battle: name}, entry(1), h))
	}
	due := func(at int64, limit int, want string) {
		t.Helper()
		got, err := s.Due(ctx, at, limit)
		must(t, err)
		var names []string
		for _, l := range got {
			names = append(names, l.ID.Battle)
			equal(t, "deadline", l.Head.DeadlineMS, deadlines[l.ID.Battle])
		}
		equal(t, fmt.Sprintf("due at %d", at), strings.Join(names, " "), want)
	}
	due(99, 0, "")
	due(100, 0, "c e")
	due(100, 1, "c")
	due(499, 0, "c e")
	due(500, 0, "c e a")
	due(1_700_000_000_123, 0, "c e a d")

	move := func(name string, version uint64, at int64) {
		t.Helper()
		h := head(version)
		h.DeadlineMS, deadlines[name] = at, at
		must(t, s.Append(ctx, state.ID{Tenant: "t-" + name, Battle: name}, entry(version), h, nil))
	}
	move("c", 2, 0)
	move("a", 2, 90)
	move("b", 2, 95)
	move("e", 2, 100)
	due(1<<50, 0, "a b e d")
	move("c", 3, 80)
	due(1<<50, 0, "c a b e d")
	must(t, s.Delete(ctx, state.ID{Tenant: "t-a", Battle: "a"}))
	due(1<<50, 0, "c b e d")
}

func testDelete(t *testing.T, s state.Store) {
	ctx := t.Context()
	isError(t, "delete of nothing", s.Delete(ctx, duel), state.ErrNotFound)
	begin(t, s, duel, 3)
	begin(t, s, other, 2)
	must(t, s.Append(ctx, duel, entry(4), head(4), []byte("snapshot")))
	must(t, s.Delete(ctx, duel))
	isError(t, "second delete", s.Delete(ctx, duel), state.ErrNotFound)
	_, err := s.Load(ctx, duel)
	isError(t, "load", err, state.ErrNotFound)
	_, err = s.Read(ctx, duel, 0, 0)
	isError(t, "read", err, state.ErrNotFound)
	_, err = s.Find(ctx, duel, "cmd-1")
	isError(t, "find", err, state.ErrNotFound)
	isError(t, "append", s.Append(ctx, duel, entry(5), head(5), nil), state.ErrNotFound)
	all, err := s.List(ctx, "", state.ID{}, 0)
	must(t, err)
	equal(t, "battles", all, []state.Listed{{ID: other, Head: head(2)}})

	// A battle of the same id begins anew: no command, snapshot or entry is left of the old one.
	must(t, s.Create(ctx, duel, command(1, "cmd-3"), head(1)))
	stored(t, s, duel, state.Stored{Head: head(1), Entries: []state.Entry{command(1, "cmd-3")}})
	must(t, s.Append(ctx, duel, command(2, "cmd-1"), head(2), nil))
	stored(t, s, other, state.Stored{Head: head(2), Entries: entries(1, 2)})
}

func testDocs(t *testing.T, s state.Store) {
	ctx := t.Context()
	c := state.Collection{Kind: "character", Tenant: "main"}
	put := func(key string, expect uint64, data string, rev uint64) {
		t.Helper()
		got, err := s.PutDoc(ctx, c, key, expect, []byte(data))
		must(t, err)
		equal(t, "revision of "+key, got, rev)
		doc, err := s.GetDoc(ctx, c, key)
		must(t, err)
		equal(t, "document", doc, state.Doc{Key: key, Rev: rev, Data: []byte(data)})
	}
	refused := func(key string, expect, stands uint64) {
		t.Helper()
		_, err := s.PutDoc(ctx, c, key, expect, []byte("refused"))
		isConflict(t, "put "+key, err, stands)
	}
	_, err := s.GetDoc(ctx, c, "ann")
	isError(t, "get of nothing", err, state.ErrNotFound)
	isError(t, "delete of nothing", s.DeleteDoc(ctx, c, "ann", state.Any), state.ErrNotFound)
	isError(t, "delete of an expected one", s.DeleteDoc(ctx, c, "ann", 1), state.ErrNotFound)
	refused("ann", 1, 0)
	put("ann", 0, "first", 1)
	refused("ann", 0, 1)
	refused("ann", 2, 1)
	put("ann", 1, "sec\x00nd", 2)
	refused("ann", 1, 2)
	put("ann", state.Any, "", 3)
	put("bob", state.Any, "new", 4)
	isConflict(t, "delete", s.DeleteDoc(ctx, c, "ann", 2), 3)
	must(t, s.DeleteDoc(ctx, c, "ann", 3))
	_, err = s.GetDoc(ctx, c, "ann")
	isError(t, "get of a deleted one", err, state.ErrNotFound)
	refused("ann", 3, 0)
	put("ann", 0, "again", 5)
	must(t, s.DeleteDoc(ctx, c, "bob", state.Any))
	_, err = s.GetDoc(ctx, c, "bob")
	isError(t, "get of a deleted one", err, state.ErrNotFound)

	for _, elsewhere := range []state.Collection{{Kind: "character", Tenant: "guests"}, {Kind: "arena", Tenant: "main"}, {Kind: "character", Tenant: state.Global}} {
		_, err = s.GetDoc(ctx, elsewhere, "ann")
		isError(t, "get from "+elsewhere.String(), err, state.ErrNotFound)
		rev, err := s.PutDoc(ctx, elsewhere, "ann", 0, []byte(elsewhere.String()))
		must(t, err)
		equal(t, "revision", rev, uint64(1))
	}
	doc, err := s.GetDoc(ctx, c, "ann")
	must(t, err)
	equal(t, "document", doc, state.Doc{Key: "ann", Rev: 5, Data: []byte("again")})

	keys := state.Collection{Kind: "api-key", Tenant: state.Global}
	var want []state.Doc
	for i, key := range []string{"!first", "a", "sha256:0a{}", "sha256:1b", "sha256:1b/x", "sha256;", "~"} {
		rev, err := s.PutDoc(ctx, keys, key, 0, []byte{byte(i)})
		must(t, err)
		want = append(want, state.Doc{Key: key, Rev: rev, Data: []byte{byte(i)}})
	}
	for _, test := range []struct {
		prefix, after string
		limit         int
		want          []state.Doc
	}{
		{"", "", 0, want},
		{"", "", 3, want[:3]},
		{"", "a", 2, want[2:4]},
		{"", "b", 2, want[2:4]},
		{"sha256:", "", 0, want[2:5]},
		{"sha256:", "", 1, want[2:3]},
		{"sha256:", "sha256:1b", 0, want[4:5]},
		{"sha256:", "a", 0, want[2:5]},
		{"sha256:", "t", 0, nil},
		{"none", "", 0, nil},
	} {
		got, err := s.ListDocs(ctx, keys, test.prefix, test.after, test.limit)
		must(t, err)
		equal(t, fmt.Sprintf("documents %q after %q limit %d", test.prefix, test.after, test.limit), got, test.want)
	}

	// Many writers of one document: each revision is won once.
	counter := state.Collection{Kind: "counter", Tenant: "main"}
	wins := make([]uint64, 8)
	concurrently(t, len(wins), func(i int) error {
		for range 10 {
			doc, err := s.GetDoc(ctx, counter, "n")
			if err != nil && doc.Rev != 0 {
				return err
			}
			if rev, err := s.PutDoc(ctx, counter, "n", doc.Rev, nil); err == nil {
				wins[i]++
				if rev != doc.Rev+1 {
					return fmt.Errorf("revision %d after %d", rev, doc.Rev)
				}
			}
		}
		return nil
	})
	var sum uint64
	for _, n := range wins {
		sum += n
	}
	doc, err = s.GetDoc(ctx, counter, "n")
	must(t, err)
	equal(t, "revision after the race", doc.Rev, sum)
}
