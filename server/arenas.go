package server

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	pb "autobattle/proto/autobattle/v1"

	"autobattle/engine/voxel"
	"autobattle/proto/wire"
	"autobattle/state"
)

// cachedArenas is how many decoded arenas a process keeps; battles share them.
const cachedArenas = 64

// arenas keeps voxel worlds by the hash of their content, each stored once for a tenant.
type arenas struct {
	store    state.Store
	maxCells int64
	cache    *lru.Cache[string, *voxel.Arena]
	group    singleflight.Group
}

func newArenas(store state.Store, maxCells int64) *arenas {
	cache, err := lru.New[string, *voxel.Arena](cachedArenas)
	if err != nil {
		panic(fmt.Sprintf("server: cache of %d arenas: %v", cachedArenas, err))
	}
	return &arenas{store: store, maxCells: maxCells, cache: cache}
}

func arenaDocs(tenant string) state.Collection {
	return state.Collection{Kind: "arenas", Tenant: tenant}
}

// put stores an arena and reports whether it was known already.
func (a *arenas) put(ctx context.Context, tenant string, arena *voxel.Arena) (known bool, err error) {
	hash := arena.Hash()
	key := hex.EncodeToString(hash[:])
	data, err := wire.EncodeArena(arena)
	if err != nil {
		return false, fmt.Errorf("encode arena %s: %w", key, err)
	}
	_, err = a.store.PutDoc(ctx, arenaDocs(tenant), key, 0, data)
	known = errors.Is(err, state.ErrConflict)
	if err != nil && !known {
		return false, err
	}
	a.cache.Add(tenant+"/"+key, arena)
	return known, nil
}

// get finds an arena of a tenant.
func (a *arenas) get(ctx context.Context, tenant string, hash [32]byte) (*voxel.Arena, error) {
	key := hex.EncodeToString(hash[:])
	name := tenant + "/" + key
	if arena, ok := a.cache.Get(name); ok {
		return arena, nil
	}
	v, err, _ := a.group.Do(name, func() (any, error) {
		doc, err := a.store.GetDoc(context.WithoutCancel(ctx), arenaDocs(tenant), key) // for all who wait
		if errors.Is(err, state.ErrNotFound) {
			return nil, fail(pb.ErrorReason_ERROR_REASON_ARENA_NOT_FOUND, "arena", key)
		}
		if err != nil {
			return nil, err
		}
		arena, err := wire.DecodeArena(doc.Data, a.maxCells)
		if err != nil {
			return nil, fmt.Errorf("%w: arena %s: %w", state.ErrCorrupt, key, err)
		}
		if arena.Hash() != hash {
			return nil, fmt.Errorf("%w: arena %s holds other blocks", state.ErrCorrupt, key)
		}
		a.cache.Add(name, arena)
		return arena, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*voxel.Arena), nil
}
