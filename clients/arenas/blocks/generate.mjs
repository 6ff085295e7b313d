// Makes java.txt, numeric.txt and bedrock.txt, the usual blocks of each edition, from the npm package minecraft-data (MIT):
//
//   npm install --no-save --ignore-scripts minecraft-data@3.119.0 && node generate.mjs
//
// What the package does not know (what can be seen through, what stops bullets, what is climbed) is decided below, by name.
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
const require = createRequire(process.cwd() + '/');
const data = require('minecraft-data');
const version = require('minecraft-data/package.json').version;

const clear = /glass|barrier|^air$|_air$|^beacon$|^light$|structure_void|torch|rail$|wire|lever|button|tripwire|repeater|comparator|ladder|sapling|candle|lantern|pressure_plate|_rod$|chain|end_rod|_bud$|_cluster$|conduit|flower_pot|potted_/;
const dim = /leaves|^ice$|^frosted_ice|slime_block|^slime$|honey_block|_bars$|^scaffolding$|azalea|mangrove_roots|spawner|copper_grate|^bamboo$|bamboo_sapling|water$|^fire$|soul_fire|cobweb|^web$|tall_grass|tallgrass|double_plant|large_fern|sugar_cane|reeds|vine|kelp$|kelp_plant|seagrass|bubble_column|sweet_berry|lilac|rose_bush|peony|sunflower|pitcher_plant|hanging_roots|nether_sprouts|_roots$|tinted_glass|tripwire_hook|portal/;
const soft = /^ladder$|leaves|wool|carpet|bed$|banner|hay|cobweb|^web$|^snow$|snow_layer|scaffolding|^bamboo$|azalea|^cake|lily|waterlily|sponge|slime|honey|chorus|cactus|pumpkin|melon|flower_pot|potted_|head$|skull|decorated_pot|_egg$|frogspawn|dripleaf|_bud$|_cluster$|coral|_bars$|chain|sign|mangrove_roots|^target$|dried_kelp|shroomlight|wart_block|sculk_vein|candle|lantern|_rod$|cocoa|sapling|carved_|jack_o|lit_pumpkin|cactus|powder_snow/;
const liquid = /^(flowing_)?(water|lava)$|^seagrass$|^tall_seagrass$|^kelp$|^kelp_plant$|^bubble_column$/;
const climb = /^ladder$|vine$|^vines|vines$|vines_plant$|vine_plant$|^scaffolding$|_vines_/;
const hard = /^soul_sand$|^mud$|sweet_berry_bush|^muddy_mangrove_roots$|^snow_layer$/;
const veryHard = /cobweb|^web$|powder_snow|^honey_block$/;
const lit = { redstone_lamp: 15, furnace: 13, smoker: 13, blast_furnace: 13, redstone_ore: 9, deepslate_redstone_ore: 9, redstone_torch: 7, redstone_wall_torch: 7, campfire: 15, soul_campfire: 10 };

function sight(name) {
  if (/lava/.test(name)) return 'opaque';
  if (dim.test(name)) return 'dim';
  if (clear.test(name)) return 'clear';
  return '';
}

// box rounds to 1/16 and cuts off what juts out of the block.
function box(b) {
  const v = b.map((x, i) => Math.min(16, Math.max(0, (i < 3 ? Math.floor : Math.ceil)(Math.round(x * 1600) / 100))));
  return v[0] < v[3] && v[1] < v[4] && v[2] < v[5] ? v.join(',') : null;
}

class File {
  constructor(title) {
    this.title = title;
    this.shapes = new Map([['', 0]]);
    this.layouts = new Map();
    this.lines = [];
  }

  shape(boxes) {
    const key = boxes.map(box).filter((b) => b).slice(0, 32).join(' ');
    if (!this.shapes.has(key)) this.shapes.set(key, this.shapes.size);
    return this.shapes.get(key);
  }

  // states: a list of {props, shape}, props an object of strings. Properties that make no difference are left out.
  add(name, b, states, defaults, resistance) {
    let names = Object.keys(states[0].props);
    const value = new Map(states.map((s) => [names.map((n) => s.props[n]).join('\0'), s.shape]));
    const values = (n) => [...new Set(states.map((s) => s.props[n]))];
    const product = (ns) => ns.reduce((acc, n) => acc.flatMap((p) => values(n).map((v) => ({ ...p, [n]: v }))), [{}]);
    const all = names.slice();
    const get = (p) => value.get(all.map((n) => p[n] ?? defaults[n] ?? values(n)[0]).join('\0'));
    for (const n of all) {
      const rest = names.filter((m) => m !== n);
      const seen = new Map();
      const same = states.every((s) => {
        const key = rest.map((m) => s.props[m]).join('\0');
        if (!seen.has(key)) seen.set(key, s.shape);
        return seen.get(key) === s.shape;
      });
      if (same) names = rest;
    }
    const list = product(names).map((p) => get(p) ?? states[0].shape);
    const runs = [];
    for (const s of list) {
      if (runs.length && runs[runs.length - 1][0] === s) runs[runs.length - 1][1]++;
      else runs.push([s, 1]);
    }
    const layout = names.map((n) => `${n}=${values(n).join(',')}`).join(' ') + '|' + runs.map(([s, n]) => (n > 1 ? `${s}*${n}` : s)).join(' ');
    if (!this.layouts.has(layout)) this.layouts.set(layout, this.layouts.size);

    const empty = list.every((s) => s === 0);
    const look = sight(name) || (empty ? 'clear' : 'opaque');
    const proof = !empty && !soft.test(name) ? 'proof' : 'soft';
    const medium = liquid.test(name) ? 'liquid' : climb.test(name) ? 'climb' : veryHard.test(name) ? 'very_hard' : hard.test(name) ? 'hard' : 'air';
    const strength = Math.max(resistance ?? 0, b.resistance ?? 0, b.hardness ?? 0);
    const unbreakable = b.hardness === -1 || b.hardness === null || strength >= 1e5 || empty;
    const durability = unbreakable ? 0 : Math.min(1000, Math.max(1, Math.round(strength * 2)));
    let emits = b.emitLight ?? 0, when = '';
    if (name in lit && states.some((s) => 'lit' in s.props)) [emits, when] = [lit[name], ' lit'];
    else if (states.some((s) => 'lit' in s.props)) when = ' lit';
    let passes = 15 - Math.min(15, b.filterLight ?? 0);
    if (look === 'opaque' && empty && !/lava/.test(name)) passes = 15;
    if (look === 'clear' || look === 'dim') passes = /tinted/.test(name) ? 0 : Math.max(passes, look === 'dim' ? 14 : 15);
    this.lines.push([b.id, name, `${name} ${look} ${proof} ${medium} ${durability} ${emits} ${passes} ${this.layouts.get(layout)}${when}`]);
  }

