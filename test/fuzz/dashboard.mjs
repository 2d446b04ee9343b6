// Throws damaged requests at the dashboard inside of a node of its own: pages, own calls, saved objects, exports, the
// way through. Findings: an answer of 500 or of a status that is none, an answer to a call that is no JSON, no answer
// in time, and the end of the process.
import http from 'node:http';
import { startNodeWithDashboard } from '../dashboard/dashboard-process.mjs';
import { call } from '../node-process.mjs';
import { residentPeakMegabytes } from '../resident-memory.mjs';
import { jsonText, mutateText, mutateValue } from './mutate.mjs';
import { choices } from './random.mjs';

const CONNECTIONS = 8;
const ANSWER_MS_MAX = 60_000;
/** Paths that change something, or take a body. */
const WRITES = /setup|export|login$|logout$|proxy|saved_objects\/(?:search|_import|dashboard\/one)/;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'];
const PATHS = [
  '/',
  '/login?next=%2Fapp%2Fhome&msg=LOGGED_OUT',
  '/logout',
  '/app/home',
  '/app/discover?i=logs&q=a&f=%5B%5D',
  '/app/dashboards/new?edit=true',
  '/app/kibana',
  '/assets/main.js',
  '/api/status',
  '/api/stats',
  '/metrics',
  '/api/ping',
  '/api/home',
  '/api/setup',
  '/api/export',
  '/internal/security/me',
  '/internal/security/login',
  '/api/security/logout',
  '/api/console/proxy?path=%2F_cluster%2Fhealth&method=GET',
  '/api/console/proxy?path=%2Flogs%2F_search&method=POST',
  '/api/saved_objects/_find?type=dashboard&per_page=10&page=1&search=a*&fields=title',
  '/api/saved_objects/dashboard/one',
  '/api/saved_objects/search',
  '/api/saved_objects/_export',
  '/api/saved_objects/_import?overwrite=true',
];
const BODIES = [
  { attributes: { title: 'A', panels: [{ id: 'a', kind: 'terms' }] }, references: [], version: 'WzEsMV0=' },
  { type: ['dashboard', 'search'], excludeExportDetails: true },
  { objects: [{ type: 'dashboard', id: 'one' }] },
  { index: 'logs', format: 'csv', query: { match_all: {} }, columns: ['a', 'b'], sort: [{ a: 'asc' }] },
  { index: 'logs', format: 'ndjson' },
  { username: 'elastic', password: 'x' },
  { providerType: 'basic', providerName: 'basic', currentURL: '/', params: { username: 'a', password: 'b' } },
  { type: 'dashboard', id: 'two', attributes: { title: 'B' }, references: [] },
  { query: { match: { a: 'x' } }, size: 1 },
];
const TYPES = ['application/json', 'application/x-ndjson', 'multipart/form-data; boundary=x', 'text/plain', ''];

