// Whole clusters on virtual time, with faults; exit 1 when an invariant is violated. See packages/simulator/README.md.
// Usage: npm run sim -- --seed N [--runs K | --seconds S] [--from-time] [--nodes N] [--replicas N] [--active-ms MS]
//   [--profile net|store|mix|scale|lossy] [--swarm] [--jobs] [--ageing] [--verbose [--lines N]]
//   [--shrink FILE [--shrink-runs K]]
//   --file FILE runs a plan; --mutations [--mutation TEXT] [--runs K] looks for each planted bug.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './boundaries-table.mjs';

const program = path.join(root, 'packages', 'simulator', 'dist', 'index.js');
if (!fs.existsSync(program)) {
  const { build } = await import('./build.mjs');
  if (!(await build())) process.exit(1);
}
const { drawPlan, hunt, inOwnTurn, MUTATIONS, shrink, simulate } = await import(program);

const args = process.argv.slice(2);
const text = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const number = (name, fallback) => Number(text(name) ?? fallback);
const print = (line) => process.stdout.write(`${line}\n`);

const options = {
  ...(text('--profile') === undefined ? {} : { profile: text('--profile') }),
  ...(text('--nodes') === undefined ? {} : { nodes: number('--nodes', 3) }),
  ...(text('--replicas') === undefined ? {} : { replicasMax: number('--replicas', 1) }),
  ...(text('--active-ms') === undefined ? {} : { activeMs: number('--active-ms', 10_000) }),
  ...(args.includes('--jobs') ? { hasJobs: true } : {}),
  ...(args.includes('--ageing') ? { hasAgeing: true, hasJobs: false } : {}),
  swarm: args.includes('--swarm'),
};

function report({ plan, violations, traceHash, lastLines, events, elapsedMs, acked, outcomes, failures }) {
  for (const { atMs, invariant, what } of violations)
    print(`seed ${plan.seed}: at ${atMs.toFixed(1)} ms ${invariant}: ${what}`);
  if (args.includes('--verbose')) print(lastLines.slice(-number('--lines', 60)).join('\n'));
  print(
    `seed ${plan.seed} trace ${traceHash}: ${events} events, ${(elapsedMs / 1000).toFixed(0)} s virtual, ${acked} ` +
      `acknowledged writes, ${JSON.stringify(outcomes)} ${JSON.stringify(Object.fromEntries(failures))}`,
  );
}

/** A smaller plan that fails in the same way, written where it can be run with `--file`. */
async function shrinkTo(plan, file) {
  const small = await inOwnTurn(() =>
    shrink(plan, number('--shrink-runs', 150), ({ decisions }) => print(`${decisions.length} decisions`)),
  );
  fs.writeFileSync(file, `${JSON.stringify(small.plan)}\n`);
  print(`${small.plan.decisions.length} of ${plan.decisions.length} decisions after ${small.runs} runs: ${file}`);
}

/** Looks for each planted bug; 1 when one goes unnoticed. */
async function huntAll() {
  let missed = 0;
  const wanted = text('--mutation') ?? '';
  for (const mutation of MUTATIONS.filter(({ name }) => name.includes(wanted))) {
    const found = await inOwnTurn(() => hunt(mutation, number('--seed', 1), number('--runs', 100)));
    if (found === null) missed++;
    print(
      `${mutation.name}: ${found === null ? 'NOT NOTICED' : `${found.seeds} seeds, ${found.violation.slice(0, 200)}`}`,
    );
  }
  return missed > 0 ? 1 : 0;
}

async function runSeeds() {
  const file = text('--file');
  const from = args.includes('--from-time') ? Math.floor(Date.now() / 1000) * 1000 : number('--seed', 1);
  const seconds = number('--seconds', Number.POSITIVE_INFINITY);
  const runs =
    file === undefined ? number('--runs', seconds === Number.POSITIVE_INFINITY ? 1 : Number.POSITIVE_INFINITY) : 1;
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  const total = { done: 0, failed: 0, events: 0 };
  for (; total.done < runs && elapsed() < seconds; total.done++) {
    const plan = file === undefined ? drawPlan(from + total.done, options) : JSON.parse(fs.readFileSync(file, 'utf8'));
    const result = await inOwnTurn(() => simulate(plan));
    total.events += result.events;
    if (result.violations.length > 0) total.failed++;
    if (result.violations.length > 0 || runs === 1 || args.includes('--verbose')) report(result);
    if (result.violations.length > 0 && text('--shrink') !== undefined) await shrinkTo(plan, text('--shrink'));
  }
  print(
    `${total.done} seeds from ${from}: ${total.failed} with violations, ${(total.done / elapsed()).toFixed(2)} ` +
      `seeds/s, ${(total.events / elapsed() / 1000).toFixed(1)} k events/s`,
  );
  return total.failed > 0 ? 1 : 0;
}

process.on('unhandledRejection', (error) => {
  print(`unhandled rejection: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
});
const status = await (args.includes('--mutations') ? huntAll() : runSeeds());
process.exitCode = process.exitCode || status;
