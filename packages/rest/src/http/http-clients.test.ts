import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { httpClientsJson, newHttpClients, countRequest } from './http-clients.js';

const connection = (remotePort: number) =>
  Object.assign(new EventEmitter(), {
    localAddress: '10.0.0.1',
    localPort: 9200,
    remoteAddress: '10.0.0.2',
    remotePort,
  });
const message = (socket: EventEmitter, url: string, headers: Record<string, string> = {}) =>
  ({ socket, url, headers }) as unknown as IncomingMessage;

test('requests are counted by connection, which is remembered for five minutes after its end', () => {
  const clock = fakeClock();
  const clients = newHttpClients();
  const [first, second] = [connection(1), connection(2)];
  const began = clock.now();
  countRequest(clients, message(first, '/a', { 'user-agent': 'curl', 'x-opaque-id': 'me' }), clock).bytesIn += 7;
  clock.advance(5);
  countRequest(clients, message(first, '/b'), clock).bytesIn += 3;
  countRequest(clients, message(second, '/c'), clock);
  first.emit('close');
  const told = httpClientsJson(clients, clock.now());
  assert.deepEqual(
    told.map(({ id }) => id),
    [2, 1],
  );
  assert.deepEqual(told[1], {
    id: 1,
    agent: 'curl',
    local_address: '10.0.0.1:9200',
    remote_address: '10.0.0.2:1',
    last_uri: '/b',
    opened_time_millis: began,
    closed_time_millis: began + 5,
    last_request_time_millis: began + 5,
    request_count: 2,
    request_size_bytes: 10,
    x_opaque_id: 'me',
  });
  clock.advance(300_001);
  assert.deepEqual(
    httpClientsJson(clients, clock.now()).map(({ last_uri: uri }) => uri),
    ['/c'],
  );
});

test('of many connections that came and went a thousand are remembered', () => {
  const clock = fakeClock();
  const clients = newHttpClients();
  for (let port = 0; port < 1_500; port++) {
    const socket = connection(port);
    countRequest(clients, message(socket, '/'), clock);
    socket.emit('close');
  }
  assert.deepEqual([clients.open.size, httpClientsJson(clients, clock.now()).length], [0, 1_000]);
});
