import { createRequire } from "node:module";
import type { EventEmitter } from "node:events";

// flying-squid and its packages have no types of their own. What is used of them stands here, and nowhere else is anything
// taken on trust.

/** Vec3 is a place or a direction of the prismarine packages. */
export interface Vec3 {
  x: number;
  y: number;
  z: number;
}

/** Client is the connection of a player: packets by name. */
export interface Client extends EventEmitter {
  write(name: string, fields: Readonly<Record<string, unknown>>): void;
}

/** SquidItem is an item of prismarine-item. */
export interface SquidItem {
  type: number;
  name: string;
  count: number;
  nbt: unknown;
}

/** SquidPlayer is a player of flying-squid. */
export interface SquidPlayer extends EventEmitter {
  id: number;
  uuid: string;
  username: string;
  op: boolean;
  position: Vec3;
  world: World;
  heldItemSlot: number;
  inventory: { slots: (SquidItem | null | undefined)[]; updateSlot(slot: number, item: SquidItem | null): void };
  gameMode: number;
  setGameMode(mode: number): void;
  entityType: number | null;
  disconnected?: boolean;
  _client: Client;
  sendPosition(at: Vec3, onGround: boolean, teleport: boolean): Promise<unknown>;
  waitPlayerLogin(): Promise<void>;
}

/** Column is a chunk column of prismarine-chunk. */
export interface Column {
  getBlockStateId(at: Vec3): number;
}

/** World is a world of prismarine-world. */
export interface World {
  getColumn(x: number, z: number): Promise<Column | null | undefined>;
  getBlockStateId(at: Vec3): Promise<number>;
  setBlockStateId(at: Vec3, state: number): Promise<void>;
  setBlockType(at: Vec3, type: number): Promise<void>;
  setBlockData(at: Vec3, data: number): Promise<void>;
}

/** BlockEntry is a kind of block in minecraft-data. */
export interface BlockEntry {
  id: number;
  name: string;
  emitLight: number;
  filterLight: number;
  defaultState: number;
  minStateId: number;
}

/** Registry is the data of one game version. */
export interface Registry {
  version: { minecraftVersion: string };
  blocksByName: Readonly<Record<string, BlockEntry | undefined>>;
  blocksByStateId: Readonly<Record<number, BlockEntry | undefined>>;
  itemsByName: Readonly<Record<string, { id: number } | undefined>>;
  entitiesByName: Readonly<Record<string, { id: number } | undefined>>;
  particlesByName?: Readonly<Record<string, { id: number } | undefined>>;
  supportFeature(name: string): boolean;
}

/** Server is a running flying-squid. */
export interface Server extends EventEmitter {
  registry: Registry;
  overworld: World;
  players: SquidPlayer[];
  pluginsReady: boolean;
  isReady?: boolean;
  listeningPort: number;
  commands: {
    add(command: { base: string; aliases?: string[]; info: string; usage: string; op: boolean; onlyPlayer?: boolean; parse(text: string): unknown; action(parsed: unknown, ctx: { player?: SquidPlayer }): unknown }): void;
  };
  supportFeature(name: string): boolean;
  setBlock(world: World, at: Vec3, state: number): Promise<void>;
  quit(reason?: string): Promise<void>;
  destroy(): Promise<unknown>;
  stopTickInterval(): void;
}

/** Settings are those of flying-squid that this package sets. */
export type Settings = Readonly<Record<string, unknown>>;

interface BlockState {
  name: string;
  shapes?: number[][];
  getProperties(): Readonly<Record<string, string | number | boolean>>;
}

interface Packages {
  squid: { createMCServer(settings: Settings): Server };
  item(registry: Registry): { new (type: number, count: number, nbt: unknown): SquidItem; toNotch(item: SquidItem | null): unknown };
  block(registry: Registry): { fromStateId(state: number, biome: number): BlockState };
  vec3: { Vec3: new (x: number, y: number, z: number) => Vec3 };
}

const load = createRequire(import.meta.url);
const use = <K extends keyof Packages>(name: string): Packages[K] => load(name) as Packages[K];

/** createMCServer starts a flying-squid. */
export const createMCServer = use<"squid">("flying-squid").createMCServer;
/** itemsOf makes items of a game version. */
export const itemsOf = use<"item">("prismarine-item");
/** blocksOf makes blocks of a game version. */
export const blocksOf = use<"block">("prismarine-block");
/** vec3 is a place as the prismarine packages take it. */
export function vec3(at: Vec3): Vec3 {
  return new (use<"vec3">("vec3").Vec3)(at.x, at.y, at.z);
}
