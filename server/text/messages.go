package text

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed messages.en.yaml messages.ru.yaml
var files embed.FS

// messages are the sentences of one language.
type messages struct {
	lang *language
	all  map[string]*message // by base key
}

// message is a sentence and its variants: "resolved", "resolved.hit", "resolved.missed" …
type message struct {
	base     *template
	variants map[string]*template
}

// catalogue is the messages of a locale, read once. The files are a part of the program: one that cannot be used is a
// broken build, and panics.
func catalogue(l Locale) *messages {
	if l == Russian {
		return russian()
	}
	return english()
}

var (
	english = sync.OnceValue(func() *messages { return mustLoad(English) })
	russian = sync.OnceValue(func() *messages { return mustLoad(Russian) })
)

func mustLoad(l Locale) *messages {
	src, err := files.ReadFile("messages." + string(l) + ".yaml")
	if err != nil {
		panic(err)
	}
	m, err := load(l, src)
	if err != nil {
		panic(fmt.Sprintf("text: messages.%s.yaml: %v", l, err))
	}
	return m
}

// load reads a message file: a flat list of keys. A key is a base, or a base and a variant after a dot.
func load(l Locale, src []byte) (*messages, error) {
	var raw map[string]string
	if err := yaml.UnmarshalWithOptions(src, &raw, yaml.Strict()); err != nil {
		return nil, err
	}
	m := &messages{lang: languageOf(l), all: make(map[string]*message, len(signatures))}
	for _, s := range signatures {
		m.all[s.base] = &message{variants: map[string]*template{}}
	}
	for key, src := range raw {
		base, variant, isVariant := strings.Cut(key, ".")
		sig := signatureOf(base)
		if sig == nil {
			return nil, fmt.Errorf("%s: no such message", key)
		}
		t, err := parse(src, m.lang.plurals)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		if sig.open {
			for _, h := range t.holds {
				if _, named := raw["arg."+h]; !named && !sig.holds(h) {
					return nil, fmt.Errorf("%s: no placeholder {%s}; it has %s and the keys of arg", key, h, sig.places)
				}
			}
		} else {
			for _, h := range t.holds {
				if !sig.holds(h) {
					return nil, fmt.Errorf("%s: no placeholder {%s}; it has %s", key, h, sig.places)
				}
			}
		}
		if isVariant {
			m.all[base].variants[variant] = t
		} else {
			m.all[base].base = t
		}
	}
	return m, nil
}

// find is the first variant that exists, else the message itself, else nil.
func (m *messages) find(base string, variants ...string) *template {
	msg := m.all[base]
	if msg == nil {
		panic(fmt.Sprintf("text: no message %q", base))
	}
	for _, v := range variants {
		if v == "" {
			continue
		}
		if t, ok := msg.variants[v]; ok {
			return t
		}
	}
	return msg.base
}

// has reports whether a variant exists.
func (m *messages) has(base, variant string) bool {
	_, ok := m.all[base].variants[variant]
	return ok
}

// fill makes a fragment of a sentence.
func (m *messages) fill(t *template, args ...arg) string {
	if t.silent() {
		return ""
	}
	w := writer{lang: m.lang, buf: make([]byte, 0, 96)}
	w.write(t.segs, args)
	return string(w.buf)
}

// line makes a sentence: what a variable part brings to its start gets a capital letter.
func (m *messages) line(t *template, args ...arg) string {
	if t.silent() {
		return ""
	}
	w := writer{lang: m.lang, buf: make([]byte, 0, 160), line: true}
	w.write(t.segs, args)
	return string(w.buf)
}

// word is a fragment without placeholders.
func (m *messages) word(base string, variants ...string) string {
	return m.fill(m.find(base, variants...))
}

// signature says which placeholders a message and its variants may use.
type signature struct {
	base   string
	places string // separated by spaces
	open   bool   // and the keys of arguments that rules give
}

