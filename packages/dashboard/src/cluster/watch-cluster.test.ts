import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, silentLog } from '@shoal/doors';
import type { DashboardSettings } from '../settings/load-settings.js';
import { type ClusterClient, NoAnswerError } from './cluster-client.js';
import { slownessOf } from './readiness.js';
import { type ClusterWatch, watchCluster } from './watch-cluster.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A watch over a cluster whose answers to `GET /_cluster/health` wait until they are let go. */
function setUp() {
  const clock = fakeClock();
  const cluster = { health: 'yellow', isAway: false, isLate: false, answeredAtMs: 0, waiting: [] as (() => void)[] };
  const call: ClusterClient['call'] = async (_method, path) => {
    const answer = (json: object) => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(json)) });
    if (cluster.isAway) throw new Error('refused');
    if (cluster.isLate) throw new NoAnswerError('no answer within 1000 ms', true);
    cluster.answeredAtMs = clock.now();
    if (path !== '/_cluster/health') return answer({ version: { number: '8.12.0' }, cluster_uuid: 'u' });
    const { health } = cluster;
    await new Promise<void>((resolve) => cluster.waiting.push(resolve));
    return answer({ status: health });
  };
  const settings = { authorization: null, pingTimeoutMs: 1_000 } as DashboardSettings['cluster'];
  const client = { call, answeredAtMs: () => cluster.answeredAtMs } as ClusterClient;
  const watch = watchCluster(client, settings, { clock, log: silentLog });
  const answer = async (): Promise<void> => {
    for (const go of cluster.waiting.splice(0)) go();
    await settled();
  };
  return { clock, cluster, watch, answer };
}

const healthOf = (watch: ClusterWatch): string | null => {
  const { look } = watch.current();
  return look.kind === 'answered' ? look.health : null;
};

test('a health that a reading found counts at once, and until a later look', async () => {
  const { clock, cluster, watch, answer } = setUp();
  void watch.look();
  await answer();
  assert.equal(healthOf(watch), 'yellow');
  watch.noteHealth('green');
  assert.equal(healthOf(watch), 'green');
  cluster.health = 'red';
  clock.advance(2_500);
  await answer();
  assert.equal(healthOf(watch), 'red');
});

test('a look that asked before a reading does not bring an older health back', async () => {
  const { watch, answer } = setUp();
  void watch.look();
  watch.noteHealth('green');
  assert.equal(healthOf(watch), null, 'nothing is known of a cluster that has not answered');
  await answer();
  assert.equal(healthOf(watch), 'green');
});

test('a look without an answer is repeated soon, and two of them tell that the cluster is lost', async () => {
  const { clock, cluster, watch, answer } = setUp();
  void watch.look();
  await answer();
  cluster.isAway = true;
  clock.advance(2_500);
  await settled();
  assert.deepEqual([watch.current().state, healthOf(watch)], ['ready', 'yellow']);
  clock.advance(500);
  await settled();
  assert.equal(watch.current().state, 'lost');
});

test('looks that are late tell a slow cluster while others get answers, and a lost one when nobody does', async () => {
  const { clock, cluster, watch, answer } = setUp();
  void watch.look();
  await answer();
  cluster.isLate = true;
  for (let i = 0; i < 3; i++) {
    clock.advance(2_500);
    cluster.answeredAtMs = clock.now();
    await settled();
  }
  assert.deepEqual([watch.current().state, healthOf(watch)], ['ready', 'yellow']);
  assert.equal(slownessOf(watch.current())?.calls.length, 3);
  for (const ms of [2_500, 500]) {
    clock.advance(ms);
    await settled();
  }
  assert.equal(watch.current().state, 'lost');
});
