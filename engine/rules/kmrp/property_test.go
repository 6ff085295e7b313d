package kmrp

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/enginetest"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// weapons and armours that generated fighters have.
var (
	armsOf    = []engine.CatalogueRef{"sword", "dagger", "great_sword", "flail", "whip", "war_pick", "spear", "medium_pistol", "bow", "crossbow", "throwing_knife", "double_shotgun"}
	shieldsOf = []engine.CatalogueRef{"small_metal_shield", "medium_metal_shield", "large_wooden_shield", "improvised_shield"}
	armourOf  = []engine.CatalogueRef{"mail_vest", "plate_breastplate", "padded_breastplate", "assault_breastplate", "mail_sleeves", "plate_leggings"}
)

// drawFighter is somebody with random levels and things.
func drawFighter(t *rapid.T, key string, team engine.TeamID, x, z int32) engine.Newcomer {
	c := catalogue.Default()
	n := fighter(key, team, x, z, rapid.SampledFrom([]voxel.Look{north, south, east, west}).Draw(t, key+" look"), nil)
	for _, tr := range c.Traits() {
		if tr.Group == catalogue.GroupAttribute || rapid.Bool().Draw(t, key+" has "+string(tr.Name)) {
			n = with(n, at(tr.Name, rapid.Int32Range(0, 6).Draw(t, key+" "+string(tr.Name))))
		}
	}
	known := func(ref engine.CatalogueRef) bool { return testSystem.Spec.Item(ref) != nil }
	arms := slices.DeleteFunc(slices.Clone(armsOf), func(r engine.CatalogueRef) bool { return !known(r) })
	n.Items = append(n.Items, inMain(rapid.SampledFrom(arms).Draw(t, key+" weapon")), onBelt(rapid.SampledFrom(arms).Draw(t, key+" other")), onBelt("dagger"))
	if w := c.Weapon(n.Items[0].Ref); w.Hands == 1 && rapid.Bool().Draw(t, key+" shielded") {
		n.Items = append(n.Items, inOff(rapid.SampledFrom(shieldsOf).Draw(t, key+" shield")))
	}
	for _, a := range armourOf {
		if rapid.IntRange(0, 3).Draw(t, key+" wears "+string(a)) == 0 {
			n.Items = append(n.Items, worn(a))
		}
	}
	n.Items = append(n.Items, engine.NewItem{Ref: "mail_boots", Slot: catalogue.Bag}, engine.NewItem{Ref: "padded_breastplate", Slot: catalogue.Bag},
		engine.NewItem{Ref: "medium_pistol_round", Slot: catalogue.Bag, Gauges: []engine.NewGauge{{Name: gaugeRounds, Now: 20}}},
		engine.NewItem{Ref: "crossbow_bolt", Slot: catalogue.Bag, Gauges: []engine.NewGauge{{Name: gaugeRounds, Now: 3}}})
	n.Gauges = []engine.NewGauge{{Name: gaugeWill, Now: rapid.Int64Range(0, 3).Draw(t, key+" will")}}
	return n
}

// drawOptions are random values of some options.
func drawOptions(t *rapid.T) []engine.Option {
	var out []engine.Option
	for _, o := range testSystem.Spec.Options {
		if len(o.Words) > 0 && rapid.IntRange(0, 4).Draw(t, "sets "+string(o.Name)) == 0 {
			out = append(out, engine.Option{Name: o.Name, Word: rapid.SampledFrom(o.Words).Draw(t, string(o.Name))})
		}
	}
	return out
}

// choice draws one intent out of an offer.
func choice(t *rapid.T, o *engine.Offer) engine.Intent {
	in := engine.Intent{Act: o.Act}
	if len(o.Targets) > 0 {
		in.Targets = []engine.Target{rapid.SampledFrom(o.Targets).Draw(t, "target")}
	}
	if len(o.Items) > 0 {
		in.Items = rapid.SampledFrom(o.Items).Draw(t, "items")
	}
	if len(o.Parts) > 0 {
		in.Part = rapid.SampledFrom(o.Parts).Draw(t, "part")
	}
	if len(o.About) > 0 {
		in.About = rapid.SampledFrom(o.About).Draw(t, "about")
	}
	if o.Amount.Max > 0 {
		in.Amount = rapid.Int32Range(o.Amount.Min, o.Amount.Max).Draw(t, "amount")
	}
	if len(o.Region) > 0 {
		in.Path = []voxel.Pos{rapid.SampledFrom(o.Region).Draw(t, "cell").Cell}
	}
	for _, g := range o.Mods {
		for _, m := range g.Mods {
			if rapid.IntRange(0, 5).Draw(t, "mod") == 0 && int32(len(in.Mods)) < g.Most {
				in.Mods = append(in.Mods, m)
			}
		}
	}
	if o.Act == actLook {
		in.Look = rapid.SampledFrom([]voxel.Look{north, south, east, west}).Draw(t, "look")
	}
	return in
}

