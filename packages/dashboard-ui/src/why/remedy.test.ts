import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presentValuesPath, settingChanges } from './remedy.js';

const remedy = (method: string, path: string, body?: unknown) => ({ does: 'x', method, path, body });

test('a change of index settings shows the value that is there and the new one', () => {
  const fewer = remedy('PUT', '/logs/_settings', { 'index.number_of_replicas': 0 });
  assert.equal(presentValuesPath(fewer), '/logs/_settings?flat_settings=true&include_defaults=true');
  const present = { logs: { settings: { 'index.number_of_replicas': '1' }, defaults: {} } };
  assert.deepEqual(settingChanges(fewer, present), [{ name: 'index.number_of_replicas', present: '1', next: '0' }]);
});

test('null is the default, and of cluster settings the transient one counts', () => {
  const name = 'cluster.routing.allocation.enable';
  const reset = remedy('PUT', '/_cluster/settings', { persistent: { [name]: null }, transient: { [name]: null } });
  const present = { persistent: { [name]: 'none' }, transient: { [name]: 'primaries' }, defaults: { [name]: 'all' } };
  assert.deepEqual(settingChanges(reset, present), [{ name, present: 'primaries', next: 'default' }]);
});

test('calls that change no settings have no values to show', () => {
  assert.equal(presentValuesPath(remedy('POST', '/logs/_open')), null);
  assert.equal(presentValuesPath(remedy('GET', '/_cluster/settings')), null);
  assert.equal(presentValuesPath(remedy('PUT', '/_snapshot/r')), null);
});
