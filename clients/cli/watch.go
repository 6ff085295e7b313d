package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/fatih/color"
	"google.golang.org/grpc/codes"

	pb "autobattle/proto/autobattle/v1"
)

// resumeWait is how long after a break a watch waits before it goes on from its last cursor, and resumeFor how long without
// any update it keeps trying.
const (
	resumeWait = 200 * time.Millisecond
	resumeFor  = time.Minute
)

type watchCmd struct {
	Battle    string `arg:"" help:"Id of the battle."`
	Beginning bool   `help:"From the beginning; otherwise from now on." xor:"from"`
	Cursor    string `help:"From a point that an earlier watch printed." xor:"from"`
}

// Run follows a battle until it ends. After a break it goes on from its last cursor; when it is interrupted it prints that.
func (w *watchCmd) Run(ctx context.Context, c *cli, out *printer) error {
	return onBattle(ctx, c, func(a *api) error {
		f := follower{api: a, out: out, battle: w.Battle, cursor: w.Cursor, last: time.Now()}
		for {
			err := f.follow(ctx, w.Beginning)
			switch {
			case err == nil:
				return nil
			case ctx.Err() != nil:
				if f.cursor != "" {
					fmt.Fprintf(os.Stderr, "go on with --cursor %s\n", f.cursor)
				}
				return nil
			case !again(err) || f.cursor == "" || time.Since(f.last) > resumeFor:
				return err
			}
			pause := time.NewTimer(resumeWait)
			select {
			case <-ctx.Done():
			case <-pause.C:
			}
		}
	})
}

// again reports whether a watch that broke may go on from its cursor.
func again(err error) bool {
	switch failure(err).Code() {
	case codes.Unavailable, codes.Aborted:
		return true
	}
	return false
}

// follower is a watch that remembers where it is.
type follower struct {
	*api
	out    *printer
	battle string
	cursor string
	last   time.Time // of the last update
}

// follow prints updates until the battle is over or the stream breaks.
func (f *follower) follow(ctx context.Context, beginning bool) error {
	req := &pb.WatchBattleRequest{BattleId: f.battle, PlayerId: f.player, Locale: f.locale}
	switch {
	case f.cursor != "":
		req.From = &pb.WatchBattleRequest_Cursor{Cursor: f.cursor}
	case beginning:
		req.From = &pb.WatchBattleRequest_Beginning{Beginning: true}
	}
	s, err := f.api.battle.WatchBattle(ctx, req)
	if err != nil {
		return err
	}
	for {
		r, err := s.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		f.cursor, f.last = r.GetUpdate().GetCursor(), time.Now()
		if err := f.print(r.GetUpdate()); err != nil {
			return err
		}
	}
}

func (f *follower) print(u *pb.Update) error {
	if f.out.json {
		return f.out.message(u)
	}
	if u.GetReset_() {
		f.out.printf("%s", f.out.paint("what was seen before is void; this is the battle now", color.FgYellow))
	}
	if u.GetSnapshot() != nil {
		printBattle(f.out, u.GetSnapshot())
	}
	f.out.lines(u.GetLines(), u.GetFacts())
	// A player sees what he is asked; a master, to whom the log says it, only where he joins a battle.
	if u.GetPromptsChanged() && (f.player != "" || u.GetSnapshot() != nil) {
		printPrompts(f.out, u.GetPrompts())
	}
	return nil
}

func printBattle(out *printer, b *pb.Battle) {
	out.printf("%s, round %d", word(b.GetPhase().String(), "PHASE_"), b.GetRound())
	for _, a := range b.GetActors() {
		at := a.GetPose().GetAt()
		out.printf("  %d %s (%s) at %d %d %d", a.GetId(), a.GetName(), a.GetTeam(), at.GetX()>>8, at.GetY()>>8, at.GetZ()>>8)
	}
}

// printPrompts prints the prompts that can be answered now.
func printPrompts(out *printer, ps []*pb.OpenPrompt) {
	for _, p := range ps {
		if !p.GetLive() {
			continue
		}
		left := ""
		if p.GetLeftMs() > 0 {
			left = fmt.Sprintf(", %d s left", (p.GetLeftMs()+999)/1000)
		}
		out.printf("%s", out.paint(fmt.Sprintf("? %s (prompt %d%s)", p.GetText(), p.GetPrompt().GetId(), left), color.FgCyan))
	}
}
