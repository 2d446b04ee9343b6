// The official JavaScript client, unmodified, against a real node.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from '@elastic/elasticsearch';
import { startNode } from '../node-process.mjs';

let node;
let client;
before(async () => {
  node = await startNode();
  client = new Client({ node: node.url });
});
after(async () => {
  await client?.close();
  await node?.stop();
});

const books = Array.from({ length: 250 }, (_, i) => ({
  id: String(i),
  title: `volume ${i} of the ${i % 2 ? 'odd' : 'even'} series`,
  shelf: `s${i % 5}`,
  year: 1900 + (i % 100),
}));

test('the bulk helper indexes and reports', async () => {
  await client.indices.create({
    index: 'books',
    mappings: { properties: { title: { type: 'text' }, shelf: { type: 'keyword' }, year: { type: 'integer' } } },
  });
  const result = await client.helpers.bulk({
    datasource: books,
    onDocument: ({ id }) => ({ index: { _index: 'books', _id: id } }),
    refreshOnCompletion: 'books',
  });
  assert.equal(result.successful, 250);
  assert.equal(result.failed, 0);
  assert.equal((await client.count({ index: 'books' })).count, 250);
});

test('search with query, aggregation and sort', async () => {
  const found = await client.search({
    index: 'books',
    query: { bool: { must: { match: { title: 'odd series' } }, filter: [{ range: { year: { gte: 1950 } } }] } },
    aggs: { shelves: { terms: { field: 'shelf' }, aggs: { newest: { max: { field: 'year' } } } } },
    sort: [{ year: 'desc' }, { shelf: 'asc' }],
    size: 3,
    track_total_hits: true,
  });
  const expected = books.filter((b) => b.year >= 1950);
  assert.equal(found.hits.total.value, expected.length);
  assert.deepEqual(
    found.hits.hits.map((h) => h.sort[0]),
    [1999, 1999, 1998],
  );
  assert.equal(
    found.aggregations.shelves.buckets.reduce((sum, b) => sum + b.doc_count, 0),
    expected.length,
  );
});

test('the scroll helper sees every document once', async () => {
  const seen = new Set();
  for await (const page of client.helpers.scrollSearch({ index: 'books', size: 40, query: { match_all: {} } }))
    for (const doc of page.body.hits.hits) seen.add(doc._id);
  assert.equal(seen.size, 250);
});

test('a point in time pages with search_after over a moment that does not change', async () => {
  const { id } = await client.openPointInTime({ index: 'books', keep_alive: '1m' });
  await client.index({ index: 'books', id: 'late', document: { title: 'late', year: 2000 }, refresh: true });
  const seen = [];
  let after;
  for (;;) {
    const page = await client.search({
      pit: { id, keep_alive: '1m' },
      size: 60,
      sort: [{ year: 'asc' }],
      ...(after ? { search_after: after } : {}),
    });
    if (page.hits.hits.length === 0) break;
    seen.push(...page.hits.hits.map((h) => h._id));
    after = page.hits.hits.at(-1).sort;
  }
  assert.equal(new Set(seen).size, 250);
  assert.equal(seen.length, 250);
  assert.deepEqual(await client.closePointInTime({ id }), { succeeded: true, num_freed: 1 });
});

test('get, update with concurrency control, delete, and errors as the client knows them', async () => {
  await client.index({ index: 'notes', id: '1', document: { a: 1 } });
  const read = await client.get({ index: 'notes', id: '1' });
  await client.update({
    index: 'notes',
    id: '1',
    doc: { b: 2 },
    if_seq_no: read._seq_no,
    if_primary_term: read._primary_term,
  });
  await assert.rejects(
    client.index({
      index: 'notes',
      id: '1',
      document: {},
      if_seq_no: read._seq_no,
      if_primary_term: read._primary_term,
    }),
    (e) => e.statusCode === 409 && e.body.error.type === 'version_conflict_engine_exception',
  );
  assert.deepEqual((await client.get({ index: 'notes', id: '1' }))._source, { a: 1, b: 2 });
  assert.equal((await client.delete({ index: 'notes', id: '1' })).result, 'deleted');
  await assert.rejects(
    client.search({ index: 'missing' }),
    (e) => e.statusCode === 404 && e.body.error.type === 'index_not_found_exception',
  );
  assert.equal(await client.exists({ index: 'notes', id: '1' }), false);
});

