import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Client, Code } from "@connectrpc/connect";
import { AutobattleError } from "./errors.js";
import {
  ActRequestSchema,
  type BattleService,
  type Choices,
  type CommandResult,
  ListChoicesRequestSchema,
  PreviewRequestSchema,
  type Update,
  ViewerSchema,
  WatchBattleRequestSchema,
} from "./gen/autobattle/v1/battle_pb.js";
import { ErrorReason } from "./gen/autobattle/v1/error_pb.js";
import type { Forecast } from "./gen/autobattle/v1/intent_pb.js";
import { type Battle as View, BattleSchema, type OpenPrompt, Phase } from "./gen/autobattle/v1/state_pb.js";
import { pause, sleep } from "./retry.js";
import { fold } from "./view.js";

/** BattleOptions say through whose eyes a battle is followed. */
export interface BattleOptions {
  /** playerId is the player that the program speaks for; empty: the program itself. */
  playerId?: string;
  /** locale of the sentences: en or ru. Default en. */
  locale?: string;
  /** viewer says through whose eyes; none: the player's, or what the key may see. */
  viewer?: MessageInitShape<typeof ViewerSchema>;
  /** beginning replays the battle from its first commit, as the viewer lived it. */
  beginning?: boolean;
  /** heartbeatMs is after how much silence the server shows that it is there, 1000..300000. Default 5000. */
  heartbeatMs?: number;
}

/**
 * State is how a battle is followed. connecting: no view yet. live: updates come. away: the server cannot be reached and is
 * called again and again. over: the battle has ended and all of it was delivered. failed: the server refused for good, see
 * Battle.error. closed: close was called.
 */
export type State = "connecting" | "live" | "away" | "over" | "failed" | "closed";

/** Events are what a battle tells its listeners. */
export interface Events {
  /** update: something happened; the view is already up to date. */
  update: (update: Update) => void;
  /** prompts: the viewer's open prompts are others than before. */
  prompts: (prompts: readonly OpenPrompt[]) => void;
  /** reset: the view was fetched as a whole, at the beginning or because what was seen before is void. */
  reset: (view: View) => void;
  /** state: it is followed in another way. */
  state: (state: State) => void;
}

type ActInit = MessageInitShape<typeof ActRequestSchema>;
type PreviewInit = MessageInitShape<typeof PreviewRequestSchema>;
type ChoicesInit = MessageInitShape<typeof ListChoicesRequestSchema>;
type Own = "battleId" | "playerId" | "locale" | "$typeName" | "$unknown";

/**
 * Battle follows one battle through one viewer's eyes, and acts in it. It keeps the latest view and the open prompts; when
 * the connection is lost it comes back by its cursor, so that each update is delivered once and none is missed.
 */
export class Battle {
  /** id of the battle. */
  readonly id: string;
  readonly #service: Client<typeof BattleService>;
  readonly #options: BattleOptions;
  readonly #stop = new AbortController();
  readonly #listeners: { [E in keyof Events]: Set<Events[E]> } = { update: new Set(), prompts: new Set(), reset: new Set(), state: new Set() };
  #view: View | undefined;
  #prompts: OpenPrompt[] = [];
  #cursor = "";
  #state: State = "connecting";
  #error: AutobattleError | undefined;
  #offset = 0;
  readonly #done: Promise<void>;

  constructor(service: Client<typeof BattleService>, id: string, options: BattleOptions) {
    this.#service = service;
    this.id = id;
    this.#options = options;
    this.#done = this.#follow();
  }

  /** view is the battle as the viewer knows it now; none before the first update. It is changed in place: do not keep parts. */
  get view(): View | undefined {
    return this.#view;
  }
  /** prompts are the viewer's open prompts. */
  get prompts(): readonly OpenPrompt[] {
    return this.#prompts;
  }
  /** cursor is the point up to which everything was delivered. */
  get cursor(): string {
    return this.#cursor;
  }
  /** state is how the battle is followed now. */
  get state(): State {
    return this.#state;
  }
  /** error is why following failed for good. */
  get error(): AutobattleError | undefined {
    return this.#error;
  }

