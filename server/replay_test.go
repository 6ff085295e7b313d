package server

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "autobattle/proto/autobattle/v1"
	"autobattle/state"
	"autobattle/state/memory"
)

// export is all records of a battle.
func (r *rig) export(id string) []*pb.ExportRecord {
	r.t.Helper()
	stream, err := r.replay().ExportBattle(r.as(asMaster), &pb.ExportBattleRequest{BattleId: id})
	r.ok(err)
	var out []*pb.ExportRecord
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		r.ok(err)
		out = append(out, resp.GetRecord())
	}
}

// verify checks an export by the call.
func (r *rig) verify(records []*pb.ExportRecord) *pb.Verdict {
	r.t.Helper()
	stream, err := r.replay().VerifyExport(r.as(asPlugin))
	r.ok(err)
	for _, rec := range records {
		r.ok(stream.Send(&pb.VerifyExportRequest{Record: rec}))
	}
	resp, err := stream.CloseAndRecv()
	r.ok(err)
	return resp.GetVerdict()
}

func (r *rig) verdict(id string) *pb.Verdict {
	r.t.Helper()
	resp, err := r.replay().VerifyBattle(r.as(asMaster), &pb.VerifyBattleRequest{BattleId: id})
	r.ok(err)
	return resp.GetVerdict()
}

func TestExport(t *testing.T) {
	stores(t, func(t *testing.T, open func() state.Store) {
		r := start(t, open(), seeded(7))
		const id = "kept"
		r.duel(id, r.upload(hall(t)), swords())
		for range 4 {
			r.answer(id)
		}
		head := r.get(asMaster, id, "").GetBattle().GetVersion()
		if v := r.verdict(id); !v.GetSound() || v.GetCommits() != head || v.GetDiceChecked() || v.GetWrongVersion() != 0 {
			t.Errorf("while it runs: %v", v)
		}
		if v := r.verify(r.export(id)); !v.GetSound() || v.GetCommits() != head || v.GetDiceChecked() {
			t.Errorf("exported while it runs: %v", v)
		}
		r.fight(id, 40)
		head = r.get(asMaster, id, "").GetBattle().GetVersion()
		v := r.verdict(id)
		if !v.GetSound() || v.GetCommits() != head || !v.GetDiceChecked() || v.GetThrows() < 4 {
			t.Errorf("once over: %v", v)
		}
		if e := r.verify(r.export(id)); !proto.Equal(e, v) {
			t.Errorf("exported: %v, stored: %v", e, v)
		}
	})
}

