import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createRedirectServer } from './redirect-server.js';

/** What a plain request is answered: status and location. */
async function answerTo(host: string, path: string, publicBaseUrl: string | null): Promise<unknown[]> {
  const server = createRedirectServer(5601, publicBaseUrl);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, resolve).on('error', reject);
  });
  answer.resume();
  server.closeAllConnections();
  server.close();
  return [answer.statusCode, answer.headers.location];
}

test('HTTP is led to HTTPS of the name that was asked for, or of the public address', async () => {
  assert.deepEqual(await answerTo('a.example:80', '/x?y=1', null), [302, 'https://a.example:5601/x?y=1']);
  assert.deepEqual(await answerTo('[::1]:80', '/', null), [302, 'https://[::1]:5601/']);
  assert.deepEqual(await answerTo('a', '/x', 'https://search.example/kibana'), [302, 'https://search.example/x']);
});

test('what is no name and no path is led nowhere', async () => {
  assert.deepEqual(await answerTo('evil.example/@a', '/', null), [400, undefined]);
  assert.deepEqual(await answerTo('a', '//evil.example', null), [400, undefined]);
});
