package server

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
	"autobattle/state"
)

// battles is BattleService.
type battles struct {
	pb.UnimplementedBattleServiceServer
	*Core
	cursors *cursors
	limits  *watchLimits
}

// idOf is the battle of a call.
func idOf(ctx context.Context, battle string) state.ID {
	return state.ID{Tenant: CallerOf(ctx).Tenant, Battle: battle}
}

// mayChange refuses callers that may only look.
func mayChange(ctx context.Context) error {
	if c := CallerOf(ctx); !c.Sees() {
		return fail(pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE, "role", c.role(), "want", "plugin or master")
	}
	return nil
}

// mutating is what all requests that change a battle have.
type mutating interface {
	proto.Message
	GetBattleId() string
	GetCommandId() string
	GetPlayerId() string
	GetExpectedVersion() uint64
	GetLocale() string
}

// commandOf makes the command of a request. Its digest is over the request without what may differ between tries.
func commandOf(ctx context.Context, req mutating, build func(b *engine.Battle) (engine.Command, error)) (command, error) {
	digest, err := digestOf(req)
	if err != nil {
		return command{}, err
	}
	caller := CallerOf(ctx)
	return command{
		id: req.GetCommandId(), digest: digest, expected: req.GetExpectedVersion(), make: build,
		author: wire.Author{Key: caller.Key, Role: caller.role(), Player: req.GetPlayerId()},
	}, nil
}

// digestOf is the SHA-256 of a request's canonical bytes with locale and expected_version cleared: a repeat may ask in
// another language and need not know the version.
func digestOf(req proto.Message) ([32]byte, error) {
	m := proto.Clone(req)
	r := m.ProtoReflect()
	for _, name := range []string{"locale", "expected_version"} {
		if f := r.Descriptor().Fields().ByJSONName(name); f != nil {
			r.Clear(f)
		}
		if f := r.Descriptor().Fields().ByTextName(name); f != nil {
			r.Clear(f)
		}
	}
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return [32]byte{}, err
	}
	return sha256.Sum256(append([]byte(r.Descriptor().FullName()+"\n"), raw...)), nil
}

// run plays a command and makes the result that its caller may see.
func (s *battles) run(ctx context.Context, req mutating, build func(b *engine.Battle) (engine.Command, error)) (*pb.CommandResult, outcome, error) {
	if err := mayChange(ctx); err != nil {
		return nil, outcome{}, err
	}
	cmd, err := commandOf(ctx, req, build)
	if err != nil {
		return nil, outcome{}, err
	}
	id := idOf(ctx, req.GetBattleId())
	out, err := s.do(ctx, id, cmd)
	if err != nil {
		return nil, outcome{}, s.refusal(ctx, id, req.GetPlayerId(), req.GetLocale(), err)
	}
	if out.after.battle.Phase == engine.Over {
		if out.back, err = s.giveBack(ctx, id, out.after); err != nil {
			return nil, outcome{}, err
		}
	}
	res, err := s.result(ctx, id, req.GetPlayerId(), req.GetLocale(), out)
	return res, out, err
}

// refusal is an error of a command; a refusal of the rules gets its message in the words of the battle.
func (s *battles) refusal(ctx context.Context, id state.ID, player, locale string, err error) error {
	var no *engine.Rejection
	if !errors.As(err, &no) {
		return err
	}
	v, verr := viewFor(CallerOf(ctx), player, locale, nil)
	m, merr := s.current(ctx, id)
	if verr != nil || merr != nil {
		return err
	}
	return s.explain(err, m.battle, v)
}

