import { readFileSync, writeFileSync } from 'node:fs';
import { hunt } from './mutations/hunt.js';
import { MUTATIONS } from './mutations/mutations.js';
import type { Plan, Profile } from './plan/plan.js';
import { drawPlan, type PlanOptions } from './plan/draw-plan.js';
import { shrink } from './shrink.js';
import { simulate, type SimulationResult } from './simulate.js';
import { inOwnTurn } from './time/drain-microtasks.js';

/**
 * `npm run sim -- --seed N [--runs K | --seconds S] [--nodes 5] [--profile net|store|mix|scale|lossy] [--swarm] [--verbose]`
 * Runs whole clusters on virtual time. Exit 1 when an invariant is violated. `--shrink FILE` writes the smallest plan found that
 * fails in the same way; `--file FILE` runs a plan; `--mutations` looks for each planted bug, in `--runs` seeds at most.
 */
const args = process.argv.slice(2);
const text = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const number = (name: string, fallback: number): number => Number(text(name) ?? fallback);

const options: PlanOptions = {
  ...(text('--profile') === undefined ? {} : { profile: text('--profile') as Profile }),
  ...(text('--nodes') === undefined ? {} : { nodes: number('--nodes', 3) }),
  ...(text('--replicas') === undefined ? {} : { replicasMax: number('--replicas', 1) }),
  ...(text('--active-ms') === undefined ? {} : { activeMs: number('--active-ms', 10_000) }),
  swarm: args.includes('--swarm'),
};

function report(result: SimulationResult): void {
  const { plan, violations, traceHash, lastLines } = result;
  for (const { atMs, invariant, what } of violations) process.stdout.write(`seed ${plan.seed}: at ${atMs.toFixed(1)} ms ${invariant}: ${what}\n`);
  if (args.includes('--verbose')) process.stdout.write(`${lastLines.slice(-number('--lines', 60)).join('\n')}\n`);
  process.stdout.write(`seed ${plan.seed} trace ${traceHash}: ${result.events} events, ${(result.elapsedMs / 1000).toFixed(0)} s virtual, ${result.acked} acknowledged writes, ${JSON.stringify(result.outcomes)} ${JSON.stringify(Object.fromEntries(result.failures))}\n`);
}

/** A smaller plan that fails in the same way, written where it can be run with `--file`. */
async function shrinkTo(plan: Plan, file: string): Promise<void> {
  const small = await inOwnTurn(() => shrink(plan, number('--shrink-runs', 150), ({ decisions }) => process.stdout.write(`${decisions.length} decisions\n`)));
  writeFileSync(file, `${JSON.stringify(small.plan, null, 1)}\n`);
  process.stdout.write(`${small.plan.decisions.length} of ${plan.decisions.length} decisions after ${small.runs} runs: ${file}\n`);
}

/** Looks for each planted bug; exit 1 when one goes unnoticed. */
async function huntAll(): Promise<number> {
  let missed = 0;
  const wanted = text('--mutation');
  for (const mutation of MUTATIONS.filter(({ name }) => wanted === undefined || name.includes(wanted))) {
    const found = await inOwnTurn(() => hunt(mutation, number('--seed', 1), number('--runs', 100)));
    if (found === null) missed++;
    process.stdout.write(`${mutation.name}: ${found === null ? 'NOT NOTICED' : `${found.seeds} seeds, ${found.violation.slice(0, 160)}`}\n`);
  }
  return missed > 0 ? 1 : 0;
}

async function main(): Promise<number> {
  if (args.includes('--mutations') || text('--mutation') !== undefined) return huntAll();
  const file = text('--file');
  const from = args.includes('--from-time') ? Math.floor(Date.now() / 1000) * 1000 : number('--seed', 1);
  const seconds = number('--seconds', Infinity);
  const runs = file === undefined ? number('--runs', seconds === Infinity ? 1 : Infinity) : 1;
  const startedAt = process.hrtime.bigint();
  const elapsed = (): number => Number(process.hrtime.bigint() - startedAt) / 1e9;
  let [done, failed, events] = [0, 0, 0];
  for (; done < runs && elapsed() < seconds; done++) {
    const plan = file === undefined ? drawPlan(from + done, options) : (JSON.parse(readFileSync(file, 'utf8')) as Plan);
    const result = await inOwnTurn(() => simulate(plan));
    events += result.events;
    if (result.violations.length > 0) failed++;
    const shrunk = text('--shrink');
    if (shrunk !== undefined && result.violations.length > 0) await shrinkTo(plan, shrunk);
    if (result.violations.length > 0 || runs === 1 || args.includes('--verbose')) report(result);
  }
  const took = elapsed();
  process.stdout.write(`${done} seeds from ${from}: ${failed} with violations, ${(done / took).toFixed(2)} seeds/s, ${(events / took / 1000).toFixed(1)} k events/s\n`);
  return failed > 0 ? 1 : 0;
}

process.on('unhandledRejection', (error) => {
  process.stdout.write(`unhandled rejection: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
process.exitCode = await main();
