import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import type { ClusterClient, ClusterRequest } from './cluster/cluster-client.js';
import { passThrough } from './through.js';

/** What arrives at the cluster, and what comes back to the browser. */
interface Passed {
  readonly asked: ClusterRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

async function pass(browser: IncomingHttpHeaders, cluster: IncomingHttpHeaders): Promise<Passed> {
  let asked: ClusterRequest | null = null;
  let begun: Pick<Passed, 'status' | 'headers'> | null = null;
  const client = {
    open: async (request: ClusterRequest) => {
      asked = request;
      return Object.assign(Readable.from(['{}']), { statusCode: 302, headers: cluster }) as unknown as IncomingMessage;
    },
  } as unknown as ClusterClient;
  const answer = Object.assign(new PassThrough(), {
    writeHead: (status: number, headers: Readonly<Record<string, string>>) => void (begun = { status, headers }),
  });
  answer.resume();
  const incoming = Object.assign(Readable.from([]), { headers: browser }) as unknown as IncomingMessage;
  await passThrough(incoming, answer as unknown as ServerResponse, {
    target: { method: 'GET', path: '/' },
    authorization: 'Basic own',
    client,
    settings: { customHeaders: {}, forwardedHeaders: [], requestTimeoutMs: 1_000 } as never,
    headers: { 'x-frame-options': 'DENY' },
    onSilence: () => undefined,
  });
  return { asked: asked!, ...begun! };
}

test('of the headers of a browser only harmless ones go on, with the credentials of the session', async () => {
  const { asked } = await pass(
    {
      accept: 'application/json',
      'x-opaque-id': 'mine',
      authorization: 'Basic other',
      cookie: 'sid=x',
      'es-security-runas-user': 'elastic',
      'es-secondary-authorization': 'Basic other',
      'x-forwarded-for': '1.2.3.4',
      host: 'evil.example',
    },
    {},
  );
  assert.deepEqual(asked.headers, {
    accept: 'application/json',
    'x-opaque-id': 'mine',
    authorization: 'Basic own',
  });
});

test('no cookie, challenge or rule of the cluster comes back, and no redirect is followed', async () => {
  const { status, headers } = await pass(
    {},
    {
      'content-type': 'application/json',
      location: 'http://evil.example/',
      'set-cookie': ['a=b'],
      'www-authenticate': 'Basic',
      'proxy-authenticate': 'Basic',
      'strict-transport-security': 'max-age=1',
    },
  );
  assert.equal(status, 302);
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    location: 'http://evil.example/',
    'x-frame-options': 'DENY',
  });
});

test('a broken connection to the browser ends its call alone', async () => {
  const received = Object.assign(new PassThrough(), { statusCode: 200, headers: {}, complete: false });
  const client = { open: async () => received } as unknown as ClusterClient;
  const answer = Object.assign(new PassThrough(), { writeHead: () => undefined });
  const incoming = Object.assign(Readable.from([]), { headers: {} }) as unknown as IncomingMessage;
  await passThrough(incoming, answer as unknown as ServerResponse, {
    target: { method: 'GET', path: '/' },
    authorization: null,
    client,
    settings: { customHeaders: {}, forwardedHeaders: [], requestTimeoutMs: 1_000 } as never,
    headers: {},
    onSilence: () => undefined,
  });
  const closed = new Promise((resolve) => answer.once('close', resolve));
  answer.destroy(new Error('write after the end'));
  await closed;
  received.destroy();
});
