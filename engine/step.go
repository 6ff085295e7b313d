package engine

import (
	"fmt"
	"iter"
	"slices"
	"sort"

	"autobattle/engine/voxel"
)

const (
	maxRounds = 4096 // of the resume loop in one commit
	maxDepth  = 32   // frames
)

// Rules of the engine itself, for facts and refusals that no rulebook names.
const (
	RuleOpen    Rule = "AB-OPEN"    // creating a battle
	RuleJoin    Rule = "AB-JOIN"    // joining it
	RuleStart   Rule = "AB-START"   // leaving the lobby
	RulePrompt  Rule = "AB-PROMPT"  // prompts and answers
	RuleTime    Rule = "AB-TIME"    // deadlines
	RuleMaster  Rule = "AB-MASTER"  // a master's word
	RuleBlocks  Rule = "AB-BLOCKS"  // block changes
	RuleExpiry  Rule = "AB-EXPIRY"  // lifetimes
	RuleRewind  Rule = "AB-REWIND"  // undo
	RuleEnd     Rule = "AB-END"     // the end
	RuleEntropy Rule = "AB-ENTROPY" // provably fair dice
	RulePose    Rule = "AB-POSE"    // observed poses
)

// Options that every ruleset has. Limits are in seconds, 0 without end.
const (
	OptionTurnLimit  OptionName = "turn_limit_s"
	OptionReplyLimit OptionName = "reply_limit_s"
	OptionKnowledge  OptionName = "knowledge" // observer, team
)

// OutcomeEnded closes frames when the battle ends.
const OutcomeEnded OutcomeName = "ended"

// StepRoot is the step at which the root frame of every battle begins.
const StepRoot StepName = "start"

// FeatureLevel is the feature level of the fact set that this build writes.
const FeatureLevel int32 = 1

// BaseOptions are the options that the engine reads, for every ruleset's Spec.
func BaseOptions() []OptionSpec {
	return []OptionSpec{
		{Name: OptionKnowledge, Text: Text{En: "what one side's members know of hidden things", Ru: "что знает сторона о скрытом"},
			Rule: RuleOpen, Words: []string{"observer", "team"}, Default: Option{Name: OptionKnowledge, Word: "observer"}},
		{Name: OptionReplyLimit, Text: Text{En: "seconds to answer an attack or an offer, 0 for no limit", Ru: "секунд на ответ, 0 — без ограничения"},
			Rule: RuleTime, Max: 86400, Default: Option{Name: OptionReplyLimit}},
		{Name: OptionTurnLimit, Text: Text{En: "seconds for a turn, 0 for no limit", Ru: "секунд на ход, 0 — без ограничения"},
			Rule: RuleTime, Max: 86400, Default: Option{Name: OptionTurnLimit}},
	}
}

// Step plays one command. b is left unchanged; nil takes only Open. The error, if any, is a *Rejection, and then nothing
// happened.
func Step(sys *System, b *Battle, c Command, env Env) (*Battle, Commit, error) {
	s, err := play(sys, b, c, env)
	if err != nil {
		return nil, Commit{}, err
	}
	s.settle()
	n := s.b
	return n, Commit{Version: n.Version, Command: c, Facts: s.facts, Dice: n.Dice, Serial: n.Serial}, nil
}

// play admits a command and runs the rules until somebody must decide.
func play(sys *System, b *Battle, c Command, env Env) (*Scene, error) {
	if b == nil {
		b = &Battle{}
	}
	if _, opens := c.(Open); opens != (b.Version == 0) {
		return nil, Refuse(ReasonPhase, RuleOpen)
	}
	s := &Scene{sys: sys, b: b.clone(), env: env, facts: make([]Fact, 0, 12)}
	s.b.remembers()
	s.b.Version++
	s.before = make([]FrameID, 0, len(b.Frames))
	for i := range b.Frames {
		s.before = append(s.before, b.Frames[i].ID)
	}
	for i := range b.Actors {
		s.veiled = s.veiled || b.Actors[i].For.Kind != Everyone
	}
	switch c.(type) {
	case Decide, TimeUp:
	default:
		s.aside = true
	}
	if err := s.admit(c); err != nil {
		return nil, err
	}
	s.aside = false
	s.run()
	return s, nil
}