function part(random, boundary, body) {
  const type = random.pick(['name="file"; filename="a"', 'name="other"', 'name=file', '']);
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${type}\r\n\r\n`),
    body,
    Buffer.from(random.chance(0.8) ? `\r\n--${boundary}--\r\n` : ''),
  ]);
}

/** A request with one part or several that are not as they should be. */
function anyCall(random) {
  const path = random.pick(PATHS);
  const target = random.chance(0.25) ? mutateText(random, path) : path;
  const usual = WRITES.test(path) ? random.pick(['POST', 'POST', 'PUT', 'DELETE', 'GET']) : 'GET';
  const method = random.chance(0.85) ? usual : random.pick(METHODS);
  const type = random.chance(0.7) ? TYPES[0] : random.pick(TYPES);
  let body = null;
  if (method !== 'GET' && method !== 'HEAD' && random.chance(0.9)) {
    const value = random.chance(0.4) ? random.pick(BODIES) : mutateValue(random, random.pick(BODIES), BODIES);
    body = Buffer.from(jsonText(random, value));
    if (type.startsWith('multipart')) body = part(random, 'x', body);
  }
  return {
    method,
    target: `/${encodeURI(target.toWellFormed()).replace(/^\//, '').replace(/\s/g, '%20')}`,
    headers: {
      ...(random.chance(0.9) ? { 'kbn-xsrf': 'fuzz' } : {}),
      ...(type === '' ? {} : { 'content-type': type }),
      ...(random.chance(0.1) ? { cookie: `sid=${random.pick(['', 'x', 'a'.repeat(43), '%00'])}` } : {}),
      ...(random.chance(0.05) ? { authorization: random.pick(['Basic x', 'ApiKey x', 'Bearer', 'None of it']) } : {}),
      ...(random.chance(0.05) ? { origin: 'https://other.example' } : {}),
    },
    body,
  };
}

function exchange(agent, port, { method, target, headers, body }) {
  return new Promise((resolve) => {
    const none = (status) => resolve({ status, text: '', type: '' });
    const sent = { ...headers, ...(body === null ? {} : { 'content-length': body.length }) };
    let request;
    try {
      request = http.request({ agent, host: '127.0.0.1', port, method, path: target, headers: sent });
    } catch {
      return none(0);
    }
    const timer = setTimeout(() => {
      request.destroy();
      none(-1);
    }, ANSWER_MS_MAX);
    request.on('close', () => clearTimeout(timer));
    request.on('error', () => none(0));
    request.on('response', (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', () => none(0));
      const type = answer.headers['content-type'] ?? '';
      answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString(), type }));
    });
    request.end(body ?? undefined);
  });
}

function reasonAgainst({ status, text, type }) {
  if (status === -1) return `no answer within ${ANSWER_MS_MAX} ms`;
  if (status === 500 || status === 502 || status === 504 || status > 505)
    return `answered ${status}: ${text.slice(0, 600)}`;
  if (!type.startsWith('application/json') || text === '') return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `answered what is no JSON (${error.message}): ${text.slice(0, 300)}`;
  }
}

const kindOf = (reason) => reason.replace(/\[[^\]]*\]|\d+|"[^"]{0,40}"/g, '#').slice(0, 160);

async function fill(node) {
  for (let i = 0; i < 20; i++) await call(node, 'PUT', `/logs/_doc/${i}?refresh=true`, { a: i, b: `text ${i}` });
}

/** Runs until `inputs` requests or `seconds` are over; see parsers.mjs. */
export async function fuzzDashboard({ inputs, seconds, seed, report = () => undefined }) {
  const { node, dashboard } = await startNodeWithDashboard();
  await fill(node);
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const findings = [];
  const seen = new Set();
  const statuses = new Map();
  const end = performance.now() + seconds * 1000;
  let begun = 0;
  let hasEnded = false;
  void node.exited.then(({ code, signal }) => {
    if (!hasEnded) {
      const reason = `ended with ${code ?? signal}\n${node.log().slice(-3000)}`;
      findings.push({ target: 'the process', seed, input: '', reason });
    }
    hasEnded = true;
  });
  async function connection() {
    while (!hasEnded && begun < inputs && performance.now() < end) {
      const own = seed + begun++;
      const request = anyCall(choices(own));
      const answer = await exchange(agent, dashboard.port, request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const reason = reasonAgainst(answer);
      if (reason !== null && !hasEnded && !seen.has(kindOf(reason))) {
        seen.add(kindOf(reason));
        const input = `${JSON.stringify(request.headers)} ${request.body?.toString('latin1').slice(0, 600) ?? ''}`;
        findings.push({ target: `${request.method} ${request.target}`, seed: own, input, reason });
      }
      if (begun % 20_000 === 0) report(begun, findings);
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const threadFaults = node.log().match(/the dashboard (?:failed|ended)[^\n]*/g) ?? [];
  for (const reason of threadFaults) findings.push({ target: 'the thread', seed, input: '', reason });
  const rss = hasEnded ? 0 : Math.round(residentPeakMegabytes(node.pid));
  if (!hasEnded) {
    hasEnded = true;
    await node.stop();
  }
  agent.destroy();
  const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status || 'hung up'} ${count}`);
  return { inputs: begun, findings, summary: `answers by status: ${counted.join(', ')}; resident at most ${rss} MB` };
}
