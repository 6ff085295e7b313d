package text

import (
	"autobattle/engine"
)

// modWords are the variants of the message mod by kind.
var modWords = [...]string{
	engine.ModLevel: "level", engine.ModPercent: "percent", engine.ModDamage: "damage", engine.ModDifficulty: "difficulty",
}

// baseWords are the variants of the message base by kind.
var baseWords = [...]string{
	engine.BaseOwn: "own", engine.BaseCorrelated: "correlated", engine.BaseUntrained: "untrained", engine.BaseSubstitute: "substitute",
}

// Roll is the whole story of a roll: the base level and where it came from, every modifier with its rule and what it
// comes from, the throws, what was done afterwards, and the result. A prepared roll ends with its modifiers. b is the
// battle as the reader knows it; nil: none.
func (r *Renderer) Roll(b *engine.Battle, roll *engine.Roll) string {
	s := r.scene(b)
	return s.roll(roll, true)
}

// roll writes a roll, with rules and sources when full.
func (s *scene) roll(roll *engine.Roll, full bool) string {
	out := make([]byte, 0, 160)
	if roll.Base != (engine.Base{}) {
		out = append(out, s.base(&roll.Base)...)
	}
	out = s.mods(out, roll.Mods, full)
	for i := range roll.Throws {
		out = space(out)
		taken := len(roll.Throws) > 1 && i == int(roll.Taken)
		if taken {
			out = append(out, "→ "...)
		}
		out = append(out, '[')
		out = append(out, roll.Throws[i].String()...)
		out = append(out, ']')
	}
	out = s.mods(out, roll.After, full)
	if len(roll.Throws) > 0 {
		out = space(out)
		out = append(out, s.msgs.fill(s.msgs.find("roll_result"), arg{"n", number(int64(roll.Result))},
			arg{"name", s.ladder(roll, int64(roll.Result))}, arg{"grade", s.name(kindGrade, string(roll.Grade))})...)
	}
	if roll.HasAim {
		aim := number(int64(roll.Aim))
		if !s.ladder(roll, int64(roll.Aim)).empty() {
			aim = s.level(int64(roll.Aim))
		}
		out = append(out, s.msgs.fill(s.msgs.find("roll_aim"), arg{"aim", aim})...)
	}
	return string(out)
}

// ladder is the ladder's word for a number of a roll; empty for a roll that is not made on a trait.
func (s *scene) ladder(roll *engine.Roll, n int64) value {
	if roll.Base.Trait == "" {
		return value{}
	}
	return s.levelName(n)
}

func space(b []byte) []byte {
	if len(b) > 0 {
		return append(b, ' ')
	}
	return b
}

func (s *scene) base(b *engine.Base) string {
	from := value{}
	if b.From != b.Trait {
		from = s.name(kindTrait, string(b.From))
	}
	how := s.msgs.fill(s.msgs.find("base", baseWords[min(int(b.Kind), len(baseWords)-1)]), arg{"from", from})
	return s.msgs.fill(s.msgs.find("roll_base"), arg{"level", s.level(int64(b.Level))}, arg{"trait", s.name(kindTrait, string(b.Trait))},
		arg{"how", phrase(how)})
}

func (s *scene) mods(out []byte, mods []engine.Mod, full bool) []byte {
	for i := range mods {
		m := &mods[i]
		if m.Void && !full {
			continue
		}
		out = space(out)
		out = append(out, s.mod(m, full)...)
	}
	return out
}

// mod is one modifier: −1 heavy shade; in full with its rule and source.
func (s *scene) mod(m *engine.Mod, full bool) string {
	amount := value{}
	if m.Amount != 0 {
		amount = phrase(s.msgs.fill(s.msgs.find("mod", modWords[min(int(m.Kind), len(modWords)-1)]), arg{"n", number(int64(m.Amount))}))
	}
	args := [...]arg{{"amount", amount}, {"mod", s.name(kindMod, string(m.Name))}, {"rule", value{}}, {"source", value{}}}
	if full {
		args[2].val = own(string(m.Rule))
		args[3].val = s.source(m)
	} else if len(m.Cells) > 0 {
		args[3].val = s.blocks(m.Cells)
	}
	variant := ""
	if m.Void {
		variant = "void"
	}
	return s.msgs.fill(s.msgs.find("roll_mod", variant), args[:]...)
}

