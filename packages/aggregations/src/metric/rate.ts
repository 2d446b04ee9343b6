import { errors } from '@shoal/errors';
import type { CalendarUnit, IntervalRounding } from '@shoal/values';
import type { Aggregator, AggregationNode, AggregationType, BuildSite } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';
import { type FieldReader, nameOf, readFields, stringField } from '../parse/body-fields.js';
import { numberResult } from '../reduce/reduced.js';
import { docCounts } from '../source/doc-counts.js';
import { type Formatter, formatter } from '../source/format.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { present } from '../reduce/present.js';
import { type CounterRun, counterRuns, joinRuns, rateOf } from './counter-rate.js';
import { numberAggregator, type NumberPartial, openNumbers } from './number-metric.js';
import { mergeSumCount, type SumCount, sumCountAccumulator } from './sum-count.js';

interface UnitLength {
  readonly name: CalendarUnit;
  /** Milliseconds, or months for units of months. */
  readonly length: number;
  readonly isOfMonths: boolean;
}

const ofMillis = (name: CalendarUnit, length: number): UnitLength => ({ name, length, isOfMonths: false });
const ofMonths = (name: CalendarUnit, length: number): UnitLength => ({ name, length, isOfMonths: true });

const UNITS: ReadonlyMap<string, UnitLength> = new Map(
  [
    ofMillis('second', 1000),
    ofMillis('minute', 60_000),
    ofMillis('hour', 3_600_000),
    ofMillis('day', 86_400_000),
    ofMillis('week', 604_800_000),
    ofMonths('month', 1),
    ofMonths('quarter', 3),
    ofMonths('year', 12),
  ].map((unit) => [unit.name, unit]),
);
/** Months of a counter's rate have thirty days: it knows no calendar. */
const MONTH_MS = 30 * 86_400_000;
const SHORT: Readonly<Record<string, CalendarUnit>> = {
  '1s': 'second',
  '1m': 'minute',
  '1h': 'hour',
  '1d': 'day',
  '1w': 'week',
  '1M': 'month',
  '1q': 'quarter',
  '1y': 'year',
};

const unitField: FieldReader<UnitLength> = (value, site) => {
  const text = stringField(value, site);
  const unit = UNITS.get(SHORT[text] ?? text);
  if (unit === undefined) throw errors.illegalArgument(`Unsupported unit ${text}`);
  return unit;
};
const modeField = nameOf(['sum', 'value_count'], (text) =>
  errors.illegalArgument(`No enum constant org.elasticsearch.xpack.analytics.rate.RateMode.${text.toUpperCase()}`),
);

/** Rounding of the nearest aggregation around a node that has buckets of dates; null for none. */
function roundingAround(node: AggregationNode): IntervalRounding | null {
  for (let at = node.parent; at !== null; at = at.parent) if (at.behaviour.rounding) return at.behaviour.rounding;
  return null;
}

function checkPlace(node: AggregationNode, unit: UnitLength | null): void {
  const rounding = roundingAround(node);
  if (rounding === null)
    throw errors.illegalArgument(
      'The rate aggregation can only be used inside a date histogram aggregation or composite aggregation with ' +
        'exactly one date histogram value source',
    );
  if (unit === null || !unit.isOfMonths) return;
  const only = 'only week, day, hour, minute and second are supported for this histogram';
  const { interval } = rounding;
  if (typeof interval === 'number')
    throw errors.illegalArgument(
      `Cannot use month-based rate unit [${unit.name}] with fixed interval based histogram, ${only}`,
    );
  if (!UNITS.get(interval)!.isOfMonths)
    throw errors.illegalArgument(
      `Cannot use month-based rate unit [${unit.name}] with non-month based calendar interval histogram ` +
        `[${interval}] ${only}`,
    );
}

/** How many units the bucket that starts at `key` is long. */
function lengthIn(unit: UnitLength, { interval, next }: IntervalRounding, key: number): number {
  if (typeof interval === 'number') return interval / unit.length;
  const own = UNITS.get(interval)!;
  return own.isOfMonths === unit.isOfMonths ? own.length / unit.length : (next(key) - key) / unit.length;
}

