package empia

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// boons are the critical effects that can apply, by family (table T-2, EM-CRIT-04). Injuries and time credit are not in
// this package.
func (m *moment) boons(x *blowAct) (out []engine.ModName) {
	if x.harm || x.ab != nil && (x.ab.HealMax > 0 || x.ab.Ward > 0) {
		out = append(out, effectSize)
	}
	if x.ab != nil && x.ab.StunMax > 0 {
		out = append(out, effectDuration)
	}
	switch x.family {
	case melee:
		if x.kind == "unarmed" || x.kind == "crushing" || x.kind == "piercing" || x.kind == "cutting" {
			out = append(out, effectStatus)
		}
	case hostile, peaceful:
		out = append(out, effectCheap)
	}
	return out
}

// banes are the effects of a critical failure that can apply.
func (m *moment) banes(x *blowAct) (out []engine.ModName) {
	if !x.kindly() {
		out = append(out, effectSelf)
	}
	out = append(out, effectEnergy)
	switch x.family {
	case melee, shooting:
		if x.item != 0 {
			out = append(out, effectSlip)
		}
		if len(m.bystanders(x)) > 0 {
			out = append(out, effectStray)
		}
	case hostile:
		out = append(out, effectBurn)
	case peaceful:
		out = append(out, effectBurn)
		if x.ab.HealMax > 0 {
			out = append(out, effectReversed)
		}
	}
	return out
}

// bystanders are who else may be struck: within reach of the weapon, and for shots within 45° before the actor
// (EM-CRIT-22).
func (m *moment) bystanders(x *blowAct) (out []engine.ActorID) {
	me := m.v.Actor(x.a)
	for i := range m.v.Actors {
		c := &m.v.Actors[i]
		if c.ID == x.a || c.ID == x.d || m.v.HasCond(c.ID.On(), condDead) || !within(m.v.Battle, x.a, c.ID, x.w.Reach) {
			continue
		}
		if x.family == shooting && !voxel.InSector(me.Pose.At, towards(me.Pose.At, m.v.Actor(x.d).Pose.At, me.Pose.Look), c.Pose.At, voxel.Sector45) {
			continue
		}
		out = append(out, c.ID)
	}
	return out
}

// effects draws one effect of a list, or two different ones, and plays them; it tells whether the weapon was lost
// (EM-CRIT-02…04).
func (m *moment) effects(x *blowAct, two bool, list []engine.ModName) (slipped bool) {
	n := 1
	if two {
		n = 2
	}
	for ; n > 0 && len(list) > 0; n-- {
		i := m.roll(x.a, x.d, whyEffect, "EM-CRIT-03", 0, int32(len(list))-1)
		name := list[i]
		list = slices.Delete(slices.Clone(list), int(i), int(i)+1)
		for j := range deeds {
			if deeds[j].name == name {
				m.out.Emit(deeds[j].rule, engine.Tallied{Tally: engine.Tally{What: figEffect, Rule: deeds[j].rule, Frame: m.frame, On: x.a, Terms: []engine.Term{{Name: name, Rule: deeds[j].rule, Source: x.a.On()}}}})
				deeds[j].play(m, x)
			}
		}
		slipped = slipped || name == effectSlip
	}
	return slipped
}

