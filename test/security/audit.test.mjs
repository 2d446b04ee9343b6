// The audit log of a node with security: who came, what they were granted and denied, what was changed.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { basicAuth, call, logRecords, startNode, temporaryFolder } from '../node-process.mjs';

const ELASTIC = 'elastic:first-password';
const ANNA = 'anna:annas-password';
const logs = temporaryFolder('audit');
let node;

before(async () => {
  node = await startNode({
    settings: {
      'path.logs': logs,
      'cluster.name': 'told',
      'xpack.security.enabled': true,
      'xpack.security.audit.enabled': true,
    },
    env: { ELASTIC_PASSWORD: 'first-password' },
    auth: ELASTIC,
  });
});
after(() => node.stop());

const as = (auth, method, target, body) =>
  call(node, method, target, body, { ...basicAuth(auth), 'x-opaque-id': 'audited' });

const auditFile = path.join(logs, 'told_audit.json');
/** The events of these requests once there are `count` of them. */
const events = (count) => logRecords(auditFile, (line) => line.opaque_id === 'audited', count);
/** All events with this action, once there is one. */
const eventsOf = (action) => logRecords(auditFile, (line) => line['event.action'] === action);

test('refused credentials, grants, denials and changes are told without secrets', async () => {
  assert.equal((await as('elastic:wrong', 'GET', '/')).status, 401);
  assert.equal(
    (await as(ELASTIC, 'PUT', '/_security/role/reader', { indices: [{ names: ['logs-*'], privileges: ['read'] }] }))
      .status,
    200,
  );
  assert.equal(
    (await as(ELASTIC, 'PUT', '/_security/user/anna', { password: 'annas-password', roles: ['reader'] })).status,
    200,
  );
  await call(node, 'PUT', '/logs-1/_doc/1?refresh=true', { a: 1 }, basicAuth(ELASTIC));
  assert.equal((await as(ANNA, 'GET', '/logs-*/_search')).status, 200);
  assert.equal((await as(ANNA, 'GET', '/secret/_search')).status, 403);
  const told = (await events(7)).map((line) => [line['event.action'], line['user.name'], line.action, line.indices]);
  assert.deepEqual(told[0], ['authentication_failed', 'elastic', undefined, undefined]);
  assert.deepEqual(
    told.filter(([action]) => action.startsWith('put_')).map(([action, user]) => [action, user]),
    [
      ['put_role', 'elastic'],
      ['put_user', 'elastic'],
    ],
  );
  assert.deepEqual(
    told.find(([action, user]) => action === 'access_granted' && user === 'anna'),
    ['access_granted', 'anna', 'indices:data/read/search', ['logs-1']],
  );
  assert.deepEqual(told.at(-1), ['access_denied', 'anna', 'indices:data/read/search', ['secret']]);
  assert.ok(!/annas-password|first-password/.test(fs.readFileSync(auditFile, 'utf8')));
});

test('what is told changes at run time', async () => {
  const before = (await events(7)).length;
  const settings = {
    persistent: {
      'xpack.security.audit.logfile.events.exclude': 'access_granted',
      'xpack.security.audit.logfile.events.ignore_filters.mine.users': 'elastic',
    },
  };
  assert.equal((await as(ELASTIC, 'PUT', '/_cluster/settings', settings)).status, 200);
  // The change itself is told, although it excludes both what it is and who makes it.
  const [change] = await logRecords(auditFile, (line) => line.action === 'cluster:admin/settings/update');
  assert.deepEqual(
    [change['event.action'], change['user.name'], change['request.name']],
    ['access_granted', 'elastic', 'cluster.put_settings'],
  );
  await as(ANNA, 'GET', '/logs-*/_search');
  await as(ANNA, 'GET', '/secret/_search');
  const added = (await events(before + 2)).slice(before + 1).map((line) => line['event.action']);
  assert.ok(added.includes('access_denied') && !added.includes('access_granted'), added.join(', '));
  const { status, body } = await as(ELASTIC, 'PUT', '/_cluster/settings', {
    persistent: { 'xpack.security.audit.logfile.events.include': 'nope' },
  });
  assert.deepEqual([status, body.error.reason], [400, 'invalid event name specified [nope]']);
});

test('who acts as whom, ids that were not given out, and connections that a filter looks at are told', async () => {
  const reset = {
    persistent: {
      'xpack.security.audit.logfile.events.exclude': null,
      'xpack.security.audit.logfile.events.ignore_filters.mine.users': null,
      'xpack.security.audit.logfile.events.include': '_all',
    },
  };
  assert.equal((await as(ELASTIC, 'PUT', '/_cluster/settings', reset)).status, 200);
  const acting = (auth, username) =>
    call(node, 'GET', '/_security/_authenticate', undefined, {
      ...basicAuth(auth),
      'es-security-runas-user': username,
    });
  assert.equal((await acting(ELASTIC, 'anna')).status, 200);
  const [granted] = await eventsOf('run_as_granted');
  assert.deepEqual(
    [granted['user.name'], granted['user.run_as.name'], granted['user.realm']],
    ['elastic', 'anna', 'reserved'],
  );
  assert.equal((await acting(ANNA, 'elastic')).status, 403);
  const [denied] = await eventsOf('run_as_denied');
  assert.deepEqual([denied['user.name'], denied['user.run_as.name']], ['anna', 'elastic']);
  assert.equal((await acting(ELASTIC, '')).status, 401);
  const [nobody] = await logRecords(
    auditFile,
    (line) => line['event.action'] === 'run_as_denied' && line['event.type'] === 'rest',
  );
  assert.deepEqual(
    [nobody['user.name'], nobody['user.run_as.name'], nobody['url.path'], nobody['action']],
    ['elastic', '', '/_security/_authenticate', undefined],
  );
  assert.equal((await as(ANNA, 'POST', '/_search/scroll', { scroll_id: 'bm9uZQ==' })).status, 400);
  const [tampered] = await eventsOf('tampered_request');
  assert.deepEqual(
    [tampered['event.type'], tampered['user.name'], tampered['url.path']],
    ['rest', 'anna', '/_search/scroll'],
  );
  assert.equal(
    (
      await as(ELASTIC, 'PUT', '/_cluster/settings', {
        persistent: { 'xpack.security.http.filter.deny': '10.0.0.0/8' },
      })
    ).status,
    200,
  );
  // A connection of its own.
  await new Promise((resolve, reject) =>
    http
      .get(`${node.url}/`, { agent: false, signal: AbortSignal.timeout(60_000) }, (answer) =>
        answer.resume().on('end', resolve),
      )
      .on('error', reject),
  );
  const [connection] = await eventsOf('connection_granted');
  assert.deepEqual(
    [connection['event.type'], connection['origin.type'], connection['transport.profile']],
    ['ip_filter', 'rest', '.http'],
  );
});
