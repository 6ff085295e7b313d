package engine_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/enginetest"
	"autobattle/engine/voxel"
)

// The fighters of the usual battle: two sides of two. Each brings three items, which number from the same serial.
const (
	anna engine.ActorID = 1 + 4*iota
	ben
	cleo
	dora
	ghost engine.ActorID = engine.HiddenBit | 1 // the hidden one, if there is one
)

// table plays one battle and keeps its past: past[i] is the battle at version i+1.
type table struct {
	t     enginetest.TB
	sys   *engine.System
	b     *engine.Battle
	world voxel.World
	faces string // the script for the next command; empty: seeded dice
	seed  [32]byte
	past  []*engine.Battle
	log   []engine.Commit
}

func newcomer(key string, team engine.TeamID, x int32) engine.Newcomer {
	return engine.Newcomer{Key: key, Name: "Name of " + key, Team: team, Controller: engine.Controller{Player: key},
		Pose:   voxel.Pose{At: voxel.Pos{X: x, Y: 1, Z: 4}.Floor(), Look: voxel.Look{Z: 1}},
		Traits: []engine.TraitLevel{{Name: might, Level: 2}, {Name: reflex, Level: 1}},
		Items: []engine.NewItem{{Ref: "bag", Slot: "back"}, {Ref: "stick", In: 1, Gauges: []engine.NewGauge{{Name: breath, Now: 3}}},
			{Ref: "stick", Slot: "main"}}}
}

// lobby is a battle in its lobby with the fighters of the usual battle and, if asked, a hidden one at the end.
func lobby(t enginetest.TB, sys *engine.System, ghost bool, options ...engine.Option) *table {
	t.Helper()
	m := &table{t: t, sys: sys, world: arena(t)}
	m.play(engine.Open{Ruleset: "sticks", Title: "test", Options: options,
		Teams: []engine.Team{{ID: "red"}, {ID: "blue"}}, Commitment: dice.Commit(m.seed)})
	m.play(engine.Join{Actors: []engine.Newcomer{newcomer("anna", "red", 1), newcomer("ben", "red", 2), newcomer("cleo", "blue", 3), newcomer("dora", "blue", 4)}})
	if ghost {
		n := newcomer("ghost", "blue", 5)
		n.Name = "Ghost"
		n.For = engine.Audience{Kind: engine.ForKnowers}
		m.play(engine.Join{Actors: []engine.Newcomer{n}})
	}
	return m
}

func fight(t enginetest.TB, ghost bool, options ...engine.Option) *table {
	t.Helper()
	m := lobby(t, sticks(), ghost, options...)
	m.play(engine.Start{})
	return m
}

