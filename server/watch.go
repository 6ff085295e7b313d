package server

import (
	"context"
	"errors"
	"time"

	"google.golang.org/protobuf/proto"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/state"
)

// tail is one viewer's place in a battle: what he has had, and what comes next.
type tail struct {
	s       *battles
	id      state.ID
	v       view
	key     string // id of the caller's key
	feed    *feed
	at      engine.Version   // he has had everything up to here
	prompts []*pb.OpenPrompt // the last list he was given
	lines   bool
}

// follow opens a tail. Leave must be called on its feed.
func (s *battles) follow(ctx context.Context, id state.ID, v view, at engine.Version) (*tail, error) {
	f, err := s.feeds.join(ctx, id)
	if err != nil {
		return nil, err
	}
	return &tail{s: s, id: id, v: v, key: CallerOf(ctx).Key, feed: f, at: at}, nil
}

// next gives the updates after where the viewer is, waiting for one until wait ends (nil: not at all). No updates and no error:
// nothing came in time.
func (t *tail) next(ctx context.Context, wait <-chan time.Time) ([]*pb.Update, error) {
	for {
		steps, more, behind, err := t.feed.since(t.at)
		switch {
		case errors.Is(err, state.ErrReset):
			return t.reset(ctx)
		case err != nil:
			return nil, err
		case behind:
			return t.catchUp(ctx)
		}
		var out []*pb.Update
		for _, s := range steps {
			if u := t.take(s); u != nil {
				out = append(out, u)
			}
		}
		if len(out) > 0 || wait == nil {
			return out, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-t.s.drain:
			return nil, fail(pb.ErrorReason_ERROR_REASON_DRAINING)
		case <-wait:
			return nil, nil
		case <-more:
		}
	}
}

// take makes the viewer's update of a step; nil when it holds nothing for him.
func (t *tail) take(s *step) *pb.Update {
	t.at = s.after.battle.Version
	if t.v.changes(s) {
		return t.snapshot(s.after, true)
	}
	shared := t.s.update(s, t.v)
	if shared == nil {
		return nil
	}
	u := &pb.Update{Version: shared.Version, AtMs: shared.AtMs, Facts: shared.Facts, Cursor: t.s.cursors.seal(t.id, t.v, t.at)}
	if t.lines {
		u.Lines = shared.Lines
	}
	if s.author.Key == t.key && t.key != "" {
		u.CommandId = s.commandID
	}
	t.show(u, s.after)
	return u
}

// show adds the viewer's prompts when they are others than before.
func (t *tail) show(u *pb.Update, m *moment) {
	now := t.s.prompts(m, t.v, t.s.renderer(m.battle, t.v.locale))
	if samePrompts(now, t.prompts) {
		return
	}
	t.prompts = now
	u.Prompts, u.PromptsChanged = now, true
}

func samePrompts(a, b []*pb.OpenPrompt) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].GetLive() != b[i].GetLive() || !proto.Equal(a[i].GetPrompt(), b[i].GetPrompt()) {
			return false
		}
	}
	return true
}

// catchUp reads a page of the log for a viewer who is further behind than the feed keeps.
func (t *tail) catchUp(ctx context.Context) ([]*pb.Update, error) {
	m, err := t.s.at(ctx, t.id, uint64(t.at))
	if err != nil {
		return nil, err
	}
	page, err := t.s.store.Read(ctx, t.id, uint64(t.at), keptSteps)
	if errors.Is(err, state.ErrReset) {
		return t.reset(ctx)
	}
	if err != nil {
		return nil, err
	}
	var out []*pb.Update
	for i := range page {
		s, err := m.step(&page[i])
		if err != nil {
			return nil, err
		}
		if u := t.take(s); u != nil {
			out = append(out, u)
		}
		m = s.after
	}
	return out, nil
}

// snapshot is an update with the whole battle as it stands.
func (t *tail) snapshot(m *moment, reset bool) *pb.Update {
	t.at = m.battle.Version
	t.prompts = nil
	u := &pb.Update{
		Version: t.v.version(t.at), AtMs: m.at, Cursor: t.s.cursors.seal(t.id, t.v, t.at), Reset_: reset,
		Snapshot: t.s.seen(m, t.v), PromptsChanged: true,
	}
	t.prompts = t.s.prompts(m, t.v, t.s.renderer(m.battle, t.v.locale))
	u.Prompts = t.prompts
	return u
}

// reset begins again after the store has lost what the viewer had seen: never a silent gap.
func (t *tail) reset(ctx context.Context) ([]*pb.Update, error) {
	t.s.feeds.leave(t.feed)
	f, err := t.s.feeds.join(ctx, t.id)
	if err != nil {
		t.feed = &feed{users: 2} // nothing to leave
		return nil, err
	}
	t.feed = f
	m, err := t.s.current(ctx, t.id)
	if err != nil {
		return nil, err
	}
	return []*pb.Update{t.snapshot(m, true)}, nil
}

// heartbeat is an empty update.
func (t *tail) heartbeat() *pb.Update {
	return &pb.Update{Heartbeat: true, AtMs: t.s.now().UnixMilli(), Cursor: t.s.cursors.seal(t.id, t.v, t.at)}
}

// ended reports whether the viewer has had the end of the battle.
func (t *tail) ended() bool {
	t.feed.mu.Lock()
	defer t.feed.mu.Unlock()
	m := t.feed.head
	return m != nil && m.battle.Phase == engine.Over && t.at >= m.battle.Version
}

