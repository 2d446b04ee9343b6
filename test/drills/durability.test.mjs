// Short versions of the drills in this folder; the numbers that a release needs are in their head comments.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corruptStore } from './corrupt-store.mjs';
import { killNode } from './kill-node.mjs';

const seed = Date.now() % 1e9;

test('a node that is killed under load has everything acknowledged after its next start', async (t) => {
  t.diagnostic(`seed ${seed}`);
  const { acknowledged } = await killNode(2, 'SIGKILL', seed);
  assert.ok(acknowledged > 0);
});

test('a node that is stopped under load ends with status 0 and has everything acknowledged', async () => {
  const { stopMs } = await killNode(1, 'SIGTERM', seed + 1);
  assert.ok(stopMs < 10_000, `${stopMs} ms`);
});

test('a damaged store answers rightly or fails with a line in the log, never with fewer documents', async () => {
  const { silent } = await corruptStore(24, seed + 2);
  assert.deepEqual(silent, []);
});
