import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { crcOf, crcTables, POLYNOMIAL } from './crc.kernel.js';

/** Reference: CRC computed bit by bit, by its definition. */
function plainCrc(polynomial: number, bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  }
  return ~crc >>> 0;
}

for (const [name, polynomial] of Object.entries(POLYNOMIAL)) {
  const tables = crcTables(polynomial);
  kernelContract(
    `${name} of a part, and of two parts one after the other, is that of its bits`,
    ({ bytes, from, cut }) => {
      const middle = Math.min(bytes.length, from + cut);
      const first = crcOf(tables, bytes, from, middle);
      return [crcOf(tables, bytes, from, bytes.length), crcOf(tables, bytes, middle, bytes.length, first)];
    },
    ({ bytes, from }) => Array(2).fill(plainCrc(polynomial, bytes.subarray(from))) as number[],
    fc.record({ bytes: fc.uint8Array({ maxLength: 100 }), from: fc.nat(9), cut: fc.nat(60) }).map((input) => ({
      ...input,
      from: Math.min(input.from, input.bytes.length),
    })),
  );
}

test('the checks of 123456789 are those of the catalogues', () => {
  const digits = new TextEncoder().encode('123456789');
  assert.equal(crcOf(crcTables(POLYNOMIAL.crc32c), digits, 0, 9), 0xe3069283);
  assert.equal(crcOf(crcTables(POLYNOMIAL.crc32), digits, 0, 9), 0xcbf43926);
});
