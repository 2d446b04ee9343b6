// Bodies thrown at a node: large ones, many at once, compressed ones that unpack to a lot. It stays within its memory
// and answers. Usage: node test/drills/big-bodies.mjs [gigabytes=10] [clients=8]
import fs from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { call, startNode } from '../node-process.mjs';
import { residentMegabytes } from '../resident-memory.mjs';

const MB = 2 ** 20;
const LINE = Buffer.from(`{"index":{"_index":"big"}}\n{"t":"${'lorem ipsum '.repeat(80)}"}\n`);

/** A bulk of about so many bytes, without being held as a whole. */
function send(port, bytes, headers = {}, chunk = Buffer.concat(Array.from({ length: 64 }, () => LINE))) {
  return new Promise((resolve) => {
    const count = Math.ceil(bytes / chunk.length);
    const request = http.request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/_bulk',
      agent: false,
      headers: { 'content-type': 'application/x-ndjson', 'content-length': count * chunk.length, ...headers },
    });
    let sent = 0;
    const finish = (status) => resolve({ status, bytes: sent });
    request.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => finish(answer.statusCode));
    });
    request.on('error', () => finish(0));
    const more = () => {
      while (sent < count * chunk.length) {
        sent += chunk.length;
        if (!request.write(chunk)) return void request.once('drain', more);
      }
      request.end();
    };
    more();
  });
}

/** Runs the drill on a node of its own; returns what was measured. */
export async function bigBodies({ gigabytes, clients, memory = 512 }) {
  const node = await startNode({ settings: { 'memory.limit': `${memory}mb` } });
  const statuses = new Map();
  const bomb = gzipSync(Buffer.alloc(400 * MB, 32), { level: 9 });
  let [left, peak, longestMs] = [gigabytes * 2 ** 30, 0, 0];
  const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes(node.pid))), 50);
  const probe = setInterval(async () => {
    const started = performance.now();
    await call(node, 'GET', '/').catch(() => undefined);
    longestMs = Math.max(longestMs, performance.now() - started);
  }, 500);
  const sizes = [1, 20, 60, 95, 150, 5];
  try {
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let i = client; left > 0; i++) {
          const isBomb = i % 7 === 6;
          const { status, bytes } = isBomb
            ? await send(node.port, bomb.length, { 'content-encoding': 'gzip' }, bomb)
            : await send(node.port, sizes[i % sizes.length] * MB);
          left -= Math.max(bytes, MB);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    const { status } = await call(node, 'PUT', '/ok/_doc/1', { a: 1 });
    return { statuses: Object.fromEntries(statuses), peak, longestMs, writeStatus: status };
  } finally {
    clearInterval(watch);
    clearInterval(probe);
    await node.stop();
    fs.rmSync(node.data, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [gigabytes = 10, clients = 8] = process.argv.slice(2).map(Number);
  const { statuses, peak, longestMs, writeStatus } = await bigBodies({ gigabytes, clients });
  process.stdout.write(
    `answers ${JSON.stringify(statuses)} (0: connection cut); resident at most ${Math.round(peak)} MB of 512 MB; ` +
      `GET / within ${Math.round(longestMs)} ms; a write afterwards ${writeStatus}\n`,
  );
}
