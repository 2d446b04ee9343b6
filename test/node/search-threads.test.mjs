// Searches of sealed segments on a thread of their own: they answer what the thread of the shard does, through
// refreshes, deletes, merges, closes and deletes of indices.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, sleep, startNode } from '../node-process.mjs';

const DOCS = 8_000;
/** Takes long on any machine: percentiles of a thousand buckets. */
const AGGS = {
  teams: {
    terms: { field: 'team', size: 50 },
    aggs: { n: { percentiles: { field: 'n' } }, ids: { cardinality: { field: 'key' } } },
  },
  keys: {
    terms: { field: 'key', size: 1_000 },
    aggs: { n: { percentiles: { field: 'n' } }, teams: { cardinality: { field: 'team' } } },
  },
};
let node;

before(async () => {
  node = await startNode({ settings: { 'shoal.search_threads': '1', 'node.processors': '2' } });
});
after(() => node.stop());

async function fill(index) {
  const settings = { number_of_replicas: 0, 'requests.cache.enable': false };
  const properties = { team: { type: 'keyword' }, key: { type: 'keyword' }, n: { type: 'long' } };
  await call(node, 'PUT', `/${index}`, { settings, mappings: { properties } });
  const lines = [];
  for (let i = 0; i < DOCS; i++)
    lines.push(
      JSON.stringify({ index: { _id: String(i) } }),
      JSON.stringify({ team: `t${i % 40}`, key: `k${i % 997}`, n: i % 101 }),
    );
  const { body } = await call(node, 'POST', `/${index}/_bulk?refresh=true`, `${lines.join('\n')}\n`);
  assert.equal(body.errors, false);
  await call(node, 'POST', `/${index}/_flush`);
}

async function figures() {
  const { body } = await call(node, 'GET', '/_nodes/stats/search_threads,thread_pool');
  const [{ search_threads: threads, thread_pool: pools }] = Object.values(body.nodes);
  return { ...threads['0'], pool: pools.search_worker };
}

async function search(index, more = {}) {
  const { status, body } = await call(node, 'POST', `/${index}/_search`, { size: 0, aggs: AGGS, ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return { total: body.hits.total.value, aggregations: body.aggregations };
}

/** Searches until the thread has answered once more; returns that answer. */
async function searchElsewhere(index) {
  const { completed } = await figures();
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => search(index)));
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    if ((await figures()).completed > completed) return answers[0];
    await sleep(5);
  }
}

test('a thread starts with the first large search, and answers what the thread of the shard does', async () => {
  await fill('large');
  assert.equal((await figures()).starts, 0);
  const elsewhere = await searchElsewhere('large');
  // A profile is made on the thread of the shard.
  assert.deepEqual(elsewhere, await search('large', { profile: true }));
  const { starts, failed, pool, running } = await figures();
  assert.deepEqual([starts, failed, running], [1, 0, true]);
  assert.ok(pool.completed > 0 && pool.threads === 1 && pool.rejected === 0, JSON.stringify(pool));
  const { body } = await call(node, 'GET', '/_prometheus/metrics');
  assert.match(String(body), /^shoal_search_thread_completed_total\{thread="0"\} [1-9]/m);
  const hot = await call(node, 'GET', '/_nodes/hot_threads?interval=10ms&ignore_idle_threads=false&threads=100');
  assert.match(String(hot.body), /'shoal-search-0#\d+'/);
});

test('what a refresh shows is in the next search, whether in a buffer, in a segment or merged', async () => {
  const countOf = async (answers) =>
    (await answers).aggregations.teams.buckets.find(({ key }) => key === 't7').doc_count;
  const before = await countOf(search('large'));
  await call(node, 'DELETE', '/large/_doc/7?refresh=true');
  assert.equal(await countOf(search('large')), before - 1);
  await call(node, 'PUT', '/large/_doc/new?refresh=true', { team: 't7', key: 'k0', n: 1 });
  await call(node, 'DELETE', '/large/_doc/47?refresh=true');
  await call(node, 'DELETE', '/large/_doc/87?refresh=true');
  assert.equal(await countOf(search('large')), before - 2);
  await call(node, 'POST', '/large/_flush');
  assert.equal(await countOf(searchElsewhere('large')), before - 2);
  const merged = call(node, 'POST', '/large/_forcemerge?max_num_segments=1');
  const beside = await Promise.all(Array.from({ length: 8 }, () => countOf(search('large'))));
  assert.deepEqual(new Set(beside), new Set([before - 2]));
  assert.equal((await merged).status, 200);
  assert.equal(await countOf(searchElsewhere('large')), before - 2);
});

test('an alias filter, a changed mapping and a closed index count there as at home', async () => {
  const filter = { term: { team: 't3' } };
  await call(node, 'POST', '/_aliases', { actions: [{ add: { index: 'large', alias: 'third', filter } }] });
  const third = await searchElsewhere('third');
  assert.deepEqual(third, await search('third', { profile: true }));
  assert.equal(third.total, DOCS / 40);
  await call(node, 'PUT', '/large/_mapping', { properties: { other: { type: 'keyword' } } });
  const all = await searchElsewhere('large');
  await call(node, 'POST', '/large/_close');
  assert.equal((await call(node, 'POST', '/large/_search', { aggs: AGGS })).status, 400);
  await call(node, 'POST', '/large/_open?wait_for_active_shards=1');
  assert.deepEqual(await searchElsewhere('large'), all);
});

test('a search beside which its index is deleted ends, and its files go', async () => {
  await fill('gone');
  await searchElsewhere('gone');
  const running = Array.from({ length: 6 }, () => call(node, 'POST', '/gone/_search', { size: 0, aggs: AGGS }));
  assert.equal((await call(node, 'DELETE', '/gone')).status, 200);
  for (const { status } of await Promise.all(running)) assert.ok([200, 404, 503].includes(status), String(status));
  assert.equal((await call(node, 'POST', '/gone/_search', { aggs: AGGS })).status, 404);
  const { lost, failed, starts } = { lost: 0, ...(await figures()) };
  assert.deepEqual([lost, starts], [0, 1], `failed ${failed}`);
  assert.equal((await search('large')).total > 0, true);
});
