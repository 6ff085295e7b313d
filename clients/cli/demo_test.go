package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	pb "autobattle/proto/autobattle/v1"
	"autobattle/state/redis/redistest"
)

// The duel gives the same log, to the letter, on every store.
func TestDemoIsTheSameOnEveryStore(t *testing.T) {
	redis := redistest.Start(t)
	servers := map[string]*server{
		"memory": serve(t, "memory:"), "redis": serve(t, redis.URL()), "bolt": serve(t, "bolt:"+filepath.Join(t.TempDir(), "demo.db")),
	}
	logs := map[string]string{}
	for name, s := range servers {
		logs[name] = s.must("demo", "--seed", "7")
		if last := lastLine(logs[name]); !regexp.MustCompile(`^battle over: .*\d+ rounds, \d+ commits, .*verified$`).MatchString(last) {
			t.Errorf("%s: the last line is %q", name, last)
		}
	}
	for _, name := range []string{"bolt", "redis"} {
		if logs[name] != logs["memory"] {
			t.Errorf("the log on %s differs from that in memory:\n%s\n----\n%s", name, logs[name], logs["memory"])
		}
	}
	contains(t, "the log", logs["memory"], "— Round 1 —", "too far", "cover", "free movement", "bow", "The lamp goes out", "block broken: 10 3 12", "shade",
		"sword — main hand", "Seed revealed")
	if strings.Contains(logs["memory"], "\x1b") {
		t.Error("there is colour where there is no terminal")
	}

	t.Run("again", func(t *testing.T) {
		s := servers["bolt"]
		s.stop()
		s.start() // what was played is still there
		russian := s.must("--lang", "ru", "demo", "--seed", "7")
		contains(t, "the Russian log", russian, "— Раунд 1 —", "Это слишком далеко", "укрытие", "Лампа гаснет", "Бой окончен")
		if last := lastLine(russian); !strings.HasPrefix(last, "battle over:") {
			t.Errorf("the last line is %q", last)
		}
		contains(t, "list", s.must("list"), "demo-7 ", "demo-7-2 ")
	})
	t.Run("export", func(t *testing.T) { exported(t, servers["memory"]) })
	t.Run("read", func(t *testing.T) { read(t, servers["memory"], logs["memory"]) })
}

// exported checks that an export is verified, and refused when a byte of it is changed.
func exported(t *testing.T, s *server) {
	file := s.file("battle")
	contains(t, "export", s.must("export", "demo-7", file), "exported ")
	good := s.must("verify", file)
	if !regexp.MustCompile(`^verified \d+ commits`).MatchString(good) {
		t.Fatalf("verify says %q", good)
	}
	v := &pb.Verdict{}
	if err := protojson.Unmarshal([]byte(s.must("--json", "verify", file)), v); err != nil || !v.GetSound() || !v.GetDiceChecked() {
		t.Errorf("verify --json: %v, %v", v, err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(data []byte) {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Change single bytes well inside the commits, from the middle of the file on.
	for i := range 8 {
		at := len(raw)/2 + i*(len(raw)/2-200)/8
		bad := bytes.Clone(raw)
		bad[at] ^= 0x10
		write(bad)
		out, errs, code := s.run("verify", file)
		if code != exitFailed || !regexp.MustCompile(`not sound: commit \d+`).MatchString(errs) {
			t.Errorf("byte %d changed: exit %d, %q, %q", at, code, out, errs)
		}
	}
	write(raw[:len(raw)-40])
	s.refused(exitFailed, "not sound", "verify", file)
	write([]byte("something else"))
	s.refused(exitFailed, "no exported battle", "verify", file)
}

// read checks what a battle that is over shows.
func read(t *testing.T, s *server, log string) {
	again := s.must("watch", "demo-7", "--beginning")
	for line := range strings.Lines(again) {
		if !strings.Contains(log, line) {
			t.Errorf("watch prints what the demonstration did not: %q", line)
		}
	}
	contains(t, "watch", again, "— Round 1 —", "Seed revealed")
	facts := 0
	for line := range strings.Lines(s.must("--json", "watch", "demo-7", "--beginning")) {
		u := &pb.Update{}
		if err := protojson.Unmarshal([]byte(line), u); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		facts += len(u.GetFacts())
	}
	if facts < 100 {
		t.Errorf("%d facts in all updates", facts)
	}
	contains(t, "choices", s.must("choices", "demo-7"), "no open prompt")
	contains(t, "watch", s.must("watch", "demo-7"), "over, round")
	contains(t, "inspect", s.must("inspect", "demo-7", "1", "5"), "Anna to Boris", "Boris to Anna", "points of the body", "Light at")
	info := &pb.GetServerInfoResponse{}
	if err := protojson.Unmarshal([]byte(s.must("--json", "info")), info); err != nil || info.GetTenant() != "local" {
		t.Errorf("info --json: %v, %v", info, err)
	}
	contains(t, "info", s.must("info"), "ruleset kmrp")
	var list pb.ListBattlesResponse
	if err := protojson.Unmarshal([]byte(s.must("--json", "list")), &list); err != nil || len(list.GetBattles()) != 1 {
		t.Errorf("list --json: %v", err)
	}

	// The demonstration as messages: updates, and the verdict last.
	lines := strings.Split(strings.TrimSpace(s.must("--json", "demo", "--seed", "8")), "\n")
	for _, line := range lines[:len(lines)-1] {
		if err := protojson.Unmarshal([]byte(line), &pb.Update{}); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
	}
	if err := protojson.Unmarshal([]byte(lines[len(lines)-1]), &pb.Verdict{}); err != nil {
		t.Errorf("%v: %q", err, lines[len(lines)-1])
	}

	s.refused(exitFailed, "prompt_closed", "act", "demo-7", "999", "attack")
	s.refused(exitFailed, "unknown_actor", "inspect", "demo-7", "4000", "1")
	s.refused(exitFailed, "battle_not_found", "export", "nowhere", s.file("x"))
	if _, err := os.Stat(s.file("x")); err == nil {
		t.Error("a file is left of an export that failed")
	}
	s.refused(exitFailed, "battle_not_found", "watch", "nowhere")
	s.refused(exitFailed, "field battle_id", "choices", "NO SUCH ID")
	s.refused(exitUsage, "want x,y,z", "act", "demo-7", "1", "walk", "--path", "1,2")
	s.refused(exitUsage, "is not a whole number", "odds", "demo-7", "1", "attack", "--target", "a,b,c")
	s.refused(exitUsage, "odds of what", "odds", "demo-7", "1")
	s.refused(exitUsage, "unexpected argument nope", "nope")
	s.refused(exitUsage, "can't be used together", "watch", "demo-7", "--beginning", "--cursor", "x")
	if err := os.WriteFile(s.file("wrong"), []byte("abk_wrong\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.refused(exitFailed, "bad_key", "--key-file", s.file("wrong"), "list")
}
