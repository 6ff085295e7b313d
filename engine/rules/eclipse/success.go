package eclipse

import (
	"slices"

	"autobattle/engine"
	"autobattle/engine/dice"
)

// capNet bounds the net sum of modifiers of one test (EP-TEST-04).
const capNet = 60

// The grades, in the order in which a success is better.
const (
	gradeCritical     engine.GradeName = "critical_success"
	gradeSuperiorTwo  engine.GradeName = "superior_success_2"
	gradeSuperior     engine.GradeName = "superior_success"
	gradeSuccess      engine.GradeName = "success"
	gradeFailure      engine.GradeName = "failure"
	gradeSuperiorFail engine.GradeName = "superior_failure"
	gradeTwoFail      engine.GradeName = "superior_failure_2"
	gradeCriticalFail engine.GradeName = "critical_failure"
)

// grade tells what the value of a d100, 0…99, is against a target number (EP-TEST-01, -02, -05, -06, -07). Without
// the skill there are no critical successes (EP-TEST-13).
func grade(tn, value int32, skilled bool) engine.GradeName {
	double := value%11 == 0
	if value == 0 || value != 99 && value <= tn {
		switch {
		case double && skilled:
			return gradeCritical
		case value >= 66:
			return gradeSuperiorTwo
		case value >= 33:
			return gradeSuperior
		}
		return gradeSuccess
	}
	switch {
	case double:
		return gradeCriticalFail
	case value <= 33:
		return gradeTwoFail
	case value <= 66:
		return gradeSuperiorFail
	}
	return gradeFailure
}

// succeeds reports whether a grade is a success.
func succeeds(g engine.GradeName) bool {
	return g == gradeCritical || g == gradeSuperiorTwo || g == gradeSuperior || g == gradeSuccess
}

// superior is the number of superior successes in a grade (EP-TEST-08).
func superior(g engine.GradeName) int32 {
	switch g {
	case gradeSuperiorTwo:
		return 2
	case gradeSuperior:
		return 1
	}
	return 0
}

// side is what counts of a roll in an opposed test.
type side struct {
	value int32
	grade engine.GradeName
}

// hits is the opposed test of an attack: the attacker must succeed, and with both successful a critical beats others and
// the higher value decides (EP-ATK-05…08, EP-TEST-11). Of equal values the defender's holds.
func hits(attack, defence side) bool {
	switch {
	case !succeeds(attack.grade):
		return false
	case !succeeds(defence.grade):
		return true
	case (attack.grade == gradeCritical) != (defence.grade == gradeCritical):
		return attack.grade == gradeCritical
	}
	return attack.value > defence.value
}

// reversed swaps the digits of a d100 (EP-POOL-03).
func reversed(value int32) int32 { return value%10*10 + value/10 }

// sideOf reads a thrown roll.
func sideOf(r *engine.Roll) side { return side{r.Result, r.Grade} }

// skilled reports whether a roll was made with its own skill.
func skilled(r *engine.Roll) bool { return r.Base.Kind == engine.BaseOwn }

// base is the level that a test starts from: the skill, or its linked aptitude without it (EP-TEST-13).
func base(b *engine.Battle, a engine.ActorID, skill engine.TraitName) engine.Base {
	if level, has := b.Trait(a, skill); has {
		return engine.Base{Trait: skill, Level: level, Rule: "EP-TEST-01"}
	}
	linked := traitReflexes
	if skill == traitMelee {
		linked = traitSomatics
	}
	return engine.Base{Trait: skill, From: linked, Level: trait(b, a, linked), Kind: engine.BaseSubstitute, Rule: "EP-TEST-13"}
}

// aim sets the target number from the base and the modifiers, whose net sum is capped (EP-TEST-04).
func aim(r *engine.Roll) {
	r.Mods = slices.DeleteFunc(slices.Clone(r.Mods), func(m engine.Mod) bool { return m.Name == modCap })
	net := engine.Sum(r.Mods, engine.ModLevel)
	if over := net - min(max(net, -capNet), capNet); over != 0 {
		r.Mods = append(r.Mods, engine.Mod{Name: modCap, Rule: "EP-TEST-04", Amount: -over})
		net -= over
	}
	r.Aim, r.HasAim = r.Base.Level+net, true
}

// settle reads the throw that a roll has got.
func settle(r *engine.Roll, t dice.Throw) {
	r.Throws = []dice.Throw{t}
	r.Result = t.Sum % 100 // 00 is zero (EP-NUM-01)
	regrade(r)
}

// regrade grades a roll anew after its value changed.
func regrade(r *engine.Roll) {
	r.Margin, r.Grade = r.Aim-r.Result, grade(r.Aim, r.Result, skilled(r))
}

// cuts are the bounds of the classes of 1…n that key tells apart, for exact odds.
func cuts(n int32, key func(int32) int32) []int32 {
	var out []int32
	last := key(1)
	for v := int32(2); v <= n; v++ {
		k := key(v)
		if k != last {
			out = append(out, v-1)
		}
		last = k
	}
	return out
}
