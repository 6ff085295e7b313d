import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AutobattleError, pb, Unfit } from "@autobattle/client";
import { connectNode } from "@autobattle/client/node";
import { start } from "@autobattle/flying-squid";
import { Trouble } from "@autobattle/plugin";
import type { Player } from "../../testing/bots.js";
import { eventually, TestServer } from "../../testing/server.js";
import { World } from "../../testing/world.js";

let server: TestServer;
let world: World;
let anna: Player;
let boris: Player;
let carl: Player;

beforeAll(async () => {
  server = await TestServer.start();
  world = await World.start(server);
  [anna, boris, carl] = await Promise.all([world.join("Anna"), world.join("Boris"), world.join("Carl")]);
  await world.put(anna, 8.5, 5, 8.5, -90);
  await world.put(boris, 13.5, 5, 8.5, 90);
  await world.put(carl, 30.5, 5, 30.5, 0);
});
afterAll(async () => {
  await world.end();
  await server.stop();
});

const near = (p: Player, x: number, z: number) => Math.hypot(p.bot.entity.position.x - x, p.bot.entity.position.z - z) < 0.2;

describe("bad input is one clear line, and nothing is begun", () => {
  it("of players", async () => {
    const gm = await world.join("Wrong");
    await world.put(gm, 8.5, 5, 20.5, 0);
    gm.says("/ab start Wrong | Nobody");
    await gm.hears(/^Nobody is not here\./);
    gm.says("/ab start");
    await gm.hears(/wrong\.yaml has a field beard, and may have only name, gender/);
    gm.says("/ab dance");
    await gm.hears(/^No such command: dance/);
    gm.says("/ab gm pause");
    await gm.hears(/Only a game master/);
    await gm.leave();
    await world.put(carl, 3000.5, 5, 30.5, 0);
    anna.says("/ab start Anna | Carl");
    await anna.hears(/too far apart: the arena would have \d+ blocks, and the server takes 4194304/);
    await world.put(carl, 30.5, 5, 30.5, 0);
    carl.says("/ab start");
    await carl.hears(/nobody else is near/);
    expect(world.running.game.fights.size).toBe(0);
    expect((await world.client.battles.listBattles({})).battles).toEqual([]);
  });

  it("of a world without the chunks", async () => {
    const { overworld } = world.running.server;
    const own = overworld.getColumn;
    overworld.getColumn = () => Promise.resolve(null);
    anna.says("/ab start Anna | Boris");
    await anna.hears(/The world has no blocks at -?\d+ -?\d+: go there first/);
    overworld.getColumn = own;
    expect((await world.client.battles.listBattles({})).battles).toEqual([]);
  });

  it("of operators", async () => {
    await expect(start(world.client, { port: 0, config: { items: { "minecraft:stick": "wand" } } })).rejects.toThrow(new Trouble("The items table names wand, which kmrp does not know: ask the server's operator."));
    await expect(connectNode({ url: server.grpc, key: "nonsense", roles: ["plugin"] })).rejects.toThrow(/API key is missing or unknown/);
    await expect(connectNode({ url: server.grpc, key: server.key, roles: ["viewer"] })).rejects.toThrow(/this API key has the role \w+, and the program needs viewer/);
    await expect(connectNode({ url: server.grpc, key: server.key, features: ["session"] })).rejects.toThrow(Unfit);
  });
});

