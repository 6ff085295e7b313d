import { create } from "@bufbuild/protobuf";
import { AutobattleError, type Battle, pb } from "@autobattle/client";
import { cellOf, type Vector } from "./conventions.js";
import type { Click, VoxelHost } from "./host.js";
import { type Draft, type Entry, type Page, promptPage, type Scene, stepPage, withOdds } from "./menu.js";
import { Names } from "./names.js";
import { hostPose, lookOf, poseInput } from "./poses.js";
import { type Locale, say } from "./words.js";

/** ROWS is how many entries a page of a menu shows; the last row is for turning pages. */
const ROWS = 45;

/** Role is what somebody is to a battle. */
export type Role = "player" | "master" | "spectator";

/** Watching is what a session needs: where it shows things, and what it follows. */
export interface Watching {
  host: VoxelHost;
  /** userId is the host's id of whoever sees it. */
  userId: string;
  role: Role;
  battle: Battle;
  catalogue: pb.Catalogue;
  locale: Locale;
  /** report is told of failures that are nobody's fault here. */
  report: (e: unknown) => void;
}

/** Walk is a walk under way: where it may end. */
interface Walk {
  promptId: number;
  offer: pb.Offer;
  actorId: number;
  reach: Set<string>;
  start: Vector;
}

/** Session shows one battle to one person: what happens, in his language, and the menu whenever he is waited for. */
export class Session {
  readonly role: Role;
  readonly battle: Battle;
  readonly names: Names;
  readonly #w: Watching;
  readonly #offs: (() => void)[] = [];
  #turn = 0;
  #shown: { prompt: pb.OpenPrompt; page: Page; first: number; above: Page[] } | undefined;
  #walk: Walk | undefined;
  #asked = 0;
  #away = false;
  #queue: Promise<void> = Promise.resolve();

