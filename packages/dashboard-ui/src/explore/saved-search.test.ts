import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_SEARCH } from './search-state.js';
import { readSavedSearch, savedSearchOf } from './saved-search.js';

test('a search survives being saved', () => {
  const state = {
    ...EMPTY_SEARCH,
    indices: 'logs-*',
    text: 'a: b',
    language: 'lucene' as const,
    range: { from: 'now-15m', to: 'now' },
    timeField: 'when',
    breakdown: 'level',
    columns: ['a'],
    widths: { a: 200 },
    sort: { field: 'a', isDown: true },
    filters: [{ field: 'a', op: 'is_not' as const, value: 'x' }],
  };
  assert.deepEqual(readSavedSearch(JSON.parse(JSON.stringify(savedSearchOf(state, 'Title')))), state);
});

test('of attributes that somebody else wrote only what is understood is taken', () => {
  assert.deepEqual(readSavedSearch({}), EMPTY_SEARCH);
  const odd = {
    index: 1,
    query: {},
    columns: [1, 'a'],
    sort: ['a', 'asc'],
    filters: [{}],
    grid: { columns: { a: { width: 1e9 }, b: { width: 'wide' }, c: null } },
    range: { from: 'x', to: 'y' },
  };
  assert.deepEqual(readSavedSearch(odd), {
    ...EMPTY_SEARCH,
    columns: ['a'],
    widths: { a: 1_000 },
    sort: { field: 'a', isDown: false },
  });
});