test('msearch and mget', async () => {
  const { responses } = await client.msearch({
    searches: [
      { index: 'books' },
      { query: { term: { shelf: 's1' } }, size: 0 },
      { index: 'missing' },
      { query: { match_all: {} } },
    ],
  });
  assert.equal(responses[0].hits.total.value, 50);
  assert.equal(responses[1].status, 404);
  const { docs } = await client.mget({ index: 'books', ids: ['3', 'nope'] });
  assert.deepEqual(
    docs.map((d) => d.found),
    [true, false],
  );
});

test('stored scripts and templates', async () => {
  const source = { query: { match: { title: '{{word}}' } }, size: '{{size}}' };
  await client.putScript({ id: 'by-word', script: { lang: 'mustache', source: JSON.stringify(source) } });
  assert.equal((await client.getScript({ id: 'by-word' })).script.lang, 'mustache');
  const params = { word: 'odd', size: 2 };
  const { template_output: rendered } = await client.renderSearchTemplate({ id: 'by-word', params });
  assert.deepEqual(rendered, { query: { match: { title: 'odd' } }, size: '2' });
  const found = await client.searchTemplate({ index: 'books', id: 'by-word', params });
  assert.equal(found.hits.hits.length, 2);
  const { responses } = await client.msearchTemplate({
    search_templates: [{ index: 'books' }, { id: 'by-word', params }, { index: 'books' }, { id: 'nope' }],
  });
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 404],
  );
  const { result } = await client.scriptsPainlessExecute({ script: { source: 'params.a * 2', params: { a: 21 } } });
  assert.equal(result, '42');
  assert.ok((await client.getScriptLanguages()).language_contexts.some(({ language }) => language === 'mustache'));
  assert.ok((await client.getScriptContext()).contexts.some(({ name }) => name === 'template'));
  await client.deleteScript({ id: 'by-word' });
  await assert.rejects(client.getScript({ id: 'by-word' }), { statusCode: 404 });
});

