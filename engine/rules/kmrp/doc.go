// Package kmrp plays battles by the KMRP rulebook.
//
// Glossary, from the Russian of the rulebook:
//
//	бросок             roll: a level and four Fudge dice
//	уровень            level: an integer, Terrible (ужасно) = 0 … Legendary (легендарно) = 7
//	атрибут, навык     attribute, skill: both are traits
//	сложность          difficulty: a level that a result must reach
//	раунд, ход         round, turn
//	очередь инициативы queue
//	разбег, бег        run-up, run: the two phases of running
//	гуськом, ползком   crouched gait, crawl
//	уклонение          evasion        парирование  parrying
//	блокирование       blocking       группировка  grouping: taking a blow on the breastplate
//	рукопашный бой     hand-to-hand
//	царапина, лёгкая, тяжёлая, критическая, смертельная рана
//	                   scratch, light, heavy, critical, deadly wound
//	выносливость       endurance      сила воли    willpower     очки воли  Will points
//	укрытие            cover          затемнённость  darkness
//	сложность попадания hit difficulty
//	излёт              loss of energy with distance
//	преимущество, помеха advantage, hindrance
//
// A rule is a short function and a line of a table that names it. Rolls go through casting (roll.go), attacks through
// actSteps (attack.go), wounds through woundSteps (wounds.go), turns through turnSteps and turnActs (turn.go).
package kmrp
