import { bench } from '@shoal/testing';
import { gatherDistinct, replaceByIndexes, valueTable } from './value-table.kernel.js';

const COUNT = 4096;
const table = valueTable();
const values = Int32Array.from({ length: COUNT }, (_, i) => (Math.imul(i, 0x9e3779b1) >>> 25) * 1000);
const scratch = new Int32Array(COUNT);
bench('gather 128 distinct values', COUNT, () => void gatherDistinct(table, values, COUNT, 256));
bench('replace them by their places', COUNT, () => {
  scratch.set(values);
  replaceByIndexes(table, scratch, COUNT);
});
