package engine_test

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

// Sticks is a game made for these tests, small but with everything an engine must carry: turns, an act with a window above
// it, a barrier of sealed defences, rolls with modifiers and percents, conditions with parents and lifetimes, zones, plans,
// gauges, a simultaneous phase, and fighters who may be hidden.
const (
	actStrike engine.ActName = "strike" // at one: a window for his friends, his defence, two rolls
	actVolley engine.ActName = "volley" // at several: their defences are one sealed barrier
	actDodge  engine.ActName = "dodge"
	actBlock  engine.ActName = "block"
	actLeap   engine.ActName = "leap"  // one roll with a percent
	actHold   engine.ActName = "hold"  // a secret guard plan and a concentration
	actGas    engine.ActName = "gas"   // a zone, and everybody loses breath at once
	actHide   engine.ActName = "hide"  // from now on only those who know him see him
	actSheet  engine.ActName = "sheet" // a sheet of orders, kept as a plan

	might  engine.TraitName = "might"
	reflex engine.TraitName = "reflex"

	hp     engine.GaugeName = "hp"
	breath engine.GaugeName = "breath"
	secret engine.GaugeName = "secret"

	hurt     engine.CondName = "hurt"
	bleeding engine.CondName = "bleeding" // falls with the hurt
	down     engine.CondName = "down"     // one per bearer
	bound    engine.CondName = "bound"    // one per pair
	focus    engine.CondName = "focus"    // one per trait
	gas      engine.CondName = "gas"

	hit    engine.OutcomeName = "hit"
	missed engine.OutcomeName = "missed"
	void   engine.OutcomeName = "void"

	varReacts engine.VarName  = "reacts"
	damage    engine.Quantity = "damage"

	optionRounds engine.OptionName = "rounds"
	optionMode   engine.OptionName = "mode"

	ruleSticks engine.Rule = "ST-1"
)

func sticksSpec() *engine.Spec {
	return &engine.Spec{
		ID: "sticks", Revision: 3, Hash: [32]byte{1},
		Acts: []engine.ActSpec{{Name: actStrike}, {Name: actVolley}, {Name: actDodge}, {Name: actBlock}, {Name: actLeap}, {Name: actHold},
			{Name: actGas}, {Name: actHide}, {Name: actSheet}},
		Traits: []engine.TraitSpec{{Name: might, Min: -2, Max: 8, PlayerMax: 4}, {Name: reflex, Min: -2, Max: 8, PlayerMax: 4}},
		Gauges: []engine.GaugeSpec{{Name: hp, Scale: 1}, {Name: breath, Scale: 1}, {Name: secret, Scale: 1}},
		Conds: []engine.CondSpec{{Name: hurt}, {Name: bleeding}, {Name: down, Unique: engine.PerBearer}, {Name: bound, Unique: engine.PerPair},
			{Name: focus, Unique: engine.PerAbout}, {Name: gas}, {Name: "allied"}, {Name: "hostile"}},
		Items:   []engine.ItemSpec{{Ref: "bag"}, {Ref: "stick"}},
		Figures: []engine.FigureSpec{{Name: damage, Ruled: true, Min: 0, Max: 9}, {Name: "plain"}},
		Bodies:  []engine.BodySpec{{Name: "human", Body: voxel.Human()}},
		Options: append(engine.BaseOptions(),
			engine.OptionSpec{Name: optionMode, Words: []string{"soft", "hard"}, Default: engine.Option{Word: "soft"}},
			engine.OptionSpec{Name: optionRounds, Min: 1, Max: 100, Default: engine.Option{N: 40}}),
	}
}

func sticks() *engine.System {
	return &engine.System{Spec: sticksSpec(), Rules: stickRules{}}
}

type stickRules struct{}

var _ engine.Ruleset = stickRules{}

