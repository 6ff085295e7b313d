package eclipse

import "autobattle/engine"

// ID is the name of the ruleset.
const ID engine.RulesetID = "eclipse"

// Revision counts changes of the rules that change what a battle's commands lead to.
const Revision = 1

// The acts.
const (
	actAttack  engine.ActName = "attack"
	actSpread  engine.ActName = "spread_fire"
	actRaise   engine.ActName = "quick_aim"
	actAim     engine.ActName = "full_aim"
	actGuard   engine.ActName = "full_defence"
	actReload  engine.ActName = "reload"
	actDraw    engine.ActName = "draw"
	actStand   engine.ActName = "stand_up"
	actDrop    engine.ActName = "drop_prone"
	actWalk    engine.ActName = "base_move"
	actRun     engine.ActName = "full_move"
	actDelay   engine.ActName = "delay"
	actNow     engine.ActName = "act_now"
	actDodge   engine.ActName = "dodge"
	actParry   engine.ActName = "parry"
	actIgnore  engine.ActName = "ignore_modifiers"
	actAdd     engine.ActName = "add_twenty"
	actReverse engine.ActName = "reverse_dice"
	actBetter  engine.ActName = "raise_result"
	actSoften  engine.ActName = "soften_failure"
	actConfirm engine.ActName = "confirm"
	actGoOn    engine.ActName = "go_on"
)

// The traits.
const (
	traitIntuition  engine.TraitName = "intuition"
	traitReflexes   engine.TraitName = "reflexes"
	traitSomatics   engine.TraitName = "somatics"
	traitDurability engine.TraitName = "durability"
	traitGuns       engine.TraitName = "guns"
	traitMelee      engine.TraitName = "melee"
	traitFray       engine.TraitName = "fray"
)

// The gauges.
const (
	gaugeDamage engine.GaugeName = "damage"
	gaugeVigor  engine.GaugeName = "vigor"
	gaugeFlex   engine.GaugeName = "flex"
	gaugeRounds engine.GaugeName = "rounds"
)

// The conditions.
const (
	condWound     engine.CondName = "wound" // Level: wounds from one attack
	condDead      engine.CondName = "dead"
	condOut       engine.CondName = "incapacitated"
	condShocked   engine.CondName = "shocked"
	condBleeding  engine.CondName = "bleeding"
	condSurprised engine.CondName = "surprised"
	condGuard     engine.CondName = "full_defence"
	condRaised    engine.CondName = "quick_aim"
	condAim       engine.CondName = "full_aim"
	condFired     engine.CondName = "fired" // of a weapon
)

// The modifiers that players choose.
const (
	modBurstHit    engine.ModName = "burst_to_hit"
	modBurstDamage engine.ModName = "burst_to_damage"
	modAutoHit     engine.ModName = "auto_to_hit"
	modAutoDamage  engine.ModName = "auto_to_damage"
	modVigor       engine.ModName = "pool_vigor"
	modFlex        engine.ModName = "pool_flex"
)

// The modifiers of target numbers, and what pools do.
const (
	modWounds     engine.ModName = "wounds"
	modPointBlank engine.ModName = "point_blank"
	modInRange    engine.ModName = "in_range"
	modBeyond     engine.ModName = "beyond_range"
	modCover      engine.ModName = "cover"
	modLight      engine.ModName = "poor_light"
	modRunning    engine.ModName = "running"
	modHeight     engine.ModName = "height"
	modProneNear  engine.ModName = "prone_near"
	modProneFar   engine.ModName = "prone_far"
	modInMelee    engine.ModName = "in_melee"
	modUnsighted  engine.ModName = "no_sight_aid"
	modLayers     engine.ModName = "layers"
	modHeavy      engine.ModName = "heavy_armour"
	modCap        engine.ModName = "cap"
	modRuling     engine.ModName = "ruling"
)

// The terms of tallies.
const (
	termWeapon   engine.ModName = "weapon_dice"
	termBonus    engine.ModName = "weapon_bonus"
	termSuperior engine.ModName = "superior_dice"
	termLost     engine.ModName = "lost_range"
	termDoubled  engine.ModName = "doubled"
	termArmour   engine.ModName = "armour"
	termHalved   engine.ModName = "halved"
	termDamage   engine.ModName = "damage_value"
)

