package redis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"autobattle/state"
)

// List lists battles; see state.Index.
func (s *Store) List(ctx context.Context, tenant string, after state.ID, limit int) ([]state.Listed, error) {
	err := s.closedOr(state.CheckTenant(tenant))
	for err == nil {
		var ids []string
		ids, err = s.names(ctx, tenant, after, state.Page(limit))
		if err != nil || len(ids) == 0 {
			break
		}
		var found []state.Listed
		found, err = s.heads(ctx, ids)
		if err == nil && len(found) > 0 {
			return found, nil
		}
		if err == nil { // all of them were deleted meanwhile
			after, err = state.ParseID(ids[len(ids)-1])
		}
	}
	if err != nil {
		return nil, fmt.Errorf("list battles: %w", err)
	}
	return nil, nil
}

// names are the first ids of battles after one, of every shard together.
func (s *Store) names(ctx context.Context, tenant string, after state.ID, limit int) ([]string, error) {
	from, to := "-", "+"
	if tenant != "" {
		from, to = "["+tenant+"/", "("+tenant+"0" // 0 is the character after the slash
	}
	if last := after.String(); (after != state.ID{}) && (tenant == "" || last >= tenant+"/") {
		from = "(" + last
	}
	var ids []string
	parts := make([]*redis.StringSliceCmd, shards)
	_, err := s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := range parts {
			parts[i] = p.ZRangeByLex(ctx, shardPrefix(i)+"battles", &redis.ZRangeBy{Min: from, Max: to, Count: int64(limit)})
		}
		return nil
	})
	if err != nil {
		return nil, s.closedOr(down(ctx, err))
	}
	for _, part := range parts {
		ids = append(ids, part.Val()...)
	}
	slices.Sort(ids)
	return ids[:min(limit, len(ids))], nil
}

// heads reads the heads of battles, without those that are gone.
func (s *Store) heads(ctx context.Context, names []string) ([]state.Listed, error) {
	found := make([]state.Listed, 0, len(names))
	replies := make([]*redis.MapStringStringCmd, len(names))
	for _, name := range names {
		id, err := state.ParseID(name)
		if err != nil {
			return nil, damaged("listing", name)
		}
		found = append(found, state.Listed{ID: id})
	}
	if len(names) == 0 {
		return nil, nil
	}
	_, err := s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := range found {
			replies[i] = p.HGetAll(ctx, keysOf(found[i].ID).head)
		}
		return nil
	})
	if err != nil {
		return nil, s.closedOr(down(ctx, err))
	}
	kept := found[:0]
	for i, listed := range found {
		h, err := decodeHead(replies[i].Val())
		if errors.Is(err, state.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		listed.Head = h
		kept = append(kept, listed)
	}
	return kept, nil
}

// Due lists battles by deadline; see state.Index.
func (s *Store) Due(ctx context.Context, atMS int64, limit int) ([]state.Listed, error) {
	found, err := s.due(ctx, atMS, state.Page(limit))
	if err != nil {
		return nil, fmt.Errorf("list due battles: %w", err)
	}
	return found, nil
}

func (s *Store) due(ctx context.Context, atMS int64, limit int) ([]state.Listed, error) {
	if err := s.closedOr(nil); err != nil {
		return nil, err
	}
	parts := make([]*redis.ZSliceCmd, shards)
	_, err := s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := range parts {
			parts[i] = p.ZRangeByScoreWithScores(ctx, shardPrefix(i)+"due", &redis.ZRangeBy{
				Min: "-inf", Max: strconv.FormatInt(atMS, 10), Count: int64(limit),
			})
		}
		return nil
	})
	if err != nil {
		return nil, s.closedOr(down(ctx, err))
	}
	var all []redis.Z
	for _, part := range parts {
		all = append(all, part.Val()...)
	}
	slices.SortFunc(all, func(a, b redis.Z) int {
		switch {
		case a.Score < b.Score:
			return -1
		case a.Score > b.Score:
			return 1
		}
		return strings.Compare(a.Member.(string), b.Member.(string))
	})
	var names []string
	for _, z := range all[:min(limit, len(all))] {
		names = append(names, z.Member.(string))
	}
	found, err := s.heads(ctx, names)
	found = slices.DeleteFunc(found, func(l state.Listed) bool { // moved on meanwhile
		return l.Head.DeadlineMS == 0 || l.Head.DeadlineMS > atMS
	})
	slices.SortFunc(found, state.CompareDue)
	return found, err
}

// Delete removes a battle; see state.Index.
func (s *Store) Delete(ctx context.Context, id state.ID) error {
	return wrap("delete battle", id, s.delete(ctx, id))
}

func (s *Store) delete(ctx context.Context, id state.ID) error {
	if err := s.closedOr(id.Check()); err != nil {
		return err
	}
	k := keysOf(id)
	removed, err := s.run(ctx, deleteScript, k.battle(), k.id, k.channel)
	if err == nil && removed != int64(1) {
		err = state.ErrNotFound
	}
	return err
}
