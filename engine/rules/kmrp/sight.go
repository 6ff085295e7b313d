package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// The bands of darkness as a master rules them with the quantity light (KM-DARK-01).
const (
	litNormal = iota
	litShade
	litDark
)

// distance is how far the target is, as the master rules or as the blocks lie.
func distance(v engine.View, a, on engine.ActorID, seen *voxel.Sighting, frame engine.FrameID) int32 {
	if len(v.Rulings) > 0 {
		if n, _, ok := v.Ruled(figDistance, a, on, frame); ok {
			return int32(n)
		}
	}
	return seen.Distance
}

// covered reports whether the target is in cover (KM-COVER-01).
func covered(v engine.View, a, on engine.ActorID, seen *voxel.Sighting, frame engine.FrameID) bool {
	if len(v.Rulings) > 0 {
		if n, _, ok := v.Ruled(figCover, a, on, frame); ok {
			return n > 0
		}
	}
	return seen.Covered()
}

// behind reports whether the attacker stands in the rear sector of the target's stored look (KM-ATK-BACK-01).
func behind(v engine.View, a, on engine.ActorID, seen *voxel.Sighting, frame engine.FrameID) bool {
	if len(v.Rulings) > 0 {
		if n, _, ok := v.Ruled(figSector, a, on, frame); ok {
			return n == int64(voxel.Rear)
		}
	}
	return seen.Exposed == voxel.Rear
}

// light is the band of darkness in which a sees on: what lies on the target's head, or what is ruled, less what he gave away
// (KM-DARK-01, -04, -06). Whoever sees at night sees as by day.
func (r *rules) light(v engine.View, a, on engine.ActorID, seen *voxel.Sighting, frame engine.FrameID) int {
	band := litNormal
	if v.World != nil {
		sky := v.Number(optSky)
		switch r.cat.Light(int32(seen.Light.At(uint8(sky)))) {
		case catalogue.AbsoluteDarkness:
			band = litDark
		case catalogue.HeavyShade:
			band = litShade
		}
	}
	if len(v.Zones) > 0 {
		at := v.Actor(on).Pose.At.Block()
		for i := range v.Zones {
			if z := &v.Zones[i]; z.Name == condDarkness && z.Shape.Contains(at) {
				band = max(band, min(int(z.Level), litDark))
			}
		}
	}
	if len(v.Rulings) > 0 {
		if n, _, ok := v.Ruled(figLight, a, on, frame); ok {
			band = int(n)
		}
	}
	switch {
	case band == litNormal, v.HasCond(a.On(), condNightVision):
		return litNormal
	case band == litDark && (v.HasCond(on.On(), condRevealed) || v.HasCond(on.On(), condShadeLost)):
		return litShade
	case band == litShade && v.HasCond(on.On(), condShadeLost):
		return litNormal
	}
	return band
}

// sight is what one actor sees of another. Without an arena there are positions and looks and nothing between. Cover matters to
// shots alone: for a blow along a free line nothing is counted.
func (r *rules) sight(v engine.View, a, on engine.ActorID, shot bool) voxel.Sighting {
	from, to := r.figure(v.Actor(a)), r.figure(v.Actor(on))
	s := voxel.Sighting{Distance: voxel.Distance(from, to), Rise: to.At.Y - from.At.Y}
	if v.World != nil {
		if shot || !r.clear(v, a, on) {
			return voxel.See(v.World, from, to, voxel.SightOptions{})
		}
		s.Light = v.World.Light(to.Head())
	}
	s.Facing = side(from.At, from.Look, to.At)
	s.Exposed = side(to.At, to.Look, from.At)
	return s
}

// side is the side of a body that something is on, by the rules' two sectors (Part 4).
func side(at voxel.Point, look voxel.Look, other voxel.Point) voxel.Flank {
	at, other = at.Snap(), other.Snap()
	switch {
	case at.X == other.X && at.Z == other.Z || look.X == 0 && look.Z == 0:
		return voxel.NoFlank
	case voxel.InSector(at, look, other, voxel.Sector135):
		return voxel.Front
	case voxel.InSector(at, look.Opposite(), other, voxel.Sector135):
		return voxel.Rear
	}
	return voxel.Side
}

// clear reports whether a line from the eye of one to the other is free: to his middle, his eyes or his chest. Then he is surely
// in sight, and no more rays are needed to know that.
func (r *rules) clear(v engine.View, a, on engine.ActorID) bool {
	if v.World == nil {
		return true
	}
	from, to := r.figure(v.Actor(a)), r.figure(v.Actor(on))
	eye, height := from.Eye(), to.Height()
	for _, up := range [...]int32{height / 2, to.Body.Eye[to.Posture], height * 3 / 4} {
		if _, hit := voxel.FirstHit(v.World, eye, to.At.Add(voxel.Point{Y: up}), voxel.Bullets|voxel.Views); !hit {
			return true
		}
	}
	return false
}

// hiding are the cells that hide a target.
func hiding(s *voxel.Sighting) []voxel.Pos {
	cells := make([]voxel.Pos, len(s.Hiding))
	for i := range s.Hiding {
		cells[i] = s.Hiding[i].At
	}
	return cells
}

// ruledOpen is the master's word that nothing or everything hides the target: cover 2 is full (KM-COVER-03).
func ruledOpen(v engine.View, a, on engine.ActorID, frame engine.FrameID) (open, ruled bool) {
	if len(v.Rulings) == 0 {
		return false, false
	}
	n, _, ok := v.Ruled(figCover, a, on, frame)
	return n < 2, ok
}
