import { bench } from '@shoal/testing';
import { place, textHash } from './hash-slots.kernel.js';

const COUNT = 10_000;
const texts = Array.from({ length: COUNT }, (_, i) => `term-${i}`);
const hashes = Int32Array.from(texts, textHash);
let sum = 0;
bench('hash of a short text', COUNT, () => {
  for (let i = 0; i < COUNT; i++) sum ^= textHash(texts[i]!);
});
bench('place in an empty table', COUNT, () => {
  const pairs = new Int32Array(4 * 16_384);
  for (let i = 0; i < COUNT; i++) place(pairs, hashes[i]!, i + 1);
});
process.stdout.write(`${sum}\n`);
