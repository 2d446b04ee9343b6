import type { Value } from '@shoal/codec';
import { type ApiError, errors } from '@shoal/errors';
import { type CalendarUnit, calendarRounding, type Rounding, timeZone } from '@shoal/values';
import type { AggregationType, ReduceSite } from '../aggregation-type.js';
import { openNumbers } from '../metric/number-metric.js';
import { integerFrom, nameOf, readFields } from '../parse/body-fields.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { formatIn, type Formatter } from '../source/format.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { zoneField } from './date-histogram.js';
import { type HistogramPartial, NO_BOUNDS, roundedBuckets } from './histogram-collect.js';
import { histogramBucket } from './histogram-reduce.js';
import { NUMBER_KINDS } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

/** A calendar unit, the multiples of it that may be an interval, and the letter of the unit in answers (`7d`). */
interface Step {
  readonly unit: CalendarUnit;
  readonly letter: string;
  readonly multiples: readonly number[];
}

const STEPS: readonly Step[] = [
  { unit: 'second', letter: 's', multiples: [1, 5, 10, 30] },
  { unit: 'minute', letter: 'm', multiples: [1, 5, 10, 30] },
  { unit: 'hour', letter: 'h', multiples: [1, 3, 12] },
  { unit: 'day', letter: 'd', multiples: [1, 7] },
  { unit: 'month', letter: 'M', multiples: [1, 3] },
  { unit: 'year', letter: 'y', multiples: [1, 5, 10, 20, 50, 100] },
];

interface AutoRequest {
  readonly source: SourceRequest;
  readonly buckets: number;
  readonly firstStep: number;
  readonly zone: string;
}

/** Limit for buckets that a shard returns. If a unit gives more, the shard uses the next coarser one. */
const SHARD_BUCKETS_MAX = 50_000;

interface Merged {
  count: number;
  readonly subs: (readonly Value[])[];
}

function mergeAt(rounding: Rounding, partials: readonly HistogramPartial[]): Map<number, Merged> {
  const merged = new Map<number, Merged>();
  for (const { k, c, s } of partials) {
    for (let i = 0; i < k.length; i++) {
      const key = rounding.floor(k[i]!);
      let one = merged.get(key);
      if (!one) merged.set(key, (one = { count: 0, subs: [] }));
      one.count += c[i]!;
      if (s) one.subs.push(s[i]!);
    }
  }
  return merged;
}

/** Counts the intervals of a rounding from `first` to `last`; stops beyond `limit`. */
function stretches(rounding: Rounding, first: number, last: number, limit: number): number {
  let count = 0;
  for (let at = rounding.floor(first); at <= last && count <= limit; at = rounding.next(at)) count++;
  return count;
}

interface Choice {
  readonly step: Step;
  readonly multiple: number;
  readonly rounding: Rounding;
}

/** Chooses the finest interval that gives no more than the requested number of buckets. */
function choose(request: AutoRequest, first: number, last: number): Choice {
  const zone = timeZone(request.zone);
  let choice: Choice | null = null;
  for (const step of STEPS.slice(request.firstStep)) {
    const rounding = calendarRounding(step.unit, zone, 0);
    const most = step.multiples.at(-1)! * request.buckets;
    const count = stretches(rounding, first, last, most);
    for (const multiple of step.multiples) {
      choice = { step, multiple, rounding };
      if (Math.ceil(count / multiple) <= request.buckets) return choice;
    }
  }
  return choice!;
}

function nextBy(rounding: Rounding, key: number, steps: number): number {
  let at = key;
  for (let i = 0; i < steps; i++) at = rounding.next(at);
  return at;
}

function fillBuckets(
  { rounding, multiple }: Choice,
  merged: ReadonlyMap<number, Merged>,
  formatter: Formatter,
  site: ReduceSite,
): ReducedBucket[] {
  const keys = [...merged.keys()].sort((a, b) => a - b);
  const buckets: ReducedBucket[] = [];
  let at = 0;
  for (let key = keys[0] ?? Number.POSITIVE_INFINITY; key <= (keys.at(-1) ?? Number.NEGATIVE_INFINITY); ) {
    const end = nextBy(rounding, key, multiple);
    let count = 0;
    const subs: (readonly Value[])[] = [];
    for (; at < keys.length && keys[at]! < end; at++) {
      count += merged.get(keys[at]!)!.count;
      subs.push(...merged.get(keys[at]!)!.subs);
    }
    site.addBuckets(1);
    buckets.push(histogramBucket(key, count, site.subs(subs), formatter, false));
    key = end;
  }
  return buckets;
}

