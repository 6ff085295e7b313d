package catalogue

import (
	"slices"
	"strings"

	"autobattle/engine"
)

// build checks every entry and joins what refers to each other. It goes on after errors, so that all are found.
func (l *loader) build() *Catalogue {
	s, c := l.sheet, &Catalogue{}
	c.rules = rules(l)
	c.levels = levels(l)
	c.props = collect(l, &s.Props, func(k *checker, p *Prop) { k.name(p.Name); k.text(p.Text) })
	for _, n := range propNames() {
		if lookup(c.props, n, func(x *Prop) string { return x.Name }) == nil {
			l.missing("props", n)
		}
	}
	c.slots = collect(l, &s.Slots, func(k *checker, x *Slot) { k.head(c, string(x.Name), x.Text, x.Source) })
	for _, n := range []engine.SlotName{MainHand, OffHand, Worn, Belt, Bag} {
		if lookup(c.slots, n, func(x *Slot) engine.SlotName { return x.Name }) == nil {
			l.missing("slots", string(n))
		}
	}
	c.buildBodies(l)
	c.buildTables(l)
	c.traits = collect(l, &s.Traits, func(k *checker, t *Trait) {
		k.head(c, string(t.Name), t.Text, t.Source)
		k.oneOf("group", t.Group, GroupAttribute, GroupAttack, GroupDefence, GroupOther)
		k.between("min", t.Min, -3, 10)
		k.between("max", t.Max, t.Min, 10)
		k.between("player_max", t.PlayerMax, t.Min, t.Max)
		t.Near = slices.Sorted(slices.Values(t.Near))
	})
	for i := range s.Traits.items {
		k := l.checker(s.Traits.items[i].at, s.Traits.items[i].val.key())
		for _, n := range s.Traits.items[i].val.Near {
			k.known("near", string(n), c.Trait(n) != nil, c.traitNames)
			if t := c.Trait(n); t != nil && !slices.Contains(t.Near, s.Traits.items[i].val.Name) {
				k.fail("near: %q does not name it in turn; neighbours are neighbours both ways (KM-SKILL-06)", n)
			}
		}
	}
	for _, n := range ruleTraits() {
		if c.Trait(n) == nil {
			l.missing("traits", string(n))
		}
	}
	c.buildWeapons(l)
	c.buildArmour(l)
	c.options = options(l, c)
	if len(l.errs) == 0 {
		c.hash = c.digest()
	}
	return c
}

// ruleTraits are the traits that rules name and that no catalogue may lack.
func ruleTraits() []engine.TraitName {
	return []engine.TraitName{
		Reaction, Strength, Endurance, Dexterity, Movement, Perception, Willpower, Evasion, Parrying, Blocking, Grouping,
		HandToHand, Stealth,
	}
}

func (c *Catalogue) buildBodies(l *loader) {
	s := l.sheet
	c.zones = collect(l, &s.Zones, func(k *checker, z *Zone) {
		k.head(c, string(z.Ref), z.Text, z.Source)
		k.between("threshold", z.Threshold, 0, 10)
		k.between("ranged", z.Ranged, 0, 10)
	})
	c.parts = collect(l, &s.Parts, func(k *checker, p *Part) {
		k.head(c, string(p.Name), p.Text, p.Source)
		k.oneOf("limb", p.Limb, "", "arm_left", "arm_right", "leg_left", "leg_right")
		z := c.Zone(p.Zone)
		k.known("zone", string(p.Zone), z != nil, func() []string { return keys(c.zones, (*Zone).key) })
		p.Redirect = z != nil && z.Redirect
	})
	if c.Part(Torso) == nil {
		l.missing("parts", string(Torso))
	}
	c.bodies = collect(l, &s.Bodies, func(k *checker, b *Body) {
		k.head(c, string(b.Name), b.Text, b.Source)
		if len(b.Height) != 3 || len(b.Eye) != 3 {
			k.fail("height and eye have %d and %d numbers; they have 3 each: standing, crouched, prone", len(b.Height), len(b.Eye))
		} else if err := b.Box().Validate(); err != nil {
			k.fail("%v", err)
		}
		for _, p := range b.Parts {
			k.known("parts", string(p), c.Part(p) != nil, c.partNames)
		}
		k.ordered("parts", len(b.Parts), func(i, j int) bool { return b.Parts[i] != b.Parts[j] })
		if !slices.Contains(b.Parts, Torso) {
			k.fail("parts lack %q, which every plain attack meets (KM-ARM-03)", Torso)
		}
	})
	if c.Body(Human) == nil {
		l.missing("bodies", string(Human))
	}
}