// run resumes the top frame until a prompt is open or the battle is over.
func (s *Scene) run() {
	for range maxRounds {
		if s.b.Phase != Running || s.b.waiting() {
			return
		}
		top := s.Top()
		if top == nil {
			panic(fmt.Sprintf("engine: battle of %s runs without a frame", s.b.Rules.Ruleset))
		}
		s.sys.Rules.Resume(s, top)
	}
	panic(fmt.Sprintf("engine: %d steps without a decision: %s", maxRounds, s.stack()))
}

// settle writes the frames that outlive the commit and moves the dice clocks on.
func (s *Scene) settle() {
	for i := range s.b.Frames {
		if f := s.b.Frames[i]; slices.Contains(s.dirty, f.ID) {
			s.EmitFor(f.For, Why{Rule: s.rule}, Framed{Frame: f})
		}
	}
	for st := range s.pos {
		if s.pos[st] > 0 {
			s.b.Dice[st]++
		}
	}
	s.b.own = 0
}

// Replay folds commits into the battle they make. It needs no rules and no dice.
func Replay(commits iter.Seq[Commit]) *Battle {
	b := &Battle{}
	for c := range commits {
		Fold(b, &c)
	}
	b.own = 0
	return b
}

// Fold applies a stored commit to b in place.
func Fold(b *Battle, c *Commit) {
	for i := range c.Facts {
		c.Facts[i].Event.apply(b)
	}
	b.Version, b.Dice, b.Serial = c.Version, c.Dice, c.Serial
}

// FoldFacts applies the facts that a viewer was given to his view, in place.
func FoldFacts(b *Battle, facts []Fact) {
	for i := range facts {
		facts[i].Event.apply(b)
	}
}

// Clone is a battle that shares nothing with b that Fold would change.
func (b *Battle) Clone() *Battle { return b.clone() }

// admit checks a command and plays its own part, before the rules go on.
func (s *Scene) admit(c Command) error {
	switch c := c.(type) {
	case Open:
		return s.open(c)
	case Join:
		return s.join(c)
	case AddEntropy:
		return s.addEntropy(c)
	case Start:
		return s.start()
	case Decide:
		return s.decide(&c)
	case TimeUp:
		return s.timeUp(c)
	}
	s.rule = RuleMaster
	if s.b.Phase == Over {
		return Refuse(ReasonPhase, s.rule)
	}
	switch c := c.(type) {
	case Adjust:
		return s.adjust(c)
	case Override:
		return s.override(c)
	case Edit:
		return s.edit(c)
	case Remove:
		return s.remove(c)
	case Control:
		return s.control(c)
	case Pause:
		return s.phase(Running, Paused, c.Reason)
	case Unpause:
		return s.phase(Paused, Running, "")
	case Rewind:
		return s.rewind(c)
	case Say:
		return s.say(c)
	case End:
		if c.Reason != "" {
			s.EmitFor(Audience{}, Why{Rule: s.rule}, Said{Text: c.Reason})
		}
		s.End(c.Outcome)
		return nil
	}
	panic(fmt.Sprintf("engine: command %T", c))
}

