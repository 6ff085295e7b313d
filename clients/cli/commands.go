package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/fatih/color"

	pb "autobattle/proto/autobattle/v1"
)

// newCommandID is an idempotency key of this call's own.
func newCommandID() string { return "cli-" + rand.Text() }

// onBattle runs a command with a connection.
func onBattle(ctx context.Context, c *cli, do func(a *api) error) error {
	a, err := c.dial(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(a), a.conn.Close())
}

type infoCmd struct{}

// Run prints what the server is.
func (i *infoCmd) Run(ctx context.Context, c *cli, out *printer) error {
	return onBattle(ctx, c, func(a *api) error {
		r, err := a.rules.GetServerInfo(ctx, &pb.GetServerInfoRequest{Client: "autobattle-cli", ClientVersion: version})
		if err != nil {
			return err
		}
		if out.json {
			return out.message(r)
		}
		rs, err := a.rules.ListRulesets(ctx, &pb.ListRulesetsRequest{})
		if err != nil {
			return err
		}
		out.printf("server %s, schema level %d, tenant %s, role %s", r.GetServerVersion(), r.GetSchemaLevel(), r.GetTenant(), r.GetRole())
		out.printf("features: %s", strings.Join(r.GetFeatures(), ", "))
		for _, s := range rs.GetRulesets() {
			out.printf("ruleset %s, revision %d, catalogue %x: %s", s.GetRuleset(), s.GetRevision(), s.GetCatalogue()[:4], s.GetName().GetEn())
		}
		return nil
	})
}

type listCmd struct{}

// Run prints the battles of the tenant.
func (l *listCmd) Run(ctx context.Context, c *cli, out *printer) error {
	return onBattle(ctx, c, func(a *api) error {
		for token := ""; ; {
			r, err := a.battle.ListBattles(ctx, &pb.ListBattlesRequest{PlayerId: a.player, PageToken: token})
			if err != nil {
				return err
			}
			if out.json {
				if err := out.message(r); err != nil {
					return err
				}
			} else {
				for _, b := range r.GetBattles() {
					out.printf("%-24s %-8s %-8s %4d commits  %s", b.GetBattleId(), b.GetRuleset(), word(b.GetPhase().String(), "PHASE_"), b.GetVersion(), b.GetTitle())
				}
			}
			if token = r.GetNextPageToken(); token == "" {
				return nil
			}
		}
	})
}

// word is an enum value for people.
func word(value, prefix string) string { return strings.ToLower(strings.TrimPrefix(value, prefix)) }

type choicesCmd struct {
	Battle string `arg:"" help:"Id of the battle."`
	Prompt uint32 `help:"Only this prompt."`
}

// Run prints what may be answered.
func (w *choicesCmd) Run(ctx context.Context, c *cli, out *printer) error {
	return onBattle(ctx, c, func(a *api) error {
		r, err := a.battle.ListChoices(ctx, &pb.ListChoicesRequest{BattleId: w.Battle, PlayerId: a.player, Locale: a.locale, PromptId: w.Prompt})
		if err != nil {
			return err
		}
		if out.json {
			return out.message(r)
		}
		if len(r.GetChoices()) == 0 {
			out.printf("no open prompt")
		}
		for _, ch := range r.GetChoices() {
			p := ch.GetPrompt()
			out.printf("%s  (prompt %d, actor %d)", out.paint(p.GetText(), color.Bold), p.GetPrompt().GetId(), p.GetPrompt().GetWhose())
			for _, o := range ch.GetOffers() {
				text := fmt.Sprintf("  %-16s %s%s", o.GetAct(), o.GetLabel(), details(o))
				if o.GetRefusal() != nil {
					text = out.paint(text, color.FgHiBlack)
				}
				out.printf("%s", text)
			}
		}
		return nil
	})
}

