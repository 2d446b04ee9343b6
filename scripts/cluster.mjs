// npm run cluster: three nodes of one cluster on this machine, ports 9200-9202, data kept in ./data/cluster.
// Options: --nodes 3 --port 9200 --data DIR; anything after `--` goes to every node. Ctrl-C stops all of them.
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { root } from './boundaries-table.mjs';
import { build } from './build.mjs';

const { values: options, positionals: extra } = parseArgs({
  allowPositionals: true,
  options: {
    nodes: { type: 'string', default: '3' },
    port: { type: 'string', default: '9200' },
    data: { type: 'string', default: path.join(root, 'data', 'cluster') },
  },
});
const count = Number(options.nodes);
const httpPort = Number(options.port);
if (!Number.isInteger(count) || count < 1 || count > 9 || !Number.isInteger(httpPort)) {
  process.stderr.write(
    'usage: npm run cluster -- [--nodes 1-9] [--port 9200] [--data DIR] [-- -E setting=value ...]\n',
  );
  process.exit(64);
}
if (!(await build())) process.exit(1);

const bin = path.join(root, 'packages', 'node', 'bin', 'shoal');
const names = Array.from({ length: count }, (_, i) => `n${i + 1}`);
const transportPort = (i) => httpPort + 100 + i;
const seeds = names.map((_, i) => `127.0.0.1:${transportPort(i)}`).join(',');
const isTerminal = process.stderr.isTTY === true;
const children = names.map(startNode);
let isStopping = false;

function startNode(name, i) {
  const data = path.join(options.data, name);
  fs.mkdirSync(data, { recursive: true });
  const log = fs.openSync(path.join(options.data, `${name}.log`), 'a');
  const settings = {
    'cluster.name': 'shoal',
    'node.name': name,
    'http.port': httpPort + i,
    'transport.port': transportPort(i),
    'transport.data_port': httpPort + 200 + i,
    'path.data': data,
    'discovery.seed_hosts': seeds,
    'cluster.initial_master_nodes': names.join(','),
  };
  const child = spawn(
    bin,
    [...Object.entries(settings).flatMap(([key, value]) => ['-E', `${key}=${value}`]), ...extra],
    { stdio: ['ignore', log, log] },
  );
  fs.closeSync(log);
  child.on('exit', (code, signal) => ended(name, code, signal));
  return child;
}

function ended(name, code, signal) {
  if (!isStopping)
    line(`node ${name} ended (${signal ?? `status ${code}`}); its log is ${path.join(options.data, `${name}.log`)}\n`);
  if (children.every((child) => child.exitCode !== null || child.signalCode !== null)) process.exit(isStopping ? 0 : 1);
}

function stop() {
  if (isStopping) for (const child of children) child.kill('SIGKILL');
  isStopping = true;
  line('stopping the nodes\n');
  for (const child of children) child.kill('SIGTERM');
}

function line(text) {
  process.stderr.write(isTerminal ? `\r\x1b[K${text}` : text.endsWith('\n') ? text : `${text}\n`);
}

/** With ELASTIC_PASSWORD in the environment the nodes ask for it. */
const credentials = process.env.ELASTIC_PASSWORD
  ? { authorization: `Basic ${Buffer.from(`elastic:${process.env.ELASTIC_PASSWORD}`).toString('base64')}` }
  : {};

async function health() {
  for (let i = 0; i < count; i++) {
    const answer = await fetch(`http://127.0.0.1:${httpPort + i}/_cluster/health?local=true`, {
      headers: credentials,
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null);
    if (answer?.ok) return answer.json();
  }
  return null;
}

/** One line that is kept up to date on a terminal; elsewhere only changes are written. */
async function showStatus() {
  let shown = '';
  while (!isStopping) {
    const now = await health();
    const status =
      now === null
        ? 'starting'
        : `${now.status}  ${now.number_of_nodes}/${count} nodes  ${now.active_shards} shards active, ` +
          `${now.unassigned_shards + now.initializing_shards} not yet`;
    const text = `http://127.0.0.1:${httpPort}  ${status}`;
    if (isTerminal || text !== shown) line(text);
    shown = text;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

process.on('SIGINT', stop);
process.on('SIGTERM', stop);
line(`${count} nodes, data and logs in ${options.data}\n`);
await showStatus();
