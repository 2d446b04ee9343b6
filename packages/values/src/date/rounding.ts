import { civilFromDays, daysFromCivil } from './civil.kernel.js';
import { floorFixed } from './rounding.kernel.js';
import { localToUtc, type Zone } from './zone.js';

/** Rounds moments down to the starts of consecutive intervals of time. All values are UTC milliseconds. */
export interface Rounding {
  /** Start of the interval that contains `ms`. */
  floor(ms: number): number;
  /** Start of the interval after the one that starts at `ms`. */
  next(ms: number): number;
  /** Applies `floor` to the first `count` values in place. NaN stays NaN. */
  floorMany(values: Float64Array, count: number): void;
}

/** A rounding that tells its interval: the unit of a calendar, or milliseconds of fixed length. */
export interface IntervalRounding extends Rounding {
  readonly interval: CalendarUnit | number;
}

/** Calendar unit of an interval; a week starts on Monday. */
export type CalendarUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

const DAY_MS = 86_400_000;
const FIXED_MS: Readonly<Partial<Record<CalendarUnit, number>>> = { second: 1000, minute: 60_000, hour: 3_600_000 };
/** A Monday: 1970-01-01 was a Thursday. */
const MONDAY_MS = -3 * DAY_MS;

function bounds(values: Float64Array, count: number): { min: number; max: number } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

/** Offset of the zone that is in force for all of the values and `before` them; null if it changes between. */
function constantOffset(zone: Zone, before: number, values: Float64Array, count: number): number | null {
  if (zone.fixedOffset !== null) return zone.fixedOffset;
  const { min, max } = bounds(values, count);
  if (!(min <= max)) return 0;
  const offset = zone.offsetAt(min);
  return max < zone.segmentEnd(min) && min - before >= zone.segmentStart(min) ? offset : null;
}

/** Floors values one by one, and keeps the last interval, because neighbouring values are mostly in the same one. */
function floorCached(rounding: Pick<Rounding, 'floor' | 'next'>, values: Float64Array, count: number): void {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (!(value >= low && value < high)) {
      if (Number.isNaN(value)) continue;
      low = rounding.floor(value);
      high = rounding.next(low);
    }
    values[i] = low;
  }
}

/** A rounding whose intervals start `offsetMs` later. */
function shiftRounding(rounding: Rounding, offsetMs: number): Rounding {
  if (offsetMs === 0) return rounding;
  return {
    floor: (ms) => rounding.floor(ms - offsetMs) + offsetMs,
    next: (ms) => rounding.next(ms - offsetMs) + offsetMs,
    floorMany(values, count) {
      for (let i = 0; i < count; i++) values[i] = values[i]! - offsetMs;
      rounding.floorMany(values, count);
      for (let i = 0; i < count; i++) values[i] = values[i]! + offsetMs;
    },
  };
}

/**
 * Intervals of constant length in local time, counted from `origin`, a local time in milliseconds since 1970-01-01.
 * What follows a change of clocks up to the next start of an interval belongs to the interval before the change; an
 * interval whose start clocks skipped starts at the change. So intervals are stretches of time, each of which ends
 * where the next one starts.
 */
function localRounding(interval: number, zone: Zone, origin: number): Rounding {
  const floorLocal = (local: number): number => Math.floor((local - origin) / interval) * interval + origin;
  const floor = (ms: number): number => {
    let at = ms;
    for (;;) {
      const offset = zone.offsetAt(at);
      const change = zone.segmentStart(at);
      const local = floorLocal(at + offset);
      if (!(local - offset < change)) return local - offset;
      if (local - zone.offsetAt(change - 1) >= change) return change;
      at = change - 1;
    }
  };
  const next = (ms: number): number => {
    const start = floor(ms);
    for (let at = ms; ; at = zone.segmentEnd(at)) {
      const offset = zone.offsetAt(at);
      const begun = floor(at);
      if (begun > start) return begun;
      const end = floorLocal(at + offset) + interval - offset;
      if (end < zone.segmentEnd(at)) return end;
    }
  };
  return {
    floor,
    next,
    floorMany(values, count) {
      const offset = constantOffset(zone, interval, values, count);
      if (offset === null) floorCached({ floor, next }, values, count);
      else floorFixed(values, count, interval, origin - offset);
    },
  };
}

/** Local midnight at the start of the month (`months` 1), quarter (3) or year (12) of a local time. */
function floorMonths(localMs: number, months: number): number {
  const civil = new Int32Array(3);
  civilFromDays(Math.floor(localMs / DAY_MS), civil);
  const month = Math.floor((civil[1]! - 1) / months) * months + 1;
  return daysFromCivil(civil[0]!, month, 1) * DAY_MS;
}

function addMonths(localMs: number, months: number): number {
  const civil = new Int32Array(3);
  civilFromDays(Math.floor(localMs / DAY_MS), civil);
  const index = civil[0]! * 12 + civil[1]! - 1 + months;
  return daysFromCivil(Math.floor(index / 12), (((index % 12) + 12) % 12) + 1, 1) * DAY_MS;
}

function midnightRounding(
  zone: Zone,
  floorLocal: (local: number) => number,
  nextLocal: (local: number) => number,
): Rounding {
  const floor = (ms: number): number => {
    const rounded = localToUtc(zone, floorLocal(ms + zone.offsetAt(ms)));
    return Math.min(rounded, ms);
  };
  const next = (ms: number): number => localToUtc(zone, nextLocal(floorLocal(ms + zone.offsetAt(ms))));
  return { floor, next, floorMany: (values, count) => floorCached({ floor, next }, values, count) };
}

function monthsRounding(months: number, zone: Zone): Rounding {
  return midnightRounding(
    zone,
    (local) => floorMonths(local, months),
    (local) => addMonths(local, months),
  );
}

function daysRounding(days: number, origin: number, zone: Zone): Rounding {
  const interval = days * DAY_MS;
  const slow = midnightRounding(
    zone,
    (local) => Math.floor((local - origin) / interval) * interval + origin,
    (local) => local + interval,
  );
  const floorMany = (values: Float64Array, count: number): void => {
    if (zone.fixedOffset === null) slow.floorMany(values, count);
    else floorFixed(values, count, interval, origin - zone.fixedOffset);
  };
  return { ...slow, floorMany };
}

function unitRounding(unit: CalendarUnit, zone: Zone): Rounding {
  if (unit === 'month') return monthsRounding(1, zone);
  if (unit === 'quarter') return monthsRounding(3, zone);
  if (unit === 'year') return monthsRounding(12, zone);
  if (unit === 'week') return daysRounding(7, MONDAY_MS, zone);
  if (unit === 'day') return daysRounding(1, 0, zone);
  return localRounding(FIXED_MS[unit]!, zone, 0);
}

/**
 * Rounding to a calendar unit in a zone: days have 23 to 25 hours when clocks change. Every interval starts `offsetMs`
 * later than the unit.
 */
export function calendarRounding(unit: CalendarUnit, zone: Zone, offsetMs: number): IntervalRounding {
  return { ...shiftRounding(unitRounding(unit, zone), offsetMs), interval: unit };
}

/** Rounding to intervals of `intervalMs` in local time, counted from 1970-01-01 plus `offsetMs`. */
export function fixedRounding(intervalMs: number, zone: Zone, offsetMs: number): IntervalRounding {
  return { ...shiftRounding(localRounding(intervalMs, zone, 0), offsetMs), interval: intervalMs };
}
