import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';
import { createMasterMappings, type IndexMappings } from '../metadata/index-mappings.js';
import { TASKS } from './catalogue.js';

const NAMES = Array.from({ length: 10 }, (_, i) => `i${i}`);

/** A cluster of ten indices; `merges` counts the mappings that updates were merged into. */
function tenIndices(): { c: TestCluster; merges: () => number; mappings: IndexMappings } {
  const c = new TestCluster([testNode('n1')]);
  for (const name of NAMES) c.create(name, 1, 0);
  const service = createMasterMappings();
  let count = 0;
  const mappings: IndexMappings = {
    ...service,
    merge(...given) {
      count++;
      return service.merge(...given);
    },
  };
  c.extra = { mappings };
  return { c, merges: () => count, mappings };
}

const task = TASKS.get('put-mapping')!;
const body = (c: TestCluster, mapping: unknown): unknown => ({ uuids: NAMES.map((name) => c.uuid(name)), mapping });
const keyword = { properties: { k: { type: 'keyword' } } };

test('indices with one mapping get an update by one merge', () => {
  const { c, merges } = tenIndices();
  c.run('put-mapping', body(c, keyword));
  assert.equal(merges(), 1);
  for (const name of NAMES) assert.deepEqual(c.state.indices.get(c.uuid(name))!.mapping, keyword);
});

test('an update of many indices is prepared step by step, its task merges only what has changed since', () => {
  const { c, merges, mappings } = tenIndices();
  NAMES.forEach((name, i) => c.run('put-mapping', { uuids: [c.uuid(name)], mapping: { _meta: { i } } }));
  const request = body(c, keyword);
  const before = merges();
  assert.equal([...task.prepare!(c.state, request, mappings)].length, NAMES.length);
  assert.equal(merges() - before, NAMES.length);
  c.run('put-mapping', { uuids: [c.uuid('i3')], mapping: { properties: { other: { type: 'long' } } } });
  const prepared = merges();
  c.run('put-mapping', request);
  assert.equal(merges() - prepared, 1);
  assert.deepEqual(c.state.indices.get(c.uuid('i3'))!.mapping, {
    _meta: { i: 3 },
    properties: { k: { type: 'keyword' }, other: { type: 'long' } },
  });
});

test('documents cannot add fields to an index whose metadata is blocked', () => {
  const { c } = tenIndices();
  c.run('add-block', { uuids: [c.uuid('i0')], block: 'metadata' });
  assert.throws(() => c.run('dynamic-mapping', { indexUuid: c.uuid('i0'), mapping: keyword }), {
    type: 'cluster_block_exception',
  });
});

test('what cannot be merged fails in preparation and in the task', () => {
  const { c, mappings } = tenIndices();
  c.run('put-mapping', body(c, keyword));
  const request = body(c, { properties: { k: { type: 'long' } } });
  const refusal = { reason: 'mapper [k] cannot be changed from type [keyword] to [long]' };
  assert.throws(() => [...task.prepare!(c.state, request, mappings)], refusal);
  assert.throws(() => c.run('put-mapping', request), refusal);
});
