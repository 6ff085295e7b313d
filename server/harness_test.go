package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"autobattle/engine"
	"autobattle/engine/rules/eclipse"
	"autobattle/engine/rules/empia"
	"autobattle/engine/rules/kmrp"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
	"autobattle/state"
	"autobattle/state/bolt"
	"autobattle/state/memory"
	"autobattle/state/redis"
	"autobattle/state/redis/redistest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testSystems are the rulesets that the tests play; they are read only.
var testSystems = sync.OnceValue(func() []*engine.System {
	ec, err := eclipse.New()
	if err != nil {
		panic(err)
	}
	em, err := empia.New()
	if err != nil {
		panic(err)
	}
	return []*engine.System{ec, em, kmrp.New(catalogue.Default())}
})

// roles of the keys that every rig has.
const (
	asMaster   = "master"
	asPlugin   = "plugin"
	asViewer   = "viewer"
	asStranger = "stranger" // a master of another tenant
)

// rig is a whole server on loopback ports, with a client connection and a key for each role.
type rig struct {
	t     testing.TB
	srv   *Server
	store state.Store
	conn  *grpc.ClientConn
	addr  string // of the gRPC port
	url   string // of the HTTP port
	keys  map[string]string
	stop  func() // ends the server; once
}

// setup is what a test may choose about its rig.
type setup struct {
	settings Settings
	systems  []*engine.System
	log      *zap.Logger
	now      func() time.Time
}

// seeded settings give every battle the dice of its id.
func seeded(n uint64) func(*setup) { return func(s *setup) { s.settings.GivenSeed = n } }

// start runs a server on a store until the test ends.
func start(t testing.TB, store state.Store, options ...func(*setup)) *rig {
	t.Helper()
	c := setup{settings: Defaults(), systems: testSystems(), log: zap.NewNop()}
	for _, o := range options {
		o(&c)
	}
	srv, err := New(t.Context(), store, c.systems, c.settings, c.log, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.now != nil {
		srv.Core.now = c.now
	}
	r := &rig{t: t, srv: srv, store: store, keys: map[string]string{}}
	for name, k := range map[string]struct {
		tenant string
		roles  []Role
	}{
		asMaster: {"acme", []Role{RoleMaster}}, asPlugin: {"acme", []Role{RolePlugin}}, asViewer: {"acme", []Role{RoleViewer}},
		asStranger: {"other", []Role{RoleMaster, RolePlugin}},
	} {
		secret, _, err := srv.Keys.Add(t.Context(), k.tenant, name, k.roles)
		if err != nil {
			t.Fatal(err)
		}
		r.keys[name] = secret
	}
	rpc, site := listen(t), listen(t)
	web := &http.Server{Handler: srv.HTTP, ReadHeaderTimeout: time.Minute}
	web.Protocols = new(http.Protocols)
	web.Protocols.SetHTTP1(true)
	web.Protocols.SetUnencryptedHTTP2(true)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := srv.GRPC.Serve(rpc); err != nil {
			t.Errorf("gRPC port: %v", err)
		}
	})
	wg.Go(func() {
		if err := web.Serve(site); !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("HTTP port: %v", err)
		}
	})
	r.addr, r.url = rpc.Addr().String(), "http://"+site.Addr().String()
	if r.conn, err = grpc.NewClient(r.addr, grpc.WithTransportCredentials(insecure.NewCredentials())); err != nil {
		t.Fatal(err)
	}
	r.stop = sync.OnceFunc(func() {
		_ = r.conn.Close()
		_ = web.Close()
		srv.GRPC.Stop()
		wg.Wait()
	})
	srv.Ready(true)
	t.Cleanup(r.stop)
	return r
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// as is a context with a role's key.
func (r *rig) as(role string) context.Context {
	return withKey(r.t.Context(), r.keys[role])
}

// withKey is a context with a key.
func withKey(ctx context.Context, key string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+key)
}

func (r *rig) battles() pb.BattleServiceClient       { return pb.NewBattleServiceClient(r.conn) }
func (r *rig) arenas() pb.ArenaServiceClient         { return pb.NewArenaServiceClient(r.conn) }
func (r *rig) characters() pb.CharacterServiceClient { return pb.NewCharacterServiceClient(r.conn) }
func (r *rig) master() pb.MasterServiceClient        { return pb.NewMasterServiceClient(r.conn) }
func (r *rig) rules() pb.RulesServiceClient          { return pb.NewRulesServiceClient(r.conn) }
func (r *rig) replay() pb.ReplayServiceClient        { return pb.NewReplayServiceClient(r.conn) }

