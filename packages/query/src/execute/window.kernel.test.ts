import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import {
  addConstant,
  addMatching,
  bitsToDocs,
  countInRange,
  drainDocs,
  drainSums,
  fillRange,
  keepBits,
  keepCompetitive,
  keepCounted,
  keepInRange,
  keepOrdinals,
  orBits,
  ordinalsToDocs,
  rangeToDocs,
  roundScores,
  subtractDocs,
} from './window.kernel.js';

const BASE = 64;
const SIZE = 128;

const ascending = (max: number): fc.Arbitrary<number[]> =>
  fc.uniqueArray(fc.nat(max - 1)).map((all) => all.toSorted((a, b) => a - b));
const wordsOf = (bits: readonly number[], size: number): Int32Array => {
  const words = new Int32Array(size / 32);
  for (const bit of bits) words[bit >> 5]! |= 1 << (bit & 31);
  return words;
};
const bitsOf = (words: Int32Array): number[] =>
  Array.from({ length: words.length * 32 }, (_, i) => i).filter((i) => (words[i >> 5]! >>> (i & 31)) & 1);
/** The first `size` documents with scores made of them, to see that both move together. */
const pairs = (docs: Int32Array, scores: Float64Array, size: number): number[][] =>
  Array.from({ length: size }, (_, i) => [docs[i]!, scores[i]!]);
const scoreOf = (doc: number): number => doc / 4;

kernelContract(
  'drainDocs and drainSums write the documents of set bits and clear them',
  (bits) => {
    const [words, more] = [wordsOf(bits, SIZE), wordsOf(bits, SIZE)];
    const [docs, scored, scores] = [new Int32Array(SIZE), new Int32Array(SIZE), new Float64Array(SIZE)];
    const sums = new Float64Array(SIZE);
    for (const bit of bits) sums[bit] = scoreOf(bit);
    const drained = [...docs.subarray(0, drainDocs(words, SIZE / 32, BASE, docs))];
    const sized = drainSums(more, SIZE / 32, BASE, sums, scored, scores);
    return {
      drained,
      sums: pairs(scored, scores, sized),
      left: [...bitsOf(words), ...bitsOf(more)],
      rest: Math.max(...sums),
    };
  },
  (bits) => ({
    drained: bits.map((bit) => BASE + bit),
    sums: bits.map((bit) => [BASE + bit, scoreOf(bit)]),
    left: [],
    rest: 0,
  }),
  ascending(SIZE),
);

kernelContract(
  'keepCounted keeps documents counted often enough and clears the counts',
  ({ counted, minimum, scored }) => {
    const docs = Int32Array.from(counted, (_, i) => BASE + i);
    const [counts, scores] = [Uint8Array.from(counted), Float64Array.from(docs, scoreOf)];
    const size = keepCounted(docs, docs.length, BASE, counts, minimum, scored ? scores : null);
    return {
      kept: pairs(docs, scored ? scores : Float64Array.from(docs, scoreOf), size),
      left: Math.max(0, ...counts),
    };
  },
  ({ counted, minimum }) => ({
    kept: counted.flatMap((count, i) => (count >= minimum ? [[BASE + i, scoreOf(BASE + i)]] : [])),
    left: 0,
  }),
  fc.record({ counted: fc.array(fc.nat(4), { maxLength: 20 }), minimum: fc.nat(4), scored: fc.boolean() }),
);

kernelContract(
  'bitsToDocs and orBits take the bits of a stretch',
  ({ bits, from, size }) => {
    const words = wordsOf(bits, SIZE);
    const to = Math.min(SIZE, from + size);
    const [docs, into] = [new Int32Array(SIZE), new Int32Array(SIZE / 32)];
    orBits(words, from, to, into);
    return { docs: [...docs.subarray(0, bitsToDocs(words, from, to, docs))], window: bitsOf(into) };
  },
  ({ bits, from, size }) => {
    const docs = bits.filter((bit) => bit >= from && bit < from + size);
    return { docs, window: docs.map((doc) => doc - from) };
  },
  fc.record({ bits: ascending(SIZE), from: fc.nat(SIZE - 2), size: fc.integer({ min: 1, max: SIZE }) }),
  500,
);

