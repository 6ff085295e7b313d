// Package open opens the store that a URL names. It knows every store, so that package state need not.
package open

import (
	"context"
	"fmt"
	"strings"

	"autobattle/state"
	"autobattle/state/bolt"
	"autobattle/state/memory"
	"autobattle/state/redis"
)

// Store opens a store: "memory:", "bolt:PATH", or the URL of a Redis as package redis reads it. An
// unknown form is refused with the known ones.
func Store(ctx context.Context, url string) (state.Store, error) {
	scheme, rest, found := strings.Cut(url, ":")
	kind, _, _ := strings.Cut(scheme, "+")
	switch {
	case !found:
	case scheme == "memory" && rest == "":
		return memory.Open(), nil
	case scheme == "bolt" && rest != "":
		s, err := bolt.Open(rest)
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		return s, nil
	case kind == "redis", kind == "rediss":
		s, err := redis.Open(ctx, url)
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		return s, nil
	}
	return nil, fmt.Errorf("store: %w: want memory:, bolt:PATH, redis://HOST:PORT/DB, rediss://, redis+cluster:// or redis+sentinel://", state.ErrInvalid)
}

// Warnings says what an operator should know about how the store keeps data: each is a sentence. It is
// meant for the start of a program.
func Warnings(ctx context.Context, s state.Store) ([]string, error) {
	switch s := s.(type) {
	case *memory.Store:
		return []string{"the memory store keeps nothing on disk: every battle is lost when this program stops"}, nil
	case *redis.Store:
		return s.Warnings(ctx)
	}
	return nil, nil
}
