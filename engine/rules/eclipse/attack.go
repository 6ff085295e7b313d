package eclipse

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

// beginAttack freezes what the attacker sees of each target, takes the rounds, and asks those who can defend, all at
// once (EP-ATK-01, -02, EP-AMMO-01).
func (r *rules) beginAttack(s *engine.Scene, f *engine.Frame) {
	b := s.Battle()
	in := f.Intent
	w := r.weaponOf(b, &in)
	f.Step = stepDefended
	if w.ranged() {
		f.Set(varRanged, 0, 1)
		id := in.Item(0)
		s.AddGauge("EP-AMMO-01", id.On(), gaugeRounds, -roundsFor(w, &in))
		if !w.has(modeSemi) {
			s.SetCond("EP-FIRE-01", engine.Cond{Name: condFired, On: id.On(), Until: engine.Until{Kind: engine.UntilRound, N: b.Round}})
		}
	}
	for _, t := range in.Targets {
		f.Lanes = append(f.Lanes, engine.Lane{Target: t, Seen: r.sighting(s.View(), in.By, t.Ref.Actor())})
	}
	for i, t := range in.Targets {
		d := t.Ref.Actor()
		if !up(b, d) || b.HasCond(d.On(), condSurprised) { // EP-ATK-09
			continue
		}
		s.Ask(engine.Prompt{Whose: d, Kind: engine.PromptDefend, Ask: askDefend, Rank: int32(i), Sealed: len(in.Targets) > 1,
			Args: []engine.Arg{engine.Refers("attacker", in.By.On())}, Default: []engine.Intent{r.bestDefence(s.View(), f, d)}})
	}
}

// bestDefence is the defence with the higher target number.
func (r *rules) bestDefence(v engine.View, f *engine.Frame, d engine.ActorID) engine.Intent {
	dodge, parry := engine.Intent{Act: actDodge, By: d}, engine.Intent{Act: actParry, By: d}
	if f.Get(varRanged, 0) == 0 && r.defenceRoll(v, f, &parry).Aim > r.defenceRoll(v, f, &dodge).Aim {
		return parry
	}
	return dodge
}

// rollOf is the roll of an actor in an attack, or nil.
func rollOf(f *engine.Frame, a engine.ActorID) *engine.Roll {
	for i := range f.Rolls {
		if f.Rolls[i].By == a {
			return &f.Rolls[i]
		}
	}
	return nil
}

// attackRoll is the attacker's roll against one lane, with all its modifiers (EP-ATK-03).
func (r *rules) attackRoll(v engine.View, f *engine.Frame, lane *engine.Lane) engine.Roll {
	b, in := v.Battle, &f.Intent
	w := r.weaponOf(b, in)
	a, d := in.By, lane.Target.Ref.Actor()
	roll := engine.Roll{By: a, Against: d, Why: whyAttack, Rule: "EP-ATK-04", Frame: f.ID, Base: base(b, a, w.skill())}
	add := func(name engine.ModName, rule engine.Rule, amount int32, hiding ...voxel.Pos) {
		if amount != 0 {
			roll.Mods = append(roll.Mods, engine.Mod{Name: name, Rule: rule, Amount: amount, Cells: hiding})
		}
	}
	r.bodyMods(b, a, add)
	if f.Get(varRan, 0) != 0 {
		add(modRunning, "EP-MOD-01", -20)
	}
	me, foe := b.Actor(a), b.Actor(d)
	switch {
	case me.Pose.At.Y-foe.Pose.At.Y >= above*voxel.Unit:
		add(modHeight, "EP-MOD-02", 20)
	case !w.ranged() && foe.Pose.Posture == voxel.Prone && me.Pose.Posture != voxel.Prone:
		add(modProneNear, "EP-MOD-02", 20)
	}
	switch light := r.light(b, f, lane); {
	case light == 0: // a blind attack; the draw follows (EP-MOD-11)
	case light <= 3:
		add(modLight, "EP-MOD-10", -20)
	case light <= 7:
		add(modLight, "EP-MOD-09", -10)
	}
	if w.ranged() {
		r.shotMods(v, f, lane, w, add)
	}
	if n, _, ok := b.Ruled(figModifier, a, d, f.ID); ok {
		add(modRuling, "EP-MOD-13", int32(n))
	}
	aim(&roll)
	return roll
}

