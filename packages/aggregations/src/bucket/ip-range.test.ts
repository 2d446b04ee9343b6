import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, k: { type: 'keyword' }, ip: { type: 'ip' } },
  documents: [
    { n: 1, k: 'a', ip: '10.0.0.1' },
    { n: [2, 3], k: ['a', 'b'], ip: '10.0.0.2' },
    { n: 3, k: 'b', ip: '10.0.1.7' },
    { n: 10, k: 'c', ip: '192.168.1.1' },
    { n: -4, k: 'a' },
    {},
  ],
});

test('ip_range counts addresses between its ends or in its mask', () =>
  index.answers([
    [
      { ip_range: { field: 'ip', ranges: [{ to: '10.0.0.2' }, { from: '10.0.0.2' }] } },
      {
        buckets: [
          { key: '*-10.0.0.2', to: '10.0.0.2', doc_count: 1 },
          { key: '10.0.0.2-*', from: '10.0.0.2', doc_count: 3 },
        ],
      },
    ],
    [
      { ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/24' }, { mask: '10.0.0.0/8' }] } },
      {
        buckets: [
          { key: '10.0.0.0/24', from: '10.0.0.0', to: '10.0.1.0', doc_count: 2 },
          { key: '10.0.0.0/8', from: '10.0.0.0', to: '11.0.0.0', doc_count: 3 },
        ],
      },
    ],
    [
      { ip_range: { field: 'ip', ranges: [{ key: 'lan', from: '10.0.0.0', to: '11.0.0.0' }] } },
      { buckets: [{ key: 'lan', from: '10.0.0.0', to: '11.0.0.0', doc_count: 3 }] },
    ],
  ]));

test('ip_range has metrics, keys and missing', () =>
  index.answers([
    [
      { ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/24' }] }, aggs: { y: { sum: { field: 'n' } } } },
      { buckets: [{ key: '10.0.0.0/24', from: '10.0.0.0', to: '10.0.1.0', doc_count: 2, y: { value: 6 } }] },
    ],
    [
      { ip_range: { field: 'ip', ranges: [{ to: '10.0.0.2' }, { from: '10.0.0.2' }], keyed: true } },
      { buckets: { '*-10.0.0.2': { to: '10.0.0.2', doc_count: 1 }, '10.0.0.2-*': { from: '10.0.0.2', doc_count: 3 } } },
    ],
    [
      { ip_range: { field: 'ip', ranges: [{ from: '10.0.0.2' }], missing: '10.0.0.9' } },
      { buckets: [{ key: '10.0.0.2-*', from: '10.0.0.2', doc_count: 5 }] },
    ],
  ]));

test('ip_range of nothing has empty buckets', () =>
  index.answers(
    [
      [
        { ip_range: { field: 'ip', ranges: [{ to: '10.0.0.2' }] } },
        { buckets: [{ key: '*-10.0.0.2', to: '10.0.0.2', doc_count: 0 }] },
      ],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('ip_range refuses masks and addresses that are none, no ranges and other fields', () =>
  index.refuses([
    [
      { ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/33' }] } },
      'x_content_parse_exception: [ip_range] failed to parse field [ranges] <- illegal_argument_exception: ' +
        'Illegal prefix length [33] in [10.0.0.0/33]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges',
    ],
    [
      { ip_range: { field: 'ip', ranges: [{ from: 'x' }] } },
      "x_content_parse_exception: [ip_range] failed to parse field [ranges] <- illegal_argument_exception: 'x' " +
        'is not an IP string literal.',
    ],
    [
      { ip_range: { field: 'ip', ranges: [] } },
      'illegal_argument_exception: No [ranges] specified for the [x] aggregation',
    ],
    [
      { ip_range: { field: 'n', ranges: [{ to: '10.0.0.2' }] } },
      'illegal_argument_exception: Field [n] of type [long] is not supported for aggregation [ip_range]',
    ],
    [
      { ip_range: { field: 'ip', ranges: [{ to: '10.0.0.2' }], foo: 1 } },
      'x_content_parse_exception: [ip_range] unknown field [foo]',
    ],
  ]));
