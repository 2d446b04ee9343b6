// Whether the node of this machine answers and knows a master: for health checks of containers. A red index does not
// count: an orchestrator would take away all nodes, and with them the indices that are whole. ELASTIC_PASSWORD is used
// when it is right; a node that asks for other credentials is alive too. Usage: node scripts/alive.mjs [port]
import http from 'node:http';
import https from 'node:https';

const port = Number(process.argv[2] ?? 9200);
const TIMEOUT_MS = 2_500;
const password = process.env.ELASTIC_PASSWORD;
const headers = password ? { authorization: `Basic ${Buffer.from(`elastic:${password}`).toString('base64')}` } : {};

function ask(client, options) {
  return new Promise((resolve, reject) => {
    const request = client.get(
      { host: '127.0.0.1', port, path: '/_cluster/health?master_timeout=1s', headers, timeout: TIMEOUT_MS, ...options },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode }));
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
  });
}

/** Without a master the call is answered with 503. */
const isAlive = ({ status }) => [200, 401, 403].includes(status);

try {
  // The certificate is the node's own: who it is signed by does not matter on the same machine.
  const answer = await ask(http, {}).catch(() => ask(https, { rejectUnauthorized: false }));
  process.exit(isAlive(answer) ? 0 : 1);
} catch {
  process.exit(1);
}
