import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexMetadata } from '@shoal/state';
import { nodeMappingStats } from './mapping-stats.js';

const index = (name: string, mapping: Record<string, unknown>) =>
  ({ name, uuid: name, mapping }) as unknown as IndexMetadata;
const WIDE = {
  properties: {
    a: { type: 'text', fields: { k: { type: 'keyword' } } },
    o: { properties: { b: { type: 'long' } } },
    n: { type: 'nested', properties: { c: { type: 'long' } } },
    al: { type: 'alias', path: 'a' },
  },
  runtime: { r: { type: 'long' } },
};

test('fields of all kinds, objects and metadata fields count, and an index without fields does not', () => {
  assert.deepEqual(nodeMappingStats([index('m0', {})]), { total_count: 0, total_estimated_overhead_in_bytes: 0 });
  assert.deepEqual(nodeMappingStats([index('m0', {}), index('m1', { properties: { a: { type: 'long' } } })]), {
    total_count: 12,
    total_estimated_overhead_in_bytes: 12_288,
  });
  assert.equal(nodeMappingStats([index('m2', WIDE)]).total_count, 19);
});
