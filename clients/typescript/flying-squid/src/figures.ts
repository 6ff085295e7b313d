import { randomUUID } from "node:crypto";
import { anglesOfLook, type HostPose, turnOfDegrees } from "@autobattle/plugin";
import type { Server, SquidPlayer } from "./squid.js";

interface Figure {
  id: number;
  uuid: string;
  name: string;
  pose: HostPose;
}

/** Figures are armour stands with names, which only packets know of: the server's world has none. */
export class Figures {
  readonly #serv: Server;
  readonly #all = new Map<string, Figure>();
  #last = 1_000_000;

  constructor(serv: Server) {
    this.#serv = serv;
  }

  /** show shows a figure to all, or moves it. */
  show(key: string, name: string, pose: HostPose): void {
    let f = this.#all.get(key);
    if (f) {
      f.pose = pose;
      const { yaw, pitch } = turns(pose);
      for (const p of this.#serv.players) p._client.write("entity_teleport", { entityId: f.id, ...pose.feet, yaw, pitch, onGround: true });
      return;
    }
    f = { id: ++this.#last, uuid: randomUUID(), name, pose };
    this.#all.set(key, f);
    for (const p of this.#serv.players) this.#send(p, f);
  }

  /** hide takes a figure away. */
  hide(key: string): void {
    const f = this.#all.get(key);
    if (!f) return;
    this.#all.delete(key);
    for (const p of this.#serv.players) p._client.write("entity_destroy", { entityIds: [f.id] });
  }

  /** welcome shows all figures to somebody who has just come. */
  welcome(p: SquidPlayer): void {
    for (const f of this.#all.values()) this.#send(p, f);
  }

  #send(p: SquidPlayer, f: Figure): void {
    const type = this.#serv.registry.entitiesByName["armor_stand"]?.id;
    if (type === undefined || !this.#serv.supportFeature("consolidatedEntitySpawnPacket")) return;
    const { yaw, pitch } = turns(f.pose);
    p._client.write("spawn_entity", { entityId: f.id, objectUUID: f.uuid, type, ...f.pose.feet, pitch, yaw, headPitch: yaw, objectData: 0, velocity: { x: 0, y: 0, z: 0 }, velocityX: 0, velocityY: 0, velocityZ: 0 });
    p._client.write("entity_metadata", {
      entityId: f.id,
      metadata: [
        { key: 2, type: "optional_component", value: JSON.stringify({ text: f.name }) },
        { key: 3, type: "boolean", value: true },
      ],
    });
  }
}

function turns(pose: HostPose): { yaw: number; pitch: number } {
  const { yawDeg, pitchDeg } = anglesOfLook(pose.look);
  return { yaw: turnOfDegrees(yawDeg), pitch: turnOfDegrees(pitchDeg) };
}