// view is what the owner of a prompt knows.
func view(b *engine.Battle, w voxel.World, p *engine.Prompt) engine.View {
	v := engine.View{Battle: b, World: engine.WorldOf(b, w)}
	if p.Whose != 0 {
		v.Battle = engine.See(b, engine.ViewerOf(b, p.Whose))
	}
	return v
}

// noise is an intent that hardly fits.
func noise(t *rapid.T, b *engine.Battle) engine.Intent {
	acts := testSystem.Spec.Acts
	in := engine.Intent{Act: acts[rapid.IntRange(0, len(acts)-1).Draw(t, "noise act")].Name}
	if rapid.IntRange(0, 3).Draw(t, "noise walks") == 0 {
		in.Act = rapid.SampledFrom([]engine.ActName{actFreeMove, actWalk}).Draw(t, "noise way")
		in.Path = []voxel.Pos{{X: rapid.Int32Range(-9, 20).Draw(t, "x"), Y: 1, Z: rapid.Int32Range(-9, 20).Draw(t, "z")}}
		return in
	}
	if rapid.IntRange(0, 3).Draw(t, "noise strikes") == 0 {
		in.Act, in.Targets = actAttack, []engine.Target{{Ref: engine.ActorID(rapid.Uint32Range(0, 40).Draw(t, "noise foe")).On()}}
		return in
	}
	if rapid.Bool().Draw(t, "noise target") {
		in.Targets = []engine.Target{{Ref: engine.ActorID(rapid.Uint32Range(0, 40).Draw(t, "noise actor")).On()}}
	}
	if rapid.Bool().Draw(t, "noise item") {
		in.Items = []engine.ItemID{engine.ItemID(rapid.Uint32Range(0, 40).Draw(t, "noise item id"))}
	}
	if rapid.Bool().Draw(t, "noise path") {
		in.Path = []voxel.Pos{{X: rapid.Int32Range(-40, 40).Draw(t, "x"), Y: rapid.Int32Range(0, 3).Draw(t, "y"), Z: rapid.Int32Range(-40, 40).Draw(t, "z")}}
	}
	in.About = rapid.SampledFrom([]engine.TraitName{"", catalogue.Evasion, catalogue.Strength, "nonsense"}).Draw(t, "noise about")
	in.Amount = rapid.Int32Range(-1, 3).Draw(t, "noise amount")
	in.Part = rapid.SampledFrom([]engine.PartName{"", catalogue.Torso}).Draw(t, "noise part")
	return in
}

// covers reports whether an offer holds an intent.
func covers(o *engine.Offer, in *engine.Intent) bool {
	if o.No != nil || o.Act != in.Act {
		return false
	}
	if len(in.Targets) > 1 || (len(o.Targets) == 0) != (len(in.Targets) == 0) || len(in.Targets) == 1 && !slices.Contains(o.Targets, in.Targets[0]) {
		return false
	}
	if (len(o.Items) == 0) != (len(in.Items) == 0) || len(in.Items) > 0 && !slices.ContainsFunc(o.Items, func(i []engine.ItemID) bool { return slices.Equal(i, in.Items) }) {
		return false
	}
	if (len(o.About) == 0) != (in.About == "") || in.About != "" && !slices.Contains(o.About, in.About) {
		return false
	}
	if o.Amount == (engine.Span{}) != (in.Amount == 0) || in.Amount != 0 && (in.Amount < o.Amount.Min || in.Amount > o.Amount.Max) {
		return false
	}
	if (len(o.Region) == 0) != (len(in.Path) == 0) || len(in.Path) > 0 && !slices.ContainsFunc(o.Region, func(c engine.CellCost) bool { return c.Cell == in.Path[0] }) {
		return false
	}
	return in.Part == "" && len(in.Mods) == 0
}

func TestBattles(t *testing.T) {
	arena := range20(t)
	rapid.Check(t, func(t *rapid.T) { oneBattle(t, arena) })
}

