import type { BlockInit, Where } from "@autobattle/client";
import {
  anglesOfLook,
  blockOf,
  type Blocks,
  type HostInfo,
  type HostItem,
  type HostPlayer,
  type HostPose,
  type Listener,
  lookOfAngles,
  type Menu,
  type VoxelHost,
} from "@autobattle/plugin";
import { Figures } from "./figures.js";
import { WindowMenu } from "./window.js";
import { blocksOf, itemsOf, type Server, type SquidPlayer, vec3, type World } from "./squid.js";

/** Seen is what this adapter keeps of a player, because flying-squid does not, or not exactly. */
interface Seen {
  player: SquidPlayer;
  yawDeg: number;
  pitchDeg: number;
  crouching: boolean;
  locale: string;
  menu: WindowMenu;
}

/** HostOptions are what the adapter needs to know. */
export interface HostOptions {
  /** masters are the names of game masters, besides the server's operators. */
  masters: readonly string[];
}

/**
 * SquidHost fills VoxelHost for flying-squid. It works round what that server does otherwise: crouching that never
 * registers, angles kept as truncated bytes, clicks in our windows that would move things in the player's own inventory.
 */
export class SquidHost implements VoxelHost {
  readonly info: HostInfo;
  readonly #serv: Server;
  readonly #options: HostOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #kinds = new Map<number, BlockInit>();
  /** expected are the blocks that the battle's rules are putting: they are no news to the battle. */
  readonly #expected = new Map<string, number>();
  readonly #figures: Figures;
  #listener: Listener | undefined;

