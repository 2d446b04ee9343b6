import { formatDouble } from '@shoal/values';
import { KIND, kindOf, numberIn } from './boxes.js';
import { BigDecimal } from './numbers/big-decimal.js';
import { BigInteger } from './numbers/big-integer.js';
import { HALF_EVEN, type RoundingMode } from './numbers/rounding.js';
import { DecimalFormatSymbols } from './decimal-format-symbols.js';
import { ScriptObject } from './script-object.js';
import { illegalArgument, Thrown } from './thrown.js';
import type { Value } from './values.js';

/** Digits that a pattern may ask for. */
const DIGITS_MAX = 400;

/** java.text.DecimalFormat: `#,##0.00`, `0.0%`. Patterns with exponents are refused. */
export class DecimalFormat extends ScriptObject {
  readonly javaClass = 'java.text.DecimalFormat';
  prefix = '';
  suffix = '';
  negative: readonly [string, string] | null = null;
  wholeMin = 1;
  /** Digits before the point that are shown, the last ones. */
  wholeMax = 2 ** 31 - 1;
  fractionMin = 0;
  fractionMax = 3;
  grouping = 3;
  multiplier = 1;
  mode: RoundingMode = HALF_EVEN;

  isPointShown = false;
  isWhole = false;

  symbols: DecimalFormatSymbols;

  constructor(pattern: string, symbols = DecimalFormatSymbols.of(null)) {
    super();
    this.symbols = symbols;
    this.applyPattern(pattern);
  }

  applyPattern(pattern: string): void {
    const [positive, negative] = halves(pattern);
    const match = /^((?:'[^']*'|[^#0,.'])*)([#0,.]*)((?:'[^']*'|[^#0,.'])*)$/.exec(positive);
    if (!match || DIGITS_MAX < pattern.length || match[3]!.startsWith('E0'))
      throw illegalArgument(`Malformed pattern "${pattern}"`);
    const [, prefix, digits, suffix] = match as unknown as [string, string, string, string];
    this.negative = null;
    this.wholeMax = 2 ** 31 - 1;
    this.multiplier = 1;
    this.prefix = unquoted(prefix);
    this.suffix = unquoted(suffix);
    if (/[%]/.test(prefix + suffix)) this.multiplier = 100;
    if (/\u2030/.test(prefix + suffix)) this.multiplier = 1000;
    this.#readDigits(digits, pattern);
    if (negative !== null) {
      const [, before, after] = /^((?:'[^']*'|[^#0,.'])*)[#0,.]*(.*)$/.exec(negative) as unknown as [
        string,
        ...string[],
      ];
      this.negative = [unquoted(before!), unquoted(after!)];
    }
  }

  #readDigits(digits: string, pattern: string): void {
    const match = /^([#0,]*)(?:\.(0*)(#*))?$/.exec(digits);
    if (!match || /0[,]*#/.test(match[1]!)) throw illegalArgument(`Malformed pattern "${pattern}"`);
    const whole = match[1]!;
    this.wholeMin = whole.replace(/[^0]/g, '').length;
    this.grouping = whole.includes(',') ? whole.length - 1 - whole.lastIndexOf(',') : 0;
    this.fractionMin = match[2]?.length ?? 0;
    this.fractionMax = this.fractionMin + (match[3]?.length ?? 0);
  }

  format(value: Value): string {
    const exact = decimalOf(value);
    if (typeof exact === 'string') return this.#special(exact);
    const scaled = exact.multiply(new BigDecimal(BigInt(this.multiplier), 0));
    const rounded = scaled.setScale(this.fractionMax, this.mode);
    const [whole, fraction = ''] = rounded.toPlainText().replace('-', '').split('.') as [string, string?];
    const kept = fraction.replace(/0+$/, '').padEnd(this.fractionMin, '0');
    const known = whole.replace(/^0+/, '');
    const digits = known.slice(Math.max(0, known.length - this.wholeMax)).padStart(this.wholeMin, '0');
    const shown = this.grouping === 0 ? digits : grouped(digits, this.grouping);
    const point = this.isPointShown ? '.' : '';
    const text = this.symbols.written(kept === '' ? (shown || '0') + point : `${shown}.${kept}`);
    if (!isNegative(value, exact)) return this.prefix + text + this.suffix;
    const [before, after] = this.negativeAffixes;
    return before + text + after;
  }

  /** A value that has no digits: `NaN`, infinity. */
  #special(name: string): string {
    if (name === 'NaN') return this.symbols.nan;
    const text = this.symbols.infinity;
    if (!name.startsWith('-')) return this.prefix + text + this.suffix;
    const [before, after] = this.negativeAffixes;
    return before + text + after;
  }

  /** What stands before and behind the digits of a negative number. */
  get negativeAffixes(): readonly [string, string] {
    return this.negative ?? [`${this.symbols.minus}${this.prefix}`, this.suffix];
  }

  parse(text: string): number {
    const match = (this.isWhole ? /^-?[\d,]*/ : /^-?[\d,]*(?:\.\d+)?/).exec(
      this.symbols.read(text.slice(text.startsWith(this.prefix) ? this.prefix.length : 0)),
    );
    const number = Number(match?.[0].replaceAll(',', '') || Number.NaN);
    if (Number.isNaN(number)) throw new Thrown('java.text.ParseException', `Unparseable number: "${text}"`);
    return number / this.multiplier;
  }
}

function halves(pattern: string): readonly [string, string | null] {
  const place = pattern.replace(/'[^']*'/g, (quoted) => ' '.repeat(quoted.length)).indexOf(';');
  return place < 0 ? [pattern, null] : [pattern.slice(0, place), pattern.slice(place + 1)];
}

const unquoted = (text: string): string => text.replace(/'([^']*)'/g, (_all, inner: string) => inner || "'");

function grouped(digits: string, size: number): string {
  return digits.replace(new RegExp(`\\B(?=(?:\\d{${size}})+$)`, 'g'), ',');
}

function decimalOf(value: Value): BigDecimal | string {
  if (value instanceof BigDecimal) return value;
  if (value instanceof BigInteger) return new BigDecimal(value.value, 0);
  const kind = kindOf(value);
  if (kind === KIND.none) throw illegalArgument('Cannot format given Object as a Number');
  const number = numberIn(value);
  if (typeof number === 'bigint') return new BigDecimal(number, 0);
  if (Number.isNaN(number)) return 'NaN';
  if (!Number.isFinite(number)) return number > 0 ? '\u221e' : '-\u221e';
  return BigDecimal.parse(formatDouble(number));
}

const isNegative = (value: Value, exact: BigDecimal): boolean =>
  exact.sign < 0 || (kindOf(value) === KIND.double && Object.is(numberIn(value), -0));