// result is what a caller may know of an outcome.
func (s *battles) result(ctx context.Context, id state.ID, player, locale string, out outcome) (*pb.CommandResult, error) {
	v, err := viewFor(CallerOf(ctx), player, locale, nil)
	if err != nil {
		return nil, err
	}
	b := out.after.battle
	res := &pb.CommandResult{
		BattleId: id.Battle, Version: v.version(b.Version), Cursor: s.cursors.seal(id, v, b.Version),
		RepeatedCommand: out.repeated, AtMs: out.after.at,
	}
	if u := s.render(out.before.battle, out.after, out.commit.Facts, v); u != nil {
		res.Facts, res.Lines = u.Facts, u.Lines
	}
	now := out.after
	if out.repeated { // the prompts of now, not of then
		if now, err = s.current(ctx, id); err != nil {
			return nil, err
		}
	}
	res.Prompts = s.prompts(now, v, s.renderer(b, v.locale))
	return res, nil
}

// CreateBattle creates a battle in its lobby.
func (s *battles) CreateBattle(ctx context.Context, req *pb.CreateBattleRequest) (*pb.CreateBattleResponse, error) {
	if err := mayChange(ctx); err != nil {
		return nil, err
	}
	sys := s.system(engine.RulesetID(req.GetRuleset()))
	if sys == nil {
		return nil, engine.Refuse(engine.ReasonUnknownRuleset, engine.RuleOpen, engine.Words("ruleset", req.GetRuleset()), engine.Words("allowed", s.rulesets()))
	}
	open, err := openOf(req)
	if err != nil {
		return nil, err
	}
	tenant := CallerOf(ctx).Tenant
	if open.Arena != ([32]byte{}) {
		if _, err := s.arenas.get(ctx, tenant, open.Arena); err != nil {
			return nil, err
		}
	}
	name := req.GetBattleId()
	if name == "" {
		sum := sha256.Sum256([]byte(CallerOf(ctx).Key + "\n" + req.GetCommandId()))
		name = "b" + strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:10]))
	}
	digest, err := digestOf(req)
	if err != nil {
		return nil, err
	}
	id := state.ID{Tenant: tenant, Battle: name}
	caller := CallerOf(ctx)
	out, err := s.create(ctx, id, sys, command{
		id: req.GetCommandId(), digest: digest, author: wire.Author{Key: caller.Key, Role: caller.role(), Player: req.GetPlayerId()},
		make: func(*engine.Battle) (engine.Command, error) { return open, nil },
	})
	if err != nil {
		return nil, err
	}
	res, err := s.result(ctx, id, req.GetPlayerId(), req.GetLocale(), out)
	if err != nil {
		return nil, err
	}
	return &pb.CreateBattleResponse{Result: res}, nil
}

// openOf reads the order to create a battle.
func openOf(req *pb.CreateBattleRequest) (open engine.Open, err error) {
	open = engine.Open{Ruleset: engine.RulesetID(req.GetRuleset()), Title: req.GetTitle()}
	copy(open.Arena[:], req.GetArena())
	if open.Teams, err = wire.FromTeams(req.GetTeams()); err != nil {
		return open, err
	}
	open.Options, err = wire.FromOptions(req.GetOptions())
	return open, err
}

// rulesets names what this server plays.
func (c *Core) rulesets() string {
	names := make([]string, len(c.systems))
	for i := range c.systems {
		names[i] = string(c.systems[i].Spec.ID)
	}
	return strings.Join(names, ", ")
}

// AddActors adds actors, all or none.
func (s *battles) AddActors(ctx context.Context, req *pb.AddActorsRequest) (*pb.AddActorsResponse, error) {
	if err := mayChange(ctx); err != nil {
		return nil, err
	}
	joins, leased, bad := s.newcomers(ctx, req)
	res, out, err := s.run(ctx, req, func(b *engine.Battle) (engine.Command, error) {
		if bad != nil { // unless it is a repeat: then it does not matter what the characters do by now
			return nil, bad
		}
		if n := len(b.Actors) + len(joins); n > s.settings.MaxActors {
			return nil, limit("actors", int64(n), int64(s.settings.MaxActors))
		}
		return engine.Join{Actors: joins}, nil
	})
	if err != nil {
		s.release(ctx, req.GetBattleId(), leased, err)
		return nil, err
	}
	resp := &pb.AddActorsResponse{Result: res}
	for i := range out.commit.Facts {
		if e, ok := out.commit.Facts[i].Event.(engine.ActorSet); ok && out.before.battle.Actor(e.Actor.ID) == nil && !slices.Contains(resp.ActorIds, uint32(e.Actor.ID)) {
			resp.ActorIds = append(resp.ActorIds, uint32(e.Actor.ID))
		}
	}
	return resp, nil
}

