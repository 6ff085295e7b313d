import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Player } from "../../testing/bots.js";
import { eventually, TestServer } from "../../testing/server.js";
import { World } from "../../testing/world.js";

let server: TestServer;
let world: World;

async function open(options: Record<string, string | number> = {}, items: Record<string, string> = {}): Promise<void> {
  world = await World.start(server, { options: { death_confirm: "auto", ...options }, items });
}

beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(async () => {
  await world.end();
  await server.stop();
});

/** pair brings two players into the world, a few blocks from each other along x. */
async function pair(first: string, second: string, apart: number, secondYaw: number): Promise<[Player, Player]> {
  const [a, b] = await Promise.all([world.join(first), world.join(second)]);
  await world.put(a, 8.5, 5, 8.5, -90);
  await world.put(b, 8.5 + apart, 5, 8.5, secondYaw);
  return [a, b];
}

describe("what the rules see of the world", () => {
  it("gives cover to one behind a wall, and the log names the block", async () => {
    await open();
    const [archer, boris] = await pair("Archer", "Boris", 6, 90);
    await world.block(13, 5, 8, "stone_bricks");
    archer.says("/ab start");
    const shot = await archer.click(/^Attack — Boris \(Bow\)/);
    expect(shot.name).toMatch(/hit \d+%/);
    expect(shot.lore.join("\n")).toMatch(/Hit difficulty: .*\+1 Cover/);
    const dodge = await boris.click(/^Evade/);
    expect(dodge.name).toMatch(/evaded \d+%/);
    expect(await boris.hears(/^Hit difficulty, Boris/)).toMatch(/\+1 cover = .*minecraft:stone_bricks 13 5 8/);
    await archer.hears(/^(Archer (hit|missed) Boris|Boris evaded Archer)/);
    expect(world.faults).toEqual([]);
  });

  it("counts a blow from behind, with what the player holds", async () => {
    await open({}, { "minecraft:stick": "knife" });
    const [thief, boris] = await pair("Thief", "Boris", 1, -90);
    world.give(thief, "stick");
    thief.says("/ab start");
    const stab = await thief.click(/^Attack — Boris \(Knife\)/);
    expect(stab.lore.join("\n")).toMatch(/\+1 From behind/);
    await boris.click(/^No defence/);
    expect(await thief.hears(/^Damage, Boris/)).toMatch(/\+1 from behind/);
    expect(world.faults).toEqual([]);
  });

  it("is darker once a player has broken a lamp", async () => {
    await open({ sky_light: 3 });
    await world.block(15, 5, 9, "glowstone");
    const [archer, boris] = await pair("Archer", "Boris", 6, 90);
    archer.says("/ab start");
    const before = await archer.sees(/^Attack — Boris \(Bow\)/);
    world.creative(boris);
    const lamp = await eventually("the lamp", () => boris.bot.blockAt(boris.bot.entity.position.floored().offset(1, 0, 1)));
    expect(lamp.name).toBe("glowstone");
    boris.breaks(lamp.position);
    const fight = await world.fight();
    await eventually("the battle's blocks", () => fight.battle.view?.blocks.length === 1);
    expect(fight.battle.view?.blocks[0]).toMatchObject({ at: { x: 15, y: 5, z: 9 }, block: { name: "minecraft:air", passes: 15 } });
    const shows = archer.shows;
    archer.says("/ab");
    await eventually("another menu", () => archer.shows > shows);
    const after = await archer.sees(/^Attack — Boris \(Bow\)/);
    expect(before.lore.join("\n")).not.toMatch(/shade|darkness/i);
    expect(after.lore.join("\n")).toMatch(/\+1 Heavy shade/);
    expect(chance(after)).toBeLessThan(chance(before));
    expect(world.faults).toEqual([]);
  });
});

/** chance is the percentage of a hit in an item's name. */
function chance(item: { name: string }): number {
  return Number(/hit (\d+)%/.exec(item.name)?.[1]);
}
