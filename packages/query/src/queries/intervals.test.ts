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

test('intervals of match find words within max_gaps, in order if asked', () =>
  index.answers([
    [
      { intervals: { t: { match: { query: 'quick fox', max_gaps: 5 } } } },
      { ids: ['2', '1'], scores: [0.5, 0.333333] },
    ],
    [
      { intervals: { t: { match: { query: 'fox quick', max_gaps: 1, ordered: false } } } },
      { ids: ['2', '1'], scores: [0.5, 0.333333] },
    ],
    [
      { intervals: { t: { match: { query: 'quick fox', max_gaps: 0, ordered: true } } } },
      { ids: ['2'], scores: [0.5] },
    ],
  ]));

test('intervals combine rules', () =>
  index.finds([
    [
      {
        intervals: {
          t: {
            all_of: {
              intervals: [
                { match: { query: 'quick' } },
                { any_of: { intervals: [{ match: { query: 'dog' } }, { match: { query: 'fox' } }] } },
              ],
            },
          },
        },
      },
      ['1', '2', '3', '4'],
    ],
    [
      {
        intervals: {
          t: {
            all_of: {
              ordered: true,
              max_gaps: 0,
              intervals: [{ match: { query: 'brown' } }, { match: { query: 'fox' } }],
            },
          },
        },
      },
      ['1', '4'],
    ],
    [
      {
        intervals: { t: { any_of: { intervals: [{ prefix: { prefix: 'do' } }, { wildcard: { pattern: 'fo?es' } }] } } },
      },
      ['3'],
    ],
    [{ intervals: { t: { fuzzy: { term: 'quack', fuzziness: 1 } } } }, ['1', '2', '3', '4']],
    [{ intervals: { t: { match: { query: 'quick fox', use_field: 'u' } } } }, []],
  ]));

test('intervals are filtered by others', () =>
  index.finds([
    [
      {
        intervals: { t: { match: { query: 'quick fox', filter: { not_containing: { match: { query: 'brown' } } } } } },
      },
      ['2'],
    ],
    [
      { intervals: { t: { match: { query: 'quick fox', filter: { containing: { match: { query: 'brown' } } } } } } },
      ['1', '4'],
    ],
    [{ intervals: { t: { match: { query: 'fox', filter: { after: { match: { query: 'brown' } } } } } } }, ['1', '4']],
    [{ intervals: { t: { match: { query: 'brown', filter: { before: { match: { query: 'quick' } } } } } } }, ['3']],
  ]));

test('intervals refuse unknown rules and fields without positions', () =>
  index.refuses([
    [
      { intervals: { t: { near: {} } } },
      'parsing_exception: Unknown interval type [near], expecting one of [match, any_of, all_of, ' +
        'prefix, wildcard]',
    ],
    [{ intervals: { t: {} } }, 'parsing_exception: Missing intervals from interval query definition'],
    [
      { intervals: { n: { match: { query: 'a' } } } },
      'query_shard_exception: failed to create query: Can only use interval queries on text ' +
        'fields - not on [n] which is of type [long] <- illegal_argument_exception: Can only use ' +
        'interval queries on text fields - not on [n] which is of type [long]',
    ],
    [
      { intervals: { k: { match: { query: 'a' } } } },
      'query_shard_exception: failed to create query: Can only use interval queries on text ' +
        'fields - not on [k] which is of type [keyword] <- illegal_argument_exception: Can only use ' +
        'interval queries on text fields - not on [k] which is of type [keyword]',
    ],
    [{ intervals: { t: { match: {} } } }, 'illegal_argument_exception: Required [query]'],
    [{ intervals: { t: { all_of: {} } } }, 'illegal_argument_exception: Required [intervals]'],
    [{ intervals: { t: { prefix: {} } } }, 'illegal_argument_exception: Required [prefix]'],
  ]));

const repeated = await searchFixture({
  mapping: { t: { type: 'text' } },
  documents: [{ t: 'a b' }, { t: 'a x a b' }, { t: 'a x x a' }, { t: 'a a a' }],
});

test('intervals of a word that is named twice need it twice', () =>
  repeated.finds([
    [{ intervals: { t: { match: { query: 'a a' } } } }, ['2', '3', '4']],
    [{ intervals: { t: { match: { query: 'a a', max_gaps: 1 } } } }, ['2', '4']],
    [{ intervals: { t: { match: { query: 'a a b', max_gaps: 1 } } } }, ['2']],
    [{ intervals: { t: { match: { query: 'a a b', max_gaps: 0 } } } }, []],
    [{ intervals: { t: { match: { query: 'a a a', ordered: true } } } }, ['4']],
  ]));
