import { ArenaBuilder, type Autobattle, AutobattleError, type BlockInit, pb, type Where } from "@autobattle/client";
import { cut } from "./arena.js";
import { BadFile, type Config, type Person, readPerson } from "./config.js";
import { cellOf } from "./conventions.js";
import { type Box, Fight } from "./fight.js";
import type { Click, HostPlayer, HostPose, Listener, VoxelHost } from "./host.js";
import { master } from "./master.js";
import { Names } from "./names.js";
import { hostPose, poseInput } from "./poses.js";
import { type Role, Session } from "./session.js";
import { Trouble } from "./trouble.js";
import { type Locale, localeOf, say } from "./words.js";

/** Entrant is somebody who is to fight. */
interface Entrant {
  key: string;
  team: string;
  pose: HostPose;
  player?: HostPlayer;
  npc?: string;
}

/** Game is the plugin: battles of one host, their players and menus, and the commands. It knows no rules. */
export class Game implements Listener {
  readonly client: Autobattle;
  readonly host: VoxelHost;
  readonly config: Config;
  readonly fights = new Map<string, Fight>();
  readonly #report: (line: string) => void;
  readonly #locales = new Map<string, Locale>();
  readonly #timer: ReturnType<typeof setInterval>;
  #count = 0;

  private constructor(client: Autobattle, host: VoxelHost, config: Config, report: (line: string) => void) {
    this.client = client;
    this.host = host;
    this.config = config;
    this.#report = report;
    this.#timer = setInterval(() => this.#tick(), 500);
  }

  /**
   * open starts the plugin on a host, and resumes every battle of its name. It rejects with Trouble, in a sentence for the
   * operator, when the configuration names what the server does not know.
   */
  static async open(client: Autobattle, host: VoxelHost, config: Config, report: (line: string) => void): Promise<Game> {
    const names = new Names(await client.catalogue(config.ruleset), "en");
    for (const ref of Object.values(config.items)) {
      if (!names.has(ref)) throw new Trouble(say("en", "badItem", ref, config.ruleset));
    }
    const game = new Game(client, host, config, report);
    host.listen(game);
    await game.#resume();
    return game;
  }

  /** close stops the plugin; the battles wait on the server. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.fights.values()].map((f) => f.close()));
    this.fights.clear();
  }

  /** localeOf is the language of somebody: what he chose, else his client's. */
  localeOf(player: HostPlayer): Locale {
    return this.#locales.get(player.id) ?? localeOf(player.locale);
  }

  /** fightOf is the battle that somebody sees; those he fights in come first. */
  fightOf(playerId: string): Fight | undefined {
    const all = [...this.fights.values()].filter((f) => f.battle.state !== "over");
    return all.find((f) => f.actorOf(playerId)) ?? all.find((f) => f.sessions.has(playerId));
  }

  joined(player: HostPlayer): void {
    for (const f of this.fights.values()) {
      const pose = f.actorOf(player.id)?.pose;
      if (!pose) continue;
      this.host.teleport(player.id, hostPose(pose));
      this.#see(f, player, "player");
    }
  }

