import { create } from "@bufbuild/protobuf";
import { pb } from "@autobattle/client";
import type { Icon, MenuItem } from "./host.js";
import { type Names, odds } from "./names.js";
import { say } from "./words.js";

/** Draft is an intent that is being put together from an offer. */
export interface Draft {
  readonly offer: pb.Offer;
  readonly intent: pb.Intent;
  /** todo are the choices that the player has still to make. */
  readonly todo: readonly Step[];
}

/** Step is one choice within an offer. */
export type Step = "target" | "items" | "part" | "about" | "mods" | "amount";

/** Pick is what a click on an entry means. */
export type Pick =
  | { kind: "draft"; draft: Draft; more?: Draft }
  | { kind: "walk"; offer: pb.Offer }
  | { kind: "decline" }
  | { kind: "back" }
  | { kind: "stop" }
  | { kind: "cancel" }
  | { kind: "nothing" };

/** Entry is one item of a page with what it means. */
export interface Entry {
  readonly item: MenuItem;
  readonly pick: Pick;
  /** forecast is the intent whose odds belong into the item; none: it has no odds. */
  readonly forecast?: pb.Intent;
}

/** Page is a menu with what its items mean. */
export interface Page {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Scene is what texts of a menu need besides the catalogue: who is who. */
export interface Scene {
  readonly names: Names;
  /** refName is the name of a thing of the battle. */
  refName(ref: pb.Ref): string;
}

/** promptPage is the menu of a prompt: every offer, those not possible now in grey with the reason. */
export function promptPage(s: Scene, choices: pb.Choices): Page {
  const prompt = choices.prompt?.prompt;
  const defends = prompt?.kind !== undefined && prompt.kind !== pb.PromptKind.TURN;
  const free = choices.offers.filter((o) => !o.refusal);
  const grey = choices.offers.filter((o) => o.refusal);
  const entries = [...free, ...grey].map((o) => offerEntry(s, o, defends));
  if (prompt && !prompt.must) {
    entries.push({ item: { icon: "ok", name: say(s.names.locale, "decline"), lore: [] }, pick: { kind: "decline" } });
  }
  return { title: choices.prompt?.text || s.names.of("asks", prompt?.ask ?? ""), entries };
}

function offerEntry(s: Scene, o: pb.Offer, defends: boolean): Entry {
  const name = offerName(s, o);
  if (o.refusal) {
    return { item: { icon: "grey", name, lore: wrap(o.refusal.message || say(s.names.locale, "notNow")) }, pick: { kind: "nothing" } };
  }
  const lore = o.cost.map((c) => `${c.name}: ${c.amount}`);
  const act = s.names.act(o.act);
  const icon: Icon = o.region.length > 0 || act?.actClass === "move" ? "move" : defends ? "defend" : "act";
  if (o.region.length > 0) return { item: { icon, name, lore }, pick: { kind: "walk", offer: o } };
  const draft = begin(o, act, false);
  const more = begin(o, act, true);
  const further = more.todo.length > draft.todo.length;
  if (further) lore.push(say(s.names.locale, "more"));
  const entry = { item: { icon, name, lore }, pick: { kind: "draft" as const, draft, ...(further && { more }) } };
  return defends || o.targets.length > 0 ? { ...entry, forecast: completed(draft) } : entry;
}

/** offerName is what an offer is called: its act, its only target, the only things it is done with. */
function offerName(s: Scene, o: pb.Offer): string {
  let name = s.names.of("acts", o.act);
  const target = o.targets.length === 1 ? o.targets[0] : undefined;
  if (target) name += ` — ${targetName(s, target)}`;
  const items = o.items.length === 1 ? o.items[0] : undefined;
  if (items && items.items.length > 0) name += ` (${itemsName(s, items)})`;
  return name;
}

function targetName(s: Scene, t: pb.Target): string {
  switch (t.target.case) {
    case "ref":
      return s.refName(t.target.value);
    case "cell":
      return `${t.target.value.x} ${t.target.value.y} ${t.target.value.z}`;
    case undefined:
      return "?";
  }
}

function itemsName(s: Scene, choice: pb.ItemChoice): string {
  return choice.items.map((id) => s.refName(create(pb.RefSchema, { kind: pb.RefKind.ITEM, id }))).join(", ");
}

/** begin is an offer's draft: with the choices that must be made, or with all that can be. */
function begin(offer: pb.Offer, act: pb.ActEntry | undefined, all: boolean): Draft {
  const must = (n: pb.Needs | undefined) => n === pb.Needs.ONE || n === pb.Needs.SOME;
  const todo: Step[] = [];
  const intent = create(pb.IntentSchema, { act: offer.act });
  if (offer.targets.length > 1) todo.push("target");
  else intent.targets = [...offer.targets];
  if (offer.items.length > 1) todo.push("items");
  else intent.items = [...(offer.items[0]?.items ?? [])];
  if (offer.parts.length > 0 && (all || must(act?.part))) todo.push("part");
  if (offer.about.length > 0 && (all || must(act?.about))) {
    if (offer.about.length === 1 && !all) intent.about = offer.about[0] ?? "";
    else todo.push("about");
  }
  if (offer.amount && (all || must(act?.amount))) {
    if (offer.amount.min === offer.amount.max) intent.amount = offer.amount.min;
    else todo.push("amount");
  }
  if (offer.mods.length > 0 && all) todo.push("mods");
  return { offer, intent, todo };
}

/** completed is a draft's intent with the first of everything that is still to be chosen. */
export function completed(d: Draft): pb.Intent {
  const i = { ...d.intent };
  for (const step of d.todo) {
    if (step === "target") i.targets = d.offer.targets.slice(0, 1);
    if (step === "items") i.items = d.offer.items[0]?.items ?? [];
    if (step === "about") i.about = d.offer.about[0] ?? "";
    if (step === "amount") i.amount = d.offer.amount?.min ?? 0;
  }
  return i;
}

/** stepPage is the menu of a draft's next choice; none: all is chosen. */
export function stepPage(s: Scene, d: Draft): Page | undefined {
  const [step, ...todo] = d.todo;
  if (step === undefined) return undefined;
  const option = (icon: Icon, name: string, change: Partial<pb.Intent>, rest: readonly Step[] = todo): Entry => {
    const draft: Draft = { offer: d.offer, intent: { ...d.intent, ...change }, todo: rest };
    return { item: { icon, name, lore: [] }, pick: { kind: "draft", draft }, forecast: completed(draft) };
  };
  const none = (change: Partial<pb.Intent>): Entry => option("ok", say(s.names.locale, "noneOfThem"), change);
  const needs = s.names.act(d.offer.act);
  let entries: Entry[];
  switch (step) {
    case "target":
      entries = d.offer.targets.map((t) => option("person", targetName(s, t), { targets: [t] }));
      break;
    case "items":
      entries = d.offer.items.map((i) => option("thing", itemsName(s, i) || say(s.names.locale, "noneOfThem"), { items: i.items }));
      break;
    case "part":
      entries = d.offer.parts.map((p) => option("body", s.names.of("parts", p), { part: p }));
      if (needs?.part === pb.Needs.MAYBE) entries.unshift(none({ part: "" }));
      break;
    case "about":
      entries = d.offer.about.map((a) => option("option", about(s, a), { about: a }));
      if (needs?.about === pb.Needs.MAYBE) entries.unshift(none({ about: "" }));
      break;
    case "amount": {
      const { min = 0, max = 0 } = d.offer.amount ?? {};
      entries = Array.from({ length: Math.min(max - min + 1, 45) }, (_, i) => option("number", String(min + i), { amount: min + i }));
      break;
    }
    case "mods":
      entries = modEntries(s, d, option);
      entries.push({ ...option("ok", say(s.names.locale, "done"), {}), item: { icon: "ok", name: say(s.names.locale, "done"), lore: [] } });
      break;
  }
  entries.push({ item: { icon: "back", name: say(s.names.locale, "back"), lore: [] }, pick: { kind: "back" } });
  return { title: offerName(s, d.offer), entries };
}

/** about is what an act is about: a trait, an act or a form. */
function about(s: Scene, name: string): string {
  const trait = s.names.of("traits", name);
  return trait !== name ? trait : s.names.of("acts", name);
}

/** modEntries are modifiers to switch on and off; the page stays until "done". */
function modEntries(s: Scene, d: Draft, option: (icon: Icon, name: string, change: Partial<pb.Intent>, rest: readonly Step[]) => Entry): Entry[] {
  return d.offer.mods.flatMap((group) =>
    group.mods.map((mod) => {
      const on = d.intent.mods.includes(mod);
      const others = d.intent.mods.filter((m) => m !== mod);
      const full = group.mods.filter((m) => d.intent.mods.includes(m)).length >= group.most;
      const mods = on ? others : full ? [...others.filter((m) => !group.mods.includes(m)), mod] : [...others, mod];
      const name = s.names.of("mods", mod) + (on ? ` ✔ ${say(s.names.locale, "chosen")}` : "");
      return option(on ? "chosen" : "option", name, { mods }, ["mods"]);
    }),
  );
}

/** withOdds puts forecasts into the items that they belong to: odds into the name, modifiers into the lore. */
export function withOdds(s: Scene, page: Page, forecasts: readonly pb.Forecast[]): Page {
  let n = 0;
  const entries = page.entries.map((e) => {
    if (!e.forecast) return e;
    const f = forecasts[n++];
    if (!f) return e;
    const { icon, name, lore } = e.item;
    if (f.refusal) return { ...e, item: { icon: "grey" as const, name, lore: wrap(f.refusal.message) } };
    const chances = odds(s.names, f);
    return { ...e, item: { icon, name: chances ? `${name} · ${chances}` : name, lore: [...story(s, f), ...lore] } };
  });
  return { ...page, entries };
}

/** story is what a forecast is made of: each roll with its modifiers, other numbers, what hides, and who is supposed to do what. */
function story(s: Scene, f: pb.Forecast): string[] {
  const rolls = f.rolls.flatMap((r) => {
    const who = r.by === 0 ? "" : `${s.refName(create(pb.RefSchema, { kind: pb.RefKind.ACTOR, id: r.by }))}: `;
    const base = r.base ? `${s.names.of("traits", r.base.trait)} ${s.names.level(r.base.level)}` : s.names.of("purposes", r.why);
    return [`${who}${base}`, ...r.mods.map((m) => `  ${s.names.mod(m)}`)];
  });
  const tallies = f.tallies.map((t) => {
    const terms = t.terms.map((x) => `${x.amount < 0 ? "−" : "+"}${Math.abs(x.amount)} ${s.names.of("mods", x.name)}`);
    return `${s.names.of("figures", t.what)}: ${terms.join(", ")} = ${t.total}`;
  });
  const cover = f.sightings.flatMap((x) => x.hiding.slice(0, 3).map((h) => `▒ ${h.name.replace(/^\w+:/, "")} ${h.at?.x} ${h.at?.y} ${h.at?.z}`));
  return [...rolls, ...tallies, ...cover, ...f.assumptions.map((a) => a.text).filter((t) => t !== "")];
}

/** wrap breaks a sentence into lines of a lore. */
export function wrap(text: string, width = 48): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + word.length >= width) {
      lines.push(line);
      line = "";
    }
    line += (line === "" ? "" : " ") + word;
  }
  if (line !== "") lines.push(line);
  return lines;
}
