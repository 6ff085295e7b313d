package server

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"

	"autobattle/engine"
	"autobattle/engine/enginetest"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
	"autobattle/state"
)

// watched is what one viewer's watch gave.
type watched struct {
	role, player string
	updates      []*pb.Update
	err          error
	done         chan struct{}
}

// watch follows a battle from its beginning, until it ends.
func (r *rig) watch(ctx context.Context, wg *sync.WaitGroup, id, role, player string) *watched {
	r.t.Helper()
	w := &watched{role: role, player: player, done: make(chan struct{})}
	stream, err := r.battles().WatchBattle(ctx, &pb.WatchBattleRequest{BattleId: id, PlayerId: player, From: &pb.WatchBattleRequest_Beginning{Beginning: true}})
	r.ok(err)
	wg.Go(func() {
		defer close(w.done)
		for {
			resp, err := stream.Recv()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					w.err = err
				}
				return
			}
			if u := resp.GetUpdate(); !u.GetHeartbeat() {
				w.updates = append(w.updates, u)
			}
		}
	})
	return w
}

// folded folds updates from nothing.
func folded(t testing.TB, b *engine.Battle, updates []*pb.Update) *engine.Battle {
	t.Helper()
	for _, u := range updates {
		if s := u.GetSnapshot(); s != nil {
			var err error
			if b, err = wire.FromBattle(s); err != nil {
				t.Fatal(err)
			}
		}
		facts, err := wire.FromFacts("facts", u.GetFacts())
		if err != nil {
			t.Fatal(err)
		}
		engine.FoldFacts(b, facts)
	}
	return b
}

// sameBattle compares a folded battle with what GetBattle shows. What only a commit counts is left out.
func sameBattle(t testing.TB, who string, folded *engine.Battle, shown *pb.Battle) {
	t.Helper()
	want, err := wire.FromBattle(shown)
	if err != nil {
		t.Fatal(err)
	}
	f := folded.Clone()
	for _, b := range []*engine.Battle{f, want} {
		b.Version, b.Dice, b.Serial = 0, engine.Battle{}.Dice, engine.Battle{}.Serial
	}
	if d := enginetest.Equal(f, want); d != "" {
		t.Errorf("what %s was told does not fold to what he is shown (-told +shown):\n%s", who, d)
	}
}

// TestDuel plays a battle from its creation to its end over gRPC on every store, with stored characters, a lurker whom nobody
// knows, and four viewers.
func TestDuel(t *testing.T) {
	logs := map[string][]string{}
	stores(t, func(t *testing.T, open func() state.Store) {
		r := start(t, open(), seeded(7))
		const id = "duel"
		arena := r.upload(hall(t))
		for _, name := range []string{"anna", "boris"} {
			_, err := r.characters().PutCharacter(r.as(asPlugin), &pb.PutCharacterRequest{CommandId: newID(), Character: &pb.Character{
				CharacterId: name, Name: strings.ToUpper(name[:1]) + name[1:], Ruleset: "kmrp", PlayerId: name,
				Sheet: sheet(map[string]int32{"one_handed_weapons": 4, "evasion": 2, "parrying": 3}, carried("sword", "main"), carried("mail_vest", "worn")),
			}})
			r.ok(err)
		}
		_, err := r.battles().CreateBattle(r.as(asPlugin), &pb.CreateBattleRequest{BattleId: id, CommandId: "create", Ruleset: "kmrp", Arena: arena, Title: "Duel", Teams: teams()})
		r.ok(err)
		var wg sync.WaitGroup
		all := r.watch(r.as(asMaster), &wg, id, asMaster, "")
		anna := r.watch(r.as(asPlugin), &wg, id, asPlugin, "anna")
		boris := r.watch(r.as(asPlugin), &wg, id, asPlugin, "boris")
		crowd := r.watch(r.as(asViewer), &wg, id, asViewer, "")

		lurker := fighter("lurker", "red", byMaster(), 2, 2, east(), nil)
		lurker.Hidden = true
		resp, err := r.battles().AddActors(r.as(asMaster), &pb.AddActorsRequest{BattleId: id, CommandId: "join", Actors: []*pb.NewActor{
			{Key: "a", Team: "red", Controller: player("anna"), Pose: pose(10, 1, 8, east()), Source: &pb.NewActor_CharacterId{CharacterId: "anna"}},
			{Key: "b", Team: "blue", Controller: player("boris"), Pose: pose(11, 1, 8, west()), Source: &pb.NewActor_CharacterId{CharacterId: "boris"}},
			lurker,
		}})
		r.ok(err)
		if len(resp.GetActorIds()) != 3 {
			t.Fatalf("joined %v", resp.GetActorIds())
		}
		for _, p := range []string{"anna", "boris"} {
			_, err := r.battles().AddEntropy(r.as(asPlugin), &pb.AddEntropyRequest{BattleId: id, CommandId: "entropy-" + p, PlayerId: p, Data: []byte(p)})
			r.ok(err)
		}
		_, err = r.battles().StartBattle(r.as(asPlugin), &pb.StartBattleRequest{BattleId: id, CommandId: "start"})
		r.ok(err)
		log := r.fight(id, 80)
		wg.Wait()

		head := r.get(asMaster, id, "").GetBattle().GetVersion()
		for i, u := range all.updates {
			if u.GetVersion() != uint64(i)+1 {
				t.Fatalf("update %d of the master has version %d", i, u.GetVersion())
			}
		}
		if n := uint64(len(all.updates)); n != head {
			t.Errorf("the master got %d updates of %d commits", n, head)
		}
		for who, w := range map[string]*watched{"the master": all, "anna": anna, "boris": boris, "a spectator": crowd} {
			if w.err != nil {
				t.Errorf("the watch of %s ends with %v", who, w.err)
			}
			shown := r.get(w.role, id, w.player)
			sameBattle(t, who, folded(t, &engine.Battle{}, w.updates), shown.GetBattle())
			seen := map[string]bool{}
			for i, u := range w.updates {
				if seen[u.GetCursor()] {
					t.Errorf("%s got cursor %d twice", who, i)
				}
				seen[u.GetCursor()] = true
				if w.role != asMaster {
					if u.GetVersion() != 0 {
						t.Errorf("%s is told version %d", who, u.GetVersion())
					}
					if text := prototext.Format(u); strings.Contains(strings.ToLower(text), "lurker") {
						t.Errorf("%s is told of the lurker:\n%s", who, text)
					}
				}
				if i%7 == 0 {
					then, err := r.battles().GetBattle(r.as(w.role), &pb.GetBattleRequest{BattleId: id, PlayerId: w.player, At: &pb.GetBattleRequest_Cursor{Cursor: u.GetCursor()}})
					r.ok(err)
					sameBattle(t, who, folded(t, &engine.Battle{}, w.updates[:i+1]), then.GetBattle())
				}
			}
		}
		if !slices.ContainsFunc(all.updates[len(all.updates)-1].GetFacts(), func(f *pb.Fact) bool { return len(f.GetEnded().GetSeed()) == 32 }) {
			t.Error("the last update reveals no seed")
		}
		logs[t.Name()] = log
	})
	var first []string
	for name, log := range logs {
		if first == nil {
			first = log
		}
		if !slices.Equal(first, log) {
			t.Errorf("the log on %s differs:\n%s\n--- from\n%s", name, strings.Join(log, "\n"), strings.Join(first, "\n"))
		}
	}
	if len(first) < 10 {
		t.Errorf("a battle of %d lines", len(first))
	}
}
