package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protodelim"

	pb "autobattle/proto/autobattle/v1"
)

// exportMagic is the first line of an exported battle; length-delimited ExportRecords follow.
const exportMagic = "autobattle export 1\n"

// maxRecord is the largest record that is read, in bytes.
const maxRecord = 64 << 20

type exportCmd struct {
	Battle string `arg:"" help:"Id of the battle."`
	File   string `arg:"" help:"File to write."`
}

// Run writes a battle to a file.
func (w *exportCmd) Run(ctx context.Context, c *cli, out *printer) error {
	return onBattle(ctx, c, func(a *api) error {
		end, err := a.exportTo(ctx, w.Battle, w.File)
		if err != nil {
			return err
		}
		if out.json {
			return out.message(end)
		}
		out.printf("exported %d commits to %s", end.GetCommits(), w.File)
		return nil
	})
}

// exportTo writes a battle to a file, which appears only when it is whole.
func (a *api) exportTo(ctx context.Context, battle, path string) (end *pb.ExportEnd, err error) {
	s, err := a.replay.ExportBattle(ctx, &pb.ExportBattleRequest{BattleId: battle})
	if err != nil {
		return nil, err
	}
	tmp := path + ".part"
	f, err := os.Create(tmp)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(tmp)
		}
	}()
	w := bufio.NewWriter(f)
	if _, err := w.WriteString(exportMagic); err != nil {
		return nil, err
	}
	for {
		r, err := s.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if e := r.GetRecord().GetEnd(); e != nil {
			end = e
		}
		if _, err := protodelim.MarshalTo(w, r.GetRecord()); err != nil {
			return nil, err
		}
	}
	if end == nil {
		return nil, errors.New("the server ended the export without its end record")
	}
	if err := errors.Join(w.Flush(), f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	return end, os.Rename(tmp, path)
}

type verifyCmd struct {
	File string `arg:"" help:"Exported battle." type:"existingfile"`
}

// unsound is the error of an export that is not what it should be.
type unsound struct{ v *pb.Verdict }

// Error names the first commit that is wrong.
func (u unsound) Error() string {
	where := "the export"
	if n := u.v.GetWrongVersion(); n != 0 {
		where = fmt.Sprintf("commit %d", n)
		if f := u.v.GetWrongFact(); f >= 0 {
			where += fmt.Sprintf(", fact %d", f)
		}
	}
	return fmt.Sprintf("not sound: %s: %s", where, u.v.GetProblem())
}

// Run checks an exported battle.
func (w *verifyCmd) Run(ctx context.Context, c *cli, out *printer) error {
	return onBattle(ctx, c, func(a *api) error {
		v, err := a.verifyFile(ctx, w.File)
		if err != nil {
			return err
		}
		if out.json {
			if err := out.message(v); err != nil {
				return err
			}
		}
		if !v.GetSound() {
			return unsound{v}
		}
		if !out.json {
			dice := "the faces as recorded, since the seed is not revealed yet"
			if v.GetDiceChecked() {
				dice = "every face from the revealed seed"
			}
			out.printf("verified %d commits (%d throws; %s)", v.GetCommits(), v.GetThrows(), dice)
		}
		return nil
	})
}

// verifyFile streams an export to the server. A file that is cut off or is no export is unsound, too.
func (a *api) verifyFile(ctx context.Context, path string) (*pb.Verdict, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	magic := make([]byte, len(exportMagic))
	if _, err := io.ReadFull(in, magic); err != nil || string(magic) != exportMagic {
		return &pb.Verdict{WrongFact: -1, Problem: fmt.Sprintf("%s is no exported battle: it does not begin with %q", path, exportMagic[:len(exportMagic)-1])}, nil
	}
	s, err := a.replay.VerifyExport(ctx)
	if err != nil {
		return nil, err
	}
	read := protodelim.UnmarshalOptions{MaxSize: maxRecord}
	commits := uint64(0)
	for {
		r := &pb.ExportRecord{}
		err := read.UnmarshalFrom(in, r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return &pb.Verdict{WrongVersion: commits + 1, WrongFact: -1, Problem: fmt.Sprintf("its record cannot be read: %v", err)}, nil
		}
		if r.GetCommit() != nil {
			commits++
		}
		if err := s.Send(&pb.VerifyExportRequest{Record: r}); err != nil {
			break // the server has answered; its answer says why
		}
	}
	resp, err := s.CloseAndRecv()
	if err != nil {
		return nil, err
	}
	return resp.GetVerdict(), nil
}
