import { call, callNumber, joda, type JodaObject } from './joda.js';

/** How weeks are counted: their first day (1 is Monday), and how many days of a year its first week has at least. */
export interface WeekRules {
  readonly firstDay: number;
  readonly minimalDays: number;
  /** As Java prints it. */
  readonly text: string;
}

/** A field of dates that is calculated from others. Methods are those that the library calls. */
interface ComputedField {
  readonly name: string;
  readonly baseUnit: JodaObject;
  readonly rangeUnit: JodaObject;
  readonly range: JodaObject;
  /** Field that a temporal has to have. */
  readonly needed: string;
  from(temporal: JodaObject): number;
  rangeIn(temporal: JodaObject): JodaObject;
  /** Returns the temporal with another value. */
  into(temporal: JodaObject, value: number, former: number): unknown;
}

/** Makes a field of the library. */
function asTemporalField(field: ComputedField): JodaObject {
  const TemporalField = joda()['TemporalField'] as unknown as new () => object;
  class Computed extends TemporalField {
    isDateBased = (): boolean => true;
    isTimeBased = (): boolean => false;
    baseUnit = (): JodaObject => field.baseUnit;
    rangeUnit = (): JodaObject => field.rangeUnit;
    range = (): JodaObject => field.range;
    name = (): string => field.name;
    isSupportedBy = (temporal: JodaObject): boolean =>
      call(temporal, 'isSupported', joda()['ChronoField']![field.needed]) === true;
    getFrom = (temporal: JodaObject): number => field.from(temporal);
    rangeRefinedBy = (temporal: JodaObject): JodaObject => field.rangeIn(temporal);
    adjustInto = (temporal: JodaObject, value: number): unknown => {
      call(field.range, 'checkValidValue', value, this);
      const former = field.from(temporal);
      return former === value ? temporal : field.into(temporal, value, former);
    };
    equals = (other: unknown): boolean => other === this || String(other) === field.name;
    override toString = (): string => field.name;
  }
  return new Computed() as unknown as JodaObject;
}

const floorMod = (a: number, b: number): number => ((a % b) + b) % b;
const numberOf = (temporal: JodaObject, field: string): number =>
  callNumber(temporal, 'get', joda()['ChronoField']![field]);
const rangeOf = (temporal: JodaObject, field: string): JodaObject =>
  call(temporal, 'range', joda()['ChronoField']![field]) as JodaObject;
const valueRange = (...bounds: readonly number[]): JodaObject =>
  call(joda()['ValueRange']!, 'of', ...bounds) as JodaObject;
const unit = (name: string): JodaObject => joda()['ChronoUnit']![name] as JodaObject;
const moved = (temporal: JodaObject, by: number, name: string): JodaObject =>
  call(temporal, 'plus', by, unit(name)) as JodaObject;
const weekBasedYears = (): JodaObject => joda()['IsoFields']!['WEEK_BASED_YEARS'] as JodaObject;

/** Weeks of a date by rules, as java.time.temporal.WeekFields defines them. */
class Weeks {
  readonly #rules: WeekRules;

  constructor(rules: WeekRules) {
    this.#rules = rules;
  }

  dayOfWeek(temporal: JodaObject): number {
    return floorMod(numberOf(temporal, 'DAY_OF_WEEK') - this.#rules.firstDay, 7) + 1;
  }

  /** Days from the start of the first week to that of the month or year, in which `day` is a `dayOfWeek`. */
  #offset(day: number, dayOfWeek: number): number {
    const weekStart = floorMod(day - dayOfWeek, 7);
    return weekStart + 1 > this.#rules.minimalDays ? 7 - weekStart : -weekStart;
  }

  #week(offset: number, day: number): number {
    return Math.trunc((7 + offset + (day - 1)) / 7);
  }

  weekOf(temporal: JodaObject, field: string): number {
    const day = numberOf(temporal, field);
    return this.#week(this.#offset(day, this.dayOfWeek(temporal)), day);
  }

  weeksOf(temporal: JodaObject, field: string): JodaObject {
    const offset = this.#offset(numberOf(temporal, field), this.dayOfWeek(temporal));
    const range = rangeOf(temporal, field);
    const [first, last] = [callNumber(range, 'minimum'), callNumber(range, 'maximum')];
    return valueRange(this.#week(offset, first), this.#week(offset, last));
  }

  /** The week of the year of a date, and that week in which the next year begins. */
  #place(temporal: JodaObject): { readonly week: number; readonly next: number; readonly day: number; length: number } {
    const day = numberOf(temporal, 'DAY_OF_YEAR');
    const offset = this.#offset(day, this.dayOfWeek(temporal));
    const length = callNumber(rangeOf(temporal, 'DAY_OF_YEAR'), 'maximum');
    return { week: this.#week(offset, day), next: this.#week(offset, length + this.#rules.minimalDays), day, length };
  }

  weekBasedYear(temporal: JodaObject): number {
    const { week, next } = this.#place(temporal);
    return numberOf(temporal, 'YEAR') + (week === 0 ? -1 : week >= next ? 1 : 0);
  }

  weekOfWeekBasedYear(temporal: JodaObject): number {
    const { week, next, day } = this.#place(temporal);
    if (week === 0) return this.weekOfWeekBasedYear(moved(temporal, -day, 'DAYS'));
    return week >= next ? week - next + 1 : week;
  }

  weeksOfWeekBasedYear(temporal: JodaObject): JodaObject {
    const { week, next, day, length } = this.#place(temporal);
    if (week === 0) return this.weeksOfWeekBasedYear(moved(temporal, -day - 7, 'DAYS'));
    if (week >= next) return this.weeksOfWeekBasedYear(moved(temporal, length - day + 8, 'DAYS'));
    return valueRange(1, next - 1);
  }

  /** The day of another year with the same week and day of the week; of its last week if it has no such week. */
  inYear(temporal: JodaObject, year: number): unknown {
    const [week, day] = [this.weekOfWeekBasedYear(temporal), this.dayOfWeek(temporal)];
    const first = call(joda()['LocalDate']!, 'of', year, 1, 1) as JodaObject;
    const offset = this.#offset(1, this.dayOfWeek(first));
    const last = this.#week(offset, callNumber(first, 'lengthOfYear') + this.#rules.minimalDays) - 1;
    return moved(first, -offset + day - 1 + (Math.min(week, last) - 1) * 7, 'DAYS');
  }
}

