package server

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.uber.org/zap"
	"google.golang.org/protobuf/proto"

	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
	"autobattle/state"
)

// characters is CharacterService.
type characters struct {
	pb.UnimplementedCharacterServiceServer
	*Core
}

func characterDocs(tenant string) state.Collection {
	return state.Collection{Kind: "characters", Tenant: tenant}
}

// character reads a stored character; its revision is the document's.
func (c *Core) character(ctx context.Context, tenant, id string) (*pb.Character, error) {
	doc, err := c.store.GetDoc(ctx, characterDocs(tenant), id)
	if errors.Is(err, state.ErrNotFound) {
		return nil, fail(pb.ErrorReason_ERROR_REASON_CHARACTER_NOT_FOUND, "character", id)
	}
	if err != nil {
		return nil, err
	}
	return decodeCharacter(doc)
}

func decodeCharacter(doc state.Doc) (*pb.Character, error) {
	ch := &pb.Character{}
	if err := proto.Unmarshal(doc.Data, ch); err != nil {
		return nil, fmt.Errorf("%w: character %s: %w", state.ErrCorrupt, doc.Key, err)
	}
	ch.Revision = doc.Rev
	return ch, nil
}

// putCharacter writes a character at an expected revision and gives the new one.
func (c *Core) putCharacter(ctx context.Context, tenant string, ch *pb.Character, expect uint64) error {
	ch.UpdatedMs = c.now().UnixMilli()
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(ch)
	if err != nil {
		return fmt.Errorf("encode character %s: %w", ch.GetCharacterId(), err)
	}
	rev, err := c.store.PutDoc(ctx, characterDocs(tenant), ch.GetCharacterId(), expect, data)
	if err != nil {
		var conflict *state.ConflictError
		if errors.As(err, &conflict) {
			return &versionError{current: conflict.Head}
		}
		return err
	}
	ch.Revision = rev
	return nil
}

// PutCharacter creates or replaces a character.
func (s *characters) PutCharacter(ctx context.Context, req *pb.PutCharacterRequest) (*pb.PutCharacterResponse, error) {
	if err := mayChange(ctx); err != nil {
		return nil, err
	}
	ch := proto.Clone(req.GetCharacter()).(*pb.Character)
	if err := s.checkSheet(ch); err != nil {
		return nil, err
	}
	expect := state.Any
	if req.ExpectedRevision != nil {
		expect = req.GetExpectedRevision()
	}
	tenant := CallerOf(ctx).Tenant
	old, err := s.character(ctx, tenant, ch.GetCharacterId())
	switch {
	case err == nil:
		if old, err = s.home(ctx, tenant, old); err != nil {
			return nil, err
		}
		if old.GetBattleId() != "" {
			return nil, fail(pb.ErrorReason_ERROR_REASON_CHARACTER_BUSY, "character", ch.GetCharacterId(), "battle", old.GetBattleId())
		}
		ch.BattleId = ""
	case reasonOf(err) != pb.ErrorReason_ERROR_REASON_CHARACTER_NOT_FOUND:
		return nil, err
	default:
		ch.BattleId = ""
	}
	ch.Revision = 0
	if err := s.putCharacter(ctx, tenant, ch, expect); err != nil {
		return nil, err
	}
	return &pb.PutCharacterResponse{Character: ch}, nil
}

// checkSheet refuses names that the ruleset's catalogue does not have, so that a bad sheet is found when it is stored.
func (s *characters) checkSheet(ch *pb.Character) error {
	sys := s.system(engine.RulesetID(ch.GetRuleset()))
	if sys == nil {
		return engine.Refuse(engine.ReasonUnknownRuleset, engine.RuleJoin, engine.Words("ruleset", ch.GetRuleset()), engine.Words("allowed", s.rulesets()))
	}
	spec := sys.Spec
	bad := func(field, kind, name string) error {
		f := fail(pb.ErrorReason_ERROR_REASON_UNKNOWN_NAME, "field", field, kind, name)
		return f
	}
	sheet := ch.GetSheet()
	if sheet.GetBody() != "" && spec.Body(engine.BodyName(sheet.GetBody())) == nil {
		return bad("character.sheet.body", "body", sheet.GetBody())
	}
	for i, t := range sheet.GetTraits() {
		if spec.Trait(engine.TraitName(t.GetName())) == nil {
			return bad(fmt.Sprintf("character.sheet.traits[%d].name", i), "trait", t.GetName())
		}
	}
	for i, it := range sheet.GetItems() {
		if spec.Item(engine.CatalogueRef(it.GetRef())) == nil {
			return bad(fmt.Sprintf("character.sheet.items[%d].ref", i), "item", it.GetRef())
		}
	}
	for i, c := range sheet.GetConditions() {
		if spec.Cond(engine.CondName(c.GetName())) == nil {
			return bad(fmt.Sprintf("character.sheet.conditions[%d].name", i), "condition", c.GetName())
		}
	}
	return nil
}

