package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

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
	{modRiposte, "KM-RIP-03", engine.ModPercent, riposting},
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