  constructor(serv: Server, options: HostOptions) {
    this.#serv = serv;
    this.#options = options;
    this.info = { game: "minecraft-java", gameVersion: serv.registry.version.minecraftVersion, plugin: "autobattle-flying-squid", pluginVersion: "0.1.0" };
    this.#figures = new Figures(serv);
    serv.on("newPlayer", (p: SquidPlayer) => this.#meet(p));
    serv.commands.add({
      base: "autobattle",
      aliases: ["ab"],
      info: "battles by the rules: /ab help",
      usage: "/ab help",
      op: false,
      onlyPlayer: true,
      parse: (text) => ({ text }),
      action: (parsed, ctx) => {
        if (ctx.player) this.#listener?.command(this.#player(ctx.player), textOf(parsed));
      },
    });
    this.#watchBlocks(serv.overworld);
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  players(): readonly HostPlayer[] {
    return [...this.#seen.values()].map((s) => this.#player(s.player));
  }

  pose(playerId: string): HostPose | undefined {
    const s = this.#seen.get(playerId);
    if (!s) return undefined;
    const { x, y, z } = s.player.position;
    return { feet: { x, y, z }, look: lookOfAngles(s.yawDeg, s.pitchDeg), posture: s.crouching ? "crouching" : "standing" };
  }

  items(playerId: string): readonly HostItem[] {
    const p = this.#seen.get(playerId)?.player;
    if (!p) return [];
    const places: [string, number][] = [["main", 36 + p.heldItemSlot], ["off", 45], ["head", 5], ["chest", 6], ["legs", 7], ["feet", 8]];
    return places.flatMap(([place, slot]) => {
      const item = p.inventory.slots[slot];
      return item ? [{ place, name: `minecraft:${item.name}` }] : [];
    });
  }

  teleport(playerId: string, pose: HostPose): void {
    const s = this.#seen.get(playerId);
    if (!s) return;
    const { yawDeg, pitchDeg } = anglesOfLook(pose.look);
    Object.assign(s, { yawDeg, pitchDeg });
    const { x, y, z } = pose.feet;
    void s.player.sendPosition(vec3(pose.feet), true, true);
    s.player._client.write("position", { x, y, z, yaw: yawDeg, pitch: pitchDeg, flags: 0, teleportId: 1 });
  }

  async readBlocks(min: Where, max: Where): Promise<Blocks> {
    const size = { x: max.x - min.x + 1, y: max.y - min.y + 1, z: max.z - min.z + 1 };
    const cells = new Uint16Array(size.x * size.y * size.z);
    const kinds: BlockInit[] = [];
    const places = new Map<number, number>();
    const at = vec3({ x: 0, y: 0, z: 0 });
    for (let cx = min.x >> 4; cx <= max.x >> 4; cx++) {
      for (let cz = min.z >> 4; cz <= max.z >> 4; cz++) {
        const column = await this.#serv.overworld.getColumn(cx, cz);
        if (!column) throw new Error(`The world has no blocks at ${cx * 16} ${cz * 16}: go there first, or choose a place that exists.`);
        const [x0, x1] = [Math.max(min.x, cx * 16), Math.min(max.x, cx * 16 + 15)];
        const [z0, z1] = [Math.max(min.z, cz * 16), Math.min(max.z, cz * 16 + 15)];
        let last = -1;
        let kind = 0;
        for (let y = min.y; y <= max.y; y++) {
          for (let z = z0; z <= z1; z++) {
            let i = ((y - min.y) * size.z + (z - min.z)) * size.x + (x0 - min.x);
            for (let x = x0; x <= x1; x++) {
              at.x = x & 15;
              at.y = y;
              at.z = z & 15;
              const state = column.getBlockStateId(at);
              if (state !== last) {
                last = state;
                kind = places.get(state) ?? -1;
                if (kind < 0) {
                  kind = kinds.length;
                  places.set(state, kind);
                  kinds.push(this.#kind(state));
                }
              }
              cells[i++] = kind;
            }
          }
        }
      }
    }
    return { kinds, at: (x, y, z) => cells[((y - min.y) * size.z + (z - min.z)) * size.x + (x - min.x)] ?? 0 };
  }

  async setBlock(at: Where, name: string): Promise<boolean> {
    const entry = this.#serv.registry.blocksByName[name.replace(/^minecraft:/, "").replace(/\[.*/, "")];
    if (!entry) return false;
    this.#expected.set(`${at.x} ${at.y} ${at.z}`, entry.defaultState);
    await this.#serv.setBlock(this.#serv.overworld, vec3(at), entry.defaultState);
    return true;
  }

  showMenu(playerId: string, menu: Menu): void {
    this.#seen.get(playerId)?.menu.show(menu);
  }

  closeMenu(playerId: string): void {
    this.#seen.get(playerId)?.menu.close();
  }

  tell(playerId: string, text: string): void {
    const s = this.#seen.get(playerId);
    if (s) for (const line of text.split("\n")) this.#chat(s.player, line, false);
  }

  status(playerId: string, text: string): void {
    const s = this.#seen.get(playerId);
    if (s) this.#chat(s.player, text, true);
  }

  mark(playerId: string, cells: readonly Where[]): void {
    const particleId = this.#serv.registry.particlesByName?.["happy_villager"]?.id;
    const s = this.#seen.get(playerId);
    if (!s || particleId === undefined) return;
    for (const c of cells) {
      const at = { x: c.x + 0.5, y: c.y + 0.1, z: c.z + 0.5 };
      s.player._client.write("world_particles", { particleId, longDistance: false, ...at, offsetX: 0.2, offsetY: 0, offsetZ: 0.2, particleData: 0, particles: 1, data: [] });
    }
  }

  figure(key: string, name: string, pose: HostPose): void {
    this.#figures.show(key, name, pose);
  }

  unfigure(key: string): void {
    this.#figures.hide(key);
  }

  #player(p: SquidPlayer): HostPlayer {
    return { id: p.uuid, name: p.username, locale: this.#seen.get(p.uuid)?.locale ?? "", master: p.op || this.#options.masters.includes(p.username) };
  }

  #meet(p: SquidPlayer): void {
    // From 1.20.2 on others are sent with the entity type 0 unless it is set.
    p.entityType ??= this.#serv.registry.entitiesByName["player"]?.id ?? null;
    const s: Seen = { player: p, yawDeg: 0, pitchDeg: 0, crouching: false, locale: "", menu: new WindowMenu(p._client, this.#serv.registry, itemsOf(this.#serv.registry)) };
    p._client.on("settings", (f: { locale?: string }) => (s.locale = f.locale ?? ""));
    const turned = (f: { yaw: number; pitch: number }) => {
      s.yawDeg = f.yaw;
      s.pitchDeg = f.pitch;
    };
    const moved = () => this.#seen.has(p.uuid) && this.#listener?.moved(this.#player(p));
    p._client.on("look", (f: { yaw: number; pitch: number }) => {
      turned(f);
      moved();
    });
    p._client.on("position_look", turned);
    p._client.on("entity_action", (f: { actionId: number | string }) => {
      if (f.actionId === 0 || f.actionId === "start_sneaking") s.crouching = true;
      else if (f.actionId === 1 || f.actionId === "stop_sneaking") s.crouching = false;
      else return;
      moved();
    });
    p.on("move_done", moved);
    s.menu.attach(
      (click) => this.#listener?.clicked(this.#player(p), click),
      () => this.#listener?.closed(this.#player(p)),
    );
    const joined = () => {
      if (p.disconnected) return;
      this.#seen.set(p.uuid, s);
      this.#figures.welcome(p);
      this.#listener?.joined(this.#player(p));
    };
    // The server puts him to his first place once more when his client has answered: he has joined only after that.
    p.on("spawned", () => setImmediate(() => void p.waitPlayerLogin().then(() => setImmediate(joined))));
    p.on("disconnected", () => {
      const who = this.#player(p);
      if (this.#seen.delete(p.uuid)) this.#listener?.left(who);
    });
  }

  /** watchBlocks hears of every change of the world, whoever makes it, by wrapping the functions that all changes go through. */
  #watchBlocks(world: World): void {
    const wrapped = (set: (at: Where, value: number) => Promise<void>) => async (at: Where, value: number) => {
      const cell = { x: Math.floor(at.x), y: Math.floor(at.y), z: Math.floor(at.z) };
      const before = await world.getBlockStateId(vec3(cell));
      await set(vec3(at), value);
      const state = await world.getBlockStateId(vec3(cell));
      const where = `${cell.x} ${cell.y} ${cell.z}`;
      const expected = this.#expected.get(where) === state;
      this.#expected.delete(where);
      if (state !== before && !expected) this.#listener?.changed(cell, this.#kind(state));
    };
    world.setBlockStateId = wrapped(world.setBlockStateId.bind(world));
    world.setBlockType = wrapped(world.setBlockType.bind(world));
    world.setBlockData = wrapped(world.setBlockData.bind(world));
  }

  /** kind is a block for the battle server. */
  #kind(state: number): BlockInit {
    let kind = this.#kinds.get(state);
    if (!kind) {
      const entry = this.#serv.registry.blocksByStateId[state];
      const block = blocksOf(this.#serv.registry).fromStateId(state, 0);
      const properties = Object.entries(block.getProperties());
      const lit = properties.find(([k]) => k === "lit")?.[1];
      const emits = lit === undefined ? (entry?.emitLight ?? 0) : String(lit) === "false" ? 0 : entry?.emitLight || 15;
      const told = properties.length > 0 ? `[${properties.map(([k, v]) => `${k}=${v}`).join(",")}]` : "";
      kind = blockOf({ name: `minecraft:${block.name}${told}`, shapes: block.shapes ?? [], emits, filters: entry?.filterLight ?? 0 });
      this.#kinds.set(state, kind);
    }
    return kind;
  }

  /** chat writes a line to a player as it is: flying-squid's own way reads "&" as colours. */
  #chat(p: SquidPlayer, text: string, bar: boolean): void {
    const content = JSON.stringify({ text });
    if (this.#serv.supportFeature("signedChat")) p._client.write("system_chat", { content, isActionBar: bar });
    else p._client.write("chat", { message: content, position: bar ? 2 : 0, sender: "0" });
  }
}

function textOf(parsed: unknown): string {
  return typeof parsed === "object" && parsed !== null && "text" in parsed ? String(parsed.text) : "";
}