// oneBattle plays random choices. A listed choice is accepted, any other is refused and changes nothing; Step leaves the battle
// it was given as it was and gives the same facts twice; the battle is over or waits; versions have no gaps; Replay of the
// log is the battle.
func oneBattle(t *rapid.T, arena *voxel.Arena) {
	var w voxel.World
	if rapid.Bool().Draw(t, "arena") {
		w = arena
	}
	seed := [32]byte{byte(rapid.IntRange(0, 255).Draw(t, "seed"))}
	env := func() engine.Env { return engine.Env{World: w, Dice: dice.NewSeeded(seed), Seed: seed} }
	var log []engine.Commit
	do := func(b *engine.Battle, c engine.Command) (*engine.Battle, error) {
		n, commit, err := enginetest.CheckStep(fatal{t}, testSystem, b, c, env)
		if err != nil {
			return nil, err
		}
		if b != nil && n.Version != b.Version+1 || commit.Version != n.Version {
			t.Fatalf("version %d after %d", n.Version, b.Version)
		}
		log = append(log, commit)
		return n, nil
	}
	must := func(b *engine.Battle, c engine.Command) *engine.Battle {
		n, err := do(b, c)
		if err != nil {
			t.Fatalf("%T refused: %v", c, err)
		}
		return n
	}
	b, commit, err := engine.Step(testSystem, nil, engine.Open{Ruleset: ID, Teams: []engine.Team{{ID: "red"}, {ID: "blue"}}, Options: drawOptions(t)}, env())
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	log = append(log, commit)
	who := []engine.Newcomer{drawFighter(t, "anna", "red", 4, 8), drawFighter(t, "boris", "blue", 5, rapid.Int32Range(9, 13).Draw(t, "boris z"))}
	if rapid.Bool().Draw(t, "third") {
		who = append(who, drawFighter(t, "clara", "blue", 3, 9))
	}
	for i := range who {
		if w != nil && who[i].Pose.At.Block().Z == 11 {
			who[i].Pose.At = voxel.Pos{X: 5, Y: 1, Z: 10}.Floor()
		}
	}
	b = must(b, engine.Join{Actors: who})
	b = must(b, engine.Start{})
	for range rapid.IntRange(1, 40).Draw(t, "steps") {
		if b.Phase == engine.Over {
			break
		}
		p := b.LivePrompts()[0]
		offers := testSystem.Rules.Offers(view(b, w, &p), &p)
		wild := noise(t, b)
		if !slices.ContainsFunc(offers, func(o engine.Offer) bool { return covers(&o, &wild) }) {
			_, err := do(b, engine.Decide{Prompt: p.ID, By: p.Whose, Intents: []engine.Intent{wild}})
			var no *engine.Rejection
			if err == nil {
				t.Fatalf("not offered, yet accepted at %s: %+v", p.Ask, wild)
			}
			if !errors.As(err, &no) || no.Rule == "" || no.Reason == "" {
				t.Fatalf("refusal without reason or rule: %v", err)
			}
		}
		open := slices.DeleteFunc(slices.Clone(offers), func(o engine.Offer) bool { return o.No != nil })
		d := engine.Decide{Prompt: p.ID, By: p.Whose}
		if len(open) > 0 && (p.Must || rapid.IntRange(0, 9).Draw(t, "declines") > 0) {
			o := rapid.SampledFrom(open).Draw(t, "offer")
			if o.Act == actPass && rapid.Bool().Draw(t, "rather not") {
				o = rapid.SampledFrom(open).Draw(t, "another")
			}
			d.Intents = []engine.Intent{choice(t, &o)}
		}
		b = must(b, d)
		checkState(t, b)
		checkNames(t, log[len(log)-1].Facts)
	}
	if d := enginetest.Equal(engine.Replay(slices.Values(log)), b); d != "" {
		t.Fatalf("replay of the whole log differs:\n%s", d)
	}
}

// fatal lets rapid stand in where a test is asked for.
type fatal struct{ *rapid.T }

// checkState: free slots are those of the pyramid less the wounds, and every condition's bearer exists.
func checkState(t *rapid.T, b *engine.Battle) {
	for i := range b.Actors {
		a := b.Actors[i].ID
		for d := 1; d <= catalogue.Degrees; d++ {
			n := 0
			for _, k := range b.CondsOn(a.On()) {
				if isWound(k.Name) && k.Level == int32(d) {
					n++
				}
			}
			g := b.Gauge(a.On(), gaugeSlots[d])
			if want := max(0, g.Max-int64(n)); g.Now != want {
				t.Fatalf("%s: %d of %d, with %d wounds", gaugeSlots[d], g.Now, g.Max, n)
			}
		}
	}
	for _, k := range b.Conds {
		if k.Parent != 0 && b.Cond(k.Parent) == nil {
			t.Fatalf("%s outlives its parent", k.Name)
		}
	}
}

