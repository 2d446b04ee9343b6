import type { AggregationType, PipelineType } from './aggregation-type.js';
import { adjacencyMatrix } from './bucket/adjacency-matrix.js';
import { categorizeText } from './bucket/categorize-text.js';
import { frequentItemSets } from './bucket/frequent-item-sets.js';
import { autoDateHistogram } from './bucket/auto-date-histogram.js';
import { rareTerms } from './bucket/rare-terms.js';
import { randomSampler } from './bucket/random-sampler.js';
import { diversifiedSampler, sampler } from './bucket/sampler.js';
import { ipRange } from './bucket/ip-range.js';
import { significantTerms } from './bucket/significant-terms.js';
import { significantText } from './bucket/significant-text.js';
import { geoDistance } from './bucket/geo-distance.js';
import { multiTerms } from './bucket/multi-terms.js';
import { matrixStats } from './metric/matrix-stats.js';
import { stringStats } from './metric/string-stats.js';
import { cumulativeCardinality } from './pipeline/cumulative-cardinality.js';
import { ipPrefix } from './bucket/ip-prefix.js';
import { rate } from './metric/rate.js';
import { tTest } from './metric/t-test.js';
import { scriptedMetric } from './metric/scripted-metric.js';
import { topMetrics } from './metric/top-metrics.js';
import { composite } from './bucket/composite/composite.js';
import { geohashGrid, geotileGrid } from './bucket/geo-grid.js';
import { boxplot } from './metric/boxplot.js';
import { cardinality } from './metric/cardinality.js';
import { geoBounds } from './metric/geo-bounds.js';
import { geoCentroid } from './metric/geo-centroid.js';
import { medianAbsoluteDeviation } from './metric/median-absolute-deviation.js';
import { percentileRanks, percentiles } from './metric/percentiles.js';
import { topHits } from './metric/top-hits.js';
import { valueCount } from './metric/value-count.js';
import { weightedAvg } from './metric/weighted-avg.js';
import { dateHistogram } from './bucket/date-histogram.js';
import { filter } from './bucket/filter.js';
import { filters } from './bucket/filters.js';
import { global } from './bucket/global.js';
import { histogram } from './bucket/histogram.js';
import { missing } from './bucket/missing.js';
import { children, parent } from './bucket/joined.js';
import { nested } from './bucket/nested.js';
import { dateRange, range } from './bucket/range.js';
import { reverseNested } from './bucket/reverse-nested.js';
import { terms } from './bucket/terms.js';
import { timeSeries } from './bucket/time-series.js';
import { variableWidthHistogram } from './bucket/variable-width-histogram.js';
import { avg } from './metric/avg.js';
import { extendedStats } from './metric/extended-stats.js';
import { max, min } from './metric/extremes.js';
import { stats } from './metric/stats.js';
import { sum } from './metric/sum.js';
import {
  avgBucket,
  extendedStatsBucket,
  maxBucket,
  minBucket,
  percentilesBucket,
  statsBucket,
  sumBucket,
} from './pipeline/bucket-metrics.js';
import { bucketCorrelation } from './pipeline/bucket-correlation.js';
import { bucketCountKsTest } from './pipeline/bucket-count-ks-test.js';
import { inference } from './pipeline/inference.js';
import { changePoint } from './pipeline/change-point.js';
import { bucketSort } from './pipeline/bucket-sort.js';
import { cumulativeSum } from './pipeline/cumulative-sum.js';
import { derivative } from './pipeline/derivative.js';
import { normalize } from './pipeline/normalize.js';
import { bucketScript } from './pipeline/bucket-script.js';
import { bucketSelector } from './pipeline/bucket-selector.js';
import { movingFn } from './pipeline/moving-fn.js';
import { serialDiff } from './pipeline/serial-diff.js';

const byName = <T extends { readonly name: string }>(types: readonly T[]): ReadonlyMap<string, T> =>
  new Map(types.map((type) => [type.name, type]));

/** Bucket and metric aggregations by name. */
export const aggregationTypes: ReadonlyMap<string, AggregationType> = byName([
  terms,
  timeSeries,
  histogram,
  dateHistogram,
  range,
  dateRange,
  filter,
  filters,
  global,
  missing,
  variableWidthHistogram,
  children,
  parent,
  nested,
  reverseNested,
  avg,
  sum,
  min,
  max,
  stats,
  extendedStats,
  valueCount,
  cardinality,
  percentiles,
  percentileRanks,
  medianAbsoluteDeviation,
  boxplot,
  weightedAvg,
  geoBounds,
  geoCentroid,
  topHits,
  composite,
  geohashGrid,
  geotileGrid,
  adjacencyMatrix,
  autoDateHistogram,
  rareTerms,
  sampler,
  diversifiedSampler,
  randomSampler,
  ipRange,
  significantTerms,
  significantText,
  geoDistance,
  multiTerms,
  matrixStats,
  stringStats,
  ipPrefix,
  topMetrics,
  scriptedMetric,
  rate,
  tTest,
  categorizeText,
  frequentItemSets,
]);

/** Pipeline aggregations by name. */
export const pipelineTypes: ReadonlyMap<string, PipelineType> = byName([
  avgBucket,
  sumBucket,
  minBucket,
  maxBucket,
  statsBucket,
  extendedStatsBucket,
  percentilesBucket,
  cumulativeSum,
  cumulativeCardinality,
  derivative,
  serialDiff,
  normalize,
  bucketSort,
  bucketScript,
  bucketSelector,
  movingFn,
  changePoint,
  bucketCorrelation,
  bucketCountKsTest,
  inference,
]);
