package server

import (
	"fmt"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/state"
	"autobattle/state/memory"
)

const busy = pb.ErrorReason_ERROR_REASON_CHARACTER_BUSY

// put stores a character of a swordsman and gives it back as it is stored.
func (r *rig) put(id string, change func(*pb.Character)) *pb.Character {
	r.t.Helper()
	ch := &pb.Character{CharacterId: id, Name: "The " + id, Ruleset: "kmrp", PlayerId: id, Sheet: sheet(map[string]int32{"one_handed_weapons": 5, "reaction": 5}, carried("sword", "main"))}
	if change != nil {
		change(ch)
	}
	resp, err := r.characters().PutCharacter(r.as(asPlugin), &pb.PutCharacterRequest{CommandId: newID(), Character: ch})
	r.ok(err)
	return resp.GetCharacter()
}

func (r *rig) character(id string) *pb.Character {
	r.t.Helper()
	resp, err := r.characters().GetCharacter(r.as(asMaster), &pb.GetCharacterRequest{CharacterId: id})
	r.ok(err)
	return resp.GetCharacter()
}

// stored is an actor from a stored character.
func stored(id, team string, x int32, look *pb.Look) *pb.NewActor {
	return &pb.NewActor{Key: id, Team: team, Controller: player(id), Pose: pose(x, 1, 8, look), Source: &pb.NewActor_CharacterId{CharacterId: id}}
}

// hurt plays until somebody bears a wound, and returns how many wounds each has, by key.
func (r *rig) hurt(id string) map[string]int {
	r.t.Helper()
	for range 60 {
		b := r.get(asMaster, id, "").GetBattle()
		out := map[string]int{}
		for _, c := range b.GetConditions() {
			for _, a := range b.GetActors() {
				if c.GetName() == "wound" && c.GetOn().GetId() == a.GetId() {
					out[a.GetKey()]++
				}
			}
		}
		if len(out) > 0 || b.GetPhase() == pb.Phase_PHASE_OVER {
			return out
		}
		r.answer(id)
	}
	r.t.Fatal("nobody is wounded")
	return nil
}

func wounds(ch *pb.Character) int {
	n := 0
	for _, c := range ch.GetSheet().GetConditions() {
		if c.GetName() == "wound" {
			n++
		}
	}
	return n
}

