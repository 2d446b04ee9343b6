import { currentBudget } from '../../runtime/budget.js';
import { textOfCode } from '../../runtime/code-point.js';
import { compareTexts } from '../../runtime/comparison.js';
import { textOf } from '../../runtime/java-text.js';
import { illegalArgument, Thrown } from '../../runtime/thrown.js';
import { JavaArray } from '../../runtime/values.js';
import type { AllowTable, ClassRow } from './class-row.js';
import { charAt, substring, type TextBuilder } from './text.js';

const outside = (): Thrown => new Thrown('java.lang.IndexOutOfBoundsException', null);
const outOfText = (told: string): Thrown => new Thrown('java.lang.StringIndexOutOfBoundsException', told);

/** The text of a String, a builder, or an array of chars. */
function charsOf(value: unknown): string {
  if (!(value instanceof JavaArray)) return textOf(value);
  currentBudget().charge(value.values.length * 2);
  let text = '';
  for (const unit of value.values) text += String.fromCharCode(unit as number);
  return text;
}

function codePointAt(value: unknown, place: number): number {
  const text = charsOf(value);
  charAt(text, place);
  return text.codePointAt(place)!;
}

function codePointBefore(value: unknown, place: number): number {
  const text = charsOf(value);
  const unit = charAt(text, place - 1);
  const isPair = place > 1 && unit >= 0xdc00 && unit < 0xe000 && text.codePointAt(place - 2)! > 0xffff;
  return isPair ? text.codePointAt(place - 2)! : unit;
}

function codePointCount(value: unknown, begin: number, end: number): number {
  const text = charsOf(value);
  if (begin < 0 || end > text.length || begin > end) throw outside();
  let count = 0;
  for (const _code of text.slice(begin, end)) count++;
  return count;
}

/** The place that so many code points lie from another one. */
function offsetByCodePoints(value: unknown, place: number, by: number): number {
  const text = charsOf(value);
  if (place < 0 || place > text.length) throw outside();
  let at = place;
  for (let left = Math.abs(by); left > 0; left--) {
    if (by > 0 ? at >= text.length : at <= 0) throw outside();
    const code = by > 0 ? text.codePointAt(at)! : codePointBefore(text, at);
    at += Math.sign(by) * (code > 0xffff ? 2 : 1);
  }
  return at;
}

/** Writes a part of a text into an array of chars. */
function getChars(value: unknown, begin: number, end: number, { values }: JavaArray, at: number): void {
  const part = substring(textOf(value), begin, end);
  if (at < 0 || at + part.length > values.length)
    throw outOfText(`offset ${at}, count ${part.length}, length ${values.length}`);
  for (let i = 0; i < part.length; i++) values[at + i] = part.charCodeAt(i);
}

/** Java's numbers of the general categories of Unicode. */
const TYPES = Object.entries({
  ...{ Lu: 1, Ll: 2, Lt: 3, Lm: 4, Lo: 5, Mn: 6, Me: 7, Mc: 8, Nd: 9, Nl: 10, No: 11, Zs: 12, Zl: 13, Zp: 14 },
  ...{ Cc: 15, Cf: 16, Co: 18, Cs: 19, Pd: 20, Ps: 21, Pe: 22, Pc: 23, Po: 24, Sm: 25, Sc: 26, Sk: 27, So: 28 },
  ...{ Pi: 29, Pf: 30 },
}).map(([category, type]) => [new RegExp(`\\p{${category}}`, 'u'), type] as const);

function typeOf(code: number): number {
  const text = textOfCode(code);
  return TYPES.find(([category]) => category.test(text))?.[1] ?? 0;
}

const isIgnorable = (code: number): boolean =>
  (code >= 0 && code <= 8) || (code >= 0xe && code <= 0x1b) || (code >= 0x7f && code <= 0x9f) || typeOf(code) === 16;

const tests =
  (pattern: RegExp, alsoIgnorable: boolean) =>
  (code: number): boolean =>
    pattern.test(textOfCode(code)) || (alsoIgnorable && isIgnorable(code));

function toChars(code: number): JavaArray {
  const text = textOfCode(code);
  if (text === '')
    throw illegalArgument(`Not a valid Unicode code point: 0x${(code >>> 0).toString(16).toUpperCase()}`);
  return new JavaArray(
    'char',
    Array.from({ length: text.length }, (_none, i) => text.charCodeAt(i)),
  );
}

