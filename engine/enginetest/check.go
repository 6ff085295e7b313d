package enginetest

import (
	"bytes"
	"encoding/gob"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"autobattle/engine"
)

// Equal compares battles by what they hold; tables that are nil and empty are the same.
func Equal(a, b *engine.Battle) string {
	return cmp.Diff(a, b, cmpopts.IgnoreUnexported(engine.Battle{}), cmpopts.EquateEmpty())
}

// CheckReplay folds commits onto from and compares with what Step gave.
func CheckReplay(t testing.TB, from *engine.Battle, log []engine.Commit, want *engine.Battle) {
	t.Helper()
	b := from.Clone()
	for i := range log {
		engine.Fold(b, &log[i])
	}
	if d := Equal(b, want); d != "" {
		t.Fatalf("replay differs from what was played (-replay +played):\n%s", d)
	}
}

// CheckStep plays c twice: the facts must be the same, the battle given unchanged, and the new one over or waiting. It
// returns the new battle, or nil and the refusal.
func CheckStep(t testing.TB, sys *engine.System, b *engine.Battle, c engine.Command, env func() engine.Env) (*engine.Battle, engine.Commit, error) {
	t.Helper()
	snapshot := deepCopy(t, b)
	next, commit, err := engine.Step(sys, b, c, env())
	again, commit2, err2 := engine.Step(sys, b, c, env())
	if d := Equal(b, snapshot); d != "" {
		t.Fatalf("%T changed the battle it was given:\n%s", c, d)
	}
	if (err == nil) != (err2 == nil) {
		t.Fatalf("%T: once %v, once %v", c, err, err2)
	}
	if err != nil {
		return nil, engine.Commit{}, err
	}
	if d := cmp.Diff(commit, commit2, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(engine.Commit{}, "Command")); d != "" {
		t.Fatalf("%T gave different facts the second time:\n%s", c, d)
	}
	if d := Equal(next, again); d != "" {
		t.Fatalf("%T made different battles:\n%s", c, d)
	}
	CheckReplay(t, b, []engine.Commit{commit}, next)
	if next.Phase == engine.Running && len(next.LivePrompts()) == 0 {
		t.Fatalf("%T: the battle runs and waits for nobody", c)
	}
	return next, commit, nil
}

// deepCopy is a battle that shares no memory with b.
func deepCopy(t testing.TB, b *engine.Battle) *engine.Battle {
	t.Helper()
	var buf bytes.Buffer
	c := &engine.Battle{}
	if err := gob.NewEncoder(&buf).Encode(b); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(c); err != nil {
		t.Fatal(err)
	}
	return c
}
