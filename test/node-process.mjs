// Starts real nodes for tests and drills: a process each, on a free port, in a folder of its own, ended by pid.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { boundChild, withLimit } from './limits.mjs';

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const bin = path.join(root, 'packages', 'node', 'bin');
/** A start takes a second; beside many others on a busy machine half a minute. */
const START_MS_MAX = 120_000;
/** Below that of Node's own client, whose error does not say what was asked. */
const ANSWER_MS_MAX = 240_000;
const HEALTH_MS_MAX = 10_000;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const folders = [];
process.once('exit', (code) => {
  if (code === 0) for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** A folder that goes when the process ends well; after a failure it is left to look at. */
export function temporaryFolder(name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `shoal-${name}-`));
  folders.push(folder);
  return folder;
}

/**
 * Waits for records of a log file of the node that are `wanted`, and returns all. The last line of the file may be
 * incomplete.
 */
export async function logRecords(file, wanted = () => true, countMin = 1) {
  for (let i = 0; i < 500; i++) {
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    const records = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .filter(wanted);
    if (records.length >= countMin) return records;
    await sleep(20);
  }
  throw new Error(`${path.basename(file)} has fewer than ${countMin} of these records`);
}

/** Ports below those of outgoing connections, which would take one that a node is about to open. */
const [PORT_MIN, PORT_MAX] = [10_240, 32_767];

/** Ports that a process of tests takes before it takes those of another one. */
const PORTS_OF_PROCESS = 64;
let portsGiven = 0;

/**
 * A port that nobody listens on. Files of tests run beside each other, a process each: with ports of its own none is
 * given one that the node of another one is about to open.
 */
export async function freePort() {
  for (;;) {
    const port = PORT_MIN + ((process.pid * PORTS_OF_PROCESS + portsGiven++) % (PORT_MAX - PORT_MIN));
    if (await isFree(port)) return port;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** The program as users start it. It replaces itself by the node, which keeps its pid. */
function spawnNode(execArgv, args, env, openFiles) {
  const options = {
    env: { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  const program = path.join(bin, 'shoal');
  if (openFiles !== null)
    return spawn('sh', ['-c', `ulimit -n ${openFiles}; exec "$0" "$@"`, program, ...args], options);
  if (execArgv.length === 0) return spawn(program, args, options);
  return spawn(process.execPath, [...execArgv, path.join(bin, 'shoal.mjs'), ...args], options);
}

/**
 * Starts a node and waits until its cluster is not red, or has any status with `waitForStatus: 'any'`. `settings` are
 * -E settings, `execArgv` options of the JavaScript runtime, `openFiles` the files that it may have open, `auth` is
 * `user:password` of the calls. Returns { url, port, data, pid, log(), stop(signal), exited }.
 */
export async function startNode({
  data = temporaryFolder('data'),
  settings = {},
  env = {},
  execArgv = [],
  openFiles = null,
  waitForStatus = 'yellow',
  startMsMax = START_MS_MAX,
  auth = null,
} = {}) {
  const port = settings['http.port'] ?? (await freePort());
  // What is free on the disk of this machine is not what the tests are about.
  const all = {
    'http.port': port,
    'path.data': data,
    'transport.port': 0,
    'cluster.routing.allocation.disk.threshold_enabled': false,
    ...settings,
  };
  const args = Object.entries(all).flatMap(([key, value]) => ['-E', `${key}=${value}`]);
  const child = spawnNode(execArgv, args, env, openFiles);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-200_000)));
  const { exited, stop } = boundChild(child, `the node at port ${port}`, () => output);
  const url = `http://127.0.0.1:${port}`;
  const headers = auth === null ? {} : basicAuth(auth);
  const node = {
    url,
    headers,
    port,
    data,
    pid: child.pid,
    log: () => output,
    exited,
    stop,
  };
  const end = Date.now() + startMsMax;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the node ended at its start:\n${output}`);
    if (Date.now() > end) {
      child.kill('SIGKILL');
      throw new Error(`the node was not up after ${startMsMax / 1000} s:\n${output}`);
    }
    try {
      const answer = await fetch(`${url}/_cluster/health`, { headers, signal: AbortSignal.timeout(HEALTH_MS_MAX) });
      const { status } = await answer.json();
      if (answer.ok && (status === 'green' || status === waitForStatus || waitForStatus === 'any')) return node;
    } catch {
      // Not listening yet.
    }
    await sleep(15);
  }
}

/** Header of `user:password`. */
export const basicAuth = (auth) => ({ authorization: `Basic ${Buffer.from(auth).toString('base64')}` });

/**
 * One JSON request, with the node's credentials unless `headers` has others; returns { status, body, headers }. Fails
 * without an answer within four minutes.
 */
export const call = (node, method, target, body, headers = {}) =>
  withLimit(exchange(node, method, target, body, headers), `the answer to ${method} ${target}`, ANSWER_MS_MAX);

async function exchange(node, method, target, body, headers) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${node.url}${target}`, {
    method,
    ...(text === undefined ? {} : { body: text }),
    headers: {
      ...(text === undefined
        ? {}
        : {
            'content-type':
              target.includes('_bulk') || target.includes('_msearch') ? 'application/x-ndjson' : 'application/json',
          }),
      ...node.headers,
      ...headers,
    },
  });
  const raw = await answer.text();
  let value = raw;
  try {
    value = JSON.parse(raw);
  } catch {
    // Text answers stay text.
  }
  return { status: answer.status, body: value, headers: answer.headers };
}