func (s *signature) holds(name string) bool {
	for p := range strings.SplitSeq(s.places, " ") {
		if p == name {
			return true
		}
	}
	return false
}

func signatureOf(base string) *signature {
	i, ok := slices.BinarySearchFunc(signatures, base, func(s signature, b string) int { return strings.Compare(s.base, b) })
	if !ok {
		return nil
	}
	return &signatures[i]
}

// signatures are all the messages there are, sorted by base. A message of no placeholders is a word or a phrase.
var signatures = []signature{
	{base: "actor_gone", places: "actor reason"},
	{base: "actor_set", places: "actor team controller"},
	{base: "answered", places: "actor"},
	{base: "arg"},
	{base: "arg_item", places: "key value"},
	{base: "base", places: "from"},
	{base: "began", places: "title ruleset revision teams commitment"},
	{base: "block", places: "name cell"},
	{base: "blocks_changed", places: "by cells n"},
	{base: "clocked", places: "round slot"},
	{base: "cond_cleared", places: "on cond level part with why"},
	{base: "cond_set", places: "on cond level part with about item value"},
	{base: "controller", places: "player"},
	{base: "declared", places: "actor target act item part about cell amount mods"},
	{base: "ended", places: "outcomes seed"},
	{base: "entropy_added", places: "player"},
	{base: "error", open: true},
	{base: "error_args", places: "args"},
	{base: "framed"},
	{base: "gauge_set", places: "on gauge before now max"},
	{base: "item_gone", places: "item actor"},
	{base: "item_set", places: "actor item slot cell"},
	{base: "known_set", places: "actor of cell"},
	{base: "level", places: "n name"},
	{base: "mod", places: "n"},
	{base: "more", places: "n"},
	{base: "moved", places: "actor from to gait blocks"},
	{base: "observed", places: "actor target n cells band"},
	{base: "offer", places: "act targets items parts about mods amount cells cost no"},
	{base: "offer_amount", places: "min max"},
	{base: "offer_cost", places: "n gauge"},
	{base: "phase_set", places: "reason"},
	{base: "phrase"},
	{base: "plan_cleared", places: "on act why"},
	{base: "plan_set", places: "on act left total note"},
	{base: "posed", places: "actor"},
	{base: "prompt", places: "actor ask args"},
	{base: "prompt_closed", places: "actor"},
	{base: "prompt_kind"},
	{base: "prompt_limit", places: "seconds"},
	{base: "prompt_must"},
	{base: "prompted", places: "actor ask"},
	{base: "queued", places: "order actor"},
	{base: "ref"},
	{base: "refusal", open: true},
	{base: "refusal_args", places: "args"},
	{base: "refusal_cells", places: "cells"},
	{base: "refusal_region", places: "n"},
	{base: "refusal_rule", places: "rule title"},
	{base: "resolved", places: "actor target act outcome grade"},
	{base: "revised", places: "actor purpose mod roll"},
	{base: "rewound", places: "version reason"},
	{base: "roll_aim", places: "aim"},
	{base: "roll_base", places: "level trait how"},
	{base: "roll_mod", places: "amount mod rule source"},
	{base: "roll_result", places: "n name grade"},
	{base: "rolled", places: "actor target purpose roll other defence"},
	{base: "rule"},
	{base: "ruled", places: "what n scope reason"},
	{base: "rules_set", places: "reason"},
	{base: "ruling_cleared", places: "what"},
	{base: "said", places: "actor text", open: true},
	{base: "scope", places: "a b zone"},
	{base: "seat", places: "actor result"},
	{base: "tallied", places: "what on terms total band blocks"},
	{base: "team_outcome", places: "team outcome"},
	{base: "trait_set", places: "actor trait level"},
	{base: "unframed"},
	{base: "unit", places: "n"},
	{base: "unknown"},
	{base: "why"},
	{base: "zone_cleared", places: "zone why"},
	{base: "zone_set", places: "zone cells level by"},
}