// shotMods are the modifiers of table T-2, of T-4 and of the mode of fire.
func (r *rules) shotMods(v engine.View, f *engine.Frame, lane *engine.Lane, w *weapon, add func(engine.ModName, engine.Rule, int32, ...voxel.Pos)) {
	b, in := v.Battle, &f.Intent
	a, d := in.By, lane.Target.Ref.Actor()
	far := r.shotDistance(b, a, d, f.ID)
	name, rule, n := bands(far, w.Range)
	add(name, rule, n)
	grade := coverGrade(lane.Seen.Hidden, lane.Seen.Samples)
	if n, _, ok := b.Ruled(figCover, a, d, f.ID); ok {
		grade = int32(n)
	}
	add(modCover, "EP-RMOD-08", -10*grade, cells(&lane.Seen)...)
	if b.Actor(d).Pose.Posture == voxel.Prone && far >= closeRange*closeRange*voxel.Unit*voxel.Unit {
		add(modProneFar, "EP-RMOD-10", -10)
	}
	for i := range b.Actors {
		x := b.Actors[i].ID
		if up(b, x) && b.Hostile(a, x) && within(bodies(figure(b, r.spec, a), figure(b, r.spec, x)), meleeReach) {
			penalty := int32(-10)
			if w.Long {
				penalty = -30
			}
			add(modInMelee, "EP-RMOD-04", penalty)
			break
		}
	}
	if !w.Sighted {
		add(modUnsighted, "EP-RMOD-05", -10)
	}
	switch {
	case in.Has(modBurstHit):
		add(modBurstHit, "EP-FIRE-03", 10)
	case in.Has(modAutoHit):
		add(modAutoHit, "EP-FIRE-04", 30)
	}
	if c := b.FindCond(a.On(), condAim); c != nil && c.With == d {
		add(engine.ModName(condAim), "EP-RMOD-02", 30)
	} else if b.HasCond(a.On(), condRaised) && roundsFor(w, in) == 1 {
		add(engine.ModName(condRaised), "EP-RMOD-01", 10)
	}
}

// light is how bright the target is: 0…15, by the arena and the sky, or as the master has ruled.
func (r *rules) light(b *engine.Battle, f *engine.Frame, lane *engine.Lane) int32 {
	if n, _, ok := b.Ruled(figLight, f.Intent.By, lane.Target.Ref.Actor(), f.ID); ok {
		return int32(n)
	}
	return int32(lane.Seen.Light.At(uint8(b.Number(optSky))))
}

// bodyMods are the modifiers that an actor's own state puts on all he does (EP-MOD-03, EP-ARM-05).
func (r *rules) bodyMods(b *engine.Battle, a engine.ActorID, add func(engine.ModName, engine.Rule, int32, ...voxel.Pos)) {
	add(modWounds, "EP-MOD-03", -10*wounds(b, a))
	kinetic, layers := r.armourOf(b, a, "kinetic")
	energy, _ := r.armourOf(b, a, "energy")
	add(modLayers, "EP-ARM-05", -20*max(layers-1, 0))
	if max(kinetic, energy) > trait(b, a, traitSomatics) {
		add(modHeavy, "EP-ARM-05", -20)
	}
}

