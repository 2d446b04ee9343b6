import { bench } from '@shoal/testing';
import { keepCodesBetween, keepOrdinalsBetween, ordinalCodes } from './codes.kernel.js';

const COUNT = 4096;
const ordinals = Int32Array.from({ length: COUNT }, (_, i) => (Math.imul(i, 0x9e3779b1) >>> 22) - 1);
const map = Int32Array.from({ length: 1024 }, (_, i) => 1023 - i);
const codes = new Float64Array(COUNT);
const rows = new Int32Array(COUNT);
bench('codes of ordinals', COUNT, () => ordinalCodes(ordinals, COUNT, map, codes));
const docs = Int32Array.from({ length: COUNT }, (_, i) => i);
const kept = new Float64Array(COUNT);
bench('codes of a page', COUNT, () => void keepCodesBetween(codes, COUNT, 100, 600, Number.NaN, rows, kept));
bench('ordinals of a page', COUNT, () => {
  keepOrdinalsBetween(ordinals, docs, COUNT, map, 100, 600, Number.NaN, rows, kept);
});
