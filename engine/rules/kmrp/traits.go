package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
)

// untrained is the level from which a missing skill is rolled: Poor (KM-SKILL-03).
const untrained = 1

// baseLevel is the level that a roll of a trait starts from: the highest of the own level, a neighbouring skill at −1, and
// Poor where untrained use is allowed (KM-SKILL-03, -06, -08, -09, -10).
func (r *rules) baseLevel(b *engine.Battle, a engine.ActorID, name engine.TraitName, t *catalogue.Trait) engine.Base {
	own, has := b.Trait(a, name)
	best := engine.Base{Trait: name, Level: own, Kind: engine.BaseOwn, Rule: "KM-DICE-02"}
	if t == nil {
		return best
	}
	better := func(level int32, kind engine.BaseKind, from engine.TraitName, rule engine.Rule) {
		if !has || level > best.Level {
			best, has = engine.Base{Trait: name, From: from, Level: level, Kind: kind, Rule: rule}, true
		}
	}
	if t.Group == catalogue.GroupAttribute {
		return best
	}
	if t.Untrained {
		better(untrained, engine.BaseUntrained, "", "KM-SKILL-03")
	}
	for _, near := range t.Near {
		if level, ok := b.Trait(a, near); ok {
			better(level-1, engine.BaseCorrelated, near, "KM-SKILL-06")
		}
	}
	return best
}

// attribute is the base level of an attribute: what requirements read (KM-ATTR-03).
func attribute(b *engine.Battle, a engine.ActorID, name engine.TraitName) int32 {
	level, _ := b.Trait(a, name)
	return level
}

// commonModifiers shift every roll. Wounds come before them.
var commonModifiers = [...]modifier{
	{modConcentration, "KM-CONC-02", engine.ModLevel, concentrated},
	{modArmourClass, "KM-ARM-07", engine.ModLevel, armourClass},
	{modArmourHeavy, "KM-ARM-06", engine.ModLevel, armourTooHeavy},
	{modShieldHeavy, "KM-SHLD-05", engine.ModLevel, shieldTooHeavy},
	{modWeaponHeavy, "KM-RNG-22", engine.ModLevel, weaponBurdens},
}

// concentrated is +1 on the trait that was announced (KM-CONC-02).
func concentrated(c *casting) int32 {
	k := c.v.FindCond(c.by.On(), condConcentration)
	if k == nil || k.About != c.trait {
		return 0
	}
	c.from = engine.Ref{Kind: engine.RefCond, ID: uint32(k.ID)}
	return 1
}

// encumbered reports whether weight tells on the trait (KM-ATTR-02).
func (c *casting) encumbered() bool { return c.about != nil && c.about.Encumbered }

// armourClass is the base penalty of the breastplate's class (KM-ARM-07).
func armourClass(c *casting) int32 {
	if !c.encumbered() {
		return 0
	}
	l := c.carried()
	if l.plate == nil {
		return 0
	}
	c.from = l.plateItem.On()
	return l.plate.BasePenalty
}

// armourTooHeavy is −1 for each level of Strength that the breastplate lacks (KM-ARM-06).
func armourTooHeavy(c *casting) int32 {
	if !c.encumbered() {
		return 0
	}
	l := c.carried()
	if l.plate == nil {
		return 0
	}
	c.from = l.plateItem.On()
	return deficit(l.plate.Strength, l.strength)
}

// shieldTooHeavy is −1 for each level of Strength that the shield in hand lacks (KM-SHLD-05).
func shieldTooHeavy(c *casting) int32 {
	if !c.encumbered() {
		return 0
	}
	l := c.carried()
	if l.shield == nil {
		return 0
	}
	c.from = l.shieldIn.On()
	return deficit(l.shield.Strength, l.strength)
}

// weaponBurdens is −1 for each level of Strength that the ranged weapon in hand lacks: on it and on what weight tells on
// (KM-RNG-22).
func weaponBurdens(c *casting) int32 {
	if c.why == whyAttack && c.weapon != nil && c.weapon.ranged() {
		c.from = c.weapon.item.On()
		return deficit(c.weapon.weapon.Strength, attribute(c.v.Battle, c.by, catalogue.Strength))
	}
	if !c.encumbered() {
		return 0
	}
	l := c.carried()
	c.from = l.weaponIn.On()
	return l.weapon
}

// deficit is −1 for each level that is missing.
func deficit(required, has int32) int32 {
	if required <= has {
		return 0
	}
	return has - required
}

// woundNames are the modifiers of wounds by degree.
var woundNames = [...]engine.ModName{1: modScratch, 2: modLight, 3: modHeavy, 4: modCritical, 5: modDeadly}

// wounds adds the penalty of each wound (KM-WND-05). Endurance is exempt (KM-WND-06), and so are the wounds of the very act
// that is being played (KM-WND-07).
func (c *casting) wounds() {
	if c.about != nil && c.about.Hardy {
		return
	}
	conds := c.v.CondsOn(c.by.On())
	for i := range conds {
		k := &conds[i]
		if k.Name != condWound && k.Name != condWoundStun && k.Name != condWoundMental {
			continue
		}
		if k.Value < 1 || int(k.Value) > catalogue.Degrees || k.Cause != 0 && c.v.Frame(k.Cause) != nil {
			continue
		}
		row := c.rules.cat.Wound(catalogue.Degree(k.Value))
		from := engine.Ref{Kind: engine.RefCond, ID: uint32(k.ID)}
		c.put(woundNames[k.Value], "KM-WND-05", engine.ModPercent, row.Percent, from)
		c.put(woundNames[k.Value], "KM-WND-05", engine.ModLevel, row.Levels, from)
	}
}
