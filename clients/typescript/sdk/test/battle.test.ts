import { create, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Autobattle, AutobattleError, type Battle, pb, Unfit } from "@autobattle/client";
import { connectNode } from "@autobattle/client/node";
import { connectWeb } from "@autobattle/client/web";
import { duel, intentOf, pick } from "../../testing/duel.js";
import { eventually, TestServer } from "../../testing/server.js";

let server: TestServer;
let client: Autobattle;

beforeAll(async () => {
  server = await TestServer.start();
  client = await connectNode({ url: server.grpc, key: server.key });
});
afterAll(() => server.stop());

/** comparable is a view without the fields that no fact carries. */
function comparable(view: pb.Battle | undefined): unknown {
  return toJson(pb.BattleSchema, create(pb.BattleSchema, { ...(view ?? create(pb.BattleSchema)), dice: [], serial: [], version: 0n }));
}

/** playOn answers the live prompts of both players until the battle is over or enough answers are given. */
async function playOn(sides: readonly Battle[], answers: number): Promise<number> {
  let given = 0;
  while (given < answers) {
    const side = await eventually("a live prompt or the end", () => {
      if (sides.every((s) => s.state === "over")) return "over" as const;
      return sides.find((s) => s.prompts.some((p) => p.live));
    });
    if (side === "over") return given;
    const prompt = side.prompts.find((p) => p.live)?.prompt;
    if (!prompt) continue;
    const [choices] = await side.choices({ promptId: prompt.id, withoutRegions: true });
    const offer = pick(choices?.offers ?? []);
    const result = await side.act({ promptId: prompt.id, intents: offer ? [intentOf(offer)] : [] });
    given++;
    expect(result.repeatedCommand).toBe(false);
    await side.until((b) => b.state === "over" || !b.prompts.some((p) => p.prompt?.id === prompt.id));
  }
  return given;
}

describe("handshake", () => {
  it("names the server, over every protocol", async () => {
    for (const c of [
      client,
      await connectNode({ url: server.http, key: server.key, protocol: "connect" }),
      await connectNode({ url: server.http, key: server.key, protocol: "grpc-web" }),
      await connectWeb({ url: server.http, key: server.key }),
      await connectWeb({ url: server.http, key: server.key, protocol: "grpc-web" }),
    ]) {
      expect(c.info.locales).toEqual(["en", "ru"]);
      expect((await c.catalogue("kmrp")).acts.map((a) => a.name)).toContain("attack");
    }
  });

  it("refuses a wrong key with the server's words", async () => {
    const wrong = connectNode({ url: server.grpc, key: "wrong" });
    await expect(wrong).rejects.toMatchObject({ name: "AutobattleError", reason: pb.ErrorReason.BAD_KEY });
    await expect(wrong).rejects.toThrow(/operator/);
  });

  it("says what is missing when the server cannot serve the program", async () => {
    await expect(connectNode({ url: server.grpc, key: server.key, features: ["teleportation"] })).rejects.toThrow(/cannot do: teleportation/);
    await expect(connectNode({ url: server.grpc, key: server.key, roles: ["viewer"] })).rejects.toBeInstanceOf(Unfit);
  });

  it("says that nobody is there", async () => {
    const nobody = connectNode({ url: "http://127.0.0.1:9", key: "x", retry: { attempts: 2, firstMs: 1 } });
    await expect(nobody).rejects.toMatchObject({ name: "AutobattleError", retryable: true });
  });
});

