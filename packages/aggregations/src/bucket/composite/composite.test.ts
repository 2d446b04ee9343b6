import { test } from 'node:test';
import { aggregationFixture } from '../../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    d: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'date' },
    b: { type: 'boolean' },
    g: { type: 'geo_point' },
  },
  documents: [
    { n: 1, d: 0.5, k: 'a', t: '2024-01-15T10:00:00Z', b: true, g: [13.4, 52.5] },
    {
      n: [2, 3],
      d: 1.5,
      k: ['a', 'b'],
      t: '2024-02-01T00:00:00Z',
      b: false,
      g: [
        [13.5, 52.6],
        [2.35, 48.85],
      ],
    },
    { n: 3, d: -2.5, k: 'b', t: '2024-04-30T23:30:00Z', b: true, g: [2.35, 48.85] },
    { n: 10, d: 4, k: 'c', t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'], b: false },
    { n: -4, k: 'a', g: [-0.12, 51.5] },
    { d: 100 },
  ],
});

test('composite counts combinations in order of their values', () =>
  index.answers([
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } } }, { c: { terms: { field: 'n', order: 'desc' } } }] } },
      {
        after_key: { a: 'c', c: 10 },
        buckets: [
          { key: { a: 'a', c: 3 }, doc_count: 1 },
          { key: { a: 'a', c: 2 }, doc_count: 1 },
          { key: { a: 'a', c: 1 }, doc_count: 1 },
          { key: { a: 'a', c: -4 }, doc_count: 1 },
          { key: { a: 'b', c: 3 }, doc_count: 2 },
          { key: { a: 'b', c: 2 }, doc_count: 1 },
          { key: { a: 'c', c: 10 }, doc_count: 1 },
        ],
      },
    ],
    [
      { composite: { sources: [{ a: { histogram: { field: 'n', interval: 5 } } }] } },
      {
        after_key: { a: 10 },
        buckets: [
          { key: { a: -5 }, doc_count: 1 },
          { key: { a: 0 }, doc_count: 3 },
          { key: { a: 10 }, doc_count: 1 },
        ],
      },
    ],
    [
      {
        composite: {
          sources: [
            { a: { date_histogram: { field: 't', calendar_interval: 'month', format: 'yyyy-MM' } } },
            { c: { terms: { field: 'b' } } },
          ],
        },
      },
      {
        after_key: { a: '2024-04', c: true },
        buckets: [
          { key: { a: '2024-01', c: false }, doc_count: 1 },
          { key: { a: '2024-01', c: true }, doc_count: 1 },
          { key: { a: '2024-02', c: false }, doc_count: 1 },
          { key: { a: '2024-04', c: false }, doc_count: 1 },
          { key: { a: '2024-04', c: true }, doc_count: 1 },
        ],
      },
    ],
    [
      { composite: { sources: [{ a: { geotile_grid: { field: 'g', precision: 6 } } }] } },
      {
        after_key: { a: '6/34/20' },
        buckets: [
          { key: { a: '6/31/21' }, doc_count: 1 },
          { key: { a: '6/32/22' }, doc_count: 2 },
          { key: { a: '6/34/20' }, doc_count: 2 },
        ],
      },
    ],
  ]));

test('composite pages on after a key', () =>
  index.answers([
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } } }], size: 2 } },
      {
        after_key: { a: 'b' },
        buckets: [
          { key: { a: 'a' }, doc_count: 3 },
          { key: { a: 'b' }, doc_count: 2 },
        ],
      },
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } } }], size: 2, after: { a: 'b' } } },
      { after_key: { a: 'c' }, buckets: [{ key: { a: 'c' }, doc_count: 1 }] },
    ],
    [
      {
        composite: {
          sources: [{ a: { terms: { field: 'k' } } }, { c: { terms: { field: 'n' } } }],
          size: 2,
          after: { a: 'a', c: 1 },
        },
      },
      {
        after_key: { a: 'a', c: 3 },
        buckets: [
          { key: { a: 'a', c: 2 }, doc_count: 1 },
          { key: { a: 'a', c: 3 }, doc_count: 1 },
        ],
      },
    ],
  ]));

