package server

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/state/memory"
)

// TestPreview forecasts several blows at once, changes nothing, and says for each that cannot be why.
func TestPreview(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	const id = "planned"
	begun := r.duel(id, r.upload(hall(t)), shooters(8))
	boris, pistol, dagger := r.id(id, "boris"), r.item(id, "anna", "medium_pistol"), r.item(id, "anna", "dagger")
	at := func(item uint32, target uint32) *pb.Intent {
		return &pb.Intent{Act: "attack", Targets: []*pb.Target{actor(target)}, Items: []uint32{item}}
	}
	ask := func(supposed ...*pb.Assumption) []*pb.Forecast {
		t.Helper()
		resp, err := r.battles().Preview(r.as(asPlugin), &pb.PreviewRequest{BattleId: id, PlayerId: "anna", Assumptions: supposed,
			Intents: []*pb.Intent{at(pistol, boris), at(dagger, boris), at(pistol, 99), {Act: "pass"}}})
		r.ok(err)
		if len(resp.GetForecasts()) != 4 || resp.GetVersion() != 0 {
			t.Fatalf("forecasts: %v", resp)
		}
		return resp.GetForecasts()
	}
	f := ask()
	sum := uint32(0)
	for _, o := range f[0].GetOutcomes() {
		sum += o.GetChancePpm()
	}
	if f[0].GetRefusal() != nil || sum < 999_990 || sum > 1_000_010 || len(f[0].GetRolls()) == 0 || f[0].GetWays() == 0 {
		t.Errorf("a shot: %v, in all %d", f[0], sum)
	}
	if n := f[1].GetRefusal(); n.GetReason() != pb.ErrorReason_ERROR_REASON_OUT_OF_REACH || n.GetMessage() == "" {
		t.Errorf("a dagger: %v", f[1])
	}
	if n := f[2].GetRefusal(); n.GetReason() != pb.ErrorReason_ERROR_REASON_UNKNOWN_TARGET || n.GetMessage() == "" {
		t.Errorf("nobody: %v", f[2])
	}
	misses := func(f *pb.Forecast) (n uint32) {
		for _, o := range f.GetOutcomes() {
			if o.GetOutcome() != "hit" {
				n += o.GetChancePpm()
			}
		}
		return n
	}
	stands := ask(&pb.Assumption{Kind: pb.PromptKind_PROMPT_KIND_DEFEND, Intents: []*pb.Intent{{Act: "no_defence"}}})
	if misses(stands[0]) >= misses(f[0]) {
		t.Errorf("supposing that he stands still, %d miss; by default %d", misses(stands[0]), misses(f[0]))
	}
	for _, in := range []*pb.Intent{{Act: "dance"}, {Act: "attack"}, {Act: "evade", Items: []uint32{999}, Amount: -1}} { // what cannot be supposed
		_, err := r.battles().Preview(r.as(asPlugin), &pb.PreviewRequest{BattleId: id, PlayerId: "anna", Intents: []*pb.Intent{at(pistol, boris)},
			Assumptions: []*pb.Assumption{{Kind: pb.PromptKind_PROMPT_KIND_DEFEND, Intents: []*pb.Intent{in}}}})
		if err != nil {
			refused(t, err, codes.InvalidArgument, badInput)
		}
	}
	if v := r.get(asMaster, id, "").GetBattle().GetVersion(); v != begun.GetVersion() {
		t.Errorf("forecasts made commits: version %d", v)
	}
	_, err := r.battles().Preview(r.as(asPlugin), &pb.PreviewRequest{BattleId: id, PlayerId: "boris", PromptId: live(t, begun.GetPrompts()).GetId(), Intents: []*pb.Intent{{Act: "pass"}}})
	refused(t, err, codes.FailedPrecondition, promptClosed)
}

