import type { AggregationType } from '../aggregation-type.js';
import { numberField, objectOf, readFields } from '../parse/body-fields.js';
import { sourceFields, sourceOf } from '../source/values-source.js';
import { quantile, type Samples, sampleCount } from './digest.js';
import { type SamplesPartial, mergedSamples, sampleAggregator } from './sample-metric.js';
import { hintField } from './execution-hint.js';
import { namedNumbers } from './stats.js';

/** Returns the whiskers: the outermost values within 1.5 interquartile ranges of the box. */
function whiskers(samples: Samples, q1: number, q3: number): { lower: number; upper: number } {
  const reach = 1.5 * (q3 - q1);
  const inside = Array.from(samples.values).filter((value) => value >= q1 - reach && value <= q3 + reach);
  return { lower: inside[0] ?? q1, upper: inside.at(-1) ?? q3 };
}

/** Numbers that orders may name. */
const NUMBERS: ReadonlySet<string> = new Set(['min', 'max', 'q1', 'q2', 'q3', 'lower', 'upper']);

/** `boxplot`: minimum, maximum, quartiles and whiskers of a numeric field. */
export const boxplot: AggregationType<SamplesPartial> = {
  name: 'boxplot',
  valueKinds: ['numeric'],
  parse(site) {
    const fields = readFields(site.body, site, {
      ...sourceFields,
      compression: numberField,
      execution_hint: hintField,
      tdigest: objectOf({}),
    });
    const source = sourceOf(fields, site, 'double');
    const compression = Math.min(10_000, Math.max(20, fields.compression ?? 100));
    return {
      acceptsSubs: false,
      shape: 'metric',
      numbers: (name) => NUMBERS.has(name),
      reads: [{ source, kind: 'numbers' }],
      collector: (build) => sampleAggregator(build, source, compression),
      reduce(partials) {
        const samples = mergedSamples(partials, compression);
        if (sampleCount(samples) === 0)
          return namedNumbers('boxplot', {
            min: 'Infinity',
            max: '-Infinity',
            q1: 'NaN',
            q2: 'NaN',
            q3: 'NaN',
            lower: 'NaN',
            upper: 'NaN',
          });
        const at = (q: number): number => quantile(samples, q, fields.execution_hint);
        const [q1, q2, q3] = [at(0.25), at(0.5), at(0.75)];
        return namedNumbers('boxplot', {
          min: samples.values[0]!,
          max: samples.values.at(-1)!,
          q1,
          q2,
          q3,
          ...whiskers(samples, q1, q3),
        });
      },
    };
  },
};