test('composite has a bucket for documents without a value when asked', () =>
  index.answers([
    [
      { composite: { sources: [{ a: { terms: { field: 'k', missing_bucket: true } } }] } },
      {
        after_key: { a: 'c' },
        buckets: [
          { key: { a: null }, doc_count: 1 },
          { key: { a: 'a' }, doc_count: 3 },
          { key: { a: 'b' }, doc_count: 2 },
          { key: { a: 'c' }, doc_count: 1 },
        ],
      },
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'n', missing_bucket: true, missing_order: 'last' } } }] } },
      {
        after_key: { a: null },
        buckets: [
          { key: { a: -4 }, doc_count: 1 },
          { key: { a: 1 }, doc_count: 1 },
          { key: { a: 2 }, doc_count: 1 },
          { key: { a: 3 }, doc_count: 2 },
          { key: { a: 10 }, doc_count: 1 },
          { key: { a: null }, doc_count: 1 },
        ],
      },
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'k', missing_bucket: true } } }], size: 1, after: { a: null } } },
      { after_key: { a: 'a' }, buckets: [{ key: { a: 'a' }, doc_count: 3 }] },
    ],
  ]));

test('composite has metrics below each bucket', () =>
  index.answers([
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } } }], size: 2 }, aggs: { y: { avg: { field: 'd' } } } },
      {
        after_key: { a: 'b' },
        buckets: [
          { key: { a: 'a' }, doc_count: 3, y: { value: 1 } },
          { key: { a: 'b' }, doc_count: 2, y: { value: -0.5 } },
        ],
      },
    ],
  ]));

test('composite of nothing has no buckets and no key to go on from', () =>
  index.answers([[{ composite: { sources: [{ a: { terms: { field: 'k' } } }] } }, { buckets: [] }]], {
    query: { term: { k: 'none' } },
  }));

test('composite without combinations refuses nothing of what is below its buckets', () =>
  index.answers([
    [{ composite: { sources: [{ a: { terms: { field: 'none' } } }] }, aggs: { y: { sampler: {} } } }, { buckets: [] }],
  ]));

test('composite refuses no sources, sizes of zero, keys that do not fit and places below others', () =>
  index.refuses([
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } } }] }, aggs: { y: { sampler: {} } } },
      'illegal_argument_exception: Sampler aggregation must be used with child aggregations.',
    ],
    [
      { composite: { sources: [] } },
      'x_content_parse_exception: [composite] failed to parse field [sources] <- x_content_parse_exception: ' +
        'Failed to build [composite] after last required field arrived <- illegal_argument_exception: Composite ' +
        '[sources] cannot be null or empty',
    ],
    [{ composite: {} }, 'illegal_argument_exception: Required [sources]'],
    [
      { composite: { sources: Array.from({ length: 101 }, (_, i) => ({ [`s${i}`]: { terms: { field: 'k' } } })) } },
      'x_content_parse_exception: [composite] failed to parse field [sources] <- illegal_argument_exception: ' +
        '[sources] of [x] has [101] elements, more than [100]',
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } } }], after: { b: 1 } } },
      'illegal_argument_exception: Missing value for [after.a]',
    ],
    [
      { composite: { sources: [{ a: { foo: { field: 'k' } } }] } },
      'x_content_parse_exception: [composite] failed to parse field [sources] <- parsing_exception: invalid ' +
        'source type: foo',
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } } }, { a: { terms: { field: 'n' } } }] } },
      'x_content_parse_exception: [composite] failed to parse field [sources] <- x_content_parse_exception: ' +
        'Failed to build [composite] after last required field arrived <- illegal_argument_exception: Composite ' +
        'source names must be unique, found duplicates: [a]',
    ],
    [
      { terms: { field: 'k' }, aggs: { z: { composite: { sources: [{ a: { terms: { field: 'k' } } }] } } } },
      'illegal_argument_exception: [composite] aggregation cannot be used with a parent aggregation of type: ' +
        '[TermsAggregatorFactory]',
    ],
  ]));

