package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/state"
	"autobattle/state/memory"
)

// say makes a commit that everybody sees.
func (r *rig) say(id, text string) *pb.CommandResult {
	r.t.Helper()
	resp, err := r.master().Say(r.as(asMaster), &pb.SayRequest{BattleId: id, CommandId: newID(), Text: text})
	r.ok(err)
	return resp.GetResult()
}

// recv is the next update of a watch that is no heartbeat.
func recv(t testing.TB, stream pb.BattleService_WatchBattleClient) *pb.Update {
	t.Helper()
	for {
		resp, err := stream.Recv()
		if err != nil {
			t.Fatalf("%v %v", err, detailOf(err))
		}
		if u := resp.GetUpdate(); !u.GetHeartbeat() {
			return u
		}
	}
}

// said is what somebody said in an update, or nothing.
func said(u *pb.Update) string {
	for _, f := range u.GetFacts() {
		if s := f.GetSaid(); s != nil {
			return s.GetText()
		}
	}
	return ""
}

// open starts a watch that ends with the test.
func (r *rig) open(role string, req *pb.WatchBattleRequest) pb.BattleService_WatchBattleClient {
	r.t.Helper()
	ctx, cancel := context.WithCancel(r.as(role))
	r.t.Cleanup(cancel)
	stream, err := r.battles().WatchBattle(ctx, req)
	r.ok(err)
	return stream
}

// TestWatchStarts begins watches at every kind of point.
func TestWatchStarts(t *testing.T) {
	r := start(t, memory.Open(), seeded(5))
	const id = "points"
	r.duel(id, nil, swords())
	mid := r.say(id, "one")
	r.say(id, "two")
	cursor := r.get(asViewer, id, "").GetCursor()
	r.say(id, "three")

	u := recv(t, r.open(asMaster, &pb.WatchBattleRequest{BattleId: id}))
	if u.GetSnapshot() == nil || u.GetVersion() != mid.GetVersion()+2 || u.GetReset_() || !u.GetPromptsChanged() || len(u.GetPrompts()) == 0 {
		t.Errorf("without a point: %v", u)
	}
	u = recv(t, r.open(asMaster, &pb.WatchBattleRequest{BattleId: id, From: &pb.WatchBattleRequest_AfterVersion{AfterVersion: mid.GetVersion()}}))
	if said(u) != "two" || u.GetCommandId() == "" || len(u.GetLines()) == 0 {
		t.Errorf("after a version: %v", u)
	}
	stream := r.open(asViewer, &pb.WatchBattleRequest{BattleId: id, WithoutLines: true, From: &pb.WatchBattleRequest_Cursor{Cursor: cursor}})
	if u = recv(t, stream); said(u) != "three" || u.GetVersion() != 0 || u.GetCommandId() != "" || len(u.GetLines()) != 0 {
		t.Errorf("after a cursor: %v", u)
	}
	r.say(id, "four")
	if u = recv(t, stream); said(u) != "four" {
		t.Errorf("then: %v", u)
	}
	u = recv(t, r.open(asViewer, &pb.WatchBattleRequest{BattleId: id, From: &pb.WatchBattleRequest_Beginning{Beginning: true}}))
	if u.GetFacts()[0].GetBegan() == nil {
		t.Errorf("from the beginning: %v", u)
	}
	// A point that the log has not: the store has lost it.
	u = recv(t, r.open(asMaster, &pb.WatchBattleRequest{BattleId: id, From: &pb.WatchBattleRequest_AfterVersion{AfterVersion: 999}}))
	if !u.GetReset_() || u.GetSnapshot() == nil || u.GetVersion() != mid.GetVersion()+3 {
		t.Errorf("after a version to come: %v", u)
	}

	mine := r.get(asPlugin, id, "anna").GetCursor()
	other := r.duel("other", nil, swords())
	for name, c := range map[string]struct{ role, player, cursor string }{
		"a player's, for a spectator":      {asViewer, "", mine},
		"a spectator's, for a player":      {asPlugin, "anna", cursor},
		"a player's, for another":          {asPlugin, "boris", mine},
		"a spectator's, for the master":    {asMaster, "", cursor},
		"another battle's":                 {asPlugin, "", other.GetCursor()},
		"nonsense":                         {asMaster, "", "nonsense"},
		"nonsense of the length of others": {asMaster, "", "AAAAAAAAAAAAAAAAAAAAAA"},
	} {
		stream := r.open(c.role, &pb.WatchBattleRequest{BattleId: id, PlayerId: c.player, From: &pb.WatchBattleRequest_Cursor{Cursor: c.cursor}})
		_, err := stream.Recv()
		if d := refused(t, err, codes.InvalidArgument, pb.ErrorReason_ERROR_REASON_BAD_CURSOR); d == nil {
			t.Error(name)
		}
		_, err = r.battles().ListUpdates(r.as(c.role), &pb.ListUpdatesRequest{BattleId: id, PlayerId: c.player, From: &pb.ListUpdatesRequest_Cursor{Cursor: c.cursor}})
		refused(t, err, codes.InvalidArgument, pb.ErrorReason_ERROR_REASON_BAD_CURSOR)
	}
	_, err := r.open(asViewer, &pb.WatchBattleRequest{BattleId: id, From: &pb.WatchBattleRequest_AfterVersion{AfterVersion: 1}}).Recv()
	refused(t, err, codes.PermissionDenied, noRole)
	_, err = r.open(asViewer, &pb.WatchBattleRequest{BattleId: "none"}).Recv()
	refused(t, err, codes.NotFound, noBattle)
	_, err = r.open(asViewer, &pb.WatchBattleRequest{BattleId: id, HeartbeatMs: 10}).Recv()
	refused(t, err, codes.InvalidArgument, badInput)
}

