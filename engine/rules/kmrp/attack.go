package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// actSteps play the acts that take more than one step: attacks (Part 3.3) and reloads.
var actSteps = [...]step{
	{stepDeclared, declareAttack},
	{stepSight, sightTarget},
	{stepAskDefence, askDefence},
	{stepDefended, defended},
	{stepRollAttack, rollAttack},
	{stepWillAttack, willAttack},
	{stepFloor, floorReached},
	{stepWillDefence, willDefence},
	{stepCompare, compareRolls},
	{stepAfter, afterAttack},
	{stepReload, reload},
	{stepReloadWill, reloadWill},
	{stepReloadDone, reloadDone},
}

// windows are the moments of an attack at which others may step in, and the step that comes after them (Part 3.4). A window
// that asks nobody leaves no trace.
var windows = [...]struct {
	Moment engine.Moment
	Next   engine.StepName
}{
	{engine.MomentDeclared, stepSight},
	{engine.MomentActDone, ""},
}

// afterWindow is the step that follows the window of a moment.
func afterWindow(m engine.Moment) engine.StepName {
	for i := range windows {
		if windows[i].Moment == m {
			return windows[i].Next
		}
	}
	return ""
}

// attackModifiers shift the roll of an attack.
var attackModifiers = [...]modifier{
	{modWeaponHeavy, "KM-MEL-05", engine.ModLevel, meleeTooHeavy},
	{modOneHand, "KM-MEL-06", engine.ModLevel, twoHandedInOne},
	{modProne, "KM-PRONE-01", engine.ModLevel, proneAttack},
	{modAfterRun, "KM-RNG-17", engine.ModLevel, shotAfterRun},
	{modRunningTarget, "KM-RNG-18", engine.ModLevel, shotAtRunner},
	{modClose, "KM-RNG-CLOSE-02", engine.ModLevel, hindered},
	{modPointBlank, "KM-RNG-CLOSE-03", engine.ModLevel, pointBlank},
	{modRecoil, "KM-RNG-STAT-02", engine.ModLevel, singleRecoil},
}

// meleeTooHeavy is −1 for each level of Strength that a two-handed melee weapon lacks (KM-MEL-05). In one hand it needs
// Excellent, where its balance does not allow that (KM-MEL-06).
func meleeTooHeavy(c *casting) int32 {
	w := c.weapon.weapon
	if w.Kind == catalogue.Ranged {
		return 0
	}
	need := w.Strength
	if c.weapon.single {
		need = max(need, twoHandedOneHand)
	}
	c.from = c.weapon.item.On()
	return deficit(need, attribute(c.v.Battle, c.by, catalogue.Strength))
}

// twoHandedInOne is −1 for a two-handed weapon in one hand (KM-MEL-06).
func twoHandedInOne(c *casting) int32 {
	if !c.weapon.single {
		return 0
	}
	c.from = c.weapon.item.On()
	return -1
}

// ProneAttack is the level penalty of a melee attack by someone who lies, by the length of his weapon in points: −1 short, −2
// medium, −3 long (KM-PRONE-01, -02).
func ProneAttack(length int32) int32 { return -min(max(length, 1), 3) }

func proneAttack(c *casting) int32 {
	if c.v.Actor(c.by).Pose.Posture != voxel.Prone {
		return 0
	}
	if c.weapon.ranged() {
		if c.weapon.weapon.Has(catalogue.ProneLoss) {
			return -1 // KM-PRONE-03
		}
		return 0
	}
	return ProneAttack(c.weapon.length())
}

// shotAfterRun is −1 on a shot after a run or a run-up in this turn (KM-RNG-17).
func shotAfterRun(c *casting) int32 {
	if f := c.v.Frame(c.frame); !c.weapon.ranged() || f == nil || f.Get(varRan, c.by) == 0 {
		return 0
	}
	return -1
}

// shotAtRunner is −1 on a shot at somebody whose phase is running (KM-RNG-18).
func shotAtRunner(c *casting) int32 {
	if !c.weapon.ranged() {
		return 0
	}
	if run := c.v.FindCond(c.vs.On(), condRun); run == nil || run.Level != phaseRunning {
		return 0
	}
	return -1
}

