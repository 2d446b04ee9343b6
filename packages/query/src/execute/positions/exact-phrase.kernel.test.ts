import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { keepFollowed } from './exact-phrase.kernel.js';

const positions = fc.uniqueArray(fc.nat(20)).map((all) => all.toSorted((a, b) => a - b));

kernelContract(
  'keepFollowed keeps the starts of phrases whose next term stands at the offset',
  ({ starts, next, offset }) => {
    const kept = Int32Array.from(starts);
    const size = keepFollowed(kept, starts.length, Int32Array.from([...next, 99]), next.length, offset);
    return [...kept.subarray(0, size)];
  },
  ({ starts, next, offset }) => starts.filter((start) => next.includes(start + offset)),
  fc.record({ starts: positions, next: positions, offset: fc.integer({ min: -2, max: 3 }) }),
);
