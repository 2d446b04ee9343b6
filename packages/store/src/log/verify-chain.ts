import type { KeyValueStore } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { type BatchHeader, decodeBatchHeader, FIRST_LINK, linkOf, type PeerHead } from './batch-header.js';
import { verifyRecord } from '../level/checksum.js';
import type { Commit } from '../commit/commit.js';
import { type Epoch, upTo, withOperation } from './epochs.js';
import { BatchIndex } from './batch-index.js';
import type { ChainHead } from '../commit/group-commit.js';
import { batchKey, batchOfKey, isBatchKey, numberedRange, numberOfKey } from '../level/keys.js';
import type { Witness } from './witness.js';

/** Result of verifying the chain of batches, from the point that the oldest commit point needs. */
export interface VerifiedChain {
  readonly head: ChainHead;
  /** Index of the verified batches. */
  readonly batches: BatchIndex;
  /** Number of the last operation of the chain or of the commit point; -1 if there is none. */
  readonly maxSeqNo: number;
  /** Number of the first operation of the verified batches. */
  readonly firstSeqNo: number;
  /** Checksums of the operations from `firstSeqNo` on, in order. */
  readonly checksums: Uint32Array;
  readonly epochs: readonly Epoch[];
  /** Highest primary term in which the copy has acted; 0 if none is recorded. */
  readonly term: number;
  readonly globalCheckpoint: number;
  readonly peers: ReadonlyMap<string, PeerHead>;
  /** Highest generation of all commit points, including removed ones. */
  readonly lastGeneration: number;
  /** Keys of headers that were found but belong to batches before the verified ones. */
  readonly staleHeaders: readonly Uint8Array[];
}

