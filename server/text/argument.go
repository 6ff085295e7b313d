package text

import (
	"strings"

	"autobattle/engine"
)

// nameKinds says which kind of name stands under the key of an argument.
func nameKind(key string) string {
	switch key {
	case "missing", "about", "substitute":
		return kindTrait
	case "condition":
		return kindCond
	case "modifier", "degree":
		return kindMod
	case "weapon", "ammunition", "armour", "shield", "ref":
		return kindItem
	case "class", "instead", "needed":
		return kindAct
	case "figure":
		return kindQuantity
	}
	return key
}

// argument is the value of a rule's argument.
func (s *scene) argument(a *engine.Arg) value {
	switch a.Kind {
	case engine.ArgNumber:
		return number(a.N)
	case engine.ArgLevel:
		return s.level(a.N)
	case engine.ArgName:
		return s.name(nameKind(a.Key), a.Name)
	case engine.ArgRef:
		return s.ref(a.Ref)
	case engine.ArgCell:
		return cellValue(a.Cell)
	}
	return s.words(a)
}

// words is free text. What the engine says in plain words has a translation; the name of a thing that exists has its text.
func (r *Renderer) words(a *engine.Arg) value {
	if r.msgs.has("phrase", slug(a.Name)) {
		return phrase(r.msgs.word("phrase", slug(a.Name)))
	}
	if v, ok := r.names.of[nameKey{nameKind(a.Key), a.Name}]; ok {
		return v
	}
	return own(a.Name)
}

// slug is a phrase as a key: its letters and digits, with _ between words.
func slug(s string) string {
	if len(s) > 80 {
		return ""
	}
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "_")
}

// keyName is what an argument is called when it is listed.
func (r *Renderer) keyName(key string) value {
	if r.msgs.has("arg", key) {
		return phrase(r.msgs.word("arg", key))
	}
	return own(strings.ReplaceAll(key, "_", " "))
}

// listed are the arguments that no sentence has used: "cost: 7, left: 3".
func (s *scene) listed(args []engine.Arg, used uint32) value {
	l := s.list()
	for i := range args {
		if used&(1<<i) != 0 && i < 32 {
			continue
		}
		v := s.argument(&args[i])
		if v.empty() {
			continue
		}
		l.add(phrase(s.msgs.fill(s.msgs.find("arg_item"), arg{"key", s.keyName(args[i].Key)}, arg{"value", v})))
	}
	if l.n == 0 {
		return value{}
	}
	return phrase(string(l.buf))
}

// told writes a message over a rule's arguments and lists with list what it does not use.
func (s *scene) told(t *template, list string, args []engine.Arg, more ...arg) string {
	if t.silent() {
		return ""
	}
	vals := make([]arg, 0, len(args)+len(more))
	for i := range args {
		vals = append(vals, arg{args[i].Key, s.argument(&args[i])})
	}
	vals = append(vals, more...)
	w := writer{lang: s.msgs.lang, buf: make([]byte, 0, 192), line: true}
	w.write(t.segs, vals)
	out := string(w.buf)
	if list != "" {
		if rest := s.listed(args, w.used); !rest.empty() {
			sentence, stop := strings.CutSuffix(out, ".")
			out = sentence + s.msgs.fill(s.msgs.find(list), arg{"args", rest})
			if stop {
				out += "."
			}
		}
	}
	return out
}
