import type { Decider } from './decider.js';

const NAME = 'restore_in_progress';

/** Forbids automatic retries of a shard whose snapshot is corrupt. */
export const restoreInProgress: Decider = {
  name: NAME,
  canAllocate(copy, _node, allocation) {
    if (copy.recoverySource !== 'SNAPSHOT')
      return allocation.decide(NAME, 'YES', () => 'ignored as shard is not being recovered from a snapshot');
    if (!/corrupt/.test(copy.unassigned?.details ?? ''))
      return allocation.decide(NAME, 'YES', () => 'shard is currently being restored');
    return allocation.decide(NAME, 'NO', () => {
      const meta = allocation.meta(copy.indexUuid);
      const from = meta?.restoredFrom;
      return (
        `shard has failed to be restored from the snapshot [${from?.repository}:${from?.snapshot}] - manually ` +
        `close or delete the index [${meta?.name}] in order to retry to restore the snapshot again or use the ` +
        `reroute API to force the allocation of an empty primary shard. Details: [${copy.unassigned?.details}]`
      );
    });
  },
};
