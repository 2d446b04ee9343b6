import { bench } from '@shoal/testing';
import { countMany, countMapped, keepOrdinals, usedOrdinals } from './terms.kernel.js';

const COUNT = 4096;
const ordinals = Int32Array.from({ length: COUNT }, (_, i) => (Math.imul(i, 0x9e3779b1) >>> 22) - 1);
const map = Int32Array.from({ length: 1024 }, (_, i) => 1023 - i);
const counts = new Int32Array(1024);
const docs = Int32Array.from({ length: COUNT }, (_, i) => i);
const starts = Int32Array.from({ length: COUNT + 1 }, (_, i) => i);
const values = ordinals.map((ordinal) => Math.max(0, ordinal));
const [outDocs, outIds] = [new Int32Array(COUNT), new Int32Array(COUNT)];
bench('count ordinals', COUNT, () => countMapped(ordinals, COUNT, null, counts));
bench('count ordinals by a map', COUNT, () => countMapped(ordinals, COUNT, map, counts));
bench('count ordinals of documents with several', COUNT, () => countMany(starts, values, docs, COUNT, map, counts));
bench('pairs of documents and ordinals', COUNT, () => {
  keepOrdinals(docs, ordinals, COUNT, map, -1, outDocs, outIds);
});
bench('ordinals that occur', 1024, () => void usedOrdinals(counts, 1));
