import { errors } from '@shoal/errors';
import type { PipelineType } from '../aggregation-type.js';
import { type FieldReader, readFields, stringField, unsupported } from '../parse/body-fields.js';
import { parentPipeline } from './parent-values.js';

const pathField: FieldReader<unknown> = (value, site) => {
  if (typeof value !== 'string' && !Array.isArray(value)) throw unsupported(value, site);
  return value;
};

/** `cumulative_sum`: running total over the buckets of a histogram. A bucket without a value repeats the total. */
export const cumulativeSum: PipelineType = parentPipeline({
  name: 'cumulative_sum',
  typedName: 'simple_value',
  needsHistogram: true,
  checkBody(site) {
    const fields = readFields(site.body, site, { buckets_path: pathField, format: stringField });
    if (fields.buckets_path === undefined) throw errors.illegalArgument('Required [buckets_path]');
  },
  extra: () => null,
  series(values) {
    let total = 0;
    return values.map((value) => (total += value ?? 0));
  },
});
