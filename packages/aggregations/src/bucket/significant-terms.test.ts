import { test } from 'node:test';
import { aggregationFixture, FIELDDATA_OF_X } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' }, x: { type: 'text' } },
  documents: [
    { n: 1, d: 0.5, k: 'a', x: 'red fox' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], x: 'red dog' },
    { n: 3, d: -2.5, k: 'b', x: 'blue fox' },
    { n: 10, d: 4, k: 'c', x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    { d: 100 },
  ],
});

test('significant_terms has values more frequent among matches than in the index', () =>
  index.answers(
    [
      [
        { significant_terms: { field: 'k', min_doc_count: 1 } },
        {
          doc_count: 3,
          bg_count: 6,
          buckets: [
            { key: 'b', doc_count: 2, score: 0.6666666666666666, bg_count: 2 },
            { key: 'c', doc_count: 1, score: 0.3333333333333333, bg_count: 1 },
          ],
        },
      ],
      [
        { significant_terms: { field: 'k', min_doc_count: 1 }, aggs: { y: { avg: { field: 'd' } } } },
        {
          doc_count: 3,
          bg_count: 6,
          buckets: [
            { key: 'b', doc_count: 2, score: 0.6666666666666666, bg_count: 2, y: { value: -0.5 } },
            { key: 'c', doc_count: 1, score: 0.3333333333333333, bg_count: 1, y: { value: 4 } },
          ],
        },
      ],
    ],
    { query: { range: { n: { gt: 1 } } }, anyLayout: false },
  ));

test('significant_terms scores as asked', () =>
  index.answers(
    [
      [
        { significant_terms: { field: 'k', min_doc_count: 1, chi_square: {} } },
        {
          doc_count: 3,
          bg_count: 6,
          buckets: [
            { key: 'b', doc_count: 2, score: 3, bg_count: 2 },
            { key: 'c', doc_count: 1, score: 1.2, bg_count: 1 },
          ],
        },
      ],
      [
        { significant_terms: { field: 'k', min_doc_count: 1, percentage: {} } },
        {
          doc_count: 3,
          bg_count: 6,
          buckets: [
            { key: 'b', doc_count: 2, score: 1, bg_count: 2 },
            { key: 'c', doc_count: 1, score: 1, bg_count: 1 },
            { key: 'a', doc_count: 1, score: 0.3333333333333333, bg_count: 3 },
          ],
        },
      ],
    ],
    { query: { range: { n: { gt: 1 } } }, anyLayout: false },
  ));

test('significant_terms includes, excludes and compares with a background of its own', () =>
  index.answers(
    [
      [
        { significant_terms: { field: 'k', min_doc_count: 1, exclude: ['b'] } },
        { doc_count: 3, bg_count: 6, buckets: [{ key: 'c', doc_count: 1, score: 0.3333333333333333, bg_count: 1 }] },
      ],
      [
        { significant_terms: { field: 'k', min_doc_count: 1, background_filter: { exists: { field: 'd' } } } },
        {
          doc_count: 3,
          bg_count: 5,
          buckets: [
            { key: 'b', doc_count: 2, score: 0.4444444444444443, bg_count: 2 },
            { key: 'c', doc_count: 1, score: 0.22222222222222215, bg_count: 1 },
          ],
        },
      ],
    ],
    { query: { range: { n: { gt: 1 } } }, anyLayout: false },
  ));

test('significant_terms of nothing has no buckets', () =>
  index.answers(
    [[{ significant_terms: { field: 'k', min_doc_count: 1 } }, { doc_count: 0, bg_count: 6, buckets: [] }]],
    { query: { term: { k: 'none' } } },
  ));

test('significant_terms refuses text, doubles, sizes of zero and unknown options', () =>
  index.refuses([
    [{ significant_terms: { field: 'x' } }, FIELDDATA_OF_X],
    [
      { significant_terms: { field: 'k', size: 0 } },
      'x_content_parse_exception: [significant_terms] failed to parse field [size] <- ' +
        'illegal_argument_exception: [size] must be greater than 0. Found [0] in [x]',
    ],
    [
      { significant_terms: {} },
      'illegal_argument_exception: Required one of fields [field, script], but none were specified. ',
    ],
  ]));

test('significant_terms below an index with nested objects compares with live root documents', async () => {
  const own = await aggregationFixture({
    mapping: {
      k: { type: 'keyword' },
      s: { type: 'short' },
      n: { type: 'nested', properties: { k: { type: 'keyword' } } },
    },
    documents: [
      { k: 'a', s: 1, n: [{ k: 'x' }, { k: 'x' }] },
      { k: 'a', s: 1 },
      { k: 'b', s: 2, n: { k: 'x' } },
      { k: 'b' },
    ],
  });
  const request = { query: { term: { k: 'a' } }, anyLayout: false };
  const bucket = (key: string | number): object => ({ key, doc_count: 2, score: 1, bg_count: 2 });
  await own.answers(
    [
      [{ significant_terms: { field: 'k', min_doc_count: 1 } }, { doc_count: 2, bg_count: 4, buckets: [bucket('a')] }],
      [
        { significant_terms: { field: 's', min_doc_count: 1, background_filter: { match_all: {} } } },
        { doc_count: 2, bg_count: 4, buckets: [bucket(1)] },
      ],
      [
        { nested: { path: 'n' }, aggs: { y: { significant_terms: { field: 'n.k', min_doc_count: 1 } } } },
        {
          doc_count: 2,
          y: { doc_count: 2, bg_count: 4, buckets: [{ key: 'x', doc_count: 2, score: 3, bg_count: 0 }] },
        },
      ],
    ],
    request,
  );
});

test('significant_terms scores by a script', () => {
  const scored = (script: unknown): object => ({
    significant_terms: { field: 'k', min_doc_count: 1, script_heuristic: { script } },
  });
  const source = 'params._subset_freq * 1.0 / params._superset_freq * params.w + params._superset_size / 4';
  return index.answers(
    [
      [
        scored({ source, params: { w: 2 } }),
        {
          doc_count: 3,
          bg_count: 6,
          buckets: [
            { key: 'b', doc_count: 2, score: 3, bg_count: 2 },
            { key: 'c', doc_count: 1, score: 3, bg_count: 1 },
            { key: 'a', doc_count: 1, score: 1.6666666666666665, bg_count: 3 },
          ],
        },
      ],
    ],
    { query: { range: { n: { gt: 1 } } }, anyLayout: false },
  );
});

test('a script that scores terms is refused where it is wrong', () =>
  index.refuses(
    [
      [{ significant_terms: { field: 'k', script_heuristic: {} } }, 'illegal_argument_exception: Required [script]'],
      [
        { significant_terms: { field: 'k', script_heuristic: { script: 'nope' } } },
        'script_exception: compile error <- illegal_argument_exception: cannot resolve symbol [nope]',
      ],
      [
        { significant_terms: { field: 'k', script_heuristic: { script: { id: 'stored' } } } },
        'resource_not_found_exception: unable to find script [stored] in cluster state',
      ],
      [
        { significant_terms: { field: 'k', script_heuristic: { script: '1', params: {} } } },
        'x_content_parse_exception: [script_heuristic] unknown field [params]',
      ],
    ],
    { anyLayout: false },
  ));