// source is what a modifier comes from: its blocks, or a thing of the battle.
func (s *scene) source(m *engine.Mod) value {
	l := s.list()
	if m.Source != (engine.Ref{}) {
		l.add(s.ref(m.Source))
	}
	if len(m.Cells) > 0 {
		l.add(s.blocks(m.Cells))
	}
	return l.value()
}

// Offer is one set of intents: the act, whom and what it may be done with, what it costs, and why it is not possible.
// b is the battle as the reader knows it; nil: none.
func (r *Renderer) Offer(b *engine.Battle, o *engine.Offer) string {
	s := r.scene(b)
	items, parts, about, mods, cost := r.list(), r.list(), r.list(), r.list(), r.list()
	for i := range o.Items {
		set := value{}
		for k, id := range o.Items[i] {
			if k == 0 {
				set = s.item(id)
			} else {
				set = phrase(set.s + " + " + s.item(id).s)
			}
		}
		items.add(set)
	}
	for _, p := range o.Parts {
		parts.add(r.name(kindPart, string(p)))
	}
	for _, t := range o.About {
		about.add(r.name(kindTrait, string(t)))
	}
	for i := range o.Mods {
		for _, m := range o.Mods[i].Mods {
			mods.add(r.name(kindMod, string(m)))
		}
	}
	for i := range o.Cost {
		c := &o.Cost[i]
		cost.add(phrase(r.msgs.fill(r.msgs.find("offer_cost"), arg{"n", scaled(c.Amount, r.scale(c.Name))}, arg{"gauge", r.name(kindGauge, string(c.Name))})))
	}
	args := [...]arg{
		{"act", r.name(kindAct, string(o.Act))}, {"targets", s.targets(o.Targets)}, {"items", items.value()},
		{"parts", parts.value()}, {"about", about.value()}, {"mods", mods.value()}, {"cost", cost.value()},
		{"amount", value{}}, {"cells", value{}}, {"no", value{}},
	}
	if o.Amount != (engine.Span{}) {
		args[7].val = phrase(r.msgs.fill(r.msgs.find("offer_amount"), arg{"min", number(int64(o.Amount.Min))}, arg{"max", number(int64(o.Amount.Max))}))
	}
	if n := len(o.Region); n > 0 {
		args[8].val = number(int64(n))
	}
	if o.No != nil {
		args[9].val = phrase(r.Refusal(b, o.No))
	}
	return r.msgs.line(r.msgs.find("offer"), args[:]...)
}

// scale is a gauge's scale, 1 where the catalogue says nothing.
func (r *Renderer) scale(g engine.GaugeName) int64 {
	if r.spec == nil {
		return 1
	}
	if spec := r.spec.Gauge(g); spec != nil && spec.Scale > 0 {
		return spec.Scale
	}
	return 1
}

// promptWords are the variants of the message prompt_kind.
var promptWords = [...]string{
	engine.PromptTurn: "turn", engine.PromptSheet: "sheet", engine.PromptDefend: "defend", engine.PromptReact: "react",
	engine.PromptChoose: "choose", engine.PromptSpend: "spend", engine.PromptRuling: "ruling",
}

func promptWord(k engine.PromptKind) string {
	if int(k) < len(promptWords) {
		return promptWords[k]
	}
	return ""
}

// Prompt is what a prompt asks: of whom, what, what there is to beat, whether it may be declined, and its deadline. b is
// the battle as the reader knows it; nil: none.
func (r *Renderer) Prompt(b *engine.Battle, p *engine.Prompt) string {
	s := r.scene(b)
	ask, ok := r.names.of[nameKey{kindAsk, string(p.Ask)}]
	if !ok {
		ask = phrase(r.msgs.word("prompt_kind", promptWord(p.Kind)))
	}
	out := r.msgs.line(r.msgs.find("prompt"), arg{"actor", s.whose(p.Whose)}, arg{"ask", ask}, arg{"args", s.listed(p.Args, 0)})
	if p.Must {
		out += r.msgs.word("prompt_must")
	}
	if p.Limit.MS > 0 {
		out += r.msgs.fill(r.msgs.find("prompt_limit"), arg{"seconds", number((p.Limit.MS + 999) / 1000)})
	}
	return out
}
