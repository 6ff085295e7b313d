package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
)

// attack is a typical commit: a defence that resolves an attack with a wound, and hands the turn on.
func attack() engine.Commit {
	at := func(pos int32) dice.At { return dice.At{Stream: dice.Public, Clock: 12, Pos: pos} }
	plain, percent := dice.FourFudge(0), dice.FourFudge(-50)
	hitting, warding := plain.Nth(at(0), 8000), percent.Nth(at(1), 4321)
	fact := func(rule engine.Rule, e engine.Event) engine.Fact {
		return engine.Fact{Why: engine.Why{Rule: rule}, Event: e}
	}
	roll := func(id engine.RollID, by, against engine.ActorID, why engine.Purpose, t dice.Throw) engine.Roll {
		return engine.Roll{
			ID: id, By: by, Against: against, Why: why, Rule: "KM-ATK-01", Frame: 9,
			Base: engine.Base{Trait: "swords", Level: 3, Rule: "KM-SKILL-02"},
			Mods: []engine.Mod{
				{Name: "wounded", Rule: "KM-WND-05", Kind: engine.ModLevel, Amount: -1, Source: engine.Ref{Kind: engine.RefCond, ID: 4}},
				{Name: "cover", Rule: "KM-COVER-01", Kind: engine.ModPercent, Amount: -50, Cells: []voxel.Pos{{X: 10, Y: 64, Z: -3}, {X: 10, Y: 65, Z: -3}}},
			},
			Throws: []dice.Throw{t}, Result: 4, Margin: 2,
		}
	}
	return engine.Commit{
		Version: 41,
		Command: engine.Decide{
			Prompt: 17, By: 2, Intents: []engine.Intent{{Act: "parry", By: 2, Items: []engine.ItemID{6}}},
			Poses: []engine.SeenPose{{Actor: 2, Pose: voxel.Pose{At: voxel.Point{X: 2688, Y: 16384, Z: -640}, Look: voxel.Look{Z: 16384}}}},
		},
		Facts: []engine.Fact{
			fact("AB-PROMPT", engine.Answered{Prompt: 17, By: 2, Intents: []engine.Intent{{Act: "parry", By: 2, Items: []engine.ItemID{6}}}, How: engine.PromptAnswered}),
			fact("AB-PROMPT", engine.PromptClosed{ID: 17, Why: engine.PromptAnswered}),
			fact("KM-ATK-01", engine.Rolled{Roll: roll(30, 1, 2, "attack", hitting)}),
			fact("KM-DEF-01", engine.Rolled{Roll: roll(31, 2, 1, "defence", warding)}),
			fact("KM-DMG-01", engine.Tallied{Tally: engine.Tally{
				What: "damage", Rule: "KM-DMG-01", Frame: 9, On: 2, Total: 5, Band: "serious",
				Terms: []engine.Term{{Name: "margin", Rule: "KM-DMG-02", Amount: 2}, {Name: "weapon", Rule: "KM-DMG-03", Amount: 3, Source: engine.Ref{Kind: engine.RefItem, ID: 5}}},
			}}),
			fact("KM-WND-01", engine.CondSet{Cond: engine.Cond{
				ID: 21, Name: "wound", On: engine.ActorID(2).On(), Part: "arm_left", Level: 2, Value: 2, Cause: 9,
				Source: engine.ActorID(1).On(), Until: engine.Until{Kind: engine.UntilKept},
			}}),
			fact("KM-WND-01", engine.GaugeSet{Gauge: engine.Gauge{On: engine.ActorID(2).On(), Name: "slots_serious", Now: 1, Max: 2}, Before: 2}),
			fact("KM-ATK-09", engine.Resolved{Frame: 9, Act: "strike", By: 1, Target: engine.Target{Ref: engine.ActorID(2).On()}, Outcome: "hit", Grade: "serious"}),
			fact("AB-FRAME", engine.Unframed{ID: 9, Outcome: "done"}),
			fact("KM-TURN-01", engine.Queued{Seats: []engine.Seat{{ID: 1, Actor: 1, Result: 5, State: engine.SeatActed}, {ID: 2, Actor: 2, Result: 3, State: engine.SeatActing}}}),
			{For: engine.Audience{Kind: engine.ForActors, Who: []engine.ActorID{2}}, Event: engine.Prompted{Prompt: engine.Prompt{
				ID: 18, Frame: 10, Whose: 2, Kind: engine.PromptTurn, Ask: "act", Limit: engine.Limit{Take: engine.PolicyDefault, MS: 60000},
			}}},
			fact("", engine.Framed{Frame: engine.Frame{ID: 10, Under: 2, Kind: engine.FrameTurn, Step: "act", Intent: engine.Intent{By: 2}, Vars: []engine.Var{{Name: "allowance", Actor: 2, N: 2560}}}}),
		},
		Dice:   [2]uint64{13, 1},
		Serial: [2]uint32{31, 1<<31 + 2},
	}
}

