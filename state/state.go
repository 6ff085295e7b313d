// Package state keeps battles as logs of commits and small documents beside them.
//
// A store knows nothing of rules or messages: it keeps bytes. The log of a battle is the truth, the
// bus and the replay at once. A commit is appended only to the head it was decided on, once for each
// command key; whoever follows a battle gets every commit once and in order. Package statetest states
// what every store does; packages memory, bolt and redis are stores; package open picks one by URL.
package state

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strings"
)

// MaxPage is the most records that one call returns. A limit of 0, or above it, means MaxPage.
const MaxPage = 1000

// MaxCommand is the greatest length of a command key, in bytes.
const MaxCommand = 256

// Page is the number of records that a call with the given limit may return, from 1 to MaxPage.
func Page(limit int) int {
	if limit <= 0 || limit > MaxPage {
		return MaxPage
	}
	return limit
}

// ID names one battle of one tenant. Each part is 1 to 64 of the characters a-z, 0-9, '-' and '_', and
// begins with a letter or a digit.
type ID struct{ Tenant, Battle string }

// String is the tenant and the battle with a slash between. Stores sort by it.
func (id ID) String() string { return id.Tenant + "/" + id.Battle }

// Valid reports whether both parts are well formed.
func (id ID) Valid() bool { return validName(id.Tenant) && validName(id.Battle) }

// Check returns nil for a valid id, else an ErrInvalid that says what is expected.
func (id ID) Check() error {
	if !id.Valid() {
		return fmt.Errorf("%w: battle %q: tenant and battle are 1 to 64 of a-z 0-9 - _, first a letter or digit", ErrInvalid, id)
	}
	return nil
}

// CheckTenant returns nil for a tenant of a listing: a valid one, or empty for all; else an ErrInvalid.
func CheckTenant(tenant string) error {
	if tenant != "" && !validName(tenant) {
		return fmt.Errorf("%w: tenant %q: 1 to 64 of a-z 0-9 - _, first a letter or digit", ErrInvalid, tenant)
	}
	return nil
}

// ParseID reads what ID.String wrote.
func ParseID(s string) (ID, error) {
	tenant, battle, _ := strings.Cut(s, "/")
	id := ID{tenant, battle}
	return id, id.Check()
}

// Entry is one stored commit. A store keeps its own copy of what it is given; what it hands out may be
// shared with other readers, who must not change it.
type Entry struct {
	Version uint64   // from 1, without gaps
	Command string   // idempotency key of the command, unique within the battle; 1 to MaxCommand bytes
	Digest  [32]byte // of the command's content: the same key with another digest is ErrReused
	AtMS    int64    // server time of the append, Unix milliseconds
	Data    []byte   // the encoded commit
}

// Check returns nil for an entry that can be stored, else an ErrInvalid that says what is wrong.
func (e Entry) Check() error {
	switch {
	case e.Version == 0:
		return fmt.Errorf("%w: version 0: the first commit has version 1", ErrInvalid)
	case e.Command == "" || len(e.Command) > MaxCommand:
		return fmt.Errorf("%w: command key of %d bytes: 1 to %d are allowed", ErrInvalid, len(e.Command), MaxCommand)
	}
	return nil
}

// Same reports whether o records the same command of the same version, decided at the same time.
func (e Entry) Same(o Entry) bool {
	return e.Version == o.Version && e.Command == o.Command && e.Digest == o.Digest && e.AtMS == o.AtMS
}

// Head is the small listing record kept beside a log and rewritten by every append.
type Head struct {
	Version    uint64 // of the newest commit; a store sets it, whatever the caller gave
	Phase      string // the server's word for where the battle stands
	Ruleset    string // ruleset and revision
	Title      string // shown in listings
	CreatedMS  int64  // Unix milliseconds
	UpdatedMS  int64  // Unix milliseconds
	DeadlineMS int64  // of the earliest open prompt, Unix milliseconds; 0 when nothing is awaited in time
}

