import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: {
    n: { type: 'long' },
    f: { type: 'double' },
    d: { type: 'date' },
    g: { type: 'geo_point' },
    t: { type: 'text' },
  },
  documents: [
    { n: 1, f: 10, d: '2024-01-01', g: [0, 0], t: 'a' },
    { n: 4, f: 20, d: '2024-01-05', g: [0, 1], t: 'a b' },
    { n: 9, d: '2024-01-11', t: 'b' },
    { t: 'deleted, without the fields' },
  ],
  deleted: ['4'],
});

test('function_score scores by a field, its modifier and factor', () =>
  index.answers([
    [{ function_score: { field_value_factor: { field: 'n' } } }, { ids: ['3', '2', '1'], scores: [9, 4, 1] }],
    [
      { function_score: { field_value_factor: { field: 'n', modifier: 'sqrt', factor: 2 } } },
      { ids: ['3', '2', '1'], scores: [4.24264, 2.82843, 1.41421] },
    ],
    [
      { function_score: { field_value_factor: { field: 'f', missing: 5 }, boost: 2 } },
      { ids: ['2', '1', '3'], scores: [40, 20, 10] },
    ],
    // The last text of a list.
    [
      { function_score: { field_value_factor: { field: ['nowhere', ['n']] } } },
      { ids: ['3', '2', '1'], scores: [9, 4, 1] },
    ],
  ]));

test('function_score falls off from an origin', () =>
  index.answers([
    [
      { function_score: { gauss: { n: { origin: 1, scale: 3 } } } },
      { ids: ['1', '2', '3'], scores: [1, 0.5, 0.0072334] },
    ],
    [
      { function_score: { exp: { d: { origin: '2024-01-01', scale: '4d', offset: '1d', decay: 0.25 } } } },
      { ids: ['1', '2', '3'], scores: [1, 0.353553, 0.0441942] },
    ],
    [
      { function_score: { linear: { g: { origin: [0, 0], scale: '200km' } } } },
      { ids: ['1', '3', '2'], scores: [1, 1, 0.722012] },
    ],
  ]));

test('function_score joins functions by score_mode', () =>
  index.answers([
    [
      {
        function_score: {
          query: { match_all: {} },
          functions: [{ weight: 2 }, { filter: { term: { t: 'a' } }, weight: 3 }],
          score_mode: 'multiply',
        },
      },
      { ids: ['1', '2', '3'], scores: [6, 6, 2] },
    ],
    [
      {
        function_score: {
          query: { match_all: {} },
          functions: [{ weight: 2 }, { filter: { term: { t: 'a' } }, weight: 3 }],
          score_mode: 'sum',
        },
      },
      { ids: ['1', '2', '3'], scores: [5, 5, 2] },
    ],
    [
      {
        function_score: {
          query: { match_all: {} },
          functions: [{ weight: 2 }, { filter: { term: { t: 'a' } }, weight: 3 }],
          score_mode: 'avg',
        },
      },
      { ids: ['1', '2', '3'], scores: [1, 1, 1] },
    ],
    [
      {
        function_score: {
          query: { match_all: {} },
          functions: [{ weight: 2 }, { filter: { term: { t: 'a' } }, weight: 3 }],
          score_mode: 'first',
        },
      },
      { ids: ['1', '2', '3'], scores: [2, 2, 2] },
    ],
    [
      {
        function_score: {
          query: { match_all: {} },
          functions: [{ weight: 2 }, { filter: { term: { t: 'a' } }, weight: 3 }],
          score_mode: 'max',
        },
      },
      { ids: ['1', '2', '3'], scores: [3, 3, 2] },
    ],
    [
      {
        function_score: {
          query: { match_all: {} },
          functions: [{ weight: 2 }, { filter: { term: { t: 'a' } }, weight: 3 }],
          score_mode: 'min',
        },
      },
      { ids: ['1', '2', '3'], scores: [2, 2, 2] },
    ],
  ]));

test('function_score joins the score of the query with that of the functions by boost_mode', () =>
  index.answers([
    [
      { function_score: { query: { match_all: { boost: 5 } }, weight: 3, boost_mode: 'replace' } },
      { ids: ['1', '2', '3'], scores: [3, 3, 3] },
    ],
    [
      { function_score: { query: { match_all: { boost: 5 } }, weight: 3, boost_mode: 'sum' } },
      { ids: ['1', '2', '3'], scores: [8, 8, 8] },
    ],
    [
      { function_score: { query: { match_all: { boost: 5 } }, weight: 3, boost_mode: 'avg' } },
      { ids: ['1', '2', '3'], scores: [4, 4, 4] },
    ],
    [
      { function_score: { query: { match_all: { boost: 5 } }, weight: 3, boost_mode: 'max' } },
      { ids: ['1', '2', '3'], scores: [5, 5, 5] },
    ],
    [
      { function_score: { query: { match_all: { boost: 5 } }, weight: 3, boost_mode: 'min' } },
      { ids: ['1', '2', '3'], scores: [3, 3, 3] },
    ],
  ]));

