package empia

import (
	"cmp"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// figure is the body of an actor as he stands.
func (r *rules) figure(b *engine.Battle, a engine.ActorID) voxel.Figure {
	x := b.Actor(a)
	return voxel.Figure{Pose: x.Pose, Body: r.spec.Body(x.Body).Body}
}

// within reports whether two actors are at most n blocks apart, by the middles of their bodies, which are of one size
// (EM-GEO-02).
func within(b *engine.Battle, a, c engine.ActorID, n int32) bool {
	p, q := b.Actor(a).Pose.At, b.Actor(c).Pose.At
	return square(p, q) <= int64(n)*int64(n)*voxel.Unit*voxel.Unit
}

func square(p, q voxel.Point) int64 {
	dx, dy, dz := int64(p.X)-int64(q.X), int64(p.Y)-int64(q.Y), int64(p.Z)-int64(q.Z)
	return dx*dx + dy*dy + dz*dz
}

// root is the square root of n ≥ 0, rounded down.
func root(n int64) int64 {
	x := n
	for y := (x + 1) / 2; y < x; y = (x + n/x) / 2 {
		x = y
	}
	return x
}

// gaits are the ways to move: blocks and energy of a slot (table T-4).
var gaits = [...]struct {
	act          engine.ActName
	blocks, cost int32
}{{actWalk, 5, 0}, {actRun, 10, 2}, {actCrouch, 3, 1}, {actCrawl, 2, 2}}

// place is where a target is: an actor, or a thing that lies somewhere or is with somebody.
func place(b *engine.Battle, t engine.Target) (at voxel.Point, ok bool) {
	if a := b.Actor(t.Ref.Actor()); a != nil {
		return a.Pose.At, true
	}
	if t.Ref.Kind != engine.RefItem {
		return at, false
	}
	it := b.Item(engine.ItemID(t.Ref.ID))
	if it == nil {
		return at, false
	}
	if h := b.Actor(it.Holder); h != nil {
		return h.Pose.At, true
	}
	return it.Cell.Floor(), true
}

// way is where a move ends. It goes straight on a field without an arena, and by the shortest walk in one. Whoever goes
// towards a body stops a block before it; two who go towards each other meet half way (EM-MOVE-05, -06).
func (r *rules) way(v engine.View, in *engine.Intent, blocks int32, meets bool, taken []voxel.Pos) (to voxel.Point, path []voxel.Pos, walked int32) {
	me := v.Actor(in.By)
	from := me.Pose.At
	goal, _ := place(v.Battle, in.Targets[0])
	if v.World != nil {
		return r.walk(v, in, goal, blocks, meets, taken)
	}
	dx, dz := int64(goal.X)-int64(from.X), int64(goal.Z)-int64(from.Z)
	length := root(dx*dx + dz*dz)
	step := int64(blocks) * voxel.Unit
	if in.Has(modAway) {
		if length == 0 {
			dx, length = 1, 1
		}
		dx, dz = -dx, -dz
	} else {
		free := length
		if in.Targets[0].Ref.Kind == engine.RefActor {
			free -= voxel.Unit
		}
		if meets {
			free /= 2
		}
		step = max(min(step, free), 0)
	}
	if length == 0 || step == 0 {
		return from, nil, 0
	}
	to = from.Add(voxel.Point{X: int32(dx * step / length), Z: int32(dz * step / length)})
	return to, nil, int32(step)
}

// walk is a move through an arena: to the cell within reach that is nearest to the goal, or farthest from it.
func (r *rules) walk(v engine.View, in *engine.Intent, goal voxel.Point, blocks int32, meets bool, taken []voxel.Pos) (voxel.Point, []voxel.Pos, int32) {
	me := v.Actor(in.By)
	stands := func(p voxel.Pos) bool {
		for _, t := range taken {
			if t == p {
				return true
			}
		}
		for i := range v.Actors {
			if x := &v.Actors[i]; x.ID != in.By && x.Pose.At.Block() == p {
				return true
			}
		}
		return false
	}
	if meets {
		gap := root(square(me.Pose.At, goal))
		blocks = min(blocks, int32(max(gap-voxel.Unit, 0)/2/voxel.Unit))
	}
	region := voxel.Reach(v.World, r.figure(v.Battle, in.By), voxel.Evenly(blocks), stands)
	best := voxel.Reached{Cell: me.Pose.At.Block(), Feet: me.Pose.At}
	better := func(c *voxel.Reached) bool {
		d := cmp.Compare(square(c.Feet, goal), square(best.Feet, goal))
		if in.Has(modAway) {
			d = -d
		}
		return cmp.Or(d, cmp.Compare(c.Points, best.Points)) < 0
	}
	for i := range region.Cells {
		if c := &region.Cells[i]; !stands(c.Cell) && better(c) {
			best = *c
		}
	}
	return best.Feet, region.Path(best.Cell), best.Points * voxel.Unit
}

// towards is the horizontal look from one place to another; the old look where they are above each other.
func towards(from, to voxel.Point, old voxel.Look) voxel.Look {
	x, z := int64(to.X)-int64(from.X), int64(to.Z)-int64(from.Z)
	for max(x, -x) > voxel.MaxLook || max(z, -z) > voxel.MaxLook {
		x, z = x/2, z/2
	}
	if x == 0 && z == 0 {
		return old
	}
	return voxel.Look{X: int32(x), Z: int32(z)}
}
