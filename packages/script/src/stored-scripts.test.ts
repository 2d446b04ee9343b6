import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readScript } from './script-source.js';
import { StoredScripts, withStoredScripts } from './stored-scripts.js';

const stored = (): StoredScripts =>
  new StoredScripts((id) => (id === 'a' ? { lang: 'painless', source: 'params.x' } : undefined));

test('the id of a stored script is replaced by its text in the JSON of a request', () => {
  const scripts = stored();
  const json = { script: { id: 'a', params: { x: 1 } } };
  const read = withStoredScripts(scripts, () => readScript(json.script));
  assert.deepEqual([read.id, read.source, read.lang, read.params], [null, 'params.x', 'painless', { x: 1 }]);
  assert.deepEqual(json, { script: { params: { x: 1 }, lang: 'painless', source: 'params.x' } });
  assert.equal(scripts.isUsed, true);
});

test('JSON that is read again still counts as one that names a stored script', () => {
  const json = { id: 'a' };
  withStoredScripts(stored(), () => readScript(json));
  const again = stored();
  assert.equal(withStoredScripts(again, () => readScript(json)).source, 'params.x');
  assert.equal(again.isUsed, true);
});

test('an unknown id stays, and so does any id where stored scripts are not known', () => {
  const scripts = stored();
  assert.equal(withStoredScripts(scripts, () => readScript({ id: 'nope' })).id, 'nope');
  assert.equal(scripts.isUsed, false);
  assert.equal(readScript({ id: 'a' }).id, 'a');
});

test('stored scripts of a request may not be too long together', () => {
  const long = new StoredScripts(() => ({ lang: 'painless', source: 'x'.repeat(65_000) }));
  const all = Array.from({ length: 100 }, () => ({ id: 'a' }));
  assert.throws(() => withStoredScripts(long, () => all.map(readScript)), {
    reason: 'stored scripts of a request have more than [4194304] characters',
  });
});
