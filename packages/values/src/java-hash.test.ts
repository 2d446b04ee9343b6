import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOrder } from './java-hash.js';

test('texts come in the order of the buckets of a Java HashMap', () => {
  assert.deepEqual(hashOrder(['o.k', 'title', 'body', 'k']), ['k', 'title', 'body', 'o.k']);
  assert.deepEqual(hashOrder(['b', 'a']), ['a', 'b']);
  assert.deepEqual(hashOrder([]), []);
});

test('texts of one bucket keep their order, and more than twelve use a larger table', () => {
  assert.deepEqual(hashOrder(['a', 'q']), ['a', 'q']);
  assert.deepEqual(hashOrder(['q', 'a']), ['q', 'a']);
  const many = [...'qabcdefghijkl'];
  assert.deepEqual(hashOrder(many), [...'abcdefghijklq']);
});