  left(player: HostPlayer): void {
    for (const f of this.fights.values()) {
      const s = f.sessions.get(player.id);
      f.sessions.delete(player.id);
      s?.close().catch((e: unknown) => this.#fault(e));
    }
  }

  moved(player: HostPlayer): void {
    const f = this.fightOf(player.id);
    const actor = f?.actorOf(player.id);
    const pose = this.host.pose(player.id);
    if (!f || !actor || !pose) return;
    const session = f.sessions.get(player.id);
    if (session?.walking) session.moved(pose.feet);
    else f.seen(actor, pose);
  }

  clicked(player: HostPlayer, click: Click): void {
    for (const s of this.#sessions(player.id)) s.clicked(click);
  }

  closed(player: HostPlayer): void {
    for (const s of this.#sessions(player.id)) s.closed();
  }

  changed(at: Where, block: BlockInit): void {
    for (const f of this.fights.values()) f.changed(at, block);
  }

  command(player: HostPlayer, line: string): void {
    const tell = (text: string) => this.host.tell(player.id, text);
    this.run(player, line)
      .then((answer) => {
        if (answer) tell(answer);
      })
      .catch((thrown: unknown) => {
        if (thrown instanceof Trouble || thrown instanceof BadFile) tell(thrown.message);
        else {
          const e = AutobattleError.from(thrown);
          tell(e.message);
          if (!e.byRules) this.#fault(e);
        }
      });
  }

  /** run does a command, and gives what to tell the player. */
  async run(player: HostPlayer, line: string): Promise<string> {
    const l = this.localeOf(player);
    const [word = "", ...rest] = line.trim().split(/\s+/).filter((w) => w !== "");
    switch (word) {
      case "":
      case "menu": {
        const session = this.#sessions(player.id).find((s) => s.prompt) ?? this.#sessions(player.id)[0];
        if (!session) return say(l, "noBattle");
        session.open();
        return "";
      }
      case "help":
        return player.master ? `${say(l, "help")}\n${say(l, "helpMaster")}` : say(l, "help");
      case "start":
        return say(l, "started", await this.#start(player, rest));
      case "list":
        return say(l, "battles", [...this.fights.keys()].join(", ") || say(l, "none"));
      case "watch": {
        const fight = rest[0] === undefined ? [...this.fights.values()].at(-1) : this.fights.get(rest[0]);
        if (!fight) throw new Trouble(say(l, "battles", say(l, "none")));
        this.#see(fight, player, player.master ? "master" : "spectator");
        return say(l, "watching", fight.id);
      }
      case "leave":
        for (const f of this.fights.values()) {
          if (f.actorOf(player.id)) continue;
          const s = f.sessions.get(player.id);
          f.sessions.delete(player.id);
          await s?.close();
        }
        return say(l, "left");
      case "lang": {
        const chosen = localeOf(rest[0] ?? "en");
        this.#locales.set(player.id, chosen);
        for (const f of this.fights.values()) {
          const s = f.sessions.get(player.id);
          if (s) this.#see(f, player, s.role);
        }
        return say(chosen, "language");
      }
      case "rule": {
        const { rule, text } = await this.client.rules.explainRule({ ruleset: this.config.ruleset, rule: rest[0] ?? "", locale: l });
        return [rule?.rule, l === "ru" ? rule?.text?.ru : rule?.text?.en, text].filter(Boolean).join(" — ");
      }
      case "gm": {
        if (!player.master) throw new Trouble(say(l, "notMaster"));
        const fight = this.fightOf(player.id) ?? [...this.fights.values()].at(-1);
        if (!fight) throw new Trouble(say(l, "noBattle"));
        return master(this.client, fight, l, rest);
      }
      default:
        throw new Trouble(say(l, "unknownCommand", word));
    }
  }

  /** start begins a battle of those who are named, or of all who are near. Sides are parted by "|"; npc:FILE joins an NPC. */
  async #start(by: HostPlayer, words: string[]): Promise<string> {
    const l = this.localeOf(by);
    const entrants = this.#entrants(by, words, l);
    const box = await this.#box(entrants, l);
    const people = await Promise.all(entrants.map((e) => this.#person(e)));
    const arena = await this.client.putArena(box.arena.build());
    const id = `${this.config.name}-${this.config.newId(++this.#count)}`;
    const teams = [...new Set(entrants.map((e) => e.team))].map((team) => ({ id: team, name: entrants.filter((e) => e.team === team).map((e) => e.npc ?? e.key).join(", ") }));
    const options = Object.entries(this.config.options).map(([name, v]) => (typeof v === "string" ? { name, word: v } : { name, number: BigInt(v) }));
    await this.client.battles.createBattle({ battleId: id, ruleset: this.config.ruleset, arena: arena.arena, teams, options, host: this.host.info, locale: l, title: teams.map((t) => t.name).join(" — ") });
    try {
      await this.client.battles.addActors({ battleId: id, locale: l, actors: entrants.map((e, i) => this.#actor(e, people[i])) });
      await this.client.battles.startBattle({ battleId: id, locale: l });
    } catch (e) {
      await this.client.battles.endBattle({ battleId: id, reason: "it could not begin" }).catch((x: unknown) => this.#fault(x));
      throw e;
    }
    await this.#follow(id, { min: box.arena.min, max: box.arena.max }, true);
    return id;
  }

  #entrants(by: HostPlayer, words: string[], l: Locale): Entrant[] {
    const here = this.host.players();
    const of = (player: HostPlayer, team: string): Entrant => {
      const pose = this.host.pose(player.id);
      if (!pose) throw new Trouble(say(l, "notHere", player.name));
      if (this.fightOf(player.id)?.actorOf(player.id)) throw new Trouble(say(l, "busy", player.name));
      return { key: player.name, team, pose, player };
    };
    const me = of(by, "1");
    const distance = (p: HostPlayer) => {
      const at = this.host.pose(p.id)?.feet;
      return at ? Math.hypot(at.x - me.pose.feet.x, at.y - me.pose.feet.y, at.z - me.pose.feet.z) : Infinity;
    };
    let out: Entrant[] = [];
    if (words.length === 0) {
      out = here.filter((p) => distance(p) <= this.config.near).map((p, i) => of(p, String(i + 1)));
    } else {
      const sides = words.join(" ").split("|").map((side) => side.split(/[\s,]+/).filter((w) => w !== ""));
      const parted = sides.length > 1;
      let n = 0;
      for (const [i, side] of sides.entries()) {
        for (const word of side) {
          n++;
          const team = String(parted ? i + 1 : n);
          if (word.startsWith("npc:")) out.push(this.#npc(me, word.slice(4), team, n));
          else {
            const player = here.find((p) => p.name.toLowerCase() === word.toLowerCase());
            if (!player) throw new Trouble(say(l, "notHere", word));
            out.push(of(player, team));
          }
        }
      }
    }
    if (new Set(out.map((e) => e.team)).size < 2) throw new Trouble(say(l, "needTwo"));
    return out;
  }

  /** npc stands two blocks before the one who starts, the next ones beside him. */
  #npc(by: Entrant, name: string, team: string, n: number): Entrant {
    const { look, feet } = by.pose;
    const [dx, dz] = Math.abs(look.x) > Math.abs(look.z) ? [Math.sign(look.x), 0] : [0, Math.sign(look.z) || 1];
    const aside = Math.floor(n / 2) * (n % 2 === 0 ? 1 : -1) - 1;
    const at = { x: Math.floor(feet.x + dx * 2 + dz * aside) + 0.5, y: feet.y, z: Math.floor(feet.z + dz * 2 + dx * aside) + 0.5 };
    return { key: `${name}-${n}`, team, npc: name, pose: { feet: at, look: { x: -dx, y: 0, z: -dz }, posture: "standing" } };
  }

  /** box reads the blocks round the fighters. */
  async #box(entrants: readonly Entrant[], l: Locale): Promise<{ arena: ArenaBuilder }> {
    const cells = entrants.map((e) => cellOf(e.pose.feet));
    const edge = (f: (...n: number[]) => number, axis: "x" | "y" | "z", by: number) => f(...cells.map((c) => c[axis])) + by;
    const { margin, height } = this.config;
    const min = { x: edge(Math.min, "x", -margin), y: edge(Math.min, "y", -height), z: edge(Math.min, "z", -margin) };
    const max = { x: edge(Math.max, "x", margin), y: edge(Math.max, "y", height), z: edge(Math.max, "z", margin) };
    const limit = Number(this.client.info.limits?.arenaCells ?? 0n);
    const count = ArenaBuilder.cells(min, max);
    if (limit > 0 && count > limit) throw new Trouble(say(l, "tooLarge", count, limit));
    const arena = await cut(this.host, min, max).catch((e: unknown) => {
      throw new Trouble(e instanceof Error ? e.message : String(e));
    });
    return { arena };
  }

  /** person is who an entrant is: a character of the server, or of the folder. */
  async #person(e: Entrant): Promise<Person | string> {
    const name = e.npc ?? e.player?.name ?? e.key;
    if (this.config.stored) {
      const id = e.npc ?? e.player?.id ?? e.key;
      const there = await this.client.characters.getCharacter({ characterId: id }).then(
        () => true,
        (x: unknown) => {
          if (AutobattleError.from(x).reason === pb.ErrorReason.CHARACTER_NOT_FOUND) return false;
          throw x;
        },
      );
      if (there) return id;
    }
    const person = this.config.characters === "" ? undefined : await readPerson(this.config.characters, name);
    if (!person) throw new Trouble(`There is no character for ${name}: put one into ${this.config.characters || "the characters folder"}, as ${name.toLowerCase()}.yaml or default.yaml.`);
    return e.player ? { ...person, name: e.player.name } : person;
  }

  #actor(e: Entrant, person: Person | string | undefined) {
    const held = e.player ? this.#held(e.player) : [];
    const controller = e.player ? { kind: pb.ControllerKind.PLAYER, player: e.player.id } : { kind: pb.ControllerKind.AUTOMATIC, player: "" };
    const base = { key: e.key, team: e.team, controller, pose: poseInput(e.pose), items: held };
    if (typeof person === "string") return { ...base, source: { case: "characterId" as const, value: person } };
    return { ...base, name: person?.name ?? e.key, grammar: person?.grammar ?? pb.Gender.UNSPECIFIED, source: { case: "sheet" as const, value: person?.sheet ?? {} } };
  }

  /** held are the things in his hands and on him that the table knows. */
  #held(player: HostPlayer): { ref: string; slot: string }[] {
    return this.host.items(player.id).flatMap((i) => {
      const ref = this.config.items[i.name];
      return ref === undefined ? [] : [{ ref, slot: this.config.slots[i.place] ?? "" }];
    });
  }

  /** resume goes on with every battle of this host's name. */
  async #resume(): Promise<void> {
    for (let pageToken = "", more = true; more; ) {
      const page = await this.client.battles.listBattles({ pageToken });
      for (const b of page.battles) {
        if (b.battleId.startsWith(`${this.config.name}-`) && (b.phase === pb.Phase.RUNNING || b.phase === pb.Phase.PAUSED)) await this.#follow(b.battleId, await this.#bounds(b.battleId), false);
      }
      pageToken = page.nextPageToken;
      more = pageToken !== "";
    }
  }

  /** bounds are those of a battle's arena, as its export begins; none: it has no arena. */
  async #bounds(id: string): Promise<Box | undefined> {
    for await (const { record } of this.client.replay.exportBattle({ battleId: id })) {
      const part = record?.record;
      if (part?.case === "arena" && part.value.part.case === "header") {
        const { min, max } = part.value.part.value;
        return min && max && { min, max };
      }
      if (part?.case === "commit") return undefined;
    }
    return undefined;
  }

  async #follow(id: string, box: Box | undefined, begins: boolean): Promise<void> {
    const fight = new Fight(this.client, this.host, id, box, (e) => this.#fault(e));
    this.fights.set(id, fight);
    await fight.battle.ready();
    fight.battle.on("state", (s) => {
      if (s === "over") this.#end(fight);
    });
    for (const p of this.host.players()) if (fight.actorOf(p.id)) this.#see(fight, p, "player", begins);
  }

  /** end forgets a battle once all who saw it have seen its end. */
  #end(fight: Fight): void {
    const sessions = [...fight.sessions.values()];
    Promise.all(sessions.map((s) => s.battle.until((b) => b.state === "over").catch(() => undefined)))
      .then(() => fight.close())
      .then(() => this.fights.delete(fight.id))
      .catch((e: unknown) => this.#fault(e));
  }

  /** see shows a fight to somebody; with begins, from its first sentence. */
  #see(fight: Fight, player: HostPlayer, role: Role, begins = false): void {
    fight.sessions.get(player.id)?.close().catch((e: unknown) => this.#fault(e));
    const locale = this.localeOf(player);
    const eyes = role === "player" ? { playerId: player.id } : role === "spectator" ? { viewer: { kind: pb.ViewerKind.SPECTATOR } } : {};
    const battle = this.client.battle(fight.id, { locale, beginning: begins, ...eyes });
    this.client
      .catalogue(fight.battle.view?.rules?.ruleset ?? this.config.ruleset)
      .then((catalogue) => {
        const session = new Session({ host: this.host, userId: player.id, role, battle, catalogue, locale, report: (e) => this.#fault(e) });
        fight.sessions.set(player.id, session);
      })
      .catch((e: unknown) => this.#fault(e));
  }

  #sessions(playerId: string): Session[] {
    return [...this.fights.values()].flatMap((f) => f.sessions.get(playerId) ?? []);
  }

  #tick(): void {
    for (const f of this.fights.values()) for (const s of f.sessions.values()) s.tick();
  }

  #fault(e: unknown): void {
    this.#report(`autobattle: ${e instanceof Error ? e.message : String(e)}`);
  }
}
