package catalogue

import (
	"slices"
	"strings"

	"autobattle/engine"
)

// buildTables checks the tables that are read by a number: their rows have no gaps.
func (c *Catalogue) buildTables(l *loader) {
	s := l.sheet
	c.ranges = collect(l, &s.Ranges, func(k *checker, r *Range) {
		k.head(c, string(r.Ref), r.Text, r.Source)
		k.between("number of reach", int32(len(r.Reach)), 1, hitLevels)
		for i, d := range r.Reach {
			if d < 1 || i > 0 && d <= r.Reach[i-1] {
				k.fail("reach: number %d is %d; distances are positive and rise", i+1, d)
			}
		}
	})
	c.dropoffs = collect(l, &s.DropOffs, func(k *checker, d *DropOff) {
		k.head(c, string(d.Ref), d.Text, d.Source)
		k.between("number of loss", int32(len(d.Loss)), 1, hitLevels)
		for i, n := range d.Loss {
			if n > 0 || i > 0 && n > d.Loss[i-1] {
				k.fail("loss: number %d is %d; losses are 0 or less and never rise", i+1, n)
			}
		}
	})
	c.moves = collect(l, &s.Moves, func(k *checker, m *Move) {
		k.source(c, m.Source)
		for _, n := range []int32{m.Free, m.Crouched, m.RunUp, m.Run} {
			k.between("blocks", n, 0, 1000)
		}
	})
	rows(l, "moves", c.moves, -3, 8, func(m *Move) int32 { return m.Level })
	c.jumps = collect(l, &s.Jumps, func(k *checker, j *Jump) {
		k.source(c, j.Source)
		for _, n := range []int32{j.Standing, j.Running, j.Up, j.Down, j.Climb} {
			k.between("blocks", n, 0, 1000)
		}
	})
	rows(l, "jumps", c.jumps, 0, 7, func(j *Jump) int32 { return j.Level })
	c.pyramid = collect(l, &s.Pyramid, func(k *checker, p *Pyramid) {
		k.source(c, p.Source)
		if len(p.Slots) != Degrees {
			k.fail("slots have %d numbers; they have %d: scratch, light, heavy, critical, deadly", len(p.Slots), Degrees)
		}
		for _, n := range p.Slots {
			k.between("slots", n, 1, 100)
		}
	})
	rows(l, "pyramid", c.pyramid, 0, 7, func(p *Pyramid) int32 { return p.Level })
	c.buildWounds(l)
	c.defences = collect(l, &s.Defences, func(k *checker, d *Defence) {
		k.source(c, d.Source)
		k.between("percent", d.Percent, -10_000, 0)
	})
	rows(l, "defences", c.defences, 1, 1, func(d *Defence) int32 { return d.Nth })
	c.lights = collect(l, &s.Lights, func(k *checker, x *Light) {
		k.head(c, string(x.Band), x.Text, x.Source)
		k.oneOf("band", string(x.Band), string(AbsoluteDarkness), string(HeavyShade), string(NormalLight))
		k.between("level", x.Level, 0, 16)
	})
	slices.SortStableFunc(c.lights, func(a, b Light) int { return int(a.Level - b.Level) })
	if len(c.lights) != 3 || c.lights[0].Level != 0 || c.lights[0].Band != AbsoluteDarkness || c.lights[1].Band != HeavyShade ||
		c.lights[1].Level == 0 || c.lights[2].Level <= c.lights[1].Level {
		l.fail(place{file: "."}, "lights", "the bands are not %s from level 0, %s from a higher one, %s from a higher one still",
			AbsoluteDarkness, HeavyShade, NormalLight)
	}
}

