// Takes the guards of the dashboard away one by one and runs the test of each, which must fail: a test that passes
// without its guard shows nothing. Works on the compiled files, which are put back.
// Usage: node test/drills/dashboard-guards.mjs [part of a threat]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../node-process.mjs';

const ROOM = path.join(root, 'packages', 'dashboard');
const unit = (name) => path.join(ROOM, 'dist', `${name}.test.js`);
const SERVER = path.join(root, 'test', 'dashboard', 'server.test.mjs');

/**
 * Each guard: the threat, the file of the room, what is replaced by what, the file of the test, and a part of its
 * name.
 */
const GUARDS = [
  ['script in documents: policy', 'guard/headers', `"script-src 'self'"`, `"script-src *"`, SERVER, 'pages carry'],
  [
    ...['script in documents: trusted types', 'guard/headers', `"require-trusted-types-for 'script'"`, `''`],
    ...[SERVER, 'pages carry'],
  ],
  [
    ...['script in documents: boot data', 'pages/shell', `.replaceAll('<', '\\\\u003c')`, ''],
    ...[unit('pages/shell'), 'boot data cannot end'],
  ],
  [
    'script in documents: titles',
    'pages/shell',
    /text\.replace\(.*?\);/,
    'text;',
    unit('pages/shell'),
    'title is text',
  ],
  [
    ...['forged requests: header', 'guard/forged', `headers['kbn-xsrf'] === undefined`, 'false'],
    ...[unit('guard/forged'), 'needs kbn-xsrf'],
  ],
  [
    ...['forged requests: origin', 'guard/forged', '!origins.includes(origin)', 'false'],
    ...[unit('guard/forged'), 'other origins'],
  ],
  [
    ...['forged requests: site', 'guard/forged', `headers['sec-fetch-site'] === 'cross-site'`, 'false'],
    ...[unit('guard/forged'), 'other origins'],
  ],
  [
    'forged requests: forms',
    'guard/forged',
    '!BODY_TYPES.test(type)',
    'false',
    unit('guard/forged'),
    'bodies of forms',
  ],
  ['framing', 'guard/headers', `'x-frame-options'`, `'x-none'`, SERVER, 'pages carry'],
  ['sniffing', 'guard/headers', `'x-content-type-options'`, `'x-none'`, SERVER, 'pages carry'],
  ['referrers', 'guard/headers', `'referrer-policy'`, `'x-none'`, SERVER, 'pages carry'],
  [
    ...['springboard: two slashes, dots', 'guard/cluster-path', 'isUnclear ||', 'false ||'],
    ...[unit('guard/cluster-path'), 'nothing but a path'],
  ],
  [
    ...['springboard: other beginnings', 'guard/cluster-path', `!path.startsWith('/')`, 'false'],
    ...[unit('guard/cluster-path'), 'nothing but a path'],
  ],
  [
    ...['springboard: length', 'guard/cluster-path', 'path.length > PATH_CHARACTERS_MAX', 'false'],
    ...[unit('guard/cluster-path'), 'nothing but a path'],
  ],
  [
    ...['springboard: credentials of browsers', 'through', `'x-opaque-id'`, `'x-opaque-id', 'authorization'`],
    ...[SERVER, 'what goes through'],
  ],
  ['springboard: cookies of the cluster', 'through', `'set-cookie',`, '', SERVER, 'what goes through'],
  ['springboard: its questions', 'through', `'www-authenticate',`, '', SERVER, 'what goes through'],
  [
    ...['guessing: a name', 'sessions/login-limits', 'pair.count >= FREE_FAILURES', 'false'],
    ...[unit('sessions/login-limits'), 'five failures'],
  ],
  [
    ...['guessing: an address', 'sessions/login-limits', 'all.count >= ADDRESS_FAILURES_MAX', 'false'],
    ...[unit('sessions/login-limits'), '60 failures'],
  ],
  [
    ...['guessing: many at once', 'sessions/login-limits', 'checks >= CHECKS_MAX', 'false'],
    ...[unit('sessions/login-limits'), 'four passwords'],
  ],
  ['guessing: the cluster is not asked', 'calls/login', 'wait > 0', 'false', SERVER, 'guessing is slowed'],
  [
    ...['sessions: a given cookie', 'calls/login', 'endSession(context, incoming);', ';'],
    ...[SERVER, 'never takes over'],
  ],
  [
    ...['sessions: sealed with the cookie', 'sessions/seal', `'sha256', secret, serverKey`, `'sha256', 'x', serverKey`],
    ...[unit('sessions/session-store'), 'without its cookie'],
  ],
  [
    ...['sessions: idle', 'sessions/session-store', /now - usedAtMs >= this\.#settings\.idleMs/, 'false'],
    ...[unit('sessions/session-store'), 'ends when idle'],
  ],
  [
    'redirects: other origins',
    'guard/next',
    /if \(!next\.startsWith\('\/'\)[\s\S]*?(?=if \(url\.pathname !== basePath)/,
    'const url = new URL(next, "http://dashboard.invalid");',
    ...[unit('guard/next'), 'leads nowhere'],
  ],
  [
    ...['redirects: beside the base path', 'guard/next', '!url.pathname.startsWith(home)', 'false'],
    ...[unit('guard/next'), 'leads nowhere'],
  ],
  [
    ...['prototype pollution', 'guard/strict-json', 'REFUSED_KEYS.has(key)', 'false'],
    ...[unit('guard/strict-json'), 'prototypes'],
  ],
  ['depth', 'guard/strict-json', 'depth >= DEPTH_MAX', 'false', unit('guard/strict-json'), 'prototypes'],
  [
    'formulas in CSV',
    '../../values/dist/csv',
    'FORMULA.test(text)',
    'false',
    unit('export/export-rows'),
    'line of CSV',
  ],
  ['logs', 'server', `url.split('?', 1)[0],`, 'url,', SERVER, 'logs have routes'],
  [
    ...['rebound names', 'guard/host-names', `!name.includes('.')`, 'true'],
    ...[unit('guard/host-names'), 'names that a web page'],
  ],
].map(([threat, file, from, to, test, name]) => ({ threat, file, from, to, test, name }));

function runTest({ test, name }) {
  const args = ['--test', '--test-reporter=tap', `--test-name-pattern=${name}`, test];
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 300_000 });
  const ran = Number(/^# pass (\d+)/m.exec(stdout)?.[1] ?? 0) + Number(/^# fail (\d+)/m.exec(stdout)?.[1] ?? 0);
  return { isGood: status === 0, ran };
}

/** Takes a guard away, runs its test, puts the guard back. Returns what happened. */
function verdict(guard) {
  const file = path.join(ROOM, 'dist', `${guard.file}.js`);
  const text = fs.readFileSync(file, 'utf8');
  const without = text.replace(guard.from, () => guard.to);
  if (without === text) return 'the guard was not found';
  try {
    fs.writeFileSync(file, without);
    const { isGood, ran } = runTest(guard);
    if (ran === 0) return 'no test has the name';
    return isGood ? 'PASSES WITHOUT THE GUARD' : 'fails';
  } finally {
    fs.writeFileSync(file, text);
  }
}

// The program takes its bundle only while no package was compiled after it: a note of now makes it take the files.
const note = path.join(ROOM, 'dist', '.tsbuildinfo');
const { atime, mtime } = fs.statSync(note);
const now = new Date();
fs.utimesSync(note, now, now);
let isGood = true;
try {
  for (const guard of GUARDS.filter(({ threat }) => threat.includes(process.argv[2] ?? ''))) {
    const said = verdict(guard);
    isGood &&= said === 'fails';
    process.stdout.write(`${guard.threat} | ${path.basename(guard.test)}: ${guard.name} | ${said}\n`);
  }
} finally {
  fs.utimesSync(note, atime, mtime);
}
process.exit(isGood ? 0 : 1);
