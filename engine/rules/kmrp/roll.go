package kmrp

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/rules/kmrp/catalogue"
)

// casting is one roll being put together: the pipeline of KM-DICE-07, which every roll of the system goes through.
type casting struct {
	rules *rules
	v     engine.View
	by    engine.ActorID
	vs    engine.ActorID // the other side, or zero
	trait engine.TraitName
	why   engine.Purpose
	rule  engine.Rule
	frame engine.FrameID

	weapon  *gear          // what is rolled with, or nil
	foe     *gear          // what it is rolled against, or nil
	arms    [2]gear        // what weapon and foe point at
	lane    *engine.Lane   // of an attack, or nil
	against engine.ActName // of a defence: the class of the attack
	aim     int32          // what it must reach
	hasAim  bool
	worse   bool // the roller takes the worse of two, where he may choose (KM-ADV-01)

	about *catalogue.Trait // the trait's entry
	load  load             // what the roller carries; looked at once
	base  engine.Base
	mods  []engine.Mod
	from  engine.Ref // set by a modifier's function: what it comes from
}

// load is what weighs on somebody.
type load struct {
	known     bool
	strength  int32
	plate     *catalogue.Armour // the breastplate
	plateItem engine.ItemID
	shield    *catalogue.Shield
	shieldIn  engine.ItemID
	weapon    int32 // levels of Strength that the ranged weapon in hand lacks, 0 or less
	weaponIn  engine.ItemID
}

// carried looks at what the roller carries.
func (c *casting) carried() *load {
	l := &c.load
	if l.known {
		return l
	}
	b := c.v.Battle
	l.known, l.strength = true, attribute(b, c.by, catalogue.Strength)
	l.plate, l.plateItem = c.rules.armourOn(b, c.by, catalogue.Torso)
	l.shield, l.shieldIn = c.rules.shieldOf(b, c.by)
	for i := range b.Items {
		it := &b.Items[i]
		if it.Holder != c.by || !inHand(it.Slot) {
			continue
		}
		if w := c.rules.cat.Weapon(it.Ref); w != nil && w.Kind == catalogue.Ranged {
			if d := deficit(w.Strength, l.strength); d < l.weapon {
				l.weapon, l.weaponIn = d, it.ID
			}
		}
	}
	return l
}

// modifier is one line of a table: a named shift of a roll and the function that says by how much.
type modifier struct {
	Name engine.ModName
	Rule engine.Rule
	Kind engine.ModKind
	By   func(c *casting) int32
}

// put adds a modifier that is not zero.
func (c *casting) put(name engine.ModName, rule engine.Rule, kind engine.ModKind, amount int32, from engine.Ref) {
	if amount == 0 {
		return
	}
	if c.mods == nil {
		c.mods = make([]engine.Mod, 0, 4)
	}
	c.mods = append(c.mods, engine.Mod{Name: name, Rule: rule, Kind: kind, Amount: amount, Source: from})
}

// apply reads one table of modifiers.
func (c *casting) apply(table []modifier) {
	for i := range table {
		m := &table[i]
		c.from = engine.Ref{}
		c.put(m.Name, m.Rule, m.Kind, m.By(c), c.from)
	}
}

// prepare takes the base level and all modifiers (KM-DICE-07 steps 1 to 3). extra is the table of the kind of roll.
func (c *casting) prepare(extra []modifier) {
	c.about = c.rules.cat.Trait(c.trait)
	c.base = c.rules.baseLevel(c.v.Battle, c.by, c.trait, c.about)
	c.wounds()
	c.apply(commonModifiers[:])
	c.apply(extra)
	c.rulings()
	if whole, _ := dice.Split(engine.Sum(c.mods, engine.ModPercent)); whole != 0 {
		c.put(modWholeHundreds, "KM-PCT-06", engine.ModLevel, whole, engine.Ref{})
	}
}

// weigh sums up what tells one trait from another for the same roller, in percent, a level as a hundred: the base level and the
// modifiers, without what every roll of his suffers alike.
func (c *casting) weigh(extra []modifier) int32 {
	c.about = c.rules.cat.Trait(c.trait)
	sum := 100 * c.rules.baseLevel(c.v.Battle, c.by, c.trait, c.about).Level
	for _, table := range [...][]modifier{commonModifiers[:], extra} {
		for i := range table {
			switch n := table[i].By(c); table[i].Kind {
			case engine.ModLevel:
				sum += 100 * n
			case engine.ModPercent:
				sum += n
			}
		}
	}
	return sum
}

