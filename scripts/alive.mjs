// Whether the node of this machine answers: for health checks of containers. ELASTIC_PASSWORD is used when it is right;
// a node that asks for other credentials is alive too. Usage: node scripts/alive.mjs [port]
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
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
  });
}

function isAlive({ status, text }) {
  return status === 401 || status === 403 || (status === 200 && JSON.parse(text).status !== 'red');
}

try {
  // The certificate is the node's own: who it is signed by does not matter on the same machine.
  const answer = await ask(http, {}).catch(() => ask(https, { rejectUnauthorized: false }));
  process.exit(isAlive(answer) ? 0 : 1);
} catch {
  process.exit(1);
}
