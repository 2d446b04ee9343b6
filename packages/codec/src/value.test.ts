import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeValue, encodeValue, type Value, ValueReader, ValueWriter } from './index.js';

test('whole numbers of 64 bits come back as they were, signed or unsigned', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (value) => {
      assert.deepEqual(decodeValue(encodeValue([value, null])), [value, null]);
    }),
  );
  for (const value of [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n])
    assert.equal(decodeValue(encodeValue(value)), value);
});

const VALUES = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Value>(null, undefined, true, false),
    fc.double(),
    fc.string(),
    fc.uint8Array().map((bytes): Value => new Uint8Array(bytes)),
    fc.array(fc.double()).map((list): Value => Float64Array.from(list)),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
  ),
})).value;

test('values are written and read in steps as at once', () => {
  fc.assert(
    fc.property(VALUES, fc.integer({ min: 1, max: 5 }), (value, atOnce) => {
      const writer = new ValueWriter(value);
      while (!writer.advance(atOnce));
      const bytes = writer.bytes();
      assert.deepEqual(Buffer.from(bytes), Buffer.from(encodeValue(value)));
      const reader = new ValueReader(bytes);
      while (!reader.advance(atOnce));
      assert.deepEqual(reader.value, decodeValue(bytes));
    }),
  );
});

test('a long list is written and read in as many steps as it needs', () => {
  const writer = new ValueWriter([Array.from({ length: 1000 }, (_, i) => [i])]);
  let steps = 1;
  while (!writer.advance(100)) steps++;
  assert.ok(steps >= 20, `${steps} steps`);
  const reader = new ValueReader(writer.bytes());
  for (steps = 1; !reader.advance(100); ) steps++;
  assert.ok(steps >= 20, `${steps} steps`);
});

test('values that are read in steps are refused as at once', () => {
  const deep = encodeValue(Array.from({ length: 300 }).reduce<Value>((inner) => [inner], null));
  const reader = new ValueReader(deep);
  assert.throws(() => reader.advance(1000), /nested deeper than 200/);
  assert.throws(() => new ValueReader(encodeValue([1, 2]).subarray(0, 2)), /array of 2 values in 0 bytes/);
});
