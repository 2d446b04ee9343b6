// Runs many seeds: node dist/testing/swarm.js FIRST COUNT [MISTAKE | moves]. Exit 1 when a seed shows a problem that no
// mistake explains, or no seed shows the mistake.
import { type Mistake, MISTAKES } from './mistakes.js';
import { simulate } from './simulate.js';

const [first = '0', count = '100', mistake = ''] = process.argv.slice(2);
const hasMoves = mistake === 'moves';
const chosen = hasMoves ? [null] : mistake === 'all' ? MISTAKES : [mistake === '' ? null : (mistake as Mistake)];
let exitCode = 0;
for (const one of chosen) {
  const sum = { writes: 0, acknowledged: 0, promotions: 0, crashes: 0, rollbacks: 0, moves: 0, virtualMs: 0 };
  let found = 0;
  const startedAt = process.hrtime.bigint();
  let ran = 0;
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const run = await simulate(seed, one, hasMoves);
    ran++;
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += run[key];
    if (run.problems.length === 0) continue;
    found++;
    process.stdout.write(`seed ${seed}${one ? ` (${one})` : ''}: ${run.problems.slice(0, 3).join('\n    ')}\n`);
    if (one || found >= 10) break;
  }
  if (found > 0 !== (one !== null)) exitCode = 1;
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  process.stdout.write(
    `${one ?? 'no mistake'}: ${ran} seeds, ${found} with problems, ${seconds.toFixed(1)} s, ${JSON.stringify(sum)}\n`,
  );
}
process.exit(exitCode);
