import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '@shoal/codec';
import type { JsonObject } from '@shoal/json';
import { createJobRoom, type ModelRoom, stepOf } from './job-room.js';

const SPAN_S = 300;
const CONFIG: JsonObject = {
  analysis_config: { bucket_span: '5m', detectors: [{ function: 'high_count' }] },
  data_description: { time_field: 'time', time_format: 'epoch' },
};

async function openRoom(monotonic: () => number): Promise<ModelRoom> {
  const room = createJobRoom(monotonic);
  const opened = { id: 'j', config: CONFIG, filters: {}, calendar: [], pieces: 0, nowMs: 0, mostBytes: 1 << 30 };
  await room.call('open', opened as unknown as Value);
  return room;
}

const linesOf = (times: readonly number[]): Uint8Array =>
  Buffer.from(times.map((time) => JSON.stringify({ time })).join('\n'));

/** Lines of results of a step, its parts, and its counts. */
async function step(room: ModelRoom, action: string, more: JsonObject | { documents: Uint8Array }) {
  const lines: string[] = [];
  let [parts, counts] = [0, {} as JsonObject];
  for await (const part of stepOf(room, action, { id: 'j', ...more } as unknown as Value)) {
    lines.push(...Buffer.from(part.lines).toString('utf8').split('\n').slice(0, -1));
    [parts, counts] = [parts + 1, part.step];
  }
  return { lines, parts, counts };
}

test('a step with many buckets has parts of bounded results, and the turn of others after each 20 ms', async () => {
  const times = Array.from({ length: 50 }, (_, i) => i * 100 * SPAN_S);
  const calm = await openRoom(() => 0);
  const whole = await step(calm, 'data', { documents: linesOf(times) });
  assert.equal(whole.lines.filter((line) => line.includes('"result_type":"bucket"')).length, 4900);
  assert.equal(whole.parts, 3);
  let nowMs = 0;
  const slow = await openRoom(() => (nowMs += 5));
  const split = await step(slow, 'data', { documents: linesOf(times) });
  assert.ok(split.parts > 500, `${split.parts}`);
  const withoutClock = (lines: readonly string[]): string[] =>
    lines.map((line) => line.replace(/"processing_time_ms":\d+/, ''));
  assert.deepEqual(withoutClock(split.lines), withoutClock(whole.lines));
  assert.deepEqual(split.counts, whole.counts);
  assert.equal(split.counts['processed_record_count'], 50);
  assert.equal(split.counts['bucket_count'], 4900);
});

test('of a gap of centuries a part is judged and the rest skipped, in documents and in time that passes', async () => {
  for (const action of ['data', 'advance']) {
    const room = await openRoom(() => 0);
    await step(room, 'data', { documents: linesOf([0, 200 * 366 * 86_400]) });
    const centuries = { advanceToMs: 500 * 366 * 86_400_000, skipToMs: null };
    const { counts } =
      action === 'data'
        ? await step(room, 'data', { documents: linesOf([500 * 366 * 86_400]) })
        : await step(room, 'advance', centuries);
    assert.equal(counts['bucket_count'], 100_000);
    assert.equal(counts['empty_bucket_count'], 99_999);
    const next = await step(room, 'data', { documents: linesOf([300 * 366 * 86_400, 501 * 366 * 86_400]) });
    assert.equal(next.counts['out_of_order_timestamp_count'], 1);
    assert.equal(next.counts['processed_record_count'], 1);
  }
});

test('a job is opened with the pieces of its state; one that was lost is told', async () => {
  const room = await openRoom(() => 0);
  await step(room, 'data', { documents: linesOf(Array.from({ length: 400 }, (_, i) => i * 97)) });
  const count = (await room.call('pack', { id: 'j' })) as number;
  const pieces: Value[] = [];
  for (let piece = 0; piece < count; piece++) pieces.push(await room.call('piece', { id: 'j', piece }));
  const opened = { config: CONFIG, filters: {}, calendar: [], pieces: count, nowMs: 0, mostBytes: 1 << 30 };
  const open = async (id: string, given: readonly Value[]): Promise<void> => {
    for (const [piece, bytes] of given.entries()) await room.call('state', { id, piece, bytes });
    await room.call('open', { id, ...opened } as unknown as Value);
  };
  const lost = { status: 503, message: /^pieces of the state of job \[k\] are missing$/ };
  await assert.rejects(open('k', pieces.slice(1)), lost);
  await assert.rejects(open('k', []), lost);
  await open('k', pieces);
  const shown = (id: string): Promise<Value> => room.call('stats', { id });
  assert.deepEqual(((await shown('k')) as JsonObject)['modelSize'], {
    ...(((await shown('j')) as JsonObject)['modelSize'] as JsonObject),
    job_id: 'k',
  });
});
