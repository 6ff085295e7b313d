// Package memory is a state.Store in a map: the reference that other stores are compared with, for
// tests and for trying things out. What it keeps is gone with the process.
package memory

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"autobattle/state"
	"autobattle/state/internal/feed"
)

var _ state.Store = (*Store)(nil)

// Store keeps battles and documents in memory.
type Store struct {
	hub *feed.Hub

	mu      sync.RWMutex
	closed  bool
	battles map[state.ID]*battle
	docs    map[state.Collection]*collection
}

type battle struct {
	head     state.Head
	log      []state.Entry
	commands map[string]uint64 // command key to version
	snapshot state.Snapshot
}

type collection struct {
	puts uint64
	docs map[string]state.Doc
}

// Open makes an empty store.
func Open() *Store {
	s := &Store{battles: map[state.ID]*battle{}, docs: map[state.Collection]*collection{}}
	s.hub = feed.New(s.Read, nil)
	return s
}

// Create starts a battle; see state.Log.
func (s *Store) Create(ctx context.Context, id state.ID, first state.Entry, h state.Head) error {
	return wrap("create battle", id, s.create(ctx, id, first, h))
}

func (s *Store) create(ctx context.Context, id state.ID, first state.Entry, h state.Head) error {
	if err := check(id, first); err != nil {
		return err
	}
	if first.Version != 1 {
		return fmt.Errorf("%w: version %d: a battle begins with version 1", state.ErrInvalid, first.Version)
	}
	defer s.mu.Unlock()
	if err := s.lock(ctx, &s.mu); err != nil {
		return err
	}
	if b := s.battles[id]; b != nil {
		if b.log[0].Command != first.Command {
			return state.ErrExists
		}
		return b.repeated(first)
	}
	b := &battle{commands: map[string]uint64{}}
	s.battles[id] = b
	s.add(id, b, first, h)
	return nil
}

// Append adds an entry; see state.Log.
func (s *Store) Append(ctx context.Context, id state.ID, e state.Entry, h state.Head, snap []byte) error {
	return wrap("append battle", id, s.append(ctx, id, e, h, snap))
}

func (s *Store) append(ctx context.Context, id state.ID, e state.Entry, h state.Head, snap []byte) error {
	if err := check(id, e); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if err := s.lock(ctx, &s.mu); err != nil {
		return err
	}
	b := s.battles[id]
	if b == nil {
		return state.ErrNotFound
	}
	if b.commands[e.Command] != 0 {
		return b.repeated(e)
	}
	if e.Version != b.head.Version+1 {
		return &state.ConflictError{Head: b.head.Version}
	}
	s.add(id, b, e, h)
	if snap != nil {
		b.snapshot = state.Snapshot{Version: e.Version, Data: bytes.Clone(snap)}
	}
	return nil
}

// repeated is the answer to a command whose key is stored.
func (b *battle) repeated(e state.Entry) error {
	stored := b.log[b.commands[e.Command]-1]
	if stored.Digest != e.Digest {
		return state.ErrReused
	}
	return &state.DuplicateError{Entry: stored}
}

func (s *Store) add(id state.ID, b *battle, e state.Entry, h state.Head) {
	e.Data = bytes.Clone(e.Data)
	h.Version = e.Version
	b.log = append(b.log, e)
	b.commands[e.Command] = e.Version
	b.head = h
	s.hub.Publish(id, e)
}

// Load returns a battle; see state.Log.
func (s *Store) Load(ctx context.Context, id state.ID) (state.Stored, error) {
	b, unlock, err := s.battle(ctx, id)
	defer unlock()
	if err != nil {
		return state.Stored{}, wrap("load battle", id, err)
	}
	return state.Stored{Head: b.head, Snapshot: b.snapshot, Entries: slices.Clone(b.log[b.snapshot.Version:])}, nil
}

// Watch follows a battle; see state.Log.
func (s *Store) Watch(ctx context.Context, id state.ID, after uint64) iter.Seq2[state.Entry, error] {
	return s.hub.Watch(ctx, id, after)
}

