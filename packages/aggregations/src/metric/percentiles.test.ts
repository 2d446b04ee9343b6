import { test } from 'node:test';
import { aggregationFixture, FIELDDATA_OF_X } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    d: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'date' },
    x: { type: 'text' },
  },
  documents: [
    { n: 1, d: 0.5, k: 'a', t: '2024-01-15T10:00:00Z', x: 'red fox' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], t: '2024-02-01T00:00:00Z', x: 'red dog' },
    { n: 3, d: -2.5, k: 'b', t: '2024-04-30T23:30:00Z', x: 'blue fox' },
    { n: 10, d: 4, k: 'c', t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'], x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    { d: 100 },
  ],
});

test('percentiles interpolate between values', () =>
  index.answers([
    [
      { percentiles: { field: 'n' } },
      {
        values: {
          '1.0': -3.75,
          '5.0': -2.75,
          '25.0': 1.25,
          '50.0': 2.5,
          '75.0': 3,
          '95.0': 8.25,
          '99.0': 9.650000000000002,
        },
      },
    ],
    [{ percentiles: { field: 'n', percents: [0, 50, 100] } }, { values: { '0.0': -4, '50.0': 2.5, '100.0': 10 } }],
    [{ percentiles: { field: 'd', percents: [0, 50, 100] } }, { values: { '0.0': -2.5, '50.0': 1.5, '100.0': 100 } }],
    [
      { percentiles: { field: 't', percents: [50] } },
      { values: { '50.0': 1706745600000, '50.0_as_string': '2024-02-01T00:00:00.000Z' } },
    ],
  ]));

test('with high accuracy each value is the middle of a centroid', async () => {
  const of = (execution_hint: string): unknown => ({
    field: 'n',
    percents: [1, 25, 75, 95],
    tdigest: { execution_hint },
  });
  await index.answers([
    [{ percentiles: of('high_accuracy') }, { values: { '1.0': -4, '25.0': 1, '75.0': 3, '95.0': 10 } }],
  ]);
  await index.refuses([
    [
      { percentiles: of('best') },
      'x_content_parse_exception: [percentiles] failed to parse field [tdigest] <- x_content_parse_exception: ' +
        '[tdigest] failed to parse field [execution_hint] <- illegal_argument_exception: Invalid execution_hint ' +
        '[best], valid values are [default, high_accuracy]',
    ],
  ]);
});

test('percentiles come as a list when not keyed', () =>
  index.answers([
    [
      { percentiles: { field: 'n', percents: [25, 75], keyed: false } },
      {
        values: [
          { key: 25, value: 1.25 },
          { key: 75, value: 3 },
        ],
      },
    ],
    [
      { percentile_ranks: { field: 'n', values: [2], keyed: false } },
      { values: [{ key: 2, value: 41.66666666666667 }] },
    ],
  ]));

test('percentiles take missing for documents without a value', () =>
  index.answers([[{ percentiles: { field: 'n', percents: [50], missing: 100 } }, { values: { '50.0': 3 } }]]));

test('percentiles of nothing are null', () =>
  index.answers(
    [
      [{ percentiles: { field: 'n', percents: [50] } }, { values: { '50.0': null } }],
      [{ percentiles: { field: 'nowhere', percents: [50] } }, { values: { '50.0': null } }],
      [{ percentile_ranks: { field: 'n', values: [1] } }, { values: { '1.0': null } }],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('percentiles format their values when asked', () =>
  index.answers([
    [
      { percentiles: { field: 'n', percents: [50], format: '0.00' } },
      { values: { '50.0': 2.5, '50.0_as_string': '2.50' } },
    ],
  ]));

test('percentiles with hdr have the digits asked for', () =>
  index.answers(
    [
      [
        { percentiles: { field: 'n', percents: [50, 99], hdr: { number_of_significant_value_digits: 3 } } },
        { values: { '50.0': 3.0009765625, '99.0': 10.0068359375 } },
      ],
      [{ percentile_ranks: { field: 'n', values: [3], hdr: {} } }, { values: { '3.0': 80 } }],
    ],
    { query: { range: { n: { gte: 0 } } } },
  ));

test('percentile_ranks tell the share of values at or below', () =>
  index.answers([
    [
      { percentile_ranks: { field: 'n', values: [-5, 1, 3, 11] } },
      { values: { '-5.0': 0, '1.0': 30.555555555555557, '3.0': 66.66666666666666, '11.0': 100 } },
    ],
    [{ percentile_ranks: { field: 'd', values: [1] } }, { values: { '1.0': 40 } }],
  ]));

test('percentiles count by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k', size: 2 }, aggs: { y: { percentiles: { field: 'n', percents: [50] } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 1,
        buckets: [
          { key: 'a', doc_count: 3, y: { values: { '50.0': 1.5 } } },
          { key: 'b', doc_count: 2, y: { values: { '50.0': 3 } } },
        ],
      },
    ],
  ]));

