package kmrp

import (
	"slices"
	"strings"

	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
)

// newSpec is the vocabulary: the catalogue's names and those that rules use.
func newSpec(c *catalogue.Catalogue) *engine.Spec {
	n := c.Names()
	s := &engine.Spec{
		ID: ID, Revision: Revision, Hash: n.Hash, Name: text("KMRP", "КМРП"),
		Acts: slices.Clone(actSpecs[:]), Conds: slices.Clone(condSpecs[:]), Figures: slices.Clone(figureSpecs[:]),
		Mods: names(modTexts[:]), Outcomes: names(outcomeTexts[:]), Purposes: names(purposeTexts[:]), Asks: names(askTexts[:]),
		Grades: names(gradeTexts[:]), Gauges: slices.Clone(gaugeSpecs[:]),
		Traits: n.Traits, Items: n.Items, Parts: n.Parts, Slots: n.Slots, Bands: n.Bands, Bodies: n.Bodies,
		Levels: n.Levels, Rules: append(n.Rules, engineRules[:]...), Depth: 2,
	}
	for d := catalogue.Scratch; int(d) <= catalogue.Degrees; d++ {
		row := c.Wound(d)
		s.Grades = append(s.Grades, engine.NameSpec{Name: row.Ref, Text: row.Text})
	}
	for _, o := range slices.Concat(engine.BaseOptions(), n.Options, ownOptions()) {
		if s.Option(o.Name) == nil && (!slices.ContainsFunc(n.Options, func(c engine.OptionSpec) bool { return c.Name == o.Name }) || slices.Contains(read[:], o.Name)) {
			s.Options = append(s.Options, o)
		}
	}
	slices.SortFunc(s.Acts, func(a, b engine.ActSpec) int { return strings.Compare(string(a.Name), string(b.Name)) })
	slices.SortFunc(s.Conds, func(a, b engine.CondSpec) int { return strings.Compare(string(a.Name), string(b.Name)) })
	slices.SortFunc(s.Gauges, func(a, b engine.GaugeSpec) int { return strings.Compare(string(a.Name), string(b.Name)) })
	slices.SortFunc(s.Figures, func(a, b engine.FigureSpec) int { return strings.Compare(string(a.Name), string(b.Name)) })
	slices.SortFunc(s.Options, func(a, b engine.OptionSpec) int { return strings.Compare(string(a.Name), string(b.Name)) })
	slices.SortFunc(s.Rules, func(a, b engine.RuleSpec) int { return strings.Compare(string(a.ID), string(b.ID)) })
	for _, t := range [][]engine.NameSpec{s.Mods, s.Outcomes, s.Purposes, s.Asks, s.Grades} {
		slices.SortFunc(t, func(a, b engine.NameSpec) int { return strings.Compare(a.Name, b.Name) })
	}
	return s
}

func text(en, ru string) engine.Text { return engine.Text{En: en, Ru: ru} }

// named is a typed name with its texts.
type named[T ~string] struct {
	name   T
	en, ru string
}

func names[T ~string](list []named[T]) []engine.NameSpec {
	out := make([]engine.NameSpec, len(list))
	for i, n := range list {
		out[i] = engine.NameSpec{Name: string(n.name), Text: text(n.en, n.ru)}
	}
	return out
}

const (
	none  = engine.NeedsNone
	maybe = engine.NeedsMaybe
	one   = engine.NeedsOne
)

