import { describePlan } from './describe.js';
import { measurePlan } from './measure-plan.js';
import type { Plan } from './plan.js';
import { profileFacts } from './plan-facts.js';
import type { Progress, Searcher } from './searcher.js';

const COUNTERS = [
  'set_min_competitive_score',
  'match',
  'shallow_advance',
  'next_doc',
  'score',
  'compute_max_score',
  'advance',
  'build_scorer',
  'create_weight',
  'count_weight',
];

const NANOS_PER_MILLI = 1e6;

/** Nanoseconds since the request began. */
function nanosOf(progress: Progress): number {
  return Math.round((progress.elapsedMs?.() ?? 0) * NANOS_PER_MILLI);
}

/**
 * Returns the profile of a query as JSON, and the time of the phase in nanoseconds, which is the query's own. Its parts
 * are matched together in windows of documents, so they have no times of their own. Each part is run once more by
 * itself, and shows that time.
 */
export function profileQuery(
  plan: Plan,
  searcher: Searcher,
  progress: Progress,
): { readonly nanos: number; readonly json: Record<string, unknown> } {
  const nanos = nanosOf(progress);
  return { nanos, json: profilePlan(plan, searcher, progress, nanos) };
}

/** Returns the profile of one plan as JSON. `nanos` is its known time; null times it here. */
function profilePlan(
  plan: Plan,
  searcher: Searcher,
  progress: Progress,
  nanos: number | null,
): Record<string, unknown> {
  if (plan.kind === 'named') return profilePlan(plan.plan, searcher, progress, nanos);
  progress.check();
  const startedAt = nanosOf(progress);
  const { segments, matchers, matches, debug } = measurePlan(plan, searcher);
  const took = nanosOf(progress) - startedAt;
  const counts = new Map([
    ['create_weight', 1],
    ['build_scorer', segments],
    ['next_doc', matches + matchers],
  ]);
  const times = new Map([['next_doc', took]]);
  const { name, parts } = profileFacts(plan);
  const children = parts.map((child) => profilePlan(child, searcher, progress, null));
  return {
    type: name,
    description: describePlan(plan, { mapping: searcher.mapping, bothWays: true, isRun: true }),
    time_in_nanos: nanos ?? took,
    breakdown: Object.fromEntries(
      COUNTERS.flatMap((name) => [
        [`${name}_count`, counts.get(name) ?? 0],
        [name, times.get(name) ?? 0],
      ]),
    ),
    ...(debug === null ? {} : { debug }),
    ...(children.length === 0 ? {} : { children }),
  };
}
