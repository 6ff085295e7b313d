package main

import (
	"errors"

	"github.com/fatih/color"

	pb "autobattle/proto/autobattle/v1"
)

const (
	goodEnough = 150_000 // the chance of a wound, in parts per million, that is worth an attack from afar
	beside     = 3       // blocks, on each axis, within which a foe is close
	lookRound  = 12      // how many cells are looked at for cover, those that suit best
)

// duellist is one player of the demonstration.
type duellist struct {
	id     string
	foe    uint32 // the other's actor
	archer bool   // keeps away and shoots; otherwise closes in and strikes
}

// turnOf is a decision to make: the prompt, what may be answered, and what the player knows.
type turnOf struct {
	*duellist
	prompt  *pb.Prompt
	offers  []*pb.Offer
	me, him *pb.Actor
}

// act sends an answer for the prompt's owner.
func (d *demo) act(p *pb.Prompt, ins ...*pb.Intent) error {
	_, err := d.battle.Act(d.ctx, &pb.ActRequest{BattleId: d.id, CommandId: d.command(), PlayerId: d.players[p.GetWhose()].id, Locale: d.locale, PromptId: p.GetId(), Intents: ins})
	if err != nil {
		return err
	}
	return d.told()
}

// answer decides one prompt by what the server offers.
func (d *demo) answer(p *pb.Prompt) error {
	t := turnOf{duellist: d.players[p.GetWhose()], prompt: p}
	r, err := d.battle.ListChoices(d.ctx, &pb.ListChoicesRequest{BattleId: d.id, PlayerId: t.id, Locale: d.locale, PromptId: p.GetId()})
	if err != nil {
		return err
	}
	for _, c := range r.GetChoices() {
		for _, o := range c.GetOffers() {
			if o.GetRefusal() == nil {
				t.offers = append(t.offers, o)
			}
		}
	}
	switch p.GetKind() {
	case pb.PromptKind_PROMPT_KIND_TURN:
		if err := d.lookAround(&t); err != nil {
			return err
		}
		return d.turn(&t)
	case pb.PromptKind_PROMPT_KIND_DEFEND:
		return d.defend(&t)
	}
	return d.act(p, p.GetDefaultAnswer()...)
}

// lookAround finds the two in the battle as the player knows it.
func (d *demo) lookAround(t *turnOf) error {
	r, err := d.battle.GetBattle(d.ctx, &pb.GetBattleRequest{BattleId: d.id, PlayerId: t.id, Locale: d.locale})
	if err != nil {
		return err
	}
	for _, a := range r.GetBattle().GetActors() {
		switch a.GetId() {
		case t.prompt.GetWhose():
			t.me = a
		case t.foe:
			t.him = a
		}
	}
	return nil
}

// defend takes the defence under which the least comes through.
func (d *demo) defend(t *turnOf) error {
	var ins []*pb.Intent
	for _, o := range t.offers {
		ins = append(ins, intentsOf(o)...)
	}
	best, err := d.best(t, ins, 0, func(f *pb.Forecast) int64 { return -harm(f) })
	if err != nil {
		return err
	}
	if best == nil {
		return d.act(t.prompt, t.prompt.GetDefaultAnswer()...)
	}
	return d.act(t.prompt, best)
}

// turn is one decision in a turn: cover first for the archer, then an attack that is worth it, else a way to one.
func (d *demo) turn(t *turnOf) error {
	if t.him == nil { // not known to be anywhere
		return d.act(t.prompt, &pb.Intent{Act: "pass"})
	}
	if move := find(t.offers, "walk", "free_move"); move != nil && !d.refused {
		if err := d.tooFar(t, move); err != nil {
			return err
		}
	}
	var in *pb.Intent
	var err error
	if t.archer {
		in, err = d.shoot(t)
	} else {
		in, err = d.strike(t)
	}
	if err != nil {
		return err
	}
	if in == nil {
		in = &pb.Intent{Act: "pass"}
	}
	return d.act(t.prompt, in)
}

// shoot is the archer's way: into cover, then arrows; a blade once the foe is close.
func (d *demo) shoot(t *turnOf) (*pb.Intent, error) {
	if t.near() {
		if o := find(t.offers, "swap"); o != nil {
			t.archer = false
			return intentsOf(o)[0], nil
		}
	} else if move := find(t.offers, "free_move"); move != nil {
		to, err := d.shelter(t, move)
		if err != nil {
			return nil, err
		}
		if to != nil {
			return t.moveTo(move, to), nil
		}
	}
	return d.attack(t, goodEnough)
}

