import { scriptEnvironment } from './environment.js';
import { type Long, wrapLong } from './longs.js';
import { ScriptObject } from './script-object.js';
import { illegalArgument } from './thrown.js';

const MULTIPLIER = 0x5deece66dn;
const MASK = (1n << 48n) - 1n;

/** java.util.Random: a linear congruential generator of 48 bits. Source: its specification. */
export class JavaRandom extends ScriptObject {
  readonly javaClass = 'java.util.Random';
  #seed = 0n;
  #nextGaussian: number | null = null;

  constructor(seed: Long | null) {
    super();
    this.setSeed(seed ?? Math.floor(scriptEnvironment().random() * 2 ** 48));
  }

  setSeed(seed: Long): void {
    this.#seed = (BigInt(seed) ^ MULTIPLIER) & MASK;
    this.#nextGaussian = null;
  }

  #next(bits: number): number {
    this.#seed = (this.#seed * MULTIPLIER + 0xbn) & MASK;
    return Number(BigInt.asIntN(32, this.#seed >> BigInt(48 - bits)));
  }

  nextInt(): number {
    return this.#next(32);
  }

  nextBounded(bound: number): number {
    if (bound <= 0) throw illegalArgument('bound must be positive');
    if ((bound & -bound) === bound) return Number((BigInt(bound) * BigInt(this.#next(31))) >> 31n);
    for (;;) {
      const bits = this.#next(31);
      const value = bits % bound;
      if (((bits - value + (bound - 1)) | 0) >= 0) return value;
    }
  }

  nextLong(): Long {
    return wrapLong(BigInt.asIntN(64, (BigInt(this.#next(32)) << 32n) + BigInt(this.#next(32))));
  }

  nextBoolean(): boolean {
    return this.#next(1) !== 0;
  }

  nextFloat(): number {
    return this.#next(24) / 2 ** 24;
  }

  nextDouble(): number {
    return (this.#next(26) * 2 ** 27 + this.#next(27)) / 2 ** 53;
  }

  nextGaussian(): number {
    if (this.#nextGaussian !== null) {
      const value = this.#nextGaussian;
      this.#nextGaussian = null;
      return value;
    }
    for (;;) {
      const a = 2 * this.nextDouble() - 1;
      const b = 2 * this.nextDouble() - 1;
      const size = a * a + b * b;
      if (size >= 1 || size === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(size)) / size);
      this.#nextGaussian = b * factor;
      return a * factor;
    }
  }
}
