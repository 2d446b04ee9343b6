import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeLimits } from '@shoal/protocol';
import { limitsBytes } from './access.js';

const NOW_MS = 1_700_000_000_000;

const carriesTime = (query: string): boolean => {
  const bytes = limitsBytes({ queries: [[query]], fields: [] }, NOW_MS)!;
  return decodeLimits(bytes).nowMs === NOW_MS;
};

test('limits carry the time for a query that says now, however it is written', () => {
  assert.ok(carriesTime('{"range":{"d":{"gte":"now-1h"}}}'));
  assert.ok(carriesTime('{"range":{"d":{"gte":"\\u006eow-1h"}}}'));
  assert.ok(carriesTime('{"query_string":{"query":"d:[n\\\\ow-1d/d TO *]"}}'));
  assert.ok(carriesTime('{"bool":{"must":[{"terms":{"d":["2020-01-01","now"]}}]}}'));
});

test('limits carry no time for words that only have now in them', () => {
  assert.ok(!carriesTime('{"match":{"t":"know snow nowhere"}}'));
  assert.ok(!carriesTime('{"term":{"now":"x\\\\y"}}'));
});