// hindered is −1 on a close shot that is answered by a parry or a hand-to-hand roll (KM-RNG-CLOSE-02).
func hindered(c *casting) int32 {
	if c.against != actClose || len(c.lane.Guards) == 0 {
		return 0
	}
	if d := c.lane.Guards[0].Intent.Act; d != actParry && d != actFight {
		return 0
	}
	return -1
}

// pointBlank is −1 on a shot at one block or less, not added to the one above, and not for pistols without a stock
// (KM-RNG-CLOSE-03).
func pointBlank(c *casting) int32 {
	w := c.weapon.weapon
	if !c.weapon.ranged() || w.Has(catalogue.Pistol) && !w.Has(catalogue.Stocked) {
		return 0
	}
	if hindered(c) != 0 || distance(c.v, c.by, c.vs, &c.lane.Seen, c.frame) > 1 {
		return 0
	}
	return -1
}

// singleRecoil is the recoil of a single shot (companion table 3.6).
func singleRecoil(c *casting) int32 {
	if !c.weapon.ranged() {
		return 0
	}
	n := c.weapon.weapon.SingleRecoil
	if c.weapon.ammo != nil {
		n += c.weapon.ammo.Effect.Recoil
	}
	c.from = c.weapon.item.On()
	return min(n, 0)
}

// weaponChosen is the weapon that an attack is made with, or a refusal (KM-ATK-BASE-01, KM-RNG-06).
func (t *turn) weaponChosen(id engine.ItemID) (gear, *engine.Rejection) {
	g, ok := t.r.gearOf(t.v.Battle, t.who, id)
	if !ok {
		if it := t.v.Item(id); id != 0 && it != nil && it.Holder == t.who {
			return gear{}, engine.Refuse(engine.ReasonNotReady, "KM-ATK-BASE-01", engine.Refers("item", id.On()), engine.Named("slot", it.Slot))
		}
		return gear{}, engine.Refuse(engine.ReasonUnknownItem, "KM-ATK-BASE-01", engine.Num("item", int64(id)))
	}
	b := t.v.Battle
	if id == 0 && b.ItemAt(t.who, catalogue.MainHand) != nil && b.ItemAt(t.who, catalogue.OffHand) != nil {
		return gear{}, engine.Refuse(engine.ReasonNotReady, "KM-HTH-01", engine.Words("why", "no free hand"))
	}
	if id != 0 && b.HasCond(id.On(), condDrawn) && !t.r.instant(b, t.who, b.Item(id).Ref) {
		return gear{}, engine.Refuse(engine.ReasonNotReady, "KM-WPN-02", engine.Refers("item", id.On()), engine.Level("reaction", int64(t.r.reaction(b, t.who))), engine.Level("needed", instantLevel))
	}
	if !g.ranged() {
		return g, nil
	}
	w := g.weapon
	switch {
	case g.single && w.Hands == 2:
		return gear{}, engine.Refuse(engine.ReasonNotReady, "KM-RNG-06", engine.Refers("item", id.On()), engine.Words("why", "needs both hands"))
	case w.Capacity > 0 && b.GaugeNow(id.On(), gaugeRounds) < 1:
		return gear{}, engine.Refuse(engine.ReasonNotReady, "KM-RNG-06", engine.Refers("item", id.On()), engine.Num("rounds", 0))
	case t.me.Pose.Posture == voxel.Prone && w.Has(catalogue.NotProne):
		return gear{}, engine.Refuse(engine.ReasonForbidden, "KM-PRONE-03", engine.Refers("item", id.On()))
	case t.v.World == nil:
		return gear{}, engine.Refuse(engine.ReasonArenaMissing, "KM-RNG-05", engine.Refers("item", id.On()))
	}
	return g, nil
}

// checkAttack: a weapon that is ready, and a target in reach and in sight (A1 of Part 3.3).
func checkAttack(t *turn, in *engine.Intent) *engine.Rejection {
	g, no := t.weaponChosen(in.Item(0))
	if no != nil {
		return no
	}
	return t.target(&g, in.Victim())
}

