import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } },
  documents: [
    { t: 'the quick brown fox', u: 'fox', k: 'x', n: 1 },
    { t: 'quick fox brown', u: 'quick dog', n: 2 },
    { t: 'brown dog and quick foxes', k: 'quick', n: 3 },
    { t: ['quick', 'brown fox'], u: 'brown', n: 4 },
  ],
});

test('span_term finds and scores a word as term does', () =>
  index.answers([
    [{ span_term: { t: 'fox' } }, { ids: ['2', '4', '1'], scores: [0.388458, 0.388458, 0.347206] }],
    [{ span_term: { t: { value: 'dog', boost: 2 } } }, { ids: ['3'], scores: [2.11899] }],
    [{ term: { t: 'fox' } }, { ids: ['2', '4', '1'], scores: [0.388458, 0.388458, 0.347206] }],
  ]));

test('spans need positions, and tell so where a segment has the word', async () => {
  const bare = await searchFixture({
    mapping: { t: { type: 'text', index_options: 'freqs' } },
    documents: [{ t: 'wi fox' }],
  });
  const text = 'field "t" was indexed without position data; cannot run SpanTermQuery (term=fox)';
  await bare.refuses([
    [{ span_term: { t: 'fox' } }, `illegal_state_exception: ${text}`],
    [{ span_first: { match: { span_term: { t: 'fox' } }, end: 3 } }, `illegal_state_exception: ${text}`],
  ]);
  await bare.finds([[{ span_term: { t: 'nope' } }, []]]);
});

test('span_term refuses a keyword without an index', async () => {
  const bare = await searchFixture({ mapping: { k: { type: 'keyword', index: false } }, documents: [{ k: 'x' }] });
  const reason = 'Cannot extract a term from a query on [k], which is not indexed';
  await bare.refuses([
    [
      { span_term: { k: 'x' } },
      `query_shard_exception: failed to create query: ${reason} <- illegal_argument_exception: ${reason}`,
    ],
  ]);
});

test('span_near scores by how close the words are', () =>
  index.answers([
    [
      {
        span_near: { clauses: [{ span_term: { t: 'quick' } }, { span_term: { t: 'brown' } }], slop: 0, in_order: true },
      },
      { ids: ['1'], scores: [0.205127] },
    ],
    [
      {
        span_near: {
          clauses: [{ span_term: { t: 'brown' } }, { span_term: { t: 'quick' } }],
          slop: 3,
          in_order: false,
        },
      },
      { ids: ['1', '2', '3'], scores: [0.0969846, 0.0912571, 0.0545396] },
    ],
    [
      { span_near: { clauses: [{ span_term: { t: 'quick' } }, { span_term: { t: 'fox' } }], slop: 1 } },
      { ids: ['2', '1'], scores: [0.503207, 0.288772] },
    ],
  ]));

test('span_or, span_not and span_first take or leave out spans', () =>
  index.answers([
    [
      { span_or: { clauses: [{ span_term: { t: 'dog' } }, { span_term: { t: 'foxes' } }] } },
      { ids: ['3'], scores: [3.02713] },
    ],
    [
      {
        span_not: {
          include: { span_term: { t: 'brown' } },
          exclude: {
            span_near: {
              clauses: [{ span_term: { t: 'quick' } }, { span_term: { t: 'brown' } }],
              slop: 0,
              in_order: true,
            },
          },
        },
      },
      { ids: ['2', '4', '3'], scores: [0.114749, 0.114749, 0.0927173] },
    ],
    [
      { span_not: { include: { span_term: { t: 'brown' } }, exclude: { span_term: { t: 'fox' } }, post: 1 } },
      { ids: ['2', '3'], scores: [0.114749, 0.0927173] },
    ],
    [{ span_first: { match: { span_term: { t: 'brown' } }, end: 1 } }, { ids: ['3'], scores: [0.0927173] }],
  ]));

