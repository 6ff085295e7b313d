package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// template is one message, parsed. In the files:
//
//	{name}            the value of a placeholder
//	{name:gen}        its genitive; acc its accusative; sign a number with its sign
//	{name|a|b|c|d}    a choice: by the gender of a name (masculine, feminine, neuter, plural), or by a number (one|other
//	                  in English, one|few|many in Russian)
//	[ … ]             left out unless every placeholder in it has a value
//	{{ }} [[ ]]       the characters themselves
//
// A message of no characters says nothing.
type template struct {
	segs  []segment
	holds []string // placeholders, sorted
}

// segment is literal text, a placeholder, or an optional part.
type segment struct {
	lit    string
	name   string
	form   form
	choice []string
	part   []segment
}

type form uint8

const (
	plain form = iota
	genitive
	accusative
	signed
)

// silent reports whether the message says nothing.
func (t *template) silent() bool { return t == nil || len(t.segs) == 0 }

// parse reads a message. plurals is how many forms a choice by number has in its language.
func parse(src string, plurals int) (*template, error) {
	p := reader{src: src, plurals: plurals}
	segs, err := p.until(false)
	if err != nil {
		return nil, fmt.Errorf("%q at %d: %w", src, p.pos, err)
	}
	slices.Sort(p.holds)
	return &template{segs: segs, holds: slices.Compact(p.holds)}, nil
}

type reader struct {
	src     string
	pos     int
	plurals int
	holds   []string
}

// until reads segments up to the end, or up to the bracket that closes an optional part.
func (p *reader) until(inPart bool) ([]segment, error) {
	var segs []segment
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			segs = append(segs, segment{lit: lit.String()})
			lit.Reset()
		}
	}
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if strings.IndexByte("{}[]", c) >= 0 && p.pos+1 < len(p.src) && p.src[p.pos+1] == c {
			lit.WriteByte(c)
			p.pos += 2
			continue
		}
		switch c {
		case '{':
			flush()
			s, err := p.placeholder()
			if err != nil {
				return nil, err
			}
			segs = append(segs, s)
			continue
		case '[':
			if inPart {
				return nil, fmt.Errorf("an optional part inside another")
			}
			flush()
			p.pos++
			part, err := p.until(true)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(part, func(s segment) bool { return s.name != "" }) {
				return nil, fmt.Errorf("an optional part without a placeholder; write [[ for the bracket itself")
			}
			segs = append(segs, segment{part: part})
			continue
		case ']':
			if !inPart {
				return nil, fmt.Errorf("] without [; write ]] for the bracket itself")
			}
			flush()
			p.pos++
			return segs, nil
		case '}':
			return nil, fmt.Errorf("} without {; write }} for the brace itself")
		}
		lit.WriteByte(c)
		p.pos++
	}
	if inPart {
		return nil, fmt.Errorf("[ without ]")
	}
	flush()
	return segs, nil
}

func (p *reader) placeholder() (segment, error) {
	end := strings.IndexByte(p.src[p.pos:], '}')
	if end < 0 {
		return segment{}, fmt.Errorf("{ without }")
	}
	body := p.src[p.pos+1 : p.pos+end]
	head, rest, chooses := strings.Cut(body, "|")
	name, f, formed := strings.Cut(head, ":")
	s := segment{name: name}
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" {
		return s, fmt.Errorf("placeholder {%s}: its name is of a-z, 0-9 and _", body)
	}
	if formed {
		switch f {
		case "gen":
			s.form = genitive
		case "acc":
			s.form = accusative
		case "sign":
			s.form = signed
		default:
			return s, fmt.Errorf("placeholder {%s}: the form is gen, acc or sign", body)
		}
	}
	if chooses {
		s.choice = strings.Split(rest, "|")
		if n := len(s.choice); formed || n != 4 && n != p.plurals {
			return s, fmt.Errorf("placeholder {%s}: a choice has 4 forms by gender or %d by number, and no form", body, p.plurals)
		}
		if strings.ContainsAny(rest, "{[]") {
			return s, fmt.Errorf("placeholder {%s}: a choice is of plain words", body)
		}
	}
	p.holds = append(p.holds, name)
	p.pos += end + 1
	return s, nil
}

// arg is one value for a placeholder.
type arg struct {
	key string
	val value
}

// writer fills templates.
type writer struct {
	buf  []byte
	lang *language
	used uint32 // bit i: args[i] was written
	line bool   // the first letter is a sentence's
}

// write appends a template. An argument that is not given, or is empty, leaves nothing.
func (w *writer) write(segs []segment, args []arg) {
	for i := range segs {
		s := &segs[i]
		switch {
		case s.part != nil:
			if filled(s.part, args) {
				w.write(s.part, args)
			}
		case s.name == "":
			w.buf = append(w.buf, s.lit...)
		default:
			for k := range args {
				if args[k].key == s.name {
					w.used |= 1 << k
					w.put(s, &args[k].val)
					break
				}
			}
		}
	}
}

func filled(part []segment, args []arg) bool {
	for i := range part {
		if name := part[i].name; name != "" {
			k := slices.IndexFunc(args, func(a arg) bool { return a.key == name })
			if k < 0 || args[k].val.empty() {
				return false
			}
		}
	}
	return true
}

func (w *writer) put(s *segment, v *value) {
	if s.choice != nil {
		w.buf = append(w.buf, v.choose(s.choice, w.lang)...)
		return
	}
	start := len(w.buf)
	w.buf = v.append(w.buf, s.form, w.lang)
	if start == 0 && w.line && !v.proper {
		w.buf = capital(w.buf)
	}
}

// capital makes the first letter of b a capital one.
func capital(b []byte) []byte {
	r, n := utf8.DecodeRune(b)
	up := unicode.ToUpper(r)
	if up == r || r == utf8.RuneError {
		return b
	}
	return append(utf8.AppendRune(make([]byte, 0, len(b)+2), up), b[n:]...)
}
