import { drawPlan } from '../plan/draw-plan.js';
import { simulate } from '../simulate.js';
import type { Mutation } from './mutation.js';

export interface Found {
  /** Runs until it was noticed. */
  readonly seeds: number;
  readonly seed: number;
  readonly violation: string;
}

/**
 * Looks for a seed from `from` on that notices a planted bug; null when `count` do not. Must be called in a turn of its
 * own.
 */
export function hunt(mutation: Mutation, from: number, count: number): Found | null {
  for (let i = 0; i < count; i++) {
    const { violations } = simulate(drawPlan(from + i, mutation.plan), mutation);
    const [first] = violations;
    if (first) return { seeds: i + 1, seed: from + i, violation: `${first.invariant}: ${first.what}` };
  }
  return null;
}