// target refuses a target that cannot be attacked with a weapon.
func (t *turn) target(g *gear, on engine.ActorID) *engine.Rejection {
	v := t.v
	foe := v.Actor(on)
	switch {
	case foe == nil:
		return engine.Refuse(engine.ReasonUnknownTarget, "KM-ATK-BASE-01", engine.Refers("target", on.On()))
	case on == t.who:
		return engine.Refuse(engine.ReasonForbidden, "KM-ATK-BASE-01", engine.Refers("target", on.On()))
	case !inFight(v.Battle, on):
		if n, _, ok := v.Ruled(figConsent, t.who, on, 0); !ok || n == 0 {
			return engine.Refuse(engine.ReasonForbidden, "KM-WND-09", engine.Refers("target", on.On()))
		}
	}
	seen := voxel.Sighting{Distance: voxel.Distance(t.r.figure(t.me), t.r.figure(foe))}
	d := distance(v, t.who, on, &seen, 0)
	if g.ranged() {
		if _, ok := g.weapon.HitWith(g.ammo, d); !ok {
			return t.outOf("KM-RNG-02", on, d, g.limit(t.r.cat))
		}
	} else if reach := g.reach(v.Battle); d > reach {
		return t.outOf("KM-MEL-02", on, d, reach)
	}
	return t.inSight(g, on)
}

// outOf refuses a target beyond reach, with the cell where it is.
func (t *turn) outOf(rule engine.Rule, on engine.ActorID, d, limit int32) *engine.Rejection {
	no := engine.Refuse(engine.ReasonOutOfReach, rule, engine.Refers("target", on.On()), engine.Num("distance", int64(d)), engine.Num("reach", int64(limit)))
	no.Cells = []voxel.Pos{t.v.Actor(on).Pose.At.Block()}
	return no
}

// inSight refuses a target that blocks hide wholly, or that stands in absolute darkness (KM-RNG-05, KM-COVER-03, KM-DARK-03).
func (t *turn) inSight(g *gear, on engine.ActorID) *engine.Rejection {
	v := t.v
	if v.World == nil && len(v.Rulings) == 0 && len(v.Zones) == 0 {
		return nil
	}
	rule := engine.Rule("KM-ATK-BASE-01")
	if g.ranged() {
		rule = "KM-RNG-05"
	}
	seen := voxel.Sighting{}
	open, ruled := ruledOpen(v, t.who, on, 0)
	switch {
	case ruled && !open:
		return engine.Refuse(engine.ReasonOutOfSight, "KM-COVER-03", engine.Refers("target", on.On()))
	case !ruled && !t.r.clear(v, t.who, on):
		seen = t.r.sight(v, t.who, on, true)
		if !seen.Open() || !seen.Visible() {
			no := engine.Refuse(engine.ReasonOutOfSight, rule, engine.Refers("target", on.On()), engine.Num("hidden", int64(max(seen.Hidden, seen.Unseen))), engine.Num("samples", int64(seen.Samples)))
			no.Cells = hiding(&seen)
			return no
		}
	}
	if v.World != nil {
		foe := t.r.figure(v.Actor(on))
		seen.Light = v.World.Light(foe.Head())
	}
	if t.r.light(v, t.who, on, &seen, 0) == litDark {
		return engine.Refuse(engine.ReasonOutOfSight, "KM-DARK-03", engine.Refers("target", on.On()), engine.Num("light", int64(seen.Light.At(uint8(v.Number(optSky))))))
	}
	return nil
}

// offerAttack offers every weapon with the targets that it can be used on, and greys the others with the reason.
func offerAttack(t *turn) []engine.Offer {
	ids := make([]engine.ItemID, 0, 3)
	for _, slot := range [...]engine.SlotName{catalogue.MainHand, catalogue.OffHand} {
		if it := t.v.ItemAt(t.who, slot); it != nil {
			if _, ok := t.r.gearOf(t.v.Battle, t.who, it.ID); ok {
				ids = append(ids, it.ID)
			}
		}
	}
	ids = append(ids, 0)
	var out []engine.Offer
	for _, id := range ids {
		items := [][]engine.ItemID{{id}}
		if id == 0 {
			items = nil
		}
		g, no := t.weaponChosen(id)
		if no != nil {
			out = append(out, engine.Offer{Items: items, No: no})
			continue
		}
		good := engine.Offer{Items: items}
		for i := range t.v.Actors {
			on := t.v.Actors[i].ID
			if on == t.who {
				continue
			}
			target := []engine.Target{{Ref: on.On()}}
			if no := t.target(&g, on); no != nil {
				out = append(out, engine.Offer{Items: items, Targets: target, No: no})
				continue
			}
			good.Targets = append(good.Targets, target[0])
		}
		if len(good.Targets) > 0 {
			out = append(out, good)
		}
	}
	return out
}

