// Indices that read the files of a snapshot: what they answer, what they keep on disk, and what they outlive.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { call, sleep, startNode, temporaryFolder } from '../node-process.mjs';

const repository = temporaryFolder('repository');
const data = temporaryFolder('data');
const settings = { 'path.repo': repository, 'xpack.searchable.snapshot.shared_cache.size': '24mb' };
let node;
before(async () => {
  node = await startNode({ data, settings });
  await ok('PUT', '/_snapshot/r', { type: 'fs', settings: { location: path.join(repository, 'r') } });
});
after(() => node?.stop());

const ok = async (method, url, body) => {
  const answer = await call(node, method, url, body);
  assert.equal(answer.status, 200, `${method} ${url}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const WORDS = 'the quick brown fox jumps over a lazy dog while rain falls on old roofs'.split(' ');
const noise = (n) => ((n * 2_654_435_761) >>> 0).toString(36);
const line = (n) => ({
  '@timestamp': new Date(1_767_225_600_000 + n * 1000).toISOString(),
  message: Array.from({ length: 8 }, (_, i) => WORDS[(n * (i + 3) + i) % WORDS.length]).join(' '),
  noise: noise(n * 31),
  pad: Array.from({ length: 60 }, (_, i) => noise(n * 61 + i)).join(''),
  status: 200 + (n % 7),
  host: { name: `host-${n % 50}` },
});

async function write(index, from, count) {
  for (let at = from; at < from + count; at += 1000) {
    const lines = Array.from(
      { length: Math.min(1000, from + count - at) },
      (_, i) => `{"index":{"_id":"${at + i}"}}\n${JSON.stringify(line(at + i))}\n`,
    );
    assert.equal((await call(node, 'POST', `/${index}/_bulk`, lines.join(''))).body.errors, false);
  }
}

// Scores depend on deleted documents, which merges drop: so all is sorted by time.
const SEARCHES = [
  { size: 20, sort: [{ '@timestamp': 'desc' }], version: true },
  {
    query: { match: { message: 'fox' } },
    track_total_hits: true,
    highlight: { fields: { message: {} } },
    sort: ['@timestamp'],
  },
  {
    size: 0,
    aggs: { hosts: { terms: { field: 'host.name.keyword', size: 60 }, aggs: { s: { stats: { field: 'status' } } } } },
  },
  { size: 0, aggs: { days: { date_histogram: { field: '@timestamp', fixed_interval: '1h' } } } },
  { query: { match_phrase: { message: 'quick brown' } }, size: 5, sort: ['@timestamp'] },
  { query: { prefix: { noise: 'ab' } }, size: 3, sort: ['@timestamp'], fields: ['noise'], _source: false },
  { query: { term: { noise: noise(31 * 777) } }, sort: ['@timestamp'] },
  { query: { script: { script: "doc['status'].value == 203" } }, size: 2, sort: ['@timestamp'] },
  { query: { ids: { values: ['5', '700', '1999'] } }, sort: ['@timestamp'] },
];
const answers = async (index) => {
  const all = [];
  for (const body of SEARCHES) {
    const { hits, aggregations } = await ok('POST', `/${index}/_search`, body);
    all.push({ hits: hits.hits.map(({ _index, ...hit }) => hit), total: hits.total, aggregations });
  }
  return all;
};
const mount = (body, more = '') =>
  call(node, 'POST', `/_snapshot/r/s/_mount?wait_for_completion=true&storage=shared_cache${more}`, body);

test('a partially mounted index answers as the index that was saved', async () => {
  await ok('PUT', '/logs', {
    settings: { number_of_shards: 2, number_of_replicas: 0 },
    mappings: { properties: { pad: { type: 'keyword', index: false, doc_values: false } } },
  });
  await write('logs', 0, 5_000);
  await write('logs', 100, 50);
  await call(node, 'DELETE', '/logs/_doc/77?refresh=true');
  await ok('PUT', '/_snapshot/r/s?wait_for_completion=true', { indices: 'logs', include_global_state: false });
  const done = await mount({ index: 'logs', renamed_index: 'cold' });
  assert.deepEqual(done.body.snapshot?.shards, { total: 2, failed: 0, successful: 2 }, JSON.stringify(done.body));
  const expected = await answers('logs');
  assert.deepEqual(await answers('cold'), expected);
  const { nodes } = await ok('GET', '/_searchable_snapshots/cache/stats');
  const [cache] = Object.values(nodes).map((one) => one.shared_cache);
  assert.equal(cache.size_in_bytes, 24 << 20);
  assert.ok(cache.writes > 0, JSON.stringify(cache));
});

test('it keeps its files over a restart, and refuses writes, replicas and what would lose it', async () => {
  const [before] = (await ok('GET', '/cold/_searchable_snapshots/stats')).total;
  assert.ok(before.cached_files > 0 && before.cached_files <= before.num_files, JSON.stringify(before));
  const expected = await answers('logs');
  await node.stop();
  node = await startNode({ data, settings });
  await ok('GET', '/_cluster/health/cold?wait_for_status=green&timeout=30s');
  assert.deepEqual(await answers('cold'), expected);
  const { 'index.store.type': type, ...shown } = (await ok('GET', '/cold/_settings?flat_settings=true')).cold.settings;
  assert.equal(type, 'snapshot');
  assert.equal(shown['index.store.snapshot.partial'], 'true');
  assert.equal(shown['index.store.snapshot.snapshot_name'], 's');
  const refused = async (method, url, body) => {
    const { status, body: answer } = await call(node, method, url, body);
    return [status, answer.error.type, answer.error.reason];
  };
  assert.equal((await refused('POST', '/cold/_doc', { status: 1 }))[0], 403);
  for (const change of [
    { 'index.blocks.write': false },
    { 'index.number_of_replicas': 1 },
    { 'index.auto_expand_replicas': '0-1' },
    { 'index.store.snapshot.*': null },
  ])
    assert.equal((await refused('PUT', '/cold/_settings', change))[0], 400, JSON.stringify(change));
  const [status, kind, reason] = await refused('DELETE', '/_snapshot/r/s');
  assert.deepEqual([status, kind], [409, 'repository_conflict_exception']);
  assert.match(reason, /found 1 searchable snapshots indices that use the snapshot: \[cold\//);
  assert.match(
    (await refused('DELETE', '/_snapshot/r'))[2],
    /found 1 searchable snapshots indices that use the repository/,
  );
});

test('its cache is emptied, and told of', async () => {
  await ok('POST', '/_searchable_snapshots/cache/clear');
  const [{ cached_files: files }] = (await ok('GET', '/_searchable_snapshots/stats?level=shards')).total;
  assert.equal(files, 0);
  assert.deepEqual(await answers('cold'), await answers('logs'));
  assert.equal((await call(node, 'GET', '/_searchable_snapshots/stats?level=all')).status, 400);
  assert.equal((await call(node, 'GET', '/logs/_searchable_snapshots/stats')).status, 404);
});

test('bad requests to mount are refused as 8.12 does', async () => {
  const reason = ({ status, body }) => [status, body.error.type];
  assert.deepEqual(reason(await mount({ index: 'absent' })), [404, 'index_not_found_exception']);
  assert.deepEqual(reason(await mount({ index: 'logs' })), [400, 'snapshot_restore_exception']);
  assert.deepEqual(reason(await mount({})), [400, 'illegal_argument_exception']);
  const replicas = { index: 'logs', renamed_index: 'x', index_settings: { 'index.number_of_replicas': 1 } };
  assert.deepEqual(reason(await mount(replicas)), [400, 'illegal_argument_exception']);
  const absent = await call(node, 'POST', '/_snapshot/r/absent/_mount?storage=shared_cache', { index: 'logs' });
  assert.equal(absent.body.error.type, 'snapshot_restore_exception');
  const odd = await call(node, 'POST', '/_snapshot/r/s/_mount?storage=odd', { index: 'logs', renamed_index: 'x' });
  assert.match(odd.body.error.reason, /storage.*odd/);
  await ok('DELETE', '/cold');
  await ok('DELETE', '/_snapshot/r/s');
});

test('a policy takes an index to a full copy and then to the cache, and deletes it with its snapshot', async () => {
  const phases = {
    cold: { min_age: '0ms', actions: { searchable_snapshot: { snapshot_repository: 'r' } } },
    frozen: { min_age: '0ms', actions: { searchable_snapshot: { snapshot_repository: 'r' } } },
  };
  await ok('PUT', '/_ilm/policy/age', { policy: { phases } });
  await ok('PUT', '/aged', { settings: { number_of_replicas: 0 }, aliases: { everything: {} } });
  await write('aged', 0, 500);
  await ok('PUT', '/aged/_settings', { 'index.lifecycle.name': 'age' });
  const placed = async (name, step) => {
    for (let i = 0; i < 600; i++) {
      const { body } = await call(node, 'GET', `/${name}/_ilm/explain`);
      const found = body.indices?.[name];
      if (found?.step === step) return found;
      await sleep(100);
    }
    throw new Error(`${name} is not at ${step}: ${JSON.stringify(await call(node, 'GET', '/*/_ilm/explain'))}`);
  };
  const { snapshot_name: taken, phase } = await placed('partial-aged', 'complete');
  assert.equal(phase, 'frozen');
  assert.equal((await ok('GET', '/everything/_count')).count, 500);
  assert.equal((await ok('GET', '/aged/_search')).hits.total.value, 500);
  const { total } = await ok('GET', '/_snapshot/r/*');
  assert.equal(total, 1);
  assert.match(taken, /^\d{4}\.\d\d\.\d\d-aged-age-/);
  await ok('PUT', '/_ilm/policy/age', { policy: { phases: { ...phases, delete: { actions: { delete: {} } } } } });
  for (let i = 0; i < 600 && (await call(node, 'HEAD', '/partial-aged')).status === 200; i++) await sleep(100);
  assert.equal((await call(node, 'HEAD', '/partial-aged')).status, 404);
  assert.equal((await ok('GET', '/_snapshot/r/*')).total, 0);
});
