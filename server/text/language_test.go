package text

import (
	"strings"
	"testing"

	"autobattle/engine"
)

func TestMatch(t *testing.T) {
	for tag, want := range map[string]Locale{
		"": English, "en": English, "en-GB": English, "ru": Russian, "ru-RU": Russian, "RU_ru": Russian, "ru-Cyrl-RU": Russian,
		"fr": English, "de, ru;q=0.8, en": Russian, "en;q=1, ru": English, " ru": Russian, "-": English, "russian": English,
	} {
		if got := Match(tag); got != want {
			t.Errorf("Match(%q) = %s, want %s", tag, got, want)
		}
	}
}

func write(t *testing.T, l Locale, src string, args ...arg) string {
	t.Helper()
	lang := languageOf(l)
	tmpl, err := parse(src, lang.plurals)
	if err != nil {
		t.Fatal(err)
	}
	m := &messages{lang: lang}
	return m.line(tmpl, args...)
}

func TestRussianPlurals(t *testing.T) {
	want := map[int64]string{
		0: "ходов", 1: "ход", 2: "хода", 3: "хода", 4: "хода", 5: "ходов", 9: "ходов", 10: "ходов", 11: "ходов", 12: "ходов", 13: "ходов",
		14: "ходов", 15: "ходов", 19: "ходов", 20: "ходов", 21: "ход", 22: "хода", 25: "ходов", 100: "ходов", 101: "ход", 102: "хода",
		111: "ходов", 112: "ходов", 114: "ходов", 121: "ход", 1001: "ход", 1011: "ходов", -1: "ход", -2: "хода", -11: "ходов",
	}
	for n, w := range want {
		if got := write(t, Russian, "{n|ход|хода|ходов}", arg{"n", number(n)}); got != w {
			t.Errorf("%d %s, want %s", n, got, w)
		}
	}
	for n, w := range map[int64]string{0: "turns", 1: "turn", 2: "turns", 11: "turns", -1: "turn"} {
		if got := write(t, English, "{n|turn|turns}", arg{"n", number(n)}); got != w {
			t.Errorf("%d %s, want %s", n, got, w)
		}
	}
}

func TestFractions(t *testing.T) {
	for _, tt := range []struct {
		l        Locale
		n, scale int64
		want     string
	}{
		{English, 256, 256, "1 block"}, {English, 384, 256, "1.5 blocks"}, {English, 64, 256, "0.25 blocks"}, {English, 512, 256, "2 blocks"},
		{Russian, 256, 256, "1 блок"}, {Russian, 384, 256, "1,5 блока"}, {Russian, 512, 256, "2 блока"}, {Russian, 5 * 256, 256, "5 блоков"},
		{Russian, -384, 256, "−1,5 блока"}, {English, 1, 256, "0 blocks"},
	} {
		got := For(nil, tt.l).msgs.fill(catalogue(tt.l).find("unit", "blocks"), arg{"n", scaled(tt.n, tt.scale)})
		if got != tt.want {
			t.Errorf("%d/%d: %q, want %q", tt.n, tt.scale, got, tt.want)
		}
	}
	if got := string(appendNumber(nil, -1<<63, 1, true, '.')); got != "−9223372036854775808" {
		t.Errorf("the smallest number is %s", got)
	}
}