var actSpecs = [...]engine.ActSpec{
	{Name: actAttack, Text: text("Attack", "Атака"), Class: actAttack, Rule: "KM-ATK-BASE-01", Targets: one, Items: maybe, Look: maybe, Ends: true},
	{Name: actFreeMove, Text: text("Free movement", "Свободное передвижение"), Class: classMove, Rule: "KM-MOVE-02", Path: one, Look: maybe},
	{Name: actRunUp, Text: text("Run-up", "Разбег"), Class: classMove, Rule: "KM-MOVE-03"},
	{Name: actRun, Text: text("Run", "Бег"), Class: classMove, Rule: "KM-MOVE-04"},
	{Name: actCrouched, Text: text("Crouched gait", "Гуськом"), Class: classMove, Rule: "KM-MOVE-09"},
	{Name: actCrawl, Text: text("Crawl", "Ползком"), Class: classMove, Rule: "KM-MOVE-11"},
	{Name: actWalk, Text: text("Go there", "Пройти"), Class: classMove, Rule: "KM-MOVE-05", Path: one, Look: maybe},
	{Name: actCrouch, Text: text("Crouch", "Присесть"), Class: classMove, Rule: "KM-MOVE-08"},
	{Name: actStand, Text: text("Stand up from a crouch", "Выпрямиться"), Class: classMove, Rule: "KM-MOVE-08"},
	{Name: actLieDown, Text: text("Lie down", "Лечь"), Class: classMove, Rule: "KM-MOVE-10", Ends: true},
	{Name: actGetUp, Text: text("Get up", "Встать"), Class: classMove, Rule: "KM-MOVE-10", Ends: true},
	{Name: actLook, Text: text("Look", "Повернуться"), Class: classMove, Rule: "KM-POS-02", Look: one},
	{Name: actConcentrate, Text: text("Concentrate", "Концентрация"), Class: classRest, Rule: "KM-CONC-01", About: one, Ends: true},
	{Name: actDraw, Text: text("Draw", "Достать"), Class: classGear, Rule: "KM-WPN-02", Items: one},
	{Name: actSwap, Text: text("Swap weapons", "Сменить оружие"), Class: classGear, Rule: "KM-WPN-01", Items: engine.NeedsSome, Ends: true},
	{Name: actSheathe, Text: text("Put away", "Убрать"), Class: classGear, Rule: "KM-WPN-07", Items: one, Ends: true},
	{Name: actDrop, Text: text("Drop", "Бросить на землю"), Class: classGear, Rule: "KM-WPN-07", Items: one},
	{Name: actReload, Text: text("Reload", "Перезарядка"), Class: classGear, Rule: "KM-RELD-01", Items: one, Ends: true},
	{Name: actPutOn, Text: text("Put on armour", "Надеть броню"), Class: classGear, Rule: "KM-ARM-09", Items: engine.NeedsSome, Ends: true},
	{Name: actTakeOff, Text: text("Take off armour", "Снять броню"), Class: classGear, Rule: "KM-ARM-09", Items: engine.NeedsSome, Ends: true},
	{Name: actDelay, Text: text("Delay", "Отложить действие"), Class: classRest, Rule: "KM-DELAY-01", Amount: one},
	{Name: actPass, Text: text("Pass", "Пропустить"), Class: classRest, Rule: "KM-TURN-02", Ends: true},

	{Name: actEvade, Text: text("Evade", "Уклонение"), Class: classDefend, Rule: "KM-DEF-DODGE-01"},
	{Name: actParry, Text: text("Parry", "Парирование"), Class: classDefend, Rule: "KM-DEF-PARRY-01"},
	{Name: actBlock, Text: text("Block", "Блокирование"), Class: classDefend, Rule: "KM-DEF-BLOCK-01"},
	{Name: actGroup, Text: text("Group", "Группировка"), Class: classDefend, Rule: "KM-DEF-GROUP-01"},
	{Name: actFight, Text: text("Hand-to-hand", "Рукопашный бой"), Class: classDefend, Rule: "KM-DEF-HTH-01"},
	{Name: actNone, Text: text("No defence", "Без защиты"), Class: classDefend, Rule: "KM-DEF-GEN-03"},

	{Name: actRiposte, Text: text("Riposte", "Рипост"), Class: classRest, Rule: "KM-RIP-01"},

	{Name: actReroll, Text: text("Roll again for a Will point", "Переброс за очко воли"), Class: classSpend, Rule: "KM-WILL-02"},
	{Name: actRaise, Text: text("Raise by one for a Will point", "+1 за очко воли"), Class: classSpend, Rule: "KM-WILL-03"},
	{Name: actLower, Text: text("Lower the wound for a Will point", "Снизить рану за очко воли"), Class: classSpend, Rule: "KM-WILL-04"},

	{Name: actConfirm, Text: text("Confirm", "Подтвердить"), Class: classRule, Rule: "KM-WND-12"},
	{Name: actSpare, Text: text("Let live", "Оставить в живых"), Class: classRule, Rule: "KM-WND-12"},
	{Name: actGoOn, Text: text("Go on", "Продолжить бой"), Class: classRule, Rule: "KM-ENC-02"},

	{Name: actShot, Text: text("Shot", "Выстрел"), Class: actAttack, Rule: "KM-DEF-GEN-02"},
	{Name: actClose, Text: text("Close shot", "Выстрел вблизи"), Class: actAttack, Rule: "KM-RNG-CLOSE-01"},
	{Name: actBlow, Text: text("Blow", "Удар"), Class: actAttack, Rule: "KM-DEF-GEN-02"},
	{Name: actFists, Text: text("Unarmed blow", "Удар без оружия"), Class: actAttack, Rule: "KM-HTH-01"},
	{Name: actWound, Text: text("Wound", "Ранение"), Class: actAttack, Rule: "KM-WND-08"},

	{Name: classMove, Text: text("Movement", "Передвижение"), Class: classMove, Rule: "KM-MOVE-01"},
	{Name: classGear, Text: text("Handling things", "Действия с предметами"), Class: classGear, Rule: "KM-WPN-01"},
	{Name: classDefend, Text: text("Defence", "Защита"), Class: classDefend, Rule: "KM-DEF-GEN-01"},
	{Name: classSpend, Text: text("Spending points", "Трата очков"), Class: classSpend, Rule: "KM-WILL-07"},
	{Name: classRule, Text: text("The master's word", "Решение мастера"), Class: classRule, Rule: "KM-ENC-02"},
	{Name: classRest, Text: text("Waiting", "Выжидание"), Class: classRest, Rule: "KM-TURN-02"},
}

