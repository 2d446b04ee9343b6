import { bench } from '@shoal/testing';
import { packBits, packedBytes, unpackBits } from './bit-pack.kernel.js';

const COUNT = 128;
for (const width of [1, 5, 8, 13, 20, 32]) {
  const mask = width === 32 ? -1 : 2 ** width - 1;
  const values = Int32Array.from({ length: COUNT }, (_, i) => Math.imul(i + 1, 0x9e3779b1) & mask);
  const bytes = new Uint8Array(packedBytes(COUNT, width) + 8);
  const out = new Int32Array(COUNT);
  bench(`pack, ${width} bits`, COUNT, () => void packBits(values, 0, COUNT, width, bytes, 0));
  bench(`unpack, ${width} bits`, COUNT, () => unpackBits(bytes, 0, width, COUNT, out, 0));
}
