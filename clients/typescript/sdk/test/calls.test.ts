import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { Autobattle, AutobattleError, CommandIds, type Options, pb, SCHEMA_LEVEL, Unfit } from "@autobattle/client";

const options: Options = { url: "", key: "k", retry: { firstMs: 1, mostMs: 2, attempts: 4 } };
const info = { serverVersion: "9", schemaLevel: SCHEMA_LEVEL, role: "plugin", features: ["preview"] };

/** answering is a client of a server that answers ends of battles as it is told, one after the other. */
async function answering(answers: ((r: pb.EndBattleRequest) => void)[], more: Partial<Options> = {}) {
  const seen: pb.EndBattleRequest[] = [];
  const keys: (string | null)[] = [];
  const carry = (interceptors: Interceptor[]) =>
    createRouterTransport(
      ({ service }) => {
        service(pb.RulesService, { getServerInfo: () => info });
        service(pb.BattleService, {
          endBattle: (r, context) => {
            seen.push(r);
            keys.push(context.requestHeader.get("authorization"));
            answers[seen.length - 1]?.(r);
            return {};
          },
        });
      },
      { transport: { interceptors } },
    );
  return { client: await Autobattle.connect({ ...options, ...more }, carry, false), seen, keys };
}

const unavailable = () => {
  throw new ConnectError("gone", Code.Unavailable);
};
const refused = (reason: pb.ErrorReason, retryable: boolean) => () => {
  const detail = create(pb.ErrorDetailSchema, { reason, retryable, rule: "KM-X", message: "no, because" });
  throw new ConnectError("raw", Code.FailedPrecondition, undefined, [{ desc: pb.ErrorDetailSchema, value: detail }]);
};

describe("calls", () => {
  it("carry the key and a command id, and are sent again with the same one", async () => {
    const { client, seen, keys } = await answering([unavailable, refused(pb.ErrorReason.BUSY, true)]);
    await client.battles.endBattle({ battleId: "b" });
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map((r) => r.commandId)).size).toBe(1);
    expect(seen[0]?.commandId).toMatch(/^[a-z0-9]{9}-1$/);
    expect(keys).toEqual(Array(3).fill("Bearer k"));
    await client.battles.endBattle({ battleId: "b" });
    await client.battles.endBattle({ battleId: "b", commandId: "mine" });
    expect(seen.slice(3).map((r) => r.commandId.replace(/^.*-/, ""))).toEqual(["2", "mine"]);
  });

  it("end with the server's words when it refuses, at once", async () => {
    const { client, seen } = await answering([refused(pb.ErrorReason.OUT_OF_REACH, false)]);
    const e = await client.battles.endBattle({ battleId: "b" }).catch((t: unknown) => t);
    expect(e).toBeInstanceOf(AutobattleError);
    expect(e).toMatchObject({ message: "no, because", reason: pb.ErrorReason.OUT_OF_REACH, rule: "KM-X", byRules: true, code: Code.FailedPrecondition });
    expect(seen).toHaveLength(1);
  });

  it("give up after the policy's attempts", async () => {
    const { client, seen } = await answering(Array(9).fill(unavailable));
    await expect(client.battles.endBattle({ battleId: "b" })).rejects.toMatchObject({ code: Code.Unavailable, retryable: true });
    expect(seen).toHaveLength(4);
  });

  it("are measured", async () => {
    const took: string[] = [];
    const { client } = await answering([unavailable], { measured: (method, ms) => took.push(`${method} ${ms >= 0}`) });
    await client.battles.endBattle({ battleId: "b" });
    expect(took).toEqual(["GetServerInfo true", "EndBattle true", "EndBattle true"]);
  });
});

describe("the handshake", () => {
  const serving = (level: number) => (interceptors: Interceptor[]) =>
    createRouterTransport(({ service }) => service(pb.RulesService, { getServerInfo: () => ({ ...info, schemaLevel: level }) }), { transport: { interceptors } });

  it("refuses a server that is too old, and tells what to do", async () => {
    await expect(Autobattle.connect(options, serving(0), false)).rejects.toThrow(new Unfit(`autobattled 9 speaks schema level 0, and this program needs ${SCHEMA_LEVEL}: update the server, or use an older client`));
    expect((await Autobattle.connect(options, serving(SCHEMA_LEVEL + 5), false)).info.role).toBe("plugin");
  });
});

describe("CommandIds", () => {
  it("never gives one twice", () => {
    const a = new CommandIds("x");
    expect([a.next(), a.next()]).toEqual(["x-1", "x-2"]);
    expect(new CommandIds().next()).not.toBe(new CommandIds().next());
  });
});
