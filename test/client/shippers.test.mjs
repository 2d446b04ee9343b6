// What shippers and tools send before their first document, call by call, and what they check of the answers.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { call, startNode, temporaryFolder } from '../node-process.mjs';

const repository = temporaryFolder('repository');
let node;
before(async () => {
  node = await startNode({ settings: { 'path.repo': repository } });
});
after(() => node?.stop());

async function answers(status, method, url, body) {
  const answer = await call(node, method, url, body);
  assert.equal(answer.status, status, `${method} ${url}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const ok = (method, url, body) => answers(200, method, url, body);
const lines = (...all) => all.map((one) => `${JSON.stringify(one)}\n`).join('');

/** Asks for a thing, makes it as it is missing, and asks again. */
async function ensure(url, body, check = 'HEAD') {
  await answers(404, check, url);
  assert.deepEqual(await ok('PUT', url, body), { acknowledged: true });
  await answers(200, check, url);
}

const FILTERED = '/_bulk?filter_path=errors%2Citems.%2A.error%2Citems.%2A.status';

/** The template of a beat, with a few of its thousands of fields. */
const beatTemplate = (beat, name) => ({
  data_stream: {},
  index_patterns: [name],
  priority: 150,
  template: {
    mappings: {
      _meta: { beat, version: '8.12.0' },
      date_detection: false,
      dynamic_templates: [
        { labels: { path_match: 'labels.*', match_mapping_type: 'string', mapping: { type: 'keyword' } } },
        { strings_as_keyword: { match_mapping_type: 'string', mapping: { ignore_above: 1024, type: 'keyword' } } },
      ],
      properties: {
        '@timestamp': { type: 'date' },
        message: { type: 'match_only_text' },
        host: { properties: { ip: { type: 'ip' }, name: { ignore_above: 1024, type: 'keyword' } } },
        'event.dataset': { type: 'alias', path: 'dataset.name' },
        dataset: { properties: { name: { ignore_above: 1024, type: 'keyword' } } },
        system: {
          properties: {
            load: { properties: { 1: { type: 'scaled_float', scaling_factor: 100 } } },
            network: { properties: { in: { properties: { bytes: { type: 'long' } } } } },
          },
        },
      },
    },
    settings: {
      index: {
        lifecycle: { name: beat },
        mapping: { total_fields: { limit: 12_500 } },
        refresh_interval: '5s',
        number_of_shards: 1,
        max_docvalue_fields_search: 200,
        query: { default_field: ['message', 'host.name', 'fields.*'] },
      },
    },
  },
});

const ACCESS_PIPELINE = {
  description: 'Pipeline for parsing access logs',
  processors: [
    { set: { field: 'event.ingested', value: '{{_ingest.timestamp}}' } },
    { rename: { field: 'message', target_field: 'event.original' } },
    { dissect: { field: 'event.original', pattern: '%{source.address} %{http.method} %{url.original}' } },
    { user_agent: { field: 'agent', ignore_missing: true } },
  ],
  on_failure: [{ set: { field: 'error.message', value: '{{ _ingest.on_failure_message }}' } }],
};

for (const beat of ['filebeat', 'metricbeat'])
  test(`${beat} sets up its policy, template, data stream and pipelines, and ships`, async () => {
    assert.equal((await ok('GET', '/')).version.number, '8.12.0');
    assert.equal((await ok('GET', '/_license?human=false')).license.status, 'active');
    const rollover = { max_primary_shard_size: '50gb', max_age: '30d' };
    await ensure(`/_ilm/policy/${beat}`, { policy: { phases: { hot: { actions: { rollover } } } } }, 'GET');
    const name = `${beat}-8.12.0`;
    await ensure(`/_index_template/${name}`, beatTemplate(beat, name));
    await ensure(`/_data_stream/${name}`, undefined, 'GET');
    const pipeline = `${name}-nginx-access-pipeline`;
    await ensure(`/_ingest/pipeline/${pipeline}`, ACCESS_PIPELINE, 'GET');
    const event = { '@timestamp': '2026-11-28T06:00:00.000Z', message: '10.0.0.1 GET /a', host: { name: 'h' } };
    const shipped = await ok(
      'POST',
      FILTERED,
      lines(
        { create: { _index: name, pipeline } },
        event,
        { create: { _index: name } },
        { ...event, host: { ip: 'x' } },
      ),
    );
    assert.deepEqual(
      shipped.items.map(({ create }) => [create.status, create.error?.type]),
      [
        [201, undefined],
        [400, 'document_parsing_exception'],
      ],
    );
    await ok('POST', `/${name}/_refresh`);
    const { hits } = await ok('GET', `/${name}/_search?q=http.method:GET`);
    assert.equal(hits.hits[0]._source.url.original, '/a');
    const [explained] = Object.values((await ok('GET', `/${name}/_ilm/explain`)).indices);
    assert.deepEqual([explained.managed, explained.policy], [true, beat]);
  });

test('Logstash sets up its template, rollover alias and policy, and ships through the alias', async () => {
  await ok('HEAD', '/');
  assert.equal((await ok('GET', '/_license')).license.status, 'active');
  await ensure('/_index_template/ecs-logstash', {
    index_patterns: 'logs-by-stash-*',
    version: 80_001,
    template: {
      settings: {
        'index.refresh_interval': '5s',
        number_of_shards: 1,
        'index.lifecycle.name': 'logstash-policy',
        'index.lifecycle.rollover_alias': 'logs-by-stash',
      },
      mappings: {
        dynamic_templates: [
          { message: { path_match: 'message', match_mapping_type: 'string', mapping: { type: 'text', norms: false } } },
        ],
        properties: { '@timestamp': { type: 'date' }, '@version': { type: 'keyword' } },
      },
    },
    priority: 500,
    _meta: { description: 'index template of a shipper' },
  });
  await answers(404, 'HEAD', '/logs-by-stash');
  const first = '/%3Clogs-by-stash-%7Bnow%2Fd%7D-000001%3E';
  const aliases = { aliases: { 'logs-by-stash': { is_write_index: true } } };
  assert.equal((await ok('PUT', first, aliases)).acknowledged, true);
  // Another instance comes second, and goes on after this error.
  assert.equal((await answers(400, 'PUT', first, aliases)).error.type, 'resource_already_exists_exception');
  await answers(200, 'HEAD', '/logs-by-stash');
  const policy = { policy: { phases: { hot: { actions: { rollover: { max_size: '25gb', max_age: '30d' } } } } } };
  await ensure('/_ilm/policy/logstash-policy', policy, 'GET');
  const event = { '@timestamp': '2026-11-28T06:00:00.000Z', '@version': '1', message: 'hello' };
  const action = { index: { _id: null, _index: 'logs-by-stash', routing: null } };
  const { errors, items } = await ok('POST', FILTERED, lines(action, event));
  assert.deepEqual([errors, items[0].index.status], [false, 201]);
});

test('tools that set everything again change nothing', async () => {
  const calls = [
    ['/_ilm/policy/kept', { policy: { phases: { delete: { min_age: '30d', actions: { delete: {} } } } } }],
    ['/_component_template/kept', { template: { settings: { number_of_shards: 1 } }, version: 3 }],
    ['/_index_template/kept', { index_patterns: ['kept-*'], composed_of: ['kept'], data_stream: {}, priority: 7 }],
    ['/_template/kept', { index_patterns: ['old-kept-*'], order: 1, settings: { number_of_shards: 1 } }],
    ['/_ingest/pipeline/kept', { processors: [{ set: { field: 'a', value: 1 } }] }],
    ['/_snapshot/kept', { type: 'fs', settings: { location: path.join(repository, 'kept'), compress: true } }],
    ['/_cluster/settings', { persistent: { 'indices.lifecycle.poll_interval': '7m' } }],
  ];
  for (const [url, body] of calls) await ok('PUT', url, body);
  const { version } = await ok('GET', '/_cluster/state/version');
  for (const [url, body] of calls) {
    await ok('PUT', url, body);
    assert.equal((await ok('GET', '/_cluster/state/version')).version, version, url);
  }
  assert.equal((await ok('GET', '/_ilm/policy/kept')).kept.version, 1);
});

test('curator rolls over, snapshots by a pattern of dates, restores and cleans up', async () => {
  await ok('PUT', '/app-000001', { aliases: { app: {} } });
  await answers(201, 'PUT', '/app-000001/_doc/1?refresh=true', { n: 1 });
  assert.deepEqual(Object.keys(await ok('GET', '/_alias/app')), ['app-000001']);
  const conditions = { conditions: { max_docs: 1 } };
  assert.equal((await ok('POST', '/app/_rollover?dry_run=true', conditions)).rolled_over, false);
  assert.equal((await ok('POST', '/app/_rollover?dry_run=false', conditions)).new_index, 'app-000002');
  await ok('GET', '/_cluster/state/metadata/app-000001');
  await ok('GET', '/app-000001/_stats?filter_path=indices.*.primaries.docs,indices.*.primaries.store');
  await ok('PUT', '/_snapshot/curated', { type: 'fs', settings: { location: path.join(repository, 'c') } });
  assert.equal(Object.keys((await ok('POST', '/_snapshot/curated/_verify')).nodes).length, 1);
  assert.deepEqual((await ok('GET', '/_snapshot/_status')).snapshots, []);
  await ok('PUT', '/_snapshot/curated/%3Ccurator-%7Bnow%2Fd%7D%3E?wait_for_completion=false', {
    indices: 'app-000001,app-000002',
    ignore_unavailable: false,
    include_global_state: true,
    partial: false,
  });
  const taken = async () => (await ok('GET', '/_snapshot/curated/curator-*')).snapshots;
  let [one] = await taken();
  for (let i = 0; one.state === 'IN_PROGRESS' && i < 200; i++) [one] = await taken();
  assert.deepEqual([one.state, one.indices.sort()], ['SUCCESS', ['app-000001', 'app-000002']]);
  await ok('POST', `/_snapshot/curated/${one.snapshot}/_restore?wait_for_completion=true`, {
    indices: 'app-000001',
    ignore_unavailable: false,
    include_aliases: false,
    include_global_state: false,
    partial: false,
    rename_pattern: 'app-(.+)',
    rename_replacement: 'again-$1',
    index_settings: { number_of_replicas: 0 },
  });
  const recovery = (await ok('GET', '/again-000001/_recovery?human=true'))['again-000001'];
  assert.deepEqual([recovery.shards[0].type, recovery.shards[0].stage], ['SNAPSHOT', 'DONE']);
  assert.equal((await ok('GET', '/again-000001/_count')).count, 1);
  await ok('DELETE', `/_snapshot/curated/${one.snapshot}`);
  assert.equal(
    (await answers(404, 'GET', `/_snapshot/curated/${one.snapshot}`)).error.type,
    'snapshot_missing_exception',
  );
});