// arena is one section: a stone floor at height 0 and a wall of three blocks.
func arena(t enginetest.TB) *voxel.Arena {
	t.Helper()
	a, err := voxel.NewBuilder(voxel.Pos{}, voxel.Pos{X: 1, Y: 1, Z: 1}).Fill(voxel.Pos{}, voxel.Pos{X: 15, Z: 15}, voxel.FullCube("stone")).
		Fill(voxel.Pos{X: 9, Y: 1, Z: 9}, voxel.Pos{X: 9, Y: 3, Z: 9}, voxel.FullCube("wall")).Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (m *table) env() engine.Env {
	e := engine.Env{World: m.world, Dice: dice.NewSeeded(dice.Mix(m.seed, nil)), Seed: m.seed}
	if m.faces != "" {
		e.Dice = dice.MustScript(m.faces)
	}
	return e
}

// try plays a command and gives its refusal, if it was refused.
func (m *table) try(c engine.Command) *engine.Rejection {
	m.t.Helper()
	from := m.b
	if from == nil {
		from = &engine.Battle{}
	}
	next, commit, err := enginetest.CheckStep(m.t, m.sys, from, c, m.env)
	if err != nil {
		var no *engine.Rejection
		if !errors.As(err, &no) {
			m.t.Fatalf("%#v: %v is no *Rejection", c, err)
		}
		return no
	}
	if next.Version != from.Version+1 || commit.Version != next.Version {
		m.t.Fatalf("version %d after %d, commit %d", next.Version, from.Version, commit.Version)
	}
	m.b, m.faces = next, ""
	m.past, m.log = append(m.past, next), append(m.log, commit)
	return nil
}

// play is try for a command that must be taken. It gives the facts.
func (m *table) play(c engine.Command) []engine.Fact {
	m.t.Helper()
	if no := m.try(c); no != nil {
		m.t.Fatalf("%#v refused: %v", c, no)
	}
	return m.last()
}

func (m *table) refused(c engine.Command, want engine.Reason) *engine.Rejection {
	m.t.Helper()
	no := m.try(c)
	if no == nil {
		m.t.Fatalf("%#v was taken, want a refusal: %s", c, want)
	}
	if no.Reason != want {
		m.t.Fatalf("%#v refused: %v, want %s", c, no, want)
	}
	return no
}

func (m *table) last() []engine.Fact { return m.log[len(m.log)-1].Facts }

// asked is the live prompt of an actor.
func (m *table) asked(who engine.ActorID) *engine.Prompt {
	m.t.Helper()
	for _, p := range m.b.LivePrompts() {
		if p.Whose == who {
			return &p
		}
	}
	m.t.Fatalf("actor %d is not asked; live: %+v", who, m.b.LivePrompts())
	return nil
}

// does answers for an actor; no act declines.
func (m *table) does(who engine.ActorID, act engine.ActName, at ...engine.ActorID) []engine.Fact {
	m.t.Helper()
	return m.play(m.decide(who, act, at...))
}

func (m *table) decide(who engine.ActorID, act engine.ActName, at ...engine.ActorID) engine.Decide {
	m.t.Helper()
	d := engine.Decide{Prompt: m.asked(who).ID, By: who}
	if act != "" {
		d.Intents = []engine.Intent{intent(act, at...)}
	}
	return d
}

func intent(act engine.ActName, at ...engine.ActorID) engine.Intent {
	in := engine.Intent{Act: act}
	for _, a := range at {
		in.Targets = append(in.Targets, engine.Target{Ref: a.On()})
	}
	return in
}

// scene starts a battle of scripted rules and plays one decision of the master's that runs do.
func scene(t enginetest.TB, do func(s *engine.Scene)) *table {
	t.Helper()
	m := lobby(t, &engine.System{Spec: sticksSpec(), Rules: scripted{do: func(*engine.Scene) {}}}, false)
	m.play(engine.Start{})
	m.run(do)
	return m
}

func (m *table) run(do func(s *engine.Scene)) []engine.Fact {
	m.t.Helper()
	m.sys = &engine.System{Spec: m.sys.Spec, Rules: scripted{do: do}}
	return m.does(0, "")
}

// events are those of one type among facts.
func events[E engine.Event](facts []engine.Fact) (out []E) {
	for _, f := range facts {
		if e, ok := f.Event.(E); ok {
			out = append(out, e)
		}
	}
	return out
}

// walk calls visit for every identifier, however deep, with its type.
func walk(v reflect.Value, visit func(typ string, id uint32)) {
	switch v.Kind() {
	case reflect.Uint32:
		visit(v.Type().Name(), uint32(v.Uint()))
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Struct:
		if r, ok := v.Interface().(engine.Ref); ok {
			visit([...]string{"", "ActorID", "ItemID", "CondID", "ZoneID", "PlanID", "FrameID", "RollID", "SeatID"}[r.Kind], r.ID)
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	}
}

// fill sets v to something, every kind of value in every field. A kind that it does not know is a new kind of state.
func fill(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64Range(-2, 4).Draw(t, "int"))
	case reflect.Uint8:
		v.SetUint(rapid.Uint64Range(0, 3).Draw(t, "uint8"))
	case reflect.Uint32, reflect.Uint64:
		n := rapid.Uint64Range(0, 6).Draw(t, "id")
		if n > 0 && v.Kind() == reflect.Uint32 && rapid.IntRange(0, 4).Draw(t, "hidden") == 0 {
			n |= engine.HiddenBit
		}
		v.SetUint(n)
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{"", "strike", "might", "hp", "hurt", "bound", "red", "human", "stick", "zz"}).Draw(t, "string"))
	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(t, "len")
		s := reflect.MakeSlice(v.Type(), n, n)
		for i := range n {
			fill(t, s.Index(i))
		}
		v.Set(s)
	case reflect.Array:
		for i := range min(v.Len(), 2) {
			fill(t, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(t, v.Field(i))
			}
		}
	default:
		panic(fmt.Sprintf("%s: the generator knows no values of this kind", v.Type()))
	}
}

