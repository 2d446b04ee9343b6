import { GAUGE_METRICS } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { JsonObject } from '@shoal/json';

/** A parsed mapping. */
export type Mapping = ReturnType<Coordinator['mappingOf']>;
type FieldType = Mapping['fields'][number];

/** A field of a bucket: aggregations over its documents, by name, and the value that they give. */
export interface BucketField {
  /** Where the value is written. */
  readonly name: string;
  readonly aggregations: JsonObject;
  /** The value of the answer for one bucket; undefined for none. */
  value(bucket: JsonObject): unknown;
}

const valueOf = (bucket: JsonObject, name: string): number | null => (bucket[name] as { value: number | null }).value;

/** A gauge: the metrics of its values. Those of an index that was downsampled before have some already. */
function gauge({ name, metricColumns }: FieldType, id: string): BucketField {
  const metrics = GAUGE_METRICS.filter((metric) => metricColumns === undefined || metricColumns.has(metric));
  return {
    name,
    aggregations: {
      ...Object.fromEntries(metrics.map((metric) => [`${id}.${metric}`, { [metric]: { field: name } }])),
      [`${id}.found`]: { filter: { exists: { field: name } } },
    },
    value(bucket) {
      if ((bucket[`${id}.found`] as { doc_count: number }).doc_count === 0) return undefined;
      return Object.fromEntries(metrics.map((metric) => [metric, valueOf(bucket, `${id}.${metric}`)]));
    },
  };
}

interface LastHit {
  readonly last: {
    readonly hits: { readonly hits: readonly { readonly fields?: Readonly<Record<string, unknown[]>> }[] };
  };
}

/** A counter or a label: the values of the last document that has some. */
function last(field: FieldType, target: string, id: string): BucketField {
  const { name } = field;
  const hits = { size: 1, sort: [{ '@timestamp': 'desc' }], _source: false, docvalue_fields: [name] };
  return {
    name: target,
    aggregations: { [id]: { filter: { exists: { field: name } }, aggs: { last: { top_hits: hits } } } },
    value(bucket) {
      const values = (bucket[id] as unknown as LastHit).last.hits.hits[0]?.fields?.[name];
      return values === undefined || values.length > 1 ? values : values[0];
    },
  };
}

/**
 * Where the last value of a label is written; null if it is not kept: it is no label, it has no doc values, or another
 * field has the same value. A multi-field stands in for a text without doc values.
 */
function labelTarget(field: FieldType, mapping: Mapping): string | null {
  const { name } = field;
  if (name === '@timestamp' || field.isDimension || field.metric !== undefined || field.runtime) return null;
  if (!field.isAggregatable || field.typeName === 'flattened' || field.layout?.column === 'vectors') return null;
  const owner = mapping.field(name.slice(0, Math.max(0, name.lastIndexOf('.'))));
  if (owner === null) return name;
  return owner.isAggregatable || owner.isDimension ? null : owner.name;
}

/** Returns what is kept of the documents of a bucket: metrics of gauges, last values of counters and labels. */
export function bucketFields(mapping: Mapping): readonly BucketField[] {
  const targets = new Set<string>();
  return mapping.fields.flatMap((field, i): BucketField[] => {
    const id = `f${i}`;
    if (field.metric === 'gauge') return [gauge(field, id)];
    if (field.metric === 'counter') return [last(field, field.name, id)];
    const target = labelTarget(field, mapping);
    if (target === null || targets.has(target)) return [];
    targets.add(target);
    return [last(field, target, id)];
  });
}
