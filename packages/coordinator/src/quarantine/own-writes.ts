import type { ApiError } from '@shoal/errors';
import { isFailed, resultError, resultMembers, shardsJson } from '../bulk/render-write.js';
import { isRefused, routeOperation } from '../bulk/resolve-operation.js';
import { activeCopies, sendBatch } from '../bulk/send-batch.js';
import { groupByShard } from '../bulk/shard-batch.js';
import type { WriteOperation } from '../bulk/write-request.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';

/** An entry of a quarantine that was written. */
export interface OwnWrite {
  readonly index: string;
  readonly id: string;
  /** Members of the answer of the write, without braces. */
  readonly members: string;
}

/** Writes entries of quarantines as the node itself. Returns what became of each. */
export async function writeOwn(
  context: CoordinatorContext,
  entries: readonly WriteOperation[],
  timeoutMs: number,
  call: CallContext,
): Promise<(OwnWrite | ApiError)[]> {
  const state = context.cluster.state();
  const outcomes: (OwnWrite | ApiError)[] = [];
  const routed = entries.map((entry, i) => {
    const write = routeOperation(state, entry, context, context.clock.now(), null);
    if (!isRefused(write)) return write;
    outcomes[i] = write.error;
    return null;
  });
  const options = { refresh: 'none', timeoutMs, waitForActiveShards: null } as const;
  for (const batch of groupByShard(routed)) {
    try {
      const response = await sendBatch(context, batch, options, call);
      const shards = shardsJson(batch, response, activeCopies(context.cluster.state(), batch));
      batch.writes.forEach((write, i) => {
        const result = response.items[i]!;
        const outcome = { forcedRefresh: false, shards, withType: call.withType };
        outcomes[batch.positions[i]!] = isFailed(result)
          ? resultError(result)
          : { index: write.index.name, id: write.id, members: resultMembers(write, result, outcome) };
      });
    } catch (thrown) {
      const error = context.apiError(thrown);
      for (const position of batch.positions) outcomes[position] = error;
    }
  }
  return outcomes;
}
