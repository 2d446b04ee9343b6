import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { followSockets } from './open-sockets.js';

test('connections without a request are ended, one with a request gets its answer', async () => {
  const arrived: http.ServerResponse[] = [];
  const server = http.createServer((_request, answer) => void arrived.push(answer));
  const sockets = followSockets(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const silent = net.connect(port, '127.0.0.1');
  await Promise.all([once(silent, 'connect'), once(server, 'connection')]);
  const answered = fetch(`http://127.0.0.1:${port}/`);
  await once(server, 'request');
  const ended = once(silent, 'close');
  silent.resume();
  const closed = new Promise((resolve) => server.close(resolve));
  sockets.endIdle();
  await ended;
  arrived[0]!.setHeader('connection', 'close').end('late');
  assert.equal(await (await answered).text(), 'late');
  await closed;
});
