import { BigDecimal, MathContext } from '../../runtime/numbers/big-decimal.js';
import { BigInteger, bitLength, chargeDigits, power } from '../../runtime/numbers/big-integer.js';
import { roundingMode } from '../../runtime/numbers/rounding.js';
import { Thrown } from '../../runtime/thrown.js';
import { JavaArray } from '../../runtime/values.js';
import { exactly, inverse } from './big-numbers.js';
import type { AllowTable } from './class-row.js';

const arithmetic = (told: string): Thrown => new Thrown('java.lang.ArithmeticException', told);

type Whole = { readonly value: bigint };
const big = (value: bigint): BigInteger => new BigInteger(value);

/** A number that has one bit alone. */
function bit(place: number): bigint {
  if (place < 0) throw arithmetic('Negative bit address');
  return power(2n, place);
}

/** The bytes of the two's complement, the highest first. */
function bytesOf({ value }: Whole): JavaArray {
  const length = Math.floor(bitLength(value) / 8) + 1;
  chargeDigits(value);
  const digits = BigInt.asUintN(length * 8, value)
    .toString(16)
    .padStart(length * 2, '0');
  return new JavaArray(
    'byte',
    Array.from({ length }, (_none, i) => (Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16) << 24) >> 24),
  );
}

const wholeOf = ({ value }: Whole): bigint => value;
const UNNECESSARY = roundingMode('UNNECESSARY');
const exactWhole = (value: BigDecimal): bigint => value.setScale(0, UNNECESSARY).unscaled;

const EXPONENT_MAX = 999_999_999;

/** A power by squaring whose steps are rounded to some digits more than the result: algorithm X3.274 of ANSI. */
function roundedPower(base: BigDecimal, exponent: number, context: MathContext): BigDecimal {
  const size = Math.abs(exponent);
  const { precision, mode } = context;
  if (size > EXPONENT_MAX || (precision === 0 && exponent < 0)) throw arithmetic('Invalid operation');
  if (precision === 0) return new BigDecimal(power(base.unscaled, exponent), base.scale * exponent);
  const one = new BigDecimal(1n, 0);
  if (exponent === 0) return one;
  const digits = String(size).length;
  if (digits > precision) throw arithmetic('Invalid operation');
  const steps = new MathContext(precision + digits + 1, mode);
  let result = one;
  for (const isSet of size.toString(2)) {
    result = result.multiply(result).round(steps);
    if (isSet === '1') result = result.multiply(base).round(steps);
  }
  return (exponent < 0 ? one.divideTo(result, steps) : result).round(context);
}

const DOWN = roundingMode('DOWN');
const size = (value: BigDecimal): BigDecimal => (value.unscaled < 0n ? value.negate() : value);

/** The whole part of a quotient, which must not have more digits than the context. */
function wholeQuotient(dividend: BigDecimal, divisor: BigDecimal, { precision }: MathContext): BigDecimal {
  if (precision === 0 || size(dividend).compare(size(divisor)) < 0) return dividend.wholeQuotient(divisor);
  const preferred = dividend.scale - divisor.scale;
  const quotient = dividend.divideTo(divisor, new MathContext(precision, DOWN));
  if (quotient.scale < 0) {
    const rest = dividend.add(quotient.multiply(divisor), -1n);
    if (size(rest).compare(size(divisor)) >= 0) throw arithmetic('Division impossible');
  }
  const whole = quotient.scale > 0 ? quotient.setScale(0, DOWN) : quotient;
  const zeros = Math.min(precision - whole.precision, preferred - whole.scale);
  return zeros > 0 ? whole.setScale(whole.scale + zeros, DOWN) : whole.stripTo(preferred);
}

function quotientAndRest(dividend: BigDecimal, divisor: BigDecimal, context: MathContext): [BigDecimal, BigDecimal] {
  const quotient = wholeQuotient(dividend, divisor, context);
  return [quotient, dividend.add(quotient.multiply(divisor), -1n)];
}

/** More of java.math: bits, exact conversions, quotients and powers of so many digits. */
export const BITS_AND_ROUNDING: AllowTable = [
  {
    name: 'java.math.BigInteger',
    methods: {
      'BigInteger[] divideAndRemainder(BigInteger)': ({ value }: Whole, { value: divisor }: Whole) => {
        if (divisor === 0n) throw arithmetic('BigInteger divide by zero');
        chargeDigits(value);
        return new JavaArray('java.math.BigInteger', [big(value / divisor), big(value % divisor)]);
      },
      'BigInteger modInverse(BigInteger)': (a: Whole, b: Whole) => big(inverse(a.value, b.value)),
      'BigInteger setBit(int)': ({ value }: Whole, place: number) => big(value | bit(place)),
      'BigInteger clearBit(int)': ({ value }: Whole, place: number) => big(value & ~bit(place)),
      'BigInteger flipBit(int)': ({ value }: Whole, place: number) => big(value ^ bit(place)),
      'boolean testBit(int)': ({ value }: Whole, place: number) => {
        if (place < 0) throw arithmetic('Negative bit address');
        return ((value >> BigInt(place)) & 1n) === 1n;
      },
      'int getLowestSetBit()': ({ value }: Whole) => (value === 0n ? -1 : bitLength(value & -value) - 1),
      'byte[] toByteArray()': bytesOf,
      'byte byteValueExact()': exactly(8, wholeOf, 'BigInteger out of byte range'),
      'short shortValueExact()': exactly(16, wholeOf, 'BigInteger out of short range'),
    },
  },
  {
    name: 'java.math.BigDecimal',
    methods: {
      'BigDecimal negate(MathContext)': (value: BigDecimal, context: MathContext) => value.negate().round(context),
      'BigDecimal pow(int,MathContext)': roundedPower,
      'BigDecimal divideToIntegralValue(BigDecimal,MathContext)': wholeQuotient,
      'BigDecimal remainder(BigDecimal,MathContext)': (a: BigDecimal, b: BigDecimal, context: MathContext) =>
        quotientAndRest(a, b, context)[1],
      'BigDecimal[] divideAndRemainder(BigDecimal,MathContext)': (a: BigDecimal, b: BigDecimal, context: MathContext) =>
        new JavaArray('java.math.BigDecimal', quotientAndRest(a, b, context)),
      'BigInteger toBigIntegerExact()': (value: BigDecimal) => big(exactWhole(value)),
      'byte byteValueExact()': exactly(8, exactWhole, 'Overflow'),
      'short shortValueExact()': exactly(16, exactWhole, 'Overflow'),
    },
  },
];
