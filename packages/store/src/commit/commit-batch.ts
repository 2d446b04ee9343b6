import type { BatchOperation } from '@shoal/doors';
import { checksumOf, appendChecksum } from '../level/checksum.js';
import { type Commit, type CommittedSegment, encodeCommit } from './commit.js';
import type { ChainPoint } from '../log/batch-index.js';
import { deletesKey, numberedKey } from '../level/keys.js';
import type { CommitDraft } from '../shard-store-api.js';

/** Fields of a commit point that the store adds to a draft. */
export interface CommitPlace {
  readonly generation: number;
  readonly chain: ChainPoint;
  readonly headersFrom: number;
  readonly epochs: Commit['epochs'];
  readonly atMs: number;
}

/** A commit point, the writes of its batch, and the checksum of its record. */
export interface BuiltCommit {
  readonly commit: Commit;
  readonly operations: readonly BatchOperation[];
  readonly checksum: number;
}

function segmentsOf(
  draft: CommitDraft,
  previous: Commit | null,
  generation: number,
  operations: BatchOperation[],
): CommittedSegment[] {
  const deletesBefore = new Map(previous?.segments.map((segment) => [segment.segment, segment.deletesGeneration]));
  return draft.segments.map(({ live, ...segment }): CommittedSegment => {
    if (live === null) return { ...segment, deletesGeneration: 0 };
    const before = deletesBefore.get(segment.segment);
    if (!live.isChanged && before) return { ...segment, deletesGeneration: before };
    const key = deletesKey(segment.segment, generation);
    const bytes = new Uint8Array(live.words.buffer, live.words.byteOffset, live.words.byteLength);
    operations.push({ type: 'put', key, value: appendChecksum(key, bytes) });
    return { ...segment, deletesGeneration: generation };
  });
}

/** Builds a commit point. Deletes that did not change since `previous` are not written again. */
export function buildCommit(draft: CommitDraft, previous: Commit | null, place: CommitPlace): BuiltCommit {
  const operations: BatchOperation[] = [];
  const { generation, chain, headersFrom, epochs, atMs } = place;
  const { maxSeqNo, primaryTerm, nextSegment, superseded, tombstones, historyFloor, retriesFrom, leases } = draft;
  const commit: Commit = {
    generation,
    segments: segmentsOf(draft, previous, generation, operations),
    maxSeqNo,
    primaryTerm,
    epochs,
    historyFloor,
    retriesFrom,
    nextSegment,
    chainStart: chain.start,
    chainLink: chain.link,
    chainPosition: chain.position,
    headersFrom,
    superseded,
    tombstones,
    leases,
    atMs,
  };
  const key = numberedKey('commit', generation);
  const content = encodeCommit(commit);
  operations.push({ type: 'put', key, value: appendChecksum(key, content) });
  return { commit, operations, checksum: checksumOf(key, content) };
}

const deletesOf = (commits: readonly Commit[]): Map<string, Uint8Array> =>
  new Map(
    commits.flatMap(({ segments }) =>
      segments
        .filter((one) => one.deletesGeneration > 0)
        .map(
          (one) => [`${one.segment}/${one.deletesGeneration}`, deletesKey(one.segment, one.deletesGeneration)] as const,
        ),
    ),
  );

/** Keys of the dropped commit points and of the deletes that no kept commit point refers to. */
export function keysOfDropped(dropped: readonly Commit[], kept: readonly Commit[]): Uint8Array[] {
  const needed = deletesOf(kept);
  const deletes = [...deletesOf(dropped)].filter(([name]) => !needed.has(name)).map(([, key]) => key);
  return [...dropped.map((commit) => numberedKey('commit', commit.generation)), ...deletes];
}

/**
 * Commit points to keep: the newest safe one and all later ones. A commit point is safe if its operations are at or
 * below the global checkpoint, so that none of them can be rolled back. If none is safe, all are kept.
 */
export function keptCommits(commits: readonly Commit[], globalCheckpoint: number): readonly Commit[] {
  const safe = commits.findLastIndex((commit) => commit.maxSeqNo <= globalCheckpoint);
  return safe <= 0 ? commits : commits.slice(safe);
}
