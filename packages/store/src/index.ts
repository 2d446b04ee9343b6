export type { StoreAtRest } from './at-rest.js';
export { type Ballast, openBallast } from './ballast.js';
export type { PeerHead } from './batch-header.js';
export { type BlockCache, createBlockCache } from './block-cache.js';
export type { Commit, CommittedSegment, RetentionLease, Superseded } from './commit.js';
export { type Epoch, type LogExtent, matchPoint, termAt } from './epochs.js';
export type { Durability } from './group-commit.js';
export type { StoreIdentity, WantedIdentity } from './identity.js';
export { levelStores, type LevelOptions } from './level-stores.js';
export { nodeFiles } from './node-files.js';
export { decodeReceived, type Operation, type OperationId, type OperationKind } from './operation.js';
export { type LogChange, readBatch } from './read-batch.js';
export {
  createSegmentWriter,
  openSegmentBytes,
  type SealedSegment,
  type SegmentBytes,
  segmentName,
  type SegmentWriter,
} from './segment-parts.js';
export { openShardStore } from './shard-store.js';
export type { CommitDraft, KeptFiles, SegmentDraft, ShardStore, ShardStoreOptions } from './shard-store-api.js';
export { createLookedInto, type LookedInto } from './looked-into.js';
export { stoppedStoreInfo } from './stopped-store.js';
export { type ShardStoreInfo, storeInfo } from './store-info.js';
export { openStateLog, type StateLog, type StateRecord } from './state-log.js';
