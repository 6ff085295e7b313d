package engine

import (
	"fmt"
	"sync"

	"autobattle/engine/voxel"
)

// worldView is the arena under a battle's block changes. It is derived: made anew with every change of blocks, built when
// first asked for, shared by all battles that come from there.
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
	if v := b.world; v != nil {
		v.once.Do(func() { v.arena, v.world = arena, overlay(arena, b.Blocks) })
		if v.arena == arena {
			return v.world
		}
	}
	return overlay(arena, b.Blocks)
}

// remembers lets b, which nobody else has yet, keep the world that it builds.
func (b *Battle) remembers() {
	if b.world == nil && len(b.Blocks) > 0 {
		b.world = &worldView{}
	}
}

// WorldOf is the arena as uploaded under the battle's block changes; nil where there is no arena.
func WorldOf(b *Battle, arena voxel.World) voxel.World { return b.worldOf(arena) }

// overlay puts edits over an arena. Edits were checked when they came in, so a failure is a broken invariant.
func overlay(arena voxel.World, edits []BlockEdit) voxel.World {
	w, err := overlaid(arena, edits)
	if err != nil {
		panic(fmt.Sprintf("engine: recorded block changes do not fit the arena: %v", err))
	}
	return w
}

// overlaid puts edits over an arena, if they fit it.
func overlaid(arena voxel.World, edits []BlockEdit) (voxel.World, error) {
	base, ok := arena.(*voxel.Arena)
	if !ok {
		panic(fmt.Sprintf("engine: the world of a battle is a %T, not an arena", arena))
	}
	list := make([]voxel.Edit, len(edits))
	for i := range edits {
		list[i] = voxel.Edit{At: edits[i].At, Block: edits[i].Block, Wear: edits[i].Wear}
	}
	return base.With(list)
}
