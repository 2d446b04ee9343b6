import type { AggregateMetric, FieldType } from '@shoal/mapping';
import type { AggregationType, Aggregator, BuildSite } from '../aggregation-type.js';
import { readFields } from '../parse/body-fields.js';
import { numberResult } from '../reduce/reduced.js';
import { formatIn, formatOf } from '../source/format.js';
import { metricSource } from '../source/number-source.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { numberAggregator, numberBehaviour, type NumberPartial } from './number-metric.js';
import { mergeSumCount, type SumCount, sumCountAccumulator } from './sum-count.js';
import { AGGREGATE_KINDS } from '../source/value-kinds.js';

/** Sums of the sums of values of `aggregate_metric_double`, and of their counts. */
function ofAggregates(field: FieldType, request: SourceRequest, build: BuildSite): Aggregator<NumberPartial<SumCount>> {
  const { scratch } = build.context;
  const format = formatOf(field, request.format, request.timeZone);
  const of = (metric: AggregateMetric): Aggregator<NumberPartial<SumCount>> =>
    numberAggregator(metricSource(field, metric, scratch), sumCountAccumulator(scratch), format);
  const [sums, counts] = [of('sum'), of('value_count')];
  return {
    segment(view) {
      sums.segment(view);
      counts.segment(view);
    },
    reserve(buckets) {
      sums.reserve(buckets);
      counts.reserve(buckets);
    },
    collect(...read) {
      sums.collect(...read);
      counts.collect(...read);
    },
    partial(bucket) {
      const sum = sums.partial(bucket);
      return sum === null ? null : { ...sum, c: counts.partial(bucket)?.s ?? 0 };
    },
  };
}

/** Average of a numeric field; null when there is no value. */
export const avg: AggregationType<NumberPartial<SumCount>> = {
  name: 'avg',
  valueKinds: AGGREGATE_KINDS,
  parse(site) {
    const request = sourceOf(readFields(site.body, site, sourceFields), site, 'double');
    const plain = numberBehaviour(request, sumCountAccumulator, (partials) => {
      const { sum, count } = mergeSumCount(partials);
      const value = count === 0 ? null : sum / count;
      return numberResult('avg', value, value === null ? null : formatIn(partials).shown(value));
    });
    return {
      ...plain,
      collector(build) {
        const field = build.context.searcher.mapping.field(request.field);
        return field?.metricColumns ? ofAggregates(field, request, build) : plain.collector(build);
      },
    };
  },
};
