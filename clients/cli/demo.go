package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fatih/color"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "autobattle/proto/autobattle/v1"
)

const (
	demoRounds  = 24              // after so many rounds the master ends it
	demoTimeout = 2 * time.Minute // for the whole of it
	lampRound   = 4               // the round in which the lamp breaks
	goodEnough  = 150_000         // chance of a hit, in parts per million, that is worth a shot
)

type demoCmd struct {
	Seed uint64 `help:"Names the battle; with the server's --given-seed the same seed gives the same battle." default:"7"`
	File string `help:"Where to leave the exported battle; default: nowhere." type:"path"`
}

// demo is the demonstration duel: two players and a master, each through the API, by a small policy over what the server
// offers and forecasts. Nothing in it knows the rules or the dice.
type demo struct {
	*api
	ctx     context.Context
	out     *printer
	id      string
	watch   pb.BattleService_WatchBattleClient
	actors  map[uint32]string // by id: the player
	foes    map[uint32]uint32
	at      map[uint32]*pb.Pose
	round   int32
	n       int // commands so far
	over    *pb.Ended
	prompts []*pb.OpenPrompt
	commits uint64
	broken  bool // the lamp
	refused bool // the wrong move was shown
}

// Run plays the duel.
func (w *demoCmd) Run(ctx context.Context, c *cli, out *printer) error {
	ctx, cancel := context.WithTimeout(ctx, demoTimeout)
	defer cancel()
	return onBattle(ctx, c, func(a *api) error {
		d := &demo{api: a, ctx: ctx, out: out, actors: map[uint32]string{}, foes: map[uint32]uint32{}, at: map[uint32]*pb.Pose{}}
		if err := d.open(w.Seed); err != nil {
			return err
		}
		if err := d.play(); err != nil {
			return err
		}
		return d.close(w.File)
	})
}

// command is the next idempotency key: fixed, so that a repeated demonstration repeats its commands.
func (d *demo) command() string {
	d.n++
	return fmt.Sprintf("demo/%d", d.n)
}

// open puts the arena, creates the battle, and adds the two.
func (d *demo) open(seed uint64) error {
	put, err := d.arena.PutArena(d.ctx)
	if err != nil {
		return err
	}
	for _, part := range demoArena() {
		if err := put.Send(part); err != nil {
			break // CloseAndRecv says why
		}
	}
	arena, err := put.CloseAndRecv()
	if err != nil {
		return err
	}
	if err := d.create(seed, arena.GetArena()); err != nil {
		return err
	}
	d.watch, err = d.battle.WatchBattle(d.ctx, &pb.WatchBattleRequest{BattleId: d.id, Locale: d.locale, From: &pb.WatchBattleRequest_Beginning{Beginning: true}})
	if err != nil {
		return err
	}
	if err := d.told(); err != nil { // the battle's creation
		return err
	}
	for i, player := range []string{"player-anna", "player-boris"} {
		_, err := d.battle.AddEntropy(d.ctx, &pb.AddEntropyRequest{BattleId: d.id, CommandId: d.command(), PlayerId: player, Data: []byte{byte(seed), byte(i)}})
		if err != nil {
			return err
		}
		if err := d.told(); err != nil {
			return err
		}
	}
	join, err := d.battle.AddActors(d.ctx, &pb.AddActorsRequest{BattleId: d.id, CommandId: d.command(), Locale: d.locale, Actors: d.fighters()})
	if err != nil {
		return err
	}
	ids := join.GetActorIds()
	d.actors[ids[0]], d.actors[ids[1]] = "player-anna", "player-boris"
	d.foes[ids[0]], d.foes[ids[1]] = ids[1], ids[0]
	if err := d.told(); err != nil {
		return err
	}
	if _, err := d.battle.StartBattle(d.ctx, &pb.StartBattleRequest{BattleId: d.id, CommandId: d.command(), Locale: d.locale}); err != nil {
		return err
	}
	return d.told()
}

