import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, k: { type: 'keyword' }, x: { type: 'text' } },
  documents: [
    { n: 1, k: 'a', x: 'red fox' },
    { n: [2, 3], k: ['a', 'b'], x: 'red dog' },
    { n: 3, k: 'b', x: 'blue fox' },
    { n: 10, k: 'c', x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    {},
  ],
});

test('significant_text has words more frequent among matches than in the index', () =>
  index.answers(
    [
      [
        { significant_text: { field: 'x', min_doc_count: 1 } },
        {
          doc_count: 3,
          bg_count: 6,
          buckets: [
            { key: 'red', doc_count: 3, score: 1, bg_count: 3 },
            { key: 'dog', doc_count: 1, score: 0.3333333333333333, bg_count: 1 },
            { key: 'fox', doc_count: 2, score: 0.22222222222222215, bg_count: 3 },
          ],
        },
      ],
    ],
    { query: { match: { x: 'red' } }, anyLayout: false },
  ));

test('significant_text reads other fields of the source, includes and excludes', () =>
  index.answers(
    [
      [
        { significant_text: { field: 'x', min_doc_count: 1, include: 'f.*' } },
        { doc_count: 3, bg_count: 6, buckets: [{ key: 'fox', doc_count: 2, score: 0.22222222222222215, bg_count: 3 }] },
      ],
      [
        { significant_text: { field: 'x', min_doc_count: 1, exclude: ['fox'] } },
        {
          doc_count: 3,
          bg_count: 6,
          buckets: [
            { key: 'red', doc_count: 3, score: 1, bg_count: 3 },
            { key: 'dog', doc_count: 1, score: 0.3333333333333333, bg_count: 1 },
          ],
        },
      ],
      [
        { significant_text: { field: 'x', min_doc_count: 1, source_fields: ['x'] } },
        {
          doc_count: 3,
          bg_count: 6,
          buckets: [
            { key: 'red', doc_count: 3, score: 1, bg_count: 3 },
            { key: 'dog', doc_count: 1, score: 0.3333333333333333, bg_count: 1 },
            { key: 'fox', doc_count: 2, score: 0.22222222222222215, bg_count: 3 },
          ],
        },
      ],
    ],
    { query: { match: { x: 'red' } }, anyLayout: false },
  ));

test('significant_text compares with a background of its own', () =>
  index.answers(
    [
      [
        { significant_text: { field: 'x', min_doc_count: 1, background_filter: { term: { k: 'b' } } } },
        {
          doc_count: 3,
          bg_count: 2,
          buckets: [
            { key: 'red', doc_count: 3, score: 1, bg_count: 1 },
            { key: 'fox', doc_count: 2, score: 0.22222222222222215, bg_count: 1 },
          ],
        },
      ],
    ],
    { query: { match: { x: 'red' } }, anyLayout: false },
  ));

test('significant_text of nothing has no buckets', () =>
  index.answers(
    [[{ significant_text: { field: 'x', min_doc_count: 1 } }, { doc_count: 0, bg_count: 6, buckets: [] }]],
    { query: { term: { k: 'none' } } },
  ));

test('significant_text refuses fields without an analyzer, no field and unknown options', () =>
  index.refuses([
    [
      { significant_text: { field: 'n' } },
      'illegal_argument_exception: Field [n] has no analyzer, but SignificantText requires an analyzed field',
    ],
    [
      { significant_text: { field: 'x', size: 0 } },
      'x_content_parse_exception: [significant_text] failed to parse field [size] <- illegal_argument_exception: ' +
        '[size] must be greater than 0. Found [0] in [x]',
    ],
  ]));
