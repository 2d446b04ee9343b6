// The guards of the dashboard's table of threats: each is removed, and a unit test has to miss it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../node-process.mjs';

const hook = path.join(root, 'test', 'dashboard', 'without-guard.mjs');

/** How long a test may take that misses its guard, and may wait for what the guard would have sent. */
const TEST_MS_MAX = 60_000;

/**
 * By threat: file of the test, name of the test that fails, and guards, each the text that is taken out and what stands
 * there instead. `file`: where the guard is, if not in the file that the test is named after.
 */
const THREATS = [
  {
    threat: 'script in documents, names, errors, titles',
    tests: 'dashboard/dist/guard/headers',
    fails: 'a page runs its own scripts alone, makes no markup of text and is not framed',
    guards: [
      [`"script-src 'self'"`, `"script-src 'self' 'unsafe-inline'"`],
      [`"require-trusted-types-for 'script'",`, ''],
      [`"object-src 'none'",`, ''],
      [`"base-uri 'none'",`, ''],
      [`"default-src 'none'",`, ''],
      [`"form-action 'self'",`, ''],
      ["['connect-src', \"'self'\",", "['connect-src', '*',"],
      [`["'none'"]`, `["'self'"]`],
    ],
  },
  {
    threat: 'script in documents, names, errors, titles',
    tests: 'dashboard-ui/dist/explore/marks',
    fails: 'words that matched are told by field, and for the field that a variant is of',
    guards: [[String.raw`/\ue000([^\ue001]+)\ue001/g`, String.raw`/(?:\ue000|<em>)([^\ue001<]+)(?:\ue001|<\/em>)/g`]],
  },
  {
    threat: 'forged requests',
    tests: 'dashboard/dist/guard/forged',
    fails: 'what changes something needs kbn-xsrf, in the words of Kibana',
    guards: [["headers['kbn-xsrf'] === undefined &&", 'false &&']],
  },
  {
    threat: 'forged requests',
    tests: 'dashboard/dist/guard/forged',
    fails: 'other origins and sites are refused, also with the header',
    guards: [
      ['origin !== undefined &&', 'false &&'],
      ["headers['sec-fetch-site'] === 'cross-site'", 'false'],
    ],
  },
  {
    threat: 'forged requests',
    tests: 'dashboard/dist/guard/forged',
    fails: 'bodies of forms are refused',
    guards: [['if (hasBody &&', 'if (false &&']],
  },
  {
    threat: 'forged requests',
    tests: 'dashboard/dist/calls/login',
    fails: 'no script reads the cookie of a session, and no other site sends it',
    guards: [
      ['`SameSite=${sameSite}`,', ''],
      ["'HttpOnly',", ''],
      ["...(isCookieSecure ? ['Secure'] : []),", ''],
    ],
  },
  {
    threat: 'forged requests',
    tests: 'dashboard/dist/guard/host-names',
    fails: 'names that a web page can let point here are not answered',
    guards: [["!name.includes('.')", 'true']],
  },
  {
    threat: 'framing, sniffing, referrers',
    tests: 'dashboard/dist/guard/headers',
    fails: 'every answer forbids framing, guessing of types, and telling other sites the address',
    guards: [
      ["{ 'x-frame-options': server.isEmbeddable ? 'SAMEORIGIN' : 'DENY' }", '{}'],
      ["'x-content-type-options': safety.contentTypes,", ''],
      ["'referrer-policy': safety.referrers,", ''],
      ["'cross-origin-opener-policy': safety.openers,", ''],
      ["'permissions-policy': safety.permissions,", "'permissions-policy': '',"],
      ["{ 'strict-transport-security': transport }", '{}'],
    ],
  },
  {
    threat: 'the way through as a springboard',
    tests: 'dashboard/dist/guard/cluster-path',
    fails: 'nothing but a path of the cluster goes through',
    guards: [
      ["if (!path.startsWith('/'))", 'if (false)'],
      ["withoutQuery.includes('//')", 'false'],
      [String.raw`/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(withoutQuery)`, 'false'],
      [String.raw`/[\u0000-\u0020\u007f\\#]/.test(path)`, 'false'],
      ['/%(?:0[0ad]|5c)/i.test(withoutQuery)', 'false'],
      ['path.length > PATH_CHARACTERS_MAX', 'false'],
      ['if (!METHODS.has(method))', 'if (false)'],
    ],
  },
  {
    threat: 'the way through as a springboard',
    tests: 'dashboard/dist/through',
    fails: 'of the headers of a browser only harmless ones go on, with the credentials of the session',
    guards: ["'es-security-runas-user'", "'es-secondary-authorization'", "'cookie'"].map((name) => [
      "'content-type', 'accept'",
      `${name}, 'content-type', 'accept'`,
    ]),
  },
  {
    threat: 'the way through as a springboard',
    tests: 'dashboard/dist/through',
    fails: 'no cookie, challenge or rule of the cluster comes back, and no redirect is followed',
    guards: ["'set-cookie',", "'www-authenticate',", "'strict-transport-security',"].map((name) => [name, '']),
  },
  {
    threat: 'guessing',
    tests: 'dashboard/dist/sessions/login-limits',
    fails: 'after five failures of a name at an address the pause doubles from one second to five minutes',
    guards: [
      ['FREE_FAILURES = 5', 'FREE_FAILURES = 1e9'],
      ['2 ** Math.min', '1 ** Math.min'],
    ],
  },
  {
    threat: 'guessing',
    tests: 'dashboard/dist/sessions/login-limits',
    fails: null,
    guards: [
      ['ADDRESS_FAILURES_MAX = 60', 'ADDRESS_FAILURES_MAX = 1e9'],
      ['CHECKS_MAX = 4', 'CHECKS_MAX = 1e9'],
    ],
  },
  {
    threat: 'redirects',
    tests: 'dashboard/dist/guard/next',
    fails: 'a login leads nowhere else',
    guards: [
      ["!next.startsWith('/') || next.startsWith('//')", 'false'],
      ["url.pathname.startsWith('//')", 'false'],
      ['url.pathname !== basePath && !url.pathname.startsWith(home)', 'false'],
    ],
  },
  {
    threat: 'redirects',
    tests: 'dashboard/dist/tls/redirect-server',
    fails: 'what is no name and no path is led nowhere',
    guards: [
      [String.raw`/^(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?$/i`, '/^(.+)$/'],
      [String.raw`!/^\/(?![/\\])/.test(path)`, 'false'],
    ],
  },
  {
    threat: 'prototype pollution, depth',
    tests: 'dashboard/dist/guard/strict-json',
    fails: 'prototypes, depth and broken JSON are refused',
    guards: [
      ["'__proto__', 'constructor', 'prototype'", "'constructor', 'prototype'"],
      ["'__proto__', 'constructor', 'prototype'", "'__proto__', 'prototype'"],
      ['DEPTH_MAX = 50', 'DEPTH_MAX = 1e9'],
    ],
  },
  {
    threat: 'prototype pollution, depth',
    tests: 'dashboard/dist/guard/strict-json',
    fails: 'objects have known members of the right kind',
    guards: [['!Object.hasOwn(members, key)', 'false']],
  },
  {
    threat: 'formulas in CSV',
    tests: 'values/dist/csv',
    fails: 'what a spreadsheet would run is guarded, also in names, unless it is told not to',
    guards: [
      ['isGuarded && FORMULA.test(text)', 'false'],
      ['isGuarded && !PLAIN_NAME.test(name)', 'false'],
    ],
  },
  {
    threat: 'logs',
    tests: 'dashboard/dist/request-line',
    fails: 'a line tells method, route, status and time of a request, never its query',
    guards: [["url.split('?', 1)[0]", 'url']],
  },
  {
    threat: 'records of sessions',
    tests: 'dashboard/dist/sessions/session-store',
    file: 'dashboard/dist/sessions/seal',
    fails: 'a record without its cookie, or with another secret half, or another server key, opens nothing',
    guards: [
      ["hkdfSync('sha256', secret, serverKey", "hkdfSync('sha256', 'none', serverKey"],
      ["hkdfSync('sha256', secret, serverKey", "hkdfSync('sha256', secret, ''"],
    ],
  },
  {
    threat: 'saved objects and records of sessions are read by others',
    tests: 'security/dist/permissions/restricted-names',
    fails: 'what people save in the dashboard and their sessions are restricted',
    guards: [["'.shoal-dashboards*',", '']],
  },
];

/** Names of the unit tests that fail without a guard. */
function failedWithout({ tests, file = tests }, [from, to]) {
  const child = spawn(
    process.execPath,
    ['--import', hook, '--test-reporter=tap', path.join(root, 'packages', `${tests}.test.js`)],
    {
      env: { ...process.env, NODE_TEST_CONTEXT: '', GUARD_FILE: `packages/${file}.js`, GUARD_FROM: from, GUARD_TO: to },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TEST_MS_MAX,
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const failed = [...said.matchAll(/^not ok \d+ - (.*)$/gm)].map(([, name]) => name);
      resolve({ code, failed, said });
    });
  });
}

for (const threat of THREATS)
  for (const guard of threat.guards)
    test(`${threat.threat}: without ${guard[0]} a test of ${threat.tests} fails`, async () => {
      const { code, failed, said } = await failedWithout(threat, guard);
      assert.equal(code, 1, said.slice(-2000));
      assert.ok(threat.fails === null ? failed.length > 0 : failed.includes(threat.fails), said.slice(-2000));
    });
