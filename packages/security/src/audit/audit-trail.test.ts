import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, toErrorBody } from '@shoal/errors';
import { runAsDenied } from '../admission/run-as-denial.js';
import type { Authentication } from '../authentication.js';
import type { Subject } from '../subject.js';
import { EVERYBODY } from '../everybody.js';
import type { AuditEvent, AuditOrigin } from './audit-event.js';
import { parseAuditSettings } from './audit-settings.js';
import { createAuditTrail } from './audit-trail.js';
import { createRequestAudit } from './request-audit.js';

const NODE = {
  nodeId: 'N',
  nodeName: 'n',
  hostName: 'h',
  hostIp: '10.0.0.1',
  clusterName: 'c',
  clusterUuid: () => 'U',
};
const ANNA: Authentication = {
  user: { username: 'anna', roles: ['reader'], fullName: null, email: null, metadata: {}, enabled: true },
  realm: { name: 'native1', type: 'native' },
  lookupRealm: { name: 'native1', type: 'native' },
  type: 'realm',
  apiKey: null,
  runAsBy: null,
  serviceAccount: null,
};
const ORIGIN: AuditOrigin = {
  address: '10.0.0.9:4',
  method: 'GET',
  uri: '/logs/_search?size=1',
  requestId: 'R',
  opaqueId: 'o',
  traceId: 't',
  body: '{}',
};

function trail(values: Record<string, string> = {}): {
  lines: Record<string, unknown>[];
  record: (event: AuditEvent) => void;
} {
  const lines: Record<string, unknown>[] = [];
  const settings = parseAuditSettings(
    new Map(Object.entries(values).map(([name, value]) => [`xpack.security.audit.logfile.${name}`, value])),
  );
  const { record } = createAuditTrail({
    settings: () => settings,
    node: NODE,
    now: () => 0,
    write: (line) => void lines.push({ ...line }),
  });
  return { lines, record };
}

const subject = (allowed: readonly string[]): Subject => ({
  ...EVERYBODY,
  authentication: ANNA,
  permissions: {
    ...EVERYBODY.permissions,
    allowsCluster: (action) => action === 'cluster:monitor/health',
    indexAccess: () => ({
      allows: (name) => allowed.includes(name),
      refuse: () => errors.security('no'),
      limits: () => null,
    }),
  },
  denied: () => errors.security('no'),
});

test('an event is one flat line that names the node, the caller and the request', () => {
  const { lines, record } = trail({ 'events.emit_request_body': 'true', 'events.include': '_all' });
  record({ layer: 'rest', action: 'authentication_success', authentication: ANNA, origin: ORIGIN });
  assert.deepEqual(lines, [
    {
      type: 'audit',
      timestamp: '1970-01-01T00:00:00,000+0000',
      'cluster.uuid': 'U',
      'node.id': 'N',
      'event.type': 'rest',
      'event.action': 'authentication_success',
      'authentication.type': 'REALM',
      'user.name': 'anna',
      'user.realm': 'native1',
      'user.roles': ['reader'],
      'origin.type': 'rest',
      'origin.address': '10.0.0.9:4',
      'url.path': '/logs/_search',
      'url.query': 'size=1',
      'request.method': 'GET',
      'request.body': '{}',
      'request.id': 'R',
      opaque_id: 'o',
      'trace.id': 't',
    },
  ]);
});

test('events that are not included, or that a policy leaves out, are not told', () => {
  const { lines, record } = trail({
    'events.exclude': 'access_denied',
    'events.ignore_filters.p.users': 'ann*',
    'events.ignore_filters.p.indices': 'logs-*',
  });
  const granted = { layer: 'transport', action: 'access_granted', authentication: ANNA, origin: ORIGIN } as const;
  record({ ...granted, action: 'access_denied' });
  record({ ...granted, action: 'authentication_success' });
  record({ ...granted, indices: ['logs-1', 'logs-2'] });
  record({ ...granted, indices: ['logs-1', 'other'] });
  record({ ...granted });
  assert.deepEqual(
    lines.map((line) => line['indices']),
    [['logs-1', 'other'], undefined],
  );
});

test('a kind of event or a filter that does not exist is refused', () => {
  assert.throws(() => trail({ 'events.include': 'nope' }), /invalid event name specified \[nope\]/);
  assert.throws(() => trail({ 'events.ignore_filters.p.nodes': 'a' }), /unknown setting/);
  assert.throws(() => trail({ 'events.ignore_filters.p.users': '/a.*/' }), /regular expression/);
});

