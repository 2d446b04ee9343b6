import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers follow the reference of 8.12: Shannon entropy over the characters of all values. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, k: { type: 'keyword' }, x: { type: 'text' } },
  documents: [
    { n: 1, k: 'a', x: 'red fox' },
    { n: [2, 3], k: ['a', 'b'], x: 'red dog' },
    { n: 3, k: 'b', x: 'blue fox' },
    { n: 10, k: 'c', x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    {},
  ],
});

test('string_stats has lengths and the entropy of characters', () =>
  index.answers([
    [
      { string_stats: { field: 'k' } },
      { count: 6, min_length: 1, max_length: 1, avg_length: 1, entropy: 1.4591479170272448 },
    ],
  ]));

test('string_stats shows the share of each character when asked', () =>
  index.answers([
    [
      { string_stats: { field: 'k', show_distribution: true } },
      {
        count: 6,
        min_length: 1,
        max_length: 1,
        avg_length: 1,
        entropy: 1.4591479170272448,
        distribution: { a: 0.5, b: 0.3333333333333333, c: 0.16666666666666666 },
      },
    ],
  ]));

test('string_stats takes missing for documents without a value', () =>
  index.answers([
    [
      { string_stats: { field: 'k', missing: 'long' } },
      { count: 7, min_length: 1, max_length: 4, avg_length: 1.4285714285714286, entropy: 2.6464393446710153 },
    ],
  ]));

test('string_stats of nothing is null', () =>
  index.answers([
    [
      { string_stats: { field: 'nowhere' } },
      { count: 0, min_length: null, max_length: null, avg_length: null, entropy: 0 },
    ],
  ]));

test('string_stats refuses fields that are no texts, unknown options and sub-aggregations', () =>
  index.refuses([
    [
      { string_stats: { field: 'n' } },
      'illegal_argument_exception: Field [n] of type [long] is not supported for aggregation [string_stats]',
    ],
    [{ string_stats: { field: 'k', size: 1 } }, 'x_content_parse_exception: [string_stats] unknown field [size]'],
    [
      { string_stats: {} },
      'illegal_argument_exception: Required one of fields [field, script], but none were specified. ',
    ],
    [
      { string_stats: { field: 'k' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [string_stats] cannot accept sub-aggregations',
    ],
  ]));
