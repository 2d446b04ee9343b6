import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from './filters.js';
import { keepPinned, pinnedFilters, withPinned } from './pinned-filters.js';

test('pinned filters are those of the page that was changed last, and are added once', () => {
  const plain: Filter = { field: 'a', op: 'is', value: '1' };
  const pinned: Filter = { field: 'b', op: 'is', value: '2', isPinned: true };
  keepPinned([plain, pinned]);
  assert.deepEqual(pinnedFilters.value, [pinned]);
  assert.deepEqual(withPinned([plain], pinnedFilters.value), [plain, pinned]);
  assert.deepEqual(withPinned([{ field: 'b', op: 'is', value: '2' }], pinnedFilters.value).length, 1);
  keepPinned([plain]);
  assert.deepEqual(pinnedFilters.value, []);
});
