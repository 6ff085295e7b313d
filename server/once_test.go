package server

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "autobattle/proto/autobattle/v1"
	"autobattle/state"
	"autobattle/state/bolt"
	"autobattle/state/memory"
	"autobattle/state/redis"
	"autobattle/state/redis/redistest"
)

// TestRepeats sends commands again: in vain, with other content, in another language, after a restart.
func TestRepeats(t *testing.T) {
	stores(t, func(t *testing.T, open func() state.Store) {
		store := open()
		r := start(t, store, seeded(5))
		const id = "once"
		begun := r.duel(id, nil, swords())
		blow := &pb.ActRequest{BattleId: id, CommandId: "blow", PlayerId: "anna", PromptId: live(t, begun.GetPrompts()).GetId(),
			Intents: []*pb.Intent{{Act: "attack", Targets: []*pb.Target{actor(r.id(id, "boris"))}, Items: []uint32{r.item(id, "anna", "sword")}}}}
		first, err := r.battles().Act(r.as(asPlugin), blow)
		r.ok(err)
		if first.GetResult().GetRepeatedCommand() {
			t.Error("the first call is a repeat")
		}
		again := func(r *rig, change func(*pb.ActRequest)) (*pb.ActResponse, error) {
			q := proto.Clone(blow).(*pb.ActRequest)
			change(q)
			return r.battles().Act(r.as(asPlugin), q)
		}
		same := func(r *rig, what string, change func(*pb.ActRequest)) {
			t.Helper()
			resp, err := again(r, change)
			r.ok(err)
			res := proto.Clone(resp.GetResult()).(*pb.CommandResult)
			if !res.GetRepeatedCommand() {
				t.Errorf("%s: no repeat", what)
			}
			res.RepeatedCommand = false
			if !proto.Equal(res, first.GetResult()) {
				t.Errorf("%s: got %v, want %v", what, res, first.GetResult())
			}
		}
		same(r, "again", func(*pb.ActRequest) {})
		same(r, "with the version of then", func(q *pb.ActRequest) { q.ExpectedVersion = 3 })
		ru, err := again(r, func(q *pb.ActRequest) { q.Locale = "ru" })
		r.ok(err)
		if !ru.GetResult().GetRepeatedCommand() || ru.GetResult().GetLines()[0].GetText() == first.GetResult().GetLines()[0].GetText() {
			t.Errorf("in Russian: %v", ru.GetResult().GetLines())
		}
		for what, change := range map[string]func(*pb.ActRequest){
			"another intent": func(q *pb.ActRequest) { q.Intents[0].Act = "pass" },
			"another player": func(q *pb.ActRequest) { q.PlayerId = "boris"; q.ActorId = r.id(id, "boris") },
			"another prompt": func(q *pb.ActRequest) { q.PromptId = 99 },
		} {
			_, err := again(r, change)
			if d := refused(t, err, codes.AlreadyExists, pb.ErrorReason_ERROR_REASON_COMMAND_ID_REUSED); d == nil {
				t.Error(what)
			}
		}
		_, err = r.battles().StartBattle(r.as(asPlugin), &pb.StartBattleRequest{BattleId: id, CommandId: "blow"})
		refused(t, err, codes.AlreadyExists, pb.ErrorReason_ERROR_REASON_COMMAND_ID_REUSED)
		create := &pb.CreateBattleRequest{BattleId: id, CommandId: "create", Ruleset: "kmrp", Title: "A test", Teams: teams()}
		made, err := r.battles().CreateBattle(r.as(asPlugin), create)
		r.ok(err)
		if !made.GetResult().GetRepeatedCommand() || made.GetResult().GetVersion() != 1 {
			t.Errorf("created again: %v", made)
		}
		create.Title = "Another"
		_, err = r.battles().CreateBattle(r.as(asPlugin), create)
		refused(t, err, codes.AlreadyExists, pb.ErrorReason_ERROR_REASON_COMMAND_ID_REUSED)
		head := r.get(asMaster, id, "").GetBattle().GetVersion()

		r.stop()
		if _, keeps := store.(*memory.Store); !keeps {
			r.ok(store.Close())
			store = open()
		}
		r2 := start(t, store, seeded(5))
		same(r2, "after a restart", func(*pb.ActRequest) {})
		if now := r2.get(asMaster, id, "").GetBattle().GetVersion(); now != head {
			t.Errorf("repeats made %d commits", now-head)
		}
	})
}