func (c *Catalogue) buildWounds(l *loader) {
	s := l.sheet
	bleedings := func() []string { return keys(s.Bleedings.items, func(e *entry[Bleeding]) string { return e.val.Ref }) }
	c.degrees = collect(l, &s.Degrees, func(k *checker, d *DegreeRow) {
		k.head(c, d.Ref, d.Text, d.Source)
		k.between("degree", d.Degree, 1, int32(Degrees))
		k.between("damage", d.Damage, 0, 1000)
		k.between("percent", d.Percent, -1000, 0)
		k.between("levels", d.Levels, -10, 0)
		k.between("soften", d.Soften, 0, 10)
		if d.Bleeding != "" {
			k.known("bleeding", d.Bleeding, slices.Contains(bleedings(), d.Bleeding), bleedings)
		}
	})
	rows(l, "degrees", c.degrees, 1, int32(Degrees), func(d *DegreeRow) int32 { return d.Degree })
	for i := 1; i < len(c.degrees); i++ {
		if c.degrees[i].Damage <= c.degrees[i-1].Damage {
			l.fail(place{file: "."}, "degrees", "%q begins at damage %d, %q below it at %d; bands rise with the degree (KM-DMG-06)",
				c.degrees[i].Ref, c.degrees[i].Damage, c.degrees[i-1].Ref, c.degrees[i-1].Damage)
		}
	}
	if len(c.degrees) > Degrees {
		l.fail(place{file: "."}, "degrees", "there are %d; there must be %d (KM-DMG-06)", len(c.degrees), Degrees)
	}
	c.bleedings = collect(l, &s.Bleedings, func(k *checker, b *Bleeding) {
		k.head(c, b.Ref, b.Text, b.Source)
		k.text(b.Coolant)
		k.between("level", b.Level, 1, 3)
		k.between("every", b.Every, 1, 100)
		k.between("aid", b.Aid, 0, 10)
		wounds := func() []string { return keys(c.degrees, (*DegreeRow).key) }
		k.known("wound", b.Wound, slices.Contains(wounds(), b.Wound), wounds)
	})
	rows(l, "bleedings", c.bleedings, 1, 3, func(b *Bleeding) int32 { return b.Level })
}

// rows sorts a table by its number and refuses gaps and repetitions. It must reach from first to last at least.
func rows[T any](l *loader, section string, tbl []T, first, last int32, n func(*T) int32) {
	slices.SortStableFunc(tbl, func(a, b T) int { return int(n(&a)) - int(n(&b)) })
	at := place{file: "."}
	if len(tbl) == 0 || n(&tbl[0]) > first || n(&tbl[len(tbl)-1]) < last {
		l.fail(at, section, "rows %d to %d are needed, and some are missing", first, last)
		return
	}
	for i := 1; i < len(tbl); i++ {
		switch a, b := n(&tbl[i-1]), n(&tbl[i]); {
		case a == b:
			l.fail(at, section, "row %d stands twice", a)
		case b != a+1:
			l.fail(at, section, "after row %d comes row %d; rows have no gaps", a, b)
		}
	}
}

func levels(l *loader) []engine.LevelSpec {
	tbl := collect(l, &l.sheet.Levels, func(k *checker, e *levelEntry) { k.text(e.Text) })
	rows(l, "levels", tbl, -3, 8, func(e *levelEntry) int32 { return e.Level })
	out := make([]engine.LevelSpec, len(tbl))
	for i := range tbl {
		out[i] = engine.LevelSpec{N: tbl[i].Level, Text: tbl[i].Text}
	}
	return out
}

func rules(l *loader) []engine.RuleSpec {
	tbl := collect(l, &l.sheet.Rules, func(k *checker, e *ruleEntry) {
		k.text(e.Text)
		if e.ID == "" || strings.Trim(string(e.ID), "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
			k.fail("id %q is not the id of a rule; it must be capitals, digits and -, as in KM-WND-05", e.ID)
		}
	})
	out := make([]engine.RuleSpec, len(tbl))
	for i := range tbl {
		out[i] = engine.RuleSpec{ID: tbl[i].ID, Text: tbl[i].Text}
	}
	return out
}

func options(l *loader, c *Catalogue) []engine.OptionSpec {
	tbl := collect(l, &l.sheet.Options, func(k *checker, o *optionEntry) {
		k.head(c, string(o.Name), o.Text, o.Source)
		switch {
		case len(o.Words) > 0:
			if !slices.Contains(o.Words, o.Word) {
				k.fail("word is %q; the default must be one of %s", o.Word, strings.Join(o.Words, ", "))
			}
			if o.Min != 0 || o.Max != 0 || o.Number != 0 {
				k.fail("has words, and min, max or number; an option has one or the other")
			}
			for _, w := range o.Words {
				k.name(w)
			}
			k.ordered("words", len(o.Words), func(i, j int) bool { return o.Words[i] != o.Words[j] })
		case o.Word != "":
			k.fail("has a word and no words; list them, as in \"words: [%s, other]\"", o.Word)
		case o.Max <= o.Min:
			k.fail("min is %d and max %d; max must be greater, or the option have words", o.Min, o.Max)
		case o.Number < o.Min || o.Number > o.Max:
			k.fail("number is %d; the default must be %d to %d", o.Number, o.Min, o.Max)
		}
	})
	out := make([]engine.OptionSpec, len(tbl))
	for i := range tbl {
		o := &tbl[i]
		out[i] = engine.OptionSpec{
			Name: o.Name, Text: o.Text, Rule: o.Rule, Words: o.Words, Min: o.Min, Max: o.Max,
			Default: engine.Option{Name: o.Name, Word: o.Word, N: o.Number},
		}
	}
	return out
}