// defenceRoll is the roll of a defence. Against shots Fray counts half; full defence is added after that (EP-DEF-03,
// -05).
func (r *rules) defenceRoll(v engine.View, f *engine.Frame, in *engine.Intent) engine.Roll {
	b, a, d := v.Battle, f.Intent.By, in.By
	roll := engine.Roll{By: d, Against: a, Why: whyDefence, Rule: "EP-DEF-02", Frame: f.ID, Base: base(b, d, traitFray)}
	if in.Act == actParry {
		roll.Base = base(b, d, traitMelee)
	}
	if f.Get(varRanged, 0) != 0 {
		roll.Rule, roll.Base.Level, roll.Base.Rule = "EP-DEF-03", halfUp(roll.Base.Level, 2), "EP-DEF-03"
	}
	add := func(name engine.ModName, rule engine.Rule, amount int32, _ ...voxel.Pos) {
		if amount != 0 {
			roll.Mods = append(roll.Mods, engine.Mod{Name: name, Rule: rule, Amount: amount})
		}
	}
	r.bodyMods(b, d, add)
	if b.HasCond(d.On(), condGuard) {
		add(engine.ModName(condGuard), "EP-DEF-05", 30)
	}
	me, foe := b.Actor(d), b.Actor(a)
	if me.Pose.At.Y-foe.Pose.At.Y >= above*voxel.Unit {
		add(modHeight, "EP-MOD-02", 20)
	}
	aim(&roll)
	return roll
}

// stands leaves out of an attack those whom the master has taken from the battle, and tells whether anybody is left;
// otherwise the attack comes to nothing.
func (r *rules) stands(s *engine.Scene, f *engine.Frame) bool {
	b := s.Battle()
	gone := func(a engine.ActorID) bool { return b.Actor(a) == nil }
	f.Lanes = slices.DeleteFunc(f.Lanes, func(l engine.Lane) bool { return gone(l.Target.Ref.Actor()) })
	f.Rolls = slices.DeleteFunc(f.Rolls, func(x engine.Roll) bool { return gone(x.By) })
	if len(f.Lanes) > 0 {
		return true
	}
	s.Emit("EP-ATK-01", engine.Resolved{Frame: f.ID, Act: f.Intent.Act, By: f.Intent.By, Outcome: outcomeVoid})
	s.Close(outcomeVoid)
	return false
}

// defended takes the defences, prepares all rolls and offers pool points before them (EP-ATK-03, EP-POOL-02).
func (r *rules) defended(s *engine.Scene, f *engine.Frame) {
	if !r.stands(s, f) {
		return
	}
	for _, p := range s.Take() {
		if len(p.Answer) == 0 {
			continue
		}
		for i := range f.Lanes {
			if f.Lanes[i].Target.Ref == p.Whose.On() {
				f.Lanes[i].Guards = []engine.Guard{{By: p.Whose, Intent: p.Answer[0]}}
				f.Lanes[i].State = engine.LaneDefended
			}
		}
	}
	// One roll serves all targets, with the modifiers of the worst placed (EP-FIRE-06).
	v := s.View()
	roll := r.attackRoll(v, f, &f.Lanes[0])
	for i := range f.Lanes[1:] {
		if other := r.attackRoll(v, f, &f.Lanes[i+1]); other.Aim < roll.Aim {
			roll = other
		}
	}
	roll.ID = engine.RollID(s.NewID())
	f.Rolls = append(f.Rolls, roll)
	for i := range f.Lanes {
		f.Lanes[i].Attack = roll.ID
		for j := range f.Lanes[i].Guards {
			g := &f.Lanes[i].Guards[j]
			guard := r.defenceRoll(v, f, &g.Intent)
			guard.ID = engine.RollID(s.NewID())
			g.Roll = guard.ID
			f.Rolls = append(f.Rolls, guard)
		}
	}
	f.Moment, f.Step = engine.MomentPrepared, stepPooled
	asked := false
	for rank := range f.Rolls {
		if len(purses(s.Battle(), f.Rolls[rank].By)) > 0 {
			asked = true
		}
	}
	if !asked {
		return
	}
	rolls := slices.Clone(f.Rolls)
	for rank := range rolls {
		s.Rolled(rolls[rank])
		if a := rolls[rank].By; len(purses(s.Battle(), a)) > 0 {
			s.Ask(engine.Prompt{Whose: a, Kind: engine.PromptSpend, Ask: askBefore, Rank: int32(rank), Sealed: true, Args: []engine.Arg{engine.Num("target_number", int64(rolls[rank].Aim))}})
		}
	}
}

