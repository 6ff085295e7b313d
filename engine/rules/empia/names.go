package empia

import "autobattle/engine"

// ID is the name of the ruleset.
const ID engine.RulesetID = "empia"

// Revision counts changes of the rules that change what a battle's commands lead to.
const Revision = 1

// The acts, and the classes that others see of them (EM-ABIL-13).
const (
	actWalk    engine.ActName = "walk"
	actRun     engine.ActName = "run"
	actCrouch  engine.ActName = "crouch"
	actCrawl   engine.ActName = "crawl"
	actStrike  engine.ActName = "strike"
	actUse     engine.ActName = "use"
	actCancel  engine.ActName = "cancel"
	actDraw    engine.ActName = "draw"
	actPickUp  engine.ActName = "pick_up"
	actRest    engine.ActName = "rest"
	actConfirm engine.ActName = "confirm"
	actGoOn    engine.ActName = "go_on"

	classMove    engine.ActName = "move"
	classAbility engine.ActName = "ability"
	classHandle  engine.ActName = "handle"
)

// The traits. An ability is a trait of its own name.
const (
	traitLives      engine.TraitName = "max_lives"
	traitEnergy     engine.TraitName = "max_energy"
	traitStrike     engine.TraitName = "strike_bonus"
	traitMagic      engine.TraitName = "magic_rank"
	traitDamage     engine.TraitName = "damage_percent"
	traitGeneral    engine.TraitName = "general_percent"
	traitDodge      engine.TraitName = "dodge_bonus"
	traitMagicDodge engine.TraitName = "magic_dodge"
	traitBlock      engine.TraitName = "block_bonus"
)

// The gauges.
const (
	gaugeLives  engine.GaugeName = "lives"
	gaugeEnergy engine.GaugeName = "energy" // in 1/unit
	gaugeStreak engine.GaugeName = "rest_streak"
	gaugeCut    engine.GaugeName = "cut_sum"
	gaugeFire   engine.GaugeName = "fire_sum"
)

// unit is one energy: a quarter of a quarter of 7.5 must be exact (EM-NUM-07, EM-REST-05).
const unit = 1_000_000

// The conditions. Value is a percentage where there is one.
const (
	condDead        engine.CondName = "dead"
	condUnconscious engine.CondName = "unconscious" // Level: why; Value: the moment, see moment
	condCollapsed   engine.CondName = "collapsed"
	condStunned     engine.CondName = "stunned"
	condImmobilised engine.CondName = "immobilised"
	condBlocking    engine.CondName = "blocking"
	condSustaining  engine.CondName = "sustaining"
	condWarded      engine.CondName = "warded"
	condCosts       engine.CondName = "costs_up"
	condDefence     engine.CondName = "defence_down"
	condAccuracy    engine.CondName = "accuracy_down"
)

// Levels of the condition unconscious.
const (
	byWounds     = 0 // lives below 0 (EM-LIFE-01)
	byExhaustion = 1 // energy below −50 (EM-NRG-05)
)

// The modifiers that players choose.
const (
	modAway  engine.ModName = "away"
	modDodge engine.ModName = "by_dodging"
	modBlock engine.ModName = "by_blocking"
)

// The terms of tallies, and the effects of criticals.
const (
	termBase        engine.ModName = "base"
	termRank        engine.ModName = "rank"
	termBonus       engine.ModName = "bonus"
	termOffHand     engine.ModName = "off_hand"
	termAccuracy    engine.ModName = "accuracy_down"
	termDefence     engine.ModName = "defence_down"
	termOwnFailure  engine.ModName = "own_failure"
	termDrawn       engine.ModName = "drawn"
	termWard        engine.ModName = "ward"
	termFactor      engine.ModName = "type_factor"
	termArmour      engine.ModName = "armour_block"
	termShield      engine.ModName = "shield_block"
	termHalfBlocked engine.ModName = "half_blocked"
	termCost        engine.ModName = "cost"
	termBlockCost   engine.ModName = "block_cost"
	termUpkeep      engine.ModName = "upkeep"
	termRest        engine.ModName = "quick_rest"
	termLongRest    engine.ModName = "long_rest"
	termDrain       engine.ModName = "drain"

	effectSize     engine.ModName = "critical_size"
	effectDuration engine.ModName = "critical_duration"
	effectStatus   engine.ModName = "critical_status"
	effectCheap    engine.ModName = "critical_cheap"
	effectSelf     engine.ModName = "fumble_self"
	effectEnergy   engine.ModName = "fumble_energy"
	effectSlip     engine.ModName = "fumble_slip"
	effectStray    engine.ModName = "fumble_stray"
	effectBurn     engine.ModName = "fumble_burn"
	effectReversed engine.ModName = "fumble_reversed"
)

