package dice

import (
	"strings"
	"testing"
)

// TestTurn plays the examples of KM-PCT-02…-09 and of the rulebook's annex on written faces.
func TestTurn(t *testing.T) {
	tests := map[string]struct {
		percent int32
		script  string // faces, then the d100 if the rules throw one
		want    string
		sum     int32
	}{
		"no percentage, no d100":                 {0, "-++=", "- + + 0", 1},
		"KM-DICE-07 heavy wound":                 {-50, "+==- d100:37", "+ 0 0 - → + - 0 - (37 ≤ 50)", -1},
		"KM-PCT-02 within":                       {25, "-++= d100:25", "- + + 0 → - + + + (25 ≤ 25)", 2},
		"KM-PCT-02 above":                        {25, "-++= d100:26", "- + + 0 (26 > 25)", 1},
		"KM-PCT-04 penalty on the blank":         {-50, "-++= d100:1", "- + + 0 → - + + - (1 ≤ 50)", 0},
		"KM-PCT-08 bonus on ++++":                {99, "++++", "+ + + +", 4},
		"KM-PCT-08 penalty on ++++":              {-50, "++++ d100:50", "+ + + + → 0 + + + (50 ≤ 50)", 3},
		"KM-PCT-08 penalty on ----":              {-99, "----", "- - - -", -4},
		"KM-PCT-08 bonus on ----":                {25, "---- d100:1", "- - - - → 0 - - - (1 ≤ 25)", -3},
		"KM-PCT-09 penalty, no blank":            {-25, "++-- d100:5", "+ + - - → 0 + - - (5 ≤ 25)", -1},
		"KM-PCT-09 bonus, no blank":              {25, "--++ d100:5", "- - + + → 0 - + + (5 ≤ 25)", 1},
		"KM-PCT-09 leftmost of two blanks":       {25, "-=+= d100:5", "- 0 + 0 → - + + 0 (5 ≤ 25)", 1},
		"KM-PCT-09 bonus skips pluses":           {25, "++-- d100:5", "+ + - - → + + 0 - (5 ≤ 25)", 1},
		"KM-PCT-09 penalty skips minuses":        {-25, "---+ d100:5", "- - - + → - - - 0 (5 ≤ 25)", -3},
		"KM-PCT-07 one hundred never triggers":   {99, "==== d100:00", "0 0 0 0 (100 > 99)", 0},
		"KM-PCT-08 raised to four, not critical": {99, "+++= d100:99", "+ + + 0 → + + + + (99 ≤ 99)", 4},
		"KM-ADV-03 first attempt":                {25, "==-+ d100:80", "0 0 - + (80 > 25)", 0},
		"KM-ADV-03 second attempt":               {25, "=--+ d100:12", "0 - - + → + - - + (12 ≤ 25)", 0},
		"Annex B 12, remainder of -150 unmoved":  {-50, "++++ d100:51", "+ + + + (51 > 50)", 4},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := MustScript(test.script)
			got := s.Throw(At{}, FourFudge(test.percent))
			if got.String() != test.want || got.Sum != test.sum {
				t.Errorf("%s = %d, want %s = %d", got, got.Sum, test.want, test.sum)
			}
			if left := s.Left(); left != "" {
				t.Errorf("faces left over: %s", left)
			}
		})
	}
}

// TestTurnEverywhere holds the rules on all faces, percentages and d100 values: what is blocked, how far the sum
// moves, which die turns.
func TestTurnEverywhere(t *testing.T) {
	for i := range uint64(81) {
		throw := FourFudge(0).Nth(At{}, i*100)
		faces := [4]int16(throw.Faces[:4])
		for p := int32(-99); p <= 99; p++ {
			for d100 := int32(1); d100 <= 100; d100++ {
				after, turned := Turn(faces, p, d100)
				step := int16(0)
				switch {
				case p > 0 && d100 <= p && throw.Sum != 4:
					step = 1
				case p < 0 && d100 <= -p && throw.Sum != -4:
					step = -1
				}
				if (turned != 0) != (step != 0) {
					t.Fatalf("%v at %d%%, d100 %d: turned %d", faces, p, d100, turned)
				}
				if turned == 0 {
					if after != faces {
						t.Fatalf("%v at %d%%, d100 %d: became %v without a turn", faces, p, d100, after)
					}
					continue
				}
				for k := range after {
					want := faces[k]
					if k == int(turned)-1 {
						want += step
					}
					if after[k] != want {
						t.Fatalf("%v at %d%%, d100 %d: became %v, turned %d", faces, p, d100, after, turned)
					}
					before := k < int(turned)-1
					if before && faces[k] == 0 || before && faces[k] == -step && faces[turned-1] != 0 || after[k] < -1 || after[k] > 1 {
						t.Fatalf("%v at %d%%, d100 %d: die %d should have turned, not %d", faces, p, d100, k+1, turned)
					}
				}
				if faces[turned-1] != 0 && strings.Contains(throw.Script(), "0") {
					t.Fatalf("%v at %d%%, d100 %d: a blank is left and die %d turned", faces, p, d100, turned)
				}
			}
		}
	}
}

