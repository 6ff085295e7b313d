package state

import (
	"errors"
	"fmt"
)

// The errors of every store, for errors.Is. A store wraps them with what it was doing, and never
// returns an error of its transport: those become ErrUnavailable with their text.
var (
	// ErrNotFound means that there is no such battle, command or document.
	ErrNotFound = errors.New("not found")
	// ErrConflict means that the head has moved; see *ConflictError.
	ErrConflict = errors.New("conflict")
	// ErrExists means that the battle id is taken.
	ErrExists = errors.New("already exists")
	// ErrDuplicate means that the command is stored already; see *DuplicateError.
	ErrDuplicate = errors.New("command stored already")
	// ErrReused means that the command key was used before, for another command.
	ErrReused = errors.New("command key used for another command")
	// ErrReset means that the log is not the one read before: it ends earlier, or its newest commits
	// are others, because the store lost some or the battle was made anew. Load it again.
	ErrReset = errors.New("log was reset")
	// ErrInvalid means that an argument can be in no store, whatever is stored.
	ErrInvalid = errors.New("invalid")
	// ErrUnavailable means that the store cannot be reached or cannot write now. The same call may be
	// tried again with the same command key.
	ErrUnavailable = errors.New("store unavailable")
	// ErrCorrupt means that what the store holds is damaged.
	ErrCorrupt = errors.New("store is damaged")
	// ErrClosed means that the store was closed by this process.
	ErrClosed = errors.New("store closed")
)

// ConflictError is ErrConflict with what stands there instead.
type ConflictError struct {
	Head uint64 // version of the battle's head, or revision of the document; 0 when there is none
}

// Error names the head.
func (e *ConflictError) Error() string { return fmt.Sprintf("conflict: head is %d", e.Head) }

// Is matches ErrConflict.
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }

// DuplicateError is ErrDuplicate with the entry that the command made.
type DuplicateError struct {
	Entry Entry
}

// Error names the version of the stored entry.
func (e *DuplicateError) Error() string {
	return fmt.Sprintf("command stored already as version %d", e.Entry.Version)
}

// Is matches ErrDuplicate.
func (e *DuplicateError) Is(target error) bool { return target == ErrDuplicate }
