// Requests whose client hangs up, or that are cancelled, end soon: no task is left and the processor rests.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { call, sleep, startNode } from '../node-process.mjs';

const TICKS_PER_SECOND = 100;
const REST_MS = 500;

let node;
before(async () => {
  node = await startNode({ settings: { 'shoal.shard_threads': 0 } });
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await call(node, 'PUT', '/slow', { settings, mappings: { properties: { t: { type: 'text' } } } });
  const document = JSON.stringify({ t: 'a b '.repeat(1000) });
  await call(node, 'POST', '/slow/_bulk', `{"index":{}}\n${document}\n`.repeat(600));
  const words = Array.from({ length: 20_000 }, (_, i) => `{"index":{}}\n{"w":"word${i}","n":${i}}\n`).join('');
  await call(node, 'POST', '/words/_bulk?refresh=true', words);
  await call(node, 'POST', '/slow/_refresh');
});
after(() => node?.stop());

const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const span = { span_term: { t: 'a' } };
/** Each takes many seconds. */
const SLOW = {
  'spans of one word': ['/slow/_search', { query: { span_near: { clauses: list(60, () => span), slop: 10 } } }],
  'a phrase with slop': ['/slow/_search', { query: { match_phrase: { t: { query: 'a '.repeat(300), slop: 50 } } } }],
  highlights: [
    '/slow/_search',
    { size: 600, query: { match: { t: 'a b' } }, highlight: { type: 'plain', fields: { t: {} } } },
  ],
  'thousands of patterns': [
    '/words/_search',
    { query: { bool: { should: list(3000, (i) => ({ wildcard: { w: `*${i}*d*` } })) } } },
  ],
  'functions of a score': [
    '/words/_search',
    {
      query: {
        function_score: { functions: list(5000, (i) => ({ filter: { range: { n: { gte: i } } }, weight: 2 })) },
      },
    },
  ],
  suggestions: [
    '/words/_search',
    { suggest: { s: { text: list(5000, (i) => `wrd${i}`).join(' '), term: { field: 'w', suggest_mode: 'always' } } } },
  ],
  'a multi-get': ['/words/_mget', { ids: list(300_000, String) }],
  'many searches': [
    '/words/_msearch',
    `${list(5000, () => '{}\n{"query":{"wildcard":{"w.keyword":"*1*2*"}}}').join('\n')}\n`,
  ],
};

/** Sends a request without waiting for the answer. */
function begin([path, body]) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = path.endsWith('_msearch') ? 'application/x-ndjson' : 'application/json';
  const request = http.request({
    port: node.port,
    host: '127.0.0.1',
    method: 'POST',
    path,
    agent: false,
    headers: { 'content-type': type, 'content-length': Buffer.byteLength(text) },
  });
  const answered = new Promise((resolve) => {
    request.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
      answer.on('error', () => resolve(0));
    });
    request.on('error', () => resolve(0));
  });
  request.end(text);
  return { request, answered };
}

async function tasks() {
  const { body } = await call(node, 'GET', '/_tasks?group_by=none&actions=indices:data/read*');
  return body.tasks;
}

/** Waits until there are tasks, or until there are none. */
async function waitForTasks(wanted) {
  for (let i = 0; i < 1000; i++) {
    const found = await tasks();
    if (found.length > 0 === wanted) return found;
    await sleep(5);
  }
  throw new Error(`tasks never ${wanted ? 'began' : 'ended'}`);
}

function processorSeconds() {
  const stat = fs.readFileSync(`/proc/${node.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Fails if the node works on although nobody asks for anything. */
async function checkRest(name) {
  const before = processorSeconds();
  await sleep(REST_MS);
  const used = processorSeconds() - before;
  assert.ok(used < (REST_MS / 1000) * 0.6, `${name}: ${used} s of processor in ${REST_MS} ms`);
}

for (const [name, asked] of Object.entries(SLOW)) {
  test(`${name}: work ends when the client hangs up`, async () => {
    const { request, answered } = begin(asked);
    await waitForTasks(true);
    request.destroy();
    assert.equal(await answered, 0);
    await waitForTasks(false);
    await checkRest(name);
  });
}

test('work ends when its task is cancelled, and says so', async () => {
  const { answered } = begin(SLOW['spans of one word']);
  const [task] = await waitForTasks(true);
  const { status } = await call(node, 'POST', `/_tasks/${task.node}:${task.id}/_cancel`);
  assert.equal(status, 200);
  assert.equal(await answered, 400);
  await waitForTasks(false);
  await checkRest('a cancelled search');
});