func attackMeta() Meta {
	return Meta{
		CommandID: "plugin-1/884", Digest: [32]byte{1, 2, 3}, AtMS: 1_790_000_000_123,
		Author: Author{Key: "k1", Role: "plugin", Player: "f2b1"}, Salt: [16]byte{9, 9}, Previous: [32]byte{7},
	}
}

// goldens are commits whose encoding must never change: stored battles consist of it.
func goldens() map[string]func() (engine.Commit, Meta) {
	out := map[string]func() (engine.Commit, Meta){
		"attack": func() (engine.Commit, Meta) { return attack(), attackMeta() },
		"first": func() (engine.Commit, Meta) {
			return engine.Commit{
				Version: 1, Command: engine.Open{Ruleset: "kmrp", Title: "Дуэль", Commitment: [32]byte{5}},
				Facts: []engine.Fact{{Event: engine.Began{
					Rules:      engine.Rules{Ruleset: "kmrp", Revision: 1, Catalogue: [32]byte{6}, Feature: 1, Options: []engine.Option{{Name: "knowledge", Word: "team"}}},
					Title:      "Дуэль",
					Teams:      []engine.Team{{ID: "a", Name: "A", Allies: []engine.TeamID{"b"}}, {ID: "b"}},
					Commitment: [32]byte{5},
				}}},
			}, Meta{CommandID: "c", Digest: [32]byte{1}}
		},
	}
	return out
}

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGoldenCommits(t *testing.T) {
	for name, make := range goldens() {
		t.Run(name, func(t *testing.T) {
			c, m := make()
			data, err := EncodeCommit(&c, &m)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "commit-"+name+".hex")
			if *update {
				if err := os.WriteFile(path, []byte(hex.EncodeToString(data)+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, err := hex.DecodeString(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			if string(data) != string(want) {
				t.Errorf("the encoding has changed, so that no battle stored before can be verified:\nwas %x\nis  %x", want, data)
			}
			got, meta, err := CheckCommit(want, c.Version-1, m.Previous)
			survives(t, got, c, err)
			survives(t, meta, m, nil)
		})
	}
}

// TestCanonical holds the hand-made encoding of a commit against the schema.
func TestCanonical(t *testing.T) {
	c, m := attack(), attackMeta()
	data, err := EncodeCommit(&c, &m)
	if err != nil {
		t.Fatal(err)
	}
	stored := &pb.StoredCommit{}
	if err := proto.Unmarshal(data, stored); err != nil {
		t.Fatal(err)
	}
	if len(stored.ProtoReflect().GetUnknown()) > 0 {
		t.Error("the encoding has fields that the schema lacks")
	}
	everyField(t, stored.ProtoReflect().Get(stored.ProtoReflect().Descriptor().Fields().ByName("author")).Message())
	again, err := marshal().Marshal(stored)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(data) {
		t.Errorf("the encoding is not the one of the schema:\n%x\n%x", data, again)
	}
}

// TestChangedByte changes every byte of a stored commit in turn: none may pass the check.
func TestChangedByte(t *testing.T) {
	c, m := attack(), attackMeta()
	data, err := EncodeCommit(&c, &m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		for _, by := range []byte{1, 0x80} {
			bad := append([]byte(nil), data...)
			bad[i] ^= by
			if _, _, err := CheckCommit(bad, c.Version-1, m.Previous); err == nil {
				t.Fatalf("byte %d of %d was changed by %#x and nobody noticed", i, len(data), by)
			}
		}
	}
	tests := map[string]struct {
		after    engine.Version
		previous [32]byte
		want     string
	}{
		"gap":         {c.Version - 2, m.Previous, "version is 41; it must be 40"},
		"other chain": {c.Version - 1, [32]byte{8}, "the one before has 08"},
	}
	for name, tt := range tests {
		if _, _, err := CheckCommit(data, tt.after, tt.previous); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %q", name, err, tt.want)
		}
	}
}

// TestHashAsDescribed computes the hash of a commit from its fields alone, as the comment of EncodeCommit describes it.
func TestHashAsDescribed(t *testing.T) {
	c, m := attack(), attackMeta()
	data, err := EncodeCommit(&c, &m)
	if err != nil {
		t.Fatal(err)
	}
	var head, parts []byte
	number := uint32(0)
	for rest := data; len(rest) > 0; {
		field, _, n := protowire.ConsumeField(rest)
		raw := rest[:n]
		rest = rest[n:]
		switch field {
		case 7, 8:
			_, _, tag := protowire.ConsumeTag(raw)
			encoding, _ := protowire.ConsumeBytes(raw[tag:])
			salt := PartSalt(m.Salt, 1<<32-1)
			if field == 8 {
				salt = PartSalt(m.Salt, number)
				number++
			}
			sum := sha256.Sum256(slices.Concat([]byte("autobattle/part/1"), salt[:], encoding))
			parts = append(parts, sum[:]...)
		case 1, 2, 3, 4, 5, 6, 9, 10:
			head = append(head, raw...)
		}
	}
	headSum := sha256.Sum256(head)
	want := sha256.Sum256(slices.Concat([]byte("autobattle/commit/2"), m.Previous[:], headSum[:], parts))
	if m.Hash != want {
		t.Errorf("the hash is %x; by its description it is %x", m.Hash, want)
	}
	if PartSalt(m.Salt, 0) == PartSalt(m.Salt, 1) || PartSalt(m.Salt, 0) == PartSalt([16]byte{1}, 0) {
		t.Error("two parts have one salt")
	}
	if CommitSalt([32]byte{1}, 1) == CommitSalt([32]byte{1}, 2) || CommitSalt([32]byte{1}, 1) == CommitSalt([32]byte{2}, 1) {
		t.Error("two commits have one salt")
	}
}

func TestCommitRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &filler{t: t}
		c := engine.Commit{
			Version: engine.Version(rapid.Uint64Range(1, 1<<40).Draw(t, "version")), Command: fill[engine.Command](f),
			Facts: fill[[]engine.Fact](f), Dice: fill[[2]uint64](f), Serial: fill[[2]uint32](f),
		}
		m := fill[Meta](f)
		data, err := EncodeCommit(&c, &m)
		if err != nil {
			t.Fatal(err)
		}
		got, meta, err := CheckCommit(data, c.Version-1, m.Previous)
		survives(t, got, c, err)
		survives(t, meta, m, nil)
	})
}

