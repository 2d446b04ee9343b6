import { nextSetBit, popCount, popCountWords, previousSetBit } from '@shoal/codec';
import { type BitSet, NO_MORE_DOCS } from './segment-reader.js';

class WordBitSet implements BitSet {
  readonly words: Int32Array;
  readonly size: number;

  constructor(words: Int32Array, size: number) {
    this.words = words;
    this.size = size;
  }

  get(doc: number): boolean {
    return (this.words[doc >>> 5]! & (1 << (doc & 31))) !== 0;
  }

  set(doc: number): void {
    this.words[doc >>> 5]! |= 1 << (doc & 31);
  }

  clear(doc: number): void {
    this.words[doc >>> 5]! &= ~(1 << (doc & 31));
  }

  cardinality(): number {
    const full = this.size >>> 5;
    const count = popCountWords(this.words, 0, full);
    const rest = this.size & 31;
    return rest === 0 ? count : count + popCount(this.words[full]! & (-1 >>> (32 - rest)));
  }

  next(doc: number): number {
    const found = nextSetBit(this.words, this.size, doc);
    return found < 0 ? NO_MORE_DOCS : found;
  }

  previous(doc: number): number {
    return previousSetBit(this.words, Math.min(doc, this.size - 1));
  }
}

/** A set of `size` bits, all clear. */
export function bitSet(size: number): BitSet {
  return new WordBitSet(new Int32Array((size + 31) >>> 5), size);
}

/** A set of `size` bits over `words`, which are shared and not copied; bits from `size` on are ignored. */
export function bitSetOver(words: Int32Array, size: number): BitSet {
  return new WordBitSet(words, size);
}

/** An independent copy. */
export function cloneBitSet(bits: BitSet): BitSet {
  return new WordBitSet(bits.words.slice(), bits.size);
}

/** A set of `size` bits, all set. */
export function fullBitSet(size: number): BitSet {
  const words = new Int32Array((size + 31) >>> 5).fill(-1);
  if ((size & 31) !== 0) words[words.length - 1] = -1 >>> (32 - (size & 31));
  return new WordBitSet(words, size);
}
