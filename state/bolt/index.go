package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"autobattle/state"
)

// List lists battles; see state.Index.
func (s *Store) List(ctx context.Context, tenant string, after state.ID, limit int) ([]state.Listed, error) {
	var found []state.Listed
	err := state.CheckTenant(tenant)
	if err = s.closedOr(err); err == nil {
		err = s.read(ctx, func(tx *bolt.Tx) error {
			var prefix, from []byte
			if tenant != "" {
				prefix = append([]byte(tenant), '/')
			}
			if (after != state.ID{}) {
				from = append(name(after), 0) // the next key there can be
			}
			if bytes.Compare(from, prefix) < 0 {
				from = prefix
			}
			c := tx.Bucket(bucketHead).Cursor()
			for key, value := c.Seek(from); len(found) < state.Page(limit) && key != nil && bytes.HasPrefix(key, prefix); key, value = c.Next() {
				listed, err := decodeListed(key, value)
				if err != nil {
					return err
				}
				found = append(found, listed)
			}
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("list battles: %w", err)
	}
	return found, nil
}

// Due lists battles by deadline; see state.Index.
func (s *Store) Due(ctx context.Context, atMS int64, limit int) ([]state.Listed, error) {
	var found []state.Listed
	err := s.read(ctx, func(tx *bolt.Tx) error {
		heads, c := tx.Bucket(bucketHead), tx.Bucket(bucketDue).Cursor()
		for key, _ := c.First(); len(found) < state.Page(limit) && len(key) > 8; key, _ = c.Next() {
			if int64(binary.BigEndian.Uint64(key)^1<<63) > atMS {
				break
			}
			listed, err := decodeListed(key[8:], heads.Get(key[8:]))
			if err != nil {
				return err
			}
			found = append(found, listed)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list due battles: %w", err)
	}
	return found, nil
}

func decodeListed(key, value []byte) (state.Listed, error) {
	id, err := state.ParseID(string(key))
	if err != nil {
		return state.Listed{}, fmt.Errorf("%w: %v", state.ErrCorrupt, err)
	}
	h, err := decodeHead(key, value)
	return state.Listed{ID: id, Head: h}, err
}

// Delete removes a battle; see state.Index.
func (s *Store) Delete(ctx context.Context, id state.ID) error {
	err := s.closedOr(id.Check())
	if err == nil {
		err = s.write(ctx, func(tx *bolt.Tx) error {
			h, err := readHead(tx, id)
			if err != nil {
				return err
			}
			return errors.Join(
				tx.Bucket(bucketHead).Delete(name(id)),
				tx.Bucket(bucketSnapshot).Delete(name(id)),
				tx.Bucket(bucketDue).Delete(dueKey(h.DeadlineMS, id)),
				deletePrefix(tx.Bucket(bucketLog), logPrefix(id)),
				deletePrefix(tx.Bucket(bucketCommand), logPrefix(id)))
		}, func() { s.hub.End(id) })
	}
	return wrap("delete battle", id, err)
}

// deletePrefix deletes every key that begins with prefix.
func deletePrefix(b *bolt.Bucket, prefix []byte) error {
	c := b.Cursor()
	for key, _ := c.Seek(prefix); bytes.HasPrefix(key, prefix); key, _ = c.Seek(prefix) {
		if err := c.Delete(); err != nil {
			return err
		}
	}
	return nil
}
