import { errors } from '@shoal/errors';
import { FIELD } from './fields.js';

/** One element of a compiled pattern. */
export type Element =
  | {
      readonly kind: 'number';
      readonly field: number;
      readonly min: number;
      readonly max: number;
      /**
       * `normal`: a minus is allowed; `exceedsPad`: also a plus, required for more than `min` digits; `never`: no sign.
       */
      readonly sign: 'normal' | 'exceedsPad' | 'never';
      /** What the field is divided by: a million for milliseconds of a second, which is kept in nanoseconds. */
      readonly scale?: number;
      /** Added to the parsed value: 2000 for years of two digits, else 0. */
      readonly base: number;
      /** Digits to leave for the fixed-width numbers that follow directly; -1 if this is one of these followers. */
      readonly reserved: number;
      readonly low: number;
      readonly high: number;
      /** Pattern letter, which selects the value to print. */
      readonly letter: string;
    }
  | {
      readonly kind: 'fraction';
      readonly min: number;
      readonly max: number;
      /** Whether a point stands before the digits, if there are any. */
      readonly hasPoint?: boolean;
    }
  | {
      readonly kind: 'text';
      readonly field: number;
      readonly names: readonly string[];
      /** Value of the first name. */
      readonly first: number;
      /** How many values there are, if `names` has each of them in several ways; by default one name a value. */
      readonly count?: number;
      readonly ignoresCase?: boolean;
    }
  | { readonly kind: 'literal'; readonly text: string; readonly ignoresCase?: boolean }
  | { readonly kind: 'zone'; readonly letter: string; readonly count: number }
  | { readonly kind: 'optional'; readonly elements: readonly Element[] }
  /** Prints nothing; a field that was not read before has this value. */
  | { readonly kind: 'default'; readonly field: number; readonly value: number }
  /** Characters in front of an element, up to a width. */
  | { readonly kind: 'pad'; readonly element: Element; readonly width: number; readonly char: string };

export type NumberElement = Extract<Element, { kind: 'number' }>;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const QUARTERS = ['1st quarter', '2nd quarter', '3rd quarter', '4th quarter'];
const short = (names: readonly string[]): string[] => names.map((name) => name.slice(0, 3));
const narrow = (names: readonly string[]): string[] => names.map((name) => name[0]!);

/** Field and range of each pattern letter that is a number. */
export const NUMBERS: ReadonlyMap<string, readonly [field: number, low: number, high: number]> = new Map<
  string,
  readonly [field: number, low: number, high: number]
>([
  ['u', [FIELD.year, -999_999_999, 999_999_999]],
  ['y', [FIELD.year, -999_999_999, 999_999_999]],
  ['Y', [FIELD.weekYear, -999_999_999, 999_999_999]],
  ['M', [FIELD.month, 1, 12]],
  ['L', [FIELD.month, 1, 12]],
  ['d', [FIELD.day, 1, 31]],
  ['D', [FIELD.dayOfYear, 1, 366]],
  ['w', [FIELD.week, 1, 53]],
  ['W', [FIELD.week, 1, 5]],
  ['e', [FIELD.weekday, 1, 7]],
  ['c', [FIELD.weekday, 1, 7]],
  ['Q', [FIELD.quarter, 1, 4]],
  ['q', [FIELD.quarter, 1, 4]],
  ['H', [FIELD.hour, 0, 23]],
  ['k', [FIELD.hour, 1, 24]],
  ['h', [FIELD.hourOfHalf, 1, 12]],
  ['K', [FIELD.hourOfHalf, 0, 11]],
  ['m', [FIELD.minute, 0, 59]],
  ['s', [FIELD.second, 0, 59]],
  ['n', [FIELD.nano, 0, 999_999_999]],
  ['A', [FIELD.milliOfDay, 0, 86_399_999]],
  ['N', [FIELD.nanoOfDay, 0, 86_399_999_999_999]],
]);

export const NUMBER_WIDTH_MAX = 19;

function yearWidth(count: number): Pick<NumberElement, 'min' | 'max' | 'sign' | 'base'> {
  if (count === 2) return { min: 2, max: 2, sign: 'never', base: 2000 };
  return { min: count, max: NUMBER_WIDTH_MAX, sign: count < 4 ? 'normal' : 'exceedsPad', base: 0 };
}

function width(letter: string, count: number): Pick<NumberElement, 'min' | 'max' | 'sign' | 'base'> {
  if ('uyY'.includes(letter)) return yearWidth(count);
  if (count === 1 || 'nAN'.includes(letter)) return { min: count, max: NUMBER_WIDTH_MAX, sign: 'normal', base: 0 };
  return { min: count, max: letter === 'D' && count === 2 ? 3 : count, sign: 'never', base: 0 };
}

function numberElement(letter: string, count: number): NumberElement {
  const [field, low, high] = NUMBERS.get(letter)!;
  return { kind: 'number', field, low, high, letter, reserved: 0, ...width(letter, count) };
}

function nameTable(letter: string, count: number): readonly string[] | null {
  if (letter === 'M' || letter === 'L')
    return count === 3 ? short(MONTHS) : count === 4 ? MONTHS : count === 5 ? narrow(MONTHS) : null;
  if (letter === 'E') return count <= 3 ? short(WEEKDAYS) : count === 4 ? WEEKDAYS : narrow(WEEKDAYS);
  if (letter === 'e' || letter === 'c')
    return count === 3 ? short(WEEKDAYS) : count === 4 ? WEEKDAYS : count === 5 ? narrow(WEEKDAYS) : null;
  if (letter === 'Q' || letter === 'q') return count === 3 ? ['Q1', 'Q2', 'Q3', 'Q4'] : count === 4 ? QUARTERS : null;
  return null;
}

