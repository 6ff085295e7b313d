package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"

	"google.golang.org/protobuf/proto"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
)

// sectionsPerRecord is how many sections of an arena travel in one record of an export.
const sectionsPerRecord = 64

// replayService is ReplayService.
type replayService struct {
	pb.UnimplementedReplayServiceServer
	*battles
}

// ExportBattle streams a battle with nothing redacted: plugins and masters only, and only its seed stays behind until the
// ending fact reveals it.
func (s *replayService) ExportBattle(req *pb.ExportBattleRequest, stream pb.ReplayService_ExportBattleServer) error {
	ctx := stream.Context()
	if err := mayChange(ctx); err != nil {
		return err
	}
	id := idOf(ctx, req.GetBattleId())
	m, err := s.current(ctx, id)
	if err != nil {
		return err
	}
	send := func(r *pb.ExportRecord) error { return stream.Send(&pb.ExportBattleResponse{Record: r}) }
	b := m.battle
	header := &pb.ExportHeader{
		Format: 1, BattleId: id.Battle, ServerVersion: s.settings.Version, Ruleset: string(b.Rules.Ruleset), Revision: b.Rules.Revision, AtMs: s.now().UnixMilli(),
	}
	if err := send(&pb.ExportRecord{Record: &pb.ExportRecord_Header{Header: header}}); err != nil {
		return err
	}
	if b.Rules.Arena != ([32]byte{}) && !req.GetWithoutArena() {
		arena, err := s.arenas.get(ctx, id.Tenant, b.Rules.Arena)
		if err != nil {
			return err
		}
		if err := sendArena(arena, send); err != nil {
			return err
		}
	}
	after := uint64(0)
	for after < uint64(b.Version) {
		page, err := s.store.Read(ctx, id, after, 0)
		if err != nil {
			return err
		}
		for _, e := range page {
			if e.Version > uint64(b.Version) {
				break
			}
			if err := send(&pb.ExportRecord{Record: &pb.ExportRecord_Commit{Commit: &pb.ExportCommit{Version: e.Version, Data: e.Data}}}); err != nil {
				return err
			}
			after = e.Version
		}
	}
	seal, err := exportHash(header, m.hash)
	if err != nil {
		return err
	}
	return send(&pb.ExportRecord{Record: &pb.ExportRecord_End{End: &pb.ExportEnd{Commits: after, Hash: seal[:]}}})
}

// exportHash seals an export: SHA-256 of "autobattle/export/1", the header as encoded, and the hash of the last commit.
func exportHash(header *pb.ExportHeader, last [32]byte) ([32]byte, error) {
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(header)
	if err != nil {
		return [32]byte{}, fmt.Errorf("encode the header: %w", err)
	}
	return sha256.Sum256(slices.Concat([]byte("autobattle/export/1"), raw, last[:])), nil
}

func sendArena(arena *voxel.Arena, send func(*pb.ExportRecord) error) error {
	h, sections := wire.Arena(arena)
	parts := []*pb.PutArenaRequest{{Part: &pb.PutArenaRequest_Header{Header: h}}}
	for len(sections) > 0 {
		n := min(sectionsPerRecord, len(sections))
		parts = append(parts, &pb.PutArenaRequest{Part: &pb.PutArenaRequest_Sections{Sections: &pb.ArenaSections{Sections: sections[:n]}}})
		sections = sections[n:]
	}
	for _, p := range parts {
		if err := send(&pb.ExportRecord{Record: &pb.ExportRecord_Arena{Arena: p}}); err != nil {
			return err
		}
	}
	return nil
}

// VerifyBattle verifies a battle of this server.
func (s *replayService) VerifyBattle(ctx context.Context, req *pb.VerifyBattleRequest) (*pb.VerifyBattleResponse, error) {
	if err := mayChange(ctx); err != nil {
		return nil, err
	}
	id := idOf(ctx, req.GetBattleId())
	m, err := s.current(ctx, id)
	if err != nil {
		return nil, err
	}
	entries, err := s.all(ctx, id, 0)
	if err != nil {
		return nil, err
	}
	c := &checker{Core: s.Core, seed: m.battle.Seed.Reveal, over: m.battle.Phase == engine.Over}
	if m.battle.Rules.Arena != ([32]byte{}) {
		if c.arena, err = s.arenas.get(ctx, id.Tenant, m.battle.Rules.Arena); err != nil {
			return nil, err
		}
	}
	for _, e := range entries {
		if !c.commit(e.Version, e.Data) {
			break
		}
	}
	return &pb.VerifyBattleResponse{Verdict: c.verdict()}, nil
}