// TestTampered changes one byte of an export, at many places, and wants the commit named.
func TestTampered(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	const id = "forged"
	r.duel(id, r.upload(hall(t)), swords())
	r.fight(id, 6)
	records := r.export(id)
	if v := r.verify(records); !v.GetSound() {
		t.Fatal(v)
	}
	for i, rec := range records {
		c := rec.GetCommit()
		if c == nil {
			continue
		}
		step := max(len(c.GetData())/9, 1)
		places := []int{0, 1, len(c.GetData()) - 1}
		for at := 2; at < len(c.GetData()); at += step {
			places = append(places, at)
		}
		for _, at := range places {
			forged := slices.Clone(records)
			data := slices.Clone(c.GetData())
			data[at] ^= 1 << (at % 8)
			forged[i] = &pb.ExportRecord{Record: &pb.ExportRecord_Commit{Commit: &pb.ExportCommit{Version: c.GetVersion(), Data: data}}}
			if v := r.verify(forged); v.GetSound() || v.GetWrongVersion() != c.GetVersion() || v.GetProblem() == "" || v.GetCommits() != c.GetVersion()-1 {
				t.Errorf("byte %d of %d of commit %d: %v", at, len(data), c.GetVersion(), v)
			}
		}
	}
	last := len(records) - 1
	commits := records[last].GetEnd().GetCommits()
	first := slices.IndexFunc(records, func(r *pb.ExportRecord) bool { return r.GetCommit() != nil })
	arena := slices.IndexFunc(records, func(r *pb.ExportRecord) bool { return r.GetArena().GetHeader() != nil })
	sections := slices.IndexFunc(records, func(r *pb.ExportRecord) bool { return r.GetArena().GetSections() != nil })
	for name, c := range map[string]struct {
		wrong uint64
		forge func(records []*pb.ExportRecord) []*pb.ExportRecord
	}{
		"cut off":       {commits + 1, func(rs []*pb.ExportRecord) []*pb.ExportRecord { return rs[:last] }},
		"last left out": {commits, func(rs []*pb.ExportRecord) []*pb.ExportRecord { return slices.Delete(rs, last-1, last) }},
		"one left out":  {2, func(rs []*pb.ExportRecord) []*pb.ExportRecord { return slices.Delete(rs, first+1, first+2) }},
		"one twice":     {3, func(rs []*pb.ExportRecord) []*pb.ExportRecord { return slices.Insert(rs, first+2, rs[first+1]) }},
		"two exchanged": {2, func(rs []*pb.ExportRecord) []*pb.ExportRecord {
			rs[first+1], rs[first+2] = rs[first+2], rs[first+1]
			return rs
		}},
		"no arena":       {1, func(rs []*pb.ExportRecord) []*pb.ExportRecord { return slices.Delete(rs, arena, sections+1) }},
		"nothing at all": {1, func([]*pb.ExportRecord) []*pb.ExportRecord { return nil }},
		"another arena": {1, func(rs []*pb.ExportRecord) []*pb.ExportRecord {
			a := proto.Clone(rs[arena]).(*pb.ExportRecord)
			a.GetArena().GetHeader().Palette[0].Name += "?"
			rs[arena] = a
			return rs
		}},
		"another header": {1, func(rs []*pb.ExportRecord) []*pb.ExportRecord {
			h := proto.Clone(rs[0]).(*pb.ExportRecord)
			h.GetHeader().AtMs++
			rs[0] = h
			return rs
		}},
		"another name": {1, func(rs []*pb.ExportRecord) []*pb.ExportRecord {
			h := proto.Clone(rs[0]).(*pb.ExportRecord)
			h.GetHeader().BattleId += "x"
			rs[0] = h
			return rs
		}},
		"no header": {1, func(rs []*pb.ExportRecord) []*pb.ExportRecord { return rs[1:] }},
		"another number": {1, func(rs []*pb.ExportRecord) []*pb.ExportRecord {
			c := proto.Clone(rs[first]).(*pb.ExportRecord)
			c.GetCommit().Version = 9
			rs[first] = c
			return rs
		}},
	} {
		forged := c.forge(slices.Clone(records))
		if v := r.verify(forged); v.GetSound() || v.GetProblem() == "" || v.GetWrongVersion() != c.wrong && !(name == "last left out" && v.GetWrongVersion() == commits) {
			t.Errorf("%s: %v, want commit %d", name, v, c.wrong)
		}
	}
	stream, err := r.replay().VerifyExport(r.as(asPlugin))
	r.ok(err)
	for _, rec := range append(slices.Clone(records), records[last]) {
		_ = stream.Send(&pb.VerifyExportRequest{Record: rec})
	}
	_, err = stream.CloseAndRecv()
	refused(t, err, codes.InvalidArgument, badInput)
}

// flipped is a store in which one commit is damaged.
type flipped struct {
	state.Store
	version uint64
}

// Read damages the commit.
func (s *flipped) Read(ctx context.Context, id state.ID, after uint64, limit int) ([]state.Entry, error) {
	page, err := s.Store.Read(ctx, id, after, limit)
	for i := range page {
		if page[i].Version == s.version {
			page[i].Data = slices.Clone(page[i].Data)
			page[i].Data[len(page[i].Data)/2] ^= 1
		}
	}
	return page, err
}

// TestDamaged verifies a battle whose stored log is damaged.
func TestDamaged(t *testing.T) {
	store := &flipped{Store: memory.Open()}
	r := start(t, store, seeded(7))
	r.duel("hurt", nil, swords())
	r.fight("hurt", 6)
	for v := range r.get(asMaster, "hurt", "").GetBattle().GetVersion() {
		store.version = v + 1
		if got := r.verdict("hurt"); got.GetSound() || got.GetWrongVersion() != v+1 {
			t.Errorf("commit %d is damaged: %v", v+1, got)
		}
	}
}

