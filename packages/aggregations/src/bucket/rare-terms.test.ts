import { test } from 'node:test';
import { aggregationFixture, FIELDDATA_OF_X } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' }, x: { type: 'text' } },
  documents: [
    { n: 1, d: 0.5, k: 'a', x: 'red fox' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], x: 'red dog' },
    { n: 3, d: -2.5, k: 'b', x: 'blue fox' },
    { n: 10, d: 4, k: 'c', x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    { d: 100 },
  ],
});

test('rare_terms has values of few documents', () =>
  index.answers([
    [{ rare_terms: { field: 'k' } }, { buckets: [{ key: 'c', doc_count: 1 }] }],
    [
      { rare_terms: { field: 'k', max_doc_count: 2 } },
      {
        buckets: [
          { key: 'c', doc_count: 1 },
          { key: 'b', doc_count: 2 },
        ],
      },
    ],
    [
      { rare_terms: { field: 'n' } },
      {
        buckets: [
          { key: -4, doc_count: 1 },
          { key: 1, doc_count: 1 },
          { key: 2, doc_count: 1 },
          { key: 10, doc_count: 1 },
        ],
      },
    ],
    [
      { rare_terms: { field: 'k', max_doc_count: 2 }, aggs: { y: { avg: { field: 'd' } } } },
      {
        buckets: [
          { key: 'c', doc_count: 1, y: { value: 4 } },
          { key: 'b', doc_count: 2, y: { value: -0.5 } },
        ],
      },
    ],
  ]));

test('rare_terms includes, excludes and takes missing', () =>
  index.answers([
    [
      { rare_terms: { field: 'k', max_doc_count: 3, include: ['a', 'c'] } },
      {
        buckets: [
          { key: 'c', doc_count: 1 },
          { key: 'a', doc_count: 3 },
        ],
      },
    ],
    [
      { rare_terms: { field: 'k', max_doc_count: 3, exclude: 'a' } },
      {
        buckets: [
          { key: 'c', doc_count: 1 },
          { key: 'b', doc_count: 2 },
        ],
      },
    ],
    [
      { rare_terms: { field: 'k', missing: 'z' } },
      {
        buckets: [
          { key: 'c', doc_count: 1 },
          { key: 'z', doc_count: 1 },
        ],
      },
    ],
  ]));

test('rare_terms of nothing has no buckets', () =>
  index.answers([[{ rare_terms: { field: 'k' } }, { buckets: [] }]], { query: { term: { k: 'none' } } }));

test('rare_terms refuses limits out of range, doubles and unknown options', () =>
  index.refuses([
    [
      { rare_terms: { field: 'k', max_doc_count: 0 } },
      'x_content_parse_exception: [rare_terms] failed to parse field [max_doc_count] <- ' +
        'illegal_argument_exception: [max_doc_count] must be greater than 0. Found [0] in [x]',
    ],
    [{ rare_terms: { field: 'k', foo: 1 } }, 'x_content_parse_exception: [rare_terms] unknown field [foo]'],
    [{ rare_terms: { field: 'x' } }, FIELDDATA_OF_X],
  ]));

const repeats = await aggregationFixture({
  mapping: { n: { type: 'integer' } },
  documents: [{ n: [1, 1, 2] }, { n: [2, 2] }, { n: 5 }],
});

test('rare_terms counts a number as often as a document has it', () =>
  repeats.answers([
    [
      { rare_terms: { field: 'n', max_doc_count: 2 } },
      {
        buckets: [
          { key: 5, doc_count: 1 },
          { key: 1, doc_count: 2 },
        ],
      },
    ],
  ]));
