package kmrp

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// keepForAction is how many movement points must be left for an action after a gait (KM-MOVE-05).
const keepForAction = 6

// turnSteps play the turn of Intent.By (Part 3.2).
var turnSteps = [...]step{
	{stepTurnBegin, beginTurn},
	{stepTurnAsk, askedTurn},
	{stepTurnTaken, takeTurn},
	{stepTurnEnd, endTurn},
}

// beginTurn ends what lasts until now, and skips the turn where it is lost (KM-TURN-05).
func beginTurn(_ *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	a := f.Intent.By
	if !b.HasCond(a.On(), condDelayed) {
		s.TurnStarts(a) // a delayed turn has started already
	}
	f.Step = stepTurnAsk
	if b.GaugeNow(a.On(), gaugeSkip) > 0 {
		s.AddGauge("KM-TURN-05", a.On(), gaugeSkip, -1)
		s.Emit("KM-TURN-05", engine.Resolved{Frame: f.ID, Act: actPass, By: a, Outcome: outcomeSkipped})
		f.Step = stepTurnEnd
	}
}

// askedTurn asks for the next act of the turn.
func askedTurn(_ *rules, s *engine.Scene, f *engine.Frame) {
	a := f.Intent.By
	if !inFight(s.Battle(), a) {
		f.Step = stepTurnEnd
		return
	}
	f.Step = stepTurnTaken
	p := engine.Prompt{Whose: a, Kind: engine.PromptTurn, Ask: askTurn}
	if f.Get(varPoints, a) > 0 && f.Get(varWalked, a) == 0 {
		p.Ask = askMove
		p.Args = []engine.Arg{engine.Num("points", f.Get(varPoints, a)-f.Get(varSpent, a)), engine.Num("keep", keepForAction)}
	}
	s.Ask(p)
}

// takeTurn plays the act that was chosen; nothing chosen passes.
func takeTurn(r *rules, s *engine.Scene, f *engine.Frame) {
	done := s.Take()
	if len(done) == 0 || len(done[0].Answer) == 0 {
		f.Step = stepTurnEnd
		return
	}
	in := done[0].Answer[0]
	r.face(s, f, &in)
	a := actOf(in.Act)
	if in.Act != actLook && !a.Full {
		f.Set(varStarted, f.Intent.By, 1)
	}
	f.Step = stepTurnAsk
	if a.Full {
		f.Step = stepTurnEnd
		r.breakConcentration(s, f.Intent.By, r.uses(s.Battle(), &in))
	}
	a.Play(r, s, f, in)
}

// endTurn closes the turn: the run phase becomes what this turn made of it (KM-MOVE-07), what lasts until now ends.
func endTurn(_ *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	a := f.Intent.By
	if inFight(b, a) {
		phase := int32(f.Get(varPhase, a))
		run := b.FindCond(a.On(), condRun)
		switch {
		case phase == phaseNone && run != nil:
			s.ClearCond("KM-MOVE-07", run.ID, engine.ClearDone)
		case phase != phaseNone && (run == nil || run.Level != phase):
			s.SetCond("KM-MOVE-07", engine.Cond{Name: condRun, On: a.On(), Level: phase})
		}
		snap(s, a)
	}
	s.TurnEnds(a)
	s.Close(outcomeDone)
}

// snap moves whoever stands on a border to the middle of his block (KM-POS-01).
func snap(s *engine.Scene, a engine.ActorID) {
	b := s.Battle()
	me := b.Actor(a)
	to := me.Pose.At.Snap()
	if to == me.Pose.At || b.Word(optStrict) == wordNo {
		return
	}
	if w := s.World(); w != nil {
		pose := me.Pose
		pose.At = to
		if _, _, in := voxel.Solid(w, voxel.Figure{Pose: pose, Body: s.Spec().Body(me.Body).Body}); in {
			return
		}
	}
	s.Emit("KM-POS-01", engine.Moved{Actor: a, From: me.Pose.At, To: to, Gait: actPass, Look: me.Pose.Look})
}

// face records where the actor looks, as the intent says or as the plugin saw him: one may turn in one's own turn
// (KM-POS-02).
func (r *rules) face(s *engine.Scene, f *engine.Frame, in *engine.Intent) {
	b := s.Battle()
	a := f.Intent.By
	me := b.Actor(a)
	look := in.Look
	if look == (voxel.Look{}) {
		if seen, ok := s.Pose(a); ok {
			look = seen.Look
		}
	}
	if look == (voxel.Look{}) && in.Act == actAttack {
		// Whoever attacks looks at his target, at least so that it is before him.
		foe := b.Actor(in.Victim())
		if foe != nil && !voxel.InSector(me.Pose.At, me.Pose.Look, foe.Pose.At, voxel.Sector135) {
			look = towards(me.Pose.At, foe.Pose.At)
		}
	}
	if look != (voxel.Look{}) && look != me.Pose.Look {
		s.Emit("KM-POS-02", engine.Posed{Actor: a, Look: look, Posture: me.Pose.Posture})
	}
}

