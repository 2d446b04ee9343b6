import assert from 'node:assert/strict';
import { test } from 'node:test';
import { section } from '@shoal/state';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const script = { lang: 'mustache', source: '{{a}}' };

test('a stored script is put, replaced and deleted', () => {
  const c = new TestCluster([testNode('n1')]);
  c.run('put-stored-script', { id: '__proto__', script });
  c.run('put-stored-script', { id: 'a', script });
  c.run('put-stored-script', { id: 'a', script: { ...script, source: '{{b}}' } });
  const stored = section(c.state, 'storedScripts');
  assert.deepEqual(Object.keys(stored).sort(), ['__proto__', 'a']);
  assert.deepEqual(stored['a'], { lang: 'mustache', source: '{{b}}' });
  c.run('delete-stored-script', { id: '__proto__' });
  assert.deepEqual(Object.keys(section(c.state, 'storedScripts')), ['a']);
});

test('a stored script that is not there cannot be deleted', () => {
  const c = new TestCluster([testNode('n1')]);
  for (const id of ['a', '__proto__', 'constructor'])
    assert.throws(() => c.run('delete-stored-script', { id }), {
      type: 'resource_not_found_exception',
      reason: `stored script [${id}] does not exist and cannot be deleted`,
    });
});