test('a request tells what it was granted with the names it reached, or that it was denied', () => {
  const { lines, record } = trail();
  const audit = createRequestAudit({ record }, ORIGIN, undefined);
  audit.authenticated(ANNA);
  const access = audit.watch(subject(['logs'])).permissions.indexAccess('indices:data/read/search');
  assert.deepEqual([access.allows('logs'), access.allows('other')], [true, false]);
  audit.answered({ call: 'search', status: 200, path: {}, body: () => undefined });
  assert.deepEqual(
    lines.map((line) => [line['event.action'], line['action'], line['indices']]),
    [['access_granted', 'indices:data/read/search', ['logs']]],
  );
  lines.length = 0;
  const second = createRequestAudit({ record }, ORIGIN, undefined);
  const watched = second.watch(subject([]));
  watched.permissions.indexAccess('indices:data/read/get').refuse(['secret']);
  watched.denied('indices:data/read/get');
  second.answered({ call: 'get', status: 403, path: {}, body: () => undefined });
  assert.deepEqual(
    lines.map((line) => [line['event.action'], line['indices']]),
    [['access_denied', ['secret']]],
  );
});

test('what is granted is told before anything is done, and once', async () => {
  const { lines, record } = trail();
  const audit = createRequestAudit({ record }, ORIGIN, undefined);
  audit.authenticated(ANNA);
  const { permissions } = audit.watch(subject(['a', 'b', 'c']));
  permissions.allowsCluster('cluster:monitor/health');
  await Promise.resolve();
  assert.equal(lines.length, 0);
  audit.begins('cluster.health');
  const granted = (): unknown[] => lines.map((line) => [line['action'], line['request.name'], line['indices']]);
  assert.deepEqual(granted(), [['cluster:monitor/health', 'cluster.health', undefined]]);
  const access = permissions.indexAccess('indices:data/write/bulk');
  access.allows('a');
  access.allows('b');
  await Promise.resolve();
  assert.deepEqual(granted()[1], ['indices:data/write/bulk', 'cluster.health', ['a', 'b']]);
  access.allows('b');
  access.allows('c');
  await Promise.resolve();
  audit.answered({ call: 'cluster.health', status: 200, path: {}, body: () => undefined });
  await Promise.resolve();
  assert.deepEqual(granted().slice(2), [['indices:data/write/bulk', 'cluster.health', ['c']]]);
});

test('a request that switches auditing off is told by the settings that it found', () => {
  const lines: Record<string, unknown>[] = [];
  let settings = parseAuditSettings(new Map());
  const audited = createAuditTrail({
    settings: () => settings,
    node: NODE,
    now: () => 0,
    write: (line) => void lines.push({ ...line }),
  });
  const audit = createRequestAudit(audited.byPresentSettings(), ORIGIN, undefined);
  audit.authenticated(ANNA);
  audit.watch(subject([])).permissions.allowsCluster('cluster:monitor/health');
  settings = parseAuditSettings(new Map([['xpack.security.audit.logfile.events.ignore_filters.p.users', 'anna']]));
  audit.answered({ call: 'cluster.put_settings', status: 200, path: {}, body: () => undefined });
  assert.deepEqual(
    lines.map((line) => [line['event.action'], line['action']]),
    [['access_granted', 'cluster:monitor/health']],
  );
});

test('refused credentials are told by the name they claim, missing ones as anonymous', () => {
  const { lines, record } = trail();
  createRequestAudit({ record }, ORIGIN, `Basic ${Buffer.from('eve:secret').toString('base64')}`).refused(
    errors.unauthenticated('no'),
  );
  createRequestAudit({ record }, ORIGIN, undefined).refused(errors.unauthenticated('no'));
  assert.deepEqual(
    lines.map((line) => [line['event.action'], line['user.name']]),
    [
      ['authentication_failed', 'eve'],
      ['anonymous_access_denied', undefined],
    ],
  );
  assert.ok(!JSON.stringify(lines).includes('secret"'));
});

test('a change of the configuration shows what was put without its secrets', () => {
  const { lines, record } = trail();
  const audit = createRequestAudit({ record }, ORIGIN, undefined);
  const put = {
    call: 'security.put_user',
    path: { username: 'bob' },
    body: () => ({ password: 'hush', roles: ['r'] }),
  };
  audit.answered({ ...put, status: 400 });
  audit.answered({ ...put, status: 200 });
  assert.deepEqual(
    lines.map((line) => [line['event.type'], line['event.action'], line['put']]),
    [
      [
        'security_config_change',
        'put_user',
        { user: { name: 'bob', username: 'bob', has_password: true, roles: ['r'] } },
      ],
    ],
  );
});