func (c *Catalogue) buildWeapons(l *loader) {
	s := l.sheet
	c.classes = collect(l, &s.Classes, func(k *checker, x *Class) {
		k.head(c, string(x.Ref), x.Text, x.Source)
		k.oneOf("kind", string(x.Kind), string(Melee), string(Ranged), string(Unarmed))
		k.oneOf("family", string(x.Family), string(Cold), string(Firearm), string(NoFamily))
		k.between("modifier", x.Modifier, minModifier, 20)
		x.Traits = bits(k, "traits", x.Marks, traitWords())
	})
	c.factors = collect(l, &s.Factors, func(k *checker, f *Factor) {
		k.head(c, f.Ref, f.Text, f.Source)
		k.between("bonus", f.Bonus, -5, 5)
		k.between("strength", f.Strength, 0, 7)
		k.oneOf("share", f.Share, "", "sharpness", "both_hands")
		for _, x := range f.Classes {
			k.known("classes", string(x), c.Class(x) != nil, c.classNames)
		}
	})
	c.feeds = collect(l, &s.Feeds, func(k *checker, f *Feed) {
		k.head(c, string(f.Ref), f.Text, f.Source)
		for _, n := range []int32{f.Turns, f.PerRound, f.Open, f.Close} {
			k.between("turns", n, 0, 100)
		}
		k.between("strength", f.Strength, 0, 7)
		k.between("check", f.Check, 0, 10)
		if f.Turns == 0 && f.PerRound == 0 {
			k.fail("turns and per_round are both 0; a way to load that costs nothing is an empty feed of the weapon")
		}
	})
	c.calibres = collect(l, &s.Calibres, func(k *checker, x *Calibre) {
		k.head(c, string(x.Ref), x.Text, x.Source)
		k.oneOf("family", string(x.Family), string(Cold), string(Firearm))
		k.oneOf("weight", x.Weight, "", "light", "medium", "heavy")
	})
	c.changes = collect(l, &s.Modifications, func(k *checker, m *Modification) {
		k.head(c, m.Ref, m.Text, m.Source)
		k.between("misfire", m.Misfire, 0, 100)
		k.between("ignores", m.Ignores, 0, 10)
		k.between("recoil", m.Recoil, -5, 0)
		k.between("blast", m.Blast, 0, 50)
		k.between("radius", m.Radius, 0, 64)
		k.oneOf("cloud", m.Cloud, "", "gas", "smoke", "fire")
		if (m.Cloud == "") != (m.Radius == 0) {
			k.fail("cloud is %q and radius %d; a cloud has a radius, and nothing else has", m.Cloud, m.Radius)
		}
	})
	entries := collect(l, &s.Weapons, func(k *checker, e *weaponEntry) { c.resolveWeapon(k, e) })
	for i := range entries {
		c.weapons = append(c.weapons, entries[i].Weapon)
	}
	ammo := collect(l, &s.Ammunition, func(k *checker, e *ammoEntry) { c.resolveAmmo(k, e) })
	for i := range ammo {
		c.ammunition = append(c.ammunition, ammo[i].Ammunition)
	}
}

func (c *Catalogue) resolveWeapon(k *checker, e *weaponEntry) {
	w := &e.Weapon
	k.head(c, string(w.Ref), w.Text, w.Source)
	k.known("skill", string(w.Skill), c.Trait(w.Skill) != nil, c.traitNames)
	k.between("hands", w.Hands, 1, 2)
	k.between("length", w.Length, 0, 10)
	k.between("strength", w.Strength, 0, 7)
	k.between("recoil", w.Recoil, -5, 0)
	k.between("single_recoil", w.SingleRecoil, -5, 0)
	k.between("capacity", w.Capacity, 0, 10_000)
	k.between("durability", w.Durability, 0, 1_000_000)
	if w.Enlarged != 0 {
		k.between("enlarged", w.Enlarged, w.Capacity, 10_000)
	}
	w.Traits = bits(k, "traits", e.Marks, traitWords())
	w.Modes = bits(k, "modes", e.Fires, modeWords())
	x := c.Class(w.Class)
	k.known("class", string(w.Class), x != nil, c.classNames)
	if x == nil {
		return
	}
	w.Kind, w.Traits = x.Kind, w.Traits|x.Traits
	if w.Family == "" {
		w.Family = x.Family
	}
	k.oneOf("family", string(w.Family), string(Cold), string(Firearm), string(NoFamily))
	if w.Size == "" {
		w.Size = sizeOf(w.Length)
		if w.Kind == Ranged {
			k.fail("size is missing; a ranged weapon is %q, %q or %q", Short, Medium, Long)
		}
	}
	k.oneOf("size", string(w.Size), string(Short), string(Medium), string(Long))
	c.modifier(k, e, x)
	if w.Kind == Ranged {
		c.resolveRanged(k, w)
	} else {
		k.between("reach", w.Reach, 1, 16)
		k.between("flat_reach", w.FlatReach, 1, 16)
		if w.Calibre != "" || w.Range != "" || w.Modes != 0 || w.Feed != "" || w.Modification != "" {
			k.fail("calibre, range, modes, feed and modification are for ranged classes; %q is %s", w.Class, w.Kind)
		}
	}
}

