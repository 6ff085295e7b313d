package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
	"autobattle/state/memory"
)

// Short names of reasons.
const (
	badInput     = pb.ErrorReason_ERROR_REASON_BAD_FIELD
	badKey       = pb.ErrorReason_ERROR_REASON_BAD_KEY
	noRole       = pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE
	noActor      = pb.ErrorReason_ERROR_REASON_FORBIDDEN_ACTOR
	promptClosed = pb.ErrorReason_ERROR_REASON_PROMPT_CLOSED
	noBattle     = pb.ErrorReason_ERROR_REASON_BATTLE_NOT_FOUND
	tooBig       = pb.ErrorReason_ERROR_REASON_MESSAGE_TOO_LARGE
)

// whole is a request to put an arena in one message.
func whole(a *voxel.Arena) *pb.PutWholeArenaRequest {
	h, sections := wire.Arena(a)
	return &pb.PutWholeArenaRequest{Header: h, Sections: sections}
}

// shooters stand eight blocks apart in the hall: anna with a pistol, boris with a sword.
func shooters(z int32) []*pb.NewActor {
	return []*pb.NewActor{
		fighter("anna", "red", player("anna"), 4, z, east(), map[string]int32{"light_firearms": 4, "reaction": 6}, carried("medium_pistol", "main"), carried("dagger", "off")),
		fighter("boris", "blue", player("boris"), 12, z, west(), map[string]int32{"evasion": 3, "reaction": 1}, carried("sword", "main")),
	}
}

