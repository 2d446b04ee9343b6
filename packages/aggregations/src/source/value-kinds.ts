/** A kind of values, by the names that `GET /_nodes/aggregations` shows. `other`: none of fields. */
export type ValueKind =
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

/** Of aggregations that read no values by themselves, or whose values Elasticsearch does not tell apart. */
export const NO_KIND: readonly ValueKind[] = ['other'];
/** Of metrics on numbers. */
export const METRIC_KINDS: readonly ValueKind[] = ['boolean', 'counter', 'date', 'numeric'];
/** Of buckets by numbers that may be dates. */
export const NUMBER_KINDS: readonly ValueKind[] = ['boolean', 'date', 'numeric'];
/** Of buckets by single values. */
export const TERM_KINDS: readonly ValueKind[] = ['boolean', 'date', 'ip', 'keyword', 'numeric'];
/** Of metrics on places. */
export const PLACE_KINDS: readonly ValueKind[] = ['geopoint', 'position'];
/** Of metrics on values of any field. */
export const COUNTED_KINDS: readonly ValueKind[] = [
  'boolean',
  'counter',
  'date',
  'geopoint',
  'ip',
  'keyword',
  'numeric',
  'range',
];
