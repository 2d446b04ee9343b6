/* Proleptic Gregorian calendar: dates to days since 1970-01-01 and back, by Howard Hinnant's `days_from_civil`. */

/** Days since 1970-01-01 of a date; `month` 1-12, `day` 1-31. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

/** Writes year, month (1-12) and day (1-31) of a number of days since 1970-01-01 into `out[0 … 2]`. */
export function civilFromDays(days: number, out: Int32Array): void {
  const z = days + 719468;
  const era = Math.floor(z / 146097);
  const dayOfEra = z - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  out[1] = shifted < 10 ? shifted + 3 : shifted - 9;
  out[0] = yearOfEra + era * 400 + (out[1]! <= 2 ? 1 : 0);
  out[2] = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
}

/** Whether a year of the proleptic Gregorian calendar has 366 days. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Number of days of a month (1-12). */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function twoDigits(text: string, at: number): number {
  const high = text.charCodeAt(at) - 48;
  const low = text.charCodeAt(at + 1) - 48;
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Number.NaN;
}

const DASH = 45;
const COLON = 58;
const DOT = 46;

/**
 * Offset from UTC in milliseconds of the zone at `at`: 0 if there is none or `Z`, else `+hh:mm`; NaN for other text.
 */
function isoOffset(text: string, at: number): number {
  const rest = text.length - at;
  if (rest === 0) return 0;
  const sign = text.charCodeAt(at);
  if (rest === 1) return sign === 90 ? 0 : Number.NaN;
  if (rest !== 6 || (sign !== 43 && sign !== DASH) || text.charCodeAt(at + 3) !== COLON) return Number.NaN;
  const hours = twoDigits(text, at + 1);
  const minutes = twoDigits(text, at + 4);
  if (!(hours < 18 && minutes < 60)) return Number.NaN;
  const size = (hours * 60 + minutes) * 60_000;
  return sign === DASH ? -size : size;
}

/** Milliseconds of the time `THH:mm:ss[.SSS]` and zone from index 10 on; NaN for any other form. */
function isoTime(text: string): number {
  if (text.charCodeAt(10) !== 84 || text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return Number.NaN;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  const whole = (hour * 3600 + minute * 60 + second) * 1000;
  if (text.charCodeAt(19) !== DOT) return whole - isoOffset(text, 19);
  const last = text.charCodeAt(22) - 48;
  return last >= 0 && last <= 9 ? whole + twoDigits(text, 20) * 10 + last - isoOffset(text, 23) : Number.NaN;
}

/**
 * UTC milliseconds of a date in the most frequent forms: `yyyy-MM-dd`, optionally with `THH:mm:ss` or `THH:mm:ss.SSS`,
 * and then optionally `Z` or `+hh:mm`. NaN for any other text, valid or not; the general parser has to decide. About 50
 * ns.
 */
export function parseCommonIso(text: string): number {
  const length = text.length;
  if (length !== 10 && (length < 19 || length > 29)) return Number.NaN;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return Number.NaN;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return Number.NaN;
  const days = daysFromCivil(year, month, day) * 86_400_000;
  return length === 10 ? days : days + isoTime(text);
}