var gaugeSpecs = [...]engine.GaugeSpec{
	{Name: gaugeWill, Text: text("Will points", "Очки воли"), Scale: 1, Kept: true},
	{Name: gaugeDefences, Text: text("Defences this round", "Защит за раунд"), Scale: 1},
	{Name: gaugeSkip, Text: text("Turns to skip", "Пропуск ходов"), Scale: 1},
	{Name: gaugeRounds, Text: text("Rounds", "Патроны"), Scale: 1, Kept: true},
	{Name: gaugeSlots[1], Text: text("Free slots: scratches", "Свободно: царапины"), Scale: 1},
	{Name: gaugeSlots[2], Text: text("Free slots: light wounds", "Свободно: лёгкие раны"), Scale: 1},
	{Name: gaugeSlots[3], Text: text("Free slots: heavy wounds", "Свободно: тяжёлые раны"), Scale: 1},
	{Name: gaugeSlots[4], Text: text("Free slots: critical wound", "Свободно: критическая рана"), Scale: 1},
	{Name: gaugeSlots[5], Text: text("Free slots: deadly wound", "Свободно: смертельная рана"), Scale: 1},
}

// degreeTexts are what the level of a wound means.
var degreeTexts = [...]engine.Text{
	{En: "none", Ru: "нет"}, {En: "scratch", Ru: "царапина"}, {En: "light wound", Ru: "лёгкая рана"}, {En: "heavy wound", Ru: "тяжёлая рана"},
	{En: "critical wound", Ru: "критическая рана"}, {En: "deadly wound", Ru: "смертельная рана"},
}

var condSpecs = [...]engine.CondSpec{
	{Name: condWound, Text: text("Wound", "Рана"), Levels: degreeTexts[:]},
	{Name: condWoundStun, Text: text("Stun wound", "Рана оглушением"), Levels: degreeTexts[:]},
	{Name: condWoundMental, Text: text("Mental wound", "Психическая рана"), Levels: degreeTexts[:]},
	{Name: condBleeding, Text: text("Bleeding", "Кровотечение"), Levels: []engine.Text{
		text("none", "нет"), text("weak", "слабое"), text("strong", "сильное"), text("critical", "критическое")}},
	{Name: condExcluded, Text: text("Out of the battle", "Выбыл из боя"), Unique: engine.PerBearer, Levels: []engine.Text{
		text("by a wound", "из-за раны"), text("dead", "мёртв")}},
	{Name: condDead, Text: text("Dead", "Мёртв"), Unique: engine.PerBearer},
	{Name: condConcentration, Text: text("Concentration", "Концентрация"), Unique: engine.PerBearer, Good: true},
	{Name: condRun, Text: text("Run phase", "Стадия бега"), Unique: engine.PerBearer, Good: true, Levels: []engine.Text{
		text("none", "нет"), text("run-up", "разбег"), text("running", "бег")}},
	{Name: condDrawn, Text: text("Drawn this turn", "Извлечено в этот ход"), Unique: engine.PerBearer},
	{Name: condDelayed, Text: text("Has delayed", "Откладывал действие"), Unique: engine.PerBearer},
	{Name: condRevealed, Text: text("Gave himself away", "Выдал себя"), Unique: engine.PerBearer},
	{Name: condShadeLost, Text: text("Lit up", "Подсвечен"), Unique: engine.PerBearer},
	{Name: condNightVision, Text: text("Sees in the dark", "Видит в темноте"), Unique: engine.PerBearer, Good: true},
	{Name: condAdvantage, Text: text("Advantage", "Преимущество"), Unique: engine.PerAbout, Good: true},
	{Name: condHindrance, Text: text("Hindrance", "Помеха"), Unique: engine.PerAbout},
	{Name: condHostile, Text: text("Hostile", "Враждебен"), Unique: engine.PerPair},
	{Name: condAllied, Text: text("Allied", "Союзник"), Unique: engine.PerPair, Good: true},
	{Name: condDarkness, Text: text("Darkness", "Темнота"), Levels: []engine.Text{
		text("normal light", "обычный свет"), text("heavy shade", "сильная затемнённость"), text("absolute darkness", "абсолютная темнота")}},
	{Name: condRiposte, Text: text("Riposte", "Рипост"), Unique: engine.PerPair, Good: true},
	{Name: condFreeze, Text: text("Time freeze", "Временной парадокс")},
	{Name: condMayPass, Text: text("May cross the border of the time freeze", "Может пересечь границу временного парадокса"), Good: true},
}

