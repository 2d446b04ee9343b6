import assert from 'node:assert/strict';
import { test } from 'node:test';
import { section } from '@shoal/state';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

test('a policy is stored once, and deleted when no pipeline uses it', () => {
  const c = new TestCluster([testNode('n1')]);
  const put = (): unknown => c.run('put-enrich-policy', { name: 'users', policy: { type: 'match' } });
  const remove = (): unknown => c.run('delete-enrich-policy', { name: 'users' });
  put();
  assert.throws(put, { reason: 'policy [users] already exists' });
  const inner = { foreach: { field: 'a', processor: { enrich: { policy_name: 'users' } } } };
  c.run('put-pipeline', { name: 'p', value: { processors: [inner] }, ifVersion: null });
  assert.throws(remove, {
    reason: 'Could not delete policy [users] because a pipeline is referencing it [p]',
    status: 409,
  });
  c.run('put-pipeline', { name: 'p', value: { processors: [{ enrich: { policy_name: 'other' } }] }, ifVersion: null });
  remove();
  assert.deepEqual(section(c.state, 'enrichPolicies'), {});
  assert.throws(remove, { reason: 'policy [users] not found' });
});
