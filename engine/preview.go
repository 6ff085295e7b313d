package engine

import (
	"slices"

	"autobattle/engine/odds"
	"autobattle/engine/voxel"
)

// previewLimit is how many ways of falling dice a forecast follows before it gives up.
const previewLimit = 50_000

// previewSerial is where the identifiers of a forecast begin.
const previewSerial = 1 << 30

// Assumption is an answer that a forecast supposed: a later choice of its own actor, or what somebody else would do.
type Assumption struct {
	Whose   ActorID
	Kind    PromptKind
	Ask     AskName
	Intents []Intent // none: declines
}

// Likelihood is one way a lane of the act can come out, with its exact chance.
type Likelihood struct {
	Target  Target
	Lane    int32
	Outcome OutcomeName
	Grade   GradeName
	Chance  odds.Chance
}

// Forecast is what an intent would lead to: the very rules played over every way the dice can fall.
type Forecast struct {
	Outcomes []Likelihood // by target, lane, outcome, grade, in the order in which they were met
	Rolls    []Roll       // every roll met, with its modifiers and without throws
	Tallies  []Tally      // every number met on the first way
	Assumed  []Assumption
	Ways     int // how many ways were followed
}

// Preview plays an answer to a live prompt over all the ways the dice can fall. b is the asking side's view (See). What
// others would answer is supposed: their prompts' defaults, of which own holds replacements, the first that fits the kind
// of prompt and its owner. It ends when the act is done. The error is a *Rejection: of the answer, or ReasonLimit.
func Preview(sys *System, b *Battle, w voxel.World, d Decide, own []Assumption) (Forecast, error) {
	start := b.clone()
	start.remembers()
	start.Version = max(start.Version, 1)
	// A viewer's battle has no serials: what is made on the way numbers from where nothing real can stand.
	start.Serial = [2]uint32{previewSerial, previewSerial}
	asked := start.Prompt(d.Prompt)
	if asked == nil {
		return Forecast{}, Refuse(ReasonPromptClosed, RulePrompt, Num("prompt", int64(d.Prompt)))
	}
	var fc Forecast
	var refused error
	err := odds.Walk(previewLimit, func(t *odds.Tree) {
		if refused != nil {
			return
		}
		s, err := forecast(sys, start, d, Env{World: w, Dice: t}, asked, own, &fc)
		if err != nil {
			refused = err
			return
		}
		fc.Ways++
		fc.gather(s.facts, t.Chance())
	})
	if refused != nil {
		return Forecast{}, refused
	}
	if err != nil {
		return Forecast{}, Refuse(ReasonLimit, RulePrompt, Num("ways", previewLimit))
	}
	return fc, nil
}

// forecast plays an answer up to the end of the act that it starts.
func forecast(sys *System, b *Battle, d Decide, env Env, asked *Prompt, own []Assumption, fc *Forecast) (*Scene, error) {
	s := &Scene{sys: sys, b: b.clone(), env: env}
	for i := range b.Frames {
		s.before = append(s.before, b.Frames[i].ID)
	}
	if err := s.admit(d); err != nil {
		return nil, err
	}
	depth, rose := len(b.Frames), false
	for range maxRounds {
		n := len(s.b.Frames)
		rose = rose || n > depth
		if s.b.Phase != Running || n < depth || rose && n == depth && asked.Kind == PromptTurn {
			return s, nil
		}
		if !s.b.waiting() {
			s.sys.Rules.Resume(s, s.Top())
			continue
		}
		for _, p := range s.b.LivePrompts() {
			if p.Kind == PromptTurn || p.Kind == PromptSheet && p.ID != asked.ID && asked.Kind != PromptSheet {
				return s, nil
			}
			if p.Kind == PromptSheet && asked.Kind == PromptSheet && p.Frame != asked.Frame {
				return s, nil
			}
			a := Assumption{Whose: p.Whose, Kind: p.Kind, Ask: p.Ask, Intents: p.Default}
			for i := range own {
				if own[i].Kind == p.Kind && (own[i].Whose == 0 || own[i].Whose == p.Whose) {
					a.Intents = own[i].Intents
					for _, in := range a.Intents {
						if s.sys.Spec.Act(in.Act) == nil {
							return nil, Refuse(ReasonUnknownAct, RulePrompt, Words("act", string(in.Act)))
						}
					}
					if err := s.sys.Rules.Check(s.View(), &p, &Decide{Prompt: p.ID, By: p.Whose, Intents: a.Intents}); err != nil {
						return nil, err
					}
					break
				}
			}
			if fc.Ways == 0 || !slices.ContainsFunc(fc.Assumed, func(o Assumption) bool { return o.Whose == a.Whose && o.Ask == a.Ask }) {
				fc.Assumed = append(fc.Assumed, a)
			}
			s.answer(&p, p.Whose, a.Intents, nil, PromptLapsed)
		}
	}
	return s, nil
}

// gather adds what one way led to.
func (fc *Forecast) gather(facts []Fact, chance odds.Chance) {
	for i := range facts {
		switch e := facts[i].Event.(type) {
		case Resolved:
			fc.add(Likelihood{Target: e.Target, Lane: e.Lane, Outcome: e.Outcome, Grade: e.Grade, Chance: chance})
		case Rolled:
			if slices.ContainsFunc(fc.Rolls, func(r Roll) bool { return r.By == e.Roll.By && r.Why == e.Roll.Why }) {
				continue
			}
			r := e.Roll
			r.Throws, r.After, r.Result, r.Margin, r.Grade = nil, nil, 0, 0, ""
			fc.Rolls = append(fc.Rolls, r)
		case Tallied:
			if fc.Ways == 1 {
				fc.Tallies = append(fc.Tallies, e.Tally)
			}
		}
	}
}

func (fc *Forecast) add(l Likelihood) {
	for i := range fc.Outcomes {
		o := &fc.Outcomes[i]
		if o.Target == l.Target && o.Lane == l.Lane && o.Outcome == l.Outcome && o.Grade == l.Grade {
			o.Chance = o.Chance.Add(l.Chance)
			return
		}
	}
	fc.Outcomes = append(fc.Outcomes, l)
}