var figureSpecs = [...]engine.FigureSpec{
	{Name: figDamage, Text: text("Damage", "Урон")},
	{Name: figBleeding, Text: text("Bleeding", "Кровотечение")},
	{Name: figAllowance, Text: text("Movement points", "Очки перемещения")},
	{Name: figDifficulty, Text: text("Hit difficulty", "Сложность попадания"), Ruled: true, Min: -3, Max: 20, Unit: "level"},
	{Name: figCover, Text: text("Cover", "Укрытие"), Ruled: true, Min: 0, Max: 2, Unit: "0 none, 1 cover, 2 full"},
	{Name: figLight, Text: text("Darkness", "Затемнённость"), Ruled: true, Min: 0, Max: 2, Unit: "0 light, 1 heavy shade, 2 absolute darkness"},
	{Name: figDistance, Text: text("Distance", "Расстояние"), Ruled: true, Min: 0, Max: 10000, Unit: "blocks"},
	{Name: figSector, Text: text("Side of the target", "Сторона цели"), Ruled: true, Min: 1, Max: 3, Unit: "1 front, 2 flank, 3 rear"},
	{Name: figModifier, Text: text("Level modifier", "Модификатор уровня"), Ruled: true, Min: -20, Max: 20, Unit: "level"},
	{Name: figPercent, Text: text("Percent modifier", "Процентный модификатор"), Ruled: true, Min: -1000, Max: 1000, Unit: "percent"},
	{Name: figConsent, Text: text("Consent to attack who is out", "Согласие на атаку выбывшего"), Ruled: true, Min: 0, Max: 1, Unit: "0 no, 1 yes"},
}

var modTexts = [...]named[engine.ModName]{
	{modTakeWorse, "Take the worse roll", "Взять худший бросок"},
	{modFace, "Turn to the attacker", "Повернуться к атакующему"},
	{modScratch, "Scratch", "Царапина"},
	{modLight, "Light wound", "Лёгкая рана"},
	{modHeavy, "Heavy wound", "Тяжёлая рана"},
	{modCritical, "Critical wound", "Критическая рана"},
	{modDeadly, "Deadly wound", "Смертельная рана"},
	{modWholeHundreds, "Whole hundreds of percent", "Целые сотни процентов"},
	{modConcentration, "Concentration", "Концентрация"},
	{modArmourClass, "Armour class", "Класс брони"},
	{modArmourHeavy, "Armour too heavy", "Броня не по силе"},
	{modShieldHeavy, "Shield too heavy", "Щит не по силе"},
	{modWeaponHeavy, "Weapon too heavy", "Оружие не по силе"},
	{modOneHand, "Two-handed weapon in one hand", "Двуручное в одной руке"},
	{modManyDefences, "Many defences", "Множественная защита"},
	{modProne, "Lying", "Лёжа"},
	{modProneNear, "Lying, shot at from near", "Лёжа, стреляют вблизи"},
	{modShorter, "Much shorter weapon", "Значительно более короткое оружие"},
	{modShade, "Heavy shade", "Сильная затемнённость"},
	{modAfterRun, "Shot after running", "Стрельба после бега"},
	{modRunningTarget, "Running target", "Бегущая цель"},
	{modClose, "Close shooting, hindered", "Стрельба вблизи, помеха"},
	{modPointBlank, "Point blank", "Стрельба в упор"},
	{modRecoil, "Recoil", "Отдача"},
	{modRiposte, "Riposte", "Рипост"},
	{modWill, "Will point", "Очко воли"},
	{modReroll, "Re-roll for a Will point", "Переброс за очко воли"},
	{modRuling, "The master's ruling", "Решение мастера"},
	{termAttack, "Attack", "Атака"},
	{termOpposing, "Defence or hit difficulty", "Защита или сложность попадания"},
	{termWeapon, "Weapon", "Оружие"},
	{termOneHand, "Used in one hand", "Одной рукой"},
	{termDropOff, "Loss of energy", "Излёт"},
	{termAmmo, "Ammunition", "Боеприпас"},
	{termLash, "Unarmoured target", "Цель без брони"},
	{termBackStab, "From behind", "В спину"},
	{termArmour, "Armour", "Броня"},
	{termShield, "Shield", "Щит"},
	{termGrouping, "Grouping", "Группировка"},
	{termDistance, "Distance", "Дистанция"},
	{termCover, "Cover", "Укрытие"},
	{termShade, "Cover of darkness", "Укрытие темнотой"},
	{termProneFar, "Lying far away", "Лежит далеко"},
	{termBudget, "Movement roll", "Бросок передвижения"},
}

