import type { FieldType } from '@shoal/mapping';
import type { AggregationType } from '../aggregation-type.js';
import { growDoubles, growInts } from '../collect/growable.js';
import { readFields } from '../parse/body-fields.js';
import { numberResult } from '../reduce/reduced.js';
import { metricSource, missingValue } from '../source/number-source.js';
import { type ValueCounts, valueCounts } from '../source/presence.js';
import { refuseMissingRange, resolveField, sourceFields, sourceOf } from '../source/values-source.js';
import { COUNTED_KINDS } from '../source/value-kinds.js';

/** Reads how many values each value of `aggregate_metric_double` stands for. */
function storedCounts(field: FieldType): ValueCounts {
  const source = metricSource(field, 'value_count', undefined);
  let out: Int32Array<ArrayBuffer> = new Int32Array(0);
  return {
    segment: (view) => source.segment(view),
    counts(docs, count) {
      out = growInts(out, count);
      const values = source.read(docs, count);
      for (let i = 0; i < count; i++) out[i] = Number.isNaN(values[i]!) ? 0 : values[i]!;
      return out;
    },
  };
}

/** Number of values of a field of any kind. */
export const valueCount: AggregationType<number> = {
  name: 'value_count',
  valueKinds: COUNTED_KINDS,
  prints: 'whole',
  parse(site) {
    const source = sourceOf(readFields(site.body, site, sourceFields), site, 'keyword');
    return {
      acceptsSubs: false,
      shape: 'metric',
      numbers: 'value',
      reads: [{ source, kind: 'any' }],
      collector(build) {
        const field = resolveField(build.context, source.field, 'any', 'value_count');
        refuseMissingRange(source, field);
        // Refuses a value that the field cannot have.
        if (field?.column === 'long' || field?.column === 'double')
          missingValue(source.missing, field.type, source.format, build.context.now);
        const values = field?.type.metricColumns ? storedCounts(field.type) : valueCounts(field);
        const least = source.missing === null ? 0 : 1;
        let totals = new Float64Array(0);
        return {
          segment: (view) => values.segment(view),
          reserve(buckets) {
            totals = growDoubles(totals, buckets);
          },
          collect(docs, buckets, count) {
            const counts = values.counts(docs, count);
            for (let i = 0; i < count; i++) totals[buckets ? buckets[i]! : 0]! += Math.max(least, counts[i]!);
          },
          partial: (bucket) => totals[bucket] ?? 0,
        };
      },
      reduce: (partials) =>
        numberResult(
          'value_count',
          partials.reduce<number>((sum, p) => sum + (p ?? 0), 0),
        ),
    };
  },
};
