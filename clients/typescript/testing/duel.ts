import { type Autobattle, pb } from "@autobattle/client";

const attributes = ["reaction", "strength", "endurance", "dexterity", "movement", "perception", "willpower"];

/** sheet is a swordsman of KMRP. */
export function sheet(level: number): { traits: { name: string; level: number }[]; items: { ref: string; slot: string }[] } {
  const skills = ["one_handed_weapons", "evasion", "parrying"];
  return {
    traits: [...attributes.map((name) => ({ name, level: 3 })), ...skills.map((name) => ({ name, level }))],
    items: [{ ref: "sword", slot: "main" }],
  };
}

/** duel creates and starts a battle of two swordsmen face to face, of the players p1 (Anna) and p2 (Boris). */
export async function duel(client: Autobattle, id: string): Promise<[number, number]> {
  await client.battles.createBattle({ battleId: id, ruleset: "kmrp", teams: [{ id: "red", name: "Red" }, { id: "blue", name: "Blue" }] });
  const { actorIds } = await client.battles.addActors({
    battleId: id,
    actors: [
      fighter("anna", "Anna", "red", "p1", 0.5, 1, 4, pb.Gender.FEMININE),
      fighter("boris", "Boris", "blue", "p2", 1.5, -1, 3, pb.Gender.MASCULINE),
    ],
  });
  await client.battles.startBattle({ battleId: id });
  const [a, b] = actorIds;
  if (a === undefined || b === undefined) throw new Error("two actors should have joined");
  return [a, b];
}

function fighter(key: string, name: string, team: string, player: string, x: number, look: number, level: number, grammar: pb.Gender) {
  return {
    key, name, team, grammar,
    controller: { kind: pb.ControllerKind.PLAYER, player },
    pose: { pose: { case: "host" as const, value: { x, y: 0, z: 0.5, facing: { case: "look" as const, value: { x: look } } } } },
    source: { case: "sheet" as const, value: sheet(level) },
  };
}

/** intentOf is the simplest intent within an offer. */
export function intentOf(offer: pb.Offer): { act: string; targets: pb.Target[]; items: number[] } {
  return { act: offer.act, targets: offer.targets.slice(0, 1), items: offer.items[0]?.items ?? [] };
}

/** pick is a sensible offer: a blow, a defence, or whatever is possible. */
export function pick(offers: readonly pb.Offer[]): pb.Offer | undefined {
  const free = offers.filter((o) => !o.refusal);
  return free.find((o) => o.act === "attack") ?? free.find((o) => o.act === "parry" || o.act === "evade") ?? free[0];
}