test('percentiles refuse values out of range and fields that are no numbers', () =>
  index.refuses([
    [
      { percentiles: { field: 'n', percents: [101] } },
      'x_content_parse_exception: Failed to build [percentiles] after last required field arrived <- ' +
        'illegal_argument_exception: percent must be in [0,100], got [101.0]: [x]',
    ],
    [
      { percentiles: { field: 'n', percents: Array.from({ length: 1001 }, () => -1) } },
      'x_content_parse_exception: [percentiles] failed to parse field [percents] <- illegal_argument_exception: ' +
        '[percents] of [x] has [1001] elements, more than [1000]',
    ],
    [
      { percentiles: { field: 'n', percents: [] } },
      'x_content_parse_exception: Failed to build [percentiles] after last required field arrived <- ' +
        'illegal_argument_exception: [percents] must not be empty: [x]',
    ],
    [
      { percentiles: { field: 'n', percents: [-1] } },
      'x_content_parse_exception: Failed to build [percentiles] after last required field arrived <- ' +
        'illegal_argument_exception: percent must be in [0,100], got [-1.0]: [x]',
    ],
    [
      { percentiles: { field: 'k' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [percentiles]',
    ],
    [{ percentiles: { field: 'x' } }, FIELDDATA_OF_X],
    [
      { percentiles: { field: 'n', tdigest: { compression: -1 } } },
      'x_content_parse_exception: [percentiles] failed to parse field [tdigest] <- x_content_parse_exception: ' +
        '[tdigest] failed to parse field [compression] <- illegal_argument_exception: [compression] must be ' +
        'greater than or equal to 0. Found [-1.0]',
    ],
    [
      { percentiles: { field: 'n', hdr: { number_of_significant_value_digits: 9 } } },
      'x_content_parse_exception: [percentiles] failed to parse field [hdr] <- x_content_parse_exception: [hdr] ' +
        'failed to parse field [number_of_significant_value_digits] <- illegal_argument_exception: ' +
        '[numberOfSignificantValueDigits] must be between 0 and 5',
    ],
    [
      { percentile_ranks: { field: 'n' } },
      'x_content_parse_exception: Failed to build [percentile_ranks] after last required field arrived <- ' +
        'illegal_argument_exception: [values] must not be null: [x]',
    ],
    [
      { percentile_ranks: { field: 'n', values: [] } },
      'x_content_parse_exception: Failed to build [percentile_ranks] after last required field arrived <- ' +
        'illegal_argument_exception: [values] must not be an empty array: [x]',
    ],
    [
      { percentiles: { field: 'n', hdr: {}, tdigest: {} } },
      'x_content_parse_exception: Failed to build [percentiles] after last required field arrived <- ' +
        'illegal_argument_exception: Only one percentiles method should be declared.',
    ],
    [
      { percentiles: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [percentiles] cannot accept sub-aggregations',
    ],
  ]));

const edges = await aggregationFixture({
  mapping: { n: { type: 'integer' }, b: { type: 'boolean' } },
  documents: [{ n: [1, 1, 1, 2, 2, 2, 5, 5, 5], b: [true, false] }, { b: [true, false] }],
});

test('of values that are equal to the least or the greatest half are below', () =>
  edges.answers([
    [
      { percentile_ranks: { field: 'n', values: [1, 2, 5, 6] } },
      { values: { '1.0': 16.666666666666664, '2.0': 55.55555555555556, '5.0': 83.33333333333334, '6.0': 100 } },
    ],
    [
      { percentile_ranks: { field: 'b', values: [0, 1] } },
      { values: { '0.0': 25, '0.0_as_string': 'true', '1.0': 75, '1.0_as_string': 'true' } },
    ],
  ]));
