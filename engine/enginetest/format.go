package enginetest

import (
	"fmt"
	"strings"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// Format prints a fact on one line, with actors by key. b is the battle after the commit.
func Format(b *engine.Battle, f engine.Fact) string {
	p := printer{b: b}
	line := p.event(f.Event)
	if f.Why.Rule != "" {
		line += "  [" + string(f.Why.Rule) + "]"
	}
	if f.For.Kind != engine.Everyone {
		line += "  (for " + p.audience(f.For) + ")"
	}
	return line
}

type printer struct{ b *engine.Battle }

func (p printer) actor(id engine.ActorID) string {
	if id == 0 {
		return "master"
	}
	if a := p.b.Actor(id); a != nil {
		return a.Key
	}
	return fmt.Sprintf("actor#%d", id)
}

func (p printer) audience(a engine.Audience) string {
	names := make([]string, len(a.Who))
	for i, id := range a.Who {
		names[i] = p.actor(id)
	}
	switch a.Kind {
	case engine.ForMaster:
		return "master"
	case engine.ForKnowers:
		return "knowers of " + strings.Join(names, " ")
	}
	return strings.Join(names, " ")
}

func (p printer) item(id engine.ItemID) string {
	if it := p.b.Item(id); it != nil {
		return string(it.Ref)
	}
	return fmt.Sprintf("item#%d", id)
}

func (p printer) ref(r engine.Ref) string {
	switch r.Kind {
	case engine.RefBattle:
		return "battle"
	case engine.RefActor:
		return p.actor(engine.ActorID(r.ID))
	case engine.RefItem:
		return p.item(engine.ItemID(r.ID))
	case engine.RefCond:
		if c := p.b.Cond(engine.CondID(r.ID)); c != nil {
			return string(c.Name)
		}
	}
	return fmt.Sprintf("ref%d#%d", r.Kind, r.ID)
}

func cell(c voxel.Pos) string { return fmt.Sprintf("%d,%d,%d", c.X, c.Y, c.Z) }

func (p printer) intent(in *engine.Intent) string {
	out := string(in.Act)
	for _, t := range in.Targets {
		if t.Ref == (engine.Ref{}) {
			out += " at " + cell(t.Cell)
		} else {
			out += " at " + p.ref(t.Ref)
		}
	}
	for _, id := range in.Items {
		out += " with " + p.item(id)
	}
	if in.Part != "" {
		out += " part " + string(in.Part)
	}
	if in.About != "" {
		out += " about " + string(in.About)
	}
	for _, m := range in.Mods {
		out += " mod " + string(m)
	}
	for _, c := range in.Path {
		out += " to " + cell(c)
	}
	if in.Amount != 0 {
		out += fmt.Sprintf(" amount %d", in.Amount)
	}
	return out
}

func (p printer) intents(ins []engine.Intent) string {
	if len(ins) == 0 {
		return "nothing"
	}
	parts := make([]string, len(ins))
	for i := range ins {
		parts[i] = p.intent(&ins[i])
	}
	return strings.Join(parts, "; ")
}

func mods(ms []engine.Mod) string {
	out := ""
	for _, m := range ms {
		unit := [...]string{"L", "%", "W", "H"}[m.Kind]
		out += fmt.Sprintf(" %s%+d%s", m.Name, m.Amount, unit)
		if m.Void {
			out += "(void)"
		}
	}
	return out
}

func (p printer) roll(r *engine.Roll) string {
	out := fmt.Sprintf("%s %s %s %d%s", p.actor(r.By), r.Why, r.Base.Trait, r.Base.Level, mods(r.Mods))
	for i := range r.Throws {
		out += " [" + r.Throws[i].ASCII() + "]"
	}
	if len(r.Throws) == 0 {
		return out + " prepared"
	}
	out += mods(r.After) + fmt.Sprintf(" = %d", r.Result)
	if r.HasAim {
		out += fmt.Sprintf(" against %d", r.Aim)
	}
	if r.Grade != "" {
		out += " " + string(r.Grade)
	}
	return out
}

func (p printer) cond(c *engine.Cond) string {
	out := fmt.Sprintf("%s %s", p.ref(c.On), c.Name)
	if c.With != 0 {
		out += " with " + p.actor(c.With)
	}
	if c.About != "" {
		out += " about " + string(c.About)
	}
	if c.Part != "" {
		out += " part " + string(c.Part)
	}
	return out + fmt.Sprintf(" level %d value %d", c.Level, c.Value)
}

func (p printer) event(e engine.Event) string {
	switch e := e.(type) {
	case engine.Began:
		return fmt.Sprintf("began %s r%d", e.Rules.Ruleset, e.Rules.Revision)
	case engine.EntropyAdded:
		return fmt.Sprintf("entropy of %s %d bytes", e.Entropy.Player, len(e.Entropy.Bytes))
	case engine.RulesSet:
		return fmt.Sprintf("rules set %s r%d %s", e.Rules.Ruleset, e.Rules.Revision, e.Reason)
	case engine.PhaseSet:
		return "phase " + [...]string{"lobby", "running", "paused", "over"}[e.Phase]
	case engine.Ended:
		out := "ended"
		for _, o := range e.Outcome {
			out += fmt.Sprintf(" %s:%s", o.Team, o.Outcome)
		}
		return out
	case engine.Clocked:
		return fmt.Sprintf("clocked round %d slot %d", e.Round, e.Slot)
	case engine.Queued:
		out := "queued"
		for _, s := range e.Seats {
			out += fmt.Sprintf(" %s(%d,%s)", p.actor(s.Actor), s.Result, [...]string{"open", "acting", "acted", "delayed"}[s.State])
		}
		return out
	case engine.ActorSet:
		return "actor " + e.Actor.Key
	case engine.ActorGone:
		return fmt.Sprintf("gone actor#%d", e.ID)
	case engine.TraitSet:
		return fmt.Sprintf("trait %s %s %d", p.actor(e.Trait.On), e.Trait.Name, e.Trait.Level)
	case engine.Moved:
		return fmt.Sprintf("moved %s to %s by %s cost %d", p.actor(e.Actor), cell(e.To.Block()), e.Gait, e.Cost)
	case engine.Posed:
		return fmt.Sprintf("posed %s %s looking %d,%d,%d", p.actor(e.Actor), e.Posture, e.Look.X, e.Look.Y, e.Look.Z)
	case engine.GaugeSet:
		return fmt.Sprintf("gauge %s %s %d -> %d of %d", p.ref(e.Gauge.On), e.Gauge.Name, e.Before, e.Gauge.Now, e.Gauge.Max)
	case engine.CondSet:
		return "set " + p.cond(&e.Cond)
	case engine.CondCleared:
		return fmt.Sprintf("cleared %s %s %s", p.ref(e.On), e.Name, clearWhy(e.Why))
	case engine.ItemSet:
		return fmt.Sprintf("item %s of %s in %q", e.Item.Ref, p.actor(e.Item.Holder), e.Item.Slot)
	case engine.ItemGone:
		return fmt.Sprintf("item#%d gone", e.ID)
	case engine.ZoneSet:
		return fmt.Sprintf("zone %s level %d", e.Zone.Name, e.Zone.Level)
	case engine.ZoneCleared:
		return fmt.Sprintf("zone#%d cleared %s", e.ID, clearWhy(e.Why))
	case engine.PlanSet:
		return fmt.Sprintf("plan of %s %s left %d of %d", p.ref(e.Plan.Owner), p.intent(&e.Plan.Intent), e.Plan.Left, e.Plan.Total)
	case engine.PlanCleared:
		return fmt.Sprintf("plan#%d cleared %s", e.ID, clearWhy(e.Why))
	case engine.KnownSet:
		return fmt.Sprintf("known by %s: %s %d", p.actor(e.Known.By), p.ref(e.Known.Of), e.Known.Level)
	case engine.BlocksChanged:
		return fmt.Sprintf("blocks %d set %d restored", len(e.Edits), len(e.Gone))
	case engine.Declared:
		return fmt.Sprintf("declared %s %s", p.actor(e.Intent.By), p.intent(&e.Intent))
	case engine.Rolled:
		return "rolled " + p.roll(&e.Roll)
	case engine.Revised:
		return "revised " + p.roll(&e.Roll) + " by " + string(e.Mod.Name)
	case engine.Tallied:
		out := "tallied " + string(e.Tally.What)
		if e.Tally.On != 0 {
			out += " on " + p.actor(e.Tally.On)
		}
		for _, t := range e.Tally.Terms {
			out += fmt.Sprintf(" %s%+d", t.Name, t.Amount)
		}
		return out + fmt.Sprintf(" = %d %s", e.Tally.Total, e.Tally.Band)
	case engine.Resolved:
		return fmt.Sprintf("resolved %s %s on %s: %s %s", p.actor(e.By), e.Act, p.ref(e.Target.Ref), e.Outcome, e.Grade)
	case engine.Prompted:
		return fmt.Sprintf("prompted %s %s", p.actor(e.Prompt.Whose), e.Prompt.Ask)
	case engine.PromptClosed:
		if e.Why == engine.PromptAnswered {
			return "prompt closed"
		}
		return "prompt closed " + [...]string{"", "answered", "lapsed", "time", "withdrawn"}[e.Why]
	case engine.Answered:
		return fmt.Sprintf("answered %s %s", p.actor(e.By), p.intents(e.Intents)) + lines(len(e.Lines))
	case engine.Framed:
		return fmt.Sprintf("framed %s at %s", e.Frame.Intent.Act, e.Frame.Step)
	case engine.Unframed:
		return "unframed " + string(e.Outcome)
	case engine.Ruled:
		return fmt.Sprintf("ruled %s %d", e.Ruling.What, e.Ruling.N)
	case engine.RulingCleared:
		return fmt.Sprintf("ruling#%d cleared", e.ID)
	case engine.Rewound:
		return fmt.Sprintf("rewound to %d", e.To)
	case engine.Said:
		return fmt.Sprintf("said %s %s%s", p.actor(e.Actor), e.Key, e.Text)
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", e), "engine.")
}

func lines(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" %d lines", n)
}

func clearWhy(w engine.ClearWhy) string {
	return [...]string{"", "expired", "broken", "parent", "used", "healed", "replaced", "done", "fired", "withdrawn", "master"}[w]
}