// Snapshot is a battle as of a version. It is a cache: the log alone gives the same battle.
type Snapshot struct {
	Version uint64 // 0 when there is none
	Data    []byte
}

// Stored is what Load returns: the newest snapshot, every entry after it, and the head.
type Stored struct {
	Head     Head
	Snapshot Snapshot
	Entries  []Entry // from Snapshot.Version+1 to Head.Version
}

// Listed is a battle in a listing.
type Listed struct {
	ID   ID
	Head Head
}

// CompareDue orders a listing by deadline, then by id.
func CompareDue(a, b Listed) int {
	return cmp.Or(cmp.Compare(a.Head.DeadlineMS, b.Head.DeadlineMS), cmp.Compare(a.ID.String(), b.ID.String()))
}

// Log is the road of one command: load, append, follow.
type Log interface {
	// Create starts a battle with its first entry, whose version is 1. A battle that exists is
	// ErrExists; when its first command has the same key it is a *DuplicateError with the stored
	// entry if the digest is the same too, else ErrReused.
	Create(ctx context.Context, id ID, first Entry, h Head) error

	// Append adds the entry if the head is e.Version-1, else returns a *ConflictError with the head.
	// A command key that was used before comes first: *DuplicateError with the stored entry for the
	// same digest, ErrReused for another. A snap that is not nil is kept as the snapshot at
	// e.Version. After ErrUnavailable the entry may be stored or not: the same call again is safe,
	// and then a *DuplicateError means that the first try was stored.
	Append(ctx context.Context, id ID, e Entry, h Head, snap []byte) error

	// Load returns the battle as of one moment, or ErrNotFound.
	Load(ctx context.Context, id ID) (Stored, error)

	// Watch yields every entry after the given version, those stored already and those to come, in
	// order and each once. It ends without an error when ctx ends; with ErrNotFound when there is no
	// battle or it is deleted; with ErrReset when the log is not the one followed so far; with
	// ErrClosed when the store closes; and with ErrUnavailable when it cannot begin. Once begun it
	// outlasts an outage of the store. A slow consumer holds up nobody but itself.
	Watch(ctx context.Context, id ID, after uint64) iter.Seq2[Entry, error]
}

// Reader reads parts of a battle.
type Reader interface {
	// Head returns the listing record, or ErrNotFound.
	Head(ctx context.Context, id ID) (Head, error)

	// Read returns entries after the given version, at most Page(limit) of them; none when after is
	// the head, ErrReset when it lies beyond the head, ErrNotFound when there is no battle.
	Read(ctx context.Context, id ID, after uint64, limit int) ([]Entry, error)

	// Find returns the entry of a command key, or ErrNotFound.
	Find(ctx context.Context, id ID, command string) (Entry, error)
}

// Index finds and removes battles.
type Index interface {
	// List returns battles of a tenant, or of every tenant when it is empty, sorted by ID.String, at
	// most Page(limit) of them, from the first after the given id; the zero ID begins.
	List(ctx context.Context, tenant string, after ID, limit int) ([]Listed, error)

	// Due returns battles of every tenant with a deadline of at most the given time, earliest first,
	// at most Page(limit) of them.
	Due(ctx context.Context, atMS int64, limit int) ([]Listed, error)

	// Delete removes a battle with its log and snapshot and ends its watches, or returns ErrNotFound.
	Delete(ctx context.Context, id ID) error
}

// Store keeps battles and documents. It is safe for concurrent use, by any number of processes where
// the store behind it is shared.
type Store interface {
	Log
	Reader
	Index
	Docs

	// Health returns nil when the store would take a commit now, else ErrUnavailable or ErrClosed.
	Health(ctx context.Context) error

	// Close ends every watch and frees what the store holds. Later calls return ErrClosed; closing
	// again does nothing.
	Close() error
}

// validName reports whether s is 1 to 64 of a-z, 0-9, '-' and '_', beginning with a letter or digit.
func validName(s string) bool {
	if s == "" || len(s) > 64 || s[0] == '-' || s[0] == '_' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