func TestDecodeNamesTheField(t *testing.T) {
	commit := func(change func(*pb.StoredCommit)) []byte {
		c, m := attack(), attackMeta()
		data, err := EncodeCommit(&c, &m)
		if err != nil {
			t.Fatal(err)
		}
		stored := &pb.StoredCommit{}
		if err := proto.Unmarshal(data, stored); err != nil {
			t.Fatal(err)
		}
		change(stored)
		if data, err = proto.Marshal(stored); err != nil {
			t.Fatal(err)
		}
		return data
	}
	tests := map[string]struct {
		change func(*pb.StoredCommit)
		want   string
	}{
		"format":  {func(m *pb.StoredCommit) { m.Format = 2 }, "format is 2; this server reads format 1"},
		"command": {func(m *pb.StoredCommit) { m.Command = nil }, "command is missing"},
		"event":   {func(m *pb.StoredCommit) { m.Facts[4].Event = nil }, "facts[4].event is none that is known here"},
		"enum":    {func(m *pb.StoredCommit) { m.Facts[2].GetRolled().Roll.Mods[1].Kind = 9 }, "facts[2].rolled.roll.mods[1].kind is 9; it must be one of the values 1 to 4"},
		"faces":   {func(m *pb.StoredCommit) { m.Facts[2].GetRolled().Roll.Throws[0].Faces = nil }, "facts[2].rolled.roll.throws[0].faces are 0; a throw of 4 dice of this kind has 4"},
		"cell":    {func(m *pb.StoredCommit) { m.Facts[3].GetRolled().Roll.Mods[1].Cells[1].Y = 1 << 23 }, "facts[3].rolled.roll.mods[1].cells[1].y is 8388608; it must be -4194304 to 4194304"},
		"hash":    {func(m *pb.StoredCommit) { m.Previous = []byte{1} }, "previous has 1 bytes; it must have 32, or none"},
		"dice":    {func(m *pb.StoredCommit) { m.Dice = []uint64{1} }, "dice are 1 numbers; there must be 2, or none"},
		"pose":    {func(m *pb.StoredCommit) { m.Command.GetDecide().Poses[0].Pose.Posture = 77 }, "command.decide.poses[0].pose.posture is 77"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := DecodeCommit(commit(tt.change))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v; want %q", err, tt.want)
			}
		})
	}
}

