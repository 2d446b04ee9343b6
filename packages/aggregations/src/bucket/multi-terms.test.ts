import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers follow the reference of 8.12. */
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

test('multi_terms counts combinations of values, most frequent first', () =>
  index.answers([
    [
      { multi_terms: { terms: [{ field: 'k' }, { field: 'n' }] } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: ['b', 3], key_as_string: 'b|3', doc_count: 2 },
          { key: ['a', -4], key_as_string: 'a|-4', doc_count: 1 },
          { key: ['a', 1], key_as_string: 'a|1', doc_count: 1 },
          { key: ['a', 2], key_as_string: 'a|2', doc_count: 1 },
          { key: ['a', 3], key_as_string: 'a|3', doc_count: 1 },
          { key: ['b', 2], key_as_string: 'b|2', doc_count: 1 },
          { key: ['c', 10], key_as_string: 'c|10', doc_count: 1 },
        ],
      },
    ],
    [
      {
        multi_terms: { terms: [{ field: 'k' }, { field: 'n' }], order: { y: 'desc' }, size: 2 },
        aggs: { y: { avg: { field: 'd' } } },
      },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 6,
        buckets: [
          { key: ['a', -4], key_as_string: 'a|-4', doc_count: 1, y: { value: null } },
          { key: ['c', 10], key_as_string: 'c|10', doc_count: 1, y: { value: 4 } },
        ],
      },
    ],
  ]));

test('multi_terms leaves out documents without one of the values, unless missing is given', () =>
  index.answers([
    [
      { multi_terms: { terms: [{ field: 'k' }, { field: 'd' }] } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: ['a', 0.5], key_as_string: 'a|0.5', doc_count: 1 },
          { key: ['a', 1.5], key_as_string: 'a|1.5', doc_count: 1 },
          { key: ['b', -2.5], key_as_string: 'b|-2.5', doc_count: 1 },
          { key: ['b', 1.5], key_as_string: 'b|1.5', doc_count: 1 },
          { key: ['c', 4], key_as_string: 'c|4.0', doc_count: 1 },
        ],
      },
    ],
    [
      { multi_terms: { terms: [{ field: 'k' }, { field: 'd', missing: 7 }], order: { _key: 'asc' } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: ['a', 0.5], key_as_string: 'a|0.5', doc_count: 1 },
          { key: ['a', 1.5], key_as_string: 'a|1.5', doc_count: 1 },
          { key: ['a', 7], key_as_string: 'a|7.0', doc_count: 1 },
          { key: ['b', -2.5], key_as_string: 'b|-2.5', doc_count: 1 },
          { key: ['b', 1.5], key_as_string: 'b|1.5', doc_count: 1 },
          { key: ['c', 4], key_as_string: 'c|4.0', doc_count: 1 },
        ],
      },
    ],
  ]));

test('multi_terms of nothing has no buckets', () =>
  index.answers(
    [
      [
        { multi_terms: { terms: [{ field: 'k' }, { field: 'n' }] } },
        { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] },
      ],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('multi_terms refuses a single field, sizes of zero and unknown options', () =>
  index.refuses([
    [
      { multi_terms: { terms: [{ field: 'k' }] } },
      'illegal_argument_exception: The [terms] parameter in the aggregation [x] must be present and have at ' +
        'least 2 fields or scripts.',
    ],
    [{ multi_terms: {} }, 'illegal_argument_exception: Required [terms]'],
    [
      { multi_terms: { terms: Array.from({ length: 101 }, () => ({ field: 'k' })) } },
      'x_content_parse_exception: [multi_terms] failed to parse field [terms] <- illegal_argument_exception: ' +
        '[terms] of [x] has [101] elements, more than [100]',
    ],
    [
      { multi_terms: { terms: [{ field: 'k' }, { field: 'n' }], size: 0 } },
      'x_content_parse_exception: [multi_terms] failed to parse field [size] <- illegal_argument_exception: ' +
        '[size] must be greater than 0. Found [0] in [x]',
    ],
    [
      { multi_terms: { terms: [{ field: 'k' }, { field: 'n' }], foo: 1 } },
      'x_content_parse_exception: [multi_terms] unknown field [foo]',
    ],
  ]));
