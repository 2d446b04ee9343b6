// Copying documents from another cluster.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { call, sleep, startNode } from '../node-process.mjs';

const DOCUMENTS = 250;
let from;
let to;
let stranger;
before(async () => {
  from = await startNode({ env: { ELASTIC_PASSWORD: 'elastic-secret' }, auth: 'elastic:elastic-secret' });
  stranger = http.createServer((request, response) => {
    if (request.url.startsWith('/moved')) response.writeHead(302, { location: '/elsewhere' }).end();
    else if (request.url.startsWith('/silent')) response.writeHead(200);
    else response.writeHead(200).end('no JSON');
  });
  await new Promise((resolve) => void stranger.listen(0, '127.0.0.1', resolve));
  const hosts = `127.0.0.1:${from.port},127.0.0.1:${stranger.address().port},127.0.0.1:1`;
  to = await startNode({ settings: { 'reindex.remote.whitelist': hosts } });
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i},"d":${i}.0}\n`);
  await call(from, 'POST', '/books/_bulk?refresh=true', lines.join(''));
  await call(from, 'PUT', '/books/_doc/routed?routing=r&refresh=true', { n: -1 });
});
after(async () => {
  stranger?.close();
  await Promise.all([from?.stop(), to?.stop()]);
});

const remote = (more = {}) => ({
  host: `http://127.0.0.1:${from.port}`,
  username: 'elastic',
  password: 'elastic-secret',
  ...more,
});
const copy = (source, more = {}, query = '') =>
  call(to, 'POST', `/_reindex?refresh=true${query}`, { source, dest: { index: 'copied' }, ...more });

test('documents of another cluster are copied page by page, with ids, routing and source', async () => {
  const { status, body } = await copy({ remote: remote(), index: 'books', size: 100 });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.total, body.created, body.batches, body.failures], [DOCUMENTS + 1, DOCUMENTS + 1, 3, []]);
  const { hits } = (await call(to, 'POST', '/copied/_search', { query: { term: { n: -1 } } })).body.hits;
  assert.equal(hits[0]._routing, 'r');
  const text = await (await fetch(`${to.url}/copied/_source/7`)).text();
  assert.equal(text, '{"n":7,"d":7.0}');
  const { body: stats } = await call(from, 'GET', '/_nodes/stats/indices/search');
  assert.equal(Object.values(stats.nodes)[0].indices.search.open_contexts, 0);
});

test('a query, a script and a limit apply to documents of another cluster', async () => {
  const source = { remote: remote(), index: 'books', query: { range: { n: { gte: 100 } } }, _source: ['n'] };
  const { body } = await copy(source, {
    dest: { index: 'some' },
    max_docs: 20,
    script: { source: "ctx._source.by = 'copy'" },
  });
  assert.deepEqual([body.total, body.created], [20, 20]);
  const { hits } = (await call(to, 'POST', '/some/_search', { size: 1 })).body.hits;
  assert.deepEqual(Object.keys(hits[0]._source), ['n', 'by']);
});

test('what the other cluster refuses, or does not answer, ends the call with its words', async () => {
  const other = `http://127.0.0.1:${stranger.address().port}`;
  const refusals = [
    [remote({ password: 'wrong' }), 401, /unable to authenticate/],
    [remote({ host: 'http://127.0.0.1:1' }), 502, /cannot read from \[127\.0\.0\.1:1\]: .*ECONNREFUSED/],
    [
      remote({ host: 'http://10.0.0.1:9200' }),
      400,
      /^\[10\.0\.0\.1:9200\] not whitelisted in reindex.remote.whitelist$/,
    ],
    [remote({ host: 'nonsense' }), 400, /^\[host\] must be of the form \[scheme\]/],
    [remote({ host: `${other}/moved` }), 400, /answered with status 302, which is not followed/],
    [remote({ host: `${other}/silent`, socket_timeout: '300ms' }), 502, /timed out|aborted/],
    [remote({ host: other }), 400, /./],
    [remote({ extra: 1 }), 400, /Unsupported fields in \[remote\]. \[extra\]/],
  ];
  for (const [given, status, reason] of refusals) {
    const answer = await copy({ remote: given, index: 'books' });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(answer.body.error.reason, reason);
  }
  const missing = await copy({ remote: remote(), index: 'absent' });
  assert.equal(missing.status, 404);
  const sliced = await copy({ remote: remote(), index: 'books' }, {}, '&slices=2');
  assert.match(sliced.body.error.reason, /reindex from remote sources doesn't support slices > 1 but was \[2\]/);
});

/** Asks for a task until it is as wanted, at most 60 s. */
async function awaitTask(task, isWanted) {
  for (const startMs = Date.now(); Date.now() - startMs < 60_000; await sleep(50)) {
    const { body } = await call(to, 'GET', `/_tasks/${task}`);
    if (isWanted(body)) return body;
  }
  assert.fail(`the task ${task} did not get there`);
}

test('when the other cluster is killed, the task tells that, and how much it has copied', async () => {
  const body = { source: { remote: remote(), index: 'books', size: 10 }, dest: { index: 'half' } };
  const query = '?wait_for_completion=false&requests_per_second=20';
  const { task } = (await call(to, 'POST', `/_reindex${query}`, body)).body;
  await awaitTask(task, ({ task: { status } }) => status.created > 0);
  await from.stop('SIGKILL');
  const { error, task: ended } = await awaitTask(task, ({ completed }) => completed);
  assert.match(error.reason, /^cannot read from \[127\.0\.0\.1:\d+\]/);
  const { created, total } = ended.status;
  assert.equal(total, DOCUMENTS + 1);
  assert.ok(created > 0 && created < total, `${created} documents`);
  await call(to, 'POST', '/half/_refresh');
  assert.equal((await call(to, 'GET', '/half/_count')).body.count, created);
});