test('who acts as another user is told once with what it acts for, and who may not with whom it wanted to be', () => {
  const { lines, record } = trail();
  const acting: Authentication = {
    ...ANNA,
    user: { ...ANNA.user, username: 'bob', roles: ['writer'] },
    lookupRealm: { name: 'file1', type: 'file' },
    runAsBy: ANNA.user,
  };
  const audit = createRequestAudit({ record }, ORIGIN, undefined);
  audit.authenticated(acting);
  const { permissions } = audit.watch(subject(['logs']));
  permissions.indexAccess('indices:data/read/search').allows('logs');
  permissions.indexAccess('indices:data/read/get').allows('logs');
  audit.answered({ call: 'search', status: 200, path: {}, body: () => undefined });
  const shown = [
    'event.action',
    'user.name',
    'user.realm',
    'user.roles',
    'user.run_as.name',
    'user.run_as.realm',
    'user.run_by.name',
    'action',
  ];
  assert.deepEqual(
    lines.map((line) => shown.map((name) => line[name])),
    [
      ['run_as_granted', 'anna', 'native1', ['reader'], 'bob', 'file1', undefined, 'indices:data/read/search'],
      ['access_granted', 'bob', 'file1', ['writer'], undefined, undefined, 'anna', 'indices:data/read/search'],
      ['access_granted', 'bob', 'file1', ['writer'], undefined, undefined, 'anna', 'indices:data/read/get'],
    ],
  );
  lines.length = 0;
  const refused = runAsDenied({ by: ANNA, username: 'zed', realm: null, action: 'a' }, 'no');
  createRequestAudit({ record }, ORIGIN, 'Basic x').refused(refused);
  assert.deepEqual(
    lines.map((line) => shown.map((name) => line[name])),
    [['run_as_denied', 'anna', 'native1', ['reader'], 'zed', undefined, undefined, 'a']],
  );
  createRequestAudit({ record }, ORIGIN, 'Basic x').failed(refused);
  assert.deepEqual(lines[1], lines[0]);
  createRequestAudit({ record }, ORIGIN, 'Basic x').failed(new Error('another'));
  assert.equal(lines.length, 2);
  assert.ok(!JSON.stringify(toErrorBody(refused)).includes('zed'));
});

test('a request that was tampered with names its path', () => {
  const { lines, record } = trail();
  const audit = createRequestAudit({ record }, ORIGIN, undefined);
  audit.authenticated(ANNA);
  audit.tampered();
  assert.deepEqual(
    lines.map((line) => [line['event.type'], line['event.action'], line['user.name'], line['url.path']]),
    [['rest', 'tampered_request', 'anna', '/logs/_search']],
  );
});

test('connections that a filter looked at have the rule and no user; filters of events apply to them', () => {
  const connection = { address: '10.0.0.20', profile: '.http', isAllowed: false, rule: 'deny 10.0.0.0/8' } as const;
  const event: AuditEvent = {
    layer: 'ip_filter',
    action: 'connection_denied',
    authentication: null,
    origin: null,
    connection,
  };
  const { lines, record } = trail();
  record(event);
  record({ ...event, action: 'connection_granted' });
  assert.equal(lines.length, 1);
  const { timestamp: _, ...line } = lines[0]!;
  assert.deepEqual(line, {
    type: 'audit',
    'cluster.uuid': 'U',
    'node.id': 'N',
    'event.type': 'ip_filter',
    'event.action': 'connection_denied',
    'origin.type': 'rest',
    'origin.address': '10.0.0.20',
    'transport.profile': '.http',
    rule: 'deny 10.0.0.0/8',
  });
  const told = trail({ 'events.include': 'connection_granted', 'events.ignore_filters.p.users': 'nobody' });
  told.record({ ...event, action: 'connection_granted', connection: { ...connection, profile: 'default' } });
  assert.deepEqual(
    told.lines.map((one) => [one['origin.type'], one['transport.profile']]),
    [['transport', 'default']],
  );
  const silent = trail({ 'events.ignore_filters.p.users': '' });
  silent.record(event);
  assert.equal(silent.lines.length, 0);
});
