package server

import (
	"context"
	"crypto/rand"

	"autobattle/engine"
	"autobattle/engine/dice"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
	"autobattle/server/text"
)

// schemaLevel counts the additions to the schema that this build serves.
const schemaLevel = 1

// rulesService is RulesService.
type rulesService struct {
	pb.UnimplementedRulesServiceServer
	*Core
}

// GetServerInfo says what this server is and may do for the caller.
func (s *rulesService) GetServerInfo(ctx context.Context, _ *pb.GetServerInfoRequest) (*pb.GetServerInfoResponse, error) {
	c := CallerOf(ctx)
	return &pb.GetServerInfoResponse{
		ServerVersion: s.settings.Version, SchemaLevel: schemaLevel, FeatureLevel: engine.FeatureLevel,
		Features: []string{"characters", "export", "inspect", "list_updates", "master", "preview", "report_poses"},
		Locales:  []string{string(text.English), string(text.Russian)},
		Limits: &pb.ServerLimits{
			MessageBytes: uint64(s.settings.MaxMessage), Actors: uint32(s.settings.MaxActors),
			ArenaCells: uint64(s.settings.MaxCells), Watches: uint32(s.settings.MaxWatches),
		},
		NowMs: s.now().UnixMilli(), Tenant: c.Tenant, Role: c.role(),
	}, nil
}

// ListRulesets lists what this server plays.
func (s *rulesService) ListRulesets(context.Context, *pb.ListRulesetsRequest) (*pb.ListRulesetsResponse, error) {
	resp := &pb.ListRulesetsResponse{}
	for _, sys := range s.systems {
		resp.Rulesets = append(resp.Rulesets, wire.RulesetInfo(sys.Spec))
	}
	return resp, nil
}

// GetCatalogue is the vocabulary of a ruleset.
func (s *rulesService) GetCatalogue(_ context.Context, req *pb.GetCatalogueRequest) (*pb.GetCatalogueResponse, error) {
	sys, err := s.named(req.GetRuleset())
	if err != nil {
		return nil, err
	}
	if h := req.GetCatalogue(); len(h) == 32 && [32]byte(h) != sys.Spec.Hash {
		return nil, fail(pb.ErrorReason_ERROR_REASON_RULE_NOT_FOUND, "catalogue", "another hash than this server has")
	}
	return &pb.GetCatalogueResponse{Catalogue: wire.Catalogue(sys.Spec)}, nil
}

// named finds a ruleset by its name.
func (c *Core) named(name string) (*engine.System, error) {
	if sys := c.system(engine.RulesetID(name)); sys != nil {
		return sys, nil
	}
	return nil, engine.Refuse(engine.ReasonUnknownRuleset, engine.RuleOpen, engine.Words("ruleset", name), engine.Words("allowed", c.rulesets()))
}

// ExplainRule is one rule's text.
func (s *rulesService) ExplainRule(_ context.Context, req *pb.ExplainRuleRequest) (*pb.ExplainRuleResponse, error) {
	sys, err := s.named(req.GetRuleset())
	if err != nil {
		return nil, err
	}
	for i := range sys.Spec.Rules {
		if sys.Spec.Rules[i].ID == engine.Rule(req.GetRule()) {
			return &pb.ExplainRuleResponse{Rule: wire.RuleEntry(&sys.Spec.Rules[i])}, nil
		}
	}
	return nil, fail(pb.ErrorReason_ERROR_REASON_RULE_NOT_FOUND, "rule", req.GetRule())
}

// Roll throws dice outside any battle, from a fresh seed.
func (s *rulesService) Roll(_ context.Context, req *pb.RollRequest) (*pb.RollResponse, error) {
	f, err := wire.FromFormula(req)
	if err != nil {
		return nil, err
	}
	var seed [32]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return nil, err
	}
	l := text.Match(req.GetLocale())
	var spec *engine.Spec
	if name := req.GetRuleset(); name != "" {
		sys, err := s.named(name)
		if err != nil {
			return nil, err
		}
		spec = sys.Spec
	}
	r, src := text.For(spec, l), dice.NewSeeded(seed)
	resp := &pb.RollResponse{Seed: seed[:]}
	for i := range max(req.GetTimes(), 1) {
		t := src.Throw(dice.At{Pos: int32(i)}, f)
		roll := engine.Roll{Base: engine.Base{Level: req.GetBase()}, Throws: []dice.Throw{t}, Result: req.GetBase() + t.Sum}
		resp.Throws = append(resp.Throws, wire.Throw(&t))
		resp.Results = append(resp.Results, roll.Result)
		resp.Lines = append(resp.Lines, &pb.TextLine{Text: r.Roll(nil, &roll), Fact: -1})
	}
	return resp, nil
}