// create makes a battle under the first free name for the seed.
func (d *demo) create(seed uint64, arena []byte) error {
	title := map[string]string{"en": "Duel in the courtyard", "ru": "Поединок во дворе"}[d.locale]
	red, blue := "Red", "Blue"
	if d.locale == "ru" {
		red, blue = "Красные", "Синие"
	}
	first := d.command()
	for try := 1; ; try++ {
		d.id = fmt.Sprintf("demo-%d", seed)
		if try > 1 {
			d.id = fmt.Sprintf("demo-%d-%d", seed, try)
		}
		r, err := d.battle.CreateBattle(d.ctx, &pb.CreateBattleRequest{
			BattleId: d.id, CommandId: first, Locale: d.locale, Ruleset: "kmrp", Arena: arena, Title: title,
			Teams:   []*pb.Team{{Id: "red", Name: red}, {Id: "blue", Name: blue}},
			Options: []*pb.Option{{Name: "sky_light", Number: 6}},
		})
		if status.Code(err) == codes.AlreadyExists || err == nil && r.GetResult().GetRepeatedCommand() {
			continue // an earlier demonstration
		}
		return err
	}
}

// fighters are the two, with their sheets.
func (d *demo) fighters() []*pb.NewActor {
	anna, boris := "Anna", "Boris"
	if d.locale == "ru" {
		anna, boris = "Анна", "Борис"
	}
	return []*pb.NewActor{
		{
			Key: "anna", Name: anna, Grammar: pb.Gender_GENDER_FEMININE, Team: "red", Controller: player("player-anna"),
			Pose: stands(10.5, 10.5, 1, 0),
			Source: &pb.NewActor_Sheet{Sheet: &pb.Sheet{
				Traits: levels("reaction", 4, "strength", 3, "endurance", 3, "dexterity", 4, "movement", 4, "perception", 4, "willpower", 3,
					"bows", 5, "evasion", 3, "one_handed_weapons", 3, "parrying", 3),
				Items: []*pb.SheetItem{{Ref: "bow", Slot: "main"}, {Ref: "sword", Slot: "bag"}, {Ref: "padded_vest", Slot: "worn"}},
			}},
		},
		{
			Key: "boris", Name: boris, Grammar: pb.Gender_GENDER_MASCULINE, Team: "blue", Controller: player("player-boris"),
			Pose: stands(38.5, 22.5, -1, 0),
			Source: &pb.NewActor_Sheet{Sheet: &pb.Sheet{
				Traits: levels("reaction", 4, "strength", 4, "endurance", 4, "dexterity", 3, "movement", 4, "perception", 3, "willpower", 3,
					"one_handed_weapons", 5, "blocking", 4, "evasion", 3, "parrying", 3),
				Items: []*pb.SheetItem{{Ref: "sword", Slot: "main"}, {Ref: "medium_bound_shield", Slot: "off"}, {Ref: "mail_vest", Slot: "worn"}},
			}},
		},
	}
}

func player(id string) *pb.Controller {
	return &pb.Controller{Kind: pb.ControllerKind_CONTROLLER_KIND_PLAYER, Player: id}
}

func stands(x, z, lookX, lookZ float64) *pb.PoseInput {
	return &pb.PoseInput{Pose: &pb.PoseInput_Host{Host: &pb.HostPose{X: x, Y: 1, Z: z, Facing: &pb.HostPose_Look{Look: &pb.HostLook{X: lookX, Z: lookZ}}}}}
}

func levels(pairs ...any) []*pb.TraitLevel {
	var out []*pb.TraitLevel
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, &pb.TraitLevel{Name: pairs[i].(string), Level: int32(pairs[i+1].(int))})
	}
	return out
}

