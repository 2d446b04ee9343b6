import { errors } from '@shoal/errors';
import {
  type CalendarUnit,
  calendarRounding,
  dateFormat,
  fixedRounding,
  parseTimeValue,
  type IntervalRounding,
  type Rounding,
  timeZone,
} from '@shoal/values';
import type { AggregationType, Aggregator, Behaviour, BuildSite, ParseSite, ReduceSite } from '../aggregation-type.js';
import { openNumbers } from '../metric/number-metric.js';
import {
  booleanField,
  boundField,
  type FieldReader,
  countField,
  objectField,
  readFields,
  stringField,
} from '../parse/body-fields.js';
import { BY_KEY, type BucketOrder, orderField, validateOrder } from '../reduce/order.js';
import type { Reduced } from '../reduce/reduced.js';
import { datePattern, type FormatSpec, formatIn, formatter } from '../source/format.js';
import { type RangeSource, rangeSource, refuseRanges } from '../source/range-source.js';
import { rangeHistogram } from './range-histogram.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { roundingPlan } from './bucket-plans.js';
import { plannedBuckets } from './dense-buckets.js';
import { type HistogramPartial, type KeyBounds, NO_BOUNDS, roundedBuckets } from './histogram-collect.js';
import { type HistogramShape, reduceHistogram } from './histogram-reduce.js';

const CALENDAR_UNITS = new Map<string, CalendarUnit>([
  ['second', 'second'],
  ['1s', 'second'],
  ['minute', 'minute'],
  ['1m', 'minute'],
  ['hour', 'hour'],
  ['1h', 'hour'],
  ['day', 'day'],
  ['1d', 'day'],
  ['week', 'week'],
  ['1w', 'week'],
  ['month', 'month'],
  ['1M', 'month'],
  ['quarter', 'quarter'],
  ['1q', 'quarter'],
  ['year', 'year'],
  ['1y', 'year'],
]);

const intervalText: FieldReader<string> = (value, site) => {
  const text = stringField(value, site);
  if (text === '') throw errors.illegalArgument('[interval] must not be null: [date_histogram]');
  return text;
};

/** `calendar_interval`. */
export const calendarField: FieldReader<CalendarUnit> = (value, site) => {
  const text = intervalText(value, site);
  const unit = CALENDAR_UNITS.get(text);
  if (!unit)
    throw errors.illegalArgument(`The supplied interval [${text}] could not be parsed as a calendar interval.`);
  return unit;
};

/** `fixed_interval`, in milliseconds. */
export const fixedField: FieldReader<number> = (value, site) => {
  const text = intervalText(value, site);
  const interval = parseTimeValue(text, 'date_histogram.fixedInterval');
  if (!(interval >= 1)) throw errors.illegalArgument(`Zero or negative time interval not supported`);
  return interval;
};

/** `time_zone`: an id, or a number of hours. */
export const zoneField: FieldReader<string> = (value, site) => {
  const text =
    typeof value === 'number'
      ? `${value < 0 ? '-' : '+'}${String(Math.abs(Math.trunc(value))).padStart(2, '0')}:00`
      : stringField(value, site);
  timeZone(text);
  return text;
};

/** `offset`: `+6h`, `-1d`, or milliseconds. */
export const offsetField: FieldReader<number> = (value, site) => {
  if (typeof value === 'number') return value;
  const text = stringField(value, site);
  const sign = text.startsWith('-') ? -1 : 1;
  return sign * parseTimeValue(text.replace(/^[+-]/, ''), 'DateHistogramAggregationBuilder.parseOffset');
};

interface Bounds {
  readonly min: unknown;
  readonly max: unknown;
}

/** A bound: a number of milliseconds without decimals, or a text that is read when the field is known. */
const oneBound: FieldReader<unknown> = (value, site) => {
  const bound = boundField(value, site);
  if (typeof bound !== 'number' || Number.isInteger(bound)) return bound;
  throw errors.illegalArgument(`${bound} cannot be converted to Long without data loss`);
};