// AddEntropy joins a player's bytes to the seed.
func (s *battles) AddEntropy(ctx context.Context, req *pb.AddEntropyRequest) (*pb.AddEntropyResponse, error) {
	res, _, err := s.run(ctx, req, func(*engine.Battle) (engine.Command, error) {
		return engine.AddEntropy{Player: req.GetPlayerId(), Bytes: req.GetData()}, nil
	})
	if err != nil {
		return nil, err
	}
	return &pb.AddEntropyResponse{Result: res}, nil
}

// StartBattle leaves the lobby.
func (s *battles) StartBattle(ctx context.Context, req *pb.StartBattleRequest) (*pb.StartBattleResponse, error) {
	res, _, err := s.run(ctx, req, func(*engine.Battle) (engine.Command, error) { return engine.Start{}, nil })
	if err != nil {
		return nil, err
	}
	return &pb.StartBattleResponse{Result: res}, nil
}

// EndBattle ends a battle by the master's word.
func (s *battles) EndBattle(ctx context.Context, req *pb.EndBattleRequest) (*pb.EndBattleResponse, error) {
	if req.GetPlayerId() != "" {
		return nil, fail(pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE, "role", "player", "want", "plugin or master, speaking for no player")
	}
	outcomes, err := wire.FromOutcome(req.GetOutcome())
	if err != nil {
		return nil, err
	}
	res, out, err := s.run(ctx, req, func(*engine.Battle) (engine.Command, error) {
		return engine.End{Outcome: outcomes, Reason: req.GetReason()}, nil
	})
	if err != nil {
		return nil, err
	}
	return &pb.EndBattleResponse{Result: res, Characters: out.back}, nil
}

// Act answers a prompt.
func (s *battles) Act(ctx context.Context, req *pb.ActRequest) (*pb.ActResponse, error) {
	caller := CallerOf(ctx)
	answer, err := decideOf(req)
	if err != nil {
		return nil, err
	}
	res, _, err := s.run(ctx, req, func(b *engine.Battle) (engine.Command, error) {
		by, err := speaker(caller, b, req.GetPlayerId(), answer.Prompt, engine.ActorID(req.GetActorId()))
		if err != nil {
			return nil, err
		}
		d := answer
		d.By = by
		return d, nil
	})
	if err != nil {
		return nil, err
	}
	return &pb.ActResponse{Result: res}, nil
}

// decideOf reads an answer to a prompt.
func decideOf(req *pb.ActRequest) (d engine.Decide, err error) {
	d.Prompt = engine.PromptID(req.GetPromptId())
	if d.Intents, err = wire.FromIntents(req.GetIntents()); err != nil {
		return d, err
	}
	if d.Lines, err = wire.FromLines(req.GetLines()); err != nil {
		return d, err
	}
	d.Poses, err = wire.FromSeenPoses(req.GetPoses())
	return d, err
}

