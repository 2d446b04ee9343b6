// What users of anomaly detection jobs see besides results: holding them, annotations, model plots, reasons, alerts.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { call, sleep, startNode } from '../node-process.mjs';

const SPAN_S = 900;
const START_S = 1_700_000_100 - (1_700_000_100 % SPAN_S);
let node;
/** What alerts have posted. */
const posted = [];
const hooks = http.createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    posted.push({ path: request.url, key: request.headers['idempotency-key'], alert: JSON.parse(body) });
    response.statusCode = posted.length === 1 ? 503 : 204;
    response.end();
  });
});
let hookHost;
before(async () => {
  await new Promise((resolve) => hooks.listen(0, '127.0.0.1', resolve));
  hookHost = `127.0.0.1:${hooks.address().port}`;
  node = await startNode({ settings: { 'shoal.ml.alerts.allowed_hosts': hookHost } });
});
after(async () => {
  await node?.stop();
  hooks.close();
});

const ask = async (method, path, body, status = 200) => {
  const answer = await call(node, method, path, body);
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const JOBS = '/_ml/anomaly_detectors';
const DATA = { time_field: 'time', time_format: 'epoch' };
const mean = (more = {}) => ({
  bucket_span: '15m',
  detectors: [{ function: 'mean', field_name: 'v', partition_field_name: 'p', ...more }],
});
const valueOf = (i) => 100 + ((i * 7919) % 23) + (i === 380 ? 500 : 0);
const rows = (from, to, partitions = ['a']) =>
  Array.from({ length: to - from }, (_, k) => from + k).flatMap((i) =>
    partitions.map((p) => ({ time: START_S + i * SPAN_S + 5, p, v: valueOf(i) })),
  );
const post = (job, documents) =>
  ask('POST', `${JOBS}/${job}/_data`, documents.map((d) => JSON.stringify(d)).join('\n'), 202);

async function eventually(isTrue) {
  for (let i = 0; i < 200; i++) {
    if (await isTrue()) return;
    await sleep(100);
  }
  assert.fail('not after 20 s');
}

const statsOf = async (job) => (await ask('GET', `${JOBS}/${job}/_stats`)).jobs[0];

test('in upgrade mode jobs are on no node and changes are refused; then they go on with what they had', async () => {
  await ask('PUT', `${JOBS}/held`, { analysis_config: mean(), data_description: DATA });
  await ask('POST', `${JOBS}/held/_open`);
  await post('held', rows(0, 100));
  assert.deepEqual(await ask('POST', '/_ml/set_upgrade_mode?enabled=true&timeout=10m'), { acknowledged: true });
  assert.equal((await ask('GET', '/_ml/info')).upgrade_mode, true);
  const stats = await statsOf('held');
  assert.deepEqual([stats.state, stats.node], ['opened', undefined]);
  assert.equal(stats.assignment_explanation, 'persistent task cannot be assigned while upgrade mode is enabled.');
  for (const [method, path, action, body] of [
    ['PUT', `${JOBS}/other`, 'job/put', { analysis_config: mean(), data_description: DATA }],
    ['POST', `${JOBS}/held/_data`, 'job/data/post', '{}'],
    ['POST', `${JOBS}/held/_close`, 'job/close'],
    ['DELETE', '/_ml/datafeeds/any', 'datafeeds/delete'],
  ]) {
    const { error } = await ask(method, path, body, 429);
    const reason = `Cannot perform cluster:admin/xpack/ml/${action} action while upgrade mode is enabled`;
    assert.deepEqual([error.type, error.reason], ['status_exception', reason]);
  }
  await ask('POST', '/_ml/set_upgrade_mode?enabled=false');
  await eventually(async () => {
    const { state, open_time } = await statsOf('held');
    return state === 'opened' && open_time !== undefined;
  });
  await post('held', rows(100, 120));
  assert.equal((await statsOf('held')).data_counts.processed_record_count, 120);
  await ask('POST', `${JOBS}/held/_close`);
});

const found = async (index, query) => {
  await ask('POST', `/${index}/_refresh`);
  const { hits } = await ask('POST', `/${index}/_search`, { size: 1000, query });
  return hits.hits.map(({ _source }) => _source);
};
const annotationsOf = (job) => found('.ml-annotations-read', { term: { job_id: job } });

test('what happens to a job is annotated and notified; annotations of users outlive what the job wrote', async () => {
  const analysis_config = { bucket_span: '15m', detectors: [{ function: 'mean', field_name: 'v' }] };
  const model_plot_config = { enabled: false, annotations_enabled: true };
  await ask('PUT', `${JOBS}/noted`, { analysis_config, data_description: DATA, model_plot_config });
  await ask('POST', `${JOBS}/noted/_open`);
  const day = (i) => 100 + 50 * Math.sin((i * SPAN_S * 2 * Math.PI) / 86_400) + ((i * 7919) % 7) + (i > 800 ? 500 : 0);
  await post(
    'noted',
    Array.from({ length: 900 }, (_, i) => ({ time: START_S + i * SPAN_S, v: day(i) })),
  );
  const own = { annotation: 'new disks', job_id: 'noted', type: 'annotation', event: 'user', create_username: 'me' };
  const time = START_S * 1000;
  await ask('POST', '/.ml-annotations-write/_doc', { ...own, timestamp: time, end_timestamp: time }, 201);
  await ask('POST', `${JOBS}/noted/_close`);
  const annotations = await annotationsOf('noted');
  const texts = annotations.map(({ annotation }) => annotation);
  assert.ok(texts.includes('Detected periodicity with period 1d'), texts.join('; '));
  assert.ok(texts.some((text) => /^Detected level shift of [45]\d\d/.test(text)));
  const snapshot = annotations.find(({ event }) => event === 'model_snapshot_stored');
  assert.match(snapshot.annotation, /^Job model snapshot with id \[\d+\] stored$/);
  assert.deepEqual([snapshot.create_username, snapshot.type], ['_xpack', 'annotation']);
  await ask('DELETE', `${JOBS}/noted`);
  assert.deepEqual(
    (await annotationsOf('noted')).map(({ annotation }) => annotation),
    ['new disks'],
  );
  const messages = (await found('.ml-notifications-*', { term: { job_id: 'noted' } })).map(({ message }) => message);
  for (const message of ['Job created', 'Job is closing', 'Job deleted'])
    assert.ok(messages.includes(message), message);
});

test('plots say what was expected of the series that are named, records say in words why they are one', async () => {
  const model_plot_config = { enabled: true, terms: 'a' };
  await ask('PUT', `${JOBS}/plotted`, { analysis_config: mean(), data_description: DATA, model_plot_config });
  await ask('POST', `${JOBS}/plotted/_open`);
  await post('plotted', rows(0, 400, ['a', 'b']));
  await ask('POST', `${JOBS}/plotted/_flush`);
  const plots = await found('.ml-anomalies-plotted', { term: { result_type: 'model_plot' } });
  assert.equal(plots.length, 399 - 16);
  const spike = plots.find(({ timestamp }) => timestamp === (START_S + 380 * SPAN_S) * 1000);
  assert.equal(spike.model_feature, "'arithmetic mean value by person'");
  assert.deepEqual([spike.actual, spike.partition_field_value, spike.detector_index], [valueOf(380), 'a', 0]);
  assert.ok(spike.model_lower < spike.model_median && spike.model_upper < spike.actual);
  const { records } = await ask('GET', `${JOBS}/plotted/results/records?record_score=90`);
  assert.match(records[0].shoal.why, /^one bucket of \d+ without anomalies shows as much: mean was \d+ where /);
  await ask('DELETE', `${JOBS}/plotted?force=true`);
});

test('results are worth less as more surprising ones come; what they scored first is kept', async () => {
  const detectors = [{ function: 'mean', field_name: 'v', by_field_name: 'h' }];
  const analysis_config = { bucket_span: '15m', detectors };
  await ask('PUT', `${JOBS}/ranked`, { analysis_config, data_description: DATA });
  await ask('POST', `${JOBS}/ranked/_open`);
  // One host shows a little at bucket 300, then sixteen others one after the other far more.
  const more = (i, h) => (h === 0 ? (i === 300 ? 20 : 0) : i === 310 + 5 * h ? 9000 : 0);
  const all = Array.from({ length: 420 }, (_, i) => i).flatMap((i) =>
    Array.from({ length: 17 }, (_, h) => ({
      ...{ time: START_S + i * SPAN_S, h: `h${h}`, v: 100 + ((i * 7919 + h * 31) % 23) + more(i, h) },
    })),
  );
  await post('ranked', all);
  await ask('POST', `${JOBS}/ranked/_flush`);
  const { records } = await ask('GET', `${JOBS}/ranked/results/records?size=1000&sort=timestamp`);
  const at = (START_S + 300 * SPAN_S) * 1000;
  const first = records.find(({ timestamp, by_field_value: h }) => timestamp === at && h === 'h0');
  assert.ok(first.initial_record_score > 50, JSON.stringify(first));
  assert.ok(first.record_score < first.initial_record_score - 10, JSON.stringify(first));
  assert.ok(records.every((one) => one.record_score <= one.initial_record_score));
  const { buckets } = await ask('GET', `${JOBS}/ranked/results/buckets?timestamp=${first.timestamp}`);
  assert.ok(buckets[0].anomaly_score < buckets[0].initial_anomaly_score);
  assert.equal(buckets[0].bucket_influencers[0].anomaly_score, buckets[0].anomaly_score);
  await ask('DELETE', `${JOBS}/ranked?force=true`);
});

test('from raw logs to an alert in five requests, which is posted once', async () => {
  const spanMs = SPAN_S * 1000;
  const start = Math.floor(Date.now() / spanMs) * spanMs - 500 * spanMs;
  const logs = Array.from({ length: 500 }, (_, i) => {
    const ms = 100 + ((i * 7919) % 23) + (i === 490 || i === 491 ? 900 : 0);
    return { '@timestamp': new Date(start + i * spanMs).toISOString(), service: 'shop', ms };
  });
  const lines = logs.flatMap((log) => ['{"create":{}}', JSON.stringify(log)]);
  await ask('POST', '/web-logs/_bulk?refresh=true', `${lines.join('\n')}\n`);
  const { suggestions } = await ask('GET', `${JOBS}/_suggest?index=web-logs`);
  const proposed = suggestions.find(({ name }) => name === 'metrics').job;
  assert.equal(proposed.analysis_config.detectors[0].field_name, 'ms');
  const seen = await ask('POST', `${JOBS}/_preview`, { ...proposed, description: 'not made yet' });
  assert.deepEqual([seen.documents, seen.is_complete], [500, true]);
  assert.ok(seen.alarms.find(({ score }) => score === 75).alarms >= 1, JSON.stringify(seen.alarms));
  assert.ok(Math.abs(seen.most_surprising[0].timestamp - (start + 490 * spanMs)) <= 2 * spanMs);
  await ask('GET', `${JOBS}/preview`, undefined, 404);
  const detectors = [{ function: 'high_mean', field_name: 'ms', partition_field_name: 'service.keyword' }];
  const job = {
    analysis_config: { bucket_span: '15m', detectors },
    data_description: { time_field: '@timestamp' },
    datafeed_config: { indices: ['web-logs'], query_delay: '0s', frequency: '1s' },
    alert: { score: 75, cooldown: '6h', webhook: `http://${hookHost}/alerts?from=shoal` },
  };
  const forbidden = { ...job, alert: { webhook: 'http://169.254.169.254/latest' } };
  assert.match((await ask('PUT', `${JOBS}/slow`, forbidden, 400)).error.reason, /\[169.254.169.254:80\] is not in/);
  const { datafeed_config } = await ask('PUT', `${JOBS}/slow`, job);
  assert.equal(datafeed_config.datafeed_id, 'slow');
  await ask('POST', `${JOBS}/slow/_open`);
  await ask('POST', '/_ml/datafeeds/slow/_start');
  const alerts = async () => (await call(node, 'GET', '/.alerts-ml/_search')).body.hits?.hits ?? [];
  await eventually(async () => (await alerts())[0]?._source.webhook.status === 'sent');
  const [{ _id, _source }, ...others] = await alerts();
  assert.deepEqual(others, []);
  assert.equal(_source.timestamp, start + 490 * spanMs);
  assert.deepEqual(_source.group, { 'service.keyword': 'shop' });
  // The first call was answered with 503 and made again.
  assert.deepEqual(
    posted.map(({ path, key, alert }) => [path, key, alert.alert_id]),
    [1, 2].map(() => ['/alerts?from=shoal', _id, _id]),
  );
  assert.equal((await ask('GET', `${JOBS}/slow`)).jobs[0].datafeed_config.job_id, 'slow');
  const why = await ask('GET', `${JOBS}/slow/_why?time=${start + 490 * spanMs}`);
  assert.match(why.most_surprising[0].why, /^one bucket of \d+ without anomalies shows as much: high_mean was /);
  assert.match(why.causes.map((cause) => cause.why).join('; '), /\[service.keyword\] always had the value \[shop\]/);
  await ask('DELETE', `${JOBS}/slow?force=true`);
  await ask('GET', '/_ml/datafeeds/slow', undefined, 404);
});

test('events like a record that is expected are worth less from then on', async () => {
  const scores = [];
  for (const job of ['told', 'untold']) {
    const analysis_config = { bucket_span: '15m', detectors: [{ function: 'mean', field_name: 'v' }] };
    await ask('PUT', `${JOBS}/${job}`, { analysis_config, data_description: DATA });
    await ask('POST', `${JOBS}/${job}/_open`);
    const value = (i) => 100 + ((i * 7919) % 23) + (i === 400 || i === 900 ? 400 : 0);
    const all = Array.from({ length: 902 }, (_, i) => ({ time: START_S + i * SPAN_S, v: value(i) }));
    await post(job, all.slice(0, 500));
    await ask('POST', `/.ml-anomalies-${job}/_refresh`);
    const at = (i) => ({ bool: { filter: [{ term: { result_type: 'record' } }, { term: { timestamp: time(i) } }] } });
    const time = (i) => (START_S + i * SPAN_S) * 1000;
    const { hits } = await ask('POST', `/.ml-anomalies-${job}/_search`, { query: at(400) });
    const path = `${JOBS}/${job}/results/records/${encodeURIComponent(hits.hits[0]._id)}/_feedback`;
    if (job === 'told') await ask('POST', path, { expected: true });
    await ask('POST', path, { expected: 'yes' }, 400);
    await post(job, all.slice(500));
    const [record] = await found(`.ml-anomalies-${job}`, at(900));
    scores.push(record?.initial_record_score ?? 0);
    await ask('DELETE', `${JOBS}/${job}?force=true`);
  }
  assert.ok(scores[0] < scores[1] - 2, scores.join(' '));
});

test('lines have categories for each partition; one whose lines are of no kind is given up and annotated', async () => {
  const detectors = [{ function: 'count', by_field_name: 'mlcategory', partition_field_name: 'host' }];
  const analysis = {
    ...{ bucket_span: '15m', detectors, categorization_field_name: 'm', categorization_filters: ['<[^>]*>'] },
    per_partition_categorization: { enabled: true, stop_on_warn: true },
  };
  await ask('PUT', `${JOBS}/lines`, { analysis_config: analysis, data_description: DATA });
  await ask('POST', `${JOBS}/lines/_open`);
  const word = (n) => [...String(n)].map((digit) => 'qwertyuiop'[digit]).join('');
  const documents = Array.from({ length: 150 }, (_, i) => i).flatMap((i) => [
    { time: START_S + i * 60, host: 'web', m: i % 2 ? `<${word(i)}> user logged on` : 'disk is nearly full' },
    { time: START_S + i * 60, host: 'odd', m: `${word(i)}a ${word(i)}b ${word(i)}c` },
  ]);
  await post('lines', documents);
  await ask('POST', `${JOBS}/lines/_flush?advance_time=${(START_S + 100 * SPAN_S) * 1000}`);
  const of = (host) => ask('GET', `${JOBS}/lines/results/categories?partition_field_value=${host}`);
  const { count, categories } = await of('web');
  assert.equal(count, 2);
  assert.deepEqual(categories.map(({ terms }) => terms).sort(), ['disk is nearly full', 'user logged on']);
  assert.deepEqual([categories[0].partition_field_name, categories[0].partition_field_value], ['host', 'web']);
  assert.equal((await of('odd')).count, 100);
  const { jobs } = await ask('GET', `${JOBS}/lines/_stats`);
  assert.equal(jobs[0].model_size_stats.categorization_status, 'warn');
  assert.equal(jobs[0].model_size_stats.categorized_doc_count, 250);
  await ask('POST', '/.ml-anomalies-lines,.ml-annotations-read/_refresh');
  const search = async (index, filter) =>
    (await ask('POST', `/${index}/_search`, { query: { bool: { filter } } })).hits.hits.map(({ _source }) => _source);
  const stats = await search('.ml-anomalies-lines', [{ term: { result_type: 'categorizer_stats' } }]);
  const statuses = stats.map((one) => [
    one.partition_field_value,
    one.categorization_status,
    one.categorized_doc_count,
  ]);
  assert.deepEqual(statuses.sort(), [
    ['odd', 'warn', 100],
    ['web', 'ok', 150],
  ]);
  const turned = await search('.ml-annotations-read', [
    { term: { job_id: 'lines' } },
    { term: { event: 'categorization_status_change' } },
  ]);
  assert.deepEqual(
    turned.map(({ annotation }) => annotation),
    ["Categorization status changed to 'warn' for 'host' 'odd'"],
  );
  await ask('POST', `${JOBS}/lines/_update`, { per_partition_categorization: { stop_on_warn: false } });
  await ask('DELETE', `${JOBS}/lines?force=true`);
});
