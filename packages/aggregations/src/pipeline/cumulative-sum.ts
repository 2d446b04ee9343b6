import type { PipelineType } from '../aggregation-type.js';
import { parentPipeline } from './parent-values.js';

/** `cumulative_sum`: running total over the buckets of a histogram. A bucket without a value repeats the total. */
export const cumulativeSum: PipelineType = parentPipeline({
  name: 'cumulative_sum',
  typedName: 'simple_value',
  needsHistogram: true,
  extra: () => null,
  series(values) {
    let total = 0;
    return values.map((value) => (total += value ?? 0));
  },
});