// TestWounds brings wounds back to the characters once; the next battle starts with them, and they heal.
func TestWounds(t *testing.T) {
	stores(t, func(t *testing.T, open func() state.Store) {
		r := start(t, open(), seeded(7))
		r.put("anna", nil)
		r.put("boris", nil)
		r.duel("first", nil, []*pb.NewActor{stored("anna", "red", 10, east()), stored("boris", "blue", 11, west())})
		if ch := r.character("anna"); ch.GetBattleId() != "first" {
			t.Errorf("while she fights: %v", ch)
		}
		_, err := r.characters().PutCharacter(r.as(asPlugin), &pb.PutCharacterRequest{CommandId: newID(), Character: r.character("anna"), ExpectedRevision: proto.Uint64(r.character("anna").GetRevision())})
		refused(t, err, codes.FailedPrecondition, busy)
		r.lobby("second", nil, []*pb.NewActor{fighter("eve", "red", byMaster(), 1, 1, east(), nil)})
		_, err = r.battles().AddActors(r.as(asPlugin), &pb.AddActorsRequest{BattleId: "second", CommandId: newID(), Actors: []*pb.NewActor{stored("anna", "red", 1, east())}})
		refused(t, err, codes.FailedPrecondition, busy)

		hurt := r.hurt("first")
		end := &pb.EndBattleRequest{BattleId: "first", CommandId: "end", Reason: "enough", Outcome: []*pb.TeamOutcome{{Team: "red", Outcome: "victory"}}}
		resp, err := r.battles().EndBattle(r.as(asPlugin), end)
		r.ok(err)
		if len(resp.GetCharacters()) != 2 {
			t.Errorf("came back: %v", resp.GetCharacters())
		}
		revisions := map[string]uint64{}
		for _, id := range []string{"anna", "boris"} {
			ch := r.character(id)
			revisions[id] = ch.GetRevision()
			if wounds(ch) != hurt[id] || ch.GetBattleId() != "" || len(ch.GetSheet().GetItems()) != 1 || len(ch.GetSheet().GetTraits()) < 7 {
				t.Errorf("%s came back with %d wounds of %d: %v", id, wounds(ch), hurt[id], ch)
			}
		}
		again, err := r.battles().EndBattle(r.as(asPlugin), end)
		r.ok(err)
		if !again.GetResult().GetRepeatedCommand() || r.character("boris").GetRevision() != revisions["boris"] {
			t.Errorf("written back again: %v", again)
		}

		victim := "boris"
		if hurt["anna"] > 0 {
			victim = "anna"
		}
		r.lobby("third", nil, []*pb.NewActor{stored(victim, "red", 10, east())})
		n := 0
		for _, c := range r.get(asMaster, "third", "").GetBattle().GetConditions() {
			if c.GetName() == "wound" && c.GetUntil().GetKind() == pb.UntilKind_UNTIL_KIND_KEPT {
				n++
			}
		}
		if n != hurt[victim] {
			t.Errorf("the next battle starts with %d wounds of %d", n, hurt[victim])
		}
		_, err = r.battles().EndBattle(r.as(asPlugin), &pb.EndBattleRequest{BattleId: "third", CommandId: "end"})
		r.ok(err)
		healed := r.character(victim)
		if wounds(healed) != hurt[victim] {
			t.Errorf("after a quiet battle: %v", healed.GetSheet().GetConditions())
		}
		healed.Sheet.Conditions = nil
		_, err = r.characters().PutCharacter(r.as(asPlugin), &pb.PutCharacterRequest{CommandId: newID(), Character: healed, ExpectedRevision: proto.Uint64(healed.GetRevision())})
		r.ok(err)
		_, err = r.characters().PutCharacter(r.as(asPlugin), &pb.PutCharacterRequest{CommandId: newID(), Character: healed, ExpectedRevision: proto.Uint64(healed.GetRevision())})
		if d := refused(t, err, codes.Aborted, pb.ErrorReason_ERROR_REASON_VERSION_CONFLICT); d.GetCurrentVersion() != r.character(victim).GetRevision() {
			t.Errorf("conflict: %v", d)
		}
	})
}

// TestWoundsLeftBehind finds a battle that ended in a process which died before it wrote the wounds back.
func TestWoundsLeftBehind(t *testing.T) {
	store := memory.Open()
	r := start(t, store, seeded(7))
	r.put("anna", nil)
	r.put("boris", nil)
	r.duel("first", nil, []*pb.NewActor{stored("anna", "red", 10, east()), stored("boris", "blue", 11, west())})
	hurt := r.hurt("first")
	id := state.ID{Tenant: "acme", Battle: "first"}
	if _, err := r.srv.Core.do(t.Context(), id, command{id: "dies", make: func(*engine.Battle) (engine.Command, error) { return engine.End{}, nil }}); err != nil {
		t.Fatal(err)
	}
	if ch := r.character("anna"); ch.GetBattleId() != "first" {
		t.Fatalf("given back: %v", ch)
	}
	r.lobby("second", nil, []*pb.NewActor{stored("anna", "red", 10, east()), stored("boris", "blue", 11, west())})
	for _, id := range []string{"anna", "boris"} {
		if ch := r.character(id); ch.GetBattleId() != "second" || wounds(ch) != hurt[id] {
			t.Errorf("%s has %d wounds of %d: %v", id, wounds(ch), hurt[id], ch)
		}
	}
}

// TestEndsByTheRules lets the rules end a battle: the characters come back without EndBattle.
func TestEndsByTheRules(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	r.put("anna", nil)
	r.put("boris", nil)
	r.duel("fought", nil, []*pb.NewActor{stored("anna", "red", 10, east()), stored("boris", "blue", 11, west())})
	_, err := r.master().RemoveActor(r.as(asMaster), &pb.RemoveActorRequest{BattleId: "fought", CommandId: newID(), ActorId: r.id("fought", "boris")})
	r.ok(err)
	for range 10 {
		if _, on := r.answer("fought"); !on {
			break
		}
	}
	if p := r.get(asMaster, "fought", "").GetBattle().GetPhase(); p != pb.Phase_PHASE_OVER {
		t.Fatalf("phase %v", p)
	}
	if ch := r.character("anna"); ch.GetBattleId() != "" {
		t.Errorf("anna is still in %s", ch.GetBattleId())
	}
	r.lobby("next", nil, []*pb.NewActor{stored("anna", "red", 10, east()), stored("boris", "blue", 11, west())})
}

