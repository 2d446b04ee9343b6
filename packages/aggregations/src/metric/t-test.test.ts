import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Documents and values of the first three rows are those of Elasticsearch's documentation; the others are by hand. */
const index = await aggregationFixture({
  mapping: {
    before: { type: 'integer' },
    after: { type: 'integer' },
    group: { type: 'keyword' },
    many: { type: 'long' },
  },
  documents: [
    { before: 102, after: 89, group: 'A', many: [1, 2] },
    { before: 99, after: 93, group: 'A' },
    { before: 111, after: 72, group: 'A' },
    { before: 97, after: 98, group: 'B' },
    { before: 101, after: 102, group: 'B' },
    { before: 99, after: 98, group: 'B' },
    { before: 50, group: 'C' },
  ],
});
const of = (group: string): object => ({ field: 'before', filter: { term: { group } } });
const groups = { query: { terms: { group: ['A', 'B'] } } };

test('t_test gives the p-value of paired and of unpaired samples', () =>
  index.answers(
    [
      [{ t_test: { a: { field: 'before' }, b: { field: 'after' }, type: 'paired' } }, { value: 0.1914368843365983 }],
      [{ t_test: { a: of('A'), b: of('B') } }, { value: 0.29818580072814466 }],
      [{ t_test: { a: of('A'), b: of('B'), type: 'heteroscedastic', tails: 1 } }, { value: 0.14909290036407233 }],
    ],
    groups,
  ));

test('t_test takes equal variances, formats, missing values and sub-buckets', () =>
  index.answers([
    [
      { t_test: { a: of('A'), b: of('B'), type: 'homoscedastic', format: '0.00' } },
      { value: 0.25710157893494323, value_as_string: '0.26' },
    ],
    [{ t_test: { a: { field: 'before' }, b: { field: 'after' }, type: 'paired' } }, { value: 0.1914368843365983 }],
    [{ t_test: { a: of('A'), b: of('C') } }, { value: null }],
    [{ t_test: { a: { field: 'before' }, b: { field: 'nowhere' } } }, { value: null }],
    [
      {
        terms: { field: 'group', order: { _key: 'asc' } },
        aggs: { t: { t_test: { a: { field: 'before' }, b: { field: 'after' }, type: 'paired' } } },
      },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'A', doc_count: 3, t: { value: 0.19397786140181636 } },
          { key: 'B', doc_count: 3, t: { value: 0.6666666666666661 } },
          { key: 'C', doc_count: 1, t: { value: null } },
        ],
      },
    ],
  ]));

test('t_test refuses what it cannot compare', () =>
  index.refuses([
    [
      { t_test: { a: { field: 'many' }, b: { field: 'after' }, type: 'paired' } },
      'aggregation_execution_exception: Encountered more than one value for a single document. Use a script to ' +
        'combine multiple values per doc into a single value.',
    ],
    [
      { t_test: { a: of('A'), b: of('B'), type: 'paired' } },
      "illegal_argument_exception: Paired t-test doesn't support filters",
    ],
    [{ t_test: { a: of('A') } }, 'illegal_argument_exception: Could not find field name [b] in multiValuesSource'],
    [
      { t_test: { a: of('A'), b: of('B'), tails: 3 } },
      'x_content_parse_exception: [t_test] failed to parse field [tails] <- illegal_argument_exception: [tails] must ' +
        'be 1 or 2. Found [3] in [x]',
    ],
  ]));
