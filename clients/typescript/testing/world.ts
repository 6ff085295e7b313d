import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Autobattle, pb } from "@autobattle/client";
import { connectNode } from "@autobattle/client/node";
import { itemsOf, type Running, start, vec3 } from "@autobattle/flying-squid";
import { type Config, type Fight, lookOfAngles } from "@autobattle/plugin";
import { Player } from "./bots.js";
import { eventually, type TestServer } from "./server.js";

const others = "strength: 3, endurance: 3, dexterity: 3, movement: 3, perception: 3, willpower: 3";
const attributes = `reaction: 3, ${others}`;
const quick = `reaction: 6, ${others}`;
const slow = `reaction: 0, ${others}`;

/** people are the characters of the tests. */
export const people: Readonly<Record<string, string>> = {
  anna: `gender: feminine\ntraits: {${quick}, one_handed_weapons: 5, bows: 5, evasion: 3, parrying: 4}\nitems: [{ref: sword, slot: main}]\n`,
  boris: `traits: {${slow}, one_handed_weapons: 3, evasion: 3, parrying: 3}\nitems: [{ref: sword, slot: main}]\n`,
  archer: `traits: {${quick}, bows: 5, evasion: 3}\nitems: [{ref: bow, slot: main}, {ref: arrow, slot: bag}]\n`,
  thief: `traits: {${quick}, short_weapons: 5, evasion: 3}\n`,
  wrong: "traits: {strengh: 3}\nbeard: long\n",
  default: `traits: {${attributes}, evasion: 2}\nitems: [{ref: sword, slot: main}]\n`,
};

// flying-squid adds listeners to the process for every player.
process.setMaxListeners(0);

/** World is flying-squid with the plugin, and a folder of characters. */
export class World {
  readonly dir = mkdtempSync(join(tmpdir(), "autobattle-world-"));
  readonly client: Autobattle;
  readonly faults: string[] = [];
  /** took is how long each call of autobattled took, in milliseconds. */
  readonly took: [string, number][];
  #running: Running | undefined;
  #battles = 0;
  readonly #config: Partial<Config>;
  readonly #settings: Readonly<Record<string, unknown>>;

  private constructor(client: Autobattle, config: Partial<Config>, settings: Readonly<Record<string, unknown>>, took: [string, number][]) {
    this.client = client;
    this.took = took;
    this.#config = config;
    this.#settings = settings;
    for (const [name, yaml] of Object.entries(people)) writeFileSync(join(this.dir, `${name}.yaml`), yaml);
  }

  static async start(server: TestServer, config: Partial<Config> = {}, settings: Readonly<Record<string, unknown>> = {}): Promise<World> {
    const took: [string, number][] = [];
    const client = await connectNode({ url: server.grpc, key: server.key, roles: ["plugin", "master"], measured: (method, ms) => took.push([method, ms]) });
    const w = new World(client, config, settings, took);
    await w.again();
    return w;
  }

  /** again starts the game server again, as after a crash: players must join again. */
  async again(): Promise<void> {
    this.#running = await start(this.client, {
      port: 0,
      masters: ["Gm"],
      config: { name: "test", newId: () => String(++this.#battles), options: { death_confirm: "auto" }, characters: this.dir, slots: { main: "main", off: "off" }, ...this.#config },
      settings: this.#settings,
      report: (line) => this.faults.push(line),
    });
  }

  get running(): Running {
    if (!this.#running) throw new Error("the world is not started");
    return this.#running;
  }

  async join(name: string, version?: string): Promise<Player> {
    const p = await Player.join(this.running.port, name, version);
    await eventually(`${name} in the world`, () => this.running.host.players().some((x) => x.id === p.id));
    return p;
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

  /** block puts a block into the world, as the world itself would. */
  async block(x: number, y: number, z: number, name: string): Promise<void> {
    const { server } = this.running;
    await server.setBlock(server.overworld, vec3({ x, y, z }), server.registry.blocksByName[name]?.defaultState ?? 0);
  }

  /** give puts a thing into a player's hand. */
  give(p: Player, name: string): void {
    const { server } = this.running;
    const player = server.players.find((x) => x.uuid === p.id);
    const type = server.registry.itemsByName[name]?.id;
    if (!player || type === undefined) throw new Error(`nobody, or no ${name}`);
    player.inventory.updateSlot(36 + player.heldItemSlot, new (itemsOf(server.registry))(type, 1, null));
  }

  /** jump has a player's client claim that he is somewhere else, as a cheating one does. */
  jump(p: Player, x: number, y: number, z: number): void {
    p.bot.entity.position.set(x, y, z);
    p.bot._client.write("position", { x, y, z, onGround: true });
  }

  /** creative lets a player break blocks at once. */
  creative(p: Player): void {
    this.running.server.players.find((x) => x.uuid === p.id)?.setGameMode(1);
  }

  /** fight is the only battle, once it runs. */
  async fight(): Promise<Fight> {
    return eventually("a running battle", () => [...this.running.game.fights.values()].find((f) => f.battle.view?.phase === pb.Phase.RUNNING));
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
