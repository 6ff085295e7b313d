package engine

import (
	"cmp"
	"fmt"
	"slices"

	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

// Env is what a step needs besides the battle: the arena, the dice, and the seed that the ending fact reveals.
type Env struct {
	World voxel.World // the arena as uploaded; nil: none
	Dice  dice.Source
	Seed  [32]byte
}

// Scene is one command being played out. Rules change the battle through it and only through it.
type Scene struct {
	sys    *System
	b      *Battle
	env    Env
	facts  []Fact
	pos    [2]int32 // throws made in this commit, by stream
	poses  []SeenPose
	before []FrameID // frames that stood when the command came
	dirty  []FrameID // frames that are private to this scene
	rule   Rule      // of the command, for facts of the engine's own
	veiled bool      // some actor is not for everyone
	aside  bool      // what is done has nothing to do with the top frame: a master's word, a newcomer
	secret bool      // what is done is about a newcomer who is not for everyone
}

// Battle is the battle as it stands now. Rules only read it.
func (s *Scene) Battle() *Battle { return s.b }

// Spec is the vocabulary of the ruleset.
func (s *Scene) Spec() *Spec { return s.sys.Spec }

// World is the arena with the battle's block changes, or nil where none was uploaded.
func (s *Scene) World() voxel.World { return s.b.worldOf(s.env.World) }

// View is the battle and the world, for functions that also serve Offers and Check.
func (s *Scene) View() View { return View{Battle: s.b, World: s.World()} }

// Poses are the observed poses that came with the decision being played.
func (s *Scene) Poses() []SeenPose { return s.poses }

// Pose is the observed pose of one actor, if the decision brought it.
func (s *Scene) Pose(a ActorID) (voxel.Pose, bool) {
	for i := range s.poses {
		if s.poses[i].Actor == a {
			return s.poses[i].Pose, true
		}
	}
	return voxel.Pose{}, false
}

// Emit records a fact and applies it. Its audience is that of the top frame and of the actor it is about.
func (s *Scene) Emit(rule Rule, e Event) {
	s.EmitFor(s.audience(e), Why{Rule: rule}, e)
}

// EmitFrom is Emit with the thing that brought the rule into play.
func (s *Scene) EmitFrom(rule Rule, source Ref, e Event) {
	s.EmitFor(s.audience(e), Why{Rule: rule, Source: source}, e)
}

// EmitFor records a fact for an audience of the caller's choice and applies it.
func (s *Scene) EmitFor(aud Audience, why Why, e Event) {
	s.facts = append(s.facts, Fact{For: aud, Why: why, Event: e})
	e.apply(s.b)
}

// hidden reports whether what happens now belongs to the hidden serial and stream.
func (s *Scene) hidden() bool {
	if s.aside {
		return s.secret
	}
	top := s.b.Top()
	return top != nil && top.For.Kind != Everyone
}

// NewID gives out an identifier, from the hidden serial while the top frame is not for everyone.
func (s *Scene) NewID() uint32 { return s.newID(s.hidden()) }

// NewIDFor gives out an identifier for a thing with an audience of its own: from the hidden serial if that is not
// everyone, whatever the top frame is. A thing that everybody sees but a hidden act made has a public identifier, a
// private thing of a public act a hidden one, so that neither number betrays anything.
func (s *Scene) NewIDFor(aud Audience) uint32 { return s.newID(aud.Kind != Everyone) }

func (s *Scene) newID(hidden bool) uint32 {
	if hidden {
		s.b.Serial[1]++
		return s.b.Serial[1] | HiddenBit
	}
	s.b.Serial[0]++
	return s.b.Serial[0]
}

// Throw is the next throw of this commit, from the hidden stream while the top frame is not for everyone.
func (s *Scene) Throw(f dice.Formula) dice.Throw {
	st := dice.Public
	if s.hidden() {
		st = dice.Hidden
	}
	at := dice.At{Stream: st, Clock: s.b.Dice[st], Pos: s.pos[st]}
	s.pos[st]++
	return s.env.Dice.Throw(at, f)
}

// Top is the frame that runs, private to this scene and so open to change; nil when the stack is empty. The pointer is
// valid until the next Push, Close or Ask.
func (s *Scene) Top() *Frame {
	if len(s.b.Frames) == 0 {
		return nil
	}
	owned(s.b, ownFrames, &s.b.Frames)
	f := s.b.Top()
	if slices.Contains(s.dirty, f.ID) {
		return f
	}
	s.dirty = append(s.dirty, f.ID)
	f.Intent.clip()
	f.Lanes = slices.Clone(f.Lanes)
	for i := range f.Lanes {
		f.Lanes[i].Guards = slices.Clone(f.Lanes[i].Guards)
	}
	f.Rolls = slices.Clone(f.Rolls)
	for i := range f.Rolls {
		r := &f.Rolls[i]
		r.Mods, r.Throws, r.After = slices.Clone(r.Mods), slices.Clone(r.Throws), slices.Clone(r.After)
	}
	f.Drafts = slices.Clone(f.Drafts)
	f.Vars = slices.Clone(f.Vars)
	return f
}

// clip makes the next append to any list of i copy it: the lists are shared with the command and the facts.
func (i *Intent) clip() {
	i.Targets, i.Items, i.Mods, i.Path = slices.Clip(i.Targets), slices.Clip(i.Items), slices.Clip(i.Mods), slices.Clip(i.Path)
}

// Push puts a new frame on the stack. It inherits the audience of the frame below; where that is everyone, an act of
// somebody who is not for everyone is for those who know him.
func (s *Scene) Push(kind FrameKind, step StepName, in Intent) *Frame {
	if len(s.b.Frames) >= maxDepth {
		panic(fmt.Sprintf("engine: %d frames deep: %s", len(s.b.Frames), s.stack()))
	}
	f := Frame{Kind: kind, Step: step, Intent: in}
	f.Intent.clip()
	if top := s.b.Top(); top != nil {
		f.Under, f.For = top.ID, top.For
	}
	if f.For.Kind == Everyone && s.veiled {
		if by := s.b.Actor(in.By); by != nil {
			f.For = by.For
		}
	}
	f.ID = FrameID(s.NewIDFor(f.For))
	owned(s.b, ownFrames, &s.b.Frames)
	s.b.Frames = append(s.b.Frames, f)
	s.dirty = append(s.dirty, f.ID)
	return s.b.Top()
}

// Close pops the top frame: its prompts are withdrawn, and what lasted until it closed ends.
func (s *Scene) Close(outcome OutcomeName) {
	id, aud := s.b.Top().ID, s.b.Top().For
	for i := 0; i < len(s.b.Prompts); i++ {
		if p := &s.b.Prompts[i]; p.Frame == id {
			why := PromptWithdrawn
			if p.Done {
				why = PromptAnswered
			}
			s.EmitFor(p.For, Why{Rule: s.rule}, PromptClosed{ID: p.ID, Why: why})
			i--
		}
	}
	s.lapse(func(u *Until) bool { return u.Kind == UntilFrame && u.Frame == id }, s.rule)
	if slices.Contains(s.before, id) {
		s.EmitFor(aud, Why{Rule: s.rule}, Unframed{ID: id, Outcome: outcome})
		return
	}
	owned(s.b, ownFrames, &s.b.Frames)
	s.b.Frames = s.b.Frames[:len(s.b.Frames)-1]
}

// CloseTo pops frames until id is the top.
func (s *Scene) CloseTo(id FrameID, outcome OutcomeName) {
	for top := s.b.Top(); top != nil && top.ID != id; top = s.b.Top() {
		s.Close(outcome)
	}
}

// Ask opens a prompt on the top frame; ID and Frame are filled in. The owner's policy for its kind may answer it at
// once with its default. A hidden prompt takes its audience from p.For, to which its owner always belongs.
func (s *Scene) Ask(p Prompt) PromptID {
	p.Frame = s.b.Top().ID
	if p.Limit == (Limit{}) {
		p.Limit = s.limit(p.Kind)
	}
	p.For = s.audience(Prompted{Prompt: p})
	if k := p.For.Kind; (k == ForActors || k == ForKnowers) && p.Whose != 0 && !slices.Contains(p.For.Who, p.Whose) {
		p.For.Who = append(slices.Clip(p.For.Who), p.Whose)
	}
	p.ID = PromptID(s.NewIDFor(p.For))
	s.EmitFor(p.For, Why{Rule: s.rule}, Prompted{Prompt: p})
	if a := s.b.Actor(p.Whose); a != nil && slices.Contains(a.Policies, Policy{Kind: p.Kind, Take: PolicyDefault}) {
		s.answer(&p, p.Whose, p.Default, nil, PromptLapsed)
	}
	return p.ID
}

// limit is the battle's deadline for prompts of a kind, from the options that every ruleset has.
func (s *Scene) limit(k PromptKind) Limit {
	name := OptionTurnLimit
	if k != PromptTurn && k != PromptSheet {
		name = OptionReplyLimit
	}
	sec := s.b.Number(name)
	if sec == 0 {
		return Limit{}
	}
	return Limit{Take: PolicyDefault, MS: sec * 1000}
}

// answer records an answer to p.
func (s *Scene) answer(p *Prompt, by ActorID, intents []Intent, lines []Line, how PromptEnd) {
	e := Answered{Prompt: p.ID, By: by, Intents: intents, Lines: lines, How: how}
	aud := p.For
	if p.Sealed {
		aud = Audience{Kind: ForActors, Who: []ActorID{p.Whose}}
	}
	s.EmitFor(aud, Why{Rule: s.rule}, e)
}

// Answers are the answered prompts of the top frame in the order in which they count: by Rank, then by owner.
func (s *Scene) Answers() []Prompt {
	top := s.b.Top()
	var done []Prompt
	for i := range s.b.Prompts {
		if p := &s.b.Prompts[i]; p.Frame == top.ID && p.Done {
			done = append(done, *p)
		}
	}
	if len(done) > 1 {
		slices.SortStableFunc(done, func(a, b Prompt) int {
			return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Whose, b.Whose))
		})
	}
	return done
}

