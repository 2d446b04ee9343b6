import { type ApiError, errors } from '@shoal/errors';
import { civilFromDays, daysFromCivil, daysInMonth } from './civil.kernel.js';
import { type CalendarUnit, calendarRounding, type Rounding } from './rounding.js';
import { localToUtc, type Zone } from './zone.js';

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, CalendarUnit>> = {
  y: 'year',
  M: 'month',
  w: 'week',
  d: 'day',
  h: 'hour',
  H: 'hour',
  m: 'minute',
  s: 'second',
};
const FIXED: Readonly<Partial<Record<CalendarUnit, number>>> = { hour: 3_600_000, minute: 60_000, second: 1000 };
const LOCAL_DAYS: Readonly<Partial<Record<CalendarUnit, number>>> = { day: 1, week: 7 };

const fail = (reason: string): ApiError => errors.parse(reason);

/** Adds months to a local time; a day that the month does not have becomes its last day. */
function plusMonths(local: number, months: number): number {
  const civil = new Int32Array(3);
  const days = Math.floor(local / DAY_MS);
  civilFromDays(days, civil);
  const index = civil[0]! * 12 + civil[1]! - 1 + months;
  const year = Math.floor(index / 12);
  const month = index - year * 12 + 1;
  const day = Math.min(civil[2]!, daysInMonth(year, month));
  return daysFromCivil(year, month, day) * DAY_MS + (local - days * DAY_MS);
}

function plus(ms: number, amount: number, unit: CalendarUnit, zone: Zone): number {
  if (FIXED[unit] !== undefined) return ms + amount * FIXED[unit];
  const local = ms + zone.offsetAt(ms);
  if (LOCAL_DAYS[unit] !== undefined) return localToUtc(zone, local + amount * LOCAL_DAYS[unit] * DAY_MS);
  return localToUtc(zone, plusMonths(local, unit === 'year' ? amount * 12 : amount));
}

/** Rounds moments to units; thousands of roundings of an expression share few units. */
class UnitRoundings {
  readonly #zone: Zone;
  readonly #byUnit = new Map<CalendarUnit, Rounding>();

  constructor(zone: Zone) {
    this.#zone = zone;
  }

  round(ms: number, unit: CalendarUnit, roundUp: boolean): number {
    let rounding = this.#byUnit.get(unit);
    if (rounding === undefined) this.#byUnit.set(unit, (rounding = calendarRounding(unit, this.#zone, 0)));
    const start = rounding.floor(ms);
    return roundUp ? rounding.next(start) - 1 : start;
  }
}

/** Returns the place after the digits of a text from a place on. */
function digitsEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at]! >= '0' && text[at]! <= '9') at++;
  return at;
}

/** Limit of the digits of an amount in date math. */
const AMOUNT_DIGITS_MAX = 9;

/**
 * Applies date math such as `+1M-3h/d` to a moment in UTC milliseconds. `/unit` gives the first millisecond of the
 * unit, with `roundUp` the last. Days and larger units follow the local calendar of `zone`. Throws parse_exception.
 */
export function applyDateMath(math: string, startMs: number, zone: Zone, roundUp: boolean): number {
  const roundings = new UnitRoundings(zone);
  let ms = startMs;
  for (let at = 0; at < math.length; ) {
    const operator = math[at]!;
    if (!'+-/'.includes(operator)) throw fail(`operator not supported for date math [${math}]`);
    const unitAt = digitsEnd(math, at + 1);
    if (unitAt >= math.length) throw fail(`truncated date math [${math}]`);
    if (unitAt - at - 1 > AMOUNT_DIGITS_MAX) throw fail(`number out of range in date math [${math}]`);
    const amount = unitAt === at + 1 ? 1 : Number(math.slice(at + 1, unitAt));
    if (operator === '/' && amount !== 1) throw fail(`rounding \`/\` can only be used on single unit types [${math}]`);
    const letter = math[unitAt]!;
    const unit = Object.hasOwn(UNITS, letter) ? UNITS[letter] : undefined;
    if (!unit) throw fail(`unit [${letter}] not supported for date math [${math.slice(0)}]`);
    if (operator === '/') ms = roundings.round(ms, unit, roundUp);
    else ms = plus(ms, operator === '-' ? -amount : amount, unit, zone);
    at = unitAt + 1;
  }
  return ms;
}