/** A commit point found in the store. */
export interface FoundCommit {
  readonly commit: Commit;
  readonly checksum: number;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

interface ChainWalk {
  head: ChainHead;
  firstSeqNo: number;
  maxSeqNo: number;
  sawCommit: boolean;
  epochs: readonly Epoch[];
  term: number;
  globalCheckpoint: number;
  lastGeneration: number;
  lastTruncation: number;
  readonly batches: BatchIndex;
  /** Operation number in the key of the first batch's header, or a lower number. */
  readonly from: number;
  checksums: number[];
  readonly peers: Map<string, PeerHead>;
}

function visitOperations(walk: ChainWalk, batch: number, header: BatchHeader): void {
  const { firstSeqNo, checksums, operationTerm } = header;
  if (checksums.length === 0) return;
  if (walk.checksums.length === 0) walk.firstSeqNo = firstSeqNo;
  if (firstSeqNo !== walk.firstSeqNo + walk.checksums.length)
    throw errors.corruption(`batch [${batch}] does not hold the operations that follow`);
  for (let i = 0; i < checksums.length; i++) walk.checksums.push(checksums[i]!);
  const last = firstSeqNo + checksums.length - 1;
  if (last > walk.maxSeqNo) {
    walk.epochs = withOperation(walk.epochs, operationTerm, Math.max(firstSeqNo, walk.maxSeqNo + 1));
    walk.maxSeqNo = last;
  }
  walk.term = Math.max(walk.term, operationTerm);
}

function visitTruncation(walk: ChainWalk, batch: number, maxSeqNo: number): void {
  walk.lastTruncation = batch;
  walk.checksums.length = Math.max(0, maxSeqNo + 1 - walk.firstSeqNo);
  walk.maxSeqNo = maxSeqNo;
  walk.epochs = upTo(walk.epochs, maxSeqNo);
  walk.batches.truncated(maxSeqNo);
}

function visitCommit(walk: ChainWalk, header: BatchHeader, newest: FoundCommit | null): void {
  if (header.commit === null) return;
  walk.lastGeneration = Math.max(walk.lastGeneration, header.commit.generation);
  if (header.commit.generation !== newest?.commit.generation) return;
  if (header.commit.checksum !== newest.checksum)
    throw errors.corruption(`commit point [${header.commit.generation}] is not the one that was written`);
  walk.sawCommit = true;
}

function visit(walk: ChainWalk, key: Uint8Array, value: Uint8Array, newest: FoundCommit | null): void {
  const batch = batchOfKey(key);
  if (batch !== walk.head.batch + 1) throw errors.corruption(`batch [${walk.head.batch + 1}] of the log is missing`);
  const header = decodeBatchHeader(verifyRecord(key, value, `header of batch [${batch}]`));
  if (!isSame(header.previous, walk.head.link))
    throw errors.corruption(`batch [${batch}] of the log does not follow the one before`);
  visitCommit(walk, header, newest);
  visitOperations(walk, batch, header);
  if (header.truncatedTo !== null) visitTruncation(walk, batch, header.truncatedTo);
  if (header.newTerm !== null) walk.term = Math.max(walk.term, header.newTerm);
  if (header.checkpoints) walk.globalCheckpoint = Math.max(walk.globalCheckpoint, header.checkpoints.global);
  for (const peer of header.peers) walk.peers.set(peer.allocationId, peer);
  const link = linkOf(value);
  const { firstSeqNo, checksums } = header;
  walk.batches.add({
    position: numberOfKey(key),
    lastSeqNo: checksums.length === 0 ? -1 : firstSeqNo + checksums.length - 1,
    link,
  });
  walk.head = { batch, link };
}

/** Starts at the batch that the oldest commit point needs, or at batch 1 if its header is still there. */
function beginWalk(store: KeyValueStore, commits: readonly FoundCommit[]): ChainWalk {
  const isWhole = commits.length === 0 || store.get(batchKey(0, 1)) !== undefined;
  const oldest = commits[0]?.commit;
  const isFromFirst = isWhole || !oldest;
  const head = isFromFirst ? { batch: 0, link: FIRST_LINK } : { batch: oldest.chainStart - 1, link: oldest.chainLink };
  return {
    head,
    from: isFromFirst ? 0 : oldest.chainPosition,
    firstSeqNo: 0,
    maxSeqNo: oldest?.maxSeqNo ?? -1,
    sawCommit: commits.length === 0,
    epochs: oldest?.epochs ?? [],
    term: oldest?.primaryTerm ?? 0,
    globalCheckpoint: -1,
    lastGeneration: 0,
    lastTruncation: 0,
    batches: new BatchIndex(head.batch + 1, head.link),
    checksums: [],
    peers: new Map(),
  };
}

function checkWitness(walk: ChainWalk, witness: Witness): void {
  if (witness.batch === walk.head.batch && !isSame(witness.link, walk.head.link))
    throw errors.corruption('the log is not the one that its witness saw');
}

interface FoundHeaders {
  /** Headers to verify, in the order of their batches. */
  readonly walked: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
  readonly stale: readonly Uint8Array[];
}

/**
 * Headers of the batches from `first` on, sorted by batch. The order of keys is that of operation numbers, and after a
 * truncation later batches have lower operation numbers.
 */
async function headersFrom(store: KeyValueStore, position: number, first: number): Promise<FoundHeaders> {
  const walked: (readonly [Uint8Array, Uint8Array])[] = [];
  const stale: Uint8Array[] = [];
  for await (const [key, value] of store.entries(numberedRange('operation', position))) {
    if (!isBatchKey(key)) continue;
    if (batchOfKey(key) < first) stale.push(key);
    else walked.push([key, value]);
  }
  return { walked: walked.sort((a, b) => batchOfKey(a[0]) - batchOfKey(b[0])), stale };
}

/** The chain of a new store. */
export const emptyChain = (store: KeyValueStore): VerifiedChain => ({
  ...beginWalk(store, []),
  staleHeaders: [],
  checksums: new Uint32Array(0),
});

/**
 * Verifies all batches that the commit points do not cover; `commits` is in ascending order. Throws
 * corrupt_index_exception if a batch is missing, changed or out of order, or if the chain ends before the batch of the
 * witness, which was synced.
 */
export async function verifyChain(
  store: KeyValueStore,
  commits: readonly FoundCommit[],
  witness: Witness,
): Promise<VerifiedChain> {
  const newest = commits.at(-1) ?? null;
  const walk = beginWalk(store, commits);
  checkWitness(walk, witness);
  const { walked, stale } = await headersFrom(store, walk.from, walk.head.batch + 1);
  for (const [key, value] of walked) {
    visit(walk, key, value, newest);
    checkWitness(walk, witness);
  }
  if (!walk.sawCommit) throw errors.corruption(`the batch of commit point [${newest!.commit.generation}] is missing`);
  if (witness.batch < 0) throw errors.corruption('the witness of the log is damaged');
  if (walk.head.batch < witness.batch)
    throw errors.corruption(`the log ends at batch [${walk.head.batch}], but [${witness.batch}] was written`);
  // A truncation after the batch of the witness may have removed the commit point whose generation the witness has.
  const isOlder = (newest?.commit.generation ?? 0) < witness.generation;
  if (isOlder && walk.lastTruncation <= witness.batch)
    throw errors.corruption(`commit point [${witness.generation}] is missing`);
  return { ...walk, staleHeaders: stale, checksums: Uint32Array.from(walk.checksums) };
}