// TestSplit plays the examples of KM-PCT-06.
func TestSplit(t *testing.T) {
	for _, test := range [][3]int32{
		{0, 0, 0}, {-50, 0, -50}, {-150, -1, -50}, {130, 1, 30}, {-100, -1, 0}, {-99, 0, -99}, {-90, 0, -90},
		{100, 1, 0}, {99, 0, 99}, {250, 2, 50},
	} {
		if levels, rest := Split(test[0]); levels != test[1] || rest != test[2] {
			t.Errorf("Split(%d) = %d, %d, want %d, %d", test[0], levels, rest, test[1], test[2])
		}
	}
}

// TestRatesOfFudge counts all faces: the sums of KM-DICE-01.
func TestRatesOfFudge(t *testing.T) {
	var got [9]int
	for i := range uint64(81) {
		got[FourFudge(0).Nth(At{}, i*100).Sum+4]++
	}
	if want := [9]int{1, 4, 10, 16, 19, 16, 10, 4, 1}; got != want {
		t.Errorf("sums -4…4 come %v times of 81, want %v", got, want)
	}
}

func TestCritical(t *testing.T) {
	tests := map[string]int8{"++++": 1, "++++ d100:1": 1, "----": -1, "+++=": 0, "====": 0, "---- d100:1": -1}
	for script, want := range tests {
		percent := int32(0)
		if strings.Contains(script, "d100") {
			percent = -50
			if want < 0 {
				percent = 50
			}
		}
		throw := MustScript(script).Throw(At{}, FourFudge(percent))
		if got := throw.Critical(); got != want {
			t.Errorf("%s is critical %d, want %d", throw, got, want)
		}
	}
	if throw := MustScript("1 1 1 1").Throw(At{}, Dice(4, 6)); throw.Critical() != 0 {
		t.Errorf("%s is critical", throw)
	}
}

func TestText(t *testing.T) {
	tests := map[string]struct {
		formula     Formula
		show, ascii string
	}{
		"+ + 0 0 d100:37": {FourFudge(50), "+ + 0 0 → + + + 0 (37 ≤ 50)", "+ + 0 0 -> + + + 0 (37 <= 50)"},
		"+ + 0 0 d100:51": {FourFudge(-50), "+ + 0 0 (51 > 50)", "+ + 0 0 (51 > 50)"},
		"d100:37":         {Percentile(), "d100:37", "d100:37"},
		"5 3":             {Dice(2, 10), "5 + 3 = 8", "5 + 3 = 8"},
		"250":             {Dice(1, 300), "250", "250"},
	}
	for script, test := range tests {
		throw := MustScript(script).Throw(At{Hidden, 3, 1}, test.formula)
		if throw.String() != test.show || throw.ASCII() != test.ascii || throw.Script() != script {
			t.Errorf("%s shows as %q, %q, %q", script, throw.String(), throw.ASCII(), throw.Script())
		}
		if throw.At.String() != "hidden 3.1" {
			t.Errorf("place is %s", throw.At)
		}
	}
}

func TestFormulaCheck(t *testing.T) {
	good := map[string]Formula{
		"4dF": {}, "4dF-99%": FourFudge(-99), "d100": Percentile(33, 66), "2d10": Dice(2, 10, 5, 6, 20), "8d181": Dice(8, 181), "1d32767": Dice(1, MaxSides),
	}
	for want, f := range good {
		if err := f.Check(); err != nil || f.String() != want {
			t.Errorf("%s, want %s: %v", f, want, err)
		}
	}
	bad := map[string]Formula{
		"kind 3 is unknown":      {Kind: 3},
		"percent 100":            FourFudge(100),
		"percent -100":           FourFudge(-100),
		"percent 5: only Fudge":  {Kind: D100, Percent: 5},
		"Fudge of 3 dice":        {Count: 3},
		"of 6 sides":             {Count: 4, Sides: 6},
		"Fudge has no cuts":      {Cuts: []int32{1}},
		"D100 of 2 dice":         {Kind: D100, Count: 2},
		"0 dice in one throw":    {Kind: Sum, Sides: 6},
		"9 dice in one throw":    Dice(9, 6),
		"a die of 0 sides":       Dice(1, 0),
		"a die of 32768 sides":   Dice(1, MaxSides+1),
		"sides to the power":     Dice(8, 182),
		"cut 3 after cut 3":      Percentile(3, 3),
		"cut 2 after cut 3":      Dice(2, 6, 3, 2),
		"a die of -1 sides: it ": Dice(1, -1),
	}
	for want, f := range bad {
		if err := f.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", f, err, want)
		}
		mustPanic(t, want, func() { f.Outcomes() })
	}
	mustPanic(t, "outcome 100 of d100: there are 100", func() { Percentile().Nth(At{}, 100) })
}

// mustPanic runs f and wants a panic whose text holds the words.
func mustPanic(t *testing.T, words string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		text := ""
		switch r := recover().(type) {
		case nil:
			t.Errorf("no panic, want %q", words)
			return
		case error:
			text = r.Error()
		case string:
			text = r
		}
		if !strings.Contains(text, words) {
			t.Errorf("panic %q, want %q", text, words)
		}
	}()
	f()
}
