import { errors } from '@shoal/errors';
import { civilFromDays, daysFromCivil } from './civil.kernel.js';
import { weekYearStart } from './fields.js';
import type { Element } from './pattern.js';
import { formatOffset, type Zone } from './zone.js';

/** Local date and time of a moment in a zone. */
interface LocalTime {
  /** Local days since 1970-01-01. */
  readonly days: number;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly msOfDay: number;
  /** Nanosecond of the second. */
  readonly nano: number;
  /** Offset of the zone in milliseconds, added to UTC for local time. */
  readonly offset: number;
  readonly zone: Zone;
}

const DAY_MS = 86_400_000;

/** Splits local milliseconds into days and the milliseconds of the day. */
function splitDays(ms: number | bigint, offset: number): readonly [days: number, msOfDay: number] {
  if (typeof ms === 'number') {
    const local = Math.floor(ms) + offset;
    const days = Math.floor(local / DAY_MS);
    return [days, local - days * DAY_MS];
  }
  const local = ms + BigInt(offset);
  const day = BigInt(DAY_MS);
  const msOfDay = ((local % day) + day) % day;
  return [Number((local - msOfDay) / day), Number(msOfDay)];
}

function localTime(ms: number | bigint, nanos: number, zone: Zone): LocalTime {
  const offset = zone.offsetAt(Number(ms));
  const [days, msOfDay] = splitDays(ms, offset);
  const civil = new Int32Array(3);
  civilFromDays(days, civil);
  return {
    days,
    year: civil[0]!,
    month: civil[1]!,
    day: civil[2]!,
    msOfDay,
    nano: (msOfDay % 1000) * 1e6 + nanos,
    offset,
    zone,
  };
}

const weekday = (t: LocalTime): number => ((((t.days + 3) % 7) + 7) % 7) + 1;

function weekYear(t: LocalTime): number {
  const thursday = t.days - weekday(t) + 4;
  const civil = new Int32Array(3);
  civilFromDays(thursday, civil);
  return civil[0]!;
}

const week = (t: LocalTime): number => Math.floor((t.days - weekYearStart(weekYear(t))) / 7) + 1;

function weekOfMonth(t: LocalTime): number {
  const first = t.days - t.day + 1;
  const firstWeekday = ((((first + 3) % 7) + 7) % 7) + 1;
  return Math.floor((t.day + firstWeekday - 2) / 7) + (firstWeekday <= 4 ? 1 : 0);
}

const hourOf = (t: LocalTime): number => Math.floor(t.msOfDay / 3_600_000);

/** Value to print for each numeric letter. */
const VALUES: Readonly<Record<string, (t: LocalTime) => number>> = {
  u: (t) => t.year,
  y: (t) => (t.year > 0 ? t.year : 1 - t.year),
  Y: weekYear,
  M: (t) => t.month,
  L: (t) => t.month,
  d: (t) => t.day,
  D: (t) => t.days - daysFromCivil(t.year, 1, 1) + 1,
  w: week,
  W: weekOfMonth,
  e: weekday,
  c: weekday,
  E: weekday,
  Q: (t) => Math.floor((t.month + 2) / 3),
  q: (t) => Math.floor((t.month + 2) / 3),
  H: hourOf,
  k: (t) => hourOf(t) || 24,
  h: (t) => hourOf(t) % 12 || 12,
  K: (t) => hourOf(t) % 12,
  m: (t) => Math.floor(t.msOfDay / 60_000) % 60,
  s: (t) => Math.floor(t.msOfDay / 1000) % 60,
  n: (t) => t.nano,
  A: (t) => t.msOfDay,
  N: (t) => Math.floor(t.msOfDay / 1000) * 1e9 + t.nano,
};

function printNumber(element: Extract<Element, { kind: 'number' }>, t: LocalTime): string {
  const value = Math.floor(VALUES[element.letter]!(t) / (element.scale ?? 1));
  if (element.base > 0) return String(Math.abs(value) % 100).padStart(2, '0');
  const digits = String(Math.abs(value)).padStart(element.min, '0');
  const plus = element.sign === 'exceedsPad' && digits.length > element.min ? '+' : '';
  return value < 0 ? `-${digits}` : `${plus}${digits}`;
}

function printFraction({ min, max, hasPoint }: Extract<Element, { kind: 'fraction' }>, t: LocalTime): string {
  const all = String(t.nano).padStart(9, '0').slice(0, max);
  const digits = min === max ? all : all.replace(/0+$/, '').padEnd(min, '0');
  return hasPoint && digits !== '' ? `.${digits}` : digits;
}

