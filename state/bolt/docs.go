package bolt

import (
	"bytes"
	"context"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"autobattle/state"
)

// GetDoc returns a document; see state.Docs.
func (s *Store) GetDoc(ctx context.Context, c state.Collection, key string) (doc state.Doc, err error) {
	if err = s.closedOr(state.CheckDoc(c, key)); err == nil {
		err = s.read(ctx, func(tx *bolt.Tx) error {
			if docs := tx.Bucket(bucketDocs).Bucket([]byte(c.String())); docs != nil {
				doc, err = decodeDoc(c, key, docs.Get([]byte(key)))
				return err
			}
			return state.ErrNotFound
		})
	}
	if err != nil {
		return state.Doc{}, fmt.Errorf("get document %s/%s: %w", c, key, err)
	}
	return doc, nil
}

func decodeDoc(c state.Collection, key string, b []byte) (state.Doc, error) {
	if b == nil {
		return state.Doc{}, refused{state.ErrNotFound}
	}
	rev, data, ok := unsealNumbered(b)
	if !ok {
		return state.Doc{}, fmt.Errorf("%w: document %s/%s is broken", state.ErrCorrupt, c, key)
	}
	return state.Doc{Key: key, Rev: rev, Data: data}, nil
}

// PutDoc writes a document; see state.Docs.
func (s *Store) PutDoc(ctx context.Context, c state.Collection, key string, expect uint64, data []byte) (uint64, error) {
	var rev uint64
	err := s.closedOr(state.CheckDoc(c, key))
	if err == nil {
		err = s.write(ctx, func(tx *bolt.Tx) error {
			docs, err := tx.Bucket(bucketDocs).CreateBucketIfNotExists([]byte(c.String()))
			if err != nil {
				return err
			}
			if stands := revision(docs.Get([]byte(key))); expect != state.Any && expect != stands {
				return refused{&state.ConflictError{Head: stands}}
			}
			next, err := docs.NextSequence()
			if err != nil {
				return err
			}
			rev = next
			return docs.Put([]byte(key), sealNumbered(next, data))
		}, nil)
	}
	if err != nil {
		return 0, fmt.Errorf("put document %s/%s: %w", c, key, err)
	}
	return rev, nil
}

// revision is that of a stored document, broken or not, so that a broken one can be replaced; 0 for none.
func revision(b []byte) uint64 {
	rev, _, _ := unsealNumbered(b)
	return rev
}

// ListDocs lists documents; see state.Docs.
func (s *Store) ListDocs(ctx context.Context, c state.Collection, prefix, after string, limit int) ([]state.Doc, error) {
	var found []state.Doc
	err := s.closedOr(c.Check())
	if err == nil {
		err = s.read(ctx, func(tx *bolt.Tx) error {
			docs := tx.Bucket(bucketDocs).Bucket([]byte(c.String()))
			if docs == nil {
				return nil
			}
			from := []byte(prefix)
			if after >= prefix && after != "" {
				from = append([]byte(after), 0)
			}
			cursor := docs.Cursor()
			for key, value := cursor.Seek(from); len(found) < state.Page(limit) && key != nil && bytes.HasPrefix(key, []byte(prefix)); key, value = cursor.Next() {
				doc, err := decodeDoc(c, string(key), value)
				if err != nil {
					return err
				}
				found = append(found, doc)
			}
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("list documents %s: %w", c, err)
	}
	return found, nil
}

// DeleteDoc removes a document; see state.Docs.
func (s *Store) DeleteDoc(ctx context.Context, c state.Collection, key string, expect uint64) error {
	err := s.closedOr(state.CheckDoc(c, key))
	if err == nil {
		err = s.write(ctx, func(tx *bolt.Tx) error {
			docs := tx.Bucket(bucketDocs).Bucket([]byte(c.String()))
			if docs == nil || docs.Get([]byte(key)) == nil {
				return refused{state.ErrNotFound}
			}
			if stands := revision(docs.Get([]byte(key))); expect != state.Any && expect != stands {
				return refused{&state.ConflictError{Head: stands}}
			}
			return docs.Delete([]byte(key))
		}, nil)
	}
	if err != nil {
		return fmt.Errorf("delete document %s/%s: %w", c, key, err)
	}
	return nil
}
