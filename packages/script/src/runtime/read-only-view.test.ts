import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOnlyView } from './read-only-view.js';

const REFUSED = { javaClass: 'java.lang.UnsupportedOperationException' };

test('nothing can be changed through a view, however deep', () => {
  const document = { a: { b: [{ c: 1 }, 2] }, d: 'x' };
  const view = readOnlyView(document) as typeof document;
  for (const change of [
    () => (view.d = 'y'),
    () => delete (view as { d?: string }).d,
    () => Object.defineProperty(view, 'e', { value: 1 }),
    () => view.a.b.push(3),
    () => view.a.b.sort(),
    () => ((view.a.b[0] as { c: number }).c = 2),
    () => (view.a.b.length = 0),
  ])
    assert.throws(change, REFUSED);
  assert.deepEqual(document, { a: { b: [{ c: 1 }, 2] }, d: 'x' });
});

test('a view reads as what it shows', () => {
  const document = { a: { b: [1, 2] }, f: Object.freeze({ g: Object.freeze([1]) }) };
  const view = readOnlyView(document) as typeof document;
  assert.deepEqual(JSON.parse(JSON.stringify(view)), { a: { b: [1, 2] }, f: { g: [1] } });
  assert.ok(Array.isArray(view.a.b));
  assert.equal(view.a, view.a, 'an object is the same each time');
  assert.equal(readOnlyView(view), view);
});
