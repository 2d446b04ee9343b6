import type { PipelineType } from '../aggregation-type.js';
import { parentPipeline } from './parent-values.js';

/** Running total of a value over the buckets of a histogram; gaps repeat the total. */
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
