import { create } from "@bufbuild/protobuf";
import { type Cell, type Look, type Point, type Pose, PoseSchema, Posture, type Ref, RefKind } from "./gen/autobattle/v1/common_pb.js";
import type { Fact } from "./gen/autobattle/v1/facts_pb.js";
import { type Battle, Phase, SeedStateSchema } from "./gen/autobattle/v1/state_pb.js";

/**
 * fold brings a view of a battle up to date with facts. It answers false when it met a fact of a newer schema: then the view
 * must be fetched again. The fields dice and serial are in no fact and stay as they were.
 */
export function fold(b: Battle, facts: readonly Fact[]): boolean {
  let known = true;
  for (const fact of facts) known = apply(b, fact) && known;
  return known;
}

function apply(b: Battle, fact: Fact): boolean {
  const e = fact.event;
  switch (e.case) {
    case "began":
      if (e.value.rules) b.rules = e.value.rules;
      b.title = e.value.title;
      b.teams = e.value.teams;
      b.seed = create(SeedStateSchema, { commitment: e.value.commitment });
      b.phase = Phase.LOBBY;
      return true;
    case "entropyAdded":
      if (e.value.entropy) (b.seed ??= create(SeedStateSchema)).entropy.push(e.value.entropy);
      return true;
    case "phaseSet":
      b.phase = e.value.phase;
      b.outcome = [];
      if (b.seed) b.seed.reveal = new Uint8Array(0);
      return true;
    case "ended":
      b.phase = Phase.OVER;
      b.outcome = e.value.outcome;
      if (b.seed) b.seed.reveal = e.value.seed;
      return true;
    case "rulesSet":
      if (e.value.rules) b.rules = e.value.rules;
      return true;
    case "clocked":
      b.round = e.value.round;
      b.slot = e.value.slot;
      return true;
    case "queued":
      b.queue = [...e.value.seats];
      return true;
    case "actorSet":
      put(b.actors, e.value.actor, byId);
      return true;
    case "actorGone":
      actorGone(b, e.value.id);
      return true;
    case "traitSet": {
      const t = e.value.trait;
      if (e.value.gone) b.traits = b.traits.filter((x) => x.on !== t?.on || x.name !== t.name);
      else put(b.traits, t, (x, y) => x.on - y.on || words(x.name, y.name));
      return true;
    }
    case "moved": {
      const { actor, to, look } = e.value;
      pose(b, actor, (p) => ({ at: to, look, posture: p?.posture ?? Posture.STANDING }));
      return true;
    }
    case "posed": {
      const { actor, look, posture } = e.value;
      pose(b, actor, (p) => ({ at: p?.at, look, posture }));
      return true;
    }
    case "gaugeSet": {
      const g = e.value.gauge;
      if (e.value.gone) b.gauges = b.gauges.filter((x) => refs(x.on, g?.on) !== 0 || x.name !== g?.name);
      else put(b.gauges, g, (x, y) => refs(x.on, y.on) || words(x.name, y.name));
      return true;
    }
    case "conditionSet": {
      const c = e.value.condition;
      b.conditions = b.conditions.filter((x) => x.id !== c?.id || refs(x.on, c.on) === 0);
      put(b.conditions, c, (x, y) => refs(x.on, y.on) || x.id - y.id);
      return true;
    }
    case "conditionCleared":
      b.conditions = without(b.conditions, e.value.id);
      return true;
    case "itemSet":
      put(b.items, e.value.item, byId);
      return true;
    case "itemGone": {
      const is = isRef(RefKind.ITEM, e.value.id);
      b.items = without(b.items, e.value.id);
      b.gauges = b.gauges.filter((x) => !is(x.on));
      b.conditions = b.conditions.filter((x) => !is(x.on));
      return true;
    }
    case "zoneSet":
      put(b.zones, e.value.zone, byId);
      return true;
    case "zoneCleared":
      b.zones = without(b.zones, e.value.id);
      return true;
    case "planSet":
      put(b.plans, e.value.plan, byId);
      return true;
    case "planCleared":
      b.plans = without(b.plans, e.value.id);
      return true;
    case "knownSet": {
      const k = e.value.known;
      if (e.value.gone) b.known = b.known.filter((x) => x.by !== k?.by || refs(x.of, k.of) !== 0);
      else put(b.known, k, (x, y) => x.by - y.by || refs(x.of, y.of));
      return true;
    }
    case "blocksChanged":
      for (const at of e.value.gone) b.blocks = b.blocks.filter((x) => cells(x.at, at) !== 0);
      for (const edit of e.value.edits) put(b.blocks, edit, (x, y) => cells(x.at, y.at));
      return true;
    case "prompted":
      put(b.prompts, e.value.prompt, byId);
      return true;
    case "promptClosed":
      b.prompts = without(b.prompts, e.value.id);
      return true;
    case "answered": {
      const { prompt, intents, lines } = e.value;
      b.prompts = b.prompts.map((p) => (p.id === prompt ? { ...p, answer: intents, lines, done: true } : p));
      return true;
    }
    case "framed": {
      const f = e.value.frame;
      const at = b.frames.findIndex((x) => x.id === f?.id);
      if (f && at >= 0) b.frames[at] = f;
      else if (f) b.frames.push(f);
      return true;
    }
    case "unframed":
      b.frames = without(b.frames, e.value.id);
      return true;
    case "ruled":
      put(b.rulings, e.value.ruling, byId);
      return true;
    case "rulingCleared":
      b.rulings = without(b.rulings, e.value.id);
      return true;
    case "declared":
    case "rolled":
    case "revised":
    case "tallied":
    case "resolved":
    case "rewound":
    case "said":
      return true;
    case undefined:
      return false;
  }
}