// strike is the swordsman's way: an attack, or nearer to one.
func (d *demo) strike(t *turnOf) (*pb.Intent, error) {
	least := int64(goodEnough)
	if steps(cellOf(t.me), cellOf(t.him)) <= 1 {
		least = 1 // there is nothing better to do
	}
	if in, err := d.attack(t, least); in != nil || err != nil || least == 1 {
		return in, err
	}
	moves := []string{"walk", "run", "run_up", "free_move"}
	if t.near() {
		moves = []string{"walk", "free_move", "run", "run_up"}
	}
	for _, act := range moves {
		o := find(t.offers, act)
		if o == nil {
			continue
		}
		if len(o.GetRegion()) == 0 { // a gait, which is rolled first
			return &pb.Intent{Act: act}, nil
		}
		to, err := d.nearer(t, o)
		if err != nil {
			return nil, err
		}
		if to != nil {
			return t.moveTo(o, to), nil
		}
	}
	return nil, nil
}

// attack is the attack with a weapon that does most harm; nil when none has so high a chance of a wound.
func (d *demo) attack(t *turnOf, least int64) (*pb.Intent, error) {
	var ins []*pb.Intent
	for _, o := range t.offers {
		if o.GetAct() == "attack" && len(o.GetItems()) > 0 {
			ins = append(ins, intentsOf(o)...)
		}
	}
	return d.best(t, ins, least, harm)
}

// near reports whether the foe is close.
func (t *turnOf) near() bool { return steps(cellOf(t.me), cellOf(t.him)) <= beside }

// steps is how many cells apart two cells are, on the axis on which they are furthest.
func steps(a, b *pb.Cell) int32 { return max(abs(a.GetX()-b.GetX()), abs(a.GetZ()-b.GetZ())) }

func abs(n int32) int32 { return max(n, -n) }

func cellOf(a *pb.Actor) *pb.Cell {
	at := a.GetPose().GetAt()
	return &pb.Cell{X: at.GetX() >> 8, Y: at.GetY() >> 8, Z: at.GetZ() >> 8}
}

// moveTo is a move of an offer to a cell, ending with a look at the foe.
func (t *turnOf) moveTo(o *pb.Offer, to *pb.Cell) *pb.Intent {
	return &pb.Intent{Act: o.GetAct(), Path: []*pb.Cell{to}, Look: towards(to, cellOf(t.him))}
}

// shelter is the nearest cell of a region that gives cover from where the foe stands, and from which he can be shot; nil when
// there is none, or the player has cover already.
func (d *demo) shelter(t *turnOf, o *pb.Offer) (*pb.Cell, error) {
	here := cellOf(t.me)
	if ok, err := d.shelters(t, here); ok || err != nil {
		return nil, err
	}
	for _, to := range nearest(o.GetRegion(), []*pb.Cell{here}) {
		if ok, err := d.shelters(t, to); err != nil {
			return nil, err
		} else if ok {
			return to, nil
		}
	}
	return nil, nil
}

// shelters asks what the foe would see of a body in a cell, and what could be seen of him from there: the player looks, in
// his mind, from where the foe stands.
func (d *demo) shelters(t *turnOf, at *pb.Cell) (bool, error) {
	there := &pb.PoseInput{Pose: &pb.PoseInput_Exact{Exact: t.him.GetPose()}}
	here := poseIn(at, cellOf(t.him))
	his, err := d.arena.Inspect(d.ctx, &pb.InspectRequest{BattleId: d.id, PlayerId: t.id, ActorId: t.prompt.GetWhose(), From: there, Target: &pb.InspectRequest_Pose{Pose: here}})
	if err != nil || !his.GetCovered() {
		return false, err
	}
	mine, err := d.arena.Inspect(d.ctx, &pb.InspectRequest{BattleId: d.id, PlayerId: t.id, ActorId: t.prompt.GetWhose(), From: here, Target: &pb.InspectRequest_TargetId{TargetId: t.foe}})
	if err != nil {
		return false, err
	}
	return mine.GetOpen(), nil
}

