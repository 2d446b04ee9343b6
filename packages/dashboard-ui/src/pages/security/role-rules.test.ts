import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meaningOf, previewBody, readRole } from './role-rules.js';

test('a role is read with all that it grants, also parts of the wrong kind', () => {
  const role = readRole(
    JSON.stringify({
      cluster: ['monitor'],
      run_as: ['nina'],
      applications: [{ application: 'kibana-.kibana', privileges: ['read'], resources: ['*'] }],
      indices: [
        { names: 'logs-*', privileges: ['read'], query: { term: { level: 'error' } } },
        { names: ['a', 3], privileges: ['all'], field_security: { grant: ['*'], except: ['secret'] } },
        null,
      ],
    }),
  );
  assert.deepEqual(role, {
    cluster: ['monitor'],
    runAs: ['nina'],
    applications: ['read of kibana-.kibana for *'],
    indices: [
      { names: ['logs-*'], privileges: ['read'], query: '{"term":{"level":"error"}}', grant: ['*'], except: [] },
      { names: ['a'], privileges: ['all'], query: null, grant: ['*'], except: ['secret'] },
    ],
  });
  assert.throws(() => readRole('[]'), SyntaxError);
  assert.throws(() => readRole('{'), SyntaxError);
  assert.equal(meaningOf('read'), 'read: search and read documents');
  assert.equal(meaningOf('indices:data/read/get'), 'indices:data/read/get');
});

test('the preview searches with the query of the role, for the fields that it shows', () => {
  const grant = { names: ['a'], privileges: ['read'], query: '{"term":{"x":1}}', grant: ['*'], except: ['y'] };
  assert.deepEqual(previewBody(grant), {
    size: 5,
    track_total_hits: true,
    query: { term: { x: 1 } },
    _source: { includes: ['*'], excludes: ['y'] },
  });
  assert.deepEqual((previewBody({ ...grant, grant: [], query: null }) as { _source: unknown })._source, false);
  assert.match(String(previewBody({ ...grant, query: '{"template":{"source":"{}"}}' })), /depend on who asks/);
  assert.match(String(previewBody({ ...grant, query: '{"term":{"u":"{{_user.username}}"}}' })), /depend on who asks/);
  assert.match(String(previewBody({ ...grant, query: 'x' })), /no JSON/);
});
