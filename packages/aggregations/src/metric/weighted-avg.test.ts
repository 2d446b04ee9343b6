import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

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

test('weighted_avg divides the weighted sum by the sum of weights', () =>
  index.answers([[{ weighted_avg: { value: { field: 'n' }, weight: { field: 'd' } } }, { value: 10 }]], {
    query: { term: { k: 'c' } },
  }));

test('weighted_avg takes each value of a document with its one weight', () =>
  index.answers([[{ weighted_avg: { value: { field: 'n' }, weight: { field: 'd' } } }, { value: 8.1 }]]));

test('weighted_avg takes missing for values and weights', () =>
  index.answers([
    [
      { weighted_avg: { value: { field: 'n', missing: 7 }, weight: { field: 'd', missing: 2 } } },
      { value: 6.845794392523365 },
    ],
  ]));

test('weighted_avg of nothing is null', () =>
  index.answers([[{ weighted_avg: { value: { field: 'n' }, weight: { field: 'd' } } }, { value: null }]], {
    query: { term: { k: 'none' } },
  }));

test('weighted_avg formats its value when asked', () =>
  index.answers([
    [
      { weighted_avg: { value: { field: 'n' }, weight: { field: 'd' }, format: '0.0' } },
      { value: 8.1, value_as_string: '8.1' },
    ],
  ]));

test('weighted_avg refuses several weights, unknown options and missing parts', () =>
  index.refuses([
    [
      { weighted_avg: { value: { field: 'd' }, weight: { field: 'n' } } },
      'illegal_argument_exception: Encountered more than one weight for a single document. Use a script to ' +
        'combine multiple weights-per-doc into a single value.',
    ],
    [
      { weighted_avg: { value: { field: 'n' }, weight: { field: 'd' }, size: 1 } },
      'x_content_parse_exception: [weighted_avg] unknown field [size]',
    ],
    [
      { weighted_avg: { value: { field: 'n' }, weight: { field: 'd' } }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [weighted_avg] cannot accept sub-aggregations',
    ],
  ]));
