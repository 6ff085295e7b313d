package dice

import (
	"fmt"
	"strconv"
	"strings"
)

// Scripted hands out faces that were written down, one script for all throws, consumed in order.
//
// A script is words parted by spaces, commas or semicolons. A word of +, - (or −), 0 and = (both blank) is as
// many Fudge faces; a number is the face of a die of kind Sum; d100:37 is a percent check or a D100, with
// d100:00 for 100.
type Scripted struct {
	items  []item
	next   int
	throws int
}

// item is one written face.
type item struct {
	kind  Kind
	value int16
}

var _ Source = (*Scripted)(nil)

// Script parses faces. It refuses a word that is no face, and says which.
func Script(text string) (*Scripted, error) {
	s := &Scripted{}
	for i, word := range strings.FieldsFunc(text, parting) {
		var err error
		if s.items, err = appendWord(s.items, word); err != nil {
			return nil, fmt.Errorf("dice: script word %d: %w", i+1, err)
		}
	}
	return s, nil
}

// MustScript is Script for a text that is known to be right; it panics if it is not.
func MustScript(text string) *Scripted {
	s, err := Script(text)
	if err != nil {
		panic(err)
	}
	return s
}

func parting(r rune) bool { return strings.ContainsRune(" \t\r\n,;", r) }

func appendWord(items []item, word string) ([]item, error) {
	if digits, ok := strings.CutPrefix(word, "d100:"); ok {
		if digits == "00" {
			digits = "100"
		}
		v, err := strconv.ParseUint(digits, 10, 8)
		if err != nil || v < 1 || v > 100 {
			return nil, fmt.Errorf("%q: a d100 is 1…100, or 00 for 100", word)
		}
		return append(items, item{D100, int16(v)}), nil
	}
	if strings.Trim(word, "+-−0=") == "" {
		for _, r := range word {
			v := int16(0)
			switch r {
			case '+':
				v = 1
			case '-', '−':
				v = -1
			}
			items = append(items, item{Fudge, v})
		}
		return items, nil
	}
	v, err := strconv.ParseUint(word, 10, 15)
	if err != nil || v < 1 {
		return nil, fmt.Errorf("%q: a face is +, -, 0, =, a number of 1…%d or d100:N", word, MaxSides)
	}
	return append(items, item{Sum, int16(v)}), nil
}

// Throw takes the next faces. It panics, naming the throw, if the script has run out or its next face does
// not fit the formula.
func (s *Scripted) Throw(at At, f Formula) Throw {
	f.outcomes() // refuses a bad formula
	s.throws++
	start := s.next
	t := Throw{Kind: f.Kind, At: at, Percent: int8(f.Percent)}
	switch f.Kind {
	case Fudge:
		t.Count, t.Sides = 4, 3
		for i := range 4 {
			t.Faces[i] = s.take(start, &f, at, Fudge, 3)
		}
		t.Sum = t.Natural()
		if checked(t.Sum, f.Percent) {
			d100 := s.take(start, &f, at, D100, 100)
			t.check(t.Faces[0], t.Faces[1], t.Faces[2], t.Faces[3], f.Percent, int32(d100))
		}
	case D100:
		t.Count, t.Sides = 1, 100
		t.D100 = int8(s.take(start, &f, at, D100, 100))
		t.Sum = int32(t.D100)
	case Sum:
		t.Count, t.Sides = int8(f.Count), int16(f.Sides)
		for i := range f.Count {
			t.Faces[i] = s.take(start, &f, at, Sum, t.Sides)
		}
		t.Sum = t.Natural()
	}
	return t
}

// take hands out one face of a kind; start is where the throw's faces began.
func (s *Scripted) take(start int, f *Formula, at At, kind Kind, sides int16) int16 {
	if s.next == len(s.items) {
		panic(fmt.Sprintf("dice: the script ran out in throw %d, %s at %s, which has only %q of it",
			s.throws, f, at, format(s.items[start:])))
	}
	got := s.items[s.next]
	if got.kind != kind || got.value > sides {
		want := "+, - or 0"
		switch kind {
		case D100:
			want = "d100:N"
		case Sum:
			want = fmt.Sprintf("1…%d", sides)
		}
		panic(fmt.Sprintf("dice: throw %d, %s at %s, needs %s, but the script goes on with %q",
			s.throws, f, at, want, format(s.items[s.next:])))
	}
	s.next++
	return got.value
}

// Left is the faces not thrown yet, as a script; empty when all are used.
func (s *Scripted) Left() string { return format(s.items[s.next:]) }

// format writes faces so that Script reads them back.
func format(items []item) string {
	var b []byte
	for i, it := range items {
		if i > 0 {
			b = append(b, ' ')
		}
		switch it.kind {
		case Fudge:
			b = append(b, mark(it.value))
		case D100:
			b = strconv.AppendInt(append(b, "d100:"...), int64(it.value), 10)
		case Sum:
			b = strconv.AppendInt(b, int64(it.value), 10)
		}
	}
	return string(b)
}
