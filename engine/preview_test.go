package engine_test

import (
	"errors"
	"reflect"
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/enginetest"
	"autobattle/engine/odds"
)

// nth throws, for the n-th throw of a commit, the n-th outcome that it is told.
type nth []uint64

func (n nth) Throw(at dice.At, f dice.Formula) dice.Throw { return f.Nth(at, n[at.Pos]) }

// tally counts how one way came out.
type counted struct {
	target  engine.Target
	outcome engine.OutcomeName
}

// brute plays d, and then the defaults of whoever is asked, for every way the throws can fall, and counts the outcomes.
func brute(t *testing.T, m *table, d engine.Decide, throws int, ways uint64) map[counted]uint64 {
	t.Helper()
	got := map[counted]uint64{}
	faces := make(nth, throws)
	var turn func(k int)
	turn = func(k int) {
		if k < throws {
			for i := range ways {
				faces[k] = i * (8100 / ways) // the d100 never matters when there is no percentage
				turn(k + 1)
			}
			return
		}
		b, c := m.b, engine.Command(d)
		depth := len(m.b.Frames)
		for {
			next, commit, err := engine.Step(m.sys, b, c, engine.Env{World: m.world, Dice: faces})
			if err != nil {
				t.Fatal(err)
			}
			b = next
			for _, r := range events[engine.Resolved](commit.Facts) {
				got[counted{r.Target, r.Outcome}]++
			}
			if len(b.Frames) <= depth {
				return
			}
			p := b.LivePrompts()[0]
			c = engine.Decide{Prompt: p.ID, By: p.Whose, Intents: p.Default}
		}
	}
	turn(0)
	return got
}

func chances(fc engine.Forecast) map[counted]odds.Chance {
	got := map[counted]odds.Chance{}
	for _, l := range fc.Outcomes {
		c := counted{l.Target, l.Outcome}
		got[c] = got[c].Add(l.Chance)
	}
	return got
}

// A forecast is what playing every way gives, exactly.
func TestPreviewIsBrute(t *testing.T) {
	tests := map[string]struct {
		prepare func(m *table)
		act     engine.Intent
		throws  int
		ways    uint64 // outcomes of one throw
	}{
		"one roll with a percent": {func(*table) {}, intent(actLeap), 1, 8100},
		"two rolls":               {func(*table) {}, intent(actStrike, cleo), 2, 81},
		"with modifiers": {func(m *table) {
			m.play(engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: focus, On: anna.On(), About: might}},
				engine.TraitSet{Trait: engine.Trait{On: cleo, Name: reflex, Level: 4}}}})
		}, intent(actStrike, cleo), 2, 81},
		"a barrier of one": {func(*table) {}, intent(actVolley, ben), 2, 81},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := fight(t, false)
			test.prepare(m)
			d := m.decide(anna, test.act.Act)
			d.Intents[0] = test.act
			before := m.b.Clone()
			fc, err := engine.Preview(m.sys, engine.See(m.b, engine.ViewerOf(m.b, anna)), m.world, d, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := enginetest.Equal(m.b, before); diff != "" {
				t.Errorf("the forecast changed the battle:\n%s", diff)
			}
			total := uint64(1)
			for range test.throws {
				total *= test.ways
			}
			counts, got := brute(t, m, d, test.throws, test.ways), chances(fc)
			if len(counts) != len(got) || len(counts) == 0 {
				t.Fatalf("outcomes %v, want %v", got, counts)
			}
			for k, n := range counts {
				if want := odds.Of(n, total); got[k].Cmp(want) != 0 {
					t.Errorf("%v: chance %v, want %v", k, got[k], want)
				}
			}
			onlyTheAct(t, fc)
			if fc.Ways == 0 || len(fc.Rolls) != test.throws {
				t.Errorf("%d ways, %d rolls: %+v", fc.Ways, len(fc.Rolls), fc.Rolls)
			}
			for _, r := range fc.Rolls {
				if len(r.Throws) != 0 || r.Result != 0 {
					t.Errorf("a forecast roll is thrown: %+v", r)
				}
			}
		})
	}
}

