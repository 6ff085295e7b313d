package bolt

import (
	"context"
	"errors"

	bolt "go.etcd.io/bbolt"

	"autobattle/state"
)

// batchLimit is how many writes may share a transaction.
const batchLimit = 1024

// write is a change that waits for its transaction.
type write struct {
	do     func(tx *bolt.Tx) error // a refused error means that it changed nothing
	stored func()                  // called when it is on the disk, before the caller goes on
	err    error
	result chan error
}

// refused wraps an answer that is no failure of the file.
type refused struct{ error }

// Unwrap returns the answer.
func (r refused) Unwrap() error { return r.error }

// errNothing rolls back a transaction in which everything was refused.
var errNothing = errors.New("nothing to write")

// write has the writer do a change. When ctx ends first, the change may be done or not.
func (s *Store) write(ctx context.Context, do func(tx *bolt.Tx) error, stored func()) error {
	if err := s.closedOr(ctx.Err()); err != nil {
		return err
	}
	w := &write{do: do, stored: stored, result: make(chan error, 1)}
	select {
	case s.writes <- w:
	case <-s.quit:
		return state.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-w.result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writer does the writes, until the store closes: all that wait, in one transaction.
func (s *Store) writer() {
	defer close(s.done)
	for {
		select {
		case w := <-s.writes:
			s.commit(s.gather(w))
		case <-s.quit:
			return
		}
	}
}

// gather takes what waits besides the first write.
func (s *Store) gather(first *write) []*write {
	batch := []*write{first}
	for len(batch) < batchLimit {
		select {
		case w := <-s.writes:
			batch = append(batch, w)
		default:
			return batch
		}
	}
	return batch
}

// commit does a batch of writes in one transaction and tells each caller.
func (s *Store) commit(batch []*write) {
	err := s.update(batch)
	if err != nil && len(batch) > 1 { // one of them may spoil it for all
		for _, w := range batch {
			w.err = nil
			s.commit([]*write{w})
		}
		return
	}
	s.mu.Lock()
	s.broken = err
	s.mu.Unlock()
	for _, w := range batch {
		switch {
		case w.err != nil:
		case err != nil:
			w.err = err
		case w.stored != nil:
			w.stored()
		}
		w.result <- w.err
	}
}

// update writes a batch. Refusals stand in the writes; an error means that nothing was written.
func (s *Store) update(batch []*write) (err error) {
	defer recovered(&err)()
	err = s.db.Update(func(tx *bolt.Tx) error {
		changed := false
		for _, w := range batch {
			var no refused
			switch err := w.do(tx); {
			case err == nil:
				changed = true
			case errors.As(err, &no):
				w.err = no.error
			default:
				return err
			}
		}
		if !changed {
			return errNothing
		}
		return nil
	})
	if err == nil || errors.Is(err, errNothing) {
		return nil
	}
	return unavailable(err)
}
