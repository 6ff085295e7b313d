package state

import (
	"context"
	"fmt"
	"math"
)

// Any is the expected revision of a writer that does not care what stands there.
const Any uint64 = math.MaxUint64

// Global is the tenant of documents that belong to the whole installation, such as API keys. No battle
// can have it.
const Global = "_"

// MaxKey is the greatest length of a document key, in bytes.
const MaxKey = 256

// Collection names the documents of one kind of one tenant. Kind is a name like the parts of an ID;
// Tenant is one too, or Global.
type Collection struct{ Kind, Tenant string }

// String is the tenant and the kind with a slash between.
func (c Collection) String() string { return c.Tenant + "/" + c.Kind }

// Check returns nil for a well formed collection, else an ErrInvalid that says what is expected.
func (c Collection) Check() error {
	if !validName(c.Kind) || (c.Tenant != Global && !validName(c.Tenant)) {
		return fmt.Errorf("%w: collection %q: tenant and kind are 1 to 64 of a-z 0-9 - _, first a letter or digit", ErrInvalid, c)
	}
	return nil
}

// CheckDoc returns nil for a well formed collection and a key of 1 to MaxKey bytes of printable ASCII
// without spaces, else an ErrInvalid that says what is expected.
func CheckDoc(c Collection, key string) error {
	if err := c.Check(); err != nil {
		return err
	}
	ok := key != "" && len(key) <= MaxKey
	for i := range len(key) {
		ok = ok && key[i] > ' ' && key[i] < 0x7f
	}
	if !ok {
		return fmt.Errorf("%w: document key %q: 1 to %d printable ASCII characters without spaces are allowed", ErrInvalid, key, MaxKey)
	}
	return nil
}

// Doc is a document: an arena, a catalogue, a character, an API key.
type Doc struct {
	Key  string
	Rev  uint64 // counts the puts of the collection, from 1: never used twice, not even after a delete
	Data []byte // shared with other readers, who must not change it
}

// Docs keeps documents, each replaced as a whole.
//
// The expected revision of a writer is the Rev of the document it read; 0 for one that must not exist;
// or Any. When it does not match the write is refused with a *ConflictError whose Head is the revision
// that stands there, 0 for none.
type Docs interface {
	// GetDoc returns a document, or ErrNotFound.
	GetDoc(ctx context.Context, c Collection, key string) (Doc, error)

	// PutDoc writes a document and returns its new revision.
	PutDoc(ctx context.Context, c Collection, key string, expect uint64, data []byte) (uint64, error)

	// ListDocs returns documents whose key begins with prefix, sorted by key, at most Page(limit) of
	// them, from the first after the given key; an empty one begins.
	ListDocs(ctx context.Context, c Collection, prefix, after string, limit int) ([]Doc, error)

	// DeleteDoc removes a document. One that is not there is ErrNotFound whatever was expected.
	DeleteDoc(ctx context.Context, c Collection, key string, expect uint64) error
}
