import { doubleNumber } from '@shoal/query';

/** Metrics whose numbers are whole. */
const WHOLE_METRICS = new Set(['value_count', 'cardinality', 'simple_long_value', 'top_hits', 'top_metrics']);

/** Members of metrics that are whole. */
const WHOLE_MEMBERS = new Set(['count', 'doc_count', 'min_length', 'max_length']);

/** Members of buckets that are doubles, by the kind of aggregation. */
const BUCKET_DOUBLES: ReadonlyMap<string, readonly string[]> = new Map([
  ['histogram', ['key']],
  ['dterms', ['key']],
  ['drareterms', ['key']],
  ['range', ['from', 'to']],
  ['date_range', ['from', 'to']],
  ['geo_distance', ['from', 'to']],
  ['siglterms', ['score']],
  ['sigsterms', ['score']],
]);

function printed(value: unknown): unknown {
  if (typeof value === 'number') return doubleNumber(value);
  if (Array.isArray(value)) return value.map(printed);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, WHOLE_MEMBERS.has(name) ? member : printed(member)]),
  );
}

/** The JSON of a metric with its doubles as Java prints them: 4.0. */
export function metricWithDoubles(typedName: string, json: Record<string, unknown>): Record<string, unknown> {
  if (WHOLE_METRICS.has(typedName)) return json;
  if (typeof json['value'] === 'number') return { ...json, value: doubleNumber(json['value']) };
  return printed(json) as Record<string, unknown>;
}

/** The JSON of a bucket before its sub-aggregations, with its doubles as Java prints them. */
export function bucketWithDoubles(typedName: string, json: Record<string, unknown>): Record<string, unknown> {
  for (const name of BUCKET_DOUBLES.get(typedName) ?? [])
    if (typeof json[name] === 'number') json[name] = doubleNumber(json[name]);
  return json;
}
