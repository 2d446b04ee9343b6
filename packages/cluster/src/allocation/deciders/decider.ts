import type { ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import type { Decision } from '../decision.js';

/** One rule of allocation. What it leaves out it has no opinion on. */
export interface Decider {
  readonly name: string;
  /** Whether a node may get the copy: an unassigned one, or one that would move there. Null: no opinion. */
  readonly canAllocate?: (copy: ShardRouting, node: AllocationNode, allocation: Allocation) => Decision | null;
  /** Whether a copy may stay where it is. */
  readonly canRemain?: (copy: ShardRouting, node: AllocationNode, allocation: Allocation) => Decision | null;
  /** Whether a copy may move for the sake of balance. */
  readonly canRebalance?: (copy: ShardRouting, allocation: Allocation) => Decision | null;
  /** A primary's own store never overrules it. */
  readonly isFirm?: true;
}
