import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Player } from "../../testing/bots.js";
import { eventually, TestServer } from "../../testing/server.js";
import { World } from "../../testing/world.js";

let server: TestServer;
let world: World;
let options: Record<string, number> = {};

beforeEach(async () => {
  server = await TestServer.start();
  world = await World.start(server, { options: { death_confirm: "auto", ...options } });
});
afterEach(async () => {
  await world.end();
  await server.stop();
});

/** duel puts Anna and Boris face to face and begins. Anna acts first. */
async function duel(): Promise<[Player, Player]> {
  const [anna, boris] = await Promise.all([world.join("Anna"), world.join("Boris")]);
  await world.put(anna, 8.5, 5, 8.5, -90);
  await world.put(boris, 9.5, 5, 8.5, 90);
  anna.says("/ab start Anna | Boris");
  await anna.sees(/^Attack — Boris/);
  return [anna, boris];
}

/** blow is one attack with its defence, to its outcome. */
async function blow(by: Player, on: Player): Promise<void> {
  const heard = on.chat.length;
  await by.click(/^Attack — \w+ \(/);
  await on.click(/^Evade/);
  await eventually("the outcome", () => on.chat.slice(heard).find((l) => /(hit|missed|evaded) /.test(l)));
}

describe("somebody who is away", () => {
  it("comes back to the very prompt that he left", async () => {
    const [anna, boris] = await duel();
    await anna.click(/^Attack — Boris \(/);
    await boris.sees(/^Evade/);
    const fight = await world.fight();
    const asked = fight.battle.prompts.map((p) => p.prompt?.id);
    await boris.leave();
    await eventually("the server to notice", () => world.running.host.players().length === 1);
    const again = await world.join("Boris");
    expect(fight.battle.prompts.map((p) => p.prompt?.id)).toEqual(asked);
    await again.click(/^Evade/);
    await again.hears(/(hit|missed|evaded) /);
    expect(world.faults).toEqual([]);
  });

  it("may be the battle server: killed in mid-battle it is waited for, and nothing is lost or told twice", async () => {
    const [anna, boris] = await duel();
    await blow(anna, boris);
    await boris.sees(/^Attack — Anna/);
    await server.kill();
    await anna.hears(/The battle server is away/);
    await server.again();
    await anna.hears(/The battle server is back/);
    await boris.hears(/The battle server is back/);
    await blow(boris, anna);
    const once = anna.chat.filter((l) => /^(— Round|Anna attacked|Boris attacked)/.test(l));
    expect(once.filter((l) => l === "— Round 1 —")).toHaveLength(1);
    expect(once.filter((l) => /attacked/.test(l))).toHaveLength(2);
  });

  it("may be the game server: started again it resumes the battle, figures and all", async () => {
    const [anna, boris] = await duel();
    await blow(anna, boris);
    await boris.sees(/^Attack — Anna/);
    const before = await world.fight();
    const version = before.battle.view?.version;
    await world.stop();
    await world.again();
    const [anna2, boris2] = await Promise.all([world.join("Anna"), world.join("Boris")]);
    const after = await world.fight();
    expect([after.id, after.battle.view?.version]).toEqual([before.id, version]);
    await eventually("both set to where the battle has them", () => Math.abs(boris2.bot.entity.position.x - 9.5) < 0.1 && Math.abs(anna2.bot.entity.position.x - 8.5) < 0.1);
    await blow(boris2, anna2);
    await world.block(20, 5, 20, "stone");
    await eventually("a block of the resumed arena", () => after.battle.view?.blocks.length === 1);
    await world.block(200, 5, 200, "stone");
    await after.settled();
    expect(after.battle.view?.blocks).toHaveLength(1);
    expect(world.faults).toEqual([]);
  });
});

describe("somebody who does not answer", () => {
  beforeAll(() => {
    options = { reply_limit_s: 2 };
  });
  afterAll(() => {
    options = {};
  });

  it("sees the time run, and then the rules' default answers for him", async () => {
    const [anna, boris] = await duel();
    await anna.click(/^Attack — Boris \(/);
    await boris.sees(/^Evade/);
    expect(boris.menu?.title).toMatch(/ · [12] s$/);
    await eventually("the countdown", () => / · [12] s$/.test(boris.bar));
    await anna.hears(/(hit|missed|evaded) /);
    await boris.sees(/^Pass/);
    expect(world.faults).toEqual([]);
  });
});

describe("an NPC", () => {
  it("stands as a figure, and is played automatically", async () => {
    const anna = await world.join("Anna");
    await world.put(anna, 8.5, 5, 8.5, -90);
    anna.says("/ab start Anna | npc:boris");
    await anna.sees(/^Attack — boris \(/);
    const figure = await eventually("the figure", () => Object.values(anna.bot.entities).find((e) => e.name === "armor_stand"));
    expect([figure.position.x, figure.position.y, figure.position.z]).toEqual([10.5, 5, 8.5]);
    await anna.click(/^Attack — boris \(/);
    await anna.hears(/(hit|missed|evaded) /);
    await anna.click(/^(Evade|Attack|Pass)/);
    expect(world.faults).toEqual([]);
  });
});
