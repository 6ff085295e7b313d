package enginetest

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

// witness is a TB that keeps what it is told instead of failing.
type witness struct{ said string }

func (w *witness) Helper() {}
func (w *witness) Fatal(args ...any) {
	w.said = fmt.Sprint(args...)
	runtime.Goexit()
}
func (w *witness) Fatalf(format string, args ...any) { w.Fatal(fmt.Sprintf(format, args...)) }

// hears runs a check and gives what it complained of; empty: nothing.
func hears(check func(w *witness)) string {
	w, done := &witness{}, make(chan struct{})
	go func() {
		defer close(done)
		check(w)
	}()
	<-done
	return w.said
}

// rules ask the master again and again, and do with his answer what the test says.
type rules struct{ do func(s *engine.Scene) }

func (rules) Admit(*engine.Scene, engine.ActorID) error               { return nil }
func (rules) Offers(engine.View, *engine.Prompt) []engine.Offer       { return nil }
func (rules) Check(engine.View, *engine.Prompt, *engine.Decide) error { return nil }
func (r rules) Resume(s *engine.Scene, f *engine.Frame) {
	if len(s.Take()) > 0 {
		r.do(s)
	}
	f.Step = "again"
	for i := range s.Battle().Actors {
		s.Ask(engine.Prompt{Whose: s.Battle().Actors[i].ID, Kind: engine.PromptTurn, Ask: "turn"})
	}
}

func system(do func(s *engine.Scene)) *engine.System {
	return &engine.System{Rules: rules{do}, Spec: &engine.Spec{ID: "toy", Acts: []engine.ActSpec{{Name: "poke"}, {Name: "wait"}},
		Items: []engine.ItemSpec{{Ref: "stick"}}, Bodies: []engine.BodySpec{{Name: "human", Body: voxel.Human()}}, Options: engine.BaseOptions()}}
}

func lobby(t *testing.T, sys *engine.System) *engine.Battle {
	t.Helper()
	var b *engine.Battle
	for _, c := range []engine.Command{engine.Open{Ruleset: "toy", Teams: []engine.Team{{ID: "red"}}},
		engine.Join{Actors: []engine.Newcomer{{Key: "anna", Team: "red", Pose: voxel.Pose{Look: voxel.Look{Z: 1}}, Items: []engine.NewItem{{Ref: "stick"}}}}}} {
		next, _, err := engine.Step(sys, b, c, engine.Env{})
		if err != nil {
			t.Fatal(err)
		}
		b = next
	}
	return b
}

func env() engine.Env { return engine.Env{Dice: dice.NewSeeded([32]byte{})} }

// CheckStep lets a sound step pass and gives its refusal, and it notices rules that cheat.
func TestCheckStep(t *testing.T) {
	sound := system(func(*engine.Scene) {})
	b := lobby(t, sound)
	next, commit, err := CheckStep(t, sound, b, engine.Start{}, env)
	if err != nil || next.Version != 3 || commit.Version != 3 {
		t.Fatalf("version %d, %v", next.Version, err)
	}
	if n, _, err := CheckStep(t, sound, next, engine.Start{}, env); err == nil || n != nil {
		t.Fatalf("started twice: %v", err)
	}
	calls := 0
	for name, test := range map[string]struct {
		do   func(s *engine.Scene)
		want string
	}{
		"another time, another thing": {func(s *engine.Scene) {
			calls++
			s.Emit("", engine.Said{Text: fmt.Sprint(calls)})
		}, "different facts the second time"},
		"in place":               {func(s *engine.Scene) { s.Battle().Traits = nil; s.Battle().Items[0].Slot += "x" }, "changed the battle it was given"},
		"behind the facts' back": {func(s *engine.Scene) { s.Battle().Round += 5 }, "replay differs"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := system(test.do)
			d := engine.Decide{Prompt: next.LivePrompts()[0].ID, By: next.Actors[0].ID}
			said := hears(func(w *witness) { CheckStep(w, sys, next, d, env) })
			if !strings.Contains(said, test.want) {
				t.Errorf("it says %q, want %q", said, test.want)
			}
		})
	}
}

// Equal sees a difference in every field, and none between nil and empty.
func TestEqual(t *testing.T) {
	b := lobby(t, system(nil))
	b.Conds = append(b.Conds, engine.Cond{ID: 1})
	c := copied(reflect.ValueOf(b)).Interface().(*engine.Battle)
	if d := Equal(b, c); d != "" {
		t.Fatalf("a copy differs:\n%s", d)
	}
	c.Plans, b.Plans = []engine.Plan{}, nil
	if d := Equal(b, c); d != "" {
		t.Errorf("nil and empty differ:\n%s", d)
	}
	c.Items[0].Slot = "x"
	if b.Items[0].Slot == "x" {
		t.Error("the copy shares memory")
	}
	if d := Equal(b, c); !strings.Contains(d, "Slot") {
		t.Errorf("the difference is said to be %q", d)
	}
	if said := hears(func(w *witness) { CheckReplay(w, b, nil, c) }); !strings.Contains(said, "replay differs") {
		t.Errorf("CheckReplay says %q", said)
	}
}
