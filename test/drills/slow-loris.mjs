// Many connections that hardly send: headers byte by byte, bodies that are announced and do not come. Others must not
// notice. Usage: node test/drills/slow-loris.mjs [connections=2000] [seconds=40]
import fs from 'node:fs';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { call, sleep, startNode } from '../node-process.mjs';
import { residentMegabytes } from '../resident-memory.mjs';
import { closedLoop, requestBytes } from './load.mjs';

const HEAD = 'POST /x/_bulk HTTP/1.1\r\nhost: n\r\ncontent-type: application/x-ndjson\r\ncontent-length: 50000000\r\n';

/** One connection in two sends its headers slowly, the others a body. */
function slowClient(port, i, gone) {
  const socket = net.connect(port, '127.0.0.1');
  const text = i % 2 === 0 ? HEAD : `${HEAD}\r\n`;
  let at = i % 2 === 0 ? 20 : text.length;
  socket.on('connect', () => socket.write(text.slice(0, at)));
  socket.on('error', () => undefined);
  socket.on('close', gone);
  return {
    drip: () => socket.destroyed || socket.write(at < text.length - 2 ? text[at++] : 'x'),
    end: () => socket.destroy(),
  };
}

/** Runs the drill on a node of its own; returns what was measured. */
export async function slowLoris({ connections, seconds, settings = {} }) {
  const node = await startNode({ settings });
  const alone = await closedLoop(node.port, () => requestBytes('GET', '/'), 4, 3);
  const before = residentMegabytes(node.pid);
  let open = connections;
  const clients = Array.from({ length: connections }, (_, i) => slowClient(node.port, i, () => open--));
  const drip = setInterval(() => clients.forEach((client) => client.drip()), 1000);
  try {
    await sleep(1000);
    const among = await closedLoop(node.port, () => requestBytes('GET', '/'), 4, seconds);
    const during = residentMegabytes(node.pid);
    const { status } = await call(node, 'PUT', '/ok/_doc/1', { a: 1 });
    return { alone, among, before, during, leftOpen: open, writeStatus: status };
  } finally {
    clearInterval(drip);
    for (const client of clients) client.end();
    await node.stop();
    fs.rmSync(node.data, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [connections = 2000, seconds = 40] = process.argv.slice(2).map(Number);
  const { alone, among, before, during, leftOpen, writeStatus } = await slowLoris({ connections, seconds });
  process.stdout.write(
    `alone ${Math.round(alone.goodPerSecond)} requests/s, p99 ${Math.round(alone.goodP99)} ms; among ` +
      `${connections} slow ones ${Math.round(among.goodPerSecond)} requests/s, p99 ${Math.round(among.goodP99)} ms\n`,
  );
  process.stdout.write(
    `resident ${Math.round(before)} MB before, ${Math.round(during)} MB with them; ${leftOpen} of them left after ` +
      `${seconds} s; a write was answered with ${writeStatus}\n`,
  );
}
