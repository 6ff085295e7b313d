package redis

import (
	"context"
	"fmt"
	"strconv"

	"autobattle/state"
)

// GetDoc returns a document; see state.Docs.
func (s *Store) GetDoc(ctx context.Context, c state.Collection, key string) (state.Doc, error) {
	var docs []state.Doc
	err := s.closedOr(state.CheckDoc(c, key))
	if err == nil {
		docs, err = s.docs(ctx, c, "key", key)
	}
	if err == nil && len(docs) == 0 {
		err = state.ErrNotFound
	}
	if err != nil {
		return state.Doc{}, fmt.Errorf("get document %s/%s: %w", c, key, err)
	}
	return docs[0], nil
}

// PutDoc writes a document; see state.Docs.
func (s *Store) PutDoc(ctx context.Context, c state.Collection, key string, expect uint64, data []byte) (uint64, error) {
	rev, err := s.writeDoc(ctx, "put", c, key, expect, data)
	if err != nil {
		return 0, fmt.Errorf("put document %s/%s: %w", c, key, err)
	}
	return rev, nil
}

// DeleteDoc removes a document; see state.Docs.
func (s *Store) DeleteDoc(ctx context.Context, c state.Collection, key string, expect uint64) error {
	if _, err := s.writeDoc(ctx, "delete", c, key, expect, nil); err != nil {
		return fmt.Errorf("delete document %s/%s: %w", c, key, err)
	}
	return nil
}

func (s *Store) writeDoc(ctx context.Context, mode string, c state.Collection, key string, expect uint64, data []byte) (uint64, error) {
	if err := s.closedOr(state.CheckDoc(c, key)); err != nil {
		return 0, err
	}
	expected := "any"
	if expect != state.Any {
		expected = strconv.FormatUint(expect, 10)
	}
	reply, err := s.run(ctx, putScript, docKeys(c), mode, key, expected, data)
	if err != nil {
		return 0, err
	}
	answer, more := split(reply)
	if answer == "not found" {
		return 0, state.ErrNotFound
	}
	rev, err := decodeUint(more)
	switch {
	case err != nil:
		return 0, err
	case answer == "ok":
		return rev, nil
	case answer == "conflict":
		return 0, &state.ConflictError{Head: rev}
	}
	return 0, damaged("answer to a put", reply)
}

// ListDocs lists documents; see state.Docs.
func (s *Store) ListDocs(ctx context.Context, c state.Collection, prefix, after string, limit int) ([]state.Doc, error) {
	var docs []state.Doc
	err := s.closedOr(c.Check())
	if err == nil {
		from := "[" + prefix
		if after != "" && after >= prefix {
			from = "(" + after
		}
		docs, err = s.docs(ctx, c, "range", from, "("+prefix+"\xff", state.Page(limit)) // keys are ASCII
	}
	if err != nil {
		return nil, fmt.Errorf("list documents %s: %w", c, err)
	}
	return docs, nil
}

func (s *Store) docs(ctx context.Context, c state.Collection, args ...any) ([]state.Doc, error) {
	reply, err := s.run(ctx, getScript, docKeys(c), args...)
	if err != nil {
		return nil, err
	}
	flat, ok := reply.([]any)
	if !ok || len(flat)%3 != 0 {
		return nil, damaged("documents", reply)
	}
	var docs []state.Doc
	for i := 0; i < len(flat); i += 3 {
		key, ok1 := flat[i].(string)
		rev, err := decodeUint(flat[i+1])
		data, ok2 := flat[i+2].(string)
		if !ok1 || !ok2 || err != nil {
			return nil, damaged("document", flat[i])
		}
		docs = append(docs, state.Doc{Key: key, Rev: rev, Data: []byte(data)})
	}
	return docs, nil
}
