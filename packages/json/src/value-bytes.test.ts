import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stringify } from './stringify.js';
import { decodeJson, encodeJson } from './value-bytes.js';

test('what nodes tell each other arrives with all digits', () => {
  const value = {
    mapping: { _meta: { big: 12345678901234567890n, list: [9007199254740993n, 1.5, 'a1234567890123456789'] } },
    n: 7,
  };
  assert.deepEqual(decodeJson(encodeJson(value)), value);
  assert.equal(decodeJson(encodeJson(undefined)), null);
  assert.equal(decodeJson(new Uint8Array(0)), null);
});

test('any JSON value has the same text after the way there and back', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => assert.equal(stringify(decodeJson(encodeJson(value))), stringify(value))),
  );
});
