import type { KeyValueStore } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { decodeBatchHeader, FIRST_LINK, linkOf } from './batch-header.js';
import { opened } from './checksum.js';
import type { Commit } from './commit.js';
import type { ChainHead, RecentBatch } from './group-commit.js';
import { numberedRange, numberOfKey } from './keys.js';
import type { Witness } from './witness.js';

/** The chain from the newest commit on, walked and found whole. */
export interface VerifiedChain {
  readonly head: ChainHead;
  readonly recent: readonly RecentBatch[];
  /** Highest operation of the chain or the commit; -1 for none. */
  readonly maxSeqNo: number;
  /** Checksums of the operations above the commit, in order. */
  readonly checksums: Uint32Array;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

interface Walk {
  head: ChainHead;
  maxSeqNo: number;
  sawCommit: boolean;
  readonly recent: RecentBatch[];
  readonly checksums: number[];
}

function visit(walk: Walk, key: Uint8Array, value: Uint8Array, commit: Commit | null, commitChecksum: number): void {
  const batch = numberOfKey(key);
  if (batch !== walk.head.batch + 1) throw errors.corruption(`batch [${walk.head.batch + 1}] of the log is missing`);
  const header = decodeBatchHeader(opened(key, value, `header of batch [${batch}]`));
  if (!isSame(header.previous, walk.head.link)) throw errors.corruption(`batch [${batch}] of the log does not follow the one before`);
  if (header.commit && commit && header.commit.generation === commit.generation) {
    if (header.commit.checksum !== commitChecksum) throw errors.corruption(`commit point [${commit.generation}] is not the one that was written`);
    walk.sawCommit = true;
  }
  const last = header.firstSeqNo + header.checksums.length - 1;
  if (header.checksums.length > 0) {
    for (let i = 0; i < header.checksums.length; i++) {
      if (header.firstSeqNo + i > walk.maxSeqNo) walk.checksums.push(header.checksums[i]!);
    }
    if (last > walk.maxSeqNo) walk.recent.push({ batch, lastSeqNo: last, linkBefore: walk.head.link });
    walk.maxSeqNo = Math.max(walk.maxSeqNo, last);
  }
  walk.head = { batch, link: linkOf(value) };
}

/**
 * Walks all batches that the commit does not cover. Throws corrupt_index_exception when one is missing, changed or out of
 * order, or when the chain ends before the batch that the witness saw synced.
 */
export async function verifyChain(store: KeyValueStore, commit: Commit | null, commitChecksum: number, witness: Witness): Promise<VerifiedChain> {
  const start = commit?.chainStart ?? 1;
  const walk: Walk = {
    head: { batch: start - 1, link: commit?.chainLink ?? FIRST_LINK },
    maxSeqNo: commit?.maxSeqNo ?? -1,
    sawCommit: commit === null,
    recent: [],
    checksums: [],
  };
  if (witness.batch === walk.head.batch && !isSame(witness.link, walk.head.link)) throw errors.corruption('the log is not the one that its witness saw');
  for await (const [key, value] of store.entries(numberedRange('batch', start))) {
    visit(walk, key, value, commit, commitChecksum);
    if (witness.batch === walk.head.batch && !isSame(witness.link, walk.head.link)) throw errors.corruption('the log is not the one that its witness saw');
  }
  if (!walk.sawCommit) throw errors.corruption(`the batch of commit point [${commit!.generation}] is missing`);
  if (witness.batch < 0) throw errors.corruption('the witness of the log is damaged');
  if (walk.head.batch < witness.batch) throw errors.corruption(`the log ends at batch [${walk.head.batch}], but [${witness.batch}] was written`);
  if ((commit?.generation ?? 0) < witness.generation) throw errors.corruption(`commit point [${witness.generation}] is missing`);
  return { head: walk.head, recent: walk.recent, maxSeqNo: walk.maxSeqNo, checksums: Uint32Array.from(walk.checksums) };
}
