import type { Zone } from '@shoal/values';
import { illegalArgument, Thrown } from '../thrown.js';
import { hashOf } from '../equality.js';
import { boxLong } from '../boxes.js';
import { ScriptObject } from '../script-object.js';

/** Numbers of the fields of java.util.Calendar. */
export const FIELDS = {
  ERA: 0,
  YEAR: 1,
  MONTH: 2,
  WEEK_OF_YEAR: 3,
  WEEK_OF_MONTH: 4,
  DATE: 5,
  DAY_OF_MONTH: 5,
  DAY_OF_YEAR: 6,
  DAY_OF_WEEK: 7,
  DAY_OF_WEEK_IN_MONTH: 8,
  AM_PM: 9,
  HOUR: 10,
  HOUR_OF_DAY: 11,
  MINUTE: 12,
  SECOND: 13,
  MILLISECOND: 14,
  ZONE_OFFSET: 15,
  DST_OFFSET: 16,
} as const;

export const FIELD_COUNT = 17;
const DAY_MS = 86_400_000;
/** Milliseconds of the fields of a day, from HOUR on. */
const UNIT_MS: Readonly<Record<number, number>> = {
  [FIELDS.HOUR]: 3_600_000,
  [FIELDS.HOUR_OF_DAY]: 3_600_000,
  [FIELDS.MINUTE]: 60_000,
  [FIELDS.SECOND]: 1000,
  [FIELDS.MILLISECOND]: 1,
  [FIELDS.AM_PM]: 43_200_000,
};
const floorMod = (value: number, by: number): number => ((value % by) + by) % by;

/** Days since 1970 of a day of the calendar; months beyond a year carry over. */
function daysOf(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 1);
  return Math.floor(date.getTime() / DAY_MS) + day - 1;
}

/**
 * java.util.GregorianCalendar, without the change from the Julian calendar in 1582. Fields that are set count when the
 * time is next asked for, so that a month may be set before its day.
 */
export class GregorianCalendar extends ScriptObject {
  readonly javaClass = 'java.util.GregorianCalendar';
  zone: Zone;
  firstDayOfWeek = 1;
  minimalDays = 1;
  isLenient = true;
  #ms: number;
  /** Fields that were set since the time was computed, in their order. */
  #pending = new Map<number, number>();
  /** Whether the fields that are not pending are those of the time; else they are not set. */
  #isComputed = true;

  constructor(ms: number, zone: Zone) {
    super();
    this.#ms = ms;
    this.zone = zone;
  }

