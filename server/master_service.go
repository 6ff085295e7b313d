package server

import (
	"context"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
)

// masterService is MasterService.
type masterService struct {
	pb.UnimplementedMasterServiceServer
	*battles
}

// order plays a command that is a master's alone.
func (s *masterService) order(ctx context.Context, req mutating, build func(b *engine.Battle) (engine.Command, error)) (*pb.CommandResult, error) {
	if c := CallerOf(ctx); !c.Has(RoleMaster) || req.GetPlayerId() != "" {
		return nil, fail(pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE, "role", c.role(), "want", "master, speaking for no player")
	}
	res, _, err := s.run(ctx, req, build)
	return res, err
}

// Override replaces a computed number, or ends an earlier override.
func (s *masterService) Override(ctx context.Context, req *pb.OverrideRequest) (*pb.OverrideResponse, error) {
	o := engine.Override{Clear: engine.RulingID(req.GetClear())}
	if req.GetRuling() != nil {
		r, err := wire.FromRuling(req.GetRuling())
		if err != nil {
			return nil, under(err, "ruling")
		}
		o.Ruling = r
	}
	res, err := s.order(ctx, req, func(*engine.Battle) (engine.Command, error) { return o, nil })
	if err != nil {
		return nil, err
	}
	return &pb.OverrideResponse{Result: res}, nil
}

// Adjust sets state by the master's word.
func (s *masterService) Adjust(ctx context.Context, req *pb.AdjustRequest) (*pb.AdjustResponse, error) {
	events, err := wire.FromEvents("changes", req.GetChanges())
	if err != nil {
		return nil, err
	}
	res, err := s.order(ctx, req, func(*engine.Battle) (engine.Command, error) {
		return engine.Adjust{Facts: events, Reason: req.GetReason()}, nil
	})
	if err != nil {
		return nil, err
	}
	return &pb.AdjustResponse{Result: res}, nil
}

// Rewind restores an earlier state as a new commit.
func (s *masterService) Rewind(ctx context.Context, req *pb.RewindRequest) (*pb.RewindResponse, error) {
	id := idOf(ctx, req.GetBattleId())
	v, err := viewFor(CallerOf(ctx), req.GetPlayerId(), req.GetLocale(), nil)
	if err != nil {
		return nil, err
	}
	res, err := s.order(ctx, req, func(b *engine.Battle) (engine.Command, error) {
		to := engine.Version(req.GetVersion())
		switch {
		case req.GetCursor() != "":
			var err error
			if to, err = s.cursors.open(id, v, req.GetCursor()); err != nil {
				return nil, err
			}
		case req.GetBack() != 0 && engine.Version(req.GetBack()) < b.Version:
			to = b.Version - engine.Version(req.GetBack())
		}
		r := engine.Rewind{To: to, Same: req.GetSameDice(), Reason: req.GetReason()}
		if to > 0 && to < b.Version {
			m, err := s.at(ctx, id, uint64(to))
			if err != nil {
				return nil, err
			}
			r.Target = m.battle
		}
		return r, nil
	})
	if err != nil {
		return nil, err
	}
	return &pb.RewindResponse{Result: res}, nil
}

// Pause stops a battle.
func (s *masterService) Pause(ctx context.Context, req *pb.PauseRequest) (*pb.PauseResponse, error) {
	res, err := s.order(ctx, req, func(*engine.Battle) (engine.Command, error) { return engine.Pause{Reason: req.GetReason()}, nil })
	if err != nil {
		return nil, err
	}
	return &pb.PauseResponse{Result: res}, nil
}

// Resume lets a paused battle go on.
func (s *masterService) Resume(ctx context.Context, req *pb.ResumeRequest) (*pb.ResumeResponse, error) {
	res, err := s.order(ctx, req, func(*engine.Battle) (engine.Command, error) { return engine.Unpause{}, nil })
	if err != nil {
		return nil, err
	}
	return &pb.ResumeResponse{Result: res}, nil
}

// Control changes who decides for an actor.
func (s *masterService) Control(ctx context.Context, req *pb.ControlRequest) (*pb.ControlResponse, error) {
	who, err := wire.FromController(req.GetController())
	if err != nil {
		return nil, under(err, "controller")
	}
	policies, err := wire.FromPolicies(req.GetPolicies())
	if err != nil {
		return nil, err
	}
	res, err := s.order(ctx, req, func(b *engine.Battle) (engine.Command, error) {
		c := engine.Control{Actor: engine.ActorID(req.GetActorId()), Controller: who, Policies: policies}
		if a := b.Actor(c.Actor); a != nil && len(policies) == 0 {
			c.Policies = a.Policies
		}
		return c, nil
	})
	if err != nil {
		return nil, err
	}
	return &pb.ControlResponse{Result: res}, nil
}

// Delegate hands an actor to automatic play, or back to whom he was taken from.
func (s *masterService) Delegate(ctx context.Context, req *pb.DelegateRequest) (*pb.DelegateResponse, error) {
	res, err := s.order(ctx, req, func(b *engine.Battle) (engine.Command, error) {
		a := b.Actor(engine.ActorID(req.GetActorId()))
		if a == nil {
			return nil, engine.Refuse(engine.ReasonUnknownActor, engine.RuleMaster, engine.Num("actor", int64(req.GetActorId())))
		}
		who := a.Controller
		switch {
		case !req.GetGiveBack():
			who.Kind = engine.Automatic
		case who.Player != "":
			who.Kind = engine.ByPlayer
		default:
			who.Kind = engine.ByMaster
		}
		return engine.Control{Actor: a.ID, Controller: who, Policies: a.Policies}, nil
	})
	if err != nil {
		return nil, err
	}
	return &pb.DelegateResponse{Result: res}, nil
}

// RemoveActor takes an actor out for good.
func (s *masterService) RemoveActor(ctx context.Context, req *pb.RemoveActorRequest) (*pb.RemoveActorResponse, error) {
	res, err := s.order(ctx, req, func(*engine.Battle) (engine.Command, error) {
		return engine.Remove{Actor: engine.ActorID(req.GetActorId()), Reason: req.GetReason()}, nil
	})
	if err != nil {
		return nil, err
	}
	return &pb.RemoveActorResponse{Result: res}, nil
}

// Say is narration; a player says something as his own actor.
func (s *masterService) Say(ctx context.Context, req *pb.SayRequest) (*pb.SayResponse, error) {
	aud, err := wire.FromAudience(req.GetAudience())
	if err != nil {
		return nil, under(err, "audience")
	}
	say := func(b *engine.Battle) (engine.Command, error) {
		if req.GetPlayerId() != "" {
			if _, err := speaker(CallerOf(ctx), b, req.GetPlayerId(), 0, engine.ActorID(req.GetActorId())); err != nil {
				return nil, err
			}
		}
		return engine.Say{Actor: engine.ActorID(req.GetActorId()), Text: req.GetText(), For: aud}, nil
	}
	var res *pb.CommandResult
	if req.GetPlayerId() != "" {
		res, _, err = s.run(ctx, req, say)
	} else {
		res, err = s.order(ctx, req, say)
	}
	if err != nil {
		return nil, err
	}
	return &pb.SayResponse{Result: res}, nil
}