// playAttack pushes the frame of an attack. The run phase ends with it (KM-ATK-RUN-02).
func playAttack(_ *rules, s *engine.Scene, f *engine.Frame, in engine.Intent) {
	ran := f.Get(varMoved, f.Intent.By)
	if f.Get(varPhase, f.Intent.By) != phaseNone {
		f.Set(varPhase, f.Intent.By, phaseNone)
	}
	a := s.Push(engine.FrameAct, stepDeclared, in)
	if ran == int64(catalogue.RunUp)+1 || ran == int64(catalogue.Run)+1 {
		a.Set(varRan, in.By, 1)
	}
}

// classOf is the class of an attack, for what may answer it (KM-DEF-GEN-02).
func (r *rules) classOf(v engine.View, f *engine.Frame, g *gear) engine.ActName {
	switch {
	case g.weapon.Kind == catalogue.Unarmed || g.weapon.Has(catalogue.Fist):
		return actFists
	case !g.ranged():
		return actBlow
	}
	on := f.Intent.Victim()
	if distance(v, f.Intent.By, on, &f.Lanes[0].Seen, f.ID) <= r.closeDistance(v.Battle, on) {
		return actClose
	}
	return actShot
}

// closeDistance is how near a shot is a close one: within the length of the target's weapon in hand, 1 for bare hands
// (KM-RNG-CLOSE-01, AMB-59).
func (r *rules) closeDistance(b *engine.Battle, on engine.ActorID) int32 {
	if b.Word(optClose) == "two" {
		return 2
	}
	if g, ok := r.armed(b, on, catalogue.Melee); ok {
		return max(1, g.length())
	}
	return 1
}

// declareAttack announces the attack and makes its lane. Others may step in before it goes on (KM-CTR-OUT-04).
func declareAttack(_ *rules, s *engine.Scene, f *engine.Frame) {
	s.Emit("KM-ATK-BASE-01", engine.Declared{Frame: f.ID, Intent: f.Intent, Class: actAttack})
	f.Lanes = make([]engine.Lane, len(f.Intent.Targets))
	for i := range f.Lanes {
		f.Lanes[i].Target = f.Intent.Targets[i]
	}
	f.Step = afterWindow(engine.MomentDeclared)
}

// attacker is the weapon of an attack that is still in hand.
func (r *rules) attacker(b *engine.Battle, f *engine.Frame) (gear, bool) {
	return r.gearOf(b, f.Intent.By, f.Intent.Item(0))
}

// sightTarget re-validates the attack and freezes what the attacker sees: from here on nobody's movement changes it.
func sightTarget(r *rules, s *engine.Scene, f *engine.Frame) {
	v := s.View()
	by, on := f.Intent.By, f.Intent.Victim()
	g, ok := r.attacker(v.Battle, f)
	if !ok || !inFight(v.Battle, by) || v.Actor(on) == nil {
		r.void(s, f)
		return
	}
	lane := &f.Lanes[0]
	lane.Seen = r.sight(v, by, on, g.ranged())
	open, ruled := ruledOpen(v, by, on, f.ID)
	hidden := lane.Seen.Samples > 0 && !(lane.Seen.Open() && lane.Seen.Visible()) && !r.clear(v, by, on)
	if ruled && !open || !ruled && hidden || r.light(v, by, on, &lane.Seen, f.ID) == litDark {
		r.void(s, f)
		return
	}
	if g.ranged() {
		h, base, ok := r.difficulty(s, f, &g)
		if !ok {
			r.void(s, f)
			return
		}
		f.Set(varFloor, 0, int64(h))
		f.Set(varBase, 0, int64(base))
	}
	f.Step = stepAskDefence
}

