import type { ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import type { Decision } from '../decision.js';

/** One rule of allocation. A rule without a method has no opinion on that question. */
export interface Decider {
  readonly name: string;
  /** Decides whether a node may get a copy that is unassigned or on another node. Null: no opinion. */
  readonly canAllocate?: (copy: ShardRouting, node: AllocationNode, allocation: Allocation) => Decision | null;
  /** Decides whether a copy may stay on its node. */
  readonly canRemain?: (copy: ShardRouting, node: AllocationNode, allocation: Allocation) => Decision | null;
  /** Decides whether a copy may move for balance. */
  readonly canRebalance?: (copy: ShardRouting, allocation: Allocation) => Decision | null;
  /** Whether the rule also holds for a primary that starts from its own store (`canForceAllocate`). */
  readonly isFirm?: true;
}