test('span_containing and span_within relate larger spans and smaller ones', () =>
  index.answers([
    [
      {
        span_containing: {
          big: {
            span_near: {
              clauses: [{ span_term: { t: 'quick' } }, { span_term: { t: 'fox' } }],
              slop: 5,
              in_order: true,
            },
          },
          little: { span_term: { t: 'brown' } },
        },
      },
      { ids: ['1'], scores: [0.354623] },
    ],
    [
      {
        span_within: {
          big: {
            span_near: {
              clauses: [{ span_term: { t: 'quick' } }, { span_term: { t: 'fox' } }],
              slop: 5,
              in_order: true,
            },
          },
          little: { span_term: { t: 'brown' } },
        },
      },
      { ids: ['1'], scores: [0.552332] },
    ],
  ]));

test('span_multi finds spans of words by pattern, span_field_masking of another field', () =>
  index.finds([
    [
      {
        span_near: {
          clauses: [{ span_term: { t: 'quick' } }, { span_multi: { match: { prefix: { t: 'fo' } } } }],
          slop: 0,
          in_order: true,
        },
      },
      ['2', '3'],
    ],
    [
      {
        span_near: {
          clauses: [
            { span_term: { t: 'quick' } },
            { span_field_masking: { query: { span_term: { u: 'dog' } }, field: 't' } },
          ],
          slop: 1,
          in_order: false,
        },
      },
      ['2'],
    ],
    [
      {
        span_near: {
          clauses: [{ span_term: { t: 'quick' } }, { span_gap: { t: 1 } }, { span_term: { t: 'fox' } }],
          slop: 0,
          in_order: true,
        },
      },
      ['1'],
    ],
  ]));

test('span queries take span queries of one field only', () =>
  index.refuses([
    [
      { span_near: { clauses: [{ term: { t: 'a' } }] } },
      'parsing_exception: span_near [clauses] must be of type span query',
    ],
    [{ span_near: { clauses: [] } }, 'parsing_exception: span_near must include [clauses]'],
    [{ span_or: {} }, 'parsing_exception: span_or must include [clauses]'],
    [{ span_first: { match: { span_term: { t: 'a' } } } }, 'parsing_exception: span_first must have [end] set for it'],
    [
      { span_not: { include: { span_term: { t: 'a' } } } },
      'parsing_exception: span_not must have [exclude] span query clause',
    ],
    [
      { span_multi: { match: { term: { t: 'a' } } } },
      'parsing_exception: [span_multi] [match] must be of type multi term query',
    ],
    [
      { span_containing: { big: { span_term: { t: 'a' } } } },
      'illegal_argument_exception: inner clause [little] cannot be null.',
    ],
    [
      { span_field_masking: { query: { span_term: { t: 'a' } } } },
      'parsing_exception: span_field_masking must have [field] set for it',
    ],
    [{ span_term: { t: {} } }, 'illegal_argument_exception: value cannot be null'],
    [
      { span_near: { clauses: [{ span_term: { t: 'a' } }], slop: 'x' } },
      'number_format_exception: For input string: "x"',
    ],
  ]));

test('span_term takes the values of the field', async () => {
  const typed = await searchFixture({
    mapping: { f: { type: 'float' }, t: { type: 'text' } },
    documents: [{ f: 1, t: 'a' }],
  });
  typed.refuses([
    [
      { span_term: { f: 'a' } },
      'query_shard_exception: failed to create query: For input string: "a" <- number_format_exception: For input ' +
        'string: "a"',
    ],
    [
      { span_term: { f: 1 } },
      'query_shard_exception: failed to create query: Cannot extract a term from a query on [f] of type [float] <- ' +
        'illegal_argument_exception: Cannot extract a term from a query on [f] of type [float]',
    ],
  ]);
});

test('a span or nested query with a scalar in place of a query, or with null, has an unknown option', () =>
  index.refuses([
    [
      { span_near: { clauses: [{ span_term: { t: 'a' } }], slop: null } },
      'parsing_exception: [span_near] query does not support [slop]',
    ],
    [
      { span_within: { big: { span_term: { t: 'a' } }, little: 1.5 } },
      'parsing_exception: [span_within] query does not support [little]',
    ],
    [{ span_first: { match: true, end: 1 } }, 'parsing_exception: [span_first] query does not support [match]'],
    [{ nested: { path: 'n', query: true } }, 'parsing_exception: [nested] query does not support [query]'],
  ]));
