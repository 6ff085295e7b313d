package eclipse

import (
	"cmp"
	"slices"

	"autobattle/engine"
	"autobattle/engine/dice"
)

// battleSteps play the root frame: initiative once (EP-INIT-02), then action turns until no enemies are left.
var battleSteps = [...]step{
	{engine.StepRoot, rollInitiative},
	{stepRound, newRound},
	{stepEndAsked, endAsked},
}

// rollInitiative throws 1d6 + Initiative for everybody; higher Reflexes, then a roll-off, part ties (EP-INIT-01…03).
func rollInitiative(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	f.Step = stepRound
	var seats []engine.Seat
	for i := range b.Actors {
		seats = append(seats, r.initiative(s, f.ID, b.Actors[i].ID))
	}
	byResult := func(a, c engine.Seat) int {
		return cmp.Or(cmp.Compare(c.Result, a.Result), cmp.Compare(trait(b, c.Actor, traitReflexes), trait(b, a.Actor, traitReflexes)))
	}
	slices.SortStableFunc(seats, byResult)
	for i := 0; i < len(seats); {
		j := i + 1
		for j < len(seats) && byResult(seats[i], seats[j]) == 0 {
			j++
		}
		r.rollOff(s, f.ID, seats[i:j])
		i = j
	}
	s.SetSeats("EP-INIT-02", seats)
}

// initiative rolls for one actor and gives him a seat. (INT + REF) ÷ 5 is the statistic (EP-INIT-01).
func (r *rules) initiative(s *engine.Scene, frame engine.FrameID, a engine.ActorID) engine.Seat {
	b := s.Battle()
	level := halfUp(trait(b, a, traitIntuition)+trait(b, a, traitReflexes), 5)
	roll := engine.Roll{ID: engine.RollID(s.NewID()), By: a, Why: whyInitiative, Rule: "EP-INIT-02", Frame: frame,
		Base: engine.Base{Trait: traitIntuition, From: traitReflexes, Level: level, Kind: engine.BaseSubstitute, Rule: "EP-INIT-02"}}
	t := s.Throw(dice.Dice(1, 6))
	roll.Throws, roll.Result = []dice.Throw{t}, level+t.Sum
	s.Rolled(roll)
	return engine.Seat{ID: engine.SeatID(s.NewIDFor(s.Battle().Actor(a).For)), Actor: a, Result: roll.Result}
}

// rollOff orders seats that are equal in all else by a die each, again among those that are equal (EP-INIT-03).
func (r *rules) rollOff(s *engine.Scene, frame engine.FrameID, tied []engine.Seat) {
	if len(tied) < 2 {
		return
	}
	thrown := make([]struct {
		seat engine.Seat
		n    int32
	}, len(tied))
	for i := range tied {
		t := s.Throw(dice.Dice(1, 10))
		thrown[i].seat, thrown[i].n = tied[i], t.Sum
		s.Rolled(engine.Roll{ID: engine.RollID(s.NewID()), By: tied[i].Actor, Why: whyTie, Rule: "EP-INIT-03", Frame: frame, Throws: []dice.Throw{t}, Result: t.Sum})
	}
	slices.SortStableFunc(thrown, func(a, c struct {
		seat engine.Seat
		n    int32
	}) int {
		return cmp.Compare(c.n, a.n)
	})
	for i := range thrown {
		tied[i] = thrown[i].seat
	}
	for i := 0; i < len(thrown); {
		j := i + 1
		for j < len(thrown) && thrown[j].n == thrown[i].n {
			j++
		}
		r.rollOff(s, frame, tied[i:j])
		i = j
	}
}

// seatNewcomer queues an actor who joins a battle under way, behind those of the same count.
func (r *rules) seatNewcomer(s *engine.Scene, a engine.ActorID) {
	b := s.Battle()
	var frame engine.FrameID
	if top := b.Top(); top != nil {
		frame = top.ID
	}
	seat := r.initiative(s, frame, a)
	queue := slices.Clone(b.Queue)
	at := len(queue)
	for i := range queue {
		if count(b, &queue[i]) < seat.Result && queue[i].State != engine.SeatActed && queue[i].State != engine.SeatActing {
			at = i
			break
		}
	}
	s.SetSeats("EP-INIT-02", slices.Insert(queue, at, seat))
}

