// Bad input to anomaly detection jobs and datafeeds: a clear error with its status, never a 500, never a dead thread of
// models, nothing half made.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { call, sleep, startNode } from '../node-process.mjs';

let node;
before(async () => {
  node = await startNode();
});
after(() => node?.stop());

const JOBS = '/_ml/anomaly_detectors';
const job = (analysis = {}, rest = {}) => ({
  analysis_config: { bucket_span: '5m', detectors: [{ function: 'count' }], ...analysis },
  ...{ data_description: { time_field: 'time', time_format: 'epoch_ms' } },
  ...rest,
});
const detector = (one) => job({ detectors: [one] });
const rule = (more) => detector({ function: 'mean', field_name: 'v', custom_rules: [more] });
const put = (id, body, status, reason) => ['PUT', `${JOBS}/${id}`, body, status, reason];

const REFUSED = [
  put('A', job(), 400, /Invalid job_id/),
  put('a'.repeat(65), job(), 400, /job_id|64/),
  put('-a', job(), 400, /Invalid job_id/),
  put('a', undefined, 400, /body/),
  put('a', [], 400, /body|object/),
  put('a', {}, 400, /analysis_config must be set/),
  put('a', job({}, { unknown: 1 }), 400, /unknown/),
  put('a', job({ detectors: [] }), 400, /[Dd]etectors/),
  put('a', job({ bucket_span: '0s' }), 400, /bucket_span/),
  put('a', job({ bucket_span: '4000d' }), 400, /bucket_span/),
  put('a', job({ bucket_span: '1500ms' }), 400, /bucket_span/),
  put('a', job({ bucket_span: 'soon' }), 400, /bucket_span|soon/),
  put('a', detector({ function: 'moon' }), 400, /Unknown function 'moon'/),
  put('a', detector({ function: 'mean' }), 400, /field_name must be set/),
  put('a', detector({ function: 'count', field_name: 'v' }), 400, /field_name cannot be used/),
  put('a', detector({ function: 'rare' }), 400, /by_field_name must be set/),
  put('a', detector({ function: 'mean', field_name: 'v', by_field_name: 'x', over_field_name: 'x' }), 400, /same/),
  put('a', detector({ function: 'mean', field_name: 'a"b' }), 400, /Invalid field name/),
  put('a', job({ multivariate_by_fields: true }), 400, /multivariate_by_fields/),
  put('a', job({ categorization_filters: ['(a+)+$'], categorization_field_name: 'm' }), 400, /categorization/),
  put('a', job({ latency: '-1h' }), 400, /latency/),
  put('a', job({}, { data_description: { time_format: 'nonsense QQQ' } }), 400, /Invalid Time format string/),
  put('a', job({}, { analysis_limits: { model_memory_limit: '1kb' } }), 400, /model_memory_limit/),
  put('a', job({}, { groups: ['UP'] }), 400, /group/),
  put('a', job({}, { results_index_name: '../x' }), 400, /results_index_name/),
  put('a', job({}, { renormalization_window_days: -1 }), 400, /renormalization_window_days/),
  put('a', job({}, { model_plot_config: { enabled: 'maybe' } }), 400, /enabled/),
  put('a', job({}, { model_plot_config: { every: 1 } }), 400, /every/),
  put('a', job({}, { alert: { index: 'logs' } }), 400, /alert\.index/),
  put('a', job({}, { alert: { webhook: 'http://10.0.0.1/' } }), 400, /allowed_hosts/),
  put('a', job({}, { datafeed_config: 7 }), 400, /datafeed_config/),
  put('a', job({}, { datafeed_config: { indices: [] } }), 400, /indices/),
  put('a', job({}, { datafeed_config: { indices: ['no-such'], delayed_data_check_config: {} } }), 400, /enabled/),
  put('a', rule({}), 400, /scope or a condition/),
  put('a', rule({ conditions: [{ applies_to: 'actual', operator: 'eq', value: 1 }] }), 400, /operator/),
  put('a', rule({ scope: { q: { filter_id: 'f' } } }), 400, /scope field 'q'/),
  put('a', rule({ conditions: [{ applies_to: 'actual', operator: 'gt', value: 'x' }] }), 400, /value/),
  put('a', job({}, { description: 5 }), 400, /description doesn't support/),
  put('a', job({}, { custom_settings: 3 }), 400, /custom_settings doesn't support/),
  put('a', job({}, { background_persist_interval: '1s' }), 400, /background_persist_interval cannot be less/),
  put('a', job({}, { datafeed_config: { indices: ['i'], query: { nope: {} } } }), 400, /parse field \[query\]/),
  ['POST', `${JOBS}/_estimate_model_memory`, { ...job(), overall_cardinality: { h: 1e300 } }, 400, null],
  ['POST', `${JOBS}/_validate`, { detectors: 3 }, 400, null],
  ['POST', `${JOBS}/_validate/detector`, { function: 'moon' }, 400, /Unknown function/],
  ['POST', `${JOBS}/none/_open`, undefined, 404, /No known job with id 'none'/],
  ['POST', `${JOBS}/none/_data`, '{}', 404, /No known job/],
  ['GET', `${JOBS}/none/_why`, undefined, 404, /No known job/],
  ['POST', `${JOBS}/shut/_data`, '{}', 409, /not open/],
  ['POST', `${JOBS}/shut/_forecast?duration=5000d`, undefined, 409, /not open/],
  ['POST', `${JOBS}/fine/_forecast?duration=5000d`, undefined, 400, /10 years/],
  ['POST', `${JOBS}/fine/_forecast?duration=soon`, undefined, 400, /duration/],
  ['POST', `${JOBS}/fine/_forecast?duration=1m`, undefined, 400, /bucket span: \[1m\/5m\]/],
  ['POST', `${JOBS}/fine/_flush?advance_time=soon`, undefined, 400, /advance_time/],
  ['POST', `${JOBS}/fine/_flush?skip_time=9223372036854775807`, undefined, 400, /after the year 9999/],
  ['POST', `${JOBS}/fine/_flush?advance_time=2999-01-01T00:00:00Z`, undefined, 400, /buckets of \[5m\] after the last/],
  ['POST', `${JOBS}/fine/_flush?calc_interim=maybe`, undefined, 400, /only \[true\] or \[false\]/],
  ['POST', `${JOBS}/fine/_flush?calc_interim=true&end=1704067200000`, undefined, 400, /'start' has not been specified/],
  ['GET', `${JOBS}/fine/_why?time=never`, undefined, 400, /time/],
  ['GET', `${JOBS}/fine/results/buckets?size=20000`, undefined, 400, /10000/],
  ['GET', `${JOBS}/fine/results/buckets?from=-1`, undefined, 400, /from/],
  ['GET', `${JOBS}/fine/results/buckets/1`, undefined, 404, /Unknown bucket/],
  ...['buckets?desc', 'buckets?expand', 'records?exclude_interim', 'overall_buckets?allow_no_match'].map((path) => [
    ...['GET', `${JOBS}/fine/results/${path}=zz`, undefined, 400],
    /Failed to parse value \[zz\] as only \[true\] or \[false\] are allowed/,
  ]),
  ['POST', `${JOBS}/fine/results/buckets`, { page: 5 }, 400, /page doesn't support values of type: VALUE_NUMBER/],
  ['POST', `${JOBS}/fine/results/records`, { sort: 5 }, 400, /sort doesn't support values of type: VALUE_NUMBER/],
  ['POST', `${JOBS}/fine/_close?force=zz`, undefined, 400, /only \[true\] or \[false\]/],
  ...['calendars?from', 'filters?size', 'data_frame/analytics?size', 'trained_models?from'].map((path) => [
    ...['GET', `/_ml/${path}=-1`, undefined, 400],
    /Parameter \[(from|size)\] cannot be < 0/,
  ]),
  ['DELETE', '/_ml/_delete_expired_data?timeout=x', undefined, 400, /timeout/],
  ['DELETE', '/_ml/_delete_expired_data?requests_per_second=-3', undefined, 400, /requests_per_second/],
  ['GET', `${JOBS}/fine/results/records?record_score=x`, undefined, 400, /record_score/],
  ['GET', `${JOBS}/fine/results/categories/x`, undefined, 400, /integer/],
  ['GET', `${JOBS}/fine/results/overall_buckets?top_n=0`, undefined, 400, /topN/],
  ['GET', `${JOBS}/fine/results/overall_buckets?bucket_span=1s`, undefined, 400, /bucket_span/],
  ['POST', `${JOBS}/shut/model_snapshots/1/_revert`, undefined, 404, /No model snapshot/],
  ['POST', `${JOBS}/fine/_update`, { detectors: [{ detector_index: 9 }] }, 400, /detector_index/],
  ['POST', `${JOBS}/fine/_update`, { analysis_config: {} }, 400, /analysis_config/],
  [
    ...['POST', `${JOBS}/fine/_update`, { analysis_limits: { model_memory_limit: '20mb' } }, 400],
    /Cannot update analysis_limits while the job is open/,
  ],
  ['POST', `${JOBS}/_preview`, {}, 400, /job_config/],
  ['POST', `${JOBS}/_preview`, { job_config: job() }, 400, /datafeed_config/],
  ['POST', `${JOBS}/_preview`, { job_config: job(), datafeed_config: { indices: ['no-such'] } }, 404, /no-such/],
  ['POST', `${JOBS}/_preview`, { ...job(), start: 'x', datafeed_config: { indices: ['i'] } }, 400, /start/],
  ['GET', `${JOBS}/_suggest`, undefined, 400, /index/],
  ['GET', `${JOBS}/_suggest?index=no-such`, undefined, 404, /no-such/],
  ['GET', `${JOBS}/_suggest?index=timeless`, undefined, 400, /dates/],
  ['GET', `${JOBS}/_suggest?index=dated&time_field=n`, undefined, 400, /time_field/],
  ['PUT', '/_ml/datafeeds/f', { job_id: 'none', indices: ['i'] }, 404, /No known job/],
  ['PUT', '/_ml/datafeeds/f', { job_id: 'fine' }, 400, /indices/],
  ['PUT', '/_ml/datafeeds/f', { job_id: 'fine', indices: ['i'], frequency: '10ms' }, 400, /frequency/],
  ['PUT', '/_ml/datafeeds/f', { job_id: 'fine', indices: ['i'], scroll_size: -1 }, 400, /scroll_size/],
  ['PUT', '/_ml/datafeeds/f', { job_id: 'fine', indices: ['i'], query: 'x' }, 400, /query/],
  ['PUT', '/_ml/datafeeds/f', { job_id: 'fine', indices: ['i'], query: { nope: {} } }, 400, /parse field \[query\]/],
  ['PUT', '/_ml/datafeeds/f', { job_id: 'fine', indices: ['i'], aggs: { a: { max: {} } } }, 400, /\[aggregations\]/],
  ['POST', '/_ml/datafeeds/ofshut/_update', { query: { nope: {} } }, 400, /parse field \[query\]/],
  ['GET', '/_ml/datafeeds/ofshut/_preview?start=zz', undefined, 400, /start/],
  ['POST', '/_ml/datafeeds/none/_start', undefined, 404, /none/],
  ['POST', '/_ml/datafeeds/ofshut/_start', undefined, 409, /closed/],
  ['POST', '/_ml/set_upgrade_mode?enabled=perhaps', undefined, 400, /perhaps/],
];

test('what makes no sense is refused with its reason, and makes nothing', async () => {
  for (const id of ['fine', 'shut'])
    assert.equal((await call(node, 'PUT', `${JOBS}/${id}`, job({ influencers: ['h'] }))).status, 200);
  await call(node, 'POST', `${JOBS}/fine/_open`);
  await call(node, 'POST', `${JOBS}/fine/_data`, line({ time: 1_700_000_000_000 }));
  await call(node, 'PUT', '/dated', { mappings: { properties: { at: { type: 'date' }, n: { type: 'long' } } } });
  await call(node, 'PUT', '/timeless', { mappings: { properties: { n: { type: 'long' } } } });
  await call(node, 'PUT', '/_ml/datafeeds/ofshut', { job_id: 'shut', indices: ['dated'] });
  const wrong = [];
  for (const [method, path, body, status, reason] of REFUSED) {
    const answer = await call(node, method, path, body);
    const said = answer.body?.error?.reason ?? JSON.stringify(answer.body);
    if (answer.status !== status || (reason !== null && !reason.test(said)))
      wrong.push(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${said}`);
  }
  assert.deepEqual(wrong, []);
  const { jobs } = (await call(node, 'GET', JOBS)).body;
  assert.deepEqual(jobs.map(({ job_id }) => job_id).sort(), ['fine', 'shut']);
});

const line = (one) => JSON.stringify(one);
const HOSTILE = [
  ['years without end', [9.2e18, 9.2e15].map((time) => line({ time, v: 1 })).join('\n')],
  ['times before all', line({ time: -9.2e18, v: 1 })],
  ['seconds for milliseconds', line({ time: 1_700_000_000, v: 1 })],
  ['huge values', [1e308, -1e308, 5e-324, 0].map((v, i) => line({ time: 1.7e12 + i * 3e5, v })).join('\n')],
  [
    'values that are no numbers',
    ['NaN', 'Infinity', true, {}, [1, 'x', null]].map((v) => line({ time: 1.7e12, v })).join('\n'),
  ],
  ['no JSON', '{"time": 1\nnonsense\n\n[]\n7\nnull'],
  ['lists of documents', line([{ time: 1.7e12, v: 1 }, 3, null])],
  ['names of prototypes', '{"__proto__":{"time":1},"time":1700000000000,"constructor":1,"h":"__proto__"}'],
  [
    '100,000 partitions in one piece',
    Array.from({ length: 100_000 }, (_, i) => line({ time: 1.7e12, p: `p${i}`, v: i })).join('\n'),
  ],
  ['a line of 1 MB', line({ time: 1.7e12, m: 'word 7 '.repeat(150_000), v: 1 })],
  ['deep documents', `{"time":1700000000000,"v":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
];

test('hostile documents are counted, never an end of the thread of models', async () => {
  const detectors = [
    { function: 'mean', field_name: 'v', partition_field_name: 'p' },
    { function: 'varp', field_name: 'v' },
    { function: 'info_content', field_name: 'm' },
    { function: 'lat_long', field_name: 'v' },
    { function: 'count', by_field_name: 'mlcategory' },
  ];
  const analysis = { detectors, categorization_field_name: 'm', influencers: ['h'] };
  for (const [i, [name, lines]] of HOSTILE.entries()) {
    const path = `${JOBS}/hostile-${i}`;
    assert.equal((await call(node, 'PUT', path, job(analysis))).status, 200, name);
    assert.equal((await call(node, 'POST', `${path}/_open`)).status, 200, name);
    const posted = await call(node, 'POST', `${path}/_data`, lines);
    assert.ok(posted.status === 202 || posted.status === 400, `${name}: ${JSON.stringify(posted.body)}`);
    const flushed = await call(node, 'POST', `${path}/_flush?calc_interim=true`);
    assert.equal(flushed.status, 200, `${name}: ${JSON.stringify(flushed.body)}`);
    assert.equal((await call(node, 'GET', `${path}/_why`)).status, 200, name);
    const { jobs } = (await call(node, 'GET', `${path}/_stats`)).body;
    assert.equal(jobs[0].state, 'opened', name);
    assert.ok(!/NaN|Infinity/.test(JSON.stringify(jobs)), name);
    assert.equal((await call(node, 'DELETE', `${path}?force=true`)).status, 200, name);
  }
});

/**
 * Waits, with a limit, until a datafeed explains itself so, and its job has at least so many documents; `each` is done
 * before every look.
 */
async function feedBecomes(id, explanation, documents, each = async () => undefined) {
  let seen;
  for (const startMs = Date.now(); Date.now() - startMs < 60_000; await sleep(50)) {
    await each();
    const feed = (await call(node, 'GET', `/_ml/datafeeds/${id}/_stats`)).body.datafeeds[0];
    const job = (await call(node, 'GET', `${JOBS}/${id}/_stats`)).body.jobs[0];
    seen = [feed.state, feed.assignment_explanation ?? '', job.data_counts.processed_record_count];
    if (feed.state === 'started' && explanation.test(seen[1]) && seen[2] >= documents) return;
  }
  assert.fail(`${id} is not ${explanation} with ${documents} documents but ${seen}`);
}

const FEED_MAPPINGS = { properties: { time: { type: 'date' }, v: { type: 'double' } } };
const makeIndex = (name, mappings = FEED_MAPPINGS, more = {}) =>
  call(node, 'PUT', `/${name}?wait_for_active_shards=0`, { mappings, settings: { number_of_replicas: 0, ...more } });
const addNow = (name) => call(node, 'POST', `/${name}/_doc?refresh=true`, { time: Date.now(), v: 1 });

/** Indices of datafeeds: how each is broken, what the datafeed says then, and how it is mended. */
const BROKEN = {
  absent: { begin: async () => undefined, says: /no such index \[absent\]/, mend: () => makeIndex('absent') },
  closed: {
    begin: () => makeIndex('closed').then(() => call(node, 'POST', '/closed/_close')),
    says: /index \[closed\] is closed/,
    mend: () => call(node, 'POST', '/closed/_open'),
  },
  red: {
    begin: () => makeIndex('red', FEED_MAPPINGS, { 'index.routing.allocation.include._name': 'nobody' }),
    says: /no copy of some shards of \[red\] is available/,
    mend: () => call(node, 'PUT', '/red/_settings', { 'index.routing.allocation.include._name': null }),
  },
  remapped: {
    begin: () => makeIndex('remapped'),
    after: async () => {
      await call(node, 'DELETE', '/remapped');
      await makeIndex('remapped', { properties: { time: { type: 'text' }, v: { type: 'double' } } });
      await addNow('remapped');
    },
    says: /Fielddata is disabled on \[time\].*remapped/,
    mend: () => call(node, 'DELETE', '/remapped').then(() => makeIndex('remapped')),
  },
};

test('datafeeds on missing, closed, red and re-mapped indices say so, and go on once they are back', async () => {
  for (const [id, { begin, after: later }] of Object.entries(BROKEN)) {
    await begin();
    const feed = { indices: [id], query_delay: '0s', frequency: '1s' };
    const body = job({ bucket_span: '1s' }, { datafeed_config: feed });
    assert.equal((await call(node, 'PUT', `${JOBS}/${id}`, body)).status, 200);
    await call(node, 'POST', `${JOBS}/${id}/_open`);
    const started = await call(node, 'POST', `/_ml/datafeeds/${id}/_start`);
    assert.equal(started.status, 200, JSON.stringify(started.body));
    await later?.();
  }
  for (const [id, { says, mend }] of Object.entries(BROKEN)) {
    await feedBecomes(id, says, 0);
    const why = await call(node, 'GET', `${JOBS}/${id}/_why`);
    assert.match(why.body.summary, says);
    await mend();
    await call(node, 'GET', `/_cluster/health/${id}?wait_for_status=yellow&timeout=30s`);
  }
  for (const id of Object.keys(BROKEN)) {
    // A document that is found after its time was searched is not read: another one may be.
    await feedBecomes(id, /^$/, 1, () => addNow(id));
    assert.equal((await call(node, 'DELETE', `${JOBS}/${id}?force=true`)).status, 200);
  }
});

test('a datafeed whose indices have no column of times is refused at its start', async () => {
  for (const [index, why] of [
    ['timeless', /time field \[time\] because it has no mappings/],
    ['texts', /because it is not aggregatable/],
  ]) {
    await makeIndex(`feed-${index}`, { properties: index === 'texts' ? { time: { type: 'text' } } : {} });
    await call(node, 'PUT', `${JOBS}/on-${index}`, job({}, { datafeed_config: { indices: [`feed-${index}`] } }));
    await call(node, 'POST', `${JOBS}/on-${index}/_open`);
    const started = await call(node, 'POST', `/_ml/datafeeds/on-${index}/_start`);
    assert.equal(started.status, 400);
    assert.match(started.body.error.reason, why);
    assert.equal((await call(node, 'DELETE', `${JOBS}/on-${index}?force=true`)).status, 200);
  }
});

test('a job does not go back to a snapshot of another version, and stays as it is', async () => {
  const path = `${JOBS}/versions`;
  await call(node, 'PUT', path, job());
  await call(node, 'POST', `${path}/_open`);
  await call(node, 'POST', `${path}/_data`, [0, 1, 2].map((i) => line({ time: 1.7e12 + i * 3e5 })).join('\n'));
  await call(node, 'POST', `${path}/_close`);
  const [snapshot] = (await call(node, 'GET', `${path}/model_snapshots`)).body.model_snapshots;
  const revert = () => call(node, 'POST', `${path}/model_snapshots/${snapshot.snapshot_id}/_revert`);
  assert.equal((await revert()).status, 200);
  // The state as a later version would write it: its format is a number that this version does not know.
  await call(node, 'POST', '/.ml-state*/_refresh');
  const { hits } = (await call(node, 'POST', '/.ml-state*/_search', { size: 1000 })).body.hits;
  const states = hits.filter(({ _id }) => _id.startsWith('versions_model_state'));
  assert.ok(states.length > 0);
  for (const { _id, _index, _source } of states) {
    const state = inflateRawSync(Buffer.from(_source.data, 'base64'));
    const model = state.indexOf('model') + 'model'.length;
    for (let i = model; i < model + 16; i++) state[i] ^= 0x40;
    const data = deflateRawSync(state).toString('base64');
    const written = await call(node, 'PUT', `/${_index}/_doc/${encodeURIComponent(_id)}`, { ..._source, data });
    assert.equal(written.status, 200);
  }
  const refused = await revert();
  assert.equal(refused.status, 400, JSON.stringify(refused.body));
  assert.match(refused.body.error.reason, /its state is of another version.*revert to another snapshot/);
  assert.equal((await call(node, 'POST', `${path}/model_snapshots/empty/_revert`)).status, 200);
  assert.equal((await call(node, 'POST', `${path}/_open`)).status, 200);
});