  constructor(w: Watching) {
    this.#w = w;
    this.role = w.role;
    this.battle = w.battle;
    this.names = new Names(w.catalogue, w.locale);
    this.#offs.push(
      w.battle.on("update", (u) => this.#update(u)),
      w.battle.on("prompts", () => this.refresh()),
      w.battle.on("state", () => this.#state()),
    );
    this.#state();
    this.refresh();
  }

  /** close stops showing. */
  async close(): Promise<void> {
    for (const off of this.#offs) off();
    this.#leaveMenu();
    await this.battle.close();
  }

  /** prompt is what he is waited for now. */
  get prompt(): pb.OpenPrompt | undefined {
    if (this.role === "spectator") return undefined;
    return this.battle.prompts.filter((p) => p.live && !p.prompt?.done && this.#mine(p.prompt)).sort((a, b) => (a.prompt?.rank ?? 0) - (b.prompt?.rank ?? 0))[0];
  }

  /** actor is his own fighter. */
  get actor(): pb.Actor | undefined {
    return this.battle.view?.actors.find((a) => a.controller?.player === this.#w.userId);
  }

  /** walking says that he may walk now, and the prompt's clock runs. */
  get walking(): boolean {
    return this.#walk !== undefined;
  }

  /** refresh opens the menu of a prompt that was not shown, and closes one that is over. */
  refresh(): void {
    const prompt = this.prompt;
    const id = prompt?.prompt?.id ?? 0;
    if (id === this.#asked) return;
    this.#asked = id;
    this.#walk = undefined;
    if (id === 0) this.#leaveMenu();
    else this.open();
  }

  /** open shows the menu of his prompt, from its first page; while he walks, the menu that ends the walk. */
  open(): void {
    const prompt = this.prompt;
    if (!prompt) {
      this.#tell(say(this.names.locale, "noPrompt"));
      return;
    }
    this.#do(async () => {
      if (this.#walk) this.#show(prompt, this.#walkPage(this.#walk), []);
      else await this.#menu(prompt);
    });
  }

  /** clicked does what an item of his menu means. */
  clicked(click: Click): void {
    this.#do(async () => {
      const shown = this.#shown;
      if (!shown) return;
      if (click.at >= ROWS) {
        shown.first = shown.first + ROWS < shown.page.entries.length ? shown.first + ROWS : 0;
        this.#draw();
        return;
      }
      const entry = shown.page.entries[shown.first + click.at];
      if (entry) await this.#pick(shown.prompt, entry, click.more);
      else this.#draw();
    });
  }

  /** closed forgets the menu that he has closed; /ab opens it again. */
  closed(): void {
    this.#shown = undefined;
  }

  /** moved is told where he is now, and says whether he may be there; when not, he is set back. */
  moved(feet: Vector): boolean {
    const walk = this.#walk;
    if (!walk) return true;
    const at = cellOf(feet);
    const level = [at.y, at.y + 1, at.y - 1].some((y) => walk.reach.has(key({ ...at, y })));
    if (level || (at.x === walk.start.x && at.z === walk.start.z)) return true;
    this.#tell(say(this.names.locale, "tooFar"));
    this.setBack();
    return false;
  }

  /** setBack puts him where the battle has him. */
  setBack(): void {
    const pose = this.actor?.pose;
    if (pose) this.#w.host.teleport(this.#w.userId, hostPose(pose));
  }

  /** tick shows what must be repeated: the line of the battle, and what is in reach. */
  tick(): void {
    const line = this.#line();
    if (line !== "") this.#w.host.status(this.#w.userId, line);
    if (this.#walk) this.#w.host.mark(this.#w.userId, this.#walk.offer.region.flatMap((c) => c.cell ?? []));
  }

  #mine(p: pb.Prompt | undefined): boolean {
    if (!p || this.role !== "master") return true;
    const controller = this.battle.view?.actors.find((a) => a.id === p.whose)?.controller;
    return p.whose === 0 || controller?.kind === pb.ControllerKind.MASTER;
  }

  async #menu(prompt: pb.OpenPrompt): Promise<void> {
    const turn = ++this.#turn;
    const promptId = prompt.prompt?.id ?? 0;
    const [choices] = await this.battle.choices({ promptId });
    if (!choices || turn !== this.#turn) return;
    await this.#forecast(prompt, promptPage(this.#scene(), choices), []);
  }

  /** forecast shows a page with the odds of all that can be forecast. */
  async #forecast(prompt: pb.OpenPrompt, page: Page, above: Page[]): Promise<void> {
    const turn = this.#turn;
    const asked = page.entries.filter((e) => e.forecast).slice(0, 64);
    let full = page;
    if (asked.length > 0) {
      const intents = asked.flatMap((e) => e.forecast ?? []);
      const forecasts = await this.battle.preview({ promptId: prompt.prompt?.id ?? 0, intents }).catch((e: unknown) => {
        if (!AutobattleError.from(e).byRules) this.#w.report(e);
        return [];
      });
      full = withOdds(this.#scene(), page, forecasts);
    }
    if (turn === this.#turn) this.#show(prompt, full, above);
  }

  #show(prompt: pb.OpenPrompt, page: Page, above: Page[]): void {
    this.#shown = { prompt, page, first: 0, above };
    this.#draw();
  }

  #draw(): void {
    const shown = this.#shown;
    if (!shown) return;
    const items = shown.page.entries.slice(shown.first, shown.first + ROWS).map((e) => e.item);
    if (shown.page.entries.length > ROWS) {
      while (items.length < ROWS) items.push({ icon: "info", name: " ", lore: [] });
      items.push({ icon: "page", name: say(this.names.locale, "nextPage"), lore: [] });
    }
    const left = this.battle.leftMs(shown.prompt);
    const title = left === undefined ? shown.page.title : `${shown.page.title} · ${say(this.names.locale, "seconds", Math.ceil(left / 1000))}`;
    this.#w.host.showMenu(this.#w.userId, { title, items });
  }

  async #pick(prompt: pb.OpenPrompt, entry: Entry, more: boolean): Promise<void> {
    const shown = this.#shown;
    const pick = entry.pick;
    switch (pick.kind) {
      case "nothing":
        this.#draw();
        return;
      case "back": {
        const above = shown?.above.at(-1);
        if (above) this.#show(prompt, above, shown?.above.slice(0, -1) ?? []);
        return;
      }
      case "cancel":
        this.#walk = undefined;
        this.setBack();
        await this.#menu(prompt);
        return;
      case "decline":
        await this.#act(prompt, []);
        return;
      case "walk":
        this.#startWalk(prompt, pick.offer);
        return;
      case "stop":
        await this.#stopWalk(prompt);
        return;
      case "draft": {
        const draft = (more && pick.more) || pick.draft;
        const page = stepPage(this.#scene(), draft);
        const same = shown?.page.title === page?.title && draft.todo[0] === "mods";
        if (page) await this.#forecast(prompt, page, same ? (shown?.above ?? []) : [...(shown?.above ?? []), ...(shown ? [shown.page] : [])]);
        else await this.#act(prompt, [this.#looking(draft)]);
      }
    }
  }

  /** looking adds where he looks, when the act takes a look and it is his turn: facing is his own then. */
  #looking(draft: Draft): pb.Intent {
    const needs = this.names.act(draft.offer.act)?.look ?? pb.Needs.NONE;
    const pose = this.#w.host.pose(this.#w.userId);
    const turn = this.prompt?.prompt?.kind === pb.PromptKind.TURN && this.role === "player";
    if (!pose || !turn || needs === pb.Needs.NONE || needs === pb.Needs.UNSPECIFIED) return draft.intent;
    return { ...draft.intent, look: lookOf(pose.look) };
  }

