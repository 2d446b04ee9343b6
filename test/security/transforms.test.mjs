// Transforms and rights: who may make them, and what they see.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicAuth, call, sleep, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode({ env: { ELASTIC_PASSWORD: 'elastic-secret' }, auth: 'elastic:elastic-secret' });
  await call(node, 'PUT', '/sales', {
    mappings: { properties: { team: { type: 'keyword' }, n: { type: 'long' }, secret: { type: 'long' } } },
  });
  const lines = ['a', 'a', 'b'].map((team, i) => `{"index":{}}\n{"team":"${team}","n":${i + 1},"secret":7}\n`);
  await call(node, 'POST', '/sales/_bulk?refresh=true', lines.join(''));
  const limited = { query: '{"term":{"team":"a"}}', field_security: { grant: ['team', 'n'] } };
  await call(node, 'PUT', '/_security/role/team', {
    cluster: ['manage_transform'],
    indices: [
      { names: ['sales'], privileges: ['read', 'view_index_metadata'], ...limited },
      { names: ['team-*'], privileges: ['all'] },
    ],
  });
  await call(node, 'PUT', '/_security/role/reader', { indices: [{ names: ['*'], privileges: ['all'] }] });
  await call(node, 'PUT', '/_security/user/ann', { password: 'ann-secret', roles: ['team'] });
  await call(node, 'PUT', '/_security/user/bob', { password: 'bob-secret', roles: ['reader'] });
});
after(() => node?.stop());

const [ann, bob] = [basicAuth('ann:ann-secret'), basicAuth('bob:bob-secret')];
const body = (index) => ({
  source: { index: 'sales' },
  dest: { index },
  pivot: {
    group_by: { team: { terms: { field: 'team' } } },
    aggregations: { n: { sum: { field: 'n' } }, secret: { sum: { field: 'secret' } } },
  },
});

test('a transform sees what its maker may see, whoever starts it', async () => {
  assert.equal((await call(node, 'PUT', '/_transform/teams', body('team-sums'), ann)).status, 200);
  assert.equal((await call(node, 'POST', '/_transform/teams/_start')).status, 200);
  for (let i = 0; i < 100; i++) {
    const { body: stats } = await call(node, 'GET', '/_transform/teams/_stats');
    if (stats.transforms[0].checkpointing.last.checkpoint === 1) break;
    await sleep(100);
  }
  const { hits } = (await call(node, 'POST', '/team-sums/_search')).body.hits;
  assert.deepEqual(
    hits.map(({ _source }) => [_source.team, _source.n, _source.secret]),
    [['a', 3, 0]],
  );
});

test('who may not write to the destination, or not manage transforms, is refused', async () => {
  const elsewhere = await call(node, 'PUT', '/_transform/away', body('others'), ann);
  assert.deepEqual([elsewhere.status, elsewhere.body.error.type], [403, 'security_exception']);
  for (const [method, path] of [
    ['PUT', '/_transform/x'],
    ['POST', '/_transform/teams/_start'],
    ['GET', '/_transform/teams/_stats'],
    ['DELETE', '/_transform/teams'],
  ])
    assert.equal((await call(node, method, path, method === 'PUT' ? body('y') : undefined, bob)).status, 403, path);
});

const JOB = {
  analysis_config: { bucket_span: '1h', detectors: [{ function: 'count' }] },
  data_description: { time_field: 'at' },
};

test('what was made while security was off does not run with all rights once it is on', async () => {
  const open = await startNode();
  await call(open, 'PUT', '/sales/_doc/1?refresh=true', { team: 'a', n: 1, secret: 7 });
  assert.equal((await call(open, 'PUT', '/_transform/old?defer_validation=true', body('old-sums'))).status, 200);
  assert.equal((await call(open, 'PUT', '/_ml/anomaly_detectors/counts', JOB)).status, 200);
  const feed = { job_id: 'counts', indices: ['sales'] };
  assert.equal((await call(open, 'PUT', '/_ml/datafeeds/feed-counts', feed)).status, 200);
  const analysis = { source: { index: 'sales' }, dest: { index: 'odd' }, analysis: { outlier_detection: {} } };
  assert.equal((await call(open, 'PUT', '/_ml/data_frame/analytics/odd', analysis)).status, 200);
  await open.stop();
  const closed = await startNode({
    data: open.data,
    env: { ELASTIC_PASSWORD: 'elastic-secret' },
    auth: 'elastic:elastic-secret',
  });
  try {
    assert.equal((await call(closed, 'POST', '/_transform/old/_start')).status, 200);
    const state = () => call(closed, 'GET', '/_transform/old/_stats').then(({ body: stats }) => stats.transforms[0]);
    let now = await state();
    for (let i = 0; i < 300 && now.state !== 'failed'; i++) {
      await sleep(100);
      now = await state();
    }
    assert.equal(now.state, 'failed');
    assert.match(now.reason, /made without authentication/);
    assert.equal((await call(closed, 'HEAD', '/old-sums')).status, 404);
    for (const made of ['datafeeds/feed-counts', 'data_frame/analytics/odd']) {
      const refused = await call(closed, 'POST', `/_ml/${made}/_start`);
      assert.equal(refused.status, 403, made);
      assert.match(refused.body.error.reason, /made without authentication/);
      assert.equal((await call(closed, 'POST', `/_ml/${made}/_update`, {})).status, 200);
      assert.notEqual((await call(closed, 'POST', `/_ml/${made}/_start`)).status, 403);
    }
  } finally {
    await closed.stop();
  }
});
