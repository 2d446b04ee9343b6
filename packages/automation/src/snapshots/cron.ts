import { errors } from '@shoal/errors';

/*
 * Schedules as Quartz writes them: second, minute, hour, day of month, month, day of week, and perhaps the year. Times
 * are UTC. https://www.quartz-scheduler.org/documentation/quartz-2.3.0/tutorials/crontrigger.html
 */

const DAY_MS = 86_400_000;
/** A schedule that has no time within so many days never has one: all calendars repeat. */
const DAYS_MAX = 366 * 28;
const YEAR_MAX = 2199;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** A day of the calendar. */
interface Day {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly date: number;
  /** 1 for Sunday, to 7. */
  readonly weekday: number;
  readonly daysOfMonth: number;
}

type DayRule = (day: Day) => boolean;

/** A parsed schedule. */
export interface Cron {
  /** Returns the first time after `ms`, in milliseconds since 1970; null if there is none. */
  next(ms: number): number | null;
}

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words?: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: 'seconds', least: 0, most: 59 },
  { name: 'minutes', least: 0, most: 59 },
  { name: 'hours', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, words: MONTHS },
  { name: 'day of week', least: 1, most: 7, words: WEEKDAYS },
  { name: 'year', least: 1970, most: YEAR_MAX },
];

function valueOf(text: string, { name, least, most, words }: Field): number {
  const word = words?.indexOf(text.toUpperCase()) ?? -1;
  const value = word >= 0 ? word + least : /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw errors.illegalArgument(`[${text}] is not a value of the field [${name}]`);
}

/** Values of `*`, `5`, `1-5`, `0/15`, `1-20/3`; a range may go over the end: `FRI-MON`. */
function rangeOf(text: string, field: Field): number[] {
  const [span = '', step = null] = text.split('/', 2) as [string?, (string | null)?];
  const width = step === null ? 1 : /^[1-9]\d*$/.test(step) ? Number(step) : NaN;
  if (Number.isNaN(width)) throw errors.illegalArgument(`[${text}] has no step that can be read`);
  const [from = '', to = null] = span === '*' ? [String(field.least), String(field.most)] : span.split('-', 2);
  const first = valueOf(from, field);
  const last = to === null ? (step === null ? first : field.most) : valueOf(to, field);
  const size = field.most - field.least + 1;
  const end = last < first ? last + size : last;
  const values: number[] = [];
  for (let value = first; value <= end; value += width) values.push(value > field.most ? value - size : value);
  return values;
}

function valuesOf(text: string, field: Field): ReadonlySet<number> {
  return new Set(text.split(',').flatMap((part) => rangeOf(part, field)));
}

const isWorkday = (weekday: number): boolean => weekday > 1 && weekday < 7;

/** `15W`, `LW`: the working day nearest to a day, in its month. */
function nearestWorkday(wanted: (day: Day) => number): DayRule {
  return (day) => {
    const target = wanted(day);
    if (!isWorkday(day.weekday) || target > day.daysOfMonth) return false;
    const ofTarget = ((((day.weekday - 1 + (target - day.date)) % 7) + 7) % 7) + 1;
    if (isWorkday(ofTarget)) return day.date === target;
    const before = ofTarget === 7 ? -1 : -2;
    const after = ofTarget === 7 ? 2 : 1;
    const goesBack = ofTarget === 7 ? target > 1 : target === day.daysOfMonth;
    return day.date === target + (goesBack ? before : after);
  };
}

function dayOfMonthRule(text: string): DayRule {
  const field = FIELDS[3]!;
  const last = /^L(?:-(\d+))?$/i.exec(text);
  if (last) return ({ date, daysOfMonth }) => date === daysOfMonth - Number(last[1] ?? 0);
  if (/^LW$/i.test(text)) return nearestWorkday(({ daysOfMonth }) => daysOfMonth);
  const near = /^(\d+)W$/i.exec(text);
  if (near) {
    const target = valueOf(near[1]!, field);
    return nearestWorkday(() => target);
  }
  const values = valuesOf(text, field);
  return ({ date }) => values.has(date);
}

function dayOfWeekRule(text: string): DayRule {
  const field = FIELDS[5]!;
  if (/^L$/i.test(text)) return ({ weekday }) => weekday === 7;
  const last = /^(\w+)L$/i.exec(text);
  if (last) {
    const wanted = valueOf(last[1]!, field);
    return ({ weekday, date, daysOfMonth }) => weekday === wanted && date > daysOfMonth - 7;
  }
  const nth = /^(\w+)#([1-5])$/.exec(text);
  if (nth) {
    const wanted = valueOf(nth[1]!, field);
    return ({ weekday, date }) => weekday === wanted && Math.ceil(date / 7) === Number(nth[2]);
  }
  const values = valuesOf(text, field);
  return ({ weekday }) => values.has(weekday);
}

function ruleOfDays(ofMonth: string, ofWeek: string): DayRule {
  if (ofMonth !== '?' && ofWeek !== '?' && ofMonth !== '*' && ofWeek !== '*')
    throw errors.illegalArgument('a day of the month and a day of the week cannot both be given');
  if (ofWeek !== '?' && ofWeek !== '*') return dayOfWeekRule(ofWeek);
  return ofMonth === '?' ? () => true : dayOfMonthRule(ofMonth);
}

function dayAt(dayMs: number): Day {
  const at = new Date(dayMs);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + 1];
  const daysOfMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return { year, month, date: at.getUTCDate(), weekday: at.getUTCDay() + 1, daysOfMonth };
}

const sorted = (values: ReadonlySet<number>): number[] => [...values].toSorted((a, b) => a - b);

/** First time of a day from a second of the day on; null if there is none. */
function firstTime(lists: readonly (readonly number[])[], from: number): number | null {
  const [seconds = [], minutes = [], hours = []] = lists;
  for (const hour of hours) {
    if (hour * 3600 + 3599 < from) continue;
    for (const minute of minutes) {
      const start = hour * 3600 + minute * 60;
      if (start + 59 < from) continue;
      const second = seconds.find((one) => start + one >= from);
      if (second !== undefined) return start + second;
    }
  }
  return null;
}

/** Parses a schedule. Throws illegal_argument_exception with the reason. */
export function parseCron(text: string): Cron {
  const parts = text.trim().split(/\s+/);
  if (parts.length < 6 || parts.length > 7)
    throw errors.illegalArgument(`expected [6] or [7] fields, found [${parts.length}]`);
  const lists = [0, 1, 2].map((i) => sorted(valuesOf(parts[i]!, FIELDS[i]!)));
  const months = valuesOf(parts[4]!, FIELDS[4]!);
  const years = parts[6] === undefined ? null : valuesOf(parts[6], FIELDS[6]!);
  const rule = ruleOfDays(parts[3]!, parts[5]!);
  const isWanted = (day: Day): boolean => months.has(day.month) && (years === null || years.has(day.year)) && rule(day);
  return {
    next(ms) {
      const startMs = (Math.floor(ms / 1000) + 1) * 1000;
      const firstDay = Math.floor(startMs / DAY_MS) * DAY_MS;
      for (let i = 0; i < DAYS_MAX; i++) {
        const dayMs = firstDay + i * DAY_MS;
        if (!isWanted(dayAt(dayMs))) continue;
        const second = firstTime(lists, i === 0 ? (startMs - firstDay) / 1000 : 0);
        if (second !== null) return dayMs + second * 1000;
      }
      return null;
    },
  };
}