// nearer is the cell of a region that is nearest to the foe, by its cost among equals; of those that are hardly worse, one with
// cover is taken. Nil when none is nearer than where the player stands.
func (d *demo) nearer(t *turnOf, o *pb.Offer) (*pb.Cell, error) {
	foe := cellOf(t.him)
	from := steps(cellOf(t.me), foe)
	var best *pb.CellCost
	for _, c := range o.GetRegion() {
		if s := steps(c.GetCell(), foe); s < from && (best == nil || s < steps(best.GetCell(), foe) || s == steps(best.GetCell(), foe) && c.GetCost() < best.GetCost()) {
			best = c
		}
	}
	if best == nil {
		return nil, nil
	}
	reached := steps(best.GetCell(), foe)
	if reached <= beside {
		return best.GetCell(), nil
	}
	looked := 0
	for _, c := range nearest(o.GetRegion(), []*pb.Cell{foe}) {
		if looked == lookRound || steps(c, foe) > reached+1 {
			break
		}
		looked++
		if ok, err := d.shelters(t, c); err != nil {
			return nil, err
		} else if ok {
			return c, nil
		}
	}
	return best.GetCell(), nil
}

// tooFar tries a move that the rules must refuse, and shows the refusal.
func (d *demo) tooFar(t *turnOf, o *pb.Offer) error {
	d.refused = true
	_, err := d.battle.Act(d.ctx, &pb.ActRequest{BattleId: d.id, CommandId: d.command(), PlayerId: t.id, Locale: d.locale, PromptId: t.prompt.GetId(),
		Intents: []*pb.Intent{t.moveTo(o, cellOf(t.him))}})
	if err == nil {
		return errors.New("a move across the whole arena was not refused")
	}
	e := detailOf(err)
	if e == nil {
		return err
	}
	d.note(e.GetMessage(), color.FgRed)
	return nil
}

// best previews intents and takes the one of the highest worth whose chance of a wound is at least so high; the first of equals;
// nil when there is none. Where there is no choice it asks nothing.
func (d *demo) best(t *turnOf, ins []*pb.Intent, least int64, worth func(*pb.Forecast) int64) (*pb.Intent, error) {
	switch {
	case len(ins) == 0:
		return nil, nil
	case len(ins) == 1 && least <= 1: // nothing to weigh
		return ins[0], nil
	}
	r, err := d.battle.Preview(d.ctx, &pb.PreviewRequest{BattleId: d.id, PlayerId: t.id, PromptId: t.prompt.GetId(), Intents: ins})
	if err != nil {
		return nil, err
	}
	var best *pb.Intent
	most := int64(0)
	for i, f := range r.GetForecasts() {
		if f.GetRefusal() != nil || wounds(f) < least {
			continue
		}
		if w := worth(f); best == nil || w > most {
			best, most = ins[i], w
		}
	}
	return best, nil
}

// weight is how much a wound of a degree counts beside others; 0 for what is no wound.
func weight(grade string) int64 {
	switch grade {
	case "scratch":
		return 1
	case "light":
		return 4
	case "heavy":
		return 12
	case "critical":
		return 30
	case "deadly":
		return 60
	}
	return 0
}

// harm is the expected weight of the wounds of a forecast, in parts per million.
func harm(f *pb.Forecast) (sum int64) {
	for _, o := range f.GetOutcomes() {
		sum += int64(o.GetChancePpm()) * weight(o.GetGrade())
	}
	return sum
}

// wounds is the chance of any wound, in parts per million.
func wounds(f *pb.Forecast) (sum int64) {
	for _, o := range f.GetOutcomes() {
		if weight(o.GetGrade()) > 0 {
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

// find is the first offer of the first act that is offered.
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

// towards is the direction from one cell to another.
func towards(from, to *pb.Cell) *pb.Look {
	x, z := to.GetX()-from.GetX(), to.GetZ()-from.GetZ()
	if x == 0 && z == 0 {
		z = 1
	}
	return &pb.Look{X: x, Z: z}
}

// poseIn is a body that stands in a cell and looks at another.
func poseIn(at, to *pb.Cell) *pb.PoseInput {
	look := towards(at, to)
	return stands(float64(at.GetX())+0.5, float64(at.GetY()), float64(at.GetZ())+0.5, float64(look.GetX()), float64(look.GetZ()))
}
