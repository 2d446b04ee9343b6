import { formatDouble } from '@shoal/values';
import { KIND, kindOf, numberIn, typeOfKind } from './boxes.js';
import { currentBudget } from './budget.js';
import { hashOf } from './equality.js';
import { formatTime, isTimeLetter } from './format-time.js';
import { textOf } from './java-text.js';
import { BigDecimal, MathContext } from './numbers/big-decimal.js';
import { BigInteger } from './numbers/big-integer.js';
import { HALF_UP } from './numbers/rounding.js';
import { Thrown } from './thrown.js';
import { classOf, type Value } from './values.js';

const SPECIFIER = /%(?:(\d+)\$)?([-#+ 0,(<]*)(\d+)?(?:\.(\d+))?([tT]?[a-zA-Z%])/y;
/** Characters that a width or a precision may ask for. */
const WIDTH_MAX = 100_000;

interface Specifier {
  readonly text: string;
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly conversion: string;
}

const failure = (name: string, told: string): Thrown => new Thrown(`java.util.${name}`, told);

/** Formats as Java's `String.format` in the root locale. Source: the specification of java.util.Formatter. */
export function formatText(pattern: string, args: readonly Value[]): string {
  let out = '';
  let next = 0;
  let last = -1;
  for (let at = 0; at < pattern.length; ) {
    const percent = pattern.indexOf('%', at);
    if (percent < 0) return out + pattern.slice(at);
    out += pattern.slice(at, percent);
    SPECIFIER.lastIndex = percent;
    const match = SPECIFIER.exec(pattern);
    if (!match) throw failure('UnknownFormatConversionException', `Conversion = '${pattern[percent + 1] ?? '%'}'`);
    at = SPECIFIER.lastIndex;
    const [text, index, flags, width, precision, conversion] = match as unknown as [string, ...string[]];
    const specifier: Specifier = {
      text,
      flags: flags!,
      width: bounded(width),
      precision: precision === undefined ? null : bounded(precision),
      conversion: conversion!,
    };
    if (conversion === 'n') out += '\n';
    else if (conversion === '%') out += padded('%', specifier);
    else {
      last = flags!.includes('<') ? last : index === undefined ? next++ : Number(index) - 1;
      if (last < 0 || last >= args.length)
        throw failure('MissingFormatArgumentException', `Format specifier '${text}'`);
      out += one(specifier, args[last] ?? null);
    }
    currentBudget().charge(out.length);
  }
  return out;
}

function bounded(text: string | undefined): number {
  const width = Number(text ?? 0);
  if (width > WIDTH_MAX) throw failure('IllegalFormatWidthException', String(text));
  return width;
}

function padded(text: string, { flags, width }: Specifier): string {
  return flags.includes('-') ? text.padEnd(width) : text.padStart(width);
}

function one(specifier: Specifier, value: Value): string {
  const { conversion, precision } = specifier;
  if (conversion.length === 2) return padded(timeText(specifier, value), specifier);
  const kind = conversion.toLowerCase();
  const text = KINDS[kind]?.(specifier, value);
  if (text === undefined) throw failure('UnknownFormatConversionException', `Conversion = '${conversion}'`);
  const cut = 'bsh'.includes(kind) && precision !== null ? text.slice(0, precision) : text;
  const shown = conversion === kind ? cut : cut.toUpperCase();
  return padded(shown, specifier);
}

/** The text of a conversion such as `%tY`; `%T` is its upper case. */
function timeText(specifier: Specifier, value: Value): string {
  const [kind, letter] = [...specifier.conversion] as [string, string];
  if (!isTimeLetter(letter)) throw failure('UnknownFormatConversionException', `Conversion = 't${letter}'`);
  if (value === null) return 'null';
  const text = formatTime(letter, value, () => mismatch({ ...specifier, conversion: letter }, value));
  return kind === 'T' ? text.toUpperCase() : text;
}

const mismatch = (specifier: Specifier, value: Value): Thrown =>
  failure('IllegalFormatConversionException', `${specifier.conversion} != ${classOf(value)}`);

const KINDS: Readonly<Record<string, (specifier: Specifier, value: Value) => string>> = {
  s: (_specifier, value) => textOf(value),
  b: (_specifier, value) => String(typeof value === 'boolean' ? value : value !== null),
  h: (_specifier, value) => (value === null ? 'null' : (hashOf(value) >>> 0).toString(16)),
  c: character,
  d: (specifier, value) => (value === null ? 'null' : signed(specifier, wholeIn(specifier, value).toString())),
  x: (specifier, value) => unsigned(specifier, value, 16),
  o: (specifier, value) => unsigned(specifier, value, 8),
  f: decimal,
  e: decimal,
  g: decimal,
};

function character(specifier: Specifier, value: Value): string {
  if (value === null) return 'null';
  const kind = kindOf(value);
  if (kind === KIND.none || kind > KIND.int) throw mismatch(specifier, value);
  return String.fromCodePoint(Number(numberIn(value)) & 0x1fffff);
}

function wholeIn(specifier: Specifier, value: Value): bigint {
  if (value instanceof BigInteger) return value.value;
  const kind = kindOf(value);
  if (kind === KIND.none || kind > KIND.long || kind === KIND.char) throw mismatch(specifier, value);
  return BigInt(numberIn(value));
}

const BITS: Readonly<Record<string, number>> = { byte: 8, short: 16, int: 32, long: 64 };

function unsigned(specifier: Specifier, value: Value, radix: number): string {
  if (value === null) return 'null';
  const whole = wholeIn(specifier, value);
  const bits = BITS[typeOfKind(kindOf(value))];
  const digits = (bits === undefined ? whole : BigInt.asUintN(bits, whole)).toString(radix);
  const text = specifier.flags.includes('#') ? `${radix === 16 ? '0x' : '0'}${digits}` : digits;
  return specifier.flags.includes('0') ? text.padStart(specifier.width, '0') : text;
}

const GROUPS = /\B(?=(?:\d{3})+(?!\d))/g;

/** Adds groups, sign and zeros to a number without exponent. */
function signed({ flags, width }: Specifier, text: string): string {
  const isNegative = text.startsWith('-');
  const [whole, fraction] = (isNegative ? text.slice(1) : text).split('.') as [string, string | undefined];
  const grouped = flags.includes(',') ? whole.replace(GROUPS, ',') : whole;
  const digits = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  const isBracketed = isNegative && flags.includes('(');
  const sign = isBracketed ? '(' : isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const end = isBracketed ? ')' : '';
  const zeros = flags.includes('0') ? Math.max(0, width - sign.length - digits.length - end.length) : 0;
  return sign + '0'.repeat(zeros) + digits + end;
}

function decimal(specifier: Specifier, value: Value): string {
  if (value === null) return 'null';
  const kind = kindOf(value);
  const isBig = value instanceof BigDecimal;
  if (!isBig && kind !== KIND.double && kind !== KIND.float) throw mismatch(specifier, value);
  const number = isBig ? null : Number(numberIn(value));
  if (number !== null && !Number.isFinite(number)) return formatDouble(number);
  const exact = isBig ? value : BigDecimal.parse(kind === KIND.float ? textOf(value) : formatDouble(number!));
  const places = specifier.precision ?? 6;
  const isMinus = number !== null && Object.is(number, -0);
  const shown = digitsOf(specifier.conversion.toLowerCase(), exact, places);
  return signed(specifier, isMinus ? `-${shown}` : shown);
}

function digitsOf(kind: string, value: BigDecimal, places: number): string {
  if (kind === 'f') return value.setScale(places, HALF_UP).toPlainText();
  if (kind === 'e') return scientific(value, places);
  const digits = places === 0 ? 1 : places;
  const rounded = value.round(new MathContext(digits, HALF_UP));
  const exponent = rounded.precision - 1 - rounded.scale;
  if (rounded.unscaled === 0n || (exponent >= -4 && exponent < digits))
    return rounded.setScale(rounded.unscaled === 0n ? digits - 1 : digits - 1 - exponent, HALF_UP).toPlainText();
  return scientific(value, digits - 1);
}

function scientific(value: BigDecimal, places: number): string {
  const rounded = value.round(new MathContext(places + 1, HALF_UP));
  const exponent = rounded.unscaled === 0n ? 0 : rounded.precision - 1 - rounded.scale;
  const digits = (rounded.unscaled < 0n ? -rounded.unscaled : rounded.unscaled).toString().padEnd(places + 1, '0');
  const head = places === 0 ? digits[0] : `${digits[0]}.${digits.slice(1, places + 1)}`;
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${rounded.unscaled < 0n ? '-' : ''}${head}e${exponent < 0 ? '-' : '+'}${power}`;
}
