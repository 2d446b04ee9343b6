// What a node tells of itself: logs by kind, metrics, and why something is not green with the call that mends it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { call, logRecords, startNode, temporaryFolder } from '../node-process.mjs';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = { 'x-opaque-id': 'shop', traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
const logs = temporaryFolder('logs');
let node;

before(async () => {
  node = await startNode({ settings: { 'path.logs': logs, 'cluster.name': 'seen' } });
});
after(() => node.stop());

const linesOf = (kind) => logRecords(path.join(logs, `seen_${kind}.json`));

test('slow logs and deprecations are files of their own that name the client and its trace', async () => {
  const thresholds = {
    'index.search.slowlog.threshold.query.info': '0ms',
    'index.indexing.slowlog.threshold.index.info': '0ms',
  };
  await call(node, 'PUT', '/slow', { settings: { number_of_replicas: 0, ...thresholds } });
  await call(node, 'PUT', '/slow/_doc/1?refresh=true', { a: 1 }, CALLER);
  await call(node, 'POST', '/slow/_search', { query: { match: { a: 1 } } }, CALLER);
  await call(node, 'PUT', '/_template/t1', { index_patterns: ['old-*'] });
  await call(node, 'PUT', '/_index_template/t2', { index_patterns: ['old-*'] });
  await call(node, 'PUT', '/_template/t1', { index_patterns: ['old-*'] }, CALLER);
  const [search] = await linesOf('index_search_slowlog');
  const [write] = await linesOf('index_indexing_slowlog');
  const [deprecation] = await linesOf('deprecation');
  for (const line of [search, write, deprecation])
    assert.deepEqual(
      [line['http.request.id'], line['trace.id'], line['elasticsearch.cluster.name']],
      ['shop', TRACE, 'seen'],
    );
  assert.equal(search['elasticsearch.slowlog.total_hits'], '1 hits');
  assert.deepEqual(
    [search['elasticsearch.slowlog.search_type'], search['elasticsearch.slowlog.total_shards']],
    ['QUERY_THEN_FETCH', 1],
  );
  assert.equal(search['elasticsearch.slowlog.source'], '{"query":{"match":{"a":1}}}');
  assert.ok((await linesOf('server')).every((line) => line['event.dataset'] === 'elasticsearch.server'));
  for (const name of ['/_template/t1', '/_index_template/t2']) await call(node, 'DELETE', name);
});

test('the level of a logger changes at run time, and a level that does not exist is refused', async () => {
  const set = (level) => call(node, 'PUT', '/_cluster/settings', { persistent: { 'logger.shoal.http': level } });
  assert.equal((await set('debug')).status, 200);
  const { status, body } = await set('loud');
  assert.deepEqual([status, body.error.reason], [400, 'Unknown level constant [LOUD].']);
  assert.equal((await set(null)).status, 200);
});

test('metrics are text for Prometheus that counts calls by name', async () => {
  await call(node, 'GET', '/nothing-here/_doc/1');
  await call(node, 'PUT', '/_ingest/pipeline/refuses', { processors: [{ fail: { message: 'no' } }] });
  await call(node, 'POST', '/piped/_doc?pipeline=refuses', {});
  const { status, body } = await call(node, 'GET', '/_prometheus/metrics');
  assert.equal(status, 200);
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.deepEqual(
    lines.filter((line) => !/^[a-z_0-9]+(\{[^}]*\})? (-?[0-9.e+-]+|Nan)$/i.test(line)),
    [],
  );
  assert.ok(lines.includes('shoal_http_requests_total{route="get",status="4xx"} 1'));
  assert.ok(lines.includes('shoal_cluster_status{status="red"} 0'));
  assert.ok(lines.includes('shoal_ingest_documents_total 1'));
  assert.ok(lines.includes('shoal_ingest_pipeline_failed_total{pipeline="refuses"} 1'));
  assert.match(body, /shoal_http_request_duration_seconds_bucket\{le="\+Inf",route="search"\} 1/);
});

/** Asks why, and makes the first call that mends each cause. */
async function mend(index) {
  const { body } = await call(node, 'GET', `/_why/${index}`);
  for (const {
    mend: [first],
  } of body.causes) {
    const answer = await call(node, first.method, first.path, first.body);
    assert.equal(answer.status, 200, `${first.method} ${first.path}: ${JSON.stringify(answer.body)}`);
  }
  return body;
}

test(
  'statistics by shard tell where each copy is and how far it ' + 'is, and no pool of Elasticsearch is missing',
  async () => {
    await call(node, 'PUT', '/by-shard', { settings: { number_of_replicas: 0 } });
    const { nodes } = (await call(node, 'GET', '/_nodes/stats/indices,thread_pool?level=shards')).body;
    const [{ indices, thread_pool: pools }] = Object.values(nodes);
    const [{ 0: shard }] = indices.shards['by-shard'];
    for (const key of ['routing', 'commit', 'seq_no', 'docs', 'retention_leases', 'shard_path'])
      assert.ok(key in shard, key);
    assert.deepEqual([shard.search_idle, typeof shard.search_idle_time], [false, 'number']);
    const { body: paths } = await call(node, 'GET', '/_cat/shards/by-shard?h=path.data,path.state');
    assert.equal(paths, `${shard.shard_path.data_path} ${shard.shard_path.state_path}\n`);
    for (const pool of [
      'auto_complete',
      'search_worker',
      'search_coordination',
      'system_critical_write',
      'snapshot_meta',
      'write',
    ])
      assert.deepEqual(Object.keys(pools[pool]), ['threads', 'queue', 'active', 'rejected', 'largest', 'completed']);
    for (const name of ['index.search.throttled', 'index.search.slowlog.include.user'])
      assert.equal((await call(node, 'PUT', '/by-shard/_settings', { [name]: true })).status, 400, name);
  },
);

test('what keeps an index from being green is told with the call that mends it', async () => {
  const broken = {
    replicas: { number_of_replicas: 1 },
    filtered: { number_of_replicas: 0, 'index.routing.allocation.require.rack': 'r1' },
    forbidden: { number_of_replicas: 0, 'index.routing.allocation.enable': 'none' },
    blocked: { number_of_replicas: 0, 'index.blocks.write': true },
  };
  for (const [index, settings] of Object.entries(broken))
    await call(node, 'PUT', `/${index}?wait_for_active_shards=0`, { settings });
  await call(
    node,
    'GET',
    '/_cluster/health/replicas,blocked?wait_for_active_shards=2&wait_for_no_initializing_shards=true&timeout=10s',
  );
  assert.deepEqual(
    (await mend('replicas')).causes.map(({ severity }) => severity),
    ['yellow'],
  );
  assert.equal((await mend('filtered')).status, 'red');
  assert.equal((await mend('forbidden')).status, 'red');
  assert.deepEqual(
    (await mend('blocked')).causes.map(({ severity }) => severity),
    ['blocked'],
  );
  await call(node, 'GET', '/_cluster/health?wait_for_status=green&timeout=10s');
  const { body } = await call(node, 'GET', `/_why/${Object.keys(broken).join(',')}`);
  assert.deepEqual([body.status, body.causes], ['green', []]);
  assert.equal(
    (await call(node, 'GET', '/_why/replicas?format=text')).body,
    'replicas is green and nothing is wrong with it\n',
  );
});
