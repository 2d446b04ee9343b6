import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepEqual, extractValues, mergeDocuments } from './plain-object.js';

test('values are found through arrays and dotted keys', () => {
  const source = { a: [{ b: [1, [2]] }, { b: 3 }, 4], 'a.b': 5, 'x.y': { z: 6 } };
  assert.deepEqual(extractValues(source, 'a.b'), [5, 1, 2, 3]);
  assert.deepEqual(extractValues(source, 'x.y.z'), [6]);
  assert.deepEqual(extractValues(source, 'a.c'), []);
  assert.deepEqual(extractValues(source, 'constructor.name'), []);
});

test('a patch merges objects and replaces the rest, leaving both untouched', () => {
  const base = { a: { x: 1, y: 2 }, l: [1] };
  assert.deepEqual(mergeDocuments(base, { a: { y: 3 }, l: [2], n: null }), { a: { x: 1, y: 3 }, l: [2], n: null });
  assert.deepEqual(base, { a: { x: 1, y: 2 }, l: [1] });
  mergeDocuments({}, JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('equality looks at values, not at the order of keys', () => {
  assert.ok(deepEqual({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }));
  assert.ok(!deepEqual({ a: undefined }, { b: undefined }));
  assert.ok(!deepEqual([1], { 0: 1 }));
  assert.ok(deepEqual(5n, 5));
});
