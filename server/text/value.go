package text

import (
	"strconv"
	"strings"
	"unicode"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// language is what grammar needs to know.
type language struct {
	locale  Locale
	plurals int // forms of a choice by number
	decimal byte
}

func languageOf(l Locale) *language {
	if l == Russian {
		return &language{locale: l, plurals: 3, decimal: ','}
	}
	return &language{locale: English, plurals: 2, decimal: '.'}
}

// plural is which form a number takes.
func (l *language) plural(n int64) int {
	if n < 0 {
		n = -n
	}
	if l.locale != Russian {
		if n == 1 {
			return 0
		}
		return 1
	}
	switch ones, tens := n%10, n%100; {
	case ones == 1 && tens != 11:
		return 0
	case ones >= 2 && ones <= 4 && (tens < 12 || tens > 14):
		return 1
	}
	return 2
}

// value is what stands in a placeholder: a name with its case forms, words, or a number. The zero value is empty.
type value struct {
	s, gen, acc string
	n           int64
	scale       int64 // of a number: n is in 1/scale; 0: no number
	gender      engine.Gender
	proper      bool // somebody's own words or name: never changed
}

func (v value) empty() bool { return v.s == "" && v.scale == 0 }

// choose picks by gender among four forms, by number among as many as the language has.
func (v *value) choose(forms []string, l *language) string {
	if v.scale != 0 {
		i := l.plural(v.n)
		if v.scale > 1 && v.n%v.scale != 0 {
			i = 1 // a fraction: 1.5 blocks, 1,5 блока
		} else if v.scale > 1 {
			i = l.plural(v.n / v.scale)
		}
		if i < len(forms) {
			return forms[i]
		}
		return forms[len(forms)-1]
	}
	if i := int(v.gender); i < len(forms) {
		return forms[i]
	}
	return forms[0]
}

func (v *value) append(b []byte, f form, l *language) []byte {
	if v.scale != 0 {
		return appendNumber(b, v.n, v.scale, f == signed, l.decimal)
	}
	switch {
	case f == genitive && v.gen != "":
		return append(b, v.gen...)
	case f == accusative && v.acc != "":
		return append(b, v.acc...)
	}
	return append(b, v.s...)
}

// appendNumber writes n/scale with at most two digits after the point, cut off.
func appendNumber(b []byte, n, scale int64, sign bool, decimal byte) []byte {
	switch {
	case n < 0:
		b = append(b, "−"...)
	case sign:
		b = append(b, '+')
	}
	// The smallest number has no opposite; its distance from zero does as an unsigned one.
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	if scale <= 1 {
		return strconv.AppendUint(b, u, 10)
	}
	b = strconv.AppendUint(b, u/uint64(scale), 10)
	rest := u % uint64(scale)
	digits := [2]byte{byte(rest * 10 / uint64(scale)), byte(rest * 10 % uint64(scale) * 10 / uint64(scale))}
	switch {
	case digits[1] != 0:
		return append(b, decimal, '0'+digits[0], '0'+digits[1])
	case digits[0] != 0:
		return append(b, decimal, '0'+digits[0])
	}
	return b
}

// number is a whole number.
func number(n int64) value { return value{n: n, scale: 1} }

// scaled is a number in 1/scale.
func scaled(n, scale int64) value { return value{n: n, scale: max(scale, 1)} }

// phrase is text of the message files.
func phrase(s string) value { return value{s: s} }

// own is what somebody typed or how somebody is called: one line, without control characters.
func own(s string) value { return value{s: clean(s), proper: true} }

// cellValue is a block's coordinates.
func cellValue(p voxel.Pos) value { return value{s: p.String(), proper: true} }

// clean puts text on one line and takes out what would move the cursor or turn the direction of writing.
func clean(s string) string {
	bad := func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar ||
			r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
	}
	if strings.IndexFunc(s, bad) < 0 {
		return s
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if bad(r) {
			return ' '
		}
		return r
	}, s))
}
