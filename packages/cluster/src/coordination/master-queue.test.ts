import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { TASKS } from '../tasks/catalogue.js';
import { MasterQueue } from './master-queue.js';

const named = (name: string) => TASKS.get(name)!;
const LONG = { ackTimeoutMs: 30_000, queueTimeoutMs: 30_000 };

test('tasks of the highest priority are one batch; others wait and are listed with their age', () => {
  const clock = fakeClock();
  const queue = new MasterQueue(clock, () => undefined);
  queue.add(named('health-events-languid'), {}, LONG).catch(() => undefined);
  queue.add(named('health-events-urgent'), {}, LONG).catch(() => undefined);
  queue.add(named('create-index'), { name: 'a', body: {} }, LONG).catch(() => undefined);
  clock.advance(40);
  assert.deepEqual(
    queue.take().map(({ task }) => task.name),
    ['health-events-urgent', 'create-index'],
  );
  assert.deepEqual(
    queue.pending().map(({ priority, source, executing, queuedMs }) => [priority, source, executing, queuedMs]),
    [
      ['URGENT', 'cluster_health (wait_for_events [URGENT])', true, 40],
      ['URGENT', 'create-index [a], cause [api]', true, 40],
      ['LANGUID', 'cluster_health (wait_for_events [LANGUID])', false, 40],
    ],
  );
});

test('a task whose turn does not come in time is given up', async () => {
  const clock = fakeClock();
  const queue = new MasterQueue(clock, () => undefined);
  const failed = assert.rejects(
    queue.add(named('create-index'), { name: 'a', body: {} }, { ...LONG, queueTimeoutMs: 1_500 }),
    {
      type: 'process_cluster_event_timeout_exception',
      status: 503,
      message: 'failed to process cluster event (create-index [a], cause [api]) within 1.5s',
    },
  );
  clock.advance(1_500);
  await failed;
  assert.ok(queue.isEmpty);
});
