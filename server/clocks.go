package server

import (
	"slices"

	"autobattle/engine"
)

// clock is how long a prompt has been live: spent before since; since is 0 while it is held.
type clock struct {
	prompt engine.PromptID
	spent  int64
	since  int64
}

// tick is the clocks after a commit at a server time, in Unix milliseconds. Clocks are no engine matter: they are a fold
// beside the battle over the times of its commits, so every process comes to the same.
func tick(old []clock, b *engine.Battle, at int64) []clock {
	top := b.Top()
	var now []clock
	for i := range b.Prompts {
		p := &b.Prompts[i]
		if p.Done || limitOf(b, p) < 0 {
			continue
		}
		c := clock{prompt: p.ID}
		if j := slices.IndexFunc(old, func(o clock) bool { return o.prompt == p.ID }); j >= 0 {
			c = old[j]
		}
		live := b.Phase == engine.Running && top != nil && p.Frame == top.ID
		switch {
		case live && c.since == 0:
			c.since = at
		case !live && c.since != 0:
			c.spent += max(at-c.since, 0)
			c.since = 0
		}
		now = append(now, c)
	}
	return now
}

// limitOf is a prompt's deadline in milliseconds of being live; 0 at once, -1 never.
func limitOf(b *engine.Battle, p *engine.Prompt) int64 {
	if a := b.Actor(p.Whose); a != nil && a.Controller.Kind == engine.Automatic {
		return 0
	}
	if p.Limit.MS <= 0 || p.Limit.Take == engine.PolicyAsk || p.Limit.Take == engine.PolicyMaster {
		return -1
	}
	return p.Limit.MS
}

// due is when a clock runs out, in Unix milliseconds; 0 while it stands still.
func (c clock) due(b *engine.Battle) int64 {
	p := b.Prompt(c.prompt)
	if p == nil || c.since == 0 {
		return 0
	}
	return max(c.since+limitOf(b, p)-c.spent, 1)
}

// earliest is the first time that a clock runs out; 0 when none runs.
func earliest(b *engine.Battle, clocks []clock) int64 {
	first := int64(0)
	for _, c := range clocks {
		if d := c.due(b); d != 0 && (first == 0 || d < first) {
			first = d
		}
	}
	return first
}

// over lists the prompts whose clock has run out at a time.
func over(b *engine.Battle, clocks []clock, at int64) []engine.PromptID {
	var ids []engine.PromptID
	for _, c := range clocks {
		if d := c.due(b); d != 0 && d <= at {
			ids = append(ids, c.prompt)
		}
	}
	return ids
}
