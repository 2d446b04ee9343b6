import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapshotIdAt } from './snapshot-id.js';

test('snapshots of one second have ids of their own', () => {
  assert.equal(snapshotIdAt(1_700_000_000_999, {}), '1700000000');
  assert.equal(snapshotIdAt(1_700_000_000_999, { '1700000000': {}, '1700000001': {} }), '1700000002');
});
