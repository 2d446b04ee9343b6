import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { countMarks, markOrdinals } from './mark.kernel.js';

const ORDINALS = 6;

kernelContract(
  'markOrdinals marks the ordinals that occur, and countMarks counts them',
  ({ ordinals, map, missing }) => {
    const seen = new Uint8Array(ORDINALS + 1);
    markOrdinals(Int32Array.from(ordinals), ordinals.length, map && Int32Array.from(map), missing, seen);
    return { seen: [...seen], count: countMarks(seen) };
  },
  ({ ordinals, map, missing }) => {
    const marked = new Set(ordinals.map((own) => (own < 0 ? missing : (map?.[own] ?? own))).filter((own) => own >= 0));
    return { seen: Array.from({ length: ORDINALS + 1 }, (_, i) => Number(marked.has(i))), count: marked.size };
  },
  fc.record({
    ordinals: fc.array(fc.integer({ min: -1, max: ORDINALS - 1 })),
    map: fc.option(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: ORDINALS })),
    missing: fc.constantFrom(-1, ORDINALS),
  }),
);