  #startWalk(prompt: pb.OpenPrompt, offer: pb.Offer): void {
    const actor = this.battle.view?.actors.find((a) => a.id === prompt.prompt?.whose);
    if (!actor?.pose) return;
    const reach = new Set(offer.region.map((c) => key(c.cell ?? { x: 0, y: 0, z: 0 })));
    this.#walk = { promptId: prompt.prompt?.id ?? 0, offer, actorId: actor.id, reach, start: cellOf(hostPose(actor.pose).feet) };
    this.#closeMenu();
    this.#tell(say(this.names.locale, "walk"));
    this.tick();
  }

  #walkPage(walk: Walk): Page {
    const l = this.names.locale;
    const end = this.#walkEnd(walk);
    const stop: Entry = end
      ? { item: { icon: "ok", name: say(l, "stopHere"), lore: [`${end.x} ${end.y} ${end.z}`] }, pick: { kind: "stop" } }
      : { item: { icon: "grey", name: say(l, "stopHere"), lore: [say(l, "tooFar")] }, pick: { kind: "nothing" } };
    return { title: this.names.of("acts", walk.offer.act), entries: [stop, { item: { icon: "back", name: say(l, "cancel"), lore: [] }, pick: { kind: "cancel" } }] };
  }

  /** walkEnd is the cell of the region that he stands in, on the level that the rules have it on. */
  #walkEnd(walk: Walk): Vector | undefined {
    const pose = this.#w.host.pose(this.#w.userId);
    if (!pose) return undefined;
    const at = cellOf(pose.feet);
    return [at.y, at.y + 1, at.y - 1].map((y) => ({ ...at, y })).find((c) => walk.reach.has(key(c)));
  }

  async #stopWalk(prompt: pb.OpenPrompt): Promise<void> {
    const walk = this.#walk;
    const end = walk && this.#walkEnd(walk);
    if (!walk || !end) return this.open();
    this.#walk = undefined;
    const intent = create(pb.IntentSchema, { act: walk.offer.act, path: [end] });
    await this.#act(prompt, [this.#looking({ offer: walk.offer, intent, todo: [] })]);
  }

  /** act answers, with where he is seen; a move's own end is its path. */
  async #act(prompt: pb.OpenPrompt, intents: pb.Intent[]): Promise<void> {
    const p = prompt.prompt;
    const actor = this.battle.view?.actors.find((a) => a.id === p?.whose);
    const pose = actor && actor.controller?.player === this.#w.userId ? this.#w.host.pose(this.#w.userId) : undefined;
    const walks = intents.some((i) => i.path.length > 0);
    const poses = pose && actor && !walks && p?.kind === pb.PromptKind.TURN ? [{ actorId: actor.id, pose: poseInput(pose) }] : [];
    this.#shown = undefined;
    try {
      const result = await this.battle.act({ promptId: p?.id ?? 0, intents, poses });
      const mine = result.prompts.filter((x) => x.live && !x.prompt?.done && this.#mine(x.prompt));
      const same = mine.find((x) => x.prompt?.id === p?.id);
      if (same) await this.#menu(same);
      else if (mine.length === 0) this.#w.host.closeMenu(this.#w.userId);
    } catch (thrown) {
      const e = AutobattleError.from(thrown);
      this.#tell(e.message);
      if (!e.byRules) this.#w.report(e);
      if (e.reason === pb.ErrorReason.POSE_MOVED || e.reason === pb.ErrorReason.POSE_IN_BLOCK || walks) {
        this.#tell(say(this.names.locale, "setBack"));
        this.setBack();
      }
      if (this.prompt) await this.#menu(this.prompt);
      else this.#leaveMenu();
    }
  }

  #update(u: pb.Update): void {
    for (const line of u.lines) this.#tell(line.text);
    const mine = this.actor?.id;
    for (const f of u.facts) {
      if (f.event.case === "moved" && f.event.value.actor === mine) {
        const pose = this.#w.host.pose(this.#w.userId);
        const is = this.actor?.pose;
        if (pose && is && key(cellOf(pose.feet)) !== key(cellOf(hostPose(is).feet))) this.setBack();
      }
    }
    this.refresh();
  }

  #state(): void {
    const l = this.names.locale;
    switch (this.battle.state) {
      case "away":
        this.#away = true;
        this.#tell(say(l, "away"));
        break;
      case "live":
        if (this.#away) this.#tell(say(l, "isBack"));
        if (this.#away && this.prompt) this.open();
        this.#away = false;
        break;
      case "failed":
        this.#tell(say(l, "failed", this.battle.error?.message ?? ""));
        break;
      case "over":
        this.#leaveMenu();
        this.#tell(say(l, "over"));
        break;
      default:
    }
  }

  /** line is the battle in a line: the round, whose turn it is, his own conditions, the time that is left. */
  #line(): string {
    const view = this.battle.view;
    if (!view || this.battle.state !== "live") return "";
    const l = this.names.locale;
    const name = (id: number) => view.actors.find((a) => a.id === id)?.name ?? "?";
    const parts = [say(l, "round", view.round)];
    const queue = view.queue.map((s) => (s.state === pb.SeatState.ACTING ? `▶${name(s.actor)}` : name(s.actor)));
    if (queue.length > 0) parts.push(queue.join(" "));
    const own = this.actor?.id;
    const conditions = view.conditions.filter((c) => c.on?.kind === pb.RefKind.ACTOR && c.on.id === own).map((c) => this.names.condition(c));
    if (conditions.length > 0) parts.push(conditions.join(", "));
    const left = this.prompt && this.battle.leftMs(this.prompt);
    if (left !== undefined) parts.push(say(l, "seconds", Math.ceil(left / 1000)));
    return parts.join(" · ");
  }

  #scene(): Scene {
    return {
      names: this.names,
      refName: (ref) => {
        const view = this.battle.view;
        if (ref.kind === pb.RefKind.ACTOR) return view?.actors.find((a) => a.id === ref.id)?.name ?? `#${ref.id}`;
        const item = ref.kind === pb.RefKind.ITEM ? view?.items.find((i) => i.id === ref.id) : undefined;
        if (item) return this.names.item(item.ref);
        const condition = ref.kind === pb.RefKind.CONDITION ? view?.conditions.find((c) => c.id === ref.id) : undefined;
        return condition ? this.names.condition(condition) : `#${ref.id}`;
      },
    };
  }

  #leaveMenu(): void {
    this.#turn++;
    this.#shown = undefined;
    this.#walk = undefined;
    this.#w.host.closeMenu(this.#w.userId);
  }

  #closeMenu(): void {
    this.#shown = undefined;
    this.#w.host.closeMenu(this.#w.userId);
  }

  #tell(text: string): void {
    this.#w.host.tell(this.#w.userId, text);
  }

  /** do does one thing after the other. */
  #do(f: () => Promise<void>): void {
    this.#queue = this.#queue.then(f).catch((thrown: unknown) => {
      const e = AutobattleError.from(thrown);
      this.#tell(e.message);
      if (!e.byRules) this.#w.report(e);
    });
  }
}

function key(c: { x: number; y: number; z: number }): string {
  return `${c.x} ${c.y} ${c.z}`;
}
