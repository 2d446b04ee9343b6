import { test } from 'node:test';
import { aggregationFixture, FIELDDATA_OF_X } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    d: { type: 'double' },
    k: { type: 'keyword' },
    g: { type: 'geo_point' },
    x: { type: 'text' },
  },
  documents: [
    { n: 1, d: 0.5, k: 'a', g: [13.4, 52.5], x: 'red fox' },
    {
      n: [2, 3],
      d: 1.5,
      k: ['a', 'b'],
      g: [
        [13.5, 52.6],
        [2.35, 48.85],
      ],
      x: 'red dog',
    },
    { n: 3, d: -2.5, k: 'b', g: [2.35, 48.85], x: 'blue fox' },
    { n: 10, d: 4, k: 'c', x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green', g: [-0.12, 51.5] },
    { d: 100 },
  ],
});

test('missing counts documents without a value', () =>
  index.answers([
    [{ missing: { field: 'n' } }, { doc_count: 1 }],
    [
      { missing: { field: 'k' }, aggs: { y: { avg: { field: 'd' } } } },
      { doc_count: 1, y: { value: 100 } },
    ],
    [{ missing: { field: 'g' } }, { doc_count: 2 }],
    [{ missing: { field: 'nowhere' } }, { doc_count: 6 }],
  ]));

test('missing counts none where a value stands in', () =>
  index.answers([[{ missing: { field: 'n', missing: 1 } }, { doc_count: 0 }]]));

test('missing of nothing counts zero', () =>
  index.answers([[{ missing: { field: 'n' } }, { doc_count: 0 }]], { query: { term: { k: 'none' } } }));

test('missing counts by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k' }, aggs: { z: { missing: { field: 'd' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3, z: { doc_count: 1 } },
          { key: 'b', doc_count: 2, z: { doc_count: 0 } },
          { key: 'c', doc_count: 1, z: { doc_count: 0 } },
        ],
      },
    ],
  ]));

test('missing refuses no field, text and unknown options', () =>
  index.refuses([
    [{ missing: {} }, 'illegal_argument_exception: Required one of fields [field, script], but none were specified. '],
    [{ missing: { field: 'n', foo: 1 } }, 'x_content_parse_exception: [missing] unknown field [foo]'],
    [{ missing: { field: 'x' } }, FIELDDATA_OF_X],
  ]));