// count is where a seat stands: its result less one for each wound (EP-WND-04).
func count(b *engine.Battle, seat *engine.Seat) int32 { return seat.Result - wounds(b, seat.Actor) }

// newRound begins an action turn, or ends the battle when nobody is left who fights somebody.
func newRound(_ *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	if over(b) && f.Get(varGoOn, 0) != int64(b.Round)+1 {
		if b.Word(optConfirm) != wordAsk {
			s.End(outcomes(b))
			return
		}
		f.Step = stepEndAsked
		s.Ask(engine.Prompt{Kind: engine.PromptRuling, Ask: askEnd, Must: true, Default: []engine.Intent{{Act: actConfirm}}})
		return
	}
	f.Step = stepRound
	s.Push(engine.FrameRound, stepBegin, engine.Intent{})
}

// endAsked takes the master's word on the end. Going on is for one action turn; then he is asked again.
func endAsked(_ *rules, s *engine.Scene, f *engine.Frame) {
	done := s.Take()
	if len(done) > 0 && len(done[0].Answer) > 0 && done[0].Answer[0].Act == actGoOn {
		f.Step = stepRound
		f.Set(varGoOn, 0, int64(s.Battle().Round)+1)
		return
	}
	s.End(outcomes(s.Battle()))
}

// over reports whether no two of those who are up are enemies.
func over(b *engine.Battle) bool {
	for i := range b.Actors {
		for j := range b.Actors[:i] {
			a, c := b.Actors[i].ID, b.Actors[j].ID
			if up(b, a) && up(b, c) && b.Hostile(a, c) {
				return false
			}
		}
	}
	return true
}

// outcomes gives victory to the teams that have somebody up, defeat to the others, and a draw where none has.
func outcomes(b *engine.Battle) []engine.TeamOutcome {
	out := make([]engine.TeamOutcome, len(b.Teams))
	won := false
	for i := range b.Teams {
		out[i] = engine.TeamOutcome{Team: b.Teams[i].ID, Outcome: outcomeDefeat}
		for j := range b.Actors {
			if b.Actors[j].Team == b.Teams[i].ID && up(b, b.Actors[j].ID) {
				out[i].Outcome, won = outcomeVictory, true
			}
		}
	}
	for i := range out {
		if !won {
			out[i].Outcome = outcomeDraw
		}
	}
	return out
}

// roundSteps play an action turn (EP-TURN-01).
var roundSteps = [...]step{
	{stepBegin, beginRound},
	{stepNext, nextSeat},
	{stepLate, lateOnes},
	{stepEnd, endRound},
}

// beginRound opens the seats anew, in the order of the counts with their wounds. Who still waits keeps only the action he
// waits with (EP-INIT-05).
func beginRound(_ *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	s.Emit("EP-TURN-01", engine.Clocked{Round: b.Round + 1})
	seats := slices.Clone(b.Queue)
	for i := range seats {
		if seats[i].State != engine.SeatDelayed {
			seats[i].State = engine.SeatOpen
		}
	}
	slices.SortStableFunc(seats, func(a, c engine.Seat) int { return cmp.Compare(count(b, &c), count(b, &a)) })
	s.SetSeats("EP-INIT-02", seats)
	f.Step = stepNext
}

// nextSeat gives the turn to the next who has not acted.
func nextSeat(_ *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	f.Step = stepNext
	if over(b) && !held(b) {
		f.Step = stepEnd
		return
	}
	for i := range b.Queue {
		if b.Queue[i].State == engine.SeatOpen {
			a := b.Queue[i].Actor
			seated(s, "EP-TURN-01", a, engine.SeatActing)
			s.Push(engine.FrameTurn, stepBegin, engine.Intent{By: a})
			return
		}
	}
	f.Step = stepLate
	askWaiting(s, 0)
}

