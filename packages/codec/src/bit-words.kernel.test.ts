import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { bitsToList, nextSetBit, popCountWords, previousSetBit } from './bit-words.kernel.js';

const SIZE = 200;
const wordsOf = (bits: readonly number[]): Int32Array => {
  const words = new Int32Array(7);
  for (const bit of bits) words[bit >>> 5]! |= 1 << (bit & 31);
  return words;
};

kernelContract(
  'bits of words are found forwards, backwards, in lists and counted',
  ({ bits, from, to }) => {
    const words = wordsOf(bits);
    const list = new Int32Array(SIZE);
    return {
      next: nextSetBit(words, SIZE, from),
      previous: previousSetBit(words, from),
      list: [...list.subarray(0, bitsToList(words, from, to, list))],
      count: popCountWords(words, 0, words.length),
      countBehind: popCountWords(words, 3, words.length),
    };
  },
  ({ bits, from, to }) => {
    const sorted = bits.toSorted((a, b) => a - b);
    return {
      next: sorted.find((bit) => bit >= from) ?? -1,
      previous: sorted.findLast((bit) => bit <= from) ?? -1,
      list: sorted.filter((bit) => bit >= from && bit < to),
      count: bits.length,
      countBehind: bits.filter((bit) => bit >= 96).length,
    };
  },
  fc
    .record({ bits: fc.uniqueArray(fc.nat(SIZE - 1)), from: fc.nat(SIZE - 1), size: fc.nat(SIZE) })
    .map(({ bits, from, size }) => ({ bits, from, to: Math.min(SIZE, from + size) })),
  500,
);

kernelContract(
  'nextSetBit leaves out bits from the size on',
  ({ bits, size }) => nextSetBit(wordsOf(bits), size, 0),
  ({ bits, size }) => bits.toSorted((a, b) => a - b).find((bit) => bit < size) ?? -1,
  fc.record({ bits: fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: 3 }), size: fc.nat(SIZE) }),
);
