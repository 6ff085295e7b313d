package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	reflectpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/google/go-cmp/cmp"

	pb "autobattle/proto/autobattle/v1"
	"autobattle/state/memory"
)

// connectClient calls one method by Connect or gRPC-Web.
func connectCall[Req, Resp any](r *rig, method string, req *Req, options ...connect.ClientOption) (*Resp, error) {
	transport := &http.Transport{DisableKeepAlives: true}
	c := connect.NewClient[Req, Resp](&http.Client{Transport: transport}, r.url+"/autobattle.v1.BattleService/"+method, options...)
	q := connect.NewRequest(req)
	q.Header().Set("Authorization", "Bearer "+r.keys[asPlugin])
	resp, err := c.CallUnary(r.t.Context(), q)
	if err != nil {
		return nil, err
	}
	return resp.Msg, nil
}

// TestProtocols sends the same Act by every protocol to equal battles on servers of their own.
func TestProtocols(t *testing.T) {
	const id = "same"
	calls := map[string]func(r *rig, req *pb.ActRequest) (*pb.ActResponse, error){
		"grpc": func(r *rig, req *pb.ActRequest) (*pb.ActResponse, error) { return r.battles().Act(r.as(asPlugin), req) },
		"json": func(r *rig, req *pb.ActRequest) (*pb.ActResponse, error) {
			raw, err := protojson.Marshal(req)
			r.ok(err)
			code, body := r.post("Act", asPlugin, string(raw))
			if code != http.StatusOK {
				r.t.Fatalf("%d %v", code, body)
			}
			raw, err = json.Marshal(body)
			r.ok(err)
			resp := &pb.ActResponse{}
			return resp, protojson.Unmarshal(raw, resp)
		},
		"connect": func(r *rig, req *pb.ActRequest) (*pb.ActResponse, error) {
			return connectCall[pb.ActRequest, pb.ActResponse](r, "Act", req)
		},
		"connect-json": func(r *rig, req *pb.ActRequest) (*pb.ActResponse, error) {
			return connectCall[pb.ActRequest, pb.ActResponse](r, "Act", req, connect.WithProtoJSON())
		},
		"grpc-web": func(r *rig, req *pb.ActRequest) (*pb.ActResponse, error) {
			return connectCall[pb.ActRequest, pb.ActResponse](r, "Act", req, connect.WithGRPCWeb())
		},
	}
	var want *pb.ActResponse
	for _, name := range []string{"grpc", "json", "connect", "connect-json", "grpc-web"} {
		r := start(t, memory.Open(), seeded(11))
		begun := r.duel(id, r.upload(hall(t)), swords())
		attack := func() *pb.ActRequest {
			return &pb.ActRequest{BattleId: id, CommandId: "blow", PlayerId: "anna", PromptId: live(t, begun.GetPrompts()).GetId(),
				Intents: []*pb.Intent{{Act: "attack", Targets: []*pb.Target{actor(r.id(id, "boris"))}, Items: []uint32{r.item(id, "anna", "sword")}}}}
		}
		if _, err := calls[name](r, attack()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defence := live(t, r.get(asPlugin, id, "boris").GetPrompts())
		got, err := calls[name](r, &pb.ActRequest{BattleId: id, CommandId: "dodge", PlayerId: "boris", PromptId: defence.GetId(), Intents: []*pb.Intent{{Act: "evade"}}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got.Result.AtMs, got.Result.Cursor = 0, ""
		if want == nil {
			want = got
			if n := len(want.GetResult().GetFacts()); n < 5 {
				t.Fatalf("a defence of %d facts", n)
			}
			continue
		}
		if d := cmp.Diff(want, got, protocmp.Transform()); d != "" {
			t.Errorf("%s gives other facts than gRPC (-grpc +%s):\n%s", name, name, d)
		}
	}
}

// item is the id of an item that an actor has.
func (r *rig) item(battle, key, ref string) uint32 {
	r.t.Helper()
	who := r.id(battle, key)
	for _, it := range r.get(asMaster, battle, "").GetBattle().GetItems() {
		if it.GetHolder() == who && it.GetRef() == ref {
			return it.GetId()
		}
	}
	r.t.Fatalf("%s has no %s", key, ref)
	return 0
}

// TestPlainJSON talks as curl and Lua do.
func TestPlainJSON(t *testing.T) {
	r := start(t, memory.Open(), seeded(11))
	code, body := r.post("CreateBattle", asPlugin, `{"battle_id": "lua", "commandId": "c", "ruleset": "kmrp", "teams": [{"id": "red"}], "options": [{"name": "turn_limit_s", "number": 30.0}]}`)
	if code != http.StatusOK || body["result"].(map[string]any)["battleId"] != "lua" {
		t.Fatalf("%d %v", code, body)
	}
	var levels []string
	for _, l := range sheet(nil).GetTraits() {
		levels = append(levels, fmt.Sprintf(`{"name": %q, "level": 3.0}`, l.GetName()))
	}
	code, body = r.post("AddActors", asPlugin, `{"battleId": "lua", "commandId": "j", "actors": [{"key": "a", "team": "red", "controller": {"kind": "CONTROLLER_KIND_PLAYER", "player": "lu"},
		"copies": 1.0, "pose": {"exact": {"at": {"x": 2048.0, "y": 2.56e2, "z": -128}, "look": {"z": 1.0}}}, "sheet": {"traits": [`+strings.Join(levels, ", ")+`]}}]}`)
	if code != http.StatusOK || len(body["actorIds"].([]any)) != 1 {
		t.Fatalf("numbers with a point: %d %v", code, body)
	}
	at := r.get(asMaster, "lua", "").GetBattle().GetActors()[0].GetPose().GetAt()
	if at.GetX() != 2048 || at.GetY() != 256 || at.GetZ() != -128 {
		t.Errorf("stands at %v", at)
	}
	for name, c := range map[string]struct {
		path, role, body string
		status           int
		code, reason     string
	}{
		"no key":         {"BattleService/GetBattle", "", `{"battleId": "lua"}`, 401, "unauthenticated", "ERROR_REASON_BAD_KEY"},
		"no such battle": {"BattleService/GetBattle", asPlugin, `{"battleId": "none"}`, 404, "not_found", "ERROR_REASON_BATTLE_NOT_FOUND"},
		"no JSON":        {"BattleService/GetBattle", asPlugin, `{"battleId": `, 400, "invalid_argument", "ERROR_REASON_BAD_FIELD"},
		"a typing error": {"BattleService/GetBattle", asPlugin, `{"batleId": "lua"}`, 400, "invalid_argument", "ERROR_REASON_BAD_FIELD"},
		"half a number":  {"BattleService/Act", asPlugin, `{"battleId": "lua", "commandId": "x", "promptId": 1.5}`, 400, "invalid_argument", "ERROR_REASON_BAD_FIELD"},
		"a broken field": {"BattleService/GetBattle", asPlugin, `{"battleId": "LUA"}`, 400, "invalid_argument", "ERROR_REASON_BAD_FIELD"},
		"refused":        {"BattleService/Act", asPlugin, `{"battleId": "lua", "commandId": "x", "playerId": "lu", "promptId": 77}`, 400, "failed_precondition", "ERROR_REASON_PROMPT_CLOSED"},
		"no role":        {"BattleService/StartBattle", asViewer, `{"battleId": "lua", "commandId": "x"}`, 403, "permission_denied", "ERROR_REASON_FORBIDDEN_ROLE"},
	} {
		t.Run(name, func(t *testing.T) {
			status, body := r.postTo(c.path, c.role, c.body)
			if status != c.status || body["code"] != c.code {
				t.Fatalf("answers %d %v, want %d %s", status, body, c.status, c.code)
			}
			if d := jsonDetail(t, body); d["reason"] != c.reason || d["message"] == "" {
				t.Errorf("detail %v, want %s", d, c.reason)
			}
		})
	}
	// Defaults are left out of answers, and 64-bit numbers are strings.
	_, body = r.post("GetBattle", asMaster, `{"battleId": "lua"}`)
	battle := body["battle"].(map[string]any)
	if _, isString := battle["version"].(string); !isString {
		t.Errorf("version is a %T", battle["version"])
	}
	if _, set := battle["slot"]; set {
		t.Error("an answer holds a default")
	}
}

// TestErrorsEverywhere looks for the same detail by every protocol.
func TestErrorsEverywhere(t *testing.T) {
	r := start(t, memory.Open())
	for name, options := range map[string][]connect.ClientOption{
		"connect": nil, "connect-json": {connect.WithProtoJSON()}, "grpc-web": {connect.WithGRPCWeb()},
	} {
		_, err := connectCall[pb.GetBattleRequest, pb.GetBattleResponse](r, "GetBattle", &pb.GetBattleRequest{BattleId: "none", Locale: "ru"}, options...)
		var e *connect.Error
		if connect.CodeOf(err) != connect.CodeNotFound || !asConnect(err, &e) || len(e.Details()) != 1 {
			t.Fatalf("%s: %v", name, err)
		}
		m, err := e.Details()[0].Value()
		r.ok(err)
		if d := m.(*pb.ErrorDetail); d.GetReason() != noBattle || d.GetMessage() == "" {
			t.Errorf("%s: %v", name, d)
		}
	}
}

func asConnect(err error, to **connect.Error) bool {
	e, ok := err.(*connect.Error)
	*to = e
	return ok
}

// TestWebWatch follows a battle by gRPC-Web, as a browser does, to its end.
func TestWebWatch(t *testing.T) {
	r := start(t, memory.Open(), seeded(11))
	r.duel("web", nil, swords())
	for name, options := range map[string][]connect.ClientOption{"connect": nil, "grpc-web": {connect.WithGRPCWeb()}} {
		c := connect.NewClient[pb.WatchBattleRequest, pb.WatchBattleResponse](&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, r.url+"/autobattle.v1.BattleService/WatchBattle", options...)
		q := connect.NewRequest(&pb.WatchBattleRequest{BattleId: "web", From: &pb.WatchBattleRequest_Beginning{Beginning: true}})
		q.Header().Set("Authorization", "Bearer "+r.keys[asViewer])
		stream, err := c.CallServerStream(t.Context(), q)
		r.ok(err)
		if !stream.Receive() || len(stream.Msg().GetUpdate().GetFacts()) == 0 {
			t.Fatalf("%s: no update: %v", name, stream.Err())
		}
		r.fight("web", 4)
		n := 1
		for stream.Receive() {
			n++
		}
		r.ok(stream.Err())
		if n < 4 {
			t.Errorf("%s: %d updates", name, n)
		}
		r.ok(stream.Close())
	}
}

// TestPages looks at what the HTTP port answers besides calls.
func TestPages(t *testing.T) {
	r := start(t, memory.Open(), seeded(11))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	do := func(method, path string, header map[string]string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, r.url+path, nil)
		r.ok(err)
		for k, v := range header {
			req.Header.Set(k, v)
		}
		resp, err := client.Do(req)
		r.ok(err)
		raw, err := io.ReadAll(resp.Body)
		r.ok(err)
		r.ok(resp.Body.Close())
		return resp, string(raw)
	}
	if resp, body := do(http.MethodGet, "/healthz", nil); resp.StatusCode != 200 || body != "ok\n" {
		t.Errorf("health: %d %q", resp.StatusCode, body)
	}
	r.duel("counted", nil, swords())
	_, err := r.act("counted", "anna", 999, &pb.Intent{Act: "pass"})
	refused(t, err, codes.FailedPrecondition, promptClosed)
	_, body := do(http.MethodGet, "/metrics", nil)
	for _, want := range []string{
		`autobattle_calls_total{code="OK",method="/autobattle.v1.BattleService/CreateBattle"} 1`,
		`autobattle_calls_total{code="FailedPrecondition",method="/autobattle.v1.BattleService/Act"} 1`,
		`autobattle_refusals_total{reason="prompt_closed"} 1`,
		"autobattle_call_seconds_bucket", "autobattle_watches 0", "autobattle_panics_total 0", "go_goroutines",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	resp, _ := do(http.MethodOptions, "/autobattle.v1.BattleService/Act", map[string]string{
		"Origin": "https://example.org", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type,x-grpc-web"})
	h := resp.Header
	if resp.StatusCode != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("preflight: %d %v", resp.StatusCode, h)
	}
	for _, name := range []string{"Authorization", "Content-Type", "Connect-Protocol-Version", "X-Grpc-Web", "X-User-Agent"} {
		if !strings.Contains(h.Get("Access-Control-Allow-Headers"), name) {
			t.Errorf("a browser may not send %s", name)
		}
	}
	if seconds, err := strconv.Atoi(h.Get("Access-Control-Max-Age")); err != nil || seconds < 60 {
		t.Errorf("a preflight holds %q seconds", h.Get("Access-Control-Max-Age"))
	}
}

// TestHealth asks without a key, on both ports, and lists the services.
func TestHealth(t *testing.T) {
	r := start(t, memory.Open())
	check := func(want healthpb.HealthCheckResponse_ServingStatus) {
		t.Helper()
		resp, err := healthpb.NewHealthClient(r.conn).Check(t.Context(), &healthpb.HealthCheckRequest{})
		r.ok(err)
		if resp.GetStatus() != want {
			t.Errorf("health is %v, want %v", resp.GetStatus(), want)
		}
	}
	check(healthpb.HealthCheckResponse_SERVING)
	r.srv.Ready(false)
	check(healthpb.HealthCheckResponse_NOT_SERVING)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream, err := reflectpb.NewServerReflectionClient(r.conn).ServerReflectionInfo(ctx)
	r.ok(err)
	r.ok(stream.Send(&reflectpb.ServerReflectionRequest{MessageRequest: &reflectpb.ServerReflectionRequest_ListServices{}}))
	resp, err := stream.Recv()
	r.ok(err)
	var names []string
	for _, s := range resp.GetListServicesResponse().GetService() {
		names = append(names, s.GetName())
	}
	for _, s := range []string{"Battle", "Arena", "Character", "Master", "Rules", "Replay"} {
		if !slices.Contains(names, "autobattle.v1."+s+"Service") {
			t.Errorf("%sService is not in %v", s, names)
		}
	}
}

// TestUnaryBytes sends a message that is no message.
func TestUnaryBytes(t *testing.T) {
	r := start(t, memory.Open())
	var out []byte
	err := r.conn.Invoke(r.as(asPlugin), "/autobattle.v1.BattleService/GetBattle", []byte{0xff, 0xff}, &out, grpc.ForceCodec(raw{}))
	if err == nil {
		t.Fatal("nonsense is taken")
	}
	if bytes.Contains([]byte(err.Error()), []byte("goroutine")) {
		t.Errorf("the error tells too much: %v", err)
	}
}

// raw is a codec of bytes.
type raw struct{}

func (raw) Marshal(v any) ([]byte, error)      { return v.([]byte), nil }
func (raw) Unmarshal(data []byte, v any) error { *v.(*[]byte) = slices.Clone(data); return nil }
func (raw) Name() string                       { return "proto" }
