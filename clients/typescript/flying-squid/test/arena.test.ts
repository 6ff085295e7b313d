import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pb } from "@autobattle/client";
import { TestServer } from "../../testing/server.js";
import { World } from "../../testing/world.js";

const maps = fileURLToPath(new URL("../../../../../shared/arenas/earthborn", import.meta.url));
const there = existsSync(maps);
if (!there) console.log("left out: a battle in a player-made cave at game version 1.8.8, since ../shared/arenas/earthborn is not there");

describe.runIf(there)("a cave that a player has built, at game version 1.8.8", () => {
  let server: TestServer;
  let world: World;
  const folder = mkdtempSync(join(tmpdir(), "autobattle-map-"));

  beforeAll(async () => {
    cpSync(maps, folder, { recursive: true });
    server = await TestServer.start();
    world = await World.start(server, { margin: 24 }, { version: "1.8.8", worldFolder: folder });
  });
  afterAll(async () => {
    await world.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** floor finds a row of cells that one can stand on, with something over one's head. */
  async function floor(): Promise<{ x: number; y: number; z: number }> {
    const min = { x: -64, y: 20, z: -64 };
    const blocks = await world.running.host.readBlocks(min, { x: 63, y: 100, z: 63 });
    const solid = (x: number, y: number, z: number) => (blocks.kinds[blocks.at(x, y, z)]?.boxes?.length ?? 0) > 0;
    const air = (x: number, y: number, z: number) => blocks.kinds[blocks.at(x, y, z)]?.name === "minecraft:air";
    for (let y = 30; y < 80; y++) {
      for (let z = -50; z < 50; z++) {
        for (let x = -50; x < 50; x++) {
          const cells = [0, 1, 2, 3].every((i) => solid(x + i, y - 1, z) && [0, 1, 2].every((j) => air(x + i, y + j, z)));
          if (cells && [4, 5, 6, 7, 8, 9, 10, 11, 12].some((j) => solid(x, y + j, z))) return { x, y, z };
        }
      }
    }
    throw new Error("the cave has no floor");
  }

  it("is fought in: cut from the world, seen by the rules, played by the menu", async () => {
    const at = await floor();
    const [archer, boris] = await Promise.all([world.join("Archer", "1.8.8"), world.join("Boris", "1.8.8")]);
    await world.put(archer, at.x + 0.5, at.y, at.z + 0.5, -90);
    await world.put(boris, at.x + 3.5, at.y, at.z + 0.5, 90);
    archer.says("/ab start Archer | Boris");
    const shot = await archer.click(/^Attack — Boris \(Bow\)/);
    expect(shot.name).toMatch(/hit \d+%/);
    await boris.click(/^Evade/);
    await archer.hears(/^(Archer (hit|missed) Boris|Boris evaded Archer)/);
    const fight = await world.fight();
    const [a, b] = fight.battle.view?.actors ?? [];
    const seen = await world.client.arenas.inspect({ battleId: fight.id, actorId: a?.id ?? 0, target: { case: "targetId", value: b?.id ?? 0 } });
    expect(seen).toMatchObject({ visible: true, open: true });
    expect(seen.sighting?.light?.sky).toBeLessThan(15);
    expect(fight.battle.view?.phase).toBe(pb.Phase.RUNNING);
    expect(world.faults).toEqual([]);
  });
});
