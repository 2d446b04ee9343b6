import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import type { ClusterClient } from '../cluster/cluster-client.js';
import { takeReadings } from './readings.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  const clock = fakeClock();
  const cluster = { indexed: 0, status: 200, calls: 0 };
  const bodies: Record<string, () => object> = {
    '/_cluster/health': () => ({ status: 'yellow', active_shards: 3, unassigned_shards: 1 }),
    '/_cluster/state': () => ({ master_node: 'b', nodes: { a: { name: 'n2' }, b: { name: 'n1' } } }),
    '/_cluster/stats': () => ({ indices: { count: 2, docs: { count: 10 } } }),
    '/_stats': () => ({
      _all: { primaries: { indexing: { index_total: cluster.indexed } }, total: { search: { query_total: 4 } } },
    }),
  };
  const call: ClusterClient['call'] = (_method, path) => {
    cluster.calls++;
    const [, body] = Object.entries(bodies).find(([start]) => path.startsWith(start))!;
    return Promise.resolve({ status: cluster.status, headers: {}, body: Buffer.from(JSON.stringify(body())) });
  };
  const healths: string[] = [];
  const readings = takeReadings({ call } as ClusterClient, {
    authorization: null,
    isReady: () => true,
    onHealth: (health) => healths.push(health),
    clock,
  });
  return { clock, cluster, readings, healths };
}

test('readings tell counts, the master, and rates since the reading before', async () => {
  const { clock, cluster, readings } = setUp();
  clock.advance(0);
  await settled();
  cluster.indexed = 50;
  clock.advance(5_000);
  await settled();
  const { readings: both, isCurrent } = readings.read();
  assert.equal(isCurrent, true);
  assert.deepEqual(both[0], {
    at: both[1]!.at - 5_000,
    status: 'yellow',
    nodes: ['n1', 'n2'],
    master: 'n1',
    indices: 2,
    documents: 10,
    shards: { active: 3, starting: 0, unassigned: 1 },
    indexedPerSecond: null,
    searchesPerSecond: null,
  });
  assert.deepEqual([both[1]!.indexedPerSecond, both[1]!.searchesPerSecond], [10, 0]);
  cluster.indexed = 3;
  clock.advance(5_000);
  await settled();
  assert.equal(readings.read().readings.at(-1)!.indexedPerSecond, null, 'a counter that began anew has no rate');
});

test('while a page looks there is a reading each second, and none is kept longer than 15 minutes', async () => {
  const { clock, readings } = setUp();
  clock.advance(0);
  await settled();
  for (let i = 0; i < 20 * 60; i++) {
    readings.read();
    clock.advance(1_000);
    await settled();
  }
  const { readings: kept } = readings.read();
  assert.ok(kept.length >= 895 && kept.length <= 901, `${kept.length} readings`);
  assert.ok(kept[0]!.at >= clock.now() - 15 * 60_000);
});

test('a failed reading is told and leaves the earlier ones', async () => {
  const { clock, cluster, readings, healths } = setUp();
  clock.advance(0);
  await settled();
  cluster.status = 503;
  clock.advance(5_000);
  await settled();
  const { readings: kept, isCurrent } = readings.read();
  assert.deepEqual([kept.length, isCurrent], [1, false]);
  assert.deepEqual(healths, ['yellow'], 'only what was read is told');
});
