import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' } },
  documents: [
    { n: 1, d: 0.5, k: 'a' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'] },
    { n: 3, d: -2.5, k: 'b' },
    { n: 10, d: 4, k: 'c' },
    { n: -4, k: 'a' },
    { d: 100 },
  ],
});

test('global counts all documents, whatever the query', () =>
  index.answers(
    [
      [{ global: {} }, { doc_count: 6 }],
      [
        { global: {}, aggs: { y: { avg: { field: 'd' } } } },
        { doc_count: 6, y: { value: 20.7 } },
      ],
    ],
    { query: { term: { k: 'c' } } },
  ));

test('global stands beside aggregations of the query', async () => {
  assert.deepEqual(
    await index.answer(
      { all: { global: {}, aggs: { y: { avg: { field: 'd' } } } }, own: { avg: { field: 'd' } } },
      { query: { term: { k: 'c' } } },
    ),
    { all: { doc_count: 6, y: { value: 20.7 } }, own: { value: 4 } },
  );
});

test('global gives its documents the score 1', async () => {
  const { y } = await index
    .answer(
      { x: { global: {}, aggs: { y: { top_hits: { from: 1, size: 1, _source: false } } } } },
      { query: { term: { k: 'c' } }, anyLayout: false },
    )
    .then(({ x }) => x);
  assert.equal(y.hits.max_score, 1);
  assert.deepEqual(
    y.hits.hits.map((hit: { _score: number }) => hit._score),
    [1],
  );
});
