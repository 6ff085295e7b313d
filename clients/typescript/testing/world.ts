import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Autobattle } from "@autobattle/client";
import { connectNode } from "@autobattle/client/node";
import { type Running, start } from "@autobattle/flying-squid";
import { type Config, lookOfAngles } from "@autobattle/plugin";
import { Player } from "./bots.js";
import { eventually, type TestServer } from "./server.js";

const attributes = "reaction: 3, strength: 3, endurance: 3, dexterity: 3, movement: 3, perception: 3, willpower: 3";

/** people are the characters of the tests. */
export const people: Readonly<Record<string, string>> = {
  anna: `gender: feminine\ntraits: {${attributes}, one_handed_weapons: 5, bows: 5, evasion: 3, parrying: 4, reaction: 6}\nitems: [{ref: sword, slot: main}]\n`.replace("reaction: 3, ", ""),
  boris: `traits: {${attributes}, one_handed_weapons: 3, evasion: 3, parrying: 3}\nitems: [{ref: sword, slot: main}]\n`,
  archer: `traits: {${attributes}, bows: 5, evasion: 3, reaction: 6}\nitems: [{ref: bow, slot: main}, {ref: arrow, slot: bag}]\n`.replace("reaction: 3, ", ""),
  wrong: "traits: {strengh: 3}\nbeard: long\n",
  default: `traits: {${attributes}, evasion: 2}\nitems: [{ref: sword, slot: main}]\n`,
};

/** World is flying-squid with the plugin, and a folder of characters. */
export class World {
  readonly dir = mkdtempSync(join(tmpdir(), "autobattle-world-"));
  readonly client: Autobattle;
  readonly faults: string[] = [];
  #running: Running | undefined;
  readonly #config: Partial<Config>;
  readonly #settings: Readonly<Record<string, unknown>>;

  private constructor(client: Autobattle, config: Partial<Config>, settings: Readonly<Record<string, unknown>>) {
    this.client = client;
    this.#config = config;
    this.#settings = settings;
    for (const [name, yaml] of Object.entries(people)) writeFileSync(join(this.dir, `${name}.yaml`), yaml);
  }

  static async start(server: TestServer, config: Partial<Config> = {}, settings: Readonly<Record<string, unknown>> = {}): Promise<World> {
    const client = await connectNode({ url: server.grpc, key: server.key, roles: ["plugin", "master"] });
    const w = new World(client, config, settings);
    await w.again();
    return w;
  }

  /** again starts the game server again, as after a crash: players must join again. */
  async again(): Promise<void> {
    this.#running = await start(this.client, {
      port: 0,
      masters: ["Gm"],
      config: { name: "test", options: { death_confirm: "auto" }, characters: this.dir, slots: { main: "main", off: "off" }, ...this.#config },
      settings: this.#settings,
      report: (line) => this.faults.push(line),
    });
  }

  get running(): Running {
    if (!this.#running) throw new Error("the world is not started");
    return this.#running;
  }

  join(name: string, version?: string): Promise<Player> {
    return Player.join(this.running.port, name, version);
  }

  /** put puts a player somewhere, looking by the protocol's yaw, and waits until his client knows. */
  async put(p: Player, x: number, y: number, z: number, yawDeg: number): Promise<void> {
    this.running.host.teleport(p.id, { feet: { x, y, z }, look: lookOfAngles(yawDeg, 0), posture: "standing" });
    await eventually(`${p.bot.username} at ${x} ${y} ${z}`, () => {
      const at = p.bot.entity.position;
      const pose = this.running.host.pose(p.id);
      return Math.hypot(at.x - x, at.z - z) < 0.3 && Math.abs(at.y - y) < 0.6 && pose !== undefined && Math.hypot(pose.feet.x - x, pose.feet.z - z) < 0.3;
    });
    await p.bot.look(((180 - yawDeg) * Math.PI) / 180, 0, true);
    await eventually(`${p.bot.username} looking`, () => {
      const want = lookOfAngles(yawDeg, 0);
      const look = this.running.host.pose(p.id)?.look;
      return look && Math.hypot(look.x - want.x, look.z - want.z) < 0.1;
    });
  }

  /** stop ends the game server, without a word to its players. */
  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  /** end stops and cleans up. */
  async end(): Promise<void> {
    await this.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
