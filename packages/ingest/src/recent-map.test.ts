import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentMap } from './recent-map.js';

test('the entry that was not used for longest makes room', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => map.get(key)),
    [1, undefined, 3],
  );
  map.set('c', 4);
  assert.deepEqual(
    ['a', 'c'].map((key) => map.get(key)),
    [1, 4],
    'a known key pushes nothing out',
  );
});
