package bolt

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"autobattle/state"
)

var duel = state.ID{Tenant: "main", Battle: "duel"}

func entry(version uint64) state.Entry {
	key := fmt.Sprintf("cmd-%d", version)
	return state.Entry{Version: version, Command: key, Digest: sha256.Sum256([]byte(key)), Data: []byte(strings.Repeat(key, 50))}
}

// fill writes a battle of the given length and closes the file.
func fill(t *testing.T, path string, versions uint64) {
	t.Helper()
	s := openFile(t, path)
	for v := uint64(1); v <= versions; v++ {
		err := s.Append(t.Context(), duel, entry(v), state.Head{}, nil)
		if v == 1 {
			err = s.Create(t.Context(), duel, entry(v), state.Head{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "battles")
	fill(t, path, 30)
	s := openFile(t, path)
	defer func() { _ = s.Close() }()
	got, err := s.Load(t.Context(), duel)
	if err != nil || got.Head.Version != 30 || len(got.Entries) != 30 {
		t.Fatalf("loaded %d entries, head %d, %v", len(got.Entries), got.Head.Version, err)
	}
	for i, e := range got.Entries {
		if want := entry(uint64(i + 1)); !e.Same(want) || string(e.Data) != string(want.Data) {
			t.Fatalf("entry %d is %v", i+1, e)
		}
	}
}

func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "battles")
	s := openFile(t, path)
	defer func() { _ = s.Close() }()
	_, err := Open(path)
	if !errors.Is(err, state.ErrUnavailable) || !strings.Contains(err.Error(), "in use by another process") {
		t.Fatalf("second open: %v", err)
	}
}

func TestRefusedFiles(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	fill(t, whole, 200)
	good, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		content []byte
		want    error
	}{
		"text":               {[]byte(strings.Repeat("not a store\n", 2000)), state.ErrCorrupt},
		"half":               {good[:len(good)/2], state.ErrCorrupt},
		"one page":           {good[:os.Getpagesize()], state.ErrCorrupt},
		"a few bytes":        {good[:100], state.ErrCorrupt},
		"both metas damaged": {append(make([]byte, 2*os.Getpagesize()), good[2*os.Getpagesize():]...), state.ErrCorrupt},
	}
	for name, test := range tests {
		path := filepath.Join(dir, "damaged")
		if err := os.WriteFile(path, test.content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path)
		if !errors.Is(err, test.want) {
			t.Errorf("%s: open gives %v, %v", name, s, err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "no", "folder"), dir} {
		if _, err := Open(path); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("open of %s: %v", path, err)
		}
	}
}

// TestDamagedPages breaks one page at a time: the store says so or answers rightly, and never panics.
func TestDamagedPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "battles")
	fill(t, path, 300)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	noticed := 0
	r := rand.New(rand.NewPCG(1, 2))
	for page := 2 * os.Getpagesize(); page < len(good); page += os.Getpagesize() {
		bad := append([]byte(nil), good...)
		for i := range os.Getpagesize() {
			bad[page+i] = byte(r.Uint32())
		}
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path)
		if err != nil {
			if !errors.Is(err, state.ErrCorrupt) {
				t.Fatalf("page at %d: open: %v", page, err)
			}
			noticed++
			continue
		}
		got, err := s.Load(t.Context(), duel)
		switch {
		case errors.Is(err, state.ErrCorrupt):
			noticed++
		case err != nil && !errors.Is(err, state.ErrNotFound):
			t.Fatalf("page at %d: load: %v", page, err)
		case err == nil:
			for i, e := range got.Entries {
				if want := entry(uint64(i + 1)); !e.Same(want) || string(e.Data) != string(want.Data) {
					t.Fatalf("page at %d: entry %d is wrong and nobody noticed", page, i+1)
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Fatalf("page at %d: close: %v", page, err)
		}
	}
	if noticed == 0 {
		t.Fatal("no damage was noticed")
	}
	t.Logf("%d of %d damaged pages mattered", noticed, len(good)/os.Getpagesize()-2)
}

// TestBrokenNeighbour: a battle that cannot be read does not spoil the writes of others.
func TestBrokenNeighbour(t *testing.T) {
	s := openFile(t, filepath.Join(t.TempDir(), "battles"))
	defer func() { _ = s.Close() }()
	if err := s.Create(t.Context(), duel, entry(1), state.Head{}); err != nil {
		t.Fatal(err)
	}
	raw := func(tx write) write { tx.result = make(chan error, 1); return tx }
	broken, fine := raw(write{do: func(*bolt.Tx) error { return state.ErrCorrupt }}), raw(write{do: func(tx *bolt.Tx) error {
		return s.add(tx, duel, entry(2), state.Head{}, 0)
	}})
	s.commit([]*write{&broken, &fine})
	if err := <-broken.result; !errors.Is(err, state.ErrCorrupt) {
		t.Errorf("the broken write ends with %v", err)
	}
	if err := <-fine.result; err != nil {
		t.Errorf("the other write ends with %v", err)
	}
	if h, err := s.Head(t.Context(), duel); err != nil || h.Version != 2 {
		t.Errorf("head is %d, %v", h.Version, err)
	}
}

// TestKilled kills a process that appends, many times, and looks for what it said was stored.
func TestKilled(t *testing.T) {
	if path := os.Getenv("BOLT_TEST_APPEND"); path != "" {
		appendForever(t, path)
	}
	path := filepath.Join(t.TempDir(), "battles")
	fill(t, path, 1)
	acknowledged := uint64(1)
	for round := range 20 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "BOLT_TEST_APPEND="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; n < 5+7*round && lines.Scan(); n++ {
			if _, err := fmt.Sscanf(lines.Text(), "stored %d", &acknowledged); err != nil {
				t.Fatalf("round %d: the process says %q", round, lines.Text())
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		rest, _ := io.ReadAll(out)
		for line := range strings.Lines(string(rest)) {
			if strings.HasSuffix(line, "\n") {
				_, _ = fmt.Sscanf(line, "stored %d", &acknowledged)
			}
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the process ended by itself")
		}
		s := openFile(t, path)
		got, err := s.Load(t.Context(), duel)
		if err != nil || got.Head.Version < acknowledged || uint64(len(got.Entries)) != got.Head.Version {
			t.Fatalf("round %d: acknowledged %d, loaded head %d with %d entries, %v", round, acknowledged, got.Head.Version, len(got.Entries), err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("20 rounds, %d acknowledged, 0 lost", acknowledged)
}

// appendForever appends and says what is stored, until it is killed.
func appendForever(t *testing.T, path string) {
	s := openFile(t, path)
	h, err := s.Head(t.Context(), duel)
	for v := h.Version + 1; err == nil; v++ {
		if err = s.Append(t.Context(), duel, entry(v), state.Head{}, nil); err == nil {
			_, err = fmt.Printf("stored %d\n", v)
		}
	}
	t.Fatal(err)
}
