// Package feed hands commits to those who follow battles in this process.
//
// A follower pulls: from the few commits kept in memory for its battle when they reach back to where it
// stands, from the store otherwise. So nobody waits for a slow follower, and it costs no memory.
package feed

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"autobattle/state"
)

// Of the newest commits of a followed battle, at most keepEntries are kept and at most about keepBytes.
const (
	keepEntries = 128
	keepBytes   = 256 << 10
)

// readLimit is how many commits a follower that is behind reads from the store at a time.
const readLimit = 256

// A follower whose store is down reads again when it is woken, or after a wait that doubles within these.
const (
	retryFirst = 100 * time.Millisecond
	retryMost  = 5 * time.Second
)

// Read returns stored entries after a version, as state.Reader does.
type Read func(ctx context.Context, id state.ID, after uint64, limit int) ([]state.Entry, error)

// Hub knows who follows what.
type Hub struct {
	read   Read
	change func(id state.ID, followed bool)
	closed chan struct{}

	mu     sync.Mutex
	topics map[state.ID]*topic
	done   bool
}

// topic is one battle that somebody follows.
type topic struct {
	followers int // guarded by the hub's mutex

	mu     sync.Mutex
	wake   chan struct{} // closed at every change, and replaced
	recent []state.Entry // newest commits, without gaps
	bytes  int           // of data in recent
	breaks uint64        // how often commits may have been missed
	ended  error         // why there will be no more
}

// New makes a hub for a store with the given read. change, when not nil, is called with true when a
// battle gets its first follower and with false when it loses its last; calls do not overlap, and it
// must not block or call the hub.
func New(read Read, change func(id state.ID, followed bool)) *Hub {
	return &Hub{read: read, change: change, closed: make(chan struct{}), topics: map[state.ID]*topic{}}
}

// Publish hands on a commit that is stored. Commits of one battle are published in order.
func (h *Hub) Publish(id state.ID, e state.Entry) {
	if t := h.topic(id); t != nil {
		t.publish(e)
	}
}

// Break tells the followers of a battle that commits may have been missed.
func (h *Hub) Break(id state.ID) {
	if t := h.topic(id); t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.interrupt()
	}
}

// End ends the watches of a battle that was deleted.
func (h *Hub) End(id state.ID) {
	h.mu.Lock()
	t := h.topics[id]
	if t != nil {
		h.drop(id)
	}
	h.mu.Unlock()
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = state.ErrNotFound
	t.signal()
}

// Close ends every watch, and those begun later, with state.ErrClosed.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.done {
		h.done = true
		close(h.closed)
	}
}

// Watch is state.Log's Watch.
func (h *Hub) Watch(ctx context.Context, id state.ID, after uint64) iter.Seq2[state.Entry, error] {
	return func(yield func(state.Entry, error) bool) {
		err := h.follow(ctx, id, after, yield)
		if err != nil && ctx.Err() == nil {
			yield(state.Entry{}, fmt.Errorf("watch battle %s: %w", id, err))
		}
	}
}

// follow yields entries until the consumer stops or the context ends (nil), or an error ends it.
func (h *Hub) follow(ctx context.Context, id state.ID, after uint64, yield func(state.Entry, error) bool) error {
	if err := id.Check(); err != nil {
		return err
	}
	t, err := h.join(id)
	if err != nil {
		return err
	}
	defer h.leave(id, t)

	last := state.Entry{Version: after} // its Command is empty until the entry is known
	for begun, checked, wait := false, uint64(0), retryFirst; ; {
		got, v := t.since(last.Version)
		if v.ended != nil {
			return v.ended
		}
		if !begun || v.breaks != checked || !v.current {
			got, err = h.fetch(ctx, id, &last)
			switch {
			case err == nil:
				begun, checked, wait = true, v.breaks, retryFirst
			case begun && errors.Is(err, state.ErrUnavailable):
				if !h.pause(ctx, v.wake, wait) {
					return h.whyStopped(ctx)
				}
				wait = min(2*wait, retryMost)
				continue
			default:
				return err
			}
		}
		for _, e := range got {
			last = e
			if ctx.Err() != nil || !yield(e, nil) {
				return nil
			}
		}
		if len(got) == 0 {
			select {
			case <-v.wake:
			case <-h.closed:
				return state.ErrClosed
			case <-ctx.Done():
				return nil
			}
		}
	}
}