test('composite takes one source without a list, and refuses what its parser meets behind a source', async () => {
  const wrapped = 'x_content_parse_exception: [composite] failed to parse field [sources] <- ';
  await index.answers([
    [
      { composite: { size: 1, sources: { a: { terms: { field: 'k' } } } } },
      { after_key: { a: 'a' }, buckets: [{ key: { a: 'a' }, doc_count: 3 }] },
    ],
  ]);
  await index.refuses([
    [
      { composite: { sources: 'x' } },
      "x_content_parse_exception: [composite] sources doesn't support values of type: VALUE_STRING",
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } }, b: 1 }] } },
      `${wrapped}parsing_exception: Failed to parse object: expecting token of type [START_OBJECT] but found ` +
        '[VALUE_NUMBER]',
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'k' }, b: 1 } }] } },
      `${wrapped}illegal_state_exception: expected value but got [END_OBJECT]`,
    ],
    [
      { composite: { sources: [{ a: { geotile_grid: { field: 'g', precision: 30 } } }] } },
      `${wrapped}x_content_parse_exception: [geotile_grid] failed to parse field [precision] <- ` +
        'illegal_argument_exception: Invalid geotile_grid precision of 30. Must be between 0 and 29.',
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'k', missing: 1 } } }] } },
      `${wrapped}x_content_parse_exception: [terms] unknown field [missing] did you mean [missing_order]?`,
    ],
    [
      { composite: { sources: [{ a: { date_histogram: { field: 't' } } }] } },
      'illegal_argument_exception: Invalid interval specified, must be non-null and non-empty',
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } } }], after: {} } },
      'illegal_argument_exception: [after] has 0 value(s) but [sources] has 1',
    ],
  ]);
});

test('a histogram source prints dates as the field does and takes no booleans', async () => {
  const source = (field: string): object => ({
    composite: { size: 1, sources: [{ a: { histogram: { field, interval: 5 } } }] },
  });
  const first = { a: '2024-01-15T10:00:00.000Z' };
  await index.answers([[source('t'), { after_key: first, buckets: [{ key: first, doc_count: 1 }] }]]);
  await index.refuses([
    [
      source('b'),
      'illegal_argument_exception: Field [b] of type [boolean] is not supported for aggregation [histogram]',
    ],
  ]);
});

test('a document makes as many combinations as a page has, of the many that its values have', async () => {
  const many = await aggregationFixture({
    mapping: { v: { type: 'long' }, k: { type: 'keyword' } },
    documents: Array.from({ length: 3 }, (_, i) => ({ v: Array.from({ length: 100 }, (__, j) => i + j), k: 'a' })),
  });
  const sources = (order: string): object[] =>
    Array.from({ length: 20 }, (_, i) => ({ [`s${i}`]: { terms: { field: 'v', order } } }));
  const key = (value: number, last: number): object =>
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`s${i}`, i < 19 ? value : last]));
  await many.answers([
    [
      { composite: { size: 2, sources: sources('asc') } },
      {
        after_key: key(0, 1),
        buckets: [
          { key: key(0, 0), doc_count: 1 },
          { key: key(0, 1), doc_count: 1 },
        ],
      },
    ],
    [
      { composite: { size: 2, sources: sources('asc'), after: key(1, 98) } },
      {
        after_key: key(1, 100),
        buckets: [
          { key: key(1, 99), doc_count: 2 },
          { key: key(1, 100), doc_count: 1 },
        ],
      },
    ],
    [
      { composite: { size: 1, sources: sources('desc') } },
      { after_key: key(101, 101), buckets: [{ key: key(101, 101), doc_count: 1 }] },
    ],
    [
      { composite: { size: 1, sources: [...sources('asc'), { none: { terms: { field: 'absent' } } }] } },
      { buckets: [] },
    ],
  ]);
});
