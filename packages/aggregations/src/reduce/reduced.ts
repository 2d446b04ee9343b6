import type { ApiError } from '@shoal/errors';

/** Results of the aggregations of one level, by name. */
export type ReducedSubs = Map<string, Reduced>;

/** One bucket of a reduced aggregation. */
export interface ReducedBucket {
  /** Key that `_key` sorts by. */
  readonly key: unknown;
  /** Key as text: the name of the bucket in keyed answers and in brackets of a path. */
  readonly keyText: string;
  docCount: number;
  subs: ReducedSubs;
  /** Returns the JSON of the bucket without its sub-aggregations: `{key, doc_count, …}`. */
  head(): Record<string, unknown>;
}

/** The final result of one aggregation. */
export interface Reduced {
  /** Name of the type that `typed_keys` puts before `#`. */
  readonly typedName: string;
  /** Buckets in order of the answer; null for metrics. Pipelines may replace the array. */
  buckets: ReducedBucket[] | null;
  /** Sub-aggregations of single-bucket aggregations. */
  readonly subs?: ReducedSubs;
  /** Documents of a single bucket. */
  readonly docCount?: number;
  /**
   * Returns the number of a property of a path (`value`, `avg`, `99.0`; null if the path has no property). Null if the
   * metric has no value, undefined if it has no such property.
   */
  value?(property: string | null): number | null | undefined;
  /** The error of a path to a property that the metric does not have, unless it is that of all metrics. */
  unknownProperty?(property: string): ApiError;
  /** Partial results of a cardinality, which cumulative_cardinality merges. */
  readonly sketch?: unknown;
  render(renderBuckets: RenderBuckets): Record<string, unknown>;
}

/** Renders the sub-aggregations of a result. */
export interface RenderBuckets {
  list(buckets: readonly ReducedBucket[]): Record<string, unknown>[];
  keyed(buckets: readonly ReducedBucket[], keyOf?: (bucket: ReducedBucket) => string): Record<string, unknown>;
  subs(subs: ReducedSubs): Record<string, unknown>;
}

/** Makes a result that is one number. */
export function numberResult(typedName: string, value: number | null, text: string | null = null): Reduced {
  return {
    typedName,
    buckets: null,
    value: (property) => (property === null || property === 'value' ? value : undefined),
    render: () => (text === null ? { value } : { value, value_as_string: text }),
  };
}