// held reports whether the master lets the battle go on without enemies in this round.
func held(b *engine.Battle) bool {
	root := &b.Frames[0]
	return root.Get(varGoOn, 0) == int64(b.Round)
}

// lateOnes lets those act who waited to the end and want to now, in the order of their seats.
func lateOnes(_ *rules, s *engine.Scene, f *engine.Frame) {
	f.Step = stepLate
	if !playWaiting(s, f) {
		s.Take()
		f.Step = stepEnd
	}
}

// endRound lets blood flow (EP-DUR-05) and ends what lasts until now.
func endRound(_ *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	for i := range b.Actors {
		a := b.Actors[i].ID
		if b.HasCond(a.On(), condBleeding) && !b.HasCond(a.On(), condDead) {
			now := s.AddGauge("EP-DUR-05", a.On(), gaugeDamage, int64(wounds(b, a)))
			if now >= deathRating(b, a) {
				s.SetCond("EP-DUR-03", engine.Cond{Name: condDead, On: a.On(), Until: engine.Until{Kind: engine.UntilKept}})
			}
		}
	}
	s.RoundEnds()
	s.Close(outcomeDone)
}

// seated sets how far the seat of an actor has got.
func seated(s *engine.Scene, rule engine.Rule, a engine.ActorID, state engine.SeatState) {
	seats := slices.Clone(s.Battle().Queue)
	for i := range seats {
		if seats[i].Actor == a {
			seats[i].State = state
		}
	}
	s.SetSeats(rule, seats)
}

// askWaiting asks everybody who waits whether he acts now, all at once, and tells whether there was anybody. Except is
// the one whose act it is.
func askWaiting(s *engine.Scene, except engine.ActorID) bool {
	b := s.Battle()
	any := false
	for i := range b.Queue {
		seat := b.Queue[i]
		if seat.State == engine.SeatDelayed && seat.Actor != except && up(b, seat.Actor) {
			s.Ask(engine.Prompt{Whose: seat.Actor, Kind: engine.PromptReact, Ask: askInterrupt, Rank: int32(i), Sealed: true})
			any = true
		}
	}
	return any
}

// playWaiting gives the turn to the next of those who wanted it, and tells whether there was one. The prompts stay until
// all have been played, so that a process that never asked can go on.
func playWaiting(s *engine.Scene, f *engine.Frame) bool {
	answers := s.Answers()
	for i := f.Get(varIndex, 0); i < int64(len(answers)); i++ {
		a := answers[i].Whose
		seat := s.Battle().Seat(a)
		if len(answers[i].Answer) == 0 || !up(s.Battle(), a) || seat == nil || seat.State != engine.SeatDelayed {
			continue
		}
		f.Set(varIndex, 0, i+1)
		takeSeat(s, a)
		s.Push(engine.FrameTurn, stepAsk, engine.Intent{By: a})
		return true
	}
	return false
}

// takeSeat puts the seat of one who waited before the seat that acts now, or last, with that count (EP-INIT-05).
func takeSeat(s *engine.Scene, a engine.ActorID) {
	b := s.Battle()
	seats := slices.Clone(b.Queue)
	from := slices.IndexFunc(seats, func(x engine.Seat) bool { return x.Actor == a })
	mine := seats[from]
	seats = slices.Delete(seats, from, from+1)
	to := slices.IndexFunc(seats, func(x engine.Seat) bool { return x.State == engine.SeatActing })
	if to < 0 {
		to = len(seats)
	}
	at := int32(0)
	switch {
	case to < len(seats):
		at = count(b, &seats[to])
	case to > 0:
		at = count(b, &seats[to-1])
	}
	mine.Result, mine.State = at+wounds(b, a), engine.SeatActing
	s.SetSeats("EP-INIT-05", slices.Insert(seats, to, mine))
}