// The outcomes.
const (
	outcomeDone       engine.OutcomeName = "done"
	outcomeRested     engine.OutcomeName = "rested"
	outcomeMoved      engine.OutcomeName = "moved"
	outcomePreparing  engine.OutcomeName = "preparing"
	outcomeImpossible engine.OutcomeName = "impossible"
	outcomeHit        engine.OutcomeName = "hit"
	outcomeMissed     engine.OutcomeName = "missed"
	outcomeBlocked    engine.OutcomeName = "blocked"
	outcomeApplied    engine.OutcomeName = "applied"
	outcomeFailed     engine.OutcomeName = "failed"
	outcomeSlipped    engine.OutcomeName = "slipped"
	outcomeVictory    engine.OutcomeName = "victory"
	outcomeDefeat     engine.OutcomeName = "defeat"
	outcomeDraw       engine.OutcomeName = "draw"
)

// The grades of hit rolls.
const (
	gradeExceptional engine.GradeName = "exceptional"
	gradeCritical    engine.GradeName = "critical"
	gradeSuccess     engine.GradeName = "success"
	gradeFailure     engine.GradeName = "failure"
	gradeFumble      engine.GradeName = "fumble"
	gradeWorst       engine.GradeName = "exceptional_fumble"
)

// The purposes of draws.
const (
	whyHit       engine.Purpose = "hit"
	whyDamage    engine.Purpose = "damage"
	whyHealing   engine.Purpose = "healing"
	whyDuration  engine.Purpose = "duration"
	whyIgnored   engine.Purpose = "armour_ignored"
	whyEffect    engine.Purpose = "effect"
	whyPercent   engine.Purpose = "percent"
	whyDistance  engine.Purpose = "distance"
	whyDirection engine.Purpose = "direction"
	whyStray     engine.Purpose = "stray"
)

// The questions of prompts.
const (
	askSheet engine.AskName = "sheet"
	askEnd   engine.AskName = "confirm_end"
)

// The quantities.
const (
	figChance  engine.Quantity = "chance"
	figDefence engine.Quantity = "defence"
	figDamage  engine.Quantity = "damage"
	figEnergy  engine.Quantity = "energy"
	figAfter   engine.Quantity = "after_damage"
	figEffect  engine.Quantity = "effect"
)

// The options.
const optConfirm engine.OptionName = "end_confirm"

// wordAsk is the value of optConfirm with which the master is asked.
const wordAsk = "ask"

// The slots of things.
const (
	slotMain    engine.SlotName = "main"
	slotOff     engine.SlotName = "off"
	slotCarried engine.SlotName = "carried"
	slotWorn    engine.SlotName = "worn"
)

// bareHands is the weapon of who holds none.
const bareHands = "bare_hands"

// The steps of frames. They are written into stored battles: none is renamed or used for something else.
const (
	stepTurn     engine.StepName = "turn"
	stepEndAsked engine.StepName = "end_asked"
	stepSheets   engine.StepName = "sheets"
	stepSealed   engine.StepName = "sealed"
	stepSelect   engine.StepName = "select"
	stepPhysical engine.StepName = "physical"
	stepMagical  engine.StepName = "magical"
	stepSlotEnd  engine.StepName = "slot_end"
	stepTurnEnd  engine.StepName = "turn_end"
)

// varGoOn is the turn in which the master wanted to go on, of the root frame.
const varGoOn engine.VarName = "go_on"

// varResults are what came of the slots of an actor in this turn: place in results plus 1; 0 for nothing yet.
var varResults = [...]engine.VarName{1: "slot_1", "slot_2", "slot_3", "slot_4", "slot_5", "slot_6", "slot_7", "slot_8"}

// results are the outcomes that a condition on an earlier slot may ask for (EM-ORD-04).
var results = [...]engine.OutcomeName{outcomeDone, outcomeRested, outcomeMoved, outcomePreparing, outcomeImpossible, outcomeHit, outcomeMissed,
	outcomeBlocked, outcomeApplied, outcomeFailed, outcomeSlipped}
