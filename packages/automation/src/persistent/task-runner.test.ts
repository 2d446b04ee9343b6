import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterService } from '@shoal/cluster';
import { fakeClock, silentLog } from '@shoal/doors';
import type { ClusterState } from '@shoal/state';
import { TaskRunner } from './task-runner.js';

/** A node with one task, whose executor fails some times before it goes on. */
function nodeWithTask(failures: number) {
  const clock = fakeClock(0);
  const tasks = { t: { type: 'kind', params: {}, node: 'n1', allocationId: 1 } };
  const state = { masterNodeId: 'n1', customs: new Map([['persistentTasks', tasks]]) } as unknown as ClusterState;
  const waitFor = () => new Promise<boolean>(() => undefined);
  const cluster = { state: () => state, waitFor } as unknown as ClusterService;
  const ran: number[] = [];
  const run = async () => {
    ran.push(clock.now());
    if (ran.length <= failures) throw new Error('no shard is there');
  };
  const runner = new TaskRunner(cluster, 'n1', { kind: { run } }, { clock, log: silentLog });
  return { clock, ran, runner };
}

test('a task that ends with an error is done again after pauses that grow, until it ends well', async () => {
  const { clock, ran, runner } = nodeWithTask(3);
  void runner.follow();
  for (let ms = 0; ms < 10_000; ms += 100) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  assert.deepEqual(ran, [0, 200, 600, 1400]);
  await runner.close();
});
