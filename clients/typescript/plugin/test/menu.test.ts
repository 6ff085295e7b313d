import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { pb } from "@autobattle/client";
import { BadFile, completed, type Draft, Names, odds, percent, personOf, promptPage, type Scene, say, stepPage, localeOf, withOdds, wrap } from "@autobattle/plugin";

const text = (en: string, ru: string) => ({ en, ru });
// A game system that nobody has ever seen.
const catalogue = create(pb.CatalogueSchema, {
  ruleset: "tea",
  acts: [
    { name: "pour", text: text("Pour", "Налить"), actClass: "attack", targets: pb.Needs.ONE, part: pb.Needs.MAYBE, about: pb.Needs.ONE, amount: pb.Needs.ONE },
    { name: "stroll", text: text("Stroll", "Гулять"), actClass: "move", path: pb.Needs.ONE },
    { name: "sip", text: text("Sip", "Глоток") },
  ],
  parts: [{ name: "cup", text: text("Cup", "Чашка") }, { name: "saucer", text: text("Saucer", "Блюдце") }],
  traits: [{ name: "green", text: text("Green", "Зелёный") }, { name: "black", text: text("Black", "Чёрный") }],
  mods: [{ name: "hot", text: text("Hot", "Горячо") }, { name: "sweet", text: text("Sweet", "Сладко") }],
  outcomes: [{ name: "full", text: text("full", "полно") }, { name: "spilt", text: text("spilt", "пролито") }],
});

const actor = (id: number): MessageInitShape<typeof pb.TargetSchema> => ({ target: { case: "ref", value: { kind: pb.RefKind.ACTOR, id } } });
const scene = (locale: "en" | "ru"): Scene => ({ names: new Names(catalogue, locale), refName: (r) => `${r.kind === pb.RefKind.ITEM ? "pot" : "guest"} ${r.id}` });

const choices = create(pb.ChoicesSchema, {
  prompt: { text: "Your turn", prompt: { id: 1, kind: pb.PromptKind.TURN } },
  offers: [
    { act: "sip", refusal: { message: "The cup is empty. Rule TEA-1." } },
    { act: "pour", targets: [actor(2), actor(3)], items: [{ items: [7] }], parts: ["cup", "saucer"], about: ["green", "black"], mods: [{ mods: ["hot", "sweet"], most: 1 }], amount: { min: 1, max: 3 } },
    { act: "stroll", region: [{ cell: { x: 1 }, cost: 256, from: -1 }] },
  ],
});