/** Value to print for each field that prints as a name, by `FIELD` number. */
const TEXT_VALUES: Readonly<Record<number, (t: LocalTime) => number>> = {
  1: (t) => t.month,
  6: weekday,
  11: (t) => (hourOf(t) < 12 ? 0 : 1),
  13: (t) => Math.floor((t.month + 2) / 3),
  14: (t) => (t.year > 0 ? 1 : 0),
};

function zoneName(t: LocalTime, long: boolean): string {
  if (t.zone.fixedOffset !== null) return long && t.zone.id === 'UTC' ? 'Coordinated Universal Time' : zoneId(t);
  const format = new Intl.DateTimeFormat('en-US', { timeZone: t.zone.id, timeZoneName: long ? 'long' : 'short' });
  const utcMs = t.days * DAY_MS + t.msOfDay - t.offset;
  return format.formatToParts(utcMs).find((part) => part.type === 'timeZoneName')?.value ?? t.zone.id;
}

const zoneId = (t: LocalTime): string => (/^[+-]/.test(t.zone.id) ? formatOffset(t.offset) : t.zone.id);

function offsetText(t: LocalTime, count: number, zero: string): string {
  if (t.offset === 0) return zero;
  const text = formatOffset(t.offset);
  if (count >= 3) return count >= 4 ? (count === 4 ? text.replaceAll(':', '') : text) : text.slice(0, 6);
  const short = text.slice(0, 6).replace(':', '');
  return count === 1 && short.endsWith('00') ? short.slice(0, 3) : short;
}

function gmtText(t: LocalTime, full: boolean): string {
  if (t.offset === 0) return 'GMT';
  const text = formatOffset(t.offset);
  return full ? `GMT${text}` : `GMT${text.replace(/^([+-])0/, '$1').replace(/:00$/, '')}`;
}

const ZERO_X = ['+00', '+0000', '+00:00', '+0000', '+00:00'];

function printZone(letter: string, count: number, t: LocalTime): string {
  if (letter === 'X' || letter === 'J') return offsetText(t, letter === 'J' ? 5 : count, 'Z');
  if (letter === 'x') return offsetText(t, count, ZERO_X[count - 1] ?? '+00:00');
  if (letter === 'Z')
    return count === 4 ? gmtText(t, true) : count === 5 ? offsetText(t, 5, 'Z') : offsetText(t, 2, '+0000');
  if (letter === 'O') return gmtText(t, count === 4);
  return letter === 'V' ? zoneId(t) : zoneName(t, count >= 4);
}

/** Letters of texts, by `FIELD` number. */
const TEXT_LETTERS: Readonly<Record<number, string>> = { 1: 'M', 6: 'E', 11: 'a', 13: 'Q', 14: 'G' };

/** Returns the pattern letters of elements, without those of optional sections. */
export function lettersOf(elements: readonly Element[]): string {
  return elements.map(letterOf).join('');
}

function letterOf(element: Element): string {
  switch (element.kind) {
    case 'number':
    case 'zone':
      return element.letter;
    case 'fraction':
      return 'S';
    case 'text':
      return TEXT_LETTERS[element.field]!;
    case 'pad':
      return letterOf(element.element);
    default:
      return '';
  }
}

/** Whether a moment of a class has the value of a letter. */
type HasLetter = (letter: string) => boolean;

function printPadded(
  { element, width, char }: Extract<Element, { kind: 'pad' }>,
  t: LocalTime,
  has: HasLetter | undefined,
): string {
  const text = print([element], t, has);
  if (text.length > width)
    throw errors.dateTime(`Cannot print as output of ${text.length} characters exceeds pad width of ${width}`);
  return text.padStart(width, char);
}

function printOptional(elements: readonly Element[], t: LocalTime, has: HasLetter | undefined): string {
  return has !== undefined && ![...lettersOf(elements)].every(has) ? '' : print(elements, t, has);
}

function print(elements: readonly Element[], t: LocalTime, has?: HasLetter): string {
  let text = '';
  for (const element of elements) {
    if (element.kind === 'number') text += printNumber(element, t);
    else if (element.kind === 'literal') text += element.text;
    else if (element.kind === 'fraction') text += printFraction(element, t);
    else if (element.kind === 'text') text += element.names[TEXT_VALUES[element.field]!(t) - element.first];
    else if (element.kind === 'zone') text += printZone(element.letter, element.count, t);
    else if (element.kind === 'optional') text += printOptional(element.elements, t, has);
    else if (element.kind === 'pad') text += printPadded(element, t, has);
  }
  return text;
}

/**
 * Prints a moment (UTC milliseconds, and nanoseconds after them) in a zone by a compiled pattern. Optional sections are
 * left out if `has` says of one of their letters that the moment has no such value.
 */
export function printElements(
  elements: readonly Element[],
  ms: number | bigint,
  nanos: number,
  zone: Zone,
  has?: HasLetter,
): string {
  return print(elements, localTime(ms, nanos, zone), has);
}