func TestBadActs(t *testing.T) {
	r := start(t, memory.Open(), seeded(3))
	arena := r.upload(hall(t))
	begun := r.duel("yard", arena, shooters(8))
	turn := live(t, begun.GetPrompts())
	if turn.GetWhose() != r.id("yard", "anna") {
		t.Fatalf("the first turn is %v's", turn.GetWhose())
	}
	boris := r.id("yard", "boris")
	items := map[string]uint32{}
	for _, it := range r.get(asMaster, "yard", "").GetBattle().GetItems() {
		items[it.GetRef()] = it.GetId()
	}
	r.duel("bare", nil, shooters(8))
	r.duel("wall", arena, shooters(11))
	before := r.get(asMaster, "yard", "").GetBattle().GetVersion()
	pistol, dagger := items["medium_pistol"], items["dagger"]
	for name, c := range map[string]struct {
		battle string
		player string
		prompt uint32
		actor  uint32
		intent *pb.Intent
		poses  []*pb.SeenPose
		code   codes.Code
		reason pb.ErrorReason
		rule   string
		check  func(*pb.ErrorDetail) string
	}{
		"no such prompt":              {player: "anna", prompt: 999, intent: &pb.Intent{Act: "pass"}, code: codes.FailedPrecondition, reason: promptClosed, rule: "AB-PROMPT"},
		"no such prompt, of an actor": {player: "anna", prompt: 999, actor: 1, intent: &pb.Intent{Act: "pass"}, code: codes.FailedPrecondition, reason: promptClosed, rule: "AB-PROMPT"},
		"somebody else's prompt":      {player: "boris", prompt: turn.GetId(), intent: &pb.Intent{Act: "pass"}, code: codes.PermissionDenied, reason: noActor},
		"somebody else's actor":       {player: "anna", prompt: turn.GetId(), actor: boris, intent: &pb.Intent{Act: "pass"}, code: codes.PermissionDenied, reason: noActor},
		"one's own actor, other's prompt": {player: "boris", prompt: turn.GetId(), actor: boris, intent: &pb.Intent{Act: "pass"}, code: codes.FailedPrecondition,
			reason: pb.ErrorReason_ERROR_REASON_NOT_YOUR_ACTOR, rule: "AB-PROMPT"},
		"an actor that is not there": {player: "anna", prompt: turn.GetId(), actor: 77, intent: &pb.Intent{Act: "pass"}, code: codes.FailedPrecondition, reason: pb.ErrorReason_ERROR_REASON_UNKNOWN_ACTOR},
		"a plugin for nobody":        {prompt: turn.GetId(), intent: &pb.Intent{Act: "pass"}, code: codes.PermissionDenied, reason: noActor},
		"no such act":                {player: "anna", prompt: turn.GetId(), intent: &pb.Intent{Act: "teleport"}, code: codes.FailedPrecondition, reason: pb.ErrorReason_ERROR_REASON_UNKNOWN_ACT},
		"an act without a name":      {player: "anna", prompt: turn.GetId(), intent: &pb.Intent{}, code: codes.InvalidArgument, reason: badInput, check: field("intents[0].act")},
		"no such target": {player: "anna", prompt: turn.GetId(), intent: &pb.Intent{Act: "attack", Items: []uint32{pistol}, Targets: []*pb.Target{actor(99)}},
			code: codes.FailedPrecondition, reason: pb.ErrorReason_ERROR_REASON_UNKNOWN_TARGET, rule: "KM-ATK-BASE-01"},
		"no such weapon": {player: "anna", prompt: turn.GetId(), intent: &pb.Intent{Act: "attack", Items: []uint32{555}, Targets: []*pb.Target{actor(boris)}},
			code: codes.FailedPrecondition, reason: pb.ErrorReason_ERROR_REASON_UNKNOWN_ITEM, rule: "KM-ATK-BASE-01"},
		"another's weapon": {player: "anna", prompt: turn.GetId(), intent: &pb.Intent{Act: "attack", Items: []uint32{items["sword"]}, Targets: []*pb.Target{actor(boris)}},
			code: codes.FailedPrecondition, reason: pb.ErrorReason_ERROR_REASON_UNKNOWN_ITEM, rule: "KM-ATK-BASE-01"},
		"out of reach": {player: "anna", prompt: turn.GetId(), intent: &pb.Intent{Act: "attack", Items: []uint32{dagger}, Targets: []*pb.Target{actor(boris)}},
			code: codes.FailedPrecondition, reason: pb.ErrorReason_ERROR_REASON_OUT_OF_REACH, rule: "KM-MEL-02", check: func(d *pb.ErrorDetail) string {
				if number(d, "distance") != 8 || number(d, "reach") < 1 {
					return "no distance and reach"
				}
				return ""
			}},
		"too far": {player: "anna", prompt: turn.GetId(), intent: &pb.Intent{Act: "free_move", Path: []*pb.Cell{{X: 40, Y: 1, Z: 8}}},
			code: codes.FailedPrecondition, reason: pb.ErrorReason_ERROR_REASON_TOO_FAR, check: func(d *pb.ErrorDetail) string {
				if len(d.GetRegion()) < 4 || d.GetCells()[0].GetX() != 40 {
					return "no region that can be reached"
				}
				return ""
			}},
		"a pose in a block": {player: "anna", prompt: turn.GetId(), intent: &pb.Intent{Act: "pass"}, poses: []*pb.SeenPose{{ActorId: 1, Pose: pose(6, 1, 11, east())}},
			code: codes.FailedPrecondition, reason: pb.ErrorReason_ERROR_REASON_POSE_IN_BLOCK, rule: "AB-POSE", check: func(d *pb.ErrorDetail) string {
				if len(d.GetCells()) != 1 || d.GetCells()[0].GetX() != 6 || d.GetCells()[0].GetZ() != 11 {
					return "the block is not named"
				}
				return ""
			}},
		"out of sight": {battle: "wall", player: "anna", intent: &pb.Intent{Act: "attack", Items: []uint32{pistol}, Targets: []*pb.Target{actor(boris)}},
			code: codes.FailedPrecondition, reason: pb.ErrorReason_ERROR_REASON_OUT_OF_SIGHT, rule: "KM-RNG-05", check: func(d *pb.ErrorDetail) string {
				for _, c := range d.GetCells() {
					if c.GetX() == 6 && c.GetZ() == 11 {
						return ""
					}
				}
				return "the blocks that hide are not named"
			}},
		"a shot without an arena": {battle: "bare", player: "anna", intent: &pb.Intent{Act: "attack", Items: []uint32{pistol}, Targets: []*pb.Target{actor(boris)}},
			code: codes.FailedPrecondition, reason: pb.ErrorReason_ERROR_REASON_ARENA_MISSING, rule: "KM-RNG-05"},
		"a pose without a look": {player: "anna", prompt: turn.GetId(), intent: &pb.Intent{Act: "pass"}, poses: []*pb.SeenPose{{ActorId: 1, Pose: pose(6, 1, 8, nil)}},
			code: codes.InvalidArgument, reason: badInput, check: field("poses[0].pose.look")},
	} {
		t.Run(name, func(t *testing.T) {
			battle, prompt := "yard", c.prompt
			if c.battle != "" {
				battle = c.battle
			}
			if prompt == 0 {
				prompt = live(t, r.get(asPlugin, battle, "anna").GetPrompts()).GetId()
			}
			d := inBoth(t, c.code, c.reason, func(locale string) error {
				_, err := r.battles().Act(r.as(asPlugin), &pb.ActRequest{BattleId: battle, CommandId: newID(), PlayerId: c.player, Locale: locale, PromptId: prompt,
					ActorId: c.actor, Intents: []*pb.Intent{c.intent}, Poses: c.poses})
				return err
			})
			if c.rule != "" && d.GetRule() != c.rule {
				t.Errorf("refused by rule %q, want %q", d.GetRule(), c.rule)
			}
			if c.check != nil {
				if why := c.check(d); why != "" {
					t.Errorf("%s: %v", why, d)
				}
			}
		})
	}
	if now := r.get(asMaster, "yard", "").GetBattle().GetVersion(); now != before {
		t.Errorf("refused commands made %d commits", now-before)
	}
}