  write(to) {
    const out = [`# ${this.title}, from the npm package minecraft-data ${version} (MIT) by generate.mjs. Do not edit.`,
      '# shape: boxes in 1/16 block, x0,y0,z0,x1,y1,z1. layout: properties with their values, and the shape of each combination, the last property running fastest.',
      '# block: name, sight, bullets, medium, durability, light given off, light let through, layout; lit: gives light only while lit.'];
    for (const [k, i] of this.shapes) out.push(`shape ${i} ${k}`.trim());
    for (const [k, i] of this.layouts) out.push(`layout ${i} ${k}`);
    for (const l of this.lines) out.push('block ' + l[2]);
    writeFileSync(to, out.join('\n') + '\n');
    console.log(`${to}: ${this.lines.length} blocks, ${this.layouts.size} layouts, ${this.shapes.size} shapes`);
  }
}

function shapesOf(d, name, n) {
  const s = d.blockCollisionShapes.blocks[name];
  const list = Array.isArray(s) ? s : [s ?? 0];
  return Array.from({ length: n }, (_, i) => d.blockCollisionShapes.shapes[list[Math.min(i, list.length - 1)]] ?? []);
}

// The newest version counts; of older ones only the names that it no longer has.
const resistance = {};
{
  const f = new File('Blocks of Java edition 1.13 to 1.21');
  const done = new Set();
  for (const v of ['1.21.11', '1.20.2', '1.19.4', '1.18.2', '1.16.5', '1.15.2', '1.14.4', '1.13.2']) {
    const d = data(v);
    for (const b of d.blocksArray) {
      if (done.has(b.name)) continue;
      done.add(b.name);
      resistance[b.name] = b.resistance;
      const states = [];
      const shapes = shapesOf(d, b.name, b.maxStateId - b.minStateId + 1);
      const props = b.states ?? [];
      const values = (p) => p.values ?? (p.type === 'bool' ? ['true', 'false'] : Array.from({ length: p.num_values }, (_, i) => String(i)));
      const at = (i) => {
        const out = {};
        for (const p of props.slice().reverse()) { const vs = values(p); out[p.name] = String(vs[i % vs.length]); i = Math.floor(i / vs.length); }
        return Object.fromEntries(props.map((p) => [p.name, out[p.name]]));
      };
      for (let i = 0; i < shapes.length; i++) states.push({ props: at(i), shape: f.shape(shapes[i]) });
      f.add(b.name, b, states, at((b.defaultState ?? b.minStateId) - b.minStateId), b.resistance);
    }
  }
  f.lines.sort((a, b) => (a[1] < b[1] ? -1 : 1));
  f.write('java.txt');
}
{
  // Before 1.13 a block is a number and four bits.
  const f = new File('Blocks of Java edition 1.8 to 1.12 by number');
  const seen = new Set();
  for (const v of ['1.12.2', '1.8.8']) {
    const d = data(v);
    for (const b of d.blocksArray) {
      if (seen.has(b.id)) continue;
      seen.add(b.id);
      const states = shapesOf(d, b.name, 16).map((s, i) => ({ props: { meta: String(i) }, shape: f.shape(s) }));
      f.add(b.name, b, states, { meta: '0' }, resistance[b.name]);
      f.lines[f.lines.length - 1][2] = `${b.id} ${f.lines[f.lines.length - 1][2]}`;
    }
  }
  f.lines.sort((a, b) => a[0] - b[0]);
  f.write('numeric.txt');
}
{
  const f = new File('Blocks of Bedrock edition');
  const done = new Set();
  for (const v of ['bedrock_1.21.93', 'bedrock_1.19.80', 'bedrock_1.18.30', 'bedrock_1.16.220']) {
    const d = data(v);
    if (!d?.blockCollisionShapes || !d.blockStates) continue;
    const by = new Map();
    for (const s of d.blockStates) { if (!by.has(s.name)) by.set(s.name, []); by.get(s.name).push(s); }
    for (const b of d.blocksArray) {
      if (done.has(b.name) || !by.has(b.name)) continue;
      done.add(b.name);
      const list = by.get(b.name), shapes = shapesOf(d, b.name, list.length);
      const text = (x) => String(x.value);
      const states = list.map((s, i) => ({ props: Object.fromEntries(Object.entries(s.states).map(([k, x]) => [k, text(x)])), shape: f.shape(shapes[i]) }));
      f.add(b.name, b, states, states[0].props, b.resistance);
    }
  }
  f.lines.sort((a, b) => (a[1] < b[1] ? -1 : 1));
  f.write('bedrock.txt');
}