// TestSlowViewer reads nothing of a long battle, while another viewer gets all of it; then it gets all too.
func TestSlowViewer(t *testing.T) {
	r := start(t, memory.Open(), seeded(5))
	const id, many = "long", 2 * keptSteps
	begun := r.duel(id, nil, swords())
	from := &pb.WatchBattleRequest_AfterVersion{AfterVersion: begun.GetVersion()}
	slow := r.open(asMaster, &pb.WatchBattleRequest{BattleId: id, From: from})
	quick := r.open(asMaster, &pb.WatchBattleRequest{BattleId: id, From: from})
	long := make([]byte, 1900)
	for i := range long {
		long[i] = 'a' + byte(i%26)
	}
	check := func(stream pb.BattleService_WatchBattleClient, i int) {
		t.Helper()
		u := recv(t, stream)
		if want := begun.GetVersion() + uint64(i) + 1; u.GetVersion() != want || said(u) != fmt.Sprintf("%d %s", i, long) {
			t.Fatalf("update %d: version %d, want %d", i, u.GetVersion(), want)
		}
	}
	for i := range many {
		r.say(id, fmt.Sprintf("%d %s", i, long))
		check(quick, i)
	}
	for i := range many {
		check(slow, i)
	}
}

// TestWatchEnds looks at how watches end: with the battle, by the limit, when the server drains.
func TestWatchEnds(t *testing.T) {
	r := start(t, memory.Open(), seeded(5), func(s *setup) { s.settings.MaxWatches = 2 })
	const id = "ends"
	r.duel(id, nil, swords())
	one, two := r.open(asViewer, &pb.WatchBattleRequest{BattleId: id}), r.open(asViewer, &pb.WatchBattleRequest{BattleId: id})
	recv(t, one)
	recv(t, two)
	_, err := r.open(asViewer, &pb.WatchBattleRequest{BattleId: id}).Recv()
	if d := refused(t, err, codes.ResourceExhausted, pb.ErrorReason_ERROR_REASON_SERVER_LIMIT); number(d, "limit") != 2 {
		t.Errorf("too many: %v", d)
	}
	other := r.open(asMaster, &pb.WatchBattleRequest{BattleId: id}) // another key has a count of its own
	recv(t, other)
	_, err = r.battles().EndBattle(r.as(asPlugin), &pb.EndBattleRequest{BattleId: id, CommandId: "end"})
	r.ok(err)
	for _, stream := range []pb.BattleService_WatchBattleClient{one, two, other} {
		for {
			if _, err = stream.Recv(); err != nil {
				break
			}
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("a watch ends with %v", err)
		}
	}
	over := r.open(asViewer, &pb.WatchBattleRequest{BattleId: id, From: &pb.WatchBattleRequest_Beginning{Beginning: true}})
	n := 0
	for {
		if _, err = over.Recv(); err != nil {
			break
		}
		n++
	}
	if !errors.Is(err, io.EOF) || n < 3 {
		t.Errorf("a replay of %d updates ends with %v", n, err)
	}

	r.duel("goes-on", nil, swords())
	stream := r.open(asViewer, &pb.WatchBattleRequest{BattleId: "goes-on"})
	recv(t, stream)
	var wg sync.WaitGroup
	var polled error
	wg.Go(func() {
		_, polled = r.battles().ListUpdates(r.as(asMaster), &pb.ListUpdatesRequest{BattleId: "goes-on", WaitMs: 60000, From: &pb.ListUpdatesRequest_AfterVersion{AfterVersion: 3}})
	})
	r.srv.Core.Drain()
	_, err = stream.Recv()
	refused(t, err, codes.Unavailable, pb.ErrorReason_ERROR_REASON_DRAINING)
	wg.Wait()
	refused(t, polled, codes.Unavailable, pb.ErrorReason_ERROR_REASON_DRAINING)
	if _, err := r.battles().GetBattle(r.as(asMaster), &pb.GetBattleRequest{BattleId: "goes-on"}); err != nil {
		t.Errorf("a draining server answers what has begun: %v", err)
	}
}