/** Limit of the repetitions of a letter in java.time, if it is not the default. */
const COUNT_MAX = new Map([...'dHhkKmswW'].map((letter) => [letter, 2] as const));

/** Returns what a letter means that is repeated so many times. Throws illegal_argument_exception for no letter. */
export function letterElement(letter: string, count: number): Element {
  if (count > (COUNT_MAX.get(letter) ?? (letter === 'S' ? 9 : letter === 'D' ? 3 : NUMBER_WIDTH_MAX)))
    throw errors.illegalArgument(`Too many pattern letters: ${letter}`);
  if (letter === 'S') return { kind: 'fraction', min: count, max: count };
  if (letter === 'a') return { kind: 'text', field: FIELD.halfDay, names: ['AM', 'PM'], first: 0 };
  if (letter === 'G') return { kind: 'text', field: FIELD.era, names: ['BC', 'AD'], first: 0 };
  if ('XxZzVOvJ'.includes(letter)) return { kind: 'zone', letter, count };
  const names = nameTable(letter, count);
  if (names)
    return {
      kind: 'text',
      field: 'MLQq'.includes(letter) ? (letter === 'M' || letter === 'L' ? FIELD.month : FIELD.quarter) : FIELD.weekday,
      names,
      first: 1,
    };
  if (NUMBERS.has(letter)) return numberElement(letter, count);
  throw errors.illegalArgument(`Unknown pattern letter: ${letter}`);
}

/** Applies the width `{min,max}` after a letter of a built-in pattern, which java.time does not have. */
function withWidths(element: Element, min: number, max: number): Element {
  if (element.kind === 'fraction') return { ...element, min, max };
  return element.kind === 'number'
    ? {
        ...element,
        min,
        max,
        sign: element.field === FIELD.year || element.field === FIELD.weekYear ? 'normal' : 'never',
        base: 0,
      }
    : element;
}

/**
 * Makes the first of several adjacent numbers leave enough digits for the fixed-width numbers that follow it, as
 * java.time's DateTimeFormatterBuilder.appendValue does: `uuuuMMdd` reads 20240102 as 2024, 01, 02.
 */
export function reserveAdjacent(elements: Element[]): void {
  let first = -1;
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i]!;
    if (element.kind !== 'number') {
      first = -1;
      continue;
    }
    const isFixed = element.min === element.max && element.sign === 'never';
    const head = first >= 0 ? (elements[first] as NumberElement) : null;
    if (head && isFixed) {
      elements[first] = { ...head, reserved: head.reserved + element.max };
      elements[i] = { ...element, reserved: -1 };
    } else first = i;
  }
}

interface Cursor {
  readonly pattern: string;
  at: number;
  readonly builtIn: boolean;
}

function quoted(cursor: Cursor): string {
  const { pattern } = cursor;
  const end = pattern.indexOf("'", cursor.at + 1);
  if (end < 0) throw errors.illegalArgument(`Pattern ends with an incomplete string literal: ${pattern}`);
  const text = pattern.slice(cursor.at + 1, end);
  cursor.at = end + 1;
  return text === '' ? "'" : text;
}

function letters(cursor: Cursor): Element {
  const { pattern } = cursor;
  const letter = pattern[cursor.at]!;
  const start = cursor.at;
  while (pattern[cursor.at] === letter) cursor.at++;
  const element = letterElement(letter, cursor.at - start);
  const widths = cursor.builtIn ? /^\{(\d+),(\d+)\}/.exec(pattern.slice(cursor.at)) : null;
  if (!widths) return element;
  cursor.at += widths[0].length;
  return withWidths(element, Number(widths[1]), Number(widths[2]));
}

function one(cursor: Cursor, depth: number): Element {
  const char = cursor.pattern[cursor.at]!;
  if (/[A-Za-z]/.test(char)) return letters(cursor);
  if (char === "'") return { kind: 'literal', text: quoted(cursor) };
  cursor.at++;
  if (char === '[') return { kind: 'optional', elements: sequence(cursor, depth + 1) };
  if (char === '{' || char === '}' || char === '#')
    throw errors.illegalArgument(`Pattern includes reserved character: '${char}'`);
  return { kind: 'literal', text: char };
}

/** Limit of the nesting of optional sections. */
const OPTIONAL_DEPTH_MAX = 50;

function sequence(cursor: Cursor, depth: number): Element[] {
  if (depth > OPTIONAL_DEPTH_MAX) throw errors.illegalArgument('Pattern nests too many optional sections');
  const elements: Element[] = [];
  while (cursor.at < cursor.pattern.length) {
    if (cursor.pattern[cursor.at] === ']') {
      if (depth === 0) throw errors.illegalArgument('Pattern invalid as it contains ] without previous [');
      cursor.at++;
      break;
    }
    elements.push(one(cursor, depth));
  }
  reserveAdjacent(elements);
  return elements;
}

/**
 * Compiles a pattern of java.time.format.DateTimeFormatter; `builtIn` allows `{min,max}`. Throws
 * illegal_argument_exception with the message of java.time.
 */
export function compilePattern(pattern: string, builtIn = false): readonly Element[] {
  return sequence({ pattern, at: 0, builtIn }, 0);
}
