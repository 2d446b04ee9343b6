// Data that ages on one node: index lifecycle policies from the first request of a shipper to the deletion.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode, temporaryFolder } from '../node-process.mjs';

const repository = temporaryFolder('repository');
let node;
before(async () => {
  node = await startNode({ settings: { 'path.repo': repository } });
  await ok('PUT', '/_cluster/settings', { persistent: { 'indices.lifecycle.poll_interval': '1s' } });
});
after(() => node?.stop());

const ok = async (method, path, body) => {
  const answer = await call(node, method, path, body);
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const refused = async (method, path, body) => {
  const { status, body: answer } = await call(node, method, path, body);
  return { status, type: answer.error.type, reason: answer.error.reason, cause: answer.error.caused_by };
};

async function until(what, condition) {
  let last;
  for (const startMs = Date.now(); Date.now() - startMs < 30_000; ) {
    last = await condition();
    if (last) return last;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`not within 30 s: ${what}`);
}

const explained = async (index) => (await ok('GET', `/${index}/_ilm/explain`)).indices[index];
const exists = async (path) => (await call(node, 'HEAD', path)).status === 200;

test('what Filebeat sends first works: policy, template, data stream, documents, rollover', async () => {
  const policy = {
    policy: { phases: { hot: { actions: { rollover: { max_primary_shard_size: '50gb', max_docs: 2 } } } } },
  };
  assert.equal((await call(node, 'GET', '/_ilm/policy/filebeat')).status, 404);
  await ok('PUT', '/_ilm/policy/filebeat', policy);
  await ok('PUT', '/_index_template/filebeat-8.12.0', {
    index_patterns: ['filebeat-8.12.0'],
    priority: 150,
    data_stream: {},
    template: { settings: { index: { lifecycle: { name: 'filebeat' }, number_of_replicas: 0 } } },
  });
  await ok('PUT', '/_data_stream/filebeat-8.12.0');
  for (const message of ['one', 'two', 'three'])
    await call(node, 'POST', '/filebeat-8.12.0/_doc?refresh=true', { '@timestamp': '2026-11-27T00:00:00Z', message });
  const stream = await until('the stream is rolled over', async () => {
    const found = (await ok('GET', '/_data_stream/filebeat-8.12.0')).data_streams[0];
    return found.indices.length === 2 && found;
  });
  assert.equal(stream.ilm_policy, 'filebeat');
  assert.equal(stream.next_generation_managed_by, 'Index Lifecycle Management');
  const [first] = stream.indices;
  assert.equal(first.managed_by, 'Index Lifecycle Management');
  const done = await until('the first index is complete', async () => {
    const found = await explained(first.index_name);
    return found.step === 'complete' && found;
  });
  assert.deepEqual([done.phase, done.action, done.policy], ['hot', 'complete', 'filebeat']);
  assert.deepEqual(done.phase_execution.phase_definition, {
    min_age: '0ms',
    actions: policy.policy.phases.hot.actions,
  });
  const { filebeat } = await ok('GET', '/_ilm/policy/filebeat');
  assert.deepEqual(filebeat.in_use_by.data_streams, ['filebeat-8.12.0']);
  assert.deepEqual(filebeat.in_use_by.composable_templates, ['filebeat-8.12.0']);
});

test('an index goes through all phases: rolled over, shrunk, merged, deleted', async () => {
  const phases = {
    hot: { min_age: '0ms', actions: { set_priority: { priority: 100 }, rollover: { max_docs: 1 } } },
    warm: {
      min_age: '0d',
      actions: {
        set_priority: { priority: 50 },
        readonly: {},
        shrink: { number_of_shards: 1 },
        forcemerge: { max_num_segments: 1 },
        allocate: { number_of_replicas: 0 },
        migrate: {},
      },
    },
  };
  await ok('PUT', '/_ilm/policy/all', { policy: { phases } });
  await ok('PUT', '/_index_template/aged', {
    index_patterns: ['aged-*'],
    template: {
      settings: {
        'index.number_of_shards': 2,
        'index.number_of_replicas': 0,
        'index.lifecycle.name': 'all',
        'index.lifecycle.rollover_alias': 'aged',
      },
    },
  });
  await ok('PUT', '/aged-000001', { aliases: { aged: { is_write_index: true } } });
  await call(node, 'POST', '/aged/_bulk?refresh=true', '{"create":{}}\n{"n":1}\n{"create":{}}\n{"n":2}\n');
  const shrunk = await until('the index is shrunk', async () => {
    const { indices } = await ok('GET', '/shrink-*-aged-000001/_ilm/explain');
    const [found] = Object.values(indices);
    return found?.action === 'complete' && found;
  });
  assert.equal(shrunk.phase, 'warm');
  assert.equal(await exists('/aged-000002'), true);
  const { [shrunk.index]: settings } = await ok('GET', `/${shrunk.index}/_settings?flat_settings=true`);
  assert.equal(settings.settings['index.number_of_shards'], '1');
  assert.equal(settings.settings['index.priority'], '50');
  assert.equal(settings.settings['index.blocks.write'], 'true');
  assert.equal(settings.settings['index.routing.allocation.require._id'], undefined);
  assert.equal((await ok('GET', '/aged/_count')).count, 2);
  const { [shrunk.index]: aliases } = await ok('GET', `/aged-000001/_alias`);
  assert.deepEqual(Object.keys(aliases.aliases).sort(), ['aged', 'aged-000001']);
  const gone = { delete: { min_age: '0ms', actions: { delete: {} } } };
  await ok('PUT', '/_ilm/policy/all', { policy: { phases: { ...phases, ...gone } } });
  await until('the index is deleted', async () => !(await exists(`/${shrunk.index}`)));
});

test('a step that fails is explained, tried again, and goes on once its cause is gone', async () => {
  await ok('PUT', '/_ilm/policy/alias', { policy: { phases: { hot: { actions: { rollover: { max_docs: 1 } } } } } });
  await ok('PUT', '/no-alias-000001', { settings: { 'index.lifecycle.name': 'alias', 'index.number_of_replicas': 0 } });
  const failed = await until('the step fails twice', async () => {
    const found = await explained('no-alias-000001');
    return found.step === 'ERROR' && found.failed_step_retry_count > 0 && found;
  });
  assert.equal(failed.failed_step, 'check-rollover-ready');
  assert.equal(failed.is_auto_retryable_error, true);
  assert.deepEqual(failed.step_info, {
    type: 'illegal_argument_exception',
    reason: 'setting [index.lifecycle.rollover_alias] for index [no-alias-000001] is empty or not defined',
  });
  const report = await ok('GET', '/_health_report/ilm');
  assert.equal(report.indicators.ilm.status, 'green');
  const { indices } = await ok('GET', '/*/_ilm/explain?only_errors=true');
  assert.deepEqual(Object.keys(indices), ['no-alias-000001']);
  await ok('POST', '/_aliases', { actions: [{ add: { index: 'no-alias-000001', alias: 'aliased' } }] });
  await ok('PUT', '/no-alias-000001/_settings', { 'index.lifecycle.rollover_alias': 'aliased' });
  await call(node, 'POST', '/aliased/_doc?refresh=true', { n: 1 });
  await until('the index is rolled over', () => exists('/no-alias-000002'));
});

test('lifecycles stop and start, indices are moved by hand and let go', async () => {
  await ok('PUT', '/_ilm/policy/late', {
    policy: {
      phases: { hot: { min_age: '1000s', actions: {} }, warm: { min_age: '1000s', actions: { readonly: {} } } },
    },
  });
  await ok('PUT', '/moved', { settings: { 'index.lifecycle.name': 'late', 'index.number_of_replicas': 0 } });
  await until('the master has looked', async () => (await explained('moved')).phase === 'new');
  await ok('POST', '/_ilm/stop');
  await until('stopped', async () => (await ok('GET', '/_ilm/status')).operation_mode === 'STOPPED');
  const key = (phase, action, name) => ({ phase, action, name });
  const current_step = key('new', 'complete', 'complete');
  assert.deepEqual(
    await refused('POST', '/_ilm/move/moved', { current_step, next_step: key('invalid', 'invalid', 'invalid') }),
    {
      status: 400,
      type: 'illegal_argument_exception',
      reason:
        'step [{"phase":"invalid","action":"invalid","name":"invalid"}] for index [moved] with policy [late] ' +
        'does not exist',
      cause: undefined,
    },
  );
  await ok('POST', '/_ilm/move/moved', { current_step, next_step: { phase: 'warm' } });
  assert.equal((await explained('moved')).step, 'check-not-write-index');
  assert.equal((await refused('POST', '/moved/_ilm/retry')).status, 400);
  assert.match(
    (await refused('DELETE', '/_ilm/policy/late')).reason,
    /It is in use by one or more indices: \[moved\]$/,
  );
  await ok('POST', '/_ilm/start');
  await until('the index is read only', async () => (await explained('moved')).action === 'complete');
  assert.deepEqual(await ok('POST', '/moved/_ilm/remove'), { has_failures: false, failed_indexes: [] });
  assert.deepEqual(await explained('moved'), { index: 'moved', managed: false });
  await ok('DELETE', '/_ilm/policy/late');
  assert.equal((await refused('GET', '/_ilm/policy/late')).reason, 'Lifecycle policy not found: late');
});

test('a dry run tells what a policy would do, and does nothing', async () => {
  await ok('PUT', '/_ilm/policy/foreseen', {
    policy: {
      phases: {
        hot: { actions: { rollover: { max_age: '1d' } } },
        delete: { min_age: '3d', actions: { delete: {} } },
      },
    },
  });
  await ok('PUT', '/foreseen-000001', {
    aliases: { foreseen: { is_write_index: true } },
    settings: {
      'index.lifecycle.name': 'foreseen',
      'index.lifecycle.rollover_alias': 'foreseen',
      'index.number_of_replicas': 0,
    },
  });
  await call(node, 'POST', '/foreseen/_doc?refresh=true', { n: 1 });
  const { indices } = await ok('GET', '/foreseen-000001/_ilm/explain?dry_run=30d');
  const { dry_run: events, index_creation_date_millis: createdMs } = indices['foreseen-000001'];
  const days = events.map(({ action, at_millis }) => [action, Math.round((at_millis - createdMs) / 86_400_000)]);
  assert.deepEqual(days, [
    ['rollover', 1],
    ['delete', 4],
  ]);
  const shorter = { policy: { phases: { delete: { min_age: '2d', actions: { delete: {} } } } } };
  const dry = await ok('PUT', '/_ilm/policy/foreseen?dry_run=30d', shorter);
  assert.deepEqual(
    dry.indices['foreseen-000001'].map(({ action }) => action),
    ['delete'],
  );
  assert.equal((await ok('GET', '/_ilm/policy/foreseen')).foreseen.version, 1);
});

test('a data stream with a lifecycle is rolled over, and what is older than its retention is deleted', async () => {
  await ok('PUT', '/_cluster/settings', { persistent: { 'data_streams.lifecycle.poll_interval': '1s' } });
  await ok('PUT', '/_index_template/kept', {
    index_patterns: ['kept*'],
    data_stream: {},
    priority: 300,
    template: { settings: { 'index.number_of_replicas': 0 }, lifecycle: { data_retention: '30d' } },
  });
  await ok('PUT', '/_data_stream/kept');
  assert.deepEqual(await ok('GET', '/_data_stream/kept/_lifecycle'), {
    data_streams: [{ name: 'kept', lifecycle: { enabled: true, data_retention: '30d' } }],
  });
  const [defaults] = (await ok('GET', '/_data_stream/kept/_lifecycle?include_defaults=true')).data_streams;
  assert.equal(defaults.lifecycle.rollover.max_age, '7d');
  assert.equal((await refused('PUT', '/_data_stream/kept/_lifecycle', { data_retention: 'soon' })).status, 400);
  await call(node, 'POST', '/kept/_doc?refresh=true', { '@timestamp': '2026-11-27T00:00:00Z' });
  await ok('POST', '/kept/_rollover');
  await ok('PUT', '/_data_stream/kept/_lifecycle', { data_retention: '1s' });
  const left = await until('the first index is deleted', async () => {
    const [stream] = (await ok('GET', '/_data_stream/kept')).data_streams;
    return stream.indices.length === 1 && stream;
  });
  assert.equal(left.next_generation_managed_by, 'Data stream lifecycle');
  const name = left.indices[0].index_name;
  const { indices } = await ok('GET', `/${name}/_lifecycle/explain`);
  assert.equal(indices[name].managed_by_lifecycle, true);
  assert.equal(indices[name].lifecycle.data_retention, '1s');
  assert.equal(indices[name].index_creation_date, undefined);
  const readable = (await ok('GET', `/${name}/_lifecycle/explain?human`)).indices[name];
  assert.equal(Date.parse(readable.index_creation_date), readable.index_creation_date_millis);
  await ok('DELETE', '/_data_stream/kept/_lifecycle');
  assert.deepEqual(await ok('GET', '/_data_stream/kept/_lifecycle'), { data_streams: [{ name: 'kept' }] });
});

test('an alias becomes a data stream, and indices join and leave it', async () => {
  await ok('PUT', '/_index_template/turned', { index_patterns: ['turned'], data_stream: {}, priority: 300 });
  const mappings = { properties: { '@timestamp': { type: 'date' } } };
  const settings = { 'index.number_of_replicas': 0 };
  await ok('PUT', '/old-1', { settings, mappings, aliases: { turned: {} } });
  await ok('PUT', '/old-2', { settings, mappings, aliases: { turned: { is_write_index: true } } });
  await ok('PUT', '/old-3', { settings, mappings });
  await ok('POST', '/_data_stream/_migrate/turned');
  const names = async () =>
    (await ok('GET', '/_data_stream/turned')).data_streams[0].indices.map(({ index_name }) => index_name);
  assert.deepEqual(await names(), ['old-1', 'old-2']);
  const action = (kind, index) => ({ actions: [{ [`${kind}_backing_index`]: { data_stream: 'turned', index } }] });
  await ok('POST', '/_data_stream/_modify', action('add', 'old-3'));
  assert.deepEqual(await names(), ['old-3', 'old-1', 'old-2']);
  await ok('POST', '/_data_stream/_modify', action('remove', 'old-1'));
  assert.deepEqual(await names(), ['old-3', 'old-2']);
  assert.match(
    (await refused('POST', '/_data_stream/_modify', action('remove', 'old-2'))).reason,
    /^cannot remove backing index \[old-2\] of data stream \[turned\] because it is the write index$/,
  );
  await ok('POST', '/_data_stream/_promote/turned');
  assert.equal((await refused('POST', '/_data_stream/_promote/nope')).status, 404);
});

test('a snapshot policy takes snapshots by its schedule and by hand, and deletes old ones', async () => {
  await ok('PUT', '/_snapshot/backup', { type: 'fs', settings: { location: `${repository}/slm` } });
  await ok('PUT', '/_cluster/settings', { persistent: { 'slm.minimum_interval': '1s' } });
  await ok('PUT', '/saved', { settings: { 'index.number_of_replicas': 0 } });
  await call(node, 'POST', '/saved/_doc?refresh=true', { n: 1 });
  assert.deepEqual(await ok('GET', '/_slm/policy'), {});
  const policy = {
    name: '<often-{now/d}>',
    schedule: '0/2 * * * * ?',
    repository: 'backup',
    config: { indices: 'saved', include_global_state: false, metadata: { by: 'test' } },
    retention: { max_count: 1 },
  };
  assert.equal((await refused('PUT', '/_slm/policy/often', { ...policy, repository: 'nope' })).status, 400);
  await ok('PUT', '/_slm/policy/often', policy);
  const { often } = await until('the schedule took a snapshot', async () => {
    const found = await ok('GET', '/_slm/policy/often');
    return found.often.last_success && found;
  });
  assert.deepEqual(often.policy, policy);
  assert.match(often.last_success.snapshot_name, /^often-\d{4}\.\d{2}\.\d{2}-[a-z0-9]{22}$/);
  await ok('POST', '/_slm/stop');
  await until('stopped', async () => (await ok('GET', '/_slm/status')).operation_mode === 'STOPPED');
  const { snapshot_name: name } = await ok('PUT', '/_slm/policy/often/_execute');
  const { snapshots } = await until('the snapshot is taken', async () => {
    const answer = await call(node, 'GET', `/_snapshot/backup/${name}`);
    return answer.status === 200 && answer.body.snapshots[0].state === 'SUCCESS' && answer.body;
  });
  assert.deepEqual([snapshots[0].indices, snapshots[0].metadata], [['saved'], { by: 'test', policy: 'often' }]);
  await until('the policy knows', async () => (await ok('GET', '/_slm/stats')).total_snapshots_taken >= 2);
  await ok('POST', '/_slm/_execute_retention');
  await until('one is left', async () => (await ok('GET', '/_snapshot/backup/_all')).total === 1);
  const stats = await until('the round is counted', async () => {
    const found = await ok('GET', '/_slm/stats');
    return found.retention_runs === 1 && found;
  });
  assert.ok(stats.total_snapshots_deleted >= 1);
  assert.equal((await ok('GET', '/_health_report/slm')).indicators.slm.status, 'yellow');
  await ok('DELETE', '/_slm/policy/often');
  assert.equal((await refused('GET', '/_slm/policy/often')).status, 404);
});

test('what Logstash sends first works: licence, policy, template, alias with a date, bulk with a filter', async () => {
  assert.equal((await call(node, 'HEAD', '/')).status, 200);
  assert.match((await ok('GET', '/')).version.number, /^8\./);
  assert.equal((await ok('GET', '/_license')).license.status, 'active');
  assert.equal((await ok('GET', '/_xpack')).features.ilm.available, true);
  assert.equal(await exists('/_ilm/policy/logstash-policy'), false);
  const rollover = { max_size: '50gb', max_age: '30d' };
  await ok('PUT', '/_ilm/policy/logstash-policy', { policy: { phases: { hot: { actions: { rollover } } } } });
  assert.equal(await exists('/_ilm/policy/logstash-policy'), true);
  const template = {
    index_patterns: ['logstash-*'],
    version: 80001,
    priority: 200,
    template: {
      settings: {
        'index.refresh_interval': '5s',
        number_of_shards: 1,
        'index.lifecycle.name': 'logstash-policy',
        'index.lifecycle.rollover_alias': 'logstash',
      },
      mappings: {
        dynamic_templates: [
          {
            message_field: {
              path_match: 'message',
              match_mapping_type: 'string',
              mapping: { type: 'text', norms: false },
            },
          },
          {
            string_fields: {
              match: '*',
              match_mapping_type: 'string',
              mapping: { type: 'text', norms: false, fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
            },
          },
        ],
        properties: {
          '@timestamp': { type: 'date' },
          '@version': { type: 'keyword' },
          geoip: {
            dynamic: true,
            properties: {
              ip: { type: 'ip' },
              location: { type: 'geo_point' },
              latitude: { type: 'half_float' },
              longitude: { type: 'half_float' },
            },
          },
        },
      },
    },
  };
  assert.equal(await exists('/_index_template/logstash'), false);
  for (let i = 0; i < 2; i++) await ok('PUT', '/_index_template/logstash', template);
  assert.equal(await exists('/_alias/logstash'), false);
  const first = '/%3Clogstash-%7Bnow%2Fd%7D-000001%3E';
  await ok('PUT', first, { aliases: { logstash: { is_write_index: true } } });
  assert.equal(await exists('/logstash'), true);
  const again = await call(node, 'PUT', first, { aliases: { logstash: { is_write_index: true } } });
  assert.equal(again.body.error.type, 'resource_already_exists_exception');
  const event = JSON.stringify({ '@timestamp': '2026-11-27T00:00:00Z', '@version': '1', message: 'hello' });
  const lines = `{"index":{"_id":null,"_index":"logstash","routing":null}}\n${event}\n`;
  const answer = await ok('POST', '/_bulk?filter_path=errors,items.*.error,items.*.status', lines);
  assert.deepEqual(answer, { errors: false, items: [{ index: { status: 201 } }] });
});

test('what Curator sends works: settings, stats, state by name, snapshots that are polled, rollover', async () => {
  await ok('PUT', '/curated-000001', { settings: { number_of_replicas: 0 }, aliases: { curated: {} } });
  await call(node, 'POST', '/curated-000001/_doc?refresh=true', { a: 1 });
  const settings = await ok('GET', '/*/_settings?expand_wildcards=open,closed');
  assert.ok(settings['curated-000001'].settings.index.creation_date);
  const { indices } = await ok('GET', '/curated-000001/_stats/store,docs?metric=store,docs');
  assert.equal(indices['curated-000001'].primaries.docs.count, 1);
  const { metadata } = await ok('GET', '/_cluster/state/metadata/curated-000001');
  assert.equal(metadata.indices['curated-000001'].state, 'open');
  await ok('PUT', '/_snapshot/curator', {
    type: 'fs',
    settings: { location: `${repository}/curator`, compress: true },
  });
  await ok('POST', '/_snapshot/curator/_verify');
  const body = { ignore_unavailable: false, include_global_state: true, partial: false, indices: 'curated-000001' };
  await ok('PUT', '/_snapshot/curator/curator-1?wait_for_completion=false', body);
  await until('the snapshot is done', async () => {
    const [found] = (await ok('GET', '/_snapshot/curator/curator-1')).snapshots;
    return found.state === 'SUCCESS';
  });
  assert.deepEqual((await ok('GET', '/_snapshot/_status')).snapshots, []);
  const rolled = await ok('POST', '/curated/_rollover', { conditions: { max_docs: 1 } });
  assert.deepEqual([rolled.rolled_over, rolled.new_index], [true, 'curated-000002']);
  await ok('DELETE', '/curated-000001?master_timeout=30s');
  const restore = { indices: ['curated-000001'], include_aliases: false, include_global_state: false, partial: false };
  await ok('POST', '/_snapshot/curator/curator-1/_restore?wait_for_completion=true', restore);
  const recovery = await ok('GET', '/curated-000001/_recovery?human=true');
  assert.equal(recovery['curated-000001'].shards[0].stage, 'DONE');
  await ok('DELETE', '/_snapshot/curator/curator-1');
});

const keyword = { type: 'keyword', ignore_above: 1024 };
const strings = { match_mapping_type: 'string', mapping: keyword };
const metricbeatTemplate = (name) => ({
  index_patterns: [name],
  priority: 150,
  data_stream: {},
  template: {
    settings: {
      index: {
        lifecycle: { name: 'metricbeat' },
        mapping: { total_fields: { limit: 12_500 } },
        max_docvalue_fields_search: 200,
        number_of_replicas: 0,
        query: { default_field: ['message', 'tags', 'fields.*'] },
        refresh_interval: '5s',
      },
    },
    mappings: {
      _meta: { beat: 'metricbeat', version: '8.12.0' },
      date_detection: false,
      dynamic_templates: [
        { labels: { path_match: 'labels.*', ...strings } },
        { pct: { path_match: 'system.process.*.pct', mapping: { type: 'scaled_float', scaling_factor: 1000 } } },
        { strings_as_keyword: strings },
      ],
      properties: {
        '@timestamp': { type: 'date' },
        event: { properties: { duration: { type: 'long' }, dataset: keyword } },
        host: { properties: { name: keyword, ip: { type: 'ip' } } },
        metricset: { properties: { name: keyword, period: { type: 'long' } } },
        system: {
          properties: {
            cpu: { properties: { total: { properties: { pct: { type: 'scaled_float', scaling_factor: 1000 } } } } },
            load: { properties: { 1: { type: 'scaled_float', scaling_factor: 100 } } },
          },
        },
      },
    },
  },
});

test('what Metricbeat sends first works: pipeline, policy, template, data stream, bulk', async () => {
  const version = '8.12.0';
  const name = `metricbeat-${version}`;
  assert.match((await ok('GET', '/')).version.number, /^8\./);
  assert.equal((await ok('GET', '/_license')).license.status, 'active');
  assert.equal(await exists('/_ilm/policy/metricbeat'), false);
  const rollover = { max_primary_shard_size: '50gb', max_age: '30d' };
  await ok('PUT', '/_ilm/policy/metricbeat', { policy: { phases: { hot: { actions: { rollover } } } } });
  assert.equal(await exists(`/_index_template/${name}`), false);
  await ok('PUT', `/_index_template/${name}`, metricbeatTemplate(name));
  assert.equal((await call(node, 'GET', `/_data_stream/${name}`)).status, 404);
  await ok('PUT', `/_data_stream/${name}`);
  const event = (dataset, more) => ({
    '@timestamp': '2026-11-27T00:00:00Z',
    event: { dataset, duration: 115_000, module: 'system' },
    host: { name: 'web-1', ip: ['10.0.0.1', 'fe80::1'] },
    metricset: { name: dataset.split('.')[1], period: 10_000 },
    ...more,
  });
  const events = [
    event('system.cpu', { system: { cpu: { total: { pct: 0.2574 } } } }),
    event('system.load', { system: { load: { 1: 0.31 } }, labels: { team: 'web' } }),
    event('system.process', { system: { process: { cpu: { pct: 0.5 } } } }),
  ];
  const lines = events.map((one) => `{"create":{"_index":"${name}"}}\n${JSON.stringify(one)}\n`).join('');
  const answer = await ok('POST', '/_bulk?filter_path=errors,items.*.error,items.*.status', lines);
  assert.deepEqual(answer, { errors: false, items: events.map(() => ({ create: { status: 201 } })) });
  await ok('POST', `/${name}/_refresh`);
  const aggs = { host: { terms: { field: 'host.name' }, aggs: { cpu: { avg: { field: 'system.cpu.total.pct' } } } } };
  const { aggregations } = await ok('POST', `/${name}/_search`, { size: 0, aggs });
  assert.deepEqual(aggregations.host.buckets, [{ key: 'web-1', doc_count: 3, cpu: { value: 0.257 } }]);
});

test('what Terraform sends again changes nothing', async () => {
  const delete30 = { min_age: '30d', actions: { delete: { delete_searchable_snapshot: true } } };
  const hot = { min_age: '0ms', actions: { set_priority: { priority: 100 }, rollover: { max_age: '1d' } } };
  const steps = [
    ['/_cluster/settings', { persistent: { 'indices.lifecycle.poll_interval': '1s' }, transient: {} }],
    ['/_snapshot/terraform', { type: 'fs', settings: { location: `${repository}/terraform`, compress: 'true' } }],
    ['/_ilm/policy/terraform', { policy: { phases: { hot, delete: delete30 }, _meta: { by: 'terraform' } } }],
    ['/_ingest/pipeline/terraform', { description: 'd', processors: [{ set: { field: 'a', value: '1' } }] }],
    ['/_component_template/terraform', { template: { settings: { 'index.number_of_replicas': '0' } }, version: 3 }],
    [
      '/_index_template/terraform',
      {
        index_patterns: ['terraform-*'],
        composed_of: ['terraform'],
        data_stream: { hidden: false },
        priority: 42,
        template: { settings: { 'index.lifecycle.name': 'terraform', 'index.default_pipeline': 'terraform' } },
      },
    ],
    [
      '/_slm/policy/terraform',
      {
        name: '<snap-{now/d}>',
        schedule: '0 30 1 * * ?',
        repository: 'terraform',
        config: { indices: ['terraform-*'] },
      },
    ],
    ['/_scripts/terraform', { script: { lang: 'painless', source: 'doc.size()' } }],
  ];
  const read = async () => {
    const found = [];
    for (const [path] of steps) {
      const answer = await ok('GET', path);
      // The time of the next run is that of the request.
      delete answer.terraform?.next_execution_millis;
      found.push(answer);
    }
    return found;
  };
  for (const [path, body] of steps) await ok('PUT', path, body);
  await ok('PUT', '/_data_stream/terraform-a');
  const before = await read();
  const again = await call(node, 'PUT', '/_data_stream/terraform-a');
  assert.equal(again.body.error.type, 'resource_already_exists_exception');
  for (const [path, body] of steps) await ok('PUT', path, body);
  assert.deepEqual(await read(), before);
  const [stream] = (await ok('GET', '/_data_stream/terraform-a')).data_streams;
  assert.deepEqual([stream.template, stream.ilm_policy], ['terraform', 'terraform']);
});

test('a repository is analysed: what was written is read, listed and deleted', async () => {
  await ok('PUT', '/_snapshot/analysed', { type: 'fs', settings: { location: `${repository}/analysed` } });
  const url = '/_snapshot/analysed/_analyze?blob_count=12&max_blob_size=64kb&timeout=60s';
  const { issues_detected, summary, blob_count } = await ok('POST', url);
  assert.deepEqual([issues_detected, blob_count, summary.write.count], [[], 12, 12 + 4 + 4]);
  assert.equal((await refused('POST', '/_snapshot/analysed/_analyze?blob_count=0')).status, 400);
  assert.equal((await refused('POST', '/_snapshot/absent/_analyze')).type, 'repository_missing_exception');
});