// GetCharacter returns a character; a player's own, or any for callers who see all.
func (s *characters) GetCharacter(ctx context.Context, req *pb.GetCharacterRequest) (*pb.GetCharacterResponse, error) {
	ch, err := s.character(ctx, CallerOf(ctx).Tenant, req.GetCharacterId())
	if err != nil {
		return nil, err
	}
	if !mayRead(ctx, req.GetPlayerId(), ch) {
		return nil, fail(pb.ErrorReason_ERROR_REASON_CHARACTER_NOT_FOUND, "character", req.GetCharacterId())
	}
	return &pb.GetCharacterResponse{Character: ch}, nil
}

func mayRead(ctx context.Context, player string, ch *pb.Character) bool {
	return CallerOf(ctx).Sees() && (player == "" || ch.GetPlayerId() == player)
}

// ListCharacters lists characters in pages.
func (s *characters) ListCharacters(ctx context.Context, req *pb.ListCharactersRequest) (*pb.ListCharactersResponse, error) {
	size := int(req.GetPageSize())
	if size == 0 {
		size = 100
	}
	resp, after := &pb.ListCharactersResponse{}, req.GetPageToken()
	for {
		page, err := s.store.ListDocs(ctx, characterDocs(CallerOf(ctx).Tenant), "", after, state.MaxPage)
		if err != nil {
			return nil, err
		}
		for _, doc := range page {
			ch, err := decodeCharacter(doc)
			if err != nil {
				return nil, err
			}
			after = doc.Key
			if !mayRead(ctx, req.GetPlayerId(), ch) || req.GetRuleset() != "" && ch.GetRuleset() != req.GetRuleset() || req.GetTemplates() && !ch.GetTemplate() {
				continue
			}
			if len(resp.Characters) == size {
				resp.NextPageToken = resp.Characters[size-1].GetCharacterId()
				return resp, nil
			}
			resp.Characters = append(resp.Characters, ch)
		}
		if len(page) < state.MaxPage {
			return resp, nil
		}
	}
}

// newcomers resolves the actors of a request: stored characters become sheets, copies become actors of their own. It names
// the characters that it has taken for the battle.
func (s *battles) newcomers(ctx context.Context, req *pb.AddActorsRequest) (out []engine.Newcomer, leased []string, err error) {
	defer func() {
		if err != nil {
			s.release(ctx, req.GetBattleId(), leased, err)
		}
	}()
	for i, a := range req.GetActors() {
		n, took, err := s.newcomer(ctx, fmt.Sprintf("actors[%d]", i), req, i, a)
		if took {
			leased = append(leased, a.GetCharacterId())
		}
		if err != nil {
			return nil, leased, err
		}
		out = append(out, n)
		for k := uint32(2); k <= a.GetCopies(); k++ {
			c := n
			c.Key, c.Name = fmt.Sprintf("%s-%d", n.Key, k), fmt.Sprintf("%s %d", n.Name, k)
			c.Character.Copy = k
			if j := int(k) - 2; j < len(a.GetCopyPoses()) {
				if c.Pose, err = wire.FromPoseInput(a.GetCopyPoses()[j]); err != nil {
					return nil, leased, under(err, fmt.Sprintf("actors[%d].copy_poses[%d]", i, j))
				}
			}
			out = append(out, c)
		}
	}
	return out, leased, nil
}

// release gives characters free that a battle has taken for actors who then did not join. Where the store failed they may
// have joined, and stay taken for the repeat.
func (s *battles) release(ctx context.Context, battle string, leased []string, why error) {
	if len(leased) == 0 || errors.Is(why, state.ErrUnavailable) || ctx.Err() != nil {
		return
	}
	tenant := CallerOf(ctx).Tenant
	for _, name := range leased {
		ch, err := s.character(ctx, tenant, name)
		if err == nil && ch.GetBattleId() == battle {
			ch.BattleId = ""
			err = s.putCharacter(ctx, tenant, ch, ch.GetRevision())
		}
		if err != nil {
			s.log.Warn("character not released", zap.String("battle", battle), zap.String("character", name), zap.Error(err))
		}
	}
}

