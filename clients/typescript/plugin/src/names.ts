import { pb } from "@autobattle/client";
import type { Locale } from "./words.js";

type Table = "acts" | "parts" | "mods" | "outcomes" | "grades" | "traits" | "conditions" | "asks" | "slots" | "purposes" | "figures";

/** Names are a ruleset's names in one language. */
export class Names {
  readonly locale: Locale;
  readonly #catalogue: pb.Catalogue;
  readonly #tables = new Map<string, Map<string, pb.Text | undefined>>();

  constructor(catalogue: pb.Catalogue, locale: Locale) {
    this.#catalogue = catalogue;
    this.locale = locale;
  }

  /** of is a name's text; a name that the catalogue has not is shown as it is. */
  of(table: Table, name: string): string {
    let known = this.#tables.get(table);
    if (!known) {
      known = new Map(this.#catalogue[table].map((e) => [e.name, e.text]));
      this.#tables.set(table, known);
    }
    return this.#text(known.get(name), name);
  }

  /** item is a thing's text. */
  item(ref: string): string {
    return this.#text(this.#catalogue.items.find((i) => i.ref === ref)?.text, ref);
  }

  /** level is a level of the ladder with its name, or a plain number. */
  level(n: number): string {
    const text = this.#catalogue.levels.find((l) => l.number === n)?.text;
    return text ? this.#text(text, String(n)) : String(n);
  }

  /** act is an act's entry. */
  act(name: string): pb.ActEntry | undefined {
    return this.#catalogue.acts.find((a) => a.name === name);
  }

  /** has says whether the catalogue has an item. */
  has(ref: string): boolean {
    return this.#catalogue.items.some((i) => i.ref === ref);
  }

  /** condition is a condition with what its level means. */
  condition(c: pb.Condition): string {
    const entry = this.#catalogue.conditions.find((e) => e.name === c.name);
    const level = entry?.levels[c.level];
    return level ? this.#text(level, c.name) : this.#text(entry?.text, c.name);
  }

  /** mod is a modifier with its amount, such as "−25% light wound". */
  mod(m: pb.Mod): string {
    const amount = `${m.amount < 0 ? "−" : "+"}${Math.abs(m.amount)}${m.kind === pb.ModKind.PERCENT ? "%" : ""}`;
    const text = `${amount} ${this.of("mods", m.name)}`;
    return m.voided ? `(${text})` : text;
  }

  #text(text: pb.Text | undefined, otherwise: string): string {
    return (this.locale === "ru" ? text?.ru : text?.en) || otherwise;
  }
}

/** percent is a chance in millionths, as people read it. */
export function percent(ppm: number): string {
  if (ppm > 0 && ppm < 5_000) return "<1%";
  if (ppm < 1_000_000 && ppm > 995_000) return ">99%";
  return `${Math.round(ppm / 10_000)}%`;
}

/** odds are a forecast's outcomes in a line, likelier ones first, such as "hit 58% · evaded 42%". */
export function odds(names: Names, f: pb.Forecast, most = 3): string {
  const sums = new Map<string, number>();
  for (const o of f.outcomes) sums.set(o.outcome, (sums.get(o.outcome) ?? 0) + o.chancePpm);
  const lanes = new Set(f.outcomes.map((o) => o.lane)).size || 1;
  return [...sums]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([name, ppm]) => `${names.of("outcomes", name)} ${percent(ppm / lanes)}`)
    .join(" · ");
}
