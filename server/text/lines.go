package text

import (
	"autobattle/engine"
)

// Lines is the log of what happened. b is the reader's battle after the facts; whom it does not name is someone. Facts
// that say nothing to people give no line, and neighbours that belong together give one. Where the battle before is at
// hand, LinesBetween says more.
func (r *Renderer) Lines(b *engine.Battle, facts []engine.Fact) []Line {
	return r.LinesBetween(nil, b, facts)
}

// LinesBetween is Lines with the reader's battle before the facts: it names what is gone and leaves out what did not
// change. before may be nil.
func (r *Renderer) LinesBetween(before, after *engine.Battle, facts []engine.Fact) []Line {
	l := log{scene: scene{Renderer: r, b: after, before: before, facts: facts}, out: make([]Line, 0, len(facts)/2+1)}
	for l.at = 0; l.at < len(facts) && !l.stop; l.at++ {
		l.fact(&facts[l.at])
	}
	return l.out
}

// log is one battle report being written.
type log struct {
	scene
	out    []Line
	at     int // the fact being told
	stop   bool
	acting engine.ActorID // whose turn the last Queued of these facts showed
	queued bool           // there was one
}

// say adds a line for the present fact.
func (l *log) say(t *template, args ...arg) {
	if text := l.msgs.line(t, args...); text != "" {
		l.out = append(l.out, Line{Text: text, Fact: l.at})
	}
}

// fact tells one fact.
func (l *log) fact(f *engine.Fact) {
	// What has no rule behind it was not done by anybody: it is how a reader's view catches up with what he has learnt.
	caughtUp := f.Why == (engine.Why{})
	joining := f.Why.Rule == engine.RuleJoin
	switch e := f.Event.(type) {
	case engine.Began:
		l.began(&e)
	case engine.EntropyAdded:
		l.say(l.msgs.find("entropy_added"), arg{"player", own(e.Entropy.Player)})
	case engine.PhaseSet:
		l.phase(&e)
	case engine.Ended:
		l.ended(&e)
	case engine.RulesSet:
		if !caughtUp {
			l.say(l.msgs.find("rules_set"), arg{"reason", own(e.Reason)})
		}
	case engine.Clocked:
		l.say(l.msgs.find("clocked", clockWord(&e)), arg{"round", number(int64(e.Round))}, arg{"slot", number(int64(e.Slot))})
	case engine.Queued:
		l.queue(&e, caughtUp)
	case engine.ActorSet:
		l.actorSet(&e, f.Why.Rule)
	case engine.ActorGone:
		l.say(l.msgs.find("actor_gone"), arg{"actor", l.actor(e.ID)}, arg{"reason", own(e.Reason)})
	case engine.Moved:
		l.moved(&e)
	case engine.Posed:
		l.posed(&e)
	case engine.KnownSet:
		l.known(&e)
	case engine.Declared:
		l.declared(&e)
	case engine.Rolled:
		l.rolled(&e)
	case engine.Revised:
		if len(e.Roll.Throws) > 0 {
			l.say(l.msgs.find("revised"), arg{"actor", l.maybe(e.Roll.By)}, arg{"purpose", l.name(kindPurpose, string(e.Roll.Why))},
				arg{"mod", phrase(l.mod(&e.Mod, false))}, arg{"roll", phrase(l.roll(&e.Roll, false))})
		}
	case engine.Tallied:
		l.tallied(&e.Tally)
	case engine.Resolved:
		l.resolved(&e)
	case engine.Prompted:
		l.say(l.msgs.find("prompted"), arg{"actor", l.whose(e.Prompt.Whose)}, arg{"ask", l.name(kindAsk, string(e.Prompt.Ask))})
	case engine.PromptClosed:
		l.say(l.msgs.find("prompt_closed", endWord(e.Why)), arg{"actor", l.promptOwner(e.ID)})
	case engine.Answered:
		l.answered(&e)
	case engine.Framed:
		l.say(l.msgs.find("framed"))
	case engine.Unframed:
		l.say(l.msgs.find("unframed"))
	case engine.Rewound:
		variant := ""
		if e.Same {
			variant = "same"
		}
		l.say(l.msgs.find("rewound", variant), arg{"version", number(int64(e.To))}, arg{"reason", own(e.Reason)})
		l.stop = true // what follows restores the state and is no news
	case engine.Said:
		l.said(&e)
	default:
		if !caughtUp && !joining {
			l.state(f.Event, f.Why.Rule)
		}
	}
}

func (l *log) began(e *engine.Began) {
	teams := l.list()
	for i := range e.Teams {
		name := e.Teams[i].Name
		if clean(name) == "" {
			name = string(e.Teams[i].ID)
		}
		teams.add(own(name))
	}
	l.say(l.msgs.find("began"), arg{"title", own(e.Title)}, arg{"ruleset", l.name(kindRuleset, string(e.Rules.Ruleset))},
		arg{"revision", number(int64(e.Rules.Revision))}, arg{"teams", teams.value()}, arg{"commitment", hexValue(e.Commitment)})
}

func (l *log) phase(e *engine.PhaseSet) {
	variant := ""
	switch e.Phase {
	case engine.Lobby:
		variant = "lobby"
	case engine.Paused:
		variant = "paused"
	case engine.Over:
		variant = "over"
	case engine.Running:
		variant = "goes_on"
		if l.b == nil || l.b.Round == 0 || l.begins() {
			variant = "begins"
		}
	}
	l.say(l.msgs.find("phase_set", variant), arg{"reason", own(e.Reason)})
}

