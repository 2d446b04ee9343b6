import type { Weight } from '../matcher.js';
import type { Plan } from '../plan.js';
import type { Searcher, SegmentView } from '../searcher.js';
import type { Scratch } from './scratch.js';
import type { Statistics } from './statistics.js';

/** Inputs for making the weight of a plan. */
export interface WeightContext {
  readonly searcher: Searcher;
  readonly statistics: Statistics;
  /** Product of the boosts around the plan, a float. */
  readonly boost: number;
  /** False in filters: no statistics are looked up, matchers write no scores. */
  readonly needsScores: boolean;
  /** Path of the nested objects whose documents the plan is to match; absent for root documents. */
  readonly nestedPath?: string;
  /** Pool for arrays that are returned at the end of the request; absent if no request is there to end. */
  readonly scratch?: Scratch | undefined;
  /** Gathers what may be done for a segment before its matcher is made; absent if the caller does not ask for it. */
  readonly slowParts?: SlowPart[] | undefined;
  /** Gathers work on all segments that is done before the first matcher is made; absent if the caller does not ask. */
  readonly preparations?: Preparation[] | undefined;
  weight(plan: Plan, context: WeightContext): Weight;
}

/**
 * Does a part of the work that a weight needs all segments for; returns whether more is left. A caller calls it until
 * nothing is left, and can give the thread back in between. `charge` is told of memory in bytes. A weight that is not
 * prepared does its work when its first matcher is made.
 */
export type Preparation = (charge?: (bytes: number) => void) => boolean;

/**
 * Does a part of the work of making the matcher of a segment, such as finding the terms of one pattern. A caller with
 * many of them can give the thread back in between. The matcher is made of what was found.
 */
export type SlowPart = (segment: SegmentView) => void;

/** Returns the context for an inner plan. Boosts multiply as floats. */
export function within(context: WeightContext, boost: number, needsScores = context.needsScores): WeightContext {
  if (boost === 1 && needsScores === context.needsScores) return context;
  return { ...context, boost: Math.fround(context.boost * boost), needsScores };
}

/** Returns the context for a filter, whose boosts do not count. */
export function asFilter(context: WeightContext): WeightContext {
  return { ...context, boost: 1, needsScores: false };
}