func TestRussianGender(t *testing.T) {
	b := &engine.Battle{Actors: []engine.Actor{
		{ID: 1, Name: "Ким"}, {ID: 2, Name: "Ада", Grammar: engine.Feminine}, {ID: 3, Name: "Чудище", Grammar: engine.Neuter},
		{ID: 4, Name: "Братья", Grammar: engine.Plural},
	}}
	r := For(nil, Russian)
	for id, want := range map[engine.ActorID]string{
		1: "Ким промахнулся: цель — Ада.", 2: "Ада промахнулась: цель — Ада.", 3: "Чудище промахнулось: цель — Ада.",
		4: "Братья промахнулись: цель — Ада.", 9: "Кто-то промахнулся: цель — Ада.",
	} {
		got := r.Lines(b, []engine.Fact{{Event: engine.Resolved{By: id, Outcome: "missed", Target: engine.Target{Ref: engine.ActorID(2).On()}}}})
		if len(got) != 1 || got[0].Text != want {
			t.Errorf("%d: %v, want %q", id, got, want)
		}
	}
	got := r.Lines(b, []engine.Fact{{Event: engine.Resolved{By: 2, Outcome: "evaded", Target: engine.Target{Ref: engine.ActorID(1).On()}}}})
	if want := "Ким уклонился: атаковала Ада."; len(got) != 1 || got[0].Text != want {
		t.Errorf("%v, want %q", got, want)
	}
}

func TestServerErrors(t *testing.T) {
	for _, tt := range []struct {
		l    Locale
		key  string
		args []engine.Arg
		want string
	}{
		{English, "ERROR_REASON_BAD_KEY", nil, "The API key is missing or unknown. Ask the server’s operator for one."},
		{Russian, "forbidden_role", []engine.Arg{engine.Words("role", "viewer"), engine.Words("needed", "master")}, "Роль ключа этого не разрешает: это viewer, нужна master."},
		{English, "server_limit", []engine.Arg{engine.Num("max", 64)}, "That is over a limit of the server (at most: 64)."},
		{English, "no_such_key", nil, "The server failed and does not say why. The same command may be sent again."},
		{English, "bad_field", []engine.Arg{engine.Words("field", "actors[2].{name}")}, "A field is wrong: actors[2].{name}."},
	} {
		if got := ServerError(tt.l, tt.key, tt.args...); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.key, got, tt.want)
		}
	}
}

// hostile are names that would break a careless template, a log or a terminal.
var hostile = []string{"{actor}", "[x]", "}{", "[[{target}]]", "a\nb", "\x1b[31mred", "{actor|a|b|c|d}", "\u202Eevil", "", "%s%d", "a\u2028b", "\xff", strings.Repeat("{", 500)}

func FuzzNames(f *testing.F) {
	for _, h := range hostile {
		f.Add(h, h)
	}
	f.Fuzz(func(t *testing.T, name, words string) {
		b := &engine.Battle{Actors: []engine.Actor{{ID: 1, Name: name, Key: "k"}}, Teams: []engine.Team{{ID: "t", Name: name}}}
		facts := []engine.Fact{
			{Why: engine.Why{Rule: engine.RuleJoin}, Event: engine.ActorSet{Actor: engine.Actor{ID: 1, Team: "t"}}},
			{Event: engine.Said{Actor: 1, Text: words}},
			{Event: engine.PhaseSet{Phase: engine.Paused, Reason: words}},
			{Event: engine.Declared{Class: engine.ActName(words), Intent: engine.Intent{By: 1, Act: engine.ActName(words)}}},
		}
		for _, l := range []Locale{English, Russian} {
			lines := For(nil, l).Lines(b, facts)
			if len(lines) < 3 {
				t.Fatalf("%d lines", len(lines))
			}
			for _, line := range lines {
				if strings.ContainsAny(line.Text, "\n\r\x1b\u2028\u202E") {
					t.Errorf("%q", line.Text)
				}
			}
			// What was typed stands there as it was typed.
			if shown := clean(words); !strings.HasSuffix(lines[1].Text, ": "+shown) {
				t.Errorf("%q does not end with %q", lines[1].Text, shown)
			}
			no := engine.Refuse(engine.ReasonUnknownAct, "X", engine.Words("act", words), engine.Words("zzz", name))
			if got := For(nil, l).Refusal(b, no); strings.ContainsAny(got, "\n\x1b") || !strings.Contains(got, clean(words)) {
				t.Errorf("%q", got)
			}
		}
	})
}
