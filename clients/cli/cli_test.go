package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"autobattle/state/redis/redistest"
)

// binaries builds the server and the client once.
var binaries = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "autobattle-cli")
	if err != nil {
		return "", err
	}
	for name, pkg := range map[string]string{"autobattled": "autobattle/server/cmd/autobattled", "autobattle": "autobattle/clients/cli"} {
		out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := binaries(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// server is a running autobattled.
type server struct {
	t   *testing.T
	dir string // its files: ports, key, log
	bin string
	cmd *exec.Cmd
}

// serve starts a server on a store.
func serve(t *testing.T, store string) *server {
	t.Helper()
	bin, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, dir: t.TempDir(), bin: bin}
	s.start(store)
	return s
}

func (s *server) start(store string) {
	s.t.Helper()
	_ = os.Remove(s.file("ports"))
	s.cmd = exec.Command(filepath.Join(s.bin, "autobattled"), "serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--store", store,
		"--ports-file", s.file("ports"), "--local-key", s.file("key"), "--log-file", s.file("log"), "--given-seed", "7")
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(s.stop)
	s.must("wait")
}

func (s *server) stop() {
	if s.cmd.ProcessState != nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	if err := s.cmd.Wait(); err != nil {
		log, _ := os.ReadFile(s.file("log"))
		s.t.Errorf("server stopped: %v\n%s", err, log)
	}
}

func (s *server) file(name string) string { return filepath.Join(s.dir, name) }

// run runs the client and gives its output and exit code.
func (s *server) run(args ...string) (out, errs string, code int) {
	s.t.Helper()
	all := append([]string{"--ports-file", s.file("ports"), "--key-file", s.file("key"), "--no-color"}, args...)
	cmd := exec.Command(filepath.Join(s.bin, "autobattle"), all...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	if err != nil && cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

func (s *server) must(args ...string) string {
	s.t.Helper()
	out, errs, code := s.run(args...)
	if code != 0 {
		log, _ := os.ReadFile(s.file("log"))
		s.t.Fatalf("autobattle %v: exit %d\n%s\n%s\nserver log:\n%s", args, code, out, errs, log)
	}
	return out
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return lines[len(lines)-1]
}

// The duel gives the same log, to the letter, on every store.
func TestDemoIsTheSameOnEveryStore(t *testing.T) {
	redis := redistest.Start(t)
	logs := map[string]string{}
	for name, url := range map[string]string{"memory": "memory:", "bolt": "bolt:" + filepath.Join(t.TempDir(), "demo.db"), "redis": redis.URL()} {
		s := serve(t, url)
		logs[name] = s.must("demo", "--seed", "7")
		if last := lastLine(logs[name]); !strings.HasPrefix(last, "battle over:") || !strings.Contains(last, "verified") {
			t.Errorf("%s: the last line is %q", name, last)
		}
		s.stop()
	}
	for _, name := range []string{"bolt", "redis"} {
		if logs[name] != logs["memory"] {
			t.Errorf("the log on %s differs from that in memory:\n%s\n----\n%s", name, logs[name], logs["memory"])
		}
	}
	for _, want := range []string{"+1 cover", "shade", "too far", "— Round 1 —", "Seed revealed"} {
		if !strings.Contains(logs["memory"], want) {
			t.Errorf("the log does not show %q", want)
		}
	}
}

func TestDemoInRussianAndTwice(t *testing.T) {
	s := serve(t, "bolt:"+filepath.Join(t.TempDir(), "demo.db"))
	first := s.must("--lang", "ru", "demo", "--seed", "3")
	for _, want := range []string{"— Раунд 1 —", "Бой окончен", "укрытие"} {
		if !strings.Contains(first, want) {
			t.Errorf("the Russian log does not show %q", want)
		}
	}
	s.must("demo", "--seed", "3")
	list := s.must("list")
	for _, want := range []string{"demo-3 ", "demo-3-2 "} {
		if !strings.Contains(list, want) {
			t.Errorf("%q is not listed:\n%s", want, list)
		}
	}
}

func TestExportIsVerifiedByteByByte(t *testing.T) {
	s := serve(t, "memory:")
	s.must("demo", "--seed", "7")
	file := s.file("battle")
	s.must("export", "demo-7", file)
	good := s.must("verify", file)
	if !strings.HasPrefix(good, "verified ") || !strings.Contains(good, " commits") {
		t.Fatalf("verify says %q", good)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// Change single bytes well inside the commits, from the middle of the file on.
	for i := range 8 {
		at := len(raw)/2 + i*(len(raw)/2-200)/8
		bad := bytes.Clone(raw)
		bad[at] ^= 0x10
		if err := os.WriteFile(file, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, code := s.run("verify", file)
		if code != exitFailed || !strings.Contains(errs, "not sound") || !strings.Contains(errs, "commit ") {
			t.Errorf("byte %d changed: exit %d, %q, %q", at, code, out, errs)
		}
	}
	if err := os.WriteFile(file, raw[:len(raw)-40], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := s.run("verify", file); code != exitFailed || !strings.Contains(errs, "not sound") {
		t.Errorf("cut off: exit %d, %q", code, errs)
	}
	if err := os.WriteFile(file, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := s.run("verify", file); code != exitFailed || !strings.Contains(errs, "no exported battle") {
		t.Errorf("no export: exit %d, %q", code, errs)
	}
}

// A battle is fought by hand: choices, odds, acts, inspection; and wrong words are refused with what would be right.
func TestByHand(t *testing.T) {
	s := serve(t, "memory:")
	s.must("demo", "--seed", "7")
	var info struct{ Tenant string }
	if err := json.Unmarshal([]byte(s.must("--json", "info")), &info); err != nil || info.Tenant != "local" {
		t.Errorf("info --json: %v, %+v", err, info)
	}
	if out := s.must("watch", "demo-7", "--beginning"); !strings.Contains(out, "— Round 1 —") {
		t.Errorf("watch from the beginning: %q", out)
	}
	for line := range strings.Lines(s.must("--json", "watch", "demo-7", "--beginning")) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %q", line)
		}
	}
	if out := s.must("choices", "demo-7"); !strings.Contains(out, "no open prompt") {
		t.Errorf("choices of a battle that is over: %q", out)
	}
	if out := s.must("inspect", "demo-7", "1", "5"); !strings.Contains(out, "hidden") {
		out2 := s.must("--json", "inspect", "demo-7", "1", "5")
		t.Errorf("inspect: %q %s", out, out2)
	}
	refusals := map[string][]string{
		"prompt_closed":            {"act", "demo-7", "999", "attack"},
		"want x,y,z":               {"act", "demo-7", "1", "walk", "--path", "1,2"},
		"is not a whole number":    {"odds", "demo-7", "1", "attack", "--target", "a,b,c"},
		"odds of what":             {"odds", "demo-7", "1"},
		"unknown_actor":            {"inspect", "demo-7", "4000", "1"},
		"battle_not_found":         {"export", "nowhere", s.file("x")},
		"reason battle_not_found":  {"watch", "nowhere"},
		"unexpected argument nope": {"nope"},
	}
	for want, args := range refusals {
		out, errs, code := s.run(args...)
		if code == 0 || !strings.Contains(errs, want) {
			t.Errorf("autobattle %v: exit %d, want %q in %q %q", args, code, want, errs, out)
		}
	}
	if err := os.WriteFile(s.file("key"), []byte("abk_wrong\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := s.run("list"); code != exitFailed || !strings.Contains(errs, "bad_key") {
		t.Errorf("a wrong key: exit %d, %q", code, errs)
	}
}
