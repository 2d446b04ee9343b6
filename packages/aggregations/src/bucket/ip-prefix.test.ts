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

test('ip_prefix counts addresses by network', () =>
  index.answers([
    [
      { ip_prefix: { field: 'ip', prefix_length: 24 } },
      {
        buckets: [
          { key: '10.0.0.0', netmask: '255.255.255.0', doc_count: 2, is_ipv6: false, prefix_length: 24 },
          { key: '10.0.1.0', netmask: '255.255.255.0', doc_count: 1, is_ipv6: false, prefix_length: 24 },
          { key: '192.168.1.0', netmask: '255.255.255.0', doc_count: 1, is_ipv6: false, prefix_length: 24 },
        ],
      },
    ],
    [
      { ip_prefix: { field: 'ip', prefix_length: 8 } },
      {
        buckets: [
          { key: '10.0.0.0', netmask: '255.0.0.0', doc_count: 3, is_ipv6: false, prefix_length: 8 },
          { key: '192.0.0.0', netmask: '255.0.0.0', doc_count: 1, is_ipv6: false, prefix_length: 8 },
        ],
      },
    ],
    [
      { ip_prefix: { field: 'ip', prefix_length: 16, append_prefix_length: true } },
      {
        buckets: [
          { key: '10.0.0.0/16', netmask: '255.255.0.0', doc_count: 3, is_ipv6: false, prefix_length: 16 },
          { key: '192.168.0.0/16', netmask: '255.255.0.0', doc_count: 1, is_ipv6: false, prefix_length: 16 },
        ],
      },
    ],
  ]));

test('ip_prefix has metrics, keys and least counts', () =>
  index.answers([
    [
      { ip_prefix: { field: 'ip', prefix_length: 24 }, aggs: { y: { sum: { field: 'n' } } } },
      {
        buckets: [
          {
            key: '10.0.0.0',
            netmask: '255.255.255.0',
            doc_count: 2,
            is_ipv6: false,
            prefix_length: 24,
            y: { value: 6 },
          },
          {
            key: '10.0.1.0',
            netmask: '255.255.255.0',
            doc_count: 1,
            is_ipv6: false,
            prefix_length: 24,
            y: { value: 3 },
          },
          {
            key: '192.168.1.0',
            netmask: '255.255.255.0',
            doc_count: 1,
            is_ipv6: false,
            prefix_length: 24,
            y: { value: 10 },
          },
        ],
      },
    ],
    [
      { ip_prefix: { field: 'ip', prefix_length: 24, keyed: true } },
      {
        buckets: {
          '10.0.0.0': { netmask: '255.255.255.0', doc_count: 2, is_ipv6: false, prefix_length: 24 },
          '10.0.1.0': { netmask: '255.255.255.0', doc_count: 1, is_ipv6: false, prefix_length: 24 },
          '192.168.1.0': { netmask: '255.255.255.0', doc_count: 1, is_ipv6: false, prefix_length: 24 },
        },
      },
    ],
    [
      { ip_prefix: { field: 'ip', prefix_length: 24, min_doc_count: 2 } },
      { buckets: [{ key: '10.0.0.0', netmask: '255.255.255.0', doc_count: 2, is_ipv6: false, prefix_length: 24 }] },
    ],
  ]));

test('ip_prefix of nothing has no buckets', () =>
  index.answers([[{ ip_prefix: { field: 'ip', prefix_length: 24 } }, { buckets: [] }]], {
    query: { term: { k: 'none' } },
  }));

test('ip_prefix refuses lengths out of range, least counts of zero and other fields', () =>
  index.refuses([
    [
      { ip_prefix: { field: 'ip', prefix_length: 33 } },
      'illegal_argument_exception: [prefix_length] must be in range [0, 32] while value is [33]',
    ],
    [
      { ip_prefix: { field: 'k', prefix_length: 8 } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [ip_prefix]',
    ],
    [
      { ip_prefix: { field: 'ip', prefix_length: 8, foo: 1 } },
      'x_content_parse_exception: [ip_prefix] unknown field [foo]',
    ],
  ]));
