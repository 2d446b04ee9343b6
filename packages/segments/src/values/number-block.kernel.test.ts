import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeInt64, encodeNumbers, numberEncoder } from './encode-number-block.js';
import {
  BLOCK_VALUES,
  decodeInts,
  decodeNumbers,
  int64High,
  int64Low,
  loadNumberBlock,
  NUMBER_MODE,
  numberAt,
  numberBlock,
} from './number-block.kernel.js';

const encoder = numberEncoder();

function roundTrip(values: readonly number[]): number {
  const input = Float64Array.from(values);
  const bytes = encodeNumbers(encoder, input, input.length);
  const chunk = new Uint8Array(bytes + 8);
  chunk.set(encoder.out.subarray(0, bytes));
  const block = numberBlock();
  loadNumberBlock(chunk, 0, values.length, block);
  const out = new Float64Array(BLOCK_VALUES);
  decodeNumbers(chunk, block, out, 0, new Int32Array(BLOCK_VALUES));
  assert.deepEqual([...out.subarray(0, values.length)], values);
  for (let i = 0; i < values.length; i++) assert.ok(Object.is(numberAt(chunk, block, i), values[i]), `value ${i}`);
  return bytes;
}

const integers = fc.oneof(fc.nat(3), fc.nat(100_000), fc.integer(), fc.maxSafeInteger());

test('blocks of any integers come back exactly', () => {
  fc.assert(
    fc.property(
      fc.array(integers, { minLength: 1, maxLength: 300 }),
      (values) => void roundTrip(values.map((v) => v + 0)),
    ),
  );
});

test('blocks of any doubles, floats and decimals come back exactly', () => {
  const finite = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -1e6, max: 1e6 }).map((n) => n / 100),
  );
  fc.assert(fc.property(fc.array(finite, { minLength: 1, maxLength: 200 }), (values) => void roundTrip(values)));
  fc.assert(
    fc.property(
      fc.array(
        fc.integer({ min: -1e6, max: 1e6 }).map((n) => n / 100),
        { minLength: 1 },
      ),
      (values) => void roundTrip(values),
    ),
  );
});

test('constants, counters, steps, trends and few distinct values take little', () => {
  const list = (f: (i: number) => number): number[] => Array.from({ length: BLOCK_VALUES }, (_, i) => f(i));
  assert.ok(roundTrip(list(() => 7)) < 16);
  assert.ok(roundTrip(list((i) => 1e12 + i)) < 32);
  assert.ok(roundTrip(list((i) => 60_000 * (i % 16))) < BLOCK_VALUES / 2 + 64);
  assert.ok(roundTrip(list((i) => 1e12 + 1000 * i + ((i * 7919) % 64))) < BLOCK_VALUES + 64);
  assert.ok(roundTrip(list((i) => [200, 304, 404, 100_000][(i * 7919) % 4]!)) < BLOCK_VALUES / 4 + 64);
  assert.ok(roundTrip(list((i) => ((i * 7919) % 100) / 100)) < BLOCK_VALUES);
});

test('integers beyond 2^53 are kept in two halves', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 100 }),
      (values) => {
        const bytes = encodeInt64(encoder, values);
        const chunk = new Uint8Array(bytes + 8);
        chunk.set(encoder.out.subarray(0, bytes));
        const block = numberBlock();
        loadNumberBlock(chunk, 0, values.length, block);
        values.forEach((value, i) => {
          assert.equal((BigInt(int64High(chunk, block, i)) << 32n) | BigInt(int64Low(chunk, block, i) >>> 0), value);
          assert.equal(numberAt(chunk, block, i), Number(value));
        });
      },
    ),
  );
});

test('unsigned integers up to 2^64 - 1 are kept beside small ones, blocks without them stay as they were', () => {
  const read = (values: readonly bigint[]): { readonly mode: number; readonly doubles: number[] } => {
    const bytes = encodeInt64(encoder, values);
    const chunk = new Uint8Array(bytes + 8);
    chunk.set(encoder.out.subarray(0, bytes));
    const block = numberBlock();
    loadNumberBlock(chunk, 0, values.length, block);
    const doubles = new Float64Array(BLOCK_VALUES);
    decodeNumbers(chunk, block, doubles, 0, new Int32Array(BLOCK_VALUES));
    return { mode: block.mode, doubles: [...doubles.subarray(0, values.length)] };
  };
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { minLength: 1, maxLength: 100 }), (values) => {
      const { mode, doubles } = read(values);
      assert.deepEqual(doubles, values.map(Number));
      assert.equal(mode, values.some((value) => value >= 2n ** 63n) ? NUMBER_MODE.uint64 : NUMBER_MODE.int64);
    }),
  );
});

test('blocks of ordinals decode into integers', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1 << 20), { minLength: 1 }), (values) => {
      for (const sorted of [values, values.toSorted((a, b) => a - b)]) {
        const bytes = encodeNumbers(encoder, Float64Array.from(sorted), sorted.length);
        const chunk = new Uint8Array(bytes + 8);
        chunk.set(encoder.out.subarray(0, bytes));
        const block = numberBlock();
        loadNumberBlock(chunk, 0, sorted.length, block);
        const out = new Int32Array(sorted.length);
        decodeInts(chunk, block, out, 0);
        assert.deepEqual([...out], sorted);
      }
    }),
  );
});