/** pose changes where an actor is. The actor's record is replaced, since a fact may hold the old one. */
function pose(b: Battle, id: number, change: (p: Pose | undefined) => { at?: Point | undefined; look?: Look | undefined; posture: Posture }): void {
  b.actors = b.actors.map((a) => (a.id === id ? { ...a, pose: create(PoseSchema, change(a.pose)) } : a));
}

/** actorGone takes away an actor with all that was on it. */
function actorGone(b: Battle, id: number): void {
  const is = isRef(RefKind.ACTOR, id);
  b.actors = without(b.actors, id);
  b.traits = b.traits.filter((x) => x.on !== id);
  b.gauges = b.gauges.filter((x) => !is(x.on));
  b.conditions = b.conditions.filter((x) => !is(x.on) && x.with !== id);
  b.known = b.known.filter((x) => x.by !== id && !is(x.of));
  b.plans = b.plans.filter((x) => !is(x.owner));
  b.rulings = b.rulings.filter((x) => x.scope?.a !== id && x.scope?.b !== id);
  b.queue = b.queue.filter((x) => x.actor !== id);
}

/** put inserts or replaces a record in a sorted table. */
function put<T>(table: T[], record: T | undefined, order: (a: T, b: T) => number): void {
  if (record === undefined) return;
  const at = table.findIndex((x) => order(x, record) >= 0);
  const there = table[at];
  if (there === undefined) table.push(record);
  else table.splice(at, order(there, record) === 0 ? 1 : 0, record);
}

function without<T extends { id: number }>(table: readonly T[], id: number): T[] {
  return table.filter((x) => x.id !== id);
}

function byId(a: { id: number }, b: { id: number }): number {
  return a.id - b.id;
}

function words(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** refs orders refs as the server does; one that is not set is the battle's. */
function refs(a: Ref | undefined, b: Ref | undefined): number {
  return (a?.kind ?? RefKind.BATTLE) - (b?.kind ?? RefKind.BATTLE) || (a?.id ?? 0) - (b?.id ?? 0);
}

function isRef(kind: RefKind, id: number): (r: Ref | undefined) => boolean {
  return (r) => r?.kind === kind && r.id === id;
}

function cells(a: Cell | undefined, b: Cell | undefined): number {
  return (a?.y ?? 0) - (b?.y ?? 0) || (a?.z ?? 0) - (b?.z ?? 0) || (a?.x ?? 0) - (b?.x ?? 0);
}
