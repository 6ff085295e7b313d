package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"

	pb "autobattle/proto/autobattle/v1"
)

// A battle is fought by hand: choices, odds, acts; and what is wrong is refused with what would be right.
func TestByHand(t *testing.T) {
	s := serve(t, "memory:")
	d, p := s.open(7)
	id, me, foe := fmt.Sprint(p.GetId()), fmt.Sprint(p.GetWhose()), fmt.Sprint(d.players[p.GetWhose()].foe)
	player := d.players[p.GetWhose()].id
	other := d.players[d.players[p.GetWhose()].foe].id

	contains(t, "choices", s.must("choices", d.id), "prompt "+id, "actor "+me, "free_move", "cells in reach", "not possible")
	all := &pb.ListChoicesResponse{}
	if err := protojson.Unmarshal([]byte(s.must("--json", "--player", player, "choices", d.id, "--prompt", id)), all); err != nil || len(all.GetChoices()) != 1 {
		t.Fatalf("choices --json: %v, %v", all, err)
	}
	// Behind the breastwork the archer has cover, and something to shoot at.
	turn := &turnOf{duellist: d.players[p.GetWhose()], prompt: p, offers: all.GetChoices()[0].GetOffers()}
	if err := d.lookAround(turn); err != nil {
		t.Fatal(err)
	}
	step, err := d.shelter(turn, find(turn.offers, "free_move"))
	if err != nil || step == nil {
		t.Fatalf("no cover in reach: %v", err)
	}
	bow := find(turn.offers, "attack")
	if bow == nil || len(bow.GetItems()) == 0 || bow.GetRefusal().GetReason() != pb.ErrorReason_ERROR_REASON_OUT_OF_SIGHT {
		t.Fatalf("an attack without a line of sight is offered as %v", bow)
	}
	item := fmt.Sprint(bow.GetItems()[0].GetItems()[0])

	contains(t, "odds", s.must("odds", d.id, id, "free_move", "--path", "40,1,20"), "not possible", "too far")

	far := []string{"act", d.id, id, "free_move", "--path", "40,1,20"}
	for _, want := range []string{"reason too_far", "rule KM-MOVE-02", "cells, the nearest "} {
		s.refused(exitFailed, want, far...)
	}
	s.refused(exitFailed, "Это слишком далеко", append([]string{"--lang", "ru"}, far...)...)
	_, errs, code := s.run(append([]string{"--json"}, far...)...)
	if code != exitFailed || !strings.Contains(errs, `"ERROR_REASON_TOO_FAR"`) || strings.Count(errs, "\n") != 1 {
		t.Errorf("a refusal as JSON: exit %d, %q", code, errs)
	}
	s.refused(exitFailed, "code PermissionDenied", append([]string{"--player", other}, far...)...)
	s.refused(exitFailed, "unknown_act", "act", d.id, id, "fly")
	s.refused(exitFailed, "unknown_target", "act", d.id, id, "attack", "--target", "4000", "--item", item)
	s.refused(exitFailed, "unknown_item", "act", d.id, id, "attack", "--target", foe, "--item", "4000")

	walk := []string{"--player", player, "act", d.id, id, "free_move", "--path", cellWord(step), "--command-id", "hand-1"}
	moved := s.must(walk...)
	contains(t, "act", moved, "moved to", "? ")
	if again := s.must(walk...); !strings.Contains(again, "moved to") {
		t.Errorf("the same command again: %q, before %q", again, moved)
	}
	s.refused(exitFailed, "command_id_reused", "--player", player, "act", d.id, id, "pass", "--command-id", "hand-1")
	open := &pb.ListChoicesResponse{}
	if err := protojson.Unmarshal([]byte(s.must("--json", "choices", d.id)), open); err != nil {
		t.Fatal(err)
	}
	r := &pb.ActResponse{}
	next := fmt.Sprint(open.GetChoices()[0].GetPrompt().GetPrompt().GetId())
	contains(t, "odds", s.must("odds", d.id, next, "attack", "--target", foe, "--item", item), " %  ", "[KM-", "actor "+me+" rolls attack", "actor "+foe+" rolls defence", "supposed")
	odds := &pb.PreviewResponse{}
	if err := protojson.Unmarshal([]byte(s.must("--json", "odds", d.id, next, "attack", "--target", foe, "--item", item)), odds); err != nil || len(odds.GetForecasts()) != 1 {
		t.Errorf("odds --json: %v, %v", odds, err)
	}
	if err := protojson.Unmarshal([]byte(s.must("--json", "act", d.id, next, "pass")), r); err != nil || len(r.GetResult().GetFacts()) == 0 {
		t.Errorf("act --json: %v, %v", r, err)
	}

	// A player sees from his own actors alone; a master both ways.
	both := s.must("inspect", d.id, me, foe)
	if one := s.must("--player", player, "inspect", d.id, me, foe); strings.Count(both, "points of the body") != 2 || strings.Count(one, "points of the body") != 1 {
		t.Errorf("inspect: %q, as a player %q", both, one)
	}
	s.refused(exitFailed, "unknown_actor", "--player", player, "inspect", d.id, foe, me)
}

