import type { ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from './allocation.js';
import { canAllocate } from './decide.js';
import type { Verdict } from './decision.js';
import { byWeight, type Weights } from './weights.js';

/** A node for a copy, null for none. */
export interface Choice {
  readonly node: AllocationNode | null;
  /** NO: no node may have the copy. THROTTLE: the best node may have it, but has too many recoveries now. */
  readonly verdict: Verdict;
}

const NONE: Choice = { node: null, verdict: 'NO' };

/**
 * Returns the emptiest node that may have a copy. If that node is throttled, a node that is fuller by at most the
 * threshold is taken instead.
 */
export function chooseNode(allocation: Allocation, weights: Weights, copy: ShardRouting): Choice {
  let throttled: Choice = NONE;
  let throttledWeight = Infinity;
  for (const { node, weight } of byWeight(weights, allocation, copy.indexUuid)) {
    if (weight > throttledWeight + allocation.settings.weights.threshold) break;
    const verdict = canAllocate(allocation, copy, node);
    if (verdict === 'YES') return { node, verdict };
    if (verdict === 'NO' || throttled.node !== null) continue;
    throttled = { node, verdict };
    throttledWeight = weight;
  }
  return throttled;
}
