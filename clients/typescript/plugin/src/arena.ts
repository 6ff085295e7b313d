import { AIR, ArenaBuilder, type Where } from "@autobattle/client";
import type { VoxelHost } from "./host.js";

/** cut reads the blocks from min to max, widened to whole sections, for an upload. It rejects with the host's sentence. */
export async function cut(host: VoxelHost, min: Where, max: Where): Promise<ArenaBuilder> {
  const arena = new ArenaBuilder(min, max);
  const last = { x: arena.max.x - 1, y: arena.max.y - 1, z: arena.max.z - 1 };
  const blocks = await host.readBlocks(arena.min, last);
  const kinds = blocks.kinds.map((b) => arena.kind(b));
  if (kinds.length === 0) kinds.push(arena.kind(AIR));
  for (let y = arena.min.y; y <= last.y; y++) {
    for (let z = arena.min.z; z <= last.z; z++) {
      for (let x = arena.min.x; x <= last.x; x++) arena.set(x, y, z, kinds[blocks.at(x, y, z)] ?? 0);
    }
  }
  return arena;
}
