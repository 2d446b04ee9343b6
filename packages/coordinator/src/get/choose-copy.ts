import { type ClusterState, type IndexMetadata, type ShardRouting, searchShards } from '@shoal/cluster';
import { type ApiError, errors } from '@shoal/errors';
import type { CoordinatorContext } from '../context.js';

const isActive = (copy: ShardRouting): boolean => copy.nodeId !== null && (copy.state === 'STARTED' || copy.state === 'RELOCATING');

function byDefault(state: ClusterState, index: IndexMetadata, shard: number, localNodeId: string): readonly ShardRouting[] {
  const copies = state.routing.get(index.uuid)?.[shard] ?? [];
  if (copies.length === 1 && isActive(copies[0]!)) return copies;
  const active = copies.filter(isActive);
  return [...active.filter((copy) => copy.nodeId === localNodeId), ...active.filter((copy) => copy.nodeId !== localNodeId)];
}

/** Copies of a shard in the order to ask them for a document. */
export function copiesToRead(context: CoordinatorContext, index: IndexMetadata, shard: number, preference: string | null): readonly ShardRouting[] {
  const state = context.cluster.state();
  if (preference === null) return byDefault(state, index, shard, context.localNodeId);
  const options = { preference, localNodeId: context.localNodeId, seed: 0 };
  const found = searchShards(state, [{ index, filter: null, routings: null }], options).find((candidate) => candidate.shard === shard);
  return found?.copies ?? [];
}

/** Sends `action` to the first copy that answers; a copy whose node or shard is gone is passed over. */
export async function requestFirst(context: CoordinatorContext, copies: readonly ShardRouting[], action: string, encode: () => Uint8Array, none: () => ApiError): Promise<Uint8Array> {
  let last: ApiError | null = null;
  for (const copy of copies) {
    try {
      return await context.channel(copy.nodeId!).request(action, encode());
    } catch (thrown) {
      last = context.apiError(thrown);
      if (last.type !== 'no_shard_available_action_exception' && last.type !== 'shard_not_found_exception') throw last;
    }
  }
  throw last ?? none();
}

/** The error of a get without any copy to ask. */
export function noCopyForGet(index: string, id: string, routing: string | null): ApiError {
  return errors.noShardAvailable(`No shard available for [get [${index}][${id}]: routing [${routing}]]`);
}