// level is the base with all level modifiers, whole hundreds included: what an unrolled value is (KM-PCT-10).
func (c *casting) level() int32 { return c.base.Level + engine.Sum(c.mods, engine.ModLevel) }

// percent is the remainder that dice are turned by, -99…99 (KM-PCT-06).
func (c *casting) percent() int32 {
	_, rest := dice.Split(engine.Sum(c.mods, engine.ModPercent))
	return rest
}

// swing says whether the roll is made twice: +1 the better counts, -1 the worse, 0 once (KM-ADV-01, -02, -04).
func (c *casting) swing() int {
	n := 0
	if c.granted(condAdvantage) {
		n++
	}
	if c.granted(condHindrance) {
		n--
	}
	if n > 0 && c.worse {
		return -1
	}
	return n
}

// granted reports whether the roller has the condition for this trait or for every roll.
func (c *casting) granted(name engine.CondName) bool {
	conds := c.v.CondsOn(c.by.On())
	for i := range conds {
		if conds[i].Name == name && (conds[i].About == "" || conds[i].About == c.trait) {
			return true
		}
	}
	return false
}

// roll is the prepared roll without throws.
func (c *casting) roll() engine.Roll {
	return engine.Roll{
		By: c.by, Against: c.vs, Why: c.why, Rule: c.rule, Frame: c.frame,
		Base: c.base, Mods: slices.Clip(c.mods), Aim: c.aim, HasAim: c.hasAim,
	}
}

// cast throws the prepared roll, records it and gives it (KM-DICE-07 steps 4 to 7).
func (c *casting) cast(s *engine.Scene) engine.Roll {
	r := c.roll()
	r.ID = engine.RollID(s.NewID())
	f := dice.FourFudge(c.percent())
	if swing := c.swing(); swing == 0 {
		r.Throws = []dice.Throw{s.Throw(f)}
	} else {
		first := s.Throw(f)
		r.Throws = []dice.Throw{first, s.Throw(f)}
		if better := r.Throws[1].Sum > first.Sum; better == (swing > 0) && r.Throws[1].Sum != first.Sum {
			r.Taken = 1
		}
	}
	finish(&r)
	s.Rolled(r)
	return r
}

// finish works out result, margin and grade of a thrown roll (KM-DICE-02, -03, -06).
func finish(r *engine.Roll) {
	t := &r.Throws[r.Taken]
	r.Result = r.Base.Level + engine.Sum(r.Mods, engine.ModLevel) + t.Sum + engine.Sum(r.After, engine.ModLevel)
	if r.HasAim {
		r.Margin = r.Result - r.Aim
	}
	r.Grade = ""
	switch t.Critical() {
	case 1:
		r.Grade = gradeCriticalSuccess
	case -1:
		r.Grade = gradeCriticalFailure
	}
}

// again throws a roll once more for a Will point; the new throw takes the place of the old one, or the better of the two
// counts by option (KM-WILL-02).
//
// Under advantage or hindrance the new roll too is thrown twice.
func again(s *engine.Scene, r *engine.Roll, keepBest bool, swing int) {
	old := r.Throws[r.Taken]
	throws := append(make([]dice.Throw, 0, len(r.Throws)+2), r.Throws...)
	f := old.Formula()
	n := len(throws)
	throws = append(throws, s.Throw(f))
	if swing != 0 {
		throws = append(throws, s.Throw(f))
		if more := int(throws[n+1].Sum - throws[n].Sum); more*swing > 0 {
			n++
		}
	}
	r.Throws = throws
	if !keepBest || throws[n].Sum > old.Sum {
		r.Taken = int8(n)
	}
	finish(r)
}

// AutoSuccess reports whether a level needs no roll against a difficulty because nothing presses (KM-DICE-05). In a battle
// something always does.
func AutoSuccess(level, difficulty int32, calm bool) bool { return calm && level >= difficulty+2 }

// rulings adds what the master has ruled for this roll: levels and percent (Part 6: "add modifier to any roll").
func (c *casting) rulings() {
	if len(c.v.Rulings) == 0 {
		return
	}
	if n, _, ok := c.v.Ruled(figModifier, c.by, c.vs, c.frame); ok {
		c.put(modRuling, "KM-DICE-08", engine.ModLevel, int32(n), engine.Ref{})
	}
	if n, _, ok := c.v.Ruled(figPercent, c.by, c.vs, c.frame); ok {
		c.put(modRuling, "KM-DICE-08", engine.ModPercent, int32(n), engine.Ref{})
	}
}