// void closes an attack whose cause fell away. Nothing was rolled and nothing is spent but the turn.
func (r *rules) void(s *engine.Scene, f *engine.Frame) {
	f.Void = engine.ReasonForbidden
	s.Emit("KM-ATK-BASE-01", engine.Resolved{Frame: f.ID, Act: actAttack, By: f.Intent.By, Target: f.Intent.Targets[0], Outcome: outcomeVoid})
	s.Close(outcomeVoid)
}

// farProne and nearProne are the distances, in blocks, beyond which a lying target is harder to hit and within which it
// defends worse (KM-PRONE-04, -05).
const (
	farProne  = 20
	nearProne = 10
)

// difficulty is the hit difficulty H of a shot: the distance, and on top cover and a far lying target (KM-RNG-02, -04,
// KM-COVER-02, KM-DARK-02, KM-PRONE-04). Cover of darkness and real cover do not add up, save by option (KM-DARK-05). base
// is that of the distance alone (AMB-57).
func (r *rules) difficulty(s *engine.Scene, f *engine.Frame, g *gear) (h, base int32, ok bool) {
	v := s.View()
	by, on := f.Intent.By, f.Intent.Victim()
	seen := &f.Lanes[0].Seen
	d := distance(v, by, on, seen, f.ID)
	base, ok = g.weapon.HitWith(g.ammo, d)
	if !ok {
		return 0, 0, false
	}
	terms := make([]engine.Term, 1, 4)
	terms[0] = engine.Term{Name: termDistance, Rule: "KM-RNG-02", Amount: base, Source: g.item.On()}
	cover := covered(v, by, on, seen, f.ID)
	if cover {
		terms = append(terms, engine.Term{Name: termCover, Rule: "KM-COVER-02", Amount: 1})
	}
	if (!cover || v.Word(optCoverStack) == wordYes) && r.light(v, by, on, seen, f.ID) == litShade {
		terms = append(terms, engine.Term{Name: termShade, Rule: "KM-DARK-02", Amount: 1})
	}
	if v.Actor(on).Pose.Posture == voxel.Prone && d > farProne {
		terms = append(terms, engine.Term{Name: termProneFar, Rule: "KM-PRONE-04", Amount: 1})
	}
	for i := range terms {
		h += terms[i].Amount
	}
	if n, _, ruled := v.Ruled(figDifficulty, by, on, f.ID); ruled {
		terms = append(terms, engine.Term{Name: termRuling, Rule: "KM-RNG-04", Amount: int32(n) - h})
		h = int32(n)
	}
	s.Tally(engine.Tally{What: figDifficulty, Rule: "KM-RNG-04", On: on, Terms: terms, Total: int64(h)})
	return h, base, true
}

// rollAttack rolls A and spends the round (A4).
func rollAttack(r *rules, s *engine.Scene, f *engine.Frame) {
	v := s.View()
	by, on := f.Intent.By, f.Intent.Victim()
	g, ok := r.attacker(v.Battle, f)
	if !ok {
		r.void(s, f)
		return
	}
	c := casting{rules: r, v: v, by: by, vs: on, trait: g.weapon.Skill, why: whyAttack, rule: "KM-ATK-BASE-01", frame: f.ID,
		weapon: &g, lane: &f.Lanes[0], against: r.classOf(v, f, &g), aim: int32(f.Get(varFloor, 0)), hasAim: true, worse: f.Intent.Has(modTakeWorse)}
	c.prepare(attackModifiers[:])
	roll := c.cast(s)
	f.Lanes[0].Attack = roll.ID
	f.Rolls = append(f.Rolls, roll)
	r.useConcentration(s, by, g.weapon.Skill)
	if g.ranged() && g.weapon.Capacity > 0 {
		s.AddGauge("KM-RNG-06", g.item.On(), gaugeRounds, -1)
	}
	r.window(s, f, f.Roll(roll.ID), stepWillAttack, stepFloor)
}

func willAttack(r *rules, s *engine.Scene, f *engine.Frame) {
	r.shut(s, f, f.Roll(f.Lanes[0].Attack), stepFloor)
}

