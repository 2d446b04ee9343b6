import { World, type Violation } from './cluster/world.js';
import { checkConvergence, checkDocuments, openIndices } from './check/final-state.js';
import { checkAgeing } from './check/final-ageing.js';
import { checkJobs } from './check/final-jobs.js';
import { checkKeys, checkLimits, checkSnapshots, isBusy } from './check/final-parts.js';
import { type Mutation, plantTasks } from './mutations/mutation.js';
import type { Plan } from './plan/plan.js';
import { perform } from './plan/perform.js';
import { Requests } from './workload/requests.js';

/** Result of a run. */
export interface SimulationResult {
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  readonly traceHash: string;
  readonly events: number;
  /** Virtual milliseconds. */
  readonly elapsedMs: number;
  readonly acked: number;
  /** Number of client answers by kind. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly failures: ReadonlyMap<string, number>;
  readonly lastLines: readonly string[];
}

/** Limit in milliseconds for a shutdown: more than `node.shutdown.timeout`. */
const END_MS_MAX = 60_000;
const END_STEP_MS = 250;

/** Ends all faults and starts all nodes. */
function heal(world: World): void {
  world.isHealed = true;
  world.tail.note('everything heals');
  world.network.heal();
  world.duplicates.untilMs = 0;
  world.repositoryDevice.heal();
  world.network.setDelay({ minMs: 0.1, maxMs: 0.5 });
  for (const node of world.nodes) {
    node.device.heal();
    node.resume();
    node.start();
  }
}

/** Waits for nodes that are shutting down, and starts them again. */
function awaitEnds(world: World): void {
  const limitMs = world.loop.now + END_MS_MAX;
  while (
    world.nodes.some(({ process }) => process === null || process.isEnding) &&
    world.loop.now < limitMs &&
    world.violations.length === 0
  )
    world.run(world.loop.now + END_STEP_MS);
}

/** Checks that all requests are answered or refused, and all queues are empty (I37, I38). */
function checkQuiet(world: World, requests: Requests): void {
  world.run(world.loop.now + 75_000);
  const alive = new Set(world.nodes.map(({ process }) => process?.session));
  const hanging = [...requests.pending].filter((key) => alive.has(key.split('/')[0]));
  if (hanging.length > 0)
    world.violate('I38', `${hanging.length} requests have no answer: ${hanging.slice(0, 5).join(', ')}`);
  for (const { name, running } of world.nodes) {
    const bytes = running?.coordinator.inFlight.used ?? 0;
    if (bytes !== 0) world.violate('I37', `${name} still counts ${bytes} bytes of requests`);
  }
}

/** Runs a plan to its end or to the first violation. Call it in its own turn of the event loop (`inOwnTurn`). */
export function simulate(plan: Plan, mutation: Mutation | null = null): SimulationResult {
  const restore = plantTasks(mutation?.tasks ?? {});
  try {
    return run(plan, mutation);
  } finally {
    restore();
  }
}

function run(plan: Plan, mutation: Mutation | null): SimulationResult {
  const world = new World(plan, mutation);
  const requests = new Requests(world);
  for (const node of world.nodes)
    world.after(node.index === 0 ? 0 : world.randomFor(`start/${node.index}`).next() * 500, () => node.start());
  for (const decision of plan.decisions) world.after(decision.at, () => perform(world, requests, decision));
  world.run(plan.activeMs);
  heal(world);
  // Waits until operations that hang in a disk or in the network return.
  world.run(
    Math.max(world.loop.now, world.network.lastArrivalMs, ...world.nodes.map(({ device }) => device.lastDoneAt)),
  );
  awaitEnds(world);
  checkConvergence(world);
  openIndices(world);
  if (world.violations.length === 0) checkAgeing(world, requests.ageing);
  // A run with indices that age has few other requests, and the wait for them takes a quarter of its time. If no index
  // has to be waited for, a write that met a stalled disk may still go on.
  if (world.violations.length === 0 && (plan.hasAgeing !== true || isBusy(world))) checkQuiet(world, requests);
  if (world.violations.length === 0) checkLimits(world);
  if (world.violations.length === 0) checkDocuments(world);
  if (world.violations.length === 0) checkJobs(world, requests.jobs);
  if (world.violations.length === 0) checkKeys(world);
  if (world.violations.length === 0) checkSnapshots(world);
  return {
    plan,
    violations: world.violations,
    traceHash: world.loop.traceHash,
    events: world.loop.count,
    elapsedMs: world.loop.now,
    acked: world.documents.ackedCount,
    outcomes: requests.outcomes,
    failures: requests.failures,
    lastLines: world.tail.last(120),
  };
}
