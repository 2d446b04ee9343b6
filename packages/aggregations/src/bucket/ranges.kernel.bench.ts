import { bench } from '@shoal/testing';
import { countDisjoint, countRanges, keepDisjoint, keepRanges } from './ranges.kernel.js';

const COUNT = 4096;
const values = Float64Array.from({ length: COUNT }, (_, i) => (Math.imul(i, 0x9e3779b1) >>> 8) / 2 ** 18);
const docs = Int32Array.from({ length: COUNT }, (_, i) => i);
const froms = Float64Array.of(0, 16, 32, 48);
const tos = Float64Array.of(16, 32, 48, 64);
const counts = new Int32Array(4);
const [outDocs, outIds] = [new Int32Array(4 * COUNT + 1), new Int32Array(4 * COUNT + 1)];
bench('count in 4 ranges', COUNT, () => countRanges(values, null, COUNT, froms, tos, counts));
bench('count in 4 ranges that do not overlap', COUNT, () => countDisjoint(values, null, COUNT, froms, tos, counts));
bench('pairs of 4 ranges', COUNT, () => void keepRanges(docs, values, null, COUNT, froms, tos, outDocs, outIds));
bench('pairs of 4 ranges that do not overlap', COUNT, () => {
  keepDisjoint(docs, values, null, COUNT, froms, tos, outDocs, outIds);
});
