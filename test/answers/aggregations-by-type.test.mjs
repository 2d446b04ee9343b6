// Which fields aggregations take, and what they say of others, as in Elasticsearch 8.12: ranges, completions, queries
// of filters, paths of pipelines.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

let node;

before(async () => {
  node = await startNode();
  const types = { n: 'long', k: 'keyword', ir: 'ip_range', lr: 'long_range', dr: 'date_range', c: 'completion' };
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
  await call(node, 'PUT', '/kinds', { settings: { number_of_replicas: 0 }, mappings: { properties } });
  const days = { gte: '2024-01-01', lte: '2024-01-03' };
  const document = { n: 1, k: 'a', ir: '10.0.0.0/24', lr: { gte: 1, lte: 3 }, dr: days, c: 'x' };
  await call(node, 'PUT', '/kinds/_doc/1?refresh=true', document);
});
after(() => node?.stop());

const aggregate = async (x) => (await call(node, 'POST', '/kinds/_search', { size: 0, aggs: x })).body;
const reasonOf = async (x) => {
  const { error } = await aggregate(x);
  return `${error.root_cause[0].type}: ${error.root_cause[0].reason}`;
};

test('ranges have no terms, and are counted', async () => {
  for (const [field, type] of [
    ['ir', 'ip_range'],
    ['lr', 'long_range'],
    ['dr', 'date_range'],
  ]) {
    const not = (name) =>
      `illegal_argument_exception: Field [${field}] of type [${type}] is not supported for aggregation [${name}]`;
    for (const name of ['terms', 'significant_terms', 'rare_terms', 'avg'])
      assert.equal(await reasonOf({ x: { [name]: { field } } }), not(name));
    const diverse = { diversified_sampler: { field }, aggs: { y: { terms: { field: 'k' } } } };
    assert.equal(await reasonOf({ x: diverse }), not('diversified_sampler'));
    const counted = { a: { value_count: { field } }, b: { cardinality: { field } }, c: { missing: { field } } };
    const { aggregations } = await aggregate(counted);
    assert.deepEqual(aggregations, { a: { value: 1 }, b: { value: 1 }, c: { doc_count: 0 } });
  }
  assert.equal(
    await reasonOf({ x: { histogram: { field: 'ir', interval: 1 } } }),
    'illegal_argument_exception: Expected numeric range type but found non-numeric range [ip_range]',
  );
  assert.equal(
    await reasonOf({ x: { date_histogram: { field: 'lr', fixed_interval: '1d' } } }),
    'illegal_argument_exception: Expected date range type but found range type [long_range]',
  );
});

test('global aggregations see what the filter of an alias shows', async () => {
  await call(node, 'PUT', '/shown', {
    aliases: { part: { filter: { term: { k: 'a' } } }, none: { filter: { term: { k: 'z' } } } },
  });
  for (const [id, k] of ['a', 'b', 'a', 'c'].entries()) await call(node, 'PUT', `/shown/_doc/${id}?refresh`, { k });
  const aggs = { all: { global: {}, aggs: { k: { terms: { field: 'k.keyword' } } } } };
  for (const [index, expected] of [
    ['shown', 4],
    ['part', 2],
    ['none', 0],
  ]) {
    const { body } = await call(node, 'POST', `/${index}/_search`, { size: 0, query: { term: { k: 'b' } }, aggs });
    assert.equal(body.aggregations.all.doc_count, expected, index);
    const counted = body.aggregations.all.k.buckets.reduce((sum, { doc_count: count }) => sum + count, 0);
    assert.equal(counted, expected, index);
  }
});

test('all ranges of a document are one value, and a weight counts only beside a value', async () => {
  await call(node, 'PUT', '/kinds/_doc/2', {
    lr: [
      { gte: 1, lte: 2 },
      { gte: 5, lte: 6 },
    ],
  });
  await call(node, 'PUT', '/kinds/_doc/3?refresh', { w: [1, 2] });
  const { aggregations } = await aggregate({
    c: { value_count: { field: 'lr' } },
    w: { weighted_avg: { value: { field: 'n' }, weight: { field: 'w', missing: 1 } } },
  });
  assert.deepEqual(aggregations, { c: { value: 2 }, w: { value: 1 } });
});

test('completions have no fielddata', async () => {
  for (const name of ['terms', 'avg', 'missing', 'geo_bounds'])
    assert.equal(
      await reasonOf({ x: { [name]: { field: 'c' } } }),
      'illegal_argument_exception: Fielddata is not supported on field [c] of type [completion]',
    );
});

test('queries of filters fail with their own error', async () => {
  const query = { range: { lr: { lt: '10.0.0.5' } } };
  for (const x of [{ filter: query }, { filters: { filters: [query] } }])
    assert.match(await reasonOf({ x }), /^(?!query_shard_exception)/);
});

test('paths of pipelines are texts; of a list the first counts', async () => {
  const histogram = { histogram: { field: 'n', interval: 1 } };
  const stats = (path) => ({ b: histogram, p: { stats_bucket: { buckets_path: path } } });
  for (const [path, token] of [
    [5, 'VALUE_NUMBER'],
    [null, 'VALUE_NULL'],
    [true, 'VALUE_BOOLEAN'],
    [{ x: 'b>_count' }, 'START_OBJECT'],
  ])
    assert.equal(await reasonOf(stats(path)), `parsing_exception: Unexpected token ${token} [buckets_path] in [p]`);
  assert.equal((await aggregate(stats(['b>_count', 'c']))).aggregations.p.count, 1);
});