// TestManyAtOnce sends one command from many callers at once, to two servers on one store.
func TestManyAtOnce(t *testing.T) {
	stores(t, func(t *testing.T, open func() state.Store) {
		store := open()
		other := store
		if _, shared := store.(*redis.Store); shared {
			other = open()
		}
		rigs := []*rig{start(t, store, seeded(5)), start(t, other, seeded(5))}
		r := rigs[0]
		for round, differ := range map[string]bool{"same": false, "rivals": true} {
			begun := r.duel(round, nil, swords())
			prompt := live(t, begun.GetPrompts()).GetId()
			before := r.get(asMaster, round, "").GetBattle().GetVersion()
			const callers = 12
			var wg sync.WaitGroup
			var mu sync.Mutex
			won, repeats, closed := 0, 0, 0
			for i := range callers {
				wg.Go(func() {
					req := &pb.ActRequest{BattleId: round, CommandId: "it", PlayerId: "anna", PromptId: prompt, Intents: []*pb.Intent{{Act: "pass"}}}
					if differ {
						req.CommandId = newID()
					}
					resp, err := rigs[i%2].battles().Act(rigs[i%2].as(asPlugin), req)
					mu.Lock()
					defer mu.Unlock()
					switch {
					case err == nil && resp.GetResult().GetRepeatedCommand():
						repeats++
					case err == nil:
						won++
					case detailOf(err).GetReason() == promptClosed && status.Code(err) == codes.FailedPrecondition:
						closed++
					default:
						t.Errorf("%v %v", err, detailOf(err))
					}
				})
			}
			wg.Wait()
			if won != 1 || differ && closed != callers-1 || !differ && repeats != callers-1 {
				t.Errorf("%s: %d won, %d repeats, %d closed", round, won, repeats, closed)
			}
			if now := rigs[1].get(asMaster, round, "").GetBattle().GetVersion(); now != before+1 {
				t.Errorf("%s: %d commits", round, now-before)
			}
		}
	})
}

// TestTwoServers plays one battle through two servers in turn.
func TestTwoServers(t *testing.T) {
	redisServer := redistest.Start(t)
	connectTo := func() state.Store {
		s, err := redis.Open(t.Context(), redisServer.URL())
		if err != nil {
			t.Fatal(err)
		}
		return closing(t, s)
	}
	a, b := start(t, connectTo(), seeded(5)), start(t, connectTo(), seeded(5))
	a.duel("both", a.upload(hall(t)), swords())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stream, err := b.battles().WatchBattle(withKey(ctx, b.keys[asMaster]), &pb.WatchBattleRequest{BattleId: "both", From: &pb.WatchBattleRequest_AfterVersion{AfterVersion: 0}})
	a.ok(err)
	for i := range 20 {
		if _, on := []*rig{a, b}[i%2].answer("both"); !on {
			break
		}
	}
	if a.get(asMaster, "both", "").GetBattle().GetPhase() != pb.Phase_PHASE_OVER {
		_, err := b.battles().EndBattle(b.as(asMaster), &pb.EndBattleRequest{BattleId: "both", CommandId: "end"})
		a.ok(err)
	}
	last := uint64(0)
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		a.ok(err)
		if u := resp.GetUpdate(); !u.GetHeartbeat() {
			if u.GetVersion() != last+1 {
				t.Fatalf("version %d after %d", u.GetVersion(), last)
			}
			last++
		}
	}
	v, err := a.replay().VerifyBattle(a.as(asMaster), &pb.VerifyBattleRequest{BattleId: "both"})
	a.ok(err)
	if !v.GetVerdict().GetSound() || v.GetVerdict().GetCommits() != last {
		t.Errorf("%v after %d updates", v, last)
	}
}

