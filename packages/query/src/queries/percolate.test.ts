import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

const index = await searchFixture({
  mapping: {
    query: { type: 'percolator' },
    message: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    c: { type: 'nested', properties: { k: { type: 'keyword' } } },
  },
  documents: [
    { query: { match: { message: 'bonsai tree' } } },
    { query: { bool: { must: [{ range: { n: { gt: 3 } } }], should: [{ match: { message: 'tree' } }] } } },
    { query: { nested: { path: 'c', query: { term: { 'c.k': 'x' } } } } },
    { query: { match_phrase: { message: 'tree bonsai' } } },
    { query: { bool: { must_not: [{ term: { k: 'a' } }] } } },
    { query: { constant_score: { filter: { term: { k: 'a' } }, boost: 3 } } },
    { query: { match_all: {} } },
    { k: 'a' },
  ],
  deleted: ['7'],
});
const percolate = (rest: object): object => ({ percolate: { field: 'query', ...rest } });

// Scores are those of OpenSearch 2.19 times 2.2, the factor of BM25 that it leaves out.
test('percolate finds the stored queries that match a document, scored as they score it', () =>
  index.answers([
    [
      percolate({ document: { message: 'a bonsai tree in the office', n: 5, k: 'a' } }),
      { ids: ['6', '2', '1'], scores: [3, 1.28768, 0.575364] },
    ],
    [percolate({ document: {} }), { ids: ['5'], scores: [0] }],
    [{ constant_score: { filter: percolate({ document: { k: 'a' } }) } }, { ids: ['6'], scores: [1] }],
  ]));

test('percolate finds what matches any of several documents, and nested objects in them', () =>
  index.finds([
    [
      percolate({
        documents: [
          { k: 'a', message: 'a tree' },
          { k: 'a', c: [{ k: 'y' }, { k: 'x' }] },
        ],
      }),
      ['1', '3', '6'],
    ],
    [{ bool: { must: [percolate({ document: { k: 'a' } })], must_not: [percolate({ document: { n: 4 } })] } }, ['6']],
  ]));

test('percolate refuses what it does not know', () =>
  index.refuses([
    [
      percolate({}),
      'illegal_argument_exception: Required one of fields [document, documents, id], but none were specified. ',
    ],
    [{ percolate: { document: {} } }, 'illegal_argument_exception: Required [field]'],
    [
      percolate({ document: {}, index: 'i', id: '1' }),
      'illegal_argument_exception: The following fields are not allowed together: [document, id] ',
    ],
    [
      percolate({ documents: [] }),
      'action_request_validation_exception: Validation Failed: 1: index is missing;2: id is missing;',
    ],
    [
      percolate({ documents: [{ n: 1 }, { t: 'x'.repeat(1024 * 1024) }] }),
      'query_shard_exception: failed to create query: [percolate] query accepts at most [1048576] bytes of documents ' +
        '<- illegal_argument_exception: [percolate] query accepts at most [1048576] bytes of documents',
    ],
    [
      percolate({ document: [1] }),
      "x_content_parse_exception: [percolate] document doesn't support values of type: START_ARRAY",
    ],
    [percolate({ document: {}, x: 1 }), 'x_content_parse_exception: [percolate] unknown field [x]'],
    [
      { percolate: { field: 'n', document: {} } },
      'query_shard_exception: expected field [n] to be of type [percolator], but is of type [long]',
    ],
    [{ percolate: { field: 'z', document: {} } }, 'query_shard_exception: field [z] does not exist'],
  ]));

test('queries of fields that are not mapped, of related documents, and broken ones cannot be stored', async () => {
  const refused: readonly (readonly [query: object, reason: RegExp])[] = [
    [{ match: { nowhere: 'x' } }, /No field mapping can be found for the field with name \[nowhere\]/],
    [{ mat: {} }, /unknown query \[mat\] did you mean \[match\]\?/],
    [
      { has_child: { type: 'b', query: { match_all: {} } } },
      /the \[has_child\] query is unsupported inside a percolator/,
    ],
    [{ term: { n: 'x' } }, /For input string: "x"/],
  ];
  for (const [query, reason] of refused)
    await assert.rejects(
      searchFixture({ mapping: { query: { type: 'percolator' }, n: { type: 'long' } }, documents: [{ query }] }),
      reason,
    );
});
