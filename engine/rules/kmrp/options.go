package kmrp

import "autobattle/engine"

// The options that this ruleset reads. Those of the catalogue are its readings of Part 5; the others are made here.
const (
	optTie         engine.OptionName = "tie"
	optNegative    engine.OptionName = "negative_damage"
	optBlockDiff   engine.OptionName = "block_difference"
	optMeleeFloor  engine.OptionName = "melee_floor"
	optDeathCheck  engine.OptionName = "death_check_difficulty"
	optDeathRoll   engine.OptionName = "death_check_roll"
	optEffect      engine.OptionName = "effect_degree"
	optInitTie     engine.OptionName = "init_tie"
	optSkipDefence engine.OptionName = "skip_allows_defence"
	optStrict      engine.OptionName = "strict_positioning"
	optFreePlus    engine.OptionName = "free_plus_gait"
	optGround      engine.OptionName = "difficult_ground"
	optMetric      engine.OptionName = "path_metric"
	optConcDefence engine.OptionName = "conc_defence"
	optBackRanged  engine.OptionName = "back_ranged"
	optReach       engine.OptionName = "reach_model"
	optClose       engine.OptionName = "close_distance"
	optCounter     engine.OptionName = "counter_undefended"
	optRedirect    engine.OptionName = "redirect_chance"
	optReveal      engine.OptionName = "reveal_until"
	optCoverStack  engine.OptionName = "cover_stack"
	optOverflow    engine.OptionName = "table_overflow"

	optEndConfirm   engine.OptionName = "end_confirm"
	optDeathConfirm engine.OptionName = "death_confirm"
	optWillKeep     engine.OptionName = "will_reroll_keep"
	optWillStart    engine.OptionName = "will_initiative"
	optSky          engine.OptionName = "sky_light"
)

// The words of options.
const (
	wordAsk  = "ask"
	wordAuto = "auto"
	wordYes  = "yes"
	wordNo   = "no"
)

// optTraining is read by the server: a training battle gives nothing back to its characters (KM-ENC-03).
const optTraining engine.OptionName = "training"

// read are the catalogue's options that rules here ask for, or the server. What nobody asks for is no option of a battle.
var read = [...]engine.OptionName{
	optTraining,
	optTie, optNegative, optBlockDiff, optMeleeFloor, optDeathCheck, optDeathRoll, optEffect, optInitTie, optSkipDefence, optStrict, optFreePlus,
	optGround, optMetric, optConcDefence, optBackRanged, optReach, optClose, optCounter, optRedirect, optReveal, optCoverStack, optOverflow,
}

// ownOptions are the options that the catalogue has not.
func ownOptions() []engine.OptionSpec {
	return []engine.OptionSpec{
		{Name: optDeathConfirm, Rule: "KM-WND-12", Words: []string{wordAsk, wordAuto}, Default: engine.Option{Name: optDeathConfirm, Word: wordAsk},
			Text: engine.Text{En: "The master confirms every death", Ru: "Мастер подтверждает каждую смерть"}},
		{Name: optEndConfirm, Rule: "KM-ENC-02", Words: []string{wordAsk, wordAuto}, Default: engine.Option{Name: optEndConfirm, Word: wordAuto},
			Text: engine.Text{En: "When one side is empty the master is asked, or the battle ends", Ru: "Когда одна сторона выбыла: спросить мастера или закончить бой"}},
		{Name: optSky, Rule: "KM-DARK-01", Min: 0, Max: 15, Default: engine.Option{Name: optSky, N: 15},
			Text: engine.Text{En: "Light of the sky, 15 at noon, 4 under the moon", Ru: "Свет неба: 15 в полдень, 4 при луне"}},
		{Name: optWillStart, Rule: "KM-WILL-07", Words: []string{wordAsk, wordNo}, Default: engine.Option{Name: optWillStart, Word: wordNo},
			Text: engine.Text{En: "Will points may be spent on the initiative roll", Ru: "Очки воли можно тратить на бросок инициативы"}},
		{Name: optWillKeep, Rule: "KM-WILL-02", Words: []string{"new", "best"}, Default: engine.Option{Name: optWillKeep, Word: "new"},
			Text: engine.Text{En: "After a re-roll the new throw counts, or the better", Ru: "После переброса засчитывается новый бросок или лучший"}},
	}
}