// floorReached ends an attack that misses by itself (KM-DMG-03): then no defence is rolled or counted. Otherwise it rolls D
// (A5, A6).
func floorReached(r *rules, s *engine.Scene, f *engine.Frame) {
	lane := &f.Lanes[0]
	attack := f.Roll(lane.Attack)
	f.Step = stepAfter
	if int64(attack.Result) < f.Get(varFloor, 0) {
		lane.Outcome = outcomeMissed
		return
	}
	if len(lane.Guards) == 0 {
		f.Step = stepCompare
		return
	}
	roll := r.rollDefence(s, f, lane, attack)
	lane.Guards[0].Roll = roll.ID
	f.Rolls = append(f.Rolls, roll)
	r.window(s, f, f.Roll(roll.ID), stepWillDefence, stepCompare)
}

func willDefence(r *rules, s *engine.Scene, f *engine.Frame) {
	r.shut(s, f, f.Roll(f.Lanes[0].Guards[0].Roll), stepCompare)
}

// backStab is the bonus of a blow from behind (KM-ATK-BACK-01), pointBack that of a shot (KM-ATK-BACK-02), bare the one of a
// lash against an unarmoured segment (KM-MEL-CLASS-07).
const (
	backStab  = 1
	bareBonus = 1
)

// fromBehind is +1 W for short melee weapons, and at range as the option says (KM-ATK-BACK-01, -02, AMB-49).
func (r *rules) fromBehind(v engine.View, f *engine.Frame, g *gear) (int32, engine.Rule) {
	if !behind(v, f.Intent.By, f.Intent.Victim(), &f.Lanes[0].Seen, f.ID) {
		return 0, ""
	}
	if g.ranged() {
		switch v.Word(optBackRanged) {
		case "off":
			return 0, ""
		case "all":
			return backStab, "KM-ATK-BACK-02"
		}
		if g.weapon.Size == catalogue.Short && g.weapon.Family == catalogue.Firearm {
			return backStab, "KM-ATK-BACK-02"
		}
		return 0, ""
	}
	if g.weapon.Kind == catalogue.Melee && g.weapon.Size == catalogue.Short {
		return backStab, "KM-ATK-BACK-01"
	}
	return 0, ""
}

// compareRolls compares the rolls and computes the damage (A7 to A9).
func compareRolls(r *rules, s *engine.Scene, f *engine.Frame) {
	v := s.View()
	b := v.Battle
	on := f.Intent.Victim()
	lane := &f.Lanes[0]
	g, ok := r.attacker(b, f)
	if !ok {
		r.void(s, f)
		return
	}
	blow := Blow{Attack: f.Roll(lane.Attack).Result, Floor: int32(f.Get(varFloor, 0)), Flail: g.weapon.Has(catalogue.BeatsTie),
		TieHits: b.Word(optTie) == "attacker", FlatBlock: b.Word(optBlockDiff) == "zero", NoFloor: !g.ranged() && b.Word(optMeleeFloor) == "none"}
	var guardItem engine.ItemID
	if len(lane.Guards) > 0 {
		guard := &lane.Guards[0]
		blow.Answer, blow.Defence = answerOf(guard.Intent.Act), f.Roll(guard.Roll).Result
		if blow.Answer == Blocked {
			if shield, id := r.shieldOf(b, on); shield != nil {
				blow.Shield, guardItem = shield.SH, id
			}
		}
	}
	f.Step = stepAfter
	if !blow.Lands() {
		lane.Outcome = heldOutcome(blow.Answer)
		return
	}
	lane.Outcome = outcomeHit
	part := catalogue.Torso
	if blow.Held() {
		lane.Outcome = heldOutcome(blow.Answer)
	}
	if blow.Answer == Grouped && blow.Held() {
		blow.Chest, _ = r.effectiveArmour(b, on, catalogue.Torso, &g, 0)
	} else {
		part = r.redirect(s, f, on, &g)
	}
	terms := r.damageTerms(s, f, &g, &blow, part, guardItem)
	damage := blow.Damage()
	degree := r.cat.Degree(damage)
	if degree == catalogue.NoWound && b.Word(optNegative) == "scratch_if_hit" && !blow.Held() && blow.Attack-blow.Opposing() >= 1 {
		degree = catalogue.Scratch
	}
	if g.ranged() {
		f.Set(varDamage, 0, int64(damage))
	}
	s.Tally(engine.Tally{What: figDamage, Rule: "KM-DMG-01", On: on, Terms: terms, Total: int64(damage), Band: engine.Band(r.cat.Wound(degree).Ref)})
	if degree == catalogue.NoWound {
		return
	}
	bleeds := int32(bleedsNot)
	switch {
	case g.weapon.Has(catalogue.BleedsEqual):
		bleeds = bleedsEqual
	case g.weapon.Has(catalogue.BleedsBelow) || g.ammo != nil && g.ammo.Effect.Bleeds:
		bleeds = bleedsBelow
	}
	r.wound(s, engine.Cond{Name: condWound, On: on.On(), With: f.Intent.By, Item: g.item, Part: part, Level: int32(degree), Cause: f.ID,
		Source: f.Intent.By.On(), Until: engine.Until{Kind: engine.UntilKept}}, f.Intent.By, bleeds)
}

