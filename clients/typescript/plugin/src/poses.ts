import { create } from "@bufbuild/protobuf";
import { pb } from "@autobattle/client";
import type { Posture, Vector } from "./conventions.js";
import type { HostPose } from "./host.js";

/** UNIT is how many units of a position make a block. */
export const UNIT = 256;

const postures: Readonly<Record<Posture, pb.Posture>> = {
  standing: pb.Posture.STANDING,
  crouching: pb.Posture.CROUCHING,
  prone: pb.Posture.PRONE,
};

/** poseInput is a host's pose as calls take it. */
export function poseInput(p: HostPose): pb.PoseInput {
  const value = create(pb.HostPoseSchema, { ...p.feet, facing: { case: "look", value: p.look }, posture: postures[p.posture] });
  return create(pb.PoseInputSchema, { pose: { case: "host", value } });
}

/** hostPose is a battle's pose in the host's numbers. */
export function hostPose(p: pb.Pose): HostPose {
  const { x = 0, y = 0, z = 0 } = p.look ?? {};
  const length = Math.hypot(x, y, z) || 1;
  return {
    feet: placeOf(p),
    look: { x: x / length, y: y / length, z: z / length },
    posture: p.posture === pb.Posture.PRONE ? "prone" : p.posture === pb.Posture.CROUCHING ? "crouching" : "standing",
  };
}

/** placeOf is where a battle's pose has the feet, in blocks. */
export function placeOf(p: pb.Pose): Vector {
  return { x: (p.at?.x ?? 0) / UNIT, y: (p.at?.y ?? 0) / UNIT, z: (p.at?.z ?? 0) / UNIT };
}

/** lookOf is a look in the whole numbers that intents take. */
export function lookOf(look: Vector): pb.Look {
  const whole = (n: number) => Math.round(n * 16384);
  return create(pb.LookSchema, { x: whole(look.x), y: whole(look.y), z: whole(look.z) });
}
