package kmrp

import "autobattle/engine"

// ID is the name of the ruleset.
const ID engine.RulesetID = "kmrp"

// Revision counts changes of the rules that change what a battle's commands lead to.
const Revision = 1

// The acts.
const (
	actPass        engine.ActName = "pass"
	actLook        engine.ActName = "look"
	actFreeMove    engine.ActName = "free_move"
	actRunUp       engine.ActName = "run_up"
	actRun         engine.ActName = "run"
	actCrouched    engine.ActName = "crouched_move"
	actCrawl       engine.ActName = "crawl"
	actWalk        engine.ActName = "walk" // the way after a gait's roll
	actCrouch      engine.ActName = "crouch"
	actStand       engine.ActName = "stand"
	actLieDown     engine.ActName = "lie_down"
	actGetUp       engine.ActName = "get_up"
	actAttack      engine.ActName = "attack"
	actConcentrate engine.ActName = "concentrate"
	actDraw        engine.ActName = "draw"
	actSwap        engine.ActName = "swap"
	actSheathe     engine.ActName = "sheathe"
	actDrop        engine.ActName = "drop"
	actReload      engine.ActName = "reload"
	actPutOn       engine.ActName = "put_on"
	actTakeOff     engine.ActName = "take_off"
	actDelay       engine.ActName = "delay"

	actEvade engine.ActName = "evade"
	actParry engine.ActName = "parry"
	actBlock engine.ActName = "block"
	actGroup engine.ActName = "group"
	actFight engine.ActName = "fight_back" // a hand-to-hand roll in defence
	actNone  engine.ActName = "no_defence"

	actRiposte engine.ActName = "riposte"

	actReroll engine.ActName = "reroll"
	actRaise  engine.ActName = "raise"
	actLower  engine.ActName = "lower_wound"

	actConfirm engine.ActName = "confirm"
	actSpare   engine.ActName = "spare"
	actGoOn    engine.ActName = "go_on"

	actShot  engine.ActName = "shot"  // class of an attack: from beyond close distance
	actClose engine.ActName = "close" // class of an attack: close shooting
	actBlow  engine.ActName = "blow"  // class of an attack: a melee weapon
	actFists engine.ActName = "fists" // class of an attack: unarmed and fist weapons
	actWound engine.ActName = "wound" // what the frame of a wound plays

	classMove   engine.ActName = "move"
	classGear   engine.ActName = "gear"
	classDefend engine.ActName = "defend"
	classSpend  engine.ActName = "spend"
	classRule   engine.ActName = "rule"
	classRest   engine.ActName = "rest"
)

// The gauges.
const (
	gaugeWill     engine.GaugeName = "will"
	gaugeDefences engine.GaugeName = "defences"
	gaugeSkip     engine.GaugeName = "skip_turns"
	gaugeRounds   engine.GaugeName = "rounds"
)

// gaugeSlots are the free wound slots by degree.
var gaugeSlots = [...]engine.GaugeName{1: "slots_scratch", 2: "slots_light", 3: "slots_heavy", 4: "slots_critical", 5: "slots_deadly"}

// The conditions.
const (
	condWound         engine.CondName = "wound"
	condWoundStun     engine.CondName = "wound_stun"
	condWoundMental   engine.CondName = "wound_mental"
	condBleeding      engine.CondName = "bleeding"
	condExcluded      engine.CondName = "excluded"
	condDead          engine.CondName = "dead"
	condConcentration engine.CondName = "concentration"
	condRun           engine.CondName = "run"
	condDrawn         engine.CondName = "drawn"
	condDelayed       engine.CondName = "delayed"
	condRevealed      engine.CondName = "revealed"
	condShadeLost     engine.CondName = "shade_lost"
	condNightVision   engine.CondName = "night_vision"
	condAdvantage     engine.CondName = "advantage"
	condHindrance     engine.CondName = "hindrance"
	condHostile       engine.CondName = "hostile"
	condAllied        engine.CondName = "allied"
	condDarkness      engine.CondName = "darkness" // of zones
	condRiposte       engine.CondName = "riposte"
	condFreeze        engine.CondName = "time_freeze" // of zones: nobody enters or leaves
	condMayPass       engine.CondName = "may_pass"    // a border of a time freeze; Source names the zone, the battle for any
)

// Levels of the condition run (KM-MOVE-07).
const (
	phaseNone    = 0
	phaseRunUp   = 1
	phaseRunning = 2
)