// details lists the ids that an offer's label gives by name.
func details(o *pb.Offer) string {
	var parts []string
	for _, t := range o.GetTargets() {
		parts = append(parts, "target "+targetWord(t))
	}
	for _, i := range o.GetItems() {
		parts = append(parts, "items "+strings.Trim(fmt.Sprint(i.GetItems()), "[]"))
	}
	if n := len(o.GetRegion()); n > 0 {
		parts = append(parts, fmt.Sprintf("%d cells", n))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  [" + strings.Join(parts, "; ") + "]"
}

func targetWord(t *pb.Target) string {
	if c := t.GetCell(); c != nil {
		return cellWord(c)
	}
	return strconv.FormatUint(uint64(t.GetRef().GetId()), 10)
}

// answer is the words of an intent.
type answer struct {
	Battle string   `arg:"" help:"Id of the battle."`
	Prompt uint32   `arg:"" help:"Id of the prompt."`
	Act    string   `arg:"" optional:"" help:"The act; none declines."`
	Target []string `help:"Id of an actor, or a cell x,y,z." sep:"none"`
	Item   []uint32 `help:"Id of an item."`
	Part   string   `help:"Part of the body."`
	About  string   `help:"Trait it is about."`
	Mod    []string `help:"A modifier to choose."`
	Path   []string `help:"Cells x,y,z to enter in order; one far cell is a destination." sep:"none"`
	Look   string   `help:"Direction x,y,z to face."`
	Amount int32    `help:"A number the act takes."`
}

// intents reads the words.
func (w *answer) intents() ([]*pb.Intent, error) {
	if w.Act == "" {
		return nil, nil
	}
	in := &pb.Intent{Act: w.Act, Items: w.Item, Part: w.Part, About: w.About, Mods: w.Mod, Amount: w.Amount}
	for _, t := range w.Target {
		if id, err := strconv.ParseUint(t, 10, 32); err == nil {
			in.Targets = append(in.Targets, actorTarget(uint32(id)))
			continue
		}
		x, err := triple("--target", t)
		if err != nil {
			return nil, err
		}
		in.Targets = append(in.Targets, &pb.Target{Target: &pb.Target_Cell{Cell: &pb.Cell{X: x[0], Y: x[1], Z: x[2]}}})
	}
	for _, p := range w.Path {
		x, err := triple("--path", p)
		if err != nil {
			return nil, err
		}
		in.Path = append(in.Path, &pb.Cell{X: x[0], Y: x[1], Z: x[2]})
	}
	if w.Look != "" {
		x, err := triple("--look", w.Look)
		if err != nil {
			return nil, err
		}
		in.Look = &pb.Look{X: x[0], Y: x[1], Z: x[2]}
	}
	return []*pb.Intent{in}, nil
}

func actorTarget(id uint32) *pb.Target {
	return &pb.Target{Target: &pb.Target_Ref{Ref: &pb.Ref{Kind: pb.RefKind_REF_KIND_ACTOR, Id: id}}}
}

func triple(flag, s string) (x [3]int32, err error) {
	parts := strings.Split(s, ",")
	if len(parts) != 3 {
		return x, usagef("%s %q: want x,y,z", flag, s)
	}
	for i, p := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(p), 10, 32)
		if err != nil {
			return x, usagef("%s %q: %q is not a whole number", flag, s, p)
		}
		x[i] = int32(n)
	}
	return x, nil
}

type actCmd struct {
	answer
	CommandID string `help:"Idempotency key; the same one again gives the first outcome. Default: a new one."`
}

// Run answers a prompt.
func (w *actCmd) Run(ctx context.Context, c *cli, out *printer) error {
	ins, err := w.intents()
	if err != nil {
		return err
	}
	id := w.CommandID
	if id == "" {
		id = newCommandID()
	}
	return onBattle(ctx, c, func(a *api) error {
		r, err := a.battle.Act(ctx, &pb.ActRequest{BattleId: w.Battle, CommandId: id, PlayerId: a.player, Locale: a.locale, PromptId: w.Prompt, Intents: ins})
		if err != nil {
			return err
		}
		if out.json {
			return out.message(r)
		}
		out.lines(r.GetResult().GetLines(), r.GetResult().GetFacts())
		printPrompts(out, r.GetResult().GetPrompts())
		return nil
	})
}

type oddsCmd struct{ answer }

// Run forecasts an answer.
func (w *oddsCmd) Run(ctx context.Context, c *cli, out *printer) error {
	ins, err := w.intents()
	if err != nil {
		return err
	}
	if len(ins) == 0 {
		return usagef("odds of what? name an act")
	}
	return onBattle(ctx, c, func(a *api) error {
		r, err := a.battle.Preview(ctx, &pb.PreviewRequest{BattleId: w.Battle, PlayerId: a.player, Locale: a.locale, PromptId: w.Prompt, Intents: ins})
		if err != nil {
			return err
		}
		if out.json {
			return out.message(r)
		}
		for _, f := range r.GetForecasts() {
			printForecast(out, f)
		}
		return nil
	})
}

