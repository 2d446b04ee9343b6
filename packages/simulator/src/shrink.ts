import type { Plan } from './plan/plan.js';
import { simulate } from './simulate.js';

/** A smaller failing plan, and the number of runs that it took. */
export interface Shrunk {
  readonly plan: Plan;
  readonly runs: number;
}

/**
 * Removes decisions from a failing plan as long as the same invariant is violated (delta debugging: halves, quarters
 * and so on), then cuts the time after the last decision. Call it in its own turn of the event loop (`inOwnTurn`).
 */
export function shrink(failing: Plan, runsMax: number, progress: (plan: Plan) => void): Shrunk {
  let runs = 0;
  const invariant = invariantOf(failing);
  const fails = (plan: Plan): boolean => {
    runs++;
    return invariantOf(plan) === invariant;
  };
  let plan = failing;
  for (
    let size = Math.ceil(plan.decisions.length / 2);
    size >= 1 && runs < runsMax;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < plan.decisions.length && runs < runsMax; ) {
      const smaller = { ...plan, decisions: plan.decisions.toSpliced(at, size) };
      if (!fails(smaller)) at += size;
      else progress((plan = smaller));
    }
  }
  const shorter = { ...plan, activeMs: (plan.decisions.at(-1)?.at ?? 0) + 1 };
  if (shorter.activeMs < plan.activeMs && fails(shorter)) plan = shorter;
  return { plan, runs };
}

const invariantOf = (plan: Plan): string | null => simulate(plan).violations[0]?.invariant ?? null;
