import type { ShardMetadata } from '../shard-metadata.js';

/** A sealed segment of a view: what another thread needs to open it over a second handle of the store. */
export interface SealedViewPart {
  readonly segment: number;
  readonly rootHash: Uint8Array;
  readonly maxDoc: number;
  /** Bits of the live documents; null if none is deleted. */
  readonly live: Int32Array | null;
  readonly liveCount: number;
  /** `SegmentView.version`. */
  readonly version: string;
}

/**
 * A point-in-time view of a shard all of whose documents are in sealed segments. These do not change while the view is
 * held, so that another thread may search it.
 */
export interface SealedView {
  /** Location of the key-value store of the shard. */
  readonly location: string;
  readonly shard: number;
  /** Rollbacks of the log before the view was made: operations of one number differ before and after a rollback. */
  readonly rollbacks: number;
  /** One list for each view: equal lists mean equal views. */
  readonly parts: readonly SealedViewPart[];
  readonly liveDocCount: number;
  readonly metadata: ShardMetadata;
  /** Whether the log has not been rolled back since, so that what another thread has read of it was right. */
  isCurrent(): boolean;
  /** Counts the uses of another thread's cache of filters and ordinals among those of the shard. */
  countCached(hits: number, misses: number): void;
}

/** Name, settings and mapping of an index, from which another thread parses its metadata. */
export interface IndexText {
  /** Differs for each version of the metadata. */
  readonly key: string;
  /** JSON; null if the other thread should have it. */
  readonly json: Uint8Array | null;
}

/** A search of one shard, as a message to another thread. */
export interface ViewSearch {
  readonly location: string;
  readonly shard: number;
  /** Differs for each view that the owner of the shards has sent. */
  readonly serial: number;
  readonly rollbacks: number;
  /** Null if the other thread should have the view. */
  readonly view: { readonly parts: readonly SealedViewPart[]; readonly liveDocCount: number } | null;
  readonly index: IndexText;
  /** `shard.QueryRequest` with one target. */
  readonly request: Uint8Array;
  /** Milliseconds that the search has taken so far, for its `timeout`. */
  readonly elapsedMs: number;
}

/** Answer to a `ViewSearch`. */
export type ViewAnswer =
  /** The other thread lacks the view, or the metadata of the index: it wants both. */
  | { readonly isMissing: true }
  | {
      readonly isMissing: false;
      /** `shard.ShardQueryResult`. */
      readonly result: Uint8Array;
      /** Fields and the bits of their uses (`FieldUses`). */
      readonly uses: readonly (readonly [field: string, bits: number])[];
      /** Whether the result depends on the time of the request. */
      readonly isTimeAsked: boolean;
      /** Values that were found in the cache of filters and ordinals, and values that were made. */
      readonly cached: readonly [hits: number, misses: number];
      /** Milliseconds that the search used the thread for. */
      readonly workedMs: number;
    };
