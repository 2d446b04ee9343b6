import { bench } from '@shoal/testing';
import { decodePatched, encodePatched, patchedBytesMax } from './patched-block.kernel.js';

const COUNT = 128;
/** Gaps between the postings of a term that occurs in every fortieth document on average. */
const gaps = Int32Array.from({ length: COUNT }, (_, i) =>
  Math.floor(-40 * Math.log(((Math.imul(i + 1, 0x9e3779b1) >>> 8) + 1) / 2 ** 24)),
);
const bytes = new Uint8Array(patchedBytesMax(COUNT) + 8);
const histogram = new Int32Array(33);
const scratch = new Int32Array(COUNT);
const out = new Int32Array(COUNT);
bench('encode a patched block', COUNT, () => {
  scratch.set(gaps);
  encodePatched(scratch, 0, COUNT, bytes, 0, histogram);
});
bench('decode a patched block', COUNT, () => void decodePatched(bytes, 0, COUNT, out, 0));
