package server

import (
	"context"
	"errors"
	"fmt"
	"io"

	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
)

// arenaService is ArenaService.
type arenaService struct {
	pb.UnimplementedArenaServiceServer
	*battles
}

// PutArena takes an arena in parts.
func (s *arenaService) PutArena(stream pb.ArenaService_PutArenaServer) error {
	ctx := stream.Context()
	if err := mayChange(ctx); err != nil {
		return err
	}
	var up *wire.Upload
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch {
		case part.GetHeader() != nil && up != nil:
			return fail(pb.ErrorReason_ERROR_REASON_BAD_FIELD, "field", "header", "want", "one header, first")
		case part.GetHeader() != nil:
			if up, err = s.upload(part.GetHeader()); err != nil {
				return err
			}
		case up == nil:
			return fail(pb.ErrorReason_ERROR_REASON_BAD_FIELD, "field", "sections", "want", "the header first")
		default:
			if err := up.Add(part.GetSections().GetSections()); err != nil {
				return err
			}
		}
	}
	if up == nil {
		return fail(pb.ErrorReason_ERROR_REASON_BAD_FIELD, "field", "header", "want", "a header, then sections")
	}
	arena, known, err := s.keep(ctx, up)
	if err != nil {
		return err
	}
	hash := arena.Hash()
	return stream.SendAndClose(&pb.PutArenaResponse{Arena: hash[:], Known: known, Cells: uint64(arena.Bounds().Volume())})
}

// PutWholeArena is PutArena in one message.
func (s *arenaService) PutWholeArena(ctx context.Context, req *pb.PutWholeArenaRequest) (*pb.PutWholeArenaResponse, error) {
	if err := mayChange(ctx); err != nil {
		return nil, err
	}
	up, err := s.upload(req.GetHeader())
	if err != nil {
		return nil, err
	}
	if err := up.Add(req.GetSections()); err != nil {
		return nil, err
	}
	arena, known, err := s.keep(ctx, up)
	if err != nil {
		return nil, err
	}
	hash := arena.Hash()
	return &pb.PutWholeArenaResponse{Arena: hash[:], Known: known, Cells: uint64(arena.Bounds().Volume())}, nil
}

// cellsOf is the volume of an arena's box; 0 for a box that is inside out.
func cellsOf(h *pb.ArenaHeader) int64 {
	dx, dy, dz := extent(h.GetMin().GetX(), h.GetMax().GetX()), extent(h.GetMin().GetY(), h.GetMax().GetY()), extent(h.GetMin().GetZ(), h.GetMax().GetZ())
	if dx > 1<<20 || dy > 1<<20 || dz > 1<<20 {
		return 1 << 62
	}
	return dx * dy * dz
}

func extent(lo, hi int32) int64 { return max(int64(hi)-int64(lo), 0) }

// upload begins an upload; an arena over the limit is refused before its sections are taken in.
func (s *arenaService) upload(h *pb.ArenaHeader) (*wire.Upload, error) {
	if n := cellsOf(h); n > s.settings.MaxCells {
		return nil, limit("cells", n, s.settings.MaxCells)
	}
	const side = 16 // of a section, in blocks
	askew := func(c *pb.Cell) bool { return (c.GetX()|c.GetY()|c.GetZ())%side != 0 }
	why := fmt.Sprintf("is not a multiple of %d on each axis", side)
	switch {
	case askew(h.GetMin()):
		return nil, &wire.FieldError{Field: "header.min", Why: why}
	case askew(h.GetMax()):
		return nil, &wire.FieldError{Field: "header.max", Why: why}
	}
	return wire.NewUpload(h, s.settings.MaxCells)
}

// keep builds an arena and stores it by its hash.
func (s *arenaService) keep(ctx context.Context, up *wire.Upload) (*voxel.Arena, bool, error) {
	arena, err := up.Build()
	if err != nil {
		return nil, false, err
	}
	known, err := s.arenas.put(ctx, CallerOf(ctx).Tenant, arena)
	return arena, known, err
}