// Levels of the condition excluded: why.
const (
	outByWound = iota
	outByDeath
)

// The modifiers that players may choose.
const (
	modTakeWorse engine.ModName = "take_worse"
	modFace      engine.ModName = "face_attacker"
)

// The modifiers of rolls.
const (
	modScratch       engine.ModName = "scratch"
	modLight         engine.ModName = "light_wound"
	modHeavy         engine.ModName = "heavy_wound"
	modCritical      engine.ModName = "critical_wound"
	modDeadly        engine.ModName = "deadly_wound"
	modWholeHundreds engine.ModName = "whole_hundreds"
	modConcentration engine.ModName = "concentration"
	modArmourClass   engine.ModName = "armour_class"
	modArmourHeavy   engine.ModName = "armour_too_heavy"
	modShieldHeavy   engine.ModName = "shield_too_heavy"
	modWeaponHeavy   engine.ModName = "weapon_too_heavy"
	modOneHand       engine.ModName = "two_handed_in_one_hand"
	modManyDefences  engine.ModName = "many_defences"
	modProne         engine.ModName = "prone"
	modProneNear     engine.ModName = "prone_near"
	modShorter       engine.ModName = "shorter_weapon"
	modShade         engine.ModName = "heavy_shade"
	modAfterRun      engine.ModName = "after_running"
	modRunningTarget engine.ModName = "running_target"
	modClose         engine.ModName = "close_shooting"
	modPointBlank    engine.ModName = "point_blank"
	modRecoil        engine.ModName = "recoil"
	modRiposte       engine.ModName = "riposte"
	modWill          engine.ModName = "will"
	modReroll        engine.ModName = "will_reroll"
	modRuling        engine.ModName = "ruling"
)

// The terms of tallies.
const (
	termAttack   engine.ModName = "attack_result"
	termOpposing engine.ModName = "opposing_level"
	termWeapon   engine.ModName = "weapon"
	termOneHand  engine.ModName = "both_hands_lost"
	termDropOff  engine.ModName = "energy_lost"
	termAmmo     engine.ModName = "ammunition"
	termLash     engine.ModName = "bare_target"
	termBackStab engine.ModName = "back_stab"
	termArmour   engine.ModName = "armour"
	termShield   engine.ModName = "shield"
	termGrouping engine.ModName = "grouping"
	termDistance engine.ModName = "distance"
	termCover    engine.ModName = "cover"
	termShade    engine.ModName = "shade_cover"
	termProneFar engine.ModName = "prone_far"
	termRuling   engine.ModName = "ruling"
	termBudget   engine.ModName = "movement_result"
)

// The outcomes.
const (
	outcomeDone     engine.OutcomeName = "done"
	outcomeMissed   engine.OutcomeName = "missed"
	outcomeEvaded   engine.OutcomeName = "evaded"
	outcomeParried  engine.OutcomeName = "parried"
	outcomeFended   engine.OutcomeName = "fended_off"
	outcomeBlocked  engine.OutcomeName = "blocked"
	outcomeGrouped  engine.OutcomeName = "grouped"
	outcomeHit      engine.OutcomeName = "hit"
	outcomeNoWound  engine.OutcomeName = "no_wound"
	outcomeWounded  engine.OutcomeName = "wounded"
	outcomeSoftened engine.OutcomeName = "softened"
	outcomeDead     engine.OutcomeName = "dead"
	outcomeVoid     engine.OutcomeName = "void"
	outcomeSkipped  engine.OutcomeName = "skipped"
	outcomeDelayed  engine.OutcomeName = "delayed"
	outcomeVictory  engine.OutcomeName = "victory"
	outcomeDefeat   engine.OutcomeName = "defeat"
	outcomeDraw     engine.OutcomeName = "draw"
)

// The grades of rolls.
const (
	gradeCriticalSuccess engine.GradeName = "critical_success"
	gradeCriticalFailure engine.GradeName = "critical_failure"
)

// The purposes of rolls.
const (
	whyInitiative engine.Purpose = "initiative"
	whyTie        engine.Purpose = "initiative_tie"
	whyMove       engine.Purpose = "movement"
	whyAttack     engine.Purpose = "attack"
	whyDefence    engine.Purpose = "defence"
	whyEndurance  engine.Purpose = "endurance"
	whyRedirect   engine.Purpose = "redirect"
	whySegment    engine.Purpose = "redirect_segment"
	whyReload     engine.Purpose = "reload"
)

