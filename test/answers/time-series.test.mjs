// Indices of time series on one node: what 8.12 answers about dimensions, metrics and windows.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, sleep, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode({});
});
after(() => node?.stop());

const ok = async (method, path, body) => {
  const answer = await call(node, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const refused = async (method, path, body) => {
  const { status, body: answer } = await call(node, method, path, body);
  return [status, answer.error.type, answer.error.reason];
};

const dimension = (type) => ({ type, time_series_dimension: true });
const PROPERTIES = {
  '@timestamp': { type: 'date' },
  host: dimension('keyword'),
  port: dimension('long'),
  ip: dimension('ip'),
  cpu: { type: 'double', time_series_metric: 'gauge' },
  requests: { type: 'long', time_series_metric: 'counter' },
  label: { type: 'keyword' },
};
const SETTINGS = {
  'index.mode': 'time_series',
  'index.routing_path': ['host'],
  'index.number_of_replicas': 0,
  'index.time_series.start_time': '2026-01-01T00:00:00Z',
  'index.time_series.end_time': '2027-01-01T00:00:00Z',
};
const A = { host: 'a', ip: '10.0.0.1', port: 5 };
const B = { host: 'b' };

test('time series are objects of their dimensions, wherever they are shown', async () => {
  await ok('PUT', '/points', { settings: SETTINGS, mappings: { properties: PROPERTIES } });
  const at = (minute) => `2026-05-01T00:0${minute}:00Z`;
  await ok('POST', '/points/_doc?refresh=true', { '@timestamp': at(0), ...A, cpu: 1.5, requests: 3, label: 'x' });
  await ok('POST', '/points/_doc?refresh=true', { '@timestamp': at(1), ...B, cpu: 2.5, requests: 4 });
  const search = (body) => ok('POST', '/points/_search', body);
  const field = '_tsid';
  const sources = [{ s: { terms: { field } } }];
  const { aggregations } = await search({
    size: 0,
    aggs: {
      terms: { terms: { field } },
      pages: { composite: { size: 1, sources, after: { s: B } } },
      distinct: { cardinality: { field } },
    },
  });
  assert.deepEqual(
    aggregations.terms.buckets.map(({ key }) => key),
    [B, A],
  );
  assert.deepEqual(aggregations.pages, { after_key: { s: A }, buckets: [{ key: { s: A }, doc_count: 1 }] });
  assert.deepEqual(aggregations.distinct, { value: 2 });
  const shown = await search({ sort: [field], fields: [field], docvalue_fields: [field], _source: false });
  assert.deepEqual(
    shown.hits.hits.map(({ fields, sort }) => [fields._tsid, sort]),
    [
      [[B], [B]],
      [[A], [A]],
    ],
  );
  const [status, , reason] = await refused('POST', '/points/_search', {
    aggs: { x: { terms: { field, include: 'a.*' } } },
  });
  assert.equal(status, 400);
  assert.match(reason, /cannot support regular expression style include\/exclude|all shards failed/);
});

test('capabilities of fields tell dimensions and metrics, and the indices that disagree', async () => {
  await ok('PUT', '/plain', { mappings: { properties: { host: { type: 'keyword' }, cpu: { type: 'double' } } } });
  const one = (await ok('GET', '/points/_field_caps?fields=host,cpu,_tsid')).fields;
  assert.equal(one.host.keyword.time_series_dimension, true);
  assert.equal(one.cpu.double.time_series_metric, 'gauge');
  assert.deepEqual(one._tsid._tsid, { type: '_tsid', metadata_field: true, searchable: false, aggregatable: true });
  const both = (await ok('GET', '/points,plain/_field_caps?fields=host,cpu')).fields;
  assert.deepEqual(both.host.keyword.non_dimension_indices, ['plain']);
  assert.deepEqual(both.cpu.double.metric_conflicts_indices, ['plain', 'points']);
});

test('what a document outside of the window, a route and a synthetic source are answered with', async () => {
  const [status, type, reason] = await refused('POST', '/points/_doc', {
    '@timestamp': '2028-05-01T00:00:00Z',
    host: 'a',
  });
  assert.deepEqual([status, type], [400, 'document_parsing_exception']);
  assert.match(reason, /time series index @timestamp value \[2028-05-01T00:00:00Z\] must be smaller than 2027-01-01/);
  const alias = { actions: [{ add: { index: 'points', alias: 'q', routing: '1' } }] };
  assert.deepEqual(await refused('POST', '/_aliases', alias), [
    400,
    'illegal_argument_exception',
    'routing is forbidden on CRUD operations that target indices in [index.mode=time_series]',
  ]);
  const mappings = { _source: { mode: 'synthetic' }, properties: PROPERTIES };
  const refusal = await refused('PUT', '/synthetic', { settings: SETTINGS, mappings });
  assert.match(refusal[2], /\[_source\] mode \[synthetic\] is not supported/);
});

test('a document goes to the backing index whose window holds its time', async () => {
  await ok('PUT', '/_index_template/metrics', {
    index_patterns: ['metrics-*'],
    data_stream: {},
    priority: 500,
    template: {
      settings: { 'index.mode': 'time_series', 'index.number_of_replicas': 0 },
      mappings: { properties: { host: dimension('keyword'), cpu: { type: 'double' } } },
    },
  });
  await ok('PUT', '/_data_stream/metrics-a');
  await ok('POST', '/metrics-a/_rollover');
  const [stream] = (await ok('GET', '/_data_stream/metrics-a')).data_streams;
  const [{ start, end }] = stream.time_series.temporal_ranges;
  const write = (time) => call(node, 'POST', '/metrics-a/_doc', { '@timestamp': new Date(time), host: 'a', cpu: 1 });
  const first = await write(Date.parse(start));
  const last = await write(Date.parse(end) - 1);
  assert.deepEqual(
    [first.body._index, last.body._index],
    stream.indices.map(({ index_name }) => index_name),
  );
  assert.equal((await write(Date.parse(start))).status, 409);
  const outside = await write(Date.parse(start) - 1);
  assert.equal(outside.status, 400);
  assert.match(outside.body.error.reason, /^the document timestamp \[.*\] is outside of ranges of currently writable/);
});

test('a series is a bucket, a counter below it has a rate, and its points are one value of four metrics', async () => {
  const properties = {
    ...PROPERTIES,
    load: { type: 'aggregate_metric_double', metrics: ['min', 'max', 'sum', 'value_count'], default_metric: 'max' },
  };
  await ok('PUT', '/rates', { settings: SETTINGS, mappings: { properties } });
  const point = (second, requests) => ({ '@timestamp': `2026-05-01T00:00:${second}Z`, host: 'a', requests });
  const load = { min: 1, max: 4, sum: 5, value_count: 2 };
  for (const source of [{ ...point('10', 100), load }, point('20', 160), point('30', 40)])
    await ok('POST', '/rates/_doc?refresh=true', source);
  const { aggregations, hits } = await ok('POST', '/rates/_search', {
    query: { term: { load: 4 } },
    sort: ['load'],
    fields: ['load'],
    aggs: { mean: { avg: { field: 'load' } } },
  });
  assert.deepEqual([hits.hits[0].sort, hits.hits[0].fields, aggregations.mean.value], [[4], { load: [4] }, 2.5]);
  const rates = await ok('POST', '/rates/_search', {
    size: 0,
    aggs: { s: { time_series: { keyed: true }, aggs: { r: { rate: { field: 'requests', unit: 'minute' } } } } },
  });
  // 60 more, then anew from 0 to 40: 100 in 20 seconds.
  const bucket = { key: { host: 'a' }, doc_count: 3, r: { value: 300 } };
  assert.deepEqual(rates.aggregations.s.buckets, { '{host=a}': bucket });
});

const LABELLED = {
  ...PROPERTIES,
  zone: { type: 'flattened', time_series_dimensions: ['name'] },
  message: { type: 'text', fields: { raw: { type: 'keyword' } } },
};
const POINTS = [
  ['00:10', { cpu: 1, requests: 5, label: 'old', message: 'up' }],
  ['00:50', { cpu: 4, requests: 9, label: ['x', 'y'] }],
  ['01:30', { requests: 11, cpu: 2 }],
].map(([time, more]) => ({ '@timestamp': `2026-05-01T${time}:00Z`, ...A, zone: { name: 'z' }, ...more }));
const PAST = { ...SETTINGS, 'index.time_series.end_time': '2026-06-01T00:00:00Z' };

async function fill(index) {
  await ok('PUT', `/${index}`, { settings: PAST, mappings: { properties: LABELLED } });
  const lines = [...POINTS, { '@timestamp': '2026-05-01T00:20:00Z', ...B, cpu: 7 }];
  for (const source of lines) await ok('POST', `/${index}/_doc`, source);
}

const sourcesOf = async (index) =>
  (await ok('POST', `/${index}/_search`, { sort: ['_tsid', '@timestamp'] })).hits.hits.map(({ _source }) => _source);

const hour = (time, count, more) => ({
  '@timestamp': Date.parse(`2026-05-01T${time}:00Z`),
  _doc_count: count,
  ...more,
});
const gauge = (min, max, sum, value_count) => ({ min, max, sum, value_count });
const HOURS = [
  hour('00:00', 1, { ...B, cpu: gauge(7, 7, 7, 1) }),
  hour('00:00', 2, {
    ...A,
    zone: { name: 'z' },
    cpu: gauge(1, 4, 5, 2),
    label: ['x', 'y'],
    message: 'up',
    requests: 9,
  }),
  hour('01:00', 1, { ...A, zone: { name: 'z' }, cpu: gauge(2, 2, 2, 1), requests: 11 }),
];

test('downsampling keeps metrics of gauges, last values of counters and labels, and numbers of documents', async () => {
  await fill('raw');
  const body = { fixed_interval: '1h' };
  const path = '/raw/_downsample/hourly';
  assert.match(
    (await refused('POST', path, body))[2],
    /requires setting \[index.blocks.write = true\] for index \[raw\]/,
  );
  await ok('PUT', '/raw/_block/write');
  assert.deepEqual(await refused('POST', path, {}), [400, 'illegal_argument_exception', 'Required [fixed_interval]']);
  assert.equal((await refused('POST', '/plain/_downsample/hourly', body))[0], 400);
  assert.equal((await refused('POST', '/raw/_downsample/points', body))[1], 'resource_already_exists_exception');
  assert.deepEqual(await ok('POST', path, body), { acknowledged: true });
  assert.deepEqual(await sourcesOf('hourly'), HOURS);
  assert.deepEqual(await ok('POST', path, body), { acknowledged: true });
  const { settings, mappings } = (await ok('GET', '/hourly')).hourly;
  assert.deepEqual([settings.index.downsample.status, settings.index.downsample.source.name], ['success', 'raw']);
  assert.equal(settings.index.blocks.write, 'true');
  assert.deepEqual(mappings.properties['@timestamp'].meta, { fixed_interval: '1h', time_zone: 'UTC' });
  assert.equal(mappings.properties.cpu.type, 'aggregate_metric_double');
  const byDay = { date_histogram: { field: '@timestamp', calendar_interval: 'day' } };
  const aggs = { day: { ...byDay, aggs: { mean: { avg: { field: 'cpu' } }, top: { max: { field: 'cpu' } } } } };
  const days = [];
  for (const index of ['raw', 'hourly'])
    days.push((await ok('POST', `/${index}/_search`, { size: 0, aggs })).aggregations);
  assert.deepEqual(days[0], days[1]);
});

test('what was downsampled is downsampled again, to a multiple of its interval only', async () => {
  assert.match(
    (await refused('POST', '/hourly/_downsample/odd', { fixed_interval: '90m' }))[2],
    /Downsampling interval \[90m\] must be a multiple of the source index interval \[1h\]/,
  );
  await ok('POST', '/hourly/_downsample/daily', { fixed_interval: '1d' });
  assert.deepEqual(
    (await sourcesOf('daily')).map(({ _doc_count, cpu, requests }) => [_doc_count, cpu, requests]),
    [
      [1, gauge(7, 7, 7, 1), undefined],
      [3, gauge(1, 4, 7, 3), 11],
    ],
  );
});

test('a policy puts the downsampled index in the place of the index', async () => {
  await ok('PUT', '/_cluster/settings', { persistent: { 'indices.lifecycle.poll_interval': '1s' } });
  const actions = { downsample: { fixed_interval: '1h' } };
  await ok('PUT', '/_ilm/policy/coarser', { policy: { phases: { warm: { actions } } } });
  await fill('aged');
  await ok('PUT', '/aged/_settings', { 'index.lifecycle.name': 'coarser' });
  const target = 'downsample-1h-aged';
  const isDone = async () => {
    const { status, body } = await call(node, 'GET', `/${target}/_ilm/explain`);
    return status === 200 && body.indices[target].step === 'complete';
  };
  for (const startMs = Date.now(); !(await isDone()); await sleep(100))
    assert.ok(Date.now() - startMs < 30_000, JSON.stringify(await ok('GET', '/aged*,*aged/_ilm/explain')));
  assert.deepEqual(Object.keys(await ok('GET', '/aged/_alias')), [target]);
  assert.deepEqual(await sourcesOf('aged'), HOURS);
});
