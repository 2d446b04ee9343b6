import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers are those of OpenSearch 2.19, whose scripts of aggregations are those of Elasticsearch. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    d: { type: 'date' },
    k: { type: 'keyword' },
    b: { type: 'boolean' },
    g: { type: 'geo_point' },
    c: { type: 'nested', properties: { x: { type: 'long' } } },
  },
  documents: [
    { n: [1, 2], d: '2020-01-01', k: 'x', b: true, g: '1,2', c: [{ x: 1 }, { x: 2 }] },
    { n: 3, d: '2021-01-01', k: ['y', 'x'], c: [{ x: 5 }] },
    { k: 'z' },
  ],
});

const terms = (...buckets: object[]): object => ({
  doc_count_error_upper_bound: 0,
  sum_other_doc_count: 0,
  buckets,
});

test('terms of scripts are texts, of all values of a list', () =>
  index.answers([
    [
      { terms: { script: "[1, 2.5, 'a', true, null]" } },
      terms(...['', '1', '2.5', 'a', 'true'].map((key) => ({ key, doc_count: 3 }))),
    ],
    [{ terms: { script: 'null' } }, terms()],
    [{ terms: { script: "doc['n']" } }, terms(...['1', '2', '3'].map((key) => ({ key, doc_count: 1 })))],
    [{ terms: { script: '2.0' } }, terms({ key: '2.0', doc_count: 3 })],
    [{ terms: { script: "params['_source'].k", include: 'z' } }, terms({ key: 'z', doc_count: 1 })],
    [{ value_count: { script: "doc['n']" } }, { value: 3 }],
    [{ cardinality: { script: "doc['n'].size()" } }, { value: 3 }],
  ]));

test('value_type says what else the values are', () =>
  index.answers([
    [{ terms: { script: '5', value_type: 'long' } }, terms({ key: 5, doc_count: 3 })],
    [{ terms: { script: 'true', value_type: 'boolean' } }, terms({ key: 1, key_as_string: 'true', doc_count: 3 })],
    [
      { terms: { script: '0L', value_type: 'date' } },
      terms({ key: 0, key_as_string: '1970-01-01T00:00:00.000Z', doc_count: 3 }),
    ],
  ]));

test('a script beside a field gets each of its values', () =>
  index.answers([
    [{ terms: { field: 'n', script: '_value * 2' } }, terms(...[2, 4, 6].map((key) => ({ key, doc_count: 1 })))],
    [
      { terms: { field: 'k', script: '_value + 1' } },
      terms({ key: 'x1', doc_count: 2 }, { key: 'y1', doc_count: 1 }, { key: 'z1', doc_count: 1 }),
    ],
    [
      { terms: { field: 'd', script: '_value' } },
      terms(
        { key: 1577836800000, key_as_string: '2020-01-01T00:00:00.000Z', doc_count: 1 },
        { key: 1609459200000, key_as_string: '2021-01-01T00:00:00.000Z', doc_count: 1 },
      ),
    ],
    [{ avg: { field: 'n', script: '_value / 2' } }, { value: 1 }],
    [{ sum: { field: 'nowhere', script: '_value' } }, { value: 0 }],
    [
      { range: { field: 'n', script: '_value * 2', ranges: [{ from: 3 }] } },
      { buckets: [{ key: '3.0-*', from: 3, doc_count: 2 }] },
    ],
  ]));

test('numbers, dates and histograms of scripts', () =>
  index.answers([
    [{ sum: { script: "doc['n']" } }, { value: 6 }],
    [{ sum: { script: "doc['n'].size() == 0 ? null : doc['n'].value", missing: 100 } }, { value: 104 }],
    [
      { histogram: { script: "doc['n'].size()", interval: 1 } },
      { buckets: [0, 1, 2].map((key) => ({ key, doc_count: 1 })) },
    ],
    [
      { date_histogram: { script: '0', calendar_interval: 'month' } },
      { buckets: [{ key_as_string: '1970-01-01T00:00:00.000Z', key: 0, doc_count: 3 }] },
    ],
    [
      {
        multi_terms: {
          terms: [{ script: "doc['k'].value" }, { script: "doc['n'].size()", value_type: 'long' }],
          size: 1,
        },
      },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 2,
        buckets: [{ key: ['x', 1], key_as_string: 'x|1', doc_count: 1 }],
      },
    ],
  ]));

test('a script fails the search only if its aggregation gets the document', () => {
  const inside = { s: { sum: { script: "doc['n'].value" } }, t: { cardinality: { script: "doc['n'].value" } } };
  return index.answers([
    [
      { filter: { exists: { field: 'n' } }, aggs: inside },
      { doc_count: 2, s: { value: 4 }, t: { value: 2 } },
    ],
  ]);
});

test('scripts below nested see nested documents', () =>
  index.answers([
    [
      { nested: { path: 'c' }, aggs: { s: { sum: { script: "doc['c.x'].value * 10" } } } },
      { doc_count: 3, s: { value: 80 } },
    ],
    [
      {
        nested: { path: 'c' },
        aggs: { r: { reverse_nested: {}, aggs: { s: { sum: { script: "doc['n'].value" } } } } },
      },
      { doc_count: 3, r: { doc_count: 2, s: { value: 4 } } },
    ],
  ]));

test('what no number is, and values that scripts cannot get, are refused', () =>
  index.refuses(
    [
      [
        { sum: { script: "'a'" } },
        'aggregation_execution_exception: Unsupported script value [a], expected a number, date, or boolean',
      ],
      [
        { avg: { field: 'g', script: '1' } },
        'aggregation_execution_exception: value source of type [geo_point] is not supported by scripts',
      ],
      [
        { geo_centroid: { script: '1' } },
        'aggregation_execution_exception: value source of type [geo_point] is not supported by scripts',
      ],
      [
        { terms: { script: 'def x = [:]; def y = [:]; x.a = y; y.a = x; return x' } },
        'illegal_argument_exception: Iterable object is self-referencing itself (ScriptBytesValues value)',
      ],
      [
        { sum: { script: 'nope' } },
        'script_exception: compile error <- illegal_argument_exception: cannot resolve symbol [nope]',
      ],
      [{ sum: {} }, 'illegal_argument_exception: Required one of fields [field, script], but none were specified. '],
    ],
    { anyLayout: false },
  ));
