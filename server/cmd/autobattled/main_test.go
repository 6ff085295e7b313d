package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "autobattle/proto/autobattle/v1"
)

// asProgram makes the test binary run as the program itself.
const asProgram = "AUTOBATTLED_TEST_RUNS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is the program with arguments, in a folder of its own.
func program(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), asProgram+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return c
}

// output runs the program to its end.
func output(t *testing.T, dir string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	c := program(t, dir, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	return out.String(), errs.String(), err
}

// served is a running server.
type served struct {
	cmd  *exec.Cmd
	log  string
	grpc string
	http string
	key  string
	conn *grpc.ClientConn
}

// serve starts the program and waits until it answers.
func serve(t *testing.T, dir string, args ...string) *served {
	t.Helper()
	ports, key, log := filepath.Join(dir, "ports"), filepath.Join(dir, "key"), filepath.Join(dir, "log")
	_ = os.Remove(ports)
	s := &served{log: log, cmd: program(t, dir, append([]string{"serve", "--listen=127.0.0.1:0", "--http=127.0.0.1:0", "--ports-file=" + ports, "--local-key=" + key, "--log-file=" + log, "--log-level=debug"}, args...)...)}
	var errs bytes.Buffer
	s.cmd.Stderr = &errs
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tick, late := time.NewTicker(10*time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	var raw []byte
	for {
		var err error
		if raw, err = os.ReadFile(ports); err == nil {
			break
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("the server does not start: %s", errs.String())
		}
	}
	var bound struct{ GRPC, HTTP string }
	if err := json.Unmarshal(raw, &bound); err != nil {
		t.Fatal(err)
	}
	s.grpc, s.http = bound.GRPC, bound.HTTP
	secret, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	s.key = strings.TrimSpace(string(secret))
	if s.conn, err = grpc.NewClient(s.grpc, grpc.WithTransportCredentials(insecure.NewCredentials())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.conn.Close() })
	return s
}

func (s *served) ctx(t *testing.T) context.Context {
	return metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+s.key)
}

// TestDrain stops the program with SIGTERM while a watch is open: the watch is told, and the program ends well.
func TestDrain(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, dir, "--store=bolt:"+filepath.Join(dir, "deep", "battles"))
	health, err := healthpb.NewHealthClient(s.conn).Check(t.Context(), &healthpb.HealthCheckRequest{}, grpc.WaitForReady(true))
	if err != nil || health.GetStatus() != healthpb.HealthCheckResponse_SERVING {
		t.Fatalf("health %v %v", health, err)
	}
	battles := pb.NewBattleServiceClient(s.conn)
	if _, err := battles.CreateBattle(s.ctx(t), &pb.CreateBattleRequest{BattleId: "kept", CommandId: "c", Ruleset: "kmrp", Title: "Kept"}); err != nil {
		t.Fatal(err)
	}
	stream, err := battles.WatchBattle(s.ctx(t), &pb.WatchBattleRequest{BattleId: "kept"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	// A long poll on the HTTP port is a call that runs on the gRPC server.
	polled := make(chan string, 1)
	go func() {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+s.http+"/autobattle.v1.BattleService/ListUpdates",
			strings.NewReader(`{"battleId": "kept", "afterVersion": 1, "waitMs": 60000}`))
		if err != nil {
			polled <- err.Error()
			return
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+s.key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			polled <- err.Error()
			return
		}
		raw, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		polled <- string(raw)
	}()
	waitFor(t, "the poll", func() bool {
		resp, err := http.Get("http://" + s.http + "/metrics")
		if err != nil {
			return false
		}
		raw, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		return strings.Contains(string(raw), `grpc`) || strings.Contains(string(raw), "autobattle_watches 1")
	})
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_, err = stream.Recv()
	if status.Code(err) != codes.Unavailable {
		t.Errorf("the watch ends with %v", err)
	}
	for _, d := range status.Convert(err).Details() {
		if d, ok := d.(*pb.ErrorDetail); ok && (d.GetReason() != pb.ErrorReason_ERROR_REASON_DRAINING || !d.GetRetryable()) {
			t.Errorf("the watch ends with %v", d)
		}
	}
	<-polled // with an answer or cut off: either way it does not hold the program
	if err := s.cmd.Wait(); err != nil {
		raw, _ := os.ReadFile(s.log)
		t.Fatalf("the program ends with %v\n%s", err, raw)
	}
	raw, err := os.ReadFile(s.log)
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for line := range strings.Lines(string(raw)) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("a log line that is no JSON: %s", line)
		}
		messages = append(messages, entry["msg"].(string))
	}
	for _, want := range []string{"serving", "battle created", "command", "draining", "stopped"} {
		if !strings.Contains(strings.Join(messages, "\n"), want) {
			t.Errorf("the log lacks %q: %v", want, messages)
		}
	}
	if strings.Contains(string(raw), s.key) {
		t.Error("the log holds the key")
	}

	// It starts again on the same store, with the same key and the battle.
	again := serve(t, dir, "--store=bolt:"+filepath.Join(dir, "deep", "battles"))
	if again.key != s.key {
		t.Error("a good key was made anew")
	}
	got, err := pb.NewBattleServiceClient(again.conn).GetBattle(again.ctx(t), &pb.GetBattleRequest{BattleId: "kept"}, grpc.WaitForReady(true))
	if err != nil || got.GetBattle().GetTitle() != "Kept" {
		t.Errorf("after a restart: %v %v", got, err)
	}
	_, errs, err := output(t, dir, "serve", "--store=bolt:"+filepath.Join(dir, "deep", "battles"), "--listen=127.0.0.1:0", "--http=")
	if err == nil || !strings.Contains(errs, "autobattled:") || strings.Count(strings.TrimSpace(errs), "\n") > 0 {
		t.Errorf("two on one file: %v %q", err, errs)
	}
	if err := again.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := again.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// waitFor asks until it is so.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick, late := time.NewTicker(10*time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%s does not come", what)
		}
	}
}

