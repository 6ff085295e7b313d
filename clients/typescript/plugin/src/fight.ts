import { type Autobattle, AutobattleError, type Battle, type BlockInit, pb, type Where } from "@autobattle/client";
import type { HostPose, VoxelHost } from "./host.js";
import { hostPose, poseInput } from "./poses.js";
import type { Session } from "./session.js";

/** Box is a box of blocks; max is one beyond. */
export interface Box {
  min: Where;
  max: Where;
}

/** Fight is one battle on this host: what the world must show of it, and what it must hear of the world. */
export class Fight {
  readonly id: string;
  /** battle is followed through the plugin's own eyes. */
  readonly battle: Battle;
  /** sessions are those who see it, by the host's id. */
  readonly sessions = new Map<string, Session>();
  readonly #client: Autobattle;
  readonly #host: VoxelHost;
  readonly #report: (e: unknown) => void;
  #box: Box | undefined;
  #edits = new Map<string, { at: Where; block: BlockInit }>();
  #sending: Promise<void> | undefined;
  #poses: Poses | undefined;
  readonly #figures = new Set<string>();

  constructor(client: Autobattle, host: VoxelHost, id: string, box: Box | undefined, report: (e: unknown) => void) {
    this.#client = client;
    this.#host = host;
    this.#report = report;
    this.id = id;
    this.#box = box;
    this.battle = client.battle(id);
    this.battle.on("update", (u) => this.#update(u));
  }

  /** close stops following, and takes away what was shown. */
  async close(): Promise<void> {
    this.#poses?.end();
    for (const f of this.#figures) this.#host.unfigure(f);
    await Promise.all([...this.sessions.values()].map((s) => s.close()));
    this.sessions.clear();
    await this.battle.close();
  }

  /** actorOf is a player's fighter. */
  actorOf(playerId: string): pb.Actor | undefined {
    return this.battle.view?.actors.find((a) => a.controller?.player === playerId);
  }

  /** named finds a fighter by his name or key, whatever its case. */
  named(word: string): pb.Actor | undefined {
    const w = word.toLowerCase();
    return this.battle.view?.actors.find((a) => a.name.toLowerCase() === w || a.key.toLowerCase() === w || `#${a.id}` === w);
  }

  /** changed reports a block that the world changed; blocks of one moment go together. */
  changed(at: Where, block: BlockInit): void {
    const b = this.#box;
    if (!b || at.x < b.min.x || at.y < b.min.y || at.z < b.min.z || at.x >= b.max.x || at.y >= b.max.y || at.z >= b.max.z) return;
    if (this.battle.view?.phase === pb.Phase.OVER) return;
    this.#edits.set(`${at.x} ${at.y} ${at.z}`, { at, block });
    this.#sending ??= this.#send();
  }

  /** settled waits until all changed blocks are known to the server. */
  async settled(): Promise<void> {
    while (this.#sending) await this.#sending;
  }

  /** seen reports where a fighter is seen; the server may set him back. */
  seen(actor: pb.Actor, pose: HostPose): void {
    if (this.battle.view?.phase !== pb.Phase.RUNNING || this.battle.state !== "live") return;
    this.#poses ??= new Poses(this.#client, this.id, (c) => this.#correct(c), this.#report, () => (this.#poses = undefined));
    this.#poses.put(actor.id, pose);
  }

  async #send(): Promise<void> {
    await Promise.resolve();
    while (this.#edits.size > 0) {
      const edits = [...this.#edits.values()];
      this.#edits.clear();
      await this.#client.arenas.updateBlocks({ battleId: this.id, edits }).catch(this.#report);
    }
    this.#sending = undefined;
  }

  #correct(c: pb.PoseCorrection): void {
    const player = this.battle.view?.actors.find((a) => a.id === c.actorId)?.controller?.player;
    const session = player === undefined ? undefined : this.sessions.get(player);
    if (!player || !c.pose || session?.walking) return;
    this.#host.teleport(player, hostPose(c.pose));
    const message = c.refusal?.message;
    if (message) this.#host.tell(player, message);
  }

  #update(u: pb.Update): void {
    for (const f of u.facts) {
      if (f.event.case !== "blocksChanged" || !f.event.value.by) continue;
      for (const e of f.event.value.edits) {
        if (e.at && e.block) this.#host.setBlock(e.at, e.block.name).catch(this.#report);
      }
    }
    if (u.snapshot || u.facts.some((f) => ["actorSet", "actorGone", "moved", "posed"].includes(f.event.case ?? ""))) this.#showFigures();
  }

  /** showFigures shows those who are no players and whom all may see. */
  #showFigures(): void {
    const there = new Set<string>();
    for (const a of this.battle.view?.actors ?? []) {
      if (a.controller?.player || !a.pose || a.audience) continue;
      const key = `${this.id}/${a.id}`;
      there.add(key);
      this.#figures.add(key);
      this.#host.figure(key, a.name, hostPose(a.pose));
    }
    for (const key of this.#figures) {
      if (there.has(key)) continue;
      this.#host.unfigure(key);
      this.#figures.delete(key);
    }
  }
}

/** Poses streams where people are seen: of each the latest, as fast as the server takes them. */
class Poses {
  readonly #latest = new Map<number, HostPose>();
  #wake: (() => void) | undefined;
  #over = false;

  constructor(client: Autobattle, id: string, correct: (c: pb.PoseCorrection) => void, report: (e: unknown) => void, done: () => void) {
    const run = async () => {
      for await (const r of client.arenas.reportPoses(this.#requests(id))) for (const c of r.corrections) correct(c);
    };
    run()
      .catch((thrown: unknown) => {
        const e = AutobattleError.from(thrown);
        if (!this.#over && !e.retryable) report(e);
      })
      .finally(() => {
        this.#over = true;
        done();
      });
  }

  put(actor: number, pose: HostPose): void {
    this.#latest.set(actor, pose);
    this.#wake?.();
  }

  end(): void {
    this.#over = true;
    this.#wake?.();
  }

  async *#requests(battleId: string) {
    for (let sequence = 1n; !this.#over; sequence++) {
      if (this.#latest.size === 0) await new Promise<void>((wake) => (this.#wake = wake));
      if (this.#over) return;
      const poses = [...this.#latest].map(([actorId, pose]) => ({ actorId, pose: poseInput(pose) }));
      this.#latest.clear();
      yield { battleId, poses, sequence };
    }
  }
}
