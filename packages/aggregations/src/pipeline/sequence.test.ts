import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { i: { type: 'integer' }, d: { type: 'date' }, k: { type: 'keyword' }, ip: { type: 'ip' } },
  documents: [{ i: 1, d: '2024-01-01', k: 'a', ip: '10.0.0.1' }],
});

const sum = { aggs: { p: { cumulative_sum: { buckets_path: '_count' } } } };
const MUST_BE_0 =
  'action_request_validation_exception: Validation Failed: 1: parent histogram of cumulative_sum aggregation [p] ' +
  'must have min_doc_count of 0;';

test('pipelines over buckets in sequence are refused if empty buckets are left out', () =>
  index.refuses([
    [{ histogram: { field: 'i', interval: 1, min_doc_count: 1 }, ...sum }, MUST_BE_0],
    [{ date_histogram: { field: 'd', fixed_interval: '1d', min_doc_count: 1 }, ...sum }, MUST_BE_0],
  ]));

test('averages with weights print as numbers unless a format is given', () =>
  index.answers([
    [{ weighted_avg: { value: { field: 'd' }, weight: { field: 'i' } } }, { value: 1704067200000 }],
    [
      { weighted_avg: { value: { field: 'd' }, weight: { field: 'i' }, format: 'yyyy' } },
      { value: 1704067200000, value_as_string: 'yyyy1704067200000' },
    ],
  ]));

test('min_doc_count is a long', () =>
  index.answers([
    [{ histogram: { field: 'i', interval: 1, min_doc_count: 1e12 } }, { buckets: [] }],
    [
      { terms: { field: 'i', min_doc_count: 1e12 } },
      { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] },
    ],
  ]));

test('sources of a composite are refused by the names of their types', () =>
  index.refuses(
    [
      ['geotile_grid', {}, 'i', 'integer'],
      ['histogram', { interval: 5 }, 'k', 'keyword'],
      ['date_histogram', { fixed_interval: '1d' }, 'k', 'keyword'],
    ].map(([type, options, field, fieldType]) => [
      { composite: { sources: [{ p: { [type as string]: { field, ...(options as object) } } }] } },
      `illegal_argument_exception: Field [${String(field)}] of type [${String(fieldType)}] is not supported for ` +
        `aggregation [${String(type)}]`,
    ]),
  ));

test('ip_prefix refuses a missing field before a missing length', () =>
  index.refuses([
    [{ ip_prefix: {} }, 'illegal_argument_exception: Required one of fields [field], but none were specified. '],
    [
      { ip_prefix: { field: 'ip' } },
      'illegal_argument_exception: [prefix_length] must be in range [0, 32] while value is [-1]',
    ],
  ]));