// told takes the next update of the master's stream and prints it. Every accepted command gives him exactly one.
func (d *demo) told() error {
	for {
		r, err := d.watch.Recv()
		if err != nil {
			return fmt.Errorf("watch: %w", err)
		}
		u := r.GetUpdate()
		if u.GetHeartbeat() {
			continue
		}
		d.out.lines(u.GetLines())
		d.commits = u.GetVersion()
		if u.GetPromptsChanged() {
			d.prompts = u.GetPrompts()
		}
		for _, f := range u.GetFacts() {
			switch {
			case f.GetClocked() != nil:
				d.round = f.GetClocked().GetRound()
			case f.GetEnded() != nil:
				d.over = f.GetEnded()
			case f.GetActorSet() != nil:
				d.at[f.GetActorSet().GetActor().GetId()] = f.GetActorSet().GetActor().GetPose()
			case f.GetMoved() != nil:
				d.at[f.GetMoved().GetActor()].At = f.GetMoved().GetTo()
			}
		}
		return nil
	}
}

// play answers prompts until the battle is over.
func (d *demo) play() error {
	for d.over == nil && d.round <= demoRounds {
		if d.round == lampRound && !d.broken {
			if err := d.breakLamp(); err != nil {
				return err
			}
		}
		var p *pb.OpenPrompt
		for _, o := range d.prompts {
			if o.GetLive() && !o.GetPrompt().GetDone() {
				p = o
				break
			}
		}
		if p == nil {
			return errors.New("the battle goes on and waits for nobody")
		}
		if err := d.answer(p.GetPrompt()); err != nil {
			return err
		}
	}
	if d.over != nil {
		return nil
	}
	_, err := d.battle.EndBattle(d.ctx, &pb.EndBattleRequest{BattleId: d.id, CommandId: d.command(), Locale: d.locale,
		Outcome: []*pb.TeamOutcome{{Team: "red", Outcome: "draw"}, {Team: "blue", Outcome: "draw"}}})
	if err != nil {
		return err
	}
	return d.told()
}

// breakLamp changes a block of the world.
func (d *demo) breakLamp() error {
	d.broken = true
	note := map[string]string{"en": "The lamp is shot out.", "ru": "Лампа разбита."}[d.locale]
	d.out.line(d.out.paint("* "+note, color.FgYellow))
	_, err := d.arena.UpdateBlocks(d.ctx, &pb.UpdateBlocksRequest{BattleId: d.id, CommandId: d.command(), Locale: d.locale,
		Edits: []*pb.BlockEdit{{At: &pb.Cell{X: lampAt[0], Y: lampAt[1], Z: lampAt[2]}, Block: airBlock()}}})
	if err != nil {
		return err
	}
	return d.told()
}

// act sends an answer for the prompt's owner. A refusal is printed and returned.
func (d *demo) act(p *pb.Prompt, ins ...*pb.Intent) error {
	_, err := d.battle.Act(d.ctx, &pb.ActRequest{BattleId: d.id, CommandId: d.command(), PlayerId: d.actors[p.GetWhose()], Locale: d.locale, PromptId: p.GetId(), Intents: ins})
	if err != nil {
		return err
	}
	return d.told()
}

// answer decides one prompt by what the server offers.
func (d *demo) answer(p *pb.Prompt) error {
	r, err := d.battle.ListChoices(d.ctx, &pb.ListChoicesRequest{BattleId: d.id, PlayerId: d.actors[p.GetWhose()], Locale: d.locale, PromptId: p.GetId()})
	if err != nil {
		return err
	}
	var offers []*pb.Offer
	for _, o := range r.GetChoices()[0].GetOffers() {
		if o.GetRefusal() == nil {
			offers = append(offers, o)
		}
	}
	switch p.GetKind() {
	case pb.PromptKind_PROMPT_KIND_TURN:
		return d.turn(p, offers)
	case pb.PromptKind_PROMPT_KIND_DEFEND:
		return d.defend(p, offers)
	}
	return d.act(p, p.GetDefaultAnswer()...)
}