// modifier sums the class and the factors (KM-MEL-01, KM-MEL-03), or takes the number that the entry sets.
func (c *Catalogue) modifier(k *checker, e *weaponEntry, x *Class) {
	w := &e.Weapon
	w.Modifier = x.Modifier
	for i, ref := range e.Parts {
		f := lookup(c.factors, ref, func(f *Factor) string { return f.Ref })
		k.known("factors", ref, f != nil, func() []string { return keys(c.factors, (*Factor).key) })
		if f == nil {
			continue
		}
		if slices.Contains(e.Parts[:i], ref) {
			k.fail("factors name %q twice; each counts once", ref)
		}
		if len(f.Classes) > 0 && !slices.Contains(f.Classes, w.Class) {
			k.fail("factors: %q is not for class %q; it is for %v", ref, w.Class, f.Classes)
		}
		w.Modifier += f.Bonus
		w.Strength += f.Strength
		switch f.Share {
		case "sharpness":
			w.Sharpness += f.Bonus
		case "both_hands":
			w.BothHands += f.Bonus
		}
	}
	if w.Kind == Melee {
		w.Modifier = clamp(w.Modifier, minModifier, maxModifier)
	}
	if e.Set != nil {
		w.Modifier = *e.Set
		k.between("modifier", w.Modifier, 0, 50)
	} else if w.Kind == Ranged {
		k.fail("modifier is missing; a ranged weapon has its own, as in \"modifier: 3\"")
	}
}

func (c *Catalogue) resolveRanged(k *checker, w *Weapon) {
	w.hits = c.Range(w.Range)
	k.known("range", string(w.Range), w.hits != nil, c.rangeNames)
	if w.Loss != "" {
		w.losses = c.loss(w.Loss)
		k.known("loss", string(w.Loss), w.losses != nil, c.lossNames)
	}
	if w.Feed != "" {
		w.feed = lookup(c.feeds, w.Feed, func(f *Feed) FeedRef { return f.Ref })
		k.known("feed", string(w.Feed), w.feed != nil, func() []string { return keys(c.feeds, (*Feed).key) })
	}
	w.Effect = c.effect(k, w.Modification)
	if w.Calibre == "" {
		if !w.Has(Thrown) {
			k.fail("calibre is missing; only weapons with the trait \"thrown\" shoot nothing")
		}
	} else {
		x := c.Calibre(w.Calibre)
		k.known("calibre", string(w.Calibre), x != nil, func() []string { return keys(c.calibres, (*Calibre).key) })
		if x != nil && x.Family != w.Family {
			k.fail("family is %q, that of its calibre %q is %q; they must agree (KM-ARM-05)", w.Family, w.Calibre, x.Family)
		}
	}
	if w.Modes == 0 {
		k.fail("modes are missing; at least \"modes: [single]\"")
	}
	if w.Can(Series) && w.Burst < 2 {
		k.fail("burst is %d; a weapon with the mode \"series\" shoots 2 or more (KM-RNG-SERIES-02)", w.Burst)
	}
	if w.Reach != 0 || w.Length != 0 {
		k.fail("length and reach are for melee classes; %q is ranged", w.Class)
	}
}

func (c *Catalogue) resolveAmmo(k *checker, e *ammoEntry) {
	a := &e.Ammunition
	k.head(c, string(a.Ref), a.Text, a.Source)
	x := c.Calibre(a.Calibre)
	k.known("calibre", string(a.Calibre), x != nil, func() []string { return keys(c.calibres, (*Calibre).key) })
	if x != nil {
		a.Family = x.Family
	}
	a.Effect = c.effect(k, a.Modification)
	if e.Set != nil {
		a.Modifier, a.HasModifier = *e.Set, true
		k.between("modifier", a.Modifier, -5, 50)
	}
	if a.Range != "" {
		a.hits = c.Range(a.Range)
		k.known("range", string(a.Range), a.hits != nil, c.rangeNames)
	}
	if a.Loss != "" {
		a.losses = c.loss(a.Loss)
		k.known("loss", string(a.Loss), a.losses != nil, c.lossNames)
	}
}

// effect is the effect of a modification; none for an empty name.
func (c *Catalogue) effect(k *checker, ref string) Effect {
	if ref == "" {
		return Effect{}
	}
	m := lookup(c.changes, ref, func(m *Modification) string { return m.Ref })
	k.known("modification", ref, m != nil, func() []string { return keys(c.changes, (*Modification).key) })
	if m == nil {
		return Effect{}
	}
	return m.Effect
}