// UpdateBlocks changes blocks of a battle.
func (s *arenaService) UpdateBlocks(ctx context.Context, req *pb.UpdateBlocksRequest) (*pb.UpdateBlocksResponse, error) {
	edits, err := wire.FromEdits(req.GetEdits())
	if err != nil {
		return nil, err
	}
	gone, err := wire.FromCells("gone", req.GetGone())
	if err != nil {
		return nil, err
	}
	res, _, err := s.run(ctx, req, func(*engine.Battle) (engine.Command, error) { return engine.Edit{Edits: edits, Gone: gone}, nil })
	if err != nil {
		return nil, err
	}
	return &pb.UpdateBlocksResponse{Result: res}, nil
}

// Inspect says what one actor sees of another, and why.
func (s *arenaService) Inspect(ctx context.Context, req *pb.InspectRequest) (*pb.InspectResponse, error) {
	id, v, m, err := s.reader(ctx, req.GetBattleId(), req.GetPlayerId(), req.GetLocale(), nil)
	if err != nil {
		return nil, err
	}
	if n := req.GetVersion(); n != 0 && n != uint64(m.battle.Version) {
		if !v.all || n > uint64(m.battle.Version) {
			return nil, fail(pb.ErrorReason_ERROR_REASON_BAD_FIELD, "field", "version", "want", "0, or a version of the battle for plugins and masters")
		}
		if m, err = s.at(ctx, id, n); err != nil {
			return nil, err
		}
	}
	b := engine.See(m.battle, v.in(m.battle))
	sys, arena, err := s.stage(ctx, id, b)
	if err != nil {
		return nil, err
	}
	world := engine.WorldOf(b, arena)
	if world == nil {
		return nil, engine.Refuse(engine.ReasonArenaMissing, engine.RuleBlocks)
	}
	by := engine.ActorID(req.GetActorId())
	if a := b.Actor(by); a == nil || !v.all && !v.owns(a) {
		return nil, engine.Refuse(engine.ReasonUnknownActor, engine.RuleBlocks, engine.Num("actor", int64(by)))
	}
	if req.GetFrom() != nil {
		pose, err := wire.FromPoseInput(req.GetFrom())
		if err != nil {
			return nil, under(err, "from")
		}
		b = moved(b, by, pose)
	}
	target, body, err := s.inspected(sys, b, req)
	if err != nil {
		return nil, err
	}
	o := engine.Observe(sys, engine.View{Battle: b, World: world}, by, target, body)
	resp := &pb.InspectResponse{
		Sighting: wire.Sighting(&o.Sighting), Visible: o.Sighting.Visible(), Open: o.Sighting.Open(), Covered: o.Sighting.Covered(),
		LightBand: string(o.Light), Figures: wire.Mods(o.Figures), Version: v.version(m.battle.Version),
		Lines: lines(s.renderer(b, v.locale).Observation(b, by, target, &o)),
	}
	for _, a := range o.Others {
		resp.Others = append(resp.Others, uint32(a))
	}
	return resp, nil
}

// moved is a battle in which one actor has another pose. It is never stored.
func moved(b *engine.Battle, who engine.ActorID, pose voxel.Pose) *engine.Battle {
	c := b.Clone()
	engine.FoldFacts(c, []engine.Fact{
		{Event: engine.Moved{Actor: who, To: pose.At, Look: pose.Look}},
		{Event: engine.Posed{Actor: who, Look: pose.Look, Posture: pose.Posture}},
	})
	return c
}

