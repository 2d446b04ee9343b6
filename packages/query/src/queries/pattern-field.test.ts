import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Error texts are those of Elasticsearch 8.12.0 with search.allow_expensive_queries set to false. */
const index = await searchFixture({
  mapping: { k: { type: 'keyword' }, t: { type: 'text' }, n: { type: 'long' }, m: { type: 'match_only_text' } },
  documents: [
    { k: 'a', t: 'red fox', n: 1 },
    { k: 'b', t: 'red red dog', n: 2 },
    { k: ['a', 'b'], t: 'dog', n: 3 },
    { n: 4 },
  ],
  settings: { allowExpensiveQueries: false },
});

test('queries that look through many terms are refused where they are not allowed', () =>
  index.refuses([
    [
      { prefix: { k: 'a' } },
      'query_shard_exception: failed to create query: [prefix] queries cannot be executed when ' +
        "'search.allow_expensive_queries' is set to false. For optimised prefix queries on text fields " +
        'please enable [index_prefixes]. <- exception: [prefix] queries cannot be executed when ' +
        "'search.allow_expensive_queries' is set to false. For optimised prefix queries on text fields " +
        'please enable [index_prefixes].',
    ],
    [
      { wildcard: { k: 'a*' } },
      'query_shard_exception: failed to create query: [wildcard] queries cannot be executed when ' +
        "'search.allow_expensive_queries' is set to false. <- exception: [wildcard] queries cannot be " +
        "executed when 'search.allow_expensive_queries' is set to false.",
    ],
    [
      { regexp: { k: 'a.*' } },
      'query_shard_exception: failed to create query: [regexp] queries cannot be executed when ' +
        "'search.allow_expensive_queries' is set to false. <- exception: [regexp] queries cannot be " +
        "executed when 'search.allow_expensive_queries' is set to false.",
    ],
    [
      { fuzzy: { k: 'a' } },
      'query_shard_exception: failed to create query: [fuzzy] queries cannot be executed when ' +
        "'search.allow_expensive_queries' is set to false. <- exception: [fuzzy] queries cannot be executed " +
        "when 'search.allow_expensive_queries' is set to false.",
    ],
    ...['k', 't', 'm'].map((field): [object, string] => [
      { range: { [field]: { gte: 'a' } } },
      'query_shard_exception: failed to create query: [range] queries on [text] or [keyword] fields ' +
        "cannot be executed when 'search.allow_expensive_queries' is set to false. <- exception: [range] " +
        "queries on [text] or [keyword] fields cannot be executed when 'search.allow_expensive_queries' is " +
        'set to false.',
    ]),
  ]));

test('others run', () =>
  index.finds([
    [{ term: { k: 'a' } }, ['1', '3']],
    [{ range: { n: { gte: 3 } } }, ['3', '4']],
    [{ match: { t: 'dog' } }, ['2', '3']],
  ]));
