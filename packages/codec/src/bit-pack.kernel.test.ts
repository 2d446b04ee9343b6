import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { bitsOf, packBits, packedAt, packedBytes, unpackBits } from './bit-pack.kernel.js';

interface Packed {
  readonly width: number;
  readonly raw: readonly number[];
  /** Offset of the packed values. */
  readonly at: number;
}

const packed = fc.record({
  width: fc.integer({ min: 0, max: 32 }),
  raw: fc.array(fc.integer(), { maxLength: 140 }),
  at: fc.nat(5),
});

const masked = ({ width, raw }: Packed): Int32Array =>
  Int32Array.from(raw, (value) => (width === 0 ? 0 : value & (-1 >>> (32 - width))));

/** Value i takes bits [i · width, (i + 1) · width), the lowest bit of a byte first. */
function plainBytes(input: Packed): Uint8Array {
  const bytes = new Uint8Array(input.at + packedBytes(input.raw.length, input.width) + 16);
  masked(input).forEach((value, i) => {
    for (let b = 0; b < input.width; b++) {
      const bit = i * input.width + b;
      bytes[input.at + (bit >>> 3)]! |= ((value >>> b) & 1) << (bit & 7);
    }
  });
  return bytes;
}

kernelContract(
  'packBits writes each value bit by bit',
  (input) => {
    const bytes = new Uint8Array(input.at + packedBytes(input.raw.length, input.width) + 16);
    const end = packBits(masked(input), 0, input.raw.length, input.width, bytes, input.at);
    return { end, bytes };
  },
  (input) => ({ end: input.at + packedBytes(input.raw.length, input.width), bytes: plainBytes(input) }),
  packed,
  500,
);

kernelContract(
  'unpackBits and packedAt read what was packed bit by bit',
  (input) => {
    const bytes = plainBytes(input);
    const out = new Int32Array(input.raw.length);
    unpackBits(bytes, input.at, input.width, out.length, out, 0);
    return { out, single: out.map((_, i) => packedAt(bytes, input.at, input.width, i)) };
  },
  (input) => ({ out: masked(input), single: masked(input) }),
  packed,
  500,
);

kernelContract(
  'bitsOf is the length of the binary number',
  bitsOf,
  (value) => (value === 0 ? 0 : (value >>> 0).toString(2).length),
  fc.integer(),
);
