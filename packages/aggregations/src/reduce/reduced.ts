/** Results of one level by name. */
export type ReducedSubs = Map<string, Reduced>;

/** One bucket of a reduced aggregation. */
export interface ReducedBucket {
  /** What `_key` orders by. */
  readonly key: unknown;
  /** Text that a path selects it with and keyed answers use. */
  readonly keyText: string;
  docCount: number;
  subs: ReducedSubs;
  /** JSON of the bucket before its sub-aggregations: `{key, doc_count, …}`. */
  head(): Record<string, unknown>;
}

/** The final result of one aggregation. */
export interface Reduced {
  /** Name that `typed_keys` shows before `#`. */
  readonly typedName: string;
  /** Buckets in order of the answer; null for metrics. Pipelines may replace them. */
  buckets: ReducedBucket[] | null;
  /** Sub-aggregations of single-bucket aggregations. */
  readonly subs?: ReducedSubs;
  /** Documents of a single bucket. */
  readonly docCount?: number;
  /**
   * A numeric value by the name after the dot of a path (`value`, `avg`, `99.0`; null for none). Undefined when there
   * is no such value.
   */
  value?(property: string | null): number | null | undefined;
  /** How a value looks in answers of pipelines on this aggregation: date texts, decimal formats. */
  readonly format?: (value: number) => string | null;
  /** Start of the next stretch after a histogram key, for derivative units. */
  readonly sketch?: unknown;
  render(renderBuckets: RenderBuckets): Record<string, unknown>;
}

/** Renders results of the level below. */
export interface RenderBuckets {
  list(buckets: readonly ReducedBucket[]): Record<string, unknown>[];
  keyed(buckets: readonly ReducedBucket[], keyOf?: (bucket: ReducedBucket) => string): Record<string, unknown>;
  subs(subs: ReducedSubs): Record<string, unknown>;
}

/** A result that is one number. */
export function numberResult(typedName: string, value: number | null, text: string | null = null): Reduced {
  return {
    typedName,
    buckets: null,
    value: (property) => (property === null || property === 'value' ? value : undefined),
    render: () => (text === null ? { value } : { value, value_as_string: text }),
  };
}
