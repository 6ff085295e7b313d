// Package menu holds an answer against the offers that a ruleset makes: whatever lies within an offer is legal, whatever
// lies outside all of them is refused with the reason. A ruleset that checks answers so cannot list what it refuses.
package menu

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// Check tells why an intent is outside the offers, or nil. An offer with No refuses what lies within it, where an empty
// list means anything; it gives way to an open offer that holds the intent too. Spec says what fields the act has; of an
// act with some targets an offer names one group, all of whom are meant.
func Check(spec *engine.Spec, offers []engine.Offer, in *engine.Intent) *engine.Rejection {
	act := spec.Act(in.Act)
	if act == nil {
		return engine.Refuse(engine.ReasonUnknownAct, engine.RulePrompt, engine.Words("act", string(in.Act)))
	}
	if no := shape(act, in); no != nil {
		return no
	}
	var best *engine.Rejection
	far := -1
	for i := range offers {
		o := &offers[i]
		if o.Act != in.Act {
			continue
		}
		stage, no := within(act, o, in)
		switch {
		case no == nil && o.No == nil:
			return nil
		case no == nil:
			best, far = o.No, last+1
		case stage > far:
			best, far = no, stage
		}
	}
	if best == nil {
		return engine.Refuse(engine.ReasonActNotOffered, act.Rule, engine.Named("act", in.Act))
	}
	return best
}

// The stages at which an intent can leave an offer, in the order in which they are looked at.
const (
	atTargets = iota
	atItems
	atPart
	atAbout
	atMods
	atAmount
	atPath
	last = atPath
)

// within tells whether an intent lies within an offer, and else at which stage it leaves it and why.
func within(act *engine.ActSpec, o *engine.Offer, in *engine.Intent) (int, *engine.Rejection) {
	anything := o.No != nil
	refuse := func(reason engine.Reason, args ...engine.Arg) *engine.Rejection {
		return engine.Refuse(reason, act.Rule, append([]engine.Arg{engine.Named("act", in.Act)}, args...)...)
	}
	if !anything || len(o.Targets) > 0 {
		if len(o.Targets) == 0 && len(in.Targets) > 0 {
			return atTargets, refuse(engine.ReasonUnknownTarget, engine.Refers("target", in.Targets[0].Ref))
		}
		if act.Targets == engine.NeedsSome && len(in.Targets) != len(o.Targets) {
			return atTargets, refuse(engine.ReasonUnknownTarget, engine.Num("targets", int64(len(in.Targets))), engine.Num("group", int64(len(o.Targets))))
		}
		for i, t := range in.Targets {
			if !slices.Contains(o.Targets, t) || slices.Contains(in.Targets[:i], t) {
				return atTargets, refuse(engine.ReasonUnknownTarget, engine.Refers("target", t.Ref))
			}
		}
	}
	if !anything || len(o.Items) > 0 {
		if len(o.Items) == 0 && len(in.Items) > 0 || len(o.Items) > 0 && !slices.ContainsFunc(o.Items, func(s []engine.ItemID) bool { return slices.Equal(s, in.Items) }) {
			return atItems, refuse(engine.ReasonUnknownItem, engine.Num("item", int64(in.Item(0))))
		}
	}
	if !anything || len(o.Parts) > 0 {
		if in.Part != "" && !slices.Contains(o.Parts, in.Part) {
			return atPart, refuse(engine.ReasonUnknownName, engine.Words("part", string(in.Part)))
		}
	}
	if !anything || len(o.About) > 0 {
		if len(o.About) == 0 && in.About != "" || len(o.About) > 0 && !slices.Contains(o.About, in.About) {
			return atAbout, refuse(engine.ReasonUnknownName, engine.Words("about", string(in.About)))
		}
	}
	if anything {
		return last, nil
	}
	if bad := mods(o, in); bad != "" {
		return atMods, refuse(engine.ReasonForbidden, engine.Words("modifier", string(bad)))
	}
	if in.Amount < o.Amount.Min || in.Amount > o.Amount.Max {
		return atAmount, refuse(engine.ReasonMalformed, engine.Num("amount", int64(in.Amount)), engine.Num("min", int64(o.Amount.Min)), engine.Num("max", int64(o.Amount.Max)))
	}
	if len(o.Region) > 0 {
		if len(in.Path) != 1 || !slices.ContainsFunc(o.Region, func(c engine.CellCost) bool { return c.Cell == in.Path[0] }) {
			no := refuse(engine.ReasonTooFar)
			no.Region = o.Region
			if len(in.Path) > 0 {
				no.Args = append(no.Args, engine.Cell("cell", in.Path[len(in.Path)-1]))
			}
			return atPath, no
		}
	} else if len(in.Path) > 0 {
		return atPath, refuse(engine.ReasonMalformed, engine.Words("path", "none"))
	}
	return last, nil
}

// mods is a modifier that the offer does not allow, or nothing.
func mods(o *engine.Offer, in *engine.Intent) engine.ModName {
	for i, m := range in.Mods {
		if slices.Contains(in.Mods[:i], m) || !slices.ContainsFunc(o.Mods, func(g engine.ModGroup) bool { return slices.Contains(g.Mods, m) }) {
			return m
		}
	}
	for _, g := range o.Mods {
		n := int32(0)
		for _, m := range in.Mods {
			if slices.Contains(g.Mods, m) {
				if n++; n > g.Most {
					return m
				}
			}
		}
	}
	return ""
}

// shape refuses an intent with fields that its act does not have, or without those it must have.
func shape(act *engine.ActSpec, in *engine.Intent) *engine.Rejection {
	for _, f := range [...]struct {
		name  string
		needs engine.Needs
		n     int
	}{
		{"targets", act.Targets, len(in.Targets)},
		{"items", act.Items, len(in.Items)},
		{"part", act.Part, count(in.Part != "")},
		{"about", act.About, count(in.About != "")},
		{"path", act.Path, len(in.Path)},
		{"amount", act.Amount, count(in.Amount != 0)},
		{"look", act.Look, count(in.Look != voxel.Look{})},
	} {
		if !met(f.needs, f.n) {
			return engine.Refuse(engine.ReasonMalformed, act.Rule, engine.Named("act", in.Act), engine.Words("field", f.name), engine.Num("given", int64(f.n)))
		}
	}
	if in.Look != (voxel.Look{}) {
		if err := in.Look.Validate(); err != nil {
			return engine.Refuse(engine.ReasonMalformed, act.Rule, engine.Named("act", in.Act), engine.Words("look", err.Error()))
		}
	}
	return nil
}

func count(given bool) int {
	if given {
		return 1
	}
	return 0
}

// met tells whether n values fill a field as it needs.
func met(needs engine.Needs, n int) bool {
	switch needs {
	case engine.NeedsNone:
		return n == 0
	case engine.NeedsMaybe:
		return n <= 1
	case engine.NeedsOne:
		return n == 1
	}
	return n >= 1
}
