import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoordinatorContext } from '../context.js';
import { copyRequest } from '../enrich/copy-request.js';
import { CALL, stateWith } from '../fake-cluster.js';
import type { Turns } from '../turns.js';
import { keptMs } from '../keep-alive.js';
import { inTurns, startByQuery } from './run-by-query.js';
import type { SourceHit } from './source-reader.js';

test('no more slices are begun than the source allows', () => {
  const of = (settings: Record<string, string>): CoordinatorContext =>
    ({
      cluster: { state: () => stateWith([{ name: 'from', shards: [['n1']], settings }]) },
      clock: { now: () => 0, monotonic: () => 0 },
    }) as unknown as CoordinatorContext;
  const start = (settings: Record<string, string>, slices: number): unknown =>
    startByQuery(of(settings), { ...copyRequest(['from'], {}, 'to'), slices }, CALL);
  const tooLarge = (slices: number, max: number) => ({
    reason:
      `The number of slices [${slices}] is too large. It must be less than [${max}]. This limit can be set by ` +
      'changing the [index.max_slices_per_scroll] index level setting.',
  });
  assert.throws(() => start({}, 4_000_000_000), tooLarge(4_000_000_000, 1024));
  assert.throws(() => start({}, 1025), tooLarge(1025, 1024));
  assert.throws(() => start({ 'index.max_slices_per_scroll': '4' }, 5), tooLarge(5, 4));
});

test('a point in time outlasts the wait of the throttle', () => {
  assert.equal(keptMs(300_000, 0), 300_000);
  assert.equal(keptMs(300_000, 1_000_000), 1_300_000);
  assert.equal(keptMs(300_000, 1e12), 86_400_000);
  assert.equal(keptMs(600_000, 1e12, 60_000), 600_000);
});

test('scripts of a page give the thread back between documents', async () => {
  let [asked, paused] = [0, 0];
  const turns: Turns = { pause: () => (++asked % 2 === 0 ? Promise.resolve().then(() => void paused++) : null) };
  const hits = ['a', 'b', 'c', 'd'].map((id) => ({ id }) as SourceHit);
  assert.deepEqual(await inTurns(hits, ({ id }) => id, turns), ['a', 'b', 'c', 'd']);
  assert.deepEqual([asked, paused], [4, 2]);
});
