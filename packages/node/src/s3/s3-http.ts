import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { S3Proxy } from './s3-clients.js';

/** One HTTP request to a store. */
export interface StoreRequest {
  readonly method: string;
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Path with the query, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An answer, read to its end. */
export interface StoreAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends requests over connections that are kept open. Rejects when an answer is not complete. */
export interface StoreHttp {
  send(request: StoreRequest): Promise<StoreAnswer>;
  close(): void;
}

/** Longest object that is read: a file of a snapshot holds 4 MiB, or one document. */
const BODY_BYTES_MAX = 1 << 30;

async function receive(answer: http.IncomingMessage, method: string): Promise<StoreAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    length += (chunk as Buffer).length;
    if (length > BODY_BYTES_MAX) throw new Error('the answer is longer than 1 GiB');
    chunks.push(chunk as Buffer);
  }
  const announced = answer.headers['content-length'];
  if (method !== 'HEAD' && announced !== undefined && Number(announced) !== length)
    throw new Error(`the answer ended after ${length} of ${announced} bytes`);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) };
}

const proxyHeaders = ({ username, password }: S3Proxy): Record<string, string> =>
  username === null
    ? {}
    : { 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` };

/** Opens a tunnel through a proxy, and TLS in it. */
function tunnel(proxy: S3Proxy, host: string, port: number, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const asked = (proxy.scheme === 'https' ? https : http).request({
      host: proxy.host,
      port: proxy.port,
      method: 'CONNECT',
      path: `${host}:${port}`,
      headers: { host: `${host}:${port}`, ...proxyHeaders(proxy) },
      agent: false,
    });
    asked.setTimeout(timeoutMs, () => asked.destroy(new Error('timed out waiting for the proxy')));
    asked.once('error', reject);
    asked.once('connect', (answer, socket) => {
      asked.setTimeout(0);
      if (answer.statusCode !== 200) {
        socket.destroy();
        reject(new Error(`the proxy answered ${answer.statusCode}`));
      } else resolve(tls.connect({ socket, servername: host }));
    });
    asked.end();
  });
}

/** What the path and the connection of a request are, directly or through a proxy. */
async function routeOf(
  { protocol, host, port, target, headers }: StoreRequest,
  proxy: S3Proxy | null,
  timeoutMs: number,
): Promise<https.RequestOptions> {
  if (proxy === null) return { host, port, path: target, headers };
  if (protocol === 'https') {
    const socket = await tunnel(proxy, host, port, timeoutMs);
    return { host, port, path: target, headers, agent: false, createConnection: () => socket };
  }
  const path = `http://${headers['host']!}${target}`;
  return { host: proxy.host, port: proxy.port, path, headers: { ...headers, ...proxyHeaders(proxy) } };
}

/** Opens connections as needed, at most `connectionsMax` for each server; one that is silent for too long is closed. */
export function openStoreHttp(connectionsMax: number, proxy: S3Proxy | null): (timeoutMs: number) => StoreHttp {
  const options = { keepAlive: true, maxSockets: connectionsMax };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };
  return (timeoutMs) => ({
    async send(request) {
      const { method, protocol, body } = request;
      const scheme = proxy !== null && protocol === 'http' ? proxy.scheme : protocol;
      const route = await routeOf(request, proxy, timeoutMs);
      return new Promise((resolve, reject) => {
        const sent = (scheme === 'https' ? https : http).request(
          { agent: agents[scheme], method, ...route },
          (answer) => receive(answer, method).then(resolve, reject),
        );
        if (timeoutMs > 0) sent.setTimeout(timeoutMs, () => sent.destroy(new Error('timed out waiting for an answer')));
        sent.once('error', reject);
        sent.end(body);
      });
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  });
}