func (s *Scene) open(c Open) error {
	s.rule = RuleOpen
	spec := s.sys.Spec
	if c.Ruleset != spec.ID {
		return Refuse(ReasonUnknownRuleset, s.rule, Named("ruleset", c.Ruleset))
	}
	options, err := spec.options(c.Options)
	if err != nil {
		return err
	}
	for i := range c.Teams {
		t := &c.Teams[i]
		if t.ID == "" || slices.ContainsFunc(c.Teams[:i], func(o Team) bool { return o.ID == t.ID }) {
			return Refuse(ReasonDuplicate, s.rule, Words("team", string(t.ID)))
		}
		for _, a := range t.Allies {
			if !slices.ContainsFunc(c.Teams, func(o Team) bool { return o.ID == a }) {
				return Refuse(ReasonUnknownName, s.rule, Words("team", string(a)))
			}
		}
	}
	s.EmitFor(Audience{}, Why{Rule: s.rule}, Began{
		Rules: Rules{Ruleset: spec.ID, Revision: spec.Revision, Catalogue: spec.Hash, Arena: c.Arena, Feature: FeatureLevel, Options: options},
		Title: c.Title, Teams: slices.Clone(c.Teams), Commitment: c.Commitment,
	})
	return nil
}

// options fills the defaults in and checks the values given.
func (spec *Spec) options(given []Option) ([]Option, error) {
	for i, o := range given {
		os := spec.Option(o.Name)
		if os == nil {
			return nil, Refuse(ReasonUnknownOption, RuleOpen, Words("option", string(o.Name)))
		}
		if slices.ContainsFunc(given[:i], func(p Option) bool { return p.Name == o.Name }) {
			return nil, Refuse(ReasonDuplicate, RuleOpen, Words("option", string(o.Name)))
		}
		if len(os.Words) > 0 {
			if !slices.Contains(os.Words, o.Word) {
				return nil, Refuse(ReasonUnknownOption, RuleOpen, Words("option", string(o.Name)), Words("value", o.Word), Words("allowed", fmt.Sprint(os.Words)))
			}
		} else if o.N < os.Min || o.N > os.Max {
			return nil, Refuse(ReasonUnknownOption, RuleOpen, Words("option", string(o.Name)), Num("value", o.N), Num("min", os.Min), Num("max", os.Max))
		}
	}
	out := make([]Option, 0, len(spec.Options))
	for i := range spec.Options {
		o := spec.Options[i].Default
		o.Name = spec.Options[i].Name
		for _, g := range given {
			if g.Name == o.Name {
				o = g
			}
		}
		out = append(out, o)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

func (s *Scene) addEntropy(c AddEntropy) error {
	s.rule = RuleEntropy
	if s.b.Phase != Lobby {
		return Refuse(ReasonPhase, s.rule)
	}
	if len(c.Bytes) == 0 || len(c.Bytes) > 32 {
		return Refuse(ReasonMalformed, s.rule, Num("bytes", int64(len(c.Bytes))), Num("min", 1), Num("max", 32))
	}
	for _, e := range s.b.Seed.Entropy {
		if e.Player == c.Player {
			return Refuse(ReasonDuplicate, s.rule, Words("player", c.Player))
		}
	}
	s.Emit(s.rule, EntropyAdded{Entropy{Player: c.Player, Bytes: slices.Clone(c.Bytes)}})
	return nil
}

func (s *Scene) start() error {
	s.rule = RuleStart
	if s.b.Phase != Lobby {
		return Refuse(ReasonPhase, s.rule)
	}
	if len(s.b.Actors) == 0 {
		return Refuse(ReasonUnknownActor, s.rule)
	}
	s.Emit(s.rule, PhaseSet{Phase: Running})
	s.Push(FrameBattle, StepRoot, Intent{})
	return nil
}

func (s *Scene) decide(c *Decide) error {
	s.rule = RulePrompt
	if s.b.Phase != Running {
		return Refuse(ReasonPhase, s.rule)
	}
	p := s.b.Prompt(c.Prompt)
	if p == nil || p.Done && !p.Sealed {
		return Refuse(ReasonPromptClosed, s.rule, Num("prompt", int64(c.Prompt)))
	}
	if p.Whose != c.By {
		if v := ViewerOf(s.b, c.By); !v.May(s.b, &p.For) {
			return Refuse(ReasonPromptClosed, s.rule, Num("prompt", int64(c.Prompt)))
		}
		return Refuse(ReasonNotYourActor, s.rule, Refers("actor", c.By.On()), Refers("owner", p.Whose.On()))
	}
	if p.Frame != s.b.Top().ID {
		return Refuse(ReasonPromptHeld, s.rule, Num("prompt", int64(c.Prompt)))
	}
	if p.Must && len(c.Intents) == 0 && len(c.Lines) == 0 {
		return Refuse(ReasonMustAnswer, s.rule, Named("ask", p.Ask))
	}
	c.Intents = slices.Clone(c.Intents)
	for i := range c.Intents {
		if s.sys.Spec.Act(c.Intents[i].Act) == nil {
			return Refuse(ReasonUnknownAct, s.rule, Words("act", string(c.Intents[i].Act)))
		}
		c.Intents[i].By = c.By
	}
	if err := s.signLines(c); err != nil {
		return err
	}
	for i := range c.Poses {
		if err := s.checkPose(&c.Poses[i]); err != nil {
			return err
		}
	}
	v := s.View()
	if p.Whose != 0 && s.b.Secret() {
		v.Battle = See(s.b, ViewerOf(s.b, p.Whose))
	}
	if err := s.sys.Rules.Check(v, p, c); err != nil {
		return err
	}
	s.poses = c.Poses
	asked := *p
	s.answer(&asked, c.By, c.Intents, c.Lines, PromptAnswered)
	return nil
}

// signLines writes the owner into every act of a sheet and refuses acts that do not exist. A variant without an act waits.
func (s *Scene) signLines(c *Decide) error {
	c.Lines = slices.Clone(c.Lines)
	for i := range c.Lines {
		vs := slices.Clone(c.Lines[i].Variants)
		for j := range vs {
			if act := vs[j].Do.Act; act != "" && s.sys.Spec.Act(act) == nil {
				return Refuse(ReasonUnknownAct, s.rule, Words("act", string(act)), Num("slot", int64(c.Lines[i].Slot)))
			}
			vs[j].Do.By = c.By
		}
		c.Lines[i].Variants = vs
	}
	return nil
}

// checkPose refuses a pose that no body can have.
func (s *Scene) checkPose(p *SeenPose) error {
	a := s.b.Actor(p.Actor)
	if a == nil {
		return Refuse(ReasonUnknownActor, RulePose, Num("actor", int64(p.Actor)))
	}
	return s.fits(p.Pose, a.Body, p.Actor)
}

// fits refuses a pose that is outside the limits or inside solid blocks.
func (s *Scene) fits(pose voxel.Pose, body BodyName, who ActorID) error {
	if err := pose.Validate(); err != nil {
		return Refuse(ReasonMalformed, RulePose, Words("pose", err.Error()))
	}
	w, spec := s.World(), s.sys.Spec.Body(body)
	if w == nil || spec == nil {
		return nil
	}
	if at, block, in := voxel.Solid(w, voxel.Figure{Pose: pose, Body: spec.Body}); in {
		r := Refuse(ReasonPoseInBlock, RulePose, Refers("actor", who.On()), Cell("cell", at), Words("block", block.Name))
		r.Cells = []voxel.Pos{at}
		return r
	}
	return nil
}

func (s *Scene) timeUp(c TimeUp) error {
	s.rule = RuleTime
	if s.b.Phase != Running {
		return Refuse(ReasonPhase, s.rule)
	}
	n := 0
	for _, id := range c.Prompts {
		p := s.b.Prompt(id)
		if p == nil || p.Done || p.Frame != s.b.Top().ID {
			continue
		}
		asked := *p
		s.answer(&asked, p.Whose, p.Default, nil, PromptTime)
		n++
	}
	if n == 0 {
		return Refuse(ReasonPromptClosed, s.rule)
	}
	return nil
}
