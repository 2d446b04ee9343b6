import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readShared, type Shared, writeShared } from './dashboard-address.js';

const saved: Shared = {
  text: 'a: b',
  language: 'lucene',
  range: { from: 'now-1d', to: 'now' },
  filters: [{ field: 'a', op: 'is', value: 'b' }],
};

test('the address has what differs from what was saved, also that there is nothing now', () => {
  assert.equal(writeShared(saved, saved, false).toString(), '');
  assert.equal(writeShared(saved, saved, true).toString(), 'edit=true');
  const others: readonly Shared[] = [
    { ...saved, text: '' },
    { ...saved, filters: [] },
    { ...saved, range: 'all' },
    { text: 'x', language: 'kql', range: { from: 'now-1h', to: 'now' }, filters: [{ field: 'c', op: 'exists' }] },
  ];
  for (const shared of others)
    assert.deepEqual(readShared(writeShared(shared, saved, false), saved), { ...shared, ignored: [] });
});