// field checks the path of a detail.
func field(path string) func(*pb.ErrorDetail) string {
	return func(d *pb.ErrorDetail) string {
		if d.GetField() != path {
			return "want field " + path + ", got " + d.GetField()
		}
		return ""
	}
}

// number is an argument of a detail.
func number(d *pb.ErrorDetail, key string) int64 {
	for _, a := range d.GetArgs() {
		if a.GetKey() == key {
			return a.GetNumber()
		}
	}
	return -1
}

// TestBadCalls refuses what is wrong outside the rules.
func TestBadCalls(t *testing.T) {
	r := start(t, memory.Open(), seeded(3), func(s *setup) { s.settings.MaxCells, s.settings.MaxActors = 48*16*16, 4 })
	arena := r.upload(hall(t))
	r.duel("open", arena, swords())
	ctx, plug, look := r.as(asMaster), r.as(asPlugin), r.as(asViewer)
	create := func(ctx context.Context, change func(*pb.CreateBattleRequest)) func(string) error {
		return func(locale string) error {
			req := &pb.CreateBattleRequest{BattleId: "new", CommandId: newID(), Ruleset: "kmrp", Locale: locale}
			change(req)
			_, err := r.battles().CreateBattle(ctx, req)
			return err
		}
	}
	join := func(ctx context.Context, battle string, who ...*pb.NewActor) func(string) error {
		return func(locale string) error {
			_, err := r.battles().AddActors(ctx, &pb.AddActorsRequest{BattleId: battle, CommandId: newID(), Actors: who, Locale: locale})
			return err
		}
	}
	put := func(change func(*pb.PutWholeArenaRequest)) func(string) error {
		return func(string) error {
			req := whole(hall(t))
			change(req)
			_, err := r.arenas().PutWholeArena(plug, req)
			return err
		}
	}
	bad := func(name string, code codes.Code, reason pb.ErrorReason, path string, call func(locale string) error) {
		t.Run(name, func(t *testing.T) {
			d := refused(t, call("ru"), code, reason)
			if d.GetField() != path {
				t.Errorf("field %q, want %q: %v", d.GetField(), path, d)
			}
		})
	}
	badShape, badPalette, badSection := pb.ErrorReason_ERROR_REASON_ARENA_BAD_BOUNDS, pb.ErrorReason_ERROR_REASON_ARENA_BAD_PALETTE, pb.ErrorReason_ERROR_REASON_ARENA_BAD_SECTION
	bad("unknown ruleset", codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_UNKNOWN_RULESET, "", create(plug, func(q *pb.CreateBattleRequest) { q.Ruleset = "chess" }))
	bad("unknown option", codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_UNKNOWN_OPTION, "", create(plug, func(q *pb.CreateBattleRequest) { q.Options = []*pb.Option{{Name: "gravity"}} }))
	bad("unknown arena", codes.NotFound, pb.ErrorReason_ERROR_REASON_ARENA_NOT_FOUND, "", create(plug, func(q *pb.CreateBattleRequest) { q.Arena = make([]byte, 32); q.Arena[0] = 1 }))
	bad("half an arena hash", codes.InvalidArgument, badInput, "arena", create(plug, func(q *pb.CreateBattleRequest) { q.Arena = make([]byte, 31) }))
	bad("taken id", codes.AlreadyExists, pb.ErrorReason_ERROR_REASON_BATTLE_EXISTS, "", create(plug, func(q *pb.CreateBattleRequest) { q.BattleId = "open" }))
	bad("bad id", codes.InvalidArgument, badInput, "battle_id", create(plug, func(q *pb.CreateBattleRequest) { q.BattleId = "Ä" }))
	bad("no command id", codes.InvalidArgument, badInput, "command_id", create(plug, func(q *pb.CreateBattleRequest) { q.CommandId = "" }))
	bad("a viewer creates", codes.PermissionDenied, noRole, "", create(look, func(*pb.CreateBattleRequest) {}))
	bad("unknown battle", codes.NotFound, noBattle, "", join(plug, "elsewhere", swords()...))
	bad("another tenant's battle", codes.NotFound, noBattle, "", join(r.as(asStranger), "open", swords()...))
	bad("another tenant's view", codes.NotFound, noBattle, "", func(string) error {
		_, err := r.battles().GetBattle(r.as(asStranger), &pb.GetBattleRequest{BattleId: "open"})
		return err
	})
	bad("another tenant's arena", codes.NotFound, pb.ErrorReason_ERROR_REASON_ARENA_NOT_FOUND, "", create(r.as(asStranger), func(q *pb.CreateBattleRequest) { q.Arena = arena }))
	bad("a viewer joins", codes.PermissionDenied, noRole, "", join(look, "open", swords()...))
	bad("too many actors", codes.ResourceExhausted, pb.ErrorReason_ERROR_REASON_SERVER_LIMIT, "", join(plug, "open", &pb.NewActor{Key: "mob", Copies: 3, Team: "red", Controller: byMaster(), Source: &pb.NewActor_Sheet{Sheet: sheet(nil)}}))
	bad("key taken", codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_DUPLICATE, "", join(plug, "open", swords()[0]))
	bad("unknown item", codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_UNKNOWN_NAME, "", join(plug, "open", fighter("eve", "red", byMaster(), 1, 1, east(), nil, carried("lightsabre", "main"))))
	bad("level too high", codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_BAD_SHEET, "", join(plug, "open", fighter("eve", "red", byMaster(), 1, 1, east(), map[string]int32{"strength": 40})))
	bad("joins inside a block", codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_POSE_IN_BLOCK, "", join(plug, "open", fighter("eve", "red", byMaster(), 6, 11, east(), nil)))
	bad("nobody controls", codes.InvalidArgument, badInput, "actors[0].controller", join(plug, "open", fighter("eve", "red", nil, 1, 1, east(), nil)))
	bad("unknown character", codes.NotFound, pb.ErrorReason_ERROR_REASON_CHARACTER_NOT_FOUND, "", join(plug, "open", &pb.NewActor{Controller: byMaster(), Source: &pb.NewActor_CharacterId{CharacterId: "nobody"}}))
	bad("arena over the limit", codes.ResourceExhausted, pb.ErrorReason_ERROR_REASON_SERVER_LIMIT, "", put(func(q *pb.PutWholeArenaRequest) { q.Header.Max.X = 64 }))
	bad("arena inside out", codes.InvalidArgument, badShape, "header.max", put(func(q *pb.PutWholeArenaRequest) { q.Header.Max.X = -16 }))
	bad("arena askew", codes.InvalidArgument, badShape, "header.max", put(func(q *pb.PutWholeArenaRequest) { q.Header.Max.X = 47 }))
	bad("bad palette index of a section", codes.InvalidArgument, badPalette, "sections[0].palette[0]", put(func(q *pb.PutWholeArenaRequest) { q.Sections[0].Palette[0] = 99 }))
	bad("bad index", codes.InvalidArgument, badSection, "sections[0].indices", put(func(q *pb.PutWholeArenaRequest) { q.Sections[0].Indices = []byte{1, 2, 3} }))
	bad("a section is missing", codes.InvalidArgument, badSection, "sections", put(func(q *pb.PutWholeArenaRequest) { q.Sections = q.Sections[1:] }))
	bad("a section twice", codes.InvalidArgument, badSection, "sections[1].at", put(func(q *pb.PutWholeArenaRequest) { q.Sections[1] = q.Sections[0] }))
	bad("a block that cannot be", codes.InvalidArgument, badPalette, "header.palette[1].boxes[0]", put(func(q *pb.PutWholeArenaRequest) { q.Header.Palette[1].Boxes = []*pb.Box{{X0: 8, X1: 4, Y1: 1, Z1: 1}} }))
	bad("a viewer uploads", codes.PermissionDenied, noRole, "", func(string) error { _, err := r.arenas().PutWholeArena(look, whole(hall(t))); return err })
	bad("a block outside", codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_BLOCK_OUT_OF_ARENA, "", func(locale string) error {
		_, err := r.arenas().UpdateBlocks(plug, &pb.UpdateBlocksRequest{BattleId: "open", CommandId: newID(), Locale: locale, Gone: []*pb.Cell{{X: 480}}})
		return err
	})
	bad("sections before the header", codes.InvalidArgument, badInput, "sections", func(string) error {
		stream, err := r.arenas().PutArena(plug)
		r.ok(err)
		_ = stream.Send(&pb.PutArenaRequest{Part: &pb.PutArenaRequest_Sections{Sections: &pb.ArenaSections{}}})
		_, err = stream.CloseAndRecv()
		return err
	})
	bad("an upload of nothing", codes.InvalidArgument, badInput, "header", func(string) error {
		stream, err := r.arenas().PutArena(plug)
		r.ok(err)
		_, err = stream.CloseAndRecv()
		return err
	})
	bad("unknown rule", codes.NotFound, pb.ErrorReason_ERROR_REASON_RULE_NOT_FOUND, "", func(locale string) error {
		_, err := r.rules().ExplainRule(ctx, &pb.ExplainRuleRequest{Ruleset: "kmrp", Rule: "KM-NONE", Locale: locale})
		return err
	})
	bad("a viewer speaks for a player", codes.PermissionDenied, noRole, "", func(string) error {
		_, err := r.battles().GetBattle(look, &pb.GetBattleRequest{BattleId: "open", PlayerId: "anna"})
		return err
	})
	bad("a viewer looks with a master's eyes", codes.PermissionDenied, noRole, "", func(string) error {
		_, err := r.battles().GetBattle(look, &pb.GetBattleRequest{BattleId: "open", Viewer: &pb.Viewer{Kind: pb.ViewerKind_VIEWER_KIND_ALL}})
		return err
	})
	bad("a viewer looks with a team's eyes", codes.PermissionDenied, noRole, "", func(string) error {
		_, err := r.battles().GetBattle(look, &pb.GetBattleRequest{BattleId: "open", Viewer: &pb.Viewer{Kind: pb.ViewerKind_VIEWER_KIND_TEAM, Team: "red"}})
		return err
	})
	bad("a viewer asks for a version", codes.PermissionDenied, noRole, "", func(string) error {
		_, err := r.battles().GetBattle(look, &pb.GetBattleRequest{BattleId: "open", At: &pb.GetBattleRequest_Version{Version: 1}})
		return err
	})
	bad("a viewer acts", codes.PermissionDenied, noRole, "", func(string) error {
		_, err := r.battles().Act(look, &pb.ActRequest{BattleId: "open", CommandId: newID(), PromptId: 1})
		return err
	})
	bad("a viewer exports", codes.PermissionDenied, noRole, "", func(string) error {
		stream, err := r.replay().ExportBattle(look, &pb.ExportBattleRequest{BattleId: "open"})
		r.ok(err)
		_, err = stream.Recv()
		return err
	})
	bad("stale version", codes.Aborted, pb.ErrorReason_ERROR_REASON_VERSION_CONFLICT, "", func(locale string) error {
		_, err := r.battles().SetPolicies(plug, &pb.SetPoliciesRequest{BattleId: "open", CommandId: newID(), PlayerId: "anna", ActorId: 1, ExpectedVersion: 2, Locale: locale})
		if d := detailOf(err); d.GetCurrentVersion() != 3 {
			t.Errorf("current version %d, want 3", d.GetCurrentVersion())
		}
		return err
	})
	for name, key := range map[string]string{"no key": "", "not a key": "abk_nonsense", "another scheme": "Basic abk"} {
		bad(name, codes.Unauthenticated, badKey, "", func(string) error {
			ctx := t.Context()
			if key != "" {
				ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+key)
			}
			_, err := r.battles().GetBattle(ctx, &pb.GetBattleRequest{BattleId: "open"})
			return err
		})
	}
	bad("no key on a stream", codes.Unauthenticated, badKey, "", func(string) error {
		stream, err := r.battles().WatchBattle(t.Context(), &pb.WatchBattleRequest{BattleId: "open"})
		r.ok(err)
		_, err = stream.Recv()
		return err
	})
}

