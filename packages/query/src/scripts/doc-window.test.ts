import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocWindow } from './doc-window.js';

test('documents that lie close together are read ahead, others one by one', () => {
  const window = new DocWindow(10_000);
  const places = [0, 1, 2, 4, 511, 5000, 9000, 9001, 9003].map((doc) => {
    const at = window.placeOf(doc);
    assert.equal(window.docs[at], doc);
    return [doc, window.isNew ? window.count : null];
  });
  assert.deepEqual(places.slice(0, 4), [
    [0, 1],
    [1, 512],
    [2, null],
    [4, null],
  ]);
  assert.deepEqual(places.slice(5), [
    [5000, 1],
    [9000, 1],
    [9001, 512],
    [9003, null],
  ]);
});

test('a window ends with the segment, and goes back', () => {
  const window = new DocWindow(3);
  window.placeOf(0);
  window.placeOf(1);
  assert.equal(window.count, 2);
  window.placeOf(2);
  assert.equal(window.isNew, false);
  assert.equal(window.docs[window.placeOf(0)], 0);
  assert.equal(window.count, 1);
});
