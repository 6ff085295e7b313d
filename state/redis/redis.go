// Package redis is a state.Store on Redis 7 or Valkey: a single server, Sentinel or Cluster. Any number
// of processes may share one. README.md lists the keys and says what an acknowledged commit means.
package redis

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"autobattle/state"
	"autobattle/state/internal/feed"
)

var _ state.Store = (*Store)(nil)

// Store keeps battles and documents in Redis.
type Store struct {
	client redis.UniversalClient
	hub    *feed.Hub
	reader *reader
	quit   chan struct{} // closed by Close
	close  sync.Once
}

// openTimeout bounds what Open asks of the server.
const openTimeout = 5 * time.Second

// Open connects to the Redis of a URL, whose forms README.md lists. It fails when the server cannot be
// used: not reachable, wrong password, too old, a read-only replica.
func Open(ctx context.Context, url string) (*Store, error) {
	client, err := dial(url)
	if err != nil {
		return nil, fmt.Errorf("open redis: %w", err)
	}
	within, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if err := usable(within, client); err != nil {
		_ = client.Close()
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			err = fmt.Errorf("%w: no answer within %v: check host, port, and rediss for TLS", state.ErrUnavailable, openTimeout)
		}
		return nil, fmt.Errorf("open redis at %s: %w", address(url), err)
	}
	s := &Store{client: client, quit: make(chan struct{})}
	s.reader = newReader(client)
	s.hub = feed.New(s.Read, s.reader.change)
	s.reader.start(s.hub)
	return s, nil
}

// Create starts a battle; see state.Log.
func (s *Store) Create(ctx context.Context, id state.ID, first state.Entry, h state.Head) error {
	err := check(id, first)
	if err == nil && first.Version != 1 {
		err = fmt.Errorf("%w: version %d: a battle begins with version 1", state.ErrInvalid, first.Version)
	}
	if err = s.closedOr(err); err == nil {
		err = s.commit(ctx, "create", id, first, h, nil)
	}
	return wrap("create battle", id, err)
}

// Append adds an entry; see state.Log.
func (s *Store) Append(ctx context.Context, id state.ID, e state.Entry, h state.Head, snap []byte) error {
	err := s.closedOr(check(id, e))
	if err == nil {
		err = s.commit(ctx, "append", id, e, h, snap)
	}
	return wrap("append battle", id, err)
}

func (s *Store) commit(ctx context.Context, mode string, id state.ID, e state.Entry, h state.Head, snap []byte) error {
	k := keysOf(id)
	has := ""
	if snap != nil {
		has = "1"
	}
	reply, err := s.run(ctx, commitScript, k.battle(), mode, k.id, k.channel,
		strconv.FormatUint(e.Version, 10), e.Command, encodeDigest(e.Digest), e.AtMS, e.Data,
		h.Phase, h.Ruleset, h.Title, h.CreatedMS, h.UpdatedMS, h.DeadlineMS, has, snap)
	if err != nil {
		return err
	}
	answer, more := split(reply)
	switch answer {
	case "ok":
		return nil
	case "not found":
		return state.ErrNotFound
	case "exists":
		return state.ErrExists
	case "reused":
		return state.ErrReused
	case "conflict":
		head, err := decodeUint(more)
		if err != nil {
			return err
		}
		return &state.ConflictError{Head: head}
	case "duplicate":
		stored, err := decodeEntry(more)
		if err != nil {
			return err
		}
		return &state.DuplicateError{Entry: stored}
	}
	return damaged("answer to a commit", reply)
}

// Load returns a battle; see state.Log.
func (s *Store) Load(ctx context.Context, id state.ID) (state.Stored, error) {
	stored, err := s.load(ctx, id)
	if err != nil {
		return state.Stored{}, wrap("load battle", id, err)
	}
	return stored, nil
}

func (s *Store) load(ctx context.Context, id state.ID) (stored state.Stored, err error) {
	if err := s.closedOr(id.Check()); err != nil {
		return stored, err
	}
	k := keysOf(id)
	reply, err := s.run(ctx, loadScript, []string{k.log, k.head, k.snapshot})
	if err != nil {
		return stored, err
	}
	parts, ok := reply.([]any)
	if !ok || len(parts) != 3 {
		return stored, damaged("battle", reply)
	}
	if stored.Head, err = decodeHead(pairs(parts[0])); err != nil {
		return stored, err
	}
	if stored.Entries, err = decodeEntries(parts[1]); err != nil {
		return stored, err
	}
	if snapshot, _ := parts[2].([]any); len(snapshot) == 2 {
		data, _ := snapshot[1].(string)
		stored.Snapshot.Data = []byte(data)
		if stored.Snapshot.Version, err = decodeUint(snapshot[0]); err != nil {
			return stored, err
		}
	}
	return stored, gapless(stored.Entries, stored.Snapshot.Version, stored.Head.Version)
}

