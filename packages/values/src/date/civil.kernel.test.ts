import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { civilFromDays, daysFromCivil, daysInMonth, isLeapYear, parseCommonIso } from './civil.kernel.js';

const DAY_MS = 86_400_000;
/** Days since 1970-01-01 in the range of a JavaScript `Date`. */
const day = fc.integer({ min: -100_000_000, max: 100_000_000 });

kernelContract(
  'days and civil dates are those of Date',
  (number) => {
    const out = new Int32Array(3);
    civilFromDays(number, out);
    return { civil: [...out], back: daysFromCivil(out[0]!, out[1]!, out[2]!) };
  },
  (number) => {
    const date = new Date(number * DAY_MS);
    return { civil: [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()], back: number };
  },
  day,
  500,
);

kernelContract(
  'months have the days that Date gives them',
  ({ year, month }) => ({ days: daysInMonth(year, month), leap: isLeapYear(year) }),
  ({ year, month }) => ({
    days: new Date(Date.UTC(year, month, 0)).getUTCDate(),
    leap: new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1,
  }),
  fc.record({ year: fc.integer({ min: 1000, max: 4000 }), month: fc.integer({ min: 1, max: 12 }) }),
);

/** Dates in the forms that the kernel parses, and in similar forms that it leaves to the general parser. */
const text = fc
  .record({
    ms: fc.integer({ min: Date.UTC(0, 0), max: Date.UTC(9999, 11, 31) }),
    shape: fc.constantFrom(10, 19, 23, 24),
    zone: fc.constantFrom('', 'Z', '+01:30', '-17:59', '+18:00', '+1:00', 'z'),
    damage: fc.option(fc.record({ at: fc.nat(24), by: fc.constantFrom('x', '9', ' ') }), { freq: 4 }),
  })
  .map(({ ms, shape, zone, damage }) => {
    const whole = `${new Date(ms).toISOString().slice(0, Math.min(shape, 23))}${shape === 10 ? '' : zone}`;
    return damage ? whole.slice(0, damage.at) + damage.by + whole.slice(damage.at + 1) : whole;
  });

kernelContract(
  'parseCommonIso reads the common shapes as Date does and returns NaN for all others',
  parseCommonIso,
  (iso) => {
    const shape = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.\d{3})?(Z|[+-](\d\d):(\d\d))?)?$/.exec(iso);
    if (!shape) return Number.NaN;
    const [year, month, date, hour = 0, minute = 0, second = 0] = shape.slice(1, 7).map((part) => Number(part ?? 0));
    const valid = month! >= 1 && month! <= 12 && date! >= 1 && date! <= daysInMonth(year!, month!);
    const inTime = hour < 24 && minute < 60 && second < 60;
    const inZone = Number(shape[8] ?? 0) < 18 && Number(shape[9] ?? 0) < 60;
    if (!valid || !inTime || !inZone) return Number.NaN;
    return Date.parse(iso.length === 10 || shape[7] !== undefined ? iso : `${iso}Z`);
  },
  text,
  2000,
);