// speaker is the actor that a caller may answer a prompt for. The player must control him; a master may answer any. What the
// player does not know of is refused as if it were not there.
func speaker(c Caller, b *engine.Battle, player string, prompt engine.PromptID, actor engine.ActorID) (engine.ActorID, error) {
	if player != "" || !c.Has(RoleMaster) {
		v := view{player: player, all: player == "" && c.Sees()}
		b = engine.See(b, v.in(b))
	}
	p := b.Prompt(prompt)
	if actor == 0 && p != nil {
		actor = p.Whose
	}
	if actor == 0 {
		if p == nil {
			return 0, engine.Refuse(engine.ReasonPromptClosed, engine.RulePrompt, engine.Num("prompt", int64(prompt)))
		}
		if player != "" || !c.Has(RoleMaster) {
			return 0, fail(pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE, "role", c.role(), "want", "master, speaking for no player")
		}
		return 0, nil
	}
	a := b.Actor(actor)
	if a == nil {
		return 0, engine.Refuse(engine.ReasonUnknownActor, engine.RulePrompt, engine.Num("actor", int64(actor)))
	}
	if prompt != 0 && p == nil {
		return 0, engine.Refuse(engine.ReasonPromptClosed, engine.RulePrompt, engine.Num("prompt", int64(prompt)))
	}
	if player == "" && c.Has(RoleMaster) {
		return actor, nil
	}
	if a.Controller.Kind != engine.ByPlayer || a.Controller.Player != player || player == "" {
		return 0, fail(pb.ErrorReason_ERROR_REASON_FORBIDDEN_ACTOR, "actor", a.Name, "player", player)
	}
	return actor, nil
}

// reader is a call that reads a battle through somebody's eyes.
func (s *battles) reader(ctx context.Context, battle, player, locale string, want *pb.Viewer) (state.ID, view, *moment, error) {
	id := idOf(ctx, battle)
	v, err := viewFor(CallerOf(ctx), player, locale, want)
	if err != nil {
		return id, v, nil, err
	}
	m, err := s.current(ctx, id)
	return id, v, m, err
}

// seenBy is the battle as the owner of a prompt knows it, for choices and forecasts.
func (s *battles) asked(ctx context.Context, id state.ID, v view, m *moment, prompt engine.PromptID, actor engine.ActorID) (*engine.Battle, *engine.Prompt, error) {
	b := m.battle
	if prompt == 0 {
		live := b.LivePrompts()
		for i := range live {
			if live[i].Whose == actor || actor == 0 && v.mine(b, &live[i]) {
				prompt = live[i].ID
				break
			}
		}
	}
	p := b.Prompt(prompt)
	if p == nil || !v.all && !v.mine(b, p) {
		return nil, nil, engine.Refuse(engine.ReasonPromptClosed, engine.RulePrompt, engine.Num("prompt", int64(prompt)))
	}
	eyes := engine.Viewer{Master: true}
	if p.Whose != 0 {
		eyes = engine.ViewerOf(b, p.Whose)
	}
	return engine.See(b, eyes), p, nil
}

// mine reports whether a prompt is one that v may answer.
func (v view) mine(b *engine.Battle, p *engine.Prompt) bool {
	if v.all {
		return true
	}
	a := b.Actor(p.Whose)
	return a != nil && v.owns(a)
}

// Preview forecasts intents.
func (s *battles) Preview(ctx context.Context, req *pb.PreviewRequest) (*pb.PreviewResponse, error) {
	id, v, m, err := s.reader(ctx, req.GetBattleId(), req.GetPlayerId(), req.GetLocale(), nil)
	if err != nil {
		return nil, err
	}
	b, p, err := s.asked(ctx, id, v, m, engine.PromptID(req.GetPromptId()), engine.ActorID(req.GetActorId()))
	if err != nil {
		return nil, err
	}
	sys, world, err := s.stage(ctx, id, b)
	if err != nil {
		return nil, err
	}
	intents, err := wire.FromIntents(req.GetIntents())
	if err != nil {
		return nil, err
	}
	poses, err := wire.FromSeenPoses(req.GetPoses())
	if err != nil {
		return nil, err
	}
	supposed, err := wire.FromAssumptions(req.GetAssumptions())
	if err != nil {
		return nil, err
	}
	r := s.renderer(b, v.locale)
	resp := &pb.PreviewResponse{Version: v.version(m.battle.Version)}
	for i := range intents {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := engine.Decide{Prompt: p.ID, By: p.Whose, Intents: intents[i : i+1], Poses: poses}
		fc, err := engine.Preview(sys, b, world, d, supposed)
		var no *engine.Rejection
		switch {
		case errors.As(err, &no):
			f := wire.Refused(&intents[i], no)
			f.Refusal.Message = r.Refusal(b, no)
			resp.Forecasts = append(resp.Forecasts, f)
		case err != nil:
			return nil, err
		default:
			resp.Forecasts = append(resp.Forecasts, wire.Forecast(&intents[i], &fc))
		}
	}
	return resp, nil
}