// stores runs a test on each kind of store. A store's open function may be called again after its store is closed: bolt and
// Redis keep what they hold.
func stores(t *testing.T, run func(t *testing.T, open func() state.Store)) {
	t.Run("memory", func(t *testing.T) {
		run(t, func() state.Store { return closing(t, memory.Open()) })
	})
	t.Run("bolt", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "battles")
		run(t, func() state.Store {
			s, err := bolt.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			return closing(t, s)
		})
	})
	t.Run("redis", func(t *testing.T) {
		r := redistest.Start(t)
		run(t, func() state.Store {
			s, err := redis.Open(t.Context(), r.URL())
			if err != nil {
				t.Fatal(err)
			}
			return closing(t, s)
		})
	})
}

// closing closes a store when the test ends.
func closing(t testing.TB, s state.Store) state.Store {
	t.Helper()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close the store: %v", err)
		}
	})
	return s
}

// hall is an arena of 48 by 16 by 16 blocks with a floor, a lamp in its west end, a waist-high wall at x 8 and a full one at x 6.
func hall(t testing.TB) *voxel.Arena {
	t.Helper()
	stone := voxel.FullCube("stone")
	a, err := voxel.NewBuilder(voxel.Pos{}, voxel.Pos{X: 3, Y: 1, Z: 1}).
		Fill(voxel.Pos{}, voxel.Pos{X: 47, Z: 15}, stone).
		Set(voxel.Pos{X: 2, Y: 4, Z: 8}, voxel.Lamp()).
		Fill(voxel.Pos{X: 8, Y: 1, Z: 4}, voxel.Pos{X: 8, Y: 1, Z: 6}, voxel.FullCube("slab")).
		Fill(voxel.Pos{X: 6, Y: 1, Z: 10}, voxel.Pos{X: 6, Y: 4, Z: 12}, stone).
		Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// upload puts an arena by the stream, and returns its hash.
func (r *rig) upload(a *voxel.Arena) []byte {
	r.t.Helper()
	h, sections := wire.Arena(a)
	stream, err := r.arenas().PutArena(r.as(asPlugin))
	r.ok(err)
	r.ok(stream.Send(&pb.PutArenaRequest{Part: &pb.PutArenaRequest_Header{Header: h}}))
	for part := range slices.Chunk(sections, 2) {
		r.ok(stream.Send(&pb.PutArenaRequest{Part: &pb.PutArenaRequest_Sections{Sections: &pb.ArenaSections{Sections: part}}}))
	}
	resp, err := stream.CloseAndRecv()
	r.ok(err)
	return resp.GetArena()
}

// ok ends the test on an error.
func (r *rig) ok(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatalf("%v %v", err, detailOf(err))
	}
}

// detailOf is the ErrorDetail of an error, or nil.
func detailOf(err error) *pb.ErrorDetail {
	for _, d := range status.Convert(err).Details() {
		if d, ok := d.(*pb.ErrorDetail); ok {
			return d
		}
	}
	return nil
}

// refused checks that a call failed with a code and a reason, and that the detail has what every detail has.
func refused(t testing.TB, err error, code codes.Code, reason pb.ErrorReason) *pb.ErrorDetail {
	t.Helper()
	if status.Code(err) != code {
		t.Fatalf("got %v %v, want %v %v", err, detailOf(err), code, reason)
	}
	d := detailOf(err)
	if d == nil {
		t.Fatalf("%v has no ErrorDetail", err)
	}
	if d.GetReason() != reason {
		t.Fatalf("%v has reason %v, want %v", err, d.GetReason(), reason)
	}
	if d.GetMessage() == "" {
		t.Errorf("%v has no message", reason)
	}
	if d.GetRetryable() != retryable(reason) {
		t.Errorf("%v: retryable %v", reason, d.GetRetryable())
	}
	if rules := reason < 100; rules != (code == codes.FailedPrecondition && reason != pb.ErrorReason_ERROR_REASON_CHARACTER_BUSY) {
		t.Errorf("%v comes with %v", reason, code)
	}
	return d
}

// inBoth makes a failing call in both languages, and checks that the messages are in different scripts.
func inBoth(t testing.TB, code codes.Code, reason pb.ErrorReason, call func(locale string) error) *pb.ErrorDetail {
	t.Helper()
	d := refused(t, call("en"), code, reason)
	ru := refused(t, call("ru"), code, reason)
	cyrillic := func(s string) bool {
		return strings.ContainsAny(s, "абвгдежзийклмнопрстуфхцчшщыьэюя")
	}
	if cyrillic(strings.ReplaceAll(d.GetMessage(), "“", "")) || !cyrillic(ru.GetMessage()) {
		t.Errorf("%v: messages %q and %q", reason, d.GetMessage(), ru.GetMessage())
	}
	return d
}

