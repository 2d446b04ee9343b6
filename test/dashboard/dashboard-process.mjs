// Starts real dashboards for tests: a process each, as users start them, ended by pid.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { boundChild, withLimit } from '../limits.mjs';
import { freePort, root, sleep, startNode } from '../node-process.mjs';

const program = path.join(root, 'packages', 'node', 'bin', 'shoal');
const START_MS_MAX = 120_000;
const ANSWER_MS_MAX = 120_000;
const STATUS_MS_MAX = 10_000;

const running = new Set();

/** Ends all dashboards that run still, also those of tests that failed. */
export const stopDashboards = () => Promise.all([...running].map((one) => one.stop('SIGKILL')));

/** Variables of this process without settings of a dashboard. */
const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:ELASTICSEARCH|SERVER)_/.test(name)));

function spawnDashboard(settings, env, args) {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-E', `${name}=${value}`]);
  const child = spawn(program, ['dashboard', ...options, ...args], {
    env: {
      ...cleanEnvironment(),
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output.text += chunk));
  const bound = boundChild(child, 'a dashboard', () => output.text);
  running.add(bound);
  void bound.exited.then(() => running.delete(bound));
  return { child, output, ...bound };
}

/** Runs a dashboard that must not start; returns its exit status and what it said. */
export async function refusedStart(settings, env = {}, args = []) {
  const { child, output, exited } = spawnDashboard({ 'server.port': 0, ...settings }, env, args);
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS_MAX);
  const { code } = await withLimit(exited, `the end of a dashboard with ${JSON.stringify(settings)}`, 2 * START_MS_MAX);
  clearTimeout(timer);
  return { code, said: output.text };
}

/**
 * Starts a dashboard on a free port and waits until it listens. Returns { url, port, pid, lines(), stop(), exited };
 * `url` has the base path if requests need it.
 */
export async function startDashboard({ settings = {}, env = {}, args = [] } = {}) {
  const all = { 'server.port': 0, 'server.host': '127.0.0.1', ...settings };
  const { child, output, exited, stop } = spawnDashboard(all, env, args);
  const lines = () =>
    output.text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  const end = Date.now() + START_MS_MAX;
  for (;;) {
    const listening = lines().find(({ message }) => message === 'the dashboard listens');
    if (listening !== undefined) {
      const port = Number(listening['http.address'].split(':').at(-1));
      const scheme = listening.url.split(':')[0];
      return {
        url: `${scheme}://127.0.0.1:${port}`,
        port,
        pid: child.pid,
        log: () => output.text,
        lines,
        exited,
        stop,
      };
    }
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > end) {
      child.kill('SIGKILL');
      throw new Error(`the dashboard did not start:\n${output.text}`);
    }
    await sleep(20);
  }
}

/** Starts a node with the dashboard inside and waits until both are ready. Returns { node, dashboard }. */
export async function startNodeWithDashboard(settings = {}, more = {}) {
  const port = await freePort();
  const own = { 'dashboard.enabled': true, 'dashboard.host': '127.0.0.1', 'dashboard.port': port };
  const node = await startNode({ settings: { ...own, ...settings }, ...more });
  const dashboard = { url: `http://127.0.0.1:${port}`, port, log: node.log };
  try {
    await waitForLevel(dashboard, 'available');
  } catch (error) {
    await node.stop('SIGKILL');
    throw error;
  }
  return { node, dashboard };
}

const levelOf = async ({ url }) => {
  try {
    const answer = await fetch(`${url}/api/status`, { signal: AbortSignal.timeout(STATUS_MS_MAX) });
    return (await answer.json()).status.overall.level;
  } catch {
    return 'none';
  }
};

/** Waits until `/api/status` is answered and has the level; returns how long it took. */
export async function waitForLevel(dashboard, level, msMax = START_MS_MAX) {
  const startedAt = Date.now();
  for (;;) {
    const now = await levelOf(dashboard);
    if (now === level) return Date.now() - startedAt;
    if (Date.now() - startedAt > msMax) throw new Error(`the level is ${now}:\n${dashboard.log()}`);
    await sleep(50);
  }
}

/** One request, whose answer has a limit; returns { status, headers, text, json }. Redirects are not followed. */
export const ask = (dashboard, method, target, options = {}) =>
  withLimit(exchange(dashboard, method, target, options), `the answer to ${method} ${target}`, ANSWER_MS_MAX);

async function exchange(dashboard, method, target, { headers = {}, body, cookie }) {
  const answer = await fetch(`${dashboard.url}${target}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(method === 'GET' || method === 'HEAD' ? {} : { 'kbn-xsrf': 'test' }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cookie === undefined ? {} : { cookie: `sid=${cookie}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  let json = null;
  try {
    json = JSON.parse(text);
  } catch {
    // Pages are no JSON.
  }
  return { status: answer.status, headers: answer.headers, text, json };
}

/** Logs in; returns the answer and the value of its cookie. */
export async function logIn(dashboard, username, password, { headers, next } = {}) {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  const answer = await ask(dashboard, 'POST', '/internal/security/login', {
    headers,
    body: {
      providerType: 'basic',
      providerName: 'basic',
      currentURL: `${dashboard.url}/login${query}`,
      params: { username, password },
    },
  });
  const cookie = /^sid=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  return { ...answer, cookie };
}

/** A call of the cluster through the dashboard. */
export const through = (dashboard, cookie, method, target, options = {}) =>
  ask(dashboard, 'POST', `/api/console/proxy?${new URLSearchParams({ path: target, method })}`, { cookie, ...options });
