import { kindOf, numberIn } from '../../runtime/boxes.js';
import { type Long, wrapLong } from '../../runtime/longs.js';
import { BigDecimal, MathContext } from '../../runtime/numbers/big-decimal.js';
import { BigInteger, bitLength, chargeDigits, power, readDigits } from '../../runtime/numbers/big-integer.js';
import { HALF_EVEN, HALF_UP, ROUNDING_MODES, type RoundingMode, roundingMode } from '../../runtime/numbers/rounding.js';
import { Thrown } from '../../runtime/thrown.js';
import { JavaArray } from '../../runtime/values.js';
import type { AllowTable, ClassRow, Implementation } from './class-row.js';

const arithmetic = (told: string): Thrown => new Thrown('java.lang.ArithmeticException', told);

function parseInteger(text: string, radix = 10): BigInteger {
  const match = /^([+-]?)([0-9a-zA-Z]+)$/.exec(text);
  if (!match) throw new Thrown('java.lang.NumberFormatException', `For input string: "${text}"`);
  if (radix < 2 || radix > 36) throw new Thrown('java.lang.NumberFormatException', 'Radix out of range');
  const digits = match[2]!;
  if ([...digits].some((digit) => Number.isNaN(parseInt(digit, radix))))
    throw new Thrown('java.lang.NumberFormatException', `For input string: "${text}"`);
  const value = readDigits(digits, radix);
  return new BigInteger(match[1] === '-' ? -value : value);
}

type Whole = { readonly value: bigint };
const big = (value: bigint): BigInteger => new BigInteger(value);

function divided(of: (a: bigint, b: bigint) => bigint) {
  return ({ value: a }: Whole, { value: b }: Whole): BigInteger => {
    if (b === 0n) throw arithmetic('BigInteger divide by zero');
    chargeDigits(a);
    return big(of(a, b));
  };
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) {
    chargeDigits(y);
    [x, y] = [y, x % y];
  }
  return x;
}

/** The rest of a division that is not negative. */
function modulo(a: bigint, modulus: bigint): bigint {
  if (modulus <= 0n) throw arithmetic('BigInteger: modulus not positive');
  const rest = a % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** The inverse of a number, by the extended algorithm of Euclid. */
export function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, divisor] = [modulo(value, modulus), modulus];
  let [factor, next] = [1n, 0n];
  while (divisor !== 0n) {
    chargeDigits(divisor);
    const quotient = rest / divisor;
    [rest, divisor] = [divisor, rest - quotient * divisor];
    [factor, next] = [next, factor - quotient * next];
  }
  if (rest !== 1n) throw arithmetic('BigInteger not invertible.');
  return modulo(factor, modulus);
}

function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (exponent < 0n) return powerModulo(inverse(base, modulus), -exponent, modulus);
  let result = modulo(1n, modulus);
  let square = modulo(base, modulus);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    chargeDigits(square);
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function shifted(value: bigint, by: number): BigInteger {
  return big(by >= 0 ? value * power(2n, by) : value >> BigInt(-by));
}

/** A conversion to a number of so many bits that loses nothing. */
export const exactly =
  (bits: number, of: (value: never) => bigint, told: string) =>
  (number: never): Long => {
    const value = of(number);
    if (BigInt.asIntN(bits, value) !== value) throw arithmetic(told);
    return wrapLong(value);
  };

const wholeOf = ({ value }: Whole): bigint => value;

/** Members of java.lang.Number. */
const conversions = (whole: (value: never) => bigint, double: (value: never) => number) => ({
  'byte byteValue()': (value: never) => Number(BigInt.asIntN(8, whole(value))),
  'short shortValue()': (value: never) => Number(BigInt.asIntN(16, whole(value))),
  'int intValue()': (value: never) => Number(BigInt.asIntN(32, whole(value))),
  'long longValue()': (value: never) => wrapLong(BigInt.asIntN(64, whole(value))),
  'float floatValue()': (value: never) => Math.fround(double(value)),
  'double doubleValue()': double,
});

