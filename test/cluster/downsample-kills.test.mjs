// Nodes that are killed while an index of time series is downsampled.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster } from '../cluster-processes.mjs';
import { call, sleep } from '../node-process.mjs';

const SERIES = 40;
const TIMES = 400;
const START_MS = Date.UTC(2026, 0, 1);

let cluster;
before(async () => {
  cluster = await startCluster({ count: 3, settings: { 'shoal.shard_threads': 0 } });
});
after(() => cluster?.stop('SIGKILL'));

/** Asks the first node that is alive. */
async function asked(method, url, body) {
  for (const node of cluster.nodes) {
    const answer = await call(node, method, url, body).catch(() => null);
    if (answer !== null) return answer;
  }
  throw new Error('no node is alive');
}
const ok = async (method, url, body) => {
  const answer = await asked(method, url, body);
  assert.equal(answer.status, 200, `${method} ${url}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

async function fill() {
  await ok('PUT', '/series', {
    settings: {
      mode: 'time_series',
      routing_path: ['host'],
      number_of_shards: 1,
      number_of_replicas: 2,
      time_series: { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-02T00:00:00Z' },
    },
    mappings: {
      properties: {
        host: { type: 'keyword', time_series_dimension: true },
        load: { type: 'double', time_series_metric: 'gauge' },
      },
    },
  });
  const lines = Array.from({ length: SERIES * TIMES }, (_, i) => {
    const at = new Date(START_MS + Math.floor(i / SERIES) * 60_000).toISOString();
    return `{"index":{}}\n{"@timestamp":"${at}","host":"h${i % SERIES}","load":${i % 17}}\n`;
  });
  for (let at = 0; at < lines.length; at += 4_000)
    assert.equal((await ok('POST', '/series/_bulk?refresh=true', lines.slice(at, at + 4_000).join(''))).errors, false);
  await ok('PUT', '/series/_block/write');
}

const green = () =>
  ok('GET', '/_cluster/health?wait_for_status=green&wait_for_no_initializing_shards=true&timeout=60s');
const masterOf = async () => (await ok('GET', '/_cat/master?format=json'))[0].node;
const primaryOf = async () =>
  (await ok('GET', '/_cat/shards/series?format=json')).find(({ prirep }) => prirep === 'p').node;

/** What a target has: its documents, and the sum of what they stand for. */
async function contentOf(target) {
  await ok('POST', `/${target}/_refresh`);
  const { hits, aggregations } = await ok('POST', `/${target}/_search?size=0&track_total_hits=true`, {
    aggs: { sum: { sum: { field: 'load' } }, count: { value_count: { field: 'load' } } },
  });
  return { documents: hits.total.value, sum: aggregations.sum.value, count: aggregations.count.value };
}

for (const [what, victimOf] of [
  ['the node with the primary', primaryOf],
  ['the elected master', masterOf],
])
  test(`${what} is killed: a call that is sent again completes the target, and nothing is doubled`, async () => {
    const nodes = cluster.nodes;
    if ((await asked('HEAD', '/series')).status === 404) await fill();
    await green();
    const victim = await victimOf();
    const at = nodes.findIndex(({ name }, i) => (name ?? `n${i + 1}`) === victim);
    const target = `series-${at}-${what.length}`;
    const sender = nodes[at];
    const first = call(sender, 'POST', `/series/_downsample/${target}`, { fixed_interval: '2m' }).catch(() => null);
    for (let look = 0; look < 500 && (await asked('HEAD', `/${target}`)).status === 404; look++) await sleep(5);
    await nodes[at].stop('SIGKILL');
    const answered = await first;
    await cluster.restart(at);
    await green();
    // What was answered before the kill is whole; otherwise the call is sent again.
    if (answered?.status !== 200) await ok('POST', `/series/_downsample/${target}`, { fixed_interval: '2m' });
    const { [target]: index } = await ok('GET', `/${target}/_settings?flat_settings=true`);
    assert.equal(index.settings['index.downsample.status'], 'success');
    assert.deepEqual(await contentOf(target), {
      documents: (SERIES * TIMES) / 2,
      sum: (await contentOf('series')).sum,
      count: SERIES * TIMES,
    });
  });