// FuzzDecodeCommit decodes anything. What can be decoded can be encoded, and is then the same.
func FuzzDecodeCommit(f *testing.F) {
	for _, make := range goldens() {
		c, m := make()
		data, err := EncodeCommit(&c, &m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, m, err := DecodeCommit(data)
		if err != nil {
			return
		}
		again, err := EncodeCommit(&c, &m)
		if err != nil {
			t.Fatal(err)
		}
		got, meta, err := DecodeCommit(again)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, c) || meta != m {
			t.Fatalf("encoded and decoded again it is another:\n%+v\n%+v", c, got)
		}
	})
}

// FuzzDecodeStored decodes anything as the other stored records.
func FuzzDecodeStored(f *testing.F) {
	f.Add([]byte{})
	b := fill[engine.Battle](&filler{})
	data, err := EncodeSnapshot(&Snapshot{Battle: &b})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := DecodeSnapshot(data); err == nil {
			if _, err := EncodeSnapshot(&s); err != nil {
				t.Fatal(err)
			}
		}
		if a, err := DecodeArena(data, 1<<16); err == nil {
			if _, err := EncodeArena(a); err != nil {
				t.Fatal(err)
			}
		}
		if s, err := DecodeSecret(data); err == nil {
			if len(EncodeSecret(&s)) == 0 {
				t.Fatal("a secret without encoding")
			}
		}
	})
}

func BenchmarkEncodeCommit(b *testing.B) {
	c, m := attack(), attackMeta()
	data, err := EncodeCommit(&c, &m)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := EncodeCommit(&c, &m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeCommit(b *testing.B) {
	c, m := attack(), attackMeta()
	data, err := EncodeCommit(&c, &m)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := DecodeCommit(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFacts(b *testing.B) {
	c := attack()
	b.ReportAllocs()
	for b.Loop() {
		if len(Facts(c.Facts)) != len(c.Facts) {
			b.Fatal("facts are lost")
		}
	}
}

func ExampleCheckCommit() {
	c, m := attack(), attackMeta()
	data, _ := EncodeCommit(&c, &m)
	data[200]++
	_, _, err := CheckCommit(data, 40, m.Previous)
	fmt.Println(err != nil)
	// Output: true
}
