// Walks the ways that the Go side wrote with the ray walkers of two npm packages. Reads the name of a peer from a line of standard
// input, answers with rays per second.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
const [dir, side, far] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const require = createRequire(process.cwd() + '/');
const fvr = require('fast-voxel-raycast');
const { iterators: { RaycastIterator } } = require('prismarine-world');
const { Vec3 } = require('vec3');

const buffer = (name) => { const b = readFileSync(`${dir}/${name}`); return b.buffer.slice(b.byteOffset, b.byteOffset + b.length); };
const world = new Uint32Array(buffer('world')), rays = new Float64Array(buffer('rays'));
const solid = (x, y, z) => { const i = (y * side + z) * side + x; return (world[i >>> 5] >>> (i & 31)) & 1; };
const o = [0, 0, 0], d = [0, 0, 0];
let hits = 0;
const peers = {
  'fast-voxel-raycast': () => {
    for (let k = 0; k < rays.length; k += 6) {
      for (let i = 0; i < 3; i++) { o[i] = rays[k + i]; d[i] = rays[k + 3 + i]; }
      if (fvr(solid, o, d, far)) hits++;
    }
  },
  'prismarine-world': () => {
    for (let k = 0; k < rays.length; k += 6) {
      const it = new RaycastIterator(new Vec3(rays[k], rays[k + 1], rays[k + 2]), new Vec3(rays[k + 3], rays[k + 4], rays[k + 5]), far);
      for (let p = it.block; p; p = it.next()) if (solid(p.x, p.y, p.z)) { hits++; break; }
    }
  },
};
for (const f of Object.values(peers)) for (let i = 0; i < 20; i++) f();
for await (const line of createInterface({ input: process.stdin })) {
  const times = 20, begin = performance.now();
  hits = 0;
  for (let i = 0; i < times; i++) peers[line]();
  console.log((rays.length / 6 * times / (performance.now() - begin) * 1000).toFixed(0), hits / times);
}
