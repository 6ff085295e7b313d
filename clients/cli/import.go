package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"autobattle/clients/arenas"
	"autobattle/clients/arenas/blocks"
	pb "autobattle/proto/autobattle/v1"
)

const (
	importCells    = 1 << 26 // the most cells of a cut that is not uploaded; a server has a limit of its own
	importSections = 128     // sections in one message of an upload
)

type importCmd struct {
	Path string `arg:"" help:"A .schem or .schematic file, a folder of region files, or a world." type:"path"`
	Box  string `help:"What to cut out, x0,y0,z0,x1,y1,z1, the second corner one beyond; widened to multiples of 16. Default: all that is not air."`
	Put  bool   `help:"Upload it, and print its hash for CreateBattle."`
}

// imported is the answer as JSON.
type imported struct {
	Min      [3]int32       `json:"min"`
	Max      [3]int32       `json:"max"` // one beyond
	Cells    int64          `json:"cells"`
	Blocks   int64          `json:"blocks"` // cells that are not air
	Kinds    int            `json:"kinds"`
	Unknown  []unknownBlock `json:"unknown"`
	Arena    string         `json:"arena,omitempty"`
	Known    bool           `json:"known,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
}

// unknownBlock is a name of which the tables know nothing.
type unknownBlock struct {
	Name  string `json:"name"`
	Count int    `json:"count"` // in the whole file
}

// Run cuts a box out of a world.
func (w *importCmd) Run(ctx context.Context, c *cli, out *printer) error {
	table, err := blocks.Load()
	if err != nil {
		return err
	}
	model, err := arenas.Open(os.DirFS(filepath.Dir(w.Path)), filepath.Base(w.Path), table)
	if err != nil {
		return err
	}
	box := model.Bounds()
	if w.Box != "" {
		if box, err = boxOf(w.Box); err != nil {
			return err
		}
	}
	if !w.Put {
		return w.cut(model, box, importCells, out, nil)
	}
	return onBattle(ctx, c, func(a *api) error {
		info, err := a.rules.GetServerInfo(ctx, &pb.GetServerInfoRequest{Client: "autobattle-cli"})
		if err != nil {
			return err
		}
		return w.cut(model, box, int64(info.GetLimits().GetArenaCells()), out, func(whole *pb.PutWholeArenaRequest) (*pb.PutArenaResponse, error) {
			return a.upload(ctx, arenas.Stream(whole, importSections))
		})
	})
}

// cut makes the upload, sends it where there is somebody to send it to, and prints what it is.
func (w *importCmd) cut(m *arenas.Model, box arenas.Box, most int64, out *printer, send func(*pb.PutWholeArenaRequest) (*pb.PutArenaResponse, error)) error {
	whole, err := m.Arena(box, most)
	if err != nil {
		return fmt.Errorf("%w; choose a box with --box, the world has blocks from %v", err, m.Bounds())
	}
	lo, hi := placeOf(whole.GetHeader().GetMin()), placeOf(whole.GetHeader().GetMax())
	r := &imported{Min: lo, Max: hi, Kinds: len(whole.GetHeader().GetPalette()), Unknown: []unknownBlock{}}
	for _, u := range m.Unknown() {
		r.Unknown = append(r.Unknown, unknownBlock(u))
	}
	r.Cells = int64(hi[0]-lo[0]) * int64(hi[1]-lo[1]) * int64(hi[2]-lo[2])
	if r.Blocks, err = countBlocks(whole); err != nil {
		return err
	}
	if send != nil {
		put, err := send(whole)
		if err != nil {
			return err
		}
		r.Arena, r.Known, r.Warnings = hex.EncodeToString(put.GetArena()), put.GetKnown(), put.GetWarnings()
	}
	if out.json {
		return json.NewEncoder(out.w).Encode(r)
	}
	out.printf("%d × %d × %d cells from %d,%d,%d: %d blocks of %d kinds", hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2], lo[0], lo[1], lo[2], r.Blocks, r.Kinds)
	for _, u := range r.Unknown {
		out.printf("  unknown, counts as a full cube: %s (%d in the whole file)", u.Name, u.Count)
	}
	if len(r.Warnings) > 0 {
		out.printf("  usually of another shape: %s", strings.Join(r.Warnings, ", "))
	}
	if r.Arena != "" {
		out.printf("arena %s", r.Arena)
	}
	return nil
}

// countBlocks counts the cells that are not air.
func countBlocks(whole *pb.PutWholeArenaRequest) (n int64, err error) {
	w := &world{palette: whole.GetHeader().GetPalette(), sections: map[place]*[section * section * section]uint16{}}
	for _, s := range whole.GetSections() {
		if err := w.add(s); err != nil {
			return 0, err
		}
	}
	for _, s := range w.sections {
		for _, k := range s {
			if w.palette[k].GetName() != "air" {
				n++
			}
		}
	}
	return n, nil
}

// upload streams an arena.
func (a *api) upload(ctx context.Context, parts []*pb.PutArenaRequest) (*pb.PutArenaResponse, error) {
	s, err := a.arena.PutArena(ctx)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if s.Send(part) != nil {
			break // the server has answered; CloseAndRecv says what
		}
	}
	return s.CloseAndRecv()
}

// boxOf reads the words of a box.
func boxOf(s string) (arenas.Box, error) {
	parts := strings.Split(s, ",")
	if len(parts) != 6 {
		return arenas.Box{}, usagef("--box %q: want x0,y0,z0,x1,y1,z1", s)
	}
	var x [6]int32
	for i, p := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(p), 10, 23)
		if err != nil {
			return arenas.Box{}, usagef("--box %q: %q is no whole number within ±4194303", s, p)
		}
		x[i] = int32(n)
	}
	box := arenas.Box{Min: arenas.Pos{X: x[0], Y: x[1], Z: x[2]}, Max: arenas.Pos{X: x[3], Y: x[4], Z: x[5]}}
	if box.Empty() {
		return box, usagef("--box %q: each of the last three must be above its like among the first three", s)
	}
	return box, nil
}
