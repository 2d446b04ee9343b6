import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Lines and categories of Elasticsearch's reference. */
const LINES = [
  '2016-02-07T00:00:00+0000 Node 3 shutting down',
  '2016-02-07T00:00:00+0000 Node 5 starting up',
  '2016-02-07T00:00:00+0000 Node 4 shutting down',
  '2016-02-08T00:00:00+0000 Node 5 shutting down',
  '2016-02-08T00:00:00+0000 User foo_325 logging on',
  '2016-02-08T00:00:00+0000 User foo_864 logged off',
];
const index = await aggregationFixture({
  mapping: { line: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } },
  documents: LINES.map((line, n) => ({ line, k: line, n })),
});

const keysOf = async (body: object): Promise<(readonly [string, number])[]> => {
  const { x } = await index.answer({ x: { categorize_text: { field: 'line', ...body } } });
  return x.buckets.map((one: { key: string; doc_count: number }) => [one.key, one.doc_count]);
};
const FILTERS = ['\\w+\\_\\d{3}'];

test('categorize_text groups lines of one kind', async () => {
  assert.deepEqual(await keysOf({}), [
    ['Node shutting down', 3],
    ['Node starting up', 1],
    ['User foo_325 logging on', 1],
    ['User foo_864 logged off', 1],
  ]);
  assert.deepEqual(await keysOf({ categorization_filters: FILTERS, size: 3 }), [
    ['Node shutting down', 3],
    ['Node starting up', 1],
    ['User logged off', 1],
  ]);
  assert.deepEqual(await keysOf({ categorization_filters: FILTERS, similarity_threshold: 30 }), [
    ['Node', 4],
    ['User', 2],
  ]);
  assert.deepEqual(await keysOf({ field: 'k', min_doc_count: 2, max_unique_tokens: 3, max_matched_tokens: 3 }), [
    ['Node shutting down', 3],
  ]);
  assert.deepEqual(await keysOf({ field: 'absent' }), []);
});

test('categorize_text shows a regular expression and a length, and has sub-aggregations', async () => {
  const { x } = await index.answer({
    x: { categorize_text: { field: 'line', size: 1 }, aggs: { s: { sum: { field: 'n' } } } },
  });
  assert.deepEqual(x.buckets, [
    {
      doc_count: 3,
      key: 'Node shutting down',
      regex: '.*?Node.+?shutting.+?down.*?',
      max_matching_length: 49,
      s: { value: 5 },
    },
  ]);
});

test('categorize_text takes an analyzer by name or by its parts', async () => {
  assert.deepEqual((await keysOf({ categorization_analyzer: 'simple', size: 1 }))[0], ['t node shutting down', 3]);
  const parts = { tokenizer: 'ml_classic', filter: ['uppercase'] };
  assert.deepEqual((await keysOf({ categorization_analyzer: parts, size: 1 }))[0], ['NODE SHUTTING DOWN', 3]);
});

test('kinds of lines that differ in a word that turns their meaning are two', async () => {
  const lines = ['User Foo logging on', 'User Foo logging on', 'User Foo logging off'];
  const other = await aggregationFixture({
    mapping: { line: { type: 'text' } },
    documents: lines.map((line) => ({ line })),
  });
  const { x } = await other.answer({ x: { categorize_text: { field: 'line' } } });
  assert.deepEqual(
    x.buckets.map((one: { doc_count: number }) => one.doc_count),
    [2, 1],
  );
});

test('categorize_text refuses wrong bodies', () =>
  index.refuses([
    [{ categorize_text: {} }, 'illegal_argument_exception: Required [field]'],
    [
      { categorize_text: { field: 'n' } },
      'illegal_argument_exception: categorize_text agg [x] only works on analyzable text fields. ' +
        'Cannot aggregate field type [long] via default analyzer',
    ],
    [
      { categorize_text: { field: 'line', max_unique_tokens: 101 } },
      'x_content_parse_exception: [categorize_text] failed to parse field [max_unique_tokens] <- ' +
        'illegal_argument_exception: [max_unique_tokens] must be greater than 0 and less than or equal [100]. ' +
        'Found [101] in [x]',
    ],
    [
      { categorize_text: { field: 'line', similarity_threshold: 0 } },
      'x_content_parse_exception: [categorize_text] failed to parse field [similarity_threshold] <- ' +
        'illegal_argument_exception: [similarity_threshold] must be in the range [1, 100]. Found [0] in [x]',
    ],
    [
      { categorize_text: { field: 'line', categorization_analyzer: 'english', categorization_filters: ['foo'] } },
      'illegal_argument_exception: [categorization_filters] cannot be used with [categorization_analyzer] - ' +
        'instead specify them as pattern_replace char_filters in the analyzer',
    ],
    [
      { categorize_text: { field: 'line', categorization_analyzer: 'absent' } },
      'illegal_argument_exception: Failed to find global analyzer [absent]',
    ],
  ]));
