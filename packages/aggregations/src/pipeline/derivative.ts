import { calendarRounding, parseTimeValue, UTC, type CalendarUnit } from '@shoal/values';
import type { PipelineType } from '../aggregation-type.js';
import { parentPipeline } from './parent-values.js';

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['1s', 1000],
  ['second', 1000],
  ['1m', 60_000],
  ['minute', 60_000],
  ['1h', 3_600_000],
  ['hour', 3_600_000],
  ['1d', 86_400_000],
  ['day', 86_400_000],
  ['1w', 7 * 86_400_000],
  ['week', 7 * 86_400_000],
]);
const LONG_UNITS: ReadonlyMap<string, CalendarUnit> = new Map([
  ['1M', 'month'],
  ['month', 'month'],
  ['1q', 'quarter'],
  ['quarter', 'quarter'],
  ['1y', 'year'],
  ['year', 'year'],
]);

/** Returns a unit in milliseconds. A month, quarter or year has the length of the first one since 1970. */
function unitMs(unit: string): number {
  const long = LONG_UNITS.get(unit);
  if (long) return calendarRounding(long, UTC, 0).next(0);
  return UNIT_MS.get(unit) ?? parseTimeValue(unit, 'derivative.unit');
}

/** `derivative`: change of a value from bucket to bucket, and with `unit` the rate of change. */
export const derivative: PipelineType = parentPipeline({
  name: 'derivative',
  typedName: 'derivative',
  needsHistogram: true,
  extra(body) {
    const unit = body.text('unit');
    return unit === null ? null : unitMs(unit);
  },
  series(values) {
    let last: number | null = null;
    return values.map((value) => {
      const change = value !== null && last !== null ? value - last : undefined;
      if (value !== null) last = value;
      return change;
    });
  },
  members(value, at, unit, buckets) {
    if (unit === null || at === 0) return {};
    const span = (buckets[at]!.key as number) - (buckets[at - 1]!.key as number);
    return { normalized_value: (value / span) * unit };
  },
});