// TestTraining writes nothing back.
func TestTraining(t *testing.T) {
	systems := slices.Clone(testSystems())
	for i, sys := range systems {
		if sys.Spec.ID == "kmrp" && sys.Spec.Option("training") == nil {
			spec := *sys.Spec
			spec.Options = append(slices.Clone(spec.Options), engine.OptionSpec{Name: "training", Words: []string{"no", "yes"}, Default: engine.Option{Name: "training", Word: "no"}})
			systems[i] = &engine.System{Spec: &spec, Rules: sys.Rules}
		}
	}
	r := start(t, memory.Open(), seeded(7), func(s *setup) { s.systems = systems })
	r.put("anna", nil)
	r.put("boris", nil)
	before := r.character("boris").GetSheet()
	r.duel("ring", nil, []*pb.NewActor{stored("anna", "red", 10, east()), stored("boris", "blue", 11, west())}, &pb.Option{Name: "training", Word: "yes"})
	if len(r.hurt("ring")) == 0 {
		t.Fatal("nobody was hurt")
	}
	resp, err := r.battles().EndBattle(r.as(asPlugin), &pb.EndBattleRequest{BattleId: "ring", CommandId: "end"})
	r.ok(err)
	if len(resp.GetCharacters()) != 0 || !proto.Equal(r.character("boris").GetSheet(), before) || wounds(r.character("anna")) != 0 {
		t.Errorf("came back: %v", resp.GetCharacters())
	}
	r.lobby("after", nil, []*pb.NewActor{stored("boris", "blue", 11, west())})
}

// TestRefusedJoin leaves characters free that did not join, and none joins where one is refused.
func TestRefusedJoin(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	r.put("anna", nil)
	r.lobby("one", nil, swords()[1:])
	for name, others := range map[string][]*pb.NewActor{
		"key taken":         {fighter("boris", "red", byMaster(), 1, 1, east(), nil)},
		"unknown character": {stored("nobody", "red", 1, east())},
		"unknown team":      {fighter("eve", "green", byMaster(), 1, 1, east(), nil)},
	} {
		_, err := r.battles().AddActors(r.as(asPlugin), &pb.AddActorsRequest{BattleId: "one", CommandId: newID(), Actors: append([]*pb.NewActor{stored("anna", "red", 2, east())}, others...)})
		if err == nil {
			t.Fatalf("%s: taken", name)
		}
		if ch := r.character("anna"); ch.GetBattleId() != "" {
			t.Errorf("%s: anna is kept in %q", name, ch.GetBattleId())
		}
	}
	if n := len(r.get(asMaster, "one", "").GetBattle().GetActors()); n != 1 {
		t.Errorf("%d actors", n)
	}
}

// TestTemplates makes many nobodies of one character, and none comes back.
func TestTemplates(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	r.put("bandit", func(ch *pb.Character) { ch.Template = true })
	joined := r.lobby("raid", nil, append(swords(), &pb.NewActor{Key: "bandit", Team: "red", Copies: 5, Controller: byMaster(), Pose: pose(1, 1, 1, east()),
		CopyPoses: []*pb.PoseInput{pose(1, 1, 3, east())}, Source: &pb.NewActor_CharacterId{CharacterId: "bandit"}}))
	if len(joined.GetActorIds()) != 7 {
		t.Fatalf("joined %v", joined.GetActorIds())
	}
	b := r.get(asMaster, "raid", "").GetBattle()
	for i, a := range b.GetActors()[2:] {
		key, name := "bandit", "The bandit"
		if i > 0 {
			key, name = fmt.Sprintf("bandit-%d", i+1), fmt.Sprintf("The bandit %d", i+1)
		}
		if a.GetKey() != key || a.GetName() != name || a.GetCharacter().GetCopy() == 0 || a.GetId() != joined.GetActorIds()[i+2] {
			t.Errorf("copy %d: %v", i+1, a)
		}
	}
	if b.GetActors()[3].GetPose().GetAt().GetZ() == b.GetActors()[2].GetPose().GetAt().GetZ() {
		t.Error("the second copy stands where the first does")
	}
	rev := r.character("bandit").GetRevision()
	resp, err := r.battles().EndBattle(r.as(asPlugin), &pb.EndBattleRequest{BattleId: "raid", CommandId: "end"})
	r.ok(err)
	if len(resp.GetCharacters()) != 0 || r.character("bandit").GetRevision() != rev {
		t.Errorf("came back: %v", resp)
	}
}

