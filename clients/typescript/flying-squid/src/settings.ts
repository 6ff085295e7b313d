import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { BadFile, type Config, usual } from "@autobattle/plugin";

/** Settings are what a configuration file says. */
export interface FileSettings {
  url: string;
  keyFile: string;
  host: string;
  port: number;
  masters: string[];
  config: Config;
}

/** readSettings reads a configuration file. It throws BadFile, in a sentence that names the file and the field. */
export async function readSettings(file: string): Promise<FileSettings> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new BadFile(`There is no configuration file ${file}.`);
  });
  return settingsOf(file, text);
}

/** settingsOf reads a configuration from YAML. */
export function settingsOf(file: string, text: string): FileSettings {
  const bad = (what: string) => new BadFile(`The configuration file ${file} ${what}.`);
  let raw: unknown;
  try {
    raw = parse(text) ?? {};
  } catch (e) {
    throw bad(`is no YAML: ${e instanceof Error ? e.message.split("\n")[0] : String(e)}`);
  }
  if (!isRecord(raw)) throw bad("must be a list of fields");
  const left = new Map(Object.entries(raw));
  const take = <T>(field: string, otherwise: T, is: (v: unknown) => v is T, want: string): T => {
    const v = left.get(field) ?? otherwise;
    left.delete(field);
    if (!is(v)) throw bad(`must give ${field} as ${want}`);
    return v;
  };
  const number = (v: unknown): v is number => typeof v === "number" && Number.isInteger(v) && v >= 0;
  const word = (v: unknown): v is string => typeof v === "string";
  const flag = (v: unknown): v is boolean => typeof v === "boolean";
  const list = (v: unknown): v is string[] => Array.isArray(v) && v.every(word);
  const table = (v: unknown): v is Record<string, string> => isRecord(v) && Object.values(v).every(word);
  const mixed = (v: unknown): v is Record<string, string | number> => isRecord(v) && Object.values(v).every((x) => word(x) || typeof x === "number");
  const name = take("name", usual.name, (v): v is string => word(v) && /^[a-z0-9][a-z0-9_-]{0,20}$/.test(v), "at most 21 small letters, digits, - and _");
  const characters = take("characters", "", word, "a folder");
  const out: FileSettings = {
    url: take("url", "http://127.0.0.1:7446", word, "an address such as http://127.0.0.1:7446"),
    keyFile: take("key_file", "", word, "a path"),
    host: take("host", "127.0.0.1", word, "an address to listen on"),
    port: take("port", 25565, number, "a whole number"),
    masters: take("masters", [], list, "a list of names"),
    config: {
      name,
      newId: usual.newId,
      ruleset: take("ruleset", usual.ruleset, word, "a name"),
      options: take("options", usual.options, mixed, "names with words or numbers"),
      items: take("items", usual.items, table, "names with names"),
      slots: take("slots", usual.slots, table, "names with names"),
      characters: characters === "" ? "" : resolve(dirname(file), characters),
      stored: take("stored", usual.stored, flag, "true or false"),
      near: take("near", usual.near, number, "a whole number"),
      margin: take("margin", usual.margin, number, "a whole number"),
      height: take("height", usual.height, number, "a whole number"),
    },
  };
  const [unknown] = left.keys();
  if (unknown !== undefined) throw bad(`has a field ${unknown}, which is not known`);
  return out;
}

function isRecord(v: unknown): v is Record<string, unknown> {
  return typeof v === "object" && v !== null && !Array.isArray(v);
}