var outcomeTexts = [...]named[engine.OutcomeName]{
	{outcomeDone, "done", "сделано"},
	{outcomeMissed, "missed", "промах"},
	{outcomeEvaded, "evaded", "уклонился"},
	{outcomeParried, "parried", "парировал"},
	{outcomeFended, "fended off", "отбил"},
	{outcomeBlocked, "blocked", "заблокировал"},
	{outcomeGrouped, "grouped", "сгруппировался"},
	{outcomeHit, "hit", "попадание"},
	{outcomeNoWound, "no wound", "без раны"},
	{outcomeWounded, "wounded", "ранен"},
	{outcomeSoftened, "wound softened", "рана смягчена"},
	{outcomeDead, "dead", "мёртв"},
	{outcomeVoid, "came to nothing", "не состоялось"},
	{outcomeSkipped, "skipped", "пропущен"},
	{outcomeDelayed, "delayed", "отложен"},
	{outcomeVictory, "victory", "победа"},
	{outcomeDefeat, "defeat", "поражение"},
	{outcomeDraw, "draw", "ничья"},
	{engine.OutcomeEnded, "ended", "окончено"},
}

var gradeTexts = [...]named[engine.GradeName]{
	{gradeCriticalSuccess, "critical success", "критический успех"},
	{gradeCriticalFailure, "critical failure", "критическая неудача"},
}

var purposeTexts = [...]named[engine.Purpose]{
	{whyInitiative, "Initiative", "Инициатива"},
	{whyTie, "Equal initiative", "Равная инициатива"},
	{whyMove, "Movement", "Передвижение"},
	{whyAttack, "Attack", "Атака"},
	{whyDefence, "Defence", "Защита"},
	{whyEndurance, "Endurance", "Выносливость"},
	{whyRedirect, "Redirected blow", "Перенаправление атаки"},
	{whySegment, "Struck segment", "Поражённый сегмент"},
	{whyReload, "Drawing the bow", "Взведение"},
}

var askTexts = [...]named[engine.AskName]{
	{askTurn, "Your turn", "Ваш ход"},
	{askMove, "Walk, or act", "Передвижение или действие"},
	{askDefend, "You are attacked", "Вас атакуют"},
	{askRoll, "Spend Will on this roll?", "Потратить волю на бросок?"},
	{askWound, "Spend Will on this wound?", "Потратить волю на рану?"},
	{askRiposte, "Riposte?", "Рипост?"},
	{askDeath, "Does he die?", "Умирает ли он?"},
	{askEnd, "Is the battle over?", "Бой окончен?"},
}

// engineRules are the rules of the engine itself, for refusals and facts that the rulebook does not name.
var engineRules = [...]engine.RuleSpec{
	{ID: engine.RuleOpen, Text: text("Creating a battle", "Создание боя")},
	{ID: engine.RuleJoin, Text: text("Joining a battle", "Вступление в бой")},
	{ID: engine.RuleStart, Text: text("Starting a battle", "Начало боя")},
	{ID: engine.RulePrompt, Text: text("Questions and answers", "Вопросы и ответы")},
	{ID: engine.RuleTime, Text: text("Deadlines", "Ограничение времени")},
	{ID: engine.RuleMaster, Text: text("The master's word", "Слово мастера")},
	{ID: engine.RuleBlocks, Text: text("Changes of blocks", "Изменение блоков")},
	{ID: engine.RuleExpiry, Text: text("Lifetimes", "Сроки действия")},
	{ID: engine.RuleRewind, Text: text("Undoing", "Отмена")},
	{ID: engine.RuleEnd, Text: text("The end", "Конец боя")},
	{ID: engine.RuleEntropy, Text: text("Fair dice", "Честные кости")},
	{ID: engine.RulePose, Text: text("Observed poses", "Наблюдаемые позы")},
}
