import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { boundPipelining } from './pipelining.js';

/** A server with these limits, and a connection to it. */
async function serve(
  t: TestContext,
  handle: (response: ServerResponse, url: string) => void,
  pipelinedMax = 10_000,
): Promise<Socket> {
  const server = createServer(
    boundPipelining((request, response) => handle(response, request.url!), {
      pipelinedMax,
      noteOf: () => () => () => undefined,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  t.after(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  await once(socket, 'connect');
  return socket;
}

const requests = (count: number, body = ''): string =>
  Array.from(
    { length: count },
    (_, i) => `POST /${i} HTTP/1.1\r\nhost: n\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  ).join('');

/** Reads until `isDone` is true of the text. */
async function read(socket: Socket, isDone: (text: string) => boolean): Promise<string> {
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    if (isDone(text)) break;
  }
  return text;
}

test('of many requests on a connection sixteen are worked on at once, and all are answered in order', async (t) => {
  const open: ServerResponse[] = [];
  let [most, answered] = [0, 0];
  const turn = (): void => {
    open.shift()!.end(`<${answered++}>`);
  };
  const socket = await serve(t, (response) => {
    open.push(response);
    most = Math.max(most, open.length);
    setImmediate(turn);
  });
  socket.write(requests(500, '{"some":"body"}'));
  const text = await read(socket, (part) => part.includes('<499>'));
  assert.deepEqual(
    [...text.matchAll(/<(\d+)>/g)].map(([, number]) => Number(number)),
    Array.from({ length: 500 }, (_, i) => i),
  );
  assert.ok(most <= 16, `${most} at once`);
});

test('a request is not begun while the client does not take the answers before it', async (t) => {
  const answer = 'x'.repeat(2 ** 20);
  let begun = 0;
  const socket = await serve(t, (response) => {
    begun++;
    response.end(answer);
  });
  socket.pause();
  socket.write(requests(200));
  let seen = -1;
  while (begun !== seen) {
    seen = begun;
    for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  }
  assert.ok(begun < 60, `${begun} begun`);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  socket.resume();
  while (bytes < 200 * answer.length) await once(socket, 'data');
  assert.equal(begun, 200);
});

test('a connection with more unanswered requests than it may have is closed', async (t) => {
  const socket = await serve(t, () => undefined, 20);
  socket.write(requests(21));
  await once(socket, 'close');
});