// deeds are the effects of criticals (EM-CRIT-08…25).
var deeds = [...]struct {
	name engine.ModName
	rule engine.Rule
	play func(m *moment, x *blowAct)
}{
	{effectSize, "EM-CRIT-08", func(m *moment, x *blowAct) { x.size = m.percent(x, "EM-CRIT-08", 50, 150) }},
	{effectDuration, "EM-CRIT-09", func(m *moment, x *blowAct) { x.longer = m.percent(x, "EM-CRIT-09", 50, 100) }},
	{effectStatus, "EM-CRIT-11", func(_ *moment, x *blowAct) { x.status = true }},
	{effectCheap, "EM-CRIT-13", func(m *moment, x *blowAct) { x.free = m.percent(x, "EM-CRIT-13", 50, 100) }},
	{effectSelf, "EM-CRIT-18", func(m *moment, x *blowAct) { m.works(x, x.a, false) }},
	{effectEnergy, "EM-CRIT-19", (*moment).loseEnergy},
	{effectSlip, "EM-CRIT-20", (*moment).slip},
	{effectStray, "EM-CRIT-22", func(m *moment, x *blowAct) {
		others := m.bystanders(x)
		m.works(x, others[m.roll(x.a, 0, whyStray, "EM-CRIT-22", 0, int32(len(others))-1)], false)
	}},
	{effectBurn, "EM-CRIT-24", func(m *moment, x *blowAct) {
		burn := *x
		burn.kind, burn.size, burn.crit = "other", 0, false
		m.hurt(&burn, x.a, int32(x.cost/unit), false)
	}},
	{effectReversed, "EM-CRIT-25", func(m *moment, x *blowAct) { m.works(x, x.d, true) }},
}

func (m *moment) percent(x *blowAct, rule engine.Rule, lo, hi int32) int32 {
	return m.roll(x.a, x.d, whyPercent, rule, lo, hi)
}

// loseEnergy costs the actor as much energy as the act would have done damage or healing; an act without either costs
// half to twice as much (EM-CRIT-19).
func (m *moment) loseEnergy(x *blowAct) {
	switch {
	case x.harm:
		m.charge(x.a, "EM-CRIT-19", termDrain, int64(m.damageDraw(x))*unit)
	case x.ab.HealMax > 0:
		m.charge(x.a, "EM-CRIT-19", termDrain, int64(m.roll(x.a, x.d, whyHealing, "EM-NUM-04", x.ab.HealMin, x.ab.HealMax))*unit)
	default:
		x.dear = m.percent(x, "EM-CRIT-19", 50, 100)
	}
}

// eight are the directions in which a weapon falls.
var eight = [...]voxel.Pos{{X: 1}, {X: 1, Z: 1}, {Z: 1}, {X: -1, Z: 1}, {X: -1}, {X: -1, Z: -1}, {Z: -1}, {X: 1, Z: -1}}

// slip lets the weapon fall 1…6 blocks away, in any direction; where a wall is in the way, before it (EM-CRIT-20).
func (m *moment) slip(x *blowAct) {
	far := m.roll(x.a, 0, whyDistance, "EM-CRIT-20", 1, 6)
	dir := eight[m.roll(x.a, 0, whyDirection, "EM-CRIT-20", 1, int32(len(eight)))-1]
	cell := m.v.Actor(x.a).Pose.At.Block()
	for range far {
		next := cell.Add(dir)
		if m.v.World != nil {
			if _, _, solid := voxel.Solid(m.v.World, voxel.Figure{Pose: voxel.Pose{At: next.Floor()}, Body: voxel.Human()}); solid {
				break
			}
		}
		cell = next
	}
	it := *m.v.Item(x.item)
	it.Holder, it.Slot, it.Cell = 0, "", cell
	m.out.Emit("EM-CRIT-20", engine.ItemSet{Item: it})
}

// afflict sets what a critical does by the type of its damage (EM-CRIT-11).
func (m *moment) afflict(x *blowAct, victim engine.ActorID, taken int32) {
	down := func(name engine.CondName, lo, hi, least, longest int32) {
		p := m.percent(x, "EM-CRIT-11", lo, hi)
		m.status(victim, name, p, m.roll(x.a, victim, whyDuration, "EM-CRIT-11", least, longest), "EM-CRIT-11")
	}
	switch x.kind {
	case "unarmed":
		p := m.percent(x, "EM-CRIT-11", 50, 150)
		m.charge(victim, "EM-CRIT-11", termDrain, int64(taken)*unit*int64(p)/100)
	case "crushing":
		down(condCosts, 50, 100, 3, 6)
	case "piercing":
		down(condDefence, 25, 50, 1, 4)
	case "cutting":
		down(condAccuracy, 25, 50, 1, 4)
	}
}
