import { drawPlan } from '../plan/draw-plan.js';
import { simulate } from '../simulate.js';
import type { Mutation } from './mutation.js';

/** A run that has noticed a planted bug. */
export interface HuntResult {
  /** Number of runs until the bug was noticed. */
  readonly seeds: number;
  readonly seed: number;
  readonly violation: string;
}

/**
 * Looks for a seed from `from` on whose run notices a planted bug. Returns null if `count` runs do not. Call it in its
 * own turn of the event loop (`inOwnTurn`).
 */
export function hunt(mutation: Mutation, from: number, count: number): HuntResult | null {
  for (let i = 0; i < count; i++) {
    const { violations } = simulate(drawPlan(from + i, mutation.plan), mutation);
    const [first] = violations;
    if (first) return { seeds: i + 1, seed: from + i, violation: `${first.invariant}: ${first.what}` };
  }
  return null;
}