// stage is the ruleset and the world of a battle.
func (s *battles) stage(ctx context.Context, id state.ID, b *engine.Battle) (*engine.System, voxel.World, error) {
	sys := s.system(b.Rules.Ruleset)
	if sys == nil || sys.Spec.Revision != b.Rules.Revision {
		return nil, nil, fail(reasonRevision, "ruleset", string(b.Rules.Ruleset))
	}
	w, err := s.world(ctx, id.Tenant, b)
	return sys, w, err
}

// ListChoices lists what may be answered now.
func (s *battles) ListChoices(ctx context.Context, req *pb.ListChoicesRequest) (*pb.ListChoicesResponse, error) {
	id, v, m, err := s.reader(ctx, req.GetBattleId(), req.GetPlayerId(), req.GetLocale(), nil)
	if err != nil {
		return nil, err
	}
	resp := &pb.ListChoicesResponse{Version: v.version(m.battle.Version)}
	for _, o := range s.prompts(m, v, s.renderer(m.battle, v.locale)) {
		pid := engine.PromptID(o.GetPrompt().GetId())
		if !o.GetLive() || req.GetPromptId() != 0 && engine.PromptID(req.GetPromptId()) != pid {
			continue
		}
		b, p, err := s.asked(ctx, id, v, m, pid, 0)
		if err != nil {
			return nil, err
		}
		sys, world, err := s.stage(ctx, id, b)
		if err != nil {
			return nil, err
		}
		r := s.renderer(b, v.locale)
		c := &pb.Choices{Prompt: o}
		offers := sys.Rules.Offers(engine.View{Battle: b, World: engine.WorldOf(b, world)}, p)
		for i := range offers {
			if req.GetWithoutRegions() {
				offers[i].Region = nil
			}
			o := wire.Offer(&offers[i])
			o.Label = r.Offer(b, &offers[i])
			if no := offers[i].No; no != nil {
				o.Refusal.Message = r.Refusal(b, no)
			}
			c.Offers = append(c.Offers, o)
		}
		resp.Choices = append(resp.Choices, c)
	}
	if len(resp.Choices) == 0 && req.GetPromptId() != 0 {
		return nil, engine.Refuse(engine.ReasonPromptClosed, engine.RulePrompt, engine.Num("prompt", int64(req.GetPromptId())))
	}
	return resp, nil
}

// SetPolicies says what an actor's owner wants for prompts.
func (s *battles) SetPolicies(ctx context.Context, req *pb.SetPoliciesRequest) (*pb.SetPoliciesResponse, error) {
	caller := CallerOf(ctx)
	policies, err := wire.FromPolicies(req.GetPolicies())
	if err != nil {
		return nil, err
	}
	res, _, err := s.run(ctx, req, func(b *engine.Battle) (engine.Command, error) {
		by, err := speaker(caller, b, req.GetPlayerId(), 0, engine.ActorID(req.GetActorId()))
		if err != nil {
			return nil, err
		}
		return engine.Control{Actor: by, Controller: b.Actor(by).Controller, Policies: policies}, nil
	})
	if err != nil {
		return nil, err
	}
	return &pb.SetPoliciesResponse{Result: res}, nil
}

