// What a web page that somebody visits may do to a node without security on the same machine: nothing.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { call, startNode } from '../node-process.mjs';

const EVIL = 'http://evil.example';
let node;

before(async () => {
  node = await startNode({ settings: { 'node.name': 'n1.search.example' } });
  await call(node, 'PUT', '/accounts/_doc/1?refresh=true', { owner: 'anna' });
});
after(() => node.stop());

/** A request with exactly these headers, `Host` included, which `fetch` does not let callers choose. */
function ask(method, path, headers = {}, body = '') {
  const own = { port: node.port, host: '127.0.0.1', agent: false, signal: AbortSignal.timeout(60_000) };
  return new Promise((resolve, reject) => {
    const request = http.request({ ...own, method, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const count = async () => (await call(node, 'GET', '/accounts/_count')).body.count;

test('a form without a body closes, deletes and refreshes nothing', async () => {
  const forms = [
    ['POST', '/accounts/_close'],
    ['POST', '/accounts/_forcemerge'],
    ['POST', '/accounts/_cache/clear'],
    ['DELETE', '/accounts'],
    ['PUT', '/pages'],
    ['POST', '/_cluster/reroute'],
  ];
  for (const [method, path] of forms)
    assert.equal((await ask(method, path, { origin: EVIL, 'content-type': 'text/plain' })).status, 403, path);
  assert.equal(await count(), 1);
  assert.equal((await call(node, 'HEAD', '/pages')).status, 404);
});

test('a form cannot carry a document: not as its body, not in its URL', async () => {
  const document = '{"owner":"evil"}';
  const source = `source=${encodeURIComponent(document)}&source_content_type=application%2Fjson`;
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain,application/json',
  ])
    assert.equal((await ask('POST', '/accounts/_doc', { 'content-type': type }, document)).status, 406, type);
  assert.equal((await ask('POST', `/accounts/_doc?${source}`)).status, 400);
  assert.equal((await ask('POST', '/accounts/_doc', {}, document)).status, 406);
  assert.equal(
    (await ask('POST', '/accounts/_doc', { origin: EVIL, 'content-type': 'application/json' }, document)).status,
    403,
  );
  await call(node, 'POST', '/accounts/_refresh');
  assert.equal(await count(), 1);
});

test('a rebound name is not answered, names of this machine and of the node are', async () => {
  for (const host of ['evil.example', 'evil.example:9200', '127.0.0.1.evil.example']) {
    const answer = await ask('GET', '/accounts/_search', { host });
    assert.equal(answer.status, 403, host);
    assert.doesNotMatch(answer.text, /anna/);
  }
  for (const host of ['localhost:9200', '[::1]:9200', 'es01:9200', 'n1.search.example'])
    assert.equal((await ask('GET', '/accounts/_search', { host })).status, 200, host);
});