// TestHeartbeat hears from a battle in which nothing happens.
func TestHeartbeat(t *testing.T) {
	r := start(t, memory.Open(), seeded(5))
	r.duel("quiet", nil, swords())
	stream := r.open(asViewer, &pb.WatchBattleRequest{BattleId: "quiet", HeartbeatMs: 1000})
	recv(t, stream)
	resp, err := stream.Recv()
	r.ok(err)
	u := resp.GetUpdate()
	if !u.GetHeartbeat() || u.GetCursor() == "" || u.GetAtMs() == 0 || len(u.GetFacts()) != 0 {
		t.Errorf("silence: %v", u)
	}
}

// TestListUpdates polls a battle: pages, a wait, the end.
func TestListUpdates(t *testing.T) {
	stores(t, func(t *testing.T, open func() state.Store) {
		r := start(t, open(), seeded(5))
		const id = "polled"
		r.duel(id, nil, swords())
		for i := range 7 {
			r.say(id, fmt.Sprint(i))
		}
		poll := func(q *pb.ListUpdatesRequest) *pb.ListUpdatesResponse {
			t.Helper()
			q.BattleId = id
			resp, err := r.battles().ListUpdates(r.as(asViewer), q)
			r.ok(err)
			return resp
		}
		var all []*pb.Update
		page := poll(&pb.ListUpdatesRequest{Limit: 3, From: &pb.ListUpdatesRequest_Beginning{Beginning: true}})
		for {
			if len(page.GetUpdates()) > 3 {
				t.Errorf("a page of %d", len(page.GetUpdates()))
			}
			all = append(all, page.GetUpdates()...)
			if !page.GetMore() {
				break
			}
			page = poll(&pb.ListUpdatesRequest{Limit: 3, From: &pb.ListUpdatesRequest_Cursor{Cursor: page.GetCursor()}})
		}
		shown := r.get(asViewer, id, "")
		sameBattle(t, "a poller", folded(t, &engine.Battle{}, all), shown.GetBattle())
		if n := len(all); n != 10 {
			t.Errorf("%d updates", n)
		}
		none := poll(&pb.ListUpdatesRequest{From: &pb.ListUpdatesRequest_Cursor{Cursor: page.GetCursor()}})
		if len(none.GetUpdates()) != 0 || none.GetCursor() != page.GetCursor() || none.GetMore() || none.GetOver() {
			t.Errorf("nothing came: %v", none)
		}
		whole := poll(&pb.ListUpdatesRequest{})
		if len(whole.GetUpdates()) != 1 || whole.GetUpdates()[0].GetSnapshot() == nil {
			t.Errorf("without a point: %v", whole)
		}
		var wg sync.WaitGroup
		var late *pb.ListUpdatesResponse
		wg.Go(func() {
			late = poll(&pb.ListUpdatesRequest{WaitMs: 60000, From: &pb.ListUpdatesRequest_Cursor{Cursor: page.GetCursor()}})
		})
		r.say(id, "at last")
		wg.Wait()
		if len(late.GetUpdates()) != 1 || said(late.GetUpdates()[0]) != "at last" {
			t.Errorf("waited for: %v", late)
		}
		short := poll(&pb.ListUpdatesRequest{WaitMs: 1, From: &pb.ListUpdatesRequest_Cursor{Cursor: late.GetCursor()}})
		if len(short.GetUpdates()) != 0 || short.GetCursor() != late.GetCursor() {
			t.Errorf("waited in vain: %v", short)
		}
		_, err := r.battles().EndBattle(r.as(asPlugin), &pb.EndBattleRequest{BattleId: id, CommandId: "end"})
		r.ok(err)
		end := poll(&pb.ListUpdatesRequest{From: &pb.ListUpdatesRequest_Cursor{Cursor: late.GetCursor()}})
		if !end.GetOver() || len(end.GetUpdates()) != 1 {
			t.Errorf("the end: %v", end)
		}
	})
}