// What is played with seeded dice comes out as often as the forecast says, within five standard deviations.
func TestPreviewIsPlayed(t *testing.T) {
	m := fight(t, false)
	d := m.decide(anna, actStrike, cleo)
	fc, err := engine.Preview(m.sys, m.b, m.world, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	const plays = 5_000
	b := *m.b
	source := dice.NewSeeded([32]byte{5})
	hits := 0
	for i := range plays {
		b.Dice[0] = uint64(i)
		c := engine.Command(d)
		for at := &b; ; {
			next, commit, err := engine.Step(m.sys, at, c, engine.Env{Dice: source})
			if err != nil {
				t.Fatal(err)
			}
			if r := events[engine.Resolved](commit.Facts); len(r) > 0 {
				if r[0].Outcome == hit {
					hits++
				}
				break
			}
			at = next
			p := at.LivePrompts()[0]
			c = engine.Decide{Prompt: p.ID, By: p.Whose, Intents: p.Default}
		}
	}
	ppm := chances(fc)[counted{engine.Target{Ref: cleo.On()}, hit}].PPM()
	off := int64(hits)*1_000_000/plays - ppm
	// sigma = sqrt(p(1-p)/n) is at most 0.5/sqrt(5000) = 7072 ppm.
	if off > 5*7072 || off < -5*7072 {
		t.Errorf("%d of %d plays hit, the forecast says %d ppm", hits, plays, ppm)
	}
}

// What others would do is supposed and said: their defaults, or what the caller supposes.
func TestPreviewAssumes(t *testing.T) {
	m := fight(t, false)
	d := m.decide(anna, actStrike, cleo)
	fc, err := engine.Preview(m.sys, m.b, m.world, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []engine.Assumption{{Whose: dora, Kind: engine.PromptReact, Ask: "react"},
		{Whose: cleo, Kind: engine.PromptDefend, Ask: "defend", Intents: []engine.Intent{{Act: actDodge, By: cleo}}}}
	if !reflect.DeepEqual(fc.Assumed, want) {
		t.Errorf("assumed %+v, want %+v", fc.Assumed, want)
	}
	// Cleo dodges with 1 and blocks with 2: the blow hits less often.
	block := []engine.Intent{{Act: actBlock}}
	supposed, err := engine.Preview(m.sys, m.b, m.world, d, []engine.Assumption{{Whose: ben, Kind: engine.PromptDefend, Intents: nil}, {Kind: engine.PromptDefend, Intents: block}})
	if err != nil {
		t.Fatal(err)
	}
	k := counted{engine.Target{Ref: cleo.On()}, hit}
	if supposed.Assumed[1].Intents[0].Act != actBlock || chances(supposed)[k].Cmp(chances(fc)[k]) >= 0 {
		t.Errorf("blocked %v, dodged %v: %+v", chances(supposed)[k], chances(fc)[k], supposed.Assumed)
	}
}

// onlyTheAct refuses a forecast that went on into what comes after the act.
func onlyTheAct(t *testing.T, fc engine.Forecast) {
	t.Helper()
	for i := range fc.Tallies {
		if fc.Tallies[i].What != damage {
			t.Errorf("it goes on to the end of the turn: %+v", fc.Tallies[i])
		}
	}
}

// A forecast ends with the act: not with the window above it, and not in the next turn. One of a defence ends with its act.
func TestPreviewEnds(t *testing.T) {
	m := fight(t, false)
	m.does(anna, actStrike, cleo)
	m.does(dora, "")
	fc, err := engine.Preview(m.sys, m.b, m.world, engine.Decide{Prompt: m.asked(cleo).ID, By: cleo, Intents: []engine.Intent{intent(actBlock)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	onlyTheAct(t, fc)
	if got := chances(fc); len(got) != 2 || len(fc.Assumed) != 0 {
		t.Errorf("outcomes %v, assumed %+v: want hit and missed of this act, and nobody asked after it", got, fc.Assumed)
	}
	sum := odds.Chance{}
	for _, c := range chances(fc) {
		sum = sum.Add(c)
	}
	if !sum.IsCertain() {
		t.Errorf("the chances add up to %v", sum)
	}
}

// A forecast of what is refused is refused alike.
func TestPreviewRefused(t *testing.T) {
	m := fight(t, false)
	d := m.decide(anna, actStrike, anna)
	for name, test := range map[string]struct {
		d    engine.Decide
		want engine.Reason
	}{
		"by the rules":   {d, engine.ReasonUnknownTarget},
		"no such prompt": {engine.Decide{Prompt: 999}, engine.ReasonPromptClosed},
		"unknown act":    {m.decide(anna, "fly"), engine.ReasonUnknownAct},
	} {
		_, err := engine.Preview(m.sys, m.b, m.world, test.d, nil)
		var no *engine.Rejection
		if !errors.As(err, &no) || no.Reason != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// A forecast that leads to more ways than it may follow is given up.
func TestPreviewLimit(t *testing.T) {
	m := scene(t, func(*engine.Scene) {})
	m.sys = &engine.System{Spec: m.sys.Spec, Rules: scripted{do: func(s *engine.Scene) {
		s.Throw(dice.Dice(1, 300))
		s.Throw(dice.Dice(1, 300))
		s.End(nil)
	}}}
	_, err := engine.Preview(m.sys, m.b, nil, m.decide(0, ""), nil)
	var no *engine.Rejection
	if !errors.As(err, &no) || no.Reason != engine.ReasonLimit {
		t.Errorf("%v, want %s", err, engine.ReasonLimit)
	}
}