const integerRow: ClassRow = {
  name: 'java.math.BigInteger',
  parents: ['java.lang.Number', 'java.lang.Comparable'],
  constructors: {
    '(String)': (text: string) => parseInteger(text),
    '(String,int)': (text: string, radix: number) => parseInteger(text, radix),
  },
  statics: { 'BigInteger valueOf(long)': (value: Long) => big(BigInt(value)) },
  constants: { 'BigInteger ZERO': big(0n), 'BigInteger ONE': big(1n), 'BigInteger TEN': big(10n) },
  methods: {
    'BigInteger abs()': ({ value }: Whole) => big(value < 0n ? -value : value),
    'BigInteger add(BigInteger)': (a: Whole, b: Whole) => big(a.value + b.value),
    'BigInteger subtract(BigInteger)': (a: Whole, b: Whole) => big(a.value - b.value),
    'BigInteger multiply(BigInteger)': (a: Whole, b: Whole) => big(a.value * b.value),
    'BigInteger divide(BigInteger)': divided((a, b) => a / b),
    'BigInteger remainder(BigInteger)': divided((a, b) => a % b),
    'BigInteger mod(BigInteger)': (a: Whole, b: Whole) => big(modulo(a.value, b.value)),
    'BigInteger modPow(BigInteger,BigInteger)': (a: Whole, b: Whole, c: Whole) =>
      big(powerModulo(a.value, b.value, c.value)),
    'BigInteger gcd(BigInteger)': (a: Whole, b: Whole) => big(gcd(a.value, b.value)),
    'BigInteger negate()': ({ value }: Whole) => big(-value),
    'BigInteger pow(int)': ({ value }: Whole, exponent: number) => {
      if (exponent < 0) throw arithmetic('Negative exponent');
      return big(power(value, exponent));
    },
    'BigInteger max(BigInteger)': (a: Whole, b: Whole) => (a.value >= b.value ? a : b),
    'BigInteger min(BigInteger)': (a: Whole, b: Whole) => (a.value <= b.value ? a : b),
    'BigInteger and(BigInteger)': (a: Whole, b: Whole) => big(a.value & b.value),
    'BigInteger or(BigInteger)': (a: Whole, b: Whole) => big(a.value | b.value),
    'BigInteger xor(BigInteger)': (a: Whole, b: Whole) => big(a.value ^ b.value),
    'BigInteger not()': ({ value }: Whole) => big(~value),
    'BigInteger andNot(BigInteger)': (a: Whole, b: Whole) => big(a.value & ~b.value),
    'BigInteger shiftLeft(int)': ({ value }: Whole, by: number) => shifted(value, by),
    'BigInteger shiftRight(int)': ({ value }: Whole, by: number) => shifted(value, -by),
    'int bitLength()': ({ value }: Whole) => bitLength(value),
    'int bitCount()': ({ value }: Whole) => (value < 0n ? -value - 1n : value).toString(2).replaceAll('0', '').length,
    'int signum()': ({ value }: Whole) => (value > 0n ? 1 : value < 0n ? -1 : 0),
    'String toString(int)': ({ value }: Whole, radix: number) => value.toString(radix >= 2 && radix <= 36 ? radix : 10),
    'int intValueExact()': exactly(32, wholeOf, 'BigInteger out of int range'),
    'long longValueExact()': exactly(64, wholeOf, 'BigInteger out of long range'),
    ...conversions(wholeOf as (value: never) => bigint, (({ value }: Whole) => Number(value)) as never),
  },
};

/** Members that take a MathContext beside their arguments: the result is rounded by it. */
function rounding(members: Readonly<Record<string, (a: BigDecimal, b: BigDecimal) => BigDecimal>>) {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, of]) => [
      [`BigDecimal ${name}(BigDecimal)`, of as Implementation],
      [
        `BigDecimal ${name}(BigDecimal,MathContext)`,
        ((a: BigDecimal, b: BigDecimal, context: MathContext) => of(a, b).round(context)) as Implementation,
      ],
    ]),
  );
}

const remainder = (a: BigDecimal, b: BigDecimal): BigDecimal => a.add(a.wholeQuotient(b).multiply(b), -1n);
const abs = (value: BigDecimal): BigDecimal => (value.unscaled < 0n ? value.negate() : value);
const decimalWhole = ((value: BigDecimal) => value.whole()) as (value: never) => bigint;
const UNNECESSARY = roundingMode('UNNECESSARY');
const exactWhole = ((value: BigDecimal) => value.setScale(0, UNNECESSARY).unscaled) as (value: never) => bigint;

/** `valueOf` has one signature: of doubles. */
function valueOf(value: unknown): BigDecimal {
  return kindOf(value) === 0 ? BigDecimal.ofDouble(value as number) : BigDecimal.ofDouble(Number(numberIn(value)));
}

