import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import {
  countPostings,
  gallop,
  markPostings,
  scoreFreqs,
  scorePostings,
  scorePostingsFlat,
  sumConstant,
  sumPostings,
  sumScores,
} from './score.kernel.js';

const MAX_DOC = 96;
const BASE = 32;
const { fround } = Math;

const norms = Uint8Array.from({ length: MAX_DOC }, (_, doc) => (doc * 7) % 5);
const cache = Float32Array.from({ length: 5 }, (_, norm) => 1 / (1.2 * (0.25 + 0.75 * (norm + 1))));
/** BM25 in floats: weight - weight / (1 + freq · inverse norm). */
const plainScore = (weight: number, freq: number, inverse: number): number =>
  fround(weight - fround(weight / fround(1 + fround(freq * inverse))));

const input = fc.record({
  /** Documents of the window from BASE on, with frequencies. */
  postings: fc
    .uniqueArray(fc.tuple(fc.integer({ min: BASE, max: MAX_DOC - 1 }), fc.integer({ min: 1, max: 9 })), {
      selector: ([doc]) => doc,
    })
    .map((all) => all.toSorted((a, b) => a[0] - b[0])),
  start: fc.nat(4),
  weight: fc.float({ min: fround(0.1), max: 20, noNaN: true }),
});
const docsOf = (postings: readonly (readonly number[])[]): Int32Array => Int32Array.from(postings, ([doc]) => doc!);
const freqsOf = (postings: readonly (readonly number[])[]): Int32Array =>
  Int32Array.from(postings, ([, freq]) => freq!);
const bitsOf = (words: Int32Array): number[] =>
  Array.from({ length: MAX_DOC - BASE }, (_, i) => i).filter((i) => (words[i >> 5]! >>> (i & 31)) & 1);

kernelContract(
  'scorePostings, scorePostingsFlat and scoreFreqs score as BM25',
  ({ postings, start, weight }) => {
    const [docs, freqs] = [docsOf(postings), freqsOf(postings)];
    const [first, size] = [Math.min(start, docs.length), Math.max(0, docs.length - start)];
    const [scores, flat, floats] = [new Float64Array(size), new Float64Array(size), Float64Array.from(freqs)];
    scorePostings(docs, freqs, first, docs.length, norms, cache, weight, scores, 0);
    scorePostingsFlat(freqs, first, docs.length, cache[1]!, weight, flat, 0);
    const noNorms = Float64Array.from(freqs);
    scoreFreqs(docs, docs.length, norms, cache, weight, floats);
    scoreFreqs(docs, docs.length, null, cache, weight, noNorms);
    return { scores: [...scores], flat: [...flat], floats: [...floats], noNorms: [...noNorms] };
  },
  ({ postings, start, weight }) => {
    const scored = postings.map(([doc, freq]) => plainScore(weight, freq, cache[norms[doc]!]!));
    const flat = postings.map(([, freq]) => plainScore(weight, freq, cache[1]!));
    return { scores: scored.slice(start), flat: flat.slice(start), floats: scored, noNorms: flat };
  },
  input,
);

kernelContract(
  'sumPostings, sumConstant and sumScores add to the sums of a window and set the bits of documents',
  ({ postings, start, weight }) => {
    const [docs, freqs] = [docsOf(postings), freqsOf(postings)];
    const first = Math.min(start, docs.length);
    return [0, 1, 2].map((which) => {
      const [sums, words] = [new Float64Array(MAX_DOC - BASE).fill(1), new Int32Array(2)];
      if (which === 0) sumPostings(docs, freqs, first, docs.length, BASE, norms, cache, weight, sums, words);
      if (which === 1) sumConstant(docs, first, docs.length, BASE, weight, sums, words);
      if (which === 2)
        sumScores(
          docs.subarray(first),
          Float64Array.from(freqs.subarray(first)),
          docs.length - first,
          BASE,
          sums,
          words,
        );
      return { sums: [...sums], bits: bitsOf(words) };
    });
  },
  ({ postings, start, weight }) => {
    const kept = postings.slice(start);
    return [0, 1, 2].map((which) => {
      const sums = Array<number>(MAX_DOC - BASE).fill(1);
      for (const [doc, freq] of kept)
        sums[doc - BASE]! += which === 0 ? plainScore(weight, freq, cache[norms[doc]!]!) : which === 1 ? weight : freq;
      return { sums, bits: kept.map(([doc]) => doc - BASE) };
    });
  },
  input,
);

kernelContract(
  'markPostings sets bits and countPostings counts up to 255',
  ({ postings, start }) => {
    const docs = docsOf(postings);
    const [words, counts] = [new Int32Array(2), new Uint8Array(MAX_DOC - BASE).fill(254)];
    markPostings(docs, Math.min(start, docs.length), docs.length, BASE, words);
    for (let i = 0; i < 2; i++) countPostings(docs, 0, docs.length, BASE, counts);
    return { bits: bitsOf(words), counted: [...counts] };
  },
  ({ postings, start }) => ({
    bits: postings.slice(start).map(([doc]) => doc - BASE),
    counted: Array.from({ length: MAX_DOC - BASE }, (_, i) => (postings.some(([doc]) => doc === BASE + i) ? 255 : 254)),
  }),
  input,
);

kernelContract(
  'gallop finds the first document at or behind the target',
  ({ docs, from, target }) => gallop(Int32Array.from([...docs, 0]), Math.min(from, docs.length), docs.length, target),
  ({ docs, from, target }) => {
    const found = docs.findIndex((doc, i) => i >= from && doc >= target);
    return found < 0 ? docs.length : found;
  },
  fc.record({
    docs: fc.uniqueArray(fc.nat(200)).map((all) => all.toSorted((a, b) => a - b)),
    from: fc.nat(5),
    target: fc.nat(210),
  }),
  500,
);
