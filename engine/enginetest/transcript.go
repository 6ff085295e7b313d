package enginetest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

var update = flag.Bool("update", false, "rewrite transcripts")

// Setup is what a transcript starts from: a battle in its lobby with its actors, and its arena (nil: none).
type Setup struct {
	System *engine.System
	Battle *engine.Battle
	World  voxel.World
}

// Transcript plays a file and compares what it gave, line by line. No face may be left over. With -update it rewrites it.
func Transcript(t *testing.T, path string, from Setup) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := Play(t, string(raw), from)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := string(raw)
	if got != want {
		g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := 0; i < max(len(g), len(w)); i++ {
			if i >= len(g) || i >= len(w) || g[i] != w[i] {
				t.Fatalf("%s:%d\n got: %s\nwant: %s\n(run with -update and read the diff)", path, i+1, at(g, i), at(w, i))
			}
		}
	}
}

func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "(end)"
}

// Play runs the commands of a transcript and gives it back with the facts that came.
func Play(t *testing.T, text string, from Setup) string {
	t.Helper()
	var out strings.Builder
	b, skip := from.Battle, false
	log := []engine.Commit{}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "#"):
			out.WriteString(line + "\n")
			continue
		case line == "":
			if !skip {
				out.WriteString("\n")
			}
			skip = false
			continue
		case skip:
			continue
		}
		command, faces, _ := strings.Cut(line, " faces ")
		script, err := dice.Script(faces)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		c, err := parse(b, command)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		out.WriteString(line + "\n----\n")
		next, commit, err := engine.Step(from.System, b, c, engine.Env{World: from.World, Dice: script})
		var no *engine.Rejection
		switch {
		case errors.As(err, &no):
			fmt.Fprintf(&out, "refused %s\n", no.Error())
		case err != nil:
			t.Fatalf("%q: %v", line, err)
		default:
			if left := script.Left(); left != "" {
				t.Fatalf("%q: faces left over: %s", line, left)
			}
			for _, f := range commit.Facts {
				if _, framed := f.Event.(engine.Framed); framed {
					continue
				}
				out.WriteString(Format(next, f) + "\n")
			}
			b = next
			log = append(log, commit)
		}
		out.WriteString("\n")
		skip = true
	}
	CheckReplay(t, from.Battle, log, b)
	return out.String()
}

// parse reads one command. Prompts are found by whose they are.
func parse(b *engine.Battle, line string) (engine.Command, error) {
	w := strings.Fields(line)
	switch {
	case len(w) == 1 && w[0] == "start":
		return engine.Start{}, nil
	case len(w) == 1 && w[0] == "end":
		return engine.End{}, nil
	case len(w) == 1 && w[0] == "timeup":
		c := engine.TimeUp{}
		for _, p := range b.LivePrompts() {
			c.Prompts = append(c.Prompts, p.ID)
		}
		return c, nil
	case len(w) < 2:
		return nil, errors.New("not a command")
	}
	var who engine.ActorID
	if w[0] != "master" {
		a := b.ActorByKey(w[0])
		if a == nil {
			return nil, fmt.Errorf("no actor %q", w[0])
		}
		who = a.ID
	}
	d := engine.Decide{By: who}
	for _, p := range b.LivePrompts() {
		if p.Whose == who {
			d.Prompt = p.ID
			break
		}
	}
	if w[1] == "declines" {
		return d, nil
	}
	if w[1] != "does" || len(w) < 3 {
		return nil, errors.New("want: NAME does ACT … or NAME declines")
	}
	in := engine.Intent{Act: engine.ActName(w[2]), By: who}
	for i := 3; i < len(w); i++ {
		key := w[i]
		switch {
		case !keyword(key):
			return nil, fmt.Errorf("unknown word %q", key)
		case key == "same":
			in.Same = true
		}
		for i+1 < len(w) && !keyword(w[i+1]) {
			i++
			if err := field(b, &in, who, key, w[i]); err != nil {
				return nil, err
			}
		}
	}
	d.Intents = []engine.Intent{in}
	return d, nil
}

func keyword(s string) bool {
	switch s {
	case "at", "with", "part", "about", "mods", "path", "look", "amount", "same":
		return true
	}
	return false
}

// field sets one field of an intent from its word.
func field(b *engine.Battle, in *engine.Intent, who engine.ActorID, key, val string) error {
	switch key {
	case "at":
		if a := b.ActorByKey(val); a != nil {
			in.Targets = append(in.Targets, engine.Target{Ref: a.ID.On()})
			return nil
		}
		c, err := coords(val)
		if err != nil {
			return fmt.Errorf("no actor or cell %q", val)
		}
		in.Targets = append(in.Targets, engine.Target{Cell: voxel.Pos{X: c[0], Y: c[1], Z: c[2]}})
	case "with":
		for ref := range strings.SplitSeq(val, ",") {
			found := engine.ItemID(0)
			for it := range b.ItemsOf(who) {
				if string(it.Ref) == ref {
					found = it.ID
					break
				}
			}
			if found == 0 {
				return fmt.Errorf("no item %q", ref)
			}
			in.Items = append(in.Items, found)
		}
	case "part":
		in.Part = engine.PartName(val)
	case "about":
		in.About = engine.TraitName(val)
	case "mods":
		for m := range strings.SplitSeq(val, ",") {
			in.Mods = append(in.Mods, engine.ModName(m))
		}
	case "path":
		c, err := coords(val)
		if err != nil {
			return err
		}
		in.Path = append(in.Path, voxel.Pos{X: c[0], Y: c[1], Z: c[2]})
	case "look":
		c, err := coords(val)
		if err != nil {
			return err
		}
		in.Look = voxel.Look{X: c[0], Y: c[1], Z: c[2]}
	case "amount":
		n, err := strconv.ParseInt(val, 10, 32)
		if err != nil {
			return err
		}
		in.Amount = int32(n)
	default:
		return fmt.Errorf("unknown word %q", key)
	}
	return nil
}

func coords(s string) (c [3]int32, err error) {
	parts := strings.Split(s, ",")
	if len(parts) != 3 {
		return c, fmt.Errorf("want X,Y,Z, got %q", s)
	}
	for i := range parts {
		n, err := strconv.ParseInt(parts[i], 10, 32)
		if err != nil {
			return c, err
		}
		c[i] = int32(n)
	}
	return c, nil
}
