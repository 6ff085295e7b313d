package empia

import (
	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

// blowAct is one strike or spell at its moment of resolution.
type blowAct struct {
	in     *engine.Intent
	a, d   engine.ActorID
	w      *weapon // nil for spells
	item   engine.ItemID
	ab     *ability // nil for a plain strike
	kind   string   // type of damage
	family family
	cost   int64
	harm   bool // it does damage
	size   int32
	longer int32 // per cent of duration
	status bool
	free   int32 // per cent of the cost that is spared
	dear   int32 // per cent of the cost that comes on top
	crit   bool
}

// magic reports whether it is a spell.
func (x *blowAct) magic() bool { return x.ab != nil && !x.ab.physical() }

// kindly reports whether nobody defends against it (EM-HIT-02).
func (x *blowAct) kindly() bool { return x.family == peaceful }

// strike is a plain strike, or an ability that is done with a weapon.
func (m *moment) strike(in *engine.Intent, ab *ability) engine.OutcomeName {
	x := &blowAct{in: in, a: in.By, d: in.Victim(), w: m.r.gear.weapon(bareHands), ab: ab, harm: true}
	if id := in.Item(0); id != 0 {
		it := m.v.Item(id)
		if it == nil || it.Holder != in.By || it.Slot != slotMain && it.Slot != slotOff || m.r.gear.weapon(it.Ref) == nil {
			return m.cannot(x)
		}
		x.w, x.item = m.r.gear.weapon(it.Ref), id
	}
	x.kind, x.family = x.w.Type, x.w.Family
	energy := x.w.Cost
	if ab != nil {
		energy = ab.Cost
	}
	x.cost = m.cost(in.By, energy)
	if !m.reaches(x, x.w.Reach) {
		return m.cannot(x)
	}
	return m.resolve(x)
}

// cast is an ability that needs no weapon.
func (m *moment) cast(in *engine.Intent, ab *ability) engine.OutcomeName {
	x := &blowAct{in: in, a: in.By, d: in.Victim(), ab: ab, kind: ab.Type, family: ab.Family, harm: ab.Max > 0, cost: m.cost(in.By, ab.Cost)}
	if !m.reaches(x, ab.Range) {
		return m.cannot(x)
	}
	return m.resolve(x)
}

// cannot is an act that has become impossible: it costs nothing and becomes rest (EM-ORD-06).
func (m *moment) cannot(x *blowAct) engine.OutcomeName {
	m.resolved(x, outcomeImpossible, "")
	return outcomeImpossible
}

func (m *moment) resolved(x *blowAct, outcome engine.OutcomeName, grade engine.GradeName) {
	m.out.Emit("EM-HIT-01", engine.Resolved{Frame: m.frame, Act: x.in.Act, By: x.a, Target: first(x.in.Targets), Outcome: outcome, Grade: grade})
}

// reaches reports whether the target is there, in range at the start of the phase and in an open line, and whether the
// actor has the energy (EM-GEO-02, -03, EM-NRG-02).
func (m *moment) reaches(x *blowAct, blocks int32) bool {
	if m.v.Actor(x.d) == nil || m.v.HasCond(x.d.On(), condDead) || !m.pays(x.a, x.cost) || !within(m.v.Battle, x.a, x.d, blocks) {
		return false
	}
	return x.a == x.d || m.v.World == nil || voxel.CanSee(m.v.World, m.r.figure(m.v.Battle, x.a), m.r.figure(m.v.Battle, x.d))
}

// magicBase and strikeBase are the base chances (EM-STAT-05).
const (
	magicBase  = 100
	strikeBase = 100
)

// masteries are what each rank of a branch adds to its chance (EM-MAST-01).
var masteries = [...]int32{25, 50, 125, 100}

// most is the largest chance that is rolled.
const most = 16_000

// chanceOf is the actor's chance, told of with its terms (EM-MOD-02).
func (m *moment) chanceOf(x *blowAct) int32 {
	t := engine.Tally{What: figChance, Rule: "EM-STAT-05", Frame: m.frame, On: x.a}
	sum := int32(0)
	add := func(name engine.ModName, rule engine.Rule, n int32) {
		if n != 0 {
			t.Terms = append(t.Terms, engine.Term{Name: name, Rule: rule, Amount: n, Source: x.a.On()})
			sum += n
		}
	}
	if x.magic() {
		add(termBase, "EM-STAT-05", magicBase)
		rank := int32(0)
		for i := range min(trait(m.v.Battle, x.a, traitMagic), int32(len(masteries))) {
			rank += masteries[i]
		}
		add(termRank, "EM-MAST-01", rank)
	} else {
		add(termBase, "EM-STAT-05", strikeBase)
		add(termBonus, "EM-STAT-05", trait(m.v.Battle, x.a, traitStrike))
		if it := m.v.Item(x.item); it != nil && it.Slot == slotOff {
			add(termOffHand, "EM-HIT-05", -50)
		}
	}
	n := m.reduced(&t, x.a, condAccuracy, termAccuracy, sum)
	t.Total = int64(min(n, most))
	m.out.Emit(t.Rule, engine.Tallied{Tally: t})
	return int32(t.Total)
}

// reduced applies a condition's percentage to a chance.
func (m *moment) reduced(t *engine.Tally, on engine.ActorID, by engine.CondName, name engine.ModName, sum int32) int32 {
	c := m.v.FindCond(on.On(), by)
	if c == nil {
		return chance(sum, 0)
	}
	n := chance(sum, 0, c.Value)
	t.Terms = append(t.Terms, engine.Term{Name: name, Rule: "EM-CRIT-11", Amount: n - sum, Source: on.On()})
	return n
}

// ownFailure is what is left of a defence that cannot be used: the actor's own chance to fail (EM-HIT-02, EM-DEF-02,
// -08, -09).
const ownFailure = 50

// defenceOf is the target's chance against it, told of with its terms, and whether it is a block.
func (m *moment) defenceOf(x *blowAct) (d int32, blocks bool) {
	b := m.v.Battle
	t := engine.Tally{What: figDefence, Rule: "EM-STAT-06", Frame: m.frame, On: x.d}
	sum := int32(0)
	add := func(name engine.ModName, rule engine.Rule, n int32) {
		if n != 0 {
			t.Terms = append(t.Terms, engine.Term{Name: name, Rule: rule, Amount: n, Source: x.d.On()})
			sum += n
		}
	}
	tell := func(n int32) int32 {
		t.Total = int64(min(max(n, ownFailure), most))
		m.out.Emit(t.Rule, engine.Tallied{Tally: t})
		return int32(t.Total)
	}
	switch {
	case x.kindly():
		t.Rule = "EM-HIT-02"
		add(termOwnFailure, "EM-HIT-02", ownFailure)
		return tell(sum), false
	case b.HasCond(x.d.On(), condImmobilised), !up(b, x.d):
		t.Rule = "EM-DEF-08"
		add(termOwnFailure, "EM-DEF-02", ownFailure)
		return tell(sum), false
	case b.HasCond(x.d.On(), condBlocking) && m.r.protection(b, x.d).shield > 0:
		t.Rule, blocks = "EM-STAT-08", true
		add(termBase, "EM-STAT-08", 100)
		add(termBonus, "EM-STAT-08", trait(b, x.d, traitBlock))
	default:
		add(termBase, "EM-STAT-06", 100)
		bonus := trait(b, x.d, traitDodge)
		if x.magic() {
			add(termBonus, "EM-STAT-07", bonus*min(50+trait(b, x.d, traitMagicDodge), 100)/100)
		} else {
			add(termBonus, "EM-STAT-06", bonus)
		}
	}
	return tell(m.reduced(&t, x.d, condDefence, termDefence, sum)), blocks
}

// gradeNames are the grades of hit rolls, from worst on.
var gradeNames = [...]engine.GradeName{gradeWorst, gradeFumble, gradeFailure, gradeSuccess, gradeCritical, gradeExceptional}

// hitRoll draws −d…+a without zero (EM-HIT-01): a die of a+d sides, of which the first d are the failures.
func (m *moment) hitRoll(x *blowAct, a, d int32) gradeWord {
	var classes []int32
	for _, c := range [...]int32{d / 100, d / 10, d, d + a - a/10, d + a - a/100} {
		if c > 0 && c < a+d && (len(classes) == 0 || c > classes[len(classes)-1]) {
			classes = append(classes, c)
		}
	}
	t := m.s.Throw(dice.Dice(1, a+d, classes...))
	r := t.Sum - d
	if t.Sum <= d {
		r--
	}
	g := gradeOf(r, a, d)
	base := traitStrike
	if x.magic() {
		base = traitMagic
	}
	m.out.Emit("EM-HIT-01", engine.Rolled{Roll: engine.Roll{ID: engine.RollID(m.s.NewID()), By: x.a, Against: x.d, Why: whyHit, Rule: "EM-HIT-01", Frame: m.frame,
		Base: engine.Base{Trait: base, Level: a, Rule: "EM-STAT-05"}, Aim: d, HasAim: true, Throws: []dice.Throw{t}, Result: r, Margin: r, Grade: gradeNames[g-worst]}})
	return g
}

// resolve plays an act that has come to its moment: the hit roll, critical effects, what it does, its cost.
func (m *moment) resolve(x *blowAct) engine.OutcomeName {
	if x.d != x.a {
		me, foe := m.v.Actor(x.a).Pose, m.v.Actor(x.d).Pose
		if look := towards(me.At, foe.At, me.Look); !voxel.InSector(me.At, me.Look, foe.At, voxel.Sector20) && look != me.Look {
			m.out.Emit("EM-GEO-03", engine.Posed{Actor: x.a, Look: look, Posture: me.Posture})
		}
	}
	a := m.chanceOf(x)
	d, blocks := m.defenceOf(x)
	g := m.hitRoll(x, a, d)
	x.crit = g >= critical
	outcome := outcomeMissed
	switch {
	case g >= success:
		if g >= critical {
			m.effects(x, g == exceptional, m.boons(x))
		}
		m.works(x, x.d, false)
		if outcome = outcomeHit; !x.harm {
			outcome = outcomeApplied
		}
	default:
		if x.kindly() {
			outcome = outcomeFailed
		}
		if blocks {
			outcome = outcomeBlocked
			m.charge(x.d, "EM-DEF-05", termBlockCost, 5*unit)
			if x.magic() && x.harm {
				m.hurt(x, x.d, m.damageDraw(x), true)
			}
		}
		if g <= fumble {
			if m.effects(x, g == worst, m.banes(x)) {
				outcome = outcomeSlipped
			}
		}
	}
	cost := x.cost * int64(100-x.free+x.dear) / 100
	m.charge(x.a, "EM-NRG-02", termCost, cost)
	m.resolved(x, outcome, gradeNames[g-worst])
	return outcome
}

// works does to a victim what the act does: damage, stun, healing, a ward. Reversed turns healing into harm
// (EM-CRIT-25).
func (m *moment) works(x *blowAct, victim engine.ActorID, reversed bool) {
	if x.harm {
		taken := m.hurt(x, victim, m.damageDraw(x), false)
		if x.status {
			m.afflict(x, victim, taken)
		}
	}
	if x.ab == nil {
		return
	}
	if x.ab.StunMax > 0 {
		m.stun(x, victim)
	}
	if x.ab.HealMax > 0 {
		n := m.roll(x.a, victim, whyHealing, "EM-NUM-04", x.ab.HealMin, x.ab.HealMax)
		n = whole(n).times(100 + x.size).floor()
		if reversed {
			n = -n
		}
		m.out.Add("EM-ABIL-01", victim.On(), gaugeLives, int64(n))
	}
	if x.ab.Sustained > 0 && !reversed {
		m.sustain(x, victim)
	}
}

// stun holds for a drawn number of slots after this one, and gives no shorter one than there is.
func (m *moment) stun(x *blowAct, victim engine.ActorID) {
	n := m.roll(x.a, victim, whyDuration, "EM-NUM-04", x.ab.StunMin, x.ab.StunMax)
	if x.longer > 0 {
		n = max(whole(n).times(100+x.longer).floor(), n+1)
	}
	m.status(victim, condStunned, 0, n, "EM-ABIL-01")
}

// status sets a condition for n slots after the present one (section 22); a longer one of its kind stays.
func (m *moment) status(on engine.ActorID, name engine.CondName, value, n int32, rule engine.Rule) {
	if old := m.v.FindCond(on.On(), name); old != nil && (old.Until.Kind != engine.UntilSlots || old.Until.N > n+1) {
		return
	}
	m.out.Set(rule, engine.Cond{Name: name, On: on.On(), Value: value, Until: engine.Until{Kind: engine.UntilSlots, N: n + 1}}, n*1000+value)
}

// sustain begins to hold an ability (EM-ABIL-06). What it does to the target falls with it.
func (m *moment) sustain(x *blowAct, victim engine.ActorID) {
	c := engine.Cond{Name: condSustaining, On: x.a.On(), With: victim, About: x.ab.Ref, Until: engine.Until{Kind: engine.UntilSlots, N: x.ab.Sustained + 1}}
	if old := m.v.FindAbout(x.a.On(), condSustaining, x.ab.Ref); old != nil {
		m.out.Clear("EM-ABIL-06", old.ID, engine.ClearReplaced)
	}
	c.ID = engine.CondID(m.s.NewID())
	m.out.Set("EM-ABIL-06", c, 0)
	if x.ab.Ward > 0 {
		m.out.Set("EM-ABIL-06", engine.Cond{Name: condWarded, On: victim.On(), With: x.a, About: x.ab.Ref, Value: whole(x.ab.Ward).times(100 + x.size).floor(), Parent: c.ID}, 1)
	}
}

// damageDraw draws the damage of the act after its stages (EM-DMG-02…08).
func (m *moment) damageDraw(x *blowAct) int32 {
	if x.w == nil {
		return m.roll(x.a, x.d, whyDamage, "EM-DMG-08", x.ab.Min, x.ab.Max)
	}
	s := spanOf(x.w.Min, x.w.Max).stage(changes{more: trait(m.v.Battle, x.a, traitDamage)}).stage(changes{more: trait(m.v.Battle, x.a, traitGeneral)})
	if x.ab != nil {
		s = s.stage(changes{min: x.ab.Add, max: x.ab.Add})
	}
	lo, hi := s.ends()
	return m.roll(x.a, x.d, whyDamage, "EM-DMG-08", lo, hi)
}

// hurt takes drawn damage through the victim's protection and from his lives, and tells how much that was.
func (m *moment) hurt(x *blowAct, victim engine.ActorID, drawn int32, half bool) int32 {
	b := blow{drawn: drawn, size: x.size, half: half, less: reductions(m.v.Battle, victim, !x.magic()), kind: x.kind, pierced: x.crit, on: m.r.protection(m.v.Battle, victim)}
	rule := engine.Rule("EM-DMG-09")
	if _, p := factor(x.kind, b.on); p > 0 {
		t := m.s.Throw(dice.Percentile(p))
		m.out.Emit("EM-DMGTYPE-02", engine.Rolled{Roll: engine.Roll{ID: engine.RollID(m.s.NewID()), By: x.a, Against: victim, Why: whyIgnored, Rule: "EM-DMGTYPE-02", Frame: m.frame,
			Aim: p, HasAim: true, Throws: []dice.Throw{t}, Result: t.Sum}})
		b.ignored = t.Sum <= p
	}
	taken := b.taken()
	m.out.Emit(rule, engine.Tallied{Tally: engine.Tally{What: figDamage, Rule: rule, Frame: m.frame, On: victim, Terms: b.terms(), Total: int64(taken)}})
	m.out.Add(rule, victim.On(), gaugeLives, -int64(taken))
	switch {
	case x.kind == "cutting":
		m.out.Add("EM-DMGTYPE-04", victim.On(), gaugeCut, int64(taken))
	case x.kind == "fire" && b.on.weight != "heavy":
		m.out.Add("EM-DMGTYPE-06", victim.On(), gaugeFire, int64(taken))
	}
	return taken
}
