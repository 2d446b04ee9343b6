import { bench } from '@shoal/testing';
import { encodeNumbers, numberEncoder } from './encode-number-block.js';
import { BLOCK_VALUES, decodeNumbers, loadNumberBlock, numberAt, numberBlock } from './number-block.kernel.js';

const random = (i: number): number => Math.imul(i, 0x9e3779b1) >>> 0;
const KINDS: Readonly<Record<string, (i: number) => number>> = {
  timestamps: (i) => 1_700_000_000_000 + i * 1000 + (random(i) % 900),
  'few distinct numbers': (i) => (random(i) % 20) * 977,
  prices: (i) => (random(i) % 100_000) / 100,
  doubles: (i) => random(i) / 7,
};
const encoder = numberEncoder();
const out = new Float64Array(BLOCK_VALUES);
const scratch = new Int32Array(BLOCK_VALUES);
for (const [kind, valueOf] of Object.entries(KINDS)) {
  const values = Float64Array.from({ length: BLOCK_VALUES }, (_, i) => valueOf(i));
  const chunk = new Uint8Array(encodeNumbers(encoder, values, BLOCK_VALUES) + 8);
  chunk.set(encoder.out.subarray(0, chunk.length - 8));
  const block = numberBlock();
  loadNumberBlock(chunk, 0, BLOCK_VALUES, block);
  let sum = 0;
  bench(`decode ${kind}`, BLOCK_VALUES, () => decodeNumbers(chunk, block, out, 0, scratch));
  bench(`read ${kind} one by one`, BLOCK_VALUES, () => {
    for (let i = 0; i < BLOCK_VALUES; i++) sum += numberAt(chunk, block, i);
  });
  if (Number.isNaN(sum)) throw new Error('a value is no number');
}
