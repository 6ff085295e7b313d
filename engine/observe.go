package engine

import "autobattle/engine/voxel"

// Observation is what one actor sees of another or of a place, with what a ruleset makes of it.
type Observation struct {
	Sighting voxel.Sighting
	Others   []ActorID // behind Sighting.Bodies, by its index
	Figures  []Mod     // cover, darkness, distance: with rule ids, rulings included
	Light    Band      // name of the band of light at the target; empty where the ruleset has none
}

// Observer is a Ruleset that explains what one actor sees of another. v is all there is to know.
type Observer interface {
	Observe(v View, by, target ActorID) Observation
}

// Observe is what an actor sees of a body, by the rules where the ruleset explains and the target is an actor, else
// by geometry alone. There must be a world.
func Observe(sys *System, v View, by, target ActorID, body voxel.Figure) Observation {
	if o, ok := sys.Rules.(Observer); ok && target != 0 {
		return o.Observe(v, by, target)
	}
	from, _ := Figure(sys.Spec, v.Battle, by)
	return Observation{Sighting: voxel.See(v.World, from, body, voxel.SightOptions{})}
}

// Figure is the body of an actor where he stands, and whether there is such an actor.
func Figure(spec *Spec, b *Battle, id ActorID) (voxel.Figure, bool) {
	a := b.Actor(id)
	if a == nil {
		return voxel.Figure{}, false
	}
	f := voxel.Figure{Pose: a.Pose, Body: voxel.Human()}
	if body := spec.Body(a.Body); body != nil {
		f.Body = body.Body
	}
	return f, true
}