describe("a menu of a game system that nobody knows", () => {
  it("shows what is possible first, the rest in grey with the reason, in the player's language", () => {
    const page = promptPage(scene("en"), choices);
    expect(page.title).toBe("Your turn");
    expect(page.entries.map((e) => [e.item.icon, e.item.name])).toEqual([["act", "Pour (pot 7)"], ["move", "Stroll"], ["grey", "Sip"], ["ok", "Do nothing"]]);
    expect(page.entries[2]?.item.lore).toEqual(["The cup is empty. Rule TEA-1."]);
    expect(page.entries.map((e) => e.pick.kind)).toEqual(["draft", "walk", "nothing", "decline"]);
    expect(promptPage(scene("ru"), choices).entries[0]?.item).toMatchObject({ name: "Налить (pot 7)", lore: ["Правый щелчок: выбрать подробнее"] });
  });

  it("asks for what must be chosen; with a right click for all that may be", () => {
    const pick = promptPage(scene("en"), choices).entries[0]?.pick;
    if (pick?.kind !== "draft" || !pick.more) throw new Error("pour should be a draft with more to choose");
    expect(pick.draft.todo).toEqual(["target", "about", "amount"]);
    expect(pick.more.todo).toEqual(["target", "part", "about", "amount", "mods"]);
    expect(pick.draft.intent.items).toEqual([7]);
    expect(completed(pick.draft)).toMatchObject({ targets: [{ target: { value: { id: 2 } } }], about: "green", amount: 1, part: "" });
  });

  it("puts an intent together click by click", () => {
    const pick = promptPage(scene("en"), choices).entries[0]?.pick;
    if (pick?.kind !== "draft" || !pick.more) throw new Error("pour should be a draft with more to choose");
    let draft: Draft = pick.more;
    const titles: string[][] = [];
    for (const name of ["guest 3", "Saucer", "Black", "2", "Hot", "Sweet", "Done"]) {
      const page = stepPage(scene("en"), draft);
      titles.push(page?.entries.map((e) => e.item.name) ?? []);
      const next = page?.entries.find((e) => e.item.name === name)?.pick;
      if (next?.kind !== "draft") throw new Error(`no ${name} in ${titles.at(-1)?.join()}`);
      draft = next.draft;
    }
    expect(stepPage(scene("en"), draft)).toBeUndefined();
    expect(titles.slice(0, 6)).toEqual([
      ["guest 2", "guest 3", "Back"],
      ["None in particular", "Cup", "Saucer", "Back"],
      ["Green", "Black", "Back"],
      ["1", "2", "3", "Back"],
      ["Hot", "Sweet", "Done", "Back"],
      ["Hot ✔ chosen", "Sweet", "Done", "Back"],
    ]);
    expect(draft.intent).toMatchObject({ act: "pour", targets: [{ target: { value: { id: 3 } } }], items: [7], part: "saucer", about: "black", amount: 2, mods: ["sweet"] });
  });

  it("shows odds in the name and modifiers in the lore, and a refused forecast in grey", () => {
    const page = promptPage(scene("en"), choices);
    const forecast = create(pb.ForecastSchema, {
      outcomes: [{ outcome: "spilt", chancePpm: 250_000 }, { outcome: "full", chancePpm: 400_000, grade: "a" }, { outcome: "full", chancePpm: 350_000, grade: "b" }],
      rolls: [{ by: 2, base: { trait: "green", level: 3 }, mods: [{ name: "hot", kind: pb.ModKind.PERCENT, amount: -25 }, { name: "sweet", amount: 1, voided: true }] }],
    });
    const [pour] = withOdds(scene("en"), page, [forecast]).entries;
    expect(pour?.item.name).toBe("Pour (pot 7) · full 75% · spilt 25%");
    expect(pour?.item.lore.slice(0, 3)).toEqual(["guest 2: Green 3", "  −25% Hot", "  (+1 Sweet)"]);
    const refused = create(pb.ForecastSchema, { refusal: { message: "Too far away." } });
    expect(withOdds(scene("en"), page, [refused]).entries[0]?.item).toEqual({ icon: "grey", name: "Pour (pot 7)", lore: ["Too far away."] });
  });

  it("counts the lanes of several targets as one", () => {
    const f = create(pb.ForecastSchema, { outcomes: [{ lane: 0, outcome: "full", chancePpm: 1_000_000 }, { lane: 1, outcome: "spilt", chancePpm: 1_000_000 }] });
    expect(odds(new Names(catalogue, "en"), f)).toBe("full 50% · spilt 50%");
  });
});

describe("words", () => {
  it("are chosen by the client's language", () => {
    expect(["ru_ru", "ru", "RU-ru", "en_us", "", "rum"].map(localeOf)).toEqual(["ru", "ru", "ru", "en", "en", "en"]);
    expect(say("ru", "round", 3)).toBe("Раунд 3");
    expect(say("en", "tooLarge", 5, 4)).toBe("The fighters are too far apart: the arena would have 5 blocks, and the server takes 4.");
  });

  it("round chances without hiding the small ones", () => {
    expect([0, 1, 4_999, 5_000, 415_638, 995_001, 1_000_000].map(percent)).toEqual(["0%", "<1%", "<1%", "1%", "42%", ">99%", "100%"]);
  });

  it("are broken into lines", () => {
    expect(wrap("one two three four", 9)).toEqual(["one two", "three", "four"]);
    expect(wrap("")).toEqual([]);
  });
});

describe("a character file", () => {
  it("is read", () => {
    const p = personOf("anna.yaml", "name: Anna\ngender: feminine\ntraits: {reaction: 4}\ngauges: {will: 2}\nitems: [sword, {ref: bow, slot: bag}]", "anna");
    expect(p).toEqual({ name: "Anna", grammar: pb.Gender.FEMININE, sheet: { body: "", traits: [{ name: "reaction", level: 4 }], gauges: [{ name: "will", now: 2n }], items: [{ ref: "sword", slot: "" }, { ref: "bow", slot: "bag" }] } });
  });

  it.each([
    ["beard: long", "has a field beard, and may have only name, gender, body, traits, items, gauges"],
    ["traits: {reaction: high}", "must give traits.reaction as a whole number"],
    ["traits: 4", "must give traits as names with whole numbers"],
    ["gender: brave", "has a gender that is none of masculine, feminine, neuter, plural"],
    ["items: sword", "must give items as a list"],
    ["items: [{slot: main}]", "must give each item as a name, or as {ref, slot}"],
    ["- 1", "must be a list of fields: name, gender, body, traits, items, gauges"],
    ["a: [", "is no YAML"],
  ])("%s is refused", (yaml, why) => {
    expect(() => personOf("x.yaml", yaml, "x")).toThrow(BadFile);
    expect(() => personOf("x.yaml", yaml, "x")).toThrow(`The character file x.yaml ${why}`);
  });
});
