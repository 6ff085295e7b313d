package catalogue

import (
	"slices"
	"strconv"
	"strings"

	"autobattle/engine"
)

// Names is what the catalogue contributes to a ruleset's Spec. Every name has texts in English and Russian. Items and
// options are sorted as Spec asks. Slices are the caller's own.
type Names struct {
	Hash    [32]byte
	Traits  []engine.TraitSpec
	Items   []engine.ItemSpec
	Parts   []engine.NameSpec
	Slots   []engine.NameSpec
	Bands   []engine.NameSpec // degrees of wounds, bleedings, bands of darkness
	Bodies  []engine.BodySpec // the human first
	Options []engine.OptionSpec
	Levels  []engine.LevelSpec
	Rules   []engine.RuleSpec
}

// Names gives the catalogue's share of a Spec.
func (c *Catalogue) Names() Names {
	n := Names{
		Hash:    c.hash,
		Options: slices.Clone(c.options),
		Levels:  slices.Clone(c.levels),
		Rules:   slices.Clone(c.rules),
		Bands:   c.bands(),
		Items:   c.items(),
	}
	for i := range c.traits {
		t := &c.traits[i]
		n.Traits = append(n.Traits, engine.TraitSpec{
			Name: t.Name, Text: t.Text, Group: t.Group, Min: t.Min, Max: t.Max, PlayerMax: t.PlayerMax, Untrained: t.Untrained,
		})
	}
	for i := range c.parts {
		n.Parts = append(n.Parts, engine.NameSpec{Name: string(c.parts[i].Name), Text: c.parts[i].Text})
	}
	for i := range c.slots {
		n.Slots = append(n.Slots, engine.NameSpec{Name: string(c.slots[i].Name), Text: c.slots[i].Text})
	}
	for i := range c.bodies {
		b := &c.bodies[i]
		spec := engine.BodySpec{Name: b.Name, Text: b.Text, Body: b.Box(), Parts: slices.Clone(b.Parts)}
		if b.Name == Human {
			n.Bodies = slices.Insert(n.Bodies, 0, spec) // an actor without a body has the first
			continue
		}
		n.Bodies = append(n.Bodies, spec)
	}
	return n
}

// What stands before the name of a bleeding in a band, since degrees of wounds have the same names.
const (
	bleedingBand = "bleeding_"
	coolantBand  = "coolant_"
)

// BandOf is the band name of a bleeding level, 1 to 3, as synthetic bodies have it or others; empty for 0 and above 3.
func (c *Catalogue) BandOf(level int32, synthetic bool) engine.Band {
	b := c.Bleeding(level)
	switch {
	case b == nil:
		return ""
	case synthetic:
		return engine.Band(coolantBand + b.Ref)
	}
	return engine.Band(bleedingBand + b.Ref)
}

