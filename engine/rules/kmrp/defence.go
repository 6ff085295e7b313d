package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// defence is one line of the table of KM-DEF-GEN-02: a way to meet an attack, the trait that is rolled, and against which
// classes of attack it may be used.
type defence struct {
	Act    engine.ActName
	Trait  engine.TraitName
	Rule   engine.Rule
	Answer Answer
	Blow   bool // melee weapons
	Fists  bool // unarmed and fist weapons
	Shot   bool // beyond close distance; for a block with projectile protection only
	Close  bool // close shooting
}

var defences = [...]defence{
	{actEvade, catalogue.Evasion, "KM-DEF-DODGE-01", Evaded, true, true, true, true},
	{actParry, catalogue.Parrying, "KM-DEF-PARRY-01", Parried, true, true, false, true},
	{actBlock, catalogue.Blocking, "KM-DEF-BLOCK-01", Blocked, true, true, true, true},
	{actGroup, catalogue.Grouping, "KM-DEF-GROUP-01", Grouped, true, true, true, true},
	{actFight, catalogue.HandToHand, "KM-DEF-HTH-01", Fought, false, true, false, true},
}

func defenceOf(a engine.ActName) *defence {
	for i := range defences {
		if defences[i].Act == a {
			return &defences[i]
		}
	}
	return nil
}

// answers reports whether the defence may answer a class of attack.
func (d *defence) answers(class engine.ActName) bool {
	switch class {
	case actBlow:
		return d.Blow
	case actFists:
		return d.Fists
	case actClose:
		return d.Close
	}
	return d.Shot
}

// answerOf is what a defence is in the damage formula.
func answerOf(a engine.ActName) Answer {
	if d := defenceOf(a); d != nil {
		return d.Answer
	}
	return Undefended
}

// heldOutcome is the outcome of an attack that a defence held.
func heldOutcome(a Answer) engine.OutcomeName {
	switch a {
	case Evaded:
		return outcomeEvaded
	case Parried:
		return outcomeParried
	case Blocked:
		return outcomeBlocked
	case Grouped:
		return outcomeGrouped
	case Fought:
		return outcomeFended
	}
	return outcomeMissed
}

// defenceModifiers shift the roll of a defence.
var defenceModifiers = [...]modifier{
	{modManyDefences, "KM-DEF-MULTI-02", engine.ModPercent, manyDefences},
	{modProne, "KM-PRONE-01", engine.ModLevel, proneDefence},
	{modProneNear, "KM-PRONE-05", engine.ModLevel, proneNear},
	{modShorter, "KM-DEF-PARRY-03", engine.ModLevel, shorterWeapon},
	{modShade, "KM-DARK-02", engine.ModLevel, shadeHelps},
}

// manyDefences is the penalty of the second and later defences of a round; grouping does not feel it (KM-DEF-MULTI-02,
// KM-DEF-GROUP-06).
func manyDefences(c *casting) int32 {
	if c.trait == catalogue.Grouping {
		return 0
	}
	return c.rules.cat.DefencePenalty(int32(c.v.GaugeNow(c.by.On(), gaugeDefences)) + 1)
}

// proneDefence is −1 on every defence of someone who lies against melee (KM-PRONE-01, AMB-76).
func proneDefence(c *casting) int32 {
	if c.v.Actor(c.by).Pose.Posture != voxel.Prone || c.against == actShot || c.against == actClose {
		return 0
	}
	return -1
}

// proneNear is −1 on the defence of someone who lies against a shot from less than 10 blocks (KM-PRONE-05).
func proneNear(c *casting) int32 {
	if c.v.Actor(c.by).Pose.Posture != voxel.Prone || c.against != actShot && c.against != actClose {
		return 0
	}
	if distance(c.v, c.vs, c.by, &c.lane.Seen, c.frame) >= nearProne {
		return 0
	}
	return -1
}

// Shorter is the level penalty of a parry with a shorter weapon: −1 for each point of length beyond one (KM-DEF-PARRY-03).
func Shorter(own, other int32) int32 { return min(0, own+1-other) }

func shorterWeapon(c *casting) int32 {
	if c.trait != catalogue.Parrying || c.weapon == nil || c.weapon.weapon == nil || c.foe == nil || c.foe.ranged() {
		return 0
	}
	c.from = c.weapon.item.On()
	return Shorter(c.weapon.length(), c.foe.length())
}

// shadeHelps is +1 on the defence of someone in heavy shade whom the attacker sees badly (KM-DARK-02).
func shadeHelps(c *casting) int32 {
	if c.rules.light(c.v, c.vs, c.by, &c.lane.Seen, c.frame) != litShade {
		return 0
	}
	return 1
}

