import { type Autobattle, pb } from "@autobattle/client";
import type { Fight } from "./fight.js";
import { Trouble } from "./trouble.js";
import { type Locale, say } from "./words.js";

/** master does what a game master types after /ab gm. It gives what to tell him; what happens, all read in the battle itself. */
export async function master(client: Autobattle, fight: Fight, locale: Locale, words: readonly string[]): Promise<string> {
  const [word = "", ...rest] = words;
  const who = { battleId: fight.id, locale };
  const usage = () => new Trouble(say(locale, "helpMaster"));
  const actor = (name: string | undefined) => {
    const found = fight.named(name ?? "");
    if (!found) throw new Trouble(say(locale, "notHere", name ?? "?"));
    return found.id;
  };
  switch (word) {
    case "pause":
      await client.master.pause({ ...who, reason: rest.join(" ") });
      return "";
    case "resume":
      await client.master.resume(who);
      return "";
    case "rewind": {
      const back = Number(rest[0]);
      if (!Number.isInteger(back) || back < 1) throw usage();
      await client.master.rewind({ ...who, to: { case: "back", value: back }, reason: rest.slice(1).join(" ") || "rewind" });
      return "";
    }
    case "override": {
      const [what = "", number = ""] = rest;
      if (what === "" || !/^-?\d+$/.test(number)) throw usage();
      const a = rest[2] === undefined ? undefined : fight.named(rest[2]);
      const b = a && rest[3] !== undefined ? fight.named(rest[3]) : undefined;
      const kind = b ? pb.ScopeKind.PAIR : a ? pb.ScopeKind.ACTOR : pb.ScopeKind.BATTLE;
      const reason = rest.slice(2 + Number(a !== undefined) + Number(b !== undefined)).join(" ");
      const ruling = { scope: { kind, a: a?.id ?? 0, b: b?.id ?? 0 }, what, number: BigInt(number), reason };
      await client.master.override({ ...who, change: { case: "ruling", value: ruling } });
      return "";
    }
    case "delegate":
      await client.master.delegate({ ...who, actorId: actor(rest[0]), giveBack: rest[1] === "back" });
      return "";
    case "remove":
      await client.master.removeActor({ ...who, actorId: actor(rest[0]), reason: rest.slice(1).join(" ") });
      return "";
    case "say":
      if (rest.length === 0) throw usage();
      await client.master.say({ ...who, text: rest.join(" ") });
      return "";
    case "end":
      await client.battles.endBattle({ ...who, reason: rest.join(" ") });
      return "";
    default:
      throw usage();
  }
}
