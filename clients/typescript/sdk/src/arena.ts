import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ArenaSection,
  ArenaSectionSchema,
  type PutArenaRequestSchema,
  type PutWholeArenaRequestSchema,
} from "./gen/autobattle/v1/arena_pb.js";
import { type Block, BlockSchema } from "./gen/autobattle/v1/voxel_pb.js";

/** SIDE is the side of a section, in blocks. */
export const SIDE = 16;
const CELLS = SIDE * SIDE * SIDE;

/** down is the smallest corner of the section that a coordinate is in. */
function down(n: number): number {
  return Math.floor(n / SIDE) * SIDE;
}

/** BlockInit is a kind of block, as it is written in code. */
export type BlockInit = MessageInitShape<typeof BlockSchema>;

/** Arena is an upload: PutWholeArena takes it as it is. */
export type Arena = MessageInitShape<typeof PutWholeArenaRequestSchema> & { header: object; sections: ArenaSection[] };

/** Where is a block position. */
export interface Where {
  x: number;
  y: number;
  z: number;
}

/**
 * ArenaBuilder makes an arena of a box of blocks. Its corners are widened to whole sections of 16 blocks. What is not set is
 * the first kind of block that was added, or air.
 */
export class ArenaBuilder {
  readonly min: Where;
  readonly max: Where;
  readonly #palette: Block[] = [];
  readonly #places = new Map<string, number>();
  readonly #cells: Uint16Array;
  readonly #size: Where;

  /** A builder for the blocks from min to max, both included. */
  constructor(min: Where, max: Where) {
    this.min = { x: down(min.x), y: down(min.y), z: down(min.z) };
    this.max = { x: down(max.x) + SIDE, y: down(max.y) + SIDE, z: down(max.z) + SIDE };
    this.#size = { x: this.max.x - this.min.x, y: this.max.y - this.min.y, z: this.max.z - this.min.z };
    if (this.#size.x <= 0 || this.#size.y <= 0 || this.#size.z <= 0) {
      throw new RangeError("an arena's smallest corner must not be beyond its greatest");
    }
    this.#cells = new Uint16Array(this.#size.x * this.#size.y * this.#size.z);
  }

  /** cells is how many cells a builder of this box would have. */
  static cells(min: Where, max: Where): number {
    const side = (a: number, b: number) => down(b) + SIDE - down(a);
    return side(min.x, max.x) * side(min.y, max.y) * side(min.z, max.z);
  }

  /** count is the number of cells, for GetServerInfo's limit. */
  get count(): number {
    return this.#cells.length;
  }

  /** kind adds a kind of block to the palette, and gives its index; the same block gives the same index. */
  kind(block: BlockInit): number {
    const b = create(BlockSchema, block);
    const key = JSON.stringify([b.name, b.boxes.map((x) => [x.x0, x.y0, x.z0, x.x1, x.y1, x.z1]), b.sight, b.bulletProof, b.durability, b.medium, b.emits, b.passes]);
    let at = this.#places.get(key);
    if (at === undefined) {
      at = this.#palette.length;
      if (at >= 65533) throw new RangeError("an arena has at most 65533 kinds of blocks");
      this.#palette.push(b);
      this.#places.set(key, at);
    }
    return at;
  }

  /** set says what is at a cell, by the index that kind gave. */
  set(x: number, y: number, z: number, kind: number): void {
    const i = x - this.min.x, j = y - this.min.y, k = z - this.min.z;
    if (i < 0 || j < 0 || k < 0 || i >= this.#size.x || j >= this.#size.y || k >= this.#size.z) {
      throw new RangeError(`block ${x} ${y} ${z} is outside the arena`);
    }
    this.#cells[(j * this.#size.z + k) * this.#size.x + i] = kind;
  }

  /** build gives the upload. */
  build(): Arena {
    if (this.#palette.length === 0) this.kind(AIR);
    const sections: ArenaSection[] = [];
    for (let y = this.min.y; y < this.max.y; y += SIDE) {
      for (let z = this.min.z; z < this.max.z; z += SIDE) {
        for (let x = this.min.x; x < this.max.x; x += SIDE) sections.push(this.#section(x, y, z));
      }
    }
    return { header: { min: this.min, max: this.max, palette: this.#palette }, sections };
  }

  #section(x: number, y: number, z: number): ArenaSection {
    const local = new Map<number, number>();
    const palette: number[] = [];
    const cells = new Uint16Array(CELLS);
    let n = 0;
    for (let j = 0; j < SIDE; j++) {
      for (let k = 0; k < SIDE; k++) {
        const row = ((y - this.min.y + j) * this.#size.z + (z - this.min.z + k)) * this.#size.x + (x - this.min.x);
        for (let i = 0; i < SIDE; i++) {
          const kind = this.#cells[row + i] ?? 0;
          let at = local.get(kind);
          if (at === undefined) {
            at = palette.length;
            palette.push(kind);
            local.set(kind, at);
          }
          cells[n++] = at;
        }
      }
    }
    return create(ArenaSectionSchema, { at: { x, y, z }, palette, indices: packed(cells, palette.length) });
  }
}

/** AIR is the block that is none. */
export const AIR: BlockInit = { name: "air", passes: 15 };

/** packed packs indices below n: 1, 2, 4, 8 or 16 bits each, low bits first; none when n is 1. */
export function packed(cells: Uint16Array, n: number): Uint8Array {
  if (n <= 1) return new Uint8Array(0);
  let bits = 1;
  while (2 ** bits < n) bits *= 2;
  const out = new Uint8Array((cells.length * bits) / 8);
  if (bits === 16) {
    const view = new DataView(out.buffer);
    cells.forEach((c, i) => view.setUint16(i * 2, c, true));
    return out;
  }
  const per = 8 / bits;
  cells.forEach((c, i) => {
    const at = Math.floor(i / per);
    out[at] = (out[at] ?? 0) | (c << ((i % per) * bits));
  });
  return out;
}

/** arenaRequests is an upload in parts, each well below every server's limit of a message. */
export async function* arenaRequests(arena: Arena): AsyncIterable<MessageInitShape<typeof PutArenaRequestSchema>> {
  yield { part: { case: "header", value: arena.header } };
  const few = 64;
  for (let i = 0; i < arena.sections.length; i += few) {
    yield { part: { case: "sections", value: { sections: arena.sections.slice(i, i + few) } } };
  }
}
