import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContext } from '@shoal/query';
import { wholeSearch } from '../parse/whole-search.js';
import { createRecentSources, newPlan, recentPlan } from './recent-sources.js';

const requestOf = (body: object, more: object = {}) => ({
  ...wholeSearch(['i'], Buffer.from(JSON.stringify(body))),
  ...more,
});

test('a known body is parsed again where the type of the search is named, which some bodies refuse', () => {
  const sources = createRecentSources();
  const typed = { searchType: 'dfs_query_then_fetch', namesSearchType: true } as const;
  const nearest = { knn: { field: 'v', query_vector: [1], k: 1, num_candidates: 1 } };
  newPlan(sources, requestOf(nearest), parseContext());
  assert.notEqual(recentPlan(sources, requestOf(nearest), true), undefined);
  assert.equal(recentPlan(sources, requestOf(nearest, typed), true), undefined);
  assert.throws(() => newPlan(sources, requestOf(nearest, typed), parseContext()), /cannot set \[search_type\]/);
});

test('a body without such options is known with each type of search', () => {
  const sources = createRecentSources();
  const typed = requestOf({ query: { match_all: {} } }, { searchType: 'query_then_fetch', namesSearchType: true });
  newPlan(sources, typed, parseContext());
  assert.notEqual(recentPlan(sources, typed, true), undefined);
});
