import { describe, expect, it } from "vitest";
import { pb } from "@autobattle/client";
import { anglesOfLook, blockOf, botOfLook, cellOf, degreesOfTurn, eyeHeight, feetOfLuanti, lookOfAngles, lookOfBot, lookOfLuanti, sixteenths, turnOfDegrees, type Vector } from "@autobattle/plugin";

const rounded = (v: Vector) => [v.x, v.y, v.z].map((n) => Math.round(n * 1000) / 1000 + 0);

describe("the protocol's angles", () => {
  it.each([
    [0, 0, [0, 0, 1]],
    [90, 0, [-1, 0, 0]],
    [180, 0, [0, 0, -1]],
    [-90, 0, [1, 0, 0]],
    [270, 0, [1, 0, 0]],
    [45, 0, [-0.707, 0, 0.707]],
    [0, 90, [0, -1, 0]],
    [0, -90, [0, 1, 0]],
    [90, 30, [-0.866, -0.5, 0]],
  ])("yaw %d, pitch %d looks to %j", (yaw, pitch, look) => {
    expect(rounded(lookOfAngles(yaw, pitch))).toEqual(look);
  });

  it("come back from the look", () => {
    for (const [yawDeg, pitchDeg] of [[0, 0], [90, 10], [-135, -45], [179, 80], [-1, 0.5]] as const) {
      const back = anglesOfLook(lookOfAngles(yawDeg, pitchDeg));
      expect(back.yawDeg).toBeCloseTo(yawDeg, 9);
      expect(back.pitchDeg).toBeCloseTo(pitchDeg, 9);
    }
    expect(anglesOfLook({ x: 0, y: 1, z: 0 })).toEqual({ yawDeg: 0, pitchDeg: -90 });
    expect(anglesOfLook({ x: 0, y: 0, z: -2 }).yawDeg).toBe(180);
  });
});

describe("other hosts' angles", () => {
  it("of a mineflayer bot: 1.0 and 0.3 radians are 122.7 and -17.2 degrees on the wire", () => {
    const { yawDeg, pitchDeg } = anglesOfLook(lookOfBot(1, 0.3));
    expect(yawDeg).toBeCloseTo(122.704, 3);
    expect(pitchDeg).toBeCloseTo(-17.189, 3);
    expect(rounded(lookOfBot(0, 0))).toEqual([0, 0, -1]);
    expect(rounded(lookOfBot(Math.PI / 2, 0))).toEqual([-1, 0, 0]);
    const back = botOfLook(lookOfBot(1, 0.3));
    expect([back.yaw, back.pitch].map((n) => Math.round(n * 1e6) / 1e6)).toEqual([1, 0.3]);
  });

  it("of Luanti: radians by the same formula, on blocks whose middles are whole", () => {
    expect(rounded(lookOfLuanti(0, 0))).toEqual([0, 0, 1]);
    expect(rounded(lookOfLuanti(Math.PI / 2, 0))).toEqual([-1, 0, 0]);
    expect(rounded(lookOfLuanti(0, Math.PI / 6))).toEqual([0, -0.5, 0.866]);
    expect(feetOfLuanti({ x: 3, y: 0.5, z: -2 })).toEqual({ x: 3.5, y: 1, z: -1.5 });
  });

  it("kept as bytes: signs do not matter, and the nearest is sent", () => {
    expect([0, 64, -64, 128, -128, 87].map(degreesOfTurn)).toEqual([0, 90, 270, 180, 180, 122.34375]);
    expect([0, 90, 270, 180, 359.9, 122.7, -17.2, 720].map(turnOfDegrees)).toEqual([0, 64, -64, -128, 0, 87, -12, 0]);
  });
});

describe("bodies and boxes", () => {
  it("has the game's eye heights", () => {
    expect([eyeHeight("standing"), eyeHeight("crouching"), eyeHeight("prone")]).toEqual([1.62, 1.27, 0.4]);
  });

  it("floors cells, also below zero", () => {
    expect(cellOf({ x: -0.5, y: 64, z: 3.99 })).toEqual({ x: -1, y: 64, z: 3 });
  });

  it("turns collision boxes into sixteenths within the cell", () => {
    expect(sixteenths([0, 0, 0, 1, 0.5, 1])).toEqual({ x0: 0, y0: 0, z0: 0, x1: 16, y1: 8, z1: 16 });
    expect(sixteenths([0.375, 0, 0.375, 0.625, 1.5, 0.625])).toEqual({ x0: 6, y0: 0, z0: 6, x1: 10, y1: 16, z1: 10 });
    expect(sixteenths([0, 0, 0, 1, 0.01, 1])).toBeUndefined();
  });
});

describe("blockOf", () => {
  const full = [[0, 0, 0, 1, 1, 1]];
  it.each([
    ["minecraft:air", [], 0, 0, { sight: pb.Sight.CLEAR, bulletProof: false, passes: 15, emits: 0, medium: pb.Medium.AIR }],
    ["minecraft:stone", full, 0, 15, { sight: pb.Sight.OPAQUE, bulletProof: true, passes: 0 }],
    ["minecraft:glowstone", full, 15, 15, { emits: 15, passes: 0 }],
    ["minecraft:glass_pane[north=true]", full, 0, 0, { sight: pb.Sight.CLEAR, bulletProof: false, passes: 15 }],
    ["minecraft:oak_leaves", full, 0, 1, { sight: pb.Sight.DIM, bulletProof: false, passes: 14 }],
    ["minecraft:water", [], 0, 2, { sight: pb.Sight.DIM, medium: pb.Medium.LIQUID, passes: 13 }],
    ["minecraft:ladder", [[0, 0, 0.8125, 1, 1, 1]], 0, 0, { medium: pb.Medium.CLIMBABLE, sight: pb.Sight.OPAQUE }],
    ["minecraft:soul_sand", full, 0, 15, { medium: pb.Medium.HARD_GOING }],
    ["minecraft:cobweb", [], 0, 1, { medium: pb.Medium.VERY_HARD_GOING }],
  ])("%s", (name, shapes, emits, filters, want) => {
    expect(blockOf({ name, shapes, emits, filters })).toMatchObject({ name, ...want });
  });
});
