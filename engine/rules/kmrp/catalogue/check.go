package catalogue

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"autobattle/engine"
)

// checker reports what is wrong with one entry.
type checker struct {
	l     *loader
	at    place
	entry string
}

func (l *loader) checker(at place, key string) *checker {
	return &checker{l, at, strconv.Quote(key)}
}

// missing reports an entry that no file has and rules need.
func (l *loader) missing(section, key string) {
	l.fail(place{file: "."}, section+" "+strconv.Quote(key), "is missing; the rules name it, so no catalogue may lack it")
}

func (k *checker) fail(format string, args ...any) { k.l.fail(k.at, k.entry, format, args...) }

// head checks what every entry has: a name, a text in both languages, and a source.
func (k *checker) head(c *Catalogue, name string, t engine.Text, s Source) {
	k.name(name)
	k.text(t)
	k.source(c, s)
}

func (k *checker) source(c *Catalogue, s Source) {
	k.oneOf("from", string(s.From), string(Stated), string(Recovered), string(Inferred), string(Ours), string(House))
	if lookup(c.rules, s.Rule, func(r *engine.RuleSpec) engine.Rule { return r.ID }) == nil {
		k.fail("rule %q is not in the section rules; name a rule of the rulebook's catalogue, as in \"rule: KM-MEL-01\", or add it", s.Rule)
	}
}

// name checks a name: lower-case letters, digits and underscores, a letter first.
func (k *checker) name(s string) {
	ok := s != "" && len(s) <= 64 && s[0] >= 'a' && s[0] <= 'z'
	for _, r := range s {
		ok = ok && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_')
	}
	if !ok {
		k.fail("name %q is not a name; it must be 1 to 64 lower-case letters, digits and _, a letter first", s)
	}
}

func (k *checker) text(t engine.Text) {
	if strings.TrimSpace(t.En) == "" || cyrillic(t.En) {
		k.fail("text.en is %q; it must be the English name", t.En)
	}
	if !cyrillic(t.Ru) && !symbols(t.Ru) {
		k.fail("text.ru is %q; it must be the Russian name", t.Ru)
	}
}

func cyrillic(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) >= 0
}

// symbols reports a text of figures and signs alone, as 4dF might be.
func symbols(s string) bool {
	return strings.TrimSpace(s) != "" && strings.IndexFunc(s, unicode.IsLetter) < 0
}

func (k *checker) between(field string, n, lo, hi int32) {
	if n < lo || n > hi {
		k.fail("%s is %d; it must be %d to %d", field, n, lo, hi)
	}
}

func (k *checker) oneOf(field, s string, words ...string) {
	if slices.Contains(words, s) {
		return
	}
	shown := make([]string, 0, len(words))
	for _, w := range words {
		if w != "" {
			shown = append(shown, w)
		}
	}
	k.fail("%s is %q; it must be %s", field, s, strings.Join(shown, ", "))
}

// known reports a reference to something that is not there.
func (k *checker) known(field, ref string, ok bool, names func() []string) {
	if ok {
		return
	}
	k.fail("%s: there is no %q; there are %s", field, ref, strings.Join(names(), ", "))
}

// ordered reports two equal members of a list.
func (k *checker) ordered(field string, n int, differ func(i, j int) bool) {
	for i := range n {
		for j := range i {
			if !differ(i, j) {
				k.fail("%s: number %d repeats number %d; each stands once", field, i+1, j+1)
				return
			}
		}
	}
}

// bits joins words to a set.
func bits[B ~uint8 | ~uint32](k *checker, field string, names []string, words []word[B]) B {
	var set B
	for _, n := range names {
		i := slices.IndexFunc(words, func(w word[B]) bool { return w.name == n })
		if i < 0 {
			k.known(field, n, false, func() []string { return keys(words, func(w *word[B]) string { return w.name }) })
			continue
		}
		set |= words[i].bit
	}
	return set
}

// collect sorts a section by key, checks its entries, and gives their values.
func collect[T any, P record[T]](l *loader, s *list[T, P], check func(*checker, P)) []T {
	slices.SortFunc(s.items, func(a, b entry[T]) int {
		return strings.Compare(P(&a.val).key(), P(&b.val).key())
	})
	out := make([]T, len(s.items))
	for i := range s.items {
		e := &s.items[i]
		check(l.checker(e.at, P(&e.val).key()), P(&e.val))
		out[i] = e.val
	}
	return out
}
