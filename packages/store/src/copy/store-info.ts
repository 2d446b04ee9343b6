import type { Commit } from '../commit/commit.js';
import type { Epoch } from '../log/epochs.js';
import type { VerifiedStore } from './open-verified.js';
import type { ShardStore } from '../shard-store-api.js';

/** What a copy on disk could be: for the master, which chooses among them (docs/internals/cluster.md §4). */
export interface ShardStoreInfo {
  readonly allocationId: string | null;
  readonly previousAllocationId: string | null;
  readonly historyUuid: string;
  readonly term: number;
  readonly maxSeqNo: number;
  readonly globalCheckpoint: number;
  readonly epochs: readonly Epoch[];
  readonly historyFloor: number;
  /** Root hashes of the newest commit's segments, hexadecimal. */
  readonly segments: readonly string[];
}

const rootHashes = (commit: Commit | null | undefined): string[] =>
  (commit?.segments ?? []).map(({ rootHash }) => Buffer.from(rootHash).toString('hex'));

/** The same of an open store. */
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

/** The same of one that was opened and verified, and that nothing was done with yet. */
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
