import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

const index = await searchFixture({
  mapping: { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } },
  documents: [
    { t: 'the quick brown fox', u: 'fox', k: 'x', n: 1 },
    { t: 'quick fox brown', u: 'quick dog', n: 2 },
    { t: 'brown dog and quick foxes', k: 'quick', n: 3 },
    { t: ['quick', 'brown fox'], u: 'brown', n: 4 },
  ],
});

test('script is refused', () =>
  index.refuses([
    [
      { script: { script: '1 == 1' } },
      'parsing_exception: [script] query is not supported: scripts are not available in search',
    ],
    [{ script: {} }, 'parsing_exception: [script] query is not supported: scripts are not available in search'],
  ]));
