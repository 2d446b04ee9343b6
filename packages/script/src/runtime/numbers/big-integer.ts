import { hashCode } from '@shoal/values';
import { currentBudget } from '../budget.js';
import { ScriptObject } from '../script-object.js';

/** java.math.BigInteger. Long ones count as memory of the script. */
export class BigInteger extends ScriptObject {
  readonly javaClass = 'java.math.BigInteger';
  readonly value: bigint;

  constructor(value: bigint) {
    super();
    this.value = value;
    chargeDigits(value);
  }

  toText(): string {
    chargeDigits(this.value);
    return this.value.toString();
  }

  compare(other: unknown): number {
    const { value } = other as BigInteger;
    return this.value < value ? -1 : this.value > value ? 1 : 0;
  }

  equalTo(other: unknown): boolean {
    return other instanceof BigInteger && other.value === this.value;
  }

  hash(): number {
    return hashCode(this.toText());
  }

  get identity(): string {
    return this.toText();
  }

  toJsonForm(): unknown {
    return this.value;
  }
}

/** Bits from which on a number counts. */
const COUNTED_BITS = 1024;
/** Bits of the longest number. */
const BITS_MAX = 65_536;
/** Digits of the longest text that is read as a number. */
const DIGITS_MAX = 20_000;

const LARGE = 1n << BigInt(COUNTED_BITS);

function countBits(bits: number): void {
  if (bits <= COUNTED_BITS) return;
  const budget = currentBudget();
  budget.charge(bits > BITS_MAX ? Number.MAX_SAFE_INTEGER : bits >> 1);
  budget.checkTime();
}

/** Reads digits of a base, which the caller has checked. */
export function readDigits(digits: string, radix = 10): bigint {
  if (digits.length > DIGITS_MAX) countBits(Number.MAX_SAFE_INTEGER);
  if (radix === 10) return BigInt(digits);
  let value = 0n;
  for (const digit of digits) value = value * BigInt(radix) + BigInt(parseInt(digit, radix));
  return value;
}

/** Counts the memory and the time of a whole number. */
export function chargeDigits(value: bigint): void {
  if (value < LARGE && value > -LARGE) return;
  countBits(bitLength(value));
}

/** Java's `bitLength`: bits without the sign. */
export function bitLength(value: bigint): number {
  const size = value < 0n ? -value - 1n : value;
  return size === 0n ? 0 : size.toString(16).length * 4 - Math.clz32(parseInt(size.toString(16)[0]!, 16)) + 28;
}

/** A power; the memory of its result is counted before it is made. */
export function power(base: bigint, exponent: number): bigint {
  countBits(bitLength(base) * exponent);
  return base ** BigInt(exponent);
}