// begins reports whether the first round begins later in these facts.
func (l *log) begins() bool {
	for i := l.at + 1; i < len(l.facts); i++ {
		if c, ok := l.facts[i].Event.(engine.Clocked); ok {
			return c.Round <= 1
		}
	}
	return false
}

func (l *log) ended(e *engine.Ended) {
	outcomes := l.list()
	for i := range e.Outcome {
		o := &e.Outcome[i]
		outcomes.add(phrase(l.msgs.fill(l.msgs.find("team_outcome"), arg{"team", l.team(o.Team)}, arg{"outcome", l.name(kindOutcome, string(o.Outcome))})))
	}
	list := outcomes.value()
	list.proper = true
	l.say(l.msgs.find("ended"), arg{"outcomes", list})
	if e.Seed != ([32]byte{}) {
		l.say(l.msgs.find("ended", "seed"), arg{"seed", hexValue(e.Seed)})
	}
}

func clockWord(e *engine.Clocked) string {
	if e.Slot > 0 {
		return "slot"
	}
	return ""
}

// queue tells the order of a new round and whose turn begins. How far the others have got is told by what they do.
func (l *log) queue(e *engine.Queued, caughtUp bool) {
	if caughtUp {
		return
	}
	var acting engine.ActorID
	waiting := len(e.Seats) > 0
	for i := range e.Seats {
		switch e.Seats[i].State {
		case engine.SeatActing:
			acting, waiting = e.Seats[i].Actor, false
		case engine.SeatActed:
			waiting = false
		}
	}
	if waiting && l.clocked() {
		order := l.list()
		for i := range e.Seats {
			order.add(value{s: l.msgs.fill(l.msgs.find("seat"), arg{"actor", l.actor(e.Seats[i].Actor)}, arg{"result", number(int64(e.Seats[i].Result))}), proper: true})
		}
		l.say(l.msgs.find("queued", "order"), arg{"order", order.value()})
	}
	if acting != 0 && acting != l.acting && (l.queued || l.turnBegins(acting)) {
		l.say(l.msgs.find("queued", "turn"), arg{"actor", l.actor(acting)})
	}
	l.acting, l.queued = acting, true
}

// clocked reports whether a round began before the present fact.
func (l *log) clocked() bool {
	for i := range l.at {
		if _, ok := l.facts[i].Event.(engine.Clocked); ok {
			return true
		}
	}
	return false
}

// turnBegins reports whether an actor's turn begins with the first Queued of these facts.
func (l *log) turnBegins(a engine.ActorID) bool {
	if l.before != nil {
		q := l.before.SeatActing()
		return q == nil || q.Actor != a
	}
	for i := range l.at {
		switch e := l.facts[i].Event.(type) {
		case engine.Clocked:
			return true
		case engine.Answered:
			if e.By == a {
				return false
			}
		}
	}
	for i := l.at + 1; i < len(l.facts); i++ {
		if e, ok := l.facts[i].Event.(engine.Prompted); ok && e.Prompt.Kind == engine.PromptTurn && e.Prompt.Whose == a {
			return true
		}
	}
	return false
}

func (l *log) actorSet(e *engine.ActorSet, rule engine.Rule) {
	switch rule {
	case engine.RuleJoin:
		l.say(l.msgs.find("actor_set", "joins"), arg{"actor", l.actor(e.Actor.ID)}, arg{"team", l.team(e.Actor.Team)})
	case engine.RuleMaster:
		c := e.Actor.Controller
		word := [...]string{engine.ByPlayer: "player", engine.ByMaster: "master", engine.Automatic: "automatic"}[min(c.Kind, engine.Automatic)]
		l.say(l.msgs.find("actor_set", "control"), arg{"actor", l.actor(e.Actor.ID)},
			arg{"controller", phrase(l.msgs.fill(l.msgs.find("controller", word), arg{"player", own(c.Player)}))})
	default:
		l.say(l.msgs.find("actor_set"), arg{"actor", l.actor(e.Actor.ID)})
	}
}

func (l *log) answered(e *engine.Answered) {
	variant := ""
	switch {
	case e.How == engine.PromptTime:
		variant = "time"
	case e.How == engine.PromptLapsed:
		variant = "lapsed"
	case len(e.Lines) > 0:
		variant = "sheet"
	case len(e.Intents) == 0:
		variant = "declined"
	}
	l.say(l.msgs.find("answered", variant), arg{"actor", l.whose(e.By)})
}

func (l *log) promptOwner(id engine.PromptID) value {
	if l.before != nil {
		if p := l.before.Prompt(id); p != nil {
			return l.whose(p.Whose)
		}
	}
	return phrase(l.msgs.word("unknown", "actor"))
}

func endWord(w engine.PromptEnd) string {
	return [...]string{"", engine.PromptAnswered: "answered", engine.PromptLapsed: "lapsed", engine.PromptTime: "time",
		engine.PromptWithdrawn: "withdrawn"}[min(w, engine.PromptWithdrawn)]
}

func (l *log) said(e *engine.Said) {
	if e.Key == "" {
		l.say(l.msgs.find("said"), arg{"actor", l.whose(e.Actor)}, arg{"text", own(e.Text)})
		return
	}
	t := l.msgs.find("said", e.Key)
	if !l.msgs.has("said", e.Key) {
		l.say(t, arg{"actor", l.whose(e.Actor)}, arg{"text", l.keyName(e.Key)})
		return
	}
	if text := l.told(t, "", e.Args, arg{"actor", l.whose(e.Actor)}, arg{"text", own(e.Text)}); text != "" {
		l.out = append(l.out, Line{Text: text, Fact: l.at})
	}
}
