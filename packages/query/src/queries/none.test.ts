import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Elasticsearch 8.12.0 rewrites these queries to match_none, so that the clause beside them is never planned. */
const index = await searchFixture({
  mapping: { k: { type: 'keyword' }, i: { type: 'integer' }, d: { type: 'date' } },
  documents: [{ k: 'a', i: 1, d: '2024-01-01' }],
});

const refused = { match_phrase_prefix: { k: 'a' } };
const error =
  'query_shard_exception: failed to create query: Can only use phrase prefix queries on text fields - not on [k] ' +
  'which is of type [keyword] <- illegal_argument_exception: Can only use phrase prefix queries on text fields - not ' +
  'on [k] which is of type [keyword]';
const none = { match_none: {} };

test('a required clause that is rewritten to match_none hides the failure of another', () =>
  index.finds(
    [
      none,
      { terms: { k: [] } },
      { terms: { nowhere: ['a'] } },
      { term: { nowhere: 'a' } },
      { prefix: { nowhere: 'a' } },
      { wildcard: { nowhere: 'a*' } },
      { fuzzy: { nowhere: 'a' } },
      { exists: { field: 'nowhere' } },
      { range: { nowhere: { gte: 1 } } },
      { range: { d: { gte: '2030' } } },
      { ids: { values: [] } },
      { term: { _index: 'other' } },
      { wildcard: { _index: 'other*' } },
      { constant_score: { filter: none } },
      { boosting: { positive: none, negative: refused, negative_boost: 0.5 } },
      { function_score: { query: none, functions: [{ filter: refused, weight: 2 }] } },
      { bool: { should: [none, none], must_not: none } },
      { bool: { must_not: { match_all: {} }, should: refused } },
    ].map((query) => [{ bool: { must: [query, refused] } }, []]),
  ));

test('a clause that is only found to match nothing when it is planned hides nothing', () =>
  index.refuses(
    [
      { match: { nowhere: 'a' } },
      { regexp: { nowhere: 'a' } },
      { range: { i: { gte: 1000 } } },
      { dis_max: { queries: [none] } },
    ].map((query) => [{ bool: { must: [query, refused] } }, error]),
  ));
