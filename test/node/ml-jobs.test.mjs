// Anomaly detection jobs on a real node: what is acknowledged survives kill -9, and no result is lost or repeated.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, sleep, startNode, temporaryFolder } from '../node-process.mjs';

const SPAN_S = 900;
const START_S = 1_700_000_100 - (1_700_000_100 % SPAN_S);
const folder = temporaryFolder('ml');
let node;
before(async () => {
  node = await startNode({ data: folder });
});
after(() => node?.stop());

const ask = async (method, path, body, status = 200) => {
  const answer = await call(node, method, path, body);
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const JOB = {
  analysis_config: {
    bucket_span: '15m',
    detectors: [{ function: 'mean', field_name: 'v', partition_field_name: 'p' }, { function: 'count' }],
    influencers: ['h'],
  },
  data_description: { time_field: 'time', time_format: 'epoch' },
};

const valueOf = (i) => 100 + ((i * 7919) % 23) + (i === 380 ? 500 : 0);
const documents = (from, to) =>
  Array.from({ length: to - from }, (_, k) => from + k).flatMap((i) =>
    ['a', 'b'].map((p) => ({ time: START_S + i * SPAN_S + 5, p, h: `h${i % 3}`, v: valueOf(i) })),
  );
const post = (job, from, to) =>
  ask(
    'POST',
    `/_ml/anomaly_detectors/${job}/_data`,
    documents(from, to)
      .map((d) => JSON.stringify(d))
      .join('\n'),
    202,
  );

/** All results of a job, without what names the job or depends on time. */
async function resultsOf(job) {
  await ask('POST', `/_ml/anomaly_detectors/${job}/_flush`);
  const body = { size: 5000, query: { terms: { result_type: ['bucket', 'record', 'influencer'] } } };
  const { hits } = await ask('POST', `/.ml-anomalies-${job}/_search`, body);
  const plain = ({ _id, _source }) => {
    const text = JSON.stringify(_source, (key, value) => (key === 'processing_time_ms' ? undefined : value));
    return `${_id} ${text}`.replaceAll(`"${job}"`, '""').replaceAll(`${job}_`, '_');
  };
  return hits.hits.map(plain).sort();
}

test('a job whose node was killed has the results of one that was not', async () => {
  for (const job of ['calm', 'shaken']) {
    await ask('PUT', `/_ml/anomaly_detectors/${job}`, JOB);
    await ask('POST', `/_ml/anomaly_detectors/${job}/_open`);
  }
  const counts = await post('calm', 0, 400);
  assert.equal(counts.processed_record_count, 800);
  await post('shaken', 0, 100);
  await ask('POST', `/_ml/anomaly_detectors/shaken/_flush?advance_time=${(START_S + 100 * SPAN_S) * 1000}`);
  await post('shaken', 100, 150);
  await restart();
  await post('shaken', 150, 400);
  const [calm, shaken] = [await resultsOf('calm'), await resultsOf('shaken')];
  assert.ok(calm.length > 400);
  assert.deepEqual(shaken, calm);
  const { jobs } = await ask('GET', '/_ml/anomaly_detectors/shaken/_stats');
  assert.equal(jobs[0].data_counts.processed_record_count, 800);
  const { records } = await ask('GET', '/_ml/anomaly_detectors/shaken/results/records?record_score=90');
  assert.equal(records[0].timestamp, (START_S + 380 * SPAN_S) * 1000);
});

async function restart() {
  await node.stop('SIGKILL');
  node = await startNode({ data: folder });
  await eventually(async () => {
    const { jobs } = (await call(node, 'GET', '/_ml/anomaly_detectors/_stats')).body;
    return jobs?.length >= 2 && jobs.every(({ state }) => state === 'opened') && jobs.every((job) => job.open_time);
  });
}

async function eventually(isTrue) {
  for (let i = 0; i < 200; i++) {
    if (await isTrue()) return;
    await sleep(100);
  }
  assert.fail('not after 20 s');
}

test('a datafeed gives its job each document once, and closes it at its end', async () => {
  const lines = documents(0, 400).flatMap(({ time, ...rest }) => [
    '{"index":{}}',
    JSON.stringify({ ...rest, at: time * 1000 }),
  ]);
  const mappings = { properties: { at: { type: 'date' }, p: { type: 'keyword' }, h: { type: 'keyword' } } };
  await ask('PUT', '/metrics', { mappings });
  await ask('POST', '/metrics/_bulk?refresh=true', `${lines.join('\n')}\n`);
  await ask('PUT', '/_ml/anomaly_detectors/fed', { ...JOB, data_description: { time_field: 'at' } });
  await ask('PUT', '/_ml/datafeeds/feed', { job_id: 'fed', indices: ['metrics'], scroll_size: 7 });
  await ask('POST', '/_ml/datafeeds/feed/_start', undefined, 409);
  const preview = await ask('GET', '/_ml/datafeeds/feed/_preview');
  assert.deepEqual(preview[0], { at: (START_S + 5) * 1000, p: preview[0].p, h: 'h0', v: 100 });
  await ask('POST', '/_ml/anomaly_detectors/fed/_open');
  const end = (START_S + 400 * SPAN_S) * 1000;
  await ask('POST', `/_ml/datafeeds/feed/_start?end=${end}`);
  await eventually(async () => (await ask('GET', '/_ml/anomaly_detectors/fed/_stats')).jobs[0].state === 'closed');
  const { jobs } = await ask('GET', '/_ml/anomaly_detectors/fed/_stats');
  assert.equal(jobs[0].data_counts.processed_record_count, 800);
  assert.equal(jobs[0].data_counts.out_of_order_timestamp_count, 0);
  const { records } = await ask('GET', '/_ml/anomaly_detectors/fed/results/records?record_score=90');
  assert.equal(records[0].timestamp, (START_S + 380 * SPAN_S) * 1000);
  const { datafeeds } = await ask('GET', '/_ml/datafeeds/feed/_stats');
  assert.equal(datafeeds[0].state, 'stopped');
});

test('a closed job is given no memory limit below what its model has', async () => {
  await ask('PUT', '/_ml/anomaly_detectors/large', JOB);
  await ask('POST', '/_ml/anomaly_detectors/large/_open');
  const lines = Array.from({ length: 8000 }, (_, i) => JSON.stringify({ time: START_S, p: `p${i}`, h: 'h', v: 1 }));
  await ask('POST', '/_ml/anomaly_detectors/large/_data', `${lines.join('\n')}\n{"time":${START_S + SPAN_S}}`, 202);
  const limit = (model_memory_limit, status) =>
    ask('POST', '/_ml/anomaly_detectors/large/_update', { analysis_limits: { model_memory_limit } }, status);
  await limit('30mb', 400);
  await ask('POST', '/_ml/anomaly_detectors/large/_close');
  const { error } = await limit('1mb', 400);
  assert.equal(error.type, 'status_exception');
  assert.match(error.reason, /cannot be decreased below current usage; current usage \[\dmb\], update had \[1mb\]$/);
  assert.equal((await limit('30mb', 200)).analysis_limits.model_memory_limit, '30mb');
});

test('a body larger than what may wait is taken where nothing waits', async () => {
  await ask('PUT', '/_ml/anomaly_detectors/wide', JOB);
  await ask('POST', '/_ml/anomaly_detectors/wide/_open');
  const line = `{"time":${START_S},"p":"p","h":"h","v":1}\n`;
  const { processed_record_count: count } = await ask(
    'POST',
    '/_ml/anomaly_detectors/wide/_data',
    line + '\n'.repeat(65 * 2 ** 20) + line,
    202,
  );
  assert.equal(count, 2);
});

test('a datafeed that adds up columns gives its job the results of one that reads sources', async () => {
  const random = (i, k) => ((i * 7919 + k * 104729) >>> 3) % 97;
  const lines = Array.from({ length: 6000 }, (_, i) => {
    const own = {
      // Several documents have one time: which of them came first tells neither way.
      at: (START_S + (i - (i % 4)) * 90) * 1000,
      host: `h${random(i, 1) % 2}`,
      code: 200 + (random(i, 2) % 2),
      took: random(i, 5) / 100,
    };
    if (i % 11 !== 0) own.v = random(i, 3) / 4 + (i > 5000 && i < 5020 ? 400 : 0);
    if (i % 13 !== 0) own.ip = `10.0.0.${random(i, 4) % 4}`;
    return `{"index":{}}\n${JSON.stringify(own)}\n`;
  });
  const kinds = { at: 'date', host: 'keyword', code: 'integer', v: 'double', took: 'double', ip: 'ip' };
  const properties = Object.fromEntries(Object.entries(kinds).map(([name, type]) => [name, { type }]));
  await ask('PUT', '/columns', { mappings: { properties }, settings: { number_of_shards: 2 } });
  await ask('POST', '/columns/_bulk?refresh=true', lines.join(''));
  const detectors = [
    { function: 'count' },
    ...['mean', 'min', 'max', 'sum', 'varp'].map((name) => ({
      function: name,
      field_name: 'v',
      by_field_name: 'code',
    })),
    { function: 'distinct_count', field_name: 'ip', partition_field_name: 'host' },
    { function: 'rare', by_field_name: 'ip' },
    { function: 'high_count', over_field_name: 'ip' },
    { function: 'high_sum', field_name: 'took', over_field_name: 'ip' },
    { function: 'mean', field_name: 'took', partition_field_name: 'host' },
  ];
  const analysis_config = { bucket_span: '1h', detectors, influencers: ['host', 'ip'] };
  const found = [];
  // Runtime fields have no columns.
  for (const [id, runtime_mappings] of [
    ['columnar', {}],
    ['sourced', { unused: { type: 'long' } }],
  ]) {
    const datafeed_config = { datafeed_id: id, indices: ['columns'], runtime_mappings };
    const body = { analysis_config, data_description: { time_field: 'at' }, datafeed_config };
    await ask('PUT', `/_ml/anomaly_detectors/${id}`, body);
    await ask('POST', `/_ml/anomaly_detectors/${id}/_open`);
    await ask('POST', `/_ml/datafeeds/${id}/_start`);
    let feed;
    await eventually(async () => {
      feed = (await ask('GET', `/_ml/datafeeds/${id}/_stats`)).datafeeds[0];
      const { jobs } = await ask('GET', `/_ml/anomaly_detectors/${id}/_stats`);
      return jobs[0].data_counts.processed_record_count === 6000 && feed.running_state?.real_time_running;
    });
    const { input_bytes: _, ...counts } = (await ask('GET', `/_ml/anomaly_detectors/${id}/_stats`)).jobs[0].data_counts;
    for (const name of ['job_id', 'log_time', 'last_data_time']) delete counts[name];
    await ask('POST', `/_ml/datafeeds/${id}/_stop`);
    found.push({ by: feed.reading, counts, results: await resultsOf(id) });
    await ask('POST', `/_ml/anomaly_detectors/${id}/_close`);
  }
  const [columnar, sourced] = found;
  assert.deepEqual(columnar.by, { history: 'columns' });
  assert.deepEqual(sourced.by, { history: 'sources', why: 'the datafeed has runtime fields' });
  assert.deepEqual(columnar.counts, sourced.counts);
  // A bucket an hour, of a hundred and fifty, and what was found in them.
  assert.ok(columnar.results.filter((text) => text.includes('"result_type":"bucket"')).length >= 149);
  for (const kind of ['record', 'influencer'])
    assert.ok(columnar.results.some((text) => text.includes(`"result_type":"${kind}"`)));
  assert.deepEqual(columnar.results, sourced.results);
});

test('a model of trees predicts by call and in pipelines; what cannot be run is refused by name', async () => {
  const node0 = { node_index: 0, split_feature: 0, threshold: 5, left_child: 1, right_child: 2, decision_type: 'lt' };
  const leaves = [
    { node_index: 1, leaf_value: 10 },
    { node_index: 2, leaf_value: 20.5 },
  ];
  const trained_model = { tree: { feature_names: ['size'], tree_structure: [node0, ...leaves] } };
  const model = {
    input: { field_names: ['size'] },
    inference_config: { regression: {} },
    definition: { trained_model },
  };
  await ask('PUT', '/_ml/trained_models/by-size', model);
  await ask('PUT', '/_ml/trained_models/by-size', model, 400);
  await ask('PUT', '/_ml/trained_models/by-size/model_aliases/newest');
  const { inference_results } = await ask('POST', '/_ml/trained_models/newest/_infer', {
    docs: [{ size: 4 }, { size: 6 }, {}],
  });
  assert.deepEqual(inference_results.slice(0, 2), [{ predicted_value: 10 }, { predicted_value: 20.5 }]);
  assert.match(inference_results[2].warning, /all fields were missing/);
  await ask('PUT', '/_ingest/pipeline/sized', {
    processors: [{ inference: { model_id: 'newest', target_field: 'ml' } }],
  });
  await ask('PUT', '/shirts/_doc/1?pipeline=sized&refresh=true', { size: 6 }, 201);
  const { _source } = await ask('GET', '/shirts/_doc/1');
  assert.deepEqual(_source, { size: 6, ml: { predicted_value: 20.5, model_id: 'newest' } });
  const stats = await ask('GET', '/_ml/trained_models/by-size/_stats');
  assert.equal(stats.trained_model_stats[0].inference_stats.inference_count, 4);
  const { body } = await call(node, 'PUT', '/_ml/trained_models/bert', { ...model, model_type: 'pytorch' });
  assert.match(body.error.reason, /\[pytorch\] is not supported/);
  await ask('DELETE', '/_ml/trained_models/by-size');
  await ask('POST', '/_ml/trained_models/newest/_infer', { docs: [{}] }, 404);
});

test('an analysis predicts, its model answers as its results do, and its errors are evaluated', async () => {
  const houses = Array.from({ length: 60 }, (_, i) => ({ rooms: 1 + (i % 6), town: `t${i % 3}` }));
  const lines = houses.flatMap((house, i) => [
    JSON.stringify({ index: { _id: String(i) } }),
    JSON.stringify({ ...house, ...(i < 50 ? { price: 100 * house.rooms + 30 * (i % 3) } : {}) }),
  ]);
  await ask('PUT', '/houses', {
    mappings: { properties: { rooms: { type: 'integer' }, town: { type: 'keyword' }, price: { type: 'double' } } },
  });
  await ask('POST', '/houses/_bulk?refresh=true', `${lines.join('\n')}\n`);
  const path = '/_ml/data_frame/analytics/prices';
  await ask('PUT', path, {
    source: { index: 'houses' },
    dest: { index: 'houses-out' },
    analysis: { regression: { dependent_variable: 'price', num_top_feature_importance_values: 2, randomize_seed: 1 } },
  });
  await ask('POST', `${path}/_start`);
  for (;;) {
    const { data_frame_analytics: found } = await ask('GET', `${path}/_stats`);
    assert.notEqual(found[0].state, 'failed', JSON.stringify(found));
    if (found[0].state === 'stopped') break;
    await sleep(100);
  }
  const { hits } = await ask('POST', '/houses-out/_search', { size: 100, sort: ['ml__incremental_id'] });
  const results = hits.hits.map(({ _source }) => _source.ml);
  assert.deepEqual(
    results.map((own) => own.is_training),
    houses.map((_, i) => i < 50),
  );
  const { trained_model_configs: models } = await ask('GET', '/_ml/trained_models?tags=prices');
  const infer = `/_ml/trained_models/${models[0].model_id}/_infer`;
  const { inference_results: inferred } = await ask('POST', infer, { docs: houses });
  const plain = (own) => Object.fromEntries(Object.entries(own).filter(([key]) => key !== 'is_training'));
  assert.deepEqual(inferred, results.map(plain));
  const { regression } = await ask('POST', '/_ml/data_frame/_evaluate', {
    index: 'houses-out',
    evaluation: { regression: { actual_field: 'price', predicted_field: 'ml.price_prediction' } },
  });
  assert.ok(regression.r_squared.value > 0.9, JSON.stringify(regression));
  await ask('DELETE', path);
});

test('a job that went back to a snapshot and gets the data since again has the same results', async () => {
  const path = '/_ml/anomaly_detectors/reverted';
  await ask('PUT', path, JOB);
  await ask('POST', `${path}/_open`);
  await post('reverted', 0, 200);
  await ask('POST', `${path}/_close`);
  const { model_snapshots: first } = await ask('GET', `${path}/model_snapshots`);
  assert.equal(first.length, 1);
  const one = `${path}/model_snapshots/${first[0].snapshot_id}`;
  const { model } = await ask('POST', `${one}/_update`, { description: 'before', retain: true });
  assert.deepEqual([model.description, model.retain], ['before', true]);
  await ask('DELETE', one, undefined, 400);
  await ask('POST', `${one}/_upgrade`, undefined, 409);
  await ask('POST', `${path}/_open`);
  await ask('POST', `${one}/_revert`, {}, 409);
  await post('reverted', 200, 400);
  const found = await resultsOf('reverted');
  await ask('POST', `${path}/_close`);
  await ask('POST', `${one}/_revert`, { delete_intervening_results: true });
  await ask('POST', `${path}/_open`);
  assert.ok((await resultsOf('reverted')).length < found.length);
  await post('reverted', 200, 400);
  assert.deepEqual(await resultsOf('reverted'), found);
  await ask('DELETE', '/_ml/_delete_expired_data');
  assert.deepEqual(await resultsOf('reverted'), found);
  await ask('DELETE', one);
  await ask('GET', one, undefined, 404);
  await ask('POST', `${path}/_close`);
  // The snapshot that every job has makes it begin anew.
  const begun = await ask('POST', `${path}/model_snapshots/empty/_revert`, { delete_intervening_results: true });
  assert.equal(begun.model.snapshot_id, 'empty');
  await ask('POST', `${path}/_open`);
  assert.deepEqual(await resultsOf('reverted'), []);
  await post('reverted', 0, 400);
  assert.deepEqual(await resultsOf('reverted'), found);
  // What is refused is refused at once; the rest goes on behind the answer.
  await ask('POST', `${path}/_reset?wait_for_completion=false`, undefined, 409);
  await ask('DELETE', `${path}?wait_for_completion=false`, undefined, 409);
  await ask('POST', `${path}/_close`);
  const wholeTask = async ({ task }) => (await ask('GET', `/_tasks/${task}?wait_for_completion=true`)).response;
  assert.deepEqual(await wholeTask(await ask('POST', `${path}/_reset?wait_for_completion=false`)), {
    acknowledged: true,
  });
  await ask('POST', `${path}/_open`);
  assert.deepEqual(await resultsOf('reverted'), []);
  await ask('POST', `${path}/_close`);
  assert.deepEqual(await wholeTask(await ask('DELETE', `${path}?wait_for_completion=false`)), { acknowledged: true });
  await ask('GET', path, undefined, 404);
});

test('a job is blocked while it is reset or deleted, and a node that dies meanwhile goes on with it', async () => {
  const path = '/_ml/anomaly_detectors/blocked';
  await ask('PUT', path, JOB);
  await ask('POST', `${path}/_open`);
  await post('blocked', 0, 400);
  await ask('POST', `${path}/_close`);
  const [reset, open] = await Promise.all([call(node, 'POST', `${path}/_reset`), call(node, 'POST', `${path}/_open`)]);
  // Which of both comes first is open, but never is a job open that is being reset.
  if (open.status === 409)
    assert.match(open.body.error.reason, /^Cannot open job \[blocked\] because it is executing \[reset\]/);
  if (reset.status === 409) assert.match(reset.body.error.reason, /^(Can only reset a job when|Cannot reset job)/);
  assert.ok(reset.status === 200 || open.status === 200, `${reset.status} ${open.status}`);
  const { jobs } = await ask('GET', `${path}/_stats`);
  if (reset.status === 200) assert.equal(jobs[0].data_counts.processed_record_count, 0);
  if (open.status === 200) await ask('POST', `${path}/_close`);
  const { task } = await ask('DELETE', `${path}?wait_for_completion=false`);
  let seen = null;
  await eventually(async () => {
    const { status, body } = await call(node, 'GET', path);
    if (status === 200 && body.jobs[0].blocked !== undefined) seen = body.jobs[0];
    return status === 404 || seen !== null;
  });
  if (seen !== null) assert.deepEqual([seen.deleting, seen.blocked], [true, { reason: 'delete', task_id: task }]);
  await node.stop('SIGKILL');
  node = await startNode({ data: folder });
  await eventually(async () => (await call(node, 'GET', path)).status === 404);
  await ask('PUT', path, JOB);
  assert.deepEqual((await ask('GET', `${path}/results/buckets`)).buckets, []);
  await eventually(async () => (await call(node, 'DELETE', path)).status === 200);
});

test('a job that was closed by force and went back to a snapshot is not given what was posted before', async () => {
  const path = '/_ml/anomaly_detectors/forced';
  await ask('PUT', path, JOB);
  await ask('POST', `${path}/_open`);
  await post('forced', 0, 30);
  await ask('POST', `${path}/_close?force=true`);
  await ask('POST', `${path}/model_snapshots/empty/_revert`, { delete_intervening_results: true });
  await ask('POST', `${path}/_open`);
  const counts = (await ask('GET', `${path}/_stats`)).jobs[0].data_counts;
  assert.equal(counts.processed_record_count, 0);
  await post('forced', 0, 3);
  await ask('POST', `${path}/_close`);
  assert.equal((await ask('GET', `${path}/_stats`)).jobs[0].data_counts.processed_record_count, 6);
});

test('of calls that make one job at once one makes it, with its own datafeed and no other', async () => {
  const path = '/_ml/anomaly_detectors/contested';
  const feeds = ['left', 'right', 'middle'];
  const made = await Promise.all(
    feeds.map((id) => call(node, 'PUT', path, { ...JOB, datafeed_config: { datafeed_id: id, indices: [id] } })),
  );
  const winners = feeds.filter((_, i) => made[i].status === 200);
  assert.equal(winners.length, 1, JSON.stringify(made.map(({ status }) => status)));
  const { datafeeds } = await ask('GET', '/_ml/datafeeds');
  const own = datafeeds.filter((one) => one.job_id === 'contested').map((one) => one.datafeed_id);
  assert.deepEqual(own, winners);
});

test('a close that takes longer than its caller waits is an error, and goes on', async () => {
  const path = '/_ml/anomaly_detectors/slow';
  await ask('PUT', path, JOB);
  await ask('POST', `${path}/_open`);
  await post('slow', 0, 50);
  const { error } = await ask('POST', `${path}/_close?timeout=1ms`, undefined, 500);
  assert.equal(error.reason, 'Timed out when waiting for persistent tasks after 1ms');
  await eventually(async () => (await ask('GET', `${path}/_stats`)).jobs[0].state === 'closed');
});