// VerifyExport verifies an exported battle: the chain of hashes, every face and every fact. A damaged export is no error
// of the call; the verdict names the first commit that is wrong.
func (s *replayService) VerifyExport(stream pb.ReplayService_VerifyExportServer) error {
	var up *wire.Upload
	var commits []*pb.ExportCommit
	var end *pb.ExportEnd
	var header *pb.ExportHeader
	c := &checker{Core: s.Core}
	for {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		r := req.GetRecord()
		switch {
		case end != nil:
			return fail(pb.ErrorReason_ERROR_REASON_BAD_FIELD, "field", "record", "want", "nothing after the end")
		case r.GetArena().GetHeader() != nil:
			if up, err = wire.NewUpload(r.GetArena().GetHeader(), s.settings.MaxCells); err != nil {
				c.broken(1, fmt.Errorf("the arena that it names: %w", err))
			}
		case r.GetArena() != nil && up != nil:
			if err := up.Add(r.GetArena().GetSections().GetSections()); err != nil {
				c.broken(1, fmt.Errorf("the arena that it names: %w", err))
			}
		case r.GetHeader() != nil && header == nil && len(commits) == 0:
			header = r.GetHeader()
		case r.GetCommit() != nil:
			commits = append(commits, r.GetCommit())
		case r.GetEnd() != nil:
			end = r.GetEnd()
		}
	}
	c.exported(header, up, commits, end)
	return stream.SendAndClose(&pb.VerifyExportResponse{Verdict: c.verdict()})
}

// exported checks the records of an export.
func (c *checker) exported(header *pb.ExportHeader, up *wire.Upload, commits []*pb.ExportCommit, end *pb.ExportEnd) {
	if up != nil && c.problem == "" {
		arena, err := up.Build()
		if err != nil {
			c.broken(1, fmt.Errorf("the arena that it names: %w", err))
			return
		}
		c.arena = arena
	}
	if n := len(commits); n > 0 {
		// The last commit reveals the seed, if the battle is over. A seed that is not the one promised is none: then the last
		// commit itself will not come out as it is recorded.
		first, _, errFirst := wire.DecodeCommit(commits[0].GetData())
		last, _, errLast := wire.DecodeCommit(commits[n-1].GetData())
		if open, ok := first.Command.(engine.Open); ok && errFirst == nil && errLast == nil {
			for _, f := range last.Facts {
				if e, ok := f.Event.(engine.Ended); ok && dice.Commit(e.Seed) == open.Commitment {
					c.seed, c.over = e.Seed, true
				}
			}
		}
	}
	for _, e := range commits {
		if !c.commit(e.GetVersion(), e.GetData()) {
			return
		}
	}
	switch {
	case c.problem != "":
	case end == nil:
		c.broken(c.version+1, errors.New("the export was cut off: its end is missing"))
	case end.GetCommits() != c.version:
		c.broken(c.version+1, fmt.Errorf("the export ends at commit %d, its end says %d", c.version, end.GetCommits()))
	default:
		seal, err := exportHash(header, c.hash)
		if err != nil || !bytes.Equal(end.GetHash(), seal[:]) {
			c.broken(1, fmt.Errorf("the header before commit 1, or the end behind commit %d, is not the one that was written", c.version))
		}
	}
}

// checker plays a log again: every command by the rules, every face from the seed.
type checker struct {
	*Core
	arena   *voxel.Arena
	seed    [32]byte
	over    bool
	version uint64
	hash    [32]byte
	battle  *engine.Battle
	past    []*engine.Battle // by version-1, for undo; they share their tables
	throws  uint64
	wrong   uint64
	fact    int32
	problem string
}

func (c *checker) broken(version uint64, err error) bool {
	if c.problem == "" {
		c.wrong, c.fact, c.problem = version, -1, err.Error()
	}
	return false
}

// commit checks one stored commit, and reports whether it is sound.
func (c *checker) commit(version uint64, data []byte) bool {
	if c.problem != "" {
		return false
	}
	commit, meta, err := wire.CheckCommit(data, engine.Version(c.version), c.hash)
	if err != nil {
		return c.broken(c.version+1, err)
	}
	if version != uint64(commit.Version) {
		return c.broken(c.version+1, fmt.Errorf("the record says commit %d, its content %d", version, commit.Version))
	}
	next, err := c.play(&commit)
	if err != nil {
		return c.broken(version, err)
	}
	c.battle, c.version, c.hash = next, version, meta.Hash
	c.past = append(c.past, next)
	return true
}