func (c *Catalogue) bands() []engine.NameSpec {
	var out []engine.NameSpec
	for i := range c.degrees {
		out = append(out, engine.NameSpec{Name: c.degrees[i].Ref, Text: c.degrees[i].Text})
	}
	for i := range c.bleedings {
		b := &c.bleedings[i]
		out = append(out, engine.NameSpec{Name: bleedingBand + b.Ref, Text: b.Text}, engine.NameSpec{Name: coolantBand + b.Ref, Text: b.Coolant})
	}
	for i := range c.lights {
		out = append(out, engine.NameSpec{Name: string(c.lights[i].Band), Text: c.lights[i].Text})
	}
	slices.SortFunc(out, func(a, b engine.NameSpec) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// items are all weapons, armours, shields and ammunition, by ref.
func (c *Catalogue) items() []engine.ItemSpec {
	out := make([]engine.ItemSpec, 0, len(c.weapons)+len(c.armours)+len(c.shields)+len(c.ammunition))
	for i := range c.weapons {
		out = append(out, c.weaponSpec(&c.weapons[i]))
	}
	for i := range c.armours {
		a := &c.armours[i]
		p := props{c: c}
		p.number("ar", a.AR)
		p.word("class", string(a.Class), lookup(c.makes, a.Class, func(x *ArmourClass) ArmourClassRef { return x.Ref }).Text)
		p.word("type", string(a.Type), wordText(string(a.Type)))
		p.number("segments", int32(len(a.Segments)))
		p.level("strength", a.Strength)
		p.level("base_penalty", a.BasePenalty)
		p.number("per_turn", a.PerTurn)
		out = append(out, engine.ItemSpec{Ref: a.Ref, Kind: "armour", Text: a.Text, Props: p.out, Slots: []engine.SlotName{Worn, Bag}, Ours: a.Ours()})
	}
	for i := range c.shields {
		s := &c.shields[i]
		p := props{c: c}
		p.number("sh", s.SH)
		p.word("size", string(s.Size), wordText(string(s.Size)))
		p.level("strength", s.Strength)
		p.flag("projectiles", s.Projectiles)
		p.flag("full_defence", s.FullDefence)
		out = append(out, engine.ItemSpec{Ref: s.Ref, Kind: "shield", Text: s.Text, Props: p.out, Slots: carried(s.Size), Ours: s.Ours()})
	}
	for i := range c.ammunition {
		a := &c.ammunition[i]
		p := props{c: c}
		p.word("calibre", string(a.Calibre), c.Calibre(a.Calibre).Text)
		p.word("family", string(a.Family), wordText(string(a.Family)))
		if a.Modification != "" {
			p.word("modification", a.Modification, lookup(c.changes, a.Modification, func(m *Modification) string { return m.Ref }).Text)
		}
		if a.HasModifier {
			p.number("modifier", a.Modifier)
		}
		out = append(out, engine.ItemSpec{Ref: a.Ref, Kind: "ammunition", Text: a.Text, Props: p.out, Slots: []engine.SlotName{Belt, Bag}, Ours: a.Ours()})
	}
	slices.SortFunc(out, func(a, b engine.ItemSpec) int { return strings.Compare(string(a.Ref), string(b.Ref)) })
	return out
}

func (c *Catalogue) weaponSpec(w *Weapon) engine.ItemSpec {
	p := props{c: c}
	p.number("modifier", w.Modifier)
	p.word("class", string(w.Class), c.Class(w.Class).Text)
	p.word("skill", string(w.Skill), c.Trait(w.Skill).Text)
	p.number("hands", w.Hands)
	p.level("strength", w.Strength)
	p.word("family", string(w.Family), wordText(string(w.Family)))
	if w.Kind == Ranged {
		p.number("range", w.hits.Reach[len(w.hits.Reach)-1])
		if x := c.Calibre(w.Calibre); x != nil {
			p.word("calibre", string(w.Calibre), x.Text)
		}
		p.level("recoil", w.Recoil)
		p.level("burst", w.Burst)
		p.level("capacity", w.Capacity)
		p.level("durability", w.Durability)
	} else {
		p.number("length", w.Length)
		p.number("reach", w.Reach)
	}
	return engine.ItemSpec{Ref: w.Ref, Kind: "weapon", Text: w.Text, Props: p.out, Slots: carried(w.Size), Ours: w.Ours()}
}

// carried are the slots of something that is held: long things are not at hand, they are held or packed away.
func carried(s Size) []engine.SlotName {
	if s == Long {
		return []engine.SlotName{MainHand, OffHand, Bag}
	}
	return []engine.SlotName{MainHand, OffHand, Belt, Bag}
}

// props collects the properties of one item.
type props struct {
	c   *Catalogue
	out []engine.Prop
}

func (p *props) text(name string) engine.Text {
	if x := lookup(p.c.props, name, func(x *Prop) string { return x.Name }); x != nil {
		return x.Text
	}
	return engine.Text{}
}

func (p *props) number(name string, n int32) {
	p.out = append(p.out, engine.Prop{Name: name, Text: p.text(name), N: int64(n)})
}

// level adds a number that is not shown where it is 0: nothing is required.
func (p *props) level(name string, n int32) {
	if n != 0 {
		p.number(name, n)
	}
}

func (p *props) flag(name string, on bool) {
	if on {
		p.number(name, 1)
	}
}

// word adds a property whose value is a name. Its text says both: "Class: chopping".
func (p *props) word(name, value string, t engine.Text) {
	own := p.text(name)
	p.out = append(p.out, engine.Prop{Name: name, Word: value, Text: engine.Text{En: own.En + ": " + t.En, Ru: own.Ru + ": " + t.Ru}})
}

// wordText is the text of a word that the code itself defines.
func wordText(word string) engine.Text {
	switch word {
	case string(Cold):
		return engine.Text{En: "cold", Ru: "холодное"}
	case string(Firearm):
		return engine.Text{En: "firearm", Ru: "огнестрельное"}
	case string(NoFamily):
		return engine.Text{En: "neither", Ru: "никакое"}
	case string(Obsolete):
		return engine.Text{En: "obsolete", Ru: "устаревший"}
	case string(Modern):
		return engine.Text{En: "modern", Ru: "современный"}
	case string(Short):
		return engine.Text{En: "small", Ru: "малый"}
	case string(Medium):
		return engine.Text{En: "medium", Ru: "средний"}
	case string(Long):
		return engine.Text{En: "large", Ru: "большой"}
	}
	panic("no text for the word " + strconv.Quote(word))
}

// propNames are the properties that items have; a catalogue needs a text for each.
func propNames() []string {
	return []string{
		"ar", "base_penalty", "burst", "calibre", "capacity", "class", "durability", "family", "full_defence", "hands",
		"length", "modification", "modifier", "per_turn", "projectiles", "range", "reach", "recoil", "segments", "sh", "size",
		"skill", "strength", "type",
	}
}
