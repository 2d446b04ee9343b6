import type { recovery } from '@shoal/protocol';
import type { SegmentDraft, ShardStore } from '@shoal/store';

/** A store that is being filled with files of a primary. Arrived files stay if the copying is interrupted. */
export interface Filling {
  readonly store: ShardStore;
  /**
   * Allocation id and term of the primary. In a term its segments never change, and no segment number is used twice.
   */
  readonly source: string;
  /** Complete segments by number. */
  readonly segments: Map<number, SegmentDraft>;
  /** Numbers of the segments that the copy had before. */
  readonly reused: ReadonlySet<number>;
  /** Operations below it may be in the store from before, equal to the primary's. */
  readonly ownBelow: number;
  /** Operations below it have arrived, except those that the primary has removed since, which are not needed. */
  nextOperation: number;
  /** Bytes of operations that have arrived or were there before. */
  operationBytes: number;
  /** Bytes of operations that were there before. */
  heldBytes: number;
}

/** Returns a segment if it has arrived before, with the newest deletions; else null. */
export function arrivedSegment(
  { segments }: Filling,
  wanted: recovery.Segment,
  live: SegmentDraft['live'],
): SegmentDraft | null {
  const known = segments.get(wanted.number);
  if (!known || Buffer.compare(known.rootHash, wanted.rootHash) !== 0) return null;
  return { ...known, deletedDocs: wanted.deletedDocs, live };
}

/** Segments and operations of a copy's store that equal the primary's. */
export interface KeptContent {
  readonly segments: ReadonlyMap<number, SegmentDraft>;
  readonly ownBelow: number;
}

/** Begins to fill a store, empty or with kept files. */
export function newFilling(store: ShardStore, source: string, kept: KeptContent | null): Filling {
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

/**
 * Returns the segments of the newest commit whose root hashes identify their content. Throws corrupt_index_exception.
 */
export function ownSegments(store: ShardStore): recovery.OwnSegment[] {
  const own: recovery.OwnSegment[] = [];
  for (const { segment, rootHash } of store.commit?.segments ?? []) {
    const bytes = store.segment(segment, rootHash);
    if (bytes.madeBy !== null) own.push({ number: segment, rootHash });
    bytes.release();
  }
  return own;
}

/** Returns what a closed store can keep by the primary's answer; null if nothing, or if the store has failed. */
export function keptOf(
  before: ShardStore | undefined,
  { commit, commonBelow }: recovery.StartAnswer,
): KeptContent | null {
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