// fetch reads what comes after last from the store, and makes sure that last is still part of the log.
func (h *Hub) fetch(ctx context.Context, id state.ID, last *state.Entry) ([]state.Entry, error) {
	if last.Version == 0 {
		return h.read(ctx, id, 0, readLimit)
	}
	got, err := h.read(ctx, id, last.Version-1, readLimit)
	if err != nil {
		return nil, err
	}
	if len(got) == 0 || last.Command != "" && !got[0].Same(*last) {
		return nil, fmt.Errorf("version %d: %w", last.Version, state.ErrReset)
	}
	*last = got[0]
	return got[1:], nil
}

// pause waits for a change or for the given time, and reports whether to go on.
func (h *Hub) pause(ctx context.Context, wake <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-wake:
	case <-timer.C:
	case <-h.closed:
		return false
	case <-ctx.Done():
		return false
	}
	return true
}

func (h *Hub) whyStopped(ctx context.Context) error {
	if ctx.Err() != nil {
		return nil
	}
	return state.ErrClosed
}

func (h *Hub) topic(id state.ID) *topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.topics[id]
}

func (h *Hub) join(id state.ID) (*topic, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.done {
		return nil, state.ErrClosed
	}
	t := h.topics[id]
	if t == nil {
		t = &topic{wake: make(chan struct{})}
		h.topics[id] = t
		if h.change != nil {
			h.change(id, true)
		}
	}
	t.followers++
	return t, nil
}

func (h *Hub) leave(id state.ID, t *topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t.followers--
	if t.followers == 0 && h.topics[id] == t {
		h.drop(id)
	}
}

// drop forgets a topic. The hub's mutex is held.
func (h *Hub) drop(id state.ID) {
	delete(h.topics, id)
	if h.change != nil {
		h.change(id, false)
	}
}

// view is what a follower sees of a topic at one moment.
type view struct {
	wake    <-chan struct{}
	breaks  uint64
	current bool // what was asked for is in memory, so the store has nothing more
	ended   error
}

// since returns the commits in memory after a version. They are shared and must not be changed.
func (t *topic) since(version uint64) ([]state.Entry, view) {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := view{wake: t.wake, breaks: t.breaks, ended: t.ended}
	if len(t.recent) == 0 || version+1 < t.recent[0].Version {
		return nil, v
	}
	newest := t.recent[len(t.recent)-1].Version
	v.current = version <= newest
	if version >= newest {
		return nil, v
	}
	return t.recent[version+1-t.recent[0].Version:], v
}

func (t *topic) publish(e state.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.recent); n > 0 {
		first, newest := t.recent[0].Version, t.recent[n-1].Version
		if e.Version >= first && e.Version <= newest && t.recent[e.Version-first].Same(e) {
			return
		}
		if e.Version != newest+1 {
			t.interrupt()
		}
	}
	t.recent = append(t.recent, e)
	t.bytes += len(e.Data)
	if len(t.recent) > keepEntries || t.bytes > keepBytes && len(t.recent) > 1 {
		// The half that stays is copied: followers may still hold the old slice.
		t.recent = append(make([]state.Entry, 0, keepEntries+1), t.recent[(len(t.recent)+1)/2:]...)
		t.bytes = 0
		for _, e := range t.recent {
			t.bytes += len(e.Data)
		}
	}
	t.signal()
}

// interrupt forgets the commits in memory and has every follower look at the store. t.mu is held.
func (t *topic) interrupt() {
	t.recent, t.bytes = nil, 0
	t.breaks++
	t.signal()
}

// signal wakes every follower. t.mu is held.
func (t *topic) signal() {
	close(t.wake)
	t.wake = make(chan struct{})
}
