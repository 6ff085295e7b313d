import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Player } from "../../testing/bots.js";
import { eventually, TestServer } from "../../testing/server.js";
import { World } from "../../testing/world.js";

let server: TestServer;
let world: World;

beforeAll(async () => {
  server = await TestServer.start();
  world = await World.start(server);
});
afterAll(async () => {
  await world.end();
  await server.stop();
});

/** fight clicks whatever his menu offers: a blow, a defence, anything; until the battle is over. */
async function fight(p: Player, wishes: readonly RegExp[]): Promise<number> {
  let clicks = 0;
  for (;;) {
    const item = await eventually(`${p.bot.username} is asked or the battle is over`, () => {
      if (p.chat.some((l) => /The battle is over\.|Бой окончен/.test(l))) return "over" as const;
      const free = p.menu?.items.filter((i) => !i.grey) ?? [];
      for (const wish of wishes) {
        const found = free.find((i) => wish.test(i.name));
        if (found) return found;
      }
      return undefined;
    });
    if (item === "over") return clicks;
    const before = p.shows;
    p.press(item.slot);
    clicks++;
    await eventually("an answer to the click", () => p.shows > before || !p.menu || p.chat.some((l) => /The battle is over\.|Бой окончен/.test(l)));
  }
}

describe("a duel", () => {
  it("is fought through the world and the menu to a wound and an end, in each one's own language", async () => {
    const [anna, boris] = await Promise.all([world.join("Anna"), world.join("Boris")]);
    boris.bot.setSettings({ locale: "ru_ru" } as never);
    await world.put(anna, 8.5, 5, 8.5, -90);
    await world.put(boris, 9.5, 5, 8.5, 90);
    anna.says("/ab start");
    await anna.hears(/begun/);
    const attack = await anna.sees(/Attack — Boris/);
    expect(attack.name).toMatch(/\d+%/);
    expect(attack.lore.join("\n")).toMatch(/Anna: One-handed weapons/);
    const run = anna.menu?.items.find((i) => i.name === "Run");
    expect(run).toMatchObject({ grey: true });
    expect(run?.lore.join(" ")).toMatch(/KM-MOVE-04/);
    await Promise.all([fight(anna, [/^Attack — /, /^(Parry|Evade)/, /./]), fight(boris, [/^Атака — /, /^(Парир|Уклон)/, /./])]);
    expect(anna.chat.join("\n")).toMatch(/took a wound/);
    expect(boris.chat.join("\n")).toMatch(/рана/);
    expect(world.faults).toEqual([]);
    await Promise.all([anna.leave(), boris.leave()]);
  });
});
