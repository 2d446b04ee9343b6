import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import {
  countMany,
  countMapped,
  gatherMany,
  gatherOrdinals,
  idsFrom,
  keepOrdinals,
  sumCounts,
  totalOf,
  usedOrdinals,
} from './terms.kernel.js';

const ORDINALS = 6;
const map = fc.option(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: ORDINALS }));
const single = fc.record({
  ordinals: fc.array(fc.integer({ min: -1, max: ORDINALS - 1 }), { minLength: 1, maxLength: 20 }),
  map,
  missing: fc.constantFrom(-1, ORDINALS),
});

const idsOf = (own: number, mapped: readonly number[] | null, missing: number): number =>
  own < 0 ? missing : (mapped?.[own] ?? own);
const countsOf = (ids: readonly number[]): number[] =>
  Array.from({ length: ORDINALS + 1 }, (_, id) => ids.filter((own) => own === id).length);

kernelContract(
  'countMapped and keepOrdinals take the ordinal of each document',
  (input) => {
    const ordinals = Int32Array.from(input.ordinals);
    const numbered = input.map && Int32Array.from(input.map);
    const counts = new Int32Array(ORDINALS + 1);
    countMapped(ordinals, ordinals.length, numbered, counts);
    const docs = ordinals.map((_, i) => i * 2);
    const [outDocs, outIds] = [new Int32Array(docs.length), new Int32Array(docs.length)];
    const size = keepOrdinals(docs, ordinals, docs.length, numbered, input.missing, outDocs, outIds);
    return { counts: [...counts], pairs: Array.from({ length: size }, (_, i) => [outDocs[i], outIds[i]]) };
  },
  (input) => ({
    counts: countsOf(input.ordinals.map((own) => idsOf(own, input.map, -1))),
    pairs: input.ordinals.map((own, i) => [i * 2, idsOf(own, input.map, input.missing)]).filter(([, id]) => id! >= 0),
  }),
  single,
);

kernelContract(
  'gatherMany, gatherOrdinals and countMany take the ordinals of some documents',
  ({ lists, docs, map: mapped }) => {
    const starts = Int32Array.from([0, ...lists.map((_, i) => lists.slice(0, i + 1).flat().length)]);
    const values = Int32Array.from(lists.flat());
    const wanted = Int32Array.from(docs, (doc) => doc % lists.length);
    const out = { starts: new Int32Array(1), values: new Int32Array(0) };
    gatherMany(starts, values, wanted, wanted.length, out);
    const counts = new Int32Array(ORDINALS + 1);
    countMany(starts, values, wanted, wanted.length, mapped && Int32Array.from(mapped), counts);
    const firsts = new Int32Array(wanted.length);
    gatherOrdinals(
      Int32Array.from(lists, (list) => list.length),
      wanted,
      wanted.length,
      firsts,
    );
    const gathered = docs.map((_, i) => [...out.values.subarray(out.starts[i], out.starts[i + 1])]);
    return { gathered, counts: [...counts], firsts: [...firsts] };
  },
  ({ lists, docs, map: mapped }) => {
    const gathered = docs.map((doc) => lists[doc % lists.length]!);
    const counts = countsOf(gathered.flat().map((own) => idsOf(own, mapped, -1)));
    return { gathered, counts, firsts: gathered.map((list) => list.length) };
  },
  fc.record({
    lists: fc.array(fc.uniqueArray(fc.nat(ORDINALS - 1)), { minLength: 1, maxLength: 6 }),
    docs: fc.array(fc.nat(20), { maxLength: 12 }),
    map,
  }),
);

kernelContract(
  'usedOrdinals, idsFrom, sumCounts and totalOf look at counts',
  ({ counts, least, places }) => {
    const all = Int32Array.from(counts);
    const used = usedOrdinals(all, 1);
    const histogram = new Int32Array(places);
    const sum = sumCounts(used, all, histogram);
    return {
      used: [...used],
      frequent: [...idsFrom(used, all, least)],
      sum,
      total: totalOf(used, all),
      histogram: [...histogram],
    };
  },
  ({ counts, least, places }) => {
    const used = counts.map((_, id) => id).filter((id) => counts[id]! >= 1);
    const sum = counts.reduce((total, count) => total + count, 0);
    const histogram = Array.from(
      { length: places },
      (_, place) => used.filter((id) => (place === places - 1 ? counts[id]! >= place : counts[id] === place)).length,
    );
    return { used, frequent: used.filter((id) => counts[id]! >= least), sum, total: sum, histogram };
  },
  fc.record({ counts: fc.array(fc.nat(5)), least: fc.nat(4), places: fc.integer({ min: 1, max: 5 }) }),
);
