package server

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	pb "autobattle/proto/autobattle/v1"
	"autobattle/state"
	"autobattle/state/memory"
)

// clockwork is a clock that tests turn.
type clockwork struct{ ms atomic.Int64 }

func newClock() *clockwork {
	c := &clockwork{}
	c.ms.Store(1_800_000_000_000)
	return c
}

func (c *clockwork) now() time.Time       { return time.UnixMilli(c.ms.Load()) }
func (c *clockwork) pass(d time.Duration) { c.ms.Add(d.Milliseconds()) }
func (c *clockwork) set(s *setup)         { s.now = c.now }
func limits(turn, reply int64) []*pb.Option {
	return []*pb.Option{{Name: "turn_limit_s", Number: turn}, {Name: "reply_limit_s", Number: reply}}
}

// work looks for deadlines once, as the worker does.
func (r *rig) work() {
	r.t.Helper()
	r.ok(r.srv.Core.due(r.t.Context()))
}

// how is how a prompt was answered, from the whole log; nothing while it is open.
func (r *rig) how(id string, prompt uint32) (out []pb.PromptEnd) {
	r.t.Helper()
	resp, err := r.battles().ListUpdates(r.as(asMaster), &pb.ListUpdatesRequest{BattleId: id, Limit: 1000, From: &pb.ListUpdatesRequest_Beginning{Beginning: true}})
	r.ok(err)
	for _, u := range resp.GetUpdates() {
		for _, f := range u.GetFacts() {
			if a := f.GetAnswered(); a != nil && a.GetPrompt() == prompt {
				out = append(out, a.GetHow())
			}
		}
	}
	return out
}

// TestDeadlines fires the limits of turns and answers once, not before their time.
func TestDeadlines(t *testing.T) {
	stores(t, func(t *testing.T, open func() state.Store) {
		c := newClock()
		r := start(t, open(), seeded(7), c.set)
		const id = "timed"
		begun := r.duel(id, nil, swords(), limits(30, 10)...)
		turn := begun.GetPrompts()[0]
		if turn.GetLeftMs() != 30000 || turn.GetDeadlineMs() != c.now().UnixMilli()+30000 {
			t.Fatalf("the turn: %v", turn)
		}
		c.pass(29999 * time.Millisecond)
		r.work()
		if how := r.how(id, turn.GetPrompt().GetId()); how != nil {
			t.Fatalf("before its time: %v", how)
		}
		if left := r.get(asPlugin, id, "anna").GetPrompts()[0].GetLeftMs(); left != 1 {
			t.Errorf("%d ms are left", left)
		}
		resp, err := r.act(id, "anna", turn.GetPrompt().GetId(), &pb.Intent{Act: "attack", Targets: []*pb.Target{actor(r.id(id, "boris"))}, Items: []uint32{r.item(id, "anna", "sword")}})
		r.ok(err)
		if len(resp.GetResult().GetLines()) == 0 {
			t.Error("nothing is told")
		}
		defence := r.get(asPlugin, id, "boris").GetPrompts()[0]
		if defence.GetLeftMs() != 10000 {
			t.Errorf("the answer: %v", defence)
		}
		// A pause stands the clock still.
		c.pass(4 * time.Second)
		_, err = r.master().Pause(r.as(asMaster), &pb.PauseRequest{BattleId: id, CommandId: newID()})
		r.ok(err)
		c.pass(time.Hour)
		r.work()
		_, err = r.master().Resume(r.as(asMaster), &pb.ResumeRequest{BattleId: id, CommandId: newID()})
		r.ok(err)
		if left := r.get(asPlugin, id, "boris").GetPrompts()[0].GetLeftMs(); left != 6000 {
			t.Errorf("after a pause %d ms are left", left)
		}
		c.pass(6 * time.Second)
		before := r.get(asMaster, id, "").GetBattle().GetVersion()
		r.work()
		r.work()
		if how := r.how(id, defence.GetPrompt().GetId()); len(how) != 1 || how[0] != pb.PromptEnd_PROMPT_END_TIME {
			t.Errorf("answered %v", how)
		}
		if now := r.get(asMaster, id, "").GetBattle().GetVersion(); now != before+1 {
			t.Errorf("%d commits", now-before)
		}
		_, err = r.act(id, "boris", defence.GetPrompt().GetId(), &pb.Intent{Act: "evade"})
		refused(t, err, codes.FailedPrecondition, promptClosed)
		_, err = r.battles().EndBattle(r.as(asPlugin), &pb.EndBattleRequest{BattleId: id, CommandId: "end"})
		r.ok(err)
		if v := r.verdict(id); !v.GetSound() {
			t.Error(v)
		}
	})
}

// TestDeadlineOnce lets two servers fire the same deadline at once, also after both were down when it passed.
func TestDeadlineOnce(t *testing.T) {
	stores(t, func(t *testing.T, open func() state.Store) {
		c := newClock()
		store := open()
		maker := start(t, store, seeded(7), c.set)
		begun := maker.duel("two", nil, swords(), limits(30, 10)...)
		prompt := live(t, begun.GetPrompts()).GetId()
		before := maker.get(asMaster, "two", "").GetBattle().GetVersion()
		maker.stop()
		c.pass(time.Hour)
		rigs := []*rig{start(t, store, seeded(7), c.set), start(t, store, seeded(7), c.set)}
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				if err := rigs[i%2].srv.Core.due(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if how := rigs[0].how("two", prompt); len(how) != 1 || how[0] != pb.PromptEnd_PROMPT_END_TIME {
			t.Errorf("answered %v", how)
		}
		if now := rigs[1].get(asMaster, "two", "").GetBattle().GetVersion(); now != before+1 {
			t.Errorf("%d commits", now-before)
		}
	})
}

// TestAutomatic hands a prompt that nobody answers to automatic play, at once.
func TestAutomatic(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { r.srv.Core.RunDeadlines(ctx) })
	defer wg.Wait()
	defer cancel()
	const id = "robots"
	begun := r.duel(id, nil, swords())
	prompt := live(t, begun.GetPrompts())
	stream := r.open(asMaster, &pb.WatchBattleRequest{BattleId: id, From: &pb.WatchBattleRequest_AfterVersion{AfterVersion: begun.GetVersion()}})
	_, err := r.master().Delegate(r.as(asMaster), &pb.DelegateRequest{BattleId: id, CommandId: newID(), ActorId: prompt.GetWhose()})
	r.ok(err)
	for {
		for _, f := range recv(t, stream).GetFacts() {
			if a := f.GetAnswered(); a != nil {
				if a.GetPrompt() != prompt.GetId() || a.GetHow() != pb.PromptEnd_PROMPT_END_TIME {
					t.Errorf("answered %v", a)
				}
				return
			}
		}
	}
}

// TestDeadlinePanic fires the deadlines of other battles when one panics.
func TestDeadlinePanic(t *testing.T) {
	c := newClock()
	store := &panicky{Store: memory.Open()}
	r := start(t, store, seeded(7), c.set)
	r.duel("bad", nil, swords(), limits(30, 10)...)
	begun := r.duel("good", nil, swords(), limits(30, 10)...)
	store.battle = "bad"
	c.pass(time.Minute)
	r.work()
	if how := r.how("good", live(t, begun.GetPrompts()).GetId()); len(how) != 1 {
		t.Errorf("the other battle's deadline: %v", how)
	}
}