func printForecast(out *printer, f *pb.Forecast) {
	if no := f.GetRefusal(); no != nil {
		out.printf("not possible: %s", no.GetMessage())
		return
	}
	for _, o := range f.GetOutcomes() {
		label := o.GetLabel()
		if label == "" {
			label = strings.TrimSpace(o.GetOutcome() + " " + o.GetGrade())
		}
		on := ""
		if o.GetTarget() != nil {
			on = "  on " + targetWord(o.GetTarget())
		}
		out.printf("%8s  %-24s%s  (%s)", percent(o.GetChancePpm()), label, on, o.GetChance())
	}
	for _, r := range f.GetRolls() {
		base := ""
		if r.GetBase().GetTrait() != "" {
			base = fmt.Sprintf(": %s %d", r.GetBase().GetTrait(), r.GetBase().GetLevel())
		}
		if r.Aim != nil {
			base += fmt.Sprintf(" against %d", r.GetAim())
		}
		out.printf("  actor %d rolls %s%s [%s]", r.GetBy(), r.GetWhy(), base, r.GetRule())
		for _, m := range r.GetMods() {
			out.printf("    %s", modWord(m))
		}
	}
	for _, t := range f.GetTallies() {
		out.printf("  %s of actor %d: %d [%s]", t.GetWhat(), t.GetOn(), t.GetTotal(), t.GetRule())
		for _, x := range t.GetTerms() {
			out.printf("    %+d %s [%s]", x.GetAmount(), x.GetName(), x.GetRule())
		}
	}
	for _, s := range f.GetAssumptions() {
		text := s.GetText()
		if text == "" {
			text = fmt.Sprintf("actor %d, asked to %s, answers %s", s.GetWhose(), s.GetAsk(), actWords(s.GetIntents()))
		}
		out.printf("  supposed: %s", text)
	}
}

// modWord is a modifier with its rule, and the blocks that gave it.
func modWord(m *pb.Mod) string {
	unit := ""
	switch m.GetKind() {
	case pb.ModKind_MOD_KIND_PERCENT:
		unit = "%"
	case pb.ModKind_MOD_KIND_DAMAGE:
		unit = " damage"
	case pb.ModKind_MOD_KIND_DIFFICULTY:
		unit = " difficulty"
	}
	text := fmt.Sprintf("%+d%s %s [%s]", m.GetAmount(), unit, m.GetName(), m.GetRule())
	if m.GetVoided() {
		text += ", does not count"
	}
	if len(m.GetCells()) > 0 {
		text += " by " + cellWords(m.GetCells())
	}
	return text
}

func actWords(ins []*pb.Intent) string {
	if len(ins) == 0 {
		return "nothing"
	}
	words := make([]string, len(ins))
	for i, in := range ins {
		words[i] = in.GetAct()
	}
	return strings.Join(words, ", ")
}

type inspectCmd struct {
	Battle string `arg:"" help:"Id of the battle."`
	Actor  uint32 `arg:"" help:"Id of the actor who looks."`
	Target uint32 `arg:"" help:"Id of the actor who is looked at."`
	SVG    string `help:"Draw it, from above and from the side, into this file." name:"svg" type:"path" placeholder:"FILE"`
	Both   bool   `help:"The other way round, too." default:"true" negatable:""`
}

// Run prints what one sees of the other.
func (w *inspectCmd) Run(ctx context.Context, c *cli, out *printer) error {
	return onBattle(ctx, c, func(a *api) error {
		ways := [][2]uint32{{w.Actor, w.Target}}
		if w.Both && a.player == "" {
			ways = append(ways, [2]uint32{w.Target, w.Actor})
		}
		for _, way := range ways {
			r, err := a.arena.Inspect(ctx, &pb.InspectRequest{
				BattleId: w.Battle, PlayerId: a.player, Locale: a.locale, ActorId: way[0], Target: &pb.InspectRequest_TargetId{TargetId: way[1]},
			})
			if err != nil {
				return err
			}
			if w.SVG != "" && way[0] == w.Actor {
				drawn, err := a.picture(ctx, w.Battle, r, w.Actor, w.Target)
				if err != nil {
					return err
				}
				if err := os.WriteFile(w.SVG, drawn, 0o644); err != nil {
					return err
				}
			}
			if out.json {
				if err := out.message(r); err != nil {
					return err
				}
				continue
			}
			out.lines(r.GetLines(), nil)
			out.printf("    %s", sightWords(r.GetSighting()))
			for _, h := range r.GetSighting().GetHiding() {
				out.printf("    hidden by %s at %s: %d of %d points", h.GetName(), cellWord(h.GetAt()), h.GetCount(), r.GetSighting().GetSamples())
			}
		}
		return nil
	})
}

// sightWords is the geometry of a sighting.
func sightWords(s *pb.Sighting) string {
	n := s.GetSamples()
	text := fmt.Sprintf("of %d points of the body %d are behind what stops shots, %d are out of sight, %d are dim", n, s.GetHidden(), s.GetUnseen(), s.GetDim())
	text += fmt.Sprintf("; light %d of 15 by lamps, %d of the sky's", s.GetLight().GetBlock(), s.GetLight().GetSky())
	text += fmt.Sprintf("; %s of the one who looks, from the %s of the other", word(s.GetFacing().String(), "FLANK_"), word(s.GetExposed().String(), "FLANK_"))
	if r := s.GetRise(); r != 0 {
		text += fmt.Sprintf("; %+d/256 block in height", r)
	}
	if s.GetLean() > pb.Lean_LEAN_NONE {
		text += "; leaning " + word(s.GetLean().String(), "LEAN_")
	}
	return text
}