const boundsField: FieldReader<Bounds> = (value, site) => {
  const fields = readFields(
    objectField(value, site),
    { type: 'bounds', name: site.name },
    { min: oneBound, max: oneBound },
  );
  return { min: fields.min ?? null, max: fields.max ?? null };
};

/**
 * Parses a bound to milliseconds. A number is milliseconds; a string is read with the format of the field and may be
 * date math such as `now-1d`.
 */
function boundMs(bound: unknown, spec: FormatSpec, now: () => number): number | null {
  if (bound === null) return null;
  if (typeof bound === 'number') return bound;
  const [pattern, zone] = spec.k === 'date' ? [spec.p, spec.z] : ['strict_date_optional_time||epoch_millis', 'UTC'];
  return dateFormat(pattern).parseRounded(String(bound), { roundUp: false, now, zone: timeZone(zone) });
}

interface DateHistogramRequest {
  readonly source: SourceRequest;
  readonly rounding: IntervalRounding | null;
  readonly extended: Bounds | null;
  readonly hard: Bounds | null;
  readonly keyed: boolean;
  readonly minDocCount: number;
  readonly order: BucketOrder;
}

/** Refuses a request with both kinds of interval. The error names the later key first. */
function checkIntervals(site: ParseSite): void {
  const given = Object.keys(site.body).filter((key) => key === 'calendar_interval' || key === 'fixed_interval');
  if (given.length < 2) return;
  const cause = errors.illegalArgument(`Cannot use [${given[1]}] with [${given[0]}] configuration option.`);
  throw errors.xContentParse(`[${site.type}] failed to parse field [${given[1]}]`, {
    cause,
    location: { container: site.body, key: given[1]! },
  });
}

/** The rounding of a calendar or fixed interval in a time zone; null if the request gives neither. */
export function roundingOf(
  calendar: CalendarUnit | undefined,
  fixed: number | undefined,
  zone: string,
  offset: number,
): IntervalRounding | null {
  if (calendar) return calendarRounding(calendar, timeZone(zone), offset);
  return fixed === undefined ? null : fixedRounding(fixed, timeZone(zone), offset);
}

function parseRequest(site: ParseSite): DateHistogramRequest {
  const fields = readFields(site.body, site, {
    ...sourceFields,
    calendar_interval: calendarField,
    fixed_interval: fixedField,
    time_zone: zoneField,
    offset: offsetField,
    min_doc_count: countField('minDocCount'),
    extended_bounds: boundsField,
    hard_bounds: boundsField,
    order: orderField,
    keyed: booleanField,
  });
  checkIntervals(site);
  const zone = fields.time_zone ?? 'UTC';
  return {
    source: sourceOf(fields, site, 'date', fields.time_zone ?? null),
    rounding: roundingOf(fields.calendar_interval, fields.fixed_interval, zone, fields.offset ?? 0),
    extended: fields.extended_bounds ?? null,
    hard: fields.hard_bounds ?? null,
    keyed: fields.keyed ?? false,
    minDocCount: fields.min_doc_count ?? 0,
    order: fields.order ?? [BY_KEY],
  };
}

function boundText(bounds: Bounds): string {
  return `[${String(bounds.min ?? '')}--${String(bounds.max ?? '')}]`;
}

/**
 * Turns hard bounds into limits of keys. Both are rounded down, and the upper one is exclusive, as in Elasticsearch.
 * Extended bounds that are no dates are refused here too: on the shard.
 */
