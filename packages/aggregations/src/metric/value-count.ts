import type { AggregationType } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';
import { readFields } from '../parse/body-fields.js';
import { numberResult } from '../reduce/reduced.js';
import { missingValue } from '../source/number-source.js';
import { valueCounts } from '../source/presence.js';
import { resolveField, sourceFields, sourceOf } from '../source/values-source.js';
import { COUNTED_KINDS } from '../source/value-kinds.js';

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
        // Refuses a value that the field cannot have.
        if (field?.column === 'long' || field?.column === 'double')
          missingValue(source.missing, field.type, source.format, build.context.now);
        const values = valueCounts(field);
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
