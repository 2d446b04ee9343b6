import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { loadDashboardSettings } from '../settings/load-settings.js';
import { type ClusterClient, createClusterClient } from './cluster-client.js';
import type { Clock, Log } from '@shoal/doors';
import type { KeyStores } from '../tls/tls-material.js';

const clock = {
  now: () => Date.now(),
  after: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
} as unknown as Clock;
const log: Log = { write: () => undefined };
const servers: http.Server[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A node that answers all calls with a status, and its name; notes the calls. */
async function host(name: string, status: () => number): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = http.createServer((incoming, answer) => {
    incoming.resume().on('end', () => {
      seen.push(incoming.method!);
      answer.writeHead(status()).end(name);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function clientOf(...urls: string[]): ClusterClient {
  const overrides: [string, string][] = [['elasticsearch.hosts', JSON.stringify(urls)]];
  const { cluster } = loadDashboardSettings({ file: {}, environment: {}, overrides });
  return createClusterClient(cluster, { clock, log, stores: {} as KeyStores });
}

const said = async (client: ClusterClient, method: string): Promise<[number, string]> => {
  const { status, body } = await client.call(method, '/', {
    authorization: null,
    ...(method === 'POST' ? { body: {} } : {}),
  });
  return [status, body.toString()];
};

test('a node that leaves is not asked again for what changes nothing, and changes are sent once', async () => {
  let status = 503;
  const leaving = await host('leaving', () => status);
  const other = await host('other', () => 200);
  const client = clientOf(leaving.url, other.url);
  assert.deepEqual(await said(client, 'POST'), [503, 'leaving']);
  assert.deepEqual(other.seen, []);
  assert.deepEqual(await said(client, 'GET'), [200, 'other']);
  assert.deepEqual(await said(client, 'POST'), [200, 'other'], 'the one that answered last is asked first');
  assert.deepEqual(leaving.seen, ['POST', 'GET']);
  status = 200;
  client.close();
});

test('what all hosts refuse is answered in the words of one of them', async () => {
  const hosts = await Promise.all(['a', 'b'].map((name) => host(name, () => 503)));
  const client = clientOf(...hosts.map(({ url }) => url));
  const [status, name] = await said(client, 'GET');
  assert.equal(status, 503);
  assert.ok(name === 'a' || name === 'b');
  client.close();
});