// The questions of prompts.
const (
	askTurn    engine.AskName = "turn"
	askDefend  engine.AskName = "defend"
	askRoll    engine.AskName = "spend_on_roll"
	askWound   engine.AskName = "spend_on_wound"
	askDeath   engine.AskName = "confirm_death"
	askEnd     engine.AskName = "confirm_end"
	askRiposte engine.AskName = "riposte"
	askMove    engine.AskName = "walk_or_act"
)

// The quantities: tallies, and what a master may rule.
const (
	figDamage     engine.Quantity = "damage"
	figDifficulty engine.Quantity = "difficulty"
	figBleeding   engine.Quantity = "bleeding"
	figAllowance  engine.Quantity = "allowance"
	figCover      engine.Quantity = "cover"
	figLight      engine.Quantity = "light"
	figDistance   engine.Quantity = "distance"
	figSector     engine.Quantity = "sector"
	figModifier   engine.Quantity = "modifier"
	figPercent    engine.Quantity = "percent"
	figConsent    engine.Quantity = "consent"
)

// The steps of frames. They are written into stored battles: none is renamed or used for something else.
const (
	stepNewRound   engine.StepName = "new_round"
	stepEndAsked   engine.StepName = "end_asked"
	stepInitiative engine.StepName = "initiative"
	stepReactWill  engine.StepName = "initiative_will"
	stepNextSeat   engine.StepName = "next_seat"

	stepTurnBegin engine.StepName = "turn_begin"
	stepTurnAsk   engine.StepName = "turn_ask"
	stepTurnTaken engine.StepName = "turn_taken"
	stepTurnEnd   engine.StepName = "turn_end"

	stepGait     engine.StepName = "gait"
	stepGaitWill engine.StepName = "gait_will"
	stepGaitDone engine.StepName = "gait_done"
	stepWalk     engine.StepName = "walk"
	stepWalked   engine.StepName = "walked"

	stepReload     engine.StepName = "reload"
	stepReloadWill engine.StepName = "reload_will"
	stepReloadDone engine.StepName = "reload_done"

	stepDeclared    engine.StepName = "declared"
	stepSight       engine.StepName = "sight"
	stepAskDefence  engine.StepName = "ask_defence"
	stepDefended    engine.StepName = "defended"
	stepRollAttack  engine.StepName = "roll_attack"
	stepWillAttack  engine.StepName = "will_attack"
	stepFloor       engine.StepName = "floor"
	stepWillDefence engine.StepName = "will_defence"
	stepCompare     engine.StepName = "compare"
	stepAfter       engine.StepName = "after"
	stepRiposte     engine.StepName = "riposte"

	stepOverflow   engine.StepName = "overflow"
	stepWillEndure engine.StepName = "will_endure"
	stepEndured    engine.StepName = "endured"
	stepWillWound  engine.StepName = "will_wound"
	stepDeath      engine.StepName = "death"
	stepRecord     engine.StepName = "record"
)

// The variables of frames.
const (
	varMoved   engine.VarName = "moved"   // turn: which kind of movement has been used, a catalogue.Gait + 1
	varPoints  engine.VarName = "points"  // turn: movement points of the gait
	varSpent   engine.VarName = "spent"   // turn: movement points used
	varNext    engine.VarName = "next"    // move: the index in the path of the cell to enter next
	varWalked  engine.VarName = "walked"  // turn: the way has been walked
	varStarted engine.VarName = "started" // turn: something has been done
	varPhase   engine.VarName = "phase"   // turn: run phase at its end
	varRan     engine.VarName = "ran"     // act: the attacker made a run or a run-up in this turn
	varResult  engine.VarName = "result"  // a roll's result
	varSpends  engine.VarName = "spends"  // Will points spent on the present roll: bit 0 a re-roll, bit 1 a raise
	varDamage  engine.VarName = "damage"
	varFatal   engine.VarName = "fatal" // the death check failed
	varLane    engine.VarName = "lane"
	varFloor   engine.VarName = "floor" // F of the attack
	varBase    engine.VarName = "base"  // hit difficulty of the distance alone
	varGoOn    engine.VarName = "go_on" // root: the round in which the master wanted to go on
)

// varBleeds says how a wound bleeds: not, one level below its degree, or at its degree (KM-MEL-CLASS-02, -07).
const varBleeds engine.VarName = "bleeds"

const (
	bleedsNot = iota
	bleedsBelow
	bleedsEqual
)
