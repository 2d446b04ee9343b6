/** A kind of values as `GET /_nodes/aggregations` names it. `other`: not values of a field. */
export type ValueKind =
  | 'aggregate_metric'
  | 'boolean'
  | 'counter'
  | 'date'
  | 'geopoint'
  | 'ip'
  | 'keyword'
  | 'numeric'
  | 'other'
  | 'position'
  | 'range';

/** Kinds of aggregations that read no values, or for which Elasticsearch lists no kinds. */
export const NO_KIND: readonly ValueKind[] = ['other'];
/** Kinds of metrics on numbers. */
export const METRIC_KINDS: readonly ValueKind[] = ['boolean', 'counter', 'date', 'numeric'];
/** Kinds of the metrics that values of `aggregate_metric_double` have. */
export const AGGREGATE_KINDS: readonly ValueKind[] = ['aggregate_metric', ...METRIC_KINDS];
/** Kinds of buckets by numbers or dates. */
export const NUMBER_KINDS: readonly ValueKind[] = ['boolean', 'date', 'numeric'];
/** Kinds of buckets by single values. */
export const TERM_KINDS: readonly ValueKind[] = ['boolean', 'date', 'ip', 'keyword', 'numeric'];
/** Kinds of metrics on points. */
export const PLACE_KINDS: readonly ValueKind[] = ['geopoint', 'position'];
/** Kinds of metrics on values of any field. */
export const COUNTED_KINDS: readonly ValueKind[] = [
  'aggregate_metric',
  'boolean',
  'counter',
  'date',
  'geopoint',
  'ip',
  'keyword',
  'numeric',
  'range',
];
