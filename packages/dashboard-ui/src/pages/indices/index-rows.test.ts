import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type IndexRow, inPath, shownIndices } from './index-rows.js';

const row = (index: string) => ({ index }) as IndexRow;

test('hidden indices are shown when asked for, others by a part of their name', () => {
  const rows = ['logs-1', 'Orders', '.kibana', 'logs-2'].map(row);
  const names = (text: string, hasHidden = false) => shownIndices(rows, text, hasHidden).map(({ index }) => index);
  assert.deepEqual(names(''), ['logs-1', 'Orders', 'logs-2']);
  assert.deepEqual(names(' LOGS '), ['logs-1', 'logs-2']);
  assert.deepEqual(names('k', true), ['.kibana']);
  assert.equal(inPath('a/b?c'), 'a%2Fb%3Fc');
});