// defend takes the defence under which the least comes through.
func (d *demo) defend(p *pb.Prompt, offers []*pb.Offer) error {
	var ins []*pb.Intent
	for _, o := range offers {
		ins = append(ins, intentsOf(o)...)
	}
	best, err := d.best(p, ins, func(f *pb.Forecast) int64 { return -harm(f) })
	if err != nil {
		return err
	}
	if best == nil {
		return d.act(p, p.GetDefaultAnswer()...)
	}
	return d.act(p, best)
}

// turn attacks when that is worth it, else comes closer or waits.
func (d *demo) turn(p *pb.Prompt, offers []*pb.Offer) error {
	var attacks []*pb.Intent
	for _, o := range offers {
		if o.GetAct() == "attack" && len(o.GetItems()) > 0 {
			attacks = append(attacks, intentsOf(o)...)
		}
	}
	if len(attacks) > 0 {
		best, err := d.best(p, attacks, func(f *pb.Forecast) int64 { return harm(f) })
		if err != nil {
			return err
		}
		if best != nil {
			return d.act(p, best)
		}
	}
	foe := d.at[d.foes[p.GetWhose()]].GetAt()
	if o := find(offers, "walk", "free_move"); o != nil && len(o.GetRegion()) > 1 {
		if !d.refused {
			if err := d.tooFar(p, o); err != nil {
				return err
			}
		}
		if to := closest(o, foe); to != nil && (o.GetAct() == "walk" || find(offers, "run", "run_up") == nil || d.near(p.GetWhose())) {
			return d.act(p, &pb.Intent{Act: o.GetAct(), Path: []*pb.Cell{to}, Look: towards(to, foe)})
		}
	}
	for _, act := range []string{"reload", "swap", "run", "run_up"} {
		if o := find(offers, act); o != nil {
			ins := intentsOf(o)
			if len(ins) > 0 && d.wants(p.GetWhose(), act) {
				return d.act(p, ins[0])
			}
		}
	}
	if o := find(offers, "pass"); o != nil {
		return d.act(p, &pb.Intent{Act: "pass"})
	}
	return d.act(p, p.GetDefaultAnswer()...)
}

// wants reports whether an actor likes an act at all: the archer keeps her ground, the swordsman comes.
func (d *demo) wants(who uint32, act string) bool {
	archer := d.actors[who] == "player-anna"
	switch act {
	case "run", "run_up":
		return !archer
	case "swap":
		return archer && d.near(who)
	}
	return true
}

// near reports whether the two stand within three blocks of each other.
func (d *demo) near(who uint32) bool {
	a, b := d.at[who].GetAt(), d.at[d.foes[who]].GetAt()
	return abs(a.GetX()-b.GetX()) <= 3<<8 && abs(a.GetZ()-b.GetZ()) <= 3<<8
}

func abs(n int32) int32 { return max(n, -n) }

// tooFar tries a move that the rules must refuse, and shows the refusal.
func (d *demo) tooFar(p *pb.Prompt, o *pb.Offer) error {
	d.refused = true
	_, err := d.battle.Act(d.ctx, &pb.ActRequest{BattleId: d.id, CommandId: d.command(), PlayerId: d.actors[p.GetWhose()], Locale: d.locale, PromptId: p.GetId(),
		Intents: []*pb.Intent{{Act: o.GetAct(), Path: []*pb.Cell{{X: 2, Y: 1, Z: 2}}}}})
	if err == nil {
		return errors.New("a move across the whole arena was not refused")
	}
	e := detailOf(err)
	if e == nil {
		return err
	}
	d.out.line(d.out.paint("* "+e.GetMessage(), color.FgRed))
	return nil
}

