export type { StoreAtRest } from './copy/at-rest.js';
export { type Ballast, openBallast } from './level/ballast.js';
export type { PeerHead } from './log/batch-header.js';
export { type BlockCache, createBlockCache } from './commit/block-cache.js';
export type { Commit, CommittedSegment, RetentionLease, Superseded } from './commit/commit.js';
export { type Epoch, type LogExtent, matchPoint, termAt } from './log/epochs.js';
export type { Durability } from './commit/group-commit.js';
export type { StoreIdentity, WantedIdentity } from './copy/identity.js';
export { levelStores, type LevelOptions } from './level/level-stores.js';
export { FileCache } from './mounted/file-cache.js';
export { FileLayout, type MountedRange, type MountedSegment } from './mounted/file-layout.js';
export { type FilePiece, MountedFiles, type MountedStats } from './mounted/mounted-files.js';
export { confinedFiles } from './node/confined-files.js';
export { nodeFiles } from './node/node-files.js';
export { decodeReceived, type Operation, type OperationId, type OperationKind } from './log/operation.js';
export { type LogChange, readBatch } from './log/read-batch.js';
export {
  createSegmentWriter,
  hasRootHash,
  openSegmentBytes,
  partsOfManifest,
  type SealedSegment,
  type SegmentBytes,
  segmentName,
  type SegmentWriter,
} from './commit/segment-parts.js';
export { openShardStore } from './open-shard-store.js';
export type { CommitDraft, KeptFiles, SegmentDraft, ShardStore, ShardStoreOptions } from './shard-store-api.js';
export { createUnassignedStores, type UnassignedStores } from './copy/unassigned-stores.js';
export { openStoreReader, type StoreReader } from './copy/store-reader.js';
export { stoppedStoreInfo } from './copy/stopped-store.js';
export { type ShardStoreInfo, storeInfo } from './copy/store-info.js';
export { openStateLog, type StateLog } from './node/state-log.js';
export { formatNodeId, parseNodeId } from './node/node-id-file.js';
