package rulestest

import (
	"reflect"
	"strings"

	"autobattle/engine"
	"autobattle/engine/enginetest"
)

// Names fails where a fact carries a name that the Spec does not have.
func Names(t enginetest.TB, spec *engine.Spec, facts []engine.Fact) {
	t.Helper()
	w := walker{spec: spec}
	for i := range facts {
		w.walk(reflect.ValueOf(facts[i]))
		if w.missing != "" {
			t.Fatalf("%T carries %s, which the Spec does not have", facts[i].Event, w.missing)
		}
	}
}

type walker struct {
	spec    *engine.Spec
	missing string
}

func (w *walker) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			w.walk(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			w.walk(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.walk(v.Index(i))
		}
	case reflect.String:
		if s := v.String(); s != "" && !w.known(v.Type().Name(), s) {
			w.missing = v.Type().Name() + " " + s
		}
	}
}

// known tells whether the Spec has a name of a type.
func (w *walker) known(kind, s string) bool {
	named := func(list []engine.NameSpec) bool {
		for i := range list {
			if list[i].Name == s {
				return full(list[i].Text)
			}
		}
		return false
	}
	switch kind {
	case "ActName":
		a := w.spec.Act(engine.ActName(s))
		return a != nil && full(a.Text)
	case "TraitName":
		x := w.spec.Trait(engine.TraitName(s))
		return x != nil && full(x.Text)
	case "GaugeName":
		g := w.spec.Gauge(engine.GaugeName(s))
		return g != nil && full(g.Text)
	case "CondName":
		c := w.spec.Cond(engine.CondName(s))
		return c != nil && full(c.Text)
	case "CatalogueRef":
		it := w.spec.Item(engine.CatalogueRef(s))
		return it != nil && full(it.Text)
	case "BodyName":
		b := w.spec.Body(engine.BodyName(s))
		return b != nil && full(b.Text)
	case "OptionName":
		return w.spec.Option(engine.OptionName(s)) != nil
	case "ModName":
		return named(w.spec.Mods)
	case "SlotName":
		return named(w.spec.Slots)
	case "OutcomeName":
		return named(w.spec.Outcomes)
	case "GradeName":
		return named(w.spec.Grades)
	case "Purpose":
		return named(w.spec.Purposes)
	case "AskName":
		return named(w.spec.Asks)
	case "Band":
		return named(w.spec.Bands)
	case "PartName":
		return named(w.spec.Parts)
	case "Quantity":
		for i := range w.spec.Figures {
			if string(w.spec.Figures[i].Name) == s {
				return full(w.spec.Figures[i].Text)
			}
		}
		return false
	case "Rule":
		if strings.HasPrefix(s, "AB-") {
			return true // the engine's own
		}
		for i := range w.spec.Rules {
			if string(w.spec.Rules[i].ID) == s {
				return full(w.spec.Rules[i].Text)
			}
		}
		return false
	}
	return true // no name of a vocabulary
}

func full(t engine.Text) bool { return t.En != "" && t.Ru != "" }