// best previews intents and takes the one of the highest worth; the first of equals; nil when none is possible, or none
// of a turn's is worth doing.
func (d *demo) best(p *pb.Prompt, ins []*pb.Intent, worth func(*pb.Forecast) int64) (*pb.Intent, error) {
	if len(ins) == 0 {
		return nil, nil
	}
	r, err := d.battle.Preview(d.ctx, &pb.PreviewRequest{BattleId: d.id, PlayerId: d.actors[p.GetWhose()], PromptId: p.GetId(), Intents: ins})
	if err != nil {
		return nil, err
	}
	var best *pb.Intent
	most := int64(0)
	for i, f := range r.GetForecasts() {
		if f.GetRefusal() != nil || p.GetKind() == pb.PromptKind_PROMPT_KIND_TURN && hit(f) < goodEnough {
			continue
		}
		if w := worth(f); best == nil || w > most {
			best, most = ins[i], w
		}
	}
	return best, nil
}

// grades weigh wounds against each other.
var grades = map[string]int64{"scratch": 1, "light": 4, "heavy": 12, "critical": 30, "deadly": 60}

// harm is the expected weight of the wounds of a forecast, in parts per million.
func harm(f *pb.Forecast) (sum int64) {
	for _, o := range f.GetOutcomes() {
		sum += int64(o.GetChancePpm()) * grades[o.GetGrade()]
	}
	return sum
}

// hit is the chance of any wound, in parts per million.
func hit(f *pb.Forecast) (sum int64) {
	for _, o := range f.GetOutcomes() {
		if grades[o.GetGrade()] > 0 {
			sum += int64(o.GetChancePpm())
		}
	}
	return sum
}

// intentsOf are the plain intents of an offer: each target with each set of items.
func intentsOf(o *pb.Offer) []*pb.Intent {
	targets, items := o.GetTargets(), o.GetItems()
	if len(targets) == 0 {
		targets = []*pb.Target{nil}
	}
	if len(items) == 0 {
		items = []*pb.ItemChoice{{}}
	}
	var out []*pb.Intent
	for _, t := range targets {
		for _, i := range items {
			in := &pb.Intent{Act: o.GetAct(), Items: i.GetItems()}
			if t != nil {
				in.Targets = []*pb.Target{t}
			}
			out = append(out, in)
		}
	}
	return out
}

func find(offers []*pb.Offer, acts ...string) *pb.Offer {
	for _, act := range acts {
		for _, o := range offers {
			if o.GetAct() == act {
				return o
			}
		}
	}
	return nil
}

// closest is the cell of a region nearest to a point, the first of equals; nil when standing still is as good.
func closest(o *pb.Offer, to *pb.Point) *pb.Cell {
	var best *pb.Cell
	least := int64(0)
	for i, c := range o.GetRegion() {
		dx, dz := int64(c.GetCell().GetX()-to.GetX()>>8), int64(c.GetCell().GetZ()-to.GetZ()>>8)
		if n := dx*dx + dz*dz; best == nil || n < least {
			best, least = c.GetCell(), n
			if i == 0 {
				best = c.GetCell()
			}
		}
	}
	if best == o.GetRegion()[0].GetCell() {
		return nil
	}
	return best
}

func towards(from *pb.Cell, to *pb.Point) *pb.Look {
	x, z := to.GetX()>>8-from.GetX(), to.GetZ()>>8-from.GetZ()
	if x == 0 && z == 0 {
		z = 1
	}
	return &pb.Look{X: x, Z: z}
}

// close exports and verifies, and prints the last line.
func (d *demo) close(file string) error {
	if file == "" {
		dir, err := os.MkdirTemp("", "autobattle-demo")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		file = filepath.Join(dir, d.id+".autobattle")
	}
	if _, err := d.exportTo(d.ctx, d.id, file); err != nil {
		return err
	}
	v, err := d.verifyFile(d.ctx, file)
	if err != nil {
		return err
	}
	if !v.GetSound() {
		return unsound{v}
	}
	var sides []string
	for _, o := range d.over.GetOutcome() {
		sides = append(sides, o.GetTeam()+" "+o.GetOutcome())
	}
	d.out.printf("verified %d commits", v.GetCommits())
	d.out.printf("battle over: %s; %d rounds, %d commits, %d throws verified", strings.Join(sides, ", "), d.round, v.GetCommits(), v.GetThrows())
	return nil
}
