package text

import (
	"encoding/hex"
	"strconv"
	"strings"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

func hexValue(b [32]byte) value {
	if b == ([32]byte{}) {
		return value{}
	}
	return value{s: hex.EncodeToString(b[:]), proper: true}
}

// unspoken reports whether a fact never gives a line, so that others stay neighbours over it.
func unspoken(e engine.Event) bool {
	switch e.(type) {
	case engine.Framed, engine.Unframed, engine.Prompted:
		return true
	}
	return false
}

// moved tells a way; its legs in a row are one.
func (l *log) moved(e *engine.Moved) {
	to, cost, first := e.To, int64(e.Cost), l.at
	for k := l.at + 1; k < len(l.facts); k++ {
		if unspoken(l.facts[k].Event) {
			continue
		}
		next, ok := l.facts[k].Event.(engine.Moved)
		if !ok || next.Actor != e.Actor || next.Gait != e.Gait || next.From != to {
			break
		}
		to, cost, l.at = next.To, cost+int64(next.Cost), k
	}
	last := l.at
	l.at = first
	variant := ""
	if e.Gait == "" {
		variant = "put"
	}
	blocks := value{}
	if cost > 0 {
		v := scaled(cost, voxel.Unit)
		blocks = phrase(l.msgs.fill(l.msgs.find("unit", "blocks"), arg{"n", v}))
	}
	if e.From != to || variant == "" {
		l.say(l.msgs.find("moved", variant), arg{"actor", l.actor(e.Actor)}, arg{"from", cellValue(e.From.Block())}, arg{"to", cellValue(to.Block())},
			arg{"gait", l.name(kindAct, string(e.Gait))}, arg{"blocks", blocks})
	}
	l.at = last
}

// posed tells a change of posture. A turn of the look alone is no news.
func (l *log) posed(e *engine.Posed) {
	was, known := voxel.Standing, true
	if l.before != nil {
		if a := l.before.Actor(e.Actor); a != nil {
			was = a.Pose.Posture
		}
	}
	for i := range l.at {
		if p, ok := l.facts[i].Event.(engine.Posed); ok && p.Actor == e.Actor {
			was = p.Posture
		}
	}
	if !known || was == e.Posture {
		return
	}
	word := [...]string{voxel.Standing: "standing", voxel.Crouching: "crouching", voxel.Prone: "prone"}[min(e.Posture, voxel.Prone)]
	l.say(l.msgs.find("posed", word), arg{"actor", l.actor(e.Actor)})
}

// knownWords are the variants of the message known_set by level.
var knownWords = [...]string{
	engine.Unknown: "unknown", engine.Suspected: "suspected", engine.Heard: "heard", engine.Seen: "seen", engine.Recognised: "recognised",
}

func (l *log) known(e *engine.KnownSet) {
	if e.Gone {
		return
	}
	of := phrase(l.msgs.word("unknown", "actor"))
	if e.Known.Level >= engine.Seen || e.Known.Of.Kind != engine.RefActor || l.before != nil && l.before.Actor(e.Known.Of.Actor()) != nil {
		of = l.ref(e.Known.Of)
	}
	l.say(l.msgs.find("known_set", knownWords[min(int(e.Known.Level), len(knownWords)-1)]), arg{"actor", l.actor(e.Known.By)},
		arg{"of", of}, arg{"cell", cellValue(e.Known.Cell)})
}

func (l *log) declared(e *engine.Declared) {
	in := &e.Intent
	act := in.Act
	if act == "" {
		act = e.Class
	}
	items, mods := l.list(), l.list()
	for _, id := range in.Items {
		items.add(l.item(id))
	}
	for _, m := range in.Mods {
		mods.add(l.name(kindMod, string(m)))
	}
	args := [...]arg{
		{"actor", l.actor(in.By)}, {"target", l.targets(in.Targets)}, {"act", l.name(kindAct, string(act))}, {"item", items.value()},
		{"part", l.name(kindPart, string(in.Part))}, {"about", l.name(kindTrait, string(in.About))}, {"cell", value{}}, {"amount", value{}},
		{"mods", mods.value()},
	}
	if n := len(in.Path); n > 0 {
		args[6].val = cellValue(in.Path[n-1])
	}
	if in.Amount != 0 {
		args[7].val = number(int64(in.Amount))
	}
	l.say(l.msgs.find("declared", string(in.Act), string(e.Class)), args[:]...)
}

// rolled tells a roll; an attack and the defence against it that follows are one sentence.
func (l *log) rolled(e *engine.Rolled) {
	r := &e.Roll
	if len(r.Throws) == 0 {
		return
	}
	args := [...]arg{
		{"actor", l.maybe(r.By)}, {"target", l.maybe(r.Against)}, {"purpose", l.name(kindPurpose, string(r.Why))},
		{"roll", phrase(l.roll(r, false))}, {"other", value{}}, {"defence", value{}},
	}
	variant := string(r.Why)
	last := l.at
	if other, k := l.reply(r); other != nil {
		args[4].val = phrase(l.roll(other, false))
		args[5].val = l.name(kindPurpose, string(other.Why))
		variant, last = "versus", k
	}
	l.say(l.msgs.find("rolled", variant), args[:]...)
	l.at = last
}

// reply is the next roll told, if it is the other side's of the same act.
func (l *log) reply(r *engine.Roll) (*engine.Roll, int) {
	if r.Against == 0 {
		return nil, 0
	}
	for k := l.at + 1; k < len(l.facts); k++ {
		if unspoken(l.facts[k].Event) {
			continue
		}
		next, ok := l.facts[k].Event.(engine.Rolled)
		if !ok || next.Roll.By != r.Against || next.Roll.Against != r.By || next.Roll.Frame != r.Frame || len(next.Roll.Throws) == 0 || next.Roll.Why == r.Why {
			return nil, 0
		}
		return &next.Roll, k
	}
	return nil, 0
}

// tallied tells a computed number with its terms and the blocks that a cover comes from.
func (l *log) tallied(t *engine.Tally) {
	terms := l.list()
	cover := value{}
	sum := int64(0)
	for i := range t.Terms {
		x := &t.Terms[i]
		sum += int64(x.Amount)
		terms.add(phrase(l.msgs.fill(l.msgs.find("roll_mod"), arg{"amount", phrase(l.msgs.fill(l.msgs.find("mod", "level"), arg{"n", number(int64(x.Amount))}))},
			arg{"mod", l.name(kindMod, string(x.Name))}, arg{"rule", value{}}, arg{"source", value{}})))
		if x.Name == termCover {
			cover = l.cover(t.Frame, t.On)
		}
	}
	if string(t.What) == termCover {
		cover = l.cover(t.Frame, t.On)
	}
	list := value{}
	if terms.n > 0 {
		list = phrase(string(terms.buf))
	}
	variant := string(t.What)
	if terms.n > 0 && sum != t.Total && !l.msgs.has("tallied", variant) {
		variant = "otherwise" // a total with a floor, or read from a table, is no sum
	}
	l.say(l.msgs.find("tallied", variant), arg{"what", l.name(kindQuantity, string(t.What))}, arg{"on", l.maybe(t.On)},
		arg{"terms", list}, arg{"total", l.figure(t.What, t.Total)}, arg{"band", l.name(kindBand, string(t.Band))}, arg{"blocks", cover})
}

// termCover is the name that every ruleset gives to what blocks hide.
const termCover = "cover"

// shiftOfLevel is the name that every ruleset gives to a master's change of a roll: a number of levels, not a level.
const shiftOfLevel = "modifier"

// figure is a computed number in its unit.
func (r *Renderer) figure(what engine.Quantity, n int64) value {
	unit := ""
	if r.spec != nil {
		for i := range r.spec.Figures {
			if r.spec.Figures[i].Name == what {
				unit = r.spec.Figures[i].Unit
			}
		}
	}
	switch {
	case unit == "":
		return number(n)
	case what == shiftOfLevel:
		return phrase(r.msgs.fill(r.msgs.find("unit", "shift"), arg{"n", number(n)}))
	case unit == "level":
		return r.level(n)
	case unit == "1/256 block":
		return phrase(r.msgs.fill(r.msgs.find("unit", "blocks"), arg{"n", scaled(n, voxel.Unit)}))
	case strings.Contains(unit, ", "):
		// A list of what the numbers mean: 0 none, 1 cover, 2 full.
		for word := range strings.SplitSeq(unit, ", ") {
			if of, text, _ := strings.Cut(word, " "); of == strconv.FormatInt(n, 10) {
				return r.words(&engine.Arg{Kind: engine.ArgText, Name: text})
			}
		}
		return number(n)
	}
	if !r.msgs.has("unit", slug(unit)) {
		return number(n)
	}
	return phrase(r.msgs.fill(r.msgs.find("unit", slug(unit)), arg{"n", number(n)}))
}

func (l *log) resolved(e *engine.Resolved) {
	l.say(l.msgs.find("resolved", string(e.Act)+"_"+string(e.Outcome), string(e.Outcome)), arg{"actor", l.actor(e.By)}, arg{"target", l.aimed(&e.Target)},
		arg{"act", l.name(kindAct, string(e.Act))}, arg{"outcome", l.name(kindOutcome, string(e.Outcome))}, arg{"grade", l.name(kindGrade, string(e.Grade))})
}

// aimed is a target, or nothing where none was named.
func (l *log) aimed(t *engine.Target) value {
	if *t == (engine.Target{}) {
		return value{}
	}
	return l.target(t)
}