// TestStoreDown takes the store away: UNAVAILABLE, and the same call again succeeds once.
func TestStoreDown(t *testing.T) {
	server := redistest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
	store, err := redis.Open(t.Context(), server.URL())
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, closing(t, store), seeded(5))
	begun := r.duel("down", nil, swords())
	req := &pb.ActRequest{BattleId: "down", CommandId: "late", PlayerId: "anna", PromptId: live(t, begun.GetPrompts()).GetId(), Intents: []*pb.Intent{{Act: "pass"}}}
	before := r.get(asMaster, "down", "").GetBattle().GetVersion()
	server.Kill()
	inBoth(t, codes.Unavailable, pb.ErrorReason_ERROR_REASON_STORE_UNAVAILABLE, func(locale string) error {
		q := proto.Clone(req).(*pb.ActRequest)
		q.Locale = locale
		_, err := r.battles().Act(r.as(asPlugin), q)
		return err
	})
	_, err = r.battles().GetBattle(r.as(asMaster), &pb.GetBattleRequest{BattleId: "down"})
	refused(t, err, codes.Unavailable, pb.ErrorReason_ERROR_REASON_STORE_UNAVAILABLE)
	server.Run()
	var resp *pb.ActResponse
	for { // a client connects again when it likes
		if resp, err = r.battles().Act(r.as(asPlugin), req); status.Code(err) != codes.Unavailable {
			break
		}
	}
	r.ok(err)
	again, err := r.battles().Act(r.as(asPlugin), req)
	r.ok(err)
	if !again.GetResult().GetRepeatedCommand() || again.GetResult().GetCursor() != resp.GetResult().GetCursor() {
		t.Errorf("after the outage: %v, then %v", resp.GetResult(), again.GetResult())
	}
	if now := r.get(asMaster, "down", "").GetBattle().GetVersion(); now != before+1 {
		t.Errorf("%d commits", now-before)
	}
}

// lossy is a store whose appends are stored, and then reported as failed.
type lossy struct {
	state.Store
	lose bool
}

// Append loses the answer.
func (s *lossy) Append(ctx context.Context, id state.ID, e state.Entry, h state.Head, snap []byte) error {
	err := s.Store.Append(ctx, id, e, h, snap)
	if s.lose && err == nil {
		return state.ErrUnavailable
	}
	return err
}

// TestAnswerLost repeats a command whose commit was stored though the store failed.
func TestAnswerLost(t *testing.T) {
	store := &lossy{Store: memory.Open()}
	r := start(t, store, seeded(5))
	begun := r.duel("lost", nil, swords())
	req := &pb.ActRequest{BattleId: "lost", CommandId: "late", PlayerId: "anna", PromptId: live(t, begun.GetPrompts()).GetId(), Intents: []*pb.Intent{{Act: "pass"}}}
	before := r.get(asMaster, "lost", "").GetBattle().GetVersion()
	store.lose = true
	_, err := r.battles().Act(r.as(asPlugin), req)
	refused(t, err, codes.Unavailable, pb.ErrorReason_ERROR_REASON_STORE_UNAVAILABLE)
	store.lose = false
	resp, err := r.battles().Act(r.as(asPlugin), req)
	r.ok(err)
	if now := r.get(asMaster, "lost", "").GetBattle().GetVersion(); !resp.GetResult().GetRepeatedCommand() || now != before+1 {
		t.Errorf("the repeat: %v, and %d commits", resp.GetResult(), now-before)
	}
	if _, on := r.answer("lost"); !on {
		t.Error("the battle does not go on")
	}
}

// TestAddAgain repeats a call that adds a stored character, also when he is elsewhere by then.
func TestAddAgain(t *testing.T) {
	s, err := bolt.Open(filepath.Join(t.TempDir(), "battles"))
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, closing(t, s), seeded(5))
	_, err = r.characters().PutCharacter(r.as(asPlugin), &pb.PutCharacterRequest{CommandId: "p", Character: &pb.Character{CharacterId: "anna", Name: "Anna", Ruleset: "kmrp", Sheet: sheet(nil)}})
	r.ok(err)
	for _, id := range []string{"one", "two"} {
		_, err := r.battles().CreateBattle(r.as(asPlugin), &pb.CreateBattleRequest{BattleId: id, CommandId: "c", Ruleset: "kmrp"})
		r.ok(err)
	}
	join := func(id string) (*pb.AddActorsResponse, error) {
		return r.battles().AddActors(r.as(asPlugin), &pb.AddActorsRequest{BattleId: id, CommandId: "j", Actors: []*pb.NewActor{
			{Key: "a", Controller: byMaster(), Source: &pb.NewActor_CharacterId{CharacterId: "anna"}}}})
	}
	first, err := join("one")
	r.ok(err)
	_, err = join("two")
	refused(t, err, codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_CHARACTER_BUSY)
	_, err = r.battles().EndBattle(r.as(asPlugin), &pb.EndBattleRequest{BattleId: "one", CommandId: "e"})
	r.ok(err)
	_, err = join("two")
	r.ok(err)
	again, err := join("one")
	r.ok(err)
	if !again.GetResult().GetRepeatedCommand() || again.GetActorIds()[0] != first.GetActorIds()[0] {
		t.Errorf("again: %v, first: %v", again, first)
	}
}
