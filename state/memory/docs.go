package memory

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"autobattle/state"
)

// GetDoc returns a document; see state.Docs.
func (s *Store) GetDoc(ctx context.Context, c state.Collection, key string) (state.Doc, error) {
	defer s.mu.RUnlock()
	err := cmp.Or(s.lock(ctx, s.mu.RLocker()), state.CheckDoc(c, key))
	doc, found := s.collection(c).docs[key]
	if err == nil && !found {
		err = state.ErrNotFound
	}
	if err != nil {
		return state.Doc{}, fmt.Errorf("get document %s/%s: %w", c, key, err)
	}
	return doc, nil
}

// PutDoc writes a document; see state.Docs.
func (s *Store) PutDoc(ctx context.Context, c state.Collection, key string, expect uint64, data []byte) (uint64, error) {
	rev, err := s.putDoc(ctx, c, key, expect, data)
	if err != nil {
		return 0, fmt.Errorf("put document %s/%s: %w", c, key, err)
	}
	return rev, nil
}

func (s *Store) putDoc(ctx context.Context, c state.Collection, key string, expect uint64, data []byte) (uint64, error) {
	if err := state.CheckDoc(c, key); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	if err := s.lock(ctx, &s.mu); err != nil {
		return 0, err
	}
	docs := s.collection(c)
	if rev := docs.docs[key].Rev; expect != state.Any && expect != rev {
		return 0, &state.ConflictError{Head: rev}
	}
	s.docs[c] = docs
	docs.puts++
	docs.docs[key] = state.Doc{Key: key, Rev: docs.puts, Data: bytes.Clone(data)}
	return docs.puts, nil
}

// ListDocs lists documents; see state.Docs.
func (s *Store) ListDocs(ctx context.Context, c state.Collection, prefix, after string, limit int) ([]state.Doc, error) {
	defer s.mu.RUnlock()
	if err := cmp.Or(s.lock(ctx, s.mu.RLocker()), c.Check()); err != nil {
		return nil, fmt.Errorf("list documents %s: %w", c, err)
	}
	var all []state.Doc
	for key, doc := range s.collection(c).docs {
		if strings.HasPrefix(key, prefix) && key > after {
			all = append(all, doc)
		}
	}
	slices.SortFunc(all, func(a, b state.Doc) int { return strings.Compare(a.Key, b.Key) })
	return all[:min(len(all), state.Page(limit))], nil
}

// DeleteDoc removes a document; see state.Docs.
func (s *Store) DeleteDoc(ctx context.Context, c state.Collection, key string, expect uint64) error {
	defer s.mu.Unlock()
	err := cmp.Or(s.lock(ctx, &s.mu), state.CheckDoc(c, key))
	docs := s.collection(c)
	doc, found := docs.docs[key]
	switch {
	case err != nil:
	case !found:
		err = state.ErrNotFound
	case expect != state.Any && expect != doc.Rev:
		err = &state.ConflictError{Head: doc.Rev}
	default:
		delete(docs.docs, key)
	}
	if err != nil {
		return fmt.Errorf("delete document %s/%s: %w", c, key, err)
	}
	return nil
}

// collection finds the documents of a collection, or makes an empty one that is not kept yet.
func (s *Store) collection(c state.Collection) *collection {
	if docs := s.docs[c]; docs != nil {
		return docs
	}
	return &collection{docs: map[string]state.Doc{}}
}
