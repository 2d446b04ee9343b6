import { recovery, replication } from '@shoal/protocol';
import { errors } from '@shoal/errors';
import type { HeldShards } from './held-shards.js';

interface CopyTarget {
  readonly indexUuid: string;
  readonly shard: number;
}

const TARGETS: Readonly<Record<string, (payload: Uint8Array) => CopyTarget | undefined>> = {
  'replication/replicate': (payload) => replication.decodeReplicateRequest(payload).copy,
  'replication/resync': (payload) => replication.decodeResyncRequest(payload).copy,
  'replication/sync': (payload) => replication.decodeSyncRequest(payload).copy,
  'recovery/start': (payload) => recovery.decodeStartRequest(payload),
  'recovery/chunk': (payload) => recovery.decodeChunksRequest(payload),
  'recovery/operations': (payload) => recovery.decodeOperationsRequest(payload),
  'recovery/finalize': (payload) => recovery.decodeFinalizeRequest(payload),
  'recovery/handoff': (payload) => recovery.decodeHandoffRequest(payload),
};

/** Whether a message is one copy's to another. */
export const isCopyAction = (action: string): boolean => Object.hasOwn(TARGETS, action);

/** The shard that such a message is about. */
export function copyTarget(action: string, payload: Uint8Array): CopyTarget {
  const target = isCopyAction(action) ? TARGETS[action]!(payload) : undefined;
  if (!target) throw errors.illegalArgument(`unknown action [${action}]`);
  return target;
}

/** Answers a message of another copy. */
export async function copyMessage(shards: HeldShards, action: string, payload: Uint8Array): Promise<Uint8Array> {
  const { indexUuid, shard } = copyTarget(action, payload);
  return shards.copyNow(indexUuid, shard).handle(action, payload);
}
