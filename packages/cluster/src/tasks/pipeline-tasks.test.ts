import assert from 'node:assert/strict';
import { test } from 'node:test';
import { section } from '@shoal/state';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const cluster = (): TestCluster => new TestCluster([testNode('n1')]);
const put = (c: TestCluster, value: object, ifVersion: number | null = null): unknown =>
  c.run('put-pipeline', { name: 'p', value, ifVersion });

test('a pipeline is replaced only if it has the version that the request names', () => {
  const c = cluster();
  const conflict = 'version conflict, required version [2] for pipeline [p] but';
  assert.throws(() => put(c, {}, 2), { reason: `${conflict} no pipeline was found` });
  put(c, { version: 3 });
  assert.throws(() => put(c, {}, 2), { reason: `${conflict} current version is [3]` });
  assert.throws(() => put(c, { version: 3 }, 3), { reason: 'cannot update pipeline [p] with the same version [3]' });
  put(c, { a: 1 }, 3);
  assert.deepEqual(section(c.state, 'pipelines'), { p: { a: 1, version: 4 } });
});

test('pipelines are deleted by pattern, unless an index uses one', () => {
  const c = cluster();
  const remove = (pattern: string): unknown => c.run('delete-pipelines', { pattern });
  assert.throws(() => remove('p*'), { reason: 'pipeline [p*] is missing' });
  remove('*');
  put(c, {});
  const settings = { 'index.default_pipeline': 'p', 'index.final_pipeline': 'p' };
  c.run('create-index', { name: 'i', body: { settings } });
  const where = 'pipeline for 1 index(es) including [i]';
  const reason = `pipeline [p] cannot be deleted because it is the default ${where} and the final ${where}`;
  assert.throws(() => remove('p'), { reason });
  const [uuid] = [...c.state.indices.keys()];
  c.run('delete-index', { uuids: [uuid] });
  remove('p*');
  assert.deepEqual(section(c.state, 'pipelines'), {});
});
