import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { dotProduct, squareDistance } from './compare-vectors.kernel.js';

const whole = fc.integer({ min: -128, max: 127 });
const pairs = fc.record({
  pairs: fc.array(fc.tuple(whole, whole), { maxLength: 11 }),
  aAt: fc.nat(3),
  bAt: fc.nat(3),
  isByte: fc.boolean(),
});
type Kernel = typeof dotProduct;

function fast(kernel: Kernel) {
  return ({
    pairs: given,
    aAt,
    bAt,
    isByte,
  }: {
    pairs: [number, number][];
    aAt: number;
    bAt: number;
    isByte: boolean;
  }) => {
    const made = (at: number, side: 0 | 1): Float32Array | Int8Array => {
      const values = [...Array.from({ length: at }, () => 99), ...given.map((pair) => pair[side]), 77];
      return isByte ? Int8Array.from(values) : Float32Array.from(values);
    };
    return kernel(made(aAt, 0), aAt, made(bAt, 1), bAt, given.length);
  };
}

const plain =
  (of: (a: number, b: number) => number) =>
  ({ pairs: given }: { pairs: [number, number][] }) =>
    given.reduce((sum, [a, b]) => sum + of(a, b), 0);

kernelContract(
  'dotProduct multiplies what it is told to',
  fast(dotProduct),
  plain((a, b) => a * b),
  pairs,
);
kernelContract(
  'squareDistance adds squares of differences',
  fast(squareDistance),
  plain((a, b) => (a - b) ** 2),
  pairs,
);
