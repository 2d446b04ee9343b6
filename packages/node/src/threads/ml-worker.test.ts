import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '@shoal/codec';
import { createModelThread } from './ml-worker.js';

const HEAP_MB = 24;
/** A job that keeps all its documents for a year. */
const CONFIG = {
  analysis_config: { bucket_span: '1h', latency: '365d', detectors: [{ function: 'distinct_count', field_name: 'v' }] },
  data_description: { time_field: 'time' },
};
const opened = (id: string): Value =>
  ({ id, config: CONFIG, filters: {}, calendar: [], pieces: 0, nowMs: 0, mostBytes: 1 << 30 }) as unknown as Value;

test('models that ended with their thread say why until they are opened again, on a new thread', async () => {
  const thread = createModelThread(HEAP_MB);
  // The thread itself keeps no process alive.
  const alive = setInterval(() => undefined, 1000);
  const ended = { status: 503, reason: /^the thread of models ended: .*memory/ };
  try {
    for (const id of ['large', 'small']) await thread.call('open', opened(id));
    const line = `{"time":1700000000000,"v":"${'y'.repeat(60)}"}\n`;
    const documents = Buffer.from(line.repeat(20_000));
    await assert.rejects(async () => {
      for (let i = 0; i < 100; i++) await thread.call('data', { id: 'large', documents });
    }, ended);
    await assert.rejects(thread.call('stats', { id: 'small' }), ended);
    await thread.call('open', opened('small'));
    await thread.call('stats', { id: 'small' });
    await assert.rejects(thread.call('stats', { id: 'large' }), ended);
    await thread.call('close', { id: 'large' });
  } finally {
    clearInterval(alive);
    await thread.close();
  }
});