func (stickRules) Admit(s *engine.Scene, a engine.ActorID) error {
	b := s.Battle()
	if level, _ := b.Trait(a, might); level == -2 {
		return engine.Refuse(engine.ReasonBadSheet, ruleSticks)
	}
	s.SetGauge(ruleSticks, a.On(), hp, 6, 0, 6)
	s.SetGauge(ruleSticks, a.On(), breath, 3, 0, 5)
	s.Emit(ruleSticks, engine.GaugeSet{Gauge: engine.Gauge{On: a.On(), Name: secret, Now: 7, Max: 9,
		For: engine.Audience{Kind: engine.ForActors, Who: []engine.ActorID{a}}}})
	if b.Phase != engine.Lobby {
		s.SetSeats(ruleSticks, append(slices.Clone(b.Queue), seatOf(s, a)))
	}
	return nil
}

func seatOf(s *engine.Scene, a engine.ActorID) engine.Seat {
	return engine.Seat{ID: engine.SeatID(s.NewIDFor(s.Battle().Actor(a).For)), Actor: a}
}

func (stickRules) Offers(v engine.View, p *engine.Prompt) []engine.Offer { return nil }

// fit reports whether a can fight or be fought.
func fit(b *engine.Battle, a engine.ActorID) bool {
	return b.Actor(a) != nil && !b.HasCond(a.On(), down)
}

func foes(b *engine.Battle, a engine.ActorID) (out []engine.ActorID) {
	for i := range b.Actors {
		if c := b.Actors[i].ID; c != a && fit(b, c) && b.Hostile(a, c) {
			out = append(out, c)
		}
	}
	return out
}

func (stickRules) Check(v engine.View, p *engine.Prompt, d *engine.Decide) error {
	refuse := func(r engine.Reason) error { return engine.Refuse(r, ruleSticks) }
	if len(d.Lines) > 0 && p.Kind != engine.PromptTurn {
		return refuse(engine.ReasonActNotOffered)
	}
	if len(d.Intents) > 1 {
		return refuse(engine.ReasonMalformed)
	}
	for i := range d.Intents {
		in := &d.Intents[i]
		offered := false
		switch p.Kind {
		case engine.PromptTurn:
			offered = in.Act != actDodge && in.Act != actBlock
		case engine.PromptDefend:
			offered = in.Act == actDodge || in.Act == actBlock
		case engine.PromptReact, engine.PromptRuling:
			offered = in.Act == actStrike
		}
		if !offered {
			return refuse(engine.ReasonActNotOffered)
		}
		if p.Kind != engine.PromptTurn {
			continue
		}
		n := len(in.Targets)
		if in.Act == actStrike && n != 1 || in.Act == actVolley && n == 0 || in.Act != actStrike && in.Act != actVolley && n > 0 {
			return refuse(engine.ReasonMalformed)
		}
		for j, t := range in.Targets {
			a := t.Ref.Actor()
			if v.Actor(a) == nil || a == p.Whose || slices.Contains(in.Targets[:j], t) {
				return refuse(engine.ReasonUnknownTarget)
			}
			if !fit(v.Battle, a) {
				return refuse(engine.ReasonForbidden)
			}
		}
	}
	return nil
}

func (stickRules) Resume(s *engine.Scene, f *engine.Frame) {
	switch f.Kind {
	case engine.FrameBattle:
		resumeBattle(s, f)
	case engine.FrameTurn:
		resumeTurn(s, f)
	case engine.FrameAct:
		resumeAct(s, f)
	case engine.FrameWindow:
		resumeWindow(s, f)
	}
}

func newRound(s *engine.Scene) {
	b := s.Battle()
	s.Emit(ruleSticks, engine.Clocked{Round: b.Round + 1})
	seats := slices.Clone(b.Queue)
	for i := range b.Actors {
		a := b.Actors[i].ID
		at := slices.IndexFunc(seats, func(s engine.Seat) bool { return s.Actor == a })
		if at < 0 {
			seats = append(seats, seatOf(s, a))
		} else {
			seats[at].State = engine.SeatOpen
		}
	}
	s.SetSeats(ruleSticks, seats)
}

