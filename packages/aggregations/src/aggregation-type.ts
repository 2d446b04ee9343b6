import type { Value } from '@shoal/codec';
import type { ParseContext, SegmentView } from '@shoal/query';
import type { AggregationProfile } from './collect/aggregation-profile.js';
import type { CollectContext } from './collector.js';
import type { Reduced, ReducedBucket, ReducedSubs } from './reduce/reduced.js';
import type { Prints } from './reduce/prints.js';
import type { ValueKind } from './source/value-kinds.js';

/**
 * Collects one aggregation over a shard, for all buckets of its parent at once. `P` is its partial result, which leaves
 * the shard as `encodeValue` writes it: the catalogue takes those that are a `Value` (a `type`, not an `interface`).
 */
export interface Aggregator<P = Value> {
  /** Starts a segment; `collect` calls that follow carry its document numbers. */
  segment(view: SegmentView): void;
  /** Announces that bucket numbers below `buckets` may appear. */
  reserve(buckets: number): void;
  /**
   * Takes pairs (document, bucket of the parent): `docs` ascending, the same document may repeat with different
   * buckets. `buckets` null means bucket 0 for all. `scores` beside `docs`. Arrays are the caller's, valid during the
   * call.
   */
  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void;
  /**
   * The partial result of one bucket of the parent, also of one that never got a document. Called after all segments.
   */
  partial(bucket: number): P | null;
  /** What `profile` shows of the way it collects. */
  describe?(): { readonly type?: string; readonly debug: Readonly<Record<string, unknown>> };
}

/** What an aggregator is built from. */
export interface BuildSite {
  readonly node: AggregationNode;
  readonly context: CollectContext;
  /** Innermost nested path that documents are at, null at the root. */
  readonly nestedPath: string | null;
  /** Has the shard wait for work that a partial result still misses: hits of top_hits. */
  defer(job: Promise<void>): void;
  /** Builds the sub-aggregations for documents at `nestedPath` (that of this site unless given). */
  subs(nestedPath?: string | null): SubAggregators;
}

/** The sub-aggregations of a node, fed together. */
export interface SubAggregators {
  readonly size: number;
  segment(view: SegmentView): void;
  collect(
    docs: Int32Array,
    buckets: Int32Array | null,
    count: number,
    scores: Float32Array | null,
    bucketCount: number,
  ): void;
  partials(bucket: number): Value[];
  /** Empty unless the context asks for a profile. */
  profiles(): readonly AggregationProfile[];
  /** Value of a metric for ordering, found by the path of its names. */
  readonly list: readonly Aggregator[];
}

/** What reducing may use. */
export interface ReduceSite {
  readonly node: AggregationNode;
  readonly now: () => number;
  /** Counts buckets of the answer; throws too_many_buckets_exception beyond the limit. */
  addBuckets(count: number): void;
  /** Reduces the sub-aggregations from the `partials` arrays of several partial buckets. */
  subs(partials: readonly (readonly Value[])[]): ReducedSubs;
}

/** An aggregation with its request: what the two halves of its life call. */
export interface Behaviour<P = Value> {
  /** Scores of documents are needed. */
  readonly needsScores?: boolean;
  /** Shows buckets of documents that do not match; left out: it does not. */
  readonly needsAllShards?: boolean;
  /** Metrics have no sub-aggregations. */
  readonly acceptsSubs: boolean;
  /** For pipelines that need buckets in sequence: histogram, date_histogram, auto_date_histogram. */
  readonly isHistogram?: boolean;
  /** Whether it makes many buckets or one: names valid in an order path and a buckets_path. */
  readonly shape: 'metric' | 'single' | 'multi';
  /** Checks that need the whole tree, called once it is parsed, on the coordinator and on shards. */
  validate?(node: AggregationNode): void;
  collector(site: BuildSite): Aggregator<P>;
  /** Merges partial results of shards, null where a shard had nothing to say; none gives the empty result. */
  reduce(partials: readonly (P | null)[], site: ReduceSite): Reduced;
}

/** What parsing one aggregation looks at. */
export interface ParseSite {
  readonly name: string;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly context: ParseContext;
  readonly hasSubs: boolean;
}

/**
 * One kind of aggregation. `catalogue.ts` lists them by name. `P` is what a shard returns of it: the collector makes
 * that, and nothing else comes to the reduce.
 */
export interface AggregationType<P = Value> {
  readonly name: string;
  /** Kinds of values that it works on, in order of their names; null for a type that every request is refused. */
  readonly valueKinds: readonly ValueKind[] | null;
  /** How the numbers of a metric print; `double` unless given. Buckets see to their own. */
  readonly prints?: Prints;
  /** Name that a profile shows; made of the type's name (`GeoBoundsAggregator`) unless given. */
  readonly profileName?: string;
  /** Throws parsing_exception and its kin. */
  parse(site: ParseSite): Behaviour<P>;
}

/** An aggregation of a request, with what is below it. */
export interface AggregationNode {
  readonly name: string;
  readonly type: string;
  /** The row of the catalogue that `type` names. */
  readonly definition: AggregationType;
  readonly behaviour: Behaviour;
  readonly subs: readonly AggregationNode[];
  readonly pipelines: readonly PipelineNode[];
  readonly meta: Readonly<Record<string, unknown>> | null;
  parent: AggregationNode | null;
}

/** A pipeline aggregation of a request. */
export interface PipelineNode {
  readonly name: string;
  readonly type: string;
  /** The row of the catalogue that `type` names. */
  readonly definition: PipelineType;
  readonly behaviour: PipelineBehaviour;
  readonly meta: Readonly<Record<string, unknown>> | null;
}

/** What a pipeline aggregation does to the level it stands on. */
export interface PipelineBehaviour {
  /** Paths into the results, for ordering and validation. */
  readonly paths: readonly string[];
  /**
   * `sibling`: adds a result beside the aggregations it reads. `parent`: works on the buckets of the one it stands in.
   */
  readonly kind: 'sibling' | 'parent';
  readonly needsHistogram: boolean;
  /** For `sibling`. */
  sibling?(level: ReducedSubs, name: string): Reduced;
  /** For `parent`: adds results to buckets, or reorders and drops them. */
  parent?(buckets: ReducedBucket[], name: string, owner: Reduced): ReducedBucket[];
}

export interface PipelineType {
  readonly name: string;
  /** As that of an aggregation. */
  readonly prints?: Prints;
  parse(site: ParseSite): PipelineBehaviour;
}

/** A request's aggregations after parsing. Stateless: collects many shards and reduces. */
export interface AggregationTree {
  readonly nodes: readonly AggregationNode[];
  readonly pipelines: readonly PipelineNode[];
  readonly needsScores: boolean;
  /** Whether buckets of documents that do not match are shown, so that no shard may be left out of the search. */
  readonly needsAllShards: boolean;
}
