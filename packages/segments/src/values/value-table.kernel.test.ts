import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { gatherDistinct, replaceByIndexes, valueTable } from './value-table.kernel.js';

const table = valueTable();

kernelContract(
  'values are replaced by their places among the distinct ones, in unsigned order',
  ({ values, most }) => {
    const own = Int32Array.from([...values, 12345]);
    if (!gatherDistinct(table, own, values.length, most)) return null;
    replaceByIndexes(table, own, values.length);
    return { places: [...own], distinct: [...table.distinct.subarray(0, table.count)] };
  },
  ({ values, most }) => {
    const distinct = [...new Set(values.map((value) => value >>> 0))].sort((a, b) => a - b);
    if (distinct.length > most) return null;
    return { places: [...values.map((value) => distinct.indexOf(value >>> 0)), 12345], distinct };
  },
  fc.record({
    values: fc.array(fc.oneof(fc.integer(), fc.integer({ min: -3, max: 3 })), { maxLength: 300 }),
    most: fc.constantFrom(2, 16, 256),
  }),
);