// pooled takes the points spent before the rolls and throws them all (EP-ATK-04).
func (r *rules) pooled(s *engine.Scene, f *engine.Frame) {
	if !r.stands(s, f) {
		return
	}
	for _, p := range s.Take() {
		if len(p.Answer) > 0 {
			r.spend(s, f, p.Whose, &p.Answer[0])
		}
	}
	for i := range f.Rolls {
		roll := &f.Rolls[i]
		settle(roll, s.Throw(dice.Percentile(r.classes(s.Battle(), f, i)...)))
		s.Rolled(*roll)
	}
	f.Moment, f.Step = engine.MomentThrown, stepSpentFirst
	r.askAfter(s, f, 0, 1)
}

// askAfter offers a pool point after the rolls to those of the rolls from…to who have spent none on this test
// (EP-POOL-04).
func (r *rules) askAfter(s *engine.Scene, f *engine.Frame, from, to int) {
	var ask []engine.Prompt
	for i := from; i < to; i++ {
		roll := &f.Rolls[i]
		if r.maySpend(s.Battle(), f, roll) && slices.ContainsFunc(afterOffers(s.Battle(), f, roll.By), func(o engine.Offer) bool { return o.No == nil }) {
			ask = append(ask, engine.Prompt{Whose: roll.By, Kind: engine.PromptSpend, Ask: askAfter, Rank: int32(i), Sealed: true, Args: []engine.Arg{
				engine.Num("rolled", int64(roll.Result)), engine.Num("target_number", int64(roll.Aim)), engine.Named("grade", roll.Grade)}})
		}
	}
	for _, p := range ask {
		s.Ask(p)
	}
}

func (r *rules) maySpend(b *engine.Battle, f *engine.Frame, roll *engine.Roll) bool {
	return f.Get(varSpent, roll.By) == 0 && len(purses(b, roll.By)) > 0
}

// spentFirst takes the attacker's point; then the defenders are asked (EP-POOL-08).
func (r *rules) spentFirst(s *engine.Scene, f *engine.Frame) {
	if !r.stands(s, f) {
		return
	}
	r.takeSpends(s, f)
	f.Step = stepSpentLast
	r.askAfter(s, f, 1, len(f.Rolls))
}

func (r *rules) spentLast(s *engine.Scene, f *engine.Frame) {
	if !r.stands(s, f) {
		return
	}
	r.takeSpends(s, f)
	f.Step = stepResult
}

func (r *rules) takeSpends(s *engine.Scene, f *engine.Frame) {
	for _, p := range s.Take() {
		if len(p.Answer) > 0 {
			r.spend(s, f, p.Whose, &p.Answer[0])
		}
	}
}

// spend takes a point from a pool and does with the roll what it was spent for (EP-POOL-02, -03).
func (r *rules) spend(s *engine.Scene, f *engine.Frame, a engine.ActorID, in *engine.Intent) {
	purse := gaugeVigor
	if in.Has(modFlex) || s.Battle().GaugeNow(a.On(), gaugeVigor) == 0 {
		purse = gaugeFlex
	}
	s.AddGauge("EP-POOL-01", a.On(), purse, -1)
	f.Set(varSpent, a, 1)
	roll := rollOf(f, a)
	mod := engine.Mod{Name: engine.ModName(in.Act), Rule: r.spec.Act(in.Act).Rule, Source: a.On()}
	switch in.Act {
	case actAdd:
		mod.Amount = 20
		roll.Mods = append(slices.Clone(roll.Mods), mod)
		aim(roll)
	case actIgnore:
		roll.Mods = slices.Clone(roll.Mods)
		for i := range roll.Mods {
			roll.Mods[i].Void = true
		}
		aim(roll)
	case actReverse:
		mod.Amount = reversed(roll.Result) - roll.Result
		roll.Result = reversed(roll.Result)
		regrade(roll)
	case actBetter:
		if roll.Grade = gradeSuperior; roll.Result >= 33 {
			roll.Grade = gradeSuperiorTwo
		}
	case actSoften:
		roll.Grade = gradeFailure
	}
	if len(roll.Throws) > 0 {
		roll.After = append(slices.Clone(roll.After), mod)
	}
	s.Revised(*roll, mod)
}

