import { errors } from '@shoal/errors';
import { formatDouble } from '@shoal/values';
import type { AggregationType, Behaviour, BuildSite, ParseSite } from '../aggregation-type.js';
import {
  booleanField,
  type FieldReader,
  countField,
  nullableNumberField,
  numberField,
  objectField,
  readFields,
} from '../parse/body-fields.js';
import { BY_KEY, orderField, validateOrder } from '../reduce/order.js';
import { datePattern, type FormatSpec, formatIn, formatOf } from '../source/format.js';
import { type RangeSource, rangeSource, refuseRanges } from '../source/range-source.js';
import { rangeHistogram } from './range-histogram.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { openNumbers } from '../metric/number-metric.js';
import { fixedPlan } from './bucket-plans.js';
import { plannedBuckets } from './dense-buckets.js';
import { type HistogramPartial, type KeyBounds, NO_BOUNDS, roundedBuckets } from './histogram-collect.js';
import { type HistogramShape, reduceHistogram } from './histogram-reduce.js';

const intervalField: FieldReader<number> = (value, site) => {
  const interval = numberField(value, site);
  if (!(interval > 0)) throw errors.illegalArgument(`[interval] must be >0 for histogram aggregation [${site.name}]`);
  return interval;
};

interface Bounds {
  readonly min: number | null;
  readonly max: number | null;
}

const boundsField: FieldReader<Bounds> = (value, site) => {
  const body = objectField(value, site);
  const readers = { min: nullableNumberField, max: nullableNumberField };
  const { min = null, max = null } = readFields(body, { type: 'double_bounds', name: site.name }, readers);
  if (min !== null && max !== null && min > max)
    throw errors.illegalArgument(
      `[extended_bounds.min][${min}] cannot be greater than [extended_bounds.max][${max}] for histogram ` +
        `aggregation [${site.name}]`,
    );
  return { min, max };
};

/** Hard bounds of numbers hold for keys without their offset, as in Elasticsearch; both are inclusive. */
function boundsOfNumbers(hard: Bounds | undefined, offset: number): KeyBounds {
  const { min = null, max = null } = hard ?? {};
  return { min: min === null ? NO_BOUNDS.min : min + offset, max: max === null ? NO_BOUNDS.max : max + offset };
}

function keyBounds(hard: Bounds | undefined, floor: (value: number) => number): KeyBounds {
  if (!hard) return NO_BOUNDS;
  return { min: hard.min === null ? NO_BOUNDS.min : floor(hard.min), max: hard.max ?? NO_BOUNDS.max };
}

function checkBounds(extended: Bounds | undefined, hard: Bounds | undefined): void {
  if (!extended || !hard) return;
  const inside =
    (extended.min === null || hard.min === null || extended.min >= hard.min) &&
    (extended.max === null || hard.max === null || extended.max <= hard.max);
  const shown = (bound: number | null): string => (bound === null ? '' : formatDouble(bound));
  const text = ({ min, max }: Bounds): string => `[${shown(min)}--${shown(max)}]`;
  if (!inside)
    throw errors.illegalArgument(
      `Extended bounds have to be inside hard bounds, hard bounds: ${text(hard)}, extended bounds: ${text(extended)}`,
    );
}

/** How keys over ranges print: those of dates as dates. */
function rangeFormat(build: BuildSite, { format, field }: SourceRequest, { isDate }: RangeSource): FormatSpec {
  if (!isDate) return formatOf(null, format, null);
  return { k: 'date', p: format ?? datePattern(build.context.searcher.mapping.field(field)), z: 'UTC' };
}

function parse(site: ParseSite): Behaviour<HistogramPartial> {
  const fields = readFields(site.body, site, {
    ...sourceFields,
    interval: intervalField,
    offset: numberField,
    min_doc_count: countField('minDocCount'),
    extended_bounds: boundsField,
    hard_bounds: boundsField,
    order: orderField,
    keyed: booleanField,
  });
  const source = sourceOf(fields, site, 'double');
  const { interval = 0, offset = 0, extended_bounds: extended, hard_bounds: hard, order = [BY_KEY] } = fields;
  const floor = (value: number): number => Math.floor((value - offset) / interval) * interval + offset;
  const shape: HistogramShape = {
    typedName: 'histogram',
    hasDoubleKeys: true,
    keyed: fields.keyed ?? false,
    minDocCount: fields.min_doc_count ?? 0,
    order,
    next: (key) => floor(key + interval + interval / 2),
    extended:
      extended && (extended.min !== null || extended.max !== null)
        ? {
            first: extended.min === null ? Number.POSITIVE_INFINITY : floor(extended.min),
            last: extended.max === null ? Number.NEGATIVE_INFINITY : floor(extended.max),
          }
        : null,
  };
  return {
    acceptsSubs: true,
    isHistogram: true,
    minDocCount: shape.minDocCount,
    shape: 'multi',
    reads: [{ source, kind: 'numbers' }],
    check: () => checkBounds(extended, hard),
    collector(build) {
      validateOrder(order, build.node);
      if (!(interval > 0)) throw errors.illegalArgument('interval must be positive, got: 0.0');
      const ranges = rangeSource(build, source.field);
      if (ranges)
        return rangeHistogram(
          build,
          ranges,
          rangeFormat(build, source, ranges),
          { floor, next: shape.next },
          keyBounds(hard, floor),
        );
      refuseRanges(build, source.field, 'Expected numeric range type but found non-numeric range');
      const { source: numbers, format, field, missing } = openNumbers(build, source);
      const bounds = boundsOfNumbers(hard, offset);
      const plan = fixedPlan(build, field, missing, interval, offset, bounds);
      if (plan) return plannedBuckets(build, numbers, format, plan);
      const round = (values: Float64Array, count: number): void => {
        for (let i = 0; i < count; i++) values[i] = Math.floor((values[i]! - offset) / interval) * interval + offset;
      };
      return roundedBuckets(build, numbers, format, round, bounds);
    },
    reduce: (partials, reduceSite) => reduceHistogram(partials, shape, formatIn(partials), reduceSite),
  };
}

/** Buckets of a constant width over numbers. */
export const histogram: AggregationType<HistogramPartial> = {
  name: 'histogram',
  valueKinds: ['boolean', 'counter', 'date', 'numeric', 'range'],
  profileName: 'NumericHistogramAggregator',
  parse,
};
