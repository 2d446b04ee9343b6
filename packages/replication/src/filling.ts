import type { recovery } from '@shoal/protocol';
import type { SegmentDraft, ShardStore } from '@shoal/store';

/** A store that is being filled with files of a primary. What has arrived stays when the copying is interrupted. */
export interface Filling {
  readonly store: ShardStore;
  /** The primary in its term. Its segments never change, and no number of one is used for another. */
  readonly source: string;
  /** Segments that are whole, by number. */
  readonly segments: Map<number, SegmentDraft>;
  /** Operations below it have arrived: what the primary has removed of them since, nobody reads. */
  nextOperation: number;
}

/** The segment if it has arrived before, with what is deleted of it by now. */
export function arrivedSegment({ segments }: Filling, wanted: recovery.Segment, live: SegmentDraft['live']): SegmentDraft | null {
  const known = segments.get(wanted.number);
  if (!known || Buffer.compare(known.rootHash, wanted.rootHash) !== 0) return null;
  return { ...known, deletedDocs: wanted.deletedDocs, live };
}
