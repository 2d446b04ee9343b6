import { ScriptObject } from '../script-object.js';

/** A constant of one of Java's enumerations of the calendar: a day of the week, a month. Numbers count from 1. */
export class CalendarName extends ScriptObject {
  readonly javaClass: string;
  readonly name: string;
  readonly number: number;

  constructor(javaClass: string, name: string, number: number) {
    super();
    this.javaClass = javaClass;
    this.name = name;
    this.number = number;
  }

  toText(): string {
    return this.name;
  }

  compare(other: unknown): number {
    return this.number - (other as CalendarName).number;
  }

  equalTo(other: unknown): boolean {
    return other instanceof CalendarName && other.javaClass === this.javaClass && other.number === this.number;
  }

  hash(): number {
    return this.number;
  }

  get identity(): string {
    return this.name;
  }
}

const named = (javaClass: string, names: string): readonly CalendarName[] =>
  names.split(' ').map((name, i) => new CalendarName(javaClass, name, i + 1));

/** Monday to Sunday. */
export const WEEKDAYS = named('java.time.DayOfWeek', 'MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY');
export const MONTHS = named(
  'java.time.Month',
  'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER',
);
