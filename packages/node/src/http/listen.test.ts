import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { silentLog } from '@shoal/doors';
import { listen } from './listen.js';

test('an error of a server that listens is logged, and it listens on', async () => {
  const lines: string[] = [];
  const server = createServer((_request, response) => response.end('here'));
  const port = await listen(server, '127.0.0.1', [0, 0], {
    ...silentLog,
    write: (level, message, fields) => lines.push(`${level}: ${message}: ${String(fields?.['error'])}`),
  });
  server.emit('error', new Error('accept EMFILE'));
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'here');
  assert.deepEqual(lines, ['error: the HTTP server reported an error: Error: accept EMFILE']);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a port that is in use is no error to log', async () => {
  const [first, second] = [createServer(), createServer()];
  const refuse = { ...silentLog, write: assert.fail };
  const port = await listen(first, '127.0.0.1', [0, 0], refuse);
  await assert.rejects(listen(second, '127.0.0.1', [port, port], refuse), /in use on 127\.0\.0\.1/);
  await new Promise((resolve) => first.close(resolve));
});
