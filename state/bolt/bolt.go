// Package bolt is a state.Store in one file, the embedded default.
//
// A commit is on the disk (fdatasync) before the call that made it returns. Commits that are waiting
// while another is being written are written together. One process at a time may have the file open.
package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"autobattle/state"
	"autobattle/state/internal/feed"
)

var _ state.Store = (*Store)(nil)

// lockWait is how long Open waits for another process to let go of the file.
const lockWait = time.Second

// format is the version of the layout of the file.
const format = "autobattle state 1"

// The buckets of a file. Integers in keys and values are big-endian; ids are written as state.ID.String.
var (
	bucketMeta     = []byte("meta")     // "format" -> format
	bucketLog      = []byte("log")      // id, 0, version -> sealed entry
	bucketCommand  = []byte("command")  // id, 0, command key -> version
	bucketHead     = []byte("head")     // id -> head as JSON
	bucketSnapshot = []byte("snapshot") // id -> sealed version and bytes
	bucketDue      = []byte("due")      // deadline, id -> nothing
	bucketDocs     = []byte("docs")     // a bucket for each collection: key -> sealed revision and bytes
)

// Store keeps battles and documents in a file.
type Store struct {
	db     *bolt.DB
	hub    *feed.Hub
	writes chan *write
	quit   chan struct{} // closed by Close
	done   chan struct{} // closed when the writer has ended
	close  sync.Once

	mu     sync.Mutex
	broken error // of the newest write, nil when it went well
}

// Open opens a file, or makes it when it does not exist; its folder must.
func Open(path string) (*Store, error) {
	db, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s := &Store{db: db, writes: make(chan *write), quit: make(chan struct{}), done: make(chan struct{})}
	s.hub = feed.New(s.Read, nil)
	go s.writer()
	return s, nil
}

