import type { Value } from '@shoal/codec';
import type { ParseContext, ParsedQuery, ScriptedField, SegmentView } from '@shoal/query';
import type { IntervalRounding } from '@shoal/values';
import type { AggregationProfile } from './collect/aggregation-profile.js';
import type { CollectContext } from './collector.js';
import type { Reduced, ReducedBucket, ReducedSubs } from './reduce/reduced.js';
import type { Prints } from './reduce/prints.js';
import type { ValueKind } from './source/value-kinds.js';
import type { FieldUse } from './source/values-source.js';

/**
 * Collects one aggregation over a shard, for all buckets of its parent at once. `P` is its partial result, which
 * `encodeValue` writes for the coordinator. `P` must be assignable to `Value`: declare it as a `type`, as an
 * `interface` is not.
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
  /**
   * Returns the `debug` section of a profile, and the `type` shown where it depends on how the aggregation collects.
   */
  describe?(): { readonly type?: string; readonly debug: Readonly<Record<string, unknown>> };
}

/** The request, the shard and the place in the tree that an aggregator is built for. */
export interface BuildSite {
  readonly node: AggregationNode;
  readonly context: CollectContext;
  /** Innermost nested path that documents are at, null at the root. */
  readonly nestedPath: string | null;
  /** Makes the shard await `job` before it encodes partial results. top_hits fetches its hits in such a job. */
  defer(job: Promise<void>): void;
  /**
   * Makes the shard run `job` after the last segment, before it asks for partial results. Jobs run in the order in
   * which they were handed over: an aggregation hands over its own before it builds its sub-aggregations.
   */
  afterSegments(job: () => Promise<void>): void;
  /** Builds the sub-aggregations for documents at `nestedPath`, by default the path of this site. */
  subs(nestedPath?: string | null): SubAggregators;
}

/** The sub-aggregations of a node: each call goes to all of them. */
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
  /** The partial results of one bucket: an array that is filled before all of them are encoded. */
  partials(bucket: number): Value[];
  /** The partial results of one bucket, for an order by them. */
  partialsNow(bucket: number): Value[];
  /** Empty unless the context asks for a profile. */
  profiles(): readonly AggregationProfile[];
  /** The aggregators in order of the request. Ordering by a sub-aggregation reads its value from here. */
  readonly list: readonly Aggregator[];
}

/** Node, clock and limits that `reduce` works with. */
export interface ReduceSite {
  readonly node: AggregationNode;
  readonly now: () => number;
  /** Counts buckets of the answer; throws too_many_buckets_exception beyond the limit. */
  addBuckets(count: number): void;
  /**
   * Has the sub-aggregations of one bucket reduced: the map that is returned is filled after `reduce` has returned, and
   * before the jobs of `settled` run. `partials`: for each shard that returned the bucket, one partial result a
   * sub-aggregation. `dateKey`: start of the bucket, if it is one of dates.
   */
  subs(partials: readonly (readonly Value[])[], dateKey?: number): ReducedSubs;
  /** Runs `job` once the maps that `subs` returned are filled: buckets are ordered by what is below them. */
  settled(job: () => void): void;
  /** The partial results of a bucket without documents beside one that a shard returned: formats and bounds remain. */
  emptied(partials: readonly Value[]): readonly Value[];
  /** Start of the innermost bucket of dates around the aggregation; undefined outside of one. */
  readonly dateKey: number | undefined;
}

/** An aggregation with its parsed request: builds collectors on shards and reduces their partial results. */
export interface Behaviour<P = Value> {
  /** Whether `collect` needs the scores of documents; default false. */
  readonly needsScores?: boolean;
  /** The partial result without its documents, for a bucket that only the answer has; default null. */
  emptied?(partial: P): P;
  /**
   * Whether the answer shows documents that do not match the query, as `global` does. No shard may then be skipped.
   * Default false.
   */
  readonly needsAllShards?: boolean;
  /** Whether `collect` runs a script for each document; default false. */
  readonly runsScripts?: boolean;
  /** Whether `collect` may take long for each document though it runs no script; default false. */
  readonly isSlow?: boolean;
  /** Buckets of the request that one value may fall into: ranges, filters; default 1. */
  readonly overlapping?: number;
  /** Fields besides those of `reads` whose values are combined to buckets. */
  readonly combines?: readonly string[];
  /** Buckets that one document is put into at most, whatever its values; default any number. */
  readonly bucketsMax?: number;
  /** Whether a request may give sub-aggregations; false for metrics. */
  readonly acceptsSubs: boolean;
  /**
   * Whether the type is histogram, date_histogram or auto_date_histogram: pipelines such as derivative need buckets in
   * sequence.
   */
  readonly isHistogram?: boolean;
  /** `min_doc_count` of a histogram. Pipelines over buckets in sequence need 0, the default: no bucket is left out. */
  readonly minDocCount?: number;
  /**
   * What the result is: one or more numbers, one bucket, or many buckets. Decides which paths `order` and
   * `buckets_path` may take.
   */
  readonly shape: 'metric' | 'single' | 'multi';
  /**
   * Which numbers of a metric `order` may name: `value` for a metric of one number, else a test of names. Absent:
   * buckets cannot be ordered by it.
   */
  readonly numbers?: 'value' | ((name: string) => boolean);
  /** Rounding of the buckets of dates, by which `rate` below them knows their length; absent for other buckets. */
  readonly rounding?: IntervalRounding;
  /** Whether an answer shows a page of the buckets, which sibling pipelines may not read. Default false. */
  readonly isPaged?: boolean;
  /** The fields of the request. Those of the whole tree are checked before its first collector is built. */
  readonly reads?: readonly FieldUse[];
  /**
   * Queries of the request. Those of the whole tree are planned before its first collector is built, below first, so
   * that their errors come as in 8.12 and although a collector may never be built.
   */
  readonly queries?: readonly ParsedQuery[];
  /** Path of documents that sub-aggregations get, of those at `around`; absent: the same. */
  nestedPathBelow?(around: string | null, context: CollectContext): string | null;
  /** Throws if the aggregation may not be at the place of `node`: on shards, before its fields are checked. */
  checkPlace?(node: AggregationNode): void;
  /** Throws for what is refused once its fields are known to fit: before the fields of sub-aggregations are checked. */
  check?(node: AggregationNode, context: CollectContext, nestedPath: string | null): void;
  collector(site: BuildSite): Aggregator<P>;
  /**
   * Merges the partial results of shards; null from a shard without a result. An empty list gives the result of an
   * index without documents.
   */
  reduce(partials: readonly (P | null)[], site: ReduceSite): Reduced;
}

