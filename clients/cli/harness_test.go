package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	pb "autobattle/proto/autobattle/v1"
)

// binaries builds the server and the client once.
var binaries = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "autobattle-cli")
	if err != nil {
		return "", err
	}
	for _, b := range [][2]string{{"autobattled", "autobattle/server/cmd/autobattled"}, {"autobattle", "autobattle/clients/cli"}} {
		out, err := exec.Command("go", "build", "-o", filepath.Join(dir, b[0]), b[1]).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("build %s: %w\n%s", b[1], err, out)
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	for _, v := range os.Environ() { // what the caller has set for his own server is not meant
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "AUTOBATTLE_") {
			_ = os.Unsetenv(name)
		}
	}
	code := m.Run()
	if dir, err := binaries(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// server is a running autobattled.
type server struct {
	t      *testing.T
	dir    string // its files: ports, key, log
	bin    string
	listen string
	store  string
	more   []string // further flags
	cmd    *exec.Cmd
}

// serve starts a server on a store, with given dice.
func serve(t *testing.T, store string, more ...string) *server {
	t.Helper()
	bin, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, dir: t.TempDir(), bin: bin, listen: "127.0.0.1:0", store: store, more: more}
	t.Cleanup(func() { s.stop() })
	s.start()
	return s
}

// start starts it, under the address of before when there was one. It does not wait for it: clients do.
func (s *server) start() {
	s.t.Helper()
	_ = os.Remove(s.file("ports"))
	s.cmd = exec.Command(filepath.Join(s.bin, "autobattled"), append([]string{"serve", "--listen", s.listen, "--http", "127.0.0.1:0",
		"--store", s.store, "--ports-file", s.file("ports"), "--local-key", s.file("key"), "--log-file", s.file("log"), "--given-seed", "7"}, s.more...)...)
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
}

// stop asks it to end, and waits until it has.
func (s *server) stop() {
	s.t.Helper()
	if s.cmd.ProcessState != nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("server stopped: %v\n%s", err, s.log())
	}
}

func (s *server) file(name string) string { return filepath.Join(s.dir, name) }

func (s *server) log() []byte {
	log, _ := os.ReadFile(s.file("log"))
	return log
}

// client is the program, about to be run.
func (s *server) client(args ...string) *exec.Cmd {
	flags := []string{"--ports-file", s.file("ports"), "--key-file", s.file("key"), "--no-color"}
	return exec.Command(filepath.Join(s.bin, "autobattle"), append(flags, args...)...)
}

// run runs the client and gives its output and exit code.
func (s *server) run(args ...string) (out, errs string, code int) {
	s.t.Helper()
	cmd := s.client(args...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// must is run, when it is to succeed.
func (s *server) must(args ...string) string {
	s.t.Helper()
	out, errs, code := s.run(args...)
	if code != 0 {
		s.t.Fatalf("autobattle %v: exit %d\n%s\n%s\nserver log:\n%s", args, code, out, errs, s.log())
	}
	return out
}

// refused is run, when it is to fail with words.
func (s *server) refused(code int, want string, args ...string) {
	s.t.Helper()
	out, errs, got := s.run(args...)
	if got != code || !strings.Contains(errs, want) {
		s.t.Errorf("autobattle %v: exit %d, want %d and %q in %q; output %q", args, got, code, want, errs, out)
	}
}

// dial is a connection of the test's own.
func (s *server) dial() *api {
	s.t.Helper()
	a, err := (&cli{PortsFile: s.file("ports"), KeyFile: s.file("key"), Lang: "en"}).dial(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = a.conn.Close() })
	return a
}

// open makes a battle of the demonstration that has just begun, and gives the prompt it waits for.
func (s *server) open(seed uint64) (d *demo, prompt *pb.Prompt) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	s.t.Cleanup(cancel)
	d = newDemo(ctx, s.dial(), &printer{w: io.Discard})
	if err := d.open(seed); err != nil {
		s.t.Fatal(err)
	}
	for _, p := range d.prompts {
		if p.GetLive() {
			return d, p.GetPrompt()
		}
	}
	s.t.Fatal("the battle waits for nobody")
	return nil, nil
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return lines[len(lines)-1]
}

func contains(t *testing.T, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not show %q:\n%s", what, want, text)
		}
	}
}
