export { AIR, type Arena, ArenaBuilder, arenaRequests, type BlockInit, packed, SIDE, type Where } from "./arena.js";
export { Battle, type BattleOptions, type Events, type State } from "./battle.js";
export { CommandIds } from "./calls.js";
export { Autobattle, type Options, SCHEMA_LEVEL, Unfit, VERSION } from "./client.js";
export { AutobattleError } from "./errors.js";
export { pause, type RetryPolicy, retrying, sleep } from "./retry.js";
export { fold } from "./view.js";
/** pb holds the messages and services of the schema autobattle.v1. */
export * as pb from "./schema.js";
