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

test('matrix_stats has moments of each field and covariances of pairs, over documents that have all', () =>
  index.answers(
    [
      [
        { matrix_stats: { fields: ['n', 'd'] } },
        {
          doc_count: 3,
          fields: [
            {
              name: 'n',
              count: 3,
              mean: 4.5,
              variance: 23.25,
              skewness: 0.6309038567106237,
              kurtosis: 1.5,
              covariance: { n: 23.25, d: 8.625 },
              correlation: { n: 1, d: 0.9922153572367626 },
            },
            {
              name: 'd',
              count: 3,
              mean: 2,
              variance: 3.25,
              skewness: 0.4703304603369859,
              kurtosis: 1.5,
              covariance: { n: 8.625, d: 3.25 },
              correlation: { n: 0.9922153572367626, d: 1 },
            },
          ],
        },
      ],
    ],
    { query: { terms: { k: ['a', 'c'] } } },
  ));

test('matrix_stats takes the average, the least or the greatest of several values', () =>
  index.answers([
    [
      { matrix_stats: { fields: ['n', 'd'], mode: 'max' } },
      {
        doc_count: 4,
        fields: [
          {
            name: 'n',
            count: 4,
            mean: 4.25,
            variance: 15.58333333333333,
            skewness: 0.9502630965930093,
            kurtosis: 2.2137607595298694,
            covariance: { n: 15.58333333333333, d: 7.541666666666667 },
            correlation: { n: 1, d: 0.7105473665711275 },
          },
          {
            name: 'd',
            count: 4,
            mean: 0.875,
            variance: 7.229166666666667,
            skewness: -0.15315845700981803,
            kurtosis: 1.9159116012922628,
            covariance: { n: 7.541666666666667, d: 7.229166666666667 },
            correlation: { n: 0.7105473665711275, d: 1 },
          },
        ],
      },
    ],
  ]));

test('matrix_stats of nothing has a count alone', () =>
  index.answers([[{ matrix_stats: { fields: ['n', 'd'] } }, { doc_count: 0 }]], { query: { term: { k: 'none' } } }));

test('matrix_stats refuses fields that are no numbers, unknown modes and sub-aggregations', () =>
  index.refuses([
    [
      { matrix_stats: { fields: ['k'] } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [matrix_stats]',
    ],
    [
      { matrix_stats: { fields: ['n'], mode: 'most' } },
      'x_content_parse_exception: [matrix_stats] failed to parse field [mode] <- illegal_argument_exception: ' +
        'Illegal sort mode: most',
    ],
    [{ matrix_stats: {} }, 'illegal_argument_exception: Required one of fields [fields], but none were specified. '],
    [
      { matrix_stats: { fields: ['n'] }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [matrix_stats] cannot accept sub-aggregations',
    ],
  ]));