// The outcomes.
const (
	outcomeDone    engine.OutcomeName = "done"
	outcomeVoid    engine.OutcomeName = "void"
	outcomeSkipped engine.OutcomeName = "skipped"
	outcomeDelayed engine.OutcomeName = "delayed"
	outcomeMissed  engine.OutcomeName = "missed"
	outcomeHeld    engine.OutcomeName = "held"
	outcomeHit     engine.OutcomeName = "hit"
	outcomeWounded engine.OutcomeName = "wounded"
	outcomeDowned  engine.OutcomeName = "downed"
	outcomeKilled  engine.OutcomeName = "killed"
	outcomeVictory engine.OutcomeName = "victory"
	outcomeDefeat  engine.OutcomeName = "defeat"
	outcomeDraw    engine.OutcomeName = "draw"
)

// The purposes of rolls.
const (
	whyInitiative engine.Purpose = "initiative"
	whyTie        engine.Purpose = "initiative_tie"
	whyAttack     engine.Purpose = "attack"
	whyDefence    engine.Purpose = "defence"
	whyBlind      engine.Purpose = "blind"
	whyDamage     engine.Purpose = "damage"
	whySuperior   engine.Purpose = "superior_damage"
	whyLost       engine.Purpose = "lost_damage"
	whyKnockdown  engine.Purpose = "knockdown"
	whyShock      engine.Purpose = "shock"
	whyStabilise  engine.Purpose = "stabilise"
)

// The questions of prompts.
const (
	askTurn      engine.AskName = "turn"
	askDefend    engine.AskName = "defend"
	askInterrupt engine.AskName = "interrupt"
	askBefore    engine.AskName = "pool_before"
	askAfter     engine.AskName = "pool_after"
	askEnd       engine.AskName = "confirm_end"
)

// The quantities.
const (
	figDamageValue engine.Quantity = "damage_value"
	figArmour      engine.Quantity = "armour"
	figDamage      engine.Quantity = "damage"
	figCover       engine.Quantity = "cover"
	figLight       engine.Quantity = "light"
	figDistance    engine.Quantity = "distance"
	figModifier    engine.Quantity = "modifier"
)

// The options.
const (
	optCrit    engine.OptionName = "crit_effect"
	optConfirm engine.OptionName = "end_confirm"
	optSky     engine.OptionName = "sky"

	wordDouble = "double_dv"
	wordAsk    = "ask"
)

// The slots and bodies.
const (
	slotMain    engine.SlotName = "main"
	slotCarried engine.SlotName = "carried"
	slotWorn    engine.SlotName = "worn"
	biomorph    engine.BodyName = "biomorph"
	bareHands                   = "unarmed" // the weapon of who holds none
)

// The steps of frames. They are written into stored battles: none is renamed or used for something else.
const (
	stepRound      engine.StepName = "round"
	stepEndAsked   engine.StepName = "end_asked"
	stepBegin      engine.StepName = "begin"
	stepNext       engine.StepName = "next"
	stepLate       engine.StepName = "late"
	stepEnd        engine.StepName = "end"
	stepAsk        engine.StepName = "ask"
	stepTaken      engine.StepName = "taken"
	stepDeclared   engine.StepName = "declared"
	stepPerform    engine.StepName = "perform"
	stepDefended   engine.StepName = "defended"
	stepPooled     engine.StepName = "pooled"
	stepSpentFirst engine.StepName = "spent_first"
	stepSpentLast  engine.StepName = "spent_last"
	stepResult     engine.StepName = "result"
	stepWindow     engine.StepName = "window"
)

// The variables of frames.
const (
	varComplex engine.VarName = "complex" // turn: complex actions used
	varQuick   engine.VarName = "quick"   // turn: quick actions used
	varMoved   engine.VarName = "moved"   // turn: blocks of the movement action plus 1; 0 none
	varRan     engine.VarName = "ran"     // turn: full move
	varStood   engine.VarName = "stood"   // turn: got up, so that the rate is halved
	varStarted engine.VarName = "started" // turn: an action was taken
	varSpent   engine.VarName = "spent"   // act: a pool point was spent on this test by the actor
	varIndex   engine.VarName = "index"   // window: answers already played
	varGoOn    engine.VarName = "go_on"   // root: the round in which the master wanted to go on
	varWaited  engine.VarName = "waited"  // act: others could act before it
	varRanged  engine.VarName = "ranged"  // act: it is a shot
)
