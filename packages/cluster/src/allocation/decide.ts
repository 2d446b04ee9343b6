import type { ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from './allocation.js';
import { type Decision, type Verdict } from './decision.js';
import { DECIDERS } from './deciders/catalogue.js';
import type { Decider } from './deciders/decider.js';

const ALLOCATING = DECIDERS.filter((decider) => decider.canAllocate);
const REMAINING = DECIDERS.filter((decider) => decider.canRemain);
const REBALANCING = DECIDERS.filter((decider) => decider.canRebalance);

function combine(deciders: readonly Decider[], ask: (decider: Decider) => Decision | null): Verdict {
  let result: Verdict = 'YES';
  for (const decider of deciders) {
    const verdict = ask(decider)?.decision ?? 'YES';
    if (verdict === 'NO') return 'NO';
    if (verdict === 'THROTTLE') result = 'THROTTLE';
  }
  return result;
}

/** Returns the strictest verdict of all deciders on a copy for a node. */
export function canAllocate(allocation: Allocation, copy: ShardRouting, node: AllocationNode): Verdict {
  return combine(ALLOCATING, (decider) => decider.canAllocate!(copy, node, allocation));
}

/**
 * Returns whether a primary may start from its own store on a node although deciders forbid it. Only firm deciders and
 * limits of concurrency count.
 */
export function canForceAllocate(allocation: Allocation, copy: ShardRouting, node: AllocationNode): Verdict {
  let result: Verdict = 'YES';
  for (const decider of ALLOCATING) {
    const verdict = decider.canAllocate!(copy, node, allocation)?.decision ?? 'YES';
    if (verdict === 'NO' && decider.isFirm) return 'NO';
    if (verdict === 'THROTTLE') result = 'THROTTLE';
  }
  return result;
}

/** Returns the strictest verdict of all deciders on a copy staying on its node. */
export function canRemain(allocation: Allocation, copy: ShardRouting, node: AllocationNode): Verdict {
  return combine(REMAINING, (decider) => decider.canRemain!(copy, node, allocation));
}

/** Returns the strictest verdict of all deciders on a copy moving for balance. */
export function canRebalance(allocation: Allocation, copy: ShardRouting): Verdict {
  return combine(REBALANCING, (decider) => decider.canRebalance!(copy, allocation));
}

/** Returns the decision of every decider, for explanations. */
export function allocateDecisions(allocation: Allocation, copy: ShardRouting, node: AllocationNode): Decision[] {
  return ALLOCATING.flatMap((decider) => decider.canAllocate!(copy, node, allocation) ?? []);
}

/** Returns the decisions of all deciders on a copy staying on its node, for explanations. */
export function remainDecisions(allocation: Allocation, copy: ShardRouting, node: AllocationNode): Decision[] {
  return REMAINING.flatMap((decider) => decider.canRemain!(copy, node, allocation) ?? []);
}

/** Returns the decisions of all deciders on a copy moving for balance, for explanations. */
export function rebalanceDecisions(allocation: Allocation, copy: ShardRouting): Decision[] {
  return REBALANCING.flatMap((decider) => decider.canRebalance!(copy, allocation) ?? []);
}
