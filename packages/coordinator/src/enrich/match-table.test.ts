import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonText } from '@shoal/json';
import { matchTable } from './match-table.js';

test('documents are found by the texts of their values', () => {
  const documents = [
    { user: { id: 7 }, n: 0 },
    { 'user.id': ['7', 8, null], n: 1 },
    { user: [{ id: true }, { id: new JsonText('1.0') }], n: 2 },
    { user: 7, n: 3 },
  ];
  const table = matchTable(documents, 'user.id');
  const found = (value: unknown, max = 10): unknown[] => table.find(value, max).map(({ n }) => n);
  assert.deepEqual(found(7), [0, 1]);
  assert.deepEqual(found('7', 1), [0]);
  assert.deepEqual(found([8, 7, 'none']), [0, 1]);
  assert.deepEqual(found(true), [2]);
  assert.deepEqual(found(new JsonText('1.0')), [2]);
  assert.deepEqual(found('9'), []);
  assert.equal(table.count, 4);
});