test('function_score bounds the factor and leaves out low scores', () =>
  index.answers([
    [
      { function_score: { field_value_factor: { field: 'n' }, max_boost: 3 } },
      { ids: ['2', '3', '1'], scores: [3, 3, 1] },
    ],
    [{ function_score: { field_value_factor: { field: 'n' }, min_score: 4 } }, { ids: ['3', '2'], scores: [9, 4] }],
  ]));

test('function_score of random_score is the same for one seed', () =>
  index.finds([[{ function_score: { random_score: { seed: 7, field: 'n' } } }, ['1', '2', '3']]]));

test('function_score refuses broken functions', () =>
  index.refuses([
    [
      { function_score: { field_value_factor: { field: 'n' }, functions: [] } },
      'parsing_exception: failed to parse [function_score] query. [you can either define [functions] ' +
        'array or a single function, not both. already found [field_value_factor], now encountering ' +
        '[functions].]',
    ],
    [
      { function_score: { functions: [{ filter: { match_all: {} } }] } },
      'parsing_exception: failed to parse [function_score] query. an entry in functions list is missing a ' +
        'function.',
    ],
    [
      { function_score: { functions: [{ field_value_factor: ['a', 'b'], weight: 2 }] } },
      'parsing_exception: failed to parse [function_score] query. field [field_value_factor] is not supported',
    ],
    [
      { function_score: { weight: -1 } },
      'illegal_argument_exception: [weight] cannot be negative for a filtering function',
    ],
    [
      { function_score: { gauss: { n: { origin: 1 } } } },
      'query_shard_exception: failed to create query: both [scale] and [origin] must be set for numeric ' +
        'fields. <- parse_exception: both [scale] and [origin] must be set for numeric fields.',
    ],
    [
      { function_score: { field_value_factor: { field: 'n', modifier: 'cube' } } },
      'illegal_argument_exception: No enum constant ' +
        'org.elasticsearch.common.lucene.search.function.FieldValueFactorFunction.Modifier.CUBE',
    ],
    [
      { function_score: { score_mode: 'last' } },
      'illegal_argument_exception: No enum constant ' +
        'org.elasticsearch.common.lucene.search.function.FunctionScoreQuery.ScoreMode.LAST',
    ],
    [
      { function_score: { boost_mode: 'last' } },
      'illegal_argument_exception: No enum constant ' +
        'org.elasticsearch.common.lucene.search.function.CombineFunction.LAST',
    ],
    [{ function_score: { field_value_factor: { field: 'f' } } }, 'exception: Missing value for field [f]'],
  ]));

test('random_score repeats for a seed, by the bytes of a field, the index and the shard', () => {
  const random = (options: object): object => ({ function_score: { functions: [{ random_score: options }] } });
  index.answers([
    [random({ seed: 7, field: 'n' }), { ids: ['1', '3', '2'], scores: [0.61919, 0.381027, 0.0222471] }],
    [random({ seed: 'abc', field: 'f' }), { ids: ['3', '1', '2'], scores: [0.849497, 0.79657, 0.400967] }],
    [random({ seed: 9876543210123, field: 'n' }), { ids: ['2', '1', '3'], scores: [0.769752, 0.747073, 0.467001] }],
  ]);
});

test('function_score names what it cannot take', () =>
  index.refuses([
    [
      { function_score: { functions: [3] } },
      'parsing_exception: failed to parse [START_OBJECT]. malformed query, expected a [VALUE_NUMBER] while parsing ' +
        'functions but got a [function_score] instead',
    ],
    [
      { function_score: { nothing: [] } },
      'parsing_exception: failed to parse [function_score] query. array [nothing] is not supported',
    ],
    [
      { function_score: { random_score: { seed: 7.5 } } },
      "parsing_exception: random_score seed must be an int, long or string, not 'VALUE_NUMBER'",
    ],
    [{ function_score: { random_score: { x: 1 } } }, 'parsing_exception: random_score query does not support [x]'],
    [
      { function_score: { gauss: { n: { origin: 1, scale: 1, x: 1 } } } },
      'query_shard_exception: failed to create query: parameter [x] not supported! <- parse_exception: parameter [x] ' +
        'not supported!',
    ],
  ]));

test('function_score without functions keeps the scores of its query, whatever the boost_mode', () =>
  index.answers([
    [
      { function_score: { query: { term: { t: 'a' } }, boost_mode: 'sum' } },
      { ids: ['1', '2'], scores: [0.871385, 0.693147] },
    ],
    [
      { function_score: { query: { term: { t: 'a' } }, boost_mode: 'replace', max_boost: 0.1 } },
      { ids: ['1', '2'], scores: [0.871385, 0.693147] },
    ],
  ]));
