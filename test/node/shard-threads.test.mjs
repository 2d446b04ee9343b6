// A node with threads for its shards. A thread that ends by itself leaves the node to go on: its shards fail over and
// come back with all that was acknowledged. Figures tell of each thread; what is cancelled ends on all of them.
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

/** Ends a thread, and waits until another one is there in its place. */
async function endThread(thread, how) {
  const { starts } = (await figures())[thread];
  fs.writeFileSync(path.join(asked, String(thread)), how);
  for (;;) {
    const now = (await figures())[thread];
    if (now.running && now.starts > starts) break;
    await sleep(10);
  }
}

/** Ends a thread, and waits until another one is there in its place and all shards are back. */
async function end(thread, how) {
  await endThread(thread, how);
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

test('each thread is told by its name, with its processor time and its stacks', async () => {
  const { body } = await call(node, 'GET', '/_nodes/stats/threads');
  const { threads } = Object.values(body.nodes)[0];
  for (const name of ['main', 'shards-0', 'shards-1', 'shards-2', 'runtime'])
    assert.ok(threads[name].cpu_time_in_millis > 0, `${name}: ${JSON.stringify(threads)}`);
  const metrics = await call(node, 'GET', '/_prometheus/metrics');
  assert.match(String(metrics.body), /^shoal_thread_cpu_seconds_total\{thread="shards-1"\} [0-9.]*[1-9]/m);
  const hot = await call(node, 'GET', '/_nodes/hot_threads?interval=200ms&threads=100');
  assert.match(String(hot.body), /'shoal-shards-\d#\d+'\n +\d+\/\d+ snapshots sharing/);
});

test('shards whose thread ends again while they come back, and that wait after their failures, come back', async () => {
  for (const _ of [1, 2]) await endThread(0, 'error');
  await end(0, 'error');
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

/** Processor time of each shard thread, which is its own work however busy the machine is. */
async function cpuMillis() {
  const { body } = await call(node, 'GET', '/_nodes/stats/threads');
  const { threads } = Object.values(body.nodes)[0];
  const shards = Object.entries(threads).filter(([name]) => name.startsWith('shards-'));
  return Object.fromEntries(shards.map(([name, { cpu_time_in_millis: ms }]) => [name, ms]));
}

const TASKS = '/_tasks?group_by=none&actions=indices:data/read*';

/** Waits until there are tasks of reads, or until there are none; returns them. */
async function readTasks(wanted) {
  for (;;) {
    const { body } = await call(node, 'GET', TASKS);
    if (body.tasks.length > 0 === wanted) return body.tasks;
    await sleep(10);
  }
}

test('a search that is cancelled, or whose client hangs up, ends on the threads of its shards', async () => {
  const settings = { number_of_shards: 3, number_of_replicas: 0 };
  await call(node, 'PUT', '/slow', { settings, mappings: { properties: { t: { type: 'text' } } } });
  const document = JSON.stringify({ t: 'a b '.repeat(1000) });
  await call(node, 'POST', '/slow/_bulk?refresh=true', `{"index":{}}\n${document}\n`.repeat(600));
  // Takes many seconds.
  const query = { span_near: { clauses: Array.from({ length: 60 }, () => ({ span_term: { t: 'a' } })), slop: 10 } };
  for (const how of ['cancel', 'hang up']) {
    const hangUp = new AbortController();
    const answer = fetch(`${node.url}/slow/_search`, {
      method: 'POST',
      body: JSON.stringify({ query }),
      headers: { 'content-type': 'application/json' },
      signal: hangUp.signal,
    }).then(
      ({ status }) => status,
      () => 0,
    );
    const [task] = await readTasks(true);
    if (how === 'hang up') hangUp.abort();
    else await call(node, 'POST', `/_tasks/${task.node}:${task.id}/_cancel`);
    assert.equal(await answer, how === 'hang up' ? 0 : 400);
    await readTasks(false);
    const before = await cpuMillis();
    await sleep(300);
    const after = await cpuMillis();
    for (const [name, ms] of Object.entries(after))
      assert.ok(ms - before[name] < 150, `${how}: ${name} goes on, ${ms - before[name]} ms of 300`);
  }
});