// filled is a value of any type with everything in it drawn.
func filled[T any](t *rapid.T) T {
	var x T
	fill(t, reflect.ValueOf(&x).Elem())
	return x
}

// someBattle is a battle with all its fields drawn. Tables are sorted and have one record for a key; a new table is
// refused here until its key is known.
func someBattle(t *rapid.T) *engine.Battle {
	b := filled[engine.Battle](t)
	b.Phase %= engine.Over + 1
	if b.Phase != engine.Over { // only a battle that is over has an outcome
		b.Outcome, b.Seed.Reveal = nil, [32]byte{}
	}
	v := reflect.ValueOf(&b).Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && f.Type.Kind() == reflect.Slice {
			switch f.Name {
			case "Actors":
				tidy(&b.Actors, func(x *engine.Actor) []uint32 { return []uint32{uint32(x.ID)} })
			case "Traits":
				tidyText(&b.Traits, func(x *engine.Trait) ([]uint32, string) { return []uint32{uint32(x.On)}, string(x.Name) })
			case "Gauges":
				tidyText(&b.Gauges, func(x *engine.Gauge) ([]uint32, string) {
					return []uint32{uint32(x.On.Kind), x.On.ID}, string(x.Name)
				})
			case "Items":
				tidy(&b.Items, func(x *engine.Item) []uint32 { return []uint32{uint32(x.ID)} })
			case "Conds":
				tidy(&b.Conds, func(x *engine.Cond) []uint32 { return []uint32{uint32(x.ID)} })
				slices.SortStableFunc(b.Conds, func(x, y engine.Cond) int {
					return slices.Compare([]uint32{uint32(x.On.Kind), x.On.ID}, []uint32{uint32(y.On.Kind), y.On.ID})
				})
			case "Zones":
				tidy(&b.Zones, func(x *engine.Zone) []uint32 { return []uint32{uint32(x.ID)} })
			case "Plans":
				tidy(&b.Plans, func(x *engine.Plan) []uint32 { return []uint32{uint32(x.ID)} })
			case "Known":
				tidy(&b.Known, func(x *engine.Known) []uint32 { return []uint32{uint32(x.By), uint32(x.Of.Kind), x.Of.ID} })
			case "Rulings":
				tidy(&b.Rulings, func(x *engine.Ruling) []uint32 { return []uint32{uint32(x.ID)} })
			case "Frames": // a stack: any order, each once
				var once []engine.Frame
				for _, f := range b.Frames {
					if !slices.ContainsFunc(once, func(o engine.Frame) bool { return o.ID == f.ID }) {
						once = append(once, f)
					}
				}
				b.Frames = once
			case "Prompts":
				tidy(&b.Prompts, func(x *engine.Prompt) []uint32 { return []uint32{uint32(x.ID)} })
			case "Blocks":
				tidy(&b.Blocks, func(x *engine.BlockEdit) []uint32 {
					return []uint32{uint32(x.At.Y + 9), uint32(x.At.Z + 9), uint32(x.At.X + 9)}
				})
			case "Queue", "Teams", "Outcome": // lists, in their own order
			default:
				t.Fatalf("table %s: say what its records are sorted by", f.Name)
			}
		}
	}
	return &b
}

func tidy[T any](tbl *[]T, key func(*T) []uint32) {
	tidyText(tbl, func(x *T) ([]uint32, string) { return key(x), "" })
}

func tidyText[T any](tbl *[]T, key func(*T) ([]uint32, string)) {
	order := func(a, b T) int {
		x, s := key(&a)
		y, t := key(&b)
		if c := slices.Compare(x, y); c != 0 {
			return c
		}
		if s < t {
			return -1
		}
		if s > t {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(*tbl, order)
	*tbl = slices.CompactFunc(*tbl, func(a, b T) bool { return order(a, b) == 0 })
}