// TestEyesChange hands an actor to another player: his watch begins again with what he may know now.
func TestEyesChange(t *testing.T) {
	r := start(t, memory.Open(), seeded(5))
	const id = "eyes"
	who := swords()
	for i := range who {
		who[i].Pose = pose(int32(2+9*i), 1, 2, east())
	}
	lurker := fighter("lurker", "blue", player("clara"), 12, 12, west(), nil)
	lurker.Hidden = true
	joined := r.lobby(id, r.upload(hall(t)), append(who, lurker))
	_, err := r.battles().StartBattle(r.as(asPlugin), &pb.StartBattleRequest{BattleId: id, CommandId: "start"})
	r.ok(err)
	watches := map[string]pb.BattleService_WatchBattleClient{}
	for _, p := range []string{"anna", "clara", "dora"} {
		watches[p] = r.open(asPlugin, &pb.WatchBattleRequest{BattleId: id, PlayerId: p, From: &pb.WatchBattleRequest_Beginning{Beginning: true}})
	}
	_, err = r.master().Control(r.as(asMaster), &pb.ControlRequest{BattleId: id, CommandId: "hand", ActorId: joined.GetActorIds()[2], Controller: player("dora")})
	r.ok(err)
	r.say(id, "done")
	for p, stream := range watches {
		var got []*pb.Update
		for {
			u := recv(t, stream)
			got = append(got, u)
			if said(u) == "done" {
				break
			}
		}
		shown := r.get(asPlugin, id, p)
		sameBattle(t, p, folded(t, &engine.Battle{}, got), shown.GetBattle())
		knows := false
		for _, a := range shown.GetBattle().GetActors() {
			knows = knows || a.GetKey() == "lurker"
		}
		if knows != (p == "dora") {
			t.Errorf("%s knows of the lurker: %v", p, knows)
		}
	}
}

// TestListBattles lists in pages, by phase and player, for each tenant its own.
func TestListBattles(t *testing.T) {
	stores(t, func(t *testing.T, open func() state.Store) {
		r := start(t, open(), seeded(5))
		for i := range 5 {
			r.lobby(fmt.Sprintf("b%d", i), nil, swords())
		}
		_, err := r.battles().StartBattle(r.as(asPlugin), &pb.StartBattleRequest{BattleId: "b3", CommandId: "s"})
		r.ok(err)
		var names []string
		token := ""
		for {
			resp, err := r.battles().ListBattles(r.as(asViewer), &pb.ListBattlesRequest{PageSize: 2, PageToken: token})
			r.ok(err)
			for _, b := range resp.GetBattles() {
				names = append(names, b.GetBattleId())
				if b.GetVersion() != 0 || b.GetRuleset() != "kmrp" || b.GetTitle() != "A test" {
					t.Errorf("listed %v", b)
				}
			}
			if token = resp.GetNextPageToken(); token == "" {
				break
			}
		}
		if fmt.Sprint(names) != "[b0 b1 b2 b3 b4]" {
			t.Errorf("listed %v", names)
		}
		resp, err := r.battles().ListBattles(r.as(asPlugin), &pb.ListBattlesRequest{Phase: pb.Phase_PHASE_RUNNING, PlayerId: "anna"})
		r.ok(err)
		if len(resp.GetBattles()) != 1 || resp.GetBattles()[0].GetBattleId() != "b3" || resp.GetBattles()[0].GetVersion() != 3 {
			t.Errorf("running: %v", resp)
		}
		for _, q := range []*pb.ListBattlesRequest{{PlayerId: "nobody"}, {Phase: pb.Phase_PHASE_OVER}} {
			if resp, err := r.battles().ListBattles(r.as(asPlugin), q); err != nil || len(resp.GetBattles()) != 0 {
				t.Errorf("%v: %v %v", q, resp, err)
			}
		}
		if resp, err := r.battles().ListBattles(r.as(asStranger), &pb.ListBattlesRequest{}); err != nil || len(resp.GetBattles()) != 0 {
			t.Errorf("another tenant lists %v %v", resp, err)
		}
		_, err = r.battles().ListBattles(r.as(asPlugin), &pb.ListBattlesRequest{PageToken: "NOT A TOKEN"})
		refused(t, err, codes.InvalidArgument, badInput)
	})
}

// TestTimeOver calls with no time left.
func TestTimeOver(t *testing.T) {
	r := start(t, memory.Open(), seeded(5))
	r.duel("slow", nil, swords())
	ctx, cancel := context.WithTimeout(r.as(asMaster), 50*time.Millisecond)
	defer cancel()
	_, err := r.battles().ListUpdates(ctx, &pb.ListUpdatesRequest{BattleId: "slow", WaitMs: 60000, From: &pb.ListUpdatesRequest_AfterVersion{AfterVersion: 3}})
	if status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("got %v", err)
	}
}
