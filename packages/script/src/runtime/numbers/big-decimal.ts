import { formatDouble, hashCode } from '@shoal/values';
import { ScriptObject } from '../script-object.js';
import { illegalArgument, Thrown } from '../thrown.js';
import { chargeDigits, power, readDigits } from './big-integer.js';
import { divideRounded, HALF_EVEN, HALF_UP, type RoundingMode } from './rounding.js';

/** java.math.MathContext: digits of a result, 0 for all, and how it is rounded. */
export class MathContext extends ScriptObject {
  readonly javaClass = 'java.math.MathContext';
  readonly precision: number;
  readonly mode: RoundingMode;

  constructor(precision: number, mode: RoundingMode = HALF_UP) {
    super();
    if (precision < 0) throw illegalArgument('Digits < 0');
    this.precision = precision;
    this.mode = mode;
  }

  toText(): string {
    return `precision=${this.precision} roundingMode=${this.mode.name}`;
  }
}

/** Digits between the point of a number and its first or last digit. */
const SCALE_MAX = 10_000;

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,10}))?$/;

/** java.math.BigDecimal: a whole number divided by a power of ten. */
export class BigDecimal extends ScriptObject {
  readonly javaClass = 'java.math.BigDecimal';
  readonly unscaled: bigint;
  readonly scale: number;

  constructor(unscaled: bigint, scale: number) {
    super();
    if (Math.abs(scale) > SCALE_MAX) throw new Thrown('java.lang.ArithmeticException', 'Overflow');
    this.unscaled = unscaled;
    this.scale = scale;
    chargeDigits(unscaled);
  }

  static parse(text: string): BigDecimal {
    const match = NUMBER.exec(text);
    const digits = (match?.[2] ?? '') + (match?.[3] ?? '');
    if (!match || digits === '') throw new Thrown('java.lang.NumberFormatException', malformed(text));
    const value = readDigits(digits);
    return new BigDecimal(match[1] === '-' ? -value : value, (match[3] ?? '').length - Number(match[4] ?? 0));
  }

  static ofDouble(value: number): BigDecimal {
    if (!Number.isFinite(value)) throw new Thrown('java.lang.NumberFormatException', malformed(formatDouble(value)));
    return BigDecimal.parse(formatDouble(value));
  }

  get precision(): number {
    chargeDigits(this.unscaled);
    return this.unscaled === 0n ? 1 : (this.unscaled < 0n ? -this.unscaled : this.unscaled).toString().length;
  }

  get sign(): number {
    return this.unscaled > 0n ? 1 : this.unscaled < 0n ? -1 : 0;
  }

  /** The unscaled value at a larger scale. */
  at(scale: number): bigint {
    return this.unscaled * power(10n, scale - this.scale);
  }

  add(other: BigDecimal, sign: 1n | -1n = 1n): BigDecimal {
    const scale = Math.max(this.scale, other.scale);
    return new BigDecimal(this.at(scale) + sign * other.at(scale), scale);
  }

  multiply(other: BigDecimal): BigDecimal {
    return new BigDecimal(this.unscaled * other.unscaled, this.scale + other.scale);
  }

  negate(): BigDecimal {
    return new BigDecimal(-this.unscaled, this.scale);
  }

  setScale(scale: number, mode: RoundingMode): BigDecimal {
    if (scale >= this.scale) return new BigDecimal(this.at(scale), scale);
    return new BigDecimal(divideRounded(this.unscaled, power(10n, this.scale - scale), mode), scale);
  }

  round({ precision, mode }: MathContext): BigDecimal {
    if (precision === 0 || this.precision <= precision) return this;
    const rounded = this.setScale(this.scale - (this.precision - precision), mode);
    return rounded.precision > precision ? rounded.round(new MathContext(precision, mode)) : rounded;
  }

  /** The quotient of all digits; refused where they never end. */
  divideExact(divisor: BigDecimal): BigDecimal {
    checkDivisor(this, divisor);
    const preferred = this.scale - divisor.scale;
    if (this.unscaled === 0n) return new BigDecimal(0n, Math.min(SCALE_MAX, Math.max(-SCALE_MAX, preferred)));
    const digits = Math.min(this.precision + Math.ceil((10 * divisor.precision) / 3), SCALE_MAX);
    const quotient = this.divideTo(divisor, new MathContext(digits, HALF_EVEN));
    if (quotient.multiply(divisor).compare(this) !== 0)
      throw new Thrown(
        'java.lang.ArithmeticException',
        'Non-terminating decimal expansion; no exact representable decimal result.',
      );
    return preferred > quotient.scale ? new BigDecimal(quotient.at(preferred), preferred) : quotient;
  }