// inspected is what an inspection looks at: an actor, or a body of its own.
func (s *arenaService) inspected(sys *engine.System, b *engine.Battle, req *pb.InspectRequest) (engine.ActorID, voxel.Figure, error) {
	switch t := req.GetTarget().(type) {
	case *pb.InspectRequest_TargetId:
		f, ok := engine.Figure(sys.Spec, b, engine.ActorID(t.TargetId))
		if !ok {
			return 0, f, engine.Refuse(engine.ReasonUnknownTarget, engine.RuleBlocks, engine.Num("target", int64(t.TargetId)))
		}
		return engine.ActorID(t.TargetId), f, nil
	case *pb.InspectRequest_Cell:
		p, err := wire.FromCell(t.Cell)
		if err != nil {
			return 0, voxel.Figure{}, under(err, "cell")
		}
		return 0, voxel.Figure{Pose: voxel.Pose{At: p.Floor(), Look: voxel.Look{Z: 1}}, Body: voxel.Human()}, nil
	case *pb.InspectRequest_Pose:
		pose, err := wire.FromPoseInput(t.Pose)
		if err != nil {
			return 0, voxel.Figure{}, under(err, "pose")
		}
		return 0, voxel.Figure{Pose: pose, Body: voxel.Human()}, nil
	}
	return 0, voxel.Figure{}, fail(pb.ErrorReason_ERROR_REASON_BAD_FIELD, "field", "target", "want", "an actor, a cell or a pose")
}

// ReportPoses takes what the host sees, checks it against the battles, and answers with what should be put right.
func (s *arenaService) ReportPoses(stream pb.ArenaService_ReportPosesServer) error {
	ctx := stream.Context()
	if err := mayChange(ctx); err != nil {
		return err
	}
	for {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		resp, err := s.correct(ctx, req)
		if err != nil {
			return err
		}
		if err := stream.Send(resp); err != nil {
			return err
		}
	}
}

// correct compares reported poses with the battle: who is inside a block, or stands elsewhere outside his own turn, is to
// be put back.
func (s *arenaService) correct(ctx context.Context, req *pb.ReportPosesRequest) (*pb.ReportPosesResponse, error) {
	id := idOf(ctx, req.GetBattleId())
	m, err := s.current(ctx, id)
	if err != nil {
		return nil, err
	}
	poses, err := wire.FromSeenPoses(req.GetPoses())
	if err != nil {
		return nil, err
	}
	b := m.battle
	sys, arena, err := s.stage(ctx, id, b)
	if err != nil {
		return nil, err
	}
	world := engine.WorldOf(b, arena)
	r := s.renderer(b, "en")
	resp := &pb.ReportPosesResponse{Sequence: req.GetSequence()}
	for i := range poses {
		p := &poses[i]
		f, ok := engine.Figure(sys.Spec, b, p.Actor)
		var no *engine.Rejection
		switch {
		case !ok:
			no = engine.Refuse(engine.ReasonUnknownActor, engine.RulePose, engine.Num("actor", int64(p.Actor)))
		default:
			no = astray(world, b, f, p)
		}
		if no == nil {
			continue
		}
		c := &pb.PoseCorrection{ActorId: uint32(p.Actor), Refusal: wire.Refusal(no)}
		c.Refusal.Message = r.Refusal(b, no)
		if ok {
			c.Pose = wire.Pose(f.Pose)
		}
		resp.Corrections = append(resp.Corrections, c)
	}
	return resp, nil
}

// astray is why a reported pose cannot stand: it is inside a block, or out of turn in another block.
func astray(world voxel.World, b *engine.Battle, f voxel.Figure, p *engine.SeenPose) *engine.Rejection {
	if world != nil {
		if at, block, in := voxel.Solid(world, voxel.Figure{Pose: p.Pose, Body: f.Body}); in {
			r := engine.Refuse(engine.ReasonPoseInBlock, engine.RulePose, engine.Refers("actor", p.Actor.On()), engine.Cell("cell", at), engine.Words("block", block.Name))
			r.Cells = []voxel.Pos{at}
			return r
		}
	}
	seat := b.SeatActing()
	if b.Phase == engine.Running && (seat == nil || seat.Actor != p.Actor) && p.Pose.At.Block() != f.At.Block() {
		return engine.Refuse(engine.ReasonPoseMoved, engine.RulePose, engine.Refers("actor", p.Actor.On()), engine.Cell("from", f.At.Block()), engine.Cell("to", p.Pose.At.Block()))
	}
	return nil
}