// named strings of facts and where the spec has them.
func checkNames(t interface{ Fatalf(string, ...any) }, facts []engine.Fact) {
	for i := range facts {
		if facts[i].Why.Rule == "" {
			t.Fatalf("%T without a rule", facts[i].Event)
		}
		walk(t, reflect.ValueOf(facts[i]), "")
	}
}

// walk looks at every typed name in a value.
func walk(t interface{ Fatalf(string, ...any) }, v reflect.Value, in string) {
	switch v.Kind() {
	case reflect.Struct:
		if sum, ok := v.Interface().(engine.Tally); ok && sum.What == figDamage {
			total := int64(0)
			for i := range sum.Terms {
				total += int64(sum.Terms[i].Amount)
			}
			if total != sum.Total {
				t.Fatalf("damage %d is not the sum of its terms, %d: %+v", sum.Total, total, sum.Terms)
			}
		}
		if arg, ok := v.Interface().(engine.Arg); ok {
			if arg.Kind == engine.ArgName && !anywhere(arg.Name) {
				t.Fatalf("argument %s of %s is %q: not in the spec", arg.Key, in, arg.Name)
			}
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(t, v.Field(i), v.Type().Name())
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walk(t, v.Index(i), in)
		}
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			walk(t, v.Elem(), in)
		}
	case reflect.String:
		if s := v.String(); s != "" && !known(v.Interface(), s) {
			t.Fatalf("%s %q of %s is not in the spec", v.Type().Name(), s, in)
		}
	}
}

// known reports whether the spec has a name with both texts.
func known(name any, s string) bool {
	sp := testSystem.Spec
	has := func(list []engine.NameSpec) bool {
		return slices.ContainsFunc(list, func(n engine.NameSpec) bool { return n.Name == s && n.Text.En != "" && n.Text.Ru != "" })
	}
	ok := func(t engine.Text) bool { return t.En != "" && t.Ru != "" }
	switch n := name.(type) {
	case engine.ActName:
		a := sp.Act(n)
		return a != nil && ok(a.Text)
	case engine.TraitName:
		x := sp.Trait(n)
		return x != nil && ok(x.Text)
	case engine.GaugeName:
		x := sp.Gauge(n)
		return x != nil && ok(x.Text)
	case engine.CondName:
		x := sp.Cond(n)
		return x != nil && ok(x.Text)
	case engine.PartName:
		return has(sp.Parts)
	case engine.ModName:
		return has(sp.Mods)
	case engine.SlotName:
		return has(sp.Slots)
	case engine.BodyName:
		x := sp.Body(n)
		return x != nil && ok(x.Text)
	case engine.OutcomeName:
		return has(sp.Outcomes)
	case engine.GradeName:
		return has(sp.Grades)
	case engine.Purpose:
		return has(sp.Purposes)
	case engine.AskName:
		return has(sp.Asks)
	case engine.Quantity:
		return slices.ContainsFunc(sp.Figures, func(f engine.FigureSpec) bool { return f.Name == n && ok(f.Text) })
	case engine.OptionName:
		x := sp.Option(n)
		return x != nil && ok(x.Text)
	case engine.CatalogueRef:
		x := sp.Item(n)
		return x != nil && ok(x.Text)
	case engine.Band:
		return has(sp.Bands)
	case engine.Rule:
		return slices.ContainsFunc(sp.Rules, func(r engine.RuleSpec) bool { return r.ID == n && ok(r.Text) })
	}
	return true // steps, variables, keys and the players' own words
}

// anywhere reports whether some table of the spec has a name.
func anywhere(s string) bool {
	for _, n := range []any{engine.ActName(s), engine.TraitName(s), engine.GaugeName(s), engine.CondName(s), engine.PartName(s), engine.ModName(s),
		engine.SlotName(s), engine.OutcomeName(s), engine.GradeName(s), engine.Purpose(s), engine.AskName(s), engine.Quantity(s), engine.CatalogueRef(s), engine.Band(s)} {
		if known(n, s) {
			return true
		}
	}
	return false
}

func FuzzBattles(f *testing.F) {
	arena := range20(f)
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { oneBattle(t, arena) }))
}
