import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: {
    t: { type: 'text' },
    u: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    b: { type: 'binary' },
  },
  documents: [
    { t: 'the quick brown fox', u: 'fox', k: 'x', n: 1 },
    { t: 'quick fox brown', u: 'quick dog', n: 2 },
    { t: 'brown dog and quick foxes', k: 'quick', n: 3 },
    { t: ['quick', 'brown fox'], u: 'brown', n: 4 },
  ],
});

test('multi_match takes the best field, and a share of the others by tie_breaker', () =>
  index.answers([
    [
      { multi_match: { query: 'quick fox', fields: ['t', 'u'] } },
      { ids: ['1', '2', '4', '3'], scores: [1.09257, 0.814273, 0.503207, 0.0927173] },
    ],
    [
      { multi_match: { query: 'fox', fields: ['t', 'u^3'], tie_breaker: 0.3 } },
      { ids: ['1', '2', '4'], scores: [3.38187, 0.388458, 0.388458] },
    ],
    [{ multi_match: { query: 'fox', fields: 't' } }, { ids: ['2', '4', '1'], scores: [0.388458, 0.388458, 0.347206] }],
  ]));

test('multi_match adds fields up, or treats them as one', () =>
  index.answers([
    [
      { multi_match: { query: 'quick fox', fields: ['t', 'u'], type: 'most_fields' } },
      { ids: ['1', '2', '4', '3'], scores: [1.54234, 1.31748, 0.503207, 0.0927173] },
    ],
    [
      { multi_match: { query: 'quick dog', fields: ['t', 'u'], type: 'cross_fields', operator: 'and' } },
      { ids: ['3', '2'], scores: [1.15221, 0.929022] },
    ],
  ]));

test('multi_match looks for phrases and prefixes', () =>
  index.answers([
    [{ multi_match: { query: 'quick brown', fields: ['t', 'u'], type: 'phrase' } }, { ids: ['1'], scores: [0.205127] }],
    [
      { multi_match: { query: 'quick fo', fields: ['t', 'u'], type: 'phrase_prefix' } },
      { ids: ['2', '3'], scores: [1.81446, 1.46609] },
    ],
    [
      { multi_match: { query: 'quick d', fields: ['t', 'u'], type: 'bool_prefix' } },
      { ids: ['2', '3', '4', '1'], scores: [1.92902, 1.09272, 0.114749, 0.102563] },
    ],
  ]));

test('multi_match finds fields by pattern and leaves out unmapped ones', () =>
  index.finds([
    [{ multi_match: { query: 'quick', fields: ['*'], lenient: true } }, ['1', '2', '3', '4']],
    [{ multi_match: { query: 'quick', fields: ['nowhere', 'k'] } }, ['3']],
    [{ multi_match: { query: 'quick', fields: ['none*'] } }, []],
    [{ multi_match: { query: 'quik', fields: ['t'], fuzziness: 1 } }, ['1', '2', '3', '4']],
  ]));

const withRanges = await searchFixture({
  mapping: { r: { type: 'integer_range' }, d: { type: 'date_range' }, i: { type: 'ip_range' }, t: { type: 'text' } },
  documents: [{ r: { gte: 1, lte: 9 }, t: 'none' }, { r: { gte: 20, lte: 30 } }, { t: '5' }, { i: '10.0.0.0/24' }],
});

test('queries without fields search ranges too', () =>
  withRanges.finds([
    [{ multi_match: { query: '5' } }, ['1', '3']],
    [{ simple_query_string: { query: '5' } }, ['1', '3']],
    [{ query_string: { query: '25' } }, ['2']],
    [{ query_string: { query: '10.0.0.7' } }, ['4']],
    [{ query_string: { query: '"5 6"' } }, []],
  ]));

test('multi_match refuses options that its type does not take', () =>
  index.refuses([
    [{ multi_match: { fields: ['t'] } }, 'parsing_exception: No text specified for multi_match query'],
    [
      { multi_match: { query: 'a', fields: ['t'], type: 'all' } },
      'parse_exception: failed to parse [multi_match] query type [all]. unknown type.',
    ],
    [
      { multi_match: { query: 'a', fields: ['t'], type: 'phrase', fuzziness: 1 } },
      'parsing_exception: Fuzziness not allowed for type [phrase]',
    ],
    [
      { multi_match: { query: 'a', fields: ['t'], fuzziness: 1, type: 'cross_fields' } },
      'parsing_exception: Fuzziness not allowed for type [cross_fields]',
    ],
    [
      { multi_match: { query: 'x', fields: ['n'] } },
      'query_shard_exception: failed to create query: For input string: "x" <- ' +
        'number_format_exception: For input string: "x"',
    ],
    [
      { multi_match: { query: 'a', fields: ['t', 'b'], type: 'cross_fields', lenient: true } },
      'query_shard_exception: failed to create query: null <- unsupported_operation_exception: ',
    ],
    [{ multi_match: { query: 'a', fields: ['t^x'] } }, 'number_format_exception: For input string: "x"'],
    [
      { multi_match: { query: 'a', fields: ['t'], depth: 1 } },
      'parsing_exception: [multi_match] query does not support [depth]',
    ],
  ]));

test('a name given twice counts as Elasticsearch counts it', async () => {
  const twice = await searchFixture({
    mapping: { u: { type: 'text' }, al: { type: 'alias', path: 'u' } },
    documents: [{ u: 'fox' }],
  });
  const one = 0.287682;
  twice.answers([
    [{ multi_match: { query: 'fox', fields: ['al', 'u'], type: 'most_fields' } }, { ids: ['1'], scores: [2 * one] }],
    [{ multi_match: { query: 'fox', fields: ['u^3', 'u'] } }, { ids: ['1'], scores: [one] }],
    [{ combined_fields: { query: 'fox', fields: ['al'] } }, { ids: ['1'], scores: [one] }],
    [{ query_string: { query: 'fo* foy~', fields: ['al'] } }, { ids: ['1'], scores: [1.19179] }],
    [{ simple_query_string: { query: 'fo*', fields: ['al'] } }, { ids: ['1'], scores: [1] }],
    [{ query_string: { query: 'fox', fields: ['u^3', 'u'] } }, { ids: ['1'], scores: [0.863046] }],
    [{ query_string: { query: 'fox', fields: ['u', 'u^3'] } }, { ids: ['1'], scores: [0.863046] }],
  ]);
});
