import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSearchKeys } from './body-keys.js';

test(
  'parts of a search that are not offered are refused by name ' + 'instead of left out; empty ones ask for nothing',
  () => {
    for (const body of [
      { knn: { field: 'v', query_vector: [1], k: 1 } },
      { knn: [{ field: 'v' }] },
      { rank: { rrf: {} } },
      { runtime_mappings: { day: { type: 'keyword' } } },
      { ext: { x: {} } },
    ]) {
      assert.throws(() => checkSearchKeys(body), {
        type: 'illegal_argument_exception',
        message: `[${Object.keys(body)[0]}] is not supported`,
      });
    }
    checkSearchKeys({ knn: [], rank: {}, runtime_mappings: {}, ext: {}, query: { match_all: {} } });
  },
);
