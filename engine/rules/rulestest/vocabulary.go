package rulestest

import (
	"reflect"

	"autobattle/engine"
	"autobattle/engine/enginetest"
)

// Vocabulary fails where a Spec has a name twice, a name without an English or a Russian text, an act of an unknown class
// or rule, or tables that the engine needs sorted and that are not.
func Vocabulary(t enginetest.TB, s *engine.Spec) {
	t.Helper()
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		table := v.Type().Field(i).Name
		if v.Field(i).Kind() != reflect.Slice {
			continue
		}
		var seen []string
		for j := range v.Field(i).Len() {
			row := v.Field(i).Index(j)
			name := ""
			for _, key := range []string{"Name", "Ref", "ID"} {
				if f := row.FieldByName(key); f.IsValid() && f.Kind() == reflect.String {
					name = f.String()
				}
			}
			for _, other := range seen {
				if other == name {
					t.Fatalf("%s has %s twice", table, name)
				}
			}
			seen = append(seen, name)
			if text, ok := row.FieldByName("Text").Interface().(engine.Text); !ok || !full(text) {
				t.Fatalf("%s: %s has not both texts: %+v", table, name, text)
			}
		}
	}
	w := walker{spec: s}
	for i := range s.Acts {
		a := &s.Acts[i]
		if !w.known("ActName", string(a.Class)) || a.Class == "" {
			t.Fatalf("act %s is of the unknown class %q", a.Name, a.Class)
		}
		if !w.known("Rule", string(a.Rule)) {
			t.Fatalf("act %s is of the unknown rule %q", a.Name, a.Rule)
		}
	}
	for i := range s.Items {
		if s.Item(s.Items[i].Ref) != &s.Items[i] {
			t.Fatalf("items are not sorted at %s", s.Items[i].Ref)
		}
	}
	if !full(s.Name) || s.Hash == [32]byte{} {
		t.Fatalf("name %+v, hash %x", s.Name, s.Hash)
	}
}
