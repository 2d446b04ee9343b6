import { ALL_GUARDS, type Guards } from '../guards.js';
import { simulateConsensus } from './simulate.js';

/** Names of the planted bugs: each guard, switched off alone. */
export const MUTATIONS = Object.keys(ALL_GUARDS) as (keyof Guards)[];

/**
 * Returns the first of `count` seeds from `from` on that notices the missing guard, with its violation; null if none
 * does.
 */
export function huntMutation(
  guard: keyof Guards,
  from: number,
  count: number,
): { seed: number; violation: string } | null {
  const guards = { ...ALL_GUARDS, [guard]: false };
  for (let seed = from; seed < from + count; seed++) {
    const violation = simulateConsensus(seed, { guards }).violations[0];
    if (violation !== undefined) return { seed, violation };
  }
  return null;
}
