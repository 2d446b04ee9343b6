import type { KeyValueStore } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { type BatchHeader, decodeBatchHeader, FIRST_LINK, linkOf, type PeerHead } from './batch-header.js';
import { opened } from './checksum.js';
import type { Commit } from './commit.js';
import { type Epoch, upTo, withOperation } from './epochs.js';
import type { ChainHead, RecentBatch } from './group-commit.js';
import { numberedKey, numberedRange, numberOfKey } from './keys.js';
import type { Witness } from './witness.js';

/** The chain from where the oldest commit needs it, walked and found whole. */
export interface VerifiedChain {
  readonly head: ChainHead;
  readonly recent: readonly RecentBatch[];
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
  recent: RecentBatch[];
  checksums: number[];
  readonly peers: Map<string, PeerHead>;
}

function visitOperations(walk: Walk, batch: number, header: BatchHeader, linkBefore: Uint8Array): void {
  const { firstSeqNo, checksums, operationTerm } = header;
  if (checksums.length === 0) return;
  if (walk.checksums.length === 0) walk.firstSeqNo = firstSeqNo;
  if (firstSeqNo !== walk.firstSeqNo + walk.checksums.length) throw errors.corruption(`batch [${batch}] does not hold the operations that follow`);
  for (let i = 0; i < checksums.length; i++) walk.checksums.push(checksums[i]!);
  const last = firstSeqNo + checksums.length - 1;
  walk.recent.push({ batch, lastSeqNo: last, linkBefore });
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
  walk.recent = walk.recent.map((entry) => (entry.lastSeqNo > maxSeqNo ? { ...entry, lastSeqNo: maxSeqNo } : entry));
}

function visitCommit(walk: Walk, header: BatchHeader, newest: FoundCommit | null): void {
  if (header.commit === null) return;
  walk.lastGeneration = Math.max(walk.lastGeneration, header.commit.generation);
  if (header.commit.generation !== newest?.commit.generation) return;
  if (header.commit.checksum !== newest.checksum) throw errors.corruption(`commit point [${header.commit.generation}] is not the one that was written`);
  walk.sawCommit = true;
}

function visit(walk: Walk, key: Uint8Array, value: Uint8Array, newest: FoundCommit | null): void {
  const batch = numberOfKey(key);
  if (batch !== walk.head.batch + 1) throw errors.corruption(`batch [${walk.head.batch + 1}] of the log is missing`);
  const header = decodeBatchHeader(opened(key, value, `header of batch [${batch}]`));
  if (!isSame(header.previous, walk.head.link)) throw errors.corruption(`batch [${batch}] of the log does not follow the one before`);
  visitCommit(walk, header, newest);
  visitOperations(walk, batch, header, walk.head.link);
  if (header.truncatedTo !== null) visitTruncation(walk, batch, header.truncatedTo);
  if (header.newTerm !== null) walk.term = Math.max(walk.term, header.newTerm);
  if (header.checkpoints) walk.globalCheckpoint = Math.max(walk.globalCheckpoint, header.checkpoints.global);
  for (const peer of header.peers) walk.peers.set(peer.allocationId, peer);
  walk.head = { batch, link: linkOf(value) };
}

/** The walk begins where the oldest commit needs it, or at the very beginning while that is there. */
function beginWalk(store: KeyValueStore, commits: readonly FoundCommit[]): Walk {
  const isWhole = commits.length === 0 || store.get(numberedKey('batch', 1)) !== undefined;
  const oldest = commits[0]?.commit;
  return {
    head: isWhole || !oldest ? { batch: 0, link: FIRST_LINK } : { batch: oldest.chainStart - 1, link: oldest.chainLink },
    firstSeqNo: 0,
    maxSeqNo: oldest?.maxSeqNo ?? -1,
    sawCommit: commits.length === 0,
    epochs: oldest?.epochs ?? [],
    term: oldest?.primaryTerm ?? 0,
    globalCheckpoint: -1,
    lastGeneration: 0,
    lastTruncation: 0,
    recent: [],
    checksums: [],
    peers: new Map(),
  };
}

function checkWitness(walk: Walk, witness: Witness): void {
  if (witness.batch === walk.head.batch && !isSame(witness.link, walk.head.link)) throw errors.corruption('the log is not the one that its witness saw');
}

/**
 * Walks all batches that the commits do not cover; `commits` in rising order. Throws corrupt_index_exception when one is
 * missing, changed or out of order, or when the chain ends before the batch that the witness saw synced.
 */
export async function verifyChain(store: KeyValueStore, commits: readonly FoundCommit[], witness: Witness): Promise<VerifiedChain> {
  const newest = commits.at(-1) ?? null;
  const walk = beginWalk(store, commits);
  checkWitness(walk, witness);
  for await (const [key, value] of store.entries(numberedRange('batch', walk.head.batch + 1))) {
    visit(walk, key, value, newest);
    checkWitness(walk, witness);
  }
  if (!walk.sawCommit) throw errors.corruption(`the batch of commit point [${newest!.commit.generation}] is missing`);
  if (witness.batch < 0) throw errors.corruption('the witness of the log is damaged');
  if (walk.head.batch < witness.batch) throw errors.corruption(`the log ends at batch [${walk.head.batch}], but [${witness.batch}] was written`);
  // A truncation behind the witness may have removed the commit point that it names.
  const isOlder = (newest?.commit.generation ?? 0) < witness.generation;
  if (isOlder && walk.lastTruncation <= witness.batch) throw errors.corruption(`commit point [${witness.generation}] is missing`);
  return { ...walk, checksums: Uint32Array.from(walk.checksums) };
}
