import type { recovery } from '@shoal/protocol';
import type { SegmentDraft, ShardStore } from '@shoal/store';

/** A store that is being filled with files of a primary. What has arrived stays when the copying is interrupted. */
export interface Filling {
  readonly store: ShardStore;
  /** The primary in its term. Its segments never change, and no number of one is used for another. */
  readonly source: string;
  /** Segments that are whole, by number. */
  readonly segments: Map<number, SegmentDraft>;
  /** Those of them that the copy had before. */
  readonly reused: ReadonlySet<number>;
  /** Operations below it may be in the store from before, as the primary has them. */
  readonly ownBelow: number;
  /** Operations below it have arrived: what the primary has removed of them since, nobody reads. */
  nextOperation: number;
  /** Of the operations that have arrived or were there. */
  operationBytes: number;
  /** Of those that were there. */
  heldBytes: number;
}

/** The segment if it has arrived before, with what is deleted of it by now. */
export function arrivedSegment(
  { segments }: Filling,
  wanted: recovery.Segment,
  live: SegmentDraft['live'],
): SegmentDraft | null {
  const known = segments.get(wanted.number);
  if (!known || Buffer.compare(known.rootHash, wanted.rootHash) !== 0) return null;
  return { ...known, deletedDocs: wanted.deletedDocs, live };
}

/** What of a copy's store is as its primary has it. */
export interface Kept {
  readonly segments: ReadonlyMap<number, SegmentDraft>;
  readonly ownBelow: number;
}

/** A store that is filled from nothing, or from what is kept of it. */
export function newFilling(store: ShardStore, source: string, kept: Kept | null): Filling {
  return {
    store,
    source,
    segments: new Map(kept?.segments),
    reused: new Set(kept?.segments.keys()),
    ownBelow: kept?.ownBelow ?? 0,
    nextOperation: 0,
    operationBytes: 0,
    heldBytes: 0,
  };
}

/** Segments of the newest commit whose root hashes say what is in them. Throws corrupt_index_exception. */
export function ownSegments(store: ShardStore): recovery.OwnSegment[] {
  const own: recovery.OwnSegment[] = [];
  for (const { segment, rootHash } of store.commit?.segments ?? []) {
    const bytes = store.segment(segment, rootHash);
    if (bytes.madeBy !== null) own.push({ number: segment, rootHash });
    bytes.release();
  }
  return own;
}

/** What a closed store can keep by the primary's answer; null for nothing, also of one that failed. */
export function keptOf(before: ShardStore | undefined, { commit, commonBelow }: recovery.StartAnswer): Kept | null {
  if (!before || before.failure || !commit) return null;
  const held = new Map(
    commit.segments.filter((segment) => segment.held).map(({ number, rootHash: hash }) => [number, hash]),
  );
  const segments = new Map<number, SegmentDraft>();
  for (const { segment, maxDoc, byteSize, rootHash, deletedDocs } of before.commit?.segments ?? []) {
    const wanted = held.get(segment);
    if (wanted && Buffer.compare(wanted, rootHash) === 0)
      segments.set(segment, { segment, maxDoc, byteSize, rootHash, deletedDocs, live: null });
  }
  const ownBelow = Math.min(commonBelow, commit.maxSeqNo + 1);
  return segments.size > 0 || ownBelow > 0 ? { segments, ownBelow } : null;
}