// Take is Answers, and closes the prompts.
func (s *Scene) Take() []Prompt {
	done := s.Answers()
	for i := range done {
		s.EmitFor(done[i].For, Why{Rule: s.rule}, PromptClosed{ID: done[i].ID, Why: PromptAnswered})
	}
	return done
}

// SetCond sets a condition. With ID zero it gets a new one, or, where the catalogue says the condition is unique, takes
// the place of the one that stands.
func (s *Scene) SetCond(rule Rule, c Cond) CondID {
	if c.ID == 0 {
		for i, on := 0, s.b.CondsOn(c.On); i < len(on) && c.ID == 0; i++ {
			if s.excludes(&c, &on[i]) {
				c.ID = on[i].ID
			}
		}
	}
	if c.ID == 0 {
		c.ID = CondID(s.NewIDFor(s.record(CondSet{Cond: c})))
	}
	s.EmitFrom(rule, c.Source, CondSet{Cond: c})
	return c.ID
}

// ClearCond ends a condition; those that fall with it end first. Nothing happens if it is gone already.
func (s *Scene) ClearCond(rule Rule, id CondID, why ClearWhy) {
	if id != 0 {
		s.clearCond(rule, id, why, nil)
	}
}

// clearCond ends a condition. Those of falling are about to end after it; a ring of parents ends with them.
func (s *Scene) clearCond(rule Rule, id CondID, why ClearWhy, falling []CondID) {
	falling = append(falling, id)
	for i := 0; i < len(s.b.Conds); i++ {
		if c := &s.b.Conds[i]; c.Parent == id && !slices.Contains(falling, c.ID) {
			s.clearCond(rule, c.ID, ClearParent, falling)
			i = -1
		}
	}
	if c := s.b.Cond(id); c != nil {
		s.Emit(rule, CondCleared{ID: id, Name: c.Name, On: c.On, Why: why})
	}
}