// serial makes command ids.
var serial atomic.Uint64

func newID() string { return fmt.Sprintf("t/%d", serial.Add(1)) }

// fighter is a newcomer of level 3 in every attribute.
func fighter(key, team string, controller *pb.Controller, x, z int32, look *pb.Look, traits map[string]int32, items ...*pb.SheetItem) *pb.NewActor {
	return &pb.NewActor{
		Key: key, Name: strings.ToUpper(key[:1]) + key[1:], Team: team, Controller: controller,
		Pose:   pose(x, 1, z, look),
		Source: &pb.NewActor_Sheet{Sheet: sheet(traits, items...)},
	}
}

// sheet is level 3 in every attribute, with traits and items besides.
func sheet(traits map[string]int32, items ...*pb.SheetItem) *pb.Sheet {
	s := &pb.Sheet{Items: items}
	for _, t := range catalogue.Default().Traits() {
		if t.Group == catalogue.GroupAttribute {
			level := int32(3)
			if n, ok := traits[string(t.Name)]; ok {
				level = n
			}
			s.Traits = append(s.Traits, &pb.TraitLevel{Name: string(t.Name), Level: level})
		} else if n, ok := traits[string(t.Name)]; ok {
			s.Traits = append(s.Traits, &pb.TraitLevel{Name: string(t.Name), Level: n})
		}
	}
	return s
}

// pose is a standing body at the floor of a cell.
func pose(x, y, z int32, look *pb.Look) *pb.PoseInput {
	return &pb.PoseInput{Pose: &pb.PoseInput_Exact{Exact: &pb.Pose{At: wire.Point(voxel.Pos{X: x, Y: y, Z: z}.Floor()), Look: look, Posture: pb.Posture_POSTURE_STANDING}}}
}

func east() *pb.Look { return &pb.Look{X: 1} }
func west() *pb.Look { return &pb.Look{X: -1} }

func player(id string) *pb.Controller {
	return &pb.Controller{Kind: pb.ControllerKind_CONTROLLER_KIND_PLAYER, Player: id}
}
func byMaster() *pb.Controller {
	return &pb.Controller{Kind: pb.ControllerKind_CONTROLLER_KIND_MASTER}
}

func carried(ref, slot string) *pb.SheetItem { return &pb.SheetItem{Ref: ref, Slot: slot} }

func actor(id uint32) *pb.Target {
	return &pb.Target{Target: &pb.Target_Ref{Ref: &pb.Ref{Kind: pb.RefKind_REF_KIND_ACTOR, Id: id}}}
}

func teams() []*pb.Team { return []*pb.Team{{Id: "red", Name: "Red"}, {Id: "blue", Name: "Blue"}} }

// swords are two fighters of players anna and boris, face to face.
func swords() []*pb.NewActor {
	return []*pb.NewActor{
		fighter("anna", "red", player("anna"), 10, 8, east(), map[string]int32{"one_handed_weapons": 5, "evasion": 2, "reaction": 5}, carried("sword", "main")),
		fighter("boris", "blue", player("boris"), 11, 8, west(), map[string]int32{"one_handed_weapons": 3, "evasion": 2}, carried("sword", "main")),
	}
}

// duel creates and starts a KMRP battle, and returns its start. Options are name, value pairs of words.
func (r *rig) duel(id string, arena []byte, who []*pb.NewActor, options ...*pb.Option) *pb.CommandResult {
	r.t.Helper()
	r.lobby(id, arena, who, options...)
	resp, err := r.battles().StartBattle(r.as(asPlugin), &pb.StartBattleRequest{BattleId: id, CommandId: "start"})
	r.ok(err)
	return resp.GetResult()
}

// lobby creates a KMRP battle and adds the actors.
func (r *rig) lobby(id string, arena []byte, who []*pb.NewActor, options ...*pb.Option) *pb.AddActorsResponse {
	r.t.Helper()
	_, err := r.battles().CreateBattle(r.as(asPlugin), &pb.CreateBattleRequest{BattleId: id, CommandId: "create", Ruleset: "kmrp", Arena: arena, Title: "A test", Teams: teams(), Options: options})
	r.ok(err)
	resp, err := r.battles().AddActors(r.as(asPlugin), &pb.AddActorsRequest{BattleId: id, CommandId: "join", Actors: who})
	r.ok(err)
	return resp
}

