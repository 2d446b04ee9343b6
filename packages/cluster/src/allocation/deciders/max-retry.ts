import { indexSetting } from '../../settings/index-settings.js';
import { describeUnassigned } from '../copies.js';
import type { Decider } from './decider.js';

const NAME = 'max_retry';

/** Stops placing a copy that failed `index.allocation.max_retries` times in a row, until an operator asks for it. */
export const maxRetry: Decider = {
  name: NAME,
  isFirm: true,
  canAllocate(copy, _node, allocation) {
    const failed = copy.unassigned?.failedAttempts ?? 0;
    if (failed === 0) return allocation.decide(NAME, 'YES', () => 'shard has no previous failures');
    const max = Number(indexSetting(allocation.meta(copy.indexUuid)?.settings ?? {}, 'index.allocation.max_retries'));
    if (failed < max) return allocation.decide(NAME, 'YES', () => `shard has failed allocating [${failed}] times but [${max}] retries are allowed`);
    return allocation.decide(NAME, 'NO', () =>
      `shard has exceeded the maximum number of retries [${max}] on failed allocation attempts - manually call [POST /_cluster/reroute?retry_failed] to retry, [${describeUnassigned(copy.unassigned!)}]`);
  },
};
