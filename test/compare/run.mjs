// Compares a node of this build with a running Elasticsearch 8.12 on random requests, and tells what differs.
// Usage: node test/compare/run.mjs [--seed N] [--seeds K] [--requests N] [--peer URL] [--node URL] [--areas a,b]
//   [--shown N] [--small N] [--out FILE] [--no-shrink]
//   --small N shrinks mappings and documents of the first N classes too; --out writes all classes, for keep.mjs.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { startNode } from '../node-process.mjs';
import { classesOf } from './classes.mjs';
import { drill, makeShares } from './drill.mjs';
import { pair } from './pair.mjs';
import { server } from './server.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    requests: { type: 'string', default: '2000' },
    peer: { type: 'string', default: 'http://127.0.0.1:9260' },
    node: { type: 'string' },
    areas: { type: 'string' },
    small: { type: 'string', default: '0' },
    shown: { type: 'string', default: '40' },
    out: { type: 'string' },
    'no-shrink': { type: 'boolean' },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const percent = (part, all) => (all === 0 ? '-' : `${((100 * part) / all).toFixed(2)} %`).padStart(9);

function table(shares) {
  const total = { valid: 0, validEqual: 0, invalid: 0, invalidEqual: 0, allowed: 0 };
  for (const share of Object.values(shares)) for (const key of Object.keys(total)) total[key] += share[key];
  const part = (equal, all) => `${String(equal).padStart(6)} of ${String(all).padStart(6)} ${percent(equal, all)}`;
  const line = ([name, s]) =>
    [
      name.padEnd(14),
      `valid ${part(s.validEqual, s.valid)}`,
      `invalid ${part(s.invalidEqual, s.invalid)}`,
      `${s.allowed} may differ`,
    ].join('   ');
  return [...Object.entries(shares).sort(), ['all', total]].map(line).join('\n');
}
function brief(value, lengthMax = 700) {
  const text = JSON.stringify(value) ?? '';
  return text.length > lengthMax ? `${text.slice(0, lengthMax)} …` : text;
}
function show({ id, count, seed, setup, steps, theirs, ours }) {
  say(`\n${count} × ${id} (seed ${seed})`);
  for (const { method, path, query, body } of [...setup, ...steps])
    say(`  ${method} ${path} ${brief(query, 200)} ${brief(body)}`);
  say(`  8.12: ${theirs.status} ${brief(theirs.body)}\n  here: ${ours.status} ${brief(ours.body)}`);
}

const started = values.node === undefined ? await startNode() : null;
// The length of names is that of the cases that are kept: positions in errors depend on it.
const prefix = `dr${process.pid.toString(36).padStart(5, '0').slice(-5)}`;
const both = pair(server(values.peer), server(values.node ?? started.url), prefix);
const classes = classesOf(both, { isShrinking: !values['no-shrink'] });
const counts = makeShares();
try {
  for (let i = 0; i < Number(values.seeds); i++) {
    const seed = Number(values.seed) + i;
    const areas = values.areas === undefined ? {} : { areas: values.areas.split(',') };
    await drill({ both, seed, requests: Number(values.requests), classes, counts, ...areas });
    say(`seed ${seed}: ${counts.sent} requests, ${classes.list().length} classes that differ`);
  }
  await classes.shrinkSetups(Number(values.small));
  await both.clean(true);
} finally {
  const text = JSON.stringify({ prefix, classes: classes.list() }, null, 1);
  if (values.out !== undefined) fs.writeFileSync(values.out, text);
  await started?.stop();
}
const found = classes.list();
for (const group of found.slice(0, Number(values.shown))) show(group);
say(`\n${table(counts.shares)}`);
process.exit(found.length === 0 ? 0 : 1);
