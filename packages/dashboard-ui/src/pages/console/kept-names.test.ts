import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterName, KeptNames } from './kept-names.js';

const LOGS: readonly ClusterName[] = [{ name: 'logs', detail: 'index' }];

test('names are kept for half a minute', async () => {
  let [nowMs, asked] = [0, 0];
  const kept = new KeptNames(() => nowMs);
  const read = async () => {
    asked++;
    return LOGS;
  };
  assert.deepEqual(await kept.get('indices', read), LOGS);
  nowMs = 29_999;
  await kept.get('indices', read);
  assert.equal(asked, 1);
  nowMs = 30_000;
  await kept.get('indices', read);
  assert.equal(asked, 2);
});

test('what could not be read is asked for again at the next key', async () => {
  const kept = new KeptNames(() => 0);
  assert.deepEqual(await kept.get('indices', async () => null), []);
  assert.deepEqual(await kept.get('indices', () => Promise.reject(new Error('away'))), []);
  assert.deepEqual(await kept.get('indices', async () => LOGS), LOGS);
});