// damageTerms lists the addends of KM-DMG-01 and fills what the blow still lacks: W and AR.
func (r *rules) damageTerms(s *engine.Scene, f *engine.Frame, g *gear, blow *Blow, part engine.PartName, guardItem engine.ItemID) []engine.Term {
	v := s.View()
	b := v.Battle
	on := f.Intent.Victim()
	terms := make([]engine.Term, 0, 8)
	put := func(name engine.ModName, rule engine.Rule, amount int32, from engine.Ref) {
		if amount != 0 {
			terms = append(terms, engine.Term{Name: name, Rule: rule, Amount: amount, Source: from})
		}
	}
	weapon := func(name engine.ModName, rule engine.Rule, amount int32, from engine.Ref) {
		blow.Weapon += amount
		put(name, rule, amount, from)
	}
	lane := &f.Lanes[0]
	terms = append(terms, engine.Term{Name: termAttack, Rule: "KM-DMG-02", Amount: blow.Attack, Source: engine.Ref{Kind: engine.RefRoll, ID: uint32(lane.Attack)}})
	opposing := engine.Ref{}
	if len(lane.Guards) > 0 && blow.Opposing() == blow.Defence {
		opposing = engine.Ref{Kind: engine.RefRoll, ID: uint32(lane.Guards[0].Roll)}
	}
	put(termOpposing, "KM-DMG-02", -blow.Opposing(), opposing)
	shot := g.weapon.Shot(g.ammo)
	weapon(termWeapon, "KM-MEL-01", g.weapon.Modifier, g.item.On())
	weapon(termAmmo, "KM-AMMO-01", shot.Modifier-g.weapon.Modifier, g.item.On())
	if g.single {
		weapon(termOneHand, "KM-MEL-03", -g.weapon.BothHands, g.item.On())
	}
	if g.ranged() {
		weapon(termDropOff, "KM-RNG-08", g.weapon.DropWith(g.ammo, int32(f.Get(varBase, 0))), engine.Ref{})
	}
	if n, rule := r.fromBehind(v, f, g); n != 0 {
		weapon(termBackStab, rule, n, engine.Ref{})
	}
	ar, piece := r.effectiveArmour(b, on, part, g, 0)
	if piece == 0 {
		if g.weapon.Has(catalogue.Lacerates) {
			weapon(termLash, "KM-MEL-CLASS-07", bareBonus, engine.Ref{})
		}
		weapon(termAmmo, "KM-AMMO-04", shot.Effect.Bare, engine.Ref{})
	} else {
		weapon(termAmmo, "KM-AMMO-04", shot.Effect.Armoured+shot.Effect.PerArmour*max(0, ar-1), engine.Ref{})
	}
	blow.Armour = ar
	put(termArmour, "KM-ARM-08", -blow.ArmourCounts(), piece.On())
	put(termShield, "KM-DEF-BLOCK-01", -blow.ShieldCounts(), guardItem.On())
	put(termGrouping, "KM-DEF-GROUP-03", -blow.GroupingCounts(), engine.Ref{})
	return terms
}

// LosesRun reports whether a fugitive loses his run by a wound of a degree: a light one in the run-up, a heavy one when he is
// running (KM-ATK-RUN-03).
func LosesRun(phase int32, d catalogue.Degree) bool {
	switch phase {
	case phaseRunUp:
		return d >= catalogue.LightWound
	case phaseRunning:
		return d >= catalogue.HeavyWound
	}
	return false
}