// result plays each lane: the opposed test, and damage where it hits (EP-ATK-05…16).
func (r *rules) result(s *engine.Scene, f *engine.Frame) {
	if !r.stands(s, f) {
		return
	}
	in := f.Intent
	w := r.weaponOf(s.Battle(), &in)
	attack := *f.Roll(f.Lanes[0].Attack)
	for i := range f.Lanes {
		lane := &f.Lanes[i]
		d := lane.Target.Ref.Actor()
		outcome := outcomeMissed
		defence := side{grade: gradeFailure}
		if len(lane.Guards) > 0 {
			defence = sideOf(f.Roll(lane.Guards[0].Roll))
		}
		if hits(sideOf(&attack), defence) && !r.strays(s, f, lane) {
			outcome = r.strike(s, f, d, w, &attack, int32(i))
		}
		lane.State, lane.Outcome = engine.LaneDone, outcome
		s.Emit("EP-ATK-07", engine.Resolved{Frame: f.ID, Act: in.Act, By: in.By, Target: lane.Target, Lane: int32(i), Outcome: outcome, Grade: attack.Grade})
	}
	s.ClearConds("EP-RMOD-01", in.By.On(), condRaised, engine.ClearUsed)
	s.ClearConds("EP-RMOD-02", in.By.On(), condAim, engine.ClearUsed)
	s.Close(outcomeDone)
}

// strays draws whether an attack on somebody in full darkness goes wide (EP-MOD-11, EP-NUM-04).
func (r *rules) strays(s *engine.Scene, f *engine.Frame, lane *engine.Lane) bool {
	if r.light(s.Battle(), f, lane) > 0 {
		return false
	}
	t := s.Throw(dice.Percentile(49, 99))
	s.Rolled(engine.Roll{ID: engine.RollID(s.NewID()), By: f.Intent.By, Against: lane.Target.Ref.Actor(), Why: whyBlind, Rule: "EP-MOD-11", Frame: f.ID,
		Aim: 49, HasAim: true, Throws: []dice.Throw{t}, Result: t.Sum % 100})
	return t.Sum%100 <= 49
}

// classes are the bounds of the classes in which the values of roll i of an attack lead to the same result, whatever
// those who still may spend a point do with theirs.
func (r *rules) classes(b *engine.Battle, f *engine.Frame, i int) []int32 {
	roll := &f.Rolls[i]
	spends := r.maySpend(b, f, roll)
	if i == 0 {
		if spends {
			return nil
		}
		best := int32(0)
		for j := range f.Rolls[1:] {
			best = max(best, f.Rolls[j+1].Aim)
		}
		return cuts(100, func(v int32) int32 {
			x := sideWith(roll, v%100)
			if !succeeds(x.grade) {
				return -gradeNumber(x.grade)
			}
			return gradeNumber(x.grade)*128 + min(x.value, best+1)
		})
	}
	first := &f.Rolls[0]
	attacks := [2]side{sideWith(first, first.Result), sideWith(first, reversed(first.Result))}
	n := 1
	if r.maySpend(b, f, first) {
		n = 2
	}
	return cuts(100, func(v int32) int32 {
		key := int32(0)
		add := func(d side) {
			for _, a := range attacks[:n] {
				key *= 2
				if hits(a, d) {
					key++
				}
			}
		}
		add(sideWith(roll, v%100))
		if spends {
			add(sideWith(roll, reversed(v%100)))
		}
		return key
	})
}

// sideWith is what a roll would be with a value.
func sideWith(r *engine.Roll, value int32) side {
	return side{value, grade(r.Aim, value, skilled(r))}
}

// gradeNumber tells grades apart.
func gradeNumber(g engine.GradeName) int32 {
	for i, x := range [...]engine.GradeName{gradeCritical, gradeSuperiorTwo, gradeSuperior, gradeSuccess, gradeFailure, gradeSuperiorFail, gradeTwoFail, gradeCriticalFail} {
		if x == g {
			return int32(i) + 1
		}
	}
	panic("eclipse: no grade " + string(g))
}
