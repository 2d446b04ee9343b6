import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { t: { type: 'text' }, n: { type: 'long' } },
  documents: [{ t: 'a b', n: 1 }, { t: 'a c', n: 2 }, { t: 'b c', n: 3 }, { t: 'd', n: 4 }, { n: 5 }],
});

test('bool adds the scores of must and should, filter and must_not add none', () =>
  index.answers([
    [
      { bool: { must: [{ term: { t: 'a' } }], should: [{ term: { t: 'b' } }] } },
      { ids: ['1', '2'], scores: [1.30975, 0.654875], plan: '+t:a t:b' },
    ],
    [
      { bool: { must: { term: { t: 'a' } }, filter: { term: { t: 'b' } } } },
      { ids: ['1'], scores: [0.654875], plan: '+t:a #t:b' },
    ],
    [{ bool: { filter: { term: { t: 'a' } } } }, { ids: ['1', '2'], scores: [0, 0], plan: '#t:a' }],
    [
      { bool: { must: { match_all: {} }, must_not: [{ term: { t: 'a' } }] } },
      { ids: ['3', '4', '5'], scores: [1, 1, 1], plan: '+*:* -t:a' },
    ],
    [
      { bool: { should: [{ term: { t: 'a' } }, { term: { t: 'b' } }], boost: 2 } },
      { ids: ['1', '2', '3'], scores: [2.6195, 1.30975, 1.30975], plan: '(t:a t:b)^2.0' },
    ],
  ]));

test('bool tells the first error in the order must, must_not, should, filter', () =>
  index.refuses([
    [
      { bool: { filter: { geo_distance: { distance: '1km', n: [0, 0] } }, should: { fuzzy: { n: 'x' } } } },
      'query_shard_exception: failed to create query: ' +
        'Can only use fuzzy queries on keyword and text fields - not on [n] which is of type [long] <- ' +
        'illegal_argument_exception: ' +
        'Can only use fuzzy queries on keyword and text fields - not on [n] which is of type [long]',
    ],
    [
      { bool: { should: { fuzzy: { n: 'x' } }, must_not: { geo_distance: { distance: '1km', n: [0, 0] } } } },
      'query_shard_exception: Field [n] is of unsupported type [long] for [geo_distance] query',
    ],
  ]));

test('bool needs one of should only where nothing else is required', () =>
  index.finds([
    [{ bool: { should: [{ term: { t: 'a' } }, { term: { t: 'd' } }] } }, ['1', '2', '4']],
    [{ bool: { should: { term: { t: 'd' } }, filter: { exists: { field: 'n' } } } }, ['1', '2', '3', '4', '5']],
    [{ bool: { should: [{ term: { t: 'a' } }, { term: { t: 'd' } }], must_not: { term: { t: 'c' } } } }, ['1', '4']],
  ]));

test('bool counts should clauses by minimum_should_match', () =>
  index.answers([
    [
      { bool: { should: [{ term: { t: 'a' } }, { term: { t: 'b' } }, { term: { t: 'c' } }], minimum_should_match: 2 } },
      { ids: ['1', '2', '3'], scores: [1.30975, 1.30975, 1.30975], plan: '(t:a t:b t:c)~2' },
    ],
    [
      {
        bool: {
          should: [{ term: { t: 'a' } }, { term: { t: 'b' } }, { term: { t: 'c' } }],
          minimum_should_match: '75%',
        },
      },
      { ids: ['1', '2', '3'], scores: [1.30975, 1.30975, 1.30975], plan: '(t:a t:b t:c)~2' },
    ],
    [
      { bool: { should: [{ term: { t: 'a' } }, { term: { t: 'b' } }], minimum_should_match: 3 } },
      { ids: [], scores: [], plan: '(t:a t:b)~3' },
    ],
    [
      {
        bool: {
          should: [{ term: { t: 'a' } }, { term: { t: 'b' } }],
          filter: { term: { t: 'c' } },
          minimum_should_match: 1,
        },
      },
      { ids: ['2', '3'], scores: [0.654875, 0.654875], plan: '(t:a t:b #t:c)~1' },
    ],
  ]));

test('bool without clauses matches all, with negations alone all the others', () =>
  index.answers([
    [{ bool: {} }, { ids: ['1', '2', '3', '4', '5'], scores: [1, 1, 1, 1, 1], plan: '*:*' }],
    [{ bool: { must_not: { term: { t: 'a' } } } }, { ids: ['3', '4', '5'], scores: [0, 0, 0], plan: '-t:a #*:*' }],
  ]));

test('bool with negations alone matches nothing when adjust_pure_negative is off', () =>
  index.finds([[{ bool: { must_not: { term: { t: 'a' } }, adjust_pure_negative: false } }, []]]));

test('bool takes the deprecated name mustNot, beside must_not', () =>
  index.finds([[{ bool: { mustNot: [{ term: { t: 'a' } }], must_not: { term: { t: 'd' } } } }, ['3', '5']]]));

test('bool refuses unknown clauses, broken ones and too many levels', () =>
  index.refuses([
    [{ bool: { may: [] } }, 'x_content_parse_exception: [bool] unknown field [may]'],
    [{ bool: { toString: [] } }, 'x_content_parse_exception: [bool] unknown field [toString]'],
    [{ bool: { shouldx: [] } }, 'x_content_parse_exception: [bool] unknown field [shouldx] did you mean [should]?'],
    [
      { bool: { must: [{}] } },
      'x_content_parse_exception: [bool] failed to parse field [must] <- ' +
        'illegal_argument_exception: query malformed, empty clause found',
    ],
    [
      { bool: { must: ['a'] } },
      'x_content_parse_exception: [bool] failed to parse field [must] <- parsing_exception: [_na] ' +
        'query malformed, must start with start_object',
    ],
    [
      { bool: { must: [{ term: { t: 'a' } }, { terms: { t: 'b' } }] } },
      'x_content_parse_exception: [bool] failed to parse field [must] <- parsing_exception: ' +
        '[terms] query does not support [t]',
    ],
    [
      { bool: { minimum_should_match: 'many', should: [{ term: { t: 'a' } }] } },
      'query_shard_exception: failed to create query: For input string: "many" <- ' +
        'number_format_exception: For input string: "many"',
    ],
  ]));

test('bool skips a scalar before a query in an array of clauses', () =>
  index.refuses([
    [{ bool: { must: 3 } }, "x_content_parse_exception: [bool] must doesn't support values of type: VALUE_NUMBER"],
    [
      { bool: { must: [true] } },
      'x_content_parse_exception: [bool] failed to parse field [must] <- parsing_exception: [_na] query malformed, ' +
        'must start with start_object',
    ],
    [
      { bool: { must: [true, { term: { k: {} } }] } },
      'x_content_parse_exception: [bool] failed to parse field [must] <- illegal_argument_exception: value ' +
        'cannot be null',
    ],
    [
      { bool: { boost: 'x' } },
      'x_content_parse_exception: [bool] failed to parse field [boost] <- number_format_exception: For input ' +
        'string: "x"',
    ],
  ]));