// afterAttack counts the defence, turns the defender, breaks what breaks, reveals who shot, and closes (A11).
func afterAttack(r *rules, s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	by, on := f.Intent.By, f.Intent.Victim()
	lane := &f.Lanes[0]
	ran := f.Get(varRan, by) != 0
	rolled := len(lane.Guards) > 0 && lane.Guards[0].Roll != 0
	worst := catalogue.NoWound
	if b.Actor(on) != nil {
		if rolled || lane.Outcome == outcomeHit && len(lane.Guards) == 0 && b.Word(optCounter) == wordYes {
			s.AddGauge("KM-DEF-MULTI-01", on.On(), gaugeDefences, 1)
		}
		if rolled && inFight(b, on) {
			r.afterDefence(s, f, lane)
		}
		conds := b.CondsOn(on.On())
		for i := range conds {
			if isWound(conds[i].Name) && conds[i].Cause == f.ID {
				worst = max(worst, catalogue.Degree(conds[i].Level))
			}
		}
		if run := b.FindCond(on.On(), condRun); run != nil && ran && LosesRun(run.Level, worst) {
			s.ClearCond("KM-ATK-RUN-03", run.ID, engine.ClearBroken)
		}
	}
	if g, ok := r.attacker(b, f); ok && g.ranged() {
		r.afterShot(s, f, &g, lane)
	}
	s.Emit("KM-DMG-07", engine.Resolved{Frame: f.ID, Act: actAttack, By: by, Target: lane.Target, Outcome: lane.Outcome,
		Grade: engine.GradeName(r.cat.Wound(worst).Ref)})
	s.Close(lane.Outcome)
}

// afterShot: a thrown weapon leaves the hand; a firearm's flash shows who shot from the dark (KM-DARK-04), and a tracer that
// hits takes the shade from its target (KM-DARK-06). Both last by the option reveal_until, usually until the round ends.
func (r *rules) afterShot(s *engine.Scene, f *engine.Frame, g *gear, lane *engine.Lane) {
	v := s.View()
	by, on := f.Intent.By, f.Intent.Victim()
	if g.weapon.Has(catalogue.Thrown) && g.item != 0 && g.weapon.Capacity == 0 {
		it := *v.Item(g.item)
		it.Holder, it.Slot = 0, ""
		if foe := v.Actor(on); foe != nil {
			it.Cell = foe.Pose.At.Block()
		}
		s.Emit("KM-RNG-06", engine.ItemSet{Item: it})
	}
	if v.World == nil && len(v.Zones) == 0 && len(v.Rulings) == 0 {
		return
	}
	shot := g.weapon.Shot(g.ammo)
	if shot.Family == catalogue.Firearm || shot.Effect.Tracer {
		me := voxel.Sighting{}
		if v.World != nil {
			mine := r.figure(v.Actor(by))
			me.Light = v.World.Light(mine.Head())
		}
		if r.light(v, on, by, &me, f.ID) != litNormal {
			s.SetCond("KM-DARK-04", engine.Cond{Name: condRevealed, On: by.On(), Until: r.revealUntil(v.Battle, by)})
		}
	}
	if shot.Effect.Tracer && f.Get(varDamage, 0) > 0 && v.Actor(on) != nil && r.light(v, by, on, &lane.Seen, f.ID) != litNormal {
		s.SetCond("KM-DARK-06", engine.Cond{Name: condShadeLost, On: on.On(), Until: r.revealUntil(v.Battle, on)})
	}
}

// revealUntil is how long one who gave himself away is seen (AMB-50).
func (r *rules) revealUntil(b *engine.Battle, a engine.ActorID) engine.Until {
	switch b.Word(optReveal) {
	case "own_next_turn":
		return engine.Until{Kind: engine.UntilTurnStart, Whose: a, N: 1}
	case "turn":
		if seat := b.SeatActing(); seat != nil {
			return engine.Until{Kind: engine.UntilTurnEnd, Whose: seat.Actor, N: 1}
		}
	}
	return engine.Until{Kind: engine.UntilRound, N: b.Round}
}