func open(path string) (_ *bolt.DB, err error) {
	var file *os.File
	defer func() {
		if err != nil && file != nil {
			unlock(file) // bbolt keeps the lock, and the mapping that holds it, when it panics
			_ = file.Close()
		}
	}()
	defer recovered(&err)()
	if err := checkLength(path); err != nil {
		return nil, err
	}
	db, err := bolt.Open(path, 0o600, &bolt.Options{
		Timeout: lockWait, FreelistType: bolt.FreelistMapType,
		OpenFile: func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
			file, err = os.OpenFile(name, flag, mode)
			return file, err
		},
	})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, fmt.Errorf("%w: the file is in use by another process; stop it or name another file", state.ErrUnavailable)
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrChecksum):
		return nil, fmt.Errorf("%w: not a battle store, or its first pages are damaged (%v); restore it from a copy or name another file", state.ErrCorrupt, err)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: its folder does not exist", state.ErrUnavailable)
	case err != nil:
		return nil, fmt.Errorf("%w: %v", state.ErrUnavailable, err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		for _, name := range [][]byte{bucketMeta, bucketLog, bucketCommand, bucketHead, bucketSnapshot, bucketDue, bucketDocs} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		meta := tx.Bucket(bucketMeta)
		switch found := meta.Get([]byte("format")); {
		case found == nil:
			return meta.Put([]byte("format"), []byte(format))
		case string(found) != format:
			return fmt.Errorf("%w: its format is %q, this program reads %q", state.ErrInvalid, found, format)
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// checkLength refuses a file that is shorter than its newest valid meta page says: reading it would
// fault. A meta page holds after 16 bytes: magic, version, page size, flags (4 bytes each), root (16),
// free list, number of pages, transaction (8 each), checksum.
func checkLength(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // bbolt makes the file, or says why it cannot be opened
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil
	}
	const magic, metaSize = 0xED0CDAED, 80
	var pages, newest, size uint64
	read := func(at int64) (pageSize int64) {
		b := make([]byte, metaSize)
		if _, err := f.ReadAt(b, at); err != nil || binary.NativeEndian.Uint32(b[16:]) != magic {
			return 0
		}
		pageSize = int64(binary.NativeEndian.Uint32(b[24:]))
		if tx := binary.NativeEndian.Uint64(b[64:]); tx >= newest {
			newest, pages, size = tx, binary.NativeEndian.Uint64(b[56:]), uint64(pageSize)
		}
		return pageSize
	}
	second := read(0)
	if second == 0 {
		second = int64(os.Getpagesize())
	}
	read(second)
	if need := pages * size; need > uint64(info.Size()) {
		return fmt.Errorf("%w: the file has %d bytes of %d; restore it from a copy or name another file", state.ErrCorrupt, info.Size(), need)
	}
	return nil
}

// Create starts a battle; see state.Log.
func (s *Store) Create(ctx context.Context, id state.ID, first state.Entry, h state.Head) error {
	first = own(first)
	err := check(id, first)
	if err == nil && first.Version != 1 {
		err = fmt.Errorf("%w: version %d: a battle begins with version 1", state.ErrInvalid, first.Version)
	}
	if err == nil {
		err = s.write(ctx, func(tx *bolt.Tx) error {
			if tx.Bucket(bucketHead).Get(name(id)) == nil {
				return s.add(tx, id, first, h, 0)
			}
			if begun, err := readEntry(tx, id, 1); err != nil {
				return err
			} else if begun.Command != first.Command {
				return refused{state.ErrExists}
			}
			return repeated(tx, id, first, 1)
		}, func() { s.hub.Publish(id, first) })
	}
	return wrap("create battle", id, err)
}

// Append adds an entry; see state.Log.
func (s *Store) Append(ctx context.Context, id state.ID, e state.Entry, h state.Head, snap []byte) error {
	e, snap = own(e), bytes.Clone(snap)
	err := check(id, e)
	if err == nil {
		err = s.write(ctx, func(tx *bolt.Tx) error {
			old, err := readHead(tx, id)
			if err != nil {
				return err
			}
			if v := tx.Bucket(bucketCommand).Get(commandKey(id, e.Command)); v != nil {
				return repeated(tx, id, e, binary.BigEndian.Uint64(v))
			}
			if e.Version != old.Version+1 {
				return refused{&state.ConflictError{Head: old.Version}}
			}
			if snap != nil {
				if err := tx.Bucket(bucketSnapshot).Put(name(id), sealNumbered(e.Version, snap)); err != nil {
					return err
				}
			}
			return s.add(tx, id, e, h, old.DeadlineMS)
		}, func() { s.hub.Publish(id, e) })
	}
	return wrap("append battle", id, err)
}

// own is an entry with data of its own: the writer may use it after the caller has gone.
func own(e state.Entry) state.Entry {
	e.Data = bytes.Clone(e.Data)
	return e
}

// repeated is the answer to a command whose key is stored as the given version.
func repeated(tx *bolt.Tx, id state.ID, e state.Entry, version uint64) error {
	stored, err := readEntry(tx, id, version)
	switch {
	case err != nil:
		return err
	case stored.Digest != e.Digest:
		return refused{state.ErrReused}
	}
	return refused{&state.DuplicateError{Entry: stored}}
}

// add writes an entry and all that goes with it. deadline is the one of the head before.
func (s *Store) add(tx *bolt.Tx, id state.ID, e state.Entry, h state.Head, deadline int64) error {
	h.Version = e.Version
	head, err := encodeHead(h)
	if err != nil {
		return err
	}
	due := tx.Bucket(bucketDue)
	if deadline != 0 && deadline != h.DeadlineMS {
		err = due.Delete(dueKey(deadline, id))
	}
	if h.DeadlineMS != 0 && deadline != h.DeadlineMS {
		err = errors.Join(err, due.Put(dueKey(h.DeadlineMS, id), nil))
	}
	return errors.Join(err,
		tx.Bucket(bucketLog).Put(logKey(id, e.Version), sealEntry(e)),
		tx.Bucket(bucketCommand).Put(commandKey(id, e.Command), binary.BigEndian.AppendUint64(nil, e.Version)),
		tx.Bucket(bucketHead).Put(name(id), head))
}

// Load returns a battle; see state.Log.
func (s *Store) Load(ctx context.Context, id state.ID) (state.Stored, error) {
	var stored state.Stored
	err := s.view(ctx, id, func(tx *bolt.Tx) (err error) {
		if stored.Head, err = readHead(tx, id); err != nil {
			return err
		}
		stored.Snapshot = readSnapshot(tx, id)
		stored.Entries, err = readEntries(tx, id, stored.Snapshot.Version, stored.Head.Version)
		return err
	})
	if err != nil {
		return state.Stored{}, wrap("load battle", id, err)
	}
	return stored, nil
}

// Watch follows a battle; see state.Log.
func (s *Store) Watch(ctx context.Context, id state.ID, after uint64) iter.Seq2[state.Entry, error] {
	return s.hub.Watch(ctx, id, after)
}

// Head returns a listing record; see state.Reader.
func (s *Store) Head(ctx context.Context, id state.ID) (h state.Head, err error) {
	err = s.view(ctx, id, func(tx *bolt.Tx) (err error) {
		h, err = readHead(tx, id)
		return err
	})
	return h, wrap("read head of battle", id, err)
}

// Read returns entries; see state.Reader.
func (s *Store) Read(ctx context.Context, id state.ID, after uint64, limit int) (es []state.Entry, err error) {
	err = s.view(ctx, id, func(tx *bolt.Tx) error {
		h, err := readHead(tx, id)
		if err != nil {
			return err
		}
		if after > h.Version {
			return fmt.Errorf("%w: asked for entries after %d, the head is %d", state.ErrReset, after, h.Version)
		}
		es, err = readEntries(tx, id, after, min(h.Version, after+uint64(state.Page(limit))))
		return err
	})
	return es, wrap("read battle", id, err)
}

// Find returns the entry of a command; see state.Reader.
func (s *Store) Find(ctx context.Context, id state.ID, command string) (e state.Entry, err error) {
	err = s.view(ctx, id, func(tx *bolt.Tx) error {
		v := tx.Bucket(bucketCommand).Get(commandKey(id, command))
		if v == nil {
			return state.ErrNotFound
		}
		e, err = readEntry(tx, id, binary.BigEndian.Uint64(v))
		return err
	})
	return e, wrap("find command in battle", id, err)
}

// Health reports whether the file can be written; see state.Store.
func (s *Store) Health(ctx context.Context) error {
	s.mu.Lock()
	broken := s.broken
	s.mu.Unlock()
	if broken == nil {
		return s.read(ctx, func(*bolt.Tx) error { return nil })
	}
	return s.write(ctx, func(tx *bolt.Tx) error {
		return tx.Bucket(bucketMeta).Put([]byte("format"), []byte(format))
	}, nil)
}

// Close ends every watch and closes the file; see state.Store.
func (s *Store) Close() error {
	var err error
	s.close.Do(func() {
		close(s.quit)
		s.hub.Close()
		<-s.done
		err = s.db.Close()
	})
	return err
}

// view reads of one battle in a transaction.
func (s *Store) view(ctx context.Context, id state.ID, do func(tx *bolt.Tx) error) error {
	if err := id.Check(); err != nil {
		return s.closedOr(err)
	}
	return s.read(ctx, do)
}

// read reads in a transaction.
func (s *Store) read(ctx context.Context, do func(tx *bolt.Tx) error) (err error) {
	if err := s.closedOr(ctx.Err()); err != nil {
		return err
	}
	defer recovered(&err)()
	if err = s.db.View(do); errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return state.ErrClosed
	}
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

// recovered turns a panic of bbolt, or a fault in the mapped file, into ErrCorrupt. Its result is deferred.
func recovered(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			*err = fmt.Errorf("%w: %v; restore the file from a copy", state.ErrCorrupt, p)
		}
	}
}

// unavailable maps an error of the file system.
func unavailable(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: the disk is full: %v", state.ErrUnavailable, err)
	case errors.Is(err, state.ErrCorrupt):
		return err
	}
	return fmt.Errorf("%w: write: %v", state.ErrUnavailable, err)
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