// TestChoices lists what may be done with a region of moves, and every offer that is open is accepted.
func TestChoices(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	const id = "offered"
	begun := r.duel(id, r.upload(hall(t)), shooters(8))
	prompt := live(t, begun.GetPrompts()).GetId()
	resp, err := r.battles().ListChoices(r.as(asPlugin), &pb.ListChoicesRequest{BattleId: id, PlayerId: "anna", Locale: "ru"})
	r.ok(err)
	if len(resp.GetChoices()) != 1 {
		t.Fatalf("choices: %v", resp)
	}
	var region []*pb.CellCost
	for _, o := range resp.GetChoices()[0].GetOffers() {
		if o.GetLabel() == "" || o.GetRefusal() != nil && o.GetRefusal().GetMessage() == "" {
			t.Errorf("an offer without words: %v", o)
		}
		if o.GetAct() == "free_move" && o.GetRefusal() == nil {
			region = o.GetRegion()
		}
	}
	if len(region) == 0 {
		t.Fatal("nowhere to go")
	}
	far := slices.MaxFunc(region, func(a, b *pb.CellCost) int { return int(a.GetCost() - b.GetCost()) })
	_, err = r.act(id, "anna", prompt, &pb.Intent{Act: "free_move", Path: []*pb.Cell{far.GetCell()}})
	r.ok(err)
	if resp, err := r.battles().ListChoices(r.as(asPlugin), &pb.ListChoicesRequest{BattleId: id, PlayerId: "boris"}); err != nil || len(resp.GetChoices()) != 0 {
		t.Errorf("boris may choose %v %v", resp, err)
	}
	_, err = r.battles().ListChoices(r.as(asPlugin), &pb.ListChoicesRequest{BattleId: id, PlayerId: "boris", PromptId: prompt})
	refused(t, err, codes.FailedPrecondition, promptClosed)
}

// TestInspect asks what one sees of another, before and after blocks change, and what it was then.
func TestInspect(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	const id = "seen"
	r.duel(id, r.upload(hall(t)), shooters(11))
	anna, boris := r.id(id, "anna"), r.id(id, "boris")
	look := func(version uint64) *pb.InspectResponse {
		t.Helper()
		resp, err := r.arenas().Inspect(r.as(asMaster), &pb.InspectRequest{BattleId: id, ActorId: anna, Target: &pb.InspectRequest_TargetId{TargetId: boris}, Version: version})
		r.ok(err)
		return resp
	}
	if o := look(0); o.GetVisible() || o.GetOpen() || len(o.GetSighting().GetHiding()) == 0 || len(o.GetLines()) == 0 {
		t.Errorf("through the wall: %v", o)
	}
	var edits []*pb.BlockEdit
	for y := range int32(4) {
		for z := int32(10); z <= 12; z++ {
			edits = append(edits, &pb.BlockEdit{At: &pb.Cell{X: 6, Y: y + 1, Z: z}, Block: &pb.Block{Name: "air", Passes: 15, Sight: pb.Sight_SIGHT_CLEAR, Medium: pb.Medium_MEDIUM_AIR}})
		}
	}
	resp, err := r.arenas().UpdateBlocks(r.as(asPlugin), &pb.UpdateBlocksRequest{BattleId: id, CommandId: "blast", Edits: edits})
	r.ok(err)
	if resp.GetResult().GetFacts()[0].GetBlocksChanged() == nil {
		t.Errorf("the blast: %v", resp)
	}
	if o := look(0); !o.GetVisible() || !o.GetOpen() || o.GetSighting().GetDistance() != 8 {
		t.Errorf("through the breach: %v", o)
	}
	if o := look(resp.GetResult().GetVersion() - 1); o.GetVisible() {
		t.Errorf("before the blast: %v", o)
	}
	_, err = r.arenas().Inspect(r.as(asPlugin), &pb.InspectRequest{BattleId: id, PlayerId: "anna", ActorId: anna, Version: 2, Target: &pb.InspectRequest_TargetId{TargetId: boris}})
	refused(t, err, codes.InvalidArgument, badInput)
	r.duel("bare", nil, shooters(8))
	_, err = r.arenas().Inspect(r.as(asMaster), &pb.InspectRequest{BattleId: "bare", ActorId: anna, Target: &pb.InspectRequest_TargetId{TargetId: boris}})
	refused(t, err, codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_ARENA_MISSING)

	// Poses that the host sees are put right.
	stream, err := r.arenas().ReportPoses(r.as(asPlugin))
	r.ok(err)
	r.ok(stream.Send(&pb.ReportPosesRequest{BattleId: id, Sequence: 7, Poses: []*pb.SeenPose{
		{ActorId: anna, Pose: pose(4, 1, 11, east())}, {ActorId: boris, Pose: pose(13, 1, 11, west())}, {ActorId: 99, Pose: pose(1, 1, 1, east())},
	}}))
	put, err := stream.Recv()
	r.ok(err)
	if put.GetSequence() != 7 || len(put.GetCorrections()) != 2 || put.GetCorrections()[0].GetRefusal().GetReason() != pb.ErrorReason_ERROR_REASON_POSE_MOVED ||
		put.GetCorrections()[0].GetPose().GetAt().GetX() != 12*256+128 || put.GetCorrections()[1].GetRefusal().GetMessage() == "" {
		t.Errorf("put right: %v", put)
	}
	r.ok(stream.CloseSend())
}

