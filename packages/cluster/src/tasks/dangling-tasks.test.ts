import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameIndex } from '@shoal/state';
import { tombstones } from '../metadata/remove-indices.js';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

/** A cluster that has forgotten its index `a`, and the metadata of it. */
function forgetful() {
  const c = new TestCluster([testNode('n1'), testNode('n2')]).withStores();
  c.create('a', 2, 1);
  c.settle();
  const metadata = nameIndex(c.state).get('a')!;
  c.state = {
    ...c.state,
    indices: new Map([...c.state.indices].filter(([uuid]) => uuid !== metadata.uuid)),
    routing: new Map([...c.state.routing].filter(([uuid]) => uuid !== metadata.uuid)),
  };
  return { c, metadata };
}

test('a forgotten index is imported under its uuid, from the stores of its in-sync copies', () => {
  const { c, metadata } = forgetful();
  c.run('import-dangling', { metadata });
  c.settle();
  assert.ok(c.copies().length === 4 && c.copies().every((copy) => copy.state === 'STARTED'));
  assert.ok(c.copies().every((copy) => copy.indexUuid === metadata.uuid));
  const imported = c.state.indices.get(metadata.uuid)!;
  assert.ok(imported.primaryTerms.every((term, shard) => term > metadata.primaryTerms[shard]!));
});

test('names that are taken are refused', () => {
  const { c, metadata } = forgetful();
  const refuses = (changed: object, why: RegExp): void => {
    const before = c.state;
    assert.throws(() => c.run('import-dangling', { metadata: { ...metadata, ...changed } }), why);
    assert.equal(c.state, before);
  };
  c.create('b', 1, 0);
  refuses({ name: 'b' }, /cannot import dangling index \[b\/.*\]: an index of that name exists/);
  refuses({ aliases: { b: {} } }, /its alias \[b\] is the name of an index or a data stream/);
  refuses({ uuid: nameIndex(c.state).get('b')!.uuid }, /the cluster has it already/);
});

test('a forgotten index that is deleted leaves a tombstone; a known one is not deleted this way', () => {
  const { c, metadata } = forgetful();
  c.run('delete-dangling', { uuid: metadata.uuid, name: 'a' });
  assert.deepEqual(
    tombstones(c.state).map(({ uuid }) => uuid),
    [metadata.uuid],
  );
  assert.throws(() => c.run('import-dangling', { metadata }), /cannot import dangling index \[a\/.*\]: it was deleted/);
  c.create('b', 1, 0);
  const known = nameIndex(c.state).get('b')!.uuid;
  assert.throws(() => c.run('delete-dangling', { uuid: known, name: 'b' }), /is not dangling/);
});
