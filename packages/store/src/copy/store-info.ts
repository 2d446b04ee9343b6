import type { Commit } from '../commit/commit.js';
import type { Epoch } from '../log/epochs.js';
import type { VerifiedStore } from './open-verified.js';
import type { ShardStore } from '../shard-store-api.js';

/** Description of a copy on disk, by which the master chooses among copies (docs/internals/cluster.md §4). */
export interface ShardStoreInfo {
  readonly allocationId: string | null;
  readonly previousAllocationId: string | null;
  readonly historyUuid: string;
  readonly term: number;
  readonly maxSeqNo: number;
  readonly globalCheckpoint: number;
  readonly epochs: readonly Epoch[];
  readonly historyFloor: number;
  /** Root hashes of the segments of the newest commit point, hexadecimal. */
  readonly segments: readonly string[];
}

const rootHashes = (commit: Commit | null | undefined): string[] =>
  (commit?.segments ?? []).map(({ rootHash }) => Buffer.from(rootHash).toString('hex'));

/** Describes an open store. */
export function storeInfo(store: ShardStore): ShardStoreInfo {
  const { allocationId, previousAllocationId, historyUuid } = store.identity;
  return {
    allocationId,
    previousAllocationId,
    historyUuid,
    term: store.currentTerm,
    maxSeqNo: store.persistedSeqNo(),
    globalCheckpoint: store.globalCheckpoint,
    epochs: store.epochs,
    historyFloor: store.commit?.historyFloor ?? 0,
    segments: rootHashes(store.commit),
  };
}

/** Describes a store that was opened and verified but not used yet. */
export function verifiedInfo({ identity, chain, commits }: VerifiedStore): ShardStoreInfo {
  const { allocationId, previousAllocationId, historyUuid } = identity;
  const commit = commits.at(-1);
  return {
    allocationId,
    previousAllocationId,
    historyUuid,
    term: chain.term,
    maxSeqNo: chain.maxSeqNo,
    globalCheckpoint: chain.globalCheckpoint,
    epochs: chain.epochs,
    historyFloor: commit?.historyFloor ?? 0,
    segments: rootHashes(commit),
  };
}
