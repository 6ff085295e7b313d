// Package text makes sentences: it renders facts, rolls, prompts, offers, refusals and errors of the server in English
// and Russian. It is the only place where sentences are made.
//
// The sentences stand in two message files, one for each language, with the same keys and the same placeholders. Names
// of acts, traits, conditions and the like come from the ruleset's Spec. What players and masters typed is put in as it
// is, on one line, and is never read as a template.
package text

import (
	"strings"
	"sync"

	"autobattle/engine"
)

// Locale is a language of the message files.
type Locale string

// The locales. English is what an empty or unknown language tag gets.
const (
	English Locale = "en"
	Russian Locale = "ru"
)

// Match is the locale that serves a BCP 47 tag, or the first of a comma-separated list that one serves; English for an
// empty tag and for languages that there are no messages in.
func Match(tag string) Locale {
	for part := range strings.SplitSeq(tag, ",") {
		part, _, _ = strings.Cut(part, ";")
		part = strings.TrimSpace(part)
		if i := strings.IndexAny(part, "-_"); i >= 0 {
			part = part[:i]
		}
		switch strings.ToLower(part) {
		case "en", "eng":
			return English
		case "ru", "rus":
			return Russian
		}
	}
	return English
}

// Renderer renders what belongs to one ruleset in one language. It does not change and is safe for concurrent use.
type Renderer struct {
	spec  *engine.Spec
	msgs  *messages
	names *names
}

type rendererKey struct {
	spec   *engine.Spec
	locale Locale
}

// renderers remembers what For has made: a pure function of its key.
var renderers sync.Map

// For is the renderer of a ruleset's vocabulary in a language. The second call with the same Spec costs a look-up, so Specs
// must be the few that live as long as the program; one without acts is not kept. A nil Spec gives a renderer that knows
// no names. A locale that is not one of this package's is taken as English.
func For(spec *engine.Spec, l Locale) *Renderer {
	if l != Russian {
		l = English
	}
	k := rendererKey{spec, l}
	if r, ok := renderers.Load(k); ok {
		return r.(*Renderer)
	}
	r := &Renderer{spec: spec, msgs: catalogue(l), names: indexNames(spec, l)}
	if spec != nil && len(spec.Acts) == 0 {
		return r // not a ruleset's: made for the occasion, and quick to make
	}
	kept, _ := renderers.LoadOrStore(k, r)
	return kept.(*Renderer)
}

// Line is one line of a battle's log. Fact is the place of the fact it tells of in the facts given; where it tells of
// several, the place of the first; -1 for none.
type Line struct {
	Text string
	Fact int
}