/** Letters whose title case is neither they nor their capital: those of two letters, and of Greek with an iota. */
function titleCase(unit: number): number {
  for (const first of [0x1c4, 0x1c7, 0x1ca, 0x1f1]) if (unit >= first && unit < first + 3) return first + 1;
  if (unit >= 0x1f80 && unit < 0x1fb0) return unit | 8;
  if (unit === 0x1fb3 || unit === 0x1fc3 || unit === 0x1ff3) return unit + 9;
  const isGeorgian = unit >= 0x10d0 && unit <= 0x10ff;
  const capital = String.fromCharCode(unit).toUpperCase();
  return isGeorgian || capital.length > 1 ? unit : capital.charCodeAt(0);
}

const characterRow: ClassRow = {
  name: 'java.lang.Character',
  statics: {
    'int codePointAt(Object,int)': codePointAt,
    'int codePointBefore(Object,int)': codePointBefore,
    'int codePointCount(CharSequence,int,int)': codePointCount,
    'int offsetByCodePoints(CharSequence,int,int)': offsetByCodePoints,
    'int getType(int)': typeOf,
    'boolean isIdentifierIgnorable(int)': isIgnorable,
    'boolean isJavaIdentifierStart(int)': tests(/[\p{L}\p{Nl}\p{Sc}\p{Pc}]/u, false),
    'boolean isJavaIdentifierPart(int)': tests(/[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}]/u, true),
    'boolean isUnicodeIdentifierStart(int)': tests(/[\p{L}\p{Nl}]/u, false),
    'boolean isUnicodeIdentifierPart(int)': tests(/[\p{L}\p{Nl}\p{Pc}\p{Nd}\p{Mn}\p{Mc}]/u, true),
    'char[] toChars(int)': toChars,
    'int toChars(int,char[],int)': (code: number, { values }: JavaArray, at: number) => {
      const made = toChars(code).values;
      if (at < 0 || at + made.length > values.length)
        throw new Thrown(
          'java.lang.ArrayIndexOutOfBoundsException',
          `Index ${at} out of bounds for length ${values.length}`,
        );
      made.forEach((unit, i) => (values[at + i] = unit));
      return made.length;
    },
    'char toTitleCase(char)': titleCase,
    'char valueOf(char)': (unit: number) => unit,
  },
};

const textMethods = {
  'int codePointAt(int)': codePointAt,
  'int codePointBefore(int)': codePointBefore,
  'int codePointCount(int,int)': codePointCount,
  'int offsetByCodePoints(int,int)': offsetByCodePoints,
  'void getChars(int,int,char[],int)': getChars,
};

const builderRow = (name: string): ClassRow => ({
  name: `java.lang.${name}`,
  parents: ['java.lang.Comparable'],
  methods: {
    ...textMethods,
    [`${name} append(CharSequence,int,int)`]: (builder: TextBuilder, value: unknown, begin: number, end: number) => {
      const text = textOf(value);
      if (begin < 0 || end > text.length || begin > end)
        throw new Thrown('java.lang.IndexOutOfBoundsException', `start ${begin}, end ${end}, length ${text.length}`);
      return builder.append(text.slice(begin, end));
    },
    [`${name} appendCodePoint(int)`]: (builder: TextBuilder, code: number) => builder.append(charsOf(toChars(code))),
    'int compareTo(def)': (a: TextBuilder, b: TextBuilder) => compareTexts(a.text, b.text),
    'int indexOf(String,int)': ({ text }: TextBuilder, part: string, from: number) => text.indexOf(part, from),
    'int lastIndexOf(String,int)': ({ text }: TextBuilder, part: string, from: number) =>
      from < 0 ? -1 : text.lastIndexOf(part, from),
  },
});

/** Code points and chars of texts. */
export const CODE_POINTS: AllowTable = [
  characterRow,
  {
    name: 'java.lang.String',
    statics: {
      'String copyValueOf(char[])': charsOf,
      'String copyValueOf(char[],int,int)': (array: JavaArray, at: number, count: number) => {
        const { length } = array.values;
        if (at < 0 || count < 0 || at + count > length)
          throw outOfText(`offset ${at}, count ${count}, length ${length}`);
        return charsOf(array).slice(at, at + count);
      },
    },
    methods: textMethods,
  },
  builderRow('StringBuilder'),
  builderRow('StringBuffer'),
];
