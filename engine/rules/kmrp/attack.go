package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
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
	{stepRiposte, riposteTaken},
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
	s.Emit("KM-ATK-BASE-01", engine.Resolved{Frame: f.ID, Act: f.Intent.Act, By: f.Intent.By, Target: f.Intent.Targets[0], Outcome: outcomeVoid})
	s.Close(outcomeVoid)
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
		arms: [2]gear{g}, lane: &f.Lanes[0], against: r.classOf(v, f, &g), aim: int32(f.Get(varFloor, 0)), hasAim: true, worse: f.Intent.Has(modTakeWorse)}
	c.weapon = &c.arms[0]
	c.prepare(attackModifiers[:])
	roll := c.cast(s)
	f.Lanes[0].Attack = roll.ID
	f.Rolls = append(make([]engine.Roll, 0, 2), roll) // the attack's and the defence's
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
	if r.mayRiposte(b, f, lane) {
		f.Step = stepRiposte
		s.Ask(engine.Prompt{Whose: on, Kind: engine.PromptChoose, Ask: askRiposte, Args: []engine.Arg{engine.Refers("attacker", by.On())}})
		return
	}
	s.Close(lane.Outcome)
}
