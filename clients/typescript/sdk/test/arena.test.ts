import { describe, expect, it } from "vitest";
import { AIR, ArenaBuilder, packed, pause } from "@autobattle/client";

describe("packed", () => {
  it("writes the narrowest width, low bits first", () => {
    expect([...packed(Uint16Array.of(0, 0, 0, 0, 0, 0, 0, 0), 1)]).toEqual([]);
    expect([...packed(Uint16Array.of(1, 0, 0, 0, 0, 0, 0, 1), 2)]).toEqual([0x81]);
    expect([...packed(Uint16Array.of(1, 2, 3, 0), 3)]).toEqual([0b00111001]);
    expect([...packed(Uint16Array.of(0, 15, 3, 8), 16)]).toEqual([0xf0, 0x83]);
    expect([...packed(Uint16Array.of(16, 255), 17)]).toEqual([16, 255]);
    expect([...packed(Uint16Array.of(1, 256), 257)]).toEqual([1, 0, 0, 1]);
  });
});

describe("ArenaBuilder", () => {
  it("widens to sections, keeps each kind once, and puts x fastest", () => {
    const b = new ArenaBuilder({ x: -1, y: 0, z: 3 }, { x: 0, y: 1, z: 3 });
    expect([b.min, b.max, b.count]).toEqual([{ x: -16, y: 0, z: 0 }, { x: 16, y: 16, z: 16 }, 2 * 4096]);
    const air = b.kind(AIR);
    const stone = b.kind({ name: "stone", boxes: [{ x1: 16, y1: 16, z1: 16 }], sight: 3, bulletProof: true });
    expect([air, stone, b.kind({ ...AIR })]).toEqual([0, 1, 0]);
    b.set(0, 1, 3, stone);
    const { sections, header } = b.build();
    expect(header).toMatchObject({ palette: [{ name: "air" }, { name: "stone" }] });
    expect(sections.map((s) => [s.at?.x, s.palette, s.indices.length])).toEqual([[-16, [0], 0], [0, [0, 1], 512]]);
    const bit = (1 * 16 + 3) * 16;
    expect(sections[1]?.indices[bit / 8]).toBe(1);
  });

  it("refuses cells outside", () => {
    const b = new ArenaBuilder({ x: 0, y: 0, z: 0 }, { x: 15, y: 15, z: 15 });
    expect(() => b.set(16, 0, 0, 0)).toThrow(/16 0 0 is outside/);
    expect(() => new ArenaBuilder({ x: 0, y: 0, z: 0 }, { x: -20, y: 0, z: 0 })).toThrow(RangeError);
  });
});

describe("pause", () => {
  it("doubles to a limit, half of it random", () => {
    const p = { firstMs: 100, mostMs: 1000 };
    expect([1, 2, 3, 4, 5, 60].map((n) => pause(p, n, () => 0))).toEqual([50, 100, 200, 400, 500, 500]);
    expect(pause(p, 1, () => 1)).toBe(100);
  });
});