// towards is the horizontal direction from one point to another; zero when one is above the other.
func towards(from, to voxel.Point) voxel.Look {
	dx, dz := to.X-from.X, to.Z-from.Z
	for dx > voxel.MaxLook || dx < -voxel.MaxLook || dz > voxel.MaxLook || dz < -voxel.MaxLook {
		dx, dz = dx/2, dz/2
	}
	return voxel.Look{X: dx, Z: dz}
}

// turn is what the rules of an act look at: the view of the one who decides, and the frame of his turn.
type turn struct {
	r   *rules
	v   engine.View
	f   *engine.Frame
	who engine.ActorID
	me  *engine.Actor
}

// act is one line of the table of what may be done in a turn.
type act struct {
	Name  engine.ActName
	Full  bool // spends the one action of the turn (KM-ACT-01)
	Check func(t *turn, in *engine.Intent) *engine.Rejection
	Offer func(t *turn) []engine.Offer
	Play  func(r *rules, s *engine.Scene, f *engine.Frame, in engine.Intent)
}

var turnActs = [...]act{
	{actAttack, true, checkAttack, offerAttack, playAttack},
	{actFreeMove, false, checkFreeMove, offerFreeMove, playWalk},
	{actRunUp, false, checkRunUp, offerPlain, playGait},
	{actRun, false, checkRun, offerPlain, playGait},
	{actCrouched, false, checkCrouchedGait, offerPlain, playGait},
	{actCrawl, false, checkCrawl, offerPlain, playGait},
	{actWalk, false, checkWalk, offerWalk, playWalk},
	{actCrouch, false, checkCrouch, offerPlain, playPosture},
	{actStand, false, checkStand, offerPlain, playPosture},
	{actLieDown, true, checkLieDown, offerPlain, playPosture},
	{actGetUp, true, checkGetUp, offerPlain, playPosture},
	{actLook, false, checkNothing, offerLook, playNothing},
	{actConcentrate, true, checkConcentrate, offerConcentrate, playConcentrate},
	{actDraw, false, checkDraw, offerDraw, playDraw},
	{actSwap, true, checkSwap, offerSwap, playSwap},
	{actSheathe, true, checkSheathe, offerSheathe, playSheathe},
	{actDrop, false, checkDrop, offerDrop, playDrop},
	{actReload, true, checkReload, offerReload, playReload},
	{actPutOn, true, checkPutOn, offerPutOn, playDress},
	{actTakeOff, true, checkTakeOff, offerTakeOff, playDress},
	{actDelay, false, checkDelay, offerDelay, playDelay},
	{actPass, false, checkNothing, offerPlain, playPass},
}

// actOf finds an act of the turn.
func actOf(name engine.ActName) *act {
	for i := range turnActs {
		if turnActs[i].Name == name {
			return &turnActs[i]
		}
	}
	return nil
}

// turnOf is the turn that a prompt belongs to.
func (r *rules) turnOf(v engine.View, p *engine.Prompt) (turn, bool) {
	t := turn{r: r, v: v, f: v.Frame(p.Frame), who: p.Whose, me: v.Actor(p.Whose)}
	return t, t.f != nil && t.me != nil
}

// legal is the whole check of an act: what holds for all, then its own.
func (t *turn) legal(a *act, in *engine.Intent) *engine.Rejection {
	if a.Full {
		if no := t.actionLeft(); no != nil {
			return no
		}
	}
	return a.Check(t, in)
}

// actionLeft refuses an action after a gait that left too few points (KM-MOVE-05).
func (t *turn) actionLeft() *engine.Rejection {
	if !t.rolledGait() {
		return nil
	}
	if left := t.pointsLeft(); left < keepForAction {
		return engine.Refuse(engine.ReasonSpent, "KM-MOVE-05", engine.Num("left", left), engine.Num("needed", keepForAction))
	}
	return nil
}

// rolledGait reports whether a gait was rolled in this turn.
func (t *turn) rolledGait() bool {
	return t.f.Get(varMoved, t.who) > int64(catalogue.Free)+1
}

// pointsLeft are the points of the gait that are not used.
func (t *turn) pointsLeft() int64 { return t.f.Get(varPoints, t.who) - t.f.Get(varSpent, t.who) }

