// Runs whole clusters on virtual time, with faults. Usage: npm run sim -- --seed N [--runs K | --seconds S] [--from-time] [--nodes N]
//   [--profile net|store|mix|scale|lossy] [--swarm] [--verbose]; exit 1 when an invariant is violated. See packages/simulator/README.md.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './boundaries-table.mjs';

const program = path.join(root, 'packages', 'simulator', 'dist', 'run.js');
if (!fs.existsSync(program)) {
  const { build } = await import('./build.mjs');
  if (!(await build())) process.exit(1);
}
process.exit(spawnSync(process.execPath, ['--enable-source-maps', program, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