test('transforms are made, started, looked at and removed', async () => {
  const transform = { transform_id: 'shelves' };
  const pivot = {
    group_by: { shelf: { terms: { field: 'shelf' } } },
    aggregations: { newest: { max: { field: 'year' } } },
  };
  const { preview } = await client.transform.previewTransform({ source: { index: 'books' }, pivot });
  assert.equal(preview.length, 5);
  await client.transform.putTransform({ ...transform, source: { index: 'books' }, dest: { index: 'shelves' }, pivot });
  assert.equal((await client.transform.getTransform(transform)).count, 1);
  await client.transform.startTransform(transform);
  for (let i = 0; i < 100; i++) {
    const { transforms } = await client.transform.getTransformStats(transform);
    if (transforms[0].checkpointing.last.checkpoint === 1) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal((await client.count({ index: 'shelves' })).count, 5);
  await client.transform.updateTransform({ ...transform, description: 'newest by shelf' });
  assert.equal((await client.transform.upgradeTransforms()).no_action, 1);
  assert.equal((await client.transform.scheduleNowTransform(transform)).acknowledged, true);
  await client.transform.stopTransform({ ...transform, wait_for_completion: true });
  await client.transform.resetTransform(transform);
  await client.transform.deleteTransform(transform);
});

test('pipelines are made, tried out, used and removed', async () => {
  const processors = [
    { set: { field: 'label', value: '{{shelf}}-{{year}}' } },
    { script: { source: 'ctx.decade = ctx.year / 10 * 10' } },
  ];
  await client.ingest.putPipeline({ id: 'label', description: 'labels', processors });
  assert.equal((await client.ingest.getPipeline({ id: 'label' })).label.processors.length, 2);
  const source = { shelf: 's1', year: 1987 };
  const { docs } = await client.ingest.simulate({ id: 'label', docs: [{ _source: source }] });
  assert.deepEqual(docs[0].doc._source, { ...source, label: 's1-1987', decade: 1980 });
  await client.index({ index: 'labelled', id: '1', pipeline: 'label', document: source, refresh: true });
  assert.equal((await client.get({ index: 'labelled', id: '1' }))._source.decade, 1980);
  assert.match((await client.ingest.processorGrok()).patterns.WORD, /\w/);
  assert.ok((await client.nodes.stats({ metric: 'ingest' })).nodes);
  await client.ingest.deletePipeline({ id: 'label' });
  await assert.rejects(client.ingest.getPipeline({ id: 'label' }), { statusCode: 404 });
});

test('reindex, update by query and delete by query', async () => {
  await client.indices.refresh({ index: 'books' });
  const copied = await client.reindex({
    source: { index: 'books', query: { term: { shelf: 's1' } } },
    dest: { index: 'copies' },
    script: { source: "ctx._source.copied = true; ctx._source.remove('title')" },
    refresh: true,
  });
  assert.deepEqual([copied.total, copied.created, copied.failures], [50, 50, []]);
  const updated = await client.updateByQuery({
    index: 'copies',
    query: { range: { year: { lt: 1950 } } },
    script: {
      source: 'if (ctx._source.year < params.y) { ctx._source.old = true } else { ctx.op = "noop" }',
      params: { y: 1920 },
    },
    refresh: true,
  });
  assert.equal(updated.total, updated.updated + updated.noops);
  assert.equal((await client.count({ index: 'copies', query: { term: { old: true } } })).count, updated.updated);
  const deleted = await client.deleteByQuery({ index: 'copies', query: { term: { old: true } }, refresh: true });
  assert.equal(deleted.deleted, updated.updated);
  assert.equal((await client.count({ index: 'copies' })).count, 50 - deleted.deleted);
  const { task } = await client.reindex({
    source: { index: 'copies' },
    dest: { index: 'copies-again' },
    wait_for_completion: false,
  });
  const done = await client.tasks.get({ task_id: task, wait_for_completion: true, timeout: '30s' });
  assert.deepEqual([done.completed, done.response.created], [true, 50 - deleted.deleted]);
});

const job_id = 'by-client';
const datafeed_id = 'feed-of-client';
const analysis_config = {
  bucket_span: '15m',
  detectors: [{ function: 'mean', field_name: 'v', partition_field_name: 'p' }],
  influencers: ['p'],
};
const data_description = { time_field: 'time', time_format: 'epoch_ms' };
const start = 1_700_000_100_000;
const rows = Array.from({ length: 300 }, (_, i) => ({
  ...{ time: start + i * 900_000, p: 'a', v: 100 + ((i * 7919) % 23) + (i === 280 ? 900 : 0) },
}));

test('anomaly detection: jobs, data, results, snapshots', async () => {
  const { ml } = client;
  assert.ok((await ml.info()).limits);
  await ml.validate({ analysis_config, data_description });
  await ml.validateDetector({ detector: { function: 'count' } });
  const estimate = { analysis_config, overall_cardinality: { p: 5 }, max_bucket_cardinality: { p: 5 } };
  assert.match((await ml.estimateModelMemory(estimate)).model_memory_estimate, /b$/);
  await ml.putJob({ job_id, analysis_config, data_description, groups: ['clients'] });
  await ml.updateJob({ job_id, description: 'made by a client' });
  assert.equal((await ml.getJobs({ job_id: 'clients' })).jobs[0].description, 'made by a client');
  assert.equal((await ml.openJob({ job_id })).opened, true);
  assert.equal((await ml.postData({ job_id, data: rows })).processed_record_count, 300);
  assert.equal((await ml.flushJob({ job_id, calc_interim: true })).flushed, true);
  assert.equal((await ml.getJobStats({ job_id })).jobs[0].state, 'opened');
  const { forecast_id } = await ml.forecast({ job_id, duration: '1h' });
  await ml.deleteForecast({ job_id, forecast_id });
  assert.equal(
    (await ml.getBuckets({ job_id, page: { size: 1 }, sort: 'anomaly_score', desc: true })).buckets.length,
    1,
  );
  assert.equal((await ml.getRecords({ job_id, record_score: 75 })).records[0].actual[0], rows[280].v);
  assert.equal((await ml.getInfluencers({ job_id })).influencers[0].influencer_field_value, 'a');
  assert.equal((await ml.getCategories({ job_id })).count, 0);
  assert.ok((await ml.getOverallBuckets({ job_id, top_n: 1 })).overall_buckets.length > 0);
  assert.equal((await ml.closeJob({ job_id })).closed, true);
  const { model_snapshots } = await ml.getModelSnapshots({ job_id });
  const { snapshot_id } = model_snapshots[0];
  assert.equal((await ml.updateModelSnapshot({ job_id, snapshot_id, retain: true })).acknowledged, true);
  assert.equal((await ml.revertModelSnapshot({ job_id, snapshot_id })).model.snapshot_id, snapshot_id);
  await assert.rejects(ml.upgradeJobSnapshot({ job_id, snapshot_id }), { statusCode: 409 });
  await ml.getModelSnapshotUpgradeStats({ job_id, snapshot_id });
  await ml.deleteModelSnapshot({ job_id, snapshot_id });
});

test('anomaly detection: datafeeds', async () => {
  const { ml } = client;
  await client.indices.create({ index: 'fed', mappings: { properties: { time: { type: 'date' } } } });
  await client.index({ index: 'fed', document: { time: start, p: 'a', v: 1 }, refresh: true });
  await ml.putDatafeed({ datafeed_id, job_id, indices: ['fed'] });
  await ml.updateDatafeed({ datafeed_id, scroll_size: 100 });
  assert.equal((await ml.getDatafeeds({ datafeed_id })).datafeeds[0].scroll_size, 100);
  assert.equal((await ml.previewDatafeed({ datafeed_id })).length, 1);
  await ml.openJob({ job_id });
  assert.equal((await ml.startDatafeed({ datafeed_id })).started, true);
  assert.equal((await ml.getDatafeedStats({ datafeed_id })).count, 1);
  assert.equal((await ml.stopDatafeed({ datafeed_id })).stopped, true);
  await ml.deleteDatafeed({ datafeed_id });
});

test('anomaly detection: filters, calendars, the end of a job', async () => {
  const { ml } = client;
  await ml.putFilter({ filter_id: 'known', items: ['a'] });
  await ml.updateFilter({ filter_id: 'known', add_items: ['b'] });
  assert.deepEqual((await ml.getFilters({ filter_id: 'known' })).filters[0].items, ['a', 'b']);
  await ml.deleteFilter({ filter_id: 'known' });
  const calendar_id = 'quiet';
  await ml.putCalendar({ calendar_id });
  await ml.putCalendarJob({ calendar_id, job_id });
  const event = { description: 'works', start_time: start, end_time: start + 1000 };
  const { events } = await ml.postCalendarEvents({ calendar_id, events: [event] });
  assert.equal((await ml.getCalendarEvents({ calendar_id })).count, 1);
  await ml.deleteCalendarEvent({ calendar_id, event_id: events[0].event_id });
  assert.deepEqual((await ml.getCalendars({ calendar_id })).calendars[0].job_ids, [job_id]);
  await ml.deleteCalendarJob({ calendar_id, job_id });
  await ml.deleteCalendar({ calendar_id });
  await ml.closeJob({ job_id });
  await ml.resetJob({ job_id });
  assert.equal((await ml.deleteExpiredData({})).deleted, true);
  assert.ok((await ml.getMemoryStats())._nodes);
  await ml.setUpgradeMode({ enabled: true });
  await ml.setUpgradeMode({ enabled: false });
  assert.equal((await client.cat.mlJobs({ job_id, format: 'json' })).length, 1);
  await ml.deleteJob({ job_id });
});

test('data frame analytics: an analysis from its explanation to its evaluation', async () => {
  const { ml } = client;
  const source = { index: 'shop' };
  const mappings = { properties: { rooms: { type: 'integer' }, area: { type: 'double' }, price: { type: 'double' } } };
  await client.indices.create({ index: 'shop', mappings });
  const houses = Array.from({ length: 60 }, (_, i) => ({ rooms: 1 + (i % 5), area: 20 + i, price: 1000 * (20 + i) }));
  await client.bulk({ index: 'shop', refresh: true, operations: houses.flatMap((one) => [{ index: {} }, one]) });
  const regression = { dependent_variable: 'price', max_trees: 5, training_percent: 80 };
  const id = 'prices';
  const explained = await ml.explainDataFrameAnalytics({ source, analysis: { regression } });
  assert.equal(explained.field_selection.find(({ name }) => name === 'price').is_required, true);
  const config = { source, analysis: { outlier_detection: {} } };
  assert.equal((await ml.previewDataFrameAnalytics({ config })).feature_values.length, 10);
  assert.equal(
    (await ml.putDataFrameAnalytics({ id, source, dest: { index: 'priced' }, analysis: { regression } })).id,
    id,
  );
  assert.equal((await ml.updateDataFrameAnalytics({ id, description: 'by a client' })).description, 'by a client');
  assert.equal((await ml.getDataFrameAnalytics({ id })).data_frame_analytics[0].description, 'by a client');
  assert.equal((await ml.startDataFrameAnalytics({ id })).acknowledged, true);
  for (let state = ''; state !== 'stopped'; ) {
    const [stats] = (await ml.getDataFrameAnalyticsStats({ id })).data_frame_analytics;
    assert.notEqual((state = stats.state), 'failed', stats.failure_reason);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal((await ml.stopDataFrameAnalytics({ id })).stopped, true);
  const judged = { actual_field: 'price', predicted_field: 'ml.price_prediction', metrics: { mse: {}, r_squared: {} } };
  const { regression: errors } = await ml.evaluateDataFrame({ index: 'priced', evaluation: { regression: judged } });
  assert.ok(errors.r_squared.value > 0.5);
  const { trained_model_configs: models } = await ml.getTrainedModels({ tags: id });
  await ml.deleteTrainedModel({ model_id: models[0].model_id });
  assert.equal((await ml.deleteDataFrameAnalytics({ id })).acknowledged, true);
});

test('trained models: put, aliases, statistics, inference; what needs PyTorch is refused by name', async () => {
  const { ml } = client;
  const model_id = 'leaf';
  const tree = { feature_names: ['f'], tree_structure: [{ node_index: 0, leaf_value: 4.5 }] };
  const definition = { trained_model: { tree } };
  const made = await ml.putTrainedModel({
    ...{ model_id, definition, inference_config: { regression: {} }, input: { field_names: ['f'] }, tags: ['t'] },
  });
  assert.equal(made.model_id, model_id);
  await ml.putTrainedModelAlias({ model_id, model_alias: 'newest' });
  const inferred = await ml.inferTrainedModel({ model_id: 'newest', docs: [{ f: 1 }] });
  assert.equal(inferred.inference_results[0].predicted_value, 4.5);
  await ml.deleteTrainedModelAlias({ model_id, model_alias: 'newest' });
  const stats = await ml.getTrainedModelsStats({ model_id });
  assert.equal(stats.trained_model_stats[0].inference_stats.inference_count, 1);
  const part = { part: 0, total_parts: 1, total_definition_length: 10, definition: 'AAAA' };
  const refused = { statusCode: 400, message: /PyTorch/ };
  await assert.rejects(ml.putTrainedModelDefinitionPart({ model_id, ...part }), refused);
  await assert.rejects(ml.putTrainedModelVocabulary({ model_id, vocabulary: ['a'] }), refused);
  await assert.rejects(ml.startTrainedModelDeployment({ model_id }), refused);
  await assert.rejects(ml.updateTrainedModelDeployment({ model_id, number_of_allocations: 2 }), refused);
  await assert.rejects(ml.clearTrainedModelDeploymentCache({ model_id }), refused);
  await assert.rejects(ml.stopTrainedModelDeployment({ model_id }), refused);
  assert.equal((await ml.deleteTrainedModel({ model_id })).acknowledged, true);
});
