import type { AggregationProfile } from './collect/aggregation-profile.js';
import type { HitsRequest, ParsedQuery, Pause, Scratch, Searcher, SegmentView, Weight } from '@shoal/query';

/** Collects the matching documents of one segment, in ascending windows. */
export interface LeafCollector {
  /** `count` ascending live documents of the segment (segment numbers) and their scores when the tree needs scores. */
  collect(docs: Int32Array, count: number, scores: Float32Array | null): void;
  /**
   * How many of the documents, at least one, `collect` may be given before the thread goes to others. Absent: all.
   * Throws illegal_argument_exception for a document that takes too long by itself.
   */
  readonly fits?: ((docs: Int32Array, count: number) => number) | undefined;
}

/** Collects a whole tree of aggregations over one shard. */
export interface ShardCollector {
  readonly needsScores: boolean;
  /** Starts a segment for documents that match the query; null if the request has only `global` aggregations. */
  segment(view: SegmentView): LeafCollector | null;
  /** Starts a segment for all documents; null if the request has no `global` aggregation. */
  globalSegment(view: SegmentView): LeafCollector | null;
  /** Returns the partial result, which `reduceAggregations` takes. Resolves after top_hits has fetched its hits. */
  partial(): Promise<Uint8Array>;
  /** Returns the measurements for `profile`; empty unless the context gives a clock. */
  profile(): readonly AggregationProfile[];
}

/** The shard and the services that a collector uses. */
export interface CollectContext {
  readonly searcher: Searcher;
  /** Current time in milliseconds since 1970, as in `PlanContext`. */
  readonly now: () => number;
  /** Whether the request searches this shard alone: it then returns only the buckets of the answer. */
  readonly isOnlyShard?: boolean;
  /** Makes the weight of a filter of an aggregation. */
  weight(query: ParsedQuery, nestedPath: string | null): Weight;
  /**
   * Makes the weight of the documents that significant terms are compared with: those that match `query` and the filter
   * of the alias that the search goes through. Null if these are all documents.
   */
  background(query: ParsedQuery | null): Weight | null;
  /**
   * Renders hits of one bucket of top_hits as JSON. `docs` are document numbers of the shard, of nested objects of
   * `nestedPath` unless that is null.
   */
  fetch(
    docs: Int32Array,
    scores: Float32Array | null,
    sortValues: readonly (readonly unknown[])[] | null,
    request: HitsRequest,
    nestedPath: string | null,
  ): Uint8Array[] | Promise<Uint8Array[]>;
  /** Monotonic clock in milliseconds, which measures aggregations for `profile`. Null or absent: no profile. */
  readonly elapsedMs?: (() => number) | null;
  /** Pool of arrays that collectors borrow until the request has its partial result. */
  readonly scratch?: Scratch | undefined;
  /** Pauses between the steps of making the partial result; absent: there are none. */
  readonly pause?: Pause;
  /** Adds bytes to the request circuit breaker; negative bytes release them. Throws circuit_breaking_exception. */
  charge(bytes: number): void;
}
