import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { fillMissing, fillMissingMany, isContiguous } from './read.kernel.js';

kernelContract(
  'isContiguous finds runs without holes and repeats',
  (docs) => isContiguous(Int32Array.from(docs), docs.length),
  (docs) => docs.length > 0 && docs.every((doc, i) => doc === docs[0]! + i),
  fc.oneof(
    fc.array(fc.nat(6)).map((docs) => docs.sort((a, b) => a - b)),
    fc.tuple(fc.nat(9), fc.nat(9)).map(([from, size]) => Array.from({ length: size }, (_, i) => from + i)),
  ),
);

const values = fc.array(fc.oneof(fc.constant(Number.NaN), fc.double({ noNaN: true })), { maxLength: 20 });

kernelContract(
  'fillMissing replaces what is no number up to the count',
  ({ own, missing }) => {
    const filled = Float64Array.from(own);
    fillMissing(filled, own.length - 1, missing);
    return [...filled];
  },
  ({ own, missing }) => own.map((value, i) => (Number.isNaN(value) && i < own.length - 1 ? missing : value)),
  fc.record({ own: values.filter((own) => own.length > 0), missing: fc.double({ noNaN: true }) }),
);

kernelContract(
  'fillMissingMany gives documents without values the missing one',
  ({ lists, missing }) => {
    const starts = Int32Array.from([0, ...lists.map((_, i) => lists.slice(0, i + 1).flat().length)]);
    const filled = fillMissingMany({ starts, values: Float64Array.from(lists.flat()) }, lists.length, missing);
    return lists.map((_, i) => [...filled.values.subarray(filled.starts[i], filled.starts[i + 1])]);
  },
  ({ lists, missing }) => lists.map((list) => (list.length === 0 ? [missing] : list)),
  fc.record({ lists: fc.array(fc.array(fc.integer(), { maxLength: 3 }), { maxLength: 9 }), missing: fc.integer() }),
);
