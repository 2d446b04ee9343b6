// Requests of attackers: bytes as they are, and whatever comes back.
import http from 'node:http';
import net from 'node:net';

/** Milliseconds after which an attacker hangs up. */
const PATIENCE_MS = 120_000;

/** Sends a request with `body` (bytes or text); resolves with the status, 0 if the connection was cut. */
export function send(node, method, path, body, headers = {}) {
  return answerOf(node, method, path, body, headers).then(({ status }) => status);
}

/** As `send`; resolves with `{ status, text }`. */
export function answerOf(node, method, path, body = '', headers = {}) {
  return new Promise((resolve) => {
    const request = http.request({
      port: node.port,
      host: '127.0.0.1',
      method,
      path,
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    });
    const patience = setTimeout(() => request.destroy(), PATIENCE_MS);
    request.on('close', () => clearTimeout(patience));
    request.on('response', (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      const end = () => resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() });
      answer.on('end', end);
      answer.on('error', end);
    });
    request.on('error', () => resolve({ status: 0, text: '' }));
    request.end(body);
  });
}

/**
 * Opens a connection and writes `bytes`. What comes back is read and counted only if `isRead`. Resolves when connected,
 * with `{ socket, received(), closed }`.
 */
export function connect(node, bytes, { isRead = true } = {}) {
  return new Promise((resolve) => {
    const socket = net.connect(node.port, '127.0.0.1');
    let received = 0;
    socket.on('error', () => undefined);
    const closed = new Promise((tell) => socket.once('close', tell));
    if (isRead) socket.on('data', (chunk) => (received += chunk.length));
    const ready = () => resolve({ socket, received: () => received, closed });
    socket.once('connect', () => {
      socket.write(bytes);
      ready();
    });
    socket.once('close', ready);
  });
}

/** An attack of one request. */
export const once = (name, run, options = {}) => ({ name, run: async (node) => [await run(node)], ...options });
