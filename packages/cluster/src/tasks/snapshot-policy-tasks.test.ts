import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sectionEntry } from '@shoal/state';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const policy = { name: '<daily-{now/d}>', schedule: '0 30 1 * * ?', repository: 'r' };

test('a snapshot policy that is stored again stays as it is, with its version', () => {
  const cluster = new TestCluster([testNode('n1')]);
  const put = (changes: object, authentication: unknown = null): unknown => {
    cluster.run('put-snapshot-policy', { id: 'daily', policy: { ...policy, ...changes }, authentication });
    return (sectionEntry(cluster.state, 'snapshotPolicies', 'daily') as { version: number }).version;
  };
  put({});
  cluster.run('note-snapshot-policy', { id: 'daily', set: { triggeredMs: 7 } });
  // What a policy has done takes nothing from it: it was stored while security was off.
  assert.equal(
    (sectionEntry(cluster.state, 'snapshotPolicies', 'daily') as object & { authentication: unknown }).authentication,
    null,
  );
  const before = cluster.state;
  cluster.nowMs += 60_000;
  assert.equal(put({}), 1);
  assert.equal(cluster.state, before);
  assert.equal(put({ schedule: '0 30 2 * * ?' }), 2);
  assert.equal(put({ schedule: '0 30 2 * * ?' }, { username: 'other' }), 3);
});
