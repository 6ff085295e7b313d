import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cut } from "@autobattle/plugin";
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

const at = (sorted: readonly number[], share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

describe("what is measured, and printed", () => {
  it("clicks, each with a forecast: 200 of them", async () => {
    const [anna, boris] = await Promise.all([world.join("Anna"), world.join("Boris")]);
    await world.put(anna, 8.5, 5, 8.5, -90);
    await world.put(boris, 9.5, 5, 8.5, 90);
    anna.says("/ab start Anna | Boris");
    await anna.click(/^Attack — Boris \(/, true);
    const mod = /^Take the worse roll/;
    await anna.sees(mod);
    const times: number[] = [];
    const calls = world.took.length;
    for (let i = 0; i < 200; i++) {
      const { slot } = await anna.sees(mod);
      const shown = anna.nextMenu();
      const began = performance.now();
      anna.press(slot);
      await shown;
      times.push(performance.now() - began);
    }
    expect(world.took.length - calls).toBe(200);
    const server = world.took.slice(calls).reduce((sum, [, ms]) => sum + ms, 0);
    const all = times.reduce((sum, ms) => sum + ms, 0);
    times.sort((a, b) => a - b);
    console.log(`click to menu, 200 clicks: median ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms; ${Math.round((server / all) * 100)}% of it in calls of autobattled`);
  });

  it("the snapshot of 64 x 32 x 64 blocks", async () => {
    const max = { x: 63, y: 31, z: 63 };
    const times: number[] = [];
    const busy: number[] = [];
    for (let i = 0; i < 3; i++) {
      const began = performance.now();
      const cpu = process.cpuUsage();
      const arena = (await cut(world.running.host, { x: 0, y: 0, z: 0 }, max)).build();
      times.push(performance.now() - began);
      const { user, system } = process.cpuUsage(cpu);
      busy.push((user + system) / 1000);
      expect(arena.sections).toHaveLength(4 * 2 * 4);
    }
    const began = performance.now();
    const { cells } = await world.client.putArena((await cut(world.running.host, { x: 0, y: 0, z: 0 }, max)).build());
    expect(cells).toBe(131072n);
    console.log(`snapshot of 64 x 32 x 64: ${times.map((t) => t.toFixed(0)).join(", ")} ms, of the processor ${busy.map((t) => t.toFixed(0)).join(", ")} ms; with the upload ${(performance.now() - began).toFixed(0)} ms`);
    await eventually("no faults", () => world.faults.length === 0);
  });
});