export type WeekFieldName = 'dayOfWeek' | 'weekOfMonth' | 'weekOfYear' | 'weekOfWeekBasedYear' | 'weekBasedYear';

/** Returns a field of weeks by rules. */
export function weekField(rules: WeekRules, name: WeekFieldName): JodaObject {
  const weeks = new Weeks(rules);
  const byWeeks = {
    baseUnit: unit('WEEKS'),
    needed: 'DAY_OF_YEAR',
    into: (temporal: JodaObject, value: number, former: number) => moved(temporal, value - former, 'WEEKS'),
  };
  const ofDays = (field: string, rangeUnit: JodaObject, range: JodaObject): Omit<ComputedField, 'name'> => ({
    ...byWeeks,
    needed: field,
    rangeUnit,
    range,
    from: (temporal) => weeks.weekOf(temporal, field),
    rangeIn: (temporal) => weeks.weeksOf(temporal, field),
  });
  const fields: Readonly<Record<WeekFieldName, () => Omit<ComputedField, 'name'>>> = {
    dayOfWeek: () => ({
      baseUnit: unit('DAYS'),
      rangeUnit: unit('WEEKS'),
      range: valueRange(1, 7),
      needed: 'DAY_OF_WEEK',
      from: (temporal) => weeks.dayOfWeek(temporal),
      rangeIn: () => valueRange(1, 7),
      into: (temporal, value, former) => moved(temporal, value - former, 'DAYS'),
    }),
    weekOfMonth: () => ofDays('DAY_OF_MONTH', unit('MONTHS'), valueRange(0, 1, 4, 6)),
    weekOfYear: () => ofDays('DAY_OF_YEAR', unit('YEARS'), valueRange(0, 1, 52, 54)),
    weekOfWeekBasedYear: () => ({
      ...byWeeks,
      rangeUnit: weekBasedYears(),
      range: valueRange(1, 52, 53),
      from: (temporal) => weeks.weekOfWeekBasedYear(temporal),
      rangeIn: (temporal) => weeks.weeksOfWeekBasedYear(temporal),
    }),
    weekBasedYear: () => ({
      baseUnit: weekBasedYears(),
      rangeUnit: unit('FOREVER'),
      range: call(joda()['ChronoField']!['YEAR'] as JodaObject, 'range') as JodaObject,
      needed: 'DAY_OF_YEAR',
      from: (temporal) => weeks.weekBasedYear(temporal),
      rangeIn: () => call(joda()['ChronoField']!['YEAR'] as JodaObject, 'range') as JodaObject,
      into: (temporal, value) => weeks.inYear(temporal, value),
    }),
  };
  return asTemporalField({ ...fields[name](), name: `${name[0]!.toUpperCase()}${name.slice(1)}[${rules.text}]` });
}

/** Days before 1970 at which a count of days begins. */
const COUNTS: Readonly<Record<string, number>> = { JulianDay: 2_440_588, ModifiedJulianDay: 40_587, RataDie: 719_163 };

/** Returns a field that counts days from another day than 1970-01-01. */
export function dayCount(name: keyof typeof COUNTS): JodaObject {
  const shift = COUNTS[name]!;
  const range = valueRange(-365_243_219_162 + shift, 365_241_780_471 + shift);
  return asTemporalField({
    name,
    baseUnit: unit('DAYS'),
    rangeUnit: unit('FOREVER'),
    range,
    needed: 'EPOCH_DAY',
    from: (temporal) => callNumber(temporal, 'getLong', joda()['ChronoField']!['EPOCH_DAY']) + shift,
    rangeIn: () => range,
    into: (temporal, value) => call(temporal, 'with', joda()['ChronoField']!['EPOCH_DAY'], value - shift),
  });
}
