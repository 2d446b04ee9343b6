// Who may make, execute and see enrich policies, and what users of a pipeline see of their documents.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicAuth, call, startNode } from '../node-process.mjs';

let node;
const PASSWORD = 'long-enough';
const as = (name) => (method, target, body) => call(node, method, target, body, basicAuth(`${name}:${PASSWORD}`));
const [maker, limited, writer] = ['maker', 'limited', 'writer'].map(as);
const body = (indices) => ({ match: { indices, match_field: 'mail', enrich_fields: ['team'] } });

before(async () => {
  node = await startNode({ env: { ELASTIC_PASSWORD: 'elastic-secret' }, auth: 'elastic:elastic-secret' });
  await call(node, 'PUT', '/staff/_doc/1?refresh=true', { mail: 'a@b.org', team: 'red', pay: 7 });
  const roles = {
    maker: {
      cluster: ['manage_enrich', 'manage_ingest_pipelines'],
      indices: [{ names: ['staff'], privileges: ['read'] }],
    },
    limited: {
      cluster: ['manage_enrich'],
      indices: [{ names: ['staff'], privileges: ['read'], query: { match_none: {} } }],
    },
    writer: { cluster: ['monitor'], indices: [{ names: ['out'], privileges: ['all'] }] },
  };
  for (const [name, role] of Object.entries(roles)) {
    assert.equal((await call(node, 'PUT', `/_security/role/${name}`, role)).status, 200);
    assert.equal(
      (await call(node, 'PUT', `/_security/user/${name}`, { password: PASSWORD, roles: [name] })).status,
      200,
    );
  }
});
after(() => node?.stop());

test('a policy is made by who may manage policies and read its indices', async () => {
  assert.equal((await writer('PUT', '/_enrich/policy/staff', body('staff'))).status, 403);
  await call(node, 'PUT', '/other/_doc/1?refresh=true', { mail: 'x@b.org', team: 'blue' });
  assert.equal((await maker('PUT', '/_enrich/policy/other', body('other'))).status, 403);
  assert.equal((await maker('PUT', '/_enrich/policy/staff', body('staff'))).status, 200);
  assert.equal((await maker('PUT', '/_enrich/policy/staff/_execute')).status, 200);
});

test('who sees a part of the documents cannot show all of them to pipelines', async () => {
  const { status, body: answer } = await limited('PUT', '/_enrich/policy/mine', body('staff'));
  assert.equal(status, 400);
  assert.match(answer.error.reason, /field or document level security is enabled on one of their indices/);
});

test('a pipeline shows the enrich fields to those who may not read the indices, and no others', async () => {
  const processors = [{ enrich: { policy_name: 'staff', field: 'from', target_field: 'sender' } }];
  assert.equal((await maker('PUT', '/_ingest/pipeline/senders', { processors })).status, 200);
  assert.equal((await writer('PUT', '/out/_doc/1?pipeline=senders', { from: 'a@b.org' })).status, 201);
  const { body: found } = await writer('GET', '/out/_doc/1');
  assert.deepEqual(found._source.sender, { mail: 'a@b.org', team: 'red' });
  assert.equal((await writer('GET', '/staff/_doc/1')).status, 403);
  assert.equal((await writer('GET', '/.enrich-staff/_search')).status, 403);
  assert.equal((await writer('GET', '/_enrich/policy')).status, 403);
  assert.equal((await maker('GET', '/.enrich-staff/_search')).status, 403);
});
