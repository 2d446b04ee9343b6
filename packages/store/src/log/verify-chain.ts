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

/** The chain from where the oldest commit needs it, walked and found whole. */
export interface VerifiedChain {
  readonly head: ChainHead;
  /** The batches that were walked. */
  readonly batches: BatchIndex;
  /** Highest operation of the chain or the commit; -1 for none. */
  readonly maxSeqNo: number;
  /** Number of the first operation that the walked batches wrote. */
  readonly firstSeqNo: number;
  /** Checksums of the operations from `firstSeqNo` on, in order. */
  readonly checksums: Uint32Array;
  readonly epochs: readonly Epoch[];
  /** Highest term that the copy has acted in; 0 when it has not said. */
  readonly term: number;
  readonly globalCheckpoint: number;
  readonly peers: ReadonlyMap<string, PeerHead>;
  /** Highest generation that a commit point has had, removed ones included. */
  readonly lastGeneration: number;
  /** Headers among those of the walk that are of batches before it. */
  readonly staleHeaders: readonly Uint8Array[];
}

/** A commit point found in the store. */
export interface FoundCommit {
  readonly commit: Commit;
  readonly checksum: number;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

interface Walk {
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
  /** Where the header of the first batch is, or one before it. */
  readonly from: number;
  checksums: number[];
  readonly peers: Map<string, PeerHead>;
}

function visitOperations(walk: Walk, batch: number, header: BatchHeader): void {
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

function visitTruncation(walk: Walk, batch: number, maxSeqNo: number): void {
  walk.lastTruncation = batch;
  walk.checksums.length = Math.max(0, maxSeqNo + 1 - walk.firstSeqNo);
  walk.maxSeqNo = maxSeqNo;
  walk.epochs = upTo(walk.epochs, maxSeqNo);
  walk.batches.truncated(maxSeqNo);
}

function visitCommit(walk: Walk, header: BatchHeader, newest: FoundCommit | null): void {
  if (header.commit === null) return;
  walk.lastGeneration = Math.max(walk.lastGeneration, header.commit.generation);
  if (header.commit.generation !== newest?.commit.generation) return;
  if (header.commit.checksum !== newest.checksum)
    throw errors.corruption(`commit point [${header.commit.generation}] is not the one that was written`);
  walk.sawCommit = true;
}

function visit(walk: Walk, key: Uint8Array, value: Uint8Array, newest: FoundCommit | null): void {
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

/** The walk begins where the oldest commit needs it, or at the very beginning while that is there. */
function beginWalk(store: KeyValueStore, commits: readonly FoundCommit[]): Walk {
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

function checkWitness(walk: Walk, witness: Witness): void {
  if (witness.batch === walk.head.batch && !isSame(witness.link, walk.head.link))
    throw errors.corruption('the log is not the one that its witness saw');
}

interface FoundHeaders {
  /** In the order of their batches. */
  readonly walked: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
  readonly stale: readonly Uint8Array[];
}

/** Headers of the batches from `first` on. Behind a truncation the log was gone on with at lower numbers. */
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

/** The log of a store that was made just now. */
export const emptyChain = (store: KeyValueStore): VerifiedChain => ({
  ...beginWalk(store, []),
  staleHeaders: [],
  checksums: new Uint32Array(0),
});

/**
 * Walks all batches that the commits do not cover; `commits` in rising order. Throws corrupt_index_exception when one
 * is missing, changed or out of order, or when the chain ends before the batch that the witness saw synced.
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
  // A truncation behind the witness may have removed the commit point that it names.
  const isOlder = (newest?.commit.generation ?? 0) < witness.generation;
  if (isOlder && walk.lastTruncation <= witness.batch)
    throw errors.corruption(`commit point [${witness.generation}] is missing`);
  return { ...walk, staleHeaders: stale, checksums: Uint32Array.from(walk.checksums) };
}