// parrying is the weapon that somebody can parry with: a melee weapon in hand that is no lash (KM-DEF-PARRY-01, -02). The
// longest is taken.
func (r *rules) parrying(b *engine.Battle, a engine.ActorID) (gear, bool) {
	var best gear
	found := false
	for _, slot := range [...]engine.SlotName{catalogue.MainHand, catalogue.OffHand} {
		it := b.ItemAt(a, slot)
		if it == nil {
			continue
		}
		if g, ok := r.gearOf(b, a, it.ID); ok && g.weapon.Kind == catalogue.Melee && !g.weapon.Has(catalogue.NoParry) && r.cat.Shield(it.Ref) == nil &&
			(!found || g.length() > best.length()) {
			best, found = g, true
		}
	}
	return best, found
}

// defendable refuses a defence that cannot answer the attack (KM-DEF-GEN-02).
func (r *rules) defendable(v engine.View, f *engine.Frame, who engine.ActorID, a engine.ActName) *engine.Rejection {
	if a == actNone {
		return nil
	}
	d := defenceOf(a)
	if d == nil {
		return engine.Refuse(engine.ReasonActNotOffered, "KM-DEF-GEN-01", engine.Named("act", a))
	}
	if _, ok := r.attacker(v.Battle, f); !ok || len(f.Lanes) == 0 {
		return engine.Refuse(engine.ReasonPromptClosed, "KM-DEF-GEN-01")
	}
	m := r.meeting(v, f, who)
	switch {
	case m.can(d):
		return nil
	case !d.answers(m.class):
		return engine.Refuse(engine.ReasonForbidden, "KM-DEF-GEN-02", engine.Named("act", a), engine.Named("class", m.class))
	case d.Answer == Parried:
		return engine.Refuse(engine.ReasonRequirement, "KM-DEF-PARRY-01", engine.Words("needed", "a melee weapon in hand that can parry"))
	case m.plate == nil:
		return engine.Refuse(engine.ReasonRequirement, "KM-DEF-BLOCK-01", engine.Words("needed", "a shield in hand"))
	}
	return engine.Refuse(engine.ReasonRequirement, "KM-DEF-BLOCK-03", engine.Named("item", m.plate.Ref), engine.Words("needed", "a shield that stops projectiles"))
}

// askDefence gives the initiative to the target (KM-TURN-04, A3). Who is excluded, or skips turns where the option says so,
// has no defence.
func askDefence(r *rules, s *engine.Scene, f *engine.Frame) {
	v := s.View()
	b := v.Battle
	on := f.Intent.Victim()
	f.Step = stepRollAttack
	if !inFight(b, on) || b.Word(optSkipDefence) == wordNo && b.GaugeNow(on.On(), gaugeSkip) > 0 {
		return
	}
	f.Step = stepDefended
	g, _ := r.attacker(b, f)
	args := make([]engine.Arg, 0, 4)
	args = append(args, engine.Refers("attacker", f.Intent.By.On()), engine.Named("weapon", g.weapon.Ref), engine.Num("distance", int64(f.Lanes[0].Seen.Distance)))
	if g.ranged() {
		args = append(args, engine.Level("difficulty", f.Get(varFloor, 0)))
	}
	s.Ask(engine.Prompt{Whose: on, Kind: engine.PromptDefend, Ask: askDefend, Args: args, Default: r.bestDefence(v, f, on)})
}

// bestDefence is the legal defence with the highest level: what happens when nobody answers (KM-DEF-GEN-01).
func (r *rules) bestDefence(v engine.View, f *engine.Frame, who engine.ActorID) []engine.Intent {
	best := engine.Intent{Act: actNone, By: who}
	level := int32(0)
	meet := r.meeting(v, f, who)
	c := meet.casting(f)
	for i := range defences {
		d := &defences[i]
		if !meet.can(d) {
			continue
		}
		c.trait = d.Trait
		n := c.weigh(defenceModifiers[:])
		if d.Answer == Blocked || d.Answer == Grouped {
			n -= 50 // they do not cancel the damage: preferred only when better
		}
		if best.Act == actNone || n > level {
			best.Act, level = d.Act, n
		}
	}
	return []engine.Intent{best}
}

// meeting is an attack as its target meets it: what it is, and what there is to meet it with.
type meeting struct {
	r     *rules
	v     engine.View
	who   engine.ActorID
	class engine.ActName
	foe   gear
	own   gear // to parry with, where armed
	armed bool
	plate *catalogue.Shield
}