// GetBattle returns a battle as the viewer may know it.
func (s *battles) GetBattle(ctx context.Context, req *pb.GetBattleRequest) (*pb.GetBattleResponse, error) {
	id, v, m, err := s.reader(ctx, req.GetBattleId(), req.GetPlayerId(), req.GetLocale(), req.GetViewer())
	if err != nil {
		return nil, err
	}
	then := engine.Version(0)
	switch at := req.GetAt().(type) {
	case *pb.GetBattleRequest_Version:
		if !v.all {
			return nil, fail(pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE, "role", CallerOf(ctx).role(), "want", "plugin or master")
		}
		if at.Version == 0 || at.Version > uint64(m.battle.Version) {
			return nil, fail(pb.ErrorReason_ERROR_REASON_BAD_FIELD, "field", "version", "want", "1 to the battle's version")
		}
		then = engine.Version(at.Version)
	case *pb.GetBattleRequest_Cursor:
		if then, err = s.cursors.open(id, v, at.Cursor); err != nil {
			return nil, err
		}
	}
	resp := &pb.GetBattleResponse{BattleId: id.Battle, NowMs: s.now().UnixMilli()}
	if then != 0 && then < m.battle.Version {
		if m, err = s.at(ctx, id, uint64(then)); err != nil {
			return nil, err
		}
	} else {
		resp.Prompts = s.prompts(m, v, s.renderer(m.battle, v.locale))
	}
	resp.Battle = wire.Battle(engine.See(m.battle, v.in(m.battle)))
	resp.Cursor = s.cursors.seal(id, v, m.battle.Version)
	return resp, nil
}

// ListBattles lists the battles of the tenant in pages.
func (s *battles) ListBattles(ctx context.Context, req *pb.ListBattlesRequest) (*pb.ListBattlesResponse, error) {
	caller := CallerOf(ctx)
	size := int(req.GetPageSize())
	if size == 0 {
		size = 100
	}
	after := state.ID{}
	if t := req.GetPageToken(); t != "" {
		after = state.ID{Tenant: caller.Tenant, Battle: t}
		if !after.Valid() {
			return nil, fail(pb.ErrorReason_ERROR_REASON_BAD_FIELD, "field", "page_token", "want", "next_page_token of the page before")
		}
	}
	v := view{all: caller.Sees()}
	resp := &pb.ListBattlesResponse{}
	for len(resp.Battles) < size {
		page, err := s.store.List(ctx, caller.Tenant, after, size)
		if err != nil {
			return nil, err
		}
		for _, l := range page {
			after = l.ID
			if ok, err := s.listed(ctx, req, l); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
			resp.Battles = append(resp.Battles, &pb.BattleSummary{
				BattleId: l.ID.Battle, Title: l.Head.Title, Ruleset: l.Head.Ruleset, Phase: phaseOf(l.Head.Phase),
				Version: v.version(engine.Version(l.Head.Version)), CreatedMs: l.Head.CreatedMS, UpdatedMs: l.Head.UpdatedMS, DeadlineMs: l.Head.DeadlineMS,
			})
			if len(resp.Battles) == size {
				resp.NextPageToken = after.Battle
				break
			}
		}
		if len(page) < size {
			if len(resp.Battles) < size {
				resp.NextPageToken = ""
			}
			break
		}
	}
	return resp, nil
}

// listed reports whether a battle is one that a listing asks for.
func (s *battles) listed(ctx context.Context, req *pb.ListBattlesRequest, l state.Listed) (bool, error) {
	if p := req.GetPhase(); p != pb.Phase_PHASE_UNSPECIFIED && phaseOf(l.Head.Phase) != p {
		return false, nil
	}
	if req.GetPlayerId() == "" {
		return true, nil
	}
	m, err := s.current(ctx, l.ID)
	if errors.Is(err, state.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for i := range m.battle.Actors {
		if m.battle.Actors[i].Controller.Player == req.GetPlayerId() {
			return true, nil
		}
	}
	return false, nil
}

// heartbeatDefault is the silence after which a watch sends an empty update.
const heartbeatDefault = 15 * time.Second
