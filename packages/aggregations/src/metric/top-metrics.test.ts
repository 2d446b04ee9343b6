import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers follow the reference of 8.12. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' }, t: { type: 'date' } },
  documents: [
    { n: 1, d: 0.5, k: 'a', t: '2024-01-15T10:00:00Z' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], t: '2024-02-01T00:00:00Z' },
    { n: 3, d: -2.5, k: 'b', t: '2024-04-30T23:30:00Z' },
    { n: 10, d: 4, k: 'c', t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'] },
    { n: -4, k: 'a' },
    { d: 100 },
  ],
});

test('top_metrics takes metrics of the document that a sort puts first', () =>
  index.answers([
    [{ top_metrics: { metrics: { field: 'd' }, sort: { n: 'desc' } } }, { top: [{ sort: [10], metrics: { d: 4 } }] }],
    [
      { top_metrics: { metrics: [{ field: 'd' }, { field: 'k' }], sort: { t: 'asc' } } },
      { top: [{ sort: [1705312800000], metrics: { d: 0.5, k: 'a' } }] },
    ],
  ]));

test('top_metrics takes several documents', () =>
  index.answers([
    [
      { top_metrics: { metrics: { field: 'n' }, sort: { d: 'asc' }, size: 2 } },
      {
        top: [
          { sort: [-2.5], metrics: { n: 3 } },
          { sort: [0.5], metrics: { n: 1 } },
        ],
      },
    ],
  ]));

test('top_metrics of nothing is empty', () =>
  index.answers([[{ top_metrics: { metrics: { field: 'd' }, sort: { n: 'desc' } } }, { top: [] }]], {
    query: { term: { k: 'none' } },
  }));

test('top_metrics counts by bucket', () =>
  index.answers([
    [
      {
        terms: { field: 'k', size: 2 },
        aggs: { y: { top_metrics: { metrics: { field: 'n' }, sort: { d: 'desc' } } } },
      },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 1,
        buckets: [
          { key: 'a', doc_count: 3, y: { top: [{ sort: [1.5], metrics: { n: 2 } }] } },
          { key: 'b', doc_count: 2, y: { top: [{ sort: [1.5], metrics: { n: 2 } }] } },
        ],
      },
    ],
  ]));

test('top_metrics refuses sizes too large, no metrics and no sort', () =>
  index.refuses([
    [
      { top_metrics: { metrics: { field: 'd' }, sort: { n: 'desc' }, size: 11 } },
      'illegal_argument_exception: [top_metrics.size] must not be more than [10] but was [11]. This limit can be ' +
        'set by changing the [index.top_metrics_max_size] index level setting.',
    ],
    [
      { top_metrics: { metrics: { field: 'd' }, sort: { n: 'desc' }, size: 0 } },
      'x_content_parse_exception: [top_metrics] failed to parse field [size] <- illegal_argument_exception: ' +
        '[size] must be greater than 0. Found [0] in [x]',
    ],
    [{ top_metrics: { sort: { n: 'desc' } } }, 'illegal_argument_exception: Required [metrics]'],
    [{ top_metrics: { metrics: { field: 'd' } } }, 'illegal_argument_exception: Required [sort]'],
  ]));