// meeting looks at an attack from its target's side.
func (r *rules) meeting(v engine.View, f *engine.Frame, who engine.ActorID) meeting {
	m := meeting{r: r, v: v, who: who}
	m.foe, _ = r.attacker(v.Battle, f)
	m.class = r.classOf(v, f, &m.foe)
	m.own, m.armed = r.parrying(v.Battle, who)
	m.plate, _ = r.shieldOf(v.Battle, who)
	return m
}

// can reports whether a defence may answer the attack (KM-DEF-GEN-02).
func (m *meeting) can(d *defence) bool {
	switch {
	case !d.answers(m.class):
		return false
	case d.Answer == Parried:
		return m.armed
	case d.Answer == Blocked:
		return m.plate != nil && (m.plate.Projectiles || m.class != actShot && m.class != actClose)
	}
	return true
}

// casting is a defence roll to be put together, against what the meeting is about.
func (m *meeting) casting(f *engine.Frame) *casting {
	c := &casting{rules: m.r, v: m.v, by: m.who, vs: f.Intent.By, why: whyDefence, frame: f.ID, arms: [2]gear{m.own, m.foe}, lane: &f.Lanes[0], against: m.class}
	c.weapon, c.foe = &c.arms[0], &c.arms[1]
	return c
}

// defend puts the roll of a defence together.
func (c *casting) defend(d *defence) {
	c.trait, c.rule, c.mods = d.Trait, d.Rule, c.mods[:0]
	c.prepare(defenceModifiers[:])
}

// defended takes the answer: a defence, or none.
func defended(_ *rules, s *engine.Scene, f *engine.Frame) {
	done := s.Take()
	f.Step = stepRollAttack
	if len(done) == 0 || len(done[0].Answer) == 0 || done[0].Answer[0].Act == actNone {
		return
	}
	lane := &f.Lanes[0]
	lane.Guards = []engine.Guard{{By: done[0].Whose, Intent: done[0].Answer[0]}}
	lane.State = engine.LaneDefended
}

// rollDefence rolls D against A (A6).
func (r *rules) rollDefence(s *engine.Scene, f *engine.Frame, lane *engine.Lane, attack *engine.Roll) engine.Roll {
	guard := &lane.Guards[0]
	d := defenceOf(guard.Intent.Act)
	m := r.meeting(s.View(), f, guard.By)
	c := m.casting(f)
	c.worse, c.aim, c.hasAim = guard.Intent.Has(modTakeWorse), attack.Result, true
	c.defend(d)
	roll := c.cast(s)
	r.useConcentration(s, guard.By, d.Trait)
	return roll
}

// afterDefence turns whoever parried or blocked to the attacker if he wished so (KM-POS-03), and breaks an improvised shield
// (KM-DEF-BLOCK-05).
func (r *rules) afterDefence(s *engine.Scene, f *engine.Frame, lane *engine.Lane) {
	b := s.Battle()
	guard := &lane.Guards[0]
	who := guard.By
	if guard.Intent.Has(modFace) {
		me, foe := b.Actor(who), b.Actor(f.Intent.By)
		if look := towards(me.Pose.At, foe.Pose.At); look != (voxel.Look{}) && look != me.Pose.Look {
			s.Emit("KM-POS-03", engine.Posed{Actor: who, Look: look, Posture: me.Pose.Posture})
		}
	}
	if guard.Intent.Act == actBlock {
		if shield, id := r.shieldOf(b, who); shield != nil && shield.Breaks {
			s.Emit("KM-DEF-BLOCK-05", engine.ItemGone{ID: id})
		}
	}
}

func checkDefence(r *rules, v engine.View, p *engine.Prompt, d *engine.Decide) *engine.Rejection {
	if len(d.Intents) == 0 {
		return nil
	}
	f := v.Frame(p.Frame)
	if !inFight(v.Battle, p.Whose) && d.Intents[0].Act != actNone {
		return engine.Refuse(engine.ReasonForbidden, "KM-WND-09", engine.Refers("actor", p.Whose.On()))
	}
	if f == nil {
		return engine.Refuse(engine.ReasonPromptClosed, "KM-DEF-GEN-01")
	}
	return r.defendable(v, f, p.Whose, d.Intents[0].Act)
}

func offerDefence(r *rules, v engine.View, p *engine.Prompt) []engine.Offer {
	f := v.Frame(p.Frame)
	if f == nil {
		return nil
	}
	out := make([]engine.Offer, 0, len(defences)+1)
	for i := range defences {
		o := engine.Offer{Act: defences[i].Act}
		if o.No = r.defendable(v, f, p.Whose, o.Act); o.No == nil {
			mods := modsOf(o.Act)
			o.Mods = []engine.ModGroup{{Mods: append([]engine.ModName(nil), mods...), Most: int32(len(mods))}}
		}
		out = append(out, o)
	}
	return append(out, engine.Offer{Act: actNone})
}