  /** leftMs is how long a prompt may still be answered, in milliseconds, by the server's clock; none: it has no deadline now. */
  leftMs(prompt: OpenPrompt): number | undefined {
    if (prompt.deadlineMs === 0n) return prompt.leftMs < 0n ? undefined : Number(prompt.leftMs);
    return Math.max(0, Number(prompt.deadlineMs) - (Date.now() + this.#offset));
  }

  /** on adds a listener, and gives the function that removes it. */
  on<E extends keyof Events>(event: E, listener: Events[E]): () => void {
    this.#listeners[event].add(listener);
    return () => this.#listeners[event].delete(listener);
  }

  /** until waits for a condition, looked at now and after each event; it rejects when following ends before. */
  until(what: (battle: Battle) => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const offs: (() => void)[] = [];
      const end = (f: () => void) => {
        for (const off of offs) off();
        f();
      };
      const look = () => {
        if (what(this)) end(resolve);
        else if (this.#state === "failed") end(() => reject(this.#error));
        else if (this.#state === "closed" || this.#state === "over") end(() => reject(new Error(`battle ${this.id} is ${this.#state}`)));
      };
      offs.push(this.on("update", look), this.on("prompts", look), this.on("reset", look), this.on("state", look));
      signal?.addEventListener("abort", () => end(() => reject(signal.reason)), { once: true });
      look();
    });
  }

  /** ready waits for the first view. */
  ready(): Promise<void> {
    return this.until((b) => b.view !== undefined);
  }

  /** choices lists what may be answered now, and what not and why. */
  async choices(init: Omit<ChoicesInit, Own> = {}): Promise<Choices[]> {
    return (await this.#service.listChoices(create(ListChoicesRequestSchema, { ...init, ...this.#who() }))).choices;
  }

  /** preview forecasts intents without doing anything. */
  async preview(init: Omit<PreviewInit, Own>): Promise<Forecast[]> {
    return (await this.#service.preview(create(PreviewRequestSchema, { ...init, ...this.#who() }))).forecasts;
  }

  /** act answers a prompt. Sent again by itself while the server is away, and done once. */
  async act(init: Omit<ActInit, Own>): Promise<CommandResult> {
    const { result } = await this.#service.act(create(ActRequestSchema, { ...init, ...this.#who() }));
    if (!result) throw new Error("the server's answer holds no result");
    return result;
  }

  /** close stops following. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  #who(): { battleId: string; playerId: string; locale: string } {
    return { battleId: this.id, playerId: this.#options.playerId ?? "", locale: this.#options.locale ?? "en" };
  }

  async #follow(): Promise<void> {
    const stop = this.#stop.signal;
    for (let failures = 0; !stop.aborted; ) {
      try {
        await this.#watch(() => (failures = 0));
        if (this.#view?.phase === Phase.OVER) return this.#become("over");
      } catch (thrown) {
        const e = AutobattleError.from(thrown);
        if (stop.aborted) break;
        if (e.reason === ErrorReason.BAD_CURSOR && this.#cursor !== "") {
          this.#cursor = "";
        } else if (final(e)) {
          this.#error = e;
          return this.#become("failed");
        }
      }
      failures++;
      if (failures > 1 || this.#state === "connecting") this.#become("away");
      await sleep(pause({ firstMs: 20 }, failures), stop).catch(() => undefined);
    }
    this.#become("closed");
  }

  /** watch delivers updates until the stream ends, or is silent for too long. */
  async #watch(alive: () => void): Promise<void> {
    const every = this.#options.heartbeatMs ?? 5000;
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), every * 3);
    const from: MessageInitShape<typeof WatchBattleRequestSchema>["from"] =
      this.#cursor !== "" ? { case: "cursor", value: this.#cursor } : this.#options.beginning ? { case: "beginning", value: true } : { case: undefined };
    const request = create(WatchBattleRequestSchema, { ...this.#who(), viewer: this.#options.viewer, heartbeatMs: every, from });
    try {
      const signal = AbortSignal.any([this.#stop.signal, silent.signal]);
      for await (const { update } of this.#service.watchBattle(request, { signal })) {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), every * 3);
        alive();
        if (update && !(await this.#take(update))) return;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** take brings the view up to date. False: the view is to be fetched again. */
  async #take(u: Update): Promise<boolean> {
    this.#offset = Number(u.atMs) - Date.now();
    if (u.heartbeat) {
      this.#cursor = u.cursor;
      this.#become("live");
      return true;
    }
    if (u.snapshot) this.#view = u.snapshot;
    else this.#view ??= create(BattleSchema);
    const whole = u.snapshot !== undefined || fold(this.#view, u.facts);
    if (u.version !== 0n) this.#view.version = u.version;
    this.#cursor = whole ? u.cursor : "";
    const closed = u.facts.flatMap((f) => (f.event.case === "promptClosed" ? [f.event.value.id] : []));
    const before = this.#prompts;
    if (u.promptsChanged) this.#prompts = u.prompts;
    else if (closed.length > 0) this.#prompts = before.filter((p) => !closed.includes(p.prompt?.id ?? 0));
    this.#become("live");
    if (u.snapshot) this.#tell("reset", this.#view);
    this.#tell("update", u);
    if (u.promptsChanged || this.#prompts.length !== before.length) this.#tell("prompts", this.#prompts);
    return whole;
  }

  #become(state: State): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#tell("state", state);
  }

  #tell<E extends keyof Events>(event: E, value: Parameters<Events[E]>[0]): void {
    for (const listener of [...this.#listeners[event]]) (listener as (v: Parameters<Events[E]>[0]) => void)(value);
  }
}

/** final says that calling again cannot help. */
function final(e: AutobattleError): boolean {
  switch (e.code) {
    case Code.Unauthenticated:
    case Code.PermissionDenied:
    case Code.NotFound:
    case Code.InvalidArgument:
    case Code.Unimplemented:
    case Code.FailedPrecondition:
    case Code.DataLoss:
      return true;
    default:
      return false;
  }
}
