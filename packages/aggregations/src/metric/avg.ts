import type { AggregationType } from '../aggregation-type.js';
import { numberResult } from '../reduce/reduced.js';
import { formatIn } from '../source/format.js';
import { numberMetric, type NumberPartial } from './number-metric.js';
import { mergeSumCount, type SumCount, sumCountAccumulator } from './sum-count.js';
import { METRIC_KINDS } from '../source/value-kinds.js';

/** Average of a numeric field; null when there is no value. */
export const avg: AggregationType<NumberPartial<SumCount>> = {
  name: 'avg',
  valueKinds: METRIC_KINDS,
  parse: (site) =>
    numberMetric(site, sumCountAccumulator, (partials) => {
      const { sum, count } = mergeSumCount(partials);
      const value = count === 0 ? null : sum / count;
      return numberResult('avg', value, value === null ? null : formatIn(partials).shown(value));
    }),
};
