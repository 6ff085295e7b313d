package wire

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

// events are all events of the engine; TestNamesAreComplete holds them against the source.
func events() []engine.Event {
	return []engine.Event{
		engine.Began{}, engine.EntropyAdded{}, engine.PhaseSet{}, engine.Ended{}, engine.RulesSet{}, engine.Clocked{},
		engine.Queued{}, engine.ActorSet{}, engine.ActorGone{}, engine.TraitSet{}, engine.Moved{}, engine.Posed{},
		engine.GaugeSet{}, engine.CondSet{}, engine.CondCleared{}, engine.ItemSet{}, engine.ItemGone{}, engine.ZoneSet{},
		engine.ZoneCleared{}, engine.PlanSet{}, engine.PlanCleared{}, engine.KnownSet{}, engine.BlocksChanged{},
		engine.Declared{}, engine.Rolled{}, engine.Revised{}, engine.Tallied{}, engine.Resolved{}, engine.Prompted{},
		engine.PromptClosed{}, engine.Answered{}, engine.Framed{}, engine.Unframed{}, engine.Ruled{},
		engine.RulingCleared{}, engine.Rewound{}, engine.Said{},
	}
}

// commands are all commands of the engine.
func commands() []engine.Command {
	return []engine.Command{
		engine.Open{}, engine.Join{}, engine.AddEntropy{}, engine.Start{}, engine.Decide{}, engine.TimeUp{},
		engine.Adjust{}, engine.Override{}, engine.Edit{}, engine.Remove{}, engine.Control{}, engine.Pause{},
		engine.Unpause{}, engine.Rewind{}, engine.Say{}, engine.End{},
	}
}

// parseEngine parses the source of package engine.
func parseEngine(t *testing.T) []*ast.File {
	t.Helper()
	paths, err := filepath.Glob("../../engine/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no source of package engine: %v", err)
	}
	var files []*ast.File
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		src, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// receivers are the names of the types with a method.
func receivers(files []*ast.File, method string) (out []string) {
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Name.Name != method {
				continue
			}
			if id, ok := fn.Recv.List[0].Type.(*ast.Ident); ok {
				out = append(out, id.Name)
			}
		}
	}
	slices.Sort(out)
	return out
}

// TestNamesAreComplete holds this package's lists against the engine's source: what is new there must be added here.
func TestNamesAreComplete(t *testing.T) {
	files := parseEngine(t)
	compare := func(what string, have, want []string) {
		slices.Sort(have)
		if !slices.Equal(have, want) {
			t.Errorf("%s:\nhave %v\nwant %v", what, have, want)
		}
	}
	var have []string
	for _, e := range events() {
		have = append(have, reflect.TypeOf(e).Name())
	}
	compare("events", have, receivers(files, "apply"))
	have = nil
	for _, c := range commands() {
		have = append(have, reflect.TypeOf(c).Name())
	}
	compare("commands", have, receivers(files, "command"))

	have = nil
	for _, r := range reasons() {
		have = append(have, string(r))
	}
	var want []string
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if id, ok := v.Type.(*ast.Ident); ok && id.Name == "Reason" && len(v.Values) == 1 {
				if lit, ok := v.Values[0].(*ast.BasicLit); ok {
					want = append(want, strings.Trim(lit.Value, `"`))
				}
			}
			return true
		})
	}
	slices.Sort(want)
	compare("reasons", have, want)
}

// filler makes engine values by reflection. Without t it makes full ones: no field is zero, every list has one element.
type filler struct {
	t    *rapid.T
	next int64
	kind reflect.Type // for a full filler: the event or command that stands for the interface
}

