/** Locale is a language of the battle server's texts. */
export type Locale = "en" | "ru";

/** localeOf is the nearest language that the server speaks, of a client's own word for it, such as ru_ru. */
export function localeOf(word: string): Locale {
  return /^ru([_-]|$)/i.test(word) ? "ru" : "en";
}

const en = {
  back: "Back",
  nextPage: "More…",
  decline: "Do nothing",
  noneOfThem: "None in particular",
  done: "Done",
  stopHere: "Stop here",
  cancel: "Go back and choose something else",
  more: "Right click: choose more",
  chosen: "chosen",
  notNow: "Not possible",
  walk: "Walk to where you want to be, then type /ab. The marked blocks are in reach.",
  tooFar: "That is out of reach.",
  setBack: "You are set back.",
  away: "The battle server is away. The battle waits.",
  isBack: "The battle server is back.",
  failed: "The battle cannot be followed: {0}",
  noPrompt: "Nobody waits for you now.",
  round: "Round {0}",
  seconds: "{0} s",
  help: "/ab — the menu · /ab start [name… | name…] · /ab watch [id] · /ab leave · /ab list · /ab rule ID · /ab lang en|ru",
  helpMaster: "/ab gm pause | resume | rewind N why | override WHAT NUMBER [who [whom]] why | delegate NAME [back] | say TEXT | remove NAME | end",
  noBattle: "You are in no battle.",
  busy: "{0} is in a battle already.",
  notHere: "{0} is not here.",
  needTwo: "A battle needs at least two fighters: nobody else is near.",
  unknownCommand: "No such command: {0}. Try /ab help.",
  notMaster: "Only a game master may do that.",
  started: "The battle {0} has begun.",
  battles: "Battles: {0}",
  none: "none",
  watching: "You watch the battle {0}. /ab leave ends it.",
  left: "You watch no longer.",
  over: "The battle is over.",
  tooLarge: "The fighters are too far apart: the arena would have {0} blocks, and the server takes {1}.",
  badItem: "The items table names {0}, which {1} does not know: ask the server's operator.",
  language: "English it is.",
  turnOf: "the turn of {0}",
} as const;

/** Word is one of the plugin's own phrases. Everything about a battle comes from the server. */
export type Word = keyof typeof en;

const ru: Record<Word, string> = {
  back: "Назад",
  nextPage: "Ещё…",
  decline: "Ничего не делать",
  noneOfThem: "Всё равно",
  done: "Готово",
  stopHere: "Остановиться здесь",
  cancel: "Вернуться и выбрать другое",
  more: "Правый щелчок: выбрать подробнее",
  chosen: "выбрано",
  notNow: "Невозможно",
  walk: "Дойдите до нужного места и наберите /ab. Отмеченные блоки в досягаемости.",
  tooFar: "Туда не дойти.",
  setBack: "Вас вернули на место.",
  away: "Сервер боёв недоступен. Бой ждёт.",
  isBack: "Сервер боёв снова доступен.",
  failed: "За боем не проследить: {0}",
  noPrompt: "Сейчас вас никто не ждёт.",
  round: "Раунд {0}",
  seconds: "{0} с",
  help: "/ab — меню · /ab start [имя… | имя…] · /ab watch [бой] · /ab leave · /ab list · /ab rule ПРАВИЛО · /ab lang en|ru",
  helpMaster: "/ab gm pause | resume | rewind N почему | override ЧТО ЧИСЛО [кто [кого]] почему | delegate ИМЯ [back] | say СЛОВА | remove ИМЯ | end",
  noBattle: "Вы не в бою.",
  busy: "{0} уже в бою.",
  notHere: "{0} не здесь.",
  needTwo: "Для боя нужны хотя бы двое: рядом никого нет.",
  unknownCommand: "Нет такой команды: {0}. Попробуйте /ab help.",
  notMaster: "Это может только мастер.",
  started: "Бой {0} начался.",
  battles: "Бои: {0}",
  none: "нет",
  watching: "Вы смотрите бой {0}. /ab leave — уйти.",
  left: "Вы больше не смотрите.",
  over: "Бой окончен.",
  tooLarge: "Бойцы слишком далеко друг от друга: арена заняла бы {0} блоков, а сервер берёт {1}.",
  badItem: "В таблице предметов есть {0}, а {1} его не знает: скажите владельцу сервера.",
  language: "Теперь по-русски.",
  turnOf: "ход: {0}",
};

/** say is a phrase in a language, with its places filled. */
export function say(locale: Locale, word: Word, ...values: (string | number)[]): string {
  return (locale === "ru" ? ru : en)[word].replace(/\{(\d)\}/g, (_, i: string) => String(values[Number(i)] ?? ""));
}
