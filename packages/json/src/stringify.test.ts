import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonText } from './json-text.js';
import { stringify, stringifyMixed } from './stringify.js';

test('integers beyond 2^53 and ready text keep all their characters, undefined members are left out', () => {
  assert.equal(
    stringify({
      a: 9223372036854775807n,
      b: new JsonText('4.0'),
      c: undefined,
      d: [undefined, new JsonText('1.0E10'), 'x"'],
    }),
    '{"a":9223372036854775807,"b":4.0,"d":[null,1.0E10,"x\\""]}',
  );
  assert.equal(stringify(new JsonText('{"_score":1.0}')), '{"_score":1.0}');
});

test('values of both kinds print alike', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => assert.equal(stringifyMixed(value), JSON.stringify(value))),
  );
  assert.equal(
    stringifyMixed({ a: Number.NaN, 'k"\u2028\n': '\u0001é\ud800', c: undefined, d: [], e: {}, f: -0 }),
    JSON.stringify({ a: Number.NaN, 'k"\u2028\n': '\u0001é\ud800', c: undefined, d: [], e: {}, f: -0 }),
  );
});