/** Name, body and context of one aggregation of a request, given to its parser. */
export interface ParseSite {
  readonly name: string;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly context: ParseContext;
  readonly hasSubs: boolean;
  /** Scripts of the tree whose values aggregations read; `sourceOf` adds those of this one. */
  readonly scripted: ScriptedField[];
  readonly isBelowNested: boolean;
}

/**
 * One type of aggregation; `catalogue.ts` lists all by name. `P` is the partial result of a shard: `Aggregator.partial`
 * makes it and `reduce` merges it.
 */
export interface AggregationType<P = Value> {
  readonly name: string;
  /**
   * Kinds of values that the type aggregates, in order of their names, for `GET /_nodes/aggregations`. Null: every
   * request of this type is refused.
   */
  readonly valueKinds: readonly ValueKind[] | null;
  /** How the numbers of a metric print; default `double`. Bucket aggregations print their keys themselves. */
  readonly prints?: Prints;
  /** Type that a profile shows; by default made of the name (`geo_bounds` → `GeoBoundsAggregator`). */
  readonly profileName?: string;
  /** Throws parsing_exception, x_content_parse_exception or illegal_argument_exception for a wrong body. */
  parse(site: ParseSite): Behaviour<P>;
}

/** One aggregation of a request with its sub-aggregations and pipelines. */
export interface AggregationNode {
  readonly name: string;
  readonly type: string;
  /** The row of the catalogue that `type` names. */
  readonly definition: AggregationType;
  readonly behaviour: Behaviour;
  readonly subs: readonly AggregationNode[];
  /** Each after those that it reads, once the request is parsed. */
  pipelines: readonly PipelineNode[];
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

/** A trained model that is loaded. */
export interface Predictor {
  /** The member of an `inference_config` for it. */
  readonly kind: string;
  /** Returns the results for fields; `config` is an `inference_config`, null for that of the model. */
  infer(
    fields: Readonly<Record<string, unknown>>,
    config: Readonly<Record<string, unknown>> | null,
  ): Readonly<Record<string, unknown>>;
}

/** Trained models that the pipelines of a request name, by these names. */
export type Predictors = ReadonlyMap<string, Predictor>;

/** A pipeline aggregation with its parsed request. It runs on the reduced results of the level that contains it. */
export interface PipelineBehaviour {
  /**
   * Every `buckets_path` of the request: pipelines run after those that they read, and a path to nothing is refused.
   */
  readonly paths: readonly string[];
  /**
   * `sibling`: adds a result next to the aggregation that it reads. `parent`: changes the buckets of the aggregation
   * that contains it.
   */
  readonly kind: 'sibling' | 'parent';
  readonly needsHistogram: boolean;
  /** Trained model that it asks; absent for none. */
  readonly modelId?: string;
  /** Computes the result of a sibling pipeline from the results of its level. */
  sibling?(level: ReducedSubs, name: string): Reduced;
  /**
   * Runs a parent pipeline: adds a result to each bucket, or returns the buckets reordered and shortened. What runs a
   * script or a model for each bucket does so in steps, between which the thread may be given back.
   */
  parent?(
    buckets: ReducedBucket[],
    name: string,
    owner: Reduced,
    models: Predictors,
  ): ReducedBucket[] | Generator<void, ReducedBucket[]>;
}

/** One type of pipeline aggregation; `catalogue.ts` lists all by name. */
export interface PipelineType {
  readonly name: string;
  /** How the numbers of the result print; default `double`. */
  readonly prints?: Prints;
  parse(site: ParseSite): PipelineBehaviour;
}

/** The parsed aggregations of a request. Immutable: one tree serves many shards and the reduce. */
export interface AggregationTree {
  readonly nodes: readonly AggregationNode[];
  /** Pipelines of the outermost level, each after those that it reads. */
  readonly pipelines: readonly PipelineNode[];
  readonly needsScores: boolean;
  /** Whether some aggregation shows documents that do not match the query, so that no shard may be skipped. */
  readonly needsAllShards: boolean;
  /** Whether some aggregation runs a script for each document: one may then take long. */
  readonly runsScripts: boolean;
  /** Whether a document may take some aggregation long. */
  readonly isSlow: boolean;
  /** Scripts whose values the aggregations read. */
  readonly scripted: readonly ScriptedField[];
  /** Trained models that pipelines name, which `reduceAggregations` needs. */
  readonly modelIds: readonly string[];
}
