import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import type { DescService } from "@bufbuild/protobuf";
import { type Arena, arenaRequests } from "./arena.js";
import { Battle, type BattleOptions } from "./battle.js";
import { calls, CommandIds } from "./calls.js";
import { AutobattleError } from "./errors.js";
import { ArenaService, type PutArenaResponse, type PutWholeArenaResponse } from "./gen/autobattle/v1/arena_pb.js";
import { BattleService } from "./gen/autobattle/v1/battle_pb.js";
import { CharacterService } from "./gen/autobattle/v1/character_pb.js";
import { MasterService } from "./gen/autobattle/v1/master_pb.js";
import { ReplayService } from "./gen/autobattle/v1/replay_pb.js";
import { type Catalogue, type GetServerInfoResponse, RulesService } from "./gen/autobattle/v1/rules_pb.js";
import type { RetryPolicy } from "./retry.js";

/** VERSION is the version of this package. */
export const VERSION = "0.1.0";

/** SCHEMA_LEVEL is the level of the schema that this package was made for; servers below it are refused. */
export const SCHEMA_LEVEL = 1;

/** Options are what every client needs, whatever carries its calls. */
export interface Options {
  /** url of the server, such as http://127.0.0.1:7446. */
  url: string;
  /** key is the API key, from the server's operator. */
  key: string;
  /** client names the program, for the server's logs. Default: this package. */
  client?: string;
  /** clientVersion is its version. */
  clientVersion?: string;
  /** features are words of GetServerInfo.features that the program cannot do without. */
  features?: readonly string[];
  /** roles are the key's roles that the program can work with. Default: all. */
  roles?: readonly string[];
  /** retry says how long calls are sent again while the server is away. */
  retry?: RetryPolicy;
  /** timeoutMs is how long one attempt of a unary call may take. Default 20000. */
  timeoutMs?: number;
  /** measured is told how long each unary call took, in milliseconds, by the method's name: for metrics. */
  measured?: (method: string, ms: number) => void;
}

/** Unfit says that the server was reached, and that this program cannot work with it. Its message tells what to do. */
export class Unfit extends Error {
  override readonly name = "Unfit";
}

/**
 * Autobattle is a server that was reached and found fit: its services, its handshake, and battles to follow. Calls of the
 * services need no command ids and are sent again while the server is away; they reject with AutobattleError.
 */
export class Autobattle {
  readonly battles: Client<typeof BattleService>;
  readonly arenas: Client<typeof ArenaService>;
  readonly characters: Client<typeof CharacterService>;
  readonly master: Client<typeof MasterService>;
  readonly rules: Client<typeof RulesService>;
  readonly replay: Client<typeof ReplayService>;
  /** info is the handshake. */
  readonly info: GetServerInfoResponse;
  readonly #catalogues = new Map<string, Promise<Catalogue>>();
  readonly #streams: boolean;

  private constructor(transport: Transport, info: GetServerInfoResponse, streams: boolean) {
    this.battles = explained(BattleService, transport);
    this.arenas = explained(ArenaService, transport);
    this.characters = explained(CharacterService, transport);
    this.master = explained(MasterService, transport);
    this.rules = explained(RulesService, transport);
    this.replay = explained(ReplayService, transport);
    this.info = info;
    this.#streams = streams;
  }

  /**
   * connect reaches the server and shakes hands. It rejects with Unfit when the server is too old, lacks a feature, or the
   * key has not the role; with AutobattleError when it cannot be reached or does not know the key. Make the transport with
   * connectNode or connectWeb.
   */
  static async connect(options: Options, carry: (i: Interceptor[]) => Transport, streams: boolean): Promise<Autobattle> {
    const transport = carry([
      calls({ key: options.key, ids: new CommandIds(), retry: options.retry ?? {}, timeoutMs: options.timeoutMs ?? 20000, measured: options.measured }),
    ]);
    const info = await explained(RulesService, transport).getServerInfo({
      client: options.client ?? "autobattle-typescript",
      clientVersion: options.clientVersion ?? VERSION,
    });
    if (info.schemaLevel < SCHEMA_LEVEL) {
      throw new Unfit(
        `autobattled ${info.serverVersion} speaks schema level ${info.schemaLevel}, and this program needs ${SCHEMA_LEVEL}: update the server, or use an older client`,
      );
    }
    const missing = (options.features ?? []).filter((f) => !info.features.includes(f));
    if (missing.length > 0) {
      throw new Unfit(`autobattled ${info.serverVersion} cannot do: ${missing.join(", ")}: update the server`);
    }
    if (options.roles && !options.roles.includes(info.role)) {
      throw new Unfit(
        `this API key has the role ${info.role}, and the program needs ${options.roles.join(" or ")}: ask the operator for another key (autobattled keys add)`,
      );
    }
    return new Autobattle(transport, info, streams);
  }

  /** battle follows a battle. It begins at once; see Battle. */
  battle(id: string, options: BattleOptions = {}): Battle {
    return new Battle(this.battles, id, options);
  }

  /** catalogue is a ruleset's vocabulary, kept after the first call. */
  catalogue(ruleset: string): Promise<Catalogue> {
    let kept = this.#catalogues.get(ruleset);
    if (!kept) {
      kept = this.rules.getCatalogue({ ruleset }).then((r) => {
        if (!r.catalogue) throw new Unfit(`the server sent no catalogue of ${ruleset}`);
        return r.catalogue;
      });
      kept.catch(() => this.#catalogues.delete(ruleset));
      this.#catalogues.set(ruleset, kept);
    }
    return kept;
  }

  /** putArena uploads an arena: in a stream where the transport has one, in one message otherwise. */
  putArena(arena: Arena): Promise<PutArenaResponse | PutWholeArenaResponse> {
    if (!this.#streams) return this.arenas.putWholeArena(arena);
    return this.arenas.putArena(arenaRequests(arena));
  }
}

/** explained is a service's client whose promises reject with AutobattleError. */
function explained<S extends DescService>(service: S, transport: Transport): Client<S> {
  return new Proxy(createClient(service, transport), {
    get(target, key, receiver) {
      const f: unknown = Reflect.get(target, key, receiver);
      if (typeof f !== "function") return f;
      return (...args: unknown[]): unknown => {
        const out: unknown = Reflect.apply(f, target, args);
        if (!(out instanceof Promise)) return out;
        return out.catch((thrown: unknown) => {
          throw AutobattleError.from(thrown);
        });
      };
    },
  });
}