// TestUnknownHidden answers about what a player does not know as if it were not there.
func TestUnknownHidden(t *testing.T) {
	r := start(t, memory.Open(), seeded(3))
	lurker := fighter("lurker", "blue", byMaster(), 12, 8, west(), map[string]int32{"reaction": 1})
	lurker.Hidden = true
	joined := r.lobby("dark", r.upload(hall(t)), append(swords(), lurker))
	_, err := r.battles().StartBattle(r.as(asPlugin), &pb.StartBattleRequest{BattleId: "dark", CommandId: "start"})
	r.ok(err)
	hidden := joined.GetActorIds()[2]
	prompt := live(t, r.get(asPlugin, "dark", "anna").GetPrompts()).GetId()
	for name, req := range map[string]*pb.ActRequest{
		"as the lurker": {ActorId: hidden, Intents: []*pb.Intent{{Act: "pass"}}},
		"at the lurker": {Intents: []*pb.Intent{{Act: "attack", Targets: []*pb.Target{actor(hidden)}, Items: []uint32{1}}}},
	} {
		ask := func(id uint32) *pb.ErrorDetail {
			req.BattleId, req.CommandId, req.PlayerId, req.PromptId = "dark", newID(), "anna", prompt
			if req.GetActorId() != 0 {
				req.ActorId = id
			} else {
				req.Intents[0].Targets[0] = actor(id)
			}
			_, err := r.battles().Act(r.as(asPlugin), req)
			d := detailOf(err)
			if d == nil {
				t.Fatalf("%s: %v", name, err)
			}
			return d
		}
		there, nowhere := ask(hidden), ask(hidden+1)
		if there.GetReason() != nowhere.GetReason() || there.GetRule() != nowhere.GetRule() || strings.Contains(strings.ToLower(there.GetMessage()), "lurker") {
			t.Errorf("%s: %v, but of nobody: %v", name, there, nowhere)
		}
	}
	for name, call := range map[string]func(id uint32) error{
		"inspect": func(id uint32) error {
			_, err := r.arenas().Inspect(r.as(asPlugin), &pb.InspectRequest{BattleId: "dark", PlayerId: "anna", ActorId: 1, Target: &pb.InspectRequest_TargetId{TargetId: id}})
			return err
		},
		"inspect as": func(id uint32) error {
			_, err := r.arenas().Inspect(r.as(asPlugin), &pb.InspectRequest{BattleId: "dark", PlayerId: "anna", ActorId: id, Target: &pb.InspectRequest_TargetId{TargetId: 1}})
			return err
		},
		"policies": func(id uint32) error {
			_, err := r.battles().SetPolicies(r.as(asPlugin), &pb.SetPoliciesRequest{BattleId: "dark", CommandId: newID(), PlayerId: "anna", ActorId: id})
			return err
		},
		"say": func(id uint32) error {
			_, err := r.master().Say(r.as(asPlugin), &pb.SayRequest{BattleId: "dark", CommandId: newID(), PlayerId: "anna", ActorId: id, Text: "boo"})
			return err
		},
	} {
		there, nowhere := detailOf(call(hidden)), detailOf(call(hidden+1))
		if there == nil || there.GetReason() != nowhere.GetReason() || strings.Contains(strings.ToLower(there.GetMessage()), "lurker") {
			t.Errorf("%s: %v, but of nobody: %v", name, there, nowhere)
		}
	}
}