func checkTurn(r *rules, v engine.View, p *engine.Prompt, d *engine.Decide) *engine.Rejection {
	t, ok := r.turnOf(v, p)
	if !ok {
		return engine.Refuse(engine.ReasonUnknownActor, engine.RulePrompt, engine.Num("actor", int64(p.Whose)))
	}
	if no := t.inPlace(d.Poses); no != nil {
		return no
	}
	if len(d.Intents) == 0 {
		return nil
	}
	if !inFight(v.Battle, p.Whose) {
		return engine.Refuse(engine.ReasonForbidden, "KM-WND-09", engine.Refers("actor", p.Whose.On()))
	}
	in := &d.Intents[0]
	a := actOf(in.Act)
	if a == nil {
		return engine.Refuse(engine.ReasonActNotOffered, "KM-ACT-01", engine.Named("act", in.Act))
	}
	return t.legal(a, in)
}

// inPlace refuses a decision of somebody whom the plugin sees in another block than the battle has him in: changing one's
// position is a move (KM-POS-02). An option relaxes it (KM-POS-06).
func (t *turn) inPlace(poses []engine.SeenPose) *engine.Rejection {
	if t.v.Word(optStrict) == wordNo {
		return nil
	}
	for i := range poses {
		if poses[i].Actor != t.who {
			continue
		}
		at, seen := t.me.Pose.At.Block(), poses[i].Pose.At.Block()
		if at.X != seen.X || at.Z != seen.Z {
			no := engine.Refuse(engine.ReasonPoseMoved, "KM-POS-02", engine.Cell("at", at), engine.Cell("seen", seen))
			no.Cells = []voxel.Pos{at, seen}
			return no
		}
	}
	return nil
}

func offerTurn(r *rules, v engine.View, p *engine.Prompt) []engine.Offer {
	t, ok := r.turnOf(v, p)
	if !ok || !inFight(v.Battle, p.Whose) {
		return nil
	}
	var out []engine.Offer
	for i := range turnActs {
		a := &turnActs[i]
		offers := a.Offer(&t)
		if a.Offer == nil {
			continue
		}
		for j := range offers {
			o := &offers[j]
			if o.Act == "" {
				o.Act = a.Name
			}
			if a.Full && o.No == nil {
				o.No = t.actionLeft()
			}
			if mods := modsOf(o.Act); len(mods) > 0 && o.No == nil {
				o.Mods = []engine.ModGroup{{Mods: slices.Clone(mods), Most: int32(len(mods))}}
			}
		}
		out = append(out, offers...)
	}
	// An act with nothing to name is checked as it stands.
	for i := range out {
		if o := &out[i]; o.No == nil && plain(o) {
			in := engine.Intent{Act: o.Act, By: t.who}
			o.No = t.legal(actOf(o.Act), &in)
		}
	}
	return out
}

// plain reports whether an offer names nothing but its act.
func plain(o *engine.Offer) bool {
	switch o.Act {
	case actFreeMove, actWalk, actLook, actAttack:
		return false
	}
	return len(o.Targets) == 0 && len(o.Items) == 0 && len(o.About) == 0 && o.Amount == (engine.Span{}) && len(o.Region) == 0
}

func offerPlain(*turn) []engine.Offer { return []engine.Offer{{}} }

func checkNothing(*turn, *engine.Intent) *engine.Rejection { return nil }

func playNothing(*rules, *engine.Scene, *engine.Frame, engine.Intent) {}

func offerLook(*turn) []engine.Offer { return []engine.Offer{{}} }

// playPass ends the turn.
func playPass(_ *rules, _ *engine.Scene, f *engine.Frame, _ engine.Intent) { f.Step = stepTurnEnd }

// uses is the trait that an act is made with, for the concentration that it consumes instead of breaking it.
func (r *rules) uses(b *engine.Battle, in *engine.Intent) engine.TraitName {
	switch in.Act {
	case actAttack:
		if g, ok := r.gearOf(b, in.By, in.Item(0)); ok {
			return g.weapon.Skill
		}
	case actRunUp, actRun, actCrouched, actCrawl:
		return catalogue.Movement
	case actConcentrate:
		return in.About
	}
	return ""
}

// breakConcentration ends the concentration unless it is on the trait that is used (KM-CONC-05).
func (r *rules) breakConcentration(s *engine.Scene, a engine.ActorID, except engine.TraitName) {
	if k := s.Battle().FindCond(a.On(), condConcentration); k != nil && (except == "" || k.About != except) {
		s.ClearCond("KM-CONC-05", k.ID, engine.ClearBroken)
	}
}

// useConcentration ends the concentration on a trait by its use (KM-CONC-03).
func (r *rules) useConcentration(s *engine.Scene, a engine.ActorID, on engine.TraitName) {
	k := s.Battle().FindCond(a.On(), condConcentration)
	if k == nil || k.About != on {
		return
	}
	if t := r.cat.Trait(on); t != nil && t.Lasting && s.Battle().Word(optConcDefence) != "first" {
		return
	}
	s.ClearCond("KM-CONC-03", k.ID, engine.ClearUsed)
}

