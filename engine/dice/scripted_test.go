package dice

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestScript(t *testing.T) {
	tests := map[string]string{
		"":                          "",
		" + + 0 - ":                 "+ + 0 -",
		"++=-":                      "+ + 0 -",
		"+,+;−\n=":                  "+ + - 0",
		"d100:37 d100:00 d100:100":  "d100:37 d100:100 d100:100",
		"00 10 5":                   "0 0 10 5",
		"+ = = - d100:007":          "+ 0 0 - d100:7",
		"32767":                     "32767",
		"1 +++- 2\td100:1\r\n= = =": "1 + + + - 2 d100:1 0 0 0",
	}
	for text, want := range tests {
		s, err := Script(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := s.Left(); got != want {
			t.Errorf("%q reads as %q, want %q", text, got, want)
		}
	}
}

func TestScriptRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"+ x":            `word 2: "x"`,
		"+1":             `word 1: "+1"`,
		"d100:0":         "00 for 100",
		"d100:101":       "a d100 is 1…100",
		"d100:":          "a d100 is 1…100",
		"d100:-5":        "a d100 is 1…100",
		"+ + + + 4dF":    `word 5: "4dF"`,
		"32768":          "1…32767",
		"99999999999":    "1…32767",
		"000007 ++ \xff": `word 3: "\xff"`,
	} {
		if _, err := Script(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	mustPanic(t, `word 1: "x"`, func() { MustScript("x") })
}

func TestScriptedOrder(t *testing.T) {
	s := MustScript("++== -=== d100:10 d100:77 5 3")
	at := At{Public, 4, 0}
	for _, step := range []struct {
		formula    Formula
		want, left string
	}{
		{FourFudge(0), "+ + 0 0", "- 0 0 0 d100:10 d100:77 5 3"},
		{FourFudge(25), "- 0 0 0 → - + 0 0 (10 ≤ 25)", "d100:77 5 3"},
		{Percentile(), "d100:77", "5 3"},
		{Dice(2, 10), "5 + 3 = 8", ""},
	} {
		got := s.Throw(at, step.formula)
		if got.String() != step.want || s.Left() != step.left || got.At != at {
			t.Errorf("%s: %s at %s, left %q; want %s, left %q", step.formula, got, got.At, s.Left(), step.want, step.left)
		}
		at.Pos++
	}
}

func TestScriptedPanics(t *testing.T) {
	tests := map[string]struct {
		script  string
		formula Formula
		want    string
	}{
		"empty":            {"", FourFudge(0), `ran out in throw 1, 4dF at public 9.2, which has only ""`},
		"three faces":      {"+ + -", FourFudge(0), `ran out in throw 1, 4dF at public 9.2, which has only "+ + -"`},
		"no d100":          {"+ + - -", FourFudge(-50), `ran out in throw 1, 4dF-50% at public 9.2, which has only "+ + - -"`},
		"faces for d100":   {"++-- +", FourFudge(50), `needs d100:N, but the script goes on with "+"`},
		"d100 for faces":   {"d100:5", FourFudge(0), `needs +, - or 0, but the script goes on with "d100:5"`},
		"number for faces": {"1 1 1 1", FourFudge(0), `needs +, - or 0`},
		"too high":         {"3 7", Dice(2, 6), `needs 1…6, but the script goes on with "7"`},
		"formula":          {"++++", FourFudge(100), "percent 100"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			mustPanic(t, test.want, func() { MustScript(test.script).Throw(At{Public, 9, 2}, test.formula) })
		})
	}
	s := MustScript("++++ 1")
	s.Throw(At{}, FourFudge(0))
	mustPanic(t, "throw 2, d100", func() { s.Throw(At{}, Percentile()) })
}

// TestScriptOfThrow plays any seeded throw again from its own script.
func TestScriptOfThrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, f := drawAt(t), drawFormula(t)
		want := NewSeeded(seed()).Throw(at, f)
		s := MustScript(want.Script())
		if got := s.Throw(at, f); got != want || s.Left() != "" {
			t.Fatalf("%s from %q gives %s, left %q", want, want.Script(), got, s.Left())
		}
	})
}

// FuzzScript holds that what is read is written so that it reads the same, and that nothing breaks the parser.
func FuzzScript(f *testing.F) {
	for _, text := range []string{"", "+ + 0 -", "++=−", "d100:37", "10 2 3", "d100:00,=;=", "+1", "\xff", "d100:999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Script(text)
		if err != nil {
			return
		}
		left := s.Left()
		back, err := Script(left)
		if err != nil || back.Left() != left {
			t.Fatalf("%q is written as %q, which reads as %v, %v", text, left, back, err)
		}
		if len(back.items) != len(s.items) {
			t.Fatalf("%q has %d faces, %q has %d", text, len(s.items), left, len(back.items))
		}
	})
}