// TestRules reads vocabularies, rules and dice.
func TestRules(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	sets, err := r.rules().ListRulesets(r.as(asViewer), &pb.ListRulesetsRequest{})
	r.ok(err)
	if len(sets.GetRulesets()) != len(testSystems()) {
		t.Errorf("rulesets: %v", sets)
	}
	for _, sys := range testSystems() {
		resp, err := r.rules().GetCatalogue(r.as(asViewer), &pb.GetCatalogueRequest{Ruleset: string(sys.Spec.ID)})
		r.ok(err)
		if len(resp.GetCatalogue().GetActs()) == 0 {
			t.Errorf("%s has no acts", sys.Spec.ID)
		}
	}
	rule, err := r.rules().ExplainRule(r.as(asViewer), &pb.ExplainRuleRequest{Ruleset: "kmrp", Rule: "KM-MEL-02"})
	r.ok(err)
	if rule.GetRule() == nil {
		t.Error("no rule")
	}
	_, err = r.rules().GetCatalogue(r.as(asViewer), &pb.GetCatalogueRequest{Ruleset: "chess"})
	refused(t, err, codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_UNKNOWN_RULESET)
}

// TestSystems plays every game system through the same calls, and verifies it.
func TestSystems(t *testing.T) {
	r := start(t, memory.Open(), seeded(7))
	for _, sys := range testSystems() {
		name := string(sys.Spec.ID)
		t.Run(name, func(t *testing.T) {
			_, err := r.battles().CreateBattle(r.as(asPlugin), &pb.CreateBattleRequest{BattleId: name, CommandId: "c", Ruleset: name, Teams: teams()})
			r.ok(err)
			var who []*pb.NewActor
			for i, team := range []string{"red", "blue"} {
				s := &pb.Sheet{}
				for _, tr := range sys.Spec.Traits {
					switch {
					case tr.Name == "lives" || tr.Name == "energy":
						s.Traits = append(s.Traits, &pb.TraitLevel{Name: string(tr.Name), Level: 100})
					case tr.Group == "attribute" || tr.Group == "aptitude":
						s.Traits = append(s.Traits, &pb.TraitLevel{Name: string(tr.Name), Level: (tr.Min + tr.PlayerMax) / 2})
					}
				}
				who = append(who, &pb.NewActor{Key: team, Team: team, Controller: player(team), Pose: pose(int32(i), 1, 0, []*pb.Look{east(), west()}[i]), Source: &pb.NewActor_Sheet{Sheet: s}})
			}
			_, err = r.battles().AddActors(r.as(asPlugin), &pb.AddActorsRequest{BattleId: name, CommandId: "j", Actors: who})
			r.ok(err)
			_, err = r.battles().StartBattle(r.as(asPlugin), &pb.StartBattleRequest{BattleId: name, CommandId: "s", Locale: "ru"})
			r.ok(err)
			var wg sync.WaitGroup
			watches := map[string]*watched{"red": r.watch(r.as(asPlugin), &wg, name, asPlugin, "red"), "a spectator": r.watch(r.as(asViewer), &wg, name, asViewer, "")}
			lines := r.fight(name, 12)
			wg.Wait()
			for who, w := range watches {
				shown := r.get(w.role, name, w.player)
				sameBattle(t, who, folded(t, &engine.Battle{}, w.updates), shown.GetBattle())
			}
			if len(lines) < 3 || strings.Contains(strings.Join(lines, ""), "%!") {
				t.Errorf("lines: %q", lines)
			}
			if v := r.verdict(name); !v.GetSound() || !v.GetDiceChecked() {
				t.Errorf("verifies as %v", v)
			}
		})
	}
}
