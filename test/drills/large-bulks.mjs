// Many clients that send large bulks as fast as they are answered, refused or not: the node still answers what an
// operator asks, and still writes. Usage: node test/drills/large-bulks.mjs [clients=150] [seconds=20]
// [operations=10000]
import { fork } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { sleep, startNode } from '../node-process.mjs';
import { residentMegabytes } from '../resident-memory.mjs';

const agent = new http.Agent({ keepAlive: true });
const PAUSE_MS = 100;

/** The status, 0 when the connection was cut, and the text of the answer. */
function exchange(port, method, path, body = null, options = { agent }) {
  const headers = body === null ? {} : { 'content-type': 'application/x-ndjson', 'content-length': body.length };
  return new Promise((resolve) => {
    const request = http.request({ host: '127.0.0.1', port, method, path, headers, ...options }, (answer) => {
      let text = '';
      answer.setEncoding('latin1');
      answer.on('data', (part) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    request.on('error', () => resolve({ status: 0, text: '' }));
    request.end(body);
  });
}

const logLine = (i) => ({
  '@timestamp': new Date(1_700_000_000_000 + i * 1000).toISOString(),
  host: `host-${i % 50}`,
  status: 200 + (i % 4),
  bytes: (i * 37) % 100_000,
  message: `request ${i} finished after ${i % 977} ms in queue worker ${i % 13}`,
});

const line = (i) => `{"index":{}}\n${JSON.stringify(logLine(i))}\n`;

/** The clients are a process of their own: theirs is not the time that is measured. */
async function load({ port, clients, seconds, operations }) {
  const body = Buffer.from(Array.from({ length: operations }, (_, i) => line(i)).join(''));
  const statuses = {};
  let written = 0;
  const until = Date.now() + seconds * 1000;
  const client = async () => {
    while (Date.now() < until) {
      const { status, text } = await exchange(port, 'POST', '/bulks/_bulk?filter_path=items.*.status', body);
      written += text.split('"status":201').length - 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 200) await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  process.send({ statuses, written });
}

/** Runs the drill on a node of its own; returns what was measured. */
export async function largeBulks({ clients, seconds, operations, memory = 512 }) {
  const node = await startNode({ settings: { 'memory.limit': `${memory}mb` } });
  const loader = fork(fileURLToPath(import.meta.url), [
    'load',
    JSON.stringify({ port: node.port, clients, seconds, operations }),
  ]);
  const took = [];
  let [answers, peak] = [null, 0];
  loader.once('message', (told) => (answers = told));
  try {
    while (answers === null && loader.exitCode === null) {
      const started = performance.now();
      const { status } = await exchange(node.port, 'GET', '/_cluster/health', null, { agent: false });
      if (status === 200) took.push(performance.now() - started);
      peak = Math.max(peak, residentMegabytes(node.pid));
      await sleep(50);
    }
    took.sort((a, b) => a - b);
    return { ...answers, peak, medianMs: took[took.length >> 1], longestMs: took.at(-1) };
  } finally {
    loader.kill();
    await node.stop();
    fs.rmSync(node.data, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'load') await load(JSON.parse(process.argv[3]));
else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [clients = 150, seconds = 20, operations = 10_000] = process.argv.slice(2).map(Number);
  const { statuses, written, peak, medianMs, longestMs } = await largeBulks({ clients, seconds, operations });
  process.stdout.write(
    `answers ${JSON.stringify(statuses)} (0: connection cut), ${Math.round(written / seconds)} documents/s; ` +
      `_cluster/health: median ${Math.round(medianMs)} ms, longest ${Math.round(longestMs)} ms; resident at most ` +
      `${Math.round(peak)} MB of 512 MB\n`,
  );
}