// enumRanges are the values that enums may have.
func enumRange(t reflect.Type) (lo, hi int64, ok bool) {
	switch t {
	case typeOf[engine.RefKind]():
		hi = int64(lastRefKind)
	case typeOf[engine.AudienceKind]():
		hi = int64(lastAudienceKind)
	case typeOf[engine.Rest]():
		hi = int64(lastRest)
	case typeOf[voxel.Posture]():
		hi = int64(lastPosture)
	case typeOf[voxel.Sight]():
		hi = int64(lastSight)
	case typeOf[voxel.Medium]():
		hi = int64(lastMedium)
	case typeOf[voxel.Lean]():
		hi = int64(lastLean)
	case typeOf[voxel.Flank]():
		hi = int64(lastFlank)
	case typeOf[voxel.Stops]():
		hi = 3
	case typeOf[engine.ModKind]():
		hi = int64(lastModKind)
	case typeOf[engine.BaseKind]():
		hi = int64(lastBaseKind)
	case typeOf[engine.UntilKind]():
		hi = int64(lastUntilKind)
	case typeOf[engine.ShapeKind]():
		hi = int64(lastShapeKind)
	case typeOf[engine.PlanKind]():
		hi = int64(lastPlanKind)
	case typeOf[engine.Op]():
		hi = int64(lastOp)
	case typeOf[engine.SelectorKind]():
		hi = int64(lastSelectorKind)
	case typeOf[engine.Compare]():
		hi = int64(lastCompare)
	case typeOf[engine.FrameKind]():
		hi = int64(lastFrameKind)
	case typeOf[engine.Moment]():
		hi = int64(lastMoment)
	case typeOf[engine.LaneState]():
		hi = int64(lastLaneState)
	case typeOf[engine.PromptKind]():
		lo, hi = 1, int64(lastPromptKind)
	case typeOf[engine.PolicyKind]():
		hi = int64(lastPolicyKind)
	case typeOf[engine.Phase]():
		hi = int64(lastPhase)
	case typeOf[engine.Gender]():
		hi = int64(lastGender)
	case typeOf[engine.ControllerKind]():
		hi = int64(lastControllerKind)
	case typeOf[engine.SeatState]():
		hi = int64(lastSeatState)
	case typeOf[engine.KnownLevel]():
		hi = int64(lastKnownLevel)
	case typeOf[engine.ScopeKind]():
		hi = int64(lastScopeKind)
	case typeOf[engine.ClearWhy]():
		hi = int64(lastClearWhy)
	case typeOf[engine.PromptEnd]():
		hi = int64(lastPromptEnd)
	case typeOf[engine.Needs]():
		hi = int64(engine.NeedsSome)
	case typeOf[engine.CondUnique]():
		hi = int64(engine.PerAbout)
	default:
		return 0, 0, false
	}
	return lo, hi, true
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// number draws from a range; a full filler takes one that is not 0, a new one each time where the range allows.
func (f *filler) number(lo, hi int64) int64 {
	if f.t != nil {
		return rapid.Int64Range(lo, hi).Draw(f.t, "n")
	}
	f.next++
	if n := f.next%97 + 1; n >= lo && n <= hi {
		return n
	}
	if hi != 0 {
		return hi
	}
	return lo
}

func (f *filler) length() int {
	if f.t == nil {
		return 1
	}
	return rapid.IntRange(0, 2).Draw(f.t, "len")
}

// fill sets v to something that the wire must carry.
func (f *filler) fill(v reflect.Value) {
	switch v.Type() {
	case typeOf[engine.Target]():
		v.Set(reflect.ValueOf(f.target()))
		return
	case typeOf[engine.Arg]():
		v.Set(reflect.ValueOf(f.arg()))
		return
	case typeOf[dice.Throw]():
		v.Set(reflect.ValueOf(f.throw()))
		return
	case typeOf[*engine.Battle]():
		return // the target of a rewind is not recorded
	case typeOf[*engine.Rejection]():
		if f.t == nil || rapid.Bool().Draw(f.t, "refused") {
			p := reflect.New(typeOf[engine.Rejection]())
			f.fill(p.Elem())
			v.Set(p)
		}
		return
	case typeOf[voxel.Pos]():
		f.parts(v, voxel.MaxCoord)
		return
	case typeOf[voxel.Point]():
		f.parts(v, voxel.MaxCoord*voxel.Unit)
		return
	case typeOf[voxel.Look]():
		f.parts(v, voxel.MaxLook)
		return
	case typeOf[engine.Event]():
		v.Set(f.pick(events()))
		return
	case typeOf[engine.Command]():
		all := commands()
		if f.t == nil {
			v.Set(f.of(f.kind))
			return
		}
		v.Set(f.of(reflect.TypeOf(all[rapid.IntRange(0, len(all)-1).Draw(f.t, "command")])))
		return
	}
	if lo, hi, ok := enumRange(v.Type()); ok {
		v.SetUint(uint64(f.number(lo, hi)))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Field(i).CanSet() {
				continue // derived, not state
			}
			switch name := v.Type().Field(i).Name; {
			case v.Type() == typeOf[voxel.Box]():
				v.Field(i).SetUint(uint64(f.number(0, 16)))
			case v.Type() == typeOf[voxel.Block]() && (name == "Emits" || name == "Passes"), v.Type() == typeOf[voxel.Light]():
				v.Field(i).SetUint(uint64(f.number(0, 15)))
			case v.Type() == typeOf[engine.Rejection]() && name == "Reason":
				all := reasons()
				v.Field(i).SetString(string(all[f.number(0, int64(len(all)-1))]))
			case v.Type() == typeOf[engine.Roll]() && name == "Taken":
				v.Field(i).SetInt(f.number(0, 127))
			default:
				f.fill(v.Field(i))
			}
		}
		if r, ok := v.Addr().Interface().(*engine.Roll); ok && !r.HasAim {
			r.Aim = 0
		}
	case reflect.Slice:
		if n := f.length(); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				f.fill(v.Index(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.String:
		if f.t != nil {
			v.SetString(rapid.StringOfN(rapid.RuneFrom([]rune("aZ0_- Ёж剣")), 0, 6, -1).Draw(f.t, "s"))
			return
		}
		f.next++
		v.SetString(fmt.Sprintf("%s %d", v.Type().Name(), f.next))
	case reflect.Bool:
		v.SetBool(f.t == nil || rapid.Bool().Draw(f.t, "b"))
	case reflect.Int8:
		v.SetInt(f.number(-128, 127))
	case reflect.Int16:
		v.SetInt(f.number(-1<<15, 1<<15-1))
	case reflect.Int32:
		v.SetInt(f.number(-1<<31, 1<<31-1))
	case reflect.Int, reflect.Int64:
		v.SetInt(f.number(-1<<63, 1<<63-1))
	case reflect.Uint8:
		if v.Type().Name() != "uint8" {
			panic(v.Type().String() + " has no range: add it to enumRange")
		}
		v.SetUint(uint64(f.number(0, 255)))
	case reflect.Uint32:
		v.SetUint(uint64(f.number(0, 1<<32-1)))
	case reflect.Uint64:
		v.SetUint(uint64(f.number(0, 1<<63-1)))
	default:
		panic("no way to fill " + v.Type().String())
	}
}

func (f *filler) parts(v reflect.Value, most int64) {
	for i := range v.NumField() {
		v.Field(i).SetInt(f.number(-most, most))
	}
}

func (f *filler) of(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	f.fill(v)
	return v
}

// pick makes one of the events. A full filler takes the one it is for, and within that one a plain one.
func (f *filler) pick(all []engine.Event) reflect.Value {
	if f.t == nil {
		if f.kind != nil && f.kind.Implements(typeOf[engine.Event]()) {
			return f.of(f.kind)
		}
		return f.of(typeOf[engine.Clocked]())
	}
	return f.of(reflect.TypeOf(all[rapid.IntRange(0, len(all)-1).Draw(f.t, "event")]))
}

func (f *filler) target() (v engine.Target) {
	if f.t == nil || rapid.Bool().Draw(f.t, "thing") {
		v.Ref = engine.Ref{Kind: engine.RefKind(f.number(1, int64(lastRefKind))), ID: uint32(f.number(0, 1<<32-1))}
		return v
	}
	f.fill(reflect.ValueOf(&v.Cell).Elem())
	return v
}

func (f *filler) arg() (v engine.Arg) {
	f.fill(reflect.ValueOf(&v.Key).Elem())
	v.Kind = engine.ArgKind(f.number(0, int64(engine.ArgLevel)))
	switch v.Kind {
	case engine.ArgNumber, engine.ArgLevel:
		v.N = f.number(-1<<63, 1<<63-1)
	case engine.ArgName, engine.ArgText:
		f.fill(reflect.ValueOf(&v.Name).Elem())
	case engine.ArgRef:
		f.fill(reflect.ValueOf(&v.Ref).Elem())
	case engine.ArgCell:
		f.fill(reflect.ValueOf(&v.Cell).Elem())
	}
	return v
}

// throw is what a source could have thrown.
func (f *filler) throw() dice.Throw {
	formulas := []dice.Formula{dice.FourFudge(50), dice.FourFudge(0), dice.Percentile(), dice.Dice(3, 20)}
	formula := formulas[f.number(0, int64(len(formulas)-1))]
	at := dice.At{Stream: dice.Stream(f.number(0, 1)), Clock: uint64(f.number(0, 1<<63-1)), Pos: int32(f.number(0, dice.MaxPos))}
	return formula.Nth(at, uint64(f.number(0, int64(formula.Outcomes()-1))))
}

func fill[T any](f *filler) (v T) {
	f.fill(reflect.ValueOf(&v).Elem())
	return v
}
