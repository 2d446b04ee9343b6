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

test('combined_fields scores several fields as one', () =>
  index.answers([
    [
      { combined_fields: { query: 'quick fox', fields: ['t', 'u'] } },
      {
        ids: ['1', '4', '2', '3'],
        scores: [0.586414, 0.493941, 0.491915, 0.10314],
        plan: 'CombinedFieldQuery((t u)(quick)) CombinedFieldQuery((t u)(fox))',
      },
    ],
    [
      { combined_fields: { query: 'dog', fields: ['t', 'u^2'], boost: 2 } },
      { ids: ['2', '3'], scores: [3.12015, 2.54368], plan: '(CombinedFieldQuery((t u^2.0)(dog)))^2.0' },
    ],
  ]));

test('combined_fields joins words by operator and minimum_should_match over all fields', () =>
  index.finds([
    [{ combined_fields: { query: 'dog foxes', fields: ['t', 'u'], operator: 'and' } }, ['3']],
    [{ combined_fields: { query: 'quick dog the', fields: ['t', 'u'], minimum_should_match: 2 } }, ['1', '2', '3']],
    [{ combined_fields: { query: 'fox', fields: ['nowhere', 'u'] } }, ['1']],
    [{ combined_fields: { query: '', fields: ['t'] } }, []],
    [{ combined_fields: { query: '', fields: ['t'], zero_terms_query: 'all' } }, ['1', '2', '3', '4']],
  ]));

test('combined_fields refuses fields that are no texts and weights below one', () =>
  index.refuses([
    [
      { combined_fields: { query: 'a', fields: ['n'] } },
      'query_shard_exception: failed to create query: Field [n] of type [long] does not support ' +
        '[combined_fields] queries <- illegal_argument_exception: Field [n] of type [long] does not ' +
        'support [combined_fields] queries',
    ],
    [
      { combined_fields: { query: 'a', fields: ['t^0.5'] } },
      'x_content_parse_exception: [combined_fields] failed to parse field [fields] <- ' +
        'illegal_argument_exception: [combined_fields] requires field boosts to be >= 1.0',
    ],
    [
      { combined_fields: { query: 'a' } },
      'query_shard_exception: failed to create query: In [combined_fields] query, at least one ' +
        'field must be provided <- illegal_argument_exception: In [combined_fields] query, at least ' +
        'one field must be provided',
    ],
    [
      { combined_fields: { query: 'a', fields: [['t']] } },
      'x_content_parse_exception: [combined_fields] failed to parse field [fields] <- ' +
        'illegal_state_exception: expected value but got [START_ARRAY]',
    ],
    [{ combined_fields: { fields: ['t'] } }, 'illegal_argument_exception: Required [query]'],
    [
      { combined_fields: { query: 'a', fields: ['t'], fuzziness: 1 } },
      'x_content_parse_exception: [combined_fields] unknown field [fuzziness]',
    ],
  ]));
