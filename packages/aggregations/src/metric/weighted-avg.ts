import { errors } from '@shoal/errors';
import { parsingAt } from '@shoal/query';
import type { AggregationType, Aggregator, BuildSite, ParseSite } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';
import { anyField, type FieldReader, objectOf, readFields, stringField } from '../parse/body-fields.js';
import { numberResult } from '../reduce/reduced.js';
import { type FormatSpec, formatIn, RAW_FORMAT } from '../source/format.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { compensatedSum } from './compensated-sum.js';
import { openNumbers } from './number-metric.js';
import { present } from '../reduce/present.js';

type WeightedPartial = {
  readonly s: number;
  readonly w: number;
};

function collector(build: BuildSite, value: SourceRequest, weight: SourceRequest): Aggregator<WeightedPartial> {
  const { source: values } = openNumbers(build, { ...value, format: null });
  // Averages of dates and booleans print as numbers; a format is always one of numbers.
  const format: FormatSpec = value.format === null ? RAW_FORMAT : { k: 'decimal', p: value.format };
  const { source: weights } = openNumbers(build, weight);
  let sums = new Float64Array(0);
  let totals = new Float64Array(0);
  return {
    segment(view) {
      values.segment(view);
      weights.segment(view);
    },
    reserve(buckets) {
      sums = growDoubles(sums, buckets);
      totals = growDoubles(totals, buckets);
    },
    collect(docs, buckets, count) {
      if (values.isEmpty || weights.isEmpty) return;
      const all = values.readAll(docs, count);
      const factors = weights.readAll(docs, count);
      for (let i = 0; i < count; i++) {
        const from = factors.starts[i]!;
        if (all.starts[i] === all.starts[i + 1]) continue;
        if (factors.starts[i + 1]! - from > 1)
          throw errors.illegalArgument(
            'Encountered more than one weight for a single document. Use a script to combine multiple ' +
              'weights-per-doc into a single value.',
          );
        if (factors.starts[i + 1] === from) continue;
        const bucket = buckets ? buckets[i]! : 0;
        for (let j = all.starts[i]!; j < all.starts[i + 1]!; j++) {
          sums[bucket]! += all.values[j]! * factors.values[from]!;
          totals[bucket]! += factors.values[from]!;
        }
      }
    },
    partial: (bucket) => ({
      s: sums[bucket] ?? 0,
      w: totals[bucket] ?? 0,
      ...(format.k === 'raw' ? {} : { f: format }),
    }),
  };
}

/** Reads `value` or `weight`: a field or a script, and what stands for documents without a value. */
const configField =
  (site: ParseSite): FieldReader<SourceRequest> =>
  (value, at) => {
    const { field, script, missing, value_type } = sourceFields;
    const given = objectOf({ field, script, missing, value_type }, 'field_config')(value, at);
    return parsingAt({ container: at.container, key: at.key, at: 'end' }, () => {
      if (given.field === undefined && given.script === undefined)
        throw errors.illegalArgument('[field] and [script] cannot both be null.  Please specify one or the other.');
      return sourceOf(given, site, 'double');
    });
  };

/** Average of a field with the weights of another. */
export const weightedAvg: AggregationType<WeightedPartial> = {
  name: 'weighted_avg',
  valueKinds: ['numeric'],
  parse(site) {
    const config = configField(site);
    const fields = readFields(site.body, site, {
      value: config,
      weight: config,
      format: stringField,
      value_type: stringField,
      values_source_type: anyField,
    });
    const value = fields.value && { ...fields.value, format: fields.format ?? null };
    const { weight } = fields;
    // Fields are refused in the order of a hash table of 8.12: weights first.
    const uses = [weight, value].filter((source) => source !== undefined);
    return {
      acceptsSubs: false,
      shape: 'metric',
      numbers: 'value',
      reads: uses.map((source) => ({ source, kind: 'numbers', mustBeNumeric: true })),
      collector(build) {
        if (!value || !weight)
          throw errors.illegalArgument(
            `Could not find field name [${value ? 'weight' : 'value'}] in multiValuesSource`,
          );
        return collector(build, value, weight);
      },
      reduce(partials) {
        const own = present(partials);
        const total = compensatedSum(own.map((p) => p.w));
        const result = total === 0 ? null : compensatedSum(own.map((p) => p.s)) / total;
        return numberResult('weighted_avg', result, result === null ? null : formatIn(partials).shown(result));
      },
    };
  },
};
