import { currentBudget } from './budget.js';
import { ScriptObject } from './script-object.js';
import { Thrown } from './thrown.js';

/** Bits of a set: more would take more memory than a script has. */
const BITS_MAX = 2 ** 27;

/** java.util.BitSet. */
export class BitSet extends ScriptObject {
  readonly javaClass = 'java.util.BitSet';
  #words: Uint32Array = new Uint32Array(2);

  /** The highest set bit, plus one. */
  get length(): number {
    for (let word = this.#words.length - 1; word >= 0; word--) {
      const bits = this.#words[word]!;
      if (bits !== 0) return word * 32 + 32 - Math.clz32(bits);
    }
    return 0;
  }

  /** Bits that there is room for, whole words of 64. */
  get size(): number {
    return Math.ceil(Math.max(1, this.#words.length) / 2) * 64;
  }

  get(index: number): boolean {
    checkIndex(index, 'bitIndex');
    return ((this.#words[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
  }

  set(index: number, value = true): void {
    checkIndex(index, 'bitIndex');
    if (value) {
      this.#reach(index);
      this.#words[index >>> 5]! |= 1 << (index & 31);
    } else if (index >>> 5 < this.#words.length) this.#words[index >>> 5]! &= ~(1 << (index & 31));
  }

  /** Calls `change` for the bits from one to another, the latter not included. */
  range(from: number, to: number, change: (bit: number) => void): void {
    checkIndex(from, 'fromIndex');
    checkIndex(to, 'toIndex');
    if (from > to) throw outOfBounds(`fromIndex: ${from} > toIndex: ${to}`);
    currentBudget().walk(to - from);
    for (let bit = from; bit < to; bit++) change(bit);
  }

  /** The next bit from an index on that is set, or not; -1 if none is. */
  next(from: number, value: boolean): number {
    checkIndex(from, 'fromIndex');
    const end = this.length;
    for (let bit = from; bit < end; bit++) if (this.get(bit) === value) return bit;
    return value ? -1 : Math.max(from, end);
  }

  /** The bit before or at an index that is set, or not; -1 if none is. */
  previous(from: number, value: boolean): number {
    if (from < -1) throw outOfBounds(`fromIndex < -1: ${from}`);
    for (let bit = from; bit >= 0; bit--) if (this.get(bit) === value) return bit;
    return -1;
  }

  get cardinality(): number {
    let count = 0;
    for (let bit = this.next(0, true); bit >= 0; bit = this.next(bit + 1, true)) count++;
    return count;
  }

  /** Replaces each word by what `of` makes of it and of that of another set. */
  combine(other: BitSet, of: (a: number, b: number) => number): void {
    const words = Math.max(this.#words.length, other.#words.length);
    currentBudget().charge(words * 4);
    this.#words = Uint32Array.from({ length: words }, (_, i) => of(this.#words[i] ?? 0, other.#words[i] ?? 0));
  }

  intersects(other: BitSet): boolean {
    return this.#words.some((word, i) => (word & (other.#words[i] ?? 0)) !== 0);
  }

  copy(): BitSet {
    const copy = new BitSet();
    copy.combine(this, (_none, bits) => bits);
    return copy;
  }

  clear(): void {
    this.#words.fill(0);
  }

  bits(): number[] {
    const found: number[] = [];
    for (let bit = this.next(0, true); bit >= 0; bit = this.next(bit + 1, true)) found.push(bit);
    currentBudget().charge(found.length * 16);
    return found;
  }

  toText(): string {
    return `{${this.bits().join(', ')}}`;
  }

  equalTo(other: unknown): boolean {
    if (!(other instanceof BitSet)) return false;
    const words = Math.max(this.#words.length, other.#words.length);
    for (let i = 0; i < words; i++) if ((this.#words[i] ?? 0) !== (other.#words[i] ?? 0)) return false;
    return true;
  }

  hash(): number {
    let hash = 1234n;
    for (let i = Math.ceil(this.#words.length / 2) - 1; i >= 0; i--) {
      const word = (BigInt(this.#words[2 * i + 1] ?? 0) << 32n) | BigInt(this.#words[2 * i] ?? 0);
      hash ^= BigInt.asUintN(64, word * BigInt(i + 1));
    }
    return Number(BigInt.asIntN(32, (hash >> 32n) ^ hash));
  }

  get identity(): string {
    return this.toText();
  }

  /** The words of 64 bits, without empty ones at the end. */
  longs(): unknown[] {
    return Array.from({ length: Math.ceil(this.length / 64) }, (_, i) => {
      const word = (BigInt(this.#words[2 * i + 1] ?? 0) << 32n) | BigInt(this.#words[2 * i] ?? 0);
      const signed = BigInt.asIntN(64, word);
      return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
    });
  }

  #reach(index: number): void {
    if (index >= BITS_MAX) throw outOfBounds(`bitIndex > ${BITS_MAX}: ${index}`);
    if (index >>> 5 < this.#words.length) return;
    const words = Math.max(this.#words.length * 2, (index >>> 5) + 1);
    currentBudget().charge(words * 4);
    const grown = new Uint32Array(words);
    grown.set(this.#words);
    this.#words = grown;
  }
}

function checkIndex(index: number, name: string): void {
  if (index < 0) throw outOfBounds(`${name} < 0: ${index}`);
}

const outOfBounds = (reason: string): Thrown => new Thrown('java.lang.IndexOutOfBoundsException', reason);