func resumeBattle(s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	switch f.Step {
	case engine.StepRoot:
		newRound(s)
		f.Step = "next"
	case "next":
		var alive []engine.ActorID
		for i := range b.Actors {
			if fit(b, b.Actors[i].ID) {
				alive = append(alive, b.Actors[i].ID)
			}
		}
		if over := len(alive) == 0 || len(foes(b, alive[0])) == 0; over || int64(b.Round) > b.Number(optionRounds) {
			f.Step = "over"
			s.Ask(engine.Prompt{Kind: engine.PromptRuling, Ask: "over"})
			return
		}
		seats := slices.Clone(b.Queue)
		for i := range seats {
			if seats[i].State == engine.SeatOpen {
				seats[i].State = engine.SeatActing
				s.SetSeats(ruleSticks, seats)
				s.Push(engine.FrameTurn, "begin", engine.Intent{By: seats[i].Actor})
				return
			}
		}
		s.RoundEnds()
		newRound(s)
	case "over":
		s.Take()
		var out []engine.TeamOutcome
		for _, t := range b.Teams {
			out = append(out, engine.TeamOutcome{Team: t.ID, Outcome: "survived"})
		}
		s.End(out)
	}
}

func resumeTurn(s *engine.Scene, f *engine.Frame) {
	by := f.Intent.By
	switch f.Step {
	case "begin":
		f.Step = "end"
		s.TurnStarts(by)
		if fit(s.Battle(), by) {
			s.Top().Step = "act"
			s.Ask(engine.Prompt{Whose: by, Kind: engine.PromptTurn, Ask: "turn"})
		}
	case "act":
		f.Step = "end"
		turn(s, f, s.Take())
	case "end":
		s.TurnEnds(by)
		s.Tally(engine.Tally{What: "plain", Rule: ruleSticks, On: by}) // what comes after an act
		seats := slices.Clone(s.Battle().Queue)
		for i := range seats {
			if seats[i].Actor == by {
				seats[i].State = engine.SeatActed
			}
		}
		s.SetSeats(ruleSticks, seats)
		s.Close("ended")
	}
}

func turn(s *engine.Scene, f *engine.Frame, answers []engine.Prompt) {
	by := f.Intent.By
	if len(answers) == 0 {
		return
	}
	own := engine.Audience{Kind: engine.ForActors, Who: []engine.ActorID{by}}
	if lines := answers[0].Lines; len(lines) > 0 {
		s.Emit(ruleSticks, engine.PlanSet{Plan: engine.Plan{ID: engine.PlanID(s.NewIDFor(own)), Owner: by.On(), Kind: engine.PlanSheet,
			Lines: lines, Until: engine.Until{Kind: engine.UntilSlots, N: 2}, For: own}})
		s.SlotEnds()
		return
	}
	if len(answers[0].Answer) == 0 {
		return
	}
	in := answers[0].Answer[0]
	b := s.Battle()
	s.Emit(ruleSticks, engine.Declared{Frame: f.ID, Intent: in, Class: "move"})
	switch in.Act {
	case actStrike:
		s.Push(engine.FrameAct, "window", in)
	case actVolley:
		s.Push(engine.FrameAct, "barrier", in)
	case actLeap:
		s.Push(engine.FrameAct, "leap", in)
	case actHold:
		s.SetCond(ruleSticks, engine.Cond{Name: focus, On: by.On(), About: might, Until: engine.Until{Kind: engine.UntilTurnStart, Whose: by, N: 2}})
		s.Emit(ruleSticks, engine.PlanSet{Plan: engine.Plan{ID: engine.PlanID(s.NewIDFor(own)), Owner: by.On(), Kind: engine.PlanGuard, Intent: in,
			When:  []engine.Trigger{{All: []engine.Predicate{{Op: engine.OpMoves, Who: engine.Selector{Kind: engine.SelectEnemy}}}}},
			Until: engine.Until{Kind: engine.UntilTurnEnd, Whose: by, N: 2}, For: own}})
	case actGas:
		at := b.Actor(by).Pose.At.Block()
		z := engine.Zone{Name: gas, By: by, Shape: engine.Shape{Kind: engine.ShapeBall, Cells: []voxel.Pos{at}, Radius: 2},
			Until: engine.Until{Kind: engine.UntilRound, N: b.Round + 1}}
		z.ID = engine.ZoneID(s.NewIDFor(z.For))
		s.Emit(ruleSticks, engine.ZoneSet{Zone: z})
		s.Phase(func(frozen engine.View, out *engine.Batch) {
			for i := range frozen.Actors {
				out.Add(ruleSticks, frozen.Actors[i].ID.On(), breath, -1)
			}
			out.Add(ruleSticks, by.On(), breath, 1)
		})
	case actHide:
		a := *b.Actor(by)
		a.For = engine.Audience{Kind: engine.ForKnowers, Who: []engine.ActorID{by}}
		for i := range b.Actors {
			c := b.Actors[i].ID
			if c != by && b.Hostile(by, c) {
				s.Emit(ruleSticks, engine.KnownSet{Known: engine.Known{By: c, Of: by.On(), Level: engine.KnownLevel(c % 3), Cell: a.Pose.At.Block()}})
			}
		}
		s.Emit(ruleSticks, engine.ActorSet{Actor: a})
	}
}

