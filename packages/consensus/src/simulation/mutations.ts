import { ALL_GUARDS, type Guards } from '../guards.js';
import { simulateConsensus } from './simulate.js';

/** The planted bugs: each guard of the transition table, switched off alone. */
export const MUTATIONS = Object.keys(ALL_GUARDS) as (keyof Guards)[];

/**
 * The first seed from `from` on, of at most `count`, that notices the missing guard, and what it says; null if none
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