// watching is a watch that runs.
type watching struct {
	t    *testing.T
	out  *bufio.Scanner
	errs bytes.Buffer
	wait func() error
	stop func(os.Signal) error
}

func (s *server) watch(args ...string) *watching {
	s.t.Helper()
	cmd := s.client(append([]string{"watch"}, args...)...)
	w := &watching{t: s.t, wait: cmd.Wait}
	cmd.Stderr = &w.errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	w.out = bufio.NewScanner(out)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	w.stop = cmd.Process.Signal
	s.t.Cleanup(func() { _ = cmd.Process.Kill() })
	return w
}

// until reads lines up to one with a text.
func (w *watching) until(text string) {
	w.t.Helper()
	for w.out.Scan() {
		if strings.Contains(w.out.Text(), text) {
			return
		}
	}
	w.t.Fatalf("the watch ended before %q: %v, %s", text, w.out.Err(), &w.errs)
}

// end reads the rest and waits for the end.
func (w *watching) end() (rest string) {
	w.t.Helper()
	for w.out.Scan() {
		rest += w.out.Text() + "\n"
	}
	if err := w.wait(); err != nil {
		w.t.Errorf("watch: %v, %s", err, &w.errs)
	}
	return rest
}

// A watch goes on where it was: over a restart of the server by itself, after an interruption from its cursor.
func TestWatchGoesOn(t *testing.T) {
	s := serve(t, "bolt:"+filepath.Join(t.TempDir(), "watch.db"))
	d, p := s.open(7)
	player := d.players[p.GetWhose()].id
	live := s.watch(d.id)
	live.until("running, round 1")
	live.until("? ") // whom it waits for

	mine := s.watch(d.id, "--player", player)
	mine.until("your turn")
	if err := mine.stop(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	mine.end()
	m := regexp.MustCompile(`--cursor (\S+)`).FindStringSubmatch(mine.errs.String())
	if m == nil {
		t.Fatalf("an interrupted watch says %q", &mine.errs)
	}

	s.listen = d.address
	s.stop()
	s.start()
	s.must("wait")
	if _, err := s.dial().battle.EndBattle(t.Context(), &pb.EndBattleRequest{BattleId: d.id, CommandId: "end"}); err != nil {
		t.Fatal(err)
	}
	for name, rest := range map[string]string{"over a restart": live.end(), "from a cursor": s.must("--player", player, "watch", d.id, "--cursor", m[1])} {
		if strings.Contains(rest, "Round 1") || strings.Count(rest, "The battle is over") != 1 {
			t.Errorf("%s the watch shows %q", name, rest)
		}
	}
	s.refused(exitFailed, "bad_cursor", "watch", d.id, "--cursor", "nonsense")
}

func TestNoServer(t *testing.T) {
	s := serve(t, "memory:")
	s.must("wait")
	contains(t, "wait --json", s.must("--json", "wait"), "SERVING")
	s.stop()
	s.refused(exitFailed, "the server cannot be reached", "list")
}

// The arena of the demonstration is what the server takes for whole: every section has all its blocks.
func TestDemoArena(t *testing.T) {
	for _, part := range demoArena() {
		for _, sec := range part.GetSections().GetSections() {
			n := uint32(0)
			for i := 0; i < len(sec.GetRuns()); i += 2 {
				n += sec.GetRuns()[i]
			}
			if n != section*section*section {
				t.Errorf("section %v has %d blocks", sec.GetAt(), n)
			}
		}
	}
}

// A failed call that carries no detail is still told apart from a mistake of the client's own.
func TestReport(t *testing.T) {
	var out bytes.Buffer
	report(&out, usagef("--path %q: want x,y,z", "1"), false)
	if out.String() != "autobattle: --path \"1\": want x,y,z\n" {
		t.Errorf("%q", &out)
	}
	if c := failure(usagef("x")).Code(); c != codes.OK {
		t.Errorf("a mistake of the client's own has the code %s", c)
	}
	for ppm, want := range map[uint32]string{234_568: "23.5 %", 1_000_000: "100.0 %", 500: "0.1 %", 499: "< 0.1 %"} {
		if got := percent(ppm); got != want {
			t.Errorf("%d: %q, want %q", ppm, got, want)
		}
	}
}