// live finds the one live prompt of a list, and fails when there is none or more.
func live(t testing.TB, prompts []*pb.OpenPrompt) *pb.Prompt {
	t.Helper()
	var out *pb.Prompt
	for _, p := range prompts {
		if p.GetLive() {
			if out != nil {
				t.Fatalf("several live prompts: %v", prompts)
			}
			out = p.GetPrompt()
		}
	}
	if out == nil {
		t.Fatalf("no live prompt in %v", prompts)
	}
	return out
}

// get is the battle through somebody's eyes now.
func (r *rig) get(role, id, player string) *pb.GetBattleResponse {
	r.t.Helper()
	resp, err := r.battles().GetBattle(r.as(role), &pb.GetBattleRequest{BattleId: id, PlayerId: player})
	r.ok(err)
	return resp
}

// id is the id of an actor by its key.
func (r *rig) id(battle, key string) uint32 {
	r.t.Helper()
	for _, a := range r.get(asMaster, battle, "").GetBattle().GetActors() {
		if a.GetKey() == key {
			return a.GetId()
		}
	}
	r.t.Fatalf("no actor %s in %s", key, battle)
	return 0
}

// act answers a prompt for a player, or for the master.
func (r *rig) act(id, player string, prompt uint32, intents ...*pb.Intent) (*pb.ActResponse, error) {
	role := asPlugin
	if player == "" {
		role = asMaster
	}
	return r.battles().Act(r.as(role), &pb.ActRequest{BattleId: id, CommandId: newID(), PlayerId: player, PromptId: prompt, Intents: intents})
}

// answer plays one answer to whoever must decide, by the first offer that fits: attacks, else passes; evades; declines what
// may be declined. It reports whether the battle goes on.
func (r *rig) answer(id string) (*pb.CommandResult, bool) {
	r.t.Helper()
	b := r.get(asMaster, id, "")
	if b.GetBattle().GetPhase() != pb.Phase_PHASE_RUNNING {
		return nil, false
	}
	for _, o := range b.GetPrompts() {
		p := o.GetPrompt()
		if !o.GetLive() || p.GetDone() {
			continue
		}
		who := ""
		for _, a := range b.GetBattle().GetActors() {
			if a.GetId() == p.GetWhose() {
				who = a.GetController().GetPlayer()
			}
		}
		role := asPlugin
		if who == "" {
			role = asMaster
		}
		choices, err := r.battles().ListChoices(r.as(role), &pb.ListChoicesRequest{BattleId: id, PlayerId: who, PromptId: p.GetId(), WithoutRegions: true})
		r.ok(err)
		act := &pb.ActRequest{BattleId: id, CommandId: fmt.Sprintf("a/%d", p.GetId()), PlayerId: who, PromptId: p.GetId()}
		in := pick(p, choices.GetChoices()[0].GetOffers())
		if p.GetKind() == pb.PromptKind_PROMPT_KIND_SHEET && len(in) > 0 {
			act.Lines = []*pb.SheetLine{{Slot: 1, Variants: []*pb.Variant{{Intent: in[0]}}}}
		} else {
			act.Intents = in
		}
		resp, err := r.battles().Act(r.as(role), act)
		r.ok(err)
		return resp.GetResult(), true
	}
	r.t.Fatalf("the battle runs and waits for nobody: %v", b.GetPrompts())
	return nil, false
}

// pick chooses an answer from offers.
func pick(p *pb.Prompt, offers []*pb.Offer) []*pb.Intent {
	for _, act := range []string{"attack", "strike", "evade", "no_defence", "confirm", "pass"} {
		for _, o := range offers {
			if o.GetAct() != act || o.GetRefusal() != nil {
				continue
			}
			in := &pb.Intent{Act: act}
			if len(o.GetTargets()) > 0 {
				in.Targets = o.GetTargets()[:1]
			}
			if len(o.GetItems()) > 0 {
				in.Items = o.GetItems()[0].GetItems()
			}
			return []*pb.Intent{in}
		}
	}
	if !p.GetMust() {
		return nil
	}
	for _, o := range offers {
		if o.GetRefusal() == nil {
			return []*pb.Intent{{Act: o.GetAct()}}
		}
	}
	return nil
}

// fight plays a battle to its end, by the rules or, after most answers, by the master's word, and returns all lines.
func (r *rig) fight(id string, most int) []string {
	r.t.Helper()
	var out []string
	for range most {
		res, on := r.answer(id)
		if !on {
			return out
		}
		for _, l := range res.GetLines() {
			out = append(out, l.GetText())
		}
	}
	resp, err := r.battles().EndBattle(r.as(asPlugin), &pb.EndBattleRequest{BattleId: id, CommandId: "end", Reason: "enough"})
	r.ok(err)
	for _, l := range resp.GetResult().GetLines() {
		out = append(out, l.GetText())
	}
	return out
}
