import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readShared, type Shared as Saved, writeShared } from './dashboard-address.js';

type Shared = Parameters<typeof writeShared>[0];
const saved: Saved = {
  text: 'a: b',
  language: 'lucene',
  range: { from: 'now-1d', to: 'now' },
  filters: [{ field: 'a', op: 'is', value: 'b' }],
};

test('the address has what differs from what was saved, also that there is nothing now', () => {
  assert.equal(writeShared({ ...saved, timeZone: null }, saved, false).toString(), '');
  assert.equal(writeShared({ ...saved, timeZone: null }, saved, true).toString(), 'edit=true');
  const others: readonly Shared[] = [
    { ...saved, timeZone: null, text: '' },
    { ...saved, timeZone: 'Europe/Berlin', filters: [] },
    { ...saved, timeZone: null, range: 'all' },
    {
      text: 'x',
      language: 'kql',
      range: { from: 'now-1h', to: 'now' },
      filters: [{ field: 'c', op: 'exists' }],
      timeZone: 'UTC',
    },
  ];
  for (const shared of others)
    assert.deepEqual(readShared(writeShared(shared, saved, false), saved), { ...shared, ignored: [] });
});
