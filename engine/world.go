package engine

import (
	"fmt"
	"sync"

	"autobattle/engine/voxel"
)

// worldView is the arena under a battle's block changes. It is derived: built when first asked for, shared by all
// battles that have the same changes.
type worldView struct {
	once  sync.Once
	arena voxel.World
	world voxel.World
}

// worldOf is the arena with the block changes of b; nil where there is no arena.
func (b *Battle) worldOf(arena voxel.World) voxel.World {
	if arena == nil || len(b.Blocks) == 0 {
		return arena
	}
	if b.world == nil || b.world.arena != arena {
		b.world = &worldView{arena: arena}
	}
	v := b.world
	v.once.Do(func() { v.world = overlay(arena, b.Blocks) })
	return v.world
}

// WorldOf is the arena as uploaded under the battle's block changes; nil where there is no arena.
func WorldOf(b *Battle, arena voxel.World) voxel.World { return b.worldOf(arena) }

// overlay puts edits over an arena. Edits were checked when they came in, so a failure is a broken invariant.
func overlay(arena voxel.World, edits []BlockEdit) voxel.World {
	base, ok := arena.(*voxel.Arena)
	if !ok {
		panic(fmt.Sprintf("engine: the world of a battle is a %T, not an arena", arena))
	}
	list := make([]voxel.Edit, len(edits))
	for i := range edits {
		list[i] = voxel.Edit{At: edits[i].At, Block: edits[i].Block, Wear: edits[i].Wear}
	}
	o, err := base.With(list)
	if err != nil {
		panic(fmt.Sprintf("engine: recorded block changes do not fit the arena: %v", err))
	}
	return o
}
