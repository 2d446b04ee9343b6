import { type ExplorationLimits, exploreConsensus } from './explore.js';
import { huntMutation, MUTATIONS } from './mutations.js';
import { simulateConsensus } from './simulate.js';

/**
 * Runs many seeds and prints rate and violations: `node dist/simulation/run.js --seeds N --from S`. Exit 1 on a
 * violation. `--explore` searches the states of three nodes, 3 terms and 3 versions, at most `--states M` of them
 * (`--terms`, `--versions`, `--late`, `--configs` bound it further). `--mutations` looks for a seed that notices each
 * planted bug; exit 1 if one is not noticed within N seeds.
 */
function main(args: readonly string[]): number {
  const numberOf = (name: string, fallback: number): number => {
    const at = args.indexOf(name);
    return at < 0 ? fallback : Number(args[at + 1]);
  };
  const count = numberOf('--seeds', 1000);
  const from = numberOf('--from', 1);
  if (args.includes('--explore')) {
    const limits = { terms: 3, versions: 3, late: 1, configs: 4, states: 1_000_000 };
    return explore({
      terms: numberOf('--terms', limits.terms),
      versions: numberOf('--versions', limits.versions),
      late: numberOf('--late', limits.late),
      configs: numberOf('--configs', limits.configs),
      states: numberOf('--states', limits.states),
    });
  }
  return args.includes('--mutations') ? huntMutations(count, from) : runSeeds(count, from);
}

function runSeeds(count: number, from: number): number {
  const startedAt = process.hrtime.bigint();
  let events = 0;
  let failures = 0;
  for (let seed = from; seed < from + count; seed++) {
    const result = simulateConsensus(seed);
    events += result.events;
    if (result.violations.length === 0) continue;
    failures++;
    process.stdout.write(`seed ${seed} trace ${result.traceHash}: ${result.violations.join('; ')}\n`);
  }
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  const rate = `${(count / seconds).toFixed(0)} seeds/s, ${(events / seconds / 1e6).toFixed(2)} M events/s`;
  process.stdout.write(
    `${count} seeds from ${from}: ${failures} with violations, ${events} events in ${seconds.toFixed(1)} s, ${rate}\n`,
  );
  return failures > 0 ? 1 : 0;
}

function explore(limits: ExplorationLimits): number {
  const result = exploreConsensus(limits);
  process.stdout.write(
    `${result.states} states, ${result.isComplete ? 'all' : 'not all'}, ${result.violation ?? 'no violation'}\n`,
  );
  return result.violation === null ? 0 : 1;
}

function huntMutations(count: number, from: number): number {
  let missed = 0;
  for (const guard of MUTATIONS) {
    const found = huntMutation(guard, from, count);
    if (found === null) missed++;
    const text = found === null ? 'NOT NOTICED' : `${found.seed - from + 1} seeds: ${found.violation}`;
    process.stdout.write(`${guard}: ${text}\n`);
  }
  return missed > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