  get ms(): number {
    if (this.#pending.size > 0) this.#compute();
    return this.#ms;
  }

  set ms(value: number) {
    this.#pending.clear();
    this.#isComputed = true;
    this.#ms = value;
  }

  get(field: number): number {
    checkField(field);
    return this.#fieldsOf(this.ms)[field]!;
  }

  set(field: number, value: number): void {
    checkField(field);
    this.#pending.delete(field);
    this.#pending.set(field, value);
  }

  /** Unsets all fields: what is not set then counts as in 1970-01-01T00:00. */
  clear(): void {
    this.ms = -this.zone.offsetAt(0);
    this.#isComputed = false;
  }

  clearField(field: number): void {
    this.set(field, FIELD_MINIMUM[field] ?? 0);
  }

  add(field: number, amount: number): void {
    checkField(field);
    if (amount === 0) return;
    if (field === FIELDS.YEAR || field === FIELDS.MONTH)
      return this.#addMonths(field === FIELDS.YEAR ? 12 * amount : amount);
    const days = DAYS_OF_FIELD[field];
    if (days !== undefined) return this.#moveTo(this.#local(this.ms) + days * amount * DAY_MS);
    const unit = UNIT_MS[field];
    if (unit === undefined) throw illegalArgument(null as unknown as string);
    this.ms = this.ms + unit * amount;
  }

  roll(field: number, amount: number): void {
    const [low, high] = [FIELD_MINIMUM[field] ?? 0, this.actualMaximum(field)];
    const before = this.get(field);
    const value = low + floorMod(before - low + amount, high - low + 1);
    if (field === FIELDS.MONTH) return this.#addMonths(value - before);
    if (field === FIELDS.YEAR) return this.#addMonths(12 * amount);
    const unit = UNIT_MS[field] ?? (DAYS_OF_FIELD[field] ?? 0) * DAY_MS;
    this.#moveTo(this.#local(this.ms) + (value - before) * unit);
  }

  actualMaximum(field: number): number {
    checkField(field);
    const fields = this.#fieldsOf(this.ms);
    const year = this.#yearOf(fields);
    const month = fields[FIELDS.MONTH]!;
    const daysInMonth = daysOf(year, month + 1, 1) - daysOf(year, month, 1);
    switch (field) {
      case FIELDS.DAY_OF_MONTH:
        return daysInMonth;
      case FIELDS.DAY_OF_YEAR:
        return daysOf(year + 1, 0, 1) - daysOf(year, 0, 1);
      case FIELDS.DAY_OF_WEEK_IN_MONTH:
        return Math.ceil((daysInMonth - floorMod(fields[FIELDS.DAY_OF_MONTH]! - 1, 7)) / 7);
      case FIELDS.WEEK_OF_MONTH:
        return this.#weekOf(daysInMonth, daysOf(year, month, daysInMonth));
      case FIELDS.WEEK_OF_YEAR:
        return this.weeksIn(year);
      default:
        return FIELD_MAXIMUM[field]!;
    }
  }

  /** Weeks of a week year. */
  weeksIn(year: number): number {
    return Math.round((this.#weekYearStart(year + 1) - this.#weekYearStart(year)) / 7);
  }

  get weekYear(): number {
    const day = Math.floor(this.#local(this.ms) / DAY_MS);
    const year = this.#yearOf(this.#fieldsOf(this.ms));
    if (day >= this.#weekYearStart(year + 1)) return year + 1;
    return day < this.#weekYearStart(year) ? year - 1 : year;
  }

  setWeekDate(year: number, week: number, dayOfWeek: number): void {
    const day = this.#weekYearStart(year) + (week - 1) * 7 + floorMod(dayOfWeek - this.firstDayOfWeek, 7);
    this.#moveTo(day * DAY_MS + floorMod(this.#local(this.ms), DAY_MS));
  }

  copy(): GregorianCalendar {
    const copy = new GregorianCalendar(this.ms, this.zone);
    copy.firstDayOfWeek = this.firstDayOfWeek;
    copy.minimalDays = this.minimalDays;
    copy.isLenient = this.isLenient;
    return copy;
  }

  toText(): string {
    return `java.util.GregorianCalendar[time=${this.ms},zone=${this.zone.id}]`;
  }

  compare(other: unknown): number {
    return Math.sign(this.ms - (other as GregorianCalendar).ms);
  }

  equalTo(other: unknown): boolean {
    return other instanceof GregorianCalendar && other.ms === this.ms && other.zone.id === this.zone.id;
  }

  hash(): number {
    return hashOf(boxLong(this.ms));
  }

  get identity(): string {
    return `${this.ms} ${this.zone.id}`;
  }

  #local(ms: number): number {
    return ms + this.zone.offsetAt(ms);
  }

  /** Moves to a local time. In a gap of the zone it is later by the length of the gap. */
  #moveTo(local: number): void {
    const first = local - this.zone.offsetAt(local - this.zone.offsetAt(local));
    this.ms = first;
  }

  #yearOf(fields: readonly number[]): number {
    return fields[FIELDS.ERA] === 1 ? fields[FIELDS.YEAR]! : 1 - fields[FIELDS.YEAR]!;
  }

  #addMonths(months: number): void {
    const local = this.#local(this.ms);
    const date = new Date(local);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
    const last = daysOf(year, month + 1, 1) - daysOf(year, month, 1);
    const day = daysOf(year, month, Math.min(date.getUTCDate(), last));
    this.#moveTo(day * DAY_MS + floorMod(local, DAY_MS));
  }

  /** The week of a period in which a day is the `nth`. */
  #weekOf(nth: number, day: number): number {
    const weekday = floorMod(day + 4, 7);
    const firstWeekday = floorMod(weekday - (nth - 1) - (this.firstDayOfWeek - 1), 7);
    const week = Math.floor((nth - 1 + firstWeekday) / 7);
    return 7 - firstWeekday >= this.minimalDays ? week + 1 : week;
  }

