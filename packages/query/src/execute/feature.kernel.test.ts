import { kernelContract } from '@shoal/testing';
import { featureOfFrequency, frequencyOfFeature } from '@shoal/values';
import fc from 'fast-check';
import { sumProducts } from './feature.kernel.js';

const BASE = 32;
const SIZE = 64;

const input = fc.record({
  /** Documents of the window from BASE on, with values of a feature. */
  postings: fc
    .uniqueArray(fc.tuple(fc.integer({ min: BASE, max: BASE + SIZE - 1 }), fc.double({ min: 1e-30, max: 1e30 })), {
      selector: ([doc]) => doc,
    })
    .map((all) => all.toSorted((a, b) => a[0] - b[0])),
  start: fc.nat(4),
  weight: fc.float({ min: 0, max: 20, noNaN: true }),
});

kernelContract(
  'products of features are added to the sums of their documents',
  ({ postings, start, weight }) => {
    const docs = Int32Array.from(postings, ([doc]) => doc);
    const freqs = Int32Array.from(postings, ([, value]) => frequencyOfFeature(value));
    const sums = new Float64Array(SIZE).fill(0.5);
    const words = new Int32Array(SIZE / 32);
    sumProducts(docs, freqs, start, Math.max(start, docs.length), BASE, weight, sums, words);
    return { sums: [...sums], words: [...words] };
  },
  ({ postings, start, weight }) => {
    const sums = Array.from({ length: SIZE }, () => 0.5);
    const words = [0, 0];
    for (const [doc, value] of postings.slice(start)) {
      const at = doc - BASE;
      sums[at]! += Math.fround(weight * featureOfFrequency(frequencyOfFeature(value)));
      words[at >> 5]! |= 1 << (at & 31);
    }
    return { sums, words };
  },
  input,
);