// begin settles where a viewer begins; none: with a snapshot.
func (s *battles) begin(id state.ID, v view, cursor string, hasCursor bool, version uint64, hasVersion, beginning bool) (at engine.Version, snapshot bool, err error) {
	switch {
	case hasCursor:
		at, err = s.cursors.open(id, v, cursor)
		return at, false, err
	case hasVersion:
		if !v.all {
			return 0, false, fail(pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE, "role", "viewer", "want", "plugin or master, speaking for no player; others resume by cursor")
		}
		return engine.Version(version), false, nil
	case beginning:
		return 0, false, nil
	}
	return 0, true, nil
}

// WatchBattle replays a battle from a point and then follows it.
func (s *battles) WatchBattle(req *pb.WatchBattleRequest, stream pb.BattleService_WatchBattleServer) error {
	ctx := stream.Context()
	id, v, m, err := s.reader(ctx, req.GetBattleId(), req.GetPlayerId(), req.GetLocale(), req.GetViewer())
	if err != nil {
		return err
	}
	_, byCursor := req.GetFrom().(*pb.WatchBattleRequest_Cursor)
	_, byVersion := req.GetFrom().(*pb.WatchBattleRequest_AfterVersion)
	at, whole, err := s.begin(id, v, req.GetCursor(), byCursor, req.GetAfterVersion(), byVersion, req.GetBeginning())
	if err != nil {
		return err
	}
	release, err := s.watching(CallerOf(ctx))
	if err != nil {
		return err
	}
	defer release()
	t, err := s.follow(ctx, id, v, at)
	if err != nil {
		return err
	}
	defer func() { s.feeds.leave(t.feed) }()
	t.lines = !req.GetWithoutLines()
	if whole {
		if err := stream.Send(&pb.WatchBattleResponse{Update: t.snapshot(m, false)}); err != nil {
			return err
		}
	}
	if at > m.battle.Version {
		u, err := t.reset(ctx)
		if err != nil {
			return err
		}
		if err := stream.Send(&pb.WatchBattleResponse{Update: u[0]}); err != nil {
			return err
		}
	}
	every := heartbeatDefault
	if ms := req.GetHeartbeatMs(); ms != 0 {
		every = time.Duration(ms) * time.Millisecond
	}
	timer := time.NewTimer(every)
	defer timer.Stop()
	for {
		if t.ended() {
			return nil
		}
		timer.Reset(every)
		updates, err := t.next(ctx, timer.C)
		if err != nil {
			return s.watchEnd(ctx, err)
		}
		if len(updates) == 0 {
			updates = append(updates, t.heartbeat())
		}
		for _, u := range updates {
			if err := stream.Send(&pb.WatchBattleResponse{Update: u}); err != nil {
				return err
			}
		}
	}
}

// watchEnd is the error that a watch ends with.
func (s *battles) watchEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, state.ErrClosed) || errors.Is(err, context.Canceled) {
		return fail(pb.ErrorReason_ERROR_REASON_DRAINING)
	}
	return err
}

// ListUpdates is WatchBattle for callers that cannot stream.
func (s *battles) ListUpdates(ctx context.Context, req *pb.ListUpdatesRequest) (*pb.ListUpdatesResponse, error) {
	id, v, m, err := s.reader(ctx, req.GetBattleId(), req.GetPlayerId(), req.GetLocale(), req.GetViewer())
	if err != nil {
		return nil, err
	}
	_, byCursor := req.GetFrom().(*pb.ListUpdatesRequest_Cursor)
	_, byVersion := req.GetFrom().(*pb.ListUpdatesRequest_AfterVersion)
	at, whole, err := s.begin(id, v, req.GetCursor(), byCursor, req.GetAfterVersion(), byVersion, req.GetBeginning())
	if err != nil {
		return nil, err
	}
	max := int(req.GetLimit())
	if max == 0 {
		max = 100
	}
	t, err := s.follow(ctx, id, v, at)
	if err != nil {
		return nil, err
	}
	defer func() { s.feeds.leave(t.feed) }()
	t.lines = !req.GetWithoutLines()
	resp := &pb.ListUpdatesResponse{}
	switch {
	case whole:
		resp.Updates = []*pb.Update{t.snapshot(m, false)}
	case at > m.battle.Version:
		if resp.Updates, err = t.reset(ctx); err != nil {
			return nil, err
		}
	case at < m.battle.Version:
		if resp.Updates, err = t.page(ctx, max); err != nil {
			return nil, err
		}
	case req.GetWaitMs() > 0 && m.battle.Phase != engine.Over:
		timer := time.NewTimer(time.Duration(req.GetWaitMs()) * time.Millisecond)
		defer timer.Stop()
		if resp.Updates, err = t.next(ctx, timer.C); err != nil {
			return nil, s.watchEnd(ctx, err)
		}
	}
	head, err := s.current(ctx, id)
	if err != nil {
		return nil, err
	}
	resp.Cursor = s.cursors.seal(id, v, t.at)
	resp.More = t.at < head.battle.Version
	resp.Over = head.battle.Phase == engine.Over && !resp.More
	resp.NowMs = s.now().UnixMilli()
	return resp, nil
}

// page reads at most n updates from the log, for callers that poll.
func (t *tail) page(ctx context.Context, n int) ([]*pb.Update, error) {
	m, err := t.s.at(ctx, t.id, uint64(t.at))
	if err != nil {
		return nil, err
	}
	var out []*pb.Update
	for len(out) < n {
		entries, err := t.s.store.Read(ctx, t.id, uint64(t.at), n-len(out))
		if err != nil {
			return nil, err
		}
		if len(entries) == 0 {
			break
		}
		for i := range entries {
			s, err := m.step(&entries[i])
			if err != nil {
				return nil, err
			}
			if u := t.take(s); u != nil {
				out = append(out, u)
			}
			m = s.after
		}
	}
	return out, nil
}
