import assert from 'node:assert/strict';
import { test } from 'node:test';

// The module reads the place of a browser when it is loaded.
Object.assign(globalThis, {
  document: { getElementById: () => ({ textContent: '{"basePath":"","hasSecurity":false}' }) },
  window: { location: { pathname: '/app/cluster', search: '' }, addEventListener: () => undefined },
});
const { tabAfterKey, withTab } = await import('./tabs.js');

test('arrows go round, Home and End to the ends', () => {
  assert.deepEqual(
    [tabAfterKey('ArrowRight', 2, 3), tabAfterKey('ArrowLeft', 0, 3), tabAfterKey('End', 0, 3), tabAfterKey('x', 0, 3)],
    [0, 2, 2, null],
  );
});

test('the first tab is left out of the address, and the rest of the query stays', () => {
  const query = new URLSearchParams('q=a&tab=shards');
  assert.equal(withTab('/app/cluster', query, 'tasks', false), '/app/cluster?q=a&tab=tasks');
  assert.equal(withTab('/app/cluster', query, 'nodes', true), '/app/cluster?q=a');
  assert.equal(withTab('/app/cluster', new URLSearchParams('tab=x'), 'nodes', true), '/app/cluster');
});