// play plays a commit's command again and compares the facts. Before the battle is over its seed is not known, and the
// recorded faces stand in for the dice.
func (c *checker) play(commit *engine.Commit) (*engine.Battle, error) {
	var sys *engine.System
	if open, ok := commit.Command.(engine.Open); ok {
		sys = c.system(open.Ruleset)
		switch {
		case open.Arena != [32]byte{} && c.arena == nil:
			return nil, errors.New("its arena is not in the export")
		case c.arena != nil && c.arena.Hash() != open.Arena:
			return nil, errors.New("the arena in the export is not the one it was fought in")
		}
		if c.over && dice.Commit(c.seed) != open.Commitment {
			return nil, errors.New("the seed revealed is not the one that was promised")
		}
	} else {
		sys = c.system(c.battle.Rules.Ruleset)
	}
	if sys == nil {
		return nil, errors.New("this server does not have the ruleset")
	}
	if b := c.battle; b != nil && sys.Spec.Revision != b.Rules.Revision {
		return nil, fmt.Errorf("the battle is under revision %d, this server has %d", b.Rules.Revision, sys.Spec.Revision)
	}
	if r, ok := commit.Command.(engine.Rewind); ok && r.To > 0 && int(r.To) <= len(c.past) {
		r.Target = c.past[r.To-1]
		commit.Command = r
	}
	env := engine.Env{Seed: c.seed}
	if c.arena != nil {
		env.World = c.arena
	}
	recorded := throwsOf(commit)
	if c.over && c.battle != nil {
		env.Dice = dice.NewSeeded(effective(c.seed, c.battle))
	} else {
		env.Dice = &recordedDice{throws: recorded}
	}
	next, again, err := engine.Step(sys, c.battle, commit.Command, env)
	if err != nil {
		return nil, fmt.Errorf("its command is refused: %w", err)
	}
	if err := c.same(commit, &again); err != nil {
		return nil, err
	}
	c.throws += uint64(len(recorded))
	return next, nil
}

// same compares the facts of a commit with those that came when it was played again, by their encoding.
func (c *checker) same(was, now *engine.Commit) error {
	for i := range max(len(was.Facts), len(now.Facts)) {
		if i >= len(was.Facts) || i >= len(now.Facts) {
			c.wrong, c.fact = uint64(was.Version), int32(i)
			c.problem = fmt.Sprintf("it records %d facts, the rules give %d", len(was.Facts), len(now.Facts))
			return errors.New(c.problem)
		}
		a, errA := encodeFact(&was.Facts[i])
		b, errB := encodeFact(&now.Facts[i])
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			c.wrong, c.fact = uint64(was.Version), int32(i)
			c.problem = fmt.Sprintf("its fact %d is not what the rules and the dice give", i)
			return errors.New(c.problem)
		}
	}
	if was.Dice != now.Dice || was.Serial != now.Serial {
		return errors.New("its clocks are not what the rules give")
	}
	return nil
}

// verdict is what was found.
func (c *checker) verdict() *pb.Verdict {
	if c.problem == "" && c.version == 0 {
		c.broken(1, errors.New("there is no commit"))
	}
	return &pb.Verdict{
		Sound: c.problem == "", Commits: c.version, Throws: c.throws, WrongVersion: c.wrong, WrongFact: c.fact,
		Problem: c.problem, DiceChecked: c.over,
	}
}

// throwsOf are the throws that a commit records, in the order of their drawing.
func throwsOf(commit *engine.Commit) []dice.Throw {
	var out []dice.Throw
	add := func(r *engine.Roll) {
		for _, t := range r.Throws {
			if !containsThrow(out, t.At) {
				out = append(out, t)
			}
		}
	}
	for i := range commit.Facts {
		switch e := commit.Facts[i].Event.(type) {
		case engine.Rolled:
			add(&e.Roll)
		case engine.Revised:
			add(&e.Roll)
		}
	}
	return out
}

func containsThrow(ts []dice.Throw, at dice.At) bool {
	for i := range ts {
		if ts[i].At == at {
			return true
		}
	}
	return false
}

// recordedDice gives the faces that a commit records, while the seed is not known.
type recordedDice struct{ throws []dice.Throw }

// Throw finds the recorded throw of a place. One that was not recorded has the lowest faces, and the facts will differ.
func (r *recordedDice) Throw(at dice.At, f dice.Formula) dice.Throw {
	for _, t := range r.throws {
		if t.At == at {
			return t
		}
	}
	return f.Nth(at, 0)
}

// encodeFact is a fact's canonical encoding.
func encodeFact(f *engine.Fact) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(wire.Fact(f))
}