describe("a battle in the world", () => {
  it("is walked: marks show what is in reach, a step beyond is undone, and the way is the battle's", async () => {
    const marks = anna.marks;
    anna.says("/ab start Anna | Boris");
    await anna.click(/^Free movement/);
    await anna.hears(/Walk to where you want to be/);
    await eventually("marked cells", () => anna.marks > marks + 10);
    await anna.bot.look(-Math.PI / 2, 0, true);
    world.jump(anna, 8.5, 5, 20.5);
    await anna.hears(/That is out of reach/);
    await eventually("Anna set back", () => near(anna, 8.5, 8.5));
    anna.bot.setControlState("forward", true);
    await eventually("Anna two steps on", () => anna.bot.entity.position.x > 10.3);
    anna.bot.clearControlStates();
    await eventually("Anna standing", () => anna.bot.entity.velocity.x === 0 || Math.abs(anna.bot.entity.velocity.x) < 0.01);
    const shows = anna.shows;
    anna.says("/ab");
    await eventually("the menu", () => anna.shows > shows);
    await anna.click(/^Stop here/);
    const fight = await world.fight();
    const actor = () => fight.actorOf(anna.id)?.pose?.at;
    await eventually("the battle's move", () => (actor()?.x ?? 0) / 256 > 9);
    expect(Math.floor((actor()?.x ?? 0) / 256)).toBe(Math.floor(anna.bot.entity.position.x));
    await anna.hears(/^Anna moved to/);
  });

  it("shows a spectator what all may know, and hides the rest", async () => {
    const fight = await world.fight();
    carl.says("/ab watch");
    await carl.hears(/You watch the battle/);
    await eventually("Carl's session", () => fight.sessions.get(carl.id)?.battle.view);
    const { actorIds } = await world.client.battles.addActors({
      battleId: fight.id,
      actors: [{ key: "lurker", name: "Lurker", team: "2", hidden: true, controller: { kind: pb.ControllerKind.MASTER }, pose: { pose: { case: "host", value: { x: 12.5, y: 5, z: 12.5, facing: { case: "look", value: { x: 1 } } } } }, source: { case: "sheet", value: { traits: ["reaction", "strength", "endurance", "dexterity", "movement", "perception", "willpower"].map((name) => ({ name, level: 3 })) } } }],
    });
    await eventually("the lurker, for the master", () => fight.battle.view?.actors.some((a) => a.id === actorIds[0]));
    await anna.click(/^(Pass|Do nothing)/);
    await carl.hears(/Turn: Boris/);
    expect(carl.menu).toBeUndefined();
    for (const p of [carl, anna, boris]) expect(p.chat.join("\n")).not.toMatch(/[Ll]urker/);
    expect(fight.sessions.get(carl.id)?.battle.view?.actors.map((a) => a.name).sort()).toEqual(["Anna", "Boris"]);
    expect(Object.values(carl.bot.entities).filter((e) => e.name === "armor_stand")).toEqual([]);
  });

  it("refuses cheats: teleports, acts out of turn, words for another; and nothing changes", async () => {
    const fight = await world.fight();
    await boris.sees(/^Pass/);
    const state = () => [fight.battle.view?.version, fight.battle.prompts.map((p) => p.prompt?.id), fight.actorOf(anna.id)?.pose?.at?.x];
    const before = state();
    const x = anna.bot.entity.position.x;
    // Out of turn he jumps across the field: the server's word sets him back.
    world.jump(anna, x, 5, 14.5);
    await eventually("Anna set back", () => near(anna, (fight.actorOf(anna.id)?.pose?.at?.x ?? 0) / 256, 8.5));
    // He clicks in a window that is not open, and in his last menu.
    for (const windowId of [1, 2, 3, 99]) {
      anna.bot._client.write("window_click", { windowId, stateId: 1, slot: 0, mouseButton: 0, mode: 0, changedSlots: [], cursorItem: { present: false } });
    }
    anna.says("/ab");
    await anna.hears(/Nobody waits for you now/);
    // A client that speaks for another gets the server's refusal.
    const promptId = fight.battle.prompts.find((p) => p.live)?.prompt?.id ?? 0;
    const e = await world.client.battles.act({ battleId: fight.id, playerId: anna.id, promptId, intents: [{ act: "pass" }] }).catch((t: unknown) => AutobattleError.from(t));
    expect(e).toMatchObject({ name: "AutobattleError" });
    expect([pb.ErrorReason.FORBIDDEN_ACTOR, pb.ErrorReason.NOT_YOUR_ACTOR, pb.ErrorReason.PROMPT_CLOSED]).toContain((e as AutobattleError).reason);
    expect(state()).toEqual(before);
    // In his own turn he jumps next to her and strikes: the rules have him where he was.
    world.jump(boris, 11.5, 5, 8.5);
    await eventually("Boris there", () => Math.abs((world.running.host.pose(boris.id)?.feet.x ?? 0) - 11.5) < 0.1);
    await boris.click(/^Pass/);
    await boris.hears(/You are set back/);
    await eventually("Boris set back", () => near(boris, 13.5, 8.5));
    expect(state()).toEqual(before);
  });

  it("obeys the game master", async () => {
    const gm = await world.join("Gm");
    const fight = await world.fight();
    gm.says("/ab watch");
    await gm.hears(/You watch the battle/);
    gm.says("/ab gm override cover 1 Anna Boris the cart hides him");
    await eventually("the ruling", () => fight.battle.view?.rulings.find((r) => r.what === "cover" && r.reason === "the cart hides him"));
    await boris.hears(/the cart hides him/);
    gm.says("/ab gm pause");
    await eventually("the pause", () => fight.battle.view?.phase === pb.Phase.PAUSED);
    gm.says("/ab gm resume");
    await eventually("the battle goes on", () => fight.battle.view?.phase === pb.Phase.RUNNING);
    gm.says("/ab gm rewind 3 misclick");
    await boris.hears(/misclick/);
    expect(fight.battle.view?.rulings).toEqual([]);
    gm.says("/ab gm delegate Boris");
    await eventually("Boris played automatically", () => fight.named("Boris")?.controller?.kind === pb.ControllerKind.AUTOMATIC);
    gm.says("/ab gm say The rain begins.");
    await carl.hears(/The rain begins\./);
    gm.says("/ab rule KM-COVER-01");
    await gm.hears(/^KM-COVER-01 — /);
    gm.says("/ab gm end");
    await anna.hears(/The battle is over\./);
    expect(world.faults).toEqual([]);
  });
});