// checkConcentrate: a trait that can be concentrated on, and not the skill of a weapon drawn in this turn (KM-CONC-01, -04).
func checkConcentrate(t *turn, in *engine.Intent) *engine.Rejection {
	trait := t.r.cat.Trait(in.About)
	if trait == nil || !trait.Focus {
		return engine.Refuse(engine.ReasonForbidden, "KM-CONC-01", engine.Words("about", string(in.About)))
	}
	for i := range t.v.Items {
		it := &t.v.Items[i]
		if it.Holder != t.who || !t.v.HasCond(it.ID.On(), condDrawn) {
			continue
		}
		if w := t.r.cat.Weapon(it.Ref); w != nil && w.Skill == in.About {
			return engine.Refuse(engine.ReasonForbidden, "KM-WPN-02", engine.Named("about", in.About), engine.Refers("item", it.ID.On()))
		}
	}
	return nil
}

func offerConcentrate(t *turn) []engine.Offer {
	var o engine.Offer
	traits := t.r.cat.Traits()
	for i := range traits {
		in := engine.Intent{Act: actConcentrate, By: t.who, About: traits[i].Name}
		if checkConcentrate(t, &in) == nil {
			o.About = append(o.About, traits[i].Name)
		}
	}
	return []engine.Offer{o}
}

// playConcentrate gives +1 on a trait until the end of the next round (KM-CONC-01, -03).
func playConcentrate(_ *rules, s *engine.Scene, f *engine.Frame, in engine.Intent) {
	b := s.Battle()
	s.SetCond("KM-CONC-01", engine.Cond{Name: condConcentration, On: f.Intent.By.On(), About: in.About, Value: b.Round,
		Until: engine.Until{Kind: engine.UntilRound, N: b.Round + 1}})
}

// checkDelay: once a round, with nothing done yet, and not during a work of several turns (KM-DELAY-01, -03).
func checkDelay(t *turn, in *engine.Intent) *engine.Rejection {
	b := t.v.Battle
	switch {
	case b.HasCond(t.who.On(), condDelayed):
		return engine.Refuse(engine.ReasonSpent, "KM-DELAY-01")
	case t.f.Get(varStarted, t.who) != 0:
		return engine.Refuse(engine.ReasonForbidden, "KM-DELAY-01", engine.Words("why", "nothing may be done before"))
	}
	for i := range b.Plans {
		if p := &b.Plans[i]; p.Owner == t.who.On() && p.Kind == engine.PlanWork && p.Total > 1 {
			return engine.Refuse(engine.ReasonForbidden, "KM-DELAY-03", engine.Num("left", int64(p.Left)), engine.Num("total", int64(p.Total)))
		}
	}
	if n := later(b, t.who); in.Amount < 1 || in.Amount > n {
		return engine.Refuse(engine.ReasonMalformed, "KM-DELAY-01", engine.Num("places", int64(in.Amount)), engine.Num("max", int64(n)))
	}
	return nil
}

// later is how many places of the queue are behind an actor.
func later(b *engine.Battle, a engine.ActorID) int32 {
	for i := range b.Queue {
		if b.Queue[i].Actor == a && b.Queue[i].State == engine.SeatActing {
			return int32(len(b.Queue) - 1 - i)
		}
	}
	return 0
}

func offerDelay(t *turn) []engine.Offer {
	n := later(t.v.Battle, t.who)
	o := engine.Offer{Amount: engine.Span{Min: 1, Max: n}}
	in := engine.Intent{Act: actDelay, By: t.who, Amount: n}
	if o.No = checkDelay(t, &in); n == 0 {
		o.Amount = engine.Span{}
	}
	return []engine.Offer{o}
}

// playDelay moves the turn down the queue by Amount places; concentration and run are lost (KM-DELAY-01, -02).
func playDelay(r *rules, s *engine.Scene, f *engine.Frame, in engine.Intent) {
	b := s.Battle()
	a := f.Intent.By
	r.breakConcentration(s, a, "")
	s.ClearConds("KM-DELAY-02", a.On(), condRun, engine.ClearBroken)
	s.SetCond("KM-DELAY-01", engine.Cond{Name: condDelayed, On: a.On(), Until: engine.Until{Kind: engine.UntilRound, N: b.Round}})
	seats := slices.Clone(b.Queue)
	for i := range seats {
		if seats[i].Actor == a && seats[i].State == engine.SeatActing {
			me := seats[i]
			me.State = engine.SeatDelayed
			to := i + int(in.Amount)
			copy(seats[i:], seats[i+1:to+1])
			seats[to] = me
			break
		}
	}
	s.Emit("KM-DELAY-01", engine.Queued{Seats: seats})
	s.Close(outcomeDelayed)
}
