// Trained models in searches and pipelines on a real node.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode, temporaryFolder } from '../node-process.mjs';

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
  node = await startNode({ data: temporaryFolder('ml-models') });
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
