import { indexSetting, type ShardRouting } from '@shoal/state';
import { describeCopy, describeUnassigned } from '../describe-copy.js';
import type { Allocation } from '../allocation.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';

const NAME = 'max_retry';

function forMoves(allocation: Allocation, copy: ShardRouting, failed: number, max: number): Decision {
  if (failed < max)
    return allocation.decide(
      NAME,
      'YES',
      () => `shard has failed relocating [${failed}] times but [${max}] retries are allowed`,
    );
  return allocation.decide(
    NAME,
    'NO',
    () =>
      `shard has exceeded the maximum number of retries [${max}] on failed relocation attempts - manually call ` +
      '[POST /_cluster/reroute?retry_failed] to retry, ' +
      `[${describeCopy(allocation.meta(copy.indexUuid)?.name ?? '', copy)}]`,
  );
}

/** Forbids a copy that failed `index.allocation.max_retries` times in a row, until an operator retries it. */
export const maxRetry: Decider = {
  name: NAME,
  isFirm: true,
  canAllocate(copy, _node, allocation) {
    const max = Number(indexSetting(allocation.meta(copy.indexUuid)?.settings ?? {}, 'index.allocation.max_retries'));
    const moves = copy.relocationFailures ?? 0;
    if (moves > 0) return forMoves(allocation, copy, moves, max);
    const failed = copy.unassigned?.failedAttempts ?? 0;
    if (failed === 0) return allocation.decide(NAME, 'YES', () => 'shard has no previous failures');
    if (failed < max)
      return allocation.decide(
        NAME,
        'YES',
        () => `shard has failed allocating [${failed}] times but [${max}] retries are allowed`,
      );
    return allocation.decide(
      NAME,
      'NO',
      () =>
        `shard has exceeded the maximum number of retries [${max}] on failed allocation attempts - manually call ` +
        `[POST /_cluster/reroute?retry_failed] to retry, [${describeUnassigned(copy.unassigned!)}]`,
    );
  },
};
