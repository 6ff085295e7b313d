import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { pb } from "@autobattle/client";

/** Config is what an operator may set. Every field has a usual value. */
export interface Config {
  /** name begins the ids of this game server's battles: battles of other names are left alone. */
  name: string;
  /** newId makes what follows the name in the id of the n-th new battle, from 1. Small letters, digits, - and _. */
  newId: (n: number) => string;
  /** ruleset of new battles. */
  ruleset: string;
  /** options of new battles that differ from the ruleset's: words or numbers, by name. */
  options: Readonly<Record<string, string | number>>;
  /** items maps the host's names of things to the catalogue's. What is not here is not brought along. */
  items: Readonly<Record<string, string>>;
  /** slots maps where the host has things (main, off, head, chest, legs, feet) to the catalogue's places. */
  slots: Readonly<Record<string, string>>;
  /** characters is a folder of YAML files, one for each player's name in small letters, and default.yaml; empty: none. */
  characters: string;
  /** stored says that characters of the battle server, by player id, come before those of the folder. */
  stored: boolean;
  /** near is how far around the one who starts a battle others are taken along, in blocks. */
  near: number;
  /** margin is how far around the fighters the arena reaches, in blocks. */
  margin: number;
  /** height is how far above and below the fighters it reaches. */
  height: number;
}

/** usual is the configuration when nothing is set. */
export const usual: Config = {
  name: "host",
  newId: (n) => `${Date.now().toString(36)}-${n}`,
  ruleset: "kmrp",
  options: {},
  items: {},
  slots: {},
  characters: "",
  stored: false,
  near: 16,
  margin: 16,
  height: 8,
};

/** BadFile says what is wrong in a file of the operator's, in a sentence that names the file. */
export class BadFile extends Error {
  override readonly name = "BadFile";
}

/** Person is a character of a file. */
export interface Person {
  name: string;
  grammar: pb.Gender;
  sheet: { body: string; traits: { name: string; level: number }[]; items: { ref: string; slot: string }[]; gauges: { name: string; now: bigint }[] };
}

const genders: Readonly<Record<string, pb.Gender>> = {
  masculine: pb.Gender.MASCULINE,
  feminine: pb.Gender.FEMININE,
  neuter: pb.Gender.NEUTER,
  plural: pb.Gender.PLURAL,
};
const fields = ["name", "gender", "body", "traits", "items", "gauges"];

/** readPerson reads NAME.yaml of a folder, or default.yaml; none: neither is there. It throws BadFile. */
export async function readPerson(folder: string, name: string): Promise<Person | undefined> {
  for (const file of [`${name.toLowerCase().replace(/[^a-z0-9_-]/g, "_")}.yaml`, "default.yaml"]) {
    const text = await readFile(join(folder, file), "utf8").catch(() => undefined);
    if (text !== undefined) return personOf(file, text, name);
  }
  return undefined;
}

/** personOf reads a character from YAML. */
export function personOf(file: string, text: string, name: string): Person {
  const bad = (what: string) => new BadFile(`The character file ${file} ${what}.`);
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (e) {
    throw bad(`is no YAML: ${e instanceof Error ? e.message.split("\n")[0] : String(e)}`);
  }
  if (!isRecord(raw)) throw bad(`must be a list of fields: ${fields.join(", ")}`);
  for (const key of Object.keys(raw)) {
    if (!fields.includes(key)) throw bad(`has a field ${key}, and may have only ${fields.join(", ")}`);
  }
  const gender = raw["gender"] ?? "masculine";
  const grammar = typeof gender === "string" ? genders[gender] : undefined;
  if (grammar === undefined) throw bad(`has a gender that is none of ${Object.keys(genders).join(", ")}`);
  const numbers = (field: string): [string, number][] => {
    const table = raw[field] ?? {};
    if (!isRecord(table)) throw bad(`must give ${field} as names with whole numbers`);
    return Object.entries(table).map(([k, v]) => {
      if (typeof v !== "number" || !Number.isInteger(v)) throw bad(`must give ${field}.${k} as a whole number`);
      return [k, v];
    });
  };
  const items = raw["items"] ?? [];
  if (!Array.isArray(items)) throw bad("must give items as a list");
  return {
    name: typeof raw["name"] === "string" ? raw["name"] : name,
    grammar,
    sheet: {
      body: typeof raw["body"] === "string" ? raw["body"] : "",
      traits: numbers("traits").map(([n, level]) => ({ name: n, level })),
      gauges: numbers("gauges").map(([n, now]) => ({ name: n, now: BigInt(now) })),
      items: items.map((i: unknown) => {
        if (typeof i === "string") return { ref: i, slot: "" };
        if (isRecord(i) && typeof i["ref"] === "string" && (i["slot"] === undefined || typeof i["slot"] === "string")) {
          return { ref: i["ref"], slot: i["slot"] ?? "" };
        }
        throw bad("must give each item as a name, or as {ref, slot}");
      }),
    },
  };
}

function isRecord(v: unknown): v is Record<string, unknown> {
  return typeof v === "object" && v !== null && !Array.isArray(v);
}