  /** The quotient of so many digits, without the zeros that its scale need not have. */
  divideTo(divisor: BigDecimal, context: MathContext): BigDecimal {
    if (context.precision === 0) return this.divideExact(divisor);
    checkDivisor(this, divisor);
    const preferred = this.scale - divisor.scale;
    const extra = context.precision + 3 + divisor.precision - this.precision;
    const shift = Math.max(0, extra);
    const dividend = this.unscaled * power(10n, shift);
    const quotient = dividend / divisor.unscaled;
    const isExact = quotient * divisor.unscaled === dividend;
    // A digit beyond those that are kept tells the rounding that the quotient goes on.
    const sticky = isExact ? quotient * 10n : quotient * 10n + (dividend < 0n === divisor.unscaled < 0n ? 1n : -1n);
    const rounded = new BigDecimal(sticky, preferred + shift + 1).round(context);
    return rounded.stripTo(preferred);
  }

  /** Removes zeros at the end down to a scale. */
  stripTo(scale: number): BigDecimal {
    let { unscaled, scale: own } = this;
    while (own > scale && unscaled !== 0n && unscaled % 10n === 0n) {
      chargeDigits(unscaled);
      unscaled /= 10n;
      own--;
    }
    return new BigDecimal(unscaled, unscaled === 0n ? Math.max(scale, 0) : own);
  }

  /** The whole part of a quotient. */
  wholeQuotient(divisor: BigDecimal): BigDecimal {
    checkDivisor(this, divisor);
    const scale = Math.max(this.scale, divisor.scale);
    const quotient = new BigDecimal(this.at(scale) / divisor.at(scale), 0);
    const preferred = this.scale - divisor.scale;
    return preferred >= 0 ? new BigDecimal(quotient.at(preferred), preferred) : quotient.stripTo(preferred);
  }

  whole(): bigint {
    return this.scale <= 0 ? this.at(0) : this.unscaled / power(10n, this.scale);
  }

  toNumber(): number {
    return Number(this.toText());
  }

  /** Java's text: with an exponent beyond six zeros, or where digits before the point are unknown. */
  toText(): string {
    const digits = this.#digits();
    const exponent = digits.length - 1 - this.scale;
    const minus = this.unscaled < 0n ? '-' : '';
    if (this.scale >= 0 && exponent >= -6) return minus + pointed(digits, this.scale);
    const head = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    return `${minus}${head}E${exponent >= 0 ? '+' : ''}${exponent}`;
  }

  toPlainText(): string {
    const minus = this.unscaled < 0n ? '-' : '';
    if (this.scale >= 0) return minus + pointed(this.#digits(), this.scale);
    return this.unscaled === 0n ? '0' : minus + this.#digits() + '0'.repeat(-this.scale);
  }

  #digits(): string {
    chargeDigits(this.unscaled);
    return (this.unscaled < 0n ? -this.unscaled : this.unscaled).toString();
  }

  compare(other: unknown): number {
    const { scale } = other as BigDecimal;
    const common = Math.max(this.scale, scale);
    const [a, b] = [this.at(common), (other as BigDecimal).at(common)];
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equalTo(other: unknown): boolean {
    return other instanceof BigDecimal && other.unscaled === this.unscaled && other.scale === this.scale;
  }

  hash(): number {
    return hashCode(this.toText());
  }

  get identity(): string {
    return `${this.unscaled}/${this.scale}`;
  }

  toJsonForm(): unknown {
    return this.toNumber();
  }
}

function pointed(digits: string, scale: number): string {
  if (scale === 0) return digits;
  const padded = digits.padStart(scale + 1, '0');
  return `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function checkDivisor(dividend: BigDecimal, divisor: BigDecimal): void {
  if (divisor.unscaled !== 0n) return;
  const told = dividend.unscaled === 0n ? 'Division undefined' : 'Division by zero';
  throw new Thrown('java.lang.ArithmeticException', told);
}

function malformed(text: string): string | null {
  const strange = [...text].find((char) => !/[\d.eE+-]/.test(char));
  if (strange === undefined) return null;
  return `Character ${strange} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`;
}