// home is a character as it is now. One whose battle is over but has not given it back, because the process that ended it
// died, is given back first.
func (c *Core) home(ctx context.Context, tenant string, ch *pb.Character) (*pb.Character, error) {
	if ch.GetBattleId() == "" {
		return ch, nil
	}
	id := state.ID{Tenant: tenant, Battle: ch.GetBattleId()}
	head, err := c.store.Head(ctx, id)
	switch {
	case errors.Is(err, state.ErrNotFound):
		free := proto.Clone(ch).(*pb.Character)
		free.BattleId = ""
		return free, nil
	case err != nil:
		return nil, err
	case head.Phase != phaseWord(engine.Over):
		return ch, nil
	}
	m, err := c.current(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err := c.giveBack(ctx, id, m); err != nil {
		return nil, err
	}
	if ch, err = c.character(ctx, tenant, ch.GetCharacterId()); err == nil && ch.GetBattleId() == id.Battle {
		ch.BattleId = "" // he left that battle before its end, or it was for training
	}
	return ch, err
}

// newcomer resolves one actor, and reports whether it has taken his character for the battle.
func (s *battles) newcomer(ctx context.Context, path string, req *pb.AddActorsRequest, i int, a *pb.NewActor) (n engine.Newcomer, took bool, err error) {
	sheet, name, grammar := a.GetSheet(), a.GetName(), a.GetGrammar()
	n = engine.Newcomer{Key: a.GetKey(), Team: engine.TeamID(a.GetTeam())}
	policies := a.GetPolicies()
	if id := a.GetCharacterId(); id != "" {
		ch, err := s.character(ctx, CallerOf(ctx).Tenant, id)
		if err != nil {
			return n, false, err
		}
		single := !ch.GetTemplate() && a.GetCopies() <= 1
		if single && ch.GetBattleId() != req.GetBattleId() {
			if ch, err = s.home(ctx, CallerOf(ctx).Tenant, ch); err != nil {
				return n, false, err
			}
		}
		if single && ch.GetBattleId() != "" && ch.GetBattleId() != req.GetBattleId() {
			return n, false, fail(pb.ErrorReason_ERROR_REASON_CHARACTER_BUSY, "character", id, "battle", ch.GetBattleId())
		}
		sheet = ch.GetSheet()
		n.Character = engine.CharacterRef{ID: id, Rev: ch.GetRevision()}
		if !single {
			n.Character.Copy = 1
		} else if ch.GetBattleId() != req.GetBattleId() {
			lease := proto.Clone(ch).(*pb.Character)
			lease.BattleId = req.GetBattleId()
			if err := s.putCharacter(ctx, CallerOf(ctx).Tenant, lease, ch.GetRevision()); err != nil {
				return n, false, err
			}
			took = true
		}
		if name == "" {
			name = ch.GetName()
		}
		if grammar == pb.Gender_GENDER_UNSPECIFIED {
			grammar = ch.GetGrammar()
		}
		if len(policies) == 0 {
			policies = ch.GetPolicies()
		}
	}
	if n.Key == "" {
		n.Key = fmt.Sprintf("%s/%d", req.GetCommandId(), i)
	}
	n.Name = name
	if n.Name == "" {
		n.Name = n.Key
	}
	body, err := wire.FromSheet(sheet)
	if err != nil {
		return n, took, under(err, path)
	}
	n.Body, n.Traits, n.Items, n.Gauges, n.Conds = body.Body, body.Traits, body.Items, body.Gauges, body.Conds
	if len(a.GetItems()) > 0 {
		if n.Items, err = wire.FromItems(a.GetItems()); err != nil {
			return n, took, under(err, path)
		}
	}
	if grammar != pb.Gender_GENDER_UNSPECIFIED {
		n.Grammar = engine.Gender(grammar - 1)
	}
	if n.Controller, err = wire.FromController(a.GetController()); err != nil {
		return n, took, under(err, path+".controller")
	}
	if n.Policies, err = wire.FromPolicies(policies); err != nil {
		return n, took, under(err, path)
	}
	n.Pose.Look = voxel.Look{Z: 1} // a pose needs a look, also where there are no places
	if a.GetPose() != nil {
		if n.Pose, err = wire.FromPoseInput(a.GetPose()); err != nil {
			return n, took, under(err, path+".pose")
		}
	}
	if a.GetHidden() {
		n.For = engine.Audience{Kind: engine.ForKnowers}
	}
	return n, took, nil
}

// under puts a path before the field of a malformed message.
func under(err error, path string) error {
	var f *wire.FieldError
	if errors.As(err, &f) {
		field := path
		if f.Field != "" {
			field += "." + f.Field
		}
		return &wire.FieldError{Field: field, Why: f.Why}
	}
	return err
}

// giveBack writes what outlives a battle back to its characters, once: kept conditions, kept gauges, the things they
// hold. A training battle and copies write nothing.
func (c *Core) giveBack(ctx context.Context, id state.ID, m *moment) ([]*pb.ReturnedCharacter, error) {
	b := m.battle
	sys := c.system(b.Rules.Ruleset)
	if sys == nil || b.Word("training") == "yes" {
		return nil, nil
	}
	var out []*pb.ReturnedCharacter
	for i := range b.Actors {
		a := &b.Actors[i]
		if a.Character.ID == "" || a.Character.Copy != 0 {
			continue
		}
		ch, err := c.character(ctx, id.Tenant, a.Character.ID)
		if reasonOf(err) == pb.ErrorReason_ERROR_REASON_CHARACTER_NOT_FOUND || err == nil && ch.GetBattleId() != id.Battle {
			continue // deleted, or written back already
		}
		if err != nil {
			return nil, err
		}
		ch.Sheet.Conditions, ch.Sheet.Gauges, ch.Sheet.Items = keptConds(b, a.ID), keptGauges(sys.Spec, b, a.ID.On()), keptItems(sys.Spec, b, a.ID)
		ch.BattleId = ""
		if err := c.putCharacter(ctx, id.Tenant, ch, ch.GetRevision()); err != nil {
			return nil, err
		}
		c.log.Info("character returned", zap.String("battle", id.Battle), zap.String("character", ch.GetCharacterId()), zap.Uint32("actor", uint32(a.ID)))
		out = append(out, &pb.ReturnedCharacter{CharacterId: ch.GetCharacterId(), Revision: ch.GetRevision(), ActorId: uint32(a.ID)})
	}
	return out, nil
}

func keptConds(b *engine.Battle, a engine.ActorID) []*pb.Condition {
	var kept []engine.Cond
	for _, c := range b.CondsOn(a.On()) {
		if c.Until.Kind == engine.UntilKept {
			kept = append(kept, c)
		}
	}
	for i := range kept {
		kept[i].Cause, kept[i].Source, kept[i].With, kept[i].Item = 0, engine.Ref{}, 0, 0
	}
	out := wire.Conds(kept)
	for i := range kept {
		// A parent is a place in the list, from 1.
		p := slices.IndexFunc(kept, func(o engine.Cond) bool { return kept[i].Parent != 0 && o.ID == kept[i].Parent })
		out[i].Parent, out[i].Id, out[i].On = uint32(p+1), 0, nil
	}
	return out
}

func keptGauges(spec *engine.Spec, b *engine.Battle, on engine.Ref) []*pb.GaugeValue {
	var out []*pb.GaugeValue
	for i := range b.Gauges {
		g := &b.Gauges[i]
		if gs := spec.Gauge(g.Name); g.On == on && gs != nil && gs.Kept {
			out = append(out, &pb.GaugeValue{Name: string(g.Name), Now: g.Now})
		}
	}
	return out
}

func keptItems(spec *engine.Spec, b *engine.Battle, a engine.ActorID) []*pb.SheetItem {
	var ids []engine.ItemID
	var out []*pb.SheetItem
	for it := range b.ItemsOf(a) {
		inside := slices.Index(ids, it.In) + 1
		if it.In == 0 {
			inside = 0
		}
		ids = append(ids, it.ID)
		out = append(out, &pb.SheetItem{Ref: string(it.Ref), Slot: string(it.Slot), Inside: int32(inside), Gauges: keptGauges(spec, b, it.ID.On())})
	}
	return out
}
