import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import type { MergeRunner } from '../shard-api.js';
import { openTestShard } from '../test-shard.js';

const doc = (id: string) => ({ op: 'index', id, source: { a: 1 } }) as const;

async function shardOfTwoSegments(mergeRunner: MergeRunner) {
  const opened = await openTestShard({ mergeRunner });
  for (const id of ['1', '2']) {
    await opened.write([doc(id)], 1);
    await opened.shard.flush();
  }
  return opened;
}

test('closing a shard aborts its running merge instead of waiting for it, and loses nothing', async () => {
  let started: () => void = () => undefined;
  const running = new Promise<void>((resolve) => (started = resolve));
  const mergeRunner: MergeRunner = {
    run: (_task, _inPlace, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(errors.taskCancelled('aborted')));
        started();
      }),
  };
  const opened = await shardOfTwoSegments(mergeRunner);
  const forced = opened.shard.forceMerge({ maxNumSegments: 1, onlyExpungeDeletes: false });
  const refused = assert.rejects(forced, /aborted/);
  await running;
  await opened.shard.close();
  await refused;
  const again = await openTestShard({ stores: opened.stores, files: opened.files });
  assert.equal(again.visible().size, 2);
  await again.shard.close();
});
