package text

import "autobattle/engine"

// Observation tells what one actor sees of another: distance, what hides how much, from which side, the light, and what
// the rules make of it. target zero is a place.
func (r *Renderer) Observation(b *engine.Battle, by, target engine.ActorID, o *engine.Observation) []Line {
	s := r.scene(b)
	sg := &o.Sighting
	who := s.actor(by)
	whom := phrase(r.msgs.word("observed", "place"))
	if target != 0 {
		whom = s.actor(target)
	}
	var out []Line
	say := func(variant string, args ...arg) {
		args = append(args, arg{"actor", who}, arg{"target", whom})
		out = append(out, Line{Text: r.msgs.line(r.msgs.find("observed", variant), args...), Fact: -1})
	}
	say("distance", arg{"n", number(int64(sg.Distance))})
	switch {
	case sg.Samples == 0 || !sg.Visible():
		say("unseen")
	case !sg.Open():
		say("closed", arg{"n", number(int64(sg.Hidden))})
	case sg.Covered():
		say("covered", arg{"n", number(int64(sg.Hidden))})
	case sg.Hidden > 0:
		say("partly", arg{"n", number(int64(sg.Hidden))})
	default:
		say("clear")
	}
	if len(sg.Hiding) > 0 {
		say("hiding", arg{"cells", s.hidingCells(sg.Hiding)})
	}
	if o.Light != "" {
		say("light", arg{"band", r.name("band", string(o.Light))})
	}
	for i := range o.Figures {
		out = append(out, Line{Text: s.mod(&o.Figures[i], true), Fact: -1})
	}
	return out
}
