import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import {
  type CalendarUnit,
  calendarRounding,
  fixedRounding,
  parseTimeValue,
  type Rounding,
  timeZone,
} from '@shoal/values';

const UNITS: Readonly<Record<string, CalendarUnit>> = {
  ...{ '1s': 'second', '1m': 'minute', '1h': 'hour', '1d': 'day', '1w': 'week', '1M': 'month', '1q': 'quarter' },
  ...{ '1y': 'year', second: 'second', minute: 'minute', hour: 'hour', day: 'day', week: 'week', month: 'month' },
  ...{ quarter: 'quarter', year: 'year' },
};

/**
 * Returns the rounding of a `date_histogram` of `group_by`: times to the start of their bucket. Throws
 * illegal_argument_exception for intervals, offsets and time zones that a search refuses too.
 */
export function groupRounding(body: JsonObject): Rounding {
  const { calendar_interval: calendar, fixed_interval: fixed, time_zone: zone, offset } = body;
  const zoneOf = timeZone(typeof zone === 'number' ? hoursZone(zone) : String(zone ?? 'UTC'));
  if (calendar === undefined) {
    const intervalMs = parseTimeValue(String(fixed), 'date_histogram.fixedInterval');
    if (!(intervalMs >= 1)) throw errors.illegalArgument('Zero or negative time interval not supported');
    return fixedRounding(intervalMs, zoneOf, offsetMs(offset));
  }
  const name = String(calendar);
  if (!Object.hasOwn(UNITS, name))
    throw errors.illegalArgument(`The supplied interval [${name}] could not be parsed as a calendar interval.`);
  return calendarRounding(UNITS[name]!, zoneOf, offsetMs(offset));
}

const hoursZone = (hours: number): string => `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;

/** `offset`: `+6h`, `-1d`, or milliseconds. */
function offsetMs(offset: unknown): number {
  if (typeof offset === 'number') return offset;
  if (typeof offset !== 'string') return 0;
  const sign = offset.startsWith('-') ? -1 : 1;
  return sign * parseTimeValue(offset.replace(/^[+-]/, ''), 'DateHistogramAggregationBuilder.parseOffset');
}
