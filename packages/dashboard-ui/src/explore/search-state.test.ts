import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_SEARCH, readSearch, type SearchState, searchQuery } from './search-state.js';

test('defaults are left out of the address, and all else survives it', () => {
  assert.equal(searchQuery(EMPTY_SEARCH).toString(), '');
  const state: SearchState = {
    indices: 'logs-*',
    text: 'a: "b & c"',
    language: 'lucene',
    range: { from: 'now-15m', to: 'now' },
    timeZone: 'Europe/Berlin',
    breakdown: 'level',
    timeField: 'when',
    columns: ['a,b', '50%', 'c'],
    widths: { 'a,b': 200, '50%': 48 },
    sort: { field: 'x:y', isDown: true },
    filters: [{ field: 'level', op: 'is', value: 'error' }],
  };
  assert.deepEqual(readSearch(new URLSearchParams(searchQuery(state).toString())), { state, ignored: [] });
  const all = { ...EMPTY_SEARCH, range: 'all' as const };
  assert.deepEqual(readSearch(searchQuery(all)).state, all);
});

test('what cannot be read is ignored and named', () => {
  const bad = new URLSearchParams({
    lang: 'sql',
    from: 'then',
    sort: 'up',
    f: '{',
    cols: '%',
    w: 'a:wide',
    i: ' ',
    tz: 'Mars/Base',
  });
  assert.deepEqual(readSearch(bad), {
    state: EMPTY_SEARCH,
    ignored: ['lang', 'from, to', 'tz', 'cols', 'w', 'sort', 'f'],
  });
  const half = readSearch(new URLSearchParams({ f: '[{"field":"a","value":1},{"op":"x"}]' }));
  assert.deepEqual(half.state.filters, [{ field: 'a', op: 'is', value: '1' }]);
  assert.deepEqual(half.ignored, ['a part of f']);
  const columns = Array.from({ length: 60 }, (_, i) => `c${i}`).join(',');
  assert.equal(readSearch(new URLSearchParams({ cols: columns })).state.columns.length, 50);
});