/** Counts documents, by how many each stands for. */
function countingDocs(): Aggregator<NumberPartial<SumCount>> {
  let totals = new Float64Array(0);
  let counts: Int32Array | null = null;
  return {
    segment: (view) => void (counts = docCounts(view)),
    reserve(buckets) {
      totals = growDoubles(totals, buckets);
    },
    collect(docs, buckets, count) {
      for (let i = 0; i < count; i++) totals[buckets ? buckets[i]! : 0]! += counts === null ? 1 : counts[docs[i]!]!;
    },
    partial: (bucket) => ({ s: totals[bucket] ?? 0, c: totals[bucket] ?? 0 }),
  };
}

function summing(build: BuildSite, request: SourceRequest): Aggregator<NumberPartial<SumCount>> {
  const { source, format } = openNumbers(build, request);
  return numberAggregator(source, sumCountAccumulator(build.context.scratch), format);
}

type RatePartial = NumberPartial<SumCount> | { readonly r: CounterRun };

/** Whether an aggregation is below `time_series`. */
function isInSeries(node: AggregationNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) if (at.type === 'time_series') return true;
  return false;
}

/** Collects a counter of a time series as such; sums the values of all other fields. */
function ofValues(build: BuildSite, source: SourceRequest, unit: UnitLength | null): Aggregator<RatePartial> {
  const field = build.context.searcher.mapping.field(source.field);
  if (isInSeries(build.node)) {
    if (field?.metric === 'counter') return counterRuns(build, field.name);
    checkPlace(build.node, unit);
  }
  return summing(build, source);
}

/** The rate of a counter in a unit, by default a second; null for a single value. */
function counterResult(
  runs: readonly CounterRun[],
  unit: UnitLength | null,
  format: Formatter | null,
): ReturnType<typeof numberResult> {
  const unitMs = unit === null ? 1000 : unit.isOfMonths ? unit.length * MONTH_MS : unit.length;
  const value = rateOf(joinRuns(runs)!, unitMs);
  return numberResult('rate', value, value === null || format === null ? null : format.shown(value));
}

/**
 * `rate`: documents, sum or number of values in each bucket of a `date_histogram` (or a `composite` with one source of
 * dates) around it, for a unit of time. Without a unit it is not divided. Of a counter
 * below `time_series`: its increase, which a counter that begins anew does not lower.
 */
export const rate: AggregationType<RatePartial> = {
  name: 'rate',
  valueKinds: ['boolean', 'counter', 'numeric'],
  parse(site) {
    const fields = readFields(site.body, site, { ...sourceFields, unit: unitField, mode: modeField });
    const { unit = null, mode = null } = fields;
    const format = fields.format === undefined ? null : formatter({ k: 'decimal', p: fields.format });
    const hasValues = fields.field !== undefined || fields.script !== undefined;
    if (!hasValues && mode !== null)
      throw errors.illegalArgument('The mode parameter is only supported with field or script');
    const source = hasValues ? sourceOf(fields, site, 'double') : null;
    return {
      acceptsSubs: false,
      shape: 'metric',
      numbers: 'value',
      ...(source === null ? {} : { reads: [{ source, kind: 'numbers' }] }),
      checkPlace: (node) => (source !== null && isInSeries(node) ? undefined : checkPlace(node, unit)),
      collector: (build) => (source === null ? countingDocs() : ofValues(build, source, unit)),
      reduce(partials, { node, dateKey }) {
        const runs = present(partials).flatMap((partial) => ('r' in partial ? [partial.r] : []));
        if (runs.length > 0) return counterResult(runs, unit, format);
        const { sum, count } = mergeSumCount(partials as readonly (NumberPartial<SumCount> | null)[]);
        const rounding = roundingAround(node);
        const length =
          unit === null || rounding === null || dateKey === undefined ? 1 : lengthIn(unit, rounding, dateKey);
        const value = (mode === 'value_count' ? count : sum) / length;
        return numberResult('rate', value, format === null ? null : format.shown(value));
      },
    };
  },
};
