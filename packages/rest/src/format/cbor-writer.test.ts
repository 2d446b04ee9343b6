import assert from 'node:assert/strict';
import test from 'node:test';
import { decode } from 'cbor-x';
import fc from 'fast-check';
import { parseBody } from './body-values.js';
import { cborWriter } from './cbor-writer.js';

function written(json: string, step = Infinity): Buffer {
  const writer = cborWriter(Buffer.from(json));
  while (writer.advance(step));
  return writer.bytes();
}

test('answers are written as CBOR whose arrays and maps end with a break', () => {
  const cases: readonly (readonly [json: string, hex: string])[] = [
    ['{"a":1,"b":[true,null]}', 'bf6161016162' + '9ff5f6ffff'],
    ['[0,23,24,256,65536,4294967296,-1,-25]', '9f001718181901001a000100001b00000001000000002038' + '18ff'],
    ['[18446744073709551615,-18446744073709551616]', '9f1bffffffffffffffff3bffffffffffffffffff'],
    ['[18446744073709551616,1.5]', '9ffb43f0000000000000fb3ff8000000000000ff'],
    ['"a\\n\u00e4"', '64610ac3a4'],
    [' { } ', 'bfff'],
  ];
  for (const [json, hex] of cases) assert.equal(written(json).toString('hex'), hex, json);
});

/** A value with numbers in place of bigints, as which integers of eight bytes are read. */
const withNumbers = (read: unknown): unknown =>
  JSON.parse(JSON.stringify(read, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)));

test('what is written in steps is read as it was, by the reader of bodies and by another decoder', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 1, max: 9 }), (value, step) => {
      const json = JSON.stringify(value);
      const bytes = written(json, step);
      assert.deepEqual(bytes, written(json));
      assert.deepEqual(withNumbers(parseBody(bytes, 'cbor')), JSON.parse(json));
      if (json.includes('__proto__')) return;
      assert.deepEqual(withNumbers(decode(bytes)), JSON.parse(json));
    }),
    {
      examples: [
        [[-2826938691295863], 1],
        [[4503599627370496], 1],
      ],
    },
  );
});