// TestMaster does what a game master does, each with its role.
func TestMaster(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	const id = "ruled"
	arena := r.upload(hall(t))
	r.duel(id, arena, shooters(8))
	anna, boris := r.id(id, "anna"), r.id(id, "boris")
	m, ctx := r.master(), r.as(asMaster)
	for name, call := range map[string]func(role, player string) error{
		"override": func(role, p string) error {
			_, err := m.Override(r.as(role), &pb.OverrideRequest{BattleId: id, CommandId: newID(), PlayerId: p, Change: &pb.OverrideRequest_Clear{Clear: 1}})
			return err
		},
		"adjust": func(role, p string) error {
			_, err := m.Adjust(r.as(role), &pb.AdjustRequest{BattleId: id, CommandId: newID(), PlayerId: p, Reason: "x", Changes: []*pb.Fact{{Event: &pb.Fact_ConditionCleared{ConditionCleared: &pb.ConditionCleared{Id: 1}}}}})
			return err
		},
		"rewind": func(role, p string) error {
			_, err := m.Rewind(r.as(role), &pb.RewindRequest{BattleId: id, CommandId: newID(), PlayerId: p, Reason: "x", To: &pb.RewindRequest_Back{Back: 1}})
			return err
		},
		"pause": func(role, p string) error {
			_, err := m.Pause(r.as(role), &pb.PauseRequest{BattleId: id, CommandId: newID(), PlayerId: p})
			return err
		},
		"resume": func(role, p string) error {
			_, err := m.Resume(r.as(role), &pb.ResumeRequest{BattleId: id, CommandId: newID(), PlayerId: p})
			return err
		},
		"control": func(role, p string) error {
			_, err := m.Control(r.as(role), &pb.ControlRequest{BattleId: id, CommandId: newID(), PlayerId: p, ActorId: anna, Controller: byMaster()})
			return err
		},
		"delegate": func(role, p string) error {
			_, err := m.Delegate(r.as(role), &pb.DelegateRequest{BattleId: id, CommandId: newID(), PlayerId: p, ActorId: anna})
			return err
		},
		"remove": func(role, p string) error {
			_, err := m.RemoveActor(r.as(role), &pb.RemoveActorRequest{BattleId: id, CommandId: newID(), PlayerId: p, ActorId: anna})
			return err
		},
	} {
		for _, who := range [][2]string{{asViewer, ""}, {asPlugin, "anna"}, {asMaster, "anna"}} {
			if d := refused(t, call(who[0], who[1]), codes.PermissionDenied, noRole); d == nil {
				t.Errorf("%s by %v", name, who)
			}
		}
		refused(t, call(asStranger, ""), codes.NotFound, noBattle)
	}

	// A ruling on cover shows in the next shot.
	pair := &pb.Scope{Kind: pb.ScopeKind_SCOPE_KIND_PAIR, A: anna, B: boris}
	ruled, err := m.Override(ctx, &pb.OverrideRequest{BattleId: id, CommandId: newID(), Change: &pb.OverrideRequest_Ruling{Ruling: &pb.Ruling{Scope: pair, What: "cover", Number: 1, Reason: "the cart hides him"}}})
	r.ok(err)
	ruling := uint32(0)
	for _, f := range ruled.GetResult().GetFacts() {
		if x := f.GetRuled(); x != nil {
			ruling = x.GetRuling().GetId()
		}
	}
	shoot := func() *pb.Tally {
		t.Helper()
		p := live(t, r.get(asPlugin, id, "anna").GetPrompts())
		resp, err := r.act(id, "anna", p.GetId(), &pb.Intent{Act: "attack", Targets: []*pb.Target{actor(boris)}, Items: []uint32{r.item(id, "anna", "medium_pistol")}})
		r.ok(err)
		for _, f := range resp.GetResult().GetFacts() {
			if x := f.GetTallied(); x != nil && x.GetTally().GetWhat() == "difficulty" {
				return x.GetTally()
			}
		}
		t.Fatalf("no difficulty in %v", resp)
		return nil
	}
	term := func(tally *pb.Tally, name string) bool {
		return slices.ContainsFunc(tally.GetTerms(), func(x *pb.Term) bool { return x.GetName() == name })
	}
	if tally := shoot(); ruling == 0 || !term(tally, "cover") {
		t.Errorf("a shot under the ruling: %v", tally)
	}
	// Undo the shot: late answers to the undone question are refused.
	undone := live(t, r.get(asPlugin, id, "boris").GetPrompts()).GetId()
	back, err := m.Rewind(ctx, &pb.RewindRequest{BattleId: id, CommandId: newID(), Reason: "misclick", To: &pb.RewindRequest_Back{Back: 1}})
	r.ok(err)
	if back.GetResult().GetFacts()[0].GetRewound() == nil {
		t.Errorf("rewound: %v", back)
	}
	_, err = r.act(id, "boris", undone, &pb.Intent{Act: "evade"})
	refused(t, err, codes.FailedPrecondition, promptClosed)
	_, err = m.Override(ctx, &pb.OverrideRequest{BattleId: id, CommandId: newID(), Change: &pb.OverrideRequest_Clear{Clear: ruling}})
	r.ok(err)
	if tally := shoot(); term(tally, "cover") {
		t.Errorf("a shot after the ruling: %v", tally)
	}
	_, err = m.Override(ctx, &pb.OverrideRequest{BattleId: id, CommandId: newID(), Change: &pb.OverrideRequest_Ruling{Ruling: &pb.Ruling{Scope: pair, What: "luck", Number: 1, Reason: "x"}}})
	refused(t, err, codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_UNKNOWN_NAME)

	// Paused: nobody acts.
	_, err = m.Pause(ctx, &pb.PauseRequest{BattleId: id, CommandId: newID(), Reason: "dinner"})
	r.ok(err)
	p := r.get(asPlugin, id, "boris").GetPrompts()[0].GetPrompt()
	_, err = r.act(id, "boris", p.GetId(), &pb.Intent{Act: "evade"})
	refused(t, err, codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_PHASE)
	_, err = m.Pause(ctx, &pb.PauseRequest{BattleId: id, CommandId: newID()})
	refused(t, err, codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_PHASE)
	_, err = m.Resume(ctx, &pb.ResumeRequest{BattleId: id, CommandId: newID()})
	r.ok(err)

	// The master sets state, with a reason that all see.
	adjusted, err := m.Adjust(ctx, &pb.AdjustRequest{BattleId: id, CommandId: newID(), Reason: "a blessing", Locale: "ru",
		Changes: []*pb.Fact{{Event: &pb.Fact_GaugeSet{GaugeSet: &pb.GaugeSet{Gauge: &pb.Gauge{On: &pb.Ref{Kind: pb.RefKind_REF_KIND_ACTOR, Id: anna}, Name: "will", Now: 3, Max: 999}}}}}})
	r.ok(err)
	if !strings.Contains(joined(adjusted.GetResult().GetLines()), "a blessing") {
		t.Errorf("the reason is not told: %v", adjusted.GetResult().GetLines())
	}
	_, err = m.Adjust(ctx, &pb.AdjustRequest{BattleId: id, CommandId: newID(), Reason: "x", Changes: []*pb.Fact{{Event: &pb.Fact_Said{Said: &pb.Said{Text: "x"}}}}})
	refused(t, err, codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_NOT_A_FACT_TO_SET)

	// Policies outlive a change of hands; automatic play and back.
	_, err = r.battles().SetPolicies(r.as(asPlugin), &pb.SetPoliciesRequest{BattleId: id, CommandId: newID(), PlayerId: "boris", ActorId: boris,
		Policies: []*pb.Policy{{Kind: pb.PromptKind_PROMPT_KIND_SPEND, Take: pb.PolicyKind_POLICY_KIND_DEFAULT}}})
	r.ok(err)
	who := func() *pb.Actor {
		for _, a := range r.get(asMaster, id, "").GetBattle().GetActors() {
			if a.GetId() == boris {
				return a
			}
		}
		return nil
	}
	_, err = m.Delegate(ctx, &pb.DelegateRequest{BattleId: id, CommandId: newID(), ActorId: boris})
	r.ok(err)
	if c := who().GetController(); c.GetKind() != pb.ControllerKind_CONTROLLER_KIND_AUTOMATIC || c.GetPlayer() != "boris" {
		t.Errorf("delegated to %v", c)
	}
	_, err = m.Delegate(ctx, &pb.DelegateRequest{BattleId: id, CommandId: newID(), ActorId: boris, GiveBack: true})
	r.ok(err)
	_, err = m.Control(ctx, &pb.ControlRequest{BattleId: id, CommandId: newID(), ActorId: boris, Controller: player("clara")})
	r.ok(err)
	if a := who(); a.GetController().GetPlayer() != "clara" || len(a.GetPolicies()) != 1 {
		t.Errorf("handed over: %v", a)
	}
	_, err = m.Control(ctx, &pb.ControlRequest{BattleId: id, CommandId: newID(), ActorId: 99, Controller: byMaster()})
	refused(t, err, codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_UNKNOWN_ACTOR)

	// Words: to some, and as one's own actor.
	_, err = m.Say(ctx, &pb.SayRequest{BattleId: id, CommandId: newID(), Text: "a whisper", Audience: &pb.Audience{Kind: pb.AudienceKind_AUDIENCE_KIND_ACTORS, Who: []uint32{anna}, Rest: pb.Rest_REST_NOTHING}})
	r.ok(err)
	_, err = m.Say(r.as(asPlugin), &pb.SayRequest{BattleId: id, CommandId: newID(), PlayerId: "anna", ActorId: anna, Text: "hello"})
	r.ok(err)
	_, err = m.Say(r.as(asPlugin), &pb.SayRequest{BattleId: id, CommandId: newID(), PlayerId: "anna", ActorId: boris, Text: "hello"})
	refused(t, err, codes.PermissionDenied, noActor)
	_, err = m.Say(r.as(asPlugin), &pb.SayRequest{BattleId: id, CommandId: newID(), PlayerId: "anna", Text: "hello"})
	if err == nil {
		t.Error("a player speaks as the master")
	}
	heard := func(role, p string) string {
		resp, err := r.battles().ListUpdates(r.as(role), &pb.ListUpdatesRequest{BattleId: id, PlayerId: p, Limit: 1000, From: &pb.ListUpdatesRequest_Beginning{Beginning: true}})
		r.ok(err)
		all := ""
		for _, u := range resp.GetUpdates() {
			all += joined(u.GetLines())
		}
		return all
	}
	if all := heard(asPlugin, "anna"); !strings.Contains(all, "a whisper") || !strings.Contains(all, "hello") {
		t.Error("anna does not hear what is for her")
	}
	if all := heard(asViewer, ""); strings.Contains(all, "a whisper") || !strings.Contains(all, "hello") {
		t.Error("a spectator hears a whisper, or not what is for all")
	}

	_, err = m.RemoveActor(ctx, &pb.RemoveActorRequest{BattleId: id, CommandId: newID(), ActorId: boris, Reason: "called away"})
	r.ok(err)
	if who() != nil {
		t.Error("boris is still there")
	}
	_, err = r.battles().EndBattle(ctx, &pb.EndBattleRequest{BattleId: id, CommandId: "end"})
	if err != nil {
		refused(t, err, codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_PHASE) // the rules have ended it: one side is empty
	}
	head := r.get(asMaster, id, "").GetBattle()
	if head.GetPhase() != pb.Phase_PHASE_OVER {
		t.Errorf("phase %v", head.GetPhase())
	}
	if v := r.verdict(id); !v.GetSound() || v.GetCommits() != head.GetVersion() || !v.GetDiceChecked() {
		t.Errorf("a battle with a master verifies as %v", v)
	}
	_, err = m.Rewind(ctx, &pb.RewindRequest{BattleId: id, CommandId: newID(), Reason: "x", To: &pb.RewindRequest_Back{Back: 1}})
	if err == nil {
		t.Error("a battle that is over is rewound")
	}
}

func joined(lines []*pb.TextLine) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.GetText())
	}
	return strings.Join(out, "\n") + "\n"
}
