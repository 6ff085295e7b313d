import { type BlockInit, pb } from "@autobattle/client";
import { sixteenths } from "./conventions.js";

/** HostBlock is what a host knows of a kind of block, in the words of Minecraft's data. */
export interface HostBlock {
  /** name with its state, such as minecraft:oak_stairs[facing=east]. */
  name: string;
  /** shapes are its collision boxes: smallest and greatest corner, 0..1. */
  shapes: readonly (readonly number[])[];
  /** emits is the light it gives off, 0..15. */
  emits: number;
  /** filters is the light it takes away, 0..15. */
  filters: number;
}

/** BlockRule says what is to be known of blocks whose name matches, and of which the host's data tells nothing. */
export interface BlockRule {
  /** match is a regular expression for the name without its game prefix. */
  match: RegExp;
  sight?: "clear" | "dim" | "opaque";
  bulletProof?: boolean;
  medium?: "liquid" | "climbable" | "hard" | "very-hard";
  durability?: number;
}

/** usualBlocks are what Minecraft's blocks are, by name. The first that matches counts, for each property by itself. */
export const usualBlocks: readonly BlockRule[] = [
  { match: /^(water|bubble_column|kelp|seagrass)/, medium: "liquid", sight: "dim", bulletProof: false },
  { match: /^lava/, medium: "liquid", sight: "opaque" },
  { match: /leaves/, sight: "dim", bulletProof: false },
  { match: /^(cobweb|web)\b/, medium: "very-hard", sight: "dim", bulletProof: false },
  { match: /glass|^ice|^frosted_ice|^barrier/, sight: "clear", bulletProof: false },
  { match: /^(ladder|vine|scaffolding|twisting_vines|weeping_vines|cave_vines)/, medium: "climbable" },
  { match: /^(sand|red_sand|gravel|soul_sand|soul_soil|mud|snow|powder_snow|clay)\b/, medium: "hard" },
];

/** blockOf says what a host's block is for sight, bullets, light and movement. */
export function blockOf(host: HostBlock, rules: readonly BlockRule[] = usualBlocks): BlockInit {
  const name = host.name.replace(/^[a-z0-9_]+:/, "");
  const find = <K extends keyof BlockRule>(key: K): BlockRule[K] | undefined => rules.find((r) => r[key] !== undefined && r.match.test(name))?.[key];
  const boxes = host.shapes.flatMap((s) => sixteenths(s) ?? []);
  const sight = find("sight") ?? (boxes.length > 0 ? "opaque" : "clear");
  return {
    name: host.name,
    boxes,
    sight: { clear: pb.Sight.CLEAR, dim: pb.Sight.DIM, opaque: pb.Sight.OPAQUE }[sight],
    bulletProof: find("bulletProof") ?? boxes.length > 0,
    durability: find("durability") ?? 0,
    medium: mediumOf(find("medium")),
    emits: Math.min(15, Math.max(0, host.emits)),
    passes: 15 - Math.min(15, Math.max(0, host.filters)),
  };
}

function mediumOf(word: BlockRule["medium"]): pb.Medium {
  switch (word) {
    case "liquid":
      return pb.Medium.LIQUID;
    case "climbable":
      return pb.Medium.CLIMBABLE;
    case "hard":
      return pb.Medium.HARD_GOING;
    case "very-hard":
      return pb.Medium.VERY_HARD_GOING;
    case undefined:
      return pb.Medium.AIR;
  }
}
