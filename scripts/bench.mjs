// Runs benchmarks of packages/*/dist, each in a process of its own, as one warms up the code of the next.
// Usage: node scripts/bench.mjs [path-prefix ...], prefixes relative to packages/, for example "codec" or
// "aggregations/src/bucket". Build first.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './boundaries-table.mjs';

const packages = path.join(root, 'packages');
const prefixes = process.argv.slice(2).map((prefix) => prefix.replace(/^packages\//, ''));
const benches = fs
  .readdirSync(packages, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: room }) => {
    const src = path.join(packages, room, 'src');
    return fs.readdirSync(src, { recursive: true }).map((file) => path.join(room, 'src', file));
  })
  .filter((file) => file.endsWith('.bench.ts') && (prefixes.length === 0 || prefixes.some((p) => file.startsWith(p))));
let failed = 0;
for (const file of benches.sort()) {
  process.stdout.write(`${file}\n`);
  const compiled = path.join(packages, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
  failed += spawnSync(process.execPath, ['--expose-gc', compiled], { stdio: 'inherit' }).status === 0 ? 0 : 1;
}
process.exit(failed > 0 || benches.length === 0 ? 1 : 0);
