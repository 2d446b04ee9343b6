import type { ShardRouting } from '@shoal/state';
import type { Allocation } from '../allocation.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';

const NAME = 'snapshot_in_progress';

function canMove(copy: ShardRouting, allocation: Allocation): Decision {
  if (!copy.primary) return allocation.decide(NAME, 'YES', () => 'the shard is not being snapshotted');
  if (copy.nodeId === null || allocation.context.isSnapshotting?.(copy.indexUuid, copy.shard) !== true) {
    return allocation.decide(NAME, 'YES', () => 'no snapshots are currently running');
  }
  return allocation.decide(NAME, 'THROTTLE', () => {
    const name = allocation.meta(copy.indexUuid)?.name;
    return `waiting for snapshotting of shard [[${name}][${copy.shard}]] to complete on this node [${copy.nodeId}]`;
  });
}

/** Forbids moves of a primary that a snapshot reads. */
export const snapshotInProgress: Decider = {
  name: NAME,
  canAllocate: (copy, _node, allocation) => canMove(copy, allocation),
  canRebalance: canMove,
};
