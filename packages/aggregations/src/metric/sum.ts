import type { AggregationType } from '../aggregation-type.js';
import { numberResult } from '../reduce/reduced.js';
import { formatIn } from '../source/format.js';
import { numberMetric, type NumberPartial } from './number-metric.js';
import { mergeSumCount, type SumCount, sumCountAccumulator } from './sum-count.js';
import { AGGREGATE_KINDS } from '../source/value-kinds.js';

/** Sum of a numeric field, 0 when there is no value. */
export const sum: AggregationType<NumberPartial<SumCount>> = {
  name: 'sum',
  valueKinds: AGGREGATE_KINDS,
  parse: (site) =>
    numberMetric(site, sumCountAccumulator, (partials) => {
      const total = mergeSumCount(partials).sum;
      return numberResult('sum', total, formatIn(partials).shown(total));
    }),
};
