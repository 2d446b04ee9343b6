import { bench } from '@shoal/testing';
import { bitsToList, nextSetBit, popCountWords } from './bit-words.kernel.js';

const WORDS = 2048;
const BITS = WORDS * 32;
const out = new Int32Array(BITS);
for (const every of [2, 64]) {
  const words = new Int32Array(WORDS);
  for (let bit = 0; bit < BITS; bit += every) words[bit >>> 5]! |= 1 << (bit & 31);
  bench(`list of set bits, every ${every}th`, BITS / every, () => void bitsToList(words, 0, BITS, out));
  bench(`next set bit, every ${every}th`, BITS / every, () => {
    for (let bit = nextSetBit(words, BITS, 0); bit >= 0; bit = nextSetBit(words, BITS, bit + 1)) out[0] = bit;
  });
  bench(`count of words, every ${every}th`, WORDS, () => void popCountWords(words, 0, WORDS));
}
