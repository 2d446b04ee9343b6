// Trained models in searches and pipelines on a real node.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { call, sleep, startNode, temporaryFolder } from '../node-process.mjs';

const folder = temporaryFolder('ml-models');
let node;
after(() => node?.stop());

const ask = async (method, path, body, status = 200) => {
  const answer = await call(node, method, path, body);
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const lines = (documents) => documents.map((one) => `{"index":{}}\n${JSON.stringify(one)}\n`).join('');

/** A tree that asks one feature: `low` below the threshold, else `high`. */
const tree = (feature, threshold, low, high) => ({
  tree: {
    feature_names: [feature],
    target_type: 'regression',
    tree_structure: [
      { node_index: 0, split_feature: 0, threshold, decision_type: 'lt', left_child: 1, right_child: 2 },
      { node_index: 1, leaf_value: low },
      { node_index: 2, leaf_value: high },
    ],
  },
});

before(async () => {
  node = await startNode({ data: folder });
  const properties = { product: { type: 'keyword' }, name: { type: 'text' }, cost: { type: 'integer' } };
  await ask('PUT', '/store', { settings: { number_of_shards: 2 }, mappings: { properties } });
  const costs = { TV: [300, 400, 600], VCR: [15, 350, 580], Laptop: [100, 300, 500] };
  const documents = Object.entries(costs).flatMap(([product, all]) =>
    all.map((cost) => ({ product, cost, name: `${product} of ${cost}` })),
  );
  await ask('POST', '/store/_bulk?refresh=true', lines(documents));
});

test('the pipeline aggregation inference predicts for buckets', async () => {
  await ask('PUT', '/_ml/trained_models/by-cost', {
    input: { field_names: ['avg_cost'] },
    inference_config: { regression: { results_field: 'guess' } },
    definition: { trained_model: tree('avg_cost', 310, 1, 2) },
  });
  const aggs = (id, path) => ({
    size: 0,
    aggs: {
      p: {
        terms: { field: 'product' },
        aggs: { c: { avg: { field: 'cost' } }, i: { inference: { model_id: id, buckets_path: { [path]: 'c' } } } },
      },
    },
  });
  const { aggregations } = await ask('POST', '/store/_search', aggs('by-cost', 'avg_cost'));
  assert.deepEqual(
    aggregations.p.buckets.map(({ key, i }) => [key, i.value]),
    [
      ['Laptop', 1],
      ['TV', 2],
      ['VCR', 2],
    ],
  );
  const lost = await ask('POST', '/store/_search', aggs('by-cost', 'other'));
  assert.match(lost.aggregations.p.buckets[0].i.warning, /could not be inferred as all fields were missing/);
  const { error } = await ask('POST', '/store/_search', aggs('absent', 'x'), 404);
  assert.equal(error.reason, 'Could not find trained model [absent]');
});

const EXTRACTORS = [
  {
    query_extractor: {
      feature_name: 'cost',
      query: { script_score: { query: { match_all: {} }, script: { source: "return doc['cost'].value" } } },
    },
  },
  { query_extractor: { feature_name: 'wanted', query: { term: { product: '{{product}}' } } } },
];
const RANKING = {
  inference_config: { learning_to_rank: { feature_extractors: EXTRACTORS, default_params: { product: 'TV' } } },
  definition: {
    trained_model: {
      ensemble: {
        feature_names: ['cost', 'wanted'],
        target_type: 'regression',
        trained_models: [tree('cost', 401, 5, 2), tree('wanted', 0.1, 1, 12)],
      },
    },
  },
};

test('the rescorer learning_to_rank orders hits by a model, in windows and between other passes', async () => {
  await ask('PUT', '/_ml/trained_models/ltr', RANKING);
  const scores = async (body) =>
    (await ask('POST', '/store/_search', body)).hits.hits.map(({ _score, _source }) => [_score, _source.product]);
  const rescore = (params, window = 20) => ({
    window_size: window,
    learning_to_rank: { model_id: 'ltr', ...(params && { params }) },
  });
  assert.deepEqual(await scores({ size: 3, rescore: rescore() }), [
    [17, 'TV'],
    [17, 'TV'],
    [14, 'TV'],
  ]);
  const laptops = await scores({ size: 3, rescore: rescore({ product: 'Laptop' }) });
  assert.deepEqual(laptops, [
    [17, 'Laptop'],
    [17, 'Laptop'],
    [14, 'Laptop'],
  ]);
  const constant = { window_size: 20, query: { rescore_query: { match_all: {} }, score_mode: 'total' } };
  const chained = await scores({ size: 1, rescore: [constant, rescore(), constant] });
  assert.deepEqual(chained, [[18, 'TV']]);
  const windowed = await scores({
    size: 9,
    query: { term: { product: 'VCR' } },
    rescore: rescore({ product: 'VCR' }, 1),
  });
  assert.equal(windowed.length, 3);
  const { hits } = await ask('POST', '/store/_search', { size: 1, explain: true, rescore: rescore() });
  assert.equal(hits.hits[0]._explanation.value, 17);
  assert.match(hits.hits[0]._explanation.description, /LTR model ltr/);
  const none = await ask('POST', '/store/_search', { query: { term: { product: 'x' } }, rescore: rescore() });
  assert.equal(none.hits.hits.length, 0);
});

test('what is wrong with a model that ranks is told', async () => {
  const reasonOf = async (...asked) => (await ask(...asked)).error.reason;
  const search = (pass, status = 400) => ['POST', '/store/_search', { rescore: { learning_to_rank: pass } }, status];
  assert.equal(await reasonOf(...search({ model_id: 'absent' }, 404)), 'Could not find trained model [absent]');
  assert.match(await reasonOf(...search({ model_id: 'by-cost' })), /type \[regression\] which is not supported/);
  assert.equal(await reasonOf(...search({})), 'Required [model_id]');
  assert.match(await reasonOf(...search({ model_id: 'ltr', _model: {} })), /unknown field \[_model\]/);
  assert.match(
    await reasonOf('PUT', '/_ml/trained_models/bad', { ...RANKING, input: { field_names: ['cost'] } }, 400),
    /cannot specify \[input.field_names\] for a model of type \[learning_to_rank\]/,
  );
  const few = { learning_to_rank: { feature_extractors: EXTRACTORS.slice(1) } };
  assert.match(
    await reasonOf('PUT', '/_ml/trained_models/bad', { ...RANKING, inference_config: few }, 400),
    /have no extractor in \[feature_extractors\]: \[cost\]/,
  );
  assert.match(
    await reasonOf('POST', '/_ml/trained_models/ltr/_infer', { docs: [{ cost: 1 }] }, 400),
    /ranks hits of searches/,
  );
});

test('the built-in model tells languages of texts by call and in pipelines', async () => {
  const MODEL = '/_ml/trained_models/lang_ident_model_1';
  const docs = [{ text: 'Gestern habe ich mir ein neues Fahrrad gekauft.' }, { text: '明日は雨が降るそうです。' }, {}];
  const { inference_results: results } = await ask('POST', `${MODEL}/_infer`, { docs });
  assert.deepEqual([results[0].predicted_value, results[1].predicted_value], ['de', 'ja']);
  assert.equal(results[0].top_classes.length, 5);
  assert.match(results[2].warning, /all fields were missing/);
  const { trained_model_configs: configs } = await ask('GET', MODEL);
  assert.deepEqual([configs[0].model_type, configs[0].input], ['lang_ident', { field_names: ['text'] }]);
  const inference = { model_id: 'lang_ident_model_1', field_map: { message: 'text' }, target_field: 'language' };
  const { docs: simulated } = await ask('POST', '/_ingest/pipeline/_simulate', {
    pipeline: { processors: [{ inference }] },
    docs: [{ _source: { message: 'Please restart the server and check the logs for errors' } }],
  });
  assert.equal(simulated[0].doc._source.language.predicted_value, 'en');
  for (const [method, path, status] of [
    ['DELETE', MODEL, 400],
    ['GET', `${MODEL}?include=definition`, 400],
  ])
    await ask(method, path, undefined, status);
  const refused = await ask('PUT', MODEL, { ...RANKING }, 400);
  assert.equal(refused.error.type, 'resource_already_exists_exception');
});

test('an analysis goes on behind its copy after a kill, with features of all kinds of processors', async () => {
  const kinds = ['red-x', 'blue-y', 'red-z', 'green-x'];
  const documents = Array.from({ length: 400 }, (_, i) => {
    const kind = kinds[i % 4];
    return { kind, size: (i * 37) % 50, price: ((i * 37) % 50) * 2 + (kind.startsWith('red') ? 100 : 0) };
  });
  const properties = { kind: { type: 'keyword' }, size: { type: 'double' }, price: { type: 'double' } };
  await ask('PUT', '/parts', { settings: { number_of_replicas: 0 }, mappings: { properties } });
  await ask('POST', '/parts/_bulk?refresh=true', lines(documents));
  const first = { n_gram_encoding: { field: 'kind', feature_prefix: 'first', length: 1, n_grams: [1] } };
  const often = {
    frequency_encoding: { field: 'first.10', feature_name: 'often', frequency_map: { r: 0.5, b: 0.25 } },
  };
  const processors = [
    { multi_encoding: { processors: [first, often] } },
    { n_gram_encoding: { field: 'kind', feature_prefix: 'last', start: -1, length: 1, n_grams: [1] } },
    { one_hot_encoding: { field: 'kind', hot_map: { 'red-x': 'is_red_x' } } },
    { target_mean_encoding: { field: 'kind', feature_name: 'mean', target_map: { 'red-x': 1 }, default_value: 0 } },
  ];
  const regression = { dependent_variable: 'price', feature_processors: processors, training_percent: 80 };
  const analysis = { source: { index: 'parts' }, dest: { index: 'parts-guessed' }, analysis: { regression } };
  const made = await ask('PUT', '/_ml/data_frame/analytics/parts', analysis);
  assert.deepEqual(made.analysis.regression.feature_processors, processors);
  await ask('POST', '/_ml/data_frame/analytics/parts/_start');
  const stats = async () => (await ask('GET', '/_ml/data_frame/analytics/parts/_stats')).data_frame_analytics[0];
  const until = async (isThere) => {
    for (;;) {
      const now = await stats();
      assert.notEqual(now.state, 'failed', now.failure_reason);
      if (isThere(now)) return now;
      await sleep(50);
    }
  };
  await until(({ progress }) => progress[1].progress_percent === 100);
  // A copy made again would have it.
  await ask('POST', '/parts/_bulk?refresh=true', lines([{ kind: 'late', size: 1, price: 2 }]));
  await node.stop('SIGKILL');
  node = await startNode({ data: folder });
  const end = await until(({ state }) => state === 'stopped');
  assert.ok(end.progress.every((one) => one.progress_percent === 100));
  assert.equal((await ask('GET', '/parts-guessed/_count')).count, 400);
  const body = { size: 400, query: { term: { 'ml.is_training': false } } };
  const { hits } = (await ask('POST', '/parts-guessed/_search', body)).hits;
  assert.equal(hits.length, 80);
  for (const { _source } of hits)
    assert.ok(Math.abs(_source.ml.price_prediction - _source.price) < 25, JSON.stringify(_source));
  const { trained_model_configs: models } = await ask('GET', '/_ml/trained_models?tags=parts');
  const docs = hits.slice(0, 5).map(({ _source: { kind, size } }) => ({ kind, size }));
  const answer = await ask('POST', `/_ml/trained_models/${models[0].model_id}/_infer`, { docs });
  assert.deepEqual(
    answer.inference_results.map((one) => one.price_prediction),
    hits.slice(0, 5).map(({ _source }) => _source.ml.price_prediction),
  );
});

test('an analysis that was stopped in the middle of its training goes on there', async () => {
  const documents = Array.from({ length: 1200 }, (_, i) => ({ a: (i * 7919) % 1013, b: (i * 104729) % 997, c: i % 7 }));
  const whole = documents.map((one) => ({ ...one, y: one.a * (1 + one.c) + one.b }));
  const double = { type: 'double' };
  await ask('PUT', '/wide', { mappings: { properties: { a: double, b: double, c: double, y: double } } });
  await ask('POST', '/wide/_bulk?refresh=true', lines(whole));
  const path = '/_ml/data_frame/analytics/wide';
  const regression = { dependent_variable: 'y', randomize_seed: 3, max_trees: 60 };
  await ask('PUT', path, { source: { index: 'wide' }, dest: { index: 'wide-guessed' }, analysis: { regression } });
  const stats = async () => (await ask('GET', `${path}/_stats`)).data_frame_analytics[0];
  const trained = ({ progress }) => progress.slice(3, 6).reduce((sum, one) => sum + one.progress_percent, 0);
  const iteration = (now) => now.analysis_stats?.regression_stats?.iteration ?? 0;
  await ask('POST', `${path}/_start`);
  let now = await stats();
  while (trained(now) < 20 || iteration(now) < 4) now = (await sleep(10), await stats());
  await ask('POST', `${path}/_stop`);
  const stopped = await stats();
  assert.equal(stopped.state, 'stopped');
  assert.ok(trained(stopped) >= 20 && trained(stopped) < 300, JSON.stringify(stopped.progress));
  await ask('POST', `${path}/_start`);
  // Progress never falls behind what was shown, and what was tried is not tried again.
  let most = trained(stopped);
  let first = 0;
  for (now = await stats(); now.state !== 'stopped'; now = await stats()) {
    assert.notEqual(now.state, 'failed', now.failure_reason);
    assert.ok(trained(now) >= most, `${trained(now)} after ${most}`);
    most = trained(now);
    first ||= iteration(now);
    await sleep(20);
  }
  assert.ok(first >= iteration(stopped) - 1, `${first} after ${iteration(stopped)}`);
  assert.ok(now.progress.every((one) => one.progress_percent === 100));
});

test('tables of analyses and trained models have the columns of 8.12', async () => {
  const text = async (path) => (await ask('GET', path)).trimEnd().split('\n');
  const [head, row] = await text('/_cat/ml/data_frame/analytics?v&h=id,t,s,p,source_index,dest_index');
  assert.deepEqual(head.split(/\s+/).filter(Boolean), ['id', 't', 's', 'p', 'source_index', 'dest_index']);
  assert.match(
    row,
    /^parts +regression +stopped +reindexing:100,loading_data:100,.*inference:100 +parts +parts-guessed/,
  );
  assert.match(
    (await text('/_cat/ml/data_frame/analytics/parts'))[0],
    /^parts +regression +\d{4}-\d\d-\d\dT\S+Z +stopped/,
  );
  const models = await text('/_cat/ml/trained_models?h=id,license,dfid,ip&s=id');
  assert.match(
    models.find((line) => line.startsWith('lang_ident_model_1')),
    /basic +prepackaged +0$/,
  );
  assert.match(
    models.find((line) => line.startsWith('parts-')),
    /basic +parts +0$/,
  );
  assert.match(
    models.find((line) => line.startsWith('by-cost')),
    /basic +__none__ +0$/,
  );
});

test('a model without what was generated can be put again', async () => {
  const { inference_config, input } = { inference_config: { regression: {} }, input: { field_names: ['cost'] } };
  const body = { inference_config, input, definition: { trained_model: tree('cost', 5, 1, 2) }, tags: ['moved'] };
  await ask('PUT', '/_ml/trained_models/moved', body);
  const { trained_model_configs: found } = await ask(
    'GET',
    '/_ml/trained_models/moved?exclude_generated=true&include=definition',
  );
  const { model_id, model_type, ...rest } = found[0];
  assert.deepEqual([model_id, model_type], ['moved', 'tree_ensemble']);
  assert.deepEqual(Object.keys(rest).sort(), ['definition', 'inference_config', 'input', 'tags']);
  await ask('PUT', '/_ml/trained_models/moved-again', rest);
});

test('definitions that are bombs, and what needs PyTorch, are refused by name', async () => {
  const put = (body, status = 400) =>
    ask('PUT', '/_ml/trained_models/bomb', { inference_config: { regression: {} }, ...body }, status);
  const packed = (text) => ({ compressed_definition: gzipSync(text).toString('base64') });
  const nodes = (structure) => ({
    definition: { trained_model: { tree: { feature_names: ['f'], tree_structure: structure } } },
  });
  const split = { node_index: 0, split_feature: 0, threshold: 1, left_child: 1, right_child: 2 };
  for (const [body, reason] of [
    [packed(`[${'{},'.repeat(10_000_000)}{}]`), /more than \[\d+\] objects/],
    [packed('['.repeat(100_000)), /nested deeper than/],
    [nodes([split, { node_index: 1, leaf_value: 1 }]), /missing nodes \[2\]/],
    [
      nodes([
        { ...split, right_child: 0 },
        { node_index: 1, leaf_value: 1 },
      ]),
      /contains cycle/,
    ],
    [nodes([{ node_index: 0, leaf_value: null }]), /neither a child nor a \[leaf_value\]/],
    [{ ...nodes([{ node_index: 0, leaf_value: 1 }]), model_type: 'pytorch' }, /no runtime of PyTorch/],
  ])
    assert.match((await put(body)).error.reason, reason);
  const services = await ask('PUT', '/_inference/sparse_embedding/x', { service: 'elser', service_settings: {} }, 400);
  assert.match(JSON.stringify(services), /compute vectors outside/);
  const deployed = await ask('POST', '/_ml/trained_models/by-cost/deployment/_start', undefined, 400);
  assert.match(JSON.stringify(deployed), /for models of PyTorch/);
});