func resumeAct(s *engine.Scene, f *engine.Frame) {
	b, by, in := s.Battle(), f.Intent.By, f.Intent
	switch f.Step {
	case "window":
		f.Step = "defend"
		for _, a := range foes(b, by) {
			if a != in.Victim() {
				s.Push(engine.FrameWindow, "ask", engine.Intent{By: by}).Moment = engine.MomentDeclared
				return
			}
		}
	case "defend":
		if !fit(b, by) || !fit(b, in.Victim()) {
			s.Close(void)
			return
		}
		f.Step = "roll"
		s.Ask(engine.Prompt{Whose: in.Victim(), Kind: engine.PromptDefend, Ask: "defend", Must: true,
			Args: []engine.Arg{engine.Refers("by", by.On())}, Default: []engine.Intent{{Act: actDodge, By: in.Victim()}}})
	case "roll":
		for _, p := range s.Take() {
			blow(s, f, in, p)
		}
		s.Close("done")
	case "barrier":
		f.Step = "volley"
		for i, t := range in.Targets {
			a := t.Ref.Actor()
			if !fit(b, a) {
				continue
			}
			f.Lanes = append(f.Lanes, engine.Lane{Target: t, Sub: int8(i)})
			s.Ask(engine.Prompt{Whose: a, Kind: engine.PromptDefend, Ask: "defend", Sealed: true, Rank: -int32(a)})
		}
	case "volley":
		for _, p := range s.Take() {
			blow(s, s.Top(), in, p)
		}
		s.Close("done")
	case "leap":
		t := s.Throw(dice.FourFudge(30))
		r := engine.Roll{ID: engine.RollID(s.NewID()), By: by, Why: "leap", Rule: ruleSticks, Frame: f.ID, Throws: []dice.Throw{t}, Result: t.Sum}
		s.Rolled(r)
		out := missed
		if r.Result > 0 {
			out = hit
		}
		s.Emit(ruleSticks, engine.Resolved{Frame: f.ID, Act: in.Act, By: by, Outcome: out})
		s.Close("done")
	}
}

// level is what somebody rolls from, with its modifiers.
func level(b *engine.Battle, a engine.ActorID, n engine.TraitName) (engine.Base, []engine.Mod) {
	l, _ := b.Trait(a, n)
	var mods []engine.Mod
	if c := b.FindAbout(a.On(), focus, n); c != nil {
		mods = append(mods, engine.Mod{Name: "focus", Rule: ruleSticks, Amount: 1, Source: engine.Ref{Kind: engine.RefCond, ID: uint32(c.ID)}})
	}
	if b.Word(optionMode) == "hard" {
		mods = append(mods, engine.Mod{Name: "hard", Rule: ruleSticks, Amount: -1})
	}
	return engine.Base{Trait: n, Level: l}, mods
}

func roll(s *engine.Scene, f *engine.Frame, by, against engine.ActorID, n engine.TraitName, why engine.Purpose) engine.Roll {
	base, mods := level(s.Battle(), by, n)
	t := s.Throw(dice.FourFudge(0))
	r := engine.Roll{ID: engine.RollID(s.NewID()), By: by, Against: against, Why: why, Rule: ruleSticks, Frame: f.ID, Base: base, Mods: mods,
		Throws: []dice.Throw{t}, Result: base.Level + engine.Sum(mods, engine.ModLevel) + t.Sum}
	s.Rolled(r)
	return r
}

