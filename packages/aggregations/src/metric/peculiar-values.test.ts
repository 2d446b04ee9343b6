import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0; where it answers 500, ours is 400. */
const index = await aggregationFixture({
  mapping: {
    b: { type: 'boolean' },
    n: { type: 'double' },
    big: { type: 'double' },
    k: { type: 'keyword' },
    ip: { type: 'ip' },
    d: { type: 'date' },
  },
  documents: [
    { b: true, n: -1.5, big: 1e300, ip: '10.0.0.1' },
    { b: false, n: 2, ip: ['10.0.0.2', '10.0.0.200', '2001:db8::1'] },
    { n: 4, big: 2, k: 'a', ip: '2001:db8::2' },
  ],
});

test('stats of booleans print as booleans', () =>
  index.answers([
    [
      { stats: { field: 'b' } },
      {
        count: 2,
        min: 0,
        max: 1,
        avg: 0.5,
        sum: 1,
        min_as_string: false,
        max_as_string: true,
        avg_as_string: true,
        sum_as_string: true,
      },
    ],
  ]));

test('a sum of squares beyond all doubles is infinite', async () => {
  const answer: Answer = await index.answer({ x: { extended_stats: { field: 'big' } } });
  assert.equal(answer.x.sum_of_squares, 'Infinity');
});

const parseBoolean = (text: string): string =>
  `illegal_argument_exception: Cannot parse boolean [${text}], expected either [true] or [false]`;
const noFormat = (name: string, type: string): string =>
  `illegal_argument_exception: Field [${name}] of type [${type}] does not support custom formats`;
const noPattern = (values: string): string =>
  'illegal_argument_exception: Aggregation [x] cannot support regular expression style include/exclude settings as ' +
  `they can only be applied to string fields. Use an array of ${values}`;

test('values that a field cannot have, formats and patterns that its values cannot have are refused', () =>
  index.refuses([
    [{ sum: { field: 'b', missing: 'x' } }, parseBoolean('x')],
    [{ value_count: { field: 'b', missing: 'x' } }, parseBoolean('x')],
    [{ terms: { field: 'b', include: ['x'] } }, parseBoolean('x')],
    [{ sum: { field: 'n', missing: true } }, 'number_format_exception: For input string: "true"'],
    [{ value_count: { field: 'n', missing: 'x' } }, 'number_format_exception: For input string: "x"'],
    [{ sum: { field: 'b', format: '0.0' } }, noFormat('b', 'boolean')],
    [{ terms: { field: 'ip', format: 'x' } }, noFormat('ip', 'ip')],
    [{ terms: { field: 'k', format: 'x' } }, noFormat('k', 'keyword')],
    [{ terms: { field: 'ip', include: '10.*' } }, noPattern('values for include/exclude clauses')],
    [{ rare_terms: { field: 'ip', exclude: '10.*' } }, noPattern('values for include/exclude clauses')],
    [
      { terms: { field: 'n', include: '1.*' } },
      noPattern('numeric values for include/exclude clauses used to filter numeric fields'),
    ],
    [
      { rare_terms: { field: 'n' } },
      'illegal_argument_exception: RareTerms aggregation does not support floating point fields.',
    ],
    [
      { median_absolute_deviation: { field: 'd' } },
      'illegal_argument_exception: Field [d] of type [date] is not supported for aggregation ' +
        '[median_absolute_deviation]',
    ],
    [
      { ip_prefix: { field: 'ip', prefix_length: 64 } },
      'illegal_argument_exception: [prefix_length] must be in range [0, 32] while value is [64]',
    ],
    [
      { percentiles: { field: 'n', hdr: {} } },
      'array_index_out_of_bounds_exception: The value -1.5 is out of bounds for histogram, ' +
        'Negative values cannot be recorded',
    ],
  ]));

test('ip_prefix counts the first address of a document, by its last four bytes or by all of them', () =>
  index.answers([
    [
      { ip_prefix: { field: 'ip', prefix_length: 32 } },
      {
        buckets: [
          { key: '0.0.0.2', netmask: '255.255.255.255', doc_count: 1, is_ipv6: false, prefix_length: 32 },
          { key: '10.0.0.1', netmask: '255.255.255.255', doc_count: 1, is_ipv6: false, prefix_length: 32 },
          { key: '10.0.0.2', netmask: '255.255.255.255', doc_count: 1, is_ipv6: false, prefix_length: 32 },
        ],
      },
    ],
    [
      { ip_prefix: { field: 'ip', prefix_length: 16, is_ipv6: true } },
      {
        buckets: [
          { key: '::', doc_count: 2, is_ipv6: true, prefix_length: 16 },
          { key: '2001::', doc_count: 1, is_ipv6: true, prefix_length: 16 },
        ],
      },
    ],
  ]));
