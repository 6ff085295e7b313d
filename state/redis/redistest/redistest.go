// Package redistest runs real redis-server processes for tests.
package redistest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// startWithin is how long a server may take to answer.
const startWithin = 20 * time.Second

// Server is a redis-server with a folder and a loopback port of its own.
type Server struct {
	Addr string // host:port

	t    testing.TB
	dir  string
	args []string
	cmd  *exec.Cmd
}

// Start starts a server that persists nothing unless args, in the form of redis-server's command line,
// say otherwise, and stops it when the test ends. A missing redis-server fails the test.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	return start(t, append([]string{"--save", "", "--appendonly", "no"}, args...)...)
}

func start(t testing.TB, args ...string) *Server {
	t.Helper()
	s := &Server{Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(freePort(t))), t: t, dir: t.TempDir(), args: args}
	t.Cleanup(s.Kill)
	s.Run()
	return s
}

// URL is the server's for state/redis.
func (s *Server) URL() string { return "redis://" + s.Addr }

// Run starts the server, also again after Kill: on the same port and with the files it left.
func (s *Server) Run() {
	s.t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		s.t.Fatal("these tests need a real redis-server in PATH: install it (Debian: apt-get install redis-server)")
	}
	_, port, _ := net.SplitHostPort(s.Addr)
	args := append(slices.Clone(s.args), "--port", port, "--bind", "127.0.0.1", "--dir", s.dir, "--daemonize", "no")
	var out bytes.Buffer
	s.cmd = exec.Command(path, args...)
	s.cmd.Stdout, s.cmd.Stderr = &out, &out
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatalf("start %s: %v", path, err)
	}
	if err := s.answer(); err != nil {
		s.Kill()
		s.t.Fatalf("redis-server on %s does not answer: %v\n%s", s.Addr, err, out.String())
	}
}

// answer waits until the server answers anything, an error included.
func (s *Server) answer() error {
	ctx, cancel := context.WithTimeout(context.Background(), startWithin)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := net.DialTimeout("tcp", s.Addr, time.Second)
		if err == nil {
			err = ping(conn)
		}
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}

func ping(conn net.Conn) error {
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return err
	}
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	b := make([]byte, 64)
	n, err := conn.Read(b)
	if err == nil && bytes.HasPrefix(b[:n], []byte("-LOADING")) {
		err = fmt.Errorf("%s", bytes.TrimSpace(b[:n]))
	}
	return err
}

// Kill ends the server at once, without letting it save; nothing happens when it does not run.
func (s *Server) Kill() {
	if s.cmd == nil || s.cmd.Process == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	s.cmd = nil
}

// Pause stops the server where it is (SIGSTOP): its connections stay open and silent.
func (s *Server) Pause() { s.signal(syscall.SIGSTOP) }

// Resume lets a paused server go on.
func (s *Server) Resume() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatalf("signal %s to redis-server: %v", sig, err)
	}
}

// Do runs one command, given in words.
func (s *Server) Do(words ...any) any {
	s.t.Helper()
	client := redis.NewClient(&redis.Options{Addr: s.Addr})
	defer func() { _ = client.Close() }()
	reply, err := client.Do(context.Background(), words...).Result()
	if err != nil {
		s.t.Fatalf("%v: %v", words, err)
	}
	return reply
}
