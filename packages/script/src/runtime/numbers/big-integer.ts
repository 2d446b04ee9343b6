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
const BITS_MAX = 262_144;

/** Counts the memory of a whole number. */
export function chargeDigits(value: bigint): void {
  if (value < 1n << 128n && value > -(1n << 128n)) return;
  const bits = bitLength(value);
  if (bits > COUNTED_BITS) currentBudget().charge(bits > BITS_MAX ? Number.MAX_SAFE_INTEGER : bits >> 1);
}

/** Java's `bitLength`: bits without the sign. */
export function bitLength(value: bigint): number {
  const size = value < 0n ? -value - 1n : value;
  return size === 0n ? 0 : size.toString(16).length * 4 - Math.clz32(parseInt(size.toString(16)[0]!, 16)) + 28;
}

/** A power; the memory of its result is counted before it is made. */
export function power(base: bigint, exponent: number): bigint {
  const bits = bitLength(base) * exponent;
  if (bits > COUNTED_BITS) currentBudget().charge(bits > BITS_MAX ? Number.MAX_SAFE_INTEGER : bits >> 1);
  return base ** BigInt(exponent);
}