// gapless returns ErrCorrupt unless the entries are those after one version up to another.
func gapless(es []state.Entry, after, to uint64) error {
	for _, e := range es {
		if after++; e.Version != after {
			return fmt.Errorf("%w: version %d stands where %d belongs", state.ErrCorrupt, e.Version, after)
		}
	}
	if after != to {
		return fmt.Errorf("%w: the log ends at version %d of %d", state.ErrCorrupt, after, to)
	}
	return nil
}

// Watch follows a battle; see state.Log.
func (s *Store) Watch(ctx context.Context, id state.ID, after uint64) iter.Seq2[state.Entry, error] {
	return s.hub.Watch(ctx, id, after)
}

// Head returns a listing record; see state.Reader.
func (s *Store) Head(ctx context.Context, id state.ID) (state.Head, error) {
	err := s.closedOr(id.Check())
	if err != nil {
		return state.Head{}, wrap("read head of battle", id, err)
	}
	fields, err := s.client.HGetAll(ctx, keysOf(id).head).Result()
	if err != nil {
		return state.Head{}, wrap("read head of battle", id, down(ctx, err))
	}
	h, err := decodeHead(fields)
	return h, wrap("read head of battle", id, err)
}

// Read returns entries; see state.Reader.
func (s *Store) Read(ctx context.Context, id state.ID, after uint64, limit int) ([]state.Entry, error) {
	es, err := s.read(ctx, id, after, limit)
	return es, wrap("read battle", id, err)
}

func (s *Store) read(ctx context.Context, id state.ID, after uint64, limit int) ([]state.Entry, error) {
	if err := s.closedOr(id.Check()); err != nil {
		return nil, err
	}
	k := keysOf(id)
	reply, err := s.run(ctx, readScript, []string{k.log, k.head}, strconv.FormatUint(after, 10), state.Page(limit))
	if err != nil {
		return nil, err
	}
	parts, ok := reply.([]any)
	switch {
	case ok && len(parts) == 0:
		return nil, state.ErrNotFound
	case !ok || len(parts) != 2:
		return nil, damaged("entries", reply)
	}
	head, err := decodeUint(parts[0])
	if err != nil {
		return nil, err
	}
	if after > head {
		return nil, fmt.Errorf("%w: asked for entries after %d, the head is %d", state.ErrReset, after, head)
	}
	es, err := decodeEntries(parts[1])
	if err != nil {
		return nil, err
	}
	if err := gapless(es, after, min(head, after+uint64(state.Page(limit)))); err != nil {
		return nil, err
	}
	return es, nil
}

// Find returns the entry of a command; see state.Reader.
func (s *Store) Find(ctx context.Context, id state.ID, command string) (state.Entry, error) {
	e, err := s.find(ctx, id, command)
	return e, wrap("find command in battle", id, err)
}

func (s *Store) find(ctx context.Context, id state.ID, command string) (state.Entry, error) {
	if err := s.closedOr(id.Check()); err != nil {
		return state.Entry{}, err
	}
	k := keysOf(id)
	reply, err := s.run(ctx, findScript, []string{k.log, k.commands}, command)
	if err != nil {
		return state.Entry{}, err
	}
	es, err := decodeEntries(reply)
	if err == nil && len(es) != 1 {
		err = state.ErrNotFound
	}
	if err != nil {
		return state.Entry{}, err
	}
	return es[0], nil
}

// Health reports whether the server answers; see state.Store.
func (s *Store) Health(ctx context.Context) error {
	if err := s.closedOr(nil); err != nil {
		return err
	}
	if err := usable(ctx, s.client); err != nil {
		return fmt.Errorf("health of redis: %w", err)
	}
	return nil
}

// Close ends every watch and closes the connections; see state.Store.
func (s *Store) Close() error {
	var err error
	s.close.Do(func() {
		close(s.quit)
		s.hub.Close()
		s.reader.stop()
		err = s.client.Close()
	})
	return err
}

// closedOr is ErrClosed for a closed store, else err.
func (s *Store) closedOr(err error) error {
	select {
	case <-s.quit:
		return state.ErrClosed
	default:
		return err
	}
}

func check(id state.ID, e state.Entry) error {
	if err := id.Check(); err != nil {
		return err
	}
	return e.Check()
}

func wrap(doing string, id state.ID, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", doing, id, err)
}
