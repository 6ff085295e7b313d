package eclipse

import (
	"autobattle/engine"
	"autobattle/engine/voxel"
)

// Distances of the rules, in blocks.
const (
	meleeReach = 2  // EP-MEL-09
	pointBlank = 2  // EP-RANGE-01
	closeRange = 10 // EP-RANGE-02, EP-RMOD-10
	neighbour  = 1  // EP-FIRE-06
	above      = 2  // EP-MOD-02
)

// figure is the body of an actor as he stands.
func figure(b *engine.Battle, spec *engine.Spec, a engine.ActorID) voxel.Figure {
	x := b.Actor(a)
	return voxel.Figure{Pose: x.Pose, Body: spec.Body(x.Body).Body}
}

// span is how far v is outside lo…hi.
func span(v, lo, hi int64) int64 { return max(0, lo-v, v-hi) }

// toBody is the square of the distance from a place to the nearest point of a body, in 1/256 block.
func toBody(p voxel.Point, f voxel.Figure) int64 {
	half := int64(f.Body.Width / 2)
	dx := span(int64(p.X), int64(f.At.X)-half, int64(f.At.X)+half)
	dz := span(int64(p.Z), int64(f.At.Z)-half, int64(f.At.Z)+half)
	dy := span(int64(p.Y), int64(f.At.Y), int64(f.At.Y)+int64(f.Height()))
	return dx*dx + dy*dy + dz*dz
}

// bodies is the square of the distance between the edges of two bodies, in 1/256 block.
func bodies(a, b voxel.Figure) int64 {
	half := int64(a.Body.Width/2) + int64(b.Body.Width/2)
	dx := max(0, abs(int64(a.At.X)-int64(b.At.X))-half)
	dz := max(0, abs(int64(a.At.Z)-int64(b.At.Z))-half)
	dy := max(0, int64(b.At.Y)-int64(a.At.Y)-int64(a.Height()), int64(a.At.Y)-int64(b.At.Y)-int64(b.Height()))
	return dx*dx + dy*dy + dz*dz
}

func abs(n int64) int64 { return max(n, -n) }

// within reports whether a squared distance in 1/256 block is at most n blocks.
func within(square int64, n int32) bool {
	d := int64(n) * voxel.Unit
	return square <= d*d
}

// shotDistance is the squared distance of a shot: from the eyes to the nearest point of the body (EP-RANGE-01), or as
// the master has ruled.
func (r *rules) shotDistance(b *engine.Battle, a, on engine.ActorID, frame engine.FrameID) int64 {
	if n, _, ok := b.Ruled(figDistance, a, on, frame); ok {
		n *= voxel.Unit
		return n * n
	}
	return toBody(figure(b, r.spec, a).Eye(), figure(b, r.spec, on))
}

// bands is the penalty of a distance to a shot (EP-RANGE-01…04, -09): beyond the range ten for every range begun.
func bands(square int64, rangeBlocks int32) (engine.ModName, engine.Rule, int32) {
	switch {
	case within(square, pointBlank):
		return modPointBlank, "EP-RANGE-01", 10
	case within(square, rangeBlocks) && within(square, closeRange):
		return "", "", 0
	case within(square, rangeBlocks):
		return modInRange, "EP-RANGE-03", -10
	}
	n := int32(2)
	for n < 100 && !within(square, n*rangeBlocks) {
		n++
	}
	return modBeyond, "EP-RANGE-04", -10 * n
}

// coverGrade is the grade of cover by the share of the body that is hidden: 0 none, 1 minor, 2 moderate, 3 major
// (EP-RMOD-08). Where all is hidden there is no line.
func coverGrade(hidden, samples int32) int32 {
	if samples == 0 || hidden == 0 {
		return 0
	}
	switch share := hidden * 100 / samples; {
	case share >= 70:
		return 3
	case share >= 40:
		return 2
	}
	return 1
}

// cells are the blocks that hide a body.
func cells(s *voxel.Sighting) (out []voxel.Pos) {
	for i := range s.Hiding {
		out = append(out, s.Hiding[i].At)
	}
	return out
}

// sighting is what a sees of on. Without an arena they stand in an open field at noon.
func (r *rules) sighting(v engine.View, a, on engine.ActorID) voxel.Sighting {
	from, to := figure(v.Battle, r.spec, a), figure(v.Battle, r.spec, on)
	if v.World == nil {
		return voxel.Sighting{Distance: voxel.Distance(from, to), Samples: voxel.Samples, Light: voxel.Light{Sky: 15}, Rise: to.At.Y - from.At.Y}
	}
	return voxel.See(v.World, from, to, voxel.SightOptions{})
}

// rates of movement in blocks (EP-MOVE-02).
const (
	rateBase = 4
	rateFull = 20
)

// pointsLeft is what is left of the movement of a turn, in blocks: of the full rate before it is known which is used.
func pointsLeft(turn *engine.Frame) int32 {
	rate := rateFull
	if turn.Get(varMoved, 0) > 0 && turn.Get(varRan, 0) == 0 {
		rate = rateBase
	}
	return left(turn, int64(rate))
}

func left(turn *engine.Frame, rate int64) int32 {
	if turn.Get(varStood, 0) != 0 {
		rate /= 2 // EP-MOVE-07
	}
	if moved := turn.Get(varMoved, 0); moved > 0 {
		rate -= moved - 1
	}
	return int32(max(rate, 0))
}

// region is where a movement act leads, with what is left of its rate.
func (r *rules) region(v engine.View, turn *engine.Frame, a engine.ActorID, act engine.ActName) voxel.Region {
	rate := int64(rateBase)
	if act == actRun {
		rate = rateFull
	}
	return voxel.Reach(v.World, figure(v.Battle, r.spec, a), voxel.Evenly(left(turn, rate)), func(p voxel.Pos) bool {
		for i := range v.Actors {
			if x := &v.Actors[i]; x.ID != a && x.Pose.At.Block() == p {
				return true
			}
		}
		return false
	})
}

// armourOf is what an actor wears: its value against a kind of damage and the number of layers (EP-ARM-01, -05).
func (r *rules) armourOf(b *engine.Battle, a engine.ActorID, against string) (value, layers int32) {
	for it := range b.ItemsOf(a) {
		w := r.gear.armour(it.Ref)
		if w == nil || it.Slot != slotWorn {
			continue
		}
		if w.layer() {
			layers++
		}
		if against == "energy" {
			value += w.Energy
		} else {
			value += w.Kinetic
		}
	}
	return value, layers
}