function keyBounds(request: DateHistogramRequest, spec: FormatSpec, now: () => number): KeyBounds {
  const { hard, extended } = request;
  const [low, high] = extended ? [boundMs(extended.min, spec, now), boundMs(extended.max, spec, now)] : [null, null];
  if (!hard) return NO_BOUNDS;
  const [min, max] = [boundMs(hard.min, spec, now), boundMs(hard.max, spec, now)];
  if ((low !== null && min !== null && low < min) || (high !== null && max !== null && high > max)) {
    throw errors.illegalArgument(
      `Extended bounds have to be inside hard bounds, hard bounds: ${boundText(hard)}, extended bounds: ` +
        `${boundText(extended!)}`,
    );
  }
  const floor = (bound: number): number => request.rounding!.floor(bound);
  return { min: min === null ? NO_BOUNDS.min : floor(min), max: max === null ? NO_BOUNDS.max : floor(max) - 1 };
}

function extendedKeys(request: DateHistogramRequest, spec: FormatSpec, now: () => number): HistogramShape['extended'] {
  const { extended, rounding } = request;
  if (!extended || !rounding) return null;
  const [min, max] = [boundMs(extended.min, spec, now), boundMs(extended.max, spec, now)];
  return {
    first: min === null ? Number.POSITIVE_INFINITY : rounding.floor(min),
    last: max === null ? Number.NEGATIVE_INFINITY : rounding.floor(max),
  };
}

function reduce(
  request: DateHistogramRequest,
  partials: readonly (HistogramPartial | null)[],
  site: ReduceSite,
): Reduced {
  const known = formatIn(partials);
  const { format, timeZone: zone } = request.source;
  const shown =
    known.spec.k === 'raw' && format !== null ? formatter({ k: 'date', p: format, z: zone ?? 'UTC' }) : known;
  const shape: HistogramShape = {
    typedName: 'date_histogram',
    hasDoubleKeys: false,
    hasDateKeys: true,
    keyed: request.keyed,
    minDocCount: request.minDocCount,
    order: request.order,
    next: (key) => request.rounding!.next(key),
    extended: extendedKeys(request, shown.spec, site.now),
  };
  return reduceHistogram(partials, shape, shown, site);
}

function overRanges(
  request: DateHistogramRequest,
  rounding: Rounding,
  ranges: RangeSource,
  build: BuildSite,
): Aggregator<HistogramPartial> {
  const { format, timeZone: zone, field } = request.source;
  const spec: FormatSpec = {
    k: 'date',
    p: format ?? datePattern(build.context.searcher.mapping.field(field)),
    z: zone ?? 'UTC',
  };
  const bounds = keyBounds(request, spec, build.context.now);
  // For fields of ranges the upper hard bound is inclusive.
  return rangeHistogram(build, ranges, spec, rounding, { min: bounds.min, max: bounds.max + 1 });
}

function behaviour(request: DateHistogramRequest): Behaviour<HistogramPartial> {
  return {
    acceptsSubs: true,
    isHistogram: true,
    minDocCount: request.minDocCount,
    shape: 'multi',
    ...(request.rounding === null ? {} : { rounding: request.rounding }),
    reads: [{ source: request.source, kind: 'numbers' }],
    collector(build) {
      validateOrder(request.order, build.node);
      const { rounding } = request;
      if (!rounding) throw errors.illegalArgument('Invalid interval specified, must be non-null and non-empty');
      const ranges = rangeSource(build, request.source.field);
      if (ranges?.isDate) return overRanges(request, rounding, ranges, build);
      refuseRanges(build, request.source.field, 'Expected date range type but found range type');
      const { source, format, field, missing } = openNumbers(build, request.source);
      const bounds = keyBounds(request, format, build.context.now);
      const plan = roundingPlan(build, field, missing, rounding, bounds);
      if (plan) return plannedBuckets(build, source, format, plan);
      return roundedBuckets(build, source, format, (values, count) => rounding.floorMany(values, count), bounds);
    },
    reduce: (partials, site) => reduce(request, partials, site),
  };
}

/** `date_histogram`: buckets of calendar units or of constant duration, in a time zone. */
export const dateHistogram: AggregationType<HistogramPartial> = {
  name: 'date_histogram',
  valueKinds: ['boolean', 'date', 'numeric', 'range'],
  parse: (site) => behaviour(parseRequest(site)),
};