// TestCharacters stores, reads and lists, for each player his own.
func TestCharacters(t *testing.T) {
	stores(t, func(t *testing.T, open func() state.Store) {
		r := start(t, open(), seeded(7))
		for i := range 5 {
			r.put(fmt.Sprintf("c%d", i), func(ch *pb.Character) { ch.PlayerId = []string{"p", "q"}[i%2]; ch.Template = i == 4 })
		}
		list := func(role string, q *pb.ListCharactersRequest) (ids []string) {
			t.Helper()
			for {
				resp, err := r.characters().ListCharacters(r.as(role), q)
				r.ok(err)
				for _, c := range resp.GetCharacters() {
					ids = append(ids, c.GetCharacterId())
				}
				if q.PageToken = resp.GetNextPageToken(); q.PageToken == "" {
					return ids
				}
			}
		}
		for _, c := range []struct {
			role string
			q    *pb.ListCharactersRequest
			want string
		}{
			{asPlugin, &pb.ListCharactersRequest{PageSize: 2}, "[c0 c1 c2 c3 c4]"},
			{asPlugin, &pb.ListCharactersRequest{PageSize: 1, PlayerId: "q"}, "[c1 c3]"},
			{asMaster, &pb.ListCharactersRequest{Templates: true}, "[c4]"},
			{asMaster, &pb.ListCharactersRequest{Ruleset: "eclipse"}, "[]"},
			{asViewer, &pb.ListCharactersRequest{}, "[]"},
			{asViewer, &pb.ListCharactersRequest{PlayerId: "p"}, "[]"},
			{asStranger, &pb.ListCharactersRequest{}, "[]"},
		} {
			if got := fmt.Sprint(list(c.role, c.q)); got != c.want {
				t.Errorf("%s lists %v: %s, want %s", c.role, c.q, got, c.want)
			}
		}
		none := pb.ErrorReason_ERROR_REASON_CHARACTER_NOT_FOUND
		for _, c := range []struct{ role, player, id string }{{asPlugin, "q", "c0"}, {asViewer, "", "c0"}, {asViewer, "p", "c0"}, {asStranger, "", "c0"}, {asPlugin, "", "c9"}} {
			_, err := r.characters().GetCharacter(r.as(c.role), &pb.GetCharacterRequest{CharacterId: c.id, PlayerId: c.player})
			refused(t, err, codes.NotFound, none)
		}
		_, err := r.characters().GetCharacter(r.as(asPlugin), &pb.GetCharacterRequest{CharacterId: "c0", PlayerId: "p"})
		r.ok(err)
		for field, change := range map[string]func(*pb.Character){
			"character.sheet.items[0].ref":       func(ch *pb.Character) { ch.Sheet.Items[0].Ref = "lightsabre" },
			"character.sheet.traits[0].name":     func(ch *pb.Character) { ch.Sheet.Traits[0].Name = "luck" },
			"character.sheet.body":               func(ch *pb.Character) { ch.Sheet.Body = "dragon" },
			"character.sheet.conditions[0].name": func(ch *pb.Character) { ch.Sheet.Conditions = []*pb.Condition{{Name: "cursed"}} },
		} {
			ch := r.character("c0")
			change(ch)
			_, err := r.characters().PutCharacter(r.as(asPlugin), &pb.PutCharacterRequest{CommandId: newID(), Character: ch})
			if d := refused(t, err, codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_UNKNOWN_NAME); d.GetField() != field {
				t.Errorf("field %q, want %q", d.GetField(), field)
			}
		}
		_, err = r.characters().PutCharacter(r.as(asViewer), &pb.PutCharacterRequest{CommandId: newID(), Character: r.character("c0")})
		refused(t, err, codes.PermissionDenied, noRole)
		_, err = r.characters().PutCharacter(r.as(asPlugin), &pb.PutCharacterRequest{CommandId: newID(), Character: r.character("c0"), ExpectedRevision: proto.Uint64(0)})
		refused(t, err, codes.Aborted, pb.ErrorReason_ERROR_REASON_VERSION_CONFLICT)
	})
}
