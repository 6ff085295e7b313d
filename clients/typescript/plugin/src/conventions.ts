/** Vector is a direction or a place, in blocks. */
export interface Vector {
  x: number;
  y: number;
  z: number;
}

/** Posture is how a body holds itself. */
export type Posture = "standing" | "crouching" | "prone";

const rad = Math.PI / 180;

/**
 * lookOfAngles is where somebody looks by the angles of the Minecraft protocol: degrees, yaw 0 towards +z and 90 towards -x,
 * pitch positive downwards.
 */
export function lookOfAngles(yawDeg: number, pitchDeg: number): Vector {
  const level = Math.cos(pitchDeg * rad);
  return { x: -Math.sin(yawDeg * rad) * level, y: -Math.sin(pitchDeg * rad), z: Math.cos(yawDeg * rad) * level };
}

/** anglesOfLook is the opposite: yaw in -180..180 (180 included), pitch in -90..90, in degrees. Straight up and down have yaw 0. */
export function anglesOfLook(look: Vector): { yawDeg: number; pitchDeg: number } {
  const level = Math.hypot(look.x, look.z);
  return {
    yawDeg: level === 0 ? 0 : Math.atan2(0 - look.x, look.z) / rad,
    pitchDeg: Math.atan2(0 - look.y, level) / rad,
  };
}

/** lookOfBot is where a mineflayer bot looks: radians, yaw 0 towards -z and growing to the left, pitch positive upwards. */
export function lookOfBot(yaw: number, pitch: number): Vector {
  return lookOfAngles(180 - yaw / rad, -pitch / rad);
}

/** botOfLook is the opposite: what a mineflayer bot's look takes. */
export function botOfLook(look: Vector): { yaw: number; pitch: number } {
  const { yawDeg, pitchDeg } = anglesOfLook(look);
  return { yaw: (180 - yawDeg) * rad, pitch: -pitchDeg * rad };
}

/** lookOfLuanti is where a Luanti player looks: radians, yaw 0 towards +z (north there), pitch positive downwards. */
export function lookOfLuanti(yaw: number, pitch: number): Vector {
  return lookOfAngles(yaw / rad, pitch / rad);
}

/** degreesOfTurn are the degrees, in 0..360, of an angle kept as a byte: 1/256 of a turn, with or without a sign. */
export function degreesOfTurn(byte: number): number {
  return (((byte % 256) + 256) % 256) * (360 / 256);
}

/** turnOfDegrees is the nearest byte, with a sign, -128..127, that a protocol carries for an angle. */
export function turnOfDegrees(deg: number): number {
  return ((((Math.round((deg * 256) / 360) + 128) % 256) + 256) % 256) - 128;
}

/** eyeHeight is how high the eyes are above the feet, in blocks: as in the game since version 1.14. */
export function eyeHeight(posture: Posture): number {
  switch (posture) {
    case "standing":
      return 1.62;
    case "crouching":
      return 1.27;
    case "prone":
      return 0.4;
  }
}

/** feetOfLuanti are the feet of somebody in a world whose block coordinates are the middles of blocks. */
export function feetOfLuanti(at: Vector): Vector {
  return { x: at.x + 0.5, y: at.y + 0.5, z: at.z + 0.5 };
}

/** cellOf is the block that a place is in. */
export function cellOf(at: Vector): Vector {
  return { x: Math.floor(at.x), y: Math.floor(at.y), z: Math.floor(at.z) };
}

/** sixteenths are a collision box of floating-point numbers in 1/16 block within its cell; none: nothing of it is left there. */
export function sixteenths(box: readonly number[]): { x0: number; y0: number; z0: number; x1: number; y1: number; z1: number } | undefined {
  const [x0, y0, z0, x1, y1, z1] = box.map((n) => Math.min(16, Math.max(0, Math.round(n * 16))));
  if (x0 === undefined || y0 === undefined || z0 === undefined || x1 === undefined || y1 === undefined || z1 === undefined) return undefined;
  return x0 < x1 && y0 < y1 && z0 < z1 ? { x0, y0, z0, x1, y1, z1 } : undefined;
}