  /** The first day, since 1970, of the first week of a year. */
  #weekYearStart(year: number): number {
    const first = daysOf(year, 0, 1);
    const offset = floorMod(floorMod(first + 4, 7) - (this.firstDayOfWeek - 1), 7);
    return 7 - offset >= this.minimalDays ? first - offset : first - offset + 7;
  }

  #fieldsOf(ms: number): readonly number[] {
    const offset = this.zone.offsetAt(ms);
    const date = new Date(ms + offset);
    if (Number.isNaN(date.getTime())) throw illegalArgument('time of a calendar is out of range');
    const day = Math.floor((ms + offset) / DAY_MS);
    const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
    const dayOfYear = day - daysOf(year, 0, 1) + 1;
    const starts = [year + 1, year, year - 1].map((one) => this.#weekYearStart(one)).find((start) => day >= start)!;
    const hour = date.getUTCHours();
    const standard = Math.min(this.zone.offsetAt(Date.UTC(year, 0, 1)), this.zone.offsetAt(Date.UTC(year, 6, 1)));
    return [
      year > 0 ? 1 : 0,
      year > 0 ? year : 1 - year,
      month,
      Math.floor((day - starts) / 7) + 1,
      this.#weekOf(dayOfMonth, day),
      dayOfMonth,
      dayOfYear,
      floorMod(day + 4, 7) + 1,
      Math.floor((dayOfMonth - 1) / 7) + 1,
      hour < 12 ? 0 : 1,
      hour % 12,
      hour,
      date.getUTCMinutes(),
      date.getUTCSeconds(),
      date.getUTCMilliseconds(),
      standard,
      offset - standard,
    ];
  }

  #compute(): void {
    const pending = this.#pending;
    this.#pending = new Map();
    const fields = [...this.#fieldsOf(this.#ms)];
    for (const [field, value] of pending) {
      if (!this.isLenient) checkRange(field, value);
      fields[field] = value;
    }
    const order = [...pending.keys()];
    const stampOf = (field: number): number =>
      pending.has(field) ? order.indexOf(field) + 2 : this.#isComputed ? 1 : 0;
    const day = this.#dayOf(fields, stampOf);
    const isHalf = bothSet(stampOf(FIELDS.HOUR), stampOf(FIELDS.AM_PM)) > stampOf(FIELDS.HOUR_OF_DAY);
    this.#isComputed = true;
    const hour = isHalf ? fields[FIELDS.AM_PM]! * 12 + fields[FIELDS.HOUR]! : fields[FIELDS.HOUR_OF_DAY]!;
    const minutes = hour * 60 + fields[FIELDS.MINUTE]!;
    const local = day * DAY_MS + minutes * 60_000 + fields[FIELDS.SECOND]! * 1000 + fields[FIELDS.MILLISECOND]!;
    if (pending.has(FIELDS.ZONE_OFFSET) || pending.has(FIELDS.DST_OFFSET))
      this.#ms = local - fields[FIELDS.ZONE_OFFSET]! - fields[FIELDS.DST_OFFSET]!;
    else this.#moveTo(local);
  }

  /** Days since 1970, by the fields of the day that were set last. Source: the rules of java.util.Calendar. */
  #dayOf(fields: readonly number[], stampOf: (field: number) => number): number {
    const weekday = stampOf(FIELDS.DAY_OF_WEEK);
    const [inMonth, inYear] = [stampOf(FIELDS.WEEK_OF_MONTH), stampOf(FIELDS.WEEK_OF_YEAR)];
    const nth = stampOf(FIELDS.DAY_OF_WEEK_IN_MONTH);
    const date = stampOf(FIELDS.DAY_OF_MONTH);
    const byMonthWeek = bothSet(inMonth, weekday);
    const byNth = bothSet(nth, weekday);
    const best = Math.max(date, byMonthWeek, byNth, stampOf(FIELDS.DAY_OF_YEAR), bothSet(inYear, weekday));
    const year = this.#yearOf(fields);
    const month = fields[FIELDS.MONTH]!;
    if (best === date) return daysOf(year, month, fields[FIELDS.DAY_OF_MONTH]!);
    const isOfMonth = (best === byMonthWeek && inMonth >= inYear) || (best === byNth && nth >= inYear);
    if (isOfMonth && (byMonthWeek === byNth ? inMonth >= nth : best === byMonthWeek))
      return this.#inWeek(daysOf(year, month, 1), fields[FIELDS.WEEK_OF_MONTH]!, fields);
    if (isOfMonth) return nthWeekday(daysOf(year, month, 1), fields);
    if (best === stampOf(FIELDS.DAY_OF_YEAR)) return daysOf(year, 0, fields[FIELDS.DAY_OF_YEAR]!);
    return this.#inWeek(daysOf(year, 0, 1), fields[FIELDS.WEEK_OF_YEAR]!, fields);
  }

  /** The day of the week of the fields, in a week of a period that begins at `start`. */
  #inWeek(start: number, week: number, fields: readonly number[]): number {
    const offset = floorMod(floorMod(start + 4, 7) - (this.firstDayOfWeek - 1), 7);
    const first = 7 - offset >= this.minimalDays ? start - offset : start - offset + 7;
    return first + (week - 1) * 7 + floorMod(fields[FIELDS.DAY_OF_WEEK]! - this.firstDayOfWeek, 7);
  }
}

