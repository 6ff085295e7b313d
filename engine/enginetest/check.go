package enginetest

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"autobattle/engine"
)

// TB is what checks need of a test. *testing.T and *rapid.T have it.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Equal compares battles by what they hold; tables that are nil and empty are the same.
func Equal(a, b *engine.Battle) string {
	if same(reflect.ValueOf(a), reflect.ValueOf(b)) {
		return ""
	}
	return cmp.Diff(a, b, cmpopts.IgnoreUnexported(engine.Battle{}), cmpopts.EquateEmpty())
}

// CheckReplay folds commits onto from and compares with what Step gave.
func CheckReplay(t TB, from *engine.Battle, log []engine.Commit, want *engine.Battle) {
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
func CheckStep(t TB, sys *engine.System, b *engine.Battle, c engine.Command, env func() engine.Env) (*engine.Battle, engine.Commit, error) {
	t.Helper()
	snapshot := copied(reflect.ValueOf(b)).Interface().(*engine.Battle)
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
	if !same(reflect.ValueOf(commit), reflect.ValueOf(commit2)) {
		t.Fatalf("%T gave different facts the second time:\n%s", c, cmp.Diff(commit.Facts, commit2.Facts, cmpopts.EquateEmpty()))
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

// same reports whether two values hold the same; what is not exported does not count, and nil and empty are one.
func same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && same(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).IsExported() && !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// copied is a value that shares no memory with v, without what is not exported.
func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(copied(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.Field(i).Set(copied(v.Field(i)))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			c.Index(i).Set(copied(v.Index(i)))
		}
	default:
		c.Set(v)
	}
	return c
}