// TestTooLarge refuses messages over the limit on both ports, with the limit.
func TestTooLarge(t *testing.T) {
	const most = 32 << 10
	r := start(t, memory.Open(), func(s *setup) { s.settings.MaxMessage = most })
	r.lobby("open", nil, swords())
	say := func(n int) *pb.CreateBattleRequest {
		req := &pb.CreateBattleRequest{BattleId: "big", CommandId: newID(), Ruleset: "kmrp"}
		for range n / 80 {
			req.Options = append(req.Options, &pb.Option{Name: strings.Repeat("n", 60), Word: strings.Repeat("w", 16)})
		}
		return req
	}
	_, err := r.battles().CreateBattle(r.as(asPlugin), say(most+4000))
	if d := refused(t, err, codes.ResourceExhausted, tooBig); number(d, "limit") != most || number(d, "size") <= most {
		t.Errorf("over the limit: %v", d)
	}
	// What is far over it is cut off before anybody can explain it.
	if _, err = r.battles().CreateBattle(r.as(asPlugin), say(1<<20)); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("far over the limit: %v", err)
	}
	stream, err := r.arenas().PutArena(r.as(asPlugin))
	r.ok(err)
	h, _ := wire.Arena(hall(t))
	h.Palette[0].Name = strings.Repeat("x", most)
	_ = stream.Send(&pb.PutArenaRequest{Part: &pb.PutArenaRequest_Header{Header: h}})
	_, err = stream.CloseAndRecv()
	refused(t, err, codes.ResourceExhausted, tooBig)

	for name, n := range map[string]int{"over": most + 100, "far over": 1 << 20} {
		code, body := r.post("GetBattle", asPlugin, `{"battleId": "open", "locale": "`+strings.Repeat(" ", n)+`"}`)
		if code != http.StatusTooManyRequests || body["code"] != "resource_exhausted" {
			t.Errorf("%s the limit by JSON: %d %v", name, code, body)
		}
		if d := jsonDetail(t, body); d["reason"] != "ERROR_REASON_MESSAGE_TOO_LARGE" || d["message"] == "" {
			t.Errorf("%s the limit by JSON: %v", name, body)
		}
	}
}

// post calls BattleService by a plain POST of JSON.
func (r *rig) post(method, role, body string) (int, map[string]any) {
	r.t.Helper()
	return r.postTo("BattleService/"+method, role, body)
}

func (r *rig) postTo(path, role, body string) (int, map[string]any) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, r.url+"/autobattle.v1."+path, strings.NewReader(body))
	r.ok(err)
	req.Header.Set("Content-Type", "application/json")
	if role != "" {
		req.Header.Set("Authorization", "Bearer "+r.keys[role])
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	r.ok(err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	r.ok(err)
	out := map[string]any{}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if err := dec.Decode(&out); err != nil {
		r.t.Fatalf("%s answers %d %q: %v", path, resp.StatusCode, raw, err)
	}
	return resp.StatusCode, out
}

// jsonDetail is the ErrorDetail in the debug part of a Connect error.
func jsonDetail(t testing.TB, body map[string]any) map[string]any {
	t.Helper()
	list, _ := body["details"].([]any)
	for _, d := range list {
		d, _ := d.(map[string]any)
		if d["type"] == "autobattle.v1.ErrorDetail" {
			debug, _ := d["debug"].(map[string]any)
			return debug
		}
	}
	t.Fatalf("no ErrorDetail in %v", body)
	return nil
}