kernelContract(
  'keepBits, subtractDocs, addMatching and keepCompetitive change a list of documents with scores',
  ({ first, second, limit }) => {
    const fresh = (): [Int32Array, Float64Array] => [Int32Array.from(first), Float64Array.from(first, scoreOf)];
    const [set, unset, less, added, best] = [fresh(), fresh(), fresh(), fresh(), fresh()];
    const words = wordsOf(second, SIZE);
    const other = Int32Array.from(second);
    addMatching(
      added[0],
      first.length,
      added[1],
      other,
      Float64Array.from(second, () => 100),
      second.length,
    );
    return {
      set: pairs(...set, keepBits(words, set[0], first.length, set[1], 1)),
      unset: pairs(...unset, keepBits(words, unset[0], first.length, unset[1], 0)),
      less: pairs(...less, subtractDocs(less[0], first.length, less[1], other, second.length)),
      added: pairs(...added, first.length),
      best: pairs(...best, keepCompetitive(best[0], best[1], first.length, 5, limit)),
    };
  },
  ({ first, second, limit }) => {
    const all = first.map((doc) => [doc, scoreOf(doc)]);
    const isIn = ([doc]: number[]): boolean => second.includes(doc!);
    return {
      set: all.filter(isIn),
      unset: all.filter((pair) => !isIn(pair)),
      less: all.filter((pair) => !isIn(pair)),
      added: all.map((pair) => [pair[0], pair[1]! + (isIn(pair) ? 100 : 0)]),
      best: all.filter(([, score]) => score! + 5 >= limit),
    };
  },
  fc.record({ first: ascending(SIZE), second: ascending(SIZE), limit: fc.nat(40) }),
);

const value = fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -5, max: 5 }));

kernelContract(
  'ranges of values keep, count and list documents',
  ({ values, low, high }) => {
    const fresh = (): [Int32Array, Float64Array] => {
      const docs = Int32Array.from(values, (_, i) => BASE + i);
      return [docs, Float64Array.from(docs, scoreOf)];
    };
    const [kept, listed] = [fresh(), new Int32Array(values.length)];
    const [numbers, to] = [Float64Array.from(values), BASE + values.length];
    return {
      kept: pairs(...kept, keepInRange(kept[0], values.length, numbers, low, high, kept[1])),
      count: countInRange(numbers, values.length, low, high),
      listed: [...listed.subarray(0, rangeToDocs(numbers, BASE, to, low, high, listed))],
    };
  },
  ({ values, low, high }) => {
    const docs = values.flatMap((own, i) => (own >= low && own <= high ? [BASE + i] : []));
    return { kept: docs.map((doc) => [doc, scoreOf(doc)]), count: docs.length, listed: docs };
  },
  fc.record({ values: fc.array(value), low: fc.integer({ min: -6, max: 6 }), high: fc.integer({ min: -6, max: 6 }) }),
);

kernelContract(
  'ranges of ordinals keep and list documents',
  ({ ordinals, low, high }) => {
    const docs = Int32Array.from(ordinals, (_, i) => BASE + i);
    const [scores, listed, own] = [
      Float64Array.from(docs, scoreOf),
      new Int32Array(docs.length),
      Int32Array.from(ordinals),
    ];
    const list = [...listed.subarray(0, ordinalsToDocs(own, BASE, BASE + docs.length, low, high, listed))];
    return { list, kept: pairs(docs, scores, keepOrdinals(docs, ordinals.length, own, low, high, scores)) };
  },
  ({ ordinals, low, high }) => {
    const list = ordinals.flatMap((own, i) => (own >= low && own <= high ? [BASE + i] : []));
    return { list, kept: list.map((doc) => [doc, scoreOf(doc)]) };
  },
  fc.record({ ordinals: fc.array(fc.integer({ min: -1, max: 5 })), low: fc.nat(5), high: fc.nat(5) }),
);

kernelContract(
  'roundScores rounds to floats, addConstant adds and fillRange counts on',
  (scores) => {
    const [rounded, more] = [Float64Array.from(scores), Float64Array.from(scores)];
    roundScores(rounded, scores.length);
    addConstant(more, scores.length, 0.1);
    const docs = new Int32Array(scores.length);
    return { rounded: [...rounded], more: [...more], count: fillRange(docs, 7, 7 + scores.length), docs: [...docs] };
  },
  (scores) => ({
    rounded: scores.map(Math.fround),
    more: scores.map((score) => score + 0.1),
    count: scores.length,
    docs: scores.map((_, i) => 7 + i),
  }),
  fc.array(fc.double({ noNaN: true, min: 0, max: 1e6 })),
);
