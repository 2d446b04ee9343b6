import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of OpenSearch 2.19's module parent-join. */
const index = await aggregationFixture({
  mapping: {
    j: { type: 'join', relations: { q: ['a', 'c'], a: 'v' } },
    n: { type: 'integer' },
    tag: { type: 'keyword' },
  },
  routing: '1',
  documents: [
    { tag: ['x', 'y'], j: 'q' },
    { tag: 'y', j: 'q' },
    { n: 3, j: { name: 'a', parent: '1' } },
    { n: 4, j: { name: 'a', parent: '1' } },
    { n: 5, j: { name: 'a', parent: '2' } },
    { n: 6, j: { name: 'c', parent: '1' } },
    { n: 7, j: { name: 'v', parent: '3' } },
    { n: 8 },
    { n: 9, j: { name: 'a', parent: '1' } },
  ],
  deleted: ['9'],
});

const sum = { n: { sum: { field: 'n' } } };
// Children lie on the shard of their parent, which the fixture's shards do not heed.
const onOneShard = { anyLayout: false } as const;

test('children are those of the collected parents', async () => {
  await index.answers(
    [
      [
        { children: { type: 'a' }, aggs: sum },
        { doc_count: 3, n: { value: 12 } },
      ],
      [
        { filter: { term: { tag: 'x' } }, aggs: { k: { children: { type: 'a' }, aggs: sum } } },
        { doc_count: 1, k: { doc_count: 2, n: { value: 7 } } },
      ],
      [
        { children: { type: 'zz' }, aggs: sum },
        { doc_count: 0, n: { value: 0 } },
      ],
      [
        { children: { type: 'a' }, aggs: { k: { children: { type: 'v' }, aggs: sum } } },
        { doc_count: 3, k: { doc_count: 1, n: { value: 7 } } },
      ],
    ],
    onOneShard,
  );
});

test('children of each bucket', () =>
  index.answers(
    [
      [
        { terms: { field: 'tag', order: { k: 'desc' } }, aggs: { k: { children: { type: 'a' }, aggs: sum } } },
        {
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: 0,
          buckets: [
            { key: 'y', doc_count: 2, k: { doc_count: 3, n: { value: 12 } } },
            { key: 'x', doc_count: 1, k: { doc_count: 2, n: { value: 7 } } },
          ],
        },
      ],
    ],
    onOneShard,
  ));

test('parent has each parent of the collected children once', () =>
  index.answers(
    [
      [
        { parent: { type: 'a' }, aggs: { t: { value_count: { field: 'tag' } } } },
        { doc_count: 2, t: { value: 3 } },
      ],
      [
        { range: { field: 'n', ranges: [{ to: 5 }, { from: 5 }] }, aggs: { p: { parent: { type: 'a' } } } },
        {
          buckets: [
            { key: '*-5.0', to: 5, doc_count: 2, p: { doc_count: 1 } },
            { key: '5.0-*', from: 5, doc_count: 4, p: { doc_count: 1 } },
          ],
        },
      ],
      [
        { children: { type: 'a' }, aggs: { back: { parent: { type: 'a' } } } },
        { doc_count: 3, back: { doc_count: 2 } },
      ],
      [{ parent: { type: 'q' } }, { doc_count: 0 }],
    ],
    onOneShard,
  ));

test('children below a sampler are those of the sample', () =>
  index.answers(
    [
      [
        { sampler: { shard_size: 1 }, aggs: { k: { children: { type: 'a' } } } },
        { doc_count: 1, k: { doc_count: 2 } },
      ],
    ],
    { ...onOneShard, query: { term: { j: 'q' } } },
  ));

test('the body of children and parent is a relation', () =>
  index.refuses([
    [{ children: {} }, 'parsing_exception: Missing [child_type] field for children aggregation [x]'],
    [{ parent: {} }, 'parsing_exception: Missing [child_type] field for parent aggregation [x]'],
    [{ parent: { y: 'a' } }, 'parsing_exception: Unknown key for a VALUE_STRING in [x]: [y].'],
    [{ children: { type: 5 } }, 'parsing_exception: Unexpected token VALUE_NUMBER in [x].'],
  ]));
