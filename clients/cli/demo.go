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

	pb "autobattle/proto/autobattle/v1"
)

const (
	demoRounds  = 24              // after so many rounds the master ends it
	demoTimeout = 2 * time.Minute // for the whole of it
	lampRound   = 3               // the round in which the lamp breaks
)

type demoCmd struct {
	Seed uint64 `help:"Names the battle; with the server's --given-seed the same seed gives the same battle." default:"7"`
	File string `help:"Where to leave the exported battle; default: nowhere." type:"path"`
}

// demo is the demonstration duel: a game server that speaks for two players, each of whom decides by a small policy over what
// the server offers and forecasts him. Nothing in it knows the rules or the dice.
type demo struct {
	*api
	ctx     context.Context
	out     *printer
	id      string
	watch   pb.BattleService_WatchBattleClient
	players map[uint32]*duellist // by actor
	round   int32
	n       int // commands so far
	over    *pb.Ended
	prompts []*pb.OpenPrompt
	broken  bool // the lamp
	refused bool // the wrong move was shown
}

// Run plays the duel.
func (w *demoCmd) Run(ctx context.Context, c *cli, out *printer) error {
	ctx, cancel := context.WithTimeout(ctx, demoTimeout)
	defer cancel()
	return onBattle(ctx, c, func(a *api) error {
		d := newDemo(ctx, a, out)
		if err := d.open(w.Seed); err != nil {
			return err
		}
		if err := d.play(); err != nil {
			return err
		}
		return d.close(w.File)
	})
}

func newDemo(ctx context.Context, a *api, out *printer) *demo {
	return &demo{api: a, ctx: ctx, out: out, players: map[uint32]*duellist{}}
}

// command is the next idempotency key: fixed, so that a repeated demonstration repeats its commands.
func (d *demo) command() string {
	d.n++
	return fmt.Sprintf("demo/%d", d.n)
}

// open puts the arena, creates the battle, and adds the two.
func (d *demo) open(seed uint64) error {
	arena, err := d.upload(d.ctx, demoArena())
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
	d.players[ids[0]] = &duellist{id: "player-anna", foe: ids[1], archer: true}
	d.players[ids[1]] = &duellist{id: "player-boris", foe: ids[0]}
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
		if failure(err).Code() == codes.AlreadyExists || err == nil && r.GetResult().GetRepeatedCommand() {
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
			Pose: stands(10.5, 1, 10.5, 1, 0),
			Source: &pb.NewActor_Sheet{Sheet: &pb.Sheet{
				Traits: levels("reaction", 4, "strength", 3, "endurance", 3, "dexterity", 4, "movement", 4, "perception", 4, "willpower", 3,
					"bows", 5, "evasion", 3, "one_handed_weapons", 4, "parrying", 4),
				Items: []*pb.SheetItem{{Ref: "bow", Slot: "main"}, {Ref: "sword", Slot: "belt"}, {Ref: "padded_vest", Slot: "worn"}},
			}},
		},
		{
			Key: "boris", Name: boris, Grammar: pb.Gender_GENDER_MASCULINE, Team: "blue", Controller: player("player-boris"),
			Pose: stands(38.5, 1, 22.5, -1, 0),
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

func stands(x, y, z, lookX, lookZ float64) *pb.PoseInput {
	return &pb.PoseInput{Pose: &pb.PoseInput_Host{Host: &pb.HostPose{X: x, Y: y, Z: z, Facing: &pb.HostPose_Look{Look: &pb.HostLook{X: lookX, Z: lookZ}}}}}
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
		if d.out.json {
			if err := d.out.message(u); err != nil {
				return err
			}
		} else {
			d.out.lines(u.GetLines(), u.GetFacts())
		}
		if u.GetPromptsChanged() {
			d.prompts = u.GetPrompts()
		}
		for _, f := range u.GetFacts() {
			switch {
			case f.GetClocked() != nil:
				d.round = f.GetClocked().GetRound()
			case f.GetEnded() != nil:
				d.over = f.GetEnded()
			}
		}
		return nil
	}
}

// note prints a line of the demonstration's own.
func (d *demo) note(text string, attrs ...color.Attribute) {
	if !d.out.json {
		d.out.line("* "+text, attrs...)
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
	d.note(map[string]string{"en": "The lamp goes out: the game world reports a broken block.", "ru": "Лампа гаснет: игровой мир сообщает о разбитом блоке."}[d.locale], color.FgYellow)
	_, err := d.arena.UpdateBlocks(d.ctx, &pb.UpdateBlocksRequest{BattleId: d.id, CommandId: d.command(), Locale: d.locale,
		Edits: []*pb.BlockEdit{{At: &pb.Cell{X: lampAt[0], Y: lampAt[1], Z: lampAt[2]}, Block: airBlock()}}})
	if err != nil {
		return err
	}
	return d.told()
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
	if d.out.json {
		return d.out.message(v)
	}
	var sides []string
	for _, o := range d.over.GetOutcome() {
		sides = append(sides, o.GetTeam()+" "+o.GetOutcome())
	}
	d.out.printf("verified %d commits", v.GetCommits())
	d.out.printf("battle over: %s; %d rounds, %d commits, %d throws, all verified", strings.Join(sides, ", "), d.round, v.GetCommits(), v.GetThrows())
	return nil
}
