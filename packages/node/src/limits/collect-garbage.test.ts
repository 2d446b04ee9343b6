import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapStatistics } from 'node:v8';
import { garbageCollector } from './collect-garbage.js';

const MB = 2 ** 20;

/** Makes buffers and drops them. */
function drop(): void {
  for (let i = 0; i < 16; i++) new Uint8Array(MB).fill(1);
}

test('a whole collection has freed buffers when it returns: the parent breaker looks at what is left at once', () => {
  const collect = garbageCollector();
  collect('major');
  const before = getHeapStatistics().external_memory;
  drop();
  collect('major');
  assert.ok(getHeapStatistics().external_memory - before < 2 * MB);
});

test('a collection that is begun holds nothing itself', () => {
  const collect = garbageCollector();
  collect('major');
  const before = getHeapStatistics().external_memory;
  collect('begin');
  collect('major');
  assert.ok(getHeapStatistics().external_memory - before < 64 * MB);
});