// Head returns a listing record; see state.Reader.
func (s *Store) Head(ctx context.Context, id state.ID) (state.Head, error) {
	b, unlock, err := s.battle(ctx, id)
	defer unlock()
	if err != nil {
		return state.Head{}, wrap("read head of battle", id, err)
	}
	return b.head, nil
}

// Read returns entries; see state.Reader.
func (s *Store) Read(ctx context.Context, id state.ID, after uint64, limit int) ([]state.Entry, error) {
	b, unlock, err := s.battle(ctx, id)
	defer unlock()
	if err != nil {
		return nil, wrap("read battle", id, err)
	}
	if after > b.head.Version {
		return nil, wrap("read battle", id, fmt.Errorf("%w: asked for entries after %d, the head is %d", state.ErrReset, after, b.head.Version))
	}
	end := min(after+uint64(state.Page(limit)), b.head.Version)
	return slices.Clone(b.log[after:end]), nil
}

// Find returns the entry of a command; see state.Reader.
func (s *Store) Find(ctx context.Context, id state.ID, command string) (state.Entry, error) {
	b, unlock, err := s.battle(ctx, id)
	defer unlock()
	if err == nil && b.commands[command] == 0 {
		err = state.ErrNotFound
	}
	if err != nil {
		return state.Entry{}, wrap("find command in battle", id, err)
	}
	return b.log[b.commands[command]-1], nil
}

// List lists battles; see state.Index.
func (s *Store) List(ctx context.Context, tenant string, after state.ID, limit int) ([]state.Listed, error) {
	defer s.mu.RUnlock()
	if err := cmp.Or(s.lock(ctx, s.mu.RLocker()), state.CheckTenant(tenant)); err != nil {
		return nil, fmt.Errorf("list battles: %w", err)
	}
	var all []state.Listed
	for id, b := range s.battles {
		if (tenant == "" || id.Tenant == tenant) && (after == state.ID{} || id.String() > after.String()) {
			all = append(all, state.Listed{ID: id, Head: b.head})
		}
	}
	slices.SortFunc(all, func(a, b state.Listed) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	return all[:min(len(all), state.Page(limit))], nil
}

// Due lists battles by deadline; see state.Index.
func (s *Store) Due(ctx context.Context, atMS int64, limit int) ([]state.Listed, error) {
	defer s.mu.RUnlock()
	if err := s.lock(ctx, s.mu.RLocker()); err != nil {
		return nil, fmt.Errorf("list due battles: %w", err)
	}
	var due []state.Listed
	for id, b := range s.battles {
		if b.head.DeadlineMS != 0 && b.head.DeadlineMS <= atMS {
			due = append(due, state.Listed{ID: id, Head: b.head})
		}
	}
	slices.SortFunc(due, state.CompareDue)
	return due[:min(len(due), state.Page(limit))], nil
}

// Delete removes a battle; see state.Index.
func (s *Store) Delete(ctx context.Context, id state.ID) error {
	defer s.mu.Unlock()
	err := cmp.Or(s.lock(ctx, &s.mu), id.Check())
	if err == nil && s.battles[id] == nil {
		err = state.ErrNotFound
	}
	if err != nil {
		return wrap("delete battle", id, err)
	}
	delete(s.battles, id)
	s.hub.End(id)
	return nil
}

// Health reports whether the store is open; see state.Store.
func (s *Store) Health(ctx context.Context) error {
	defer s.mu.RUnlock()
	return s.lock(ctx, s.mu.RLocker())
}

// Close ends every watch; see state.Store.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.hub.Close()
	return nil
}

// lock takes the lock, and says why the store may not be used, if so.
func (s *Store) lock(ctx context.Context, l sync.Locker) error {
	l.Lock()
	if s.closed {
		return state.ErrClosed
	}
	return ctx.Err()
}

// battle takes the lock for reading and finds a battle. The lock is held in any case.
func (s *Store) battle(ctx context.Context, id state.ID) (*battle, func(), error) {
	err := cmp.Or(s.lock(ctx, s.mu.RLocker()), id.Check())
	b := s.battles[id]
	if err == nil && b == nil {
		err = state.ErrNotFound
	}
	return b, s.mu.RUnlock, err
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
