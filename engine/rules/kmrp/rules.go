package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
)

// rules plays the system. It has no state: all is in the battle.
type rules struct {
	cat  *catalogue.Catalogue
	spec *engine.Spec
}

var _ engine.Ruleset = (*rules)(nil)

// New is the ruleset with a catalogue.
func New(c *catalogue.Catalogue) *engine.System {
	r := &rules{cat: c}
	r.spec = newSpec(c)
	return &engine.System{Spec: r.spec, Rules: r}
}

// step is one line of a table of steps: its name in stored frames, and the function that plays it.
type step struct {
	name engine.StepName
	play func(r *rules, s *engine.Scene, f *engine.Frame)
}

// Resume plays one step of the top frame.
func (r *rules) Resume(s *engine.Scene, f *engine.Frame) {
	table := actSteps[:]
	if (f.Kind == engine.FrameAct || f.Kind == engine.FrameCheck) && len(f.Intent.Targets) > 0 && s.Battle().Actor(f.Intent.Victim()) == nil {
		r.void(s, f) // a master took the target away
		return
	}
	switch f.Kind {
	case engine.FrameBattle:
		table = battleSteps[:]
	case engine.FrameRound:
		table = roundSteps[:]
	case engine.FrameTurn:
		table = turnSteps[:]
	case engine.FrameMove:
		table = gaitSteps[:]
	case engine.FrameCheck:
		table = woundSteps[:]
	}
	for i := range table {
		if table[i].name == f.Step {
			table[i].play(r, s, f)
			return
		}
	}
	panic("kmrp: frame at the unknown step " + string(f.Step))
}

// question is one kind of prompt: what may be answered to it.
type question struct {
	ask   engine.AskName
	check func(r *rules, v engine.View, p *engine.Prompt, d *engine.Decide) *engine.Rejection
	offer func(r *rules, v engine.View, p *engine.Prompt) []engine.Offer
}

var questions = [...]question{
	{askTurn, checkTurn, offerTurn},
	{askMove, checkTurn, offerTurn},
	{askDefend, checkDefence, offerDefence},
	{askRoll, checkSpend, offerSpend},
	{askWound, checkSpend, offerSpend},
	{askRiposte, checkRiposte, offerRiposte},
	{askDeath, checkRuling, offerRuling},
	{askEnd, checkRuling, offerRuling},
}

func asked(p *engine.Prompt) *question {
	for i := range questions {
		if questions[i].ask == p.Ask {
			return &questions[i]
		}
	}
	panic("kmrp: prompt asks the unknown " + string(p.Ask))
}

// Check refuses an answer that the rules forbid.
func (r *rules) Check(v engine.View, p *engine.Prompt, d *engine.Decide) error {
	if len(d.Lines) > 0 {
		return engine.Refuse(engine.ReasonMalformed, engine.RulePrompt, engine.Words("lines", "none: this system has no sheets"))
	}
	if len(d.Intents) > 1 {
		return engine.Refuse(engine.ReasonMalformed, engine.RulePrompt, engine.Num("intents", int64(len(d.Intents))), engine.Num("max", 1))
	}
	for i := range d.Intents {
		if no := shaped(r.spec.Act(d.Intents[i].Act), &d.Intents[i]); no != nil {
			return no
		}
	}
	if no := asked(p).check(r, v, p, d); no != nil {
		return no
	}
	return nil
}

// Offers lists what may be answered.
func (r *rules) Offers(v engine.View, p *engine.Prompt) []engine.Offer {
	return asked(p).offer(r, v, p)
}

// shaped refuses an intent with fields that its act does not have, or without those that it must have.
func shaped(spec *engine.ActSpec, in *engine.Intent) *engine.Rejection {
	count := func(field string, needs engine.Needs, n int) *engine.Rejection {
		bad := false
		switch needs {
		case engine.NeedsNone:
			bad = n > 0
		case engine.NeedsMaybe:
			bad = n > 1
		case engine.NeedsOne:
			bad = n != 1
		case engine.NeedsSome:
			bad = n < 1
		}
		if bad {
			return engine.Refuse(engine.ReasonMalformed, spec.Rule, engine.Named("act", in.Act), engine.Words("field", field), engine.Num("given", int64(n)))
		}
		return nil
	}
	one := func(given bool) int {
		if given {
			return 1
		}
		return 0
	}
	path := min(len(in.Path), 1)
	for _, c := range [...]struct {
		field string
		needs engine.Needs
		n     int
	}{
		{"targets", spec.Targets, len(in.Targets)}, {"items", spec.Items, len(in.Items)}, {"part", spec.Part, one(in.Part != "")},
		{"about", spec.About, one(in.About != "")}, {"path", spec.Path, path}, {"amount", spec.Amount, one(in.Amount != 0)},
	} {
		if no := count(c.field, c.needs, c.n); no != nil {
			return no
		}
	}
	if look := one(in.Look != (voxelLook{})); look == 1 || spec.Look == engine.NeedsOne {
		if no := count("look", spec.Look, look); no != nil {
			return no
		}
		if err := in.Look.Validate(); err != nil {
			return engine.Refuse(engine.ReasonMalformed, spec.Rule, engine.Named("act", in.Act), engine.Words("look", err.Error()))
		}
	}
	if in.Same && spec.Class != classDefend {
		return engine.Refuse(engine.ReasonMalformed, spec.Rule, engine.Named("act", in.Act), engine.Words("field", "same"))
	}
	allowed := modsOf(in.Act)
	for i, m := range in.Mods {
		known := false
		for _, a := range allowed {
			known = known || a == m
		}
		for _, before := range in.Mods[:i] {
			known = known && before != m
		}
		if !known {
			return engine.Refuse(engine.ReasonMalformed, spec.Rule, engine.Named("act", in.Act), engine.Words("modifier", string(m)))
		}
	}
	return nil
}

// modsOf are the modifiers that a player may choose with an act.
func modsOf(a engine.ActName) []engine.ModName {
	switch a {
	case actAttack:
		return attackChoices[:]
	case actParry, actBlock:
		return turningChoices[:]
	case actEvade, actGroup, actFight, actRunUp, actRun, actCrouched, actCrawl:
		return attackChoices[:]
	}
	return nil
}

var (
	attackChoices  = [...]engine.ModName{modTakeWorse}
	turningChoices = [...]engine.ModName{modFace, modTakeWorse}
)
