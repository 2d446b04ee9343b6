import type { AggregationType } from '../aggregation-type.js';
import { type FieldReader, numberField, readFields } from '../parse/body-fields.js';
import { numberResult } from '../reduce/reduced.js';
import { formatIn } from '../source/format.js';
import { notSupported, resolveField, sourceFields, sourceOf } from '../source/values-source.js';
import { errors } from '@shoal/errors';
import { formatDouble } from '@shoal/values';
import { quantile, type Samples, sampleCount } from './digest.js';
import { hintField } from './execution-hint.js';
import { type SamplesPartial, mergedSamples, sampleAggregator } from './sample-metric.js';

const COMPRESSION_MAX = 10_000;

const compressionField: FieldReader<number> = (value, site) => {
  const compression = numberField(value, site);
  if (!(compression > 0))
    throw errors.illegalArgument(
      `[compression] must be greater than 0. Found [${formatDouble(compression)}] in [${site.name}]`,
    );
  return Math.min(COMPRESSION_MAX, compression);
};

/** Median of the distances of values to their median. */
function deviation(samples: Samples): number {
  const median = quantile(samples, 0.5);
  const order = Array.from(samples.values, (value, i) => [Math.abs(value - median), samples.weights[i]!] as const).sort(
    (a, b) => a[0] - b[0],
  );
  return quantile(
    {
      values: Float64Array.from(order, (one) => one[0]),
      weights: Float64Array.from(order, (one) => one[1]),
      isExact: samples.isExact,
    },
    0.5,
  );
}

/** Median absolute deviation of a numeric field. */
export const medianAbsoluteDeviation: AggregationType<SamplesPartial> = {
  name: 'median_absolute_deviation',
  valueKinds: ['counter', 'numeric'],
  parse(site) {
    const fields = readFields(site.body, site, {
      ...sourceFields,
      compression: compressionField,
      execution_hint: hintField,
    });
    const source = sourceOf(fields, site, 'double');
    const compression = fields.compression ?? 1000;
    return {
      acceptsSubs: false,
      shape: 'metric',
      numbers: 'value',
      reads: [{ source, kind: 'numbers' }],
      collector(build) {
        const field = resolveField(build.context, source.field, 'numbers', build.node.type)?.type;
        if (field?.valueKind === 'boolean' || field?.valueKind === 'date')
          throw notSupported(field, build.node.type, build.context);
        return sampleAggregator(build, source, compression);
      },
      reduce(partials) {
        const samples = mergedSamples(partials, compression);
        const value = sampleCount(samples) === 0 ? null : deviation(samples);
        return numberResult(
          'median_absolute_deviation',
          value,
          value === null ? null : formatIn(partials).shown(value),
        );
      },
    };
  },
};