describe("a battle", () => {
  it("is played to its end, and folding what came gives what the server shows", async () => {
    await duel(client, "fold");
    const everything = client.battle("fold");
    const sides = ["p1", "p2"].map((playerId, i) => client.battle("fold", { playerId, locale: i === 0 ? "en" : "ru" }));
    await Promise.all([everything, ...sides].map((b) => b.ready()));
    const lines: string[] = [];
    sides[1]?.on("update", (u) => lines.push(...u.lines.map((l) => l.text)));
    for (let given = 1; given > 0; ) {
      given = await playOn(sides, 1);
      for (const [i, b] of [everything, ...sides].entries()) {
        const { battle } = await client.battles.getBattle({ battleId: "fold", playerId: i === 0 ? "" : `p${i}` });
        const shown = JSON.stringify(comparable(battle));
        await eventually("the view that the server shows", () => JSON.stringify(comparable(b.view)) === shown, 2000).catch(() => undefined);
        expect(comparable(b.view)).toEqual(comparable(battle));
      }
    }
    await Promise.all(sides.map((b) => b.until((x) => x.state === "over")));
    expect(everything.view?.outcome.map((o) => o.outcome).sort()).toEqual(["defeat", "victory"]);
    expect(lines.join("\n")).toMatch(/[а-я]/);
    const { verdict } = await client.replay.verifyBattle({ battleId: "fold" });
    expect(verdict).toMatchObject({ sound: true, diceChecked: true });
  });

  it("is done once, however often a command is sent", async () => {
    await duel(client, "once");
    const b = client.battle("once");
    await b.until((x) => x.prompts.some((p) => p.live));
    const prompt = b.prompts.find((p) => p.live)?.prompt;
    const act = { promptId: prompt?.id ?? 0, commandId: "mine-1", intents: [{ act: "pass" }] };
    const first = await b.act(act);
    const again = await b.act(act);
    expect(again).toMatchObject({ version: first.version, repeatedCommand: true });
    await expect(b.act({ ...act, intents: [{ act: "delay" }] })).rejects.toMatchObject({ reason: pb.ErrorReason.COMMAND_ID_REUSED });
    await b.close();
    expect(b.state).toBe("closed");
  });

  it("tells refusals of the rules as errors with their rule", async () => {
    await duel(client, "refused");
    const b = client.battle("refused");
    await b.until((x) => x.prompts.some((p) => p.live));
    const prompt = b.prompts.find((p) => p.live)?.prompt;
    const e = await b.act({ promptId: prompt?.id ?? 0, intents: [{ act: "run" }] }).catch((x: unknown) => AutobattleError.from(x));
    expect(e).toBeInstanceOf(AutobattleError);
    expect(e).toMatchObject({ byRules: true, rule: "KM-MOVE-04", retryable: false });
    await b.close();
  });

  it("of nobody fails for good", async () => {
    const b = client.battle("nothing-here");
    await expect(b.ready()).rejects.toMatchObject({ reason: pb.ErrorReason.BATTLE_NOT_FOUND });
    expect(b.state).toBe("failed");
  });
});

describe("a server that is killed", () => {
  it("is waited for: each update comes once, commands are sent again, prompts are as before", async () => {
    await duel(client, "killed");
    const b = client.battle("killed", { heartbeatMs: 1000 });
    const versions: bigint[] = [];
    const states: string[] = [];
    b.on("update", (u) => {
      if (!u.heartbeat) versions.push(u.version);
    });
    b.on("state", (s) => states.push(s));
    await b.until((x) => x.prompts.some((p) => p.live));
    const sides = ["p1", "p2"].map((playerId) => client.battle("killed", { playerId }));
    await Promise.all(sides.map((s) => s.ready()));
    await playOn(sides, 3);
    const before = sides.map((s) => s.prompts.map((p) => p.prompt?.id));
    await server.kill();
    const acting = playOn(sides, 2);
    await b.until((x) => x.state === "away");
    await server.again();
    await acting;
    await playOn(sides, 1000);
    await b.until((x) => x.state === "over");
    expect(states).toContain("away");
    expect(before.flat()).toHaveLength(1);
    const last = b.view?.version ?? 0n;
    expect(versions.slice(1)).toEqual(Array.from({ length: versions.length - 1 }, (_, i) => (versions[0] ?? 0n) + BigInt(i + 1)));
    expect(versions.at(-1)).toBe(last);
  });
});
