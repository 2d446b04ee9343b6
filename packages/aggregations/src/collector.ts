import type { AggregationProfile } from './collect/aggregation-profile.js';
import type { HitsRequest, ParsedQuery, Scratch, Searcher, SegmentView, Weight } from '@shoal/query';

/** Takes the matches of one segment, windows in order. */
export interface LeafCollector {
  /** `count` ascending live documents of the segment (segment numbers) and their scores when the tree needs scores. */
  collect(docs: Int32Array, count: number, scores: Float32Array | null): void;
}

/** Collects a whole tree of aggregations over one shard. */
export interface ShardCollector {
  readonly needsScores: boolean;
  /** Starts a segment for documents that match the query; null when only `global` aggregations were asked for. */
  segment(view: SegmentView): LeafCollector | null;
  /** Starts a segment for all documents, for `global` aggregations; null when there are none. */
  globalSegment(view: SegmentView): LeafCollector | null;
  /** The partial result, for `reduceAggregations`. Resolves once hits of top_hits are fetched. */
  partial(): Promise<Uint8Array>;
  /** For `profile`; empty unless the context gives a clock. */
  profile(): readonly AggregationProfile[];
}

export interface CollectContext {
  readonly searcher: Searcher;
  /** As `PlanContext.now`. */
  readonly now: () => number;
  /** True when no other shard takes part in the request: then only the buckets of the answer need to leave. */
  readonly isOnlyShard?: boolean;
  /** Binds a filter of an aggregation. */
  weight(query: ParsedQuery, nestedPath: string | null): Weight;
  /** `{"hits":…}` of top_hits: winners of one bucket as raw JSON hits. `docs` are shard document numbers. */
  fetch(
    docs: Int32Array,
    scores: Float32Array | null,
    sortValues: readonly (readonly unknown[])[] | null,
    request: HitsRequest,
  ): Uint8Array[] | Promise<Uint8Array[]>;
  /** Milliseconds since some moment: measures aggregations for `profile`. Null or absent without profile. */
  readonly elapsedMs?: (() => number) | null;
  /** Where collectors borrow arrays until the request has its partial result. */
  readonly scratch?: Scratch | undefined;
  /** Charges the request breaker; throws circuit_breaking_exception. Negative when released. */
  charge(bytes: number): void;
}