// blow is one attack against the defence that p holds.
func blow(s *engine.Scene, f *engine.Frame, in engine.Intent, p engine.Prompt) {
	b, by, on := s.Battle(), in.By, p.Whose
	if !fit(b, on) || !fit(b, by) {
		return
	}
	trait := reflex
	if len(p.Answer) > 0 && p.Answer[0].Act == actBlock {
		trait = might
	}
	attack := roll(s, f, by, on, might, "attack")
	defence := roll(s, f, on, by, trait, "defence")
	margin := int64(attack.Result - defence.Result)
	out := engine.Resolved{Frame: f.ID, Act: in.Act, By: by, Target: engine.Target{Ref: on.On()}, Outcome: missed}
	if margin > 0 {
		out.Outcome = hit
		if n, _, ok := b.Ruled(damage, by, on, f.ID); ok {
			margin = n
		}
		s.Tally(engine.Tally{What: damage, Rule: ruleSticks, On: on, Total: margin})
		left := s.AddGauge(ruleSticks, on.On(), hp, -margin)
		id := s.SetCond(ruleSticks, engine.Cond{Name: hurt, On: on.On(), Level: int32(margin), Cause: f.ID, Source: by.On(), Until: engine.Until{Kind: engine.UntilKept}})
		s.SetCond(ruleSticks, engine.Cond{Name: bleeding, On: on.On(), Parent: id, Until: engine.Until{Kind: engine.UntilTurnEnd, Whose: on, N: 2}})
		s.SetCond(ruleSticks, engine.Cond{Name: bound, On: on.On(), With: by, Until: engine.Until{Kind: engine.UntilTurnStart, Whose: by, N: 1}})
		if left == 0 {
			s.SetCond(ruleSticks, engine.Cond{Name: down, On: on.On(), Until: engine.Until{Kind: engine.UntilBattle}})
		}
	}
	s.Emit(ruleSticks, out)
}

func resumeWindow(s *engine.Scene, f *engine.Frame) {
	b, by := s.Battle(), f.Intent.By
	switch f.Step {
	case "ask":
		f.Step = "answers"
		below := b.Frame(f.Under)
		for _, a := range foes(b, by) {
			// Somebody who does not know the attacker sees no attack.
			if knows, cell := engine.ViewerOf(b, a).Knows(b, by); a != below.Intent.Victim() && knows >= engine.Seen && cell == nil {
				s.Ask(engine.Prompt{Whose: a, Kind: engine.PromptReact, Ask: "react", Rank: -int32(a)})
			}
		}
	case "answers":
		for i, p := range s.Take() {
			if len(p.Answer) > 0 {
				f.Set(varReacts, p.Whose, int64(i)+1)
			}
		}
		f.Step = "play"
	case "play":
		for i := range f.Vars {
			if v := &f.Vars[i]; v.N > 0 {
				v.N = 0
				s.Push(engine.FrameAct, "defend", engine.Intent{Act: actStrike, By: v.Actor, Targets: []engine.Target{{Ref: by.On()}}})
				return
			}
		}
		s.Close("done")
	}
}

// scripted is a ruleset whose every decision of the master runs a function of the test's.
type scripted struct {
	stickRules
	do func(s *engine.Scene)
}

func (scripted) Check(engine.View, *engine.Prompt, *engine.Decide) error { return nil }

func (r scripted) Resume(s *engine.Scene, f *engine.Frame) {
	if slices.ContainsFunc(s.Take(), func(p engine.Prompt) bool { return p.Whose == 0 }) {
		r.do(s)
	}
	if s.Battle().Phase == engine.Running && len(s.Battle().LivePrompts()) == 0 {
		s.Top().Step = "again"
		s.Ask(engine.Prompt{Kind: engine.PromptRuling, Ask: "go"})
	}
}