const decimalRow: ClassRow = {
  name: 'java.math.BigDecimal',
  parents: ['java.lang.Number', 'java.lang.Comparable'],
  constructors: {
    '(String)': (text: string) => BigDecimal.parse(text),
    '(String,MathContext)': (text: string, context: MathContext) => BigDecimal.parse(text).round(context),
  },
  statics: { 'BigDecimal valueOf(double)': valueOf },
  constants: {
    'BigDecimal ZERO': new BigDecimal(0n, 0),
    'BigDecimal ONE': new BigDecimal(1n, 0),
    'BigDecimal TEN': new BigDecimal(10n, 0),
  },
  methods: {
    ...rounding({ add: (a, b) => a.add(b), subtract: (a, b) => a.add(b, -1n), multiply: (a, b) => a.multiply(b) }),
    'BigDecimal remainder(BigDecimal)': remainder,
    'BigDecimal divideToIntegralValue(BigDecimal)': (a: BigDecimal, b: BigDecimal) => a.wholeQuotient(b),
    'BigDecimal divide(BigDecimal)': (a: BigDecimal, b: BigDecimal) => a.divideExact(b),
    'BigDecimal divide(BigDecimal,MathContext)': (a: BigDecimal, b: BigDecimal, context: MathContext) =>
      a.divideTo(b, context),
    'BigDecimal[] divideAndRemainder(BigDecimal)': (a: BigDecimal, b: BigDecimal) =>
      new JavaArray('java.math.BigDecimal', [a.wholeQuotient(b), remainder(a, b)]),
    'BigDecimal abs()': abs,
    'BigDecimal abs(MathContext)': (value: BigDecimal, context: MathContext) => abs(value).round(context),
    'BigDecimal negate()': (value: BigDecimal) => value.negate(),
    'BigDecimal plus()': (value: BigDecimal) => value,
    'BigDecimal plus(MathContext)': (value: BigDecimal, context: MathContext) => value.round(context),
    'BigDecimal round(MathContext)': (value: BigDecimal, context: MathContext) => value.round(context),
    'BigDecimal max(BigDecimal)': (a: BigDecimal, b: BigDecimal) => (a.compare(b) >= 0 ? a : b),
    'BigDecimal min(BigDecimal)': (a: BigDecimal, b: BigDecimal) => (a.compare(b) <= 0 ? a : b),
    'BigDecimal movePointLeft(int)': (value: BigDecimal, by: number) => moved(value, by),
    'BigDecimal movePointRight(int)': (value: BigDecimal, by: number) => moved(value, -by),
    'BigDecimal scaleByPowerOfTen(int)': (value: BigDecimal, by: number) =>
      new BigDecimal(value.unscaled, value.scale - by),
    'BigDecimal pow(int)': (value: BigDecimal, exponent: number) => {
      if (exponent < 0 || exponent > 999_999_999) throw arithmetic('Invalid operation');
      return new BigDecimal(power(value.unscaled, exponent), value.scale * exponent);
    },
    'int precision()': (value: BigDecimal) => value.precision,
    'int scale()': (value: BigDecimal) => value.scale,
    'int signum()': (value: BigDecimal) => value.sign,
    'BigDecimal setScale(int)': (value: BigDecimal, scale: number) => value.setScale(scale, UNNECESSARY),
    'BigDecimal setScale(int,RoundingMode)': (value: BigDecimal, scale: number, mode: RoundingMode) =>
      value.setScale(scale, mode),
    'BigDecimal stripTrailingZeros()': (value: BigDecimal) =>
      value.unscaled === 0n ? new BigDecimal(0n, 0) : value.stripTo(-1_000),
    'BigInteger toBigInteger()': (value: BigDecimal) => big(value.whole()),
    'BigDecimal ulp()': (value: BigDecimal) => new BigDecimal(1n, value.scale),
    'String toPlainString()': (value: BigDecimal) => value.toPlainText(),
    'String toEngineeringString()': (value: BigDecimal) => value.toText(),
    'int intValueExact()': exactly(32, exactWhole, 'Overflow'),
    'long longValueExact()': exactly(64, exactWhole, 'Overflow'),
    ...conversions(decimalWhole, ((value: BigDecimal) => value.toNumber()) as never),
  },
};

function moved(value: BigDecimal, left: number): BigDecimal {
  const result = new BigDecimal(value.unscaled, value.scale + left);
  return result.scale < 0 ? result.setScale(0, HALF_UP) : result;
}

const CONTEXTS: Readonly<Record<string, MathContext>> = {
  UNLIMITED: new MathContext(0, HALF_UP),
  DECIMAL32: new MathContext(7, HALF_EVEN),
  DECIMAL64: new MathContext(16, HALF_EVEN),
  DECIMAL128: new MathContext(34, HALF_EVEN),
};

/** java.math. */
export const BIG_NUMBERS: AllowTable = [
  {
    name: 'java.math.RoundingMode',
    parents: ['java.lang.Enum'],
    constants: Object.fromEntries(ROUNDING_MODES.map((mode) => [`RoundingMode ${mode.name}`, mode])),
    statics: {
      'RoundingMode valueOf(String)': roundingMode,
      'RoundingMode[] values()': () => new JavaArray('java.math.RoundingMode', [...ROUNDING_MODES]),
    },
  },
  {
    name: 'java.math.MathContext',
    constructors: {
      '(int)': (precision: number) => new MathContext(precision),
      '(int,RoundingMode)': (precision: number, mode: RoundingMode) => new MathContext(precision, mode),
    },
    constants: Object.fromEntries(Object.entries(CONTEXTS).map(([name, value]) => [`MathContext ${name}`, value])),
    methods: {
      'int getPrecision()': ({ precision }: MathContext) => precision,
      'RoundingMode getRoundingMode()': ({ mode }: MathContext) => mode,
    },
  },
  integerRow,
  decimalRow,
];