/** The day of a month that is the nth of its day of the week. */
function nthWeekday(start: number, fields: readonly number[]): number {
  const offset = floorMod(fields[FIELDS.DAY_OF_WEEK]! - 1 - floorMod(start + 4, 7), 7);
  return start + offset + (fields[FIELDS.DAY_OF_WEEK_IN_MONTH]! - 1) * 7;
}

/** When two fields were set that count together; 0 unless both are. */
const bothSet = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : Math.max(a, b));

/** Days that one of a field adds. */
const DAYS_OF_FIELD: Readonly<Record<number, number>> = {
  [FIELDS.WEEK_OF_YEAR]: 7,
  [FIELDS.WEEK_OF_MONTH]: 7,
  [FIELDS.DAY_OF_WEEK_IN_MONTH]: 7,
  [FIELDS.DAY_OF_MONTH]: 1,
  [FIELDS.DAY_OF_YEAR]: 1,
  [FIELDS.DAY_OF_WEEK]: 1,
};

/** Least and greatest values by field. */
export const FIELD_MINIMUM: readonly number[] = [0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, -46_800_000, 0];
export const FIELD_MAXIMUM: readonly number[] = [
  1, 292_278_994, 11, 53, 6, 31, 366, 7, 6, 1, 11, 23, 59, 59, 999, 50_400_000, 7_200_000,
];
export const FIELD_LEAST_MAXIMUM: readonly number[] = [
  1, 292_269_054, 11, 52, 4, 28, 365, 7, 4, 1, 11, 23, 59, 59, 999, 50_400_000, 1_200_000,
];

function checkField(field: number): void {
  if (field < 0 || field >= FIELD_COUNT)
    throw new Thrown(
      'java.lang.ArrayIndexOutOfBoundsException',
      `Index ${field} out of bounds for length ${FIELD_COUNT}`,
    );
}

function checkRange(field: number, value: number): void {
  if (value >= FIELD_MINIMUM[field]! && value <= FIELD_MAXIMUM[field]!) return;
  const name = Object.entries(FIELDS).find(([one, number]) => number === field && one !== 'DATE')![0];
  throw illegalArgument(name);
}
