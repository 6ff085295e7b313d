package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"autobattle/engine"
)

// The kinds of names, as Name takes them.
const (
	kindAct      = "act"
	kindTrait    = "trait"
	kindGauge    = "gauge"
	kindCond     = "cond"
	kindPart     = "part"
	kindMod      = "mod"
	kindSlot     = "slot"
	kindBody     = "body"
	kindOutcome  = "outcome"
	kindGrade    = "grade"
	kindPurpose  = "purpose"
	kindAsk      = "ask"
	kindQuantity = "quantity"
	kindOption   = "option"
	kindItem     = "item"
	kindBand     = "band"
	kindRule     = "rule"
	kindRuleset  = "ruleset"
	kindProp     = "prop"
)

type nameKey struct{ kind, name string }

// names are the texts of a Spec in one language. What the empty kind holds is the first of that name of any kind.
type names struct {
	of     map[nameKey]value  // as they stand inside a sentence
	titles map[nameKey]string // as the catalogue writes them
	conds  map[engine.CondName][]value
	levels map[int32]string
}

func indexNames(spec *engine.Spec, l Locale) *names {
	n := &names{of: map[nameKey]value{}, titles: map[nameKey]string{}, conds: map[engine.CondName][]value{}, levels: map[int32]string{}}
	if spec == nil {
		return n
	}
	n.put(l, kindRuleset, string(spec.ID), &spec.Name, true)
	for i := range spec.Acts {
		n.put(l, kindAct, string(spec.Acts[i].Name), &spec.Acts[i].Text, false)
	}
	for i := range spec.Traits {
		n.put(l, kindTrait, string(spec.Traits[i].Name), &spec.Traits[i].Text, false)
	}
	for i := range spec.Items {
		n.put(l, kindItem, string(spec.Items[i].Ref), &spec.Items[i].Text, !common(&spec.Items[i].Text))
		for k := range spec.Items[i].Props {
			n.put(l, kindProp, spec.Items[i].Props[k].Name, &spec.Items[i].Props[k].Text, false)
		}
	}
	for i := range spec.Conds {
		c := &spec.Conds[i]
		n.put(l, kindCond, string(c.Name), &c.Text, false)
		levels := make([]value, len(c.Levels))
		for k := range c.Levels {
			levels[k] = nameValue(l, &c.Levels[k], false)
		}
		n.conds[c.Name] = levels
	}
	for i := range spec.Gauges {
		n.put(l, kindGauge, string(spec.Gauges[i].Name), &spec.Gauges[i].Text, false)
	}
	for _, t := range [...]struct {
		kind string
		list []engine.NameSpec
	}{
		{kindPart, spec.Parts}, {kindSlot, spec.Slots}, {kindOutcome, spec.Outcomes}, {kindGrade, spec.Grades},
		{kindPurpose, spec.Purposes}, {kindAsk, spec.Asks}, {kindBand, spec.Bands}, {kindMod, spec.Mods},
	} {
		for i := range t.list {
			n.put(l, t.kind, t.list[i].Name, &t.list[i].Text, false)
		}
	}
	for i := range spec.Figures {
		n.put(l, kindQuantity, string(spec.Figures[i].Name), &spec.Figures[i].Text, false)
	}
	for i := range spec.Bodies {
		n.put(l, kindBody, string(spec.Bodies[i].Name), &spec.Bodies[i].Text, false)
	}
	for i := range spec.Options {
		n.put(l, kindOption, string(spec.Options[i].Name), &spec.Options[i].Text, false)
	}
	for i := range spec.Rules {
		n.put(l, kindRule, string(spec.Rules[i].ID), &spec.Rules[i].Text, true)
	}
	for i := range spec.Levels {
		n.levels[spec.Levels[i].N] = clean(in(l, &spec.Levels[i].Text))
	}
	return n
}

func in(l Locale, t *engine.Text) string {
	if l == Russian && t.Ru != "" {
		return t.Ru
	}
	return t.En
}

// put adds a name; a text that says nothing is none.
func (n *names) put(l Locale, kind, name string, t *engine.Text, title bool) {
	if in(l, t) == "" {
		return
	}
	v := nameValue(l, t, title)
	k := nameKey{kind, name}
	if _, ok := n.of[k]; ok {
		return
	}
	n.of[k], n.titles[k] = v, clean(in(l, t))
	any := nameKey{"", name}
	if _, ok := n.of[any]; !ok {
		n.of[any], n.titles[any] = v, n.titles[k]
	}
}

// nameValue is a catalogue name as it stands inside a sentence.
func nameValue(l Locale, t *engine.Text, title bool) value {
	v := value{s: clean(in(l, t))}
	if l == Russian {
		v.gen, v.acc = clean(t.RuGen), clean(t.RuAcc)
	}
	if !title {
		v.s, v.gen, v.acc = small(v.s), small(v.gen), small(v.acc)
	}
	return v
}

// common reports whether the name of a thing is a common noun. The Russian text tells: the catalogue writes capital letters
// in names and abbreviations alone, while its English texts are headings.
func common(t *engine.Text) bool { return strings.IndexFunc(t.Ru, unicode.IsUpper) < 0 && t.Ru != "" }

// small makes the first letter a small one, unless the first word is an abbreviation.
func small(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[n:])
	if !unicode.IsUpper(r) || unicode.IsUpper(next) || unicode.IsDigit(next) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// name is a name's text inside a sentence; a name without text is shown as it is.
func (r *Renderer) name(kind, name string) value {
	if name == "" {
		return value{}
	}
	if v, ok := r.names.of[nameKey{kind, name}]; ok {
		return v
	}
	if v, ok := r.names.of[nameKey{"", name}]; ok {
		return v
	}
	return own(name)
}

// Name is the text of a name as the ruleset's catalogue writes it. kind is act, trait, gauge, cond, part, mod, slot, body,
// outcome, grade, purpose, ask, quantity, option, item, band, prop, rule, ruleset or level; empty: any. A name without text
// is given back as it is.
func (r *Renderer) Name(kind, name string) string {
	if t, ok := r.names.titles[nameKey{kind, name}]; ok {
		return t
	}
	if kind == kindRule && r.msgs.has("rule", name) {
		return r.msgs.word("rule", name)
	}
	if t, ok := r.names.titles[nameKey{"", name}]; ok {
		return t
	}
	return clean(name)
}

// level is a level of the ladder with its name: 4 (Good). Beyond the ladder, and where there is none, the number alone.
func (r *Renderer) level(n int64) value {
	if n >= -1<<31 && n < 1<<31 {
		if name, ok := r.names.levels[int32(n)]; ok {
			return phrase(r.msgs.fill(r.msgs.find("level"), arg{"n", number(n)}, arg{"name", phrase(name)}))
		}
	}
	return number(n)
}

// levelName is the ladder's word alone, empty beyond the ladder.
func (r *Renderer) levelName(n int64) value {
	if n >= -1<<31 && n < 1<<31 {
		return phrase(r.names.levels[int32(n)])
	}
	return value{}
}

// ruleTitle is the title of a rule of the rulebook or of the engine; empty where there is none.
func (r *Renderer) ruleTitle(id engine.Rule) string {
	if t, ok := r.names.titles[nameKey{kindRule, string(id)}]; ok {
		return t
	}
	return r.msgs.word("rule", string(id))
}