func (c *Catalogue) buildArmour(l *loader) {
	s := l.sheet
	c.makes = collect(l, &s.ArmourClasses, func(k *checker, x *ArmourClass) {
		k.head(c, string(x.Ref), x.Text, x.Source)
		k.between("ar", x.AR, 0, 20)
		k.between("strength", x.Strength, 0, 7)
		k.between("penalty", x.Penalty, -7, 0)
		k.between("per_turn", x.PerTurn, 1, 100)
	})
	c.armours = collect(l, &s.Armours, func(k *checker, a *Armour) {
		k.head(c, string(a.Ref), a.Text, a.Source)
		k.oneOf("type", string(a.Type), string(Obsolete), string(Modern))
		x := lookup(c.makes, a.Class, func(x *ArmourClass) ArmourClassRef { return x.Ref })
		k.known("class", string(a.Class), x != nil, func() []string { return keys(c.makes, (*ArmourClass).key) })
		for _, p := range a.Segments {
			k.known("segments", string(p), c.Part(p) != nil, c.partNames)
		}
		if len(a.Segments) == 0 {
			k.fail("segments are missing; as in \"segments: [%s]\"", Torso)
		}
		k.ordered("segments", len(a.Segments), func(i, j int) bool { return a.Segments[i] != a.Segments[j] })
		a.Segments = slices.Sorted(slices.Values(a.Segments)) // entries are shared: nothing is sorted in place
		if x == nil {
			return
		}
		a.AR, a.PerTurn = x.AR, x.PerTurn
		if a.Covers(Torso) {
			a.Strength, a.BasePenalty = x.Strength, x.Penalty
		}
	})
	c.shields = collect(l, &s.Shields, func(k *checker, x *Shield) {
		k.head(c, string(x.Ref), x.Text, x.Source)
		k.oneOf("size", string(x.Size), string(Short), string(Medium), string(Long))
		k.between("sh", x.SH, 1, 20)
		k.between("strength", x.Strength, 0, 7)
		k.name(x.Material)
		if x.Attack != "" {
			w := c.Weapon(x.Attack)
			k.known("attack", string(x.Attack), w != nil, c.weaponNames)
			if w != nil && w.Kind == Ranged {
				k.fail("attack: %q is a ranged weapon; a shield strikes as a melee or unarmed one (KM-SHLD-02)", x.Attack)
			}
		}
	})
	c.unique(l)
}

// unique refuses a reference that names two kinds of items: items share one set of names in a battle. The fault is with
// the entry that was read last.
func (c *Catalogue) unique(l *loader) {
	s := l.sheet
	all := refs(s.Weapons.items, nil, (*weaponEntry).key)
	all = refs(s.Armours.items, all, (*Armour).key)
	all = refs(s.Shields.items, all, (*Shield).key)
	all = refs(s.Ammunition.items, all, (*ammoEntry).key)
	slices.SortStableFunc(all, func(a, b item) int {
		if n := strings.Compare(a.ref, b.ref); n != 0 {
			return n
		}
		return a.at.layer - b.at.layer
	})
	for i := 1; i < len(all); i++ {
		if a, b := &all[i-1], &all[i]; a.ref == b.ref {
			l.checker(b.at, b.ref).fail("is a name in %s too, at %s:%d; items share one set of names, so give it another",
				a.at.section, a.at.file, a.at.line)
		}
	}
}

// item is a reference to an item and where it stands.
type item struct {
	ref string
	at  place
}

func refs[T any](from []entry[T], to []item, key func(*T) string) []item {
	for i := range from {
		to = append(to, item{key(&from[i].val), from[i].at})
	}
	return to
}

func sizeOf(length int32) Size {
	switch {
	case length <= 1:
		return Short
	case length == 2:
		return Medium
	}
	return Long
}

func (c *Catalogue) loss(ref TableRef) *DropOff {
	return lookup(c.dropoffs, ref, func(d *DropOff) TableRef { return d.Ref })
}

func (c *Catalogue) classNames() []string { return keys(c.classes, (*Class).key) }
func (c *Catalogue) traitNames() []string { return keys(c.traits, (*Trait).key) }
func (c *Catalogue) partNames() []string  { return keys(c.parts, (*Part).key) }
func (c *Catalogue) rangeNames() []string { return keys(c.ranges, (*Range).key) }
func (c *Catalogue) lossNames() []string  { return keys(c.dropoffs, (*DropOff).key) }
func (c *Catalogue) weaponNames() []string {
	return keys(c.weapons, func(w *Weapon) string { return string(w.Ref) })
}

func keys[T any](tbl []T, key func(*T) string) []string {
	out := make([]string, len(tbl))
	for i := range tbl {
		out[i] = key(&tbl[i])
	}
	return out
}
