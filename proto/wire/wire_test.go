package wire

import (
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
)

// pass sends a message over the wire.
func pass[M any, P interface {
	*M
	proto.Message
}](t failer, m P) P {
	t.Helper()
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	back := P(new(M))
	if err := proto.Unmarshal(data, back); err != nil {
		t.Fatal(err)
	}
	return back
}

func survives(t failer, got, want any, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%T: %v", want, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%T did not survive:\nwant %+v\ngot  %+v", want, want, got)
	}
}

// TestFullEvents sends one event of each kind with every field set: a field that is left out of the wire fails here.
func TestFullEvents(t *testing.T) {
	for _, e := range events() {
		kind := reflect.TypeOf(e)
		t.Run(kind.Name(), func(t *testing.T) {
			f := fill[engine.Fact](&filler{kind: kind})
			m := Fact(&f)
			everyField(t, m.ProtoReflect())
			got, err := FromFact(pass(t, m))
			survives(t, got, f, err)
		})
	}
}

// TestFullCommands does the same for commands.
func TestFullCommands(t *testing.T) {
	for _, c := range commands() {
		kind := reflect.TypeOf(c)
		t.Run(kind.Name(), func(t *testing.T) {
			c := fill[engine.Command](&filler{kind: kind})
			m := Command(c)
			everyField(t, m.ProtoReflect())
			got, err := FromCommand(pass(t, m))
			survives(t, got, c, err)
		})
	}
}

// TestFullBattle does the same for a battle.
func TestFullBattle(t *testing.T) {
	b := fill[engine.Battle](&filler{})
	m := Battle(&b)
	everyField(t, m.ProtoReflect())
	got, err := FromBattle(pass(t, m))
	survives(t, got, &b, err)
}

// TestFullCatalogue looks whether every field of a vocabulary is sent. Nothing reads it back.
func TestFullCatalogue(t *testing.T) {
	s := fill[engine.Spec](&filler{})
	everyField(t, Catalogue(&s).ProtoReflect())
	if n, want := leaves(Catalogue(&s).ProtoReflect()), goLeaves(reflect.ValueOf(s)); n != want {
		t.Errorf("the catalogue has %d values, the ruleset's vocabulary %d: one is not sent", n, want)
	}
}

// TestFullOffer does the same for offers.
func TestFullOffer(t *testing.T) {
	o := fill[engine.Offer](&filler{})
	m := Offer(&o)
	everyField(t, m.ProtoReflect())
	got, err := FromOffer(pass(t, m))
	survives(t, got, o, err)
}

// texts are fields that this package leaves to the server, which knows the caller's language.
func texts(name protoreflect.FullName) bool {
	switch name {
	case "autobattle.v1.Offer.label", "autobattle.v1.Refusal.message":
		return true
	}
	return false
}

// everyField fails for a field of the schema that a full value does not fill.
func everyField(t *testing.T, m protoreflect.Message) {
	t.Helper()
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if fd.ContainingOneof() != nil && !fd.ContainingOneof().IsSynthetic() || texts(fd.FullName()) {
			continue
		}
		if !m.Has(fd) && !mayBeEmpty(m) {
			t.Errorf("%s is not filled", fd.FullName())
		}
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				everyField(t, v.List().Get(i).Message())
			}
		default:
			everyField(t, v.Message())
		}
		return true
	})
}

// mayBeEmpty names what even a full value leaves out.
func mayBeEmpty(m protoreflect.Message) bool {
	switch m.Interface().(type) {
	case *pb.Throw:
		return true // what a throw has depends on its kind
	case *pb.Fact:
		return true // of an adjustment only the event counts
	case *pb.Cell, *pb.Point, *pb.Look:
		return true
	case *pb.HidingCell:
		return true // either kind of stop
	}
	return false
}

// leaves counts the values in a message, goLeaves those in an engine value.
func leaves(m protoreflect.Message) (n int) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsList() && fd.Message() != nil:
			for i := range v.List().Len() {
				n += leaves(v.List().Get(i).Message())
			}
		case fd.IsList():
			n += v.List().Len()
		case fd.Message() != nil:
			n += leaves(v.Message())
		default:
			n++
		}
		return true
	})
	return n
}

func goLeaves(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			n += goLeaves(v.Field(i))
		}
	case reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return 1
		}
		fallthrough
	case reflect.Slice:
		for i := range v.Len() {
			n += goLeaves(v.Index(i))
		}
	default:
		n = 1
	}
	return n
}

// TestRoundTrip sends values of every kind that are drawn at random.
func TestRoundTrip(t *testing.T) {
	t.Run("fact", rapid.MakeCheck(func(t *rapid.T) {
		f := fill[engine.Fact](&filler{t: t})
		got, err := FromFact(pass(t, Fact(&f)))
		survives(t, got, f, err)
	}))
	t.Run("command", rapid.MakeCheck(func(t *rapid.T) {
		c := fill[engine.Command](&filler{t: t})
		got, err := FromCommand(pass(t, Command(c)))
		survives(t, got, c, err)
	}))
	t.Run("offer", rapid.MakeCheck(func(t *rapid.T) {
		o := fill[engine.Offer](&filler{t: t})
		got, err := FromOffer(pass(t, Offer(&o)))
		survives(t, got, o, err)
	}))
	t.Run("snapshot", rapid.MakeCheck(func(t *rapid.T) {
		b := fill[engine.Battle](&filler{t: t})
		s := Snapshot{Battle: &b, Hash: fill[[32]byte](&filler{t: t}), AtMS: 7, Clocks: []Clock{{Prompt: 1, SpentMS: 2, SinceMS: 3}}}
		data, err := EncodeSnapshot(&s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeSnapshot(data)
		survives(t, got, s, err)
	}))
	t.Run("sighting", rapid.MakeCheck(func(t *rapid.T) {
		s := fill[voxel.Sighting](&filler{t: t})
		got, err := FromSighting(pass(t, Sighting(&s)))
		survives(t, got, s, err)
	}))
	t.Run("secret", rapid.MakeCheck(func(t *rapid.T) {
		s := fill[Secret](&filler{t: t})
		s.Seed[0], s.SaltKey[0] = 1, 1
		got, err := DecodeSecret(EncodeSecret(&s))
		survives(t, got, s, err)
	}))
}

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}