// ClearConds ends every condition n on a bearer.
func (s *Scene) ClearConds(rule Rule, on Ref, n CondName, why ClearWhy) {
	for c := s.b.FindCond(on, n); c != nil; c = s.b.FindCond(on, n) {
		s.ClearCond(rule, c.ID, why)
	}
}

// SetGauge sets a gauge with its bounds.
func (s *Scene) SetGauge(rule Rule, on Ref, n GaugeName, now, lo, hi int64) {
	g := Gauge{On: on, Name: n, Now: now, Min: lo, Max: hi}
	var before int64
	if old := s.b.Gauge(on, n); old != nil {
		before, g.For = old.Now, old.For
	}
	s.Emit(rule, GaugeSet{Gauge: g, Before: before})
}

// AddGauge changes a gauge, within its bounds, and gives its new value. A gauge that does not exist stays so.
func (s *Scene) AddGauge(rule Rule, on Ref, n GaugeName, delta int64) int64 {
	g := s.b.Gauge(on, n)
	if g == nil {
		return 0
	}
	to := *g
	to.Now = min(max(g.Now+delta, g.Min), g.Max)
	if to.Now == g.Now {
		return g.Now
	}
	s.Emit(rule, GaugeSet{Gauge: to, Before: g.Now})
	return to.Now
}

// SetSeats sets the whole turn order.
func (s *Scene) SetSeats(rule Rule, seats []Seat) { s.Emit(rule, Queued{Seats: slices.Clone(seats)}) }

// Tally records a computed number of the top frame.
func (s *Scene) Tally(t Tally) {
	if t.Frame == 0 {
		if top := s.b.Top(); top != nil {
			t.Frame = top.ID
		}
	}
	s.Emit(t.Rule, Tallied{Tally: t})
}

// Rolled records a roll.
func (s *Scene) Rolled(r Roll) { s.Emit(r.Rule, Rolled{Roll: r}) }

// Revised records a change to a roll.
func (s *Scene) Revised(r Roll, m Mod) { s.EmitFrom(m.Rule, m.Source, Revised{Roll: r, Mod: m}) }

// End closes every frame and ends the battle with an outcome for each team; the seed is revealed.
func (s *Scene) End(outcome []TeamOutcome) {
	for s.b.Top() != nil {
		s.Close(OutcomeEnded)
	}
	s.lapse(func(u *Until) bool { return u.Kind == UntilBattle }, s.rule)
	s.EmitFor(Audience{}, Why{Rule: RuleEnd}, Ended{Outcome: outcome, Seed: s.env.Seed})
}

func (s *Scene) stack() string {
	out := ""
	for i := range s.b.Frames {
		f := &s.b.Frames[i]
		out += fmt.Sprintf("%d:%d@%s(%s) ", f.ID, f.Kind, f.Step, f.Intent.Act)
	}
	return out
}
