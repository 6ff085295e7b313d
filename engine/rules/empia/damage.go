package empia

import (
	"slices"

	"autobattle/engine"
)

// types are the rows of table T-1 that this package has: the factor in per cent against none or light and against heavy
// armour, and the chance that armour is ignored altogether.
var types = [...]struct {
	name                      string
	light, heavy              int32
	ignoredLight, ignoredHard int32
}{
	{"chopping", 100, 100, 0, 0},
	{"piercing", 100, 50, 20, 10},
	{"crushing", 100, 120, 0, 0},
	{"cutting", 100, 50, 0, 0},
	{"unarmed", 100, 50, 0, 0},
	{"fire", 100, 85, 0, 0},
	{"electric", 100, 150, 0, 0},
	{"other", 100, 100, 0, 0},
}

func known(name string) bool {
	for i := range types {
		if types[i].name == name {
			return true
		}
	}
	return false
}

// protection is what an actor wears (EM-ARM-01, -02). Weight is empty, light or heavy.
type protection struct {
	weight        string
	block, shield int32
}

func (r *rules) protection(b *engine.Battle, a engine.ActorID) (p protection) {
	for it := range b.ItemsOf(a) {
		w := r.gear.armour(it.Ref)
		switch {
		case w == nil:
		case w.Weight == "shield" && it.Slot == slotOff:
			p.shield += w.Block
		case w.Weight != "shield" && it.Slot == slotWorn:
			p.weight, p.block = w.Weight, w.Block
		}
	}
	return p
}

// factor is the row of table T-1: per cent, and the chance that the armour is ignored.
func factor(kind string, p protection) (percent, ignored int32) {
	for i := range types {
		switch t := &types[i]; {
		case t.name != kind:
		case p.weight == "heavy":
			return t.heavy, t.ignoredHard
		case p.weight == "" && p.shield == 0:
			return t.light, 0 // there is nothing to ignore
		default:
			return t.light, t.ignoredLight
		}
	}
	return 100, 0
}

// blow is drawn damage on its way to the lives of a victim (EM-DMG-09).
type blow struct {
	drawn   int32
	size    int32 // per cent more by a critical effect
	half    bool  // blocked magic goes on by half (EM-DEF-06)
	less    []int32
	kind    string
	pierced bool // by a critical: blocks are nothing (EM-CRIT-05)
	ignored bool // piercing: the armour is nothing at all
	on      protection
}

// taken is what the victim loses: critical size, half block, reductions, factor of the type, fixed blocks; not below 0,
// rounded down once.
func (x blow) taken() int32 {
	v := whole(x.drawn).times(100 + x.size)
	if x.half {
		v = v.times(50)
	}
	for _, l := range x.less {
		v = v.times(100 - l)
	}
	if !x.ignored {
		percent, _ := factor(x.kind, x.on)
		v = v.times(percent)
		if !x.pierced {
			v = v.plus(-x.on.block - x.on.shield)
		}
	}
	return max(v.floor(), 0)
}

// terms explain a blow. They do not add up where percentages are at work; the total does.
func (x blow) terms() []engine.Term {
	ts := []engine.Term{{Name: termDrawn, Rule: "EM-DMG-08", Amount: x.drawn}}
	add := func(name engine.ModName, rule engine.Rule, n int32) {
		if n != 0 {
			ts = append(ts, engine.Term{Name: name, Rule: rule, Amount: n})
		}
	}
	before := blow{drawn: x.drawn}
	now := func() int32 { return before.taken() }
	was := now()
	step := func(name engine.ModName, rule engine.Rule) {
		n := now()
		add(name, rule, n-was)
		was = n
	}
	before.size = x.size
	step(effectSize, "EM-CRIT-08")
	before.half = x.half
	step(termHalfBlocked, "EM-DEF-06")
	before.less = x.less
	step(termWard, "EM-MOD-03")
	before.kind, before.on.weight, before.ignored = x.kind, x.on.weight, x.ignored
	step(termFactor, "EM-ARM-01")
	if !x.pierced && !x.ignored {
		before.on.block = x.on.block
		step(termArmour, "EM-ARM-02")
		before.on.shield = x.on.shield
		step(termShield, "EM-ARM-02")
	}
	return ts
}

// reductions are the percentages by which a victim's damage is less (EM-MOD-05): a ward is against physical damage.
func reductions(b *engine.Battle, d engine.ActorID, physical bool) (less []int32) {
	for _, c := range b.CondsOn(d.On()) {
		if c.Name == condWarded && physical {
			less = append(less, c.Value)
		}
	}
	return slices.Clip(less)
}
