import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryContext } from '../parsed-query.js';
import { parseQueries } from './parse-queries.js';

test('a list of more queries than may be is refused before any of them is parsed', () => {
  let parsed = 0;
  const context = { parseQuery: () => void parsed++ } as unknown as QueryContext;
  const queries = (count: number): unknown[] => Array.from({ length: count }, () => ({ match_all: {} }));
  assert.throws(() => parseQueries(queries(32_769), context), /too many nested clauses/);
  assert.equal(parsed, 0);
  assert.equal(parseQueries(queries(32_768), context).length, 32_768);
});
