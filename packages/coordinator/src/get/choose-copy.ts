import { shard as messages } from '@shoal/protocol';
import { sendMessage } from '@shoal/doors';
import type { ClusterState, IndexMetadata, ShardRouting } from '@shoal/state';
import { searchShards } from '../search/targets/search-shards.js';
import { type ApiError, errors } from '@shoal/errors';
import { type CallContext, childOf } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { isUnavailable, mayAnswerElsewhere } from '../retryable.js';

const isActive = (copy: ShardRouting): boolean =>
  copy.nodeId !== null && (copy.state === 'STARTED' || copy.state === 'RELOCATING');

function byDefault(
  state: ClusterState,
  index: IndexMetadata,
  shard: number,
  localNodeId: string,
): readonly ShardRouting[] {
  const copies = state.routing.get(index.uuid)?.[shard] ?? [];
  if (copies.length === 1 && isActive(copies[0]!)) return copies;
  const active = copies.filter(isActive);
  return [
    ...active.filter((copy) => copy.nodeId === localNodeId),
    ...active.filter((copy) => copy.nodeId !== localNodeId),
  ];
}

/** Returns the copies of a shard in the order in which they are asked for a document. */
export function copiesToRead(
  context: CoordinatorContext,
  index: IndexMetadata,
  shard: number,
  preference: string | null,
): readonly ShardRouting[] {
  const state = context.cluster.state();
  if (preference === null) return byDefault(state, index, shard, context.localNodeId);
  const options = { preference, localNodeId: context.localNodeId, seed: 0 };
  const found = searchShards(state, [{ index, filter: null, routings: null, limits: null }], options).find(
    (candidate) => candidate.shard === shard,
  );
  return found?.copies ?? [];
}

/** A message for any one of the copies of a shard. */
export interface CopyRequest {
  readonly copies: readonly ShardRouting[];
  readonly request: messages.GetRequest;
  readonly call: CallContext;
  /** Makes the error if no copy was reached, with the last error as cause (null if there was no copy). */
  readonly none: (cause: ApiError | null) => ApiError;
}

/** Asks copies one after another until one answers. An error of the request itself is thrown at once. */
export async function requestFirst(
  context: CoordinatorContext,
  { copies, request, call, none }: CopyRequest,
): Promise<messages.GetResponse> {
  let last: ApiError | null = null;
  for (const copy of copies) {
    try {
      return await sendMessage(context.channel(copy.nodeId!), messages.methods.get, request, childOf(call));
    } catch (thrown) {
      last = context.apiError(thrown);
      if (!mayAnswerElsewhere(last)) throw last;
    }
  }
  throw last === null || isUnavailable(last) ? none(last) : last;
}

/** Makes the error of a get without a copy to ask. */
export function noCopyForGet(index: string, id: string, routing: string | null): (cause: ApiError | null) => ApiError {
  return (cause) =>
    errors.noShardAvailable(
      `No shard available for [get [${index}][${id}]: routing [${routing}]]`,
      cause ? { cause } : {},
    );
}
