import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyError, parseBody, readObject } from './strict-json.js';

test('prototypes, depth and broken JSON are refused', () => {
  for (const text of ['{"__proto__":{"a":1}}', '{"a":[{"constructor":1}]}', '{"a":{"prototype":{}}}', '{', '', 'x'])
    assert.throws(() => parseBody(text), BodyError, text);
  assert.throws(() => parseBody('['.repeat(60) + ']'.repeat(60)), /nested more than 50/);
  assert.deepEqual(parseBody('{"a":[1,{"b":null}]}'), { a: [1, { b: null }] });
});

test('objects have known members of the right kind', () => {
  assert.deepEqual(readObject({ a: 'x' }, { a: 'string', b: 'string?' }), { a: 'x' });
  for (const [value, message] of [
    [{ a: 'x', c: 1 }, /unknown key \[c\]/],
    [{ a: 1 }, /\[a\] must be a text/],
    [{}, /\[a\] must be a text/],
    [{ a: 'x', b: 2 }, /\[b\] must be a text/],
    [[], /must be an object/],
    [null, /must be an object/],
    [{ a: 'x', toString: 'y' }, /unknown key \[toString\]/],
  ] as const)
    assert.throws(() => readObject(value, { a: 'string', b: 'string?' }), message);
});