function reduce(request: AutoRequest, partials: readonly (HistogramPartial | null)[], site: ReduceSite): Reduced {
  const own = present(partials);
  const first = Math.min(...own.map((p) => p.k[0] ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...own.map((p) => p.k.at(-1) ?? Number.NEGATIVE_INFINITY));
  const choice =
    first <= last
      ? choose(request, first, last)
      : {
          step: STEPS[request.firstStep]!,
          multiple: 1,
          rounding: calendarRounding(STEPS[request.firstStep]!.unit, timeZone(request.zone), 0),
        };
  const buckets = first <= last ? fillBuckets(choice, mergeAt(choice.rounding, own), formatIn(partials), site) : [];
  return {
    typedName: 'auto_date_histogram',
    buckets,
    render(render) {
      return { buckets: render.list(this.buckets!), interval: `${choice.multiple}${choice.step.letter}` };
    },
  };
}

const wrongInterval = (text: string): ApiError =>
  errors.illegalArgument(
    `minimum_interval must be one of [${STEPS.map((step) => step.unit).join(', ')}] but was: ${text}`,
  );

/**
 * `auto_date_histogram`: chooses its interval from a requested number of buckets. Shards collect by the finest unit
 * that gives at most `SHARD_BUCKETS_MAX` buckets.
 */
export const autoDateHistogram: AggregationType<HistogramPartial> = {
  name: 'auto_date_histogram',
  valueKinds: NUMBER_KINDS,
  parse(site) {
    const fields = readFields(site.body, site, {
      ...sourceFields,
      buckets: integerFrom(1, 'numBuckets'),
      minimum_interval: nameOf(
        STEPS.map((step) => step.unit),
        wrongInterval,
      ),
      time_zone: zoneField,
    });
    const zone = fields.time_zone ?? 'UTC';
    const request: AutoRequest = {
      source: sourceOf(fields, site, 'date', zone),
      buckets: fields.buckets ?? 10,
      firstStep: Math.max(
        0,
        STEPS.findIndex((step) => step.unit === fields.minimum_interval),
      ),
      zone,
    };
    return {
      acceptsSubs: true,
      isHistogram: true,
      shape: 'multi',
      collector(build) {
        const { source, format } = openNumbers(build, request.source);
        const rounding = shardRounding(
          request,
          build.context.searcher.segments.map((view) =>
            view.reader.numbers(build.context.searcher.mapping.field(request.source.field)?.name ?? ''),
          ),
        );
        return roundedBuckets(build, source, format, (values, count) => rounding.floorMany(values, count), NO_BOUNDS);
      },
      reduce: (partials, reduceSite) => reduce(request, partials, reduceSite),
    };
  },
};

/**
 * Chooses the unit that a shard collects by: the finest one that the answer may use and that gives at most
 * `SHARD_BUCKETS_MAX` buckets over all values of the shard.
 */
function shardRounding(
  request: AutoRequest,
  columns: readonly ({ readonly min: number; readonly max: number; readonly valueCount: number } | null)[],
): Rounding {
  const used = columns.filter((column) => column !== null && column.valueCount > 0);
  const [first, last] = [
    Math.min(...used.map((column) => column!.min)),
    Math.max(...used.map((column) => column!.max)),
  ];
  const zone = timeZone(request.zone);
  for (const { unit } of STEPS.slice(request.firstStep)) {
    const rounding = calendarRounding(unit, zone, 0);
    if (!(first <= last) || (last - first) / (rounding.next(first) - rounding.floor(first)) <= SHARD_BUCKETS_MAX)
      return rounding;
  }
  return calendarRounding('year', zone, 0);
}
