// Threads of shards that end by themselves: the node goes on, their shards fail over and come back with all that was
// acknowledged, and everybody can see that it happened.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { call, sleep, startNode, temporaryFolder } from '../node-process.mjs';

const preload = path.join(path.dirname(fileURLToPath(import.meta.url)), 'end-thread.cjs');
const asked = temporaryFolder('threads');
const acknowledged = new Set();
let node;
let isOver = false;
let writers;

before(async () => {
  node = await startNode({
    settings: { 'node.processors': 4 },
    execArgv: ['--require', preload],
    env: { END_THREADS_FOLDER: asked },
  });
  const settings = { number_of_shards: 6, number_of_replicas: 0 };
  await call(node, 'PUT', '/all', { settings, mappings: { properties: { n: { type: 'long' } } } });
  writers = [0, 1].map(write);
});
after(() => node?.stop());

/** Writes documents until the end of the tests, and keeps the ids of those that were acknowledged. */
async function write(writer) {
  for (let i = 0; !isOver; i++) {
    const ids = Array.from({ length: 20 }, (_, n) => `${writer}-${i}-${n}`);
    const lines = ids.map((_id) => `${JSON.stringify({ index: { _id } })}\n{"n":${i}}\n`);
    const { body } = await call(node, 'POST', '/all/_bulk', lines.join(''));
    for (const { index } of body.items) {
      if (index.status === 201 || index.status === 200) acknowledged.add(index._id);
      else assert.ok([429, 503].includes(index.status), JSON.stringify(index));
    }
    await sleep(2);
  }
}

async function figures() {
  const { body } = await call(node, 'GET', '/_nodes/stats/shard_threads');
  return Object.values(body.nodes)[0].shard_threads;
}

/** Ends a thread, and waits until another one is there in its place and all shards are back. */
async function end(thread, how) {
  const { starts } = (await figures())[thread];
  fs.writeFileSync(path.join(asked, String(thread)), how);
  for (;;) {
    const now = (await figures())[thread];
    if (now.running && now.starts > starts) break;
    await sleep(10);
  }
  const { body } = await call(node, 'GET', '/_cluster/health/all?wait_for_status=green&timeout=60s');
  assert.equal(body.status, 'green', JSON.stringify(body));
}

test('a thread that ends by an error is started again, and its shards have what was acknowledged', async () => {
  while (acknowledged.size < 100) await sleep(10);
  const scroll = await call(node, 'POST', '/all/_search?scroll=1m', { size: 1 });
  await end(1, 'error');
  const { 0: other, 1: lost } = await figures();
  assert.deepEqual([other.starts, other.ended_by_itself, lost.starts, lost.ended_by_itself], [1, 0, 2, 1]);
  assert.match(node.log(), /a shard thread ended by itself.*ended by a test/);
  // The contexts of the thread went with it, those of the others are there.
  const page = await call(node, 'POST', '/_search/scroll', { scroll: '1m', scroll_id: scroll.body._scroll_id });
  assert.equal(page.status, 200);
  const { failures, successful } = page.body._shards;
  assert.ok(successful > 0 && failures.length > 0, JSON.stringify(page.body._shards));
  for (const { reason } of failures) assert.equal(reason.type, 'search_context_missing_exception');
});

test('a thread that needs more memory than its heap ends alone, and so does one that ends again', async () => {
  await end(2, 'memory');
  await end(2, 'error');
  const { 2: lost } = await figures();
  assert.deepEqual([lost.starts, lost.ended_by_itself], [3, 2]);
  const { body } = await call(node, 'GET', '/_prometheus/metrics');
  assert.match(String(body), /^shoal_shard_thread_lost_total\{thread="2"\} 2$/m);
});

test('nothing that was acknowledged is missing', async () => {
  for (const wanted = acknowledged.size + 100; acknowledged.size < wanted; ) await sleep(10);
  isOver = true;
  await Promise.all(writers);
  await call(node, 'POST', '/all/_refresh');
  const ids = [...acknowledged];
  const { body } = await call(node, 'POST', '/all/_mget?_source=false', { ids });
  assert.deepEqual(body.docs.filter(({ found }) => found !== true).slice(0, 5), []);
  const { body: counted } = await call(node, 'GET', '/all/_count');
  assert.ok(counted.count >= ids.length && counted._shards.failed === 0, JSON.stringify(counted));
});
