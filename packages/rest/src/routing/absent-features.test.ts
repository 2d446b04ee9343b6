import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absentFeature } from './absent-features.js';
import { splitPath } from './router.js';

test('a path of a feature that is absent is refused by the name of the feature, whatever the method', () => {
  const error = absentFeature('POST', '/_sql?format=txt', ['_sql']);
  assert.equal(error?.status, 400);
  assert.equal(error?.type, 'feature_not_enabled_exception');
  assert.equal(
    error?.reason,
    'no handler found for uri [/_sql?format=txt] and method [POST]: not in this version: SQL',
  );
  assert.deepEqual(error?.meta, { 'disabled.feature': 'sql' });
  assert.match(absentFeature('GET', '/', ['logs', '_eql', 'search'])?.reason ?? '', /EQL$/);
  assert.match(absentFeature('GET', '/', ['_all', '_graph', 'explore'])?.reason ?? '', /graph exploration$/);
});

test('names of indices and unknown paths are no absent features', () => {
  for (const path of ['/sql', '/_foo', '/_foo/bar', '/_cat/indices', '/_sqlx', '/logs/_doc/_sql'])
    assert.equal(absentFeature('GET', path, splitPath(path)), null, path);
});