// TestKeysCommand makes, lists and removes keys from the command line.
func TestKeysCommand(t *testing.T) {
	dir := t.TempDir()
	store := "--store=bolt:" + filepath.Join(dir, "battles")
	out, errs, err := output(t, dir, "keys", "add", store, "--tenant=acme", "--role=plugin", "--role=master", "--name=survival server")
	if err != nil || !strings.HasPrefix(out, "abk_") || strings.Count(out, "\n") != 1 || !strings.Contains(errs, "shown only now") {
		t.Fatalf("add: %q %q %v", out, errs, err)
	}
	secret := strings.TrimSpace(out)
	out, _, err = output(t, dir, "keys", "list", store)
	if err != nil || !strings.Contains(out, "acme") || !strings.Contains(out, "survival server") || strings.Contains(out, secret) {
		t.Fatalf("list: %q %v", out, err)
	}
	id, _, _ := strings.Cut(out, " ")
	if _, errs, err = output(t, dir, "keys", "remove", store, id); err != nil {
		t.Fatalf("remove: %q %v", errs, err)
	}
	if out, _, err = output(t, dir, "keys", "list", store); err != nil || out != "" {
		t.Errorf("after removal: %q %v", out, err)
	}
	for _, args := range [][]string{
		{"keys", "remove", store, id}, {"keys", "add", store, "--tenant=acme", "--role=god"}, {"keys", "add", store, "--tenant=ACME", "--role=viewer"},
		{"keys", "add", "--store=memory:", "--tenant=acme", "--role=viewer"}, {"keys", "list", "--store=postgres://x"},
	} {
		if _, errs, err := output(t, dir, args...); err == nil || !strings.HasPrefix(errs, "autobattled: ") || strings.Contains(errs, "goroutine") {
			t.Errorf("%v: %q %v", args, errs, err)
		}
	}
}

// TestBadFlags refuses what cannot be served, with one line.
func TestBadFlags(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "not.pem")
	if err := os.WriteFile(file, []byte("not a certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"no such store":              {"--store=nowhere"},
		"no such Redis":              {"--store=redis://127.0.0.1:1/0"},
		"a port that cannot be":      {"--store=memory:", "--listen=127.0.0.1:99999"},
		"a certificate without key":  {"--store=memory:", "--tls-cert=" + file},
		"no certificate":             {"--store=memory:", "--tls-cert=" + file, "--tls-key=" + file},
		"clients without a server":   {"--store=memory:", "--tls-client-ca=" + file},
		"a folder that is no folder": {"--store=bolt:" + filepath.Join(file, "battles")},
	} {
		_, errs, err := output(t, dir, append([]string{"serve", "--http="}, args...)...)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("%s: %v", name, err)
		}
		lines := strings.Split(strings.TrimSpace(errs), "\n")
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, "autobattled: ") || strings.Contains(errs, "goroutine ") {
			t.Errorf("%s: %q", name, errs)
		}
	}
}
